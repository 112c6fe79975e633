"""Notes, checkpoints, proofs and policies: published examples, and what is refused."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.record.proof.anchors import checkpoints, leaves, notes, policy, tree
from domain.record.proof.anchors.checkpoints import AnchorProof, Checkpoint
from domain.record.proof.anchors.encoding import Malformed, base64
from domain.record.proof.anchors.notes import COSIGNATURE, BadSignature, Note, SigningKey, fresh
from domain.record.proof.anchors.policy import Standing
from domain.record.proof.chain import Head

#: The example of golang.org/x/mod/sumdb/note.
VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SIGNER = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
SIGNED = (
    f"{TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfq"
    "dngotpRZb6KE6RyyBwJnAM=\n"
)
LOG, CLUB, LEAGUE = (
    fresh(name, bytes([at]) * 32, kind)
    for at, (name, kind) in enumerate(
        [("log.example/cup", 1), ("club.example", COSIGNATURE), ("league.example", COSIGNATURE)]
    )
)
TREE = Checkpoint("log.example/cup", 3, tree.leaf_hash(b"three"))
POLICY = f"""\
# who is believed at the cup
log {LOG.verifier} https://log.example/cup
witness club\t{CLUB.verifier} https://club.example
witness league {LEAGUE.verifier}
group both all club league
quorum both
"""


def signed(*keys: SigningKey, text: str = TREE.text) -> Note:
    return Note(text, tuple(key.sign(text, time=1_700_000_000) for key in keys))


def test_the_published_example_byte_for_byte() -> None:
    key = notes.signing_key(SIGNER)
    assert str(key.verifier) == VERIFIER
    assert key.text == SIGNER
    assert str(Note(TEXT, (key.sign(TEXT),))) == SIGNED
    assert notes.verifier_key(VERIFIER).of(notes.parse(SIGNED))
    assert key.seed.hex() not in repr(key)


@pytest.mark.parametrize("parse", [notes.verifier_key, notes.signing_key])
def test_no_other_text_is_a_key(parse: object) -> None:
    text = VERIFIER if parse is notes.verifier_key else SIGNER
    cut = {text[a:b] for a in range(len(text)) for b in range(a, len(text) + 1)} - {text}
    turned = {text[:n] + chr(ord(c) + 1) + text[n + 1 :] for n, c in enumerate(text)}
    longer = "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY=="
    other = "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    for wrong in (*cut, *turned, longer, other, text + "\n"):
        with pytest.raises(Malformed):
            parse(wrong)  # type: ignore[operator]


@given(st.data())
def test_no_changed_note_is_signed(data: st.DataObject) -> None:
    """Whatever character is changed, taken out or put in."""
    at = data.draw(st.integers(0, len(SIGNED) - 1))
    put = data.draw(st.text(max_size=1))
    changed = SIGNED[:at] + put + SIGNED[at + data.draw(st.integers(0, 1)) :]
    if changed == SIGNED:
        return
    with suppress(Malformed, BadSignature):
        assert notes.verifier_key(VERIFIER).of(notes.parse(changed)) is None


@pytest.mark.parametrize(
    "wrong",
    ["", "\n", TEXT, f"{TEXT}\n", SIGNED[:-1], f"{SIGNED}\n", SIGNED.replace("— ", "-- "),
     SIGNED.replace("\n\n", "\r\n\r\n"), f"{TEXT}\n— a b\n", f"{TEXT}\n— a+b AAAAAAA=\n",
     f"{TEXT}\n— a AAAAAAB=\n", f"{TEXT}\n— a AAAA\n", SIGNED + "— a AAAAAAA=\n" * 100],
)  # fmt: skip
def test_what_is_no_note(wrong: str) -> None:
    with pytest.raises(Malformed):
        notes.parse(wrong)


def test_a_cosignature_is_of_its_time_and_its_key() -> None:
    note = signed(LOG, CLUB)
    found = CLUB.verifier.of(note)
    assert found is not None
    assert found.time == 1_700_000_000
    assert LEAGUE.verifier.of(note) is None
    later = (found.time + 1).to_bytes(8) + found.data[8:]
    with pytest.raises(BadSignature):
        CLUB.verifier.of(Note(note.text, (notes.Signature(found.name, found.id, later),)))
    repeated = Note(note.text, (*note.signatures, CLUB.sign(TREE.text, time=1_700_000_009)))
    assert CLUB.verifier.of(repeated).time == 1_700_000_009  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "wrong", ["", "a\n3\n", "a\n03\n{root}\n", "a\n-1\n{root}\n", "\n3\n{root}\n", "a\n3\nAAAA\n",
              "a\n3\n{root}\n\n", "a\n9223372036854775808\n{root}\n", "a\nthree\n{root}\n"],
)  # fmt: skip
def test_what_is_no_checkpoint(wrong: str) -> None:
    with pytest.raises(Malformed):
        checkpoints.checkpoint(Note(wrong.format(root=base64(TREE.root))))


def test_a_checkpoint_is_read_back() -> None:
    assert checkpoints.checkpoint(signed(LOG)) == TREE
    more = Checkpoint(TREE.origin, 0, tree.EMPTY, ("more", "of it"))
    assert checkpoints.checkpoint(Note(more.text)) == more


LEAF = leaves.Leaf("m1", Head(214, bytes(range(32)), 3))


def test_a_leaf_is_written_as_the_page_says() -> None:
    assert LEAF.encoded() == (
        b"kifu-anchor/1\nmatch m1\ncount 214\n"
        b"head AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\nsince 3\n"
    )
    assert leaves.parse(LEAF.encoded()) == LEAF


@given(st.data())
def test_a_leaf_has_one_form(data: st.DataObject) -> None:
    text = LEAF.encoded()
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.binary(max_size=1)) + text[at + 1 :]
    try:
        read = leaves.parse(changed)
    except Malformed:
        return
    assert read.encoded() == changed


@pytest.mark.parametrize("match", ["", "a b", "a\ncount 1", "\x00"])
def test_no_match_of_such_an_id_is_anchored(match: str) -> None:
    with pytest.raises(Malformed):
        leaves.Leaf(match, LEAF.head).encoded()


def proof() -> AnchorProof:
    entries = [b"one", LEAF.encoded(), b"three"]
    held = tree.held([*map(tree.leaf_hash, entries)])
    checkpoint = Checkpoint(TREE.origin, 3, tree.root(held, 3))
    note = signed(LOG, CLUB, text=checkpoint.text)
    return AnchorProof(entries[1], 1, tuple(tree.inclusion(held, 1, 3)), note)


def test_a_proof_is_one_text_and_needs_nothing_else() -> None:
    text = str(proof())
    read = checkpoints.parse(text)
    assert read == proof()
    assert read.leads
    assert read.parsed == LEAF
    lines = text.split("\n")
    assert lines[0] == "c2sp.org/tlog-proof@v1"
    assert [line.split(" ")[0] for line in lines[1:3]] == ["extra", "index"]
    assert lines[5] == ""
    assert lines[6:8] == ["log.example/cup", "3"]


def test_no_other_text_is_that_proof() -> None:
    text, believed = str(proof()), policy.parse(f"log {LOG.verifier}\nquorum none")
    kept = text.rsplit("\n— ", 1)[0]  # whose witness is believed is not asked here
    for at in range(len(text)):
        for changed in {text[:at] + put + text[at + 1 :] for put in ("", "B")} - {text}:
            with suppress(Malformed):
                read = checkpoints.parse(changed)
                good = read.leads and policy.judge(read.note, believed).good
                assert not good or changed.rsplit("\n— ", 1)[0] == kept


def test_who_is_believed() -> None:
    believed = policy.parse(POLICY)
    assert believed.witnesses["club"].url == "https://club.example"
    full = policy.judge(signed(LOG, CLUB, LEAGUE), believed)
    assert full.good
    assert full.keys == (LOG.verifier,)
    assert set(full.seen) == {"club", "league"}
    for note, standing in {
        signed(LOG, CLUB): Standing.UNSEEN,
        signed(CLUB, LEAGUE): Standing.UNKNOWN_KEY,
        signed(fresh("log.example/cup", b"?" * 32), CLUB, LEAGUE): Standing.UNKNOWN_KEY,
        Note(TREE.text, (signed(LOG, text=TEXT).signatures[0],)): Standing.FORGED,
        signed(LOG, CLUB, LEAGUE, text=Checkpoint("other", 3, TREE.root).text):
            Standing.UNKNOWN_KEY,
    }.items():  # fmt: skip
        assert policy.judge(note, believed).standing == standing


def test_quorums() -> None:
    some = re.sub("group.*\n", "group any 1 club league\n", POLICY).replace("both", "any")
    assert policy.judge(signed(LOG, LEAGUE), policy.parse(some)).good
    alone = re.sub("group.*\n", "", POLICY).replace("quorum both", "quorum club")
    assert not policy.judge(signed(LOG, LEAGUE), policy.parse(alone)).good
    none = re.sub("group.*\n", "", POLICY).replace("quorum both", "quorum none")
    assert policy.judge(signed(LOG), policy.parse(none)).good


@pytest.mark.parametrize(
    "wrong",
    ["", "quorum", "quorum nobody", "log x\nquorum none", "quorum none\nquorum none", "hello\n",
     f"witness none {CLUB.verifier}\nquorum none", f"witness a {LOG.verifier}\nquorum a",
     f"log {CLUB.verifier}\nquorum none", f"log {LOG.verifier}\nlog {LOG.verifier}\nquorum none",
     f"witness a {CLUB.verifier}\nwitness b {CLUB.verifier}\nquorum a",
     f"witness a {CLUB.verifier}\ngroup g 2 a\nquorum g",
     f"witness a {CLUB.verifier}\ngroup g 0 a\nquorum g",
     f"witness a {CLUB.verifier}\ngroup g any\nquorum g",
     f"witness a {CLUB.verifier}\ngroup g all a a\nquorum g",
     f"witness a {CLUB.verifier}\ngroup g any a\ngroup h any a\nquorum h",
     f"witness a {CLUB.verifier}\ngroup g many a\nquorum g", "group g any g\nquorum g"],
)  # fmt: skip
def test_what_is_no_policy(wrong: str) -> None:
    with pytest.raises(Malformed):
        policy.parse(wrong)
