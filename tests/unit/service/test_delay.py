"""Who sees a match late can't tell it from one that has only what is released to him."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kifu.v1 import match_service_pb2 as pb

from domain.record import events as ev
from domain.record.entries import AnyEvent, Entry
from domain.record.events import DecisionOpened, MatchEnded, OptionsOffered
from domain.record.interventions import Rewound
from domain.record.values import RULES
from domain.words.tables import Language
from service.api.calls.errors import Fault
from service.api.calls.faults import fault_of
from service.api.calls.pages import Pages
from service.api.watching.streams import Watching
from service.identity import Identity, Role
from service.live.matches import Matches
from service.store import delay
from service.store.delay import BadDelay, Delay, Released
from service.store.derived import listing
from service.store.history import History
from service.store.records import NoSuchMatch, Records, Work
from tests.toy import RULEBOOKS
from tests.unit.store.records import AT
from tests.unit.store.test_rewinds import COMMANDS, LOG

ID = "k7f3q"
LAST = LOG[-1].time
OFFERS = [entry for entry in LOG if isinstance(entry.event, OptionsOffered)]


@pytest.mark.parametrize(
    ("text", "meant", "written"),
    [
        ("", Delay(), ""),
        ("300s", Delay(seconds=300), "300s"),
        ("300 Seconds", Delay(seconds=300), "300s"),
        ("5 decisions", Delay(decisions=5), "5 decisions"),
        ("1 decision", Delay(decisions=1), "1 decision"),
        ("game", Delay(game=True), "game"),
        ("0s", Delay(), ""),
    ],
)
def test_delays_as_they_are_written(text: str, meant: Delay, written: str) -> None:
    assert delay.parse(text) == meant
    assert str(meant) == written
    assert delay.parse(written) == meant
    assert bool(meant) == bool(written)


@pytest.mark.parametrize(
    "text", ["5", "-1s", "1.5s", "soon", "5 games", "99999s", "999999 s", "²s"]
)
def test_what_is_no_delay(text: str) -> None:
    with pytest.raises(BadDelay):
        delay.parse(text)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    found = Records(tmp_path / "matches.kifu")
    yield found
    found.close()


def keep(records: Records, log: list[Entry], match: str = ID) -> None:
    records.write(Work(match, log, listing.derive(match, log)))


def released(records: Records, late: Delay, now: int = 0) -> Released:
    return delay.released(History(records), listing.find(records, ID), late, AT + now)


def test_seconds_after_it_happened(records: Records) -> None:
    keep(records, LOG)
    late = Delay(seconds=20)
    for now in range(0, LAST + 30_000, 7_777):
        found = released(records, late, now)
        due = [entry for entry in LOG if entry.time + 20_000 <= now]
        assert found.upto == len(due)
        assert found.all == (len(due) == len(LOG))
        if not found.all:
            assert LOG[found.upto].time + 20_000 == now + found.wait
    assert released(records, Delay()).all


def test_decisions_after_it_was_open_whatever_was_undone(records: Records) -> None:
    at = 0
    for command in COMMANDS[:60]:
        keep(records, command) if not at else records.write(
            Work(ID, command, listing.derive(ID, command, at=AT))
        )
        at = command[-1].seq
        offered = [entry.seq for entry in OFFERS if entry.seq <= at]
        found = released(records, Delay(decisions=5), 1 << 40)
        assert found.upto == (offered[-6] if len(offered) > 5 else 0)
        assert not found.all


def test_nothing_is_held_back_by_decisions_or_games_once_the_match_is_over(
    records: Records,
) -> None:
    keep(records, LOG)
    assert isinstance(LOG[-1].event, MatchEnded)
    for late in (Delay(decisions=50), Delay(game=True)):
        assert released(records, late) == Released(len(LOG), True)


def test_each_game_once_it_is_over(records: Records) -> None:
    first = LOG[0]
    events: list[AnyEvent] = [
        first.event, ev.GameBegan(1), ev.TurnBegan(1, 0), ev.GameEnded(0, "x"), ev.GameBegan(2),
        ev.TurnBegan(1, 0), Rewound(3, "", ""), ev.TurnBegan(2, 0), ev.GameEnded(1, "x"),
        ev.GameBegan(3),
    ]  # fmt: skip
    upto = []
    for seq, event in enumerate(events, 1):
        entry = Entry(seq, 0, seq, 0, RULES, (), event)
        records.write(Work(ID, [entry], listing.derive(ID, [entry], at=AT)))
        upto.append(released(records, Delay(game=True)).upto)
    assert upto == [0, 0, 0, 4, 4, 4, 4, 4, 9, 9]


# -- what may be asked -----------------------------------------------------------------------------


@asynccontextmanager
async def reading(path: Path, log: list[Entry], now: int = 0) -> AsyncIterator[Watching]:
    """The queries on a store that has this match, at a time of it."""
    records = Records(path)
    matches = Matches(records, RULEBOOKS, clock=lambda: AT + now)
    keep(records, log)
    due = matches.history.advance(ID)
    records.write(Work(ID, (), due))
    try:
        yield Watching(matches, Pages(b"k" * 32))
    finally:
        await matches.close()
        records.close()


def requests() -> Iterator[tuple[str, Any]]:
    """Everything that can be asked about a match, near its start, its end and beyond."""
    points = [pb.Point(), pb.Point(time=0), pb.Point(time=LAST // 2), pb.Point(time=1 << 40)]
    points += [pb.Point(seq=seq) for seq in (1, 150, 232, 400, 700, len(LOG), 9999)]
    points += [pb.Point(decision=n) for n in (1, 7, 15, 22, 40, 60, 90, 999)]
    yield "get_match", pb.GetMatchRequest(match_id=ID)
    for state in (0, 1, 2):
        yield "list_matches", pb.ListMatchesRequest(state=state)  # type: ignore[arg-type]
    for point in points:
        yield "get_position", pb.GetPositionRequest(match_id=ID, at=point)
        yield "list_events", pb.ListEventsRequest(match_id=ID, start=point, page_size=50)
        yield "list_events", pb.ListEventsRequest(match_id=ID, end=point, page_size=1000)
    for n in (0, 1, 7, 22, 60, 90, 999):
        yield "get_decision", pb.GetDecisionRequest(match_id=ID, decision=n)
        yield "list_decisions", pb.ListDecisionsRequest(match_id=ID, start=n, page_size=30)
    yield "list_decisions", pb.ListDecisionsRequest(match_id=ID, active=True, page_size=200)
    for after, until in ((0, 0), (0, 100), (90, 150), (150, 9999), (400, 700), (9999, 0)):
        request = pb.GetProofRequest(match_id=ID, after_seq=after, until_seq=until)
        yield "get_proof", request
    yield "get_proof", pb.GetProofRequest(match_id=ID, page_size=5)


async def answers(found: Watching, who: Identity) -> list[Any]:
    return [await answer(found, name, request, who) for name, request in requests()]


async def answer(found: Watching, name: str, request: Any, who: Identity) -> Any:
    try:
        return await getattr(found, name)(request, who)
    except Exception as error:
        fault = fault_of(error)
        assert fault is not None
        return fault.status(Language())


PUBLIC = Identity(Role.PUBLIC, "public", ID)


@pytest.mark.parametrize("text", ["20s", "11 decisions"])
async def test_every_answer_is_that_of_a_match_that_has_no_more_than_is_released(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.history.EVERY", 60)
    monkeypatch.setattr("service.store.layout.chaining.token_bytes", bytes)
    cut = next(at for at, command in enumerate(COMMANDS) if command[0].seq > 500)
    until = {"20s": cut, "11 decisions": cut}[text]
    whole = [entry for command in COMMANDS[: until + 20] for entry in command]
    late = Identity(Role.PUBLIC, "late", ID, delay=text)
    now = COMMANDS[until][0].time + 20_000 - 1
    async with reading(tmp_path / "whole.kifu", whole, now) as found:
        seen = await answers(found, late)
        listed = listing.find(found._records, ID)
        upto = found._upto(listed, delay.parse(text))
        assert 100 < upto < len(whole)
    async with reading(tmp_path / "short.kifu", whole[:upto]) as found:
        for (name, request), one, other in zip(
            requests(), seen, await answers(found, PUBLIC), strict=True
        ):
            assert one == other, (name, request)


async def test_a_match_of_which_nothing_is_released_is_not_there(tmp_path: Path) -> None:
    late = Identity(Role.PUBLIC, "late", ID, delay="game")
    whole = [entry for command in COMMANDS[:40] for entry in command]
    async with reading(tmp_path / "a.kifu", whole) as found:
        seen = await answers(found, late)
        with pytest.raises(NoSuchMatch) as caught:
            await anext(found.watch_events(pb.WatchEventsRequest(match_id=ID), late))
        fault = fault_of(caught.value)
        assert fault is not None
    for (name, _), one in zip(requests(), seen, strict=True):
        assert one == (
            fault.status(Language()) if name != "list_matches" else pb.ListMatchesResponse()
        )


async def test_officials_and_old_tokens_see_at_once_unless_they_ask_to_see_late(
    tmp_path: Path,
) -> None:
    whole = [entry for command in COMMANDS[:60] for entry in command]
    highest = max(e.event.n for e in whole if isinstance(e.event, DecisionOpened))
    async with reading(tmp_path / "a.kifu", whole) as found:
        for who in (PUBLIC, Identity(Role.OFFICIAL, "official", ID)):
            for view, late in [
                (pb.View(), 0), (pb.View(public=True), 0),
                (pb.View(public=True, delay="5 decisions"), 5), (pb.View(delay="1s"), 1),
            ]:  # fmt: skip
                request = pb.GetPositionRequest(match_id=ID, view=view)
                response = await answer(found, "get_position", request, who)
                if view.delay == "1s":  # the clock stands at the start
                    assert b"RECORD_DELAYED" in response
                else:
                    assert response.position.decision.n == highest - late
        mine = Identity(Role.PUBLIC, "late", ID, delay="5 decisions")
        request = pb.GetPositionRequest(match_id=ID, view=pb.View(delay="1 decision"))
        response = await answer(found, "get_position", request, mine)
        assert response == await answer(
            found, "get_position", pb.GetPositionRequest(match_id=ID), mine
        )


async def test_a_record_is_verified_once_its_end_is_released(tmp_path: Path) -> None:
    async def verified(now: int, who: Identity) -> Any:
        async with reading(tmp_path / f"{now}{who.delay}.kifu", LOG, now) as found:
            try:
                return await found.verify_match(pb.VerifyMatchRequest(match_id=ID), who)
            except Fault as fault:
                return fault.reason

    late = Identity(Role.PUBLIC, "late", ID, delay="20s")
    assert await verified(LAST + 19_999, late) == "RECORD_DELAYED"
    for now, who in ((LAST + 20_000, late), (0, PUBLIC)):
        assert (await verified(now, who)).verdict == pb.VERDICT_EXACT


# -- streams ---------------------------------------------------------------------------------------


async def test_a_late_stream_gets_each_entry_when_it_is_due_and_ends_with_the_match(
    tmp_path: Path,
) -> None:
    """The match was played in 150 ms steps; everything comes a second later, the end as well."""
    quick = [Entry(e.seq, e.seq // 20 * 150, *_rest(e)) for e in LOG[:200]]
    quick.append(Entry(201, 1650, 9999, 0, RULES, (), MatchEnded(-1, (0, 0))))
    records = Records(tmp_path / "a.kifu")
    keep(records, quick)
    loop = asyncio.get_running_loop()
    begun = loop.time()

    def clock() -> int:
        return AT + 900 + int((loop.time() - begun) * 1000)

    matches = Matches(records, RULEBOOKS, clock=clock)
    late = Delay(seconds=1)
    streams = [_collect(matches, after, late, clock) for after in (0, 77, 201, 5000)]
    found = await asyncio.gather(*streams)
    for after, (got, end) in zip((0, 77, 201, 5000), found, strict=True):
        entries = [entry for entry, _ in got]
        assert entries == quick[after:]
        assert all(0 <= at - AT - entry.time - 1000 < 1200 for entry, at in got)
        assert end >= AT + 2650  # those who had it all, or more, were not told any earlier
    assert len(matches.streams) == 0
    await matches.close()
    records.close()


def _rest(e: Entry) -> tuple[Any, ...]:
    return e.moment, e.frame, e.by, e.cites, e.event


async def _collect(
    matches: Matches, after: int, late: Delay, clock: Callable[[], int]
) -> tuple[list[tuple[Entry, int]], int]:
    found = []
    async for batch in matches.streams.watch(ID, after, late):
        found += [(line.entry, clock()) for line in batch.lines]
    return found, clock()


@pytest.mark.parametrize("behind", [0, 3])
async def test_a_stream_stays_as_late_as_it_is_and_follows_rewinds(
    tmp_path: Path, behind: int
) -> None:
    """The match is fed command by command as the server would, and watched from everywhere."""
    records = Records(tmp_path / "a.kifu")
    matches = Matches(records, RULEBOOKS, clock=lambda: AT)
    keep(records, COMMANDS[0])
    late = Delay(decisions=behind)
    got: list[list[Entry]] = [[], []]

    async def follow(at: int, after: int) -> None:
        async for batch in matches.streams.watch(ID, after, late):
            got[at] += [line.entry for line in batch.lines]

    tasks = [asyncio.create_task(follow(0, 0)), asyncio.create_task(follow(1, 120))]
    for command in COMMANDS[1:]:
        records.write(Work(ID, command, listing.derive(ID, command, at=AT)))
        while not len(matches.streams):
            await asyncio.sleep(0)
        matches.streams.publish(ID, command)
        await asyncio.sleep(0.004)
        last = command[-1].seq
        opened = [e.seq for e in LOG[:last] if isinstance(e.event, DecisionOpened)]
        over = isinstance(command[-1].event, MatchEnded)
        limit = last if over or not behind else opened[-4] + 1 if len(opened) > 3 else 0
        assert len(got[0]) <= limit
        assert not got[1] or got[1][-1].seq <= limit
    await asyncio.gather(*tasks)
    assert got == [LOG, LOG[120:]]
    await matches.close()
    records.close()
