"""What cards do that a match brings (`MatchOpened.prints`), in Kifu's own words.

Before a match brings a printed card whose text was compiled, somebody is asked whether that is what
it does: at a terminal (`replay_cli.typed.prints`), or in the hall of an event, whose matches bring
them with a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain import games
from domain.effects.language.vocabulary import Effect
from domain.effects.wording import texts
from domain.effects.wording.phrasebook import Words
from domain.words.phrases import Phrase, joined, phrase


def effects(of: str, table: Mapping[str, Any]) -> list[Phrase]:
    """What the effects of a card of a game do, each as a sentence."""
    rules = games.rulebook(of)
    words = Words(games.phrasebook(of), rules.manifest, rules.cards)
    found = (rules.words.convert(effect, Effect) for effect in table.get("effect", ()))
    return [texts.sentence(words, one) for one in found]


def asked(of: str, prints: Iterable[str]) -> Phrase:
    """The cards that matches of a game bring, a card a line, to be agreed to; empty: none."""
    tables = [msgspec.json.decode(text, type=dict[str, Any]) for text in prints]
    if not tables:
        return Phrase("")
    lines = [phrase("The matches bring these cards, and what is understood of their texts:")]
    for table in tables:
        stated = effects(of, table)
        what = joined(" ", stated) if stated else phrase("no text, or one that its players declare")
        name = f"{table['id']} {table['name']}"
        lines.append(phrase("{name}: {text}", name=name, text=what))
    return joined("\n", lines)
