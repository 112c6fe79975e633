"""The verbs of fixes, a row each: how it is typed, what it means, its check, what it does.

`faults` says what is wrong with a fix before anything is done (`checks`, verb by verb);
`carry_out` does it. The fix itself is in `fixes`; rehearsing several of them, and going on from the
position, is in `correcting`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, NamedTuple

from domain.effects.language.spelling import meant
from domain.engine.rulebook import Rulebook
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.officials.corrections import checks
from domain.officials.corrections.checks import Proposal
from domain.officials.corrections.fixes import Fix, named
from domain.record import events as ev
from domain.record.groups import group_from
from domain.record.position import NOBODY, seat_of
from domain.record.schema import bounds
from domain.record.values import EVERYONE, OFFICIALS, Change, Ref, Sealed, Value
from domain.words.phrases import Phrase, phrase

WHY = "correction"

#: What a verb does; a plain function where chance is not asked.
Does = Callable[[Rulebook, Table, Fix, tuple[str, ...]], object]
#: Yields the faults of a fix, as the table stands.
Check = Callable[[Proposal], Iterator[Phrase]]


class Verb(NamedTuple):
    """A verb: how it is typed, what it means, what it does, and its own check.

    `typed` has the fields of a fix in braces, in brackets what may be left out, in any order; of
    `{place|cards}` the first is meant where there is a slash in the word. `openly`: it names its
    cards to all, so they must be such as all can tell apart. Its line is read in
    `domain.text.fixes`.
    """

    typed: str
    means: Phrase
    does: Does
    check: Check = lambda proposal: iter(())
    openly: bool = False

    @property
    def needs(self) -> list[str]:
        """The fields that it can't do without: those that are typed in any case."""
        sure = re.sub(r"\[[^][]*(\[[^][]*\][^][]*)*\]", "", self.typed)
        fields = (found.split("=") for found in re.findall(r"{([^{}|]*)}", sure))
        return [name for some in fields for name in some]


#: A fix that says nothing.
_NOTHING = Fix("")


def faults(rules: Rulebook, t: Table, fix: Fix, known: Mapping[str, Any]) -> Iterator[Phrase]:
    """The faults of a fix in the present position."""
    proposal = Proposal(rules, t, fix, known)
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
        phrase("it needs {name}", name=name)
        for name in verb.needs
        if getattr(fix, name) == getattr(_NOTHING, name)
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
    yield from checks.hidden(proposal, verb.openly)
    yield from checks.misnamed(proposal)
    yield from verb.check(proposal)


def carry_out(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> Play:
    """Do what a fix says; it needs nothing from outside but chance."""
    if fix.verb != "make":
        _record_names(t, fix, cites)
    play = VERBS[fix.verb].does(rules, t, fix, cites)
    if isinstance(play, Generator):
        yield from play


def _record_names(t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    """Say which cards these are, for the record alone: who else gets to know is the verb's."""
    for number, name in named(fix):
        card = t.pos.cards[number]
        if card.id != name:
            pairs: tuple[tuple[int, str], ...] = ((number, name),)
            t.emit(ev.CardsKnown(1, card.place, Sealed(OFFICIALS, pairs), WHY), *cites)
            to = t.manifest.faces(card.place, card.up) & card.follow | card.seen
            if fix.verb == "name" and to:
                t.show([number], to, WHY, *cites)


def _move(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    """Cards move; what lies with one that goes elsewhere, and does not move, lies by itself."""
    cards = t.pos.cards
    going = [number for number in fix.cards if cards[number].place != fix.place]
    left = [rider for n in going for rider in cards[n].attached if rider not in fix.cards]
    if left:
        t.emit(ev.CardsAttached(tuple(left), 0, ""), *cites)
    t.move(fix.cards, fix.place, WHY, *cites, at=fix.at, up=fix.up, orient=fix.orient)


def _draw(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    t.move(t.top(str(fix.src), fix.n), fix.place, WHY, *cites)


def _show(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    t.show(fix.cards, sum(1 << seat for seat in fix.seats) or EVERYONE, WHY, *cites)


def _make(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    owner = seat_of(fix.place) if fix.seat is None else fix.seat
    t.make(fix.names, fix.place, WHY, *cites, owner=owner, token=True, orient=fix.orient)


def mix(t: Table, place: str, why: str, *cites: str) -> Play:
    """Shuffle a zone, and lay it down again so that those who can follow its cards can do so.

    What lay face up does so still.
    """
    yield from t.shuffle(place, *cites)
    if t.manifest.zone(place).follow != "none":
        ways: dict[bool, list[int]] = {False: [], True: []}
        for number in t.pos.zone(place):
            ways[t.pos.cards[number].up].append(number)
        for up, some in ways.items():
            t.move(some, place, why, *cites, up=up, hide=True)


def _modify(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    targets: tuple[Ref, ...] = fix.cards or (fix.place,)
    layer, _, op = fix.op.rpartition(" ")
    value: Value = True if fix.value is None else fix.value
    against = None
    if op in ("forbid", "allow") and isinstance(value, str):
        against = group_from(value)
        value = True
    change = Change(fix.kind, f"{layer} {op or 'add'}".strip(), value, against)
    t.modify(targets[0], targets, change, fix.until or "turn", *cites)


def _trigger(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    (card,) = fix.cards
    seat = t.pos.cards[card].controller if fix.seat is None else fix.seat
    t.trigger(fix.effect, card, seat, t.pos.seq, *cites, f"card:{fix.effect}")


def _schedule(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    assert fix.seat is not None
    (whose,) = fix.seats[:1] or (NOBODY,)
    source: Ref = fix.cards[0] if fix.cards and fix.effect else f"seat/{fix.seat}"
    text = (f"card:{fix.effect}",) if fix.effect else ()
    t.schedule(
        fix.effect, source, fix.seat, fix.until, *cites, *text,
        kind=fix.kind, turn=fix.turn, whose=whose, targets=fix.cards, x=fix.n,
    )  # fmt: skip


def _void(rules: Rulebook, t: Table, fix: Fix, cites: tuple[str, ...]) -> None:
    t.lift(fix.ids, *cites)
    for number in fix.ids:
        if number in t.pos.pending:
            t.end_act(number, "void", *cites)


#: The verbs there are.
VERBS: Mapping[str, Verb] = {
    "move": Verb(
        "{cards} to {place} [at {at}] [{up}] [lying {orient}]",
        phrase("cards go to a place, `at` so many from the bottom"),
        _move,
        checks.move,
    ),
    "draw": Verb(
        "{n} from {src} to {place}",
        phrase("the top cards of a place go to another"),
        _draw,
        checks.draw,
    ),
    "turn": Verb(
        "{cards} [{up}] [lying {orient}]",
        phrase("cards are turned over, or sideways"),
        lambda rules, t, fix, cites: t.turn(fix.cards, *cites, orient=fix.orient, up=fix.up),
        checks.turn,
        openly=True,
    ),
    "show": Verb(
        "{cards} [to {seats}]", phrase("cards are shown to a player, or to all"), _show, checks.show
    ),
    "name": Verb(
        "{cards=names}",
        phrase("cards are named, also where they were named wrongly; any line may do so"),
        lambda rules, t, fix, cites: None,
    ),
    "define": Verb(
        "{cards} [{figures}]",
        phrase("what cards lying face down count as; without figures they are themselves again"),
        lambda rules, t, fix, cites: t.define(fix.cards, fix.figures, *cites),
        checks.define,
        openly=True,
    ),
    "counters": Verb(
        "{kind} {n} [from {src}] [to {dst}]",
        phrase("counters go from a card or a player (or the supply) to another"),
        lambda rules, t, fix, cites: t.counters(fix.kind, fix.n, *cites, src=fix.src, dst=fix.dst),
        checks.counters,
    ),
    "mark": Verb(
        "{subject} {kind} [{value}]",
        phrase("something is marked; without a value the mark is erased"),
        lambda rules, t, fix, cites: t.mark(fix.subject, fix.kind, fix.value, *cites),
        checks.mark,
    ),
    "order": Verb(
        "{place} {cards}",
        phrase("the cards of a place lie in this order, bottom to top"),
        lambda rules, t, fix, cites: t.order(fix.place, [*fix.cards], WHY, *cites),
        checks.order,
    ),
    "shuffle": Verb(
        "{place}",
        phrase("the cards of a place are mixed, where not all can see them"),
        lambda rules, t, fix, cites: mix(t, fix.place, WHY, *cites),
        checks.shuffle,
    ),
    "control": Verb(
        "{cards} by {seat}",
        phrase("a player gets control of cards"),
        lambda rules, t, fix, cites: rules.control(t, [*fix.cards], fix.seat or 0, *cites),
        checks.seats,
        openly=True,
    ),
    "attach": Verb(
        "{cards} [to {host} [as {role}]]",
        phrase("cards are laid with another; without one they lie by themselves"),
        lambda rules, t, fix, cites: t.emit(
            ev.CardsAttached(fix.cards, fix.host, fix.role), *cites
        ),
        checks.ties,
        openly=True,
    ),
    "link": Verb(
        "{cards} [to {host} [as {role}]]",
        phrase("cards are linked to another from where they lie; without one, to none any more"),
        lambda rules, t, fix, cites: t.link(fix.cards, fix.host, fix.role, *cites),
        checks.ties,
        openly=True,
    ),
    "remove": Verb(
        "{cards}",
        phrase("cards leave the match"),
        lambda rules, t, fix, cites: t.remove(fix.cards, WHY, *cites),
    ),
    "make": Verb(
        "{names} at {place} [by {seat}]",
        phrase("tokens are made by the names or ids of their cards, and whose they are"),
        _make,
        checks.seats,
    ),
    "depart": Verb(
        "{cards} [to {place} for {kind} [by {subject}]]",
        phrase("cards are on their way to a place, and who is to blame; alone: they stay"),
        lambda rules, t, fix, cites: t.depart(fix.cards, fix.kind, fix.subject, fix.place, *cites),
        checks.depart,
        openly=True,
    ),
    "modify": Verb(
        "{place|cards} [{op}] {kind} [{value}] [until {until}]",
        phrase(
            "a lasting change: the figure by so much; set, multiply, swap or lose it, maybe after "
            "original, late or last; forbid or allow an act; lose texts"
        ),
        _modify,
        checks.modify,
        openly=True,
    ),
    "end": Verb(
        "{ids}",
        phrase("lasting effects end"),
        lambda rules, t, fix, cites: t.end_modifiers(fix.ids, WHY, *cites),
        checks.end,
    ),
    "trigger": Verb(
        "{cards} {effect} [by {seat}]",
        phrase("a text of a card triggers, for its controller or another player"),
        _trigger,
        checks.trigger,
        openly=True,
    ),
    "schedule": Verb(
        "{effect|kind} for {seat} with {until} [from {turn}] [in {seats}] [about {cards}] "
        "[times {n}]",
        phrase("a text or an act comes due, not before a turn, or only in turns of a player"),
        _schedule,
        checks.schedule,
        openly=True,
    ),
    "void": Verb(
        "{ids}",
        phrase("effects that wait, and what is scheduled, come to nothing"),
        _void,
        checks.void,
    ),
    "retarget": Verb(
        "{subject} [by {host}]",
        phrase("the attack goes on against another, with a card that takes it on itself"),
        lambda rules, t, fix, cites: t.emit(ev.AttackChanged(fix.subject, fix.host, WHY), *cites),
        checks.retarget,
    ),
}
