"""Streams of positions: what they send makes the very positions that GetPosition answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from kifu import fold, read
from kifu.v1 import match_service_pb2 as pb

from domain import games
from domain.record.entries import Entry
from domain.record.events import OptionsOffered
from domain.record.folding.changes import apply
from domain.record.interventions import Rewound
from domain.record.points import Point
from domain.record.position import Position
from service import changes, wire
from service.api.calls.errors import Fault
from service.api.calls.faults import fault_of
from service.api.calls.pages import Pages
from service.api.watching import following
from service.api.watching.following import Following
from service.api.watching.streams import Watching
from service.identity import Identity, Role
from service.live.matches import Matches
from service.store.delay import parse
from service.store.derived import listing
from service.store.history import History
from service.store.records import Records, Work
from tests.support.marks import each
from tests.support.waiting import eventually
from tests.toy import RULEBOOKS
from tests.unit.store.records import AT
from tests.unit.store.test_rewinds import COMMANDS, LOG

ID = "k7f3q"
GOLDEN = Path(__file__).parents[2] / "golden"
ENTRY, MOMENT, DECISION = pb.PositionEach.values()[1:]


@cache
def logs() -> dict[str, list[Entry]]:
    """A match of every game, and one that was rewound often and is over."""
    paths = {path.name[0]: path for path in sorted(GOLDEN.glob("*/*cccc.jsonl"))}
    return {"toy": LOG[:300], **{name: read(path) for name, path in paths.items()}}


@asynccontextmanager
async def served(path: Path, log: list[Entry], now: int = 1 << 40) -> AsyncIterator[Watching]:
    """The queries and streams of a store that has this match."""
    records = Records(path)
    books = {**RULEBOOKS, **{name: games.rulebook(name) for name in games.every()}}
    matches = Matches(records, books, clock=lambda: AT + now)
    keep(records, log)
    try:
        yield Watching(matches, Pages(b"k" * 32))
    finally:
        await matches.close()
        records.close()


def keep(records: Records, log: list[Entry]) -> None:
    records.write(Work(ID, log, listing.derive(ID, log, at=AT)))
    records.write(Work(ID, (), History(records).advance(ID)))


def viewers() -> Iterator[Identity]:
    yield Identity(Role.SCOREKEEPER, "keeper", ID)  # who sees all, and leaves no trace of it
    yield Identity(Role.PUBLIC, "public", ID)
    yield from (Identity(Role.SEAT, str(seat), ID, seat) for seat in (0, 1))


async def steps(found: Watching, who: Identity, until: int, **asked: Any) -> list[pb.PositionStep]:
    """The steps up to those of an entry, or to the end of the stream."""
    request, sent = pb.WatchPositionRequest(match_id=ID, **asked), list[pb.PositionStep]()
    async with aclosing(found.watch_position(request, who)) as stream:  # type: ignore[type-var]
        async for data in stream:
            message = pb.WatchPositionResponse.FromString(data)
            sent += message.steps
            assert message.seq == (message.steps[-1].seq if message.steps else until)
            if message.seq >= until:
                break
    return sent


async def position(found: Watching, who: Identity, seq: int) -> pb.GetPositionResponse:
    request = pb.GetPositionRequest(match_id=ID, at=pb.Point(seq=seq))
    return await found.get_position(request, who)


@pytest.mark.parametrize("name", each(4, logs()))
async def test_what_it_sends_is_what_get_position_answers(tmp_path: Path, name: str) -> None:
    """At every entry, for every viewer, also on lines that were abandoned."""
    log = logs()[name]
    async with served(tmp_path / "a.kifu", log) as found:
        for who in viewers():
            mine, tallies = Position(), dict[str, tuple[int, ...]]()
            sent = await steps(found, who, len(log))
            assert [step.seq for step in sent] == [entry.seq for entry in log]
            for step, entry in zip(sent, log, strict=True):
                apply(mine, changes.of(step.changes))
                tallies = wire.tally_values_of(step.tallies) or tallies
                point = Point(seq=step.seq)
                stored = found._history.position(ID, who.viewer, point)
                assert mine.encoded() == stored.encoded()
                if step.seq % 9 == 0:
                    there = await position(found, who, step.seq)
                    assert wire.table(mine) == there.position
                    assert tallies == wire.tally_values_of(there.tallies) != {}
                event = entry.event
                assert step.rewound_to == (event.to if isinstance(event, Rewound) else 0)


def due(log: list[Entry], each: Any) -> list[int]:
    """The entries after which a position is sent, once for a moment or where somebody is to act."""
    found = []
    for entry, after in zip(log, [*log[1:], None], strict=True):
        if each == MOMENT:
            last = after is None or after.moment != entry.moment
        else:
            pos = fold(log, entry.seq)
            offered = pos.decision is not None and {*pos.decision.seats} <= {*pos.decision.offers}
            more = after is not None and isinstance(after.event, OptionsOffered)
            last = pos.over or (offered and not more)
        if last or isinstance(entry.event, Rewound):
            found.append(entry.seq)
    return found


@pytest.mark.parametrize("each", [MOMENT, DECISION])
@pytest.mark.parametrize("name", each(4, logs()))
async def test_after_each_moment_or_decision(tmp_path: Path, name: str, each: Any) -> None:
    """By changes the same as whole, wherever one goes on."""
    log, who = logs()[name][:300], Identity(Role.PUBLIC, "public", ID)
    wanted = due(log, each)
    async with served(tmp_path / "a.kifu", log) as found:
        whole = await steps(found, who, wanted[-1], each=each, whole=True)
        assert [step.seq for step in whole] == wanted
        assert all(step.tallies for step in whole)
        for after in (0, wanted[3], wanted[-4]):
            mine = Position()
            if after:
                mine = wire.table_of((await position(found, who, after)).position)
            rest = [step for step in whole if step.seq > after]
            sent = await steps(found, who, wanted[-1], each=each, after_seq=after)
            assert [step.seq for step in sent] == [step.seq for step in rest]
            for step, other in zip(sent, rest, strict=True):
                apply(mine, changes.of(step.changes))
                assert wire.table(mine) == other.position


def in_json(message: Any) -> Any:
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def applied(table: dict[str, Any], changed: dict[str, Any]) -> None:
    """What positions.proto tells a client in any language to do, in JSON, without any types."""

    def key(element: dict[str, Any]) -> Any:
        return next(iter(element.values()))

    for one in changed["removed"]:
        gone = {*one["numbers"], *one["names"]}
        table[one["field"]] = [e for e in table[one["field"]] if key(e) not in gone]
    for name in changed["fields"]:
        table.pop(name, None)
        if name in changed["to"]:
            table[name] = changed["to"][name]
    for name, elements in changed["to"].items():
        if name not in changed["fields"] and elements and isinstance(elements, list):
            places = {key(e): at for at, e in enumerate(table[name])}
            for element in elements:
                if key(element) in places:
                    table[name][places[key(element)]] = element
                else:
                    table[name].append(element)


async def test_a_client_in_another_language(tmp_path: Path) -> None:
    log, who = logs()["g"], Identity(Role.SEAT, "0", ID, 0)
    async with served(tmp_path / "a.kifu", log) as found:
        first = await steps(found, who, 0, after_seq=-1)
        assert first[0].position == (await position(found, who, len(log))).position
        table = in_json((await position(found, who, 20)).position)
        for step in await steps(found, who, len(log), after_seq=20):
            applied(table, in_json(step.changes))
            if step.seq % 5 == 0 or step.rewound_to:
                assert table == in_json((await position(found, who, step.seq)).position)


# -- many on one match -----------------------------------------------------------------------------


def test_followers_share_what_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with those who came late, fell behind, or are told less often; nothing is kept after."""
    made = list[Any]()
    make = Following._make

    def counted(self: Following, *rest: Any) -> Any:
        made.append(self._kind)
        return make(self, *rest)

    monkeypatch.setattr(Following, "_make", counted)
    monkeypatch.setattr(following, "SLICE", 7)
    begun = COMMANDS[0][-1].seq
    whole = [entry for command in COMMANDS[:24] for entry in command]

    async def test() -> None:
        async with served(tmp_path / "a.kifu", COMMANDS[0]) as found:
            who, streams = Identity(Role.PUBLIC, "public", ID), found._matches.streams

            reached = dict[int, int]()

            async def follow(each: Any, pause: float = 0.0) -> list[tuple[int, bytes]]:
                at = len(reached)
                reached[at] = begun
                request = pb.WatchPositionRequest(match_id=ID, after_seq=begun, each=each)
                sent, mine = list[tuple[int, bytes]](), Position()
                mine = wire.table_of((await position(found, who, begun)).position)
                async with aclosing(found.watch_position(request, who)) as stream:  # type: ignore[type-var]
                    async for data in stream:
                        for step in pb.WatchPositionResponse.FromString(data).steps:
                            apply(mine, changes.of(step.changes))
                            sent.append((step.seq, mine.encoded()))
                        reached[at] = sent[-1][0]
                        if sent[-1][0] >= whole[-1].seq:
                            return sent
                        await asyncio.sleep(pause)
                raise AssertionError("it ended")

            tasks = [asyncio.ensure_future(follow(ENTRY)) for _ in range(10)]
            tasks += [asyncio.ensure_future(follow(ENTRY, 0.02))]
            tasks += [asyncio.ensure_future(follow(DECISION)) for _ in range(5)]
            await eventually(lambda: len(streams) == len(tasks))
            for at, command in enumerate(COMMANDS[1:24]):
                keep(found._records, command)
                streams.publish(ID, command)
                if at == 12:
                    tasks += [asyncio.ensure_future(follow(DECISION))]
                last = command[-1].seq
                await eventually(lambda last=last: min(reached[n] for n in range(10)) >= last)  # type: ignore[misc]
            sent = await asyncio.gather(*tasks)
            assert not len(streams)
            assert not streams._channels
            by_entry, waiting = sent[0], sent[11]
            assert [seq for seq, _ in by_entry] == [e.seq for e in whole[begun:]]
            assert all(one == by_entry for one in sent[:11])
            assert all(one == waiting for one in sent[11:])
            assert {*waiting} <= {*by_entry}
            assert [seq for seq, _ in waiting] == [n for n in due(whole, DECISION) if n > begun]

    asyncio.run(test())
    slices = sum(-(-len(command) // 7) for command in COMMANDS[1:24])
    assert slices <= len(made) < 6 * slices, "not once for each of the seventeen"


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "asked", "reason"),
    [
        (Identity(Role.PUBLIC, "p", ID), {"after_seq": -2}, "FIELD_INVALID"),
        (Identity(Role.PUBLIC, "p", ID), {"each": 9}, "FIELD_INVALID"),
        (Identity(Role.PUBLIC, "p", ID), {"view": pb.View(seat=0)}, "ROLE_REQUIRED"),
        (Identity(Role.SEAT, "s", ID, 0), {"view": pb.View(seat=1)}, "ROLE_REQUIRED"),
        (Identity(Role.PUBLIC, "p", "other"), {}, "MATCH_FOREIGN"),
        (Identity(Role.PUBLIC, "p", ID, delay="game"), {}, "RECORD_DELAYED"),
        (Identity(Role.PUBLIC, "p", ID, delay="game"), {"after_seq": -1}, "RECORD_DELAYED"),
    ],
)
async def test_what_may_not_be_asked(
    tmp_path: Path, who: Identity, asked: Any, reason: str
) -> None:
    log = [entry for command in COMMANDS[:20] for entry in command]
    async with served(tmp_path / "a.kifu", log) as found:
        with pytest.raises(Exception) as caught:  # noqa: PT011
            await steps(found, who, 1, **asked)
    fault = caught.value if isinstance(caught.value, Fault) else fault_of(caught.value)
    assert fault is not None
    assert fault.reason == reason


async def test_who_sees_late_gets_what_is_released_and_then_the_rest(tmp_path: Path) -> None:
    """As one who sees at once got it of a match that had no more entries by then."""
    who = Identity(Role.PUBLIC, "p", ID, delay="5 decisions")
    log = [entry for command in COMMANDS[:40] for entry in command]
    async with served(tmp_path / "a.kifu", log) as found:
        upto = found._upto(listing.find(found._records, ID), parse("5 decisions"))
        assert 0 < upto < len(log)
        (now,) = await steps(found, who, 0, after_seq=-1)
        assert now.seq == upto
        late = await steps(found, who, upto)
        at_once = await steps(found, Identity(Role.PUBLIC, "p", ID), len(log))
        assert late == at_once[: len(late)]
        assert late[-1].seq == upto


async def test_the_end_is_sent(tmp_path: Path) -> None:
    async with served(tmp_path / "a.kifu", LOG) as found:
        request = pb.WatchPositionRequest(match_id=ID, after_seq=len(LOG) - 1)
        messages = [
            pb.WatchPositionResponse.FromString(data)
            async for data in found.watch_position(request, Identity(Role.PUBLIC, "p", ID))
        ]
        first, last = messages
        assert [step.seq for step in first.steps] == [last.seq] == [len(LOG)]
        assert last.ended.state == pb.MATCH_STATE_ENDED
        assert not last.steps
