"""The steps of an interruption: what is done in a window, and what is done when it has closed.

Who holds a window, and when it closes, is in `windows`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.hollow_flux.choices.acts import ACTS
from domain.games.hollow_flux.choices.play import resolve_ability, resolve_play
from domain.games.hollow_flux.flow import attack, turn
from domain.games.hollow_flux.flow.windows import WINDOW
from domain.games.hollow_flux.lists.formats import chosen
from domain.games.kit.flow.window import Carries
from domain.record.decisions import Offer, Option
from domain.record.position import Pending


def main_next(t: Table, act: Pending) -> None:
    """After a play or an ability that began in the main phase, the main phase goes on."""
    go(t, "main", "hf:turn.main.1")


#: What is done when an act's turn has come.
RESOLVERS: Mapping[str, Carries] = {
    "play": resolve_play,
    "activate": resolve_ability,
    "attack": attack.resolve_attack,
    "defend": attack.resolve_defence,
    "phase-end": turn.resolve_phase_end,
}
#: Where the game goes on when everything is done, by the kind of the act at the bottom.
NEXT: Mapping[str, Callable[[Table, Pending], None]] = {
    "play": main_next,
    "activate": main_next,
    "attack": attack.after_attack,
    "defend": attack.after_defence,
    "phase-end": turn.after_phase,
}
CONTINUE = Offer((Option("continue"),))


def window_step(t: Table) -> Play:
    """One window: an act, or nothing."""
    yield from WINDOW.ask_once(t, partial(ACTS.offer, "window"), ACTS.carry_out)


def resolve_step(t: Table) -> Play:
    """One waiting act, the latest; both may be asked before it whether anything else comes."""
    p, act = t.pos, WINDOW.latest(t.pos)
    if chosen(p.heading.options).stops and act is not None:
        for seat in (p.turn_seat, p.rival(p.turn_seat)):
            cites = ("reading:hf/A1", "hf:carn.draw.1")
            yield from t.ask(seat, "continue", CONTINUE, *cites, about=act.source, public=True)
    yield from WINDOW.carry_out(t, RESOLVERS, NEXT)
