"""Limits on the size of inputs, so that every record can be sent.

What a card does and what is printed on it comes in as JSON, from a seat or an organiser: `faults`
says what in it is out of all proportion, before anything else reads it. Numbers that are worked out
from those add up, at most to `RANGE`, where the table holds them (`engine.table`): no message of
the contract can carry more. How long requests may be is the service's concern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from domain.words.phrases import Phrase, phrase

#: The largest number that may be stated, above or below nothing, and the largest worked out.
FIGURE, RANGE = 1_000_000, 1_000_000_000
#: How many cards a match may bring, and how long what is printed on all of them may be.
CARDS, PRINTED = 400, 200_000
#: How long a word of a text may be, how many parts a whole one has, how deep they lie.
WORD, PARTS, DEPTH = 200, 2000, 24


def within(n: int) -> int:
    """A computed number, if it can be computed."""
    return max(-RANGE, min(n, RANGE))


def faults(text: str) -> list[Phrase]:
    """The faults of size in a text as JSON; none if it is not JSON."""
    if depth(text) > DEPTH:
        return [phrase("the data are nested more than {depth} deep", depth=DEPTH)]
    try:
        data = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return []  # its reader reports what is wrong
    parts = list(_parts(data))
    wrong = (
        [phrase("{parts} parts are the most there may be", parts=PARTS)]
        if len(parts) > PARTS
        else []
    )
    return list(dict.fromkeys((*wrong, *filter(None, map(_fault, parts)))))


def prints(texts: Sequence[str]) -> list[Phrase]:
    """The faults of size in the cards that a match brings."""
    if len(texts) > CARDS or sum(map(len, texts)) > PRINTED:
        return [
            phrase(
                "{cards} cards, in {printed} characters, are the most a match may bring",
                cards=CARDS,
                printed=PRINTED,
            )
        ]
    return list(dict.fromkeys(fault for text in texts for fault in faults(text)))


def depth(text: str) -> int:
    """How deep brackets lie in a JSON text, whether or not they are closed. O(its length)."""
    deepest = level = 0
    quoted = escaped = False
    for letter in text:
        if quoted:
            quoted = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            quoted = True
        elif letter in "[{":
            level += 1
            deepest = max(deepest, level)
        elif letter in "]}":
            level -= 1
    return deepest


def _parts(data: object) -> Iterator[object]:
    """Every word and number of a text, what things are called included."""
    match data:
        case dict():
            for key, value in data.items():
                yield key
                yield from _parts(value)
        case list():
            for value in data:
                yield from _parts(value)
        case _:
            yield data


def _fault(part: object) -> Phrase | None:
    match part:
        case int() | float() if not -FIGURE <= part <= FIGURE:
            return phrase("a number goes from -{figure:,} to {figure:,}", figure=FIGURE)
        case str() if len(part) > WORD:
            return phrase("a word has at most {word} characters", word=WORD)
        case str() if not part.isprintable():
            return phrase("a word is made of letters that can be printed")
    return None
