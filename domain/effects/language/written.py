"""Card data as it was written: what in it nothing reads, and texts declared as JSON.

A field that an instruction, a cost or a condition has no use for is a slip, also where it says what
would hold anyway; once the data is typed (`vocabulary`) that can't be told any more. Everything
else that may be wrong with an effect is in `check`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from domain.effects.language.clauses import clause_faults
from domain.effects.language.vocabulary import Effect, clauses_from
from domain.effects.language.words import INSTRUCTIONS, TARGETS, Words
from domain.words.phrases import Phrase, labelled, phrase

#: Fields that mean the same with every instruction.
_ALWAYS = frozenset({"do", "when", "join", "may"})


def unread(card: Mapping[str, Any], words: Words) -> Iterator[Phrase]:
    """A sentence for every field in a card's effects that nothing reads."""
    for effect in card.get("effect", ()):
        for fault in (*_costs(effect, words), *_conditions(effect)):
            yield labelled(effect["name"], fault)
        yield from _clauses(effect["name"], effect.get("do", ()), words)


def _clauses(name: str, clauses: Iterable[Mapping[str, Any]], words: Words) -> Iterator[Phrase]:
    """The same of the clauses of an effect of that name."""
    for clause in clauses:
        for fault in (*_fields(clause, words), *_conditions(clause)):
            yield labelled(f"{name}, {clause['do']}", fault)
        for option in clause.get("options", ()):
            yield from _clauses(f"{name}, {clause['do']}", option, words)


def declaration_faults(
    text: str, effect: Effect, words: Words, tokens: Collection[str] = ()
) -> list[Phrase]:
    """What is wrong with clauses that are declared for an effect; empty if they can be played."""
    try:
        clauses = clauses_from(text)
    except msgspec.DecodeError as error:
        return [Phrase(str(error))]
    if not clauses:
        return [phrase("a declaration says at least one thing")]
    return [
        *_clauses(effect.name, msgspec.json.decode(text), words),
        *(
            labelled(f"{effect.name}, {clause.do}", fault)
            for clause in clauses
            for fault in clause_faults(clause, effect, words, (), tokens)
        ),
    ]


def _fields(clause: Mapping[str, Any], words: Words) -> Iterator[Phrase]:
    do = str(clause["do"])
    takes = words.instructions.get(do) or INSTRUCTIONS.get(do)
    if takes is None:
        return
    allowed = {*_ALWAYS, *takes.needs, *takes.may}
    allowed |= {"to", "choose"} if TARGETS in allowed else set()
    allowed |= {"times", "per"} if "n" in allowed else set()
    for field in sorted(clause.keys() - allowed):
        yield phrase("it does not use `{field}`", field=field)


def _costs(effect: Mapping[str, Any], words: Words) -> Iterator[Phrase]:
    for cost in effect.get("cost", ()):
        reads = words.costs.get(cost["do"])
        used = {"do", *reads.needs, *reads.may} if reads is not None else cost.keys()
        for field in sorted(cost.keys() - used):
            yield phrase("the cost {cost} does not use `{field}`", cost=cost["do"], field=field)


def _conditions(data: Mapping[str, Any]) -> Iterator[Phrase]:
    for condition in (*data.get("when", ()), *data.get("provided", ())):
        counts = condition.keys() & {"count", "amount"}
        if not counts and condition.keys() & {"least", "most"}:
            yield phrase("`least` and `most` go with `count`")
        if condition.keys() & {"amount", "count"} > {"count"} or (
            "than" in condition and (condition.keys() & {"least", "most"} or "amount" not in counts)
        ):
            yield phrase("`than` goes with `amount`, and no other limit with the two")
