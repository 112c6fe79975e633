"""What is wrong with an effect as it is written: unknown words, fields an instruction can't use.

The shape of card data is checked by its types (`vocabulary`), and that nothing in it goes unread in
`written`; this is the rest, so that a slip is found when cards are loaded and named in a sentence.
The words themselves are in `words`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from domain.effects.conditions import within
from domain.effects.constant.calculator import TEXTS, factor
from domain.effects.language.spelling import meant
from domain.effects.language.vocabulary import (
    Amount,
    Answers,
    Clause,
    Condition,
    Cost,
    Effect,
    Filter,
    Group,
    comparison,
    every,
)
from domain.effects.language.words import (
    EITHER,
    INSTRUCTIONS,
    ITS,
    LASTING,
    OF_PLAYERS,
    PLAYERS,
    Takes,
    Words,
    place_meant,
)
from domain.effects.select import CHOSEN, FURTHER, SPECIAL, X
from domain.words.phrases import Phrase, labelled, phrase

_NUMBER, _NOT_DONE = phrase("a number"), phrase("nothing does that")
_WORD = phrase("a word")


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
        for fault in (*found, *_homeless(clause, words)):
            yield labelled(f"{effect.name}, {clause.do}", fault)


def keyword_faults(keywords: Mapping[str, int | bool], words: Words) -> Iterator[Phrase]:
    """Everything wrong with the keywords printed on a card."""
    for name, value in keywords.items():
        wanted = words.keywords.get(name)
        if wanted is None:
            yield _unknown("keyword", name, words.keywords)
        elif not _amount(value, wanted):
            yield phrase(
                "{name} needs {what}", name=name, what=_NUMBER if wanted is int else "true"
            )


def filter_faults(wanted: Filter, words: Words) -> Iterator[Phrase]:
    """Everything wrong with a filter."""
    for key, test in wanted.items():
        types = words.attributes.get(key)
        if types is None:
            yield _unknown("attribute", key, words.attributes)
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


def _unknown(what: str, word: str, known: Iterable[str]) -> Phrase:
    """That there is no such word, with the one that was probably meant and all that there are."""
    listed = sorted(known)
    return phrase(
        "unknown {what} {word!r}{meant}; there are {names}",
        what=what,
        word=word,
        meant=meant(word, listed),
        names=", ".join(listed),
    )


# -- effects ---------------------------------------------------------------------------------------


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
            yield _unknown("timing", timing, words.timings)
    if effect.cost and not (effect.kind == "activated" or _spoken("cost", words, occurs, started)):
        yield phrase("only activated effects have a cost")
    if effect.limit and not (occurs or effect.kind == "activated" or effect.limit != "turn"):
        yield phrase("a {kind} effect has no limit", kind=effect.kind)
    if effect.may and not occurs:
        yield phrase(
            "`may` belongs to triggered and replacement effects; else it stands with a clause"
        )
    if effect.zone and effect.zone not in words.elsewhere:
        yield phrase("no effect works in {zone!r}", zone=effect.zone)
    if effect.paired:
        yield from filter_faults(effect.paired, words)
    if effect.about is not None:
        yield from _group(effect.about, words)
    for cost in effect.cost:
        yield from _cost(cost, words)
    if len({cost.do for cost in effect.cost}) < len(effect.cost):
        yield phrase("each kind of cost stands there once, with the whole amount")
    if effect.provided and (effect.kind in ("constant", "replacement") or not words.provided):
        yield phrase("it is not activated: `provided` has no meaning")
    for condition in (*effect.when, *effect.provided):
        yield from _condition(condition, words)


def _spoken(part: str, words: Words, *cases: bool) -> bool:
    """Whether a game's texts use a newer part of the language, and this is a case for it."""
    return part in words.speaks and any(cases)


def _newer(effect: Effect, words: Words) -> Iterator[Phrase]:
    """What an effect states that not every game's texts do."""
    stated = {
        "limit": effect.limit not in ("", "turn"),
        "misses": effect.misses,
        "by": bool(effect.by),
        "part": effect.kind == "part",
    }
    yield from _unspoken((part for part, given in stated.items() if given), words)
    if effect.limit not in ("", "turn") and effect.kind in ("constant", "part"):
        yield phrase("a {kind} effect has no limit", kind=effect.kind)
    if effect.misses and not (effect.kind == "triggered" and effect.may):
        yield phrase("only what may be declined misses its time")
    if effect.by and effect.kind != "activated":
        yield phrase("only an activated effect is anybody's")
    if effect.kind == "part" and (effect.when or effect.about or effect.may):
        yield phrase("a part is carried out when another text says so, and in any case")


def _unspoken(parts: Iterable[str], words: Words) -> Iterator[Phrase]:
    for part in parts:
        if part not in words.speaks:
            yield phrase("texts of this game do not use `{field}`", field=part)


def _occurrence(effect: Effect, words: Words) -> Iterator[Phrase]:
    on = effect.on
    if on and on not in words.occurrences and on not in words.replaceable:
        yield _unknown("occurrence", on, {*words.occurrences, *words.replaceable})
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


def _cost(cost: Cost, words: Words) -> Iterator[Phrase]:
    reads = words.costs.get(cost.do)
    if reads is None:
        yield _unknown("cost", cost.do, words.costs)
        return
    if cost.n < 1:
        yield phrase("a cost is at least 1")
    stated = {"per": cost.per is not None, "noted": bool(cost.noted)}
    yield from _unspoken((part for part, given in stated.items() if given), words)
    if cost.of is not None:
        yield from _group(cost.of, words)
    if cost.per is not None:
        yield from _amounts(cost.per, words)
    if cost.noted and int not in words.attributes.get(cost.noted, ()):
        yield _unknown("number", cost.noted, _numbers(words))
    keys, what = (words.acts, "act") if cost.do == "oath" else (words.counters, "counter")
    if cost.key and cost.key not in keys:
        yield _unknown(what, cost.key, keys)


def _condition(condition: Condition, words: Words) -> Iterator[Phrase]:
    given = _given(condition) - {"unless"}
    if not given:
        yield phrase("a condition asks for something")
    if condition.count is not None:
        yield from _group(condition.count, words)
    counted = condition.count is not None or condition.amount is not None
    if counted and not 0 <= condition.least <= condition.most:
        yield phrase("`least` is more than `most`, or less than nothing")
    yield from filter_faults(condition.this, words)
    yield from filter_faults(condition.it, words)
    newer = given & {"during", "amount", "than", "answers", "rolled"}
    yield from _unspoken(sorted(newer), words)
    for step in condition.during:
        if not any(within(one, step) for one in words.steps):
            yield _unknown("step", step, words.steps)
    for amount in (condition.amount, condition.than):
        if amount is not None:
            yield from _amounts(amount, words)
    if condition.answers is not None:
        yield from _answers(condition.answers, words)


def _answers(answers: Answers, words: Words) -> Iterator[Phrase]:
    """What is wrong with what a text answers."""
    known = {*INSTRUCTIONS, *words.instructions} - set(words.lacking)
    for what, said, there in (
        ("act", answers.kind, words.answered),
        ("instruction", answers.does, known),
        ("kind of texts", answers.texts, ("command", "triggered", "activated")),
    ):
        for word in said:
            if word not in there:
                yield _unknown(what, word, there)
    yield from filter_faults(answers.match, words)
    yield from filter_faults(answers.targets or {}, words)


def _amounts(amount: Amount, words: Words) -> Iterator[Phrase]:
    """What is wrong with a number that is counted."""
    of = amount.of is not None
    if [of or bool(amount.counter), amount.done, bool(amount.noted)].count(True) != 1:
        yield phrase("an amount counts cards, counters, what was done or what was noted")
    if not of and (amount.figure or amount.different):
        yield phrase("`figure` and `different` go with `of`")
    if [amount.figure, amount.different, of and amount.counter].count("") < 1 + (not of):
        yield phrase("an amount counts one thing of cards")
    if amount.figure and int not in words.attributes.get(amount.figure, ()):
        yield _unknown("number", amount.figure, _numbers(words))
    for what, word, known in (
        ("attribute", amount.different, words.attributes),
        ("counter", amount.counter, words.counters),
        ("note", amount.noted, words.noted),
    ):
        if word and word not in known:
            yield _unknown(what, word, known)
    if amount.over < 1:
        yield phrase("it is divided by 1 or more")
    if amount.of is not None:
        yield from _group(amount.of, words)


def _numbers(words: Words) -> list[str]:
    return [key for key, types in words.attributes.items() if int in types]


def _group(group: Group, words: Words) -> Iterator[Phrase]:
    if group.zone and group.zone not in SPECIAL and group.zone not in words.zones:
        yield _unknown("zone", group.zone, {*SPECIAL, *words.zones})
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
    yield from _unspoken((part for part, given in parts.items() if given), words)
    for figure in (group.most, group.least):
        if figure and int not in words.attributes.get(figure, ()):
            yield _unknown("number", figure, _numbers(words))
    if group.most and group.least:
        yield phrase("`most` and `least` exclude each other")
    if group.besides is not None:
        yield from _group(group.besides, words)
    if group.like is not None:
        yield from _group(group.like.of, words)
        if group.like.key not in words.attributes:
            yield _unknown("attribute", group.like.key, words.attributes)


# -- clauses ---------------------------------------------------------------------------------------


def clause_faults(
    clause: Clause, effect: Effect, words: Words, effects: Collection[str], tokens: Collection[str]
) -> Iterator[Phrase]:
    """Everything wrong with one clause of an effect."""
    takes = words.instructions.get(clause.do) or INSTRUCTIONS.get(clause.do)
    if takes is None or clause.do in words.lacking:
        known = {*INSTRUCTIONS, *words.instructions} - set(words.lacking)
        yield _unknown("instruction", clause.do, known)
        return
    yield from _fields(clause, effect, takes)
    yield from _lasting(clause, effect, words)
    yield from _lying(clause, words)
    if clause.n < 0 and clause.do != "modify":
        yield phrase("`n` is less than nothing")
    yield from _words_of(clause, words)
    if clause.choose is not None:
        yield from _group(clause.choose.of, words)
        if clause.choose.n < 1:
            yield phrase("at least 1 is chosen")
        if clause.choose.per is not None:
            yield from _unspoken(("per",), words)
            yield from _amounts(clause.choose.per, words)
    for group in (clause.to, clause.against, clause.using):
        if group is not None:
            yield from _group(group, words)
    if clause.per is not None:
        yield from _unspoken(("per",), words)
        yield from _amounts(clause.per, words)
    for condition in clause.when:
        yield from _condition(condition, words)
    if clause.token and clause.token not in tokens:
        yield phrase("there is no token {token!r}", token=clause.token)
    if clause.effect and clause.do != "lose" and clause.effect not in effects:
        yield phrase("the card has no effect {effect!r}", effect=clause.effect)
    for option in clause.options:
        for inner in option:
            for fault in clause_faults(inner, effect, words, effects, tokens):
                yield labelled(inner.do, fault)


def _fields(clause: Clause, effect: Effect, takes: Takes) -> Iterator[Phrase]:
    given = _given(clause)
    if {"to", "choose"} <= given:
        yield phrase("`to` and `choose` exclude each other")
    if clause.times and not effect.cost and effect.kind != "part":
        yield phrase("nothing is paid that it could count by")
    for name in takes.needs:
        if name not in given:
            yield phrase("it needs `{name}`", name=name)


def _lasting(clause: Clause, effect: Effect, words: Words) -> Iterator[Phrase]:
    if effect.kind == "constant" and not effect.on:
        does = clause.do in LASTING or clause.do in words.standing
        if not does or clause.choose is not None or clause.until:
            yield phrase(
                "a constant effect modifies, gives, forbids or allows, for as long as it holds"
            )
    elif clause.do in LASTING and not clause.until:
        yield phrase("it needs `until`")
    if clause.until and clause.until not in words.durations:
        yield _unknown("duration", clause.until, words.durations)
    if clause.nth < 1 or (not clause.until and (clause.whose or clause.nth > 1)):
        yield phrase("`whose` and `nth` say which `until` it is, from the first on")
    if clause.to is not None and clause.to.zone == "anywhere" and effect.kind != "constant":
        yield phrase("only what lasts reaches cards anywhere")
    place = clause.to.zone if clause.to is not None and place_meant(clause) else ""
    if place and words.affected is not None and place not in words.affected:
        yield phrase("nothing that lies in {place!r} is affected", place=place)
    for group in (clause.against, clause.to if effect.kind == "constant" else None):
        if group is not None and group.top:
            yield phrase("`top` counts what it is done to now")


def _lying(clause: Clause, words: Words) -> Iterator[Phrase]:
    """How cards are to lie, and where they are to go."""
    zone = words.layout.get(clause.place)
    if clause.do == "look" and clause.place and (zone is None or zone.faces == "all"):
        yield phrase("what lies in {place!r} lies open", place=clause.place)
    usual = words.values.get("orient", ())
    lies = usual if clause.do != "move" else zone.orients if zone is not None else ()
    if clause.orient and clause.orient not in lies:
        yield phrase("nothing lies {orient!r} there", orient=clause.orient)


def _homeless(clause: Clause, words: Words) -> Iterator[Phrase]:
    """Printed texts that move a card where it can't lie by itself; declared, they move nothing."""
    if clause.do in ("move", "redirect") and clause.place in words.field:
        yield phrase(
            "nothing is moved to {place!r}: it is brought in some other way", place=clause.place
        )
    for option in clause.options:
        for inner in option:
            yield from _homeless(inner, words)


def _words_of(clause: Clause, words: Words) -> Iterator[Phrase]:
    key = clause.key
    if clause.do == "modify" and key not in words.figures:
        yield _unknown("figure", key, words.figures)
    if clause.do == "modify":
        yield from _modified(clause, words)
    if clause.do == "gain":
        kind = words.keywords.get(key)
        if kind is None:
            yield _unknown("keyword", key, words.keywords)
        elif not _amount(clause.value, kind) and (kind is not str or clause.using is None):
            what = _NUMBER if kind is int else _WORD if kind is str else "true"
            yield phrase("{key} needs {what} as its `value`", key=key, what=what)
    if clause.do == "lose":
        yield from _lost(clause, words)
    if clause.do in ("forbid", "allow") and key not in words.acts:
        yield _unknown("act", key, words.acts)
    of_whom = PLAYERS | ({ITS} if ITS in words.speaks else set())
    if clause.do in OF_PLAYERS and key not in of_whom:
        yield phrase("{key!r} is no player", key=key)
    aimed = clause.to is not None or clause.choose is not None
    if clause.do == "damage" and bool(key) == aimed:
        yield phrase("it is dealt to cards or to a player")
    if clause.do in EITHER - {"damage"} and key and aimed:
        yield phrase("it is done to cards or to a player")
    yield from _further(clause, words)
    if clause.place and clause.place not in words.zones:
        yield _unknown("zone", clause.place, words.zones)
    elif clause.place in words.wide:
        yield phrase("{place!r} is more than one zone", place=clause.place)


def _further(clause: Clause, words: Words) -> Iterator[Phrase]:
    """The key of an instruction that not every game has."""
    kinds: Mapping[str, tuple[str, Collection[str]]] = {
        "place": ("counter", words.counters),
        "take": ("counter", words.counters),
        "roll": ("chance", words.chances),
        "redirect": ("zone", words.zones),
    }
    what, known = kinds.get(clause.do, ("", ()))
    for field, may in words.fields.get(clause.do, {}).items():
        said = getattr(clause, field)
        if said and said not in may:
            yield _unknown(field, str(said), may)
    if what and clause.key not in known:
        yield _unknown(what, clause.key, known)


def _lost(clause: Clause, words: Words) -> Iterator[Phrase]:
    """A keyword that cards lose, or texts: all, those of a kind, or the one of a name."""
    key, value = clause.key, clause.value
    if key == TEXTS and words.losable:
        if value is not None and value not in words.losable:
            yield _unknown("kind of texts", str(value), words.losable)
        if value is not None and clause.effect:
            yield phrase("`value` and `effect` exclude each other")
        return
    if key not in words.keywords:
        yield _unknown("keyword", key, {*words.keywords, *([TEXTS] if words.losable else [])})
    if value is not None or clause.effect:
        yield phrase("texts alone are lost in part: no `value`, no `effect`")


def _modified(clause: Clause, words: Words) -> Iterator[Phrase]:
    """What a figure is multiplied by, or changes places with."""
    by, value = clause.by, clause.value
    if by == "swap" and (value not in words.figures or value == clause.key):
        yield _unknown("other figure", str(value), set(words.figures) - {clause.key})
    elif by == "multiply":
        try:
            negative = factor(clause.n if value is None else value) < 0
        except (ValueError, TypeError):
            negative = True
        if negative:
            yield phrase(
                'it is multiplied by a number or a fraction ("1/2"), not by {value!r}', value=value
            )
    elif by != "swap" and value is not None:
        yield phrase("it does not use `value` to {by}", by=by)


def _amount(value: object, kind: type) -> bool:
    """Whether a card can have so much of a keyword of that kind."""
    if isinstance(value, str):
        return kind is str and bool(value)
    return isinstance(value, int) and type(value) is kind and value >= 1


def _given(struct: Struct) -> set[str]:
    """The fields of a struct that were set to something."""
    plain: dict[str, Any] = msgspec.structs.asdict(struct)
    bare = _bare(type(struct))
    return {name for name, value in plain.items() if value not in (bare[name], [], {})}


@cache
def _bare(cls: type[Struct]) -> dict[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(cls)}
