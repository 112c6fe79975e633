"""`kifu audit`: verdicts, their words and exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from sqlite3 import connect

import pytest
from kifu.v1 import admin_service_pb2
from msgspec.msgpack import encode
from msgspec.structs import replace

from domain.games import rulebook
from domain.record.events import ChanceDrawn
from domain.record.proof import bundle
from domain.record.views import OFFICIAL, PUBLIC
from domain.text.transcript.write import write
from replay_cli import record
from replay_cli.auditing.audit import audit
from replay_cli.auditing.claims import PROVEN, UNPROVEN, WRONG, Claim
from replay_cli.auditing.evidence import Evidence, of_file
from replay_cli.auditing.trust import Trust, head_of
from replay_cli.drawing.heads import head_line
from replay_cli.reaching.connection import Access
from service.store.records import Records, Work
from service.store.tables import access
from tests.playouts import Setup, play
from tests.unit.cli.clis import answer, run
from tests.unit.engine.test_chance import LOG as SHARED
from tests.unit.record.proof.test_bundle import SECRET, bundled
from tests.unit.record.proof.vectors import disclose

NOTHING = Trust()
LOG = play(Setup(5, ("ST01", "ST03")))


def claims(evidence: Evidence, trust: Trust = NOTHING) -> dict[str, Claim]:
    """The claims of an audit by name."""
    found = {claim.name: claim for claim in audit(evidence, trust).claims}
    assert len(found) == len(audit(evidence, trust).claims)
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An official's bundle."""
    path = tmp_path / "m.kifu-proof"
    path.write_text("".join(bundle.lines(bundled(OFFICIAL, LOG))))
    return path


def test_a_head_from_elsewhere_proves_what_leads_to_it(file: Path) -> None:
    proof = bundled(OFFICIAL, LOG).proof
    (evidence,) = of_file(file)
    assert claims(evidence)["unchanged"].verdict == UNPROVEN
    for text in (proof.head.short, proof.head.hash.hex(), proof.head.hash.hex().upper()):
        found = claims(evidence, Trust((head_of(text),)))
        assert found["unchanged"].verdict == PROVEN
        assert found["original"].verdict == PROVEN
    other = claims(evidence, Trust((head_of("1" * 30),)))["unchanged"]
    assert other.verdict == WRONG
    earlier = bundle.check(bundled(OFFICIAL, LOG))[9]
    found = claims(evidence, Trust((head_of(earlier.short),)))
    assert found["unchanged"] == Claim("unchanged", UNPROVEN, found["unchanged"].why, 11)


@pytest.mark.parametrize("text", ["", "123", "x" * 64, "1" * 31])
def test_what_is_no_head(text: str) -> None:
    with pytest.raises(ValueError, match="neither"):
        head_of(text)


def test_a_chain_that_began_later_says_so() -> None:
    whole = bundled(OFFICIAL, LOG, since=12)
    trust = Trust((whole.proof.head.hash.hex(),))
    found = claims(Evidence("x", whole.entries, whole), trust)
    assert found["unchanged"].verdict == PROVEN
    assert found["original"].verdict == UNPROVEN
    assert "chained since entry 12: earlier changes can't be detected" in found["original"].why


def test_a_changed_entry_is_wrong_whatever_is_trusted() -> None:
    whole = bundled(PUBLIC, LOG)
    copy = [*whole.entries]
    copy[40] = replace(copy[40], time=copy[40].time + 1)
    found = claims(Evidence("x", copy, replace(whole, entries=copy)))
    assert found["unchanged"].verdict == WRONG


def test_exit_codes(file: Path, tmp_path: Path) -> None:
    assert "not proven" in run("audit", file, code=3).stdout
    (answer,) = json.loads(run("audit", file, "--json", code=3).stdout)
    assert (answer["exit_code"], answer["entries"]) == (3, len(LOG))
    run("audit", file, "--head", "nonsense", code=2)
    run("audit", file, "other", code=2)
    run("audit", tmp_path / "none", code=2)
    text = file.read_text()
    head = json.loads(text.splitlines()[0])["head"]
    file.write_text(text.replace(head, "0" * 64))
    (answer,) = json.loads(run("audit", file, "--json", code=1).stdout)
    assert answer["claims"][0]["verdict"] == WRONG


def test_readers_refuse_a_file_that_is_not_what_its_proof_says(tmp_path: Path) -> None:
    whole = bundled(OFFICIAL, LOG)
    path = tmp_path / "m.jsonl"
    path.write_text("".join(record.write(whole.entries)) + bundle.as_line(whole))
    assert record.read(path) == whole.entries
    assert "exact" in run("verify", path).stdout
    path.write_text(path.read_text().replace('"time": "', '"time": "1', 1))
    for command in ("verify", "replay"):
        assert "not what its proof says" in run(command, path, code=1).stderr
    assert "wrong" in run("audit", path, code=1).stdout


def test_a_head_below_a_transcript_is_compared_with_the_chain(tmp_path: Path) -> None:
    whole = bundled(PUBLIC, LOG)
    (tmp_path / "m.txt.kifu-proof").write_text("".join(bundle.lines(whole)))
    text = write(whole.entries, rulebook("gundam"))
    for line, verdict in (
        (f"; {head_line(whole.proof.head)}\n", PROVEN), (f"; head 7: {'12345 ' * 6}\n", WRONG),
    ):  # fmt: skip
        (tmp_path / "m.txt").write_text(text + line)
        (evidence,) = of_file(tmp_path / "m.txt")
        assert claims(evidence)["text"].verdict == verdict


def test_what_its_server_found_wrong_stays_with_a_bundle() -> None:
    whole = replace(bundled(PUBLIC, LOG), attached={"broken": "its end was cut"})
    found = claims(Evidence("x", whole.entries, whole), Trust((whole.proof.head.hash.hex(),)))
    assert found["unchanged"].verdict == WRONG
    assert "its end was cut" in found["unchanged"].why


def test_draws_are_rederived_from_all_seeds() -> None:
    found = claims(Evidence("x", SHARED))["chance"]
    assert (found.verdict, found.seq) == (PROVEN, 0)
    assert claims(Evidence("x", LOG))["chance"].verdict == UNPROVEN
    at, drawn = next((at, e) for at, e in enumerate(SHARED) if isinstance(e.event, ChanceDrawn))
    result = replace(drawn.event.result, value=drawn.event.result.value[::-1])
    forged = replace(drawn, event=replace(drawn.event, result=result))
    found = claims(Evidence("x", [*SHARED[:at], forged, *SHARED[at + 1 :]]))["chance"]
    assert (found.verdict, found.seq) == (WRONG, drawn.seq)


def test_the_log_of_access_of_a_file_is_checked_with_its_matches(tmp_path: Path) -> None:
    path = tmp_path / "matches.kifu"
    with closing(Records(path)) as records:
        head = access.Head()
        for n, match in enumerate(("m", "m", "n"), 1):
            line = access.Line(n, n, "Ada", "organiser", match, "entries", "official", 1, "")
            head, statements = access.appended(head, line)
            records.write(Work(match, LOG if match not in records.ids() else (), statements))
    first, second = map(claims, of_file(path))
    assert "with 2 lines about this match" in first["looks"].why
    assert "with 1 lines about this match" in second["looks"].why
    with closing(connect(path)) as file, file:
        file.execute("DELETE FROM access WHERE n=2")
    first, second = map(claims, of_file(path))
    assert first["looks"] == second["looks"] == Claim("looks", WRONG, "line 2 is missing")


def test_each_access_log_is_printed_with_its_head(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Several:
        """A client of servers that share a database: without a match there is no head."""

        def access(self, match: str = "") -> Iterator[admin_service_pb2.AccessLine]:
            for one in "bba":
                yield admin_service_pb2.AccessLine(n=1, who="Ada", match_id=one)

        def check_access(
            self, noted: object = None, match: str = ""
        ) -> admin_service_pb2.CheckAccessResponse:
            found = admin_service_pb2.CheckAccessResponse()
            if match:
                found.head.CopyFrom(admin_service_pb2.AccessHead(n=7, hash=match.encode()))
            return found

    monkeypatch.setattr(Access, "open", lambda self: nullcontext(Several()))
    output = run("audit", "access").stdout
    assert output.count("Ada") == 3
    assert "the logs of access are whole; --check says the head of each" in output
    assert answer("audit", "access", "--check")["heads"] == {"b": "7:62", "a": "7:61"}
    output = run("audit", "access", "--check").stdout
    assert "7:62" in output
    assert "the logs of access are whole, of 2 matches" in output
    assert "the log of access is whole; its head is 7:61" in run("audit", "access", "a").stdout


def test_disclosures_are_shown_and_compared() -> None:
    whole, shown = bundled(PUBLIC, LOG), disclose(LOG[1], 3, SECRET)
    seen = Evidence("x", whole.entries, replace(whole, disclosed=[shown]))
    result = claims(seen)["disclosed"]
    assert result.verdict == PROVEN
    assert result.why.startswith("entry 2 (deck.registered), cards: {")
    for forged in (
        replace(shown, value=encode("else")), replace(shown, salt=bytes(16)),
        replace(shown, seq=3), replace(shown, seq=10**6), replace(shown, field=1),
    ):  # fmt: skip
        seen = Evidence("x", whole.entries, replace(whole, disclosed=[forged]))
        assert claims(seen)["disclosed"].verdict == WRONG


def test_claims_that_rest_on_a_file_alone_are_marked(file: Path) -> None:
    (evidence,) = of_file(file)
    proof = bundled(OFFICIAL, LOG).proof
    assert audit(evidence, NOTHING).rests_on_the_file
    assert not audit(evidence, Trust((proof.head.hash.hex(),))).rests_on_the_file
    rest = "as this file has them"
    assert rest in run("audit", file, code=3).output
    code = audit(evidence, Trust((proof.head.hash.hex(),))).exit_code
    assert rest not in run("audit", file, "--head", proof.head.short, code=code).output
