"""`kifu audit` with checkpoints: what a signed log says of a record, and of forgeries of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.record.proof import bundle
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.anchors.notes import SigningKey
from domain.record.proof.anchors.policy import Judged, Policy
from domain.record.proof.bundle import Bundle
from domain.record.proof.chain import Head, chained, genesis
from domain.record.views import OFFICIAL, PUBLIC
from replay_cli.auditing.audit import audit
from replay_cli.auditing.claims import PROVEN, UNPROVEN, WRONG, Report
from replay_cli.auditing.evidence import Evidence, of_file
from replay_cli.auditing.trust import Trust, archive_in
from replay_cli.output import Failed
from service.anchors.ledger import Ledger
from service.store import chains
from service.store.derived import listing
from service.store.records import Records, Work
from tests import independent_verifier
from tests.unit.cli.clis import run
from tests.unit.cli.test_audit import LOG
from tests.unit.record.proof.anchors.test_findings import LOG as KEY
from tests.unit.record.proof.anchors.test_findings import OTHER, files, judged
from tests.unit.record.proof.test_bundle import SECRET, bundled
from tests.unit.record.proof.test_independent import accepted_by_other

BELIEVED = Policy((KEY.verifier,))


def leaf(match: str, count: int, expected: str = "") -> bytes:
    """What is anchored of a match after so many entries; of the same entries, whatever its id."""
    before = genesis(match, LOG[0].event)  # type: ignore[arg-type]
    entries = LOG[:count]
    if expected:
        entries = [*entries[:-1], replace(entries[-1], cites=(expected,))]
    return Leaf(match, chained(before, entries, SECRET)).encoded()


def cut(viewer: int, count: int) -> Bundle:
    """A viewer's bundle of the first entries."""
    return bundled(viewer, LOG[:count])


def laid(folder: Path, leaves: Sequence[bytes], key: object = KEY) -> Judged:
    """A log as files."""
    found = judged(list(leaves), key)
    for name, data in {**files(list(leaves)), "checkpoint": str(found.note).encode()}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return found


def verdict(whole: Bundle, trust: Trust, name: str = "complete") -> tuple[str, str]:
    (found,) = (
        claim for claim in audit(Evidence("x", whole.entries, whole), trust).claims
        if claim.name == name
    )  # fmt: skip
    return found.verdict, found.why


LEAVES = [leaf("m", 20), leaf("n", 30), leaf("m", len(LOG))]


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC, 0])
def test_a_log_says_that_a_record_is_whole(viewer: int, tmp_path: Path) -> None:
    older = judged(LEAVES[:1])
    laid(tmp_path, LEAVES)
    trust = Trust((), BELIEVED, [older], archive_in(tmp_path, BELIEVED))
    for name in ("complete", "unchanged"):
        assert verdict(bundled(viewer, LOG), trust, name)[0] == PROVEN
    found = verdict(cut(viewer, 25), trust)
    assert found[0] == WRONG
    assert found[1] == f"cut after entry 25; the log has {len(LOG)}"
    grown = verdict(bundled(viewer, LOG), Trust((), BELIEVED, (), _log(tmp_path, LEAVES[:2])))
    assert grown[0] == UNPROVEN
    assert "up to entry 20" in grown[1]


def _log(folder: Path, leaves: Sequence[bytes]) -> object:
    there = folder / "other"
    laid(there, leaves)
    return archive_in(there, BELIEVED)


def test_other_records_are_found(tmp_path: Path) -> None:
    whole = bundled(OFFICIAL, LOG)
    for leaves, why in (
        ([leaf("m", 20, "x")], "not what was anchored"),
        ([leaf("n", 20)], "says nothing of this match"),
        ([leaf("m", 20, "x"), leaf("o", 25), leaf("o", 40)], "the record of match o"),
    ):
        found = verdict(whole, Trust((), BELIEVED, (), _log(tmp_path, leaves)))  # type: ignore[arg-type]
        assert why in found[1]
        assert found[0] == (UNPROVEN if "nothing" in why else WRONG)
        if found[0] == WRONG:
            trust = Trust((), BELIEVED, (), _log(tmp_path, leaves))  # type: ignore[arg-type]
            assert verdict(whole, trust, "unchanged")[0] == WRONG


def test_a_log_that_was_rolled_back_or_forged_is_found(tmp_path: Path) -> None:
    older = judged(LEAVES)
    for leaves, why in (
        (LEAVES[:2], "rolled back"), ([LEAVES[0], LEAVES[2], LEAVES[1]], "can't both be true"),
    ):  # fmt: skip
        trust = Trust((), BELIEVED, [older], _log(tmp_path, leaves))  # type: ignore[arg-type]
        found = verdict(bundled(OFFICIAL, LOG), trust)
        assert found[0] == WRONG
        assert why in found[1]
    laid(tmp_path, LEAVES, OTHER)
    with pytest.raises(Failed, match="not signed by a log that you trust"):
        archive_in(tmp_path, BELIEVED)


def test_an_anchor_in_a_bundle(tmp_path: Path) -> None:
    laid(tmp_path, LEAVES)
    proof = archive_in(tmp_path, BELIEVED).proof(2)
    whole = replace(bundled(PUBLIC, LOG), attached={"anchor": str(proof)})
    assert verdict(whole, Trust((), BELIEVED))[0] == PROVEN
    assert verdict(whole, Trust((), BELIEVED), "unchanged")[0] == PROVEN
    assert verdict(whole, Trust())[0] == UNPROVEN
    assert "(--key)" in verdict(whole, Trust())[1]
    spoilt = str(replace(proof, hashes=(bytes(32),)))
    for text, wanted in (
        (spoilt, WRONG),
        ("x", WRONG),
        (str(proof).replace("index 2", "index 1"), WRONG),
    ):
        other = replace(whole, attached={"anchor": text})
        assert verdict(other, Trust((), BELIEVED))[0] == wanted
        assert not _accepted(other, KEY)
        assert verdict(other, Trust())[0] == WRONG  # whoever signed it
    for first, leaves in (("m", [leaf("m", 20, "x")]), ("m", [leaf("m", len(LOG))]),
                          ("n", [leaf("n", 20)])):  # fmt: skip
        proof_of = _log(tmp_path, leaves).proof(0)  # type: ignore[attr-defined]
        short = replace(cut(PUBLIC, 30), attached={"anchor": str(proof_of)})
        assert verdict(short, Trust())[0] == WRONG, first
        assert not accepted_by_other("".join(bundle.lines(short)))
    assert _accepted(whole, KEY)
    assert not _accepted(whole, OTHER)
    assert not _accepted(replace(whole, attached={}), KEY)
    older = archive_in(tmp_path, BELIEVED).proof(0)
    assert not _accepted(replace(whole, attached={"anchor": str(older)}), KEY)
    of_another = archive_in(tmp_path, BELIEVED).proof(1)
    assert not _accepted(replace(whole, attached={"anchor": str(of_another)}), KEY)
    forked = judged([LEAVES[0], LEAVES[2], LEAVES[1]])
    assert verdict(whole, Trust((), BELIEVED, [forked]))[0] == WRONG


def _accepted(whole: Bundle, key: SigningKey) -> bool:
    """Whether the independent verifier takes a bundle up to its last entry by a log's key."""
    try:
        independent_verifier.verify("".join(bundle.lines(whole)), [str(key.verifier)])
    except (independent_verifier.Refused, *independent_verifier.FORM):
        return False
    return True


def test_on_the_command_line(tmp_path: Path) -> None:
    log = tmp_path / "log"
    laid(log, LEAVES)
    file, older = tmp_path / "m.kifu-proof", tmp_path / "older"
    file.write_text("".join(bundle.lines(bundled(OFFICIAL, LOG))))
    older.write_text(str(judged(LEAVES[:2]).note))
    key = str(KEY.verifier)
    output = run("audit", file, "--log", log, "--key", key, "--checkpoint", older, code=3).stdout
    assert "proven      nothing is missing" in output
    (tmp_path / "policy").write_text(f"log {key}\nquorum none\n")
    run("audit", file, "--log", log, "--policy", tmp_path / "policy", code=3)
    assert "not signed by a log that you trust" in run("audit", file, "--log", log, code=1).stderr
    assert "can't be read" in run("audit", file, "--key", "x", code=2).stderr
    run("audit", file, "--checkpoint", file, code=1)


def test_the_log_of_a_file_is_believed_against_it_and_for_it_by_its_key(tmp_path: Path) -> None:
    path = tmp_path / "matches.kifu"
    for expected, wanted in (("", PROVEN), ("x", WRONG)):
        path.unlink(missing_ok=True)
        with closing(Records(path)) as records:
            records.write(Work("m", LOG, listing.derive("m", LOG)))
            head = chains.head(records, "m")
            assert head is not None
            ledger = Ledger(records, SigningKey(KEY.name, KEY.seed))
            ledger.load()
            output = Leaf(
                "m", Head(head.seq, sha256(expected.encode()).digest()) if expected else head
            )
            grown = ledger.grow([output, Leaf("gone", head)])
            records.write(Work("", (), grown.statements))
        by_key = [audit(one, Trust((), BELIEVED)) for one in of_file(path)]
        without = [audit(one, Trust()) for one in of_file(path)]
        assert _verdicts(by_key[0])["complete"] == wanted
        assert _verdicts(by_key[0])["unchanged"] == wanted
        assert _verdicts(without[0])["complete"] == (WRONG if expected else UNPROVEN)
        assert _verdicts(without[0])["unchanged"] == (WRONG if expected else UNPROVEN)
        assert by_key[1].claims[0].verdict == WRONG
        assert f"cut after entry 0; the log has {len(LOG)}" in by_key[1].claims[0].why


def _verdicts(report: Report) -> dict[str, str]:
    return {claim.name: claim.verdict for claim in report.claims}
