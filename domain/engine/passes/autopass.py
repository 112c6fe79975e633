"""Auto-pass: a seat passes until it withdraws it, or one of its conditions ends it.

A seat that has nothing to do for a while sets it, and passes at every decision that may be passed.
`Match` answers with it at once, within the command that opened the decision, and the answer's
`origin` says so (`views.AUTO`). Which acts are passes is declared by the game (`Row.passes`);
where none is on offer the seat is asked as usual.

An auto-pass is no entry: an entry's existence is seen by all, and whether a seat means to pass is
private. It is stored outside the record (`service.store.tables.auto_passes`); the record has the
answers that it gave. When it applies hangs on nothing but its own words and what all can see: so it
tells no more of a hand than the seat that left it did by leaving it.

What remains: an answer that took no time at all may be guessed to have been left before. What a
seat sets for good, and is answered in its time, is its switch (`switches`), which stays when the
rest of an auto-pass has ended.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.passes.switches import Switch
from domain.record.decisions import Act, Offer
from domain.record.position import NOBODY, Position
from domain.record.schema.manifest import Manifest
from domain.words.phrases import Phrase, phrase

if TYPE_CHECKING:  # a client that leaves one needs no engine
    from domain.engine.rulebook import Rulebook

RULE = "house:auto-pass"
#: How many answers may be given at once; then the seat is asked, so that a match does not play
#: itself.
MOST = 64
#: How many steps one may name.
STEPS = 64


class AutoPass(Struct, array_like=True, frozen=True):
    """A seat passes, wherever it may, until one of these happens, or it withdraws it.

    `turn`: the turn ends in which it was left. `rival`: another seat does something (anything that
    the game does not declare to do nothing). `steps`: only in these, those within them included;
    none: in all. The end of the game ends it in any case, and so does an official who changes the
    table. `game` and `began` are the game and the turn in which it was left.

    `ended`: nothing is left of it but the `switch` of the seat.
    """

    turn: bool = False
    rival: bool = False
    steps: tuple[str, ...] = ()
    game: int = 0
    began: int = 0
    switch: Switch | None = None
    ended: bool = False


#: The auto-passes of a match, by seat. Never changed: replaced.
AutoPasses = Mapping[int, AutoPass]


def faults(left: AutoPass, manifest: Manifest) -> Iterator[Phrase]:
    """The faults of an auto-pass in this game."""
    known = [word.name for word in manifest.steps]
    if len(left.steps) > STEPS:
        yield phrase("an auto-pass names at most {most} steps", most=STEPS)
        return
    for step in left.steps:
        if not any(_within(one, step) for one in known):
            yield phrase("there is no step {step!r}", step=step)


def pass_of(passes: Collection[str], offer: Offer | None) -> Act | None:
    """The act that passes, among those offered; None if there is none. `passes`: kinds that do."""
    for option in offer.options if offer is not None else ():
        if option.kind in passes and not option.parts:
            return option.act()
    return None


def next_pass(all_: AutoPasses, p: Position, rules: Rulebook) -> tuple[int, Act] | None:
    """The seat whose auto-pass answers the open decision, and the act; None: no seat's."""
    decision = p.decision
    if decision is None or p.over:
        return None
    for seat in decision.seats:
        left = all_.get(seat)
        if left is not None and not left.ended and _applies(left, p):
            act = pass_of(rules.passes, decision.offers.get(seat))
            if act is not None:
                return seat, act
    return None


def left_after(
    all_: AutoPasses, p: Position, rules: Rulebook, seat: int = NOBODY, kind: str = ""
) -> AutoPasses:
    """Those that are left once a seat has done something of a kind."""
    acted = kind not in rules.idle
    if p.over:
        return {}
    ended = [
        whose
        for whose, left in all_.items()
        if not left.ended
        and (
            left.game != p.game
            or (left.turn and left.began != p.turn)
            or (left.rival and acted and whose != seat)
        )
    ]
    return without(all_, ended) if ended else all_


def without(all_: AutoPasses, ended: Collection[int]) -> AutoPasses:
    """What is left when the auto-passes of some seats have ended: those of others, and switches."""
    found = dict[int, AutoPass]()
    for seat, left in all_.items():
        if seat not in ended:
            found[seat] = left
        elif left.switch is not None:
            found[seat] = AutoPass(switch=left.switch, ended=True)
    return found


def with_switch(all_: AutoPasses, seat: int, switch: Switch | None) -> AutoPasses:
    """The auto-passes once a seat has set its switch, or has none any more."""
    found = replace(all_.get(seat) or AutoPass(ended=True), switch=switch)
    if switch is None and found.ended:
        return {whose: left for whose, left in all_.items() if whose != seat}
    return {**all_, seat: found}


def _applies(left: AutoPass, p: Position) -> bool:
    return not left.steps or any(_within(p.step, step) for step in left.steps)


def _within(path: str, step: str) -> bool:
    return path == step or path.startswith(f"{step}/")
