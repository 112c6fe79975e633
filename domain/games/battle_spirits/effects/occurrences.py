"""The occurrences that card texts wait for, derived from the record, and the notes of a turn.

The times of a turn stand in the table of its steps (`flow.turn`), what occurs in battles in
`battle`. How much Life a player has lost in a turn, and how many of his cards have disappeared, is
noted on him before anything else follows from it, until the turn is over (`forget`).
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.effects.constant.texts import derive
from domain.engine.table import Table
from domain.games.battle_spirits.effects import battle, figures
from domain.games.battle_spirits.effects.departing import BATTLE, DECK, DESTROYED, HAND
from domain.games.battle_spirits.effects.figures import DISAPPEARED
from domain.games.battle_spirits.effects.instructions.lying import REFRESHES
from domain.games.battle_spirits.effects.texts import TERMS, TRIGGERS
from domain.games.battle_spirits.manifest import CORE, EXHAUSTED, HEAVY, SOUL
from domain.games.kit.effects.occurrences import NO_CARD, Case, Note, Occurrences, Pattern
from domain.record import events as ev
from domain.record.position import Position, seat_of, zone_of
from domain.record.values import Ref

#: What is noted on players, for this turn.
LIFE_LOST, DEPLETED, DEPLETED_BY_RIVAL = "life-lost", "depleted", "depleted-by-rival"
REMEMBERED = (LIFE_LOST, DEPLETED, DEPLETED_BY_RIVAL)
#: Stands for no word of a text: what the rules note for themselves.
_NOTED = "noted"


# -- leaving ---------------------------------------------------------------------------------------


def _destroyed(case: Case) -> bool:
    return case.event.cause in (DESTROYED, BATTLE)


def _by_rival(p: Position, card: int, by: Ref) -> bool:
    """Whether it was a player's opponent, or a card of his, by whom something befell a card."""
    if by == "" or by == 0:
        return False
    seat = p.card(by).controller if isinstance(by, int) else seat_of(by)
    return seat != p.card(card).controller


def _by_rival_spirit(case: Case) -> bool:
    """Whether an effect of a Spirit of the opponent has destroyed it."""
    p, by = case.t.pos, case.event.responsible
    return (
        case.event.cause == DESTROYED
        and isinstance(by, int)
        and figures.facts(p, by).type == "spirit"
        and _by_rival(p, case.card, by)
    )


# -- lying, Life -----------------------------------------------------------------------------------


def _refreshed(case: Case) -> bool:
    return not set(REFRESHES).isdisjoint(case.entry.cites)


def _exhausted(case: Case) -> bool:
    return case.event.orient in (EXHAUSTED, HEAVY) and not _refreshed(case)


def _of_life(place: Ref) -> bool:
    return isinstance(place, str) and zone_of(place) == "life"


def _falls(case: Case) -> bool:
    return _of_life(case.event.src) and case.event.kind in (CORE, SOUL)


def _rises(case: Case) -> bool:
    return _of_life(case.event.dst) and case.event.kind in (CORE, SOUL)


# -- remembering -----------------------------------------------------------------------------------


def _remember(t: Table, seat: int, key: str, n: int, *cites: str) -> None:
    before = t.pos.mark(f"seat/{seat}", key)
    t.mark(f"seat/{seat}", key, n + (before if isinstance(before, int) else 0), *cites)


def _life_lost(t: Table, note: Note) -> None:
    """So much Life was lost, for any reason."""
    _remember(t, seat_of(note.event.src), LIFE_LOST, note.event.n, "bs:4-7-1")


def _depleted(t: Table, note: Note) -> None:
    """A Spirit has disappeared, and maybe because of an effect of its player's opponent."""
    p, number = t.pos, note.befallen
    if figures.is_spirit(p, number):
        seat = p.card(number).controller
        _remember(t, seat, DEPLETED, 1, "bs:5-11-1")
        if _by_rival(p, number, note.event.responsible):
            _remember(t, seat, DEPLETED_BY_RIVAL, 1, "bs:10-2-2-8")


def forget(t: Table, *cites: str) -> None:
    """The turn is over: what was noted of it is no longer asked for."""
    for seat in (0, 1):
        for key in REMEMBERED:
            t.mark(f"seat/{seat}", key, None, *cites)


# -- the table -------------------------------------------------------------------------------------


class InForce(Occurrences):
    """Constant texts and numbers are brought up to date before anything triggers (bs:9-1-4-4)."""

    def set_off(self, t: Table, order: Sequence[int] = ()) -> None:
        if t.running.noted:
            derive(t, TERMS)
        super().set_off(t, order)


_LEAVES = ev.DepartureBegan
OCCURRENCES = InForce(
    TRIGGERS,
    lambda p: figures.stock(p).heard,
    (
        Pattern(
            "summoned", ev.CardsMoved, whom=lambda case: case.now,
            passes=lambda passage: passage.why == "summon",
        ),
        Pattern(
            "deployed", ev.CardsMoved, whom=lambda case: case.now,
            passes=lambda passage: passage.why == "deploy",
        ),
        Pattern("used", ev.ActDeclared, lambda case: case.event.kind == "use"),
        Pattern(_NOTED, _LEAVES, lambda case: case.event.cause == DISAPPEARED, then=_depleted),
        Pattern("destroyed", _LEAVES, _destroyed),
        Pattern(
            "destroyed-by-rival", _LEAVES,
            lambda case: _destroyed(case)
            and _by_rival(case.t.pos, case.card, case.event.responsible),
        ),
        Pattern("destroyed-by-rival-spirit", _LEAVES, _by_rival_spirit),
        Pattern("disappears", _LEAVES, lambda case: case.event.cause == DISAPPEARED),
        Pattern("returned", _LEAVES, lambda case: case.event.cause in (HAND, DECK)),
        Pattern("leaves", _LEAVES, lambda case: case.event.cause),
        Pattern("exhausted", ev.CardsTurned, _exhausted),
        Pattern("refreshed", ev.CardsTurned, _refreshed),
        Pattern(
            _NOTED, ev.CountersMoved, _falls, lambda case: NO_CARD, then=_life_lost,
            player=lambda case: f"seat/{seat_of(case.event.src)}",
        ),
        Pattern(
            "life-falls", ev.CountersMoved, _falls, lambda case: NO_CARD,
            player=lambda case: f"seat/{seat_of(case.event.src)}",
        ),
        Pattern(
            "life-rises", ev.CountersMoved, _rises, lambda case: NO_CARD,
            player=lambda case: f"seat/{seat_of(case.event.dst)}",
        ),
        *battle.PATTERNS,
    ),
)  # fmt: skip
