"""What was written once stays: types, fields, defaults, numbers of the protocol (FORMAT.md)."""

from __future__ import annotations

import pytest

from tests.golden.promises import broken, kept, today

EVENT = "event 21 of match: CardsMoved"
STRUCT = "struct of match: Limits"
MESSAGE, ENUM, CALLS = "message kifu.v1.Change", "enum Verdict", "service MatchService"


def test_nothing_that_was_written_is_gone_or_has_changed() -> None:
    assert [*broken(kept(), today())] == []


def test_what_is_new_is_written_down() -> None:
    assert kept() == today(), "`python -m tests.golden.promises` adds it"


def changed(key: str, *parts: str) -> dict[str, list[str]]:
    return {**today(), key: [*parts]}


def event() -> list[str]:
    return today()[EVENT]


@pytest.mark.parametrize(
    ("now", "found"),
    [
        (lambda: changed(EVENT, *event()[1:]), "has become"),
        (lambda: changed(EVENT, *event()[:-1]), "has become"),
        (lambda: changed(EVENT, event()[1], event()[0], *event()[2:]), "has become"),
        (lambda: changed(EVENT, event()[0], "more: int = 0", *event()[1:]), "has become"),
        (lambda: changed(EVENT, "n: str", *event()[1:]), "has become"),
        (lambda: changed(EVENT, *event()[:-1], "kept: bool = True"), "has become"),
        (lambda: changed(EVENT, *(one.replace("kept ", "") for one in event())), "has become"),
        (lambda: changed(EVENT, *event(), "more: int"), "more: int has come without a default"),
        (lambda: changed(STRUCT, *today()[STRUCT][1:]), "has become"),
        (lambda: {k: v for k, v in today().items() if k != EVENT}, "CardsMoved is gone"),
        (
            lambda: {"event 21 of match: CardsTold" if k == EVENT else k: v
                     for k, v in today().items()},
            "CardsMoved is gone",
        ),
        (lambda: changed(MESSAGE, *today()[MESSAGE][1:]), "1 key type 9 is gone"),
        (lambda: changed(MESSAGE, "1 word type 9", *today()[MESSAGE][1:]), "key type 9 is gone"),
        (lambda: changed(MESSAGE, "5 key type 9", *today()[MESSAGE][1:]), "1 key type 9 is gone"),
        (lambda: changed(ENUM, *today()[ENUM][1:]), "VERDICT_UNSPECIFIED is gone"),
        (lambda: changed(CALLS, *today()[CALLS][1:]), "is gone"),
    ],
)  # fmt: skip
def test_what_breaks_a_promise_is_found(now, found: str) -> None:  # type: ignore[no-untyped-def]
    (fault, *_) = broken(today(), now())
    assert found in fault


@pytest.mark.parametrize(
    "now",
    [
        lambda: changed(EVENT, *event(), "more: int = 0"),
        lambda: changed("event 99 of match: CardsFolded", "n: int"),
        lambda: changed(MESSAGE, *today()[MESSAGE], "99 more type 5"),
        lambda: changed(ENUM, *today()[ENUM], "99 VERDICT_MORE"),
        lambda: changed("message kifu.v1.More", "1 n type 5"),
    ],
)
def test_growth_breaks_none(now) -> None:  # type: ignore[no-untyped-def]
    assert [*broken(today(), now())] == []


def test_a_line_is_the_same_whatever_its_structures_have_grown_by() -> None:
    """A default that is a structure is named, not written out: that has a line of its own."""
    assert "policy: Policy = Policy()" in today()["event 1 of match: MatchOpened"]
