"""Transcripts by strangers: what they leave out is understood, what can't be so is refused."""

from __future__ import annotations

import re

import pytest

from domain.games import rulebook
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.text.transcript import lines
from domain.text.transcript.lines import BadTranscript
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from tests.playouts import Setup, play
from tests.support.marks import each

HEAD = '[Game "gundam"]\n[DeckA "ST01"]\n[DeckB "ST03"]\n\n'
SETUPS = (Setup(4, ("ST01", "ST03")), Setup(4, ("HX-A", "HX-B")))


def made(text: str) -> list[str]:
    """What a text of a few rows comes to: every answer, those that are implied in brackets."""
    log = read(HEAD + text, rulebook)
    events = [entry.event for entry in log if isinstance(entry.event, DecisionMade)]
    rows = lines.statements(write(log, rulebook("gundam")))
    found = {row.n: row.text for row in rows if isinstance(row, lines.Row)}
    words = [(f"{'AB'[event.seat]} {found[event.n]}", event.origin) for event in events]
    return [f"({seen})" if origin == "implied" else seen for seen, origin in words]


BEGUN = "B first\nB keep\nA keep\n"
UNDERSTOOD = {
    "nothing but the tags": ("", []),
    "a pass of who acts next": (
        f"{BEGUN}B end\nA deploy GM\n",
        ["B first", "B keep", "A keep", "B end", "(A pass)", "(B pass)", "A deploy GM"],
    ),
    "hands that are kept": ("B second\nA end\n", ["B second", "(A keep)", "(B keep)", "A end"]),
    "who chooses, told by who did": ("A first\n", ["A first"]),
    "a verb in short": (f"{BEGUN}B e\nA dep gm\n", ["B first", "B keep", "A keep", "B end",
                                                 "(A pass)", "(B pass)", "A deploy GM"]),
    "an act beside the open decision": (f"{BEGUN}+ A concede\n", ["B first", "B keep", "A keep"]),
    "an act beside a later decision": (
        f"{BEGUN}B end\n6+ B concede\n",
        ["B first", "B keep", "A keep", "B end", "(A pass)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", UNDERSTOOD)
def test_what_is_left_out_is_understood(what: str) -> None:
    text, answers = UNDERSTOOD[what]
    assert made(text) == answers


NONSENSE = {
    "a verb that is none": ("B frist\n", 5, "'frist' is not one of"),
    "a verb that is none, of another decision": (f"{BEGUN}B end\nA deploi GM\n", 9, "'deploi'"),
    "a verb of no decision here": (f"{BEGUN}B keep\n", 8, "keep is no answer to decision 4"),
    "who goes first is not left out": ("A keep\n", 5, "keep is no answer to decision 1"),
    "a card of no list": (f"{BEGUN}B end\nA deploy Zaku Ⅰ\n", 9, "no card here is called"),
    "an act against the rules": (f"{BEGUN}B deploy Sinanju\n", 8, "gcg:"),
    "no turn of a rival's is passed over for it": (
        f"{BEGUN}B deploy Zaku Ⅰ\nB attack Zaku Ⅰ -> player\n",
        9,
        "gcg:",
    ),
    "another opening": ("0 juggle\n", 5, "is no row"),
    "an opening later": (f"0 1:00 open\n{BEGUN}", 5, "1:00.000 can't be"),
    "cards turned up in the opening": (f"0 open {{A hand: GM}}\n{BEGUN}", 5, "was not turned up"),
    "other chance in the opening": (f"0 open {{die: 2 of 2}}\n{BEGUN}", 5, "not called for: die"),
    "more chance in the opening": ("0 open {chooser: 2 of 2} {chooser: 1 of 2}\n", 5, "more was"),
    "chance that gave it to the other": ("0 open {chooser: 1 of 2}\nB first\n", 6, "A's turn"),
    "an act too many": (f"{BEGUN}B end please\n", 8, "please"),
    "two times": ("B 0:05 0:06 first\n", 5, "0:06"),
    "two origins": ("B (seat) (implied) first\n", 5, "implied"),
    "a group of nothing": (f"B first {{A hand: }}\n{BEGUN}", 5, "nothing stands"),
    "a rule that is none": (f'{BEGUN}! 0:01 note who="x" <gcg:99-99>\n', 8, "no rule 'gcg:99-99'"),
    "an official's nonsense": (f'{BEGUN}! 0:01 banana who="x"\n', 8, "'banana' is not one of"),
    "a word that is none": (
        f'{BEGUN}! 0:01 correction who="x"\n!! step.began path="nowhere"\n',
        9,
        "undeclared word",
    ),
    "an act beside, later than it": (f"{BEGUN}3+ B concede\n", 8, "where it belongs"),
}


@pytest.mark.parametrize("what", NONSENSE)
def test_what_can_not_be_so_is_refused_with_its_line(what: str) -> None:
    text, line, why = NONSENSE[what]
    with pytest.raises(BadTranscript, match=why) as bad:
        read(HEAD + text, rulebook)
    assert bad.value.line == line


@pytest.mark.parametrize(
    "tag",
    ['Mode "banana"', "BestOf 2", 'Print "{}"', 'Policy {"no": 1}', 'SeatC "x"', 'Event "x"',
     'Digests {"no": "x"}', 'Result "B 1-0"'],
)  # fmt: skip
def test_a_tag_that_can_not_be_so_is_refused_with_its_line(tag: str) -> None:
    with pytest.raises(BadTranscript) as bad:
        read(f"{HEAD.strip()}\n[{tag}]\n", rulebook)
    assert bad.value.line == 4


# -- groups ----------------------------------------------------------------------------------------


def exported(setup: Setup, viewer: int) -> str:
    return write([redact(entry, viewer) for entry in play(setup)], setup.rules)


SHOWN = re.compile(r"^(.*) \{([AB]) (trash): ([^{}(,]+) \(([\w-]+)\)\}$", re.M)
GROUPS = {
    "another seat's": r"\1 {@ \3: \4 (\5)}",
    "in another zone": r"\1 {\2 hand: \4 (\5)}",
    "in a zone that is none": r"\1 {\2 pocket: \4 (\5)}",
    "of another name": r"\1 {\2 \3: Nobody (\5)}",
    "of another number": r"\1 {\2 \3: \4 (ST99-001)}",
    "twice": r"\1 {\2 \3: \4 (\5)} {\2 \3: \4 (\5)}",
    "twice in one": r"\1 {\2 \3: \4 (\5), \4 (\5)}",
    "one more, unknown": r"\1 {\2 \3: \4 (\5), ????}",
    "nothing": r"\1",
}


@pytest.mark.parametrize("viewer", each(2, [OFFICIAL, PUBLIC]))
@pytest.mark.parametrize("wrong", GROUPS)
def test_a_group_that_is_not_so_is_refused(wrong: str, viewer: int) -> None:
    text = exported(SETUPS[0], viewer)
    found = SHOWN.search(text)
    assert found is not None
    row = found.expand(GROUPS[wrong]).replace("@", "BA"["AB".index(found[2])])
    with pytest.raises(BadTranscript) as bad:
        read(text[: found.start()] + row + text[found.end() :], rulebook)
    assert bad.value.line == text.count("\n", 0, found.start()) + 1


# -- passes ----------------------------------------------------------------------------------------


def without_passes(log: list[Entry], setup: Setup, viewer: int, numbered: bool) -> str:
    """The text with neither times nor rows that say no more than that nothing was done."""
    idle = setup.rules.idle - {"end"}
    found = lines.statements(write([redact(entry, viewer) for entry in log], setup.rules))
    kept: list[lines.Statement] = []
    for one in found:
        if isinstance(one, lines.Tag):
            kept.append(one)
        elif one.shown or one.rolls or one.text.replace(" ", "-") not in idle:
            n = one.n if numbered else 0
            more = {"shown": one.shown, "rolls": one.rolls}
            if one.kind != lines.OPEN:
                kept.append(lines.Row(one.kind, n, one.seat, one.text, **more))
    return lines.text(kept)


@pytest.mark.parametrize("viewer", each(3, [PUBLIC, OFFICIAL, 0]))
@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.decks[0])
def test_all_passes_may_be_left_out(setup: Setup, viewer: int) -> None:
    """In a game of many windows only with numbers: an act goes where it first may."""
    log = play(setup)
    text = without_passes(log, setup, viewer, numbered=setup.decks[0] != "ST01")
    repeated = read(text, rulebook)
    assert len(repeated) == len(log)
    assert answers(repeated) == answers(log)


def test_the_last_passes_are_implied_by_the_result() -> None:
    text = exported(SETUPS[0], PUBLIC)
    rows = re.sub(r"^(\d+ [AB]) \S+ \S+ ", r"\1 ", text, flags=re.M).split("\n")
    while rows[-1].startswith(";") or re.fullmatch(r"(\d+ [AB] (no block|pass))?", rows[-1]):
        rows.pop()
    assert "attack" in rows[-1]
    assert len(read("\n".join(rows), rulebook)) == len(play(SETUPS[0]))
    with pytest.raises(BadTranscript, match="Result is"):
        read("\n".join(rows[:-2]), rulebook)


def answers(log: list[Entry]) -> list[tuple[int, int, Act | None]]:
    made = (redact(entry, PUBLIC).event for entry in log)
    return [(event.n, event.seat, event.act) for event in made if isinstance(event, DecisionMade)]
