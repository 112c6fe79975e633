"""Splits a text of the notation where its picks begin: at `->`, `with`, or the name of a part.

What the pieces mean is in `notation`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from domain.record.decisions import TEXTS, Option

if TYPE_CHECKING:  # reading a record needs no engine
    from domain.engine.rulebook import Rulebook


def split_picks(
    rest: str, options: list[Option], rules: Rulebook, further: bool = False
) -> tuple[str, list[tuple[str, str]]]:
    """The text before the first lead, and what follows each lead.

    `further`: parts that none of the options has may be named as well.
    """
    parts = [part for option in options for part in option.parts]
    for part in parts:
        head, lead, picks = f" {rest}".partition(f" {part.name} ")
        if part.pool in TEXTS and lead:  # any text, to the end
            before, groups = split_picks(head, [], rules)
            return before, [*groups, (part.name, picks)]
    if rest and options and all(_is_text(option) for option in options):
        return "", [(parts[0].name, rest)]
    named = {part.name for part in parts}
    # Where nothing is picked any part may be named, but for words that are effects on offer.
    effects = {option.effect.rpartition("/")[2] for option in options}
    # If any may be, one that nothing follows, or a sign, is the name of an effect as well.
    alone = r"(?!\s*$|\s+(?:->|with)(?:\s|$))"
    others = {word.name for word in rules.manifest.parts} - effects - named
    leads = "->|with"
    if named:
        leads += f"|{_either(frozenset(named))}"
    if others and (further or not named):
        leads += f"|(?:{_either(frozenset(others))}){alone}"
    pieces = re.split(rf'(?:^|\s+)({leads})(?:\s+|$)(?=(?:[^"]*"[^"]*")*[^"]*$)', rest)
    return pieces[0].strip(), list(zip(pieces[1::2], map(str.strip, pieces[2::2]), strict=True))


@lru_cache(maxsize=256)
def _either(words: frozenset[str]) -> str:
    """A pattern for any of some words, the longer ones first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _is_text(option: Option) -> bool:
    """Whether an act is a text and nothing else: what follows its verb is that."""
    return not option.card and len(option.parts) == 1 and option.parts[0].pool in TEXTS
