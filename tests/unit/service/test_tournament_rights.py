"""Who may do what at a tournament, and that what is hidden changes no byte of what is sent."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from kifu.v1 import tournament_service_pb2 as pb
from kifu.v1.match_service_pb2 import DeckChoice, ListMatchesRequest

from domain.tournament import views
from domain.tournament.acts import (
    calls,
    claims,
    lists,
    penalties,
    players,
    pools,
    results,
    rounds,
)
from domain.tournament.record import SEALED, Deck, Format, Outcome, Pools, RoundPaired, Table
from domain.tournament.tournament import Tournament
from domain.tournament.views import Viewer
from service import wire
from service.credentials import tokens
from service.identity import BadToken, Identity, Role
from service.store.records import StoreError, Work
from service.store.tables import access
from tests.support.halls import Hall, hall, person
from tests.support.in_process import HEAD, KEYS
from tests.support.tournaments import DRAWN, RULES, WON, by, opened, playing
from tests.support.waiting import eventually
from tests.unit.service.test_tournaments import refused, started

# -- what is seen ----------------------------------------------------------------------------------


def tournament(secret: str) -> Tournament:
    """A tournament with a secret wherever somebody may have one."""
    t = opened(people=4, accepted=False)
    players.enter(t, by(), [("Zoe", f"key {secret}")])
    for n in range(1, 5):
        lists.hand_in(t, by(), n, Deck(f"deck {secret}", {"main": (secret,)}), RULES)
    lists.hand_in(t, by(), 5, Deck("bad", {"main": (secret, secret)}), RULES)
    lists.accept(t, by())
    playing(t, (1, 2), (3, 4))
    calls.raise_call(t, by(name=f"caller {secret}"), 2, 3 if secret == "A" else 4, secret)
    calls.take(t, by(name=f"judge {secret}"), 1)
    calls.answer(t, by(), 1, secret, 60)
    entry = penalties.penalise(t, by(), 1, "warning" if secret == "A" else "caution", secret)
    penalties.withdraw(t, by(), entry, secret)
    penalties.note(t, by(), secret, 1, 2)
    results.report(t, by(), 1, 1, WON)
    results.correct(t, by(), 1, 1, Outcome(0, 1, 0, 2), f"why {secret}")
    players.drop(t, by(), 5, secret)
    return t


def building(secret: str) -> Tournament:
    """A tournament whose players have registered pools, and built decks from them."""
    t = opened(Format("lamps", pools=Pools(SEALED, least=2, most=2)), accepted=False)
    for n in range(1, 5):
        mine = secret if n == 3 else "A"
        pools.register(t, by(), n, Deck("", {"main": (mine, mine)}), RULES)
        lists.hand_in(t, by(), n, Deck(f"of {mine}", {"main": (mine,)}), RULES)
    pools.register(t, by(), 3, Deck("", {"main": ("A", secret)}), RULES)
    lists.accept(t, by())
    return t


@pytest.mark.parametrize(
    ("viewer", "reads"),
    [
        (views.PUBLIC, False),
        (Viewer(player=1), False),
        (Viewer(player=3), True),
        (Viewer(keeper=True), True),
        (views.OFFICIAL, True),
    ],
)
def test_a_pool_is_for_its_player_until_lists_are_published(viewer: Viewer, reads: bool) -> None:
    assert (shown(building("A"), viewer) != shown(building("B"), viewer)) == reads
    s = views.seen(building("B").state, viewer)
    assert (s.pools[3].cards == ("A", "B")) == reads
    t = building("B")
    lists.publish(t, by())
    assert views.seen(t.state, viewer).pools[3].cards == ("A", "B")


def claiming(secret: str) -> Tournament:
    """A tournament whose players say what their result is."""
    t = playing(opened(Format("lamps", mode=""), accepted=False), (1, 2), (3, 4))
    won = Outcome(1, 0, 0, 3) if secret == "A" else Outcome(0, 1, 0, 4)
    claims.claim(t, by(name=f"claimer {secret}"), 3, won)
    claims.withdraw(t, by(name=f"claimer {secret}"), 3)
    claims.claim(t, by(), 3, won)
    claims.claim(t, by(), 4, DRAWN)
    return t


@pytest.mark.parametrize(
    ("viewer", "reads"),
    [
        (views.PUBLIC, False),
        (Viewer(player=1), False),
        (Viewer(round=1, table=1, player=1), False),
        (Viewer(player=4), True),
        (Viewer(round=1, table=2, player=4), True),
        (Viewer(keeper=True), True),
        (views.OFFICIAL, True),
    ],
)
def test_what_players_say_of_their_result_is_for_their_table(viewer: Viewer, reads: bool) -> None:
    found, other = (shown(claiming(secret), viewer) for secret in "AB")
    assert (found != other) == reads
    s = views.seen(claiming("A").state, viewer)
    assert len(s.rounds[0].tables[2].claims) == 2 * reads
    assert len(s.calls) == reads


def shown(t: Tournament, viewer: Viewer) -> tuple[bytes, list[bytes]]:
    """A tournament and its entries, as they are sent to a viewer."""
    log, t._out = t.collect(), []
    t._out = log
    seen = [wire.tournament_entry(views.redact(one, t.state, viewer)) for one in log]
    state = wire.tournament(views.seen(t.state, viewer))
    return state.SerializeToString(), [one.SerializeToString() for one in seen]


@pytest.mark.parametrize(
    ("viewer", "reads"),
    [
        (views.PUBLIC, ""),
        (Viewer(round=1, table=1), ""),  # whoever enters at another table
        (Viewer(round=1, table=1, player=1), "his list"),
        (Viewer(round=1, table=2), "the call"),
        (Viewer(keeper=True), "lists and calls"),
        (views.OFFICIAL, "all"),
    ],
)
def test_what_is_hidden_changes_no_byte(viewer: Viewer, reads: str) -> None:
    (state, entries), (other, others) = (
        shown(tournament("A"), viewer),
        shown(tournament("B"), viewer),
    )
    assert (state == other) == (entries == others) == (not reads)
    assert len(entries) == len(others)
    for hidden, to in ((b"why A", "all"), (b"deck A", "his list, lists and calls, all")):
        assert (hidden in state + b"".join(entries)) == (bool(reads) and reads in to)


def test_published_lists_are_read_by_all_and_only_those_that_were_accepted() -> None:
    t = tournament("A")
    lists.publish(t, by())
    found = views.seen(t.state, views.PUBLIC)
    decks = {one.player: one.deck.name for one in found.lists.values()}
    assert decks == {1: "deck A", 2: "deck A", 3: "deck A", 4: "deck A", 5: ""}
    assert not any(one.faults for one in found.lists.values())


def test_pairings_are_everybodys_once_their_round_is_opened() -> None:
    t = opened(people=4)
    rounds.pair(t, by(), [Table(1, 1, 2), Table(2, 3, 4)])
    rounds.pair(t, by(), [Table(1, 1, 3), Table(2, 2, 4)], seed=7)
    log = t.collect()

    def tournament(viewer: Viewer) -> list[int]:
        """How many tables are told of: of the round, and of each time that it was paired."""
        paired = [views.redact(one, t.state, viewer).event for one in log]
        state = views.seen(t.state, viewer)
        return [len(state.rounds[0].tables),
                *(len(one.tables) for one in paired if isinstance(one, RoundPaired))]  # fmt: skip

    seat = Viewer(round=1, table=1, player=1)
    assert [tournament(one) for one in (views.PUBLIC, seat)] == [[0, 0, 0]] * 2
    assert b"\x07" not in wire.tournament(views.seen(t.state, seat)).rounds[0].SerializeToString()
    assert [tournament(one) for one in (Viewer(keeper=True), views.OFFICIAL)] == [[2, 2, 2]] * 2
    rounds.open_round(t, by())
    assert [tournament(one) for one in (views.PUBLIC, seat)] == [[2, 0, 2]] * 2


# -- what may be done ------------------------------------------------------------------------------

#: A request of each method that changes something, and who of the tournament may send it.
ASKED: dict[str, tuple[dict[str, Any], str]] = {
    "ChangeFormat": ({}, "O"),
    "EnterPlayers": ({"players": [pb.NewPlayer(name="Zoe")]}, "O"),
    "CorrectPlayer": ({"player": 1, "name": "Zoe"}, "O"),
    "DropPlayer": ({"player": 1}, "OS"),
    "CheckIn": ({"player": 1}, "OK"),
    "ReinstatePlayer": ({"player": 1}, "O"),
    "HandInList": ({"player": 1, "deck": DeckChoice(name="ones")}, "OS"),
    "AcceptLists": ({}, "O"),
    "ReopenList": ({"player": 1, "why": "so"}, "O"),
    "PublishLists": ({}, "O"),
    "CloseLists": ({}, "O"),
    "DrawPods": ({}, "O"),
    "RegisterPool": ({"player": 1, "pool": DeckChoice(name="ones")}, "OS"),
    "ClosePools": ({}, "O"),
    "NameOfficial": ({"name": "Jo", "role": "judge"}, ""),
    "PairRound": ({}, "O"),
    "OpenRound": ({}, "O"),
    "StartRound": ({}, "O"),
    "PauseClock": ({}, "O"),
    "ResumeClock": ({}, "O"),
    "ExtendClock": ({"seconds": 60}, "O"),
    "CallRoundTime": ({}, "O"),
    "EndRound": ({}, "O"),
    "EndTournament": ({}, "O"),
    "ReportResult": ({"table": 1, "outcome": wire.outcome(WON)}, "OK"),
    "CorrectTableResult": ({"table": 1, "outcome": wire.outcome(WON), "why": "so"}, "O"),
    "WithdrawResult": ({"table": 1, "why": "so"}, "O"),
    "ClaimResult": ({"outcome": wire.outcome(WON)}, "S"),
    "WithdrawClaim": ({}, "S"),
    "RaiseCall": ({"table": 1}, "OKTS"),
    "TakeCall": ({"call": 1}, "O"),
    "AnswerCall": ({"call": 1}, "O"),
    "BarPlayer": ({"name": "Zed"}, "O"),
    "RaiseAppeal": ({"table": 1, "seq": 1}, "OKTS"),
    "AnswerAppeal": ({"appeal": 1}, "O"),
    "PenalisePlayer": ({"player": 1, "kind": "warning", "note": "so"}, "O"),
    "WithdrawPenalty": ({"entry": 1, "why": "so"}, "O"),
    "NoteAsJudge": ({"text": "so"}, "O"),
    "DrawDecks": ({}, "O"),
    "ReportDeckCheck": ({"player": 1}, "O"),
}


def test_every_method_is_tried() -> None:
    methods = {
        method.name for method in pb.DESCRIPTOR.services_by_name["TournamentService"].methods
    }
    read = {
        "GetStandings",
        "GetTournamentProof",
        "GetTournament",
        "ListTournaments",
        "ListTournamentEntries",
        "WatchTournament",
    }
    assert methods == {*ASKED, *read, "OpenTournament"}


async def test_everybody_may_do_what_is_his(h: Hall) -> None:
    await started(h)
    people = {
        "O": person(Role.OFFICIAL, h),
        "K": person(Role.SCOREKEEPER, h),
        "P": person(Role.PUBLIC, h),
        "T": person(Role.SCOREKEEPER, h, 1),
        "S": person(Role.SEAT, h, 1, 0),
        "p": person(Role.PUBLIC, h, 1),
        "o": person(Role.OFFICIAL, h, 2),
    }
    before = (await h.state()).seq
    for method, (fields, may) in ASKED.items():
        for letter, who in people.items():
            if letter not in may:
                assert await refused(h.ask(method, who, **fields)) == "ROLE_REQUIRED", method
    strangers = [
        Identity(Role.OFFICIAL, "x", event="k7f3"),
        Identity(Role.OFFICIAL, "x", "k7f3.r1.t1"),
        Identity(Role.SEAT, "x", "k7f3q", 0),
        Identity(Role.PUBLIC, "x", event=f"{h.id}x"),
    ]
    for who in strangers:
        asked = ("GetTournament", "ListTournamentEntries", "GetStandings", "GetTournamentProof")
        for method in (*ASKED, *asked):
            assert await refused(h.ask(method, who)) == "EVENT_FOREIGN", method
        listed = pb.ListTournamentsRequest()
        assert not (await h.servicers.event.list_tournaments(listed, who)).events
    assert (await h.state()).seq == before
    for letter in "OKTS":
        await h.ask("RaiseCall", people[letter], table=1, text="come")
    called = [(one.by, one.player) for one in (await h.state()).calls.values()]
    assert [player for _, player in called] == [0, 0, 0, 1]
    assert await refused(h.ask("RaiseCall", people["S"], table=2)) == "ROLE_REQUIRED"
    request = pb.OpenTournamentRequest(name="Cup")
    asked = h.servicers.event.open_tournament(request, people["O"])
    assert await refused(asked) == "ROLE_REQUIRED"


async def test_whoever_has_a_token_of_an_event_finds_its_matches(h: Hall) -> None:
    await started(h)
    await h.servicers.open()  # another match
    for role in (Role.OFFICIAL, Role.PUBLIC):
        found = await h.servicers.match.list_matches(ListMatchesRequest(), person(role, h))
        assert {one.id for one in found.matches} == {f"{h.id}.r1.t1", f"{h.id}.r1.t2"}
        other = ListMatchesRequest(event_id="k7f3")
        assert not (await h.servicers.match.list_matches(other, person(role, h))).matches
    mine = ListMatchesRequest(event_id=h.id)
    assert len((await h.servicers.match.list_matches(mine, HEAD)).matches) == 2
    assert len((await h.servicers.match.list_matches(ListMatchesRequest(), HEAD)).matches) == 3
    late = Identity(Role.PUBLIC, "late", event=h.id, delay="3600s")
    assert not (await h.servicers.match.list_matches(ListMatchesRequest(), late)).matches
    asked = h.ask("GetTournament", late)
    with pytest.raises(LookupError):
        await asked


async def test_officials_who_are_named_have_tokens_of_their_own(h: Hall) -> None:
    named = await h.ask("NameOfficial", name="Jo", role="judge")
    jo = KEYS.check(named.token.token)
    assert (jo.role, jo.subject, jo.event) == (Role.OFFICIAL, "Jo", h.id)
    desk = await h.ask("NameOfficial", name="Kim", role="scorekeeper")
    assert KEYS.check(desk.token.token).role == Role.SCOREKEEPER
    other = await h.ask("NameOfficial", name="Jo", role="head judge")
    with pytest.raises(BadToken):
        KEYS.check(named.token.token)
    assert KEYS.check(other.token.token).subject == "Jo"
    assert not (await h.ask("NameOfficial", name="Jo", role="")).HasField("token")
    for token in (named, other):
        with pytest.raises(BadToken):
            KEYS.check(token.token.token)
    assert KEYS.check(desk.token.token).subject == "Kim"


async def test_who_was_taken_away_gets_no_token_by_a_repeat(h: Hall) -> None:
    asked = {"name": "Jo", "role": "judge", "request_id": "once"}
    first = await h.ask("NameOfficial", **asked)
    assert (await h.ask("NameOfficial", **asked)).HasField("token")  # the answer was lost
    await h.ask("NameOfficial", name="Jo", role="")
    repeated = await h.ask("NameOfficial", **asked)
    assert repeated.recorded == first.recorded
    assert not repeated.HasField("token")
    jo = tokens.Filter(event=h.id)
    issued = tokens.lines(h.servicers.records, jo)
    assert {bool(one.revoked) for one in issued if one.who.subject == "Jo"} == {True}


async def test_officials_who_read_lists_are_written_down(h: Hall) -> None:
    for role in (Role.OFFICIAL, Role.SCOREKEEPER, Role.PUBLIC):
        await h.ask("GetTournament", person(role, h))
        await h.ask("GetTournament", person(role, h), with_lists=True)
        await h.ask("ListTournamentEntries", person(role, h))
    lines = [one.line for one in access.lines(h.servicers.records)]
    found = [(one.who, one.match, one.what) for one in lines]
    who = f"official of {h.id}"
    assert found == [(who, h.id, "entries"), (who, h.id, "lists")]


# -- reading ---------------------------------------------------------------------------------------


async def test_a_record_is_listed_by_pages_and_followed(h: Hall) -> None:
    found = await h.ask("ListTournamentEntries", page_size=5)
    sent = [*found.entries]
    while found.next_page_token:
        found = await h.ask("ListTournamentEntries", page_size=5, page_token=found.next_page_token)
        sent += found.entries
    assert [one.seq for one in sent] == [*range(1, len(sent) + 1)]
    request = pb.WatchTournamentRequest(event_id=h.id, after=len(sent) - 2)
    followed: list[int] = []

    async def follow() -> None:
        async with aclosing(h.servicers.event.watch_tournament(request, HEAD)) as stream:  # type: ignore[type-var]
            async for data in stream:
                message = pb.WatchTournamentResponse.FromString(data)
                followed.extend(one.seq for one in message.entries)
                if len(followed) > 2:
                    return

    task = asyncio.create_task(follow())
    await eventually(lambda: followed)
    await h.ask("PublishLists")
    await asyncio.wait_for(task, 30)
    assert followed == [*range(len(sent) - 1, len(sent) + 2)]


async def test_who_sees_late_follows_late(h: Hall) -> None:
    late = Identity(Role.PUBLIC, "late", event=h.id, delay="1s")
    request = pb.WatchTournamentRequest(event_id=h.id)
    log, began = await h.servicers.tournaments.log(h.id), h.servicers.matches.clock()
    seen: list[tuple[int, int]] = []
    async with aclosing(h.servicers.event.watch_tournament(request, late)) as stream:  # type: ignore[type-var]
        async for data in stream:
            message = pb.WatchTournamentResponse.FromString(data)
            now = h.servicers.matches.clock()
            seen += [(one.seq, now - one.time) for one in message.entries]
            if len(seen) == len(log):
                break
    assert [seq for seq, _ in seen] == [one.seq for one in log]
    assert min(after for _, after in seen) >= 1000
    assert h.servicers.matches.clock() - began < 15_000


async def test_who_sees_late_reads_what_was_everybodys_then(h: Hall) -> None:
    late = Identity(Role.PUBLIC, "late", event=h.id, delay="3600s")
    await h.pair((1, 2), (3, 4))
    paired = (await h.state()).time
    while h.servicers.matches.clock() == paired:
        await asyncio.sleep(0.001)
    await h.ask("OpenRound")
    h.servicers.tournaments.clock = lambda: paired + 3_600_000  # only that it is paired
    request = pb.WatchTournamentRequest(event_id=h.id)
    async with aclosing(h.servicers.event.watch_tournament(request, late)) as stream:  # type: ignore[type-var]
        watched = pb.WatchTournamentResponse.FromString(await anext(stream))
    listed = await h.ask("ListTournamentEntries", late)
    for entries in (watched.entries, listed.entries):
        last = wire.tournament_entry_of(entries[-1]).event
        assert isinstance(last, RoundPaired)
        assert not last.tables


async def test_cards_are_sent_where_they_are_asked_for(h: Hall) -> None:
    for fields, parts in (({}, False), ({"with_lists": True}, True)):
        found = (await h.ask("GetTournament", **fields)).event
        assert [bool(one.deck.parts) for one in found.lists] == [parts] * 4


async def test_tournaments_are_listed_the_newest_first(tmp_path: Path) -> None:
    async with hall(tmp_path / "m.kifu", people=1) as h:
        request = pb.OpenTournamentRequest(name="Later")
        request.format.game = "toy"
        await h.servicers.event.open_tournament(request, HEAD)
        listed, token = list[str](), ""
        for _ in range(2):
            asked = pb.ListTournamentsRequest(page_size=1, page_token=token)
            page = await h.servicers.event.list_tournaments(asked, HEAD)
            listed += [one.name for one in page.events]
            token = page.next_page_token
        assert (listed, token) == (["Later", "Cup"], "")
        harm = "DELETE FROM tournament_entries WHERE originator_id=? AND originator_version=2"
        h.servicers.records.write(Work("", (), [(harm, (h.id,))]))
        h.servicers.tournaments._live.clear()
        page = await h.servicers.event.list_tournaments(pb.ListTournamentsRequest(), HEAD)
        broken = [one.broken for one in page.events]
        assert broken == ["", f"event {h.id}: entry 2 is missing"]
        with pytest.raises(StoreError):
            await h.ask("EnterPlayers", players=[pb.NewPlayer(name="Zoe")])
