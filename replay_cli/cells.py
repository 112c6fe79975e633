"""Texts by the columns that they take on a terminal.

Chinese and Japanese letters and emoji take two columns each, combining marks none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len as width
from rich.cells import chop_cells
from rich.cells import split_text as split

__all__ = ["cut", "pad", "split", "width", "wrap"]

ELLIPSIS = "…"
#: Columns in which Chinese and Japanese can be read well enough.
READABLE = 12
#: Letters between which a row may end only at a space: all before those of Chinese and Japanese.
#: (Not the other way round: `re` looks at each letter of a range, and those have 200,000.)
_NARROW = r"\x00-\u2e7f"
#: What never begins a row there, and what never ends one.
_CLOSING = (
    r"、。，．：；！？）」』】〕》〉・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ…,.:;!?)\]"
    r"､｡｣ｰﾞﾟｧｨｩｪｫｬｭｮｯ"
)
_OPENING = r"（「『【〔《〈(\["
_WORD = rf" *[{_OPENING}]*(?:(?:(?! )[{_NARROW}])+|[^{_NARROW}])[{_CLOSING}]*"


def pad(text: str, columns: int) -> str:
    """A text with spaces after it, so that it takes so many columns; a longer one as it is."""
    return text + " " * (columns - width(text))


def cut(text: str, columns: int) -> str:
    """As much of a text as so many columns hold; that something is left out is shown."""
    if width(text) <= columns:
        return text
    return f"{split(text, max(columns - 1, 0))[0].rstrip()}{ELLIPSIS}" if columns > 0 else ""


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """A text in rows of so many columns, broken between words; further rows are indented.

    Each letter of Chinese or Japanese is a word, with the punctuation that stands with it. Spaces
    within a row stay as they are. A word that is longer than a row is broken within.
    """
    if width(text) <= columns:
        return [text] if text else []
    rows, row, taken = list[str](), "", 0
    room = max(columns - width(indent), 1)
    for word in _words(text, room):
        if row.strip() and taken + width(word) > columns:
            rows.append(row)
            row = indent + word.lstrip(" ")
            taken = width(row)
        else:
            row, taken = row + word, taken + width(word)
    return [*rows, row] if row else rows


def least(text: str) -> int:
    """How narrow a text may be set: no word is broken, nor are ideographs set one below another."""
    words = [(word, width(word)) for word in text.split()]
    return max((w if w <= READABLE else _longest(word) for word, w in words), default=0)


def _longest(word: str) -> int:
    """The width of the longest piece of a word that stays in one row, and no less than is read."""
    return max(READABLE, *map(width, re.findall(_WORD, word)))


def _words(text: str, columns: int) -> Iterator[str]:
    """The words of a text with the spaces before them, each at most so many columns wide."""
    for word in re.findall(_WORD, text):
        yield from chop_cells(word, columns) if width(word.lstrip(" ")) > columns else (word,)
