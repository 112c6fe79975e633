"""Fuzzy search of short texts by abbreviations.

A typed word matches the start of a word, some of its letters in order, or a near spelling
(`rapidfuzz`); words in the text's order rank higher. `attack GM -> Zowort` is found by `a gm z`,
`att zwoort` or `gm zow`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from rapidfuzz.distance import OSA

from domain.text.plain import plain

T = TypeVar("T")

#: What a typed word is worth: the whole word, its start, its letters in order, nearly it.
WHOLE, START, LETTERS, NEAR = 100.0, 90.0, 55.0, 45.0
#: What the starts of several words, run together, are worth.
STARTS = 50.0
#: What is taken off: for each word passed over, for words out of order.
PASSED, ASTRAY = 4.0, 35.0


def ranked(
    typed: str, items: Iterable[T], text: Callable[[T], str], most: int = 0
) -> list[tuple[float, T]]:
    """The items that may be meant, the best first and equals in their order, with their scores."""
    query = words(typed)
    found = [(score(query, text(item)), item) for item in items]
    best = sorted((pair for pair in found if pair[0] > 0), key=lambda pair: -pair[0])
    return best[:most] if most else best


def score(query: Sequence[str], text: str) -> float:
    """How well typed words fit a text; 0 if they do not."""
    have = words(text)
    if not query:
        return 1.0
    fits = [[word_score(one, other) for other in have] for one in query]
    best = _in_order(fits)
    if best <= 0:
        best = _in_any_order(fits) - ASTRAY
    if best <= 0 and len(query) == 1:
        best = STARTS if _of_starts(query[0], have) else _of_letters(query[0], "".join(have)) / 2
    return max(best, 0.0)


@lru_cache(1 << 16)
def words(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared; `????` is one."""
    return tuple(re.findall(r"\w+|\?+", plain(text)))


@lru_cache(1 << 16)
def word_score(typed: str, word: str) -> float:
    """The score of a typed word as a way to write this one; 0: it is none."""
    if word == typed:
        return WHOLE
    if typed.isdecimal() and word == _roman(int(typed)):
        return WHOLE
    if word.startswith(typed):
        return START - min(len(word) - len(typed), 20) / 4
    if typed.isdecimal() or word.isdecimal():
        return 0.0
    return max(_of_letters(typed, word), _misspelt(typed, word))


def _roman(n: int) -> str:
    """A small number as it is printed in names: `zaku 2` is Zaku II."""
    return ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")[n] if n < 11 else ""


def _of_letters(typed: str, word: str) -> float:
    """Its letters in order, from the first on; the fewer gaps the better."""
    if len(typed) < 2 or typed[0] != word[:1]:
        return 0.0
    at, gaps = 0, 0
    for letter in typed:
        found = word.find(letter, at)
        if found < 0:
            return 0.0
        gaps += found > at
        at = found + 1
    return max(LETTERS - 6 * gaps, 5.0)


def _of_starts(typed: str, have: Sequence[str]) -> bool:
    """Whether it is the starts of some of the words, in order."""
    if not typed:
        return True
    for at, word in enumerate(have):
        for n in range(1, len(typed) + 1):
            if not word.startswith(typed[:n]):
                break
            if _of_starts(typed[n:], have[at + 1 :]):
                return True
    return False


def _misspelt(typed: str, word: str) -> float:
    """One slip in a word of three letters, two from seven on; the end may be missing."""
    slips = 0 if len(typed) < 3 else 1 if len(typed) < 7 else 2
    if not slips or typed[0] not in word[:2] or any(map(str.isdecimal, typed)):
        return 0.0
    lengths = range(len(typed) - 1, len(typed) + 2)
    least = min(OSA.distance(typed, word[:n], score_cutoff=slips) for n in lengths)
    return NEAR - 8 * least if least <= slips else 0.0


def _in_order(fits: list[list[float]]) -> float:
    """The best sum of one word each, each further right than the one before it."""
    width = len(fits[0])
    best = [0.0] * (width + 1)  # up to each word of the text
    for depth, row in enumerate(fits):
        reached = [0.0] * (width + 1)
        for at in range(width):
            here = row[at] and (best[at] or (0.0 if depth else 1.0))
            took = best[at] + row[at] - PASSED * (at - depth) if here else 0.0
            reached[at + 1] = max(reached[at], took)
        best = reached
    return best[width] / len(fits)


def _in_any_order(fits: list[list[float]]) -> float:
    """The sum of the best word for each, none used twice."""
    used: set[int] = set()
    total = 0.0
    for row in fits:
        at = max((n for n in range(len(row)) if n not in used), key=lambda n: row[n], default=-1)
        if at < 0 or not row[at]:
            return 0.0
        used.add(at)
        total += row[at]
    return total / len(fits)
