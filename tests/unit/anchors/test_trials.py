"""Trials: what an owner of the file, who has its key too, may do to it, and what is found of that.

Each forgery is done with care: chains are made again with the right secrets, the log is grown on
and signed with its own key. It is judged by a checkpoint that somebody kept from before, and by
nothing of the server but its files. Whatever honest use makes of a file accuses nobody.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.anchors import findings, notes, policy, tiles
from domain.record.proof.anchors.findings import Found
from domain.record.proof.anchors.notes import Note
from domain.record.proof.anchors.policy import Policy
from domain.record.proof.chain import genesis, links
from service.anchors import keys
from service.anchors.assembly import rotate
from service.anchors.ledger import Ledger
from service.store import chains
from service.store.derived import checks
from service.store.layout.repacking import compact
from service.store.records import Records, Work
from tests.support.anchored import anchored_service, archived, believed, read_archive
from tests.support.in_process import choosing

MATCHES = 3


class Scene(NamedTuple):
    """A file in which matches were played, a copy of an hour ago, and what somebody kept."""

    path: Path
    copy: Path
    kept: Note
    trusted: Policy
    ids: list[str]


async def _go_on(path: Path, n: int, new: int = 0) -> list[str]:
    """Serve a file: play all its matches on, and open new ones; the ids of those."""
    async with anchored_service(path) as service:
        service.opened = len(service.records.ids())
        opened = [await service.open(options={}) for _ in range(new)]
        for match in service.records.ids():
            for _ in range(n):
                await choosing(service, match)
        await service.anchored()
    return opened


def go_on(path: Path, n: int = 2, new: int = 0) -> list[str]:
    """The same, from outside of a loop."""
    return asyncio.run(_go_on(path, n, new))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    path = tmp_path_factory.mktemp("trials") / "m.kifu"
    ids = go_on(path, 3, new=MATCHES)
    copy = path.with_name("copy.kifu")
    shutil.copy(path, copy)
    shutil.copy(keys.key_file(path), keys.key_file(copy))
    go_on(path, 3)
    with closing(Records(path, reading=True)) as records:
        ledger = Ledger(records)
        newest = ledger.last()
        assert newest is not None
        return Scene(path, copy, newest.note, believed(ledger), ids)


@pytest.fixture
def scene(played: Scene, tmp_path: Path) -> Scene:
    """A copy of that for a test to spoil."""
    found = played._replace(path=tmp_path / "m.kifu", copy=tmp_path / "copy.kifu")
    for was, now in ((played.path, found.path), (played.copy, found.copy)):
        shutil.copy(was, now)
        shutil.copy(keys.key_file(was), keys.key_file(now))
    return found


def audit(scene: Scene, directory: Path) -> set[str]:
    """What a stranger finds who has the file, the log's files, and the checkpoint that was kept."""
    found = set[str]()
    kept = policy.judge(scene.kept, scene.trusted)
    assert kept.good
    try:
        archived(scene.path, directory)
    except tiles.BadTile:
        return {Found.DAMAGED}
    now = policy.judge(notes.parse((directory / "checkpoint").read_text()), scene.trusted)
    if doubt := findings.doubted(now):
        found.add(doubt.found)
        return found
    log = read_archive(directory, scene.trusted)
    if (finding := log.since(kept)) is not None:
        assert finding.notes == (str(kept.note), str(log.judged.note))
        found.add(finding.found)
    with closing(Records(scene.path, reading=True)) as records:
        for match in log.matches:
            entries = records.entries(match)
            if not entries:
                found.add("missing")
                continue
            found |= _judge(records, match, entries, log)
    return found


def _judge(
    records: Records, match: str, entries: Sequence[Entry], log: findings.Archive
) -> set[str]:
    chain = chains.find(records, match)
    assert chain is not None

    def named(name: str, _: set[int]) -> dict[int, bytes]:
        """The record's chain, if it were that of another match."""
        opened = entries[0].event
        assert isinstance(opened, MatchOpened)
        hashes = links(genesis(name, opened, chain.head.since), entries, chain.secret)
        return dict(enumerate(hashes, 1))

    seen = log.of(match)
    finding = findings.against(
        seen,
        len(entries),
        named(match, set()),
        lambda: findings.owner(log, len(entries), named),
    )
    return {finding.found} if finding is not None else set()


# -- forgeries ------------------------------------------------------------------------------------


def rewrite(path: Path, match: str, entries: Sequence[Entry], secret: bytes | None = None) -> None:
    """Put other entries in the place of a match's, chained as if they had been written so."""
    spoil(path, f"DELETE FROM stored_events WHERE originator_id='{match}'",
          f"DELETE FROM chains WHERE id='{match}'")  # fmt: skip
    opened = entries[0].event
    assert isinstance(opened, MatchOpened)
    with closing(Records(path)) as records:
        records.write(Work(match, entries, (), opened.game))
        if secret is not None:
            hash_ = links(genesis(match, opened), entries, secret)[-1]
            sql = "UPDATE chains SET secret=?, hash=? WHERE id=?"
            records.write(Work("", (), [(sql, (secret, hash_, match))]))
        assert chains.head(records, match)


def spoil(path: Path, *sqls: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for sql in sqls:
            connection.execute(sql)


def record(path: Path, match: str) -> tuple[list[Entry], bytes]:
    """The entries of a match, and its secret."""
    with closing(Records(path, reading=True)) as records:
        chain = chains.find(records, match)
        assert chain is not None
        return records.entries(match), chain.secret


def roll_back(scene: Scene) -> None:
    shutil.copy(scene.copy, scene.path)


def roll_back_and_go_on(scene: Scene) -> None:
    roll_back(scene)
    go_on(scene.path, 5)


def cut(scene: Scene) -> None:
    entries, secret = record(scene.path, scene.ids[0])
    rewrite(scene.path, scene.ids[0], entries[:-1], secret)


def cut_and_go_on(scene: Scene) -> None:
    """The end is cut and played otherwise: the match is as long as it was, and longer."""
    entries, secret = record(scene.path, scene.ids[0])
    rewrite(scene.path, scene.ids[0], record(scene.copy, scene.ids[0])[0], secret)
    asyncio.run(_other_end(scene.path, scene.ids[0], len(entries)))


async def _other_end(path: Path, match: str, least: int) -> None:
    """By a server that was made to look at no leaf of before: any other refuses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.store.leaves.of", lambda *_: [])
        await _played_on(path, match, least)


async def _played_on(path: Path, match: str, least: int) -> None:
    async with anchored_service(path) as service:
        while service.records.last(match) <= least:
            await choosing(service, match)
        await service.anchored()


def exchange(scene: Scene) -> None:
    (one, secret), (other, others) = (record(scene.path, match) for match in scene.ids[:2])
    rewrite(scene.path, scene.ids[0], other, others)
    rewrite(scene.path, scene.ids[1], one, secret)


def forge(scene: Scene) -> None:
    """A match is written again from another one's entries, under a secret of its own."""
    rewrite(scene.path, scene.ids[0], record(scene.path, scene.ids[1])[0])


def change_an_entry(scene: Scene) -> None:
    entries, secret = record(scene.path, scene.ids[0])
    changed = [*entries[:-1], replace(entries[-1], time=entries[-1].time + 1)]
    rewrite(scene.path, scene.ids[0], changed, secret)


def remove(scene: Scene) -> None:
    spoil(scene.path, f"DELETE FROM stored_events WHERE originator_id='{scene.ids[2]}'",
          f"DELETE FROM chains WHERE id='{scene.ids[2]}'")  # fmt: skip


def forget_the_log(scene: Scene) -> None:
    """The log is begun again over what there is, under the same key."""
    tables = ("leaves", "checkpoints", "tiles", "cosignatures", "log_keys")
    spoil(scene.path, *(f"DELETE FROM {table}" for table in tables))
    with closing(Records(scene.path)) as records:
        ledger = Ledger(records, keys.read(keys.key_file(scene.path)))
        grown = ledger.grow(ledger.unanchored(chains.heads(records)))
        records.write(Work("", (), grown.statements))


def drop_a_leaf(scene: Scene) -> None:
    """A leaf is taken out, those after it move up, and all is signed again."""
    spoil(scene.path, "DELETE FROM leaves WHERE number=2",
          "UPDATE leaves SET number=-number WHERE number>2",
          "UPDATE leaves SET number=-number-1 WHERE number<0",
          "DELETE FROM tiles", "DELETE FROM checkpoints")  # fmt: skip
    with closing(Records(scene.path)) as records:
        ledger = Ledger(records, keys.read(keys.key_file(scene.path)))
        (size,) = records.row("SELECT count(*) FROM leaves")
        ledger.tree = ledger._rebuilt(size)
        grown = ledger.grow(())
        records.write(Work("", (), grown.statements))
    go_on(scene.path, 5)


def replace_the_key(scene: Scene) -> None:
    keys.key_file(scene.path).unlink()
    keys.save(keys.key_file(scene.path), keys.new_key(scene.kept.text.split("\n")[0]))
    go_on(scene.path, 1)


FORGERIES: list[tuple[Callable[[Scene], None], set[str]]] = [
    (roll_back, {Found.SHORT}),
    (roll_back_and_go_on, {Found.SHORT, Found.FORKED}),
    (cut, {Found.CUT}),
    (cut_and_go_on, {Found.ALTERED}),
    (exchange, {Found.EXCHANGED}),
    (forge, {Found.ALTERED}),
    (change_an_entry, {Found.ALTERED}),
    (remove, {"missing"}),
    (forget_the_log, {Found.SHORT, Found.FORKED}),
    (drop_a_leaf, {Found.SHORT, Found.FORKED}),
    (replace_the_key, {Found.UNKNOWN_KEY}),
]


@pytest.mark.parametrize(("how", "expected"), FORGERIES, ids=[how.__name__ for how, _ in FORGERIES])
def test_every_forgery_is_found(
    scene: Scene, tmp_path: Path, how: Callable[[Scene], None], expected: set[str]
) -> None:
    how(scene)
    found = audit(scene, tmp_path / "log")
    assert found & expected, found
    assert found <= expected | {Found.ALTERED, Found.CUT}


@pytest.mark.parametrize("how", [cut, exchange, forge, change_an_entry])
def test_nor_is_it_hidden_by_a_log_that_is_grown_on(
    scene: Scene, tmp_path: Path, how: Callable[[Scene], None]
) -> None:
    """The server goes on with the forged file, and anchors it as it is."""
    how(scene)
    go_on(scene.path, 0, new=1)
    found = audit(scene, tmp_path / "log")
    assert found & {Found.ALTERED, Found.CUT, Found.EXCHANGED}
    forget_the_log(scene)
    found = audit(scene, tmp_path / "other")
    assert found & {Found.SHORT, Found.FORKED}


@pytest.mark.parametrize("at", ["tile/0/000.p", "tile/entries/000.p"])
def test_an_edited_tile_is_found_wherever_it_is_edited(
    scene: Scene, tmp_path: Path, at: str
) -> None:
    directory = tmp_path / "log"
    archived(scene.path, directory)
    (file,) = (directory / at).iterdir()
    good = file.read_bytes()
    for n in range(0, len(good), 7):
        file.write_bytes(good[:n] + bytes([good[n] ^ 1 << n % 8]) + good[n + 1 :])
        with pytest.raises(tiles.BadTile):
            read_archive(directory, scene.trusted)
    file.write_bytes(good)
    read_archive(directory, scene.trusted)


# -- honest use -----------------------------------------------------------------------------------


def _rotated(scene: Scene) -> None:
    with closing(Records(scene.path)) as records:
        rotate(records)
    go_on(scene.path, 1)


def _packed(scene: Scene) -> None:
    with closing(Records(scene.path)) as records:
        list(compact(records))
        for match in records.ids():
            for statements in checks.rebuild_statements(records, match):
                records.write(Work("", (), statements))
        records.write(Work("", (), [("DELETE FROM tiles", ())]))


def _moved(scene: Scene) -> None:
    elsewhere = scene.path.with_name("elsewhere.kifu")
    shutil.copy(scene.path, elsewhere)
    elsewhere.replace(scene.path)
    go_on(scene.path, 1, new=1)


HONEST = (lambda scene: None, lambda scene: go_on(scene.path), _packed, _moved, _rotated)


@pytest.mark.parametrize("how", HONEST)
def test_honest_use_accuses_nobody(
    scene: Scene, tmp_path: Path, how: Callable[[Scene], object]
) -> None:
    how(scene)
    with closing(Records(scene.path, reading=True)) as records:
        trusted = believed(Ledger(records))  # a key that was changed is known by its endorsement
    assert audit(scene._replace(trusted=trusted), tmp_path / "log") == set()
