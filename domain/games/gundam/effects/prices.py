"""The Lv and the cost of a card where it is played from, with what its own texts make of them.

A constant text with a `zone` changes them for as long as the card lies there; one of the kind
`play` as it is played: by itself, or in a way of its own, if something is to be done for it first
(`cost`) or it asks for the Unit that the card is paired with (`it`). Nothing of that is a modifier:
on a hidden card nobody could see one, so it is worked out as the card is played, and cited then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.effects.amounts import count
from domain.effects.conditions import all_hold
from domain.effects.constant.calculator import numbers
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Running, Terms
from domain.games.gundam.editions import settings
from domain.games.gundam.effects import figures
from domain.games.gundam.lists.cards import PLAYED_FROM
from domain.games.kit.effects.texts import Named
from domain.record.position import Position, zone_of
from domain.record.values import Change

#: The figures of a card that its own texts change where it is played from.
KEYS = ("lv", "cost")


class Price(NamedTuple):
    """The Lv and the cost of a card, and the texts that make them so, as they are cited."""

    lv: int
    cost: int
    texts: tuple[str, ...] = ()


def has_texts(p: Position, number: int) -> bool:
    """Whether a card has such a text where it lies."""
    card = p.cards.get(number)
    priced = card is not None and card.id in figures.stock(p).priced  # which hardly any is
    return priced and any(True for _ in _texts(p, number))


def _texts(p: Position, number: int) -> Iterator[Named]:
    known, card = figures.stock(p), p.cards.get(number)
    if card is None or card.id not in known.priced or not settings(p).pilots_keep_texts:
        return
    zone = zone_of(card.place)
    if zone in PLAYED_FROM:
        yield from (
            one for one in known.working(card.id, zone) if one[1].kind in ("constant", "play")
        )


def apart(effect: Effect) -> bool:
    """Whether a text makes a way to play the card that is chosen: for a cost, with a Unit."""
    return effect.kind == "play" and (bool(effect.cost) or asks_of_host(effect))


def asks_of_host(effect: Effect) -> bool:
    """Whether it asks for the Unit that the card is paired with."""
    return any(condition.it for condition in effect.when)


def ways(p: Position, number: int) -> Iterator[str]:
    """The ways to play a card that are chosen, by the names of its texts."""
    return (ref for ref, effect in _texts(p, number) if apart(effect))


def running(ref: str, effect: Effect, number: int, seat: int, host: int = 0) -> Running:
    """A text about how a card is played, as something whose conditions are looked at."""
    run = Running(0, ref, effect, number, seat, 0)
    run.it = [host] if host else []
    return run


def price(terms: Terms, p: Position, number: int, way: str = "", played: bool = True) -> Price:
    """The Lv and the cost of a card as it is played in a `way`, or as it lies there.

    What the way asks for is not looked at. `terms`: of the print, which no such text changes.
    """
    print_ = figures.facts(p, number)
    if p.card(number).id not in figures.stock(p).priced:
        return Price(print_.lv, print_.cost)
    seat, changes, cited = p.card(number).controller, list[Change](), list[str]()
    for ref, effect in _texts(p, number):
        if ref != way and (apart(effect) or (effect.kind == "play" and not played)):
            continue
        run = running(ref, effect, number, seat)
        if ref == way or all_hold(terms, p, effect.when, run):
            changes += _changes(terms, p, run)
            cited.append(run.text)
    sums = numbers({"lv": print_.lv, "cost": print_.cost}, changes)
    return Price(max(0, sums["lv"]), max(0, sums["cost"]), tuple(cited))


def _changes(terms: Terms, p: Position, run: Running) -> Iterator[Change]:
    for clause in run.effect.do:
        if all_hold(terms, p, clause.when, run):
            count(terms, p, run, clause.per)
            yield clause.change(run)
