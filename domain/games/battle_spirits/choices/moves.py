"""Moving cores in one's Main Phases (bs:7-6-1-2-2): onto a card, off one, swaps.

One command has one source and one target (reading 14): what it brings about is done before the
next. A swap is one moment, so no card is short of a core in between.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.rulebook import Refusal
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.effects.processes import settle
from domain.games.battle_spirits.manifest import CORE, SOUL
from domain.games.kit.choices.legality import refuse
from domain.games.kit.choices.rows import Asking
from domain.record.decisions import NUMBER, Act, Joint, Misfit, Part, Sum, Term
from domain.record.position import Position
from domain.record.values import Ref

RULE = "bs:7-6-1-2-2"
TARGET, HOW_MANY, MOVED = "target", "n", "cores"


def own_field(asking: Asking) -> Iterator[int]:
    """The cards on one's own Field."""
    return iter(asking.p.zone("field", asking.seat))


# -- what is picked --------------------------------------------------------------------------------


def targets(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """Whither cores of a card may be moved: to the Reserve, to another card."""
    places = cores.sources(asking.p, asking.seat)
    yield asking.part(TARGET, tuple(place for place in places if place != card))


def of_card(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """Which cores of a card are moved."""
    return _numbers(cores.held(asking.p, card))


def of_reserve(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """Which cores of the Reserve are moved."""
    return _numbers(cores.held(asking.p, cores.reserve(asking.seat)))


def _numbers(there: cores.Held) -> Iterator[Part]:
    if there.soul:
        yield Part(SOUL, NUMBER, 0 if there.plain else 1, 1)
    if there.plain:
        yield Part(HOW_MANY, NUMBER, 0 if there.soul else 1, there.plain)


def some_of_card(asking: Asking, card: int, text: str) -> Joint:
    """The Soul Core and the others that are moved are one at least."""
    return _some(cores.held(asking.p, card), 1)


def some_of_reserve(asking: Asking, card: int, text: str) -> Joint:
    """The same, where there is no target to name: it is the card."""
    return _some(cores.held(asking.p, cores.reserve(asking.seat)), 0)


def _some(there: cores.Held, first: int) -> Joint:
    kinds = int(there.soul > 0) + int(there.plain > 0)
    terms = tuple(Term(first + at) for at in range(kinds))
    return Joint(sums=(Sum(MOVED, terms, 1, max(there.all, 1)),))


# -- what forbids it -------------------------------------------------------------------------------


def on_own_field(t: Table, seat: int, act: Act) -> Refusal | None:
    """Cores move between one's Reserve and one's own cards on the Field, and nowhere else."""
    if isinstance(act.card, int) and act.card in t.pos.zone("field", seat):
        return None
    text = "cores are moved between your Reserve and your cards on the Field"
    return refuse(text, RULE)


def cores_on_it(t: Table, seat: int, act: Act) -> Refusal | None:
    """There is a core to be moved off the card."""
    if cores.count(t.pos, act.card):
        return None
    return refuse("there is no core on it", "bs:1-4-2", RULE)


def cores_in_reserve(t: Table, seat: int, act: Act) -> Refusal | None:
    """There is a core in the Reserve."""
    if cores.count(t.pos, cores.reserve(seat)):
        return None
    return refuse("there is no core in your Reserve", "bs:1-4-2", RULE)


def swappable(t: Table, seat: int, act: Act) -> Refusal | None:
    """The Soul Core is where cores are moved, and at the other end is a core to swap it for."""
    if cores.soul_place(t.pos, seat) is None:
        return refuse("your Soul Core is neither in your Reserve nor on your Field", RULE)
    if any(t.pos.counters(place, CORE) for place in (_other_end(t.pos, seat, act.card),)):
        return None
    return refuse("there is no core to swap the Soul Core for", "bs:1-4-2", RULE)


def same_place(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """Nothing moves to where it is."""
    if act.picks and act.picks[0] == (act.card,):
        return refuse("the cores are there already", "bs:1-4-2-2", fault="BAD_PICKS")
    return None


def _other_end(p: Position, seat: int, card: Ref) -> Ref:
    """Where the core is that changes places with the Soul Core: the card, or else the Reserve."""
    return cores.reserve(seat) if p.counters(card, SOUL) else card


# -- what carries it out ---------------------------------------------------------------------------


def move_cores(t: Table, seat: int, act: Act) -> Play:
    """Cores of a card are moved to the Reserve or to another card."""
    assert isinstance(act.card, int)
    there = cores.held(t.pos, act.card)
    (dst,), picks = act.picks[0], act.picks[1:]
    yield from _move(t, there, act.card, dst, picks)


def place_cores(t: Table, seat: int, act: Act) -> Play:
    """Cores of the Reserve are placed on a card."""
    src = cores.reserve(seat)
    yield from _move(t, cores.held(t.pos, src), src, act.card, act.picks)


def _move(
    t: Table, there: cores.Held, src: Ref, dst: Ref, picks: tuple[tuple[Ref, ...], ...]
) -> Play:
    kinds = [kind for kind, n in ((SOUL, there.soul), (CORE, there.plain)) if n]
    with t.at_once():
        for kind, picked in zip(kinds, picks, strict=False):
            for n in picked:
                cores.move(t, int(n), src, dst, RULE, kind=kind)
    yield from settle(t)


def swap(t: Table, seat: int, act: Act) -> Play:
    """The Soul Core and a core change places, at one moment."""
    other, soul = _other_end(t.pos, seat, act.card), cores.soul_place(t.pos, seat)
    if soul is None:
        return
    with t.at_once():
        cores.move(t, 1, soul, other, RULE, "reading:bs/14", kind=SOUL)
        cores.move(t, 1, other, soul, RULE, "reading:bs/14")
    yield from settle(t)
