"""Moving cores in one's Main Phases (bs:7-6-1-2-2): onto a card, off one, swaps.

One command has one source and one target (reading:bs/14): what it brings about is done before the
next. A swap is one moment, so no card is short of a core in between.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.rulebook import Refusal
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.effects.processes import settle
from domain.games.battle_spirits.manifest import CORE, CORES, SOUL
from domain.games.kit.choices.legality import refuse
from domain.games.kit.choices.rows import Asking
from domain.record.decisions import Act, Limits, Misfit, Part, Supply
from domain.record.position import Position
from domain.record.values import Ref

RULE = "bs:7-6-1-2-2"
TARGET, MOVED = "target", "cores"


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
    yield _some(asking, card)


def of_reserve(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """Which cores of the Reserve are moved."""
    yield _some(asking, cores.reserve(asking.seat))


def _some(asking: Asking, src: Ref) -> Part:
    there = cores.held(asking.p, src)
    limits = Limits(cap=max(there.plain, 1))
    return asking.part(MOVED, _pool(src, there), 1, max(there.all, 1), limits)


def _pool(src: Ref, there: cores.Held) -> tuple[Ref, ...]:
    """The pool from which cores of a place are picked."""
    return (*((src,) if there.plain else ()), *((SOUL,) if there.soul else ()))


def as_many_of_card(asking: Asking, card: int, text: str) -> Limits:
    """No more cores of a card are moved than are on it."""
    return _as_many(asking, card, 1)


def as_many_of_reserve(asking: Asking, card: int, text: str) -> Limits:
    """The same of the Reserve; there is no target to name: it is the card."""
    return _as_many(asking, cores.reserve(asking.seat), 0)


def _as_many(asking: Asking, src: Ref, at: int) -> Limits:
    there = cores.held(asking.p, src)
    pool = _pool(src, there)
    caps = tuple(1 if ref == SOUL else there.plain for ref in pool)
    return Limits(supplies=(Supply((at,), asking.pool(pool), caps),))


# -- what forbids it -------------------------------------------------------------------------------


def on_own_field(t: Table, seat: int, act: Act) -> Refusal | None:
    """Cores move between one's Reserve and one's own cards on the Field, and nowhere else."""
    if isinstance(act.card, int) and act.card in t.pos.zone("field", seat):
        return None
    text = "cores are moved between your Reserve and your cards on the Field"
    return refuse(text, RULE).of_wrong_card()


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
    if t.pos.counters(_other_end(t.pos, seat, act.card), CORE):
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
    (dst,), picks = act.picks[0], act.picks[1]
    yield from _move(t, act.card, dst, picks)


def place_cores(t: Table, seat: int, act: Act) -> Play:
    """Cores of the Reserve are placed on a card."""
    yield from _move(t, cores.reserve(seat), act.card, act.picks[0])


def _move(t: Table, src: Ref, dst: Ref, picks: tuple[Ref, ...]) -> Play:
    with t.at_once():
        for kind in CORES:
            n = sum((ref == SOUL) == (kind == SOUL) for ref in picks)
            cores.move(t, n, src, dst, RULE, kind=kind)
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
