"""Deck checks: which decks are drawn, and how they were.

A manual asks for a share of all decks, drawn by chance, and for checks of those who pass to the
elimination. A fault costs what the official agrees to who found it: what is usual by the event's
policy for an infraction (`penalties`), or nothing. A deck is compared with its list (`lists`).
"""

from __future__ import annotations

from math import ceil

from domain.tournament import record as ev
from domain.tournament.acts import checks, penalties
from domain.tournament.acts.checks import DECKS
from domain.tournament.chance import drawn
from domain.tournament.progress import CannotPair, active, cut_of
from domain.tournament.state import State
from domain.tournament.tournament import Sender, Tournament
from domain.words.phrases import message_of

#: The share of all decks that is to be checked, in percent, where nothing else is said.
SHARE = 10


def draw(
    t: Tournament,
    by: Sender,
    number: int = 0,
    percent: int = 0,
    cut: bool = False,
    seed: int = 0,
) -> list[int]:
    """Draw decks to be checked, of all who play or of those who pass to the `cut`; whose.

    So many, or as many as are missing to a share. Nobody is drawn twice, but for the cut: of its
    players all are, unless it is said how many.
    """
    s = t.state
    checks.going_on(s, DECKS)
    if percent > 100 or percent < 0 or number < 0:
        raise checks.refused("a share is from 1 to 100 percent", DECKS, "BAD_SHARE")
    pool = _passing(s) if cut else active(s)
    before = {one.player for one in s.checks if one.cut or not cut}
    wanted = number or missing(s, percent or (100 if cut else SHARE), pool, before)
    left = [one for one in pool if one not in before]
    left.sort(key=lambda one: (drawn(seed, one), one))
    if not left or not wanted:
        text = "so many decks were drawn already: say how many more"
        raise checks.refused(text, DECKS, "DECKS_DRAWN")
    found = sorted(left[:wanted])
    t.emit(by, ev.DecksDrawn(tuple(found), len(pool), cut, seed))
    return found


def missing(s: State, percent: int, pool: list[int], before: set[int]) -> int:
    """How many decks of a pool are still to be drawn, for so many percent of it, rounded up."""
    return max(ceil(len(pool) * percent / 100) - len(before.intersection(pool)), 0)


def share(s: State) -> tuple[int, int]:
    """How many different decks of those who play were checked, and how many there are."""
    playing = {*s.players}
    return len({one.player for one in s.checks if one.checked} & playing), len(playing)


def check(
    t: Tournament, by: Sender, player: int, fault: str = "", infraction: str = "", kind: str = ""
) -> int:
    """Say how a deck was that was drawn, or another one; the entry that has it.

    For a fault its player may be penalised with it: what that costs falls on the match that goes
    on, else on the next.
    """
    checks.player(t.state, player, DECKS)
    checks.worded(fault, DECKS, needed=bool(infraction or kind))
    if infraction or kind:
        round_ = t.state.round.number if t.state.round is not None else 0
        penalties.penalise(t, by, player, kind, fault.strip(), round_, infraction)
    return t.emit(by, ev.DeckChecked(player, fault.strip())).seq


def _passing(s: State) -> list[int]:
    try:
        return cut_of(s)
    except CannotPair as error:
        text, why = "nobody passes to the elimination: {why}", message_of(error)
        raise checks.refused(text, DECKS, "NO_CUT", why=why) from None
