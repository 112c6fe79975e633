"""Single keys: the meaning of a digit while nothing is typed.

Digit k acts with the k-th card at the front of the acting seat's side, if such cards may do
something (attack, block): the one act there is, or the one on the rival himself. So a card keeps
its digit. At other decisions digits number the options. Where there is too much to number, what is
nothing but a word keeps its digit, from 9 down: the end of the turn is 9, the Battle Phase 8.
Everything is read from offer and manifest.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from domain.record.values import Ref
from domain.scorekeeping.suggestions.suggest import UNKNOWN, Row, Table, is_seat, own_front
from domain.telling.likeness import likeness

DIGITS = "123456789"


def keyed(t: Table, rows: Sequence[Row]) -> list[Row]:
    """The acts on offer, with the key of each that has one; those that are alike are counted."""
    every, rows = rows, _without_doubles(t, rows)
    fronts = own_front(t)
    acting = {row.command.act.card for row in rows if _acts(t, row)}
    if any(n in acting for n in fronts):
        for row in rows:
            row.key = _front_key(t, row, rows, fronts)
    elif not _open_ended(t):
        for row, digit in zip(rows, DIGITS, strict=False):
            row.key = digit
        return list(every)
    words = [row for row in rows if not row.command.act.card and not row.command.act.picks]
    taken = {row.key for row in rows}
    for row, digit in zip(reversed(words), reversed(DIGITS), strict=False):
        if len(words) > 1 and digit not in taken:
            row.key = digit
    return list(every)


def _without_doubles(t: Table, rows: Sequence[Row]) -> list[Row]:
    """Of acts that nobody can tell apart the first, with their number; the others have none."""
    found: dict[Hashable, Row] = {}
    for row in rows:
        first = found.setdefault(likeness(t.book, t.pos, row.command.act), row)
        if first is not row:
            first.alike, row.alike = first.alike + 1, 0
    return list(found.values())


def _acts(t: Table, row: Row) -> bool:
    """Whether the card of a row is what acts, and not what asks for a choice."""
    return "{card}" in t.manifest.label("acts", row.command.act.kind)


def _front_key(t: Table, row: Row, rows: Sequence[Row], fronts: Sequence[int]) -> str:
    card = row.command.act.card
    at = fronts.index(card) if isinstance(card, int) and card in fronts else -1
    if not 0 <= at < len(DIGITS):
        return ""
    alike = [other for other in rows if other.command.act.card == card]
    aimed = [other for other in alike if _at_seat(other.command.act.picks)]
    chosen = aimed[0] if aimed else alike[0] if len(alike) == 1 else None
    return DIGITS[at] if row is chosen else ""


def _at_seat(picks: Sequence[Sequence[Ref]]) -> bool:
    return any(is_seat(ref) for part in picks for ref in part)


def _open_ended(t: Table) -> bool:
    """Whether cards from hidden zones may be played: what is on offer changes too much to count."""
    options = t.offer.options if t.offer is not None else ()
    hidden = [
        o
        for o in options
        if isinstance(o.card, int) and o.card
        and "{card}" in t.manifest.label("acts", o.kind)
        and t.manifest.zone(t.pos.card(o.card).place).faces != "all"
    ]  # fmt: skip
    return any(o.kind == UNKNOWN for o in hidden) or len(hidden) > 1
