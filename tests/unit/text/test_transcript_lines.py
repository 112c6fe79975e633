"""The lines of a transcript: strict as they are written, lenient as they are read."""

from __future__ import annotations

import pytest

from domain.text.transcript.lines import (
    ANSWER,
    ASIDE,
    ENTRY,
    INTERVENTION,
    OPEN,
    REWIND,
    BadTranscript,
    Note,
    Roll,
    Row,
    Shown,
    Tag,
    clock,
    line_of,
    milliseconds,
    statements,
    text,
)

ROWS = [
    Row(OPEN, text="open", rolls=(Roll("chooser", 2, (1,)),)),
    Row(ANSWER, 57, 0, "attack GM -> player", 62_350, 3200, 1_041_000),
    Row(ANSWER, 58, 1, "no block", 63_000, 650, -40, "implied", gone=True),
    Row(ASIDE, 59, 1, "reorder trash GM, Leo", 65_000),
    Row(
        ANSWER, 60, 0, "command White Base", 66_000, 0,
        shown=(Shown("shield/1", ("Leo (ST02-007)", "????")), Shown("exile", ("GM (ST01-005)",))),
        rolls=(Roll("order", 3, (2, 0, 1)),),
    ),
    Row(ANSWER, 61, 0, 'declare GM text [{"do": "draw",\n "x": {"n": 2}}] \\', 67_000, 10),
    Row(
        INTERVENTION, text="penalty", time=68_000, cites=("house:penalty", "house:official"),
        facts={"who": "Jo = J", "why": "a {b: c} <d> \n e", "loses": 0},
        shown=(Shown("hand/0", ("????",)),),
    ),
    Row(ENTRY, text="cards.known", facts={"n": 1, "cards": [-1, [[3, "X"]]]}, cites=("a:b",)),
    Row(REWIND, time=70_000, facts={"to": 163, "decision": 17}, cites=("house:rewind",)),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.kind)
def test_what_is_written_reads_back(row: Row) -> None:
    line = line_of(row)
    assert "\n" not in line
    (repeated,) = statements(line)
    assert isinstance(repeated, Row)
    assert line_of(repeated) == line
    assert (repeated.kind, repeated.n, repeated.text.strip()) == (row.kind, row.n, row.text.strip())
    assert (repeated.shown, repeated.rolls, repeated.facts) == (row.shown, row.rolls, row.facts)
    assert (repeated.time, repeated.taken, repeated.left) == (row.time, row.taken, row.left)


def test_tags_come_first_and_comments_are_for_people() -> None:
    whole = text([Tag("Game", "toy"), Tag("BestOf", 3), Note("turn 1, A"), ROWS[1]])
    assert whole.split("\n")[:4] == ['[Game "toy"]', "[BestOf 3]", "", "; turn 1, A"]
    assert whole.endswith("player\n")
    assert [type(one) for one in statements(whole)] == [Tag, Tag, Row]


@pytest.mark.parametrize(
    "line",
    [
        "57 A 1:02.350 +0:03.200 =17:21.000 attack GM -> player",
        "  57. a   62.35  =17:21  +3.2  attack GM -> player  ",
        "57 A: 0:01:02.35 +3.2 =0:17:21 attack GM -> player",
    ],
)
def test_spacing_case_and_times_are_read_leniently(line: str) -> None:
    (row,) = statements(f"\ufeff# a remark\r\n\r\n{line}\r\n; another\r")
    assert isinstance(row, Row)
    assert row.line == 3
    assert line_of(row) == line_of(ROWS[1])


def test_a_row_may_say_very_little() -> None:
    (row,) = statements("B: no block")
    assert isinstance(row, Row)
    assert (row.kind, row.n, row.seat, row.text, row.time) == (ANSWER, 0, 1, "no block", None)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("[Game toy]", "no JSON value"),
        ("[Game", "no tag"),
        ("12 A", "an act are missing"),
        ("attack GM", "a seat's letter"),
        ("12 A pass {Nowhere at all: GM}", "no place"),
        ("! 1:00 ruling who=Jo", "no JSON value"),
        ('! 1:00 ruling who="Jo" and so on', "no NAME=VALUE"),
    ],
)
def test_what_is_no_line_is_named_with_its_number(line: str, why: str) -> None:
    with pytest.raises(BadTranscript, match=f"line 2: .*{why}") as bad:
        statements(f"; first\n{line}")
    assert bad.value.line == 2


@pytest.mark.parametrize("ms", [0, 1, 999, 60_000, 3_600_000, -1, -61_001])
def test_times(ms: int) -> None:
    assert milliseconds(clock(ms)) == ms
