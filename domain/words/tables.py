"""Tables: the phrases of the code, and the words of games, in another language.

A table is a TOML file, `LANGUAGE.toml`: a section a context, in it the English text and what is
said instead; `[sentences]` are those of the code. The core's tables lie beside this module, a
game's in its folder `words`. What a table does not have is said in English.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable

from domain.words.phrases import CAPITAL, JOINED, Phrase

#: The code's own language, and the section of a table for its sentences.
ENGLISH, SENTENCES = "en", "sentences"
#: Where Chinese is written which way, if a tag does not say so itself.
_SCRIPTS = {"zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant", "zh": "zh-hans"}

#: Context to English to what is said instead.
Table = Mapping[str, Mapping[str, str]]


class Language:
    """A language to say things in. English has no table: it says every sentence as it stands."""

    def __init__(self, tag: str = ENGLISH, table: Table | None = None) -> None:
        self.tag, self.table = tag, table or {}

    def say(self, text: str) -> str:
        """A phrase in this language; a text that is no phrase (a name, a note) as it is."""
        if not isinstance(text, Phrase):
            return text
        values = {name: self.say(v) if isinstance(v, str) else v for name, v in text.values}
        if text.context == CAPITAL:
            return "".join(f"{said[:1].upper()}{said[1:]}" for said in map(str, values.values()))
        own = self._own(text.context, text.sentence)
        if text.context == JOINED:
            return own.join(map(str, values.values()))
        return own.format(values.pop("", ""), **values) if values else own

    def _own(self, context: str, sentence: str) -> str:
        """What is said instead of a sentence: of a game's word, else of the core's of that kind."""
        for place in (context or SENTENCES, context.rpartition("/")[2]):
            if own := self.table.get(place, {}).get(sentence):
                return own
        return sentence


def read(file: Traversable, prefix: str = "") -> Table:
    """The table in a file; those of a game have its name for `prefix` (`gundam/`).

    Raises `ValueError` for what does not have the places of its sentence.
    """
    found: dict[str, dict[str, str]] = {}
    for context, said in tomllib.loads(file.read_text("utf-8")).items():
        wrong = [one for one, own in said.items() if own and places(one) != places(own)]
        if wrong and context != JOINED:
            raise ValueError(f"{file.name}: other places than in {wrong[0]!r}")
        found[context if context in (SENTENCES, JOINED) else f"{prefix}{context}"] = said
    return found


def places(sentence: str) -> frozenset[str]:
    """The places of a sentence, with how they are to be formatted; none if it has stray braces."""
    try:
        parts = list(string.Formatter().parse(sentence))
    except ValueError:
        return frozenset()
    return frozenset(f"{name}!{how}:{form}" for _, name, form, how in parts if name is not None)


def merged(tables: Iterable[Table]) -> Table:
    """Several tables as one."""
    found: dict[str, dict[str, str]] = {}
    for table in tables:
        for context, said in table.items():
            found.setdefault(context, {}).update(said)
    return found


def chosen(asked: str, known: Iterable[str]) -> str:
    """The best of the known languages for what is asked for; English if none is.

    `asked` is as in `accept-language` (`ja, zh-TW;q=0.8`) or an environment's (`ja_JP.UTF-8`).
    """
    own = {name.lower(): name for name in (*known, ENGLISH)}
    for tag in _wanted(asked):
        while tag:
            for one in (tag, _SCRIPTS.get(tag, "")):
                if one in own:
                    return own[one]
            tag = tag.rpartition("-")[0]
    return ENGLISH


def _wanted(asked: str) -> list[str]:
    """The tags of what is asked for, the best first."""
    found = []
    for item in asked.split(",")[:20]:
        tag, _, weight = item.partition(";")
        tag = tag.partition(".")[0].strip().replace("_", "-").lower()
        try:
            weighs = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            weighs = 0.0
        if weighs > 0:
            found.append((-weighs, tag))
    return [tag for _, tag in sorted(found, key=lambda one: one[0])]
