"""The known word that an unknown one probably means."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from domain.words.phrases import Phrase, phrase


def meant(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'shield'?` for a word that is nearly one of those; else nothing."""
    close = get_close_matches(word, sorted(known), 1, 0.7)
    return phrase("; did you mean {close!r}?", close=close[0]) if close else ""


def unknown(what: str, word: str, known: Iterable[str]) -> Phrase:
    """The fault of an unknown word, with the likeliest one and all known ones."""
    listed = sorted(known)
    return phrase(
        "unknown {what} {word!r}{meant}; there are {names}",
        what=what,
        word=word,
        meant=meant(word, listed),
        names=", ".join(listed),
    )
