"""Finds unknown names in the lines of a scenario.

They are looked for before anything is checked, in what must not happen as well: a line that names
nothing there is would hold for no reason. The known words are in `lexicon`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from domain.effects.language.spelling import meant
from domain.text.names import BadText
from domain.text.notation import what_is_named
from domain.text.picks import NONE, REST
from domain.text.scenario.lexicon import Lexicon
from domain.text.scenario.text import (
    ALL,
    DESK,
    SEATS,
    Choice,
    Expect,
    Item,
    PresetChance,
    Statement,
    Unread,
    items,
    listed,
)


def slips(lexicon: Lexicon, statement: Statement) -> Iterator[str]:
    """Everything that a line names and that does not exist, a sentence each."""
    for rule in (*statement.witness, *_cited(statement)):
        if not lexicon.is_rule(rule):
            yield f"no rule is called {rule!r}{meant(rule, lexicon.rules.rules)}"
    match statement:
        case Unread(why=why):
            yield why
        case PresetChance(kind=kind):
            yield from filter(None, [lexicon.no_word("chances", kind)])
        case Choice(who=who):
            yield from filter(None, [lexicon.no_seat(who) if who not in ("", ALL, DESK) else ""])
        case Expect():
            yield from filter(
                None, [*map(lexicon.no_seat, _seats(statement)), *_named(lexicon, statement)]
            )


def _cited(statement: Statement) -> tuple[str, ...]:
    match statement:
        case Choice(refusal=rules):
            return rules or ()
        case Expect(cites=rules):
            return rules
        case _:
            return ()


def _named(lexicon: Lexicon, statement: Expect) -> Iterator[str]:
    """The faults of the names in an expectation; empty texts if there are none."""
    match statement.kind:
        case "then" | "and" | "never":
            yield from lexicon.slips(statement.about, statement.text)
        case "zone":
            assert statement.zone is not None
            yield lexicon.no_word("zones", statement.zone.zone)
            yield from _items(lexicon, statement.zone.items)
        case "is":
            yield lexicon.no_card(statement.about)
            yield from map(lexicon.no_trait, listed(statement.text))
        case "asked":
            yield lexicon.no_word("decisions", statement.text)
        case "offered" | "not offered" | "only offered":
            for text in filter(None, map(str.strip, statement.text.split(";"))):
                yield from _act(lexicon, text)
        case "picks":
            yield from _act(lexicon, statement.about[1:].strip())
            yield from _items(lexicon, items(statement.line, statement.text), refs=True)
        case "waiting":
            for waiting in listed(statement.text) if statement.text != NONE else ():
                card, _, effect = waiting.rpartition(" ")
                yield lexicon.no_card(card)
                yield (
                    ""
                    if effect in lexicon.effects
                    else _nothing(effect, "effect of a card", lexicon.effects)
                )
        case "state":
            yield from _state(lexicon, statement.about, statement.text)
        case _:
            yield from lexicon.slips(statement.about, statement.text)  # exactly so many


def _seats(statement: Expect) -> Iterator[str]:
    """The letters of the seats that an expectation speaks of, in whose eyes among them."""
    if statement.viewer >= 0:
        yield SEATS[statement.viewer]
    if statement.kind == "asked" or statement.kind.endswith("offered") or statement.kind == "picks":
        yield statement.about[0]
    if statement.zone is not None and len(statement.zone.seat) == 1:
        yield statement.zone.seat
    if statement.about == "counters":
        holder = statement.text.removeprefix("counters ").partition(":")[0]
        if holder[0].isupper():
            yield holder[0]


def _items(lexicon: Lexicon, listed_: tuple[Item, ...], refs: bool = False) -> Iterator[str]:
    for item in listed_:
        if item.name and not (refs and lexicon.is_ref(item.name)):
            yield lexicon.no_card(item.name)
        yield from map(lexicon.no_trait, item.traits)


def _act(lexicon: Lexicon, text: str) -> Iterator[str]:
    """The faults of the verb of an act, or of what it names."""
    if not text:
        return
    try:
        kind, named = what_is_named(text, lexicon.rules)
    except BadText:
        yield lexicon.no_word("acts", text.split()[0])
        return
    if kind == "declare":  # what its text says is looked at when it is declared
        return
    for item in named:
        card, _, effect = item.rpartition(" ")
        number = re.fullmatch(r"-?\d+", item)
        if item in (NONE, *REST) or number or lexicon.is_ref(item) or lexicon.is_card(item):
            continue
        if not (card and lexicon.is_card(card) and effect in lexicon.effects):
            yield lexicon.no_card(item)


def _state(lexicon: Lexicon, about: str, text: str) -> Iterator[str]:
    word = text.removeprefix(about).strip()
    match about:
        case "step":
            yield lexicon.no_word("steps", word)
        case "why" if word:
            yield lexicon.no_word("reasons", word)
        case "attack" if word and word != "no attack":
            for end in word.split("->"):
                yield "" if lexicon.is_ref(end.strip()) else lexicon.no_card(end.strip())
        case "counters":
            _, _, statement = word.partition(": ")
            for one in listed(statement) if statement != NONE else ():
                yield lexicon.no_word("counters", one.partition(" ")[0])
        case _:
            return


def _nothing(word: str, what: str, known_: frozenset[str]) -> str:
    return f"{word!r} is no {what}{meant(word, known_)}"
