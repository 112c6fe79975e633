"""Positions that are impossible in this game between two moments.

That is more cards than an area holds, and such as the rules would have taken away by themselves.
Cards that are nowhere are for `domain.engine.checks.invariants`; what sees to the limits is in
`play` and `effects.processes`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.signals import unknown
from domain.games.gundam.choices.play import BASES, EX, RESOURCES, UNITS
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.processes import DYING
from domain.games.gundam.effects.texts import can_come
from domain.games.kit.zones.room import Belongings, strays, surplus
from domain.record.decisions import Act
from domain.record.position import Position, zone_of
from domain.words.phrases import Phrase, phrase

#: Where Tokens lie (gcg:4-17-1), what is damaged, and what could belong together.
BELONGINGS = Belongings(
    tokens=("battle", "base", "resource"),
    counters={"damage": ("battle", "base", "shield")},
    ties=("battle", "base", "resource"),
)
#: What is played in which way.
PLAYED = {
    "deploy": phrase("a Unit or Base is deployed"),
    "pair": phrase("a Pilot is paired"),
    "command": phrase("a Command is used"),
}


def disorder(p: Position, quiet: bool) -> Iterator[Phrase]:
    """Everything against the limits; more must be true where nothing is under way (`quiet`)."""
    yield from strays(p, BELONGINGS, tokens=quiet)  # those that left are taken out (4-17-2-4)
    for seat in (0, 1):
        yield from _areas(p, seat)
        if quiet and not _replacing(p):
            yield from _settled(p, seat)


def untenable(p: Position, act: Act) -> str:
    """Why a played card can't lie in its place, even by an official (3-5-1, 3-6-3)."""
    if act.kind not in PLAYED or not isinstance(act.card, int) or not p.present(act.card):
        return ""
    if not can_come(p, act.card, act.kind):
        return phrase("only {played}, from anywhere but the field", played=PLAYED[act.kind])
    hosts = [n for n in act.picks[0] if isinstance(n, int) and p.present(n)] if act.picks else []
    if act.kind == "pair" and any(
        p.cards[host].attached or zone_of(p.cards[host].place) != "battle" for host in hosts
    ):
        return phrase("a Pilot lies beneath a Unit that has none")  # gcg:6-5-2-3-3
    return ""


def _replacing(p: Position) -> bool:
    """Whether somebody is asked about what is done instead of a destruction, and nothing else."""
    return p.decision is not None and p.decision.kind in ("order", "may")


def _areas(p: Position, seat: int) -> Iterator[Phrase]:
    yield from surplus(p, seat, (UNITS, BASES, RESOURCES, EX))
    for number in p.zone("base", seat):
        if p.card(number).id and figures.facts(p, number).type != "base":  # gcg:3-6-3
            yield phrase("card {number} is no base and lies in the base section", number=number)
    for number in p.zone("battle", seat):
        if not unknown(p, number) and figures.facts(p, number).type != "unit":
            yield phrase(
                "card {number} is no unit and stands alone in the battle area", number=number
            )
        if len(p.cards[number].attached) > 1:  # gcg:6-5-2-3-3
            yield phrase("unit {number} has several pilots", number=number)


def _settled(p: Position, seat: int) -> Iterator[Phrase]:
    for zone in ("battle", "base"):
        for number in p.zone(zone, seat):
            dead = not unknown(p, number) and figures.remaining(p, number) <= 0  # gcg:10-3-1
            if dead and not DYING.survives(p, number):  # gcg:9-1-9-1
                yield phrase("card {number} has no HP left and stays", number=number)
    for number in p.zone("shield", seat):
        if figures.damage(p, number) and not DYING.survives(p, number):  # gcg:10-3-1-1
            yield phrase("shield {number} is damaged and stays", number=number)
    for number in p.zone("resolving", seat):  # gcg:3-1-2
        yield phrase("card {number} is in no area, and nothing is carried out", number=number)
