"""Whether it is public that an effect would do nothing: each of its clauses lacks its object.

Only what lies in the open is looked at, and of hidden zones whether they hold any card at all: so
whether an effect may be activated tells nothing that is hidden. What a clause asks for besides
(`when`) may have come true by the time that it is carried out. Which books ask it says the game;
what keeps an effect from being activated in all games is in `able`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.effects.amounts import counted
from domain.effects.foresight.able import HANGING
from domain.effects.foresight.doable import seats_of
from domain.effects.interpreter import candidates, in_the_open, permitted
from domain.effects.language.vocabulary import Amount, Clause, Group
from domain.effects.select import (
    CHOSEN,
    MOVED,
    SPECIAL,
    Running,
    Terms,
    members,
    place_meant,
    places,
    sibling,
)
from domain.engine.table import Table

#: Groups of what the clauses before have chosen or looked at.
_EARLIER = frozenset({"it", "looked", CHOSEN, MOVED})


def idle(
    t: Table,
    terms: Terms,
    run: Running,
    clauses: Sequence[Clause],
    within: tuple[str, ...] = (),
) -> bool:
    """Whether all of these clauses would do nothing, as everybody sees.

    `within`: the other effects of its card that they are part of.
    """
    nothing = [
        _comes_to_nothing(t, terms, run, at, clause, within) for at, clause in enumerate(clauses)
    ]
    return bool(nothing) and all(nothing)


def _comes_to_nothing(
    t: Table, terms: Terms, run: Running, at: int, clause: Clause, within: tuple[str, ...]
) -> bool:
    """Whether a clause does, where all before it do."""
    if at and (clause.incidental or clause.join in HANGING):
        return True
    if clause.options and clause.by_others:
        return False
    if clause.options:
        return all(idle(t, terms, run, option, within) for option in clause.options)
    if clause.performs:
        ref, inner = sibling(run, clause), (*within, run.ref)
        return ref not in inner and idle(t, terms, run, terms.effect(t.pos, ref).do, (*inner, ref))
    if clause.per is not None and _none_counted(t, terms, run, clause, clause.per, at):
        return True
    if clause.lacks(t, terms, run):
        return True
    group = clause.choose.of if clause.choose is not None else clause.to
    if group is None or place_meant(clause) or clause.using is not None:
        return False
    if group.zone in SPECIAL:
        return bool(at) and group.zone in _EARLIER and not run.effect.on
    return not _any_for(t, terms, run, clause, group)


def _any_for(t: Table, terms: Terms, run: Running, clause: Clause, group: Group) -> bool:
    """Whether there is a card for a clause, other than the one that is played for it."""
    p = t.pos
    there = [*_places(t, terms, run, group)]
    if any(place.startswith("seat/") for place in there):
        return True
    if not in_the_open(t, terms, group):
        return any(number != run.this for place in there for number in terms.lying(p, place))
    if clause.choose is not None:
        found = candidates(t, terms, run, clause)
    else:
        cards = members(terms, p, group, run, guess=True)
        found = [number for number in cards if permitted(t, terms, run, clause, number)]
    played = run.this if run.effect.kind == "command" else 0
    return any(n != played and not clause.done_already(t, terms, n) for n in found)


def _places(t: Table, terms: Terms, run: Running, group: Group | None) -> Iterator[str]:
    while group is not None:
        if group.zone in SPECIAL:
            yield "seat/"  # its result is not examined
        else:
            yield from places(terms, t.pos, group, run.seat)
        group = group.besides


def _none_counted(
    t: Table, terms: Terms, run: Running, clause: Clause, per: Amount, at: int
) -> bool:
    """Whether a clause is done for each of so many of which there are none."""
    if per.done:
        return bool(at) and not per.plus
    if per.of is None or per.of.zone in SPECIAL or not in_the_open(t, terms, per.of):
        return False
    seats = {run.seat, *seats_of(t, run, clause)}
    return not any(counted(terms, t.pos, per, run, seat) for seat in seats)
