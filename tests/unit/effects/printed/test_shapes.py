"""Data with gaps: `match` finds again whatever `build` was given."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.effects.printed.shapes import Unfit, build, match
from tests.properties.strategies import examples

Parts = dict[str, Any]
TARGET = {"zone": "battle", "whose": "theirs"}
numbers = st.integers(2, 9)
words = st.sampled_from(["Harbour", "Tide", "Quay"])
filters = st.fixed_dictionaries(
    {}, optional={"lv": numbers, "trait": st.lists(words, min_size=1, max_size=2), "color": words}
)
conditions = st.lists(
    st.sampled_from([{"turn": "yours"}, {"this": {"lv": 3}}, {"count": TARGET}]),
    min_size=1,
    max_size=2,
)
clauses = st.lists(
    st.sampled_from(
        [
            {"do": "draw", "n": 2},
            {"do": "rest", "to": {"zone": "?"}},
            {"do": "ready", "to": {"zone": "this"}, "when": [{"turn": "theirs"}]},
            {"do": "damage", "n": 3, "choose": {"of": TARGET}},
        ]
    ),
    min_size=1,
    max_size=3,
)
choices = st.fixed_dictionaries({"of": st.just(TARGET)}, optional={"n": numbers})

#: Shapes, each with what its gaps may hold.
SHAPES: list[tuple[Any, dict[str, st.SearchStrategy[Any]]]] = [
    ("$n", {"n": numbers}),
    ("<=$n", {"n": numbers}),
    ([{"do": "draw", "n": "$n"}, "$last"], {"n": numbers, "last": words}),
    (["...a", "...b"], {"a": clauses, "b": clauses}),
    ({"match": {"type": "unit", "with": "x"}}, {"x": filters}),
    ({"zone": "battle", "match": "$m", "with": "x"}, {"m": filters, "x": st.just({"n": 2})}),
    (
        {"when": "$c", "with": "x"},
        {"c": conditions, "x": st.fixed_dictionaries({}, optional={"when": conditions})},
    ),
    ({"kind": "triggered", "with": "a b"}, {"a": st.just({"on": "x"}), "b": filters}),
    ({"each": {"until": "turn"}, "of": "$x"}, {"x": clauses}),
    ({"each": {"when": ["$c"]}, "of": "$x"}, {"c": st.just({"turn": "yours"}), "x": clauses}),
    ({"each": {"when": "$c"}, "of": "$x"}, {"c": conditions, "x": clauses}),
    ({"first": {"join": "then"}, "of": "$x"}, {"x": clauses}),
    ([{"first": {"join": "then"}, "of": "$x"}, "...y"], {"x": clauses, "y": clauses}),
    ({"optional": True, "of": "$x"}, {"x": clauses}),
    ({"aim": "$c", "of": "$x"}, {"c": choices, "x": clauses}),
    ({"aim": {"may": True, "with": "c"}, "of": "$x"}, {"c": choices, "x": clauses}),
    ([{"not": "$c"}], {"c": st.sampled_from([{"turn": "yours"}, {"it": {}, "unless": True}])}),
]


def plain(data: Any) -> Any:
    """Without what is usual: that is not told apart from what is not stated."""
    if isinstance(data, dict):
        usual = {"n": 1, "least": 1, "match": {}}
        return {k: plain(v) for k, v in data.items() if usual.get(k, "-") != v}
    return [plain(one) for one in data] if isinstance(data, list) else data


@given(st.data())
@examples(400)
@pytest.mark.parametrize(("shape", "gaps"), SHAPES, ids=[str(shape) for shape, _ in SHAPES])
def test_what_was_filled_in_is_found(
    shape: Any, gaps: dict[str, st.SearchStrategy[Any]], data: st.DataObject
) -> None:
    parts = {name: data.draw(values, label=name) for name, values in gaps.items()}
    try:
        made = build(shape, parts)
    except Unfit:
        return
    found = [*match(shape, made)]
    assert parts in found
    assert all(plain(build(shape, one)) == plain(made) for one in found)


@pytest.mark.parametrize(
    ("shape", "parts"),
    [
        ({"a": 1, "with": "x"}, {"x": {"a": 2}}),
        ({"with": "x y"}, {"x": {"trait": ["Harbour"]}, "y": {"trait": ["Tide"]}}),
        ({"aim": "$c", "of": "$x"}, {"c": {"of": TARGET}, "x": [{"do": "draw"}]}),
        ({"first": {"join": "then"}, "of": "$x"}, {"x": [{"do": "draw", "join": "if so"}]}),
    ],
)
def test_what_does_not_go_together_is_unfit(shape: Any, parts: Parts) -> None:
    with pytest.raises(Unfit):
        build(shape, parts)


def test_other_data_are_not_matched() -> None:
    assert not [*match({"do": "draw", "n": "$n"}, {"do": "draw", "n": 2, "may": True})]
    assert not [*match("<=$n", ">=3")]
    assert not [*match({"aim": "$c", "of": "$x"}, [{"do": "rest", "to": {"zone": "this"}}])]
    assert not [*match([{"each": {"until": "turn"}, "of": "$x"}], [{"do": "draw"}])]


def test_the_same_gap_holds_the_same_twice() -> None:
    shape = [
        {"each": {"when": ["$c"]}, "of": "$x"},
        {"each": {"when": [{"not": "$c"}]}, "of": "$x"},
    ]
    parts = {"c": {"turn": "yours"}, "x": [{"do": "draw", "n": 2}]}
    made = build(shape, parts)
    assert [one["when"] for one in made] == [
        [{"turn": "yours"}],
        [{"turn": "yours", "unless": True}],
    ]
    assert parts in [*match(shape, made)]
    made[1]["n"] = 3
    assert not [*match(shape, made)]
