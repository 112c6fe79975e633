"""The log in the file: grown, read again, proven, damaged, its keys changed."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from domain.record.proof.anchors import policy, tree
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.anchors.notes import SigningKey
from domain.record.proof.chain import Head
from service.anchors import keys
from service.anchors.assembly import key_of, rotate
from service.anchors.growth import Tree
from service.anchors.ledger import Ledger, LogBroken
from service.anchors.publishing import OtherLog, publish
from service.identity import BadKey
from service.store.records import Records, StoreError, Work
from tests.support.anchored import archived, believed, judged, read_archive
from tests.support.marks import each


def leaf(n: int) -> Leaf:
    return Leaf(f"m{n % 7}", Head(n + 1, sha256(f"{n}".encode()).digest()))


@cache
def leaves() -> list[Leaf]:
    return [leaf(n) for n in range(70_000)]


@cache
def hashes() -> list[bytes]:
    return [tree.leaf_hash(one.encoded()) for one in leaves()]


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    found = Records(tmp_path / "matches.kifu")
    yield found
    found.close()


def grow(ledger: Ledger, count: int) -> None:
    """Add the next of `leaves`, so many."""
    grown = ledger.grow(leaves()[ledger.tree.size : ledger.tree.size + count])
    ledger.records.write(Work("", (), grown.statements))
    ledger.take(grown)


def ledger_of(records: Records, *counts: int) -> Ledger:
    """The log of a file, to which so many leaves are added each time."""
    found = Ledger(records, key_of(records))
    found.load()
    for count in counts:
        grow(found, count)
    return found


def test_a_tree_that_grows_is_the_tree_of_its_leaves() -> None:
    rng, kept = Random(1), {}
    grown = Tree(0, (), lambda level, number: kept[level, number])
    held = tree.held(hashes())
    while grown.size < len(hashes()):
        step = rng.choice((1, 2, 255, 256, 257, 9999))
        before, grown = grown, grown.grown(hashes()[grown.size : grown.size + step])[0]
        assert grown.root == tree.root(grown.subtrees, grown.size)
        if rng.random() < 0.3:
            assert grown.root == tree.root(held, grown.size)
            proof = tree.consistency(grown.subtrees, before.size, grown.size)
            assert tree.consistent(before.size, before.root, grown.size, grown.root, proof)
    assert grown.root == tree.root(held, len(hashes()))


def test_the_log_is_read_back_as_written(records: Records) -> None:
    counts = (1, 5, 250, 1, 300, 3)
    ledger = ledger_of(records, *counts)
    repeated = ledger_of(records)
    assert (repeated.tree.size, repeated.tree.root) == (ledger.tree.size, ledger.tree.root)
    assert repeated.newest == ledger.newest
    newest, size = ledger.newest, 0
    assert newest is not None
    for count in counts:
        size += count
        old = ledger.of_size(size)
        assert old is not None
        assert judged(ledger, old).good
        assert old.checkpoint.root == tree.root(tree.held(hashes()), size)
        proof = ledger.consistency(size, newest)
        root = old.checkpoint.root
        assert tree.consistent(size, root, newest.checkpoint.size, newest.checkpoint.root, proof)
        assert ledger.proof(size - 1, old).leads
    for index in (0, 255, 256, 559):
        assert ledger.proof(index, newest).parsed == leaves()[index]
    found = ledger.leaf("m3", 200, size)
    assert found is not None
    assert (found[1].match, found[1].count) == ("m3", max(n + 1 for n in range(200) if n % 7 == 3))
    assert ledger.leaf("m3", 3, size) is None
    assert ledger.leaf("nobody", 99, size) is None


def test_a_reader_proves_what_was_added_after_he_opened_the_file(records: Records) -> None:
    ledger_of(records, 300)
    with closing(Records(records.path, reading=True)) as other:
        reader = Ledger(other)
        reader.load()
        grow(ledger_of(records), 300)
        newest = reader.last()
        assert newest is not None
        assert reader.proof(599, newest).leads


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a file whose log has all `leaves`."""
    folder = tmp_path_factory.mktemp("whole")
    with closing(Records(folder / "matches.kifu")) as records:
        ledger_of(records, len(leaves()))
    return folder


def spoil(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql, values)


@pytest.mark.parametrize(
    "how", each(4, ["DELETE FROM tiles WHERE level=0 AND number=1", "DELETE FROM tiles",
                    "UPDATE tiles SET hashes=zeroblob(8192)", "UPDATE tiles SET hashes=x'00'"]),
)  # fmt: skip
def test_damaged_tiles_are_rebuilt(whole: Path, tmp_path: Path, how: str) -> None:
    shutil.copytree(whole, tmp_path / "copy")
    with closing(Records(tmp_path / "copy" / "matches.kifu")) as records:
        _remade(records, how)


def _remade(records: Records, how: str) -> None:
    ledger = ledger_of(records)
    newest = ledger.newest
    assert newest is not None
    spoil(records.path, how)
    for index in (0, 300, 69_999):
        assert ledger.proof(index, newest).leads
    repeated = ledger_of(records)
    for index in (0, 300, 69_999):
        assert repeated.proof(index, newest).leads
    assert repeated.consistency(300, newest)
    grown = repeated.grow([leaf(70_000)])
    records.write(Work("", (), grown.statements))
    repeated.take(grown)
    fresh = ledger_of(records)
    assert fresh._from_tiles(70_001).root == repeated.tree.root


CHANGED = """\
UPDATE leaves SET since=1 WHERE number=7
UPDATE leaves SET count='x' WHERE number=7
UPDATE leaves SET id=NULL WHERE number=7
UPDATE leaves SET head=x'00' WHERE number=559
UPDATE leaves SET number=1000 WHERE number=0
INSERT INTO leaves SELECT 560, id, count, since, head FROM leaves WHERE number=0
DELETE FROM leaves WHERE number=3
DELETE FROM leaves WHERE number=559
DELETE FROM leaves
DELETE FROM checkpoints
UPDATE checkpoints SET root=zeroblob(32)
""".splitlines()


@pytest.mark.parametrize("how", CHANGED)
def test_a_log_with_changed_leaves_is_not_signed(records: Records, how: str) -> None:
    ledger_of(records, 560)
    spoil(records.path, how)
    spoil(records.path, "DELETE FROM tiles")
    with pytest.raises(LogBroken):
        ledger_of(records)


def test_what_nobody_signed_is_never_shown(records: Records) -> None:
    """A leaf that is changed while the log is in memory."""
    ledger = ledger_of(records, 300)
    newest = ledger.newest
    assert newest is not None
    spoil(
        records.path,
        "UPDATE leaves SET head=(SELECT head FROM leaves WHERE number=4) WHERE number=3",
    )
    with pytest.raises(StoreError):
        ledger.proof(3, newest)
    assert ledger.proof(4, newest).leads


# -- keys -----------------------------------------------------------------------------------------


def test_the_key_is_made_once_and_for_its_owner_alone(records: Records) -> None:
    key = key_of(records, "log.example/cup")
    file = keys.key_file(records.path)
    assert key_of(records) == key
    assert file.read_text() == f"{key.text}\n"
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
        file.chmod(0o644)
        with pytest.raises(BadKey):
            key_of(records)
        file.chmod(0o600)
    with pytest.raises(BadKey, match="rotate --name"):
        key_of(records, "log.example/other")
    file.write_text("PRIVATE+KEY+x+00000000+AAAA\n")
    with pytest.raises(BadKey):
        key_of(records)


def test_a_log_that_nobody_named_has_the_name_of_its_machine_and_file(tmp_path: Path) -> None:
    name = keys.default_origin(tmp_path / "grand prix+1.kifu")
    assert name.endswith("/grand-prix-1")
    assert keys.new_key(name).name == name
    with pytest.raises(BadKey):
        keys.new_key("two words")


def test_another_key_signs_along_with_the_one_before_it(records: Records) -> None:
    ledger = ledger_of(records, 5)
    old, new = rotate(records)
    assert old.name == new.name
    assert key_of(records) == new
    note = ledger.last().note  # type: ignore[union-attr]
    assert old.verifier.of(note)
    assert new.verifier.of(note)
    known = ledger.known_keys()
    assert [(one.key, one.size, one.endorsed) for one in known] == [
        (old.verifier, 5, False), (new.verifier, 5, True)]  # fmt: skip
    repeated = ledger_of(records, 3)
    assert repeated.newest is not None
    assert new.verifier.of(repeated.newest.note)
    assert old.verifier.of(repeated.newest.note) is None
    assert ledger.consistency(5, repeated.newest)


def test_a_log_of_another_name_is_another_log(records: Records) -> None:
    ledger_of(records, 5)
    old, new = rotate(records, "log.example/second")
    note = Ledger(records).last().note  # type: ignore[union-attr]
    assert note.text.startswith("log.example/second\n5\n")
    assert old.verifier.of(note) is None
    assert new.verifier.of(note)
    assert [one.endorsed for one in Ledger(records).known_keys()] == [False, False]


def test_a_lost_key_is_replaced_and_the_old_one_stays_listed(records: Records) -> None:
    ledger = ledger_of(records, 5)
    keys.key_file(records.path).unlink()
    assert ledger_of(records, 1).newest is not None
    assert [one.endorsed for one in ledger.known_keys()] == [False, False]
    assert [one.size for one in ledger.known_keys()] == [5, 6]


@pytest.mark.parametrize("step", ["save", "write", "replace", "unlink"])
def test_a_change_of_keys_that_is_broken_off_leaves_one_that_the_log_knows(
    records: Records, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger_of(records, 5)
    was = key_of(records)

    def broken(*args: object, **more: object) -> None:
        raise KeyboardInterrupt

    target, save, unlink = keys.key_file(records.path), keys.save, Path.unlink

    def saved(path: Path, key: SigningKey) -> None:
        broken() if path == target else save(path, key)

    def unlinked(path: Path, missing_ok: bool = False) -> None:
        broken() if path == keys.next_file(records.path) else unlink(path, missing_ok)

    with monkeypatch.context() as patched:
        match step:
            case "save":
                patched.setattr(keys, "save", broken)
            case "write":
                patched.setattr(records, "write", broken)
            case "replace":
                patched.setattr(keys, "save", saved)
            case "unlink":
                patched.setattr(Path, "unlink", unlinked)
        with pytest.raises(KeyboardInterrupt):
            rotate(records)
    now = key_of(records)
    assert (now == was) == (step in ("save", "write"))
    assert not keys.next_file(records.path).exists()
    grown = ledger_of(records, 1)
    assert judged(grown).keys == (now.verifier,)


# -- files ----------------------------------------------------------------------------------------


def test_the_files_are_what_a_stranger_reads(records: Records, tmp_path: Path) -> None:
    directory, ledger = tmp_path / "log", ledger_of(records)
    for count in (1, 200, 55, 1, 300):
        grow(ledger, count)
        assert ledger.newest is not None
        assert publish(ledger, ledger.newest, directory) > 1
        found = read_archive(directory, believed(ledger))
        assert found.entries == [one.encoded() for one in leaves()[: ledger.tree.size]]
    assert publish(ledger, ledger.newest, directory) == 1
    assert not list(directory.rglob(".*"))
    assert archived(records.path, tmp_path / "whole").entries == found.entries


def test_hashes_can_be_published_without_the_leaves(records: Records, tmp_path: Path) -> None:
    ledger = ledger_of(records, 300)
    assert ledger.newest is not None
    publish(ledger, ledger.newest, tmp_path / "log", entries=False)
    assert (tmp_path / "log" / "tile" / "0" / "000").stat().st_size == 8192
    assert not (tmp_path / "log" / "tile" / "entries").exists()


def test_a_store_that_was_rolled_back_does_not_overwrite_what_shows_it(
    records: Records, tmp_path: Path
) -> None:
    ledger, directory = ledger_of(records, 5), tmp_path / "log"
    copy = Records(tmp_path / "copy.kifu")
    keys.save(keys.key_file(copy.path), key_of(records))
    older = ledger_of(copy, 4)
    assert ledger.newest is not None
    publish(ledger, ledger.newest, directory)
    shown = (directory / "checkpoint").read_text()
    assert older.newest is not None
    for _ in range(2):  # shorter, and then longer with other leaves
        with pytest.raises(OtherLog):
            publish(older, older.newest, directory)
        grown = older.grow([leaf(99), leaf(98)])
        copy.write(Work("", (), grown.statements))
        older.take(grown)
    assert (directory / "checkpoint").read_text() == shown
    assert policy.judge(ledger.newest.note, believed(ledger)).good
    copy.close()
