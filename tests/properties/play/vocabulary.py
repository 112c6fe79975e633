"""Random clauses in the vocabulary of a game: everything that may be declared, sensible or not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

from domain.effects.declared import DECLARED
from domain.effects.language.words import Words
from domain.record.position import Position
from tests.support.games import cards_of

SPECIAL = ("this", "it", "looked", "cause", "")
PLAYERS = ("", "you", "opponent", "both")
HOW: tuple[dict[str, Any], ...] = (
    {}, {"may": True}, {"up_to": True}, {"by": "opponent"}, {"by": "random"},
)  # fmt: skip


def declaration(rng: Random, game: str) -> str:
    """Clauses that nobody objects to, as JSON."""
    cards = cards_of(game)
    while True:
        found = [clause(rng, cards.WORDS) for _ in range(rng.choice((1, 1, 2, 3)))]
        text = json.dumps(found)
        if not cards.declaration_faults(text, DECLARED, Position()):
            return text


def clause(rng: Random, words: Words) -> dict[str, Any]:
    """A clause, of which some are at fault."""
    do = rng.choice(sorted({*words.instructions} - {"perform"}))
    made: dict[str, Any] = {"do": do, **_words(rng, words, do)}
    if rng.random() < 0.6:
        made["n"] = rng.choice((0, 1, 2, 3, 9))
    aim = rng.random()
    if aim < 0.4:
        made["to"] = _group(rng, words)
    elif aim < 0.8:
        made["choose"] = {"of": _group(rng, words), "n": rng.randint(1, 3), **rng.choice(HOW)}
    if rng.random() < 0.2:
        made["may"] = True
    if rng.random() < 0.3:
        made["join"] = rng.choice(("then", "if so", "after all"))
    return made


def _words(rng: Random, words: Words, do: str) -> dict[str, Any]:
    """The words that an instruction needs besides its targets."""
    keyword = _one(rng, words.keywords)
    lasting = {"until": _one(rng, words.durations)}
    place = {"place": _one(rng, words.zones)}
    turned = {key: True for key in ("random", "reveal") if rng.random() < 0.3}
    needs: dict[str, dict[str, Any]] = {
        "draw": {"key": rng.choice(PLAYERS)},
        "discard": {"key": rng.choice(PLAYERS)},
        "damage": {"key": rng.choice(PLAYERS)},
        "modify": {"key": _one(rng, words.figures), **lasting},
        "gain": {
            "key": keyword, "value": True if words.keywords.get(keyword) is bool else 2, **lasting,
        },
        "forbid": {"key": _one(rng, words.acts), **lasting},
        "allow": {"key": _one(rng, words.acts), **lasting},
        "move": {**place, **turned, "at": rng.choice(("top", "bottom"))},
        "look": place,
        "token": {"token": "T-001"},
        "face-down": {"value": rng.choice(({"type": "character", "power": 2000}, {"x": 1}, 5))},
        "one-of": {"options": [[{"do": "draw"}], [{"do": "rest"}]]},
    }  # fmt: skip
    return needs.get(do, {})


def _one(rng: Random, words: Iterable[str]) -> str:
    """One of a game's words; none where it has none of that kind."""
    return rng.choice(sorted(words) or [""])


def _group(rng: Random, words: Words) -> dict[str, Any]:
    made: dict[str, Any] = {"zone": rng.choice((*sorted(words.zones), *SPECIAL))}
    if rng.random() < 0.6:
        made["whose"] = rng.choice(("yours", "theirs", "any"))
    if rng.random() < 0.2:
        made["match"] = {"type": rng.choice(sorted(words.values["type"]))}
    return made
