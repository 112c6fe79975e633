"""Why an effect can't be activated at all: a condition, or a missing target.

It is asked before anything is done, of a command or an activated effect before it is paid for. What
turns out only while an effect is carried out (a later target that is gone) is in `interpreter`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.effects.conditions import all_hold
from domain.effects.interpreter import candidates, openly
from domain.effects.language.vocabulary import Choose, Clause, Effect
from domain.effects.select import Running, Terms, sibling
from domain.engine.signals import NameRequired
from domain.engine.table import Table

#: How a clause hangs on the one before it, where it may not be reached.
HANGING = ("if so", "after all", "must")
#: Groups that are not there before a clause before has been carried out.
_LATER = ("it", "looked")


def conditions_hold(t: Table, terms: Terms, run: Running, effect: Effect) -> bool:
    """Whether all holds that must as an effect would be activated, beside what set it off."""
    return all_hold(terms, t.pos, (*effect.when, *effect.provided), run)


def needs_target(t: Table, terms: Terms, run: Running, clauses: Sequence[Clause]) -> bool:
    """Whether an effect asks for a target that there is not.

    The first clause that targets says so, wherever it stands, if it is sure to be reached; what
    comes after it is skipped alone.
    """
    return _lacks(t, terms, run, clauses, ()) is True


def _lacks(
    t: Table, terms: Terms, run: Running, clauses: Sequence[Clause], within: tuple[str, ...]
) -> bool | None:
    """Whether the first clause that targets finds none; None if no clause targets.

    `within`: the other effects of its card that these clauses are part of.
    """
    begun = False
    for clause in clauses:
        reached = _reached(t, terms, run, clause, begun)
        if reached is False:
            continue
        lacking = _target_of(t, terms, run, clause, within)
        if lacking is not None:
            return lacking and reached is True and not clause.may
        begun = True
    return None


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
    if clause.options:
        found = [_lacks(t, terms, run, option, within) for option in clause.options]
        return None if found.count(None) == len(found) else all(found)
    if clause.choose is None:
        return None
    return _sure(t, terms, clause, clause.choose) and not candidates(t, terms, run, clause)


def _sure(t: Table, terms: Terms, clause: Clause, wanted: Choose) -> bool:
    """Whether a choice must be made, among cards that everybody can identify."""
    late = wanted.may or wanted.of.zone in _LATER
    return not late and openly(t, terms, clause, wanted)
