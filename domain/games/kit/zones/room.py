"""What may lie where: how many of something a seat may have, where tokens and counters may lie.

Room is made for new cards (`make_room`), by rules that the limit has; or it has none, and only as
many come as there is room for (`place_tokens`, and other arrivals of a game). Where a play is
refused instead, its checks ask how much room there is. What may lie, be laid or be tied where
(`Belongings`) a game looks at in what no position of its shows (`Game.disorder`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.record.position import Position, seat_of, zone_of
from domain.words.phrases import Phrase, phrase

#: Lets cards go, by these rules; what can ask somebody is a generator.
Goes = Callable[..., Play | None]


class Limit(Struct, frozen=True):
    """At most so many of these cards lie with a seat, by this rule; `what` they are, in words.

    `gone`: the rules by which so many go to make room for others; None: none do. The oldest go, or
    those that their player picks, in the decision `asks` with the act `picks`.
    """

    what: Phrase
    most: int
    rule: str
    lying: Callable[[Position, int], Sequence[int]]
    gone: Callable[[int], tuple[str, ...]] | None = None
    asks: str = ""
    picks: str = ""

    def room(self, p: Position, seat: int) -> int:
        """How many more may come as it is."""
        return max(0, self.most - len(self.lying(p, seat)))

    def over(self, p: Position, seat: int, coming: int = 0) -> int:
        """How many there are too many of, or would be with those that come."""
        return max(0, len(self.lying(p, seat)) + coming - self.most)

    def at_once(self, p: Position, seat: int) -> int:
        """How many can come at one moment, room being made for them if it is."""
        return self.room(p, seat) if self.gone is None else self.most


def make_room(t: Table, seat: int, limit: Limit, coming: int, go: Goes) -> Play:
    """Let those go (`go`) that are over the limit, or would be with those that come."""
    there = limit.lying(t.pos, seat)
    over = min(len(there), limit.over(t.pos, seat, coming))
    if not over or limit.gone is None:
        return
    rules, going = limit.gone(over), list(there[:over])
    if limit.asks:
        act = limit.picks or limit.asks
        going = yield from pick(t, seat, limit.asks, there, over, rules[0], act=act, public=True)
    doing = go(t, going, *rules)
    if doing is not None:
        yield from doing


def place_tokens(
    t: Table,
    card: str,
    n: int,
    place: str,
    *cites: str,
    limits: Sequence[Limit],
    go: Goes,
    few: tuple[str, ...] = (),
    orient: str | None = None,
) -> Play:
    """Tokens come to a place from outside the game; how many did, of `n`.

    Room is made for them where one of the `limits` says so; else as many come as there is room for,
    and `few` is cited for the others, behind the rule of the limit.
    """
    seat = seat_of(place)
    full = next((one for one in limits if one.at_once(t.pos, seat) < n), None)
    done = min([n, *(one.at_once(t.pos, seat) for one in limits)])
    for limit in limits:
        yield from make_room(t, seat, limit, done, go)
    with t.at_once():
        t.make([card] * done, place, "token", *cites, token=True, orient=orient)
    if full is not None:
        t.not_done("token", place, "limit", full.rule, *few, asked=n, done=done)
    return done


def surplus(p: Position, seat: int, limits: Iterable[Limit]) -> Iterator[Phrase]:
    """A sentence for each limit that a seat is over."""
    for limit in limits:
        if limit.over(p, seat):
            yield phrase(
                "seat {seat} has {n} {what}",
                seat=seat,
                n=len(limit.lying(p, seat)),
                what=limit.what,
            )


class Belongings(Struct, frozen=True, kw_only=True):
    """The zones in which Tokens lie, cards hold counters of a kind, and belong to one another."""

    tokens: Collection[str] = ()
    counters: Mapping[str, Collection[str]] = {}
    ties: Collection[str] = ()


def strays(p: Position, where: Belongings, *, tokens: bool = True) -> Iterator[Phrase]:
    """Tokens, counters and ties that are where none can be; of `tokens` only where that is asked.

    In some books a Token goes where any card would go, and leaves the game from there.
    """
    for number, card in p.cards.items():
        zone = zone_of(card.place)
        if tokens and card.token and zone not in where.tokens:
            yield phrase("Token {number} lies in {place}", number=number, place=card.place)
        for kind, n in card.counters.items():
            if n and zone not in where.counters.get(kind, ()):
                yield phrase(
                    "card {number} in {place} holds {n} {kind}",
                    number=number,
                    place=card.place,
                    n=n,
                    kind=kind,
                )
    for number, link in p.links.items():
        for one in (number, link.host):
            if one in p.cards and zone_of(p.cards[one].place) not in where.ties:
                yield phrase(
                    "card {number} is tied to {host}, and one of them lies in {place}",
                    number=number,
                    host=link.host,
                    place=p.cards[one].place,
                )
