"""Twin matches: two that a viewer can't tell apart, made by exchanging cards that he never saw.

Two ways, and both are needed. `permuted` permutes cards that the viewer does not learn, so that a
trace of *what* hidden cards are shows. `swapped_in_hand` swaps a card that the rival plays with one
that he holds beside it and has him play the same faces, so that a trace of *where* a card lay
shows.

A twin is played from the same answers and the same chance but for one shuffle; `difference`
compares what the viewer gets of both, byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from domain.engine.match import Match, Refused
from domain.engine.passes.autopass import AutoPass
from domain.record.decisions import Act
from domain.record.entries import Entry, encode
from domain.record.events import (
    CardsKnown,
    CardsMoved,
    CardsOrdered,
    ChanceDrawn,
    DecisionMade,
    GameBegan,
    Interjected,
)
from domain.record.folding.fold import fold
from domain.record.position import Position
from domain.record.values import EVERYONE, Ref, Sealed
from domain.record.views import PUBLIC, redact
from tests.playouts import DECKS, Setup, acts, opening, play
from tests.support.auto_pass import leave

Draws = list[tuple[int, ...]]
#: What seats leave after so many entries of a log (None: they withdraw it).
Leaves = Mapping[int, tuple[int, AutoPass | None]]
NOTHING_LEFT: Leaves = {}


class Twin(NamedTuple):
    """The other match, and how many entries of the two must look the same to the viewer."""

    log: list[Entry]
    same: int
    whole: bool  # every answer up to there could be given in it


def permuted(
    setup: Setup, log: list[Entry], viewer: int, rng: Random, leaves: Leaves = NOTHING_LEFT
) -> Twin:
    """A twin in which cards that the viewer has not learned by some point are permuted.

    They look the same to him up to the input that brings the first of them to light.
    """
    same, draws = permutation(log, viewer, rng)
    return _played(setup, log, same, draws, {}, 0, leaves)


def permutation(log: list[Entry], viewer: int, rng: Random) -> tuple[int, Draws]:
    """How many entries look the same in such a twin, and its chance."""
    shuffle = rng.choice(shuffles(log, rng.randrange(2)))
    traced = trace(log, shuffle, viewer)
    learned, n = traced.learned, _order(log[shuffle]).n
    by = rng.randrange(shuffle, len(log))
    hidden = [slot for slot in range(n) if learned.get(slot, len(log)) > by]
    peeked = _peeked(log, traced).intersection(hidden)
    wanted = min(len(hidden), rng.choice([2, 5, len(hidden)]))
    moved = list({*peeked, *rng.sample(hidden, wanted)})
    faces = dict(zip(moved, rng.sample(moved, len(moved)), strict=True))
    first = min((learned[slot] for slot in moved if slot in learned), default=len(log))
    same = max(at for at in range(first) if log[at].input)
    return same, redrawn(log, shuffle, faces)


def swapped_in_hand(
    setup: Setup, log: list[Entry], viewer: int, rng: Random, leaves: Leaves = NOTHING_LEFT
) -> Twin | None:
    """A twin in which a card that a rival plays and one beside it lie the other way round.

    The viewer gets the same to the very end; None if no such pair was held.
    """
    rival = 1 - viewer if viewer >= 0 else rng.randrange(2)
    shuffle = shuffles(log, rival)[0]
    traced = trace(log, shuffle, viewer)
    pairs = []
    for at, played, held in _played_from_hand(log, rival):
        slots = [traced.slots[number] for number in (played, held) if number in traced.slots]
        if len(slots) == 2 and all(traced.learned.get(slot, len(log)) > at for slot in slots):
            pairs.append((at, played, held))
    if not pairs:
        return None
    since, one, other = rng.choice(pairs)
    i, j = traced.slots[one], traced.slots[other]
    draws = redrawn(log, shuffle, {i: j, j: i})
    return _played(setup, log, len(log), draws, {one: other, other: one}, since, leaves)


def twins(setup: Setup, log: list[Entry], viewer: int, seed: int) -> Iterator[Twin]:
    """A twin of each of the two kinds, if there is one."""
    yield permuted(setup, log, viewer, Random(seed))
    swapped = swapped_in_hand(setup, log, viewer, Random(seed))
    if swapped is not None:
        yield swapped


def difference(log: list[Entry], twin: Twin, viewer: int) -> tuple[Entry, Entry] | None:
    """The first entries of the two that the viewer can tell apart; None if there are none."""
    for one, other in zip(log[: twin.same], twin.log[: twin.same], strict=False):
        seen = redact(one, viewer), redact(other, viewer)
        if encode(seen[0]) != encode(seen[1]):
            return seen
    return None


class Case(NamedTuple):
    """A match and a twin of it, for a viewer to tell apart; chance is seeded."""

    setup: Setup
    log: list[Entry]
    twin: Twin
    viewer: int
    seed: int


def noticed(distinguished: Callable[[Case], object], viewers: Sequence[int]) -> bool:
    """Whether any of the viewers tells any of many matches from a twin of it."""
    for seed in range(60):
        setup, rng = Setup(seed, ("ST03", DECKS[seed % 4])), Random(seed)
        log = play(setup)
        for viewer in viewers:
            twins = [permuted(setup, log, viewer, rng), swapped_in_hand(setup, log, viewer, rng)]
            if any(twin and distinguished(Case(setup, log, twin, viewer, seed)) for twin in twins):
                return True
    return False


# -- following cards -------------------------------------------------------------------------------


class Trace(NamedTuple):
    """The cards of one shuffle, by their slot in it: their numbers since, when they were learned.

    `learned` holds places in the log. A card that is shuffled again is still the same card here.
    """

    slots: dict[int, int]
    learned: dict[int, int]


def trace(log: list[Entry], shuffle: int, viewer: int) -> Trace:
    """Follow the cards of a shuffle to the end of its game, with an official's eyes."""
    p = Position()
    for entry in log[: shuffle + 1]:
        fold(p, entry)
    first = _order(log[shuffle])
    slots, learned = {first.base + i: i for i in range(first.n)}, dict[int, int]()
    for at, entry in enumerate(log[shuffle + 1 :], shuffle + 1):
        match entry.event:
            case GameBegan():
                break
            case CardsMoved(was=was, now=now):
                _follow(slots, was.value or (), now.value or ())
            case CardsOrdered(place=place, base=base, order=order) if base:
                before = p.zone(place)
                old = [before[index] for index in order.value or ()]
                _follow(slots, old, range(base, base + len(old)))
            case CardsKnown(cards=cards) if addressed(cards, viewer):
                for number, _ in cards.value or ():
                    if number in slots:
                        learned.setdefault(slots[number], at)
        fold(p, entry)
    return Trace(slots, learned)


def _peeked(log: list[Entry], traced: Trace) -> set[int]:
    """Cards that their owner was shown in the deck: he may do one thing or another about them."""
    return {
        traced.slots[number]
        for entry in log
        if isinstance(entry.event, CardsKnown) and entry.event.why == "look"
        for number, _ in entry.event.cards.value or ()
        if number in traced.slots
    }


def _follow(slots: dict[int, int], was: Iterable[int], now: Iterable[int]) -> None:
    for old, new in zip(was, now, strict=True):
        if old in slots:
            slots[new] = slots[old]


def addressed(sealed: Sealed[Any], viewer: int) -> bool:
    """Whether a viewer may know it, read without the code under test."""
    return sealed.to == EVERYONE or (viewer != PUBLIC and bool(sealed.to >> viewer & 1))


def shuffles(log: list[Entry], seat: int) -> list[int]:
    """Where in a log a deck of a seat's is shuffled."""
    return [
        at
        for at, entry in enumerate(log)
        if isinstance(entry.event, CardsOrdered)
        and entry.event.base
        and entry.event.place.endswith(f"/{seat}")
    ]


def _order(entry: Entry) -> CardsOrdered:
    assert isinstance(entry.event, CardsOrdered)
    return entry.event


def _played_from_hand(log: list[Entry], seat: int) -> list[tuple[int, int, int]]:
    """Each time a seat plays a card from hand: where in the log, the card, and one beside it."""
    found, p, answers = [], Position(), {entry.seq: act for entry, act in acts(log)}
    for at, entry in enumerate(log):
        hand = p.zone("hand", seat)
        act = answers.get(entry.seq)
        if act is not None and entry.by == seat and act.card in hand and isinstance(act.card, int):
            face = p.cards[act.card].id
            found += [(at, act.card, n) for n in hand if p.cards[n].id != face]
        fold(p, entry)
    return found


# -- playing them ----------------------------------------------------------------------------------


def redrawn(log: list[Entry], shuffle: int, faces: Mapping[int, int]) -> Draws:
    """The outcome of chance, but with each slot of one shuffle holding the card of another."""
    draws = [e.event.result.value or () for e in log if isinstance(e.event, ChanceDrawn)]
    at = sum(isinstance(e.event, ChanceDrawn) for e in log[:shuffle]) - 1
    order = draws[at]
    draws[at] = tuple(order[faces.get(slot, slot)] for slot in range(len(order)))
    return draws


def _played(
    setup: Setup,
    log: list[Entry],
    same: int,
    draws: Draws,
    swapped: Mapping[int, int],
    since: int,
    leaves: Leaves,
) -> Twin:
    """Play on other draws; from `since` on, answers name the cards of that face.

    What is left is left at the same places, and answers of itself.
    """
    left, answers = iter(draws), {entry.seq: act for entry, act in acts(log)}
    match = Match.open(setup.rules, opening(setup), lambda kind, of: next(left))
    new = match.collect()
    for at, entry in enumerate(log[:same]):
        faces = swapped if at >= since else {}
        if at in leaves:
            leave(match, *leaves[at])
            new += match.collect()
        try:
            match entry.event:
                case DecisionMade(origin="auto"):
                    pass
                case DecisionMade(n=n, seat=seat):
                    match.choose(seat, n, _by_face(answers[entry.seq], faces), entry.time)
                case Interjected(seat=seat, kind=kind, about=about, picks=picks):
                    renamed = _renamed(picks.value or (), faces)
                    match.interject(seat, kind, entry.time, about, renamed)
        except Refused:
            return Twin(new, same, False)
        new += match.collect()
    return Twin(new, same, True)


def _by_face(act: Act, faces: Mapping[int, int]) -> Act:
    (card,) = _renamed((act.card,), faces)
    return Act(act.kind, card, tuple(_renamed(picks, faces) for picks in act.picks), act.effect)


def _renamed(refs: Iterable[Ref], faces: Mapping[int, int]) -> tuple[Ref, ...]:
    return tuple(faces.get(ref, ref) if isinstance(ref, int) else ref for ref in refs)
