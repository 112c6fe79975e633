"""Dispute pages: what is on them, for whom; they are sound HTML, and nothing gets out of it.

The match was made up to be difficult: its players, labels, cards, notes and rulings are called so
that they would break a page that does not escape them, officials did one thing of each kind, and a
part of it was undone.
"""

from __future__ import annotations

import json
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.engine.match import Deck, Match, Opening
from domain.officials import clocks, rewind, rulings
from domain.officials.frame import Official
from domain.record.entries import Entry, active
from domain.record.schema.policy import Clocks, Policy
from domain.record.views import OFFICIAL, PUBLIC, redact
from replay_cli import record
from replay_cli.dispute import model
from replay_cli.dispute.gather import Wanted, gather
from replay_cli.dispute.page import render
from replay_cli.reaching.source import File
from tests.playouts import AT, Dice, Setup, take_turn
from tests.support.marks import each
from tests.unit.cli.clis import answer, run

EVIL = "</style><script>alert('x')</script>\"'<img src=x onerror=y>&amp;{{7*7}}"
SETUP = Setup(5, ("ST01", "ST03"))
RULES = SETUP.rules
CARD = {"id": "X9-001", "name": EVIL, "type": "unit", "color": "blue", "lv": 1, "cost": 1,
        "ap": 2, "hp": 3}  # fmt: skip
POLICY = Policy(event=EVIL[:60], clocks=Clocks(3_600_000, 1_200_000), replay_evidence="rulings")
VIEWERS = {"official": OFFICIAL, "A": 0, "B": 1, "public": PUBLIC}


def judge(match: Match, why: str = "") -> Official:
    return Official(EVIL, match.pos.time + 10, why or EVIL)


@cache
def difficult() -> tuple[list[Entry], int]:
    """The log, and the decision that officials ruled on."""
    main = [*list(RULES.decks["ST01"]["main"])[:-4], *["X9-001"] * 4]
    decks = (
        Deck(EVIL, {**RULES.decks["ST01"], "main": main}),
        Deck("ST03", RULES.decks["ST03"]),
    )
    opening = Opening(
        (EVIL, "Ben"), decks, AT, labels={"table": EVIL}, policy=POLICY, prints=(json.dumps(CARD),)
    )
    match = Match.open(RULES, opening, Dice(9))
    log: list[Entry] = []
    while match.pos.turn < 5:
        take_turn(match, SETUP)
    log += match.collect()
    about = max(n for n in range(1, match.pos.decisions) if n % 2)
    rulings.note(match, judge(match), "for officials only " + EVIL)
    rulings.look(match, judge(match, "asked by B"), "seat/0")
    clocks.pause(match, judge(match))
    clocks.go_on(match, judge(match))
    for _ in range(6):
        take_turn(match, SETUP)
    log += match.collect()
    match = rewind.rewind(RULES, log, about, judge(match), Dice(9, 99))
    log += match.collect()
    rulings.rule(match, judge(match), EVIL, ("gcg:7-4-1",), decision=about)
    rulings.penalise(match, judge(match), 1, "warning", EVIL)
    while match.pos.turn < 9:
        take_turn(match, SETUP)
    return log + match.collect(), about


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    log, _ = difficult()
    for name, viewer in VIEWERS.items():
        text = "".join(record.write(redact(entry, viewer) for entry in log))
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    return folder


def page(files: Path, eyes: str, file: str = "official", **wanted: Any) -> model.Dispute:
    asked = Wanted(**wanted) if wanted else Wanted(n=difficult()[1])
    return gather(File(files / f"{file}.jsonl", eyes), asked)


# -- HTML ------------------------------------------------------------------------------------------

VOID = {"meta", "br", "link", "img", "input", "hr"}
KNOWN = {
    "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "p", "dl", "dt",
    "dd", "b", "i", "small", "section", "div", "span", "table", "caption", "thead", "tbody", "tr",
    "th", "td", "br", "code", "footer",
}  # fmt: skip
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "scope", "title"}


class Checked(HTMLParser):
    """Reads a page: every element known, closed in order; its text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in KNOWN:
            self.faults.append(f"<{tag}>")
        self.faults += [f"{tag} {name}" for name, _ in attrs if name not in ATTRIBUTES]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def checked(text: str) -> Checked:
    found = Checked()
    found.feed(text)
    found.close()
    assert found.faults == []
    assert found.open == []
    return found


WANTED = [{}, {"turn": 5}, {"entry": 300}, {"n": 1, "acts": (EVIL,)}]


@pytest.mark.parametrize("eyes", VIEWERS)
@pytest.mark.parametrize("wanted", each(3, WANTED))
def test_pages_are_sound_and_nothing_gets_out_of_them(
    files: Path, eyes: str, wanted: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "acts" in wanted:
        monkeypatch.setattr("replay_cli.typed.asked.notation.parse", lambda *a, **k: model)
        monkeypatch.setattr(File, "why_not", _refused)
    text = render(page(files, eyes, **wanted))
    found = checked(text)
    seen = "".join(found.text)
    assert EVIL in seen, "it is shown as it was written"
    assert "<script" not in text
    style = text[text.index("<style>") : text.index("</style>")]
    for outside in ("alert", "url(", "@import", "http"):
        assert outside not in style


def _refused(self: File, n: int, seat: int, act: object, names: object = None) -> Any:
    from replay_cli.reaching.source import Answer

    return Answer(False, EVIL, EVIL, (EVIL,), EVIL)


def test_every_text_of_the_data_is_on_the_page_escaped() -> None:
    """Whatever field holds it: the page is filled with marked texts, field by field."""

    def marked(kind: Any) -> Any:
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            hints = msgspec.structs.fields(kind)
            return kind(*(marked(one.type) for one in hints))
        if kind is str:
            return EVIL
        if kind is int:
            return 3
        if kind is bool:
            return True
        args = [one for one in kind.__args__ if one is not Ellipsis]
        return tuple(marked(one) for one in args) if len(args) > 1 else (marked(args[0]),)

    made = marked(model.Dispute)
    made = replace(
        made,
        verified=replace(made.verified, kind="exact"),
        officials=tuple(replace(one, when="since") for one in made.officials),
        looks=tuple(replace(one, when="before") for one in made.looks),
    )
    text = render(made)
    found = checked(text)
    assert "".join(found.text).count(EVIL) > 50
    assert "<script" not in text
    assert "<img" not in text


# -- what is on them -------------------------------------------------------------------------------


def test_the_same_data_give_the_same_bytes(files: Path) -> None:
    assert render(page(files, "official")) == render(page(files, "official"))


def test_what_was_decided(files: Path) -> None:
    n = difficult()[1]
    whole, public = page(files, "official"), page(files, "public")
    made = [one for one in whole.decisions if one.n == n]
    assert [bool(one.undone) for one in made] == [False, True] or len(made) == 2
    stands = next(one for one in made if not one.undone)
    assert sum(option.taken for option in stands.options) == 1
    assert stands.took > 0
    assert stands.clocks
    assert all(before and after for _, before, after in stands.clocks)
    assert stands.allowed_by
    hidden = next(one for one in public.decisions if not one.undone)
    assert (hidden.took, hidden.clocks, hidden.seq) == (stands.took, stands.clocks, stands.seq)
    if hidden.hidden:
        assert not hidden.options


def test_what_followed_and_why(files: Path) -> None:
    log, n = difficult()
    found = page(files, "official", n=n, choices=9)
    line = {entry.seq for entry in active(log)}
    assert len(found.followed) > 5
    assert all(one.seq in line for one in found.followed)
    seqs = {one.seq for one in found.followed}
    linked = [one for one in found.followed if one.causes]
    assert linked
    assert all(one.causes[0].seq < one.seq for one in linked)
    assert any(one.causes[-1].seq in seqs for one in linked)
    gists = {rule.id: rule.gist for rule in found.rules}
    assert all(gists[cite] for one in found.followed for cite in one.rules)
    short = page(files, "official", n=n)
    assert len(short.followed) < len(found.followed)
    assert "chooses again: decision" in short.ends


def test_an_entry_is_marked_with_all_its_causes(files: Path) -> None:
    found = page(files, "official", entry=300)
    (marked,) = [one for one in found.followed if one.asked_for]
    assert marked.seq <= 300
    assert found.entry == 300
    assert found.decisions[0].opened <= 300


def test_boards_as_each_saw_them(files: Path) -> None:
    whole = page(files, "official")
    assert [one.viewer for one in whole.boards] == ["official", "A", "B", "public"]
    assert [one.viewer for one in page(files, "A").boards] == ["A", "public"]
    assert [one.viewer for one in page(files, "public").boards] == ["public"]
    for board in whole.boards:
        near = board.table.sides[-1].letter
        assert near == ("B" if board.viewer == "B" else "A")
    alone = {one.viewer: one for one in whole.boards}
    for eyes in ("A", "B", "public"):
        for file in ("official", eyes):
            found = page(files, eyes, file)
            assert found.boards[0] == alone[eyes], "the same, from whatever file"
            assert found.boards[-1] == alone["public"]


def test_who_knew_which_card(files: Path) -> None:
    whole = page(files, "official")
    known = {(one.place, one.known_to) for one in whole.knowledge}
    assert ("A's Hand", "player A") in known
    assert ("B's Hand", "player B") in known
    assert ("A's Deck", "no player") in known
    own = {(one.place, one.known_to): one.cards for one in page(files, "A").knowledge}
    assert own[("A's Hand", "player A")]
    assert ("B's Hand", "player B") not in own
    assert all(who != "player A" for _, who in
               {(one.place, one.known_to) for one in page(files, "public").knowledge})  # fmt: skip


def test_what_officials_did(files: Path) -> None:
    whole, public = page(files, "official"), page(files, "public")
    did = {one.what: one for one in whole.officials}
    assert did.keys() >= {"note", "pause", "rewind", "ruling", "penalty"}
    assert did["ruling"].here, "it is about this decision"
    assert (did["ruling"].when, did["ruling"].who) == ("since", EVIL)
    assert did["rewind"].why == EVIL
    (look,) = whole.looks
    assert (look.why, look.who) == ("asked by B", EVIL)
    (seen,) = public.looks
    assert (seen.seq, seen.who, seen.why) == (look.seq, EVIL, "")
    data = msgspec.json.encode(whole).decode()
    assert "for officials only" in data
    for eyes in ("A", "B", "public"):
        assert "for officials only" not in msgspec.json.encode(page(files, eyes)).decode()


def test_the_verdict_is_of_the_record_at_hand(files: Path) -> None:
    assert page(files, "official").verified.kind == "exact"
    assert page(files, "A", "A").verified.kind == "unverified"
    assert page(files, "official").proof == (
        "not proven here: that the record was not changed since it was written",
    )


# -- the command -----------------------------------------------------------------------------------


def test_the_command(files: Path, tmp_path: Path) -> None:
    whole, n = files / "official.jsonl", difficult()[1]
    out = tmp_path / "page.html"
    seen = run(
        "dispute", whole, "--decision", n, "--why-not", "A: block with @1", "-o", out, code=1
    )
    assert "can't be read" in seen.stderr
    seen = run("dispute", whole, "--decision", n, "--why-not", "B: redraw", "-o", out)
    assert f"written to {out}" in seen.stderr
    text = out.read_text("utf-8")
    checked(text)
    assert "only before the game" in text
    printed = run("dispute", whole, "--decision", n, "--why-not", "B: redraw").stdout
    assert printed.rstrip("\n") == text.rstrip("\n")
    data = answer("dispute", whole, "--decision", n, "--why-not", "B: redraw")
    assert data["asked"][0]["reason"] == "ILLEGAL_ACT"
    assert msgspec.convert(data, model.Dispute).title in data["title"]
    assert run("dispute", whole, "--turn", 5, "--as", "public").stdout
    for wrong, code in (
        ((), 2), (("--decision", 3, "--turn", 2), 2), (("--decision", 9999), 3),
        (("--seq", 99999), 3), (("--seq", 1), 3), (("--turn", 99), 3),
        (("--decision", 3, "-o", tmp_path / "no" / "such.html"), 3),
    ):  # fmt: skip
        run("dispute", whole, *wrong, code=code)
    run("dispute", files / "A.jsonl", "--decision", 3, "--as", "B", code=4)


def test_the_data_are_documented_field_by_field() -> None:
    """Programs read them: what is there stays, and what is new is said in DISPUTE.md."""
    pages = (Path(model.__file__).parent / "DISPUTE.md").read_text("utf-8")
    kinds = [kind for kind in vars(model).values() if isinstance(kind, type)]
    kinds = [kind for kind in kinds if issubclass(kind, msgspec.Struct) and kind.__module__ in
             (model.__name__, "replay_cli.drawing.board.table")]  # fmt: skip
    assert len(kinds) > 10
    for kind in kinds:
        for field in kind.__struct_fields__:
            assert f"`{field}`" in pages, f"{kind.__name__}.{field}"
    assert model.FORMAT in pages
    first = ("format", "viewer", "made_for", "title", "entry", "match", "decisions", "boards",
             "followed", "ends", "after", "asked", "knowledge", "officials", "looks", "verified",
             "proof", "rules")  # fmt: skip
    assert model.Dispute.__struct_fields__[: len(first)] == first
