"""What is played is anchored: soon, at once where it matters, whatever fails in between."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from kifu.v1 import anchor_service_pb2 as pb
from kifu.v1 import desk_service_pb2, match_service_pb2

from domain.record.decisions import Act
from domain.record.proof.anchors import checkpoints, notes, policy, tiles, tree
from domain.record.proof.anchors.notes import Note
from domain.record.proof.anchors.policy import Policy
from service import wire
from service.anchors import anchoring
from service.anchors import witnessing as asking
from service.anchors.assembly import key_of
from service.anchors.ledger import Ledger
from service.api.anchors import AnchorServicer
from service.api.calls.errors import Fault
from service.identity import Identity, Role
from service.store import chains
from service.store.records import NoSuchMatch, Records, Work
from tests.support.anchored import (
    AnchoredService,
    anchored_service,
    archived,
    believed,
    judged,
    read_archive,
)
from tests.support.in_process import COMMANDS, HEAD, Servicers, choosing, player
from tests.support.in_process import Fault as StoreFault
from tests.support.waiting import eventually
from tests.support.witness import witnessing


async def play(service: AnchoredService, match: str, n: int) -> None:
    for _ in range(n):
        await choosing(service, match)


async def sizes(service: AnchoredService) -> list[int]:
    """How many leaves each checkpoint was over."""
    return [one.checkpoint.size for one in service.ledger.newest_first(99)][::-1]


async def test_heads_are_leaves_soon_after_they_are_durable(tmp_path: Path) -> None:
    async with anchored_service(tmp_path / "m.kifu", every=0.05) as service:
        first, other = await service.open(), await service.open()
        await play(service, first, 3)
        await service.anchored()
        await play(service, other, 2)
        newest = await service.anchored()
        assert judged(service.ledger).good
        for match in (first, other):
            found = service.ledger.leaf(match, 999, newest.checkpoint.size)
            assert found is not None
            assert found[1].head == chains.head(service.records, match)
            assert service.ledger.proof(found[0], newest).parsed == found[1]


async def test_play_is_taken_up_now_and_then_and_an_end_at_once(tmp_path: Path) -> None:
    async with anchored_service(tmp_path / "m.kifu", every=600) as service:
        match = await service.open()
        await service.anchored()  # nothing was anchored before
        await play(service, match, 3)
        await asyncio.sleep(0.2)
        assert len(await sizes(service)) == 1
        official = Identity(Role.OFFICIAL, "j", match)
        note = desk_service_pb2.RecordNoteRequest(match_id=match, text="so it is")
        await service.desk.record_note(note, official)
        await service.anchored()
        assert len(await sizes(service)) == 2
        await play(service, match, 1)
        concede = match_service_pb2.InterjectRequest(match_id=match, act=wire.act(Act("concede")))
        await service.match.interject(concede, player(match, 0))
        await service.anchored()
        assert len(await sizes(service)) == 3
    records = Records(tmp_path / "m.kifu", reading=True)
    assert not Ledger(records).unanchored(chains.heads(records))
    records.close()


async def test_what_was_played_last_is_anchored_when_the_service_stops(tmp_path: Path) -> None:
    async with anchored_service(tmp_path / "m.kifu", every=600) as service:
        match = await service.open()
        await service.anchored()
        await play(service, match, 3)
    records = Records(tmp_path / "m.kifu", reading=True)
    assert not Ledger(records).unanchored(chains.heads(records))
    records.close()


async def test_what_was_played_before_there_was_a_log_is_anchored(tmp_path: Path) -> None:
    records = Records(tmp_path / "m.kifu")

    plain = Servicers(records)
    match = await plain.open()
    await plain.matches.close()
    records.close()
    async with anchored_service(tmp_path / "m.kifu") as service:
        newest = await service.anchored()
        found = service.ledger.leaf(match, 999, newest.checkpoint.size)
        assert found is not None


@pytest.mark.parametrize("late", [False, True])
async def test_whatever_the_store_does_no_two_checkpoints_contradict_each_other(
    tmp_path: Path, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The k-th call of the store fails, or is made and said to have failed."""
    monkeypatch.setattr(anchoring, "GATHER", 0.001)
    monkeypatch.setattr(anchoring, "AFTER_FAILURE", 0.001)

    async def trial(path: Path, k: int) -> bool:
        seen = []
        async with anchored_service(path, every=0.0) as service:
            anchors = service.anchors
            assert anchors._anchoring is not None
            match = await service.open()
            await service.anchored()
            kept = anchors._anchoring._signed

            async def signed(found: object) -> None:
                seen.append(found)
                await kept(found)  # type: ignore[arg-type]

            anchors._anchoring._signed = signed  # type: ignore[assignment]
            fault = StoreFault(k, late)
            await play(service, match, 1)
            with fault.of(service.records):
                for _ in range(30):
                    await asyncio.sleep(0.002)
            await service.anchored()
            await play(service, match, 1)
            newest = await service.anchored()
            for one in seen:
                old = one.checkpoint  # type: ignore[attr-defined]
                proof = service.ledger.consistency(old.size, newest)
                to = newest.checkpoint
                assert tree.consistent(old.size, old.root, to.size, to.root, proof)
        archived(path, path.with_suffix(".log"))
        return fault.happened

    happened = [await trial(tmp_path / f"{k}.kifu", k) for k in range(1, 14)]
    assert happened[0]
    assert sum(happened) >= 4


@pytest.mark.parametrize("command", ["open", "choose", "rewind", "fork", "import", "note"])
async def test_whatever_changes_a_record_is_anchored(tmp_path: Path, command: str) -> None:
    async with anchored_service(tmp_path / "m.kifu") as service:
        ready = await COMMANDS[command](service)
        await ready.send()
        await service.anchored()
    log = archived(tmp_path / "m.kifu", tmp_path / "log")
    assert ready.match in log.matches


async def test_a_log_that_was_changed_is_left_alone_and_play_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "m.kifu"
    async with anchored_service(path) as service:
        match = await service.open()
        await service.anchored()
        service.records.driver.recorder.writer.cursor().execute("UPDATE leaves SET since=since+1")
    async with anchored_service(path) as service:
        await play(service, match, 3)
        await asyncio.sleep(0.1)
        assert len(await sizes(service)) == 1
    assert "the log is broken" in caplog.text


async def test_a_match_that_can_not_be_anchored_keeps_no_other_from_it(tmp_path: Path) -> None:
    """One whose chain is damaged, and ones with ids that no leaf can have."""
    path = tmp_path / "m.kifu"
    async with anchored_service(path, every=0.0) as service:
        broken, whole = await service.open(), await service.open()
        await service.anchored()
        log = service.records.entries(whole)
        for odd in ("two words", "line\nfeed", "\x7f"):
            service.records.write(Work(odd, log, (), "toy"))
        await play(service, broken, 1)
        spoilt = ("UPDATE chains SET hash=x'00' WHERE id=?", (broken,))
        service.records.write(Work("", (), [spoilt]))
        anchoring = service.anchors._anchoring
        assert anchoring is not None
        await anchoring.catch_up()
        await play(service, whole, 2)
        await anchoring.flush()
        found = service.ledger.leaf(whole, 999, service.ledger.tree.size)
        assert found is not None
        assert found[1].head == chains.head(service.records, whole)
    names = archived(path, tmp_path / "log").matches
    assert set(names) == {broken, whole}


def _shows(file: Path, note: Note) -> bool:
    return file.exists() and file.read_text() == str(note)


async def test_the_files_follow_the_log(tmp_path: Path) -> None:
    directory = tmp_path / "log"
    async with anchored_service(tmp_path / "m.kifu", directory=directory) as service:
        match = await service.open()
        for _ in range(3):
            await play(service, match, 1)
            newest = await service.anchored()
            await eventually(partial(_shows, directory / tiles.CHECKPOINT, newest.note))
            log = read_archive(directory, believed(service.ledger))
            assert log.size == newest.checkpoint.size
            assert log.of(match)[-1].head == chains.head(service.records, match)


# -- witnesses ------------------------------------------------------------------------------------


async def test_witnesses_sign_what_follows_from_what_they_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "FIRST_PAUSE", 0.02)
    path = tmp_path / "m.kifu"
    records = Records(path)
    log = key_of(records).verifier
    records.close()
    with witnessing("club", log) as club, witnessing("league", log) as league:
        trusted = policy.parse(
            f"log {log}\n{club.line}{league.line}group both all club league\nquorum both"
        )
        league.down = True
        async with anchored_service(path, policy=trusted, directory=tmp_path / "log") as service:
            match = await service.open()
            await service.anchored()
            await eventually(lambda: 200 in club.answers and 503 in league.answers)
            assert not policy.judge(service.ledger.last().note, trusted).good  # type: ignore[union-attr]
            await play(service, match, 2)
            newest = await service.anchored()
            league.down = False
            size = newest.checkpoint.size
            await eventually(lambda: all(w.had and w.had.size == size for w in (club, league)))
            await eventually(lambda: policy.judge(service.ledger.last().note, trusted).good)  # type: ignore[union-attr]
            good = policy.judge(service.ledger.last().note, trusted)  # type: ignore[union-attr]
            assert set(good.seen.values()) == {club.time}
            shown = tmp_path / "log" / "checkpoint"
            await eventually(lambda: policy.judge(notes.parse(shown.read_text()), trusted).good)
        async with anchored_service(path, policy=trusted) as service:
            await play(service, match, 1)  # it asks at what size they are, and goes on from it
            newest = await service.anchored()
            await eventually(lambda: club.had.size == newest.checkpoint.size)  # type: ignore[union-attr]
            assert 409 in club.answers
            assert 422 not in club.answers + league.answers


async def test_a_witness_that_knows_a_longer_log_or_answers_nonsense_is_not_believed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "FIRST_PAUSE", 0.02)
    path = tmp_path / "m.kifu"
    records = Records(path)
    log = key_of(records).verifier
    records.close()
    with witnessing("club", log) as club, witnessing("liar", log) as liar:
        club.had = checkpoints.Checkpoint(log.name, 77, b"r" * 32)
        liar.answer = lambda body: (200, "text/plain", "— liar AAAAAAAA\n")  # type: ignore[method-assign]
        gone = f"witness gone {GONE} http://127.0.0.1:1/w\n"
        trusted = policy.parse(f"log {log}\n{club.line}{liar.line}{gone}quorum club")
        async with anchored_service(path, policy=trusted) as service:
            match = await service.open()
            await play(service, match, 2)
            await service.anchored()
            await eventually(lambda: caplog.text.count("no cosignature") >= 3)
            shown = "".join(str(getattr(one, "with_", "")) for one in caplog.records)
            assert "older than what was signed" in shown
            assert not policy.judge(service.ledger.last().note, trusted).seen  # type: ignore[union-attr]


GONE = str(notes.fresh("gone", b"g" * 32, notes.COSIGNATURE).verifier)


# -- calls ----------------------------------------------------------------------------------------


async def test_which_proofs_each_sender_may_have(tmp_path: Path) -> None:
    async with anchored_service(tmp_path / "m.kifu") as service:
        servicer = AnchorServicer(service.ledger, Policy(), service.match)
        with pytest.raises(Fault, match="no such checkpoint"):
            servicer.get_checkpoint(pb.GetCheckpointRequest(), None)
        match, other = await service.open(), await service.open()
        await play(service, match, 4)
        newest = await service.anchored()
        size = newest.checkpoint.size
        answered = servicer.get_checkpoint(pb.GetCheckpointRequest(), None)
        assert (answered.note, answered.size) == (str(newest.note), size)
        keys = servicer.get_log_keys(pb.GetLogKeysRequest(), None)
        assert [key.key for key in keys.keys] == [str(key_of(service.records).verifier)]
        for who in (HEAD, player(match, 0), Identity(Role.PUBLIC, "p", match)):
            request = pb.GetInclusionRequest(match_id=match)
            proof = checkpoints.parse(servicer.get_inclusion(request, who).proof)
            assert proof.leads
            assert proof.parsed.head == chains.head(service.records, match)
        with pytest.raises((Fault, NoSuchMatch)):
            servicer.get_inclusion(pb.GetInclusionRequest(match_id=match), player(other, 0))
        late = Identity(Role.PUBLIC, "p", match, delay="3600s")
        with pytest.raises((Fault, NoSuchMatch)):
            servicer.get_inclusion(pb.GetInclusionRequest(match_id=match), late)
        behind = Identity(Role.PUBLIC, "p", match, delay="2 decisions")
        upto = service.match.visible(behind, match)
        assert 0 < upto < service.records.last(match)
        found = service.ledger.leaf(match, upto, size)
        with nullcontext() if found else pytest.raises(Fault):
            seen = servicer.get_inclusion(pb.GetInclusionRequest(match_id=match), behind)
            assert seen.count <= upto
        for old in (0, 1, size):
            request = pb.GetConsistencyRequest(old_size=old)
            assert servicer.get_consistency(request, None).note == str(newest.note)
        for old in (-1, size + 1):
            with pytest.raises(Fault):
                servicer.get_consistency(pb.GetConsistencyRequest(old_size=old), None)
        for count in (0, -3):
            with pytest.raises(Fault):
                servicer.get_inclusion(pb.GetInclusionRequest(match_id=match, count=count), HEAD)
