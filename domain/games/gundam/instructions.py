"""What instructions of card texts do where this book spells the procedure out.

Those that all games share are in `domain.effects.instructions`; here are drawing, damage, recovery,
destruction, deploying, pairing, tokens and EX Resources.
"""

from __future__ import annotations

from msgspec.structs import replace

from domain.effects.instructions import SHARED, Instruction
from domain.effects.select import Running, Terms
from domain.effects.vocabulary import Clause
from domain.events import AttackChanged
from domain.games.gundam import figures, play
from domain.games.gundam.keywords import recover
from domain.games.gundam.processes import deal, destroy
from domain.table import Play, Table


def _seats(t: Table, run: Running, c: Clause) -> list[int]:
    """Whom a clause about players concerns; both at one moment, the turn player first."""
    rival = t.pos.rival(run.seat)
    if c.key == "both":
        return [t.pos.turn_seat, t.pos.rival(t.pos.turn_seat)]
    return [rival if c.key == "opponent" else run.seat]


def _draw(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    if c.n <= 0:
        t.not_done("draw", f"deck/{run.seat}", "impossible", "gcg:1-3-2-2", run.text, asked=c.n)
        return 0
    return play.draw(t, _seats(t, run, c), c.n, "gcg:4-14-2", run.text)
    yield


def _damage(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    done = 0
    with t.at_once():
        if c.key:  # to players
            for seat in _seats(t, run, c):
                done += deal(t, run.this, f"seat/{seat}", c.n, "effect", run.text, "reading:gcg/20")
            return done
        for number in numbers:
            done += deal(t, run.this, number, c.n, "effect", run.text, "gcg:4-5-3")
    return done
    yield


def _recover(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    return sum(bool(recover(t, number, c.n, run.text)) for number in numbers)
    yield


def _destroy(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    yield from destroy(t, numbers, run.text)
    return len(numbers)


def _deploy(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Units, then Bases, as many at once as their area holds."""
    orient = c.orient or "active"
    cites = ("gcg:6-5-2-1-1", "gcg:4-8-1", run.text)
    kinds = {number: figures.facts(t.pos, number).type for number in numbers}
    done = 0
    for kind in ("unit", "base"):
        some = [number for number in numbers if kinds[number] == kind]
        some = some[: _holding(t, run, c, kind, len(some))]
        if some:
            now = yield from play.deploy(t, some, run.seat, "deploy", *cites, orient=orient)
            done += len(now)
    return done


def _holding(t: Table, run: Running, c: Clause, kind: str, n: int) -> int:
    """How many of `n` cards an area can take at once (3-5-2, 10-5-1), room being made."""
    most, rule = {"unit": (play.UNIT_LIMIT, "gcg:3-5-2")}.get(kind, (1, "gcg:10-5-1"))
    if n > most:
        t.not_done(c.do, run.this, "limit", rule, "gcg:1-3-2", run.text, asked=n, done=most)
    return min(n, most)


def _pair(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    host = run.this
    if not numbers or not t.pos.present(host) or t.pos.cards[host].attached:
        return 0
    if not t.pos.cards[host].place.startswith("battle/"):
        t.not_done("pair", host, "impossible", "gcg:6-5-2-3-1", run.text)
        return 0
    yield from play.pair(t, numbers[0], host, "gcg:6-5-2-3-1", run.text)
    return 1


def _token(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    orient = c.orient or "active"
    n = _holding(t, run, c, figures.CARDS[c.token].type, c.n)
    return (yield from play.place_token(t, c.token, n, run.seat, run.text, orient=orient))


def _ex_resource(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    orient = c.orient or "active"
    return (
        yield from play.place_token(t, play.EX_RESOURCE, c.n, run.seat, run.text, orient=orient)
    )


def _move(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """As in all games; but Resources over the limit stay where they are (3-4-2, reading 21)."""
    if c.place == "resource":
        area = terms.place("resource", run.seat)
        room = max(0, play.RESOURCE_LIMIT - len(t.pos.zone(area)))
        whole = c.to is not None and c.to.zone == "resource-deck"
        asked = min(c.n, len(numbers)) if whole else len(numbers)
        if asked > room:
            cites = ("gcg:3-4-2", "gcg:1-3-2", "reading:gcg/21")
            t.not_done("move", area, "limit", *cites, asked=asked, done=room)
            c, numbers = replace(c, n=room), numbers if whole else numbers[:room]
    return (yield from SHARED["move"](t, terms, run, c, numbers))


def _retarget(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """The attack goes on against another Unit; what was declared first stays on record."""
    attack = t.pos.attack
    if attack is None or not numbers or attack.target == numbers[0]:
        return 0
    t.emit(AttackChanged(numbers[0], attack.defender, "effect"), run.text, "gcg:7-6-1")
    return 1
    yield


def _shuffle(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    place = f"deck/{run.seat}"
    alone = ("gcg:4-15-1-1",) if len(t.pos.zone(place)) == 1 else ()
    yield from t.shuffle(place, *alone, "gcg:4-15-1", "gcg:4-13-1", run.text)
    return 1


INSTRUCTIONS: dict[str, Instruction] = SHARED | {
    "draw": _draw,
    "move": _move,
    "damage": _damage,
    "recover": _recover,
    "destroy": _destroy,
    "deploy": _deploy,
    "pair": _pair,
    "token": _token,
    "ex-resource": _ex_resource,
    "shuffle": _shuffle,
    "retarget": _retarget,
}
