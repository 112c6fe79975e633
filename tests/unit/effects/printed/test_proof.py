"""A text counts as read only if it has one reading, is usable, and prints as it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from domain.effects.printed.normal import normal
from domain.effects.printed.patterns import BadGrammar, Grammar
from domain.effects.printed.proof import Compiled, Compiler, Declined, Stated

ROWS = """
line
    {marks}{sentences} => { effect = { do = $sentences, with = "marks" } }
    called {name}. => { called = $name }

marks
    () => {}
    twice:_ => { limit = "twice" }

sentences
    {sentence}
    {sentence} {sentences} => ["...sentence", "...sentences"]

sentence
    {clause}.
    choose {cards}. {clause}. => { aim = { of = $cards }, of = $clause }

clause
    draw {n:number} => [{ do = "draw", n = $n }]
    [rest|turn sideways] it => [{ do = "rest", to = { zone = "?" } }]
    you may {clause} => { optional = true, of = $clause }

cards
    a ship => { zone = "sea" }
    a boat => { zone = "sea", match = { size = "small" } }
"""


def usual(stated: Stated) -> Stated:
    """Drawing one is usual; nobody draws ten, or cares how fast."""
    effect = stated.get("effect", {"do": []})
    for clause in effect["do"]:
        if clause.get("n") == 10:
            raise ValueError("nobody draws ten")
    idle = [("n", 1), ("pace", "slow")]
    do = [{k: v for k, v in one.items() if (k, v) not in idle} for one in effect["do"]]
    return {**stated, **({"effect": {**effect, "do": do}} if "effect" in stated else {})}


def gather(lines: Sequence[Stated]) -> dict[str, Any]:
    if len(lines) > 2:
        raise ValueError("too many")
    return {key: value for one in lines for key, value in one.items()}


def compiler(rows: str = ROWS, more: str = "") -> Compiler:
    grammar = {"ours": rows, "more": more} if more else {"ours": rows}
    return Compiler(grammar, normal("\\(.*\\)\t\treminder"), usual, lambda one: one, gather)


def declined(text: str, more: str = "") -> Declined:
    found = compiler(more=more).compile(text)
    assert isinstance(found, Declined)
    return found


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("Draw 1.", {"do": [{"do": "draw"}]}),
        ("twice: draw 2.", {"do": [{"do": "draw", "n": 2}], "limit": "twice"}),
        (
            "Choose a boat. Turn sideways it. You may draw 3.",
            {"do": [{"do": "rest", "choose": {"of": {"zone": "sea", "match": {"size": "small"}}}},
                    {"may": True, "do": "draw", "n": 3}]},
        ),
        ("Rest it.", {"do": [{"do": "rest", "to": {"zone": "this"}}]}),
    ],
)  # fmt: skip
def test_texts_are_read(text: str, effect: dict[str, Any]) -> None:
    found = compiler().compile(text)
    assert isinstance(found, Compiled)
    assert found.fields == {"effect": effect}


def test_lines_are_gathered() -> None:
    found = compiler().compile("Draw 2.\nCalled Ada.")
    assert isinstance(found, Compiled)
    assert found.fields == {"effect": {"do": [{"do": "draw", "n": 2}]}, "called": "Ada"}
    assert declined("Called Ada.\nDraw 1.\nDraw 2.").why == "unusable"


def test_a_decline_names_the_first_words_that_are_not_understood() -> None:
    found = declined("Draw 1.\nDraw 2. Sink a ship with all its crew and cargo.")
    assert (found.why, found.line[: found.at]) == ("words", "draw 2. ")
    assert found.words == "sink a ship with all its"
    assert declined("Draw 2").words == ""


def test_what_the_game_refuses_is_unusable() -> None:
    assert declined("Draw 10.").what == "nobody draws ten"


def test_an_it_without_anything_mentioned_is_declined() -> None:
    rows = 'line\n    when played, {clause}. => { effect = { kind = "command", do = $clause } }\n'
    assert declined("When played, rest it.", rows).why == "reference"


def test_two_readings_are_an_error_of_the_grammar() -> None:
    found = declined("Draw 2.", 'clause\n    draw 2 => [{ do = "take" }]\n')
    assert found.why == "readings"
    assert "take" in found.what
    assert "draw" in found.what


def test_what_does_not_print_as_it_was_is_declined() -> None:
    """Data that lose a part of what was read are not written as the same text."""
    rows = 'clause\n    draw {n:number} slowly => [{ do = "draw", n = $n, pace = "slow" }]\n'
    assert declined("Draw 2 slowly.", rows).why == "print"


def test_every_wording_is_written_and_a_guide_picks_one() -> None:
    ours = compiler()
    stated = ours.line("rest it.")
    assert {*ours.prints(stated)} == {"rest it.", "turn sideways it."}
    assert [*ours.prints(stated, "turn sideways it.")] == ["turn sideways it."]


@pytest.mark.parametrize(
    "rows",
    [
        "line\n    {nobody} => {}\n",
        "line\n    nothing\n",
        "line\n    {n:number} => { n = $m }\n",
        "line\n    {n:number} => { n = }\n",
        "line\n    {n:number} => { m = 1 }\n",
        "line\n    {n:number} => { m = $n }\n    {k:number} => { m = $k }\n",
        "line\n    [draw|take] {n:number}\n    take {n:number} => { m = $n }\n",
    ],
)
def test_rows_that_cannot_be_used_are_named(rows: str) -> None:
    """Among them those whose pattern another row has."""
    with pytest.raises(BadGrammar, match=r"ours:[23]"):
        Grammar({"ours": rows})
