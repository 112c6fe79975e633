"""What is wrong with a clause of an effect: fields its instruction can't use, words not known.

What it asks for is checked in `asked`, the effect as a whole in `check`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from domain.effects.constant.calculator import LATE_LAYERS, TEXTS, factor
from domain.effects.language.asked import (
    amount_faults,
    attributes_of,
    condition_faults,
    fields_given,
    group_faults,
    unknown,
    unspoken,
)
from domain.effects.language.vocabulary import (
    Clause,
    Effect,
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
from domain.words.phrases import Phrase, labelled, phrase

_NUMBER, _WORD = phrase("a number"), phrase("a word")


def clause_faults(
    clause: Clause, effect: Effect, words: Words, effects: Collection[str], tokens: Collection[str]
) -> Iterator[Phrase]:
    """Everything wrong with one clause of an effect."""
    takes = words.instructions.get(clause.do) or INSTRUCTIONS.get(clause.do)
    if takes is None or clause.do in words.lacking:
        known = {*INSTRUCTIONS, *words.instructions} - set(words.lacking)
        yield unknown("instruction", clause.do, known)
        return
    yield from _fields(clause, effect, takes)
    yield from _lasting(clause, effect, words)
    yield from _lying(clause, words)
    if clause.n < 0 and clause.do != "modify":
        yield phrase("`n` is less than nothing")
    yield from _words_of(clause, words)
    if clause.choose is not None:
        yield from group_faults(clause.choose.of, words)
        if clause.choose.n < 1:
            yield phrase("at least 1 is chosen")
        if clause.using is not None and clause.choose.by == "random":
            yield phrase("what is made of other cards is not chosen at random: its player looks")
        if clause.choose.per is not None:
            yield from unspoken(("per",), words)
            yield from amount_faults(clause.choose.per, words)
    for group in (clause.to, clause.against, clause.using):
        if group is not None:
            yield from group_faults(group, words)
    if clause.per is not None:
        yield from unspoken(("per",), words)
        yield from amount_faults(clause.per, words)
    for condition in clause.when:
        yield from condition_faults(condition, words)
    if clause.token and clause.token not in tokens:
        yield phrase("there is no token {token!r}", token=clause.token)
    if clause.effect and clause.do != "lose" and clause.effect not in effects:
        yield phrase("the card has no effect {effect!r}", effect=clause.effect)
    if clause.do == "one-of" and clause.value is not None:
        yield from _called(clause.value, len(clause.options))
    for option in clause.options:
        for inner in option:
            for fault in clause_faults(inner, effect, words, effects, tokens):
                yield labelled(inner.do, fault)


def _called(names: object, n: int) -> Iterator[Phrase]:
    """What several ways to go on are called, a word for each of them."""
    words = names if isinstance(names, list) else []
    if len({*map(str, words)}) != n or not all(isinstance(word, str) and word for word in words):
        yield phrase("`value` lists as many different words as there are ways to go on")


def _fields(clause: Clause, effect: Effect, takes: Takes) -> Iterator[Phrase]:
    given = fields_given(clause)
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
        yield from _constantly(clause, words)
    elif clause.do in LASTING and not clause.until:
        yield phrase("it needs `until`")
    if clause.until and clause.until not in words.durations:
        yield unknown("duration", clause.until, words.durations)
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


def _constantly(clause: Clause, words: Words) -> Iterator[Phrase]:
    """What no constant text can reach: what lies hidden, and what hangs on what it does itself."""
    to = clause.to
    if to is None:
        return
    zone = words.layout.get(to.zone)
    if clause.do not in LASTING and zone is not None and zone.faces != "all":
        yield phrase("what lies in {place!r} is hidden: only an effect reaches it", place=to.zone)
    if clause.do == "modify" and clause.layer not in LATE_LAYERS:
        for key in attributes_of(to):
            if words.early.get(key) == clause.key:
                yield phrase("{key} is worked out before what counts late alone", key=key)


def _lying(clause: Clause, words: Words) -> Iterator[Phrase]:
    """How cards are to lie, and where they are to go."""
    zone = words.layout.get(clause.place)
    if clause.do == "look" and clause.place and (zone is None or zone.faces == "all"):
        yield phrase("what lies in {place!r} lies open", place=clause.place)
    usual = words.values.get("orient", ())
    lies = usual if clause.do != "move" else zone.orients if zone is not None else ()
    if clause.orient and clause.orient not in lies:
        yield phrase("nothing lies {orient!r} there", orient=clause.orient)


def homeless(clause: Clause, words: Words) -> Iterator[Phrase]:
    """Printed texts that move a card where it can't lie by itself; declared, they move nothing."""
    if clause.do in ("move", "redirect") and clause.place in words.field:
        yield phrase(
            "nothing is moved to {place!r}: it is brought in some other way", place=clause.place
        )
    for option in clause.options:
        for inner in option:
            yield from homeless(inner, words)


def _words_of(clause: Clause, words: Words) -> Iterator[Phrase]:
    key = clause.key
    if clause.do == "modify" and key not in words.figures:
        yield unknown("figure", key, words.figures)
    if clause.do == "modify":
        yield from _modified(clause, words)
    if clause.do == "gain":
        kind = words.keywords.get(key)
        if kind is None:
            yield unknown("keyword", key, words.keywords)
        elif not amounts_to(clause.value, kind) and (kind is not str or clause.using is None):
            what = _NUMBER if kind is int else _WORD if kind is str else "true"
            yield phrase("{key} needs {what} as its `value`", key=key, what=what)
    if clause.do == "lose":
        yield from _lost(clause, words)
    if clause.do in ("forbid", "allow", "charge") and key not in words.acts:
        yield unknown("act", key, words.acts)
    of_whom = PLAYERS | ({ITS} if ITS in words.speaks else set())
    if clause.do in OF_PLAYERS and key not in of_whom:
        yield phrase("{key!r} is no player", key=key)
    aimed = clause.to is not None or clause.choose is not None
    if clause.do == "damage" and bool(key) == aimed:
        yield phrase("it is dealt to cards or to a player")
    if clause.do in EITHER - {"damage"} and key and aimed:
        yield phrase("it is done to cards or to a player")
    yield from _further(clause, words)
    if "place" in words.fields.get(clause.do, {}):
        return
    if clause.place and clause.place not in words.zones:
        yield unknown("zone", clause.place, words.zones)
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
        given = getattr(clause, field)
        if given and given not in may:
            yield unknown(field, str(given), may)
    if what and clause.key not in known:
        yield unknown(what, clause.key, known)


def _lost(clause: Clause, words: Words) -> Iterator[Phrase]:
    """A keyword that cards lose, or texts: all, those of a kind, or the one of a name."""
    key, value = clause.key, clause.value
    if key == TEXTS and words.losable:
        if value is not None and value not in words.losable:
            yield unknown("kind of texts", str(value), words.losable)
        if value is not None and clause.effect:
            yield phrase("`value` and `effect` exclude each other")
        return
    if key not in words.keywords:
        yield unknown("keyword", key, {*words.keywords, *([TEXTS] if words.losable else [])})
    if value is not None or clause.effect:
        yield phrase("texts alone are lost in part: no `value`, no `effect`")


def _modified(clause: Clause, words: Words) -> Iterator[Phrase]:
    """What a figure is multiplied by, or changes places with."""
    by, value = clause.by, clause.value
    if by == "swap" and (value not in words.figures or value == clause.key):
        yield unknown("other figure", str(value), set(words.figures) - {clause.key})
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


def amounts_to(value: object, kind: type) -> bool:
    """Whether a card can have so much of a keyword of that kind."""
    if isinstance(value, str):
        return kind is str and bool(value)
    return isinstance(value, int) and type(value) is kind and value >= 1
