"""Faults of filters, groups, numbers, conditions and costs in a text.

Each field is checked for the words that its annotation names (`vocabulary.Of`); conditions over
several fields are here, for each of the types. Effects and their clauses are in `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from msgspec import Struct

from domain.effects.language.spelling import unknown
from domain.effects.language.vocabulary import (
    Amount,
    Choose,
    Clause,
    Condition,
    Cost,
    Filter,
    Group,
    Like,
    Of,
    comparison,
)
from domain.effects.language.words import Words, defaults
from domain.effects.select import AGAINST, CHOSEN, COMPARED_WITH, FURTHER, MOVED, SPECIAL, X
from domain.words.phrases import Phrase, phrase


class Field(NamedTuple):
    """A field of a struct: its name, its default, the kind of its words."""

    name: str
    bare: object
    of: Of


#: The same of groups, which are the record's (`record.groups`).
_OF_GROUPS = {
    "zone": Of("zone or cards"), "match": Of("filter"), "key": Of("attribute"),
    "most": Of("number", "most"), "least": Of("number", "most"), "like": Of(newer="like"),
    "besides": Of(newer="besides"), "unless": Of(newer="unless"),
}  # fmt: skip


@cache
def fields_of(cls: type[Struct]) -> tuple[Field, ...]:
    """The fields of a struct."""
    hints = get_type_hints(cls, include_extras=True)
    of = {name: _of(hint) for name, hint in hints.items()}
    of |= _OF_GROUPS if cls in (Group, Like) else {}
    return tuple(Field(name, default, of[name]) for name, default in defaults(cls).items())


def _of(hint: Any) -> Of:
    """Of which words a field is one: its own annotation says so, or that of what it may be."""
    for one in (hint, *getattr(hint, "__args__", ())):
        for mark in getattr(one, "__metadata__", ()):
            if isinstance(mark, Of):
                return mark
        if one == Filter:
            return Of("filter")
    return Of()


def stated(struct: Struct) -> Iterator[tuple[Field, Any]]:
    """The fields of a struct that were set to something, with what they say."""
    for field in fields_of(type(struct)):
        value = getattr(struct, field.name)
        if value != field.bare and value not in ([], {}):
            yield field, value


def fields_given(struct: Struct) -> set[str]:
    """The names of those fields."""
    return {field.name for field, _ in stated(struct)}


def faults_in(struct: Struct, words: Words) -> Iterator[Phrase]:
    """Everything wrong with one of the structs of a text, and with those in it but clauses."""
    for field, value in stated(struct):
        yield from unspoken(filter(None, (field.of.newer,)), words)
        if field.of.kind:
            yield from _of_words(field.of.kind, value, words)
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, Struct) and not isinstance(inner, Clause):
                yield from faults_in(inner, words)
    for cls, further in _FURTHER.items():
        if isinstance(struct, cls):
            yield from further(struct, words)


def _of_words(kind: str, value: Any, words: Words) -> Iterator[Phrase]:
    """The faults of a word, or several, that should be of a kind."""
    if kind == "filter":
        yield from filter_faults(value, words)
        return
    for word in value if isinstance(value, list) else [value]:
        known = words.known(kind)
        if kind == "player" and known is not None and word not in known:
            yield phrase("{key!r} is no player", key=word)
        elif kind != "player" and known is not None and word not in known:
            yield unknown(kind.partition(" or ")[0].replace("place", "zone"), word, known)
        elif kind == "place" and word in words.wide:
            yield phrase("{place!r} is more than one zone", place=word)


def filter_faults(wanted: Filter, words: Words) -> Iterator[Phrase]:
    """Everything wrong with a filter."""
    for key, test in wanted.items():
        types = words.attributes.get(key)
        if types is None:
            yield unknown("attribute", key, words.attributes)
            continue
        for one in test if isinstance(test, list) else [test]:
            yield from _test(key, one, types, words)


def _test(key: str, test: object, types: tuple[type, ...], words: Words) -> Iterator[Phrase]:
    if isinstance(test, str) and X.fullmatch(test) and int in types and "noted" in words.speaks:
        return
    if isinstance(test, str) and COMPARED_WITH.fullmatch(test) and int in types:
        yield from unspoken(("compared",), words)
        return
    compared = isinstance(test, str) and comparison(test) is not None
    if type(test) not in types and not (compared and int in types):
        yield phrase("{key} can't be tested with {test!r}", key=key, test=test)
    elif isinstance(test, str) and not compared:
        word = test.removeprefix("!=")
        if word not in words.values.get(key, (word,)):
            yield phrase("there is no {key} {test!r}", key=key, test=word)


# -- what fields have to do with each other --------------------------------------------------------


def _cost(cost: Cost, words: Words) -> Iterator[Phrase]:
    reads, given = words.costs.get(cost.do), fields_given(cost)
    if reads is None:
        return
    for name in reads.needs:
        if name not in given:
            yield phrase("the cost {cost} needs `{field}`", cost=cost.do, field=name)
    if cost.n < 1:
        yield phrase("a cost is at least 1")
    keys, what = (words.acts, "act") if cost.do == "oath" else (words.counters, "counter")
    if cost.key and cost.key not in keys:
        yield unknown(what, cost.key, keys)


def _condition(condition: Condition, words: Words) -> Iterator[Phrase]:
    given = fields_given(condition)
    if not given - {"unless"}:
        yield phrase("a condition asks for something")
    counts, limits = given & {"count", "amount"}, given & {"least", "most"}
    if counts and not 0 <= condition.least <= condition.most:
        yield phrase("`least` is more than `most`, or less than nothing")
    if limits and not counts:
        yield phrase("`least` and `most` go with `count`")
    if counts > {"count"} or ("than" in given and (limits or "amount" not in counts)):
        yield phrase("`than` goes with `amount`, and no other limit with the two")


def _amount(amount: Amount, words: Words) -> Iterator[Phrase]:
    of = amount.of is not None
    if [of or bool(amount.counter), amount.done, bool(amount.noted)].count(True) != 1:
        yield phrase("an amount counts cards, counters, what was done or what was noted")
    if not of and (amount.figure or amount.different):
        yield phrase("`figure` and `different` go with `of`")
    if [amount.figure, amount.different, of and amount.counter].count("") < 1 + (not of):
        yield phrase("an amount counts one thing of cards")
    if amount.over < 1:
        yield phrase("it is divided by 1 or more")


def _group(group: Group, words: Words) -> Iterator[Phrase]:
    if group.top < 0 or (group.top and group.zone in SPECIAL):
        yield phrase("`top` counts cards of a zone")
    if group.zone in FURTHER or group.zone in (CHOSEN, MOVED, AGAINST):
        yield from unspoken((group.zone,), words)
    if group.most and group.least:
        yield phrase("`most` and `least` exclude each other")


def _choose(choose: Choose, words: Words) -> Iterator[Phrase]:
    if choose.n < 1:
        yield phrase("at least 1 is chosen")


#: What is asked of each type beside its fields, one by one.
_FURTHER: Mapping[type[Struct], Callable[[Any, Words], Iterator[Phrase]]] = {
    Cost: _cost, Condition: _condition, Amount: _amount, Group: _group, Choose: _choose,
}  # fmt: skip


def attributes_of(group: Group) -> Iterator[str]:
    """Every attribute that decides which cards are of a group."""
    yield from group.match
    yield from filter(None, (group.most, group.least))
    if group.like is not None:
        yield group.like.key
        yield from attributes_of(group.like.of)
    if group.besides is not None:
        yield from attributes_of(group.besides)


def unspoken(parts: Iterable[str], words: Words) -> Iterator[Phrase]:
    """Which of these newer parts of the language texts of this game do not use."""
    for part in parts:
        if part not in words.speaks:
            yield phrase("texts of this game do not use `{field}`", field=part)


def amounts_to(value: object, kind: type) -> bool:
    """Whether a card can have so much of a keyword of that kind."""
    if isinstance(value, str):
        return kind is str and bool(value)
    return isinstance(value, int) and type(value) is kind and value >= 1


def keyword_faults(keywords: Mapping[str, int | bool], words: Words) -> Iterator[Phrase]:
    """Everything wrong with the keywords printed on a card."""
    for name, value in keywords.items():
        wanted = words.keywords.get(name)
        if wanted is None:
            yield unknown("keyword", name, words.keywords)
        elif not amounts_to(value, wanted):
            what = phrase("a number") if wanted is int else "true"
            yield phrase("{name} needs {what}", name=name, what=what)
