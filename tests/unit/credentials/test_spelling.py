"""Codes are read however people write them, and what no code can be is noticed at once."""

from __future__ import annotations

from itertools import combinations

import pytest

from service.credentials import spelling
from service.credentials.spelling import LETTERS, Mistyped, in_link, looks_like, new, read


def mistyped(text: str) -> bool:
    try:
        read(text)
    except Mistyped:
        return True
    return False


def test_a_code_is_read_as_people_write_it() -> None:
    for _ in range(200):
        code = new()
        bare = code.replace("-", "")
        assert [len(part) for part in code.split("-")] == [4, 4]
        slips = str.maketrans("01", "ol")
        for text in (code, bare, code.lower(), f" {bare[:2]} {bare[2:]}\n", code.translate(slips)):
            assert read(text) == code
            assert looks_like(text)
        assert in_link(f"kifu://host:7777/join#{code}") == code
        assert looks_like(f"https://kifu.example/join/#{code.lower()}")


def test_one_wrong_letter_and_two_that_changed_places_are_noticed() -> None:
    for _ in range(30):
        letters = new().replace("-", "")
        for at, was in enumerate(letters):
            for other in LETTERS.replace(was, ""):
                assert mistyped(letters[:at] + other + letters[at + 1 :])
        for one, two in combinations(range(8), 2):
            turned = [*letters]
            turned[one], turned[two] = turned[two], turned[one]
            assert mistyped("".join(turned)) == (letters[one] != letters[two])


def test_anything_may_be_the_last_letter_and_one_in_32_texts_is_a_code() -> None:
    assert {spelling._whole([0] * 6 + [n])[-1] for n in range(32)} == {*LETTERS}
    good = sum(not mistyped(f"7K2M9Q{a}{b}") for a in LETTERS for b in LETTERS)
    assert good == 32


@pytest.mark.parametrize(
    "text",
    ["", "7K2M", "7K2M-9QXR1", "U" * 8, "7K2M_9QX", "é" * 8, "k7f3q", "abcd.r1.t2", "x" * 999],
)  # fmt: skip
def test_what_is_no_code(text: str) -> None:
    assert mistyped(text)
    assert not looks_like(text)
    assert in_link(text) == ""
