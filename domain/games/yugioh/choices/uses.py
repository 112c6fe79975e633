"""Which texts of a card may be activated, how fast they are, and what is named and paid for them.

A Spell or Trap in the hand or Set is activated as a card (`playing`), by one of its `command` texts
or, where it has none, for what it does as long as it lies there. What is face-up, or acts from
elsewhere, is activated for an `activated` text. What forbids it is in `legal`, what carries it out
in `activate`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.effects.constant import once
from domain.effects.interpreter import aimed, candidates
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Running
from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.kit.choices.rows import Asking
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.figures import print_of
from domain.games.yugioh.effects.processes import last_damage
from domain.games.yugioh.effects.texts import TERMS, lends
from domain.games.yugioh.effects.waiting import hands
from domain.games.yugioh.effects.waiting.timing import answered
from domain.games.yugioh.lists.words import HURTING
from domain.record.decisions import Act, Part
from domain.record.position import Position, zone_of

#: What a card does that is activated for nothing but lying there.
NOTHING = Effect(kind="command", name="")
#: What stands in `Effect.at`: a monster's effect of Spell Speed 2; one that may be activated in the
#: first two timings of the Damage Step; while damage is calculated.
QUICK, DAMAGE, CALCULATION = "quick", "damage", "calculation"

#: What is asked where what is of Spell Speed 1 may be activated.
SLOW = frozenset({"main", "hand"})
#: What the parts are called by which a text's targets are named, clause by clause.
TARGETS = ("target", "target-2", "target-3", "target-4")

#: `Effect.by` of what either player may activate.
ANY = "any"
#: It is no activation at all: the condition by which a monster is Special Summoned (`special`).
CONDITION = "condition"


def question(p: Position) -> tuple[str, int]:
    """The present or next question, and its player."""
    if p.decision is not None:
        return p.decision.kind, p.decision.seats[0]
    if hands.asked(p):
        return "hand", -1
    kinds = {"main1": "main", "main2": "main", "battle": "battle", "chain": "chain"}
    return kinds.get(p.step, "window"), -1


def playing(p: Position, number: int) -> bool:
    """Whether a card would be activated as a Spell or Trap Card: out of the hand, or Set."""
    card = p.cards[number]
    place = zone_of(card.place)
    set_ = place in ("spell", "field") and not card.up
    return (place == "hand" or set_) and print_of(p, number).type != "monster"


def texts(asking: Asking, number: int) -> Iterator[str]:
    """The texts of a card that might be activated where it lies."""
    p = asking.p
    if playing(p, number):
        yield from [*figures.stock(p).named(p.cards[number].id, "command")] or ("",)
        return
    for ref, effect in TERMS.effects(p, number):
        mine = effect.by == ANY or p.cards[number].controller == asking.seat
        if mine and effect.kind == "activated" and CONDITION not in effect.at:
            yield ref


def condition_texts(asking: Asking, number: int) -> Iterator[str]:
    """The conditions by which a monster is Special Summoned from where it lies."""
    for ref, effect in TERMS.effects(asking.p, number):
        if CONDITION in effect.at:
            yield ref


def conditioned(asking: Asking) -> Iterator[int]:
    """The cards that may have a condition to be Special Summoned by; hidden strangers aside."""
    p, seat = asking.p, asking.seat
    known = figures.stock(p)
    for zone in ("hand", "grave", "banished", "extra"):
        for number in p.zones.get(f"{zone}/{seat}", ()):
            if p.cards[number].id in known.conditioned:
                yield number


def cards(asking: Asking) -> Iterator[int]:
    """The cards whose texts a player may activate, wherever they lie.

    Where nothing of Spell Speed 1 is activated (`legal.effects.fast_enough`), cards that print
    nothing faster are left out at once, unless they may have been given something.
    """
    p, seat = asking.p, asking.seat
    known, slow = figures.stock(p), question(p)[0] in SLOW
    given = not slow and lends(p)
    for zone in ("hand", "spell", "field", "monster", "grave", "banished", "extra"):
        active, quick = known.active[zone], known.active[zone] if slow else known.quick[zone]
        if zone == "extra" and not asking.strangers:
            continue  # nothing is activated there; but who comes out of it may have to be named
        for number in p.zones.get(f"{zone}/{seat}", ()):
            card = p.cards[number]
            able = quick if not (given or card.attached) else active
            if card.id in able or (asking.strangers and unknown(p, number)):
                yield number
    for zone in figures.FIELD if known.shared else ():
        for number in p.zones.get(f"{zone}/{p.rival(seat)}", ()):
            if p.cards[number].up and p.cards[number].id in known.shared:
                yield number


def meant(p: Position, act: Act) -> str:
    """The text that an act is by: the only one there is, where it names none."""
    assert isinstance(act.card, int)
    if act.effect:
        return act.effect
    found = named(p, act.card)
    return next(iter(found)) if len(found) == 1 else ""


def effect_of(p: Position, ref: str) -> Effect:
    """The effect that an activation is by; `NOTHING` where the card as such is activated."""
    return TERMS.effect(p, ref) if ref else NOTHING


def speed(p: Position, number: int, effect: Effect) -> int:
    """The Spell Speed of a text of a card (ygo:base.speed.1 to ygo:base.speed.3)."""
    print_ = print_of(p, number)
    if print_.type == "monster":
        return 2 if QUICK in effect.at else 1
    if print_.type == "trap":
        return 3 if "counter" in print_.kind else 2
    return 2 if "quick-play" in print_.kind else 1


def running(p: Position, seat: int, number: int, ref: str) -> Running:
    """A text as something to be activated; where none is named, the first that the card has.

    Where it answers damage, x is how much its player took.
    """
    ref = ref or min(named(p, number), default="")
    run = Running(0, ref, effect_of(p, ref), number, seat, 0)
    if run.effect.on in HURTING:
        run.x = last_damage(p, seat)[1]
    return run


def aims(t: Table, run: Running) -> list[tuple[Part, list[int]]]:
    """The targets that a text asks for as it is activated: a part of the option, its pool."""
    run.cause = run.cause or answered(t, run) or 0
    found: list[tuple[Part, list[int]]] = []
    itself = print_of(t.pos, run.this).type == "monster"  # other cards never target themselves
    for at in aimed(t, TERMS, run.effect.do):
        clause = run.effect.do[at]
        wanted = clause.choose
        assert wanted is not None
        pool = [n for n in candidates(t, TERMS, run, clause) if n != run.this or itself]
        n = min(wanted.n, max(len(pool), 1))  # as many as there are, but not none
        low = 0 if wanted.may else 1 if wanted.up_to else wanted.n
        found.append((Part(TARGETS[len(found)], 0, low, max(n, low)), pool))
    return found


def named(p: Position, number: int) -> set[str]:
    """The names of what may be activated of a card where it lies; "" stands for the card itself."""
    if playing(p, number):
        return {*figures.stock(p).named(p.cards[number].id, "command")} or {""}
    return {
        ref
        for ref, effect in TERMS.effects(p, number)
        if effect.kind == "activated" and CONDITION not in effect.at
    }


def anybodys(p: Position, number: int, ref: str) -> bool:
    """Whether a text may be activated by either player; of a text that is not named, if any may."""
    if not p.cards[number].up or not figures.on_field(p, number):
        return False
    found = named(p, number)
    return any(effect_of(p, one).by == ANY for one in found if ref in ("", one))


def used(p: Position, run: Running) -> bool:
    """Whether a text that works only once was used up, by itself or by others of the name."""
    return once.used(p, run.this, run.ref, run.effect.limit, run.seat)


def use(t: Table, run: Running) -> None:
    """A text that works only once is used, if it is such a one."""
    if run.effect.limit:
        limit = run.effect.limit
        once.use(t, run.this, run.ref, "ygo:main1.effect.1", limit=limit, seat=run.seat)
