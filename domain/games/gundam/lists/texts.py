"""Printed English card texts of this game, compiled into effects (`COMPILER`).

The grammar is in `printed/*.grammar`, what says nothing in a table beside it; how both work is in
`domain.effects.printed`. Here is what the game makes of what a line says: effects by name,
keywords, the pilot side and further names of a card, and tokens, which texts describe and data name
by id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from domain.effects.language.check import faults
from domain.effects.language.vocabulary import Effect
from domain.effects.printed.normal import normal
from domain.effects.printed.proof import EFFECTS, Compiler, Stated
from domain.games.gundam.lists.cards import CATALOGUE, WORDS, Card

_FOLDER = files(__package__).joinpath("printed")
#: A name for an effect until its card has all of them.
_UNNAMED = "unnamed"
#: Names of effects that texts speak of: another one of the card, and one that it gives to cards.
_OTHERS = ("main", "action", "gift")


@cache
def compiler() -> Compiler:
    """The compiler of printed texts; made once, which takes as long as some hundred texts."""
    grammars = sorted(one.name for one in _FOLDER.iterdir() if one.name.endswith(".grammar"))
    grammar = {name: _FOLDER.joinpath(name).read_text("utf-8") for name in grammars}
    table = _FOLDER.joinpath("en.normal").read_text("utf-8")
    return Compiler(grammar, normal(table), _usual, _printed, gather)


# -- a line ----------------------------------------------------------------------------------------


def _usual(stated: Stated) -> Stated:
    """What a line says, in the words of card data; `ValueError` if they are none."""
    effects = {key: _usual_effect(stated[key]) for key in EFFECTS if key in stated}
    return {**stated, **effects}


def _usual_effect(effect: Mapping[str, Any]) -> dict[str, Any]:
    found = WORDS.convert({"name": _UNNAMED, **_tokens(effect, _token_id)}, Effect)
    tokens = {card.id for card in CATALOGUE.cards.values() if card.token}
    if wrong := [str(fault) for fault in faults(found, WORDS, _OTHERS, tokens)]:
        raise ValueError("; ".join(wrong))
    return {k: v for k, v in _plain(found).items() if (k, v) != ("name", _UNNAMED)}


def _plain(effect: Effect) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(effect)
    return found


def _printed(stated: Stated) -> Stated:
    """The same, as texts say it: tokens by what they are."""
    return {k: _tokens(v, _token_facts) if k in EFFECTS else v for k, v in stated.items()}


def _tokens(data: Any, other: Callable[[Any], Any]) -> Any:
    """Data with each token named another way."""
    if isinstance(data, Mapping):
        return {
            k: other(v) if k == "token" and not isinstance(v, bool) else _tokens(v, other)
            for k, v in data.items()
        }
    return [_tokens(one, other) for one in data] if isinstance(data, list) else data


def _nameless(effect: Effect) -> dict[str, Any]:
    return {key: value for key, value in _plain(effect).items() if key != "name"}


def _facts(card: Card) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": card.name, "traits": [*card.traits], "ap": card.ap, "hp": card.hp,
        "keywords": dict(card.keywords), "effects": [_nameless(one) for one in card.effects],
    }  # fmt: skip
    return {key: value for key, value in facts.items() if value not in ({}, [])}


def _token_id(facts: Any) -> str:
    """The token that a text describes, or one that it need not describe."""
    if isinstance(facts, str):
        return facts
    for card in CATALOGUE.cards.values():
        if card.token and card.type == "unit" and _facts(card) == facts:
            return str(card.id)
    raise ValueError(f"no token is {facts}")


def _token_facts(called: str) -> Any:
    card = CATALOGUE.cards.get(called)
    return _facts(card) if card and card.type == "unit" else called


# -- a card ----------------------------------------------------------------------------------------


def gather(lines: list[Stated]) -> dict[str, Any]:
    """The fields of a card that its lines say; `ValueError` if two lines say the same thing."""
    found: dict[str, Any] = {}
    effects = list[dict[str, Any]]()
    for stated in lines:
        for key, value in stated.items():
            if key in EFFECTS:
                effects.append(value)
            elif key == "keywords":
                found["keywords"] = {**found.get("keywords", {}), **value}
            elif key in found:
                raise ValueError(f"{key} is stated twice")
            else:
                found[key] = value
    if effects:
        found["effect"] = list(_called(effects))
    return found


def _called(effects: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Effects with names, each once on its card."""
    taken = set[str]()
    for effect in effects:
        base = name = effect.get("name") or _name(effect)
        n = 1
        while name in taken:
            n += 1
            name = f"{base}-{n}"
        taken.add(name)
        if "name" in effect and name != base:
            raise ValueError(f"two effects are called {base}")
        yield {"kind": effect["kind"], **effect, "name": name}


_SHORT = {"destroys-unit": "destroys", "destroys-shield": "destroys"}


def _name(effect: Mapping[str, Any]) -> str:
    """What an effect is called: when it works."""
    if "on" in effect:
        return _SHORT.get(effect["on"], str(effect["on"]))
    if effect.get("at"):
        return str(effect["at"][0])
    if effect.get("linked"):
        return "link"
    if "paired" in effect:
        return "pair"
    first = effect["do"][0]
    return "target" if str(first.get("key", "")).startswith("attack") else str(first["do"])
