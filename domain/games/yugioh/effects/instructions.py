"""What instructions of card texts do where this book spells the procedure out.

Those that all games share are in `domain.effects.instructions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.effects.instructions import SHARED, Instruction, already, cited, discarding, newly
from domain.effects.language.vocabulary import Clause
from domain.effects.select import Done, Running, Terms
from domain.engine.signals import Over, Play
from domain.engine.table import Table
from domain.games.kit.effects.instructions import of_players
from domain.games.kit.zones.hand import draw
from domain.games.yugioh.effects.places import hold, room, send
from domain.games.yugioh.effects.processes import hurt
from domain.games.yugioh.manifest import ATTACK, DEFENCE
from domain.record.events import DamageDealt, SeatLost
from domain.record.position import zone_of
from domain.record.values import EVERYONE

PARTS = "ygo:chain.resolve.1"


# -- players ---------------------------------------------------------------------------------------


def _draw(t: Table, run: Running, seats: list[int], n: int) -> Play:
    """Players draw; who must and cannot loses, both of them together (ygo:base.loss.2)."""
    short = [seat for seat in seats if len(t.pos.zone("deck", seat)) < n]
    done = sum(draw(t, seat, "deck", n, PARTS, run.text) for seat in seats)
    if short:
        t.emit(SeatLost(tuple(sorted(short)), "deck"), "ygo:base.loss.2", run.text)
        raise Over
    return Done(n * len(seats), done)
    yield


def _damage(t: Table, run: Running, seats: list[int], n: int) -> Play:
    with t.at_once():
        for seat in seats:
            t.emit(DamageDealt(run.this, f"seat/{seat}", n, "effect"), PARTS, run.text)
            hurt(t, seat, n, PARTS, run.text)
    return Done(len(seats), len(seats))
    yield


def _recover(t: Table, run: Running, seats: list[int], n: int) -> Play:
    for seat in seats:
        t.counters("life", n, PARTS, run.text, dst=f"seat/{seat}")
    return Done(len(seats), len(seats))
    yield


def _shuffle(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    yield from t.shuffle(f"deck/{run.seat}", "ygo:base.shuffle.1", run.text)
    return Done(1, 1)


# -- cards -----------------------------------------------------------------------------------------


def _destroy(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Cards are destroyed together, and go to their owners' Graveyards (ygo:base.destroy.1)."""
    send(t, numbers, "grave", "destroyed", "ygo:base.destroy.1", PARTS, run.text)
    return Done(len(numbers), len(numbers))
    yield


def _move(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Cards go to a zone of their owners; what was searched out of a deck is shown."""
    place = terms.place(c.place, run.seat)
    zone = zone_of(place)
    if zone == "deck" or c.random:
        return (yield from SHARED["move"](t, terms, run, c, numbers))
    if c.reveal:
        t.show(numbers, EVERYONE, "reveal", PARTS, run.text)
    why = "return" if zone == "hand" else "effect"
    send(t, numbers, zone, why, PARTS, run.text)
    return Done(len(numbers), len(numbers))


def _deploy(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Monsters are Special Summoned, all of them or none (ygo:special.zone.1, reading A16)."""
    seat = run.seat
    if room(t.pos, "monster", seat) < len(numbers):
        rules = ("ygo:special.zone.1", "reading:ygo/A16", run.text)
        t.not_done("deploy", f"monster/{seat}", "impossible", *rules, asked=len(numbers))
        return Done(len(numbers), 0)
    with t.at_once():
        for number in numbers:
            up = c.up is not False
            orient = c.orient or ATTACK
            cites = ("ygo:special.def.3", "ygo:special.default.3", run.text)
            (now,) = t.move([number], f"monster/{seat}", "special", *cites, orient=orient, up=up)
            hold(t, now)
    return Done(len(numbers), len(numbers))
    yield


def _turn(up: bool | None, orient: str | None) -> Instruction:
    """Monsters change their position."""

    def instruction(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
        turned = t.turn(numbers, PARTS, run.text, up=up, orient=c.orient or orient)
        return already(t, terms, run, c, numbers, len(turned))
        yield

    return instruction


def take_control(t: Table, cards: Sequence[int], seat: int, *cites: str) -> int:
    """A player gets control of cards on the field, as far as he has zones; of how many."""
    done = 0
    for number in cards:
        card = t.pos.cards[number]
        zone = zone_of(card.place)
        if card.controller == seat or (
            zone in ("monster", "spell") and not room(t.pos, zone, seat)
        ):
            continue
        with t.at_once():
            t.move(
                [number], f"{zone}/{seat}", "control", "ygo:base.control.1", *cites,
                same=True, orient=card.orient, up=card.up,
            )  # fmt: skip
            t.control([number], seat, "ygo:base.control.1", *cites)
            if zone in ("monster", "spell"):
                hold(t, number, zone)
        done += 1
    return done


def _control(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    done = take_control(t, numbers, run.seat, *cited(terms, run, "control"))
    return already(t, terms, run, c, numbers, done)
    yield


INSTRUCTIONS: Mapping[str, Instruction] = {
    **SHARED,
    "draw": of_players(_draw, "deck"),
    "damage": of_players(_damage),
    "recover": of_players(_recover),
    "discard": discarding(PARTS),
    "shuffle": _shuffle,
    "destroy": _destroy,
    "move": newly(_move),
    "deploy": _deploy,
    "rest": _turn(None, DEFENCE),
    "ready": _turn(None, ATTACK),
    "control": _control,
}
