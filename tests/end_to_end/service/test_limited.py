"""Whole events of decks that are built from pools: sealed, and a draft in uneven pods."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from domain.record.decisions import Act
from domain.record.events import DeckRegistered, MatchOpened
from domain.tournament import pairing
from domain.tournament.record import Outcome, PodsDrawn
from domain.tournament.state import Round, State
from replay_cli.tournament.reading import event as event_file
from service.client.client import Client
from service.client.connection import CallError
from tests.support.serving import running
from tests.support.waiting import until

SEALED = """event = "Sealed"
[format]
game = "gundam"
mode = "dealer"
rounds = 2
[pools]
way = "sealed"
size = 60
deck = 30
free = ["resource"]
"""
DRAFT = """event = "Draft"
[format]
game = "gundam"
mode = "dealer"
[pools]
way = "draft"
size = 42
deck = 20
free = ["resource"]
"""
#: Blue cards, which packs are made of here.
CARDS = [f"ST01-{n:03}" for n in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15)]


class Limited:
    """An event whose players open packs: what is in them follows from the seed."""

    def __init__(self, client: Client, folder: Path, file: str, players: int) -> None:
        (folder / "event.toml").write_text(file)
        read = event_file.read(folder / "event.toml")
        self.client, self.rng = client, Random(players)
        self.event = client.open_tournament(read.name, read.format).id
        self.enter(*(f"Player {n}" for n in range(1, players + 1)))

    @property
    def state(self) -> State:
        """The event as the server has it."""
        return self.client.get_tournament(self.event, with_lists=True)

    def enter(self, *names: str) -> list[int]:
        """Players enter."""
        return self.client.enter_players(self.event, names)

    def build(self, player: int) -> None:
        """A pool is registered, a deck built from it, handed in and accepted."""
        form = self.state.format.pools
        pool = self.rng.choices(CARDS, k=form.most)
        self.client.register_pool(self.event, player, {"main": pool})
        deck = self.rng.sample(pool, form.deck)
        missing = next(card for card in CARDS if deck.count(card) < 20)
        greedy = {"main": [*deck, *[missing] * 60], "resource": ["10 R-001"]}
        (fault,) = self.client.hand_in_list(self.event, player, greedy)
        assert f"{pool.count(missing)} in the pool" in fault or "is not in the pool" in fault
        with pytest.raises(CallError, match="there are faults in the list"):
            self.client.accept_lists(self.event, [player])
        found = {"main": deck, "resource": ["10 R-001"]}
        assert self.client.hand_in_list(self.event, player, found) == []
        self.client.accept_lists(self.event, [player])

    def round(self) -> Round:
        """The next round is paired, opened, and played: one match is recorded, others typed."""
        self.client.pair_round(self.event)
        self.client.open_round(self.event)
        self.client.start_round(self.event)
        now = self.state.rounds[-1]
        first, *others = [one for one in now.tables.values() if one.second]
        match = f"{self.event}.r{now.number}.t{first.number}"
        until(lambda: not self.client.match(match).waits)
        seat = self.client.issue_tokens(match).seats[0]
        self.client.with_token(seat).interject(match, Act("concede"))
        for table in others:
            winner = self.rng.choice([table.first, table.second])
            wins = (1, 0) if winner == table.first else (0, 1)
            self.client.report_result(self.event, table.number, Outcome(*wins, 0, winner))
        until(lambda: not self.state.rounds[-1].missing)
        self.client.end_round(self.event)
        return self.state.rounds[-1]

    def opened(self, round_: int, table: int) -> MatchOpened:
        """What a match was opened with."""
        found = next(iter(self.client.events(f"{self.event}.r{round_}.t{table}"))).event
        assert isinstance(found, MatchOpened)
        return found

    def sound(self) -> None:
        """Every card of every list that was played is in its pool, but for those free to all."""
        s = self.state
        for one in s.rounds:
            for player, seq in one.lists.items():
                parts = s.lists[seq].deck.parts
                used = Counter(card for part, ids in parts.items() if part != "resource"
                               for card in ids)  # fmt: skip
                assert used <= Counter(s.pools[player].cards)


def test_a_sealed_event_of_twelve(tmp_path: Path) -> None:
    with running(tmp_path / "m.kifu") as server:
        event = Limited(server.client(), tmp_path, SEALED, 12)
        for player in event.state.players:
            event.build(player)
        event.client.close_pools(event.event)
        first = event.round()
        assert event.opened(1, 1).options["pool"] == 30
        before = event.state.players[1].list
        pool = event.state.pools[1].cards
        deck = {"main": [*pool[:35]], "resource": ["10 R-001"]}
        assert event.client.hand_in_list(event.event, 1, deck) == []  # changed, and accepted
        with pytest.raises(CallError, match="stays as it is"):
            event.client.hand_in_list(event.event, 1, {**deck, "main": ["60 ST01-001"]})
        with pytest.raises(CallError, match="his pool is fixed"):
            event.client.register_pool(event.event, 1, {"main": ["60 ST01-001"]})
        second = event.round()
        assert first.lists[1] == before != second.lists[1]
        place = second.of(1)
        assert place is not None
        match = f"{event.event}.r2.t{place.number}"
        listed = [one.event for one in event.client.events(match)][1:3]
        sizes = [one.sizes for one in listed if isinstance(one, DeckRegistered)]
        assert sizes[place.players.index(1)] == {"main": 35, "resource": 10}
        event.sound()
        assert event.client.verify(f"{event.event}.r1.t1").reason.startswith("every position")
        event.client.end_tournament(event.event)
        assert len(event.client.get_standings(event.event).rows) == 12


def test_a_draft_of_eleven_in_uneven_pods(tmp_path: Path) -> None:
    with running(tmp_path / "m.kifu") as server:
        event = Limited(server.client(), tmp_path, DRAFT, 11)
        client, id_ = event.client, event.event
        with pytest.raises(CallError, match="in no pod"):
            client.pair_round(id_)
        client.draw_pods(id_)
        drawn = client.list_tournament_entries(id_)[-1].event
        assert isinstance(drawn, PodsDrawn)
        assert drawn.pods == pairing.pods.draw(range(1, 12), 8, drawn.seed)
        assert [*map(len, drawn.pods)] == [6, 5]
        client.drop_player(id_, drawn.pods[0][2], "went home in the second pack")
        late, *_ = event.enter("Late One")
        client.draw_pods(id_, add=True)
        assert event.state.pod(late) == 1
        for one in event.state.players.values():
            if not one.dropped:
                event.build(one.number)
        for number in range(1, 4):
            now = event.round()
            for table in now.tables.values():
                assert len({event.state.pod(one) for one in table.players}) == 1
            byes = sum(not table.second for table in now.tables.values())
            assert byes == 1 if number < 3 else byes == 2
            if number == 2:
                client.drop_player(id_, drawn.pods[0][0])
        with pytest.raises(CallError, match="all 3 rounds that were planned are over"):
            client.pair_round(id_)
        event.sound()
        client.end_tournament(id_)
        assert len(client.get_standings(id_).rows) == 12
