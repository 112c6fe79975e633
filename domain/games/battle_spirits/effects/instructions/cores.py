"""Instructions on cores: send them off cards, put them on cards or into places.

A text says which kinds it means; left out, the Soul Core is one like others, but for Life and the
Void, which it enters only by name (bs:5-7-3). Which of several cores they are is picked by the
effect's player unless the text, or the format, leaves it to the cards' owner (reading:bs/12). All
cores of one clause move at one moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.effects.instructions.doing import short
from domain.effects.language.vocabulary import Clause
from domain.effects.select import NOTHING, Done, Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.lists.formats import chosen
from domain.games.battle_spirits.lists.instructions import Put, Send
from domain.games.battle_spirits.manifest import CORE, CORES, SOUL
from domain.record.decisions import NUMBER, Limits, Offer, Option, Part, Supply
from domain.record.position import Position
from domain.record.values import Ref

#: What the Soul Core enters by name alone; the Void is no place.
_BY_NAME = ("life", "void")
RULE, PICKS, SOUL_BY_NAME = "bs:9-3-1-4", "reading:bs/12", "bs:5-7-3"


class Some(NamedTuple):
    """So many cores of a kind in a place."""

    place: Ref
    kind: str
    n: int


def _meant(c: Clause, dst: str) -> tuple[str, ...]:
    """The kinds of cores that a clause takes for a place."""
    if c.key:
        return (c.key,)
    return (CORE,) if dst in _BY_NAME else CORES


def spares_soul(c: Clause) -> bool:
    """Whether a clause leaves the Soul Core where it is, since it does not name it (bs:5-7-3)."""
    return not c.key and (c.place or "reserve") in _BY_NAME


def _short(
    t: Table, terms: Terms, run: Running, c: Clause, ref: Ref, asked: int, done: int,
    places: Sequence[Ref],
) -> None:  # fmt: skip
    """Fewer cores could be moved than was asked, or nothing was asked at all."""
    if asked > 0 and spares_soul(c) and there(t.pos, places, (SOUL,)):
        words = (SOUL_BY_NAME, *terms.words["impossible"], run.text)
        t.not_done(c.do, ref, "impossible", *words, asked=asked, done=done)
    else:
        short(t, terms, run, c, ref, asked, done)


def there(p: Position, places: Sequence[Ref], kinds: Sequence[str] = CORES) -> list[Some]:
    """The cores of these kinds that there are in some places."""
    found = (Some(place, kind, p.counters(place, kind)) for place in places for kind in kinds)
    return [one for one in found if one.n]


def _total(some: Sequence[Some]) -> int:
    return sum(one.n for one in some)


# -- which cores -----------------------------------------------------------------------------------


def pick(t: Table, seat: int, some: Sequence[Some], n: int, this: Ref, *cites: str) -> Play:
    """Have a seat pick `n` of some cores for a card, if there is anything to pick."""
    if n >= _total(some):
        return [*some]
    if n <= 0 or len(some) == 1:
        return [Some(one.place, one.kind, n) for one in some if n > 0]
    caps: dict[Ref, int] = {}
    for one in some:
        ref = one.place if one.kind == CORE else SOUL
        caps[ref] = caps.get(ref, 0) + one.n
    limits = Limits(cap=n, supplies=(Supply((0,), 0, tuple(caps.values())),))
    offer = Offer((Option("take", this, (Part("taken", 0, n, n, limits),)),), (tuple(caps),))
    act = yield from t.ask(seat, "cores", offer, *cites, about=this, public=True)
    return [*_picked(some, act.picks[0])]


def _picked(some: Sequence[Some], picks: Sequence[Ref]) -> Iterator[Some]:
    """The meaning of picks: a Soul Core is that of the first place that has one."""
    left = {ref: picks.count(ref) for ref in dict.fromkeys(picks)}
    for one in some:
        ref = one.place if one.kind == CORE else SOUL
        n = min(left.get(ref, 0), one.n)
        if n:
            left[ref] -= n
            yield Some(one.place, one.kind, n)


def _picker(p: Position, run: Running, c: Send, owner: int) -> int:
    """The player who picks the cores of a card."""
    theirs = c.who == "owner" or chosen(p.heading.options).which_core == "owner"
    return owner if theirs else run.seat


# -- off cards -------------------------------------------------------------------------------------


def send(c: Send, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Cores of cards go to their owners' Reserves, or to another place of theirs."""
    dst, kinds = c.place or "reserve", _meant(c, c.place or "reserve")
    going: list[Some] = []
    asked = 0
    for cards in [numbers] if c.value == "total" else [[number] for number in numbers]:
        n = _how_many(t.pos, run, c, cards)
        asked += n
        for owner in dict.fromkeys(t.pos.cards[number].owner for number in cards):
            theirs = [one for one in cards if t.pos.cards[one].owner == owner]
            seat, some = _picker(t.pos, run, c, owner), there(t.pos, theirs, kinds)
            picked = yield from pick(t, seat, some, n, run.this, PICKS, run.text)
            n -= _total(picked)
            going += picked
    if asked <= 0:
        short(t, terms, run, c, run.this, asked, 0)
        return NOTHING
    done = 0
    with t.at_once():
        for one in going:
            assert isinstance(one.place, int)
            to = cores.VOID if dst == "void" else f"{dst}/{t.pos.cards[one.place].owner}"
            done += cores.move(t, one.n, one.place, to, RULE, run.text, kind=one.kind)
    if done < asked:
        ref = numbers[0] if len(numbers) == 1 else run.this
        _short(t, terms, run, c, ref, asked, done, numbers)
    return Done(asked, done)


def enough_sent(p: Position, run: Running, c: Send, numbers: list[int]) -> bool:
    """Whether the cards hold as many cores as are to go."""
    kinds = _meant(c, c.place or "reserve")
    of = [numbers] if c.value == "total" else [[number] for number in numbers]
    wanted = [_how_many(p, run, c, cards) for cards in of]
    held = [_total(there(p, cards, kinds)) for cards in of]
    return sum(wanted) > 0 and all(n <= m for n, m in zip(wanted, held, strict=True))


def _how_many(p: Position, run: Running, c: Send, cards: Sequence[int]) -> int:
    """How many cores are asked for of some cards."""
    n = run.amount(c)
    if c.value == "leave":
        return max(sum(cores.count(p, card) for card in cards) - n, 0)
    return max(n, 0)


# -- onto cards, into places -----------------------------------------------------------------------


def put(c: Put, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Move cores from one place of a player, or from the Void, to cards or to a place of his."""
    src = _source(run, c)
    dsts: list[Ref] = [*numbers] or ([f"{c.place}/{run.seat}"] if c.place else [])
    kinds = _meant(c, c.place) if src else (CORE,)
    n = run.amount(c)
    if n <= 0 or not dsts:
        short(t, terms, run, c, run.this, n, 0)
        return NOTHING
    each = [n] * len(dsts)
    if c.value == "up to":
        each = yield from _up_to(t, run, n, dsts, src, kinds)
    asked, done = sum(each), 0
    picked = [Some(src, CORE, asked)]
    if src:
        held = there(t.pos, [src], kinds)
        picked = yield from pick(t, run.seat, held, asked, run.this, PICKS, run.text)
    with t.at_once():
        for dst, some in _shared_out(dsts, each, picked):
            done += cores.move(t, some.n, some.place, dst, RULE, run.text, kind=some.kind)
    if done < asked:
        _short(t, terms, run, c, src or run.this, asked, done, [src])
    return Done(asked, done)


def enough_put(p: Position, run: Running, c: Put, numbers: list[int]) -> bool:
    """Whether the place they come from holds as many cores as are to come."""
    src = _source(run, c)
    n = run.amount(c) * max(len(numbers), 1)
    return not src or c.value == "up to" or n <= _total(there(p, [src], _meant(c, c.place)))


def _source(run: Running, c: Put) -> Ref:
    """The place that cores come from, or the Void."""
    return f"{c.source}/{run.seat}" if c.source and c.source != "void" else cores.VOID


def _up_to(
    t: Table, run: Running, n: int, dsts: Sequence[Ref], src: Ref, kinds: Sequence[str]
) -> Play:
    """How many of at most so many cores its player wants on each: none as well (bs:1-4-5-1)."""
    left = _total(there(t.pos, [src], kinds)) if src else n * len(dsts)
    if not left:
        t.not_done("put", src, "impossible", "bs:1-4-2", run.text, asked=n * len(dsts))
    wanted: list[int] = []
    for dst in dsts:
        most = min(n, left)
        if most:
            offer = Offer((Option("number", run.this, (Part("number", NUMBER, 0, most),)),))
            cites = ("bs:1-4-5-1", "bs:9-3-2-1", run.text)
            act = yield from t.ask(run.seat, "number", offer, *cites, about=dst, public=True)
            most = int(act.picks[0][0])
        wanted.append(most)
        left -= most
    return wanted


def _shared_out(
    dsts: Sequence[Ref], each: Sequence[int], picked: Sequence[Some]
) -> Iterator[tuple[Ref, Some]]:
    """So many of the picked cores to each place, one place after the other."""
    queue = [*picked]
    for dst, wanted in zip(dsts, each, strict=True):
        room = wanted
        while room and queue:
            one = queue.pop(0)
            n = min(room, one.n)
            room -= n
            yield dst, Some(one.place, one.kind, n)
            if one.n > n:
                queue.insert(0, Some(one.place, one.kind, one.n - n))
