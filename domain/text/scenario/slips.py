"""Finds unknown names in the lines of a scenario.

They are looked for before anything is checked, in what must not happen as well: a line that names
nothing there is would hold for no reason. The known words are in `lexicon`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from domain.effects.language.spelling import meant
from domain.text.names import BadText
from domain.text.notation import what_is_named
from domain.text.picks import NONE, REST
from domain.text.scenario.checks import CHECKS
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
from domain.words.phrases import phrase


def slips(lexicon: Lexicon, statement: Statement) -> Iterator[str]:
    """Everything that a line names and that does not exist, a sentence each."""
    for rule in (*statement.witness, *_cited(statement)):
        if not lexicon.is_rule(rule):
            near = meant(rule, lexicon.rules.rules)
            yield phrase("no rule is called {rule!r}{near}", rule=rule, near=near)
    match statement:
        case Unread(why=why):
            yield why
        case PresetChance(kind=kind):
            yield from filter(None, [lexicon.no_word("chances", kind)])
        case Choice(who=who):
            yield from filter(None, [lexicon.no_seat(who) if who not in ("", ALL, DESK) else ""])
        case Expect():
            yield from filter(
                None,
                [
                    *map(lexicon.no_seat, _seats(statement)),
                    *_NAMED[statement.sort](lexicon, statement),
                ],
            )


def _cited(statement: Statement) -> tuple[str, ...]:
    match statement:
        case Choice(refusal=rules):
            return rules or ()
        case Expect(cites=rules):
            return rules
        case _:
            return ()


def _event(lexicon: Lexicon, statement: Expect) -> Iterator[str]:
    return lexicon.slips(statement.about, statement.text)


def _zone(lexicon: Lexicon, statement: Expect) -> Iterator[str]:
    assert statement.zone is not None
    yield lexicon.no_word("zones", statement.zone.zone)
    yield from _items(lexicon, statement.zone.items)


def _is(lexicon: Lexicon, statement: Expect) -> Iterator[str]:
    yield lexicon.no_card(statement.about)
    yield from map(lexicon.no_trait, listed(statement.text))


def _asked(lexicon: Lexicon, statement: Expect) -> Iterator[str]:
    yield lexicon.no_word("decisions", statement.text)


def _offered(lexicon: Lexicon, statement: Expect) -> Iterator[str]:
    for text in filter(None, map(str.strip, statement.text.split(";"))):
        yield from _act(lexicon, text)


def _picks(lexicon: Lexicon, statement: Expect) -> Iterator[str]:
    yield from _act(lexicon, statement.about[1:].strip())
    yield from _items(lexicon, items(statement.line, statement.text), refs=True)


def _waiting(lexicon: Lexicon, statement: Expect) -> Iterator[str]:
    for waiting in listed(statement.text) if statement.text != NONE else ():
        card, _, effect = waiting.rpartition(" ")
        yield lexicon.no_card(card)
        if effect not in lexicon.effects:
            near = meant(effect, lexicon.effects)
            yield phrase("{effect!r} is no effect of a card{near}", effect=effect, near=near)


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


def _state(lexicon: Lexicon, statement: Expect) -> Iterator[str]:
    word = statement.text.removeprefix(statement.about).strip()
    match statement.about:
        case "step":
            yield lexicon.no_word("steps", word)
        case "why" if word:
            yield lexicon.no_word("reasons", word)
        case "attack" if word and word != "no attack":
            for end in word.split("->"):
                yield "" if lexicon.is_ref(end.strip()) else lexicon.no_card(end.strip())
        case "counters":
            _, _, held = word.partition(": ")
            for one in listed(held) if held != NONE else ():
                yield lexicon.no_word("counters", one.partition(" ")[0])
        case _:
            return


#: What is wrong with what each kind of expectation names; empty texts where nothing is.
_NAMED: Mapping[str, Callable[[Lexicon, Expect], Iterator[str]]] = {
    **dict.fromkeys(("then", "and", "never", "exactly"), _event),
    **dict.fromkeys(("offered", "not offered", "only offered"), _offered),
    "zone": _zone,
    "is": _is,
    "asked": _asked,
    "picks": _picks,
    "waiting": _waiting,
    "state": _state,
}
if missing := _NAMED.keys() ^ CHECKS.keys():
    raise TypeError(f"expectations are not both checked and looked up: {sorted(missing)}")
