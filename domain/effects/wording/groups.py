"""Which cards a text means, what it counts, and on what conditions it works, as phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.effects.language.vocabulary import (
    Amount,
    Answers,
    Choose,
    Condition,
    Filter,
    Group,
    Test,
    comparison,
)
from domain.effects.select import CHOSEN, COMPARED_WITH, MOVED, SPECIAL
from domain.effects.wording.phrasebook import Words
from domain.record.groups import Whose
from domain.words.phrases import Phrase, filled, joined, phrase, trimmed

#: No upper bound.
MANY = Condition().most
#: Groups with a name of their own, without a zone or a player.
_NAMED = {*SPECIAL, CHOSEN, "attacker", "attacked", "foe", "answered", "links", "bound"} - {
    "anywhere", "player"
}  # fmt: skip
_SEVERAL = {CHOSEN, MOVED, "looked", "links"}
_COMPARED = {
    "<=": phrase("{n} or less"), ">=": phrase("{n} or more"), "<": phrase("less than {n}"),
    ">": phrase("more than {n}"), "!=": phrase("other than {n}"),
}  # fmt: skip


def either(texts: Iterable[str]) -> str:
    """Several, of which any will do."""
    found = [*texts]
    return found[0] if len(found) == 1 else joined(phrase(" or "), found)


def every(texts: Iterable[str]) -> str:
    """Several, all of them."""
    found = [*texts]
    return found[0] if len(found) == 1 else joined(phrase(" and "), found)


# -- what cards are asked for ---------------------------------------------------------------------


def tested(w: Words, test: Test | list[str]) -> str:
    """The value of a test: a number, a word, a comparison."""
    if isinstance(test, list):
        return either(tested(w, one) for one in test)
    if isinstance(test, bool) or not isinstance(test, str):
        return Phrase(str(test))
    compared = comparison(test)
    if compared is not None:
        return filled(_COMPARED[compared[0]], n=str(compared[1]))
    compares = COMPARED_WITH.fullmatch(test)
    if compares:
        card = w.of("zones", compares[2])
        return filled(_COMPARED[compares[1]], n=phrase("that of {card}", card=card))
    if test in ("x", "<=x", ">=x"):
        return filled(_COMPARED.get(test[:2], phrase("{n}")), n=phrase("X"))
    if test.startswith("!="):
        return phrase("other than {n}", n=tested(w, test[2:]))
    return w.of("values", test) if w.has("values", test) else Phrase(test)


def _asked(w: Words, wanted: Filter) -> tuple[list[str], list[str]]:
    """The parts of a filter after "is", and those after "has"."""
    are, has = list[str](), list[str]()
    for key, test in wanted.items():
        value = tested(w, test)
        if key == "type":
            are.append(either(_kinds(w, test)))
        elif isinstance(test, bool):
            table = "are" if w.has("are", key) else "keywords"
            if table == "are":
                are.append(
                    w.of("are", key) if test else phrase("not {what}", what=w.of("are", key))
                )
            else:
                name = trimmed(filled(w.of("keywords", key), n=""))
                has.append(name if test else phrase("no {what}", what=name))
        elif w.has("are", key):
            are.append(filled(w.of("are", key), test=value))
        elif w.has("has", key):
            has.append(filled(w.of("has", key), test=value))
        else:
            has.append(phrase("{figure} {test}", figure=w.figure(key), test=value))
    return are, has


def _kinds(w: Words, test: Test | list[str]) -> list[str]:
    return [w.of("kinds", str(one)) for one in (test if isinstance(test, list) else [test])]


def described(w: Words, wanted: Filter) -> str:
    """A filter as a phrase by itself."""
    are, has = _asked(w, wanted)
    return every([*are, *has])


def is_so(w: Words, subject: str, wanted: Filter) -> str:
    """A sentence that a card passes a filter."""
    are, has = _asked(w, wanted)
    parts = []
    if are:
        parts.append(phrase("{card} is {what}", card=subject, what=every(are)))
    if has:
        parts.append(phrase("{card} has {what}", card=subject, what=every(has)))
    return every(parts)


def narrowed(w: Words, what: str, wanted: Filter) -> str:
    """Cards of some kind, narrowed to those that pass a filter."""
    are, has = _asked(w, wanted)
    if are:
        what = phrase("{cards} that are {what}", cards=what, what=every(are))
    if has:
        what = phrase("{cards} with {what}", cards=what, what=every(has))
    return what


# -- groups ---------------------------------------------------------------------------------------

_OWNED = {"yours": phrase("your {cards}"), "theirs": phrase("your opponent's {cards}")}
_PLAYERS = {
    "yours": phrase("you"), "theirs": phrase("your opponent"), "any": phrase("each player"),
}  # fmt: skip


def player(whose: Whose) -> str:
    """The player, or the two of them."""
    return _PLAYERS[whose]


def cards(w: Words, group: Group) -> str:
    """The cards of a group, as several: `your units that are rested, in the Battle Area`."""
    if group.zone == "player":
        return player(group.whose)
    if group.zone in _NAMED:
        found = w.of("zones", group.zone)
        if group.match and group.zone in _SEVERAL:
            found = narrowed(w, found, group.match)
        elif group.match:
            found = phrase(
                "{card}, if {what}", card=found, what=is_so(w, phrase("it"), group.match)
            )
    else:
        found = _of_zone(w, group)
    if group.like is not None:
        text = (
            phrase("{cards} that have no {key} in common with {others}")
            if group.like.unless
            else phrase("{cards} that have {key} in common with {others}")
        )
        others = cards(w, group.like.of)
        found = filled(text, cards=found, key=w.figure(group.like.key), others=others)
    if group.most:
        found = phrase("{cards} with the most {figure}", cards=found, figure=w.figure(group.most))
    if group.least:
        found = phrase("{cards} with the least {figure}", cards=found, figure=w.figure(group.least))
    if group.besides is not None:
        found = either([found, cards(w, group.besides)])
    return found


def _of_zone(w: Words, group: Group) -> str:
    wanted = dict(group.match)
    types = wanted.pop("type", None)
    bare = w.of("kinds", "") if not group.zone and w.has("kinds", "") else phrase("cards")
    what = either(_kinds(w, types)) if types is not None else bare
    if group.other:
        what = phrase("other {cards}", cards=what)
    what = narrowed(w, what, wanted)
    if group.zone == "anywhere":
        what = phrase("{cards} (wherever they lie)", cards=what)
    elif group.zone:
        what = phrase("{cards} in the {zone}", cards=what, zone=w.zone(group.zone))
    if group.whose in _OWNED:
        what = filled(_OWNED[group.whose], cards=what)
    if group.top:
        what = phrase("the top {n} of {cards}", n=group.top, cards=what)
    return what


def whole(w: Words, group: Group) -> str:
    """All of a group, as what something is done to."""
    single = group.zone in _NAMED or group.zone == "player" or group.top or group.besides
    found = cards(w, group)
    return found if single else phrase("all {cards}", cards=found)


def one_of(w: Words, group: Group) -> str:
    """Any one card of a group, as what something befalls."""
    if group.zone in _NAMED or group.zone == "player":
        return cards(w, group)
    return phrase("one of {cards}", cards=these(w, group))


def these(w: Words, group: Group) -> str:
    """A group of which some are meant."""
    found = cards(w, group)
    known = group.whose in _OWNED or group.top or group.zone in _NAMED
    return found if known else phrase("the {cards}", cards=found)


def chosen(w: Words, choose: Choose) -> str:
    """The choice: how many of which cards, and by whom."""
    if choose.of.zone in _NAMED - _SEVERAL:
        single = cards(w, choose.of)
        return phrase("{card}, if you like,", card=single) if choose.may else single
    n: str = Phrase(str(choose.n))
    if choose.per is not None:
        n = counted(w, choose.n, choose.per)
    if choose.may and choose.n > 1 and not choose.up_to and w.has("values", "all or none"):
        text = w.of("values", "all or none")
    elif choose.may:
        text = phrase("up to {n} of {cards}")
    elif choose.up_to:
        text = phrase("1 to {n} of {cards}")
    else:
        text = phrase("{n} of {cards}")
    found: str = filled(text, n=n, cards=these(w, choose.of))
    if choose.by == "opponent":
        return phrase("{cards}, as your opponent chooses,", cards=found)
    if choose.by == "random":
        return phrase("{cards}, chosen at random,", cards=found)
    return found


def occurrence(w: Words, on: str, about: Group | None, against: Group | None) -> str:
    """What occurs, to whom, and from or towards whom."""
    card = one_of(w, about) if about is not None else phrase("this card")
    who = player(about.whose if about is not None else "yours")
    what: str = filled(w.of("happens", on), card=card, player=who)
    if against is None:
        return what
    other = one_of(w, against)
    return phrase("{what} (the other card in this being {other})", what=what, other=other)


# -- numbers --------------------------------------------------------------------------------------


def counted(w: Words, n: int, per: Amount | None) -> str:
    """A number, or so much for each of what is counted."""
    if per is None:
        return Phrase(str(n))
    found = amount(w, per)
    return found if n == 1 else phrase("{n} × {amount}", n=n, amount=found)


_TAKES = {
    "sum": phrase("the total {figure} of {cards}"),
    "most": phrase("the highest {figure} of {cards}"),
    "least": phrase("the lowest {figure} of {cards}"),
}


def amount(w: Words, what: Amount) -> str:
    """A number that is counted."""
    found = _counted(w, what)
    if what.times != 1:
        found = phrase("{n} × {amount}", n=what.times, amount=found)
    if what.over != 1:
        rounded = phrase("rounded up") if what.up else phrase("rounded down")
        found = phrase("{amount} ÷ {n}, {rounded}", amount=found, n=what.over, rounded=rounded)
    if what.plus:
        found = phrase("{amount} plus {n}", amount=found, n=what.plus)
    return found


def _counted(w: Words, what: Amount) -> str:
    if what.done:
        return phrase("as many as were so treated")
    if what.noted:
        return w.of("noted", what.noted)
    if what.of is None:
        text = phrase("your {counter}")
        if what.whose == "theirs":
            text = phrase("your opponent's {counter}")
        return filled(text, counter=w.of("counters", what.counter))
    of = cards(w, what.of)
    if what.figure:
        return filled(_TAKES[what.take], figure=w.figure(what.figure), cards=of)
    if what.different:
        figure = w.figure(what.different)
        return phrase("the number of different {figure} of {cards}", figure=figure, cards=of)
    if what.counter:
        name = w.of("counters", what.counter)
        return phrase("the number of {counter} on {cards}", counter=name, cards=of)
    return phrase("the number of {cards}", cards=of)


# -- conditions -----------------------------------------------------------------------------------


def ranged(least: int, most: int) -> str:
    """How many there must be."""
    if most >= MANY:
        return phrase("at least {n}", n=least)
    if least == most:
        return phrase("exactly {n}", n=most)
    if least <= 0:
        return phrase("at most {n}", n=most)
    return phrase("{least} to {most}", least=least, most=most)


def conditions(w: Words, wanted: Sequence[Condition]) -> str:
    """The conditions; empty if there are none."""
    found = [condition(w, one) for one in wanted]
    return every(found) if found else ""


def condition(w: Words, wanted: Condition) -> str:
    """One condition."""
    if wanted == Condition(count=wanted.count, unless=True):
        none = Condition(count=wanted.count, least=0, most=0)
        return every(_parts(w, none))
    if wanted == Condition(during=wanted.during, unless=True):
        return phrase("it is not the {steps}", steps=either(map(w.step, wanted.during)))
    found = every(_parts(w, wanted))
    return phrase("not so that {what}", what=found) if wanted.unless else found


def _there(w: Words, group: Group, *, none: bool) -> str:
    """A sentence that a single card is there and fits, or is not."""
    card = w.of("zones", group.zone)
    if group.match:
        found = is_so(w, card, group.match)
        return phrase("not so that {what}", what=found) if none else found
    return (
        phrase("there is not {card}", card=card) if none else phrase("there is {card}", card=card)
    )


def _parts(w: Words, wanted: Condition) -> Iterable[str]:
    """What a condition asks for, field by field."""
    if wanted.turn:
        yours = wanted.turn == "yours"
        yield phrase("it is your turn") if yours else phrase("it is your opponent's turn")
    if wanted.during:
        yield phrase("it is the {steps}", steps=either(map(w.step, wanted.during)))
    if wanted.count is not None:
        yield _counts(w, wanted, wanted.count)
    if wanted.amount is not None:
        yield _measures(w, wanted, wanted.amount)
    for card, match in ((phrase("this card"), wanted.this), (phrase("that card"), wanted.it)):
        if match:
            yield is_so(w, card, match)
    if wanted.attacking:
        yield w.of("attacks", wanted.attacking)
    if wanted.rolled:
        yield phrase("the roll is {n}", n=either(map(str, wanted.rolled)))
    if wanted.playing is not None:
        what = narrowed(w, phrase("cards"), wanted.playing)
        yield phrase("you are about to play one of {cards}", cards=what)
    if wanted.happened is not None:
        one = wanted.happened
        what = occurrence(w, one.on, one.about, one.against)
        yield phrase("it has happened in this turn that {what}", what=what)
    if wanted.answers is not None:
        yield from _answered(w, wanted.answers)


def _counts(w: Words, wanted: Condition, group: Group) -> str:
    """That there are so many cards of a group."""
    if group.zone in _NAMED - _SEVERAL:
        return _there(w, group, none=wanted.most < 1)
    of = these(w, group)
    if wanted.most < 1:
        return phrase("there are none of {cards}", cards=of)
    n = ranged(wanted.least, wanted.most)
    return phrase("there are {n} of {cards}", n=n, cards=of)


def _measures(w: Words, wanted: Condition, what: Amount) -> str:
    """That a number is so high, or higher than another."""
    found = amount(w, what)
    if wanted.than is not None:
        return phrase("{amount} is more than {other}", amount=found, other=amount(w, wanted.than))
    return phrase("{amount} is {n}", amount=found, n=ranged(wanted.least, wanted.most))


def _answered(w: Words, wanted: Answers) -> Iterable[str]:
    if wanted.kind:
        what = either(w.of("can", one) for one in wanted.kind)
        yield phrase("the answered act is to {what}", what=what)
    if wanted.match or wanted.whose != "any":
        of = Group(zone="", whose=wanted.whose, match=wanted.match)
        yield phrase("the answered act is of one of {cards}", cards=cards(w, of))
    if wanted.texts:
        what = either(w.of("values", one) for one in wanted.texts)
        yield phrase("the answered act is {what}", what=what)
    if wanted.does:
        what = either(w.of("values", f"does/{one}") for one in wanted.does)
        yield phrase("the answered act would {what}", what=what)
    if wanted.speed:
        yield phrase("the answered act has the speed {n}", n=tested(w, wanted.speed))
    if wanted.targets is not None:
        what = narrowed(w, phrase("cards"), wanted.targets)
        yield phrase("the answered act is aimed at one of {cards}", cards=what)
