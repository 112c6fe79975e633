"""Whole events by a publisher's manual; their standings are worked out again from it alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from domain.record.decisions import Act
from domain.record.events import MatchOpened
from domain.tournament.record import BYE, NO_SHOW, Outcome
from domain.tournament.state import Round, Seating, State
from replay_cli.tournament.reading import event as event_file
from service.client.client import Client
from tests.support.serving import running
from tests.support.waiting import until

#: An event's file is one line and its game.
FILE = 'rules = "bandai-2025"\nevent = "Cup"\n[format]\ngame = "gundam"\nmode = "dealer"\n'
LISTS = ("ST01", "ST02", "ST03", "ST04")


class Played:
    """An event that is played by script: what is done at each table follows from the seed."""

    def __init__(self, client: Client, folder: Path, players: int) -> None:
        (folder / "cup.toml").write_text(FILE)
        read = event_file.read(folder / "cup.toml")
        self.client, self.rng = client, Random(players)
        self.event = client.open_tournament(read.name, read.format).id
        self.enter(*(f"Player {n}" for n in range(1, players + 1)))

    @property
    def state(self) -> State:
        """The event as the server has it."""
        return self.client.get_tournament(self.event)

    def enter(self, *names: str) -> None:
        """Players enter, and their lists are accepted."""
        numbers = self.client.enter_players(self.event, names)
        for n in numbers:
            assert self.client.hand_in_list(self.event, n, LISTS[n % 4]) == []
        self.client.accept_lists(self.event, numbers)

    def round(self) -> Round:
        """The next round is paired, opened, started, played and ended."""
        self.client.pair_round(self.event)
        self.client.open_round(self.event)
        self.client.start_round(self.event)
        now = self.state.rounds[-1]
        tables = [one for one in now.tables.values() if one.second]
        recorded = self.rng.sample(tables, min(2, len(tables))) if now.part == "swiss" else []
        for table in tables:
            if table in recorded:
                self._concede(now, table)
            else:
                self.client.report_result(self.event, table.number, self._typed(now, table))
        until(lambda: not self.state.rounds[-1].missing)
        self.client.end_round(self.event)
        return self.state.rounds[-1]

    def _concede(self, now: Round, table: Seating) -> None:
        match = f"{self.event}.r{now.number}.t{table.number}"
        until(lambda: not self.client.match(match).waits)
        seats = self.client.issue_tokens(match).seats
        loser = self.rng.randrange(2)
        self.client.with_token(seats[loser]).interject(match, Act("concede"))

    def _typed(self, now: Round, table: Seating) -> Outcome:
        one = self.rng.choice([table.first, table.second])
        wins = 2 if now.part != "swiss" else 1
        kind = self.rng.random() if now.part == "swiss" else 1
        if kind < 0.06:
            return Outcome(0, 0, 0, 0, both_lost=True, how="ruled")
        games = (wins, self.rng.randrange(wins))
        first, second = games if one == table.first else games[::-1]
        return Outcome(first, second, 0, one, NO_SHOW if kind < 0.12 else "played")


def by_hand(s: State) -> dict[int, tuple[int, Fraction, Fraction]]:
    """Points, own rate and opponents' rate of each player, from the Swiss rounds and the manual.

    A bye and a default win give 3 points. Rates: `trm:5.4`.
    """
    points, rounds = defaultdict[int, int](int), defaultdict[int, int](int)
    earned, met = defaultdict[int, int](int), defaultdict[int, list[int]](list)
    for table in _swiss(s):
        outcome = table.outcome
        assert outcome is not None
        for me, other in ((table.first, table.second), (table.second, table.first)):
            if not me:
                continue
            won = 3 if outcome.winner == me else 0
            points[me] += won
            if outcome.how != BYE:
                earned[me] += won
                rounds[me] += 1
                met[me].append(other)
    least = Fraction(33, 100)
    own = {
        n: max(least, Fraction(earned[n], 3 * rounds[n])) if rounds[n] else least for n in s.players
    }
    of_opponents = {
        n: sum((own[one] for one in met[n]), Fraction()) / len(met[n]) if met[n] else least
        for n in s.players
    }
    return {n: (points[n], own[n], of_opponents[n]) for n in s.players}


def _swiss(s: State) -> Iterator[Seating]:
    for one in s.rounds:
        if one.by == "swiss":
            yield from one.tables.values()


@pytest.mark.parametrize(
    ("players", "swiss", "cut"),
    [(33, 6, 8), pytest.param(128, 7, 8, marks=pytest.mark.long)],
)
def test_an_event_of_three_stages(tmp_path: Path, players: int, swiss: int, cut: int) -> None:
    with running(tmp_path / "m.kifu") as server:
        played = Played(server.client(), tmp_path, players)
        for n in range(1, swiss + 1):
            played.round()
            if n == 1:
                played.enter("Late One")
            if n == 3:
                played.client.drop_player(played.event, 5, "went home")
                played.client.penalise_player(played.event, 7, "disqualification", "cheating", 3)
                assert played.state.players[7].dropped
            if n == 4:
                _correct(played)
        s = played.state
        worked, rows = by_hand(s), played.client.get_standings(played.event).rows
        assert len(rows) == players + 1
        for row in rows:
            points, own, others = worked[row.player]
            figures = [f"{float(100 * rate):.2f}" for rate in (own, others)]
            assert (row.points, [*row.figures[:2]]) == (points, figures), row.name
        keys = [worked[row.player] for row in rows]
        assert keys == sorted(keys, reverse=True)
        order = [row.player for row in rows if not s.players[row.player].dropped][:cut]
        _eliminated(played, order)


def _correct(played: Played) -> None:
    """A result of round 2 was another one."""
    table = next(one for one in played.state.rounds[1].tables.values() if one.second)
    assert table.outcome is not None
    loser = table.second if table.outcome.winner == table.first else table.first
    wins = (0, 1) if loser == table.second else (1, 0)
    outcome = Outcome(*wins, 0, loser)
    played.client.correct_table_result(
        played.event, table=table.number, outcome=outcome, why="the slip was wrong", round=2
    )


def _eliminated(played: Played, order: list[int]) -> None:
    """The first plays the last of those who go on; who stood better chooses; the final is last."""
    parts, left = [], order
    while len(left) > 1:
        now = played.round()
        parts.append(now.part)
        if len(left) == len(order):
            pairs = {frozenset((one.first, one.second)) for one in now.tables.values()}
            assert pairs == {frozenset((order[n], order[-1 - n])) for n in range(len(order) // 2)}
        for table in now.tables.values():
            match = f"{played.event}.r{now.number}.t{table.number}"
            better = min(table.players, key=order.index)
            opened = next(iter(played.client.events(match))).event
            assert isinstance(opened, MatchOpened)
            assert opened.options["first"] == f"seat {table.players.index(better)}"
        left = [one.outcome.winner for one in now.tables.values() if one.outcome is not None]
    assert parts == ["cut"] * (len(parts) - 1) + ["final"]
    played.client.end_tournament(played.event)
    rows = played.client.get_standings(played.event).rows
    assert (rows[0].rank, rows[0].player) == (1, left[0])
