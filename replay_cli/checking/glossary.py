"""Whether translations use the terms of their glossaries.

A glossary lies with the tables of its language (domain/words/WORDS.md): a term in all its English
forms, and the words for it. Where the English text has a term, its translation must have one of
these words. The longest term counts in both: `Main Deck` is no `Deck`, and what is said to be
heavily exhausted is not said to be exhausted. Words that are typed may stay English.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

#: What stands in a text for a value; what is typed: in backquotes, options, names in capitals.
_NO_WORDS = re.compile(r"\{[^{}]*\}|`[^`]*`|--[a-z-]+|\b[A-Z][A-Z_]{3,}\b", re.ASCII)


class Term(NamedTuple):
    """A line of a glossary. Forms, and words for them, stand between `|`."""

    english: str
    own: str
    rule: str
    source: str


class Glossary:
    """The terms of a table in a language."""

    def __init__(self, terms: Collection[Term]) -> None:
        self.terms = terms
        self._own = {
            form.lower(): one.own.split("|") for one in terms for form in one.english.split("|")
        }
        self._english = re.compile(_longest(self._own), re.IGNORECASE | re.ASCII)
        words = {word for own in self._own.values() for word in own}
        self._words = re.compile(f"(?=({_longest(words)}))", re.ASCII)

    def lacking(self, english: str, own: str) -> Iterator[str]:
        """The terms of a text that its translation does not use."""
        own = plain(own)
        used = {*self._used(own)}
        for term in sorted({one.lower() for one in self._english.findall(plain(english))}):
            if used.isdisjoint(self._own[term]) and not re.search(_whole(term), own, re.I | re.A):
                yield f"{term} ({', '.join(self._own[term])})"

    def _used(self, text: str) -> Iterator[str]:
        """The words of the glossary in a text, but for those that are part of a longer one."""
        end = 0
        for found in self._words.finditer(text):
            if found.end(1) > end:
                end = found.end(1)
                yield found[1]


def glossary(folder: Path, tag: str) -> Glossary:
    """The glossary of the tables in a folder; without terms if it has none in that language."""
    file = folder / f"{tag}.glossary.tsv"
    lines = file.read_text("utf-8").splitlines()[1:] if file.is_file() else []
    return Glossary([Term(*line.split("\t")) for line in lines])


def plain(text: str) -> str:
    """A text with `{}` for each value, and for what is typed."""
    return _NO_WORDS.sub("{}", text)


def _longest(words: Collection[str]) -> str:
    """A pattern of any of these, the longest first; of nothing if there are none."""
    return "|".join(map(_whole, sorted(words, key=len, reverse=True))) or "(?!)"


def _whole(word: str) -> str:
    """A pattern of a word; in Latin letters it is no part of another, but figures may follow."""
    before = r"(?<![\w-])" if re.match(r"\w", word, re.ASCII) else ""
    return (
        before + re.escape(word) + (r"(?![A-Za-z-])" if re.search(r"\w$", word, re.ASCII) else "")
    )
