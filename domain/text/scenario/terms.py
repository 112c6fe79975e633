"""The terms and lists of a match: lines of a position, or of its `decks`.

What lies on the table is in `setting`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from domain.effects.language.spelling import meant
from domain.engine.opening.terms import MODES, Deck
from domain.games.kit.game import Game
from domain.record.position import UNKNOWN
from domain.record.values import Value
from domain.text.plain import plain
from domain.text.scenario.text import SEATS, BadScenario, Line, zone
from domain.words.phrases import joined, message_of, phrase

#: How a match is recorded whose cards are on a real table.
REAL = "table"


class Terms(Struct):
    """The terms of a match: how it is recorded, how many games at most, its options."""

    mode: str = "dealer"
    best_of: int = 1
    options: dict[str, Value] = field(default_factory=dict)

    def take(self, rules: Game, line: Line) -> bool:
        """Take a line of the position, or of the decks, that says one of them; whether it does."""
        word, _, rest = line.text.partition(" ")
        if word == "mode":
            if rest not in MODES:
                raise BadScenario(
                    line.n,
                    phrase(
                        "write {modes}", modes=joined(" or ", (f"`mode {one}`" for one in MODES))
                    ),
                )
            self.mode = rest
        elif line.text.startswith("best of "):
            if not rest.removeprefix("of ").isdigit():
                raise BadScenario(line.n, phrase("write `best of 3`"))
            self.best_of = int(rest.removeprefix("of "))
        elif word == "option":
            self.options = settled(rules, self.options, line)
        else:
            return False
        return True


def settled(rules: Game, options: Mapping[str, Value], line: Line) -> dict[str, Value]:
    """Options of a match, and the one that a line adds: `option copies 1`."""
    name, _, text = line.text.partition(" ")[2].partition(" ")
    value = text == "true" if text in ("true", "false") else value_of(text)
    more = {**options, name: value}
    try:
        rules.settle(more)
    except ValueError as error:
        raise BadScenario(line.n, message_of(error)) from error
    return more


def value_of(text: str) -> Value:
    """A number, if a text is one; else the text."""
    return int(text) if re.fullmatch(r"-?\d+", text) else text


# -- lists ---------------------------------------------------------------------------------------


def lists(
    rules: Game, known: Mapping[str, Any], rows: Iterable[Line], terms: Terms
) -> tuple[Deck, ...]:
    """The lists of a `decks` block, seat by seat; what else it says is added to the terms.

    `A: ST01`, then, indented or not, `A main: 4 GM, …` for parts that differ.
    """
    found: dict[int, Deck] = {}
    for line in rows:
        if terms.take(rules, line):
            continue
        row = zone(line)
        letter, _, name = line.text.partition(": ")
        if row is not None and row.seat:
            seat = SEATS.index(row.seat)
            ids = [id_ for one in row.items for id_ in [card_id(known, one.name, line.n)] * one.n]
            before = found.get(seat, Deck("own", {}))
            found[seat] = Deck(before.name, {**before.parts, row.zone: ids})
        elif letter in tuple(SEATS) and name in rules.decks:
            found[SEATS.index(letter)] = Deck(name, rules.decks[name])
        else:
            ready = joined(", ", rules.decks)
            raise BadScenario(
                line.n, phrase("write `A: NAME` ({ready}) or `A main: 4 NAME, …`", ready=ready)
            )
    return tuple(found.get(seat, Deck("", {})) for seat in range(rules.manifest.seats))


# -- cards by name ---------------------------------------------------------------------------------


def card_id(known: Mapping[str, Any], name: str, line: int) -> str:
    """The card of those known that a name or the start of one means; tokens come last.

    Of several with that very name it is the first: others are called by their numbers.
    """
    if name == UNKNOWN:
        return ""
    if name in known:
        return name
    wanted = plain(name)
    tiers: tuple[list[str], ...] = ([], [], [])
    for id_, facts in known.items():
        if plain(id_) == wanted:
            return str(id_)
        called = plain(facts.name)
        if called == wanted:
            tiers[1 if getattr(facts, "token", False) else 0].append(id_)
        elif called.startswith(wanted):
            tiers[2].append(id_)
    for whole, tier in zip((True, True, False), tiers, strict=True):
        if len(tier) == 1 or (tier and whole):
            return tier[0]
        if tier:
            raise BadScenario(
                line, phrase("{name!r} may be any of {cards}", name=name, cards=joined(", ", tier))
            )
    titles = {facts.name for facts in known.values()}
    raise BadScenario(
        line, phrase("no card is called {name!r}{near}", name=name, near=meant(name, titles))
    )
