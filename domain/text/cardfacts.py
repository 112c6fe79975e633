"""The words of card data that people read by themselves, and which facts are not worth a line.

It is apart from what puts texts into words (`domain.telling.card_text`), which loads a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.words.phrases import Phrase, phrase

EMPTY: Sequence[Any] = (None, False, 0, "", [], {}, ())
EFFECTS = ("effect", "effects")

#: Types of cards, what stands on them, and the parts of decks; in English they stand as they are.
_CALLED = (
    phrase("unit"), phrase("pilot"), phrase("command"), phrase("base"), phrase("resource"),
    phrase("character"), phrase("set"), phrase("world"), phrase("monster"), phrase("spell"),
    phrase("trap"), phrase("nexus"), phrase("magic"), phrase("color"), phrase("colors"),
    phrase("traits"), phrase("terrain"), phrase("link"), phrase("keywords"), phrase("token"),
    phrase("classes"), phrase("art"), phrase("host"), phrase("special"), phrase("materials"),
    phrase("families"), phrase("levels"), phrase("reduction"), phrase("succession"),
    phrase("icons"), phrase("main"), phrase("extra"), phrase("side"), phrase("guard"),
    phrase("additional"), phrase("ex"), phrase("soul-magic"), phrase("unset"), phrase("unbound"),
)  # fmt: skip
_BY_WORD = {str(one): one for one in _CALLED}


def called(word: str) -> Phrase:
    """A word of card data or of a list, for people."""
    return _BY_WORD.get(word) or Phrase(word)
