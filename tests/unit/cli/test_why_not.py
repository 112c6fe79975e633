"""`kifu why-not` on files: whose file it is, whose act is meant, and what each may be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.record.events import DecisionMade, DecisionOpened
from domain.record.points import Point
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.telling.record import Record
from replay_cli import record
from replay_cli.reaching.source import owner
from tests.unit.cli.clis import answer, log, run

LOG = log(3)
VIEWERS = {"A": 0, "B": 1, "public": PUBLIC, "official": OFFICIAL}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The match as each viewer exports it."""
    folder = tmp_path_factory.mktemp("files")
    for name, viewer in VIEWERS.items():
        text = "".join(record.write(redact(entry, viewer) for entry in LOG))
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    return folder


def test_whose_a_file_is() -> None:
    for viewer in VIEWERS.values():
        assert owner([redact(entry, viewer) for entry in LOG]) == viewer


def taken(seat: int, kind: str) -> int:
    """A decision at which a seat did something of a kind."""
    return next(
        one.n for one in Record(LOG).decisions
        if one.seat == seat and one.act is not None and one.act.kind == kind
    )  # fmt: skip


def test_a_refusal_uses_only_what_the_asker_saw(files: Path) -> None:
    n = taken(1, "attack")
    data = {
        (name, eyes): answer("why-not", files / f"{name}.jsonl", "--decision", n, "--as", eyes, act)
        for name, viewer in VIEWERS.items()
        for eyes in VIEWERS
        if eyes == "public" or viewer in (OFFICIAL, VIEWERS[eyes])
        for act in ["B: redraw"]
    }
    (one,) = {str(found) for found in data.values()}
    assert "'reason': 'ILLEGAL_ACT'" in one
    end = {
        eyes: answer("why-not", files / "official.jsonl", "--decision", n, "--as", eyes, "B: end")
        for eyes in VIEWERS
    }
    assert [end[eyes]["allowed"] for eyes in ("B", "official", "A", "public")] == [
        True, True, False, False,
    ]  # fmt: skip
    assert end["A"]["reason"] == end["public"]["reason"] == "UNSETTLED"
    assert answer("why-not", files / "B.jsonl", "--decision", n, "end") == end["B"] | {"act": "end"}


def test_whose_act_is_meant(files: Path) -> None:
    n = taken(1, "attack")
    whole = files / "official.jsonl"
    assert answer("why-not", whole, "--decision", n, "end")["seat"] == 1, "who was asked"
    assert answer("why-not", whole, "--decision", n, "a: end")["seat"] == 0
    assert answer("why-not", files / "A.jsonl", "--decision", n, "end")["seat"] == 0, "one's own"
    assert answer("why-not", whole, "end")["decision"] == max(
        e.event.n for e in LOG if isinstance(e.event, DecisionOpened)
    )


def test_what_lies_open_is_settled_for_everybody(files: Path) -> None:
    """That a Unit is active everybody sees, whatever the player whose turn it is may hold."""
    found = Record(LOG)
    for one in found.decisions:
        pos = found.after(found.find(Point(decision=one.n)))
        active = [n for n in pos.zone("battle", 1 - one.seat) if pos.cards[n].orient == "active"]
        if active and one.act is not None and one.act.kind == "attack":
            break
    act = f"{'AB'[one.seat]}: attack @{one.act.card} -> @{active[0]}"
    seen = [
        answer("why-not", files / f"{name}.jsonl", "--decision", one.n, act) for name in VIEWERS
    ]
    assert seen[0]["reason"] in ("ILLEGAL_ACT", "BAD_PICKS")
    assert seen[0]["rules"]
    assert all(data == seen[0] for data in seen)


def test_explanations_agree_with_what_happened(files: Path) -> None:
    """What was taken is allowed, and a file is not changed by asking."""
    whole = files / "official.jsonl"
    before = whole.read_bytes()
    asked = [e.event for e in LOG if isinstance(e.event, DecisionMade)]
    texts = {"pass", "end", "keep"}
    kinds = {one.n: one.act.kind for one in Record(LOG).decisions if one.act is not None}
    some = [event for event in asked if kinds.get(event.n) in texts][::25]
    assert some
    for event in some:
        act = f"{'AB'[event.seat]}: {kinds[event.n]}"
        assert answer("why-not", whole, "--decision", event.n, act)["allowed"]
    assert whole.read_bytes() == before


def test_for_people(files: Path) -> None:
    found = Record(LOG)
    held = found.after(found.find(Point(decision=3))).zone("hand", 0)[0]
    data = run("why-not", files / "A.jsonl", "--decision", 3, f"block with @{held}").stdout
    assert "decision 3, player" in data
    assert "gcg:7-4-1" in data
    assert "The non-turn player may activate Blocker" in data
    allowed = run("why-not", files / "official.jsonl", "--decision", taken(0, "pass"), "pass")
    assert "nothing forbade it" in allowed.stdout


def test_what_can_t_be_asked(files: Path) -> None:
    whole = files / "official.jsonl"
    assert "no decision 9999" in run("why-not", whole, "--decision", 9999, "pass", code=3).stderr
    assert "can't be read" in run("why-not", whole, "deploy Nobody", code=1).stderr
    assert "say what" in run("why-not", code=2).stderr
    seen = run("why-not", files / "A.jsonl", "--as", "B", "pass", code=4).stderr
    assert "does not show what they saw" in seen
