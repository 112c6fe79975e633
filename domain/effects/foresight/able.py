"""Why an effect can't be activated at all: a condition, or a missing target.

It is asked before anything is done, of a command or an activated effect before it is paid for. What
turns out only while an effect is carried out (a later target that is gone) is in `interpreter`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.effects.conditions import all_hold
from domain.effects.interpreter import ahead_of, candidates, least, openly, targeted
from domain.effects.language.vocabulary import Choose, Clause, Effect
from domain.effects.select import MOVED, Running, Terms, compared_with, sibling
from domain.engine.signals import NameRequired
from domain.engine.table import Table

#: How a clause hangs on the one before it, where it may not be reached.
HANGING = ("if so", "after all", "must")
#: Groups that are not there before a clause before has been carried out.
_LATER = ("it", "looked", MOVED)


def conditions_hold(t: Table, terms: Terms, run: Running, effect: Effect) -> bool:
    """Whether all holds that must as an effect would be activated, beside what set it off."""
    return all_hold(terms, t.pos, (*effect.when, *effect.provided), run)


def needs_target(t: Table, terms: Terms, run: Running, clauses: Sequence[Clause]) -> bool:
    """Whether an effect asks for a target that there is not.

    The first clause that targets says so, wherever it stands, if it is sure to be reached; what
    comes after it is skipped alone. Where the book is exact (`Exact`), all of the first part do.
    """
    return _lacks(t, terms, run, clauses, ()) is True


def _lacks(
    t: Table, terms: Terms, run: Running, clauses: Sequence[Clause], within: tuple[str, ...]
) -> bool | None:
    """Whether clauses that target lack what they must find; None if no clause targets.

    `within`: the other effects of its card that these clauses are part of.
    """
    exact, begun, found = terms.targets(t.pos) is not None, False, None
    for at, clause in enumerate(clauses):
        if exact and at and clause.join != "sentence":
            break
        reached = _reached(t, terms, run, clause, begun)
        if reached is False:
            continue
        run.ahead = ahead_of(clauses, at)
        lacking = _target_of(t, terms, run, clause, within)
        if lacking is not None:
            found = lacking and reached is True and not clause.may
            if found or not exact:
                return found
        begun = True
    return found


def _reached(t: Table, terms: Terms, run: Running, clause: Clause, begun: bool) -> bool | None:
    """Whether a clause is sure to be reached, or sure not to be; None if unknown.

    It can't once another one is carried out before it (`begun`), nor where only the name of a card
    of a real table could tell.
    """
    if begun:
        return None if clause.when or clause.join in HANGING else True
    try:
        return all_hold(terms, t.pos, clause.when, run)
    except NameRequired:
        return None


def _target_of(
    t: Table, terms: Terms, run: Running, clause: Clause, within: tuple[str, ...]
) -> bool | None:
    """Whether a clause lacks its target; None if it asks for none."""
    if clause.performs:
        ref = sibling(run, clause)
        inner = [] if ref in within else terms.effect(t.pos, ref).do
        return _lacks(t, terms, run, inner, (*within, ref))
    if clause.options and clause.by_others:
        return None
    if clause.options:
        found = [_lacks(t, terms, run, option, within) for option in clause.options]
        return None if found.count(None) == len(found) else all(found)
    if clause.choose is None:
        return None
    if not _sure(t, terms, clause, clause.choose):
        return False
    there = len(candidates(t, terms, run, clause))
    if terms.targets(t.pos) is None:
        return not there
    return targeted(t, terms, clause.choose.of) and there < least(t, terms, run, clause.choose)


def _sure(t: Table, terms: Terms, clause: Clause, wanted: Choose) -> bool:
    """Whether a choice must be made, among cards that everybody can identify."""
    late = wanted.may or not set(_LATER).isdisjoint(
        (wanted.of.zone, *compared_with(wanted.of.match))
    )
    return not late and openly(t, terms, clause, wanted)
