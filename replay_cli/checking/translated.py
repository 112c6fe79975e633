"""What each language lacks of what there is to translate, has of what there is no more, has wrong.

What there is, is in `translatable`; how tables are read in `domain.words.tables`. A text that was
changed in English is missing in its new form and obsolete in its old one, so that no translation
goes on saying what the program no longer says. What calls things by other words than the glossary
does is found by `glossary`.
"""

from __future__ import annotations

import csv
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from domain.record.schema.citations import HOUSE, manuals
from domain.words.phrases import GISTS, JOINED
from domain.words.tables import SENTENCES, SUFFIX, folders, languages, pairs, read
from replay_cli.checking.glossary import glossary
from replay_cli.checking.translatable import CORE, found


class Translated(NamedTuple):
    """What a language has of the texts of the program or of a game; the sentences themselves."""

    tag: str
    whose: str
    sentences: int
    terms: int
    gists: int
    missing: tuple[str, ...]
    obsolete: tuple[str, ...]
    wrong: tuple[str, ...]
    misnamed: tuple[str, ...]


def translated(program: click.Command) -> Iterator[Translated]:
    """Each table of each language, beside what the code, the commands and the games have."""
    texts = found(program).tables
    for tag in languages():
        for prefix, folder in folders():
            whose = prefix.rstrip("/") or CORE
            if whose in texts:
                there = {
                    (section, one) for section in texts[whose] for one in texts[whose][section]
                }
                yield _compared(tag, whose, prefix, Path(str(folder)), there)


def _compared(
    tag: str, whose: str, prefix: str, folder: Path, there: set[tuple[str, str]]
) -> Translated:
    table = read(folder, tag, prefix)
    own = {
        (section if section in (SENTENCES, JOINED) else section.removeprefix(prefix), one): text
        for section, sentences in table.items()
        for one, text in sentences.items()
        if text
    }
    rules = {(GISTS, gist) for gist in _gists(folder, whose)}
    stated = {(GISTS, one): text for one, text in pairs(folder / f"{tag}.{GISTS}.tsv") if text}
    missing = [one for _, one in sorted((there - own.keys()) | (rules - stated.keys()))]
    obsolete = [one for _, one in sorted((own.keys() - there) | (stated.keys() - rules))]
    terms = glossary(folder, tag)
    texts = ((one, text) for (_, one), text in sorted((own | stated).items()))
    misnamed = [f"{term}: {one}" for one, text in texts for term in terms.lacking(one, text)]
    counts, wrong = (len(own), len(terms.terms), len(stated)), wrong_lines(folder, tag)
    return Translated(tag, whose, *counts, (*missing,), (*obsolete,), (*wrong,), (*misnamed,))


def wrong_lines(folder: Path, tag: str) -> Iterator[str]:
    """The texts of a table that are not read as they stand, or have other places than in English.

    What is read by its lines has to be what TOML makes of it.
    """
    file, lines = folder / f"{tag}{SUFFIX}", read(folder, tag)
    for section, sentences in tomllib.loads(file.read_text("utf-8")).items():
        for one, text in sentences.items():
            places_differ = text and section != JOINED and places(one) != places(text)
            if places_differ or lines.get(section, {}).get(one) != text:
                yield one


def places(sentence: str) -> frozenset[str]:
    """The places of a sentence, with how they are to be formatted; none if it has stray braces."""
    try:
        parts = list(string.Formatter().parse(sentence))
    except ValueError:
        return frozenset()
    return frozenset(f"{name}!{how}:{form}" for _, name, form, how in parts if name is not None)


def _gists(folder: Path, whose: str) -> Iterator[str]:
    """The gists of all editions of a game's book; for the core, of house rules and manuals."""
    if whose == CORE:
        yield from (*HOUSE.values(), *manuals().values())
    for file in sorted(folder.parent.glob("rules*.tsv")):
        with file.open(encoding="utf-8") as lines:
            yield from (row["gist"] for row in csv.DictReader(lines, delimiter="\t"))
