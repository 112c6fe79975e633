"""A code is good for its token until it is revoked, whatever happens at the same time or after."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from domain.tournament.record import HEAD_JUDGE, SCOREKEEPER, Format
from domain.tournament.state import Player, Round, Seating, Stage, State
from service.credentials import codes as rows
from service.credentials import spelling, tokens
from service.credentials.attempts import ALL, EACH, TOKENS, TooMany
from service.credentials.entrance import SECONDS, Entrance
from service.credentials.exchange import Codes, WrongCode
from service.credentials.holders import Holder, NoPlace
from service.credentials.issuing import Tokens
from service.identity import BadToken, Identity, Keys, Role
from service.store.records import NoSuchMatch, Records, StoreError
from service.telemetry.metrics import Metrics
from tests.support.in_process import Servicers, choosing, open_servicers

KEYS = b"k" * 32
HERE = "ipv4:10.0.0.1:5555"


class Desk:
    """The codes of a service, and what they are made with."""

    def __init__(self, servicers: Servicers) -> None:
        self.servicers, self.keys, self.metrics = servicers, Keys(KEYS), Metrics()
        self.state = State("evnt", "Cup", Format("toy"))
        self.tokens = Tokens(servicers.matches, self.keys, 30.0)
        self.codes = Codes(
            servicers.matches, self.tokens, self.keys.of("codes"), 30.0, self.metrics, self.event
        )

    async def event(self, event: str) -> State:
        return self.state

    async def issue(self, *people: Holder, **more: Any) -> list[str]:
        return [code for code, _ in await self.codes.issue(people, "organiser", **more)]

    async def take(self, code: str, peer: str = HERE) -> str:
        return (await self.codes.exchange(code, peer))[0]

    def counted(self, outcome: str) -> float:
        name = "kifu_codes_total"
        return self.metrics.registry.get_sample_value(name, {"outcome": outcome}) or 0.0


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Desk]:
    async with open_servicers(path / "matches.kifu") as servicers:
        yield Desk(servicers)


async def fails(what: Awaitable[Any], kind: type[Exception] = WrongCode) -> Any:
    with pytest.raises(kind) as caught:
        await what
    return caught.value


def kept(desk: Desk) -> list[rows.Code]:
    return rows.lines(desk.servicers.records, rows.Filter())


async def test_a_seats_code_gives_its_token_as_often_as_it_is_brought(
    tmp_path: Path, desk: Desk
) -> None:
    match = await desk.servicers.open()
    first, second = await desk.issue(*(Holder("seat", match, seat=n) for n in range(2)))
    given = await asyncio.gather(*(desk.take(first.lower()) for _ in range(5)))
    people = [desk.keys.check(token) for token in given]
    assert {(one.role, one.match, one.seat) for one in people} == {("seat", match, 0)}
    assert len({one.id for one in people}) == 5
    assert desk.keys.check(await desk.take(second)).seat == 1
    b, a = kept(desk)
    assert (a.exchanges, b.exchanges, a.issuer) == (5, 1, "organiser")
    listed = tokens.lines(desk.servicers.records, tokens.Filter(code=a.id))
    assert {one.who.id for one in listed} == {one.id for one in people}
    _, place, _ = await desk.codes.exchange(second, HERE)
    assert place.name == "B"
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for code in (first, second):
        assert code.encode() not in stored
        assert code.replace("-", "").encode() not in stored


async def test_wrong_revoked_and_expired_are_the_same(
    monkeypatch: pytest.MonkeyPatch, desk: Desk
) -> None:
    match = await desk.servicers.open()
    seat = Holder("seat", match, seat=0)
    revoked, good = await desk.issue(seat, seat)
    (expired,) = await desk.issue(seat, days=0.00001)
    token = await desk.take(revoked)
    stays = await desk.take(good)
    gone = kept(desk)[-1].id
    assert await desk.codes.revoke([gone], "o", with_tokens=True) == (1, 1)
    assert await desk.codes.revoke([gone], "o", with_tokens=True) == (0, 0)
    with pytest.raises(BadToken):
        desk.keys.check(token)
    await asyncio.sleep(1)
    errors = [await fails(desk.take(code)) for code in (revoked, expired, spelling.new())]
    assert {(type(error), str(error), error.args) for error in errors} == {(WrongCode, "", ())}
    assert desk.counted("wrong") == 3
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 90 * 86_400)  # the clock is set back
    await fails(desk.take(revoked))
    assert desk.keys.check(stays).seat == 0
    monkeypatch.setattr(time, "time", lambda: now + 31 * 86_400)
    await fails(desk.take(good))


async def test_after_a_restart_the_same_are_good(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        match = await desk.servicers.open()
        good, bad = await desk.issue(Holder("official", match), Holder("public", match))
        await desk.codes.revoke([kept(desk)[0].id], "o", with_tokens=True)
    async with opened(tmp_path) as desk:
        assert desk.keys.check(await desk.take(good)).role == "official"
        await fails(desk.take(bad))
        other = Codes(
            desk.servicers.matches, desk.tokens, b"another key", 30.0, Metrics(), desk.event
        )
        await fails(other.exchange(good, HERE))  # what is kept says nothing without the key


async def test_a_code_that_is_used_once_lets_one_in_whoever_comes_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as desk:
        match = await desk.servicers.open()
        once, spare = await desk.issue(*2 * [Holder("official", match)], once=True)
        found = await asyncio.gather(*(desk.take(once) for _ in range(5)), return_exceptions=True)
        [token] = [one for one in found if isinstance(one, str)]
        assert [type(one) for one in found if one != token] == [WrongCode] * 4
        used = kept(desk)[1]
        assert (used.once, used.exchanges, used.revoker) == (True, 1, rows.USE)

        async def full(*args: Any, **more: Any) -> Any:
            raise StoreError("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(desk.tokens, "issue", full)
            await fails(desk.take(spare), StoreError)
    async with opened(tmp_path) as desk:
        await fails(desk.take(once))
        assert desk.keys.check(await desk.take(spare)).role == "official"
        await fails(desk.take(spare))
        assert await desk.codes.revoke([used.id], "o", with_tokens=True) == (0, 1)
        with pytest.raises(BadToken):
            desk.keys.check(token)


@pytest.mark.parametrize("once", [False, True])
async def test_a_code_revoked_while_it_is_exchanged_gives_nothing_that_is_good(
    once: bool, desk: Desk
) -> None:
    match = await desk.servicers.open()
    for pauses in range(12):
        (code,) = await desk.issue(Holder("seat", match, seat=0), once=once)
        taking = asyncio.create_task(desk.take(code))
        for _ in range(pauses):
            await asyncio.sleep(0)
        id_ = kept(desk)[0].id
        await desk.codes.revoke([id_], "o", with_tokens=True)
        found = await asyncio.gather(taking, return_exceptions=True)
        if isinstance(found[0], str):
            with pytest.raises(BadToken):
                desk.keys.check(found[0])
        else:
            assert isinstance(found[0], WrongCode)
        left = tokens.lines(desk.servicers.records, tokens.Filter(code=id_, live=0.0))
        assert left == []


@pytest.mark.parametrize("once", [False, True])
async def test_a_code_revoked_between_its_token_and_the_answer(
    monkeypatch: pytest.MonkeyPatch, once: bool, desk: Desk
) -> None:
    match = await desk.servicers.open()
    (code,) = await desk.issue(Holder("seat", match, seat=0), once=once)
    issue = desk.tokens.issue

    async def slow(*args: Any, **more: Any) -> Any:
        found = await issue(*args, **more)
        await desk.codes.revoke([kept(desk)[0].id], "o", with_tokens=False)
        return found

    monkeypatch.setattr(desk.tokens, "issue", slow)
    await fails(desk.take(code))
    [token] = tokens.lines(desk.servicers.records, tokens.Filter(match=match, role="seat"), None, 1)
    assert token.revoked


async def test_guessing_ends_soon_and_a_right_code_does_not_help(desk: Desk) -> None:
    match = await desk.servicers.open()
    (code,) = await desk.issue(Holder("seat", match, seat=0))
    for _ in range(EACH):
        assert await desk.take(code)
        await fails(desk.take(spelling.new()))
    for guess in (code, spelling.new()):  # the right one is not looked at either
        assert (await fails(desk.take(guess), TooMany)).after > 0
    await fails(desk.take("7K2M-9QXR"), spelling.Mistyped)  # that asks nobody
    assert await desk.take(code, "ipv4:10.0.0.2:1")
    for n in range(3, 99):
        try:
            await desk.take(spelling.new(), f"ipv4:10.0.0.{n}:1")
        except TooMany:
            break
        except WrongCode:
            continue
    assert desk.counted("wrong") == ALL
    assert desk.counted("too many") == 3
    assert desk.counted("mistyped") == 1
    assert desk.counted("exchanged") == EACH + 1


async def test_one_code_gives_so_many_tokens_and_another_none_less(desk: Desk) -> None:
    match = await desk.servicers.open()
    ann, ben = await desk.issue(*(Holder("seat", match, seat=n) for n in range(2)))
    for _ in range(TOKENS):
        await desk.take(ann)
    await fails(desk.take(ann), TooMany)
    assert await desk.take(ben)
    assert kept(desk)[1].exchanges == TOKENS


async def test_a_seats_code_of_a_match_that_is_over_gives_nothing(desk: Desk) -> None:
    match = await desk.servicers.open()
    seat, public, official = await desk.issue(
        Holder("seat", match, seat=0), Holder("public", match), Holder("official", match)
    )
    await desk.take(seat)
    for _ in range(400):
        if await desk.servicers.matches.query(match, lambda m: m.pos.over):
            break
        await choosing(desk.servicers, match)
    assert (await fails(desk.take(seat), NoPlace)).reason == "MATCH_OVER"
    for code in (public, official):
        assert await desk.take(code)
    (lost,) = await desk.issue(Holder("seat", "none", seat=0))
    await fails(desk.take(lost), NoSuchMatch)


@pytest.mark.parametrize("then", ["", SCOREKEEPER])
async def test_an_official_taken_away_while_his_code_is_exchanged(
    monkeypatch: pytest.MonkeyPatch, then: str, desk: Desk
) -> None:
    """Who took it away has revoked the tokens that there were: this one comes after them."""
    (jo,) = await desk.issue(Holder("official", event="evnt", name="Jo"))
    desk.state.officials = {"Jo": HEAD_JUDGE}
    issue = desk.tokens.issue

    async def slow(*args: Any, **more: Any) -> Any:
        desk.state.officials = {"Jo": then} if then else {}
        return await issue(*args, **more)

    monkeypatch.setattr(desk.tokens, "issue", slow)
    if then:
        assert desk.keys.check(await desk.take(jo)).role == "scorekeeper"
    else:
        assert (await fails(desk.take(jo), NoPlace)).reason == "NOT_OFFICIAL"
    which = tokens.Filter(event="evnt", role="official")
    assert [one.revoked > 0 for one in tokens.lines(desk.servicers.records, which)] == [True]


async def test_codes_of_an_event(desk: Desk) -> None:
    ann, table, jo = await desk.issue(
        Holder("seat", event="evnt", player=1),
        Holder("scorekeeper", event="evnt", table=1),
        Holder("official", event="evnt", name="Jo"),
    )
    state = desk.state
    state.players = {1: Player(1, "Ann"), 2: Player(2, "Ben")}
    state.officials = {"Jo": HEAD_JUDGE}
    assert (await fails(desk.take(ann), NoPlace)).round == 1
    state.rounds = [Round(1, {1: Seating(1, 2, 1)}, "swiss", 0, Stage.OPENED)]
    assert (await fails(desk.take(ann), NoPlace)).reason == "NO_MATCH_YET"  # it is being opened
    saved = desk.servicers.match
    opened = await desk.servicers.open()
    entries = desk.servicers.records.entries(opened)
    await saved._matches.save("evnt.r1.t1", "toy", entries)
    token, place, code = await desk.codes.exchange(ann, HERE)
    assert desk.keys.check(token).match == "evnt.r1.t1"
    assert (place.who.seat, place.name, place.round, place.table) == (1, "Ann", 1, 1)
    assert code.holder.event == "evnt"
    assert desk.keys.check(await desk.take(table)).role == "scorekeeper"
    assert desk.keys.check(await desk.take(jo)).event == "evnt"
    [one, *_] = tokens.lines(desk.servicers.records, tokens.Filter(event="evnt", role="seat"))
    assert one.who.match == "evnt.r1.t1"
    del state.officials["Jo"]
    assert (await fails(desk.take(jo), NoPlace)).reason == "NOT_OFFICIAL"
    state.ended = True
    assert (await fails(desk.take(ann), NoPlace)).reason == "EVENT_OVER"


async def test_a_slip_that_is_printed_anew_replaces_the_lost_one(desk: Desk) -> None:
    match = await desk.servicers.open()
    seats = [Holder("seat", match, seat=n) for n in range(2)]
    ann, ben = await desk.issue(*seats)
    token = await desk.take(ann)
    (new,) = await desk.issue(seats[0], replace=True)
    await fails(desk.take(ann))
    assert desk.keys.check(token).seat == desk.keys.check(await desk.take(new)).seat == 0
    assert await desk.take(ben)


async def test_of_slips_that_are_printed_anew_at_once_one_is_good(desk: Desk) -> None:
    async def taken(desk: Desk, text: str) -> bool:
        with suppress(WrongCode):
            return bool(await desk.take(text))
        return False

    seat = Holder("seat", await desk.servicers.open(), seat=0)
    await desk.issue(seat)
    texts = await asyncio.gather(*(desk.issue(seat, replace=True) for _ in range(6)))
    good = [text for (text,) in texts if await taken(desk, text)]
    assert len(good) == 1


async def test_codes_that_cant_be_read_are_not_good(
    monkeypatch: pytest.MonkeyPatch, desk: Desk
) -> None:
    match = await desk.servicers.open()
    (code,) = await desk.issue(Holder("seat", match, seat=0))

    def damaged(*args: Any) -> Any:
        raise StoreError("damaged")

    with monkeypatch.context() as patch:
        patch.setattr(Records, "rows", damaged)
        await fails(desk.take(code), StoreError)


async def test_refusals_take_the_same_time(desk: Desk) -> None:
    """Of one that never was and one that was revoked: within what two runs of one differ."""
    match = await desk.servicers.open()
    (code,) = await desk.issue(Holder("seat", match, seat=0))
    await desk.codes.revoke([kept(desk)[0].id], "o", with_tokens=True)
    key = desk.keys.of("codes")

    def nanoseconds(text: str) -> int:
        start = time.perf_counter_ns()
        rows.by_hash(desk.servicers.records, rows.fingerprint(spelling.read(text), key))
        return time.perf_counter_ns() - start

    pairs = [(nanoseconds(code), nanoseconds(spelling.new())) for _ in range(400)]
    revoked, unknown = (median(times) for times in zip(*pairs, strict=True))
    assert 0.5 < revoked / unknown < 2


# -- a key lets one browser in, and is used up by a token that somebody has, not by a failure ------


WHO = Identity(Role.ORGANISER, "organiser", id="abc", expires=9)


async def test_a_key_is_good_once_and_for_an_hour(desk: Desk) -> None:
    now = 0.0
    entrance = Entrance(desk.tokens, lambda: now)
    one, late, cleared = [await entrance.key(WHO) for _ in range(3)]
    found = await asyncio.gather(*(entrance.enter(text) for text in (one.lower(), one, "x")))
    (token, who), *none = sorted(found, key=lambda each: each is None)
    assert none == [None, None]
    assert desk.keys.check(token).id == who.id
    now = SECONDS
    assert await entrance.enter(late) is None
    now = 0.0
    await entrance.clear()
    assert await entrance.enter(cleared) is None


@pytest.mark.parametrize("cleared", [False, True])
async def test_a_failure_uses_no_key_up(
    cleared: bool, monkeypatch: pytest.MonkeyPatch, desk: Desk
) -> None:
    entrance = Entrance(desk.tokens)
    key = await entrance.key(WHO)

    async def fail(*_: object, **__: object) -> None:
        if cleared:
            await entrance.clear()
        raise StoreError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(desk.tokens, "issue", fail)
        await fails(entrance.enter(key), StoreError)
    assert (await entrance.enter(key) is None) == cleared
