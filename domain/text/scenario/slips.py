"""Finds unknown names in the lines of a scenario.

They are looked for before anything is checked, in what must not happen as well: a line that names
nothing there is would hold for no reason. The known words are in `lexicon`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from domain.effects.language.spelling import meant
from domain.text.names import BadText
from domain.text.notation import NONE, REST, what_is_named
from domain.text.scenario.lexicon import Lexicon
from domain.text.scenario.text import (
    ALL,
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


def slips(lexicon: Lexicon, said: Statement) -> Iterator[str]:
    """Everything that a line names and that does not exist, a sentence each."""
    for rule in (*said.witness, *_cited(said)):
        if not lexicon.is_rule(rule):
            yield f"no rule is called {rule!r}{meant(rule, lexicon.rules.rules)}"
    match said:
        case Unread(why=why):
            yield why
        case PresetChance(kind=kind):
            yield from filter(None, [lexicon.no_word("chances", kind)])
        case Choice(who=who):
            yield from filter(None, [lexicon.no_seat(who) if who not in ("", ALL) else ""])
        case Expect():
            yield from filter(None, [*map(lexicon.no_seat, _seats(said)), *_named(lexicon, said)])


def _cited(said: Statement) -> tuple[str, ...]:
    match said:
        case Choice(refusal=rules):
            return rules or ()
        case Expect(cites=rules):
            return rules
        case _:
            return ()


def _named(lexicon: Lexicon, said: Expect) -> Iterator[str]:
    """What is wrong with what an expectation names; empty texts where nothing is."""
    match said.kind:
        case "then" | "and" | "never":
            yield from lexicon.slips(said.about, said.text)
        case "zone":
            assert said.zone is not None
            yield lexicon.no_word("zones", said.zone.zone)
            yield from _items(lexicon, said.zone.items)
        case "is":
            yield lexicon.no_card(said.about)
            yield from map(lexicon.no_trait, listed(said.text))
        case "asked":
            yield lexicon.no_word("decisions", said.text)
        case "offered" | "not offered" | "only offered":
            for text in filter(None, map(str.strip, said.text.split(";"))):
                yield from _act(lexicon, text)
        case "picks":
            yield from _act(lexicon, said.about[1:].strip())
            yield from _items(lexicon, items(said.line, said.text), refs=True)
        case "waiting":
            for waiting in listed(said.text) if said.text != NONE else ():
                card, _, effect = waiting.rpartition(" ")
                yield lexicon.no_card(card)
                yield (
                    ""
                    if effect in lexicon.effects
                    else _nothing(effect, "effect of a card", lexicon.effects)
                )
        case "state":
            yield from _state(lexicon, said.about, said.text)
        case _:
            yield from lexicon.slips(said.about, said.text)  # exactly so many


def _seats(said: Expect) -> Iterator[str]:
    """The letters of the seats that an expectation speaks of, in whose eyes among them."""
    if said.viewer >= 0:
        yield SEATS[said.viewer]
    if said.kind == "asked" or said.kind.endswith("offered") or said.kind == "picks":
        yield said.about[0]
    if said.zone is not None and len(said.zone.seat) == 1:
        yield said.zone.seat
    if said.about == "counters":
        holder = said.text.removeprefix("counters ").partition(":")[0]
        if holder[0].isupper():
            yield holder[0]


def _items(lexicon: Lexicon, listed_: tuple[Item, ...], refs: bool = False) -> Iterator[str]:
    for item in listed_:
        if item.name and not (refs and lexicon.is_ref(item.name)):
            yield lexicon.no_card(item.name)
        yield from map(lexicon.no_trait, item.traits)


def _act(lexicon: Lexicon, text: str) -> Iterator[str]:
    """What is wrong with the verb of an act, or with what it names."""
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
        case "attack" if word:
            for end in word.split("->"):
                yield "" if lexicon.is_ref(end.strip()) else lexicon.no_card(end.strip())
        case "counters":
            _, _, said = word.partition(": ")
            for one in listed(said) if said != NONE else ():
                yield lexicon.no_word("counters", one.partition(" ")[0])
        case _:
            return


def _nothing(word: str, what: str, known_: frozenset[str]) -> str:
    return f"{word!r} is no {what}{meant(word, known_)}"
