"""A language that does not exist: every sentence there is, its letters widened, between ⟦ and ⟧.

Plain letters in it bypassed the tables (`untranslated`), except names.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from domain.engine.rulebook import Rulebook
from domain.record.schema.citations import texts
from domain.words.phrases import JOINED
from domain.words.tables import SENTENCES, Language, folders, merged, read
from replay_cli.checking.translatable import CORE, found, written
from replay_cli.main import kifu

TAG = "qps"
_WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in string.ascii_letters}


def widened(sentence: str) -> str:
    """A sentence in that language; its places stay."""
    try:
        parts = list(string.Formatter().parse(sentence))
    except ValueError:
        return f"⟦{sentence.translate(_WIDE)}⟧"
    found = ""
    for text, name, form, how in parts:
        found += text.translate(_WIDE)
        if name is not None:
            found += f"{{{name}{f'!{how}' if how else ''}{f':{form}' if form else ''}}}"
    return f"⟦{found}⟧"


def write_tables(folder: Path) -> list[tuple[str, Path]]:
    """Tables of all there is to translate, as `kifu words` writes them, filled in."""
    lying = []
    for prefix, _ in folders():
        sayings = found(kifu).tables.get(prefix.rstrip("/") or CORE)
        if sayings is None:
            continue
        done = {
            section if section in (JOINED, SENTENCES) else f"{prefix}{section}": {
                one: one.translate(_WIDE) if section == JOINED else widened(one) for one in seen
            }
            for section, seen in sayings.items()
        }
        own = folder / (prefix.rstrip("/") or CORE)
        own.mkdir()
        (own / f"{TAG}.toml").write_text("\n".join(written(sayings, done, prefix)), "utf-8")
        lying.append((prefix, own))
    return lying


def language(folder: Path) -> Language:
    """The language, read from tables that are written into a folder."""
    lying = write_tables(folder)
    return Language(TAG, merged(read(own, TAG, prefix) for prefix, own in lying))


@cache
def _names(rules: Rulebook, free: tuple[str, ...]) -> re.Pattern[str]:
    """The texts that are equal in every language: cards, their texts, decks, the words of data."""
    known = {
        *free,
        *rules.cards,
        *(card.name for card in rules.cards.values()),
        *texts(rules.cards),
    }
    known |= {text.partition("/")[2].replace("-", " ") for text in texts(rules.cards)}
    known |= {word for card in rules.cards.values() for word in _printed(to_builtins(card))}
    known |= {*rules.decks, *(part for deck in rules.decks.values() for part in deck)}
    known |= {rules.manifest.version, rules.manifest.game, "JSON"}
    longest = sorted(filter(None, known), key=len, reverse=True)
    return re.compile("|".join(rf"(?<![A-Za-z]){re.escape(one)}(?![A-Za-z])" for one in longest))


def _printed(value: Any) -> Iterator[str]:
    """Every word that is printed on a card."""
    match value:
        case str():
            yield value
        case dict():
            for one in value.values():
                yield from _printed(one)
        case list() | tuple():
            for one in value:
                yield from _printed(one)


def untranslated(found: Iterable[str], rules: Rulebook, *free: str) -> Iterator[str]:
    """The texts in which something is left in plain letters that is no name; `free` are names too.

    Quoted texts are other people's; places and ids are written `hand/0`, `gcg:1-2`.
    """
    for text in found:
        left = _names(rules, free).sub("", text)
        for name in free:
            left = left.replace(name, "")
        left = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|[\w-]+[/:.][\w./-]+", "", left)
        if re.search(r"[A-Za-z]{2}", left):
            yield text
