"""Texts that work once, or twice: a turn, each on its own object; or all cards of a name together.

It is noted with the turn, on the object, or on the player for all that have the name.
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.record.position import NOBODY, Position
from domain.record.values import EVERYONE, Ref

#: What is added to the mark of a text that works twice, as it does so again.
_TWICE = " again"


def used(p: Position, source: Ref, ref: str, limit: str = "turn", seat: int = NOBODY) -> bool:
    """Whether a text has done so in this turn, or in this game, as often as its limit says."""
    twice = _TWICE if limit == "twice" else ""
    turn = p.mark(_holder(p, source, limit, seat), f"used:{ref}{twice}")
    return turn is not None if limit == "game" else turn == p.turn


def use(
    t: Table, source: Ref, ref: str, *cites: str, limit: str = "turn", seat: int = NOBODY
) -> None:
    """It does so now; the text is cited after the rules."""
    twice = _TWICE if limit == "twice" and used(t.pos, source, ref, seat=seat) else ""
    holder = _holder(t.pos, source, limit, seat)
    t.mark(holder, f"used:{ref}{twice}", t.pos.turn, *cites, f"card:{ref}")


def give_back(
    t: Table, source: Ref, ref: str, *cites: str, limit: str = "turn", seat: int = NOBODY
) -> None:
    """It has not done so after all: the latest use counts no more."""
    twice = _TWICE if limit == "twice" and used(t.pos, source, ref, "twice", seat) else ""
    for holder in (_holder(t.pos, source, limit, seat), f"seat/{seat}"):  # it was hidden, maybe
        if t.pos.mark(holder, f"used:{ref}{twice}") == t.pos.turn:
            t.mark(holder, f"used:{ref}{twice}", None, *cites, f"card:{ref}")
            return


def _holder(p: Position, source: Ref, limit: str, seat: int) -> Ref:
    """The holder of the mark: no card that lies hidden among others."""
    card = p.cards.get(source) if isinstance(source, int) else None
    hidden = card is not None and card.follow != EVERYONE
    own = limit in ("", "turn", "twice") and not hidden
    return source if own else f"seat/{seat}"
