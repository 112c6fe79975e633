"""What is wrong with what a text asks for: filters, groups, numbers, conditions, costs.

Each of them may stand in an effect (`check`) as well as in a clause of one (`clauses`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from domain.effects.conditions import within
from domain.effects.language.spelling import meant
from domain.effects.language.vocabulary import (
    Amount,
    Answers,
    Condition,
    Cost,
    Filter,
    Group,
    comparison,
)
from domain.effects.language.words import (
    INSTRUCTIONS,
    Words,
)
from domain.effects.select import CHOSEN, FURTHER, SPECIAL, X
from domain.words.phrases import Phrase, phrase


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
    compared = isinstance(test, str) and comparison(test) is not None
    if type(test) not in types and not (compared and int in types):
        yield phrase("{key} can't be tested with {test!r}", key=key, test=test)
    elif isinstance(test, str) and not compared:
        word = test.removeprefix("!=")
        if word not in words.values.get(key, (word,)):
            yield phrase("there is no {key} {test!r}", key=key, test=word)


def cost_faults(cost: Cost, words: Words) -> Iterator[Phrase]:
    """Everything wrong with a cost."""
    reads = words.costs.get(cost.do)
    if reads is None:
        yield unknown("cost", cost.do, words.costs)
        return
    for name in reads.needs:
        if name not in fields_given(cost):
            yield phrase("the cost {cost} needs `{field}`", cost=cost.do, field=name)
    if cost.n < 1:
        yield phrase("a cost is at least 1")
    stated = {"per": cost.per is not None, "noted": bool(cost.noted)}
    yield from unspoken((part for part, given in stated.items() if given), words)
    if cost.of is not None:
        yield from group_faults(cost.of, words)
    if cost.per is not None:
        yield from amount_faults(cost.per, words)
    if cost.noted and int not in words.attributes.get(cost.noted, ()):
        yield unknown("number", cost.noted, _numbers(words))
    keys, what = (words.acts, "act") if cost.do == "oath" else (words.counters, "counter")
    if cost.key and cost.key not in keys:
        yield unknown(what, cost.key, keys)


def condition_faults(condition: Condition, words: Words) -> Iterator[Phrase]:
    """Everything wrong with a condition."""
    given = fields_given(condition) - {"unless"}
    if not given:
        yield phrase("a condition asks for something")
    if condition.count is not None:
        yield from group_faults(condition.count, words)
    counted = condition.count is not None or condition.amount is not None
    if counted and not 0 <= condition.least <= condition.most:
        yield phrase("`least` is more than `most`, or less than nothing")
    yield from filter_faults(condition.this, words)
    yield from filter_faults(condition.it, words)
    newer = given & {"during", "amount", "than", "answers", "rolled", "playing"}
    yield from unspoken(sorted(newer), words)
    yield from filter_faults(condition.playing or {}, words)
    for step in condition.during:
        if not any(within(one, step) for one in words.steps):
            yield unknown("step", step, words.steps)
    for amount in (condition.amount, condition.than):
        if amount is not None:
            yield from amount_faults(amount, words)
    if condition.answers is not None:
        yield from _answers(condition.answers, words)


def _answers(answers: Answers, words: Words) -> Iterator[Phrase]:
    """What is wrong with what a text answers."""
    known = {*INSTRUCTIONS, *words.instructions} - set(words.lacking)
    for what, given, there in (
        ("act", answers.kind, words.answered),
        ("instruction", answers.does, known),
        ("kind of texts", answers.texts, ("command", "triggered", "activated")),
    ):
        for word in given:
            if word not in there:
                yield unknown(what, word, there)
    yield from filter_faults(answers.match, words)
    yield from filter_faults(answers.targets or {}, words)


def amount_faults(amount: Amount, words: Words) -> Iterator[Phrase]:
    """What is wrong with a number that is counted."""
    of = amount.of is not None
    if [of or bool(amount.counter), amount.done, bool(amount.noted)].count(True) != 1:
        yield phrase("an amount counts cards, counters, what was done or what was noted")
    if not of and (amount.figure or amount.different):
        yield phrase("`figure` and `different` go with `of`")
    if [amount.figure, amount.different, of and amount.counter].count("") < 1 + (not of):
        yield phrase("an amount counts one thing of cards")
    if amount.figure and int not in words.attributes.get(amount.figure, ()):
        yield unknown("number", amount.figure, _numbers(words))
    for what, word, known in (
        ("attribute", amount.different, words.attributes),
        ("counter", amount.counter, words.counters),
        ("note", amount.noted, words.noted),
    ):
        if word and word not in known:
            yield unknown(what, word, known)
    if amount.over < 1:
        yield phrase("it is divided by 1 or more")
    if amount.of is not None:
        yield from group_faults(amount.of, words)


def group_faults(group: Group, words: Words) -> Iterator[Phrase]:
    """Everything wrong with a group of cards."""
    if group.zone and group.zone not in SPECIAL and group.zone not in words.zones:
        yield unknown("zone", group.zone, {*SPECIAL, *words.zones})
    if group.top < 0 or (group.top and group.zone in SPECIAL):
        yield phrase("`top` counts cards of a zone")
    yield from filter_faults(group.match, words)
    parts = {
        group.zone: group.zone in FURTHER or group.zone == CHOSEN,
        "like": group.like is not None,
        "unless": group.like is not None and group.like.unless,
        "most": bool(group.most or group.least),
        "besides": group.besides is not None,
    }
    yield from unspoken((part for part, given in parts.items() if given), words)
    for figure in (group.most, group.least):
        if figure and int not in words.attributes.get(figure, ()):
            yield unknown("number", figure, _numbers(words))
    if group.most and group.least:
        yield phrase("`most` and `least` exclude each other")
    if group.besides is not None:
        yield from group_faults(group.besides, words)
    if group.like is not None:
        yield from group_faults(group.like.of, words)
        if group.like.key not in words.attributes:
            yield unknown("attribute", group.like.key, words.attributes)


def attributes_of(group: Group) -> Iterator[str]:
    """Every attribute by which it is told which cards are of a group."""
    yield from group.match
    yield from filter(None, (group.most, group.least))
    if group.like is not None:
        yield group.like.key
        yield from attributes_of(group.like.of)
    if group.besides is not None:
        yield from attributes_of(group.besides)


def _numbers(words: Words) -> list[str]:
    return [key for key, types in words.attributes.items() if int in types]


def unspoken(parts: Iterable[str], words: Words) -> Iterator[Phrase]:
    """Which of these newer parts of the language texts of this game do not use."""
    for part in parts:
        if part not in words.speaks:
            yield phrase("texts of this game do not use `{field}`", field=part)


def unknown(what: str, word: str, known: Iterable[str]) -> Phrase:
    """That there is no such word, with the one that was probably meant and all that there are."""
    listed = sorted(known)
    return phrase(
        "unknown {what} {word!r}{meant}; there are {names}",
        what=what,
        word=word,
        meant=meant(word, listed),
        names=", ".join(listed),
    )


def fields_given(struct: Struct) -> set[str]:
    """The fields of a struct that were set to something."""
    plain: dict[str, Any] = msgspec.structs.asdict(struct)
    bare = _bare(type(struct))
    return {name for name, value in plain.items() if value not in (bare[name], [], {})}


@cache
def _bare(cls: type[Struct]) -> dict[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(cls)}
