"""A bundle that contradicts itself is wrong without any key: to us and to the other verifier."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.record.proof import bundle
from domain.record.proof.anchors import checkpoints
from domain.record.proof.anchors.checkpoints import AnchorProof
from domain.record.proof.bundle import BadBundle, Bundle
from domain.record.views import OFFICIAL, PUBLIC
from replay_cli.auditing.audit import audit
from replay_cli.auditing.claims import NOT_ALL, NOT_ASKED, WRONG
from replay_cli.auditing.evidence import Evidence
from replay_cli.auditing.trust import Trust, archive_in
from tests.support.marks import each
from tests.unit.cli.clis import answer, run
from tests.unit.cli.test_audit import LOG
from tests.unit.cli.test_audit_anchors import BELIEVED, laid, leaf
from tests.unit.record.proof.test_bundle import bundled
from tests.unit.record.proof.test_independent import accepted_by_other

N = 60
#: The claims about proofs, without play by the rules.
OF_PROOFS = {"unchanged", "original", "disclosed", "complete"}
LEAVES = [leaf("m", 20), leaf("n", 30), leaf("m", N), leaf("o", N), leaf("m", N + 1)]


def anchored(viewer: int, count: int, anchor: object) -> str:
    """A copy of the first entries, chained as they are, with an anchor."""
    whole = replace(bundled(viewer, LOG[:count]), attached={"anchor": str(anchor)})
    return "".join(bundle.lines(whole))


def contradictions(viewer: int, proofs: list[AnchorProof]) -> Iterator[tuple[str, str]]:
    """Bundles that contradict themselves, with any author and any signatures."""
    own = proofs[2]
    for count in (1, 19, 20, 21, N - 1):
        yield f"the end cut after {count}, chained anew", anchored(viewer, count, own)
    for at, other in enumerate(proofs):
        if at in (1, 3):
            yield "the anchor of another match", anchored(viewer, N, other)
    yield "an anchor of more entries", anchored(viewer, N, proofs[4])
    for at, hash_ in enumerate(own.hashes):
        spoilt = [*own.hashes]
        spoilt[at] = bytes([hash_[0] ^ 1]) + hash_[1:]
        yield "a hash of the path", anchored(viewer, N, replace(own, hashes=tuple(spoilt)))
        without = (*own.hashes[:at], *own.hashes[at + 1 :])
        yield "a hash of the path left out", anchored(viewer, N, replace(own, hashes=without))
    for index in range(len(proofs)):
        if index != own.index:
            yield "another place", anchored(viewer, N, replace(own, index=index))
    for text in (leaf("m", N, "x"), own.leaf.replace(b"count 60", b"count 59")):
        yield "another leaf", anchored(viewer, N, replace(own, leaf=text))
    lines = anchored(viewer, N, own).splitlines(keepends=True)
    for at in range(len(lines) - 1):  # without its anchor it claims less
        yield f"line {at + 1} dropped", "".join([*lines[:at], *lines[at + 1 :]])
    yield "the end of the last line", "".join(lines)[:-1]


@pytest.mark.parametrize("viewer", each(3, [OFFICIAL, PUBLIC, 0]))
def test_what_contradicts_itself_is_wrong_without_a_key(viewer: int, tmp_path: Path) -> None:
    laid(tmp_path, LEAVES)
    archive = archive_in(tmp_path, BELIEVED)
    proofs = [archive.proof(at) for at in range(len(LEAVES))]
    whole = anchored(viewer, N, proofs[2])
    assert not _wrong(whole)
    assert accepted_by_other(whole)
    for how, text in contradictions(viewer, proofs):
        assert _wrong(text), how
        assert not accepted_by_other(text), how


def _wrong(text: str) -> bool:
    try:
        found: Bundle = bundle.read(text)
    except BadBundle:
        return True
    report = audit(Evidence("x", found.entries, found), Trust())
    return any(claim.verdict == WRONG for claim in report.claims if claim.name in OF_PROOFS)


def test_an_anchor_is_read_as_it_is_written(tmp_path: Path) -> None:
    laid(tmp_path, LEAVES)
    proof = archive_in(tmp_path, BELIEVED).proof(2)
    assert checkpoints.parse(str(proof)) == proof


@pytest.mark.long
def test_a_players_copy_can_be_proven_whole_and_no_export_takes_its_place(tmp_path: Path) -> None:
    data, copy, text = (tmp_path / name for name in ("d.kifu", "own.kifu-proof", "m.txt"))
    run("demo", "-d", data)
    run("export", "-d", data, "--as", "B", "-o", copy)
    key = run("audit", "key", "-d", data).stdout.strip()
    run("audit", copy, code=NOT_ALL)
    (report,) = answer("audit", copy, "--key", key)
    verdicts = {claim["name"]: claim["verdict"] for claim in report["claims"]}
    assert {name for name, verdict in verdicts.items() if verdict == NOT_ASKED} == {
        "engine", "chance",
    }  # fmt: skip
    before = copy.read_bytes()
    for options in (("--as", "A"), ("--as", "public"), ()):
        refused = run("export", "-d", data, *options, "-o", copy, code=1).stderr
        assert "evidence of another export" in refused
    run("export", "-d", data, "--as", "B", "-o", copy)  # the same may be written again
    assert copy.read_bytes() == before
    for options in (("--as", "public", "--proof"), ("--as", "public")):
        run("export", "-d", data, *options, "-o", text)
        run("audit", text, "--key", key)
    run("export", "-d", data, "--as", "A", "-o", text, code=1)
    run("audit", text, "--key", key)
