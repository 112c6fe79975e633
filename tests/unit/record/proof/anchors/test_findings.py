"""What anchors say of records and logs: each forgery is found, and nothing else is called one."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import pytest
from msgspec.structs import replace

from domain.record.proof.anchors import findings, policy, tiles, tree
from domain.record.proof.anchors.checkpoints import Checkpoint
from domain.record.proof.anchors.findings import Archive, Found
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.anchors.notes import Note, fresh
from domain.record.proof.anchors.policy import Judged
from domain.record.proof.anchors.tiles import BadTile
from domain.record.proof.chain import Head

LOG, OTHER = fresh("log.example/cup", b"l" * 32), fresh("log.example/cup", b"o" * 32)
BELIEVED = policy.parse(f"log {LOG.verifier}\nquorum none")
MATCHES = ("a", "b", "c")


def hash_at(match: str, count: int, expected: str = "") -> bytes:
    """The head of a made-up match after so many entries; another, where it was told otherwise."""
    return sha256(f"{match} {count} {expected}".encode()).digest()


#: Three matches that are anchored in turn, every fifth entry; two leaves are nobody's.
ENTRIES = [
    *(
        Leaf(match, Head(count, hash_at(match, count))).encoded()
        for count in range(5, 1000, 5)
        for match in MATCHES
    ),
    b"what a later version writes",
    b"",
]


def judged(entries: list[bytes], key: object = LOG) -> Judged:
    root = tree.root(tree.held([*map(tree.leaf_hash, entries)]), len(entries))
    text = Checkpoint(LOG.name, len(entries), root).text
    return policy.judge(Note(text, (key.sign(text),)), BELIEVED)  # type: ignore[attr-defined]


def files(entries: list[bytes]) -> dict[str, bytes]:
    """A log's directory."""
    held = tree.held([*map(tree.leaf_hash, entries)])
    found = {}
    for level, number, wide in tiles.needed(len(entries)):
        first = number * 256
        hashes = (held(level * 8, first + at) for at in range(wide))
        found[tiles.path(level, number, wide)] = b"".join(hashes)
        if not level:
            bundle = tiles.bundle(entries[first : first + wide])
            found[tiles.path("entries", number, wide)] = bundle
    return found


WHOLE = judged(ENTRIES)


def test_a_log_is_read_from_its_files() -> None:
    log = findings.archive(WHOLE, files(ENTRIES).get)
    assert log.entries == ENTRIES
    assert [leaf.count for leaf in log.of("a")] == list(range(5, 1000, 5))
    for size in (0, 1, 3, 255, 256, 257, len(ENTRIES)):
        older = judged(ENTRIES[:size])
        assert log.since(older) is None
        proof = tree.consistency(tree.held([*map(tree.leaf_hash, ENTRIES)]), size, len(ENTRIES))
        assert findings.compare(older, WHOLE, proof) is None
        assert findings.compare(WHOLE, older, proof) is None


def test_files_of_a_log_that_has_grown_are_those_of_the_older_one_too() -> None:
    """Full tiles take the place of parts."""
    older = judged(ENTRIES[:300])
    grown = {name: data for name, data in files(ENTRIES).items() if ".p/" not in name}
    partial = {name: data for name, data in files(ENTRIES[:300]).items() if "/0" in name}
    log = findings.archive(older, {**partial, **grown}.get)
    assert log.entries == ENTRIES[:300]


def test_every_changed_or_missing_file_is_found() -> None:
    for name, data in files(ENTRIES).items():
        for wrong in (data[:-1], data[:9] + bytes([data[9] ^ 1]) + data[10:], b"", None):
            changed = {**files(ENTRIES), name: wrong}
            with pytest.raises(BadTile):
                findings.archive(WHOLE, changed.get)


@pytest.mark.parametrize("at", [0, 1, 100, 499])
@pytest.mark.parametrize("how", ["dropped", "exchanged", "altered", "put in"])
def test_a_log_whose_past_was_changed_is_forked(at: int, how: str) -> None:
    older, entries = judged(ENTRIES[:500]), list(ENTRIES)
    match how:
        case "dropped":
            del entries[at]
        case "exchanged":
            entries[at : at + 2] = entries[at : at + 2][::-1]
            if at == 499:
                entries[at - 1 : at + 1] = entries[at - 1 : at + 1][::-1]
        case "altered":
            entries[at] = Leaf("a", Head(5, hash_at("a", 5, "otherwise"))).encoded()
        case "put in":
            entries.insert(at, entries[at + 4])
    now = judged(entries)
    found = Archive(now, entries).since(older)
    assert found is not None
    assert found.found == Found.FORKED
    assert found.notes == (str(older.note), str(now.note))
    held = tree.held([*map(tree.leaf_hash, entries)])
    for proof in (None, tree.consistency(held, 500, len(entries))):
        unproven = findings.compare(older, now, proof)
        assert unproven is not None
        assert unproven.found == Found.NOT_SHOWN


def test_two_roots_of_one_size_are_a_fork_and_a_shorter_log_is_short() -> None:
    older = judged(ENTRIES[:500])
    forged = [*ENTRIES[:499], b"another"]
    found = findings.compare(older, judged(forged))
    assert found is not None
    assert found.found == Found.FORKED
    short = Archive(judged(ENTRIES[:400]), ENTRIES[:400]).since(older)
    assert short is not None
    assert (short.found, short.sizes) == (Found.SHORT, (500, 400))


def test_another_key_and_another_log_accuse_nobody() -> None:
    stranger = judged(ENTRIES[:500], OTHER)
    doubt = findings.doubted(stranger)
    assert doubt is not None
    assert doubt.found == Found.UNKNOWN_KEY
    assert findings.doubted(WHOLE) is None
    elsewhere = Judged(WHOLE.standing, Checkpoint("elsewhere", 3, tree.EMPTY), Note("elsewhere\n"))
    found = findings.compare(elsewhere, WHOLE)
    assert found is not None
    assert found.found == Found.OTHER_LOG


def test_a_log_of_another_name_is_held_to_what_the_one_before_had() -> None:
    for size in (0, 3, 500):
        was = judged(ENTRIES[:size])
        named = Judged(was.standing, replace(was.checkpoint, origin="elsewhere"), was.note)
        assert Archive(WHOLE, ENTRIES).since(named) is None
        other = replace(named.checkpoint, root=bytes(32))
        for kept, log in (
            (replace(named, checkpoint=other), ENTRIES),
            (named, [b"another", *ENTRIES[1:]]),
            (named, ENTRIES[: size - 1]),
        ):
            if size:
                found = Archive(judged(log), log).since(kept)
                assert found is not None
                assert found.found == Found.REPLACED


def test_a_proof_shows_its_leaf_and_no_other() -> None:
    log = Archive(WHOLE, ENTRIES)
    proof = log.proof(100)
    leaf, finding = findings.shown(proof, BELIEVED)
    assert finding is None
    assert leaf is not None
    assert leaf.encoded() == ENTRIES[100]
    other = type(proof)(ENTRIES[101], 100, proof.hashes, proof.note)
    leaf, finding = findings.shown(other, BELIEVED)
    assert leaf is None
    assert finding is not None
    assert finding.found == Found.NOT_SHOWN


def record(match: str, count: int, expected: str = "", since: int = 0) -> Mapping[int, bytes]:
    """The chain of a record, which was told otherwise after entry `since`."""
    return {n: hash_at(match, n, expected if n > since else "") for n in range(1, count + 1)}


def test_what_a_log_says_of_a_record() -> None:
    seen = Archive(WHOLE, ENTRIES).of("a")
    assert findings.counts(seen) == set(range(5, 1000, 5))
    for count in (995, 996, 2000):
        assert findings.against(seen, count, record("a", count)) is None
    for count, hashes, expected in (
        (994, record("a", 994), Found.CUT),
        (1, record("a", 1), Found.CUT),
        (0, {}, Found.CUT),
        (1000, record("a", 1000, "otherwise"), Found.ALTERED),
        (1000, record("a", 1000, "otherwise", since=994), Found.ALTERED),
        (900, record("a", 900, "otherwise", since=300), Found.CUT),
    ):
        found = findings.against(seen, count, hashes)
        assert found is not None
        assert found.found == expected
        assert found.leaf is not None
        assert found.sizes[1] == count
    assert findings.against(seen, 1000, record("a", 1000, "otherwise", since=995)) is None
    unknown = findings.against((), 7, record("z", 7))
    assert unknown is not None
    assert unknown.found == Found.UNANCHORED


def test_whose_record_it_is_when_matches_were_exchanged() -> None:
    log = Archive(WHOLE, ENTRIES)

    def named(match: str, _: set[int]) -> Mapping[int, bytes]:
        """The record of b: taken for any other match's it has other hashes."""
        return record(match, 1000, "" if match == "b" else "as another's")

    whose = findings.owner(log, 1000, named)
    found = findings.against(log.of("a"), 1000, named("a", set()), lambda: whose)
    assert found is not None
    assert (found.found, found.match) == (Found.EXCHANGED, "b")
    assert findings.owner(log, 1000, lambda match, _: record(match, 1000, "forged")) == ""
