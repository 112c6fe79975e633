"""Drawing, and the reload: an empty main deck is made again, at once, wherever the game stands.

Only drawing reloads, and placing energy (hf:reload.scope.1). It is no damage: nothing is revealed
(reading:hf/A16).
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.games.hollow_flux.effects.damage import lose, taking_none
from domain.games.hollow_flux.flow.guard import free_guard
from domain.games.kit.zones import hand


def draw(t: Table, seats: Sequence[int], n: int, *cites: str) -> Play:
    """Players draw `n` cards each, card by card; how many the first of them drew."""
    for seat in seats:
        left = n
        while left:
            if not t.pos.zone("main", seat):
                yield from reload(t, seat, "hf:reload.step.1")
                if t.pos.zone("main", seat):
                    continue
                rules = (*cites, "reading:hf/A34")  # something else happened than losing
                place = f"main/{seat}"
                t.not_done("draw", place, "impossible", *rules, asked=n, done=n - left)
                break
            left -= hand.draw(t, seat, "main", left, *cites)
    return n


def reload(t: Table, seat: int, *cites: str) -> Play:
    """Two guard cards to the damage field, then the trash becomes the main deck."""
    frame = t.open_frame("reload", *cites, "hf:reload.timing.1", seat=seat)
    guard = free_guard(t.pos, seat)
    if not guard:
        yield from lose(t, [seat], "no guard", "hf:reload.loss.1", "reading:hf/A16")
    cards = list(guard) or taking_none(t, seat, "move", 2)
    if len(guard) > 2:
        cards = yield from pick(t, seat, "reload", guard, 2, "hf:reload.step.1")
    short = ("hf:reload.short.1",) if len(cards) == 1 else ("hf:reload.step.1",)
    t.move(cards, f"damage/{seat}", "reload", *short, "reading:hf/A16")
    trash = list(t.pos.zone("trash", seat))
    if not trash:
        yield from lose(t, [seat], "no trash", "hf:reload.loss.2", "reading:hf/A16")
        if t.pos.zone("trash", seat):
            t.not_done("move", f"trash/{seat}", "no trash", "reading:hf/A35")
    t.move(trash, f"main/{seat}", "reload", "hf:reload.step.2", "hf:prep.main.2")
    yield from t.shuffle(f"main/{seat}", "hf:reload.step.2")
    t.close_frame(frame, "hf:reload.step.2")
