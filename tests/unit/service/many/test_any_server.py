"""Any server takes commands of any match: what it has in memory is a cache, the store judges."""

from __future__ import annotations

import asyncio
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import pytest
from kifu.v1.desk_service_pb2 import RecordRulingRequest
from kifu.v1.match_service_pb2 import WithdrawAutoPassRequest

from domain.engine.checks.verify import verify
from domain.engine.match import Match, Refused, Stale
from domain.engine.passes.autopass import AutoPass
from domain.officials import rulings
from domain.officials.frame import Official
from domain.record.decisions import Act
from service.api.calls.repeats import Repeated, Repeats
from service.api.calls.tickets import Ticket
from service.identity import Identity, Role
from service.keeping import archives, retention
from service.live.matches import Matches
from service.store import chains
from service.store.records import Conflict, Gone, Records, Statement, Version, Work
from service.store.tables.archived import InArchive
from tests.support.in_process import COMMANDS, Servicers, player
from tests.toy import RULEBOOKS, TOY
from tests.unit.service.test_live import first_option, opened

M = "aaaaa"


async def last_seq(matches: Matches) -> int:
    """How many entries a server has of the match, as far as it answers from memory."""
    found: int = await matches.query(M, lambda match: match.pos.seq)
    return found


async def test_servers_take_turns_and_nobody_is_refused(a: Matches, b: Matches) -> None:
    log = await opened(a)
    for n in range(30):
        log += await (b if n % 2 else a).command(M, first_option)
        assert await last_seq(a) == await last_seq(b) == len(log)
    assert a.records.entries(M) == b.records.entries(M) == log
    assert verify(log, TOY).kind == "exact"
    assert chains.check(b.records, M) == await a.heads.at(M)


async def test_commands_that_come_to_both_at_once_are_carried_out_one_after_the_other(
    a: Matches, b: Matches
) -> None:
    def answer(n: int, match: Match, now: int) -> None:
        decision = match.pos.decision
        assert decision is not None
        offer = decision.offers[decision.seats[0]]
        assert offer is not None
        match.choose(decision.seats[0], n, Act(offer.options[0].kind, offer.options[0].card), now)

    await opened(a)
    for n in range(1, 20):
        each = (a.command(M, partial(answer, n)), b.command(M, partial(answer, n)))
        outcomes = await asyncio.gather(*each, return_exceptions=True)
        refused = [one for one in outcomes if isinstance(one, BaseException)]
        assert len(refused) == 1
        assert isinstance(refused[0], Stale)  # as of what the other one has done
        assert refused[0].current == n + 1
    assert verify(a.records.entries(M), TOY).kind == "exact"


async def test_nothing_is_added_to_a_match_that_was_archived_meanwhile(
    postgres_url: str, tmp_path: Path, a: Matches, b: Matches
) -> None:
    def noted(match: Match, now: int) -> None:
        rulings.note(match, Official("Ida", now), "too late")

    def taken_out() -> None:
        cup = tmp_path / "cup.kifu"
        with closing(Records(postgres_url)) as records:
            archives.archive(records, cup, [M])
            retention.take_out(records, cup)

    await opened(a, turns=1)
    while not await a.query(M, lambda match: match.pos.over):
        await a.command(M, first_option)
    await last_seq(b)  # has it in memory from now on
    await asyncio.to_thread(taken_out)
    with pytest.raises(InArchive):
        await b.command(M, noted)
    assert await asyncio.to_thread(b.records.last, M) == 0


async def test_what_is_refused_is_refused_as_of_the_record(a: Matches, b: Matches) -> None:
    def nonsense(match: Match, now: int) -> None:
        decision = match.pos.decision
        assert decision is not None
        match.choose(decision.seats[0], decision.n, Act("fly"), now)

    await opened(a)
    await last_seq(b)  # has it in memory from now on
    for _ in range(5):
        await a.command(M, first_option)
        with pytest.raises(Refused):
            await b.command(M, nonsense)
        assert await last_seq(b) == a.records.last(M)


async def test_a_command_that_is_repeated_at_another_server_is_carried_out_once(
    a: Matches, b: Matches
) -> None:
    def named(name: str, match: Match, now: int) -> None:
        decision = match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        act = Act(offer.options[0].kind, offer.options[0].card)
        match.choose(seat, decision.n, act, now, str(Ticket(name)))

    await opened(a)
    repeats = []
    for matches in (a, b):
        known = Repeats(matches.history)
        matches.memory.on_reload.append(known.forget)
        repeats.append(known)
    rng = Random(1)
    for n in range(12):
        seat = await a.query(M, lambda m: m.pos.decision.seats[0])
        order = rng.sample([(a, repeats[0]), (b, repeats[1])], 2)
        (first, known), (second, also_known) = order
        before = known.before(M, seat, Ticket(f"t{n}"))
        added = await first.command(M, partial(named, f"t{n}"), before)
        before = also_known.before(M, seat, Ticket(f"t{n}"))
        with pytest.raises(Repeated) as repeated:
            await second.command(M, partial(named, f"t{n}"), before)
        assert repeated.value.entries == added


async def test_what_a_seat_has_left_at_one_server_is_known_to_the_other(
    a: Matches, b: Matches
) -> None:
    def leave(match: Match, now: int) -> None:
        decision = match.pos.decision
        assert decision is not None
        match.set_auto_pass(1 - decision.seats[0], decision.n, AutoPass(rival=True), now)

    await opened(a)
    await last_seq(b)
    was = a.records.version(M)
    await a.command(M, leave)
    assert a.records.version(M) == Version(was.seq, was.left + 1)
    assert await b.query(M, lambda match: dict(match.auto_passes)) == await a.query(
        M, lambda match: dict(match.auto_passes)
    )
    assert len(await b.query(M, lambda match: dict(match.auto_passes))) == 1


async def test_memory_is_answered_from_while_the_database_is_gone(a: Matches, b: Matches) -> None:
    log = await opened(a)

    def gone(records: Records, match: str) -> Version:
        raise Gone("it does not answer")

    a.records.version = partial(gone, a.records)  # type: ignore[method-assign]
    assert await last_seq(a) == len(log)
    with pytest.raises(Gone):
        await a.command(M, first_option)
    del a.records.version
    await a.command(M, first_option)


def test_upkeep_that_another_server_did_first_is_no_failure(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.upkeep.QUIET", 0.001)
    failed, late = list[str](), list[str]()

    async def go() -> None:
        with closing(Records(postgres_url)) as records:
            matches = Matches(records, RULEBOOKS, failed=failed.append)
            advance = matches.history.advance

            def overtaken(match: str) -> list[Statement]:
                late.append(match)
                raise Conflict("the rows are others")

            monkeypatch.setattr(matches.history, "advance", overtaken)
            await opened(matches)
            matches.upkeep.queue(M)
            async with asyncio.timeout(20):
                while not late:
                    await asyncio.sleep(0.01)
                await asyncio.sleep(0.05)
            monkeypatch.setattr(matches.history, "advance", advance)
            await matches.close()

    asyncio.run(go())
    assert (set(late), failed) == ({M}, [])


async def test_a_ruling_cites_an_entry_that_is_read_off_the_event_loop(postgres_url: str) -> None:
    with closing(Records(postgres_url)) as records:
        servicers = Servicers(records)
        match = await servicers.open()
        request = RecordRulingRequest(match_id=match, text="so it was", evidence=1)
        by = Identity(Role.OFFICIAL, "j", match)
        with pytest.raises(Refused, match="no ruling rests on a replay"):  # once it was read
            await servicers.desk.record_ruling(request, by)
        await servicers.matches.close()


async def test_a_seat_gets_the_auto_pass_it_withdrew_though_another_server_was_quicker(
    postgres_url: str,
) -> None:
    with closing(Records(postgres_url)) as one, closing(Records(postgres_url)) as other:
        a, b = Servicers(one), Servicers(other)
        ready = await COMMANDS["withdraw"](a)
        [seat] = await a.matches.query(ready.match, lambda m: [*m.auto_passes])
        submit = a.matches.committer.submit

        async def forestalled(work: Work) -> object:
            a.matches.committer.submit = submit  # type: ignore[method-assign]
            request = WithdrawAutoPassRequest(match_id=ready.match)
            first = await b.match.withdraw_auto_pass(request, player(ready.match, seat))
            assert first.HasField("withdrawn")
            return await submit(work)

        a.matches.committer.submit = forestalled  # type: ignore[method-assign,assignment]
        assert not (await ready.send()).HasField("withdrawn")
        for servicers in (a, b):
            await servicers.matches.close()
