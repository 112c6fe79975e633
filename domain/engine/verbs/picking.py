"""Asking a seat to pick cards: one act, one part, as many as it says out of one pool."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.decisions import Limits, Offer, Option, Part
from domain.record.values import Ref


def pick(
    t: Table,
    seat: int,
    kind: str,
    pool: Sequence[Ref],
    n: int,
    *cites: str,
    act: str = "",
    part: str = "",
    limits: Limits | None = None,
    card: Ref = 0,
    about: Ref = 0,
    public: bool = False,
) -> Play:
    """Ask a seat for `n` cards of a pool, in this kind of decision; their numbers, as picked.

    `act` is what the act and its part are called, where that is not the kind of the decision, and
    `part` its part, where that is called otherwise; `card` is the card that acts.
    """
    one = Part(part or act or kind, 0, n, n, limits)
    offer = Offer((Option(act or kind, card, (one,)),), (tuple(pool),))
    chosen = yield from t.ask(seat, kind, offer, *cites, about=about, public=public)
    return [number for number in chosen.picks[0] if isinstance(number, int)]
