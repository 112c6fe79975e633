"""Cards that a text has its player bring in, or pay for: he picks the cores, as in a play.

A card that a text brings is placed with the cores of its Lv1 all the same (reading:bs/24);
its cost is paid only where the text says so. Several come at one moment: the cores of each are
picked before any of them comes, so that none is placed from another, and as many come as there are
cores for. Plays of one's own are in `play`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from msgspec.structs import replace

from domain.engine.signals import Play, identified
from domain.engine.table import Table
from domain.games.battle_spirits.choices import prices
from domain.games.battle_spirits.choices.play import CHAPTERS, place
from domain.games.battle_spirits.effects import cores, figures
from domain.games.battle_spirits.effects.figures import facts
from domain.games.battle_spirits.effects.processes import PLAY, settle
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.lists.formats import chosen
from domain.games.battle_spirits.manifest import SOUL
from domain.games.kit.choices.acts import bound
from domain.record.decisions import Act, Limits, Offer, Option, Part, Sum, Supply, Term
from domain.record.position import Position
from domain.record.values import Ref

ACTS = {"spirit": "summon", "nexus": "deploy"}


class Way(NamedTuple):
    """How a text brings cards in: whom for, for their price or not, with cores from where."""

    seat: int
    pays: bool = False
    among: Sequence[Ref] | None = None


class Coming(NamedTuple):
    """A card that is to come: its price, the fewest cores it is placed with, what was picked."""

    card: int
    due: int
    least: int
    pay: tuple[Ref, ...] = ()
    place: tuple[Ref, ...] = ()

    @property
    def needs(self) -> int:
        """How many cores it takes at the least."""
        return self.due + self.least


def placing(p: Position, card: int) -> str:
    """The rule by which a card comes to the Field with its first cores."""
    return f"{CHAPTERS[_act(p, card)]}-6"


def _act(p: Position, card: int) -> str:
    """The way a card comes to the Field: one that can't is not summoned."""
    return ACTS.get(facts(p, card).type, "summon")


def bring(t: Table, way: Way, cards: Sequence[int], *cites: str) -> Play:
    """Summon or deploy cards by a text, as many as there are cores for; how many came."""
    identified(t.pos, cards)
    coming = yield from _picked(t, way, cards, *cites)
    for one in coming if way.pays else ():
        if t.pos.present(one.card):
            yield from _pay(t, way.seat, one, *cites)
    came = [one for one in coming if t.pos.present(one.card)]
    if len(came) < len(cards):
        kinds = [_act(t.pos, n) for n in cards if t.pos.present(n) and n not in _cards(came)]
        why, n = ("reading:bs/24", *cites), len(cards)
        whose, kind = f"seat/{way.seat}", kinds[0] if kinds else "summon"
        t.not_done(kind, whose, "impossible", *why, asked=n, done=len(came))
    with t.at_once():
        for one in came:
            rules = (placing(t.pos, one.card), "reading:bs/24", *cites)
            place(t, way.seat, one.card, _act(t.pos, one.card), one.place, *rules)
    yield from settle(t)
    return len(came)


def _picked(t: Table, way: Way, cards: Sequence[int], *cites: str) -> Play:
    """Have the cores picked for as many of these as can come; what is to come, with its cores."""
    coming: list[Coming] = []
    while offer := _offer(t.pos, way, [n for n in cards if n not in _cards(coming)], coming):
        able = [option.card for option in offer.options]
        act = Act("bring", able[0])
        if len(able) > 1 or any(part.high for part in offer.options[0].parts):
            act = yield from t.ask(way.seat, "cores", offer, *cites, "reading:bs/24")
        number = act.card if act.card in able else able[0]
        assert isinstance(number, int)
        one = _coming(t.pos, way, number)
        picks = (*(act.picks if one.due else ((), *act.picks)), (), ())
        coming.append(one._replace(pay=picks[0], place=picks[1]))
    return coming


def _cards(coming: Sequence[Coming]) -> list[int]:
    return [one.card for one in coming]


def _pay(t: Table, seat: int, one: Coming, *cites: str) -> Play:
    """Pay the price of a card, as in a play, where the text says that it is paid."""
    card, chapter = facts(t.pos, one.card).id, CHAPTERS[_act(t.pos, one.card)]
    steps = (f"{chapter}-2", f"{chapter}-4-1")
    frame = t.open_frame(PLAY, *steps, *cites, seat=seat, card=card, price=one.due)
    cores.move_picked(t, seat, one.pay, cores.trash(seat), f"{chapter}-5", *cites, "bs:4-4-1")
    yield from settle(t)
    t.close_frame(frame, *cites)


# -- which cores -----------------------------------------------------------------------------------


def _coming(p: Position, way: Way, card: int) -> Coming:
    due = prices.price(p, way.seat, card).due() if way.pays else 0
    needs = chosen(p.heading.options).placed_cores
    return Coming(card, due, figures.lv1_cost(TERMS, p, card) if needs else 0)


def _offer(p: Position, way: Way, rest: Sequence[int], before: Sequence[Coming]) -> Offer | None:
    """The next card to come, with its cores, so that as many come as can; None: none can.

    Where there are cores for all they come in the order of the text, else their player picks.
    """
    pool, picked = _pool(p, way), [ref for one in before for ref in (*one.pay, *one.place)]
    caps = cores.caps(p, way.seat, pool)
    caps = tuple(max(cap - picked.count(ref), 0) for ref, cap in zip(pool, caps, strict=True))
    able = [_coming(p, way, n) for n in rest if p.present(n) and facts(p, n).type in ACTS]
    n = _most(able, sum(caps))
    options = []
    for one in able if n < len(able) else able[:1]:
        others = sorted(other.needs for other in able if other is not one)[: max(n - 1, 0)]
        room = sum(caps) - sum(others)
        if one.needs <= room:
            options.append(_option(one, room, Supply((), 0, caps)))
    return Offer(tuple(options), (pool,)) if options else None


def _most(able: Sequence[Coming], held: int) -> int:
    """How many of these can come with so many cores."""
    taken = accumulate(sorted(one.needs for one in able))
    return sum(needs <= held for needs in taken)


def _option(one: Coming, room: int, supply: Supply) -> Option:
    """To bring in a card with up to so many cores."""
    parts = [Part(prices.PLACE, 0, 0, room, Limits(cap=max(room, 1)))]
    sums = [Sum(prices.PLACE, (Term(int(one.due > 0)),), one.least, room - one.due)]
    if one.due:
        parts.insert(0, Part(prices.PAY, 0, 0, one.due, Limits(cap=one.due)))
        sums.insert(0, Sum(prices.PRICE, (Term(0),), one.due, one.due))
    drawn = replace(supply, parts=tuple(range(len(parts))))
    parts[-1] = bound(parts[-1], Limits(sums=tuple(sums), supplies=(drawn,)))
    return Option("bring", one.card, tuple(parts))


def _pool(p: Position, way: Way) -> tuple[Ref, ...]:
    """The places whose cores may be used, and the Soul Core with the one that it is in."""
    pool = prices.pool(p, way.seat)
    if way.among is None:
        return pool
    soul = cores.soul_place(p, way.seat)
    return tuple(ref for ref in pool if (soul if ref == SOUL else ref) in way.among)
