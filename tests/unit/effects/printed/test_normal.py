"""What says nothing is removed from a text before it is read."""

from __future__ import annotations

from domain.effects.printed.normal import digest, normal, small

TABLE = "# reasons\n +\t \tspaces\n ?\\(Tides turn\\.\\)\t\ta reminder\n\\|\t\\n\tlines\n"


def test_rows_are_applied_in_order_and_lines_begin_small() -> None:
    lines = normal(TABLE)
    assert lines("Draw  1. (Tides turn.)|Rest it.") == ["draw 1.", "rest it."]
    assert lines("(Tides turn.)") == []


def test_sentences_begin_small_wherever_they_stand() -> None:
    assert small("【Main】Draw 1. Then, rest it: Choose 1. ■Draw 2.") == (
        "【Main】draw 1. then, rest it: choose 1. ■draw 2."
    )
    assert small("AP+2, Harbour, HP") == "AP+2, Harbour, HP"


def test_a_digest_is_of_what_is_left() -> None:
    lines = normal(TABLE)
    assert digest(lines("Draw 1.")) == digest(lines("Draw  1. (Tides turn.)"))
    assert digest(lines("Draw 1.")) != digest(lines("Draw 2."))
