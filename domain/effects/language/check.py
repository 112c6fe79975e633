"""The faults of a written effect: unknown words, fields that exclude each other.

Its shape is checked as it is read (`Words.convert`), by the types of its fields; this is the rest,
so that a slip is found when cards are loaded and named in a sentence. What it and its clauses ask
for is in `asked`, what a single instruction must say in its class (`Instruction.check`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from domain.effects.constant.calculator import LATE_LAYERS
from domain.effects.language.asked import attributes_of, faults_in, stated, unspoken
from domain.effects.language.instruction import Instruction
from domain.effects.language.spelling import unknown
from domain.effects.language.vocabulary import Clause, Effect, every
from domain.effects.language.words import Words
from domain.effects.select import place_meant
from domain.words.phrases import Phrase, labelled, phrase

_NOT_DONE = phrase("nothing does that")
#: Limits that count moments.
_MOMENT = ("moment", "turn moment")
#: Kinds of texts that nobody activates.
_UNACTIVATED = ("constant", "replacement", "play")
#: Kinds of texts of which nobody counts how often they work.
_UNLIMITED = ("constant", "part", "play")


def faults(
    effect: Effect, words: Words, effects: Collection[str] = (), tokens: Collection[str] = ()
) -> Iterator[Phrase]:
    """Everything wrong with an effect, a sentence each.

    `effects` are the names of its card's effects, `tokens` the ids of tokens that exist.
    """
    for look in (_whole, _occurrence, _timing, _use, _newer, faults_in, _secrets):
        for fault in look(effect, words):
            yield labelled(effect.name, fault)
    for clause in effect.do:
        wrong = clause_faults(clause, effect, words, effects, tokens)
        for fault in (*wrong, *_homeless(clause, words)):
            yield labelled(f"{effect.name}, {clause.do}", fault)


# -- effects ---------------------------------------------------------------------------------------


def _occurs(effect: Effect) -> bool:
    return effect.kind in ("triggered", "replacement")


def _started(effect: Effect) -> bool:
    return effect.kind in ("activated", "command")


def _whole(effect: Effect, words: Words) -> Iterator[Phrase]:
    """Its name, and that it does anything."""
    if not effect.name or "/" in effect.name:
        yield phrase("an effect needs a name without a slash")
    if not effect.do and not (_occurs(effect) or _started(effect)):
        yield phrase("only what happens at a moment can be declared at the table: it needs `do`")
    if effect.zone and effect.zone not in words.elsewhere:
        yield phrase("no effect works in {zone!r}", zone=effect.zone)


def _occurrence(effect: Effect, words: Words) -> Iterator[Phrase]:
    """The faults of its occurrence."""
    on, about = effect.on, effect.about
    newer = "applied" if effect.kind == "constant" else "on" if _started(effect) else ""
    if _occurs(effect) != bool(on) and newer not in words.speaks:
        yield phrase("`on` belongs to triggered and replacement effects, and they need it")
    if on and on not in words.occurrences and on not in words.replaceable:
        yield unknown("occurrence", on, {*words.occurrences, *words.replaceable})
    elif effect.kind == "replacement" and (why := words.replaceable.get(on, _NOT_DONE)):
        yield phrase("{on} can't be replaced: {why}", on=on, why=why)
    elif effect.kind == "triggered" and on not in words.occurrences:
        yield phrase("{on} sets nothing off: it can only be replaced", on=on)
    if effect.against is not None and not _occurs(effect):
        yield phrase("`against` belongs to triggered and replacement effects")
    if on in words.of_players and about and (about.zone or about.match or about.other):
        yield phrase("{on} befalls a player: of `about` it uses `whose` alone", on=on)


def _timing(effect: Effect, words: Words) -> Iterator[Phrase]:
    """When it may be used, or how fast it is."""
    timed = _started(effect) and bool(words.timings)
    may_be = timed or (effect.kind == "triggered" and "at" in words.speaks)
    if (effect.at and not may_be) or (timed and words.timed and not effect.at):
        yield phrase("`at` belongs to activated and command effects, and they need it")


def _use(effect: Effect, words: Words) -> Iterator[Phrase]:
    """The faults of its cost, its limit, and whether it may be declined."""
    paid = _occurs(effect) or _started(effect)
    used = effect.kind in ("activated", "play")
    if effect.cost and not (used or (paid and "cost" in words.speaks)):
        yield phrase("only activated effects have a cost")
    if len({cost.do for cost in effect.cost}) < len(effect.cost):
        yield phrase("each kind of cost stands there once, with the whole amount")
    limited = _occurs(effect) or effect.kind == "activated" or effect.limit != "turn"
    limited |= effect.kind == "constant" and all(one.used_up for one in effect.do)
    if effect.limit and not limited:
        yield phrase("a {kind} effect has no limit", kind=effect.kind)
    if effect.may and not _occurs(effect):
        yield phrase(
            "`may` belongs to triggered and replacement effects; else it stands with a clause"
        )
    if effect.provided and (effect.kind in _UNACTIVATED or not words.provided):
        yield phrase("it is not activated: `provided` has no meaning")


def _newer(effect: Effect, words: Words) -> Iterator[Phrase]:
    """The parts of an effect that only some games take up."""
    stated_ = {
        "limit": effect.limit not in ("", "turn", *_MOMENT),
        "moment": effect.limit in _MOMENT,
        "part": effect.kind == "part",
        "play": effect.kind == "play",
    }
    yield from unspoken((part for part, given in stated_.items() if given), words)
    once = effect.kind == "constant" and effect.limit == "moment"
    if effect.limit not in ("", "turn") and effect.kind in _UNLIMITED and not once:
        yield phrase("a {kind} effect has no limit", kind=effect.kind)
    if effect.counts and (not effect.limit or effect.kind == "replacement"):
        yield phrase("only a limit on what is activated counts activations")
    if effect.misses and not (effect.kind == "triggered" and effect.may):
        yield phrase("only what may be declined misses its time")
    if effect.by and effect.kind != "activated":
        yield phrase("only an activated effect is anybody's")
    if effect.kind == "part" and (effect.when or effect.about or effect.may):
        yield phrase("a part is carried out when another text says so, and in any case")


def _secrets(effect: Effect, words: Words) -> Iterator[Phrase]:
    """Conditions and costs of hidden cards: whether it may be played would tell its player."""
    conditions = [*effect.when, *effect.provided]
    conditions += [one for clause in every(effect.do) for one in clause.when]
    counted = [one for c in conditions for one in (c.amount, c.than) if one is not None]
    asked = [(phrase("condition on"), condition.count) for condition in conditions]
    asked += [(phrase("condition on"), amount.of) for amount in counted]
    asked += [(phrase("cost of"), cost.of) for cost in effect.cost]
    for what, group in asked:
        zones = words.parts_of(group.zone) if group is not None and group.match else ()
        faces = {words.layout[zone].faces for zone in zones if zone in words.layout}
        if group is not None and ("none" in faces or ("owner" in faces and group.whose != "yours")):
            where = repr(group.zone)
            yield phrase(
                "who plays it can't tell which cards of {where} fit: no {what} those",
                where=where,
                what=what,
            )


# -- clauses ---------------------------------------------------------------------------------------


def clause_faults(
    clause: Clause, effect: Effect, words: Words, effects: Collection[str], tokens: Collection[str]
) -> Iterator[Phrase]:
    """Everything wrong with one clause of an effect."""
    assert isinstance(clause, Instruction)
    yield from faults_in(clause, words)
    yield from clause.check(effect, words)
    yield from _number(clause, effect, words)
    yield from _names(clause, effects, tokens)
    if clause.orient and clause.orient not in clause.lies(words):
        yield phrase("nothing lies {orient!r} there", orient=clause.orient)
    if clause.using is not None and clause.choose is not None and clause.choose.by == "random":
        yield phrase("what is made of other cards is not chosen at random: its player looks")
    if effect.kind == "constant" and not effect.on:
        yield from _constantly(clause, words)
    yield from _reach(clause, effect, words)
    for inner in (one for option in clause.options for one in option):
        for fault in clause_faults(inner, effect, words, effects, tokens):
            yield labelled(inner.do, fault)


def _number(clause: Instruction, effect: Effect, words: Words) -> Iterator[Phrase]:
    if clause.n < 0 and not clause.signed:
        yield phrase("`n` is less than nothing")
    paid = effect.cost or effect.kind == "part" or effect.on in words.measured
    if clause.times and not paid:
        yield phrase("nothing is paid that it could count by")
    if clause.nth < 1 or (not clause.until and (clause.whose or clause.nth > 1)):
        yield phrase("`whose` and `nth` say which `until` it is, from the first on")


def _names(
    clause: Instruction, effects: Collection[str], tokens: Collection[str]
) -> Iterator[Phrase]:
    """The faults of other names in a clause: a token, another effect of its card."""
    for field, value in stated(clause):
        if field.of.kind == "token" and value not in tokens:
            yield phrase("there is no token {token!r}", token=value)
        if field.of.kind == "effect" and value not in effects:
            yield phrase("the card has no effect {effect!r}", effect=value)


def _constantly(clause: Clause, words: Words) -> Iterator[Phrase]:
    """The faults of a constant text: hidden cards, dependence on its own results."""
    does = clause.lasts or clause.do in words.standing
    if not does or clause.choose is not None or clause.until:
        yield phrase(
            "a constant effect modifies, gives, forbids or allows, for as long as it holds"
        )
    to = clause.to
    if to is None:
        return
    zone = words.layout.get(to.zone)
    if not clause.lasts and zone is not None and zone.faces != "all":
        yield phrase("what lies in {place!r} is hidden: only an effect reaches it", place=to.zone)
    if clause.layer is not None and clause.layer not in LATE_LAYERS:
        for key in attributes_of(to):
            if words.early.get(key) == clause.key:
                yield phrase("{key} is worked out before what counts late alone", key=key)


def _reach(clause: Clause, effect: Effect, words: Words) -> Iterator[Phrase]:
    """Groups that contain nothing, or that other groups change into."""
    to = clause.to
    if to is not None and to.zone == "anywhere" and effect.kind != "constant":
        yield phrase("only what lasts reaches cards anywhere")
    place = to.zone if to is not None and place_meant(clause) else ""
    if place and words.affected is not None and place not in words.affected:
        yield phrase("nothing that lies in {place!r} is affected", place=place)
    for group in (clause.against, to if effect.kind == "constant" else None):
        if group is not None and group.top:
            yield phrase("`top` counts what it is done to now")


def _homeless(clause: Clause, words: Words) -> Iterator[Phrase]:
    """Printed texts that move a card where it can't lie by itself; declared, they move nothing."""
    if isinstance(clause, Instruction) and clause.sends and clause.place in words.field:
        yield phrase(
            "nothing is moved to {place!r}: it is brought in some other way", place=clause.place
        )
    for inner in (one for option in clause.options for one in option):
        yield from _homeless(inner, words)
