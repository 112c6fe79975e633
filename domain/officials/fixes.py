"""Fixes: the verbs of a correction, what is wrong with one of them, and what each does to a table.

There is a verb for every kind of fact that a position holds, but for those that follow from others
or are settled elsewhere (tests/unit/test_fixes.py lists both). Fixes that touch cards, numbers and
ties are looked at alike: what a verb needs, whether its words exist, and whether everybody may
learn what it names. Rehearsing them, and going on from the position, is in `corrections`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from domain.effects.calculator import CONSTANT, LAYERS, OPERATIONS, TEXTS, factor
from domain.effects.language.spelling import meant
from domain.effects.language.vocabulary import from_text
from domain.engine.rulebook import Rulebook
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.position import NOBODY, UNKNOWN, Position, seat_of
from domain.record.schema import bounds
from domain.record.values import EVERYONE, OFFICIALS, Change, Ref, Sealed, Value
from domain.words.phrases import Phrase, phrase

WHY = "correction"


class Fix(Struct, frozen=True):
    """One thing that is put right: a verb, and as much of the rest as the verb needs.

    `move` cards to a place (`at` from the bottom, `up`, `orient`); `draw` the top `n` of `src` to a
    place; `turn` cards (`up`, `orient`); `show` cards to seats (none: to all); `name` cards, anew
    where they were named wrongly; `define` what cards lying face down count as (`figures`; none:
    they are themselves again);
    `counters`: `n` of a `kind` from `src` to `dst` (a card's number or `seat/0`; empty: the
    supply); `mark` a `subject` with `kind` and `value` (None: erased); `order` a place as `cards`
    say, bottom to top; `shuffle` a place; `control` of cards to a seat; `attach` cards to `host` in
    a role, `link` them to it from where they lie (0: to none any more); `remove` cards; `make`
    tokens by `names` at a place;
    `depart`: cards are on their way to a place for `kind` (empty: they stay after all), `subject`
    is to blame; `modify` cards, or all that lies at a place: `kind`, `value`, `op` (empty: `add`),
    `until` (empty: `turn`); `end` the modifiers `ids`;
    `trigger` the text `effect` of a card, for a seat (None: its controller's); `schedule` it, or
    what `kind` says, for a seat: due with `until`, not before `turn`, only in a turn of `seats`
    (none: of anybody), about `cards`, with the amount `n`; `void` the waiting effects and
    schedules `ids`; `retarget` the attack to `subject`, with `host` in its place (0: with none).
    `names` are card ids, in the order of `cards`.
    """

    verb: str
    cards: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    place: str = ""
    at: int | None = None
    up: bool | None = None
    orient: str | None = None
    kind: str = ""
    n: int = 0
    src: Ref = ""
    dst: Ref = ""
    subject: Ref = ""
    value: Value = None
    op: str = ""
    until: str = ""
    host: int = 0
    role: str = ""
    seat: int | None = None
    seats: tuple[int, ...] = ()
    ids: tuple[int, ...] = ()
    effect: str = ""
    turn: int = 0
    figures: dict[str, Value] = {}


class Asked(NamedTuple):
    """A fix that is looked at: the table as it stands, and the cards of the match."""

    rules: Rulebook
    t: Table
    fix: Fix
    known: Mapping[str, Any]

    @property
    def p(self) -> Position:
        return self.t.pos


#: What a verb does; a plain function where chance is not asked.
Does = Callable[[Rulebook, Table, Fix, tuple[str, ...]], object]
#: What is wrong with a fix, as the table stands.
Wrong = Callable[[Asked], Iterator[Phrase]]


class Verb(NamedTuple):
    """A verb: the fields that it can't do without, what it does, what may be wrong with it.

    `openly`: it names its cards to all, so they must be such as all can tell apart.
    """

    needs: tuple[str, ...]
    does: Does
    wrong: Wrong = lambda asked: iter(())
    openly: bool = False


def faults(rules: Rulebook, t: Table, fix: Fix, known: Mapping[str, Any]) -> Iterator[Phrase]:
    """What is wrong with a fix, as the table stands."""
    asked = Asked(rules, t, fix, known)
    verb = VERBS.get(fix.verb)
    if verb is None:
        yield phrase(
            "there is no such verb{meant}; there are: {names}",
            meant=meant(fix.verb, VERBS),
            names=", ".join(VERBS),
        )
        return
    numbers = (fix.n, fix.turn, fix.value, *fix.figures.values())
    if not all(-bounds.FIGURE <= n <= bounds.FIGURE for n in numbers if type(n) is int):
        yield phrase("a number goes from -{figure:,} to {figure:,}", figure=bounds.FIGURE)
    yield from (
        phrase("it needs {name}", name=name) for name in verb.needs if not getattr(fix, name)
    )
    gone = [number for number in fix.cards if not t.pos.present(number)]
    yield from (phrase("there is no card @{number} here", number=number) for number in gone)
    if gone:
        return
    if len(set(fix.cards)) < len(fix.cards):
        yield phrase("a card is there twice")
    places = set(t.manifest.places())
    for place in (fix.place, fix.src if fix.verb == "draw" else ""):
        if place and place not in places:
            yield phrase("there is no place {place!r}", place=place)
            return
    yield from _hidden(asked, verb)
    yield from _misnamed(asked)
    yield from verb.wrong(asked)


def carry_out(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> Play:
    """Do what a fix says; it needs nothing from outside but chance."""
    if fix.verb != "make":
        _bind(t, fix, cites)
    play = VERBS[fix.verb].does(rules, t, fix, cites)
    if isinstance(play, Generator):
        yield from play


def named(fix: Fix) -> Iterator[tuple[int, str]]:
    """The cards that a fix names, and as what."""
    return zip(fix.cards, fix.names, strict=False)


# -- whom and what a fix names ---------------------------------------------------------------------


def _hidden(asked: Asked, verb: Verb) -> Iterator[Phrase]:
    t, fix = asked.t, asked.fix
    openly = fix.cards if verb.openly else ()
    refs: tuple[Ref, ...] = (*openly, fix.src, fix.dst, fix.subject, fix.host)
    holders = {"match", *t.manifest.places(), *(f"seat/{n}" for n in range(t.manifest.seats))}
    for ref in refs if fix.verb != "draw" else ():
        if not ref or ref in holders:
            continue
        if not isinstance(ref, int) or not t.pos.present(ref):
            yield phrase("there is no {ref!r} here", ref=ref)
        elif t.pos.cards[ref].follow != EVERYONE:
            yield phrase("@{ref} lies hidden: everybody would learn which it is", ref=ref)


def _misnamed(asked: Asked) -> Iterator[Phrase]:
    p, fix, real = asked.p, asked.fix, asked.p.heading.mode == "table"
    for name in fix.names:
        if name not in asked.known and not (real and name == UNKNOWN):
            yield phrase("there is no card {name!r}", name=name)
    if fix.verb == "make":
        return
    for number, name in named(fix):
        if not real or (p.cards[number].id not in ("", name) and fix.verb != "name"):
            yield phrase("it is known which card @{number} is", number=number)
    if len(fix.names) > len(fix.cards):
        yield phrase("more names than cards")


def _bind(t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    """Say which cards these are, for the record alone: who else gets to know is the verb's."""
    for number, name in named(fix):
        card = t.pos.cards[number]
        if card.id != name:
            pairs: tuple[tuple[int, str], ...] = ((number, name),)
            t.emit(ev.CardsKnown(1, card.place, Sealed(OFFICIALS, pairs), WHY), *cites)
            to = t.manifest.faces(card.place, card.up) & card.follow | card.seen
            if fix.verb == "name" and to:
                t.show([number], to, WHY, *cites)


def _declared(asked: Asked, kind: str, word: str, what: str) -> Iterator[Phrase]:
    """Whether the manifest has a word in one of its lists."""
    words = asked.t.manifest.words(kind)
    if word not in words:
        yield phrase(
            "there is no {what} {word!r}{meant}", what=what, word=word, meant=meant(word, words)
        )


def _seated(asked: Asked) -> Iterator[Phrase]:
    seats, fix = range(asked.t.manifest.seats), asked.fix
    if any(seat not in seats for seat in (*fix.seats, *([] if fix.seat is None else [fix.seat]))):
        yield phrase("there is no such seat")


# -- cards -----------------------------------------------------------------------------------------


def _move(asked: Asked) -> Iterator[Phrase]:
    p, fix = asked.p, asked.fix
    if fix.at is not None and not 0 <= fix.at <= len(p.zone(fix.place)):
        yield phrase("place {at} is none in {place}", at=fix.at, place=fix.place)
    yield from _lies(asked, [fix.place])


def _turn(asked: Asked) -> Iterator[Phrase]:
    fix = asked.fix
    if fix.up is None and fix.orient is None:
        yield phrase("it says neither over nor sideways")
    yield from _lies(asked, [asked.p.cards[number].place for number in fix.cards])


def _lies(asked: Asked, places: list[str]) -> Iterator[Phrase]:
    orient, zone = asked.fix.orient, asked.t.manifest.zone
    if orient is not None and any(orient not in (zone(place).orients or ("",)) for place in places):
        yield phrase("cards do not lie {orient!r} there", orient=orient)


def _draw(asked: Asked) -> Iterator[Phrase]:
    there = len(asked.p.zone(str(asked.fix.src)))
    if there < asked.fix.n:
        yield phrase("there are only {there} cards", there=there)


def _order(asked: Asked) -> Iterator[Phrase]:
    if sorted(asked.fix.cards) != sorted(asked.p.zone(asked.fix.place)):
        yield phrase("it names every card of the place once")


def _show(asked: Asked) -> Iterator[Phrase]:
    yield from _seated(asked)
    if len({asked.p.cards[number].place for number in asked.fix.cards}) > 1:
        yield phrase("cards of one place at a time")


def _control(asked: Asked) -> Iterator[Phrase]:
    if asked.fix.seat is None:
        yield phrase("there is no such seat")
    yield from _seated(asked)


def _tied(asked: Asked) -> Iterator[Phrase]:
    """Cards laid with a host, or linked to one."""
    fix = asked.fix
    if fix.host in fix.cards:
        yield phrase("nothing is laid with itself")
    if fix.host and (fix.role or fix.verb == "link"):
        yield from _declared(asked, "roles", fix.role, phrase("role"))


def _define(asked: Asked) -> Iterator[Phrase]:
    for number in asked.fix.cards:
        card = asked.p.cards[number]
        if card.up and asked.fix.figures:
            yield phrase("@{number} lies face up: it is what it is", number=number)
        elif asked.t.manifest.zone(card.place).faces != "all":
            yield phrase("@{number} lies where all cards are face down", number=number)
    if asked.fix.figures:
        yield from asked.rules.undefinable(asked.fix.figures)


def _depart(asked: Asked) -> Iterator[Phrase]:
    p, fix = asked.p, asked.fix
    if not fix.kind:
        staying = [number for number in fix.cards if not p.cards[number].departing]
        yield from (phrase("@{number} is not on its way out", number=number) for number in staying)
        return
    yield from _declared(asked, "reasons", fix.kind, phrase("reason"))
    if not fix.place:
        yield phrase("it needs place")


# -- numbers ---------------------------------------------------------------------------------------


def _counters(asked: Asked) -> Iterator[Phrase]:
    fix = asked.fix
    yield from _declared(asked, "counters", fix.kind, phrase("counters"))
    if fix.src == "" and fix.dst == "":
        yield phrase("they come from somewhere or go somewhere")
    if fix.n < 0 or (fix.src != "" and asked.p.counters(fix.src, fix.kind) < fix.n):
        yield phrase("there are not so many")


def _mark(asked: Asked) -> Iterator[Phrase]:
    yield from _declared(asked, "marks", asked.fix.kind.partition(":")[0], phrase("mark"))


def _modify(asked: Asked) -> Iterator[Phrase]:
    """A change of a figure, of what cards may do, or of whether their texts count."""
    fix = asked.fix
    if bool(fix.cards) == bool(fix.place):
        yield phrase("it changes cards, or all that lies at a place")
    if fix.until == CONSTANT:
        yield phrase("what holds as long as a text does follows from the text")
    yield from _declared(asked, "durations", fix.until or "turn", phrase("duration"))
    layer, _, op = fix.op.rpartition(" ")
    if layer not in LAYERS or (layer and op not in OPERATIONS):
        yield phrase("there is no such change as {op!r}", op=fix.op)
    elif op in ("forbid", "allow"):
        yield from _act(asked)
    elif op not in ("", *OPERATIONS):
        yield phrase(
            "there is no such change as {op!r}{meant}",
            op=fix.op,
            meant=meant(op, (*OPERATIONS, "forbid", "allow")),
        )
    elif fix.kind == TEXTS:
        yield from _texts(asked, op)
    else:
        yield from _declared(asked, "stats", fix.kind, phrase("figure"))
        yield from _figure(asked, op)


def _act(asked: Asked) -> Iterator[Phrase]:
    """What is forbidden or allowed, and to or by which cards, as a group in JSON."""
    kind, value, acts = asked.fix.kind, asked.fix.value, asked.rules.barrable
    if kind not in acts:
        yield phrase(
            "no text forbids or allows {kind!r}{meant}", kind=kind, meant=meant(kind, acts)
        )
    if value not in (None, True):
        try:
            from_text(str(value))
        except msgspec.DecodeError as error:
            yield phrase(
                "the cards that it is about are a group as in a text: {error}", error=error
            )


def _texts(asked: Asked, op: str) -> Iterator[Phrase]:
    if op != "lose":
        yield phrase("texts are lost, and nothing else")


def _figure(asked: Asked, op: str) -> Iterator[Phrase]:
    p, fix = asked.p, asked.fix
    match op:
        case "lose":
            if fix.value not in (None, True):
                yield phrase("what is lost is lost wholly")
        case "swap":
            if fix.value == fix.kind:
                yield phrase("a figure changes places with another one")
            yield from _declared(asked, "stats", str(fix.value), phrase("figure"))
        case "multiply":
            try:
                negative = factor(fix.value) < 0
            except ValueError:
                negative = True
            if negative:
                yield phrase('a figure is multiplied by a number or a fraction ("1/2")')
        case _:  # what is a number now stays one
            now = {type(p.cards[number].stats.get(fix.kind)) for number in fix.cards}
            right = type(fix.value) is int if int in now else not isinstance(fix.value, str)
            if not right:
                yield phrase("a figure is a number, a keyword there or not")


def _end(asked: Asked) -> Iterator[Phrase]:
    if any(number not in asked.p.modifiers for number in asked.fix.ids):
        yield phrase("there is no such lasting effect")


# -- what waits, and the attack --------------------------------------------------------------------


def _trigger(asked: Asked) -> Iterator[Phrase]:
    yield from _seated(asked)
    if len(asked.fix.cards) != 1:
        yield phrase("a text is one card's")
    text = _text(asked)
    if text is not None and text.kind != "triggered":
        yield phrase("{effect} does not trigger: declare it, or play it", effect=asked.fix.effect)
    elif text is None:
        yield phrase("there is no text {effect!r}", effect=asked.fix.effect)


def _text(asked: Asked) -> Any:
    """The text that an effect names, of the cards of the match; None if there is none."""
    card, _, name = asked.fix.effect.partition("/")
    texts = getattr(asked.known.get(card), "effects", ())
    return next((text for text in texts if text.name == name), None)


def _schedule(asked: Asked) -> Iterator[Phrase]:
    fix, times = asked.fix, asked.rules.schedules
    if fix.seat is None:
        yield phrase("it is some seat's")
    yield from _seated(asked)
    if fix.until not in times:
        yield phrase(
            "nothing that is scheduled comes due with {until!r}{meant}",
            until=fix.until,
            meant=meant(fix.until, times),
        )
    if bool(fix.effect) == bool(fix.kind):
        yield phrase("it is a text, or a kind of act")
    elif fix.kind:
        yield from _declared(asked, "declarations", fix.kind, phrase("kind of act"))
    elif _text(asked) is None:
        yield phrase("there is no text {effect!r}", effect=fix.effect)


def _void(asked: Asked) -> Iterator[Phrase]:
    p = asked.p
    for number in asked.fix.ids:
        act = p.pending.get(number)
        if act is None and number not in p.scheduled:
            yield phrase("nothing waits as {number}", number=number)
        elif act is not None and act.resolving:
            yield phrase("{number} is being carried out", number=number)
        elif act is not None and act.kind != "triggered":
            yield phrase(
                "{number} was declared: it is carried out, or gone back before", number=number
            )


def _retarget(asked: Asked) -> Iterator[Phrase]:
    p, fix = asked.p, asked.fix
    if p.attack is None:
        yield phrase("there is no attack")
    for ref in (fix.subject, fix.host):
        if isinstance(ref, int) and p.present(ref) and not p.cards[ref].orient:
            yield phrase("@{ref} can't be attacked, nor take an attack on itself", ref=ref)
        elif ref and not isinstance(ref, int) and not ref.startswith("seat/"):
            yield phrase("a card is attacked, or a player")


# -- carrying it out -------------------------------------------------------------------------------


def _moved(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    t.move(fix.cards, fix.place, WHY, *cites, at=fix.at, up=fix.up, orient=fix.orient)


def _drawn(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    t.move(t.top(str(fix.src), fix.n), fix.place, WHY, *cites)


def _shown(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    t.show(fix.cards, sum(1 << seat for seat in fix.seats) or EVERYONE, WHY, *cites)


def _made(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    owner = seat_of(fix.place) if fix.seat is None else fix.seat
    t.make(fix.names, fix.place, WHY, *cites, owner=owner, token=True, orient=fix.orient)


def _attached(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    t.emit(ev.CardsAttached(fix.cards, fix.host, fix.role), *cites)


def _modified(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    targets: tuple[Ref, ...] = fix.cards or (fix.place,)
    layer, _, op = fix.op.rpartition(" ")
    change = Change(
        fix.kind, f"{layer} {op or 'add'}".strip(), True if fix.value is None else fix.value
    )
    t.modify(targets[0], targets, change, fix.until or "turn", *cites)


def _triggered(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    (card,) = fix.cards
    seat = t.pos.cards[card].controller if fix.seat is None else fix.seat
    t.trigger(fix.effect, card, seat, t.pos.seq, *cites, f"card:{fix.effect}")


def _scheduled(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    assert fix.seat is not None
    (whose,) = fix.seats[:1] or (NOBODY,)
    source: Ref = fix.cards[0] if fix.cards and fix.effect else f"seat/{fix.seat}"
    text = (f"card:{fix.effect}",) if fix.effect else ()
    t.schedule(
        fix.effect, source, fix.seat, fix.until, *cites, *text,
        kind=fix.kind, turn=fix.turn, whose=whose, targets=fix.cards, x=fix.n,
    )  # fmt: skip


def _voided(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    t.lift(fix.ids, *cites)
    for number in fix.ids:
        if number in t.pos.pending:
            t.end_act(number, "void", *cites)


def _retargeted(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    t.emit(ev.AttackChanged(fix.subject, fix.host, WHY), *cites)


#: The verbs there are.
VERBS: Mapping[str, Verb] = {
    "move": Verb(("cards", "place"), _moved, _move),
    "draw": Verb(("n", "src", "place"), _drawn, _draw),
    "turn": Verb(
        ("cards",),
        lambda rules, t, fix, cites: t.turn(fix.cards, *cites, orient=fix.orient, up=fix.up),
        _turn,
        openly=True,
    ),
    "show": Verb(("cards",), _shown, _show),
    "name": Verb(("cards", "names"), lambda rules, t, fix, cites: None),
    "define": Verb(
        ("cards",),
        lambda rules, t, fix, cites: t.define(fix.cards, fix.figures, *cites),
        _define,
        openly=True,
    ),
    "counters": Verb(
        ("kind", "n"),
        lambda rules, t, fix, cites: t.counters(fix.kind, fix.n, *cites, src=fix.src, dst=fix.dst),
        _counters,
    ),
    "mark": Verb(
        ("subject", "kind"),
        lambda rules, t, fix, cites: t.mark(fix.subject, fix.kind, fix.value, *cites),
        _mark,
    ),
    "order": Verb(
        ("place", "cards"),
        lambda rules, t, fix, cites: t.order(fix.place, [*fix.cards], WHY, *cites),
        _order,
    ),
    "shuffle": Verb(("place",), lambda rules, t, fix, cites: t.shuffle(fix.place, *cites)),
    "control": Verb(
        ("cards",),
        lambda rules, t, fix, cites: rules.control(t, [*fix.cards], fix.seat or 0, *cites),
        _control,
        openly=True,
    ),
    "attach": Verb(("cards",), _attached, _tied, openly=True),
    "link": Verb(
        ("cards",),
        lambda rules, t, fix, cites: t.link(fix.cards, fix.host, fix.role, *cites),
        _tied,
        openly=True,
    ),
    "remove": Verb(("cards",), lambda rules, t, fix, cites: t.remove(fix.cards, WHY, *cites)),
    "make": Verb(("names", "place"), _made, _seated),
    "depart": Verb(
        ("cards",),
        lambda rules, t, fix, cites: t.depart(fix.cards, fix.kind, fix.subject, fix.place, *cites),
        _depart,
        openly=True,
    ),
    "modify": Verb(("kind",), _modified, _modify, openly=True),
    "end": Verb(("ids",), lambda rules, t, fix, cites: t.end_modifiers(fix.ids, WHY, *cites), _end),
    "trigger": Verb(("cards", "effect"), _triggered, _trigger, openly=True),
    "schedule": Verb(("until",), _scheduled, _schedule, openly=True),
    "void": Verb(("ids",), _voided, _void),
    "retarget": Verb(("subject",), _retargeted, _retarget),
}
