"""Amounts: numbers that texts count instead of saying them.

`counted` counts one for a player, `count` readies a clause that does `n` for each of so many. Of
which cards they speak is in `select`.
"""

from __future__ import annotations

from copy import copy
from math import ceil, floor

from domain.effects.language.vocabulary import Amount
from domain.effects.select import Running, Terms, meant, values
from domain.record.position import Position


def count(terms: Terms, p: Position, run: Running, per: Amount | None) -> None:
    """Count how many times over the next clause is done, for each of the players."""
    if per is not None or run.per:
        seats = range(len(p.heading.seats) or 2)
        run.per = {} if per is None else {one: counted(terms, p, per, run, one) for one in seats}


def counted(terms: Terms, p: Position, amount: Amount, run: Running, seat: int) -> int:
    """The value of an amount for a player; missing things count as 0."""
    n = _plain(terms, p, amount, run, seat) * amount.times
    if amount.over != 1:
        n = ceil(n / amount.over) if amount.up else floor(n / amount.over)
    return n + amount.plus


def _plain(terms: Terms, p: Position, amount: Amount, run: Running, seat: int) -> int:
    if amount.done:
        return run.shares.get(seat, 0) if run.shares else run.last.done
    whose = seat if amount.whose == "yours" else p.rival(seat)
    if amount.of is None and amount.counter:
        return terms.held(p, whose, amount.counter)
    if amount.of is None:
        own = p.mark(run.this, amount.noted) if run.this else None
        noted = own if own is not None else p.mark(f"seat/{whose}", amount.noted)
        return noted if isinstance(noted, int) else 0
    if seat != run.seat:  # each player counts as he sees the cards
        run = copy(run)
        run.seat = seat
    found = meant(terms, p, amount.of, run)
    if amount.different:
        return len(values(terms, p, amount.different, found))
    if amount.counter:
        return sum(p.counters(number, amount.counter) for number in found)
    if not amount.figure:
        return len(found)
    figures = [terms.attribute(p, number, amount.figure) for number in found]
    numbers = [value for value in figures if isinstance(value, int)] or [0]
    if amount.take == "sum":
        return sum(numbers)
    return max(numbers) if amount.take == "most" else min(numbers)
