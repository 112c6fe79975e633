"""What the grammar of printed texts says is read as it was meant, and prints as it was read.

The sentences are the grammar's own, drawn at random: none is printed on a card.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.effects.printed.proof import Compiled, Declined
from domain.effects.printed.references import Unclear
from domain.games.gundam.lists import texts
from tests.properties.strategies import examples
from tests.support.derivations import Derivations, Unfit

#: Longer ones take a second to read.
LONGEST = 250


def derived(data: st.DataObject, depth: int) -> tuple[str, Any]:
    """A line of the grammar and what its rows mean, if the game can use that."""

    def draw(n: int) -> int:
        return data.draw(st.integers(0, n - 1))

    compiler = texts.compiler()
    try:
        line, stated = Derivations(compiler.grammar).derive("line", draw, depth)
        assume(len(line) <= LONGEST)
        return line, compiler.meaning(stated)
    except (Unfit, Unclear, ValueError):
        assume(False)
        raise


@given(st.data(), st.integers(5, 10))
@examples(250)
def test_a_line_means_what_its_rows_say_and_prints_as_it_was(
    data: st.DataObject, depth: int
) -> None:
    """Proved by compiling it: one reading, which is that one, and printed byte for byte."""
    line, meant = derived(data, depth)
    assert texts.compiler().line(line) == meant


@given(st.data(), st.integers(5, 8))
@examples(80)
def test_whatever_is_printed_is_read_as_what_it_was_printed_from(
    data: st.DataObject, depth: int
) -> None:
    """Also in wordings that no guide has picked; some of them say "it" where that is unclear."""
    line, meant = derived(data, depth)
    written = {one for one, _ in zip(texts.compiler().prints(meant), range(5), strict=False)}
    assert written
    for one in sorted(written):
        assert texts.compiler().line(one) == meant, (line, one)


@pytest.mark.parametrize(
    ("printed", "match"),
    [
        ("paired with a Pilot", {"type": "unit", "paired": True}),
        ("that is Lv.2 paired with a Pilot", {"type": "unit", "lv": 2, "paired": True}),
        ("paired with a Pilot that is Lv.2", {"type": "unit", "pilot-lv": 2}),
    ],
)
def test_what_stands_behind_a_pilot_is_of_that(printed: str, match: dict[str, Any]) -> None:
    found = texts.compiler().compile(f"【Main】Choose 1 friendly Unit {printed}. Rest it.")
    assert isinstance(found, Compiled)
    assert found.fields["effect"][0]["do"][0]["choose"]["of"]["match"] == match


def test_design_are_known_by_what_they_are() -> None:
    """And those that are none are declined."""
    found = texts.compiler().compile(
        "【Deploy】Deploy 2 rested [Zaku Ⅱ]((Zeon)･AP1･HP1) Unit tokens."
    )
    assert isinstance(found, Compiled)
    assert found.fields["effect"][0]["do"] == [
        {"do": "token", "n": 2, "token": "T-007", "orient": "rested"}
    ]
    unknown = texts.compiler().compile(
        "【Deploy】Deploy 1 [Harbour Tug]((Tide)･AP1･HP1) Unit token."
    )
    assert isinstance(unknown, Declined)
    assert unknown.why == "unusable"


def test_effects_of_a_card_have_names_of_their_own() -> None:
    found = texts.compiler().compile("【Attack】Draw 1.\n【Attack】Draw 2.\n<Repair 1>")
    assert isinstance(found, Compiled)
    assert [one["name"] for one in found.fields["effect"]] == ["attack", "attack-2"]
    assert found.fields["keywords"] == {"repair": 1}


def test_a_text_that_is_given_has_the_name_by_which_it_is_given() -> None:
    found = texts.compiler().compile(
        "【Main】Choose 1 friendly (Tide) Unit. It gains the following effect during this turn:\n"
        "■【Destroyed】Draw 1.\n【Pilot】[Ada Quill]"
    )
    assert isinstance(found, Compiled)
    main, gift = found.fields["effect"]
    assert (main["do"][0]["effect"], gift["name"], gift["zone"]) == ("gift", "gift", "lent")
