"""Wait states: cards on their way off the Field, which are there until all is done (bs:10-2-2).

A card that is destroyed, returns to the hand or the deck, or has too few cores waits on the Field:
it counts there, and neither attacks nor blocks (reading:bs/9). It leaves when every effect that its
leaving has set off is over. Meanwhile it may change into another of these wait states, never into
the same one; what the former one has set off is lost then. The rules let it go where it was to go
at first, an effect sends it where that says (reading:bs/11).

`depart` lets cards begin to leave, `close` lets those go that wait for nothing more. When cards
have too few cores is in `processes`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from domain.effects.constant.calculator import barring, texts
from domain.effects.instructions.replacement import concerns, replacing, unreplaced
from domain.effects.select import Running
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import figures
from domain.games.battle_spirits.effects.battle import BEAT
from domain.games.battle_spirits.effects.figures import DISAPPEARED
from domain.games.battle_spirits.effects.lapsing import LEAVING
from domain.games.battle_spirits.effects.texts import TERMS, TRIGGERS
from domain.record.position import Pending, Position
from domain.record.values import Ref

#: Why cards leave: the kinds of wait states, two of which are destruction.
DESTROYED, BATTLE, HAND, DECK = "destroyed", "battle", "hand", "deck"
#: The mark of a card that goes to the bottom of the deck.
BOTTOM = "to the bottom"
#: The mark of a card that has begun to leave after others at the same moment: the entry of the
#: first of them.
TOGETHER = "together"
#: The mark of a card that has disappeared before it leaves in another way.
HAS_DISAPPEARED = "has-disappeared"
#: What a card that has beaten another one waits for: the leaving of that one sets it off.
_BEATS = "beats"


class Kind(NamedTuple):
    """A kind of wait state: its word for texts that replace it or forbid it, its rules."""

    name: str
    on: str
    cites: tuple[str, ...]


_DESTRUCTION = Kind("destroyed", "destroyed", ("bs:5-10-1", "bs:10-2-2-1"))
KINDS = {
    DESTROYED: _DESTRUCTION,
    BATTLE: _DESTRUCTION,
    DISAPPEARED: Kind("disappeared", "disappears", ("bs:5-11-1", "bs:10-2-2-1")),
    HAND: Kind("hand", "returned", ("bs:5-17-1", "bs:10-2-2-1")),
    DECK: Kind("deck", "returned", ("bs:5-17-1", "bs:10-2-2-1")),
}


class Going(NamedTuple):
    """A card that is to leave for a zone: why, and by whose or what's doing."""

    card: int
    to: str
    cause: str
    by: Ref
    cites: tuple[str, ...] = ()
    #: nothing is done instead any more
    final: bool = False


def depart(t: Table, going: Sequence[Going], bottom: bool = False) -> Play:
    """Cards begin to leave, at one moment; which they were.

    Those are not that a text keeps from it, that wait in the same way already, or for which
    something is done instead. What returns to a deck goes to the `bottom` of it if so.
    """
    left = [one for one in going if not _kept(t, one)]
    if not replacing(t.pos):  # what stands for something else is not replaced again (bs:9-1-8-1-2)
        left = yield from _unreplaced(t, left)
        left = [one for one in left if t.pos.present(one.card) and not _waits_so(t.pos, one)]
    first = 0
    with t.at_once():
        for alike, some in groupby(left, _alike(t.pos)):
            cards = [one.card for one in some]
            _change(t, cards)
            place, cause, by, cites, changed = alike
            rules = dict.fromkeys((*changed, *cites, *KINDS[cause].cites))
            t.depart(cards, cause, by, place, *rules)
            for card in cards:
                t.mark(card, TOGETHER, first or None, "bs:10-2-2-1")
                if cause == DECK:
                    t.mark(card, BOTTOM, bottom or None, *cites)
            first = first or t.pos.departures[cards[0]].seq
    return [one.card for one in left]


_Entry = tuple[str, str, Ref, tuple[str, ...], tuple[str, ...]]


def _alike(p: Position) -> Callable[[Going], _Entry]:
    """The common data of departures in one entry: where to, why, by whom, by which rules."""

    def key(one: Going) -> _Entry:
        place = f"{one.to}/{p.cards[one.card].owner}"
        changed: tuple[str, ...] = ()
        if p.cards[one.card].departing:
            sent = p.departures[one.card].to != place
            changed = ("bs:10-2-2-6", *(("reading:bs/11",) if sent else ()))
        return place, one.cause, one.by, one.cites, changed

    return key


def _waits_so(p: Position, one: Going) -> bool:
    """Whether a card is on its way out already in the same way; an official's may be any."""
    now = KINDS.get(p.cards[one.card].departing)
    return now is not None and now.name == KINDS[one.cause].name


def _kept(t: Table, one: Going) -> bool:
    """Whether a card does not leave so: it waits so already, or a text forbids it."""
    p, kind = t.pos, KINDS[one.cause]
    if not p.present(one.card):
        return True
    if _waits_so(p, one):
        t.not_done("wait", one.card, "already", "bs:10-2-2-6-1", *one.cites)
        return True
    forbidden = texts(barring(TERMS, p, one.card, kind.on)) if p.modifiers else []
    if forbidden:
        t.not_done("wait", one.card, "forbidden", "bs:9-1-2-1", "bs:1-4-3", *forbidden)
    return bool(forbidden)


def _unreplaced(t: Table, going: Sequence[Going]) -> Play:
    """Those for which nothing is done instead, in one batch for all that a text may speak of."""
    left: list[Going] = []
    for on in dict.fromkeys(KINDS[one.cause].on for one in going):
        some = [one for one in going if KINDS[one.cause].on == on and not one.final]
        still = yield from unreplaced(t, TERMS, on, [one.card for one in some])
        left += [one for one in some if one.card in still]
    return [one for one in going if one.final or one in left]


# -- what a leaving has set off --------------------------------------------------------------------


def _change(t: Table, cards: Sequence[int]) -> None:
    """Triggers of the former wait state of cards, for them alone, are lost (bs:10-2-2-6-2)."""
    p = t.pos
    for number in cards:
        if p.cards[number].departing == DISAPPEARED:
            t.mark(number, HAS_DISAPPEARED, True, "bs:10-2-2-6-1")
    changing = {number for number in cards if p.cards[number].departing}
    if changing:
        TRIGGERS.drop(t, lambda act: _only(t, act, changing), "changed", "bs:10-2-2-6-2")


def _only(t: Table, act: Pending, cards: Collection[int]) -> bool:
    """Whether these cards, and no others, wait for an effect to be over."""
    waiting = {number for number in leaving(t.pos) if _set_off(t, act, number)}
    return bool(waiting) and waiting <= set(cards)


def _set_off(t: Table, act: Pending, number: int) -> bool:
    """Whether it was this card's leaving, or several at one moment with it, that set an effect off.

    A text about others triggers once for all that leave at a moment; those that it speaks of wait.
    """
    p = t.pos
    effect = TERMS.effect(p, act.effect) if act.effect else None
    if effect is None or effect.on not in (*LEAVING, _BEATS):
        return False
    if effect.on == _BEATS:
        return isinstance(act.about, int) and p.mark(act.about, BEAT) == number
    if effect.about is None:
        return act.source == number and act.cause == p.departures[number].seq
    this = act.source if isinstance(act.source, int) else 0
    run = Running(act.id, act.effect, effect, this, act.seat, number)
    if _batch(p, number) != _batch_of(p, act):
        return False
    return act.about == number or concerns(t, TERMS, run, number)


def _batch(p: Position, number: int) -> int:
    """The entry of the first of the cards that have begun to leave together with this one."""
    first = p.mark(number, TOGETHER)
    return first if isinstance(first, int) else p.departures[number].seq


def _batch_of(p: Position, act: Pending) -> int:
    return next((_batch(p, n) for n, one in p.departures.items() if one.seq == act.cause), 0)


def leaving(p: Position) -> Iterator[int]:
    """The cards in a wait state, in the order in which they have begun to leave."""
    yield from (n for n in p.departures if n in p.cards and p.cards[n].departing)


# -- leaving at last -------------------------------------------------------------------------------


def close(t: Table) -> bool:
    """Cards go whose leaving has set nothing off that is still to be carried out; whether any did.

    Their cores go to their owners' Reserves (reading:bs/25).
    """
    p, gone = t.pos, False
    for number in list(leaving(p)):
        if not any(_set_off(t, act, number) for act in p.pending.values()):
            going = p.departures[number]
            at = 0 if going.to.startswith("deck/") and p.mark(number, BOTTOM) else None
            first = ("bs:10-2-2-7", "bs:4-1-6") if _sent_elsewhere(p, number) else ()
            t.move([number], going.to, going.cause, *first, "bs:10-2-2-5", "bs:4-1-4", at=at)
            gone = True
    return gone


def _sent_elsewhere(p: Position, number: int) -> bool:
    """Whether a card that has disappeared goes where it was to go before that."""
    going = p.departures[number]
    return going.cause == DISAPPEARED and not going.to.startswith("trash/")


def whither(p: Position, number: int, zone: str) -> str:
    """The zone to which a card goes by the rules: that of its first wait state (bs:4-1-6)."""
    before = p.departures.get(number)
    if p.cards[number].departing and before is not None:
        return before.to.partition("/")[0]
    return zone


def staying(p: Position, numbers: Iterable[int]) -> list[int]:
    """Those of some cards that are on the Field and not on their way out."""
    return [n for n in numbers if figures.on_field(p, n) and not p.cards[n].departing]
