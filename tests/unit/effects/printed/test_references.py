"""Which card "it" is: what was mentioned last, put in and taken out again."""

from __future__ import annotations

from typing import Any

import pytest

from domain.effects.printed.references import Unclear, forget, resolve

IT = {"zone": "?"}
THAT = {"zone": "that"}
THIS = {"zone": "this"}
OF = {"zone": "battle", "whose": "theirs"}
CHOSEN = {"do": "rest", "choose": {"of": OF}}


def effect(*clauses: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"kind": "triggered", "on": "deploy", "do": [*clauses], **rest}


def meant(given: dict[str, Any], at: int = -1) -> Any:
    return resolve(given)["do"][at]["to"]["zone"]


@pytest.mark.parametrize(
    ("given", "card"),
    [
        (effect({"do": "ready", "to": IT}), "this"),
        (effect(CHOSEN, {"do": "destroy", "to": IT}), "it"),
        (effect(CHOSEN, {"do": "draw"}, {"do": "destroy", "to": IT}), "it"),
        (effect(CHOSEN, {"do": "ready", "to": {"zone": "this"}}, {"do": "draw", "to": IT}), "this"),
        (effect({"do": "ready", "to": IT}, about=OF), "cause"),
        (effect({"do": "ready", "to": IT}, about=OF, provided=[{"this": {"lv": 2}}]), "this"),
        (effect({"do": "target", "choose": {"of": OF}}, CHOSEN, {"do": "draw", "to": IT}), "it"),
        (effect(*[{"do": "target", "choose": {"of": OF}}] * 2, {"do": "draw", "to": IT}), "chosen"),
        (effect({"do": "one-of", "options": [[CHOSEN]]}, {"do": "draw", "to": IT}), "it"),
        (effect({"do": "ready", "to": IT}, against=OF), "this"),
        (effect({"do": "rest", "to": THAT}, against=OF), "against"),
        (effect({"do": "ready", "to": IT}, about=OF, against=OF), "cause"),
        (effect({"do": "rest", "to": THAT}, about=OF, against=OF), "against"),
        (effect({"do": "rest", "to": THAT}, about=OF), "cause"),
        (effect({"do": "draw", "to": THIS}, {"do": "rest", "to": THAT}, about=OF), "cause"),
        (effect({"do": "rest", "to": THAT}, {"do": "destroy", "to": IT}, against=OF), "against"),
        (effect(CHOSEN, {"do": "rest", "to": THAT}, against=OF), "it"),
    ],
)  # fmt: skip
def test_it_is_what_was_mentioned_last(given: dict[str, Any], card: str) -> None:
    assert meant(given) == card


@pytest.mark.parametrize(
    "given",
    [
        effect({"do": "ready", "to": IT}, kind="command"),
        effect({"do": "rest", "to": OF}, {"do": "ready", "to": IT}),
        effect({"do": "target", "choose": {"of": OF}}, {"do": "ready", "to": IT}),
        effect({"do": "one-of", "options": [[{"do": "target"}, {"do": "ready", "to": IT}]]}),
        effect({"do": "draw"}, when=[{"?": {"lv": 2}}], kind="command"),
        effect({"do": "rest", "to": THAT}),
        effect({"do": "rest", "choose": {"of": {**OF, "match": {"lv": "<=?"}}}}),
    ],
)
def test_what_mentions_nothing_is_unclear(given: dict[str, Any]) -> None:
    """Nor is a choice alone in front of what is done to it: that is one clause."""
    with pytest.raises(Unclear):
        resolve(given)


@pytest.mark.parametrize(
    ("before", "rest", "card"),
    [([], {"about": OF}, "cause"), ([], {"against": OF}, "against"), ([CHOSEN], {}, "it")],
)
def test_filters_compare_with_that_card(
    before: list[dict[str, Any]], rest: dict[str, Any], card: str
) -> None:
    """Also those of what is chosen; a comparison with a number is left alone."""
    group = {**OF, "match": {"lv": "<=?", "ap": "<=2"}}
    given = effect(*before, {"do": "rest", "choose": {"of": group}}, **rest)
    found = resolve(given)
    assert found["do"][-1]["choose"]["of"]["match"] == {"lv": f"<={card}", "ap": "<=2"}
    assert given in [*forget(found)]


def test_conditions_speak_of_it() -> None:
    about_this = resolve(effect({"do": "draw", "when": [{"?": {"lv": 2}}]}))
    assert about_this["do"][0]["when"] == [{"this": {"lv": 2}}]
    about_cause = resolve(effect({"do": "draw"}, about=OF, provided=[{"?": {"lv": 2}}]))
    assert about_cause["provided"] == [{"count": {"zone": "cause", "match": {"lv": 2}}}]
    about_it = resolve(effect(CHOSEN, {"do": "draw", "when": [{"?": {"lv": 2}, "unless": True}]}))
    assert about_it["do"][1]["when"] == [{"it": {"lv": 2}, "unless": True}]


@pytest.mark.parametrize(
    "given",
    [
        effect(CHOSEN, {"do": "destroy", "to": IT}, {"do": "draw", "when": [{"?": {"lv": 2}}]}),
        effect({"do": "ready", "to": IT}, {"do": "damage", "to": IT}),
        effect({"do": "draw", "when": [{"?": {"lv": 2}}]}, about=OF),
        effect({"do": "ready", "to": IT}, {"do": "rest", "to": THAT}, about=OF, against=OF),
        effect(*[{"do": "target", "choose": {"of": OF}}] * 2, {"do": "draw", "to": IT}),
    ],
)
def test_what_was_put_in_is_taken_out(given: dict[str, Any]) -> None:
    assert given in [*forget(resolve(given))]


def test_what_is_named_may_stay_so() -> None:
    named = effect({"do": "ready", "to": {"zone": "this"}})
    assert {one["do"][0]["to"]["zone"] for one in forget(named)} == {"this", "?"}
