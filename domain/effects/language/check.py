"""What is wrong with an effect as it is written: unknown words, fields an instruction can't use.

The shape of card data is checked by its types (`vocabulary`), and that nothing in it goes unread in
`written`; this is the rest, so that a slip is found when cards are loaded and named in a sentence.
Its clauses are looked at in `clauses`, what they and it ask for in `asked`. The words themselves
are in `words`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from domain.effects.language.asked import (
    condition_faults,
    cost_faults,
    filter_faults,
    group_faults,
    unknown,
    unspoken,
)
from domain.effects.language.clauses import amounts_to, clause_faults, homeless
from domain.effects.language.vocabulary import (
    Effect,
    every,
)
from domain.effects.language.words import (
    Words,
)
from domain.words.phrases import Phrase, labelled, phrase

_NUMBER, _NOT_DONE = phrase("a number"), phrase("nothing does that")
#: Limits that count moments.
_MOMENT = ("moment", "turn moment")


def faults(
    effect: Effect, words: Words, effects: Collection[str] = (), tokens: Collection[str] = ()
) -> Iterator[Phrase]:
    """Everything wrong with an effect, a sentence each.

    `effects` are the names of its card's effects, `tokens` the ids of tokens that exist.
    """
    for fault in (*_effect(effect, words), *_secrets(effect, words)):
        yield labelled(effect.name, fault)
    for clause in effect.do:
        found = clause_faults(clause, effect, words, effects, tokens)
        for fault in (*found, *homeless(clause, words)):
            yield labelled(f"{effect.name}, {clause.do}", fault)


def keyword_faults(keywords: Mapping[str, int | bool], words: Words) -> Iterator[Phrase]:
    """Everything wrong with the keywords printed on a card."""
    for name, value in keywords.items():
        wanted = words.keywords.get(name)
        if wanted is None:
            yield unknown("keyword", name, words.keywords)
        elif not amounts_to(value, wanted):
            yield phrase(
                "{name} needs {what}", name=name, what=_NUMBER if wanted is int else "true"
            )


def _effect(effect: Effect, words: Words) -> Iterator[Phrase]:
    occurs = effect.kind in ("triggered", "replacement")
    started = effect.kind in ("activated", "command")
    if not effect.name or "/" in effect.name:
        yield phrase("an effect needs a name without a slash")
    if not effect.do and not (occurs or started):
        yield phrase("only what happens at a moment can be declared at the table: it needs `do`")
    applied = effect.kind == "constant" and "applied" in words.speaks
    answers = applied or (started and "on" in words.speaks)
    if occurs != bool(effect.on) and not answers:
        yield phrase("`on` belongs to triggered and replacement effects, and they need it")
    yield from _newer(effect, words)
    yield from _occurrence(effect, words)
    timed = started and bool(words.timings)
    may_be = timed or _spoken("at", words, effect.kind == "triggered")
    if (effect.at and not may_be) or (timed and words.timed and not effect.at):
        yield phrase("`at` belongs to activated and command effects, and they need it")
    for timing in effect.at:
        if timing not in words.timings:
            yield unknown("timing", timing, words.timings)
    if effect.cost and not (effect.kind == "activated" or _spoken("cost", words, occurs, started)):
        yield phrase("only activated effects have a cost")
    if effect.limit and not (occurs or effect.kind == "activated" or effect.limit != "turn"):
        yield phrase("a {kind} effect has no limit", kind=effect.kind)
    if effect.may and not occurs:
        yield phrase(
            "`may` belongs to triggered and replacement effects; else it stands with a clause"
        )
    for cite in effect.cites:
        if cite not in words.readings:
            yield unknown("reading", cite, words.readings)
    if effect.zone and effect.zone not in words.elsewhere:
        yield phrase("no effect works in {zone!r}", zone=effect.zone)
    if effect.paired:
        yield from filter_faults(effect.paired, words)
    if effect.about is not None:
        yield from group_faults(effect.about, words)
    for cost in effect.cost:
        yield from cost_faults(cost, words)
    if len({cost.do for cost in effect.cost}) < len(effect.cost):
        yield phrase("each kind of cost stands there once, with the whole amount")
    if effect.provided and (effect.kind in ("constant", "replacement") or not words.provided):
        yield phrase("it is not activated: `provided` has no meaning")
    for condition in (*effect.when, *effect.provided):
        yield from condition_faults(condition, words)


def _spoken(part: str, words: Words, *cases: bool) -> bool:
    """Whether a game's texts use a newer part of the language, and this is a case for it."""
    return part in words.speaks and any(cases)


def _newer(effect: Effect, words: Words) -> Iterator[Phrase]:
    """What an effect states that not every game's texts do."""
    stated = {
        "limit": effect.limit not in ("", "turn", *_MOMENT),
        "moment": effect.limit in _MOMENT,
        "counts": bool(effect.counts),
        "misses": effect.misses,
        "by": bool(effect.by),
        "part": effect.kind == "part",
    }
    yield from unspoken((part for part, given in stated.items() if given), words)
    once = effect.kind == "constant" and effect.limit == "moment"
    if effect.limit not in ("", "turn") and effect.kind in ("constant", "part") and not once:
        yield phrase("a {kind} effect has no limit", kind=effect.kind)
    if effect.counts and (not effect.limit or effect.kind == "replacement"):
        yield phrase("only a limit on what is activated counts activations")
    if effect.misses and not (effect.kind == "triggered" and effect.may):
        yield phrase("only what may be declined misses its time")
    if effect.by and effect.kind != "activated":
        yield phrase("only an activated effect is anybody's")
    if effect.kind == "part" and (effect.when or effect.about or effect.may):
        yield phrase("a part is carried out when another text says so, and in any case")


def _occurrence(effect: Effect, words: Words) -> Iterator[Phrase]:
    on = effect.on
    if on and on not in words.occurrences and on not in words.replaceable:
        yield unknown("occurrence", on, {*words.occurrences, *words.replaceable})
    elif effect.kind == "replacement" and (why := words.replaceable.get(on, _NOT_DONE)):
        yield phrase("{on} can't be replaced: {why}", on=on, why=why)
    elif effect.kind == "triggered" and on not in words.occurrences:
        yield phrase("{on} sets nothing off: it can only be replaced", on=on)
    about = effect.about
    if on in words.of_players and about and (about.zone or about.match or about.other):
        yield phrase("{on} befalls a player: of `about` it uses `whose` alone", on=on)


def _secrets(effect: Effect, words: Words) -> Iterator[Phrase]:
    """Conditions and costs of hidden cards: whether it may be played would tell its player."""
    conditions = [*effect.when, *effect.provided]
    conditions += [one for clause in every(effect.do) for one in clause.when]
    counted = [one for c in conditions for one in (c.amount, c.than) if one is not None]
    asked = [(phrase("condition on"), condition.count) for condition in conditions]
    asked += [(phrase("condition on"), amount.of) for amount in counted]
    asked += [(phrase("cost of"), cost.of) for cost in effect.cost]
    for what, group in asked:
        if group is None or not group.match or group.zone not in words.layout:
            continue
        faces = words.layout[group.zone].faces
        if faces == "none" or (faces == "owner" and group.whose != "yours"):
            where = repr(group.zone)
            yield phrase(
                "who plays it can't tell which cards of {where} fit: no {what} those",
                where=where,
                what=what,
            )
