"""Carrying out an effect: its clauses in printed order, targets chosen as they are reached.

`carry_out` runs one effect inside the frame of its act. After each clause the game settles what its
rules do by themselves. The joining words between clauses are interpreted here, for all games; what
an instruction does to a table is in `instructions` and, where a book has its own way, in the game.
"""

from __future__ import annotations

from domain.decisions import Offer, Option, Part
from domain.effects.select import Running, Terms, all_hold, members
from domain.effects.vocabulary import Choose, Clause
from domain.table import Chance, Play, Table

YES_NO = Offer((Option("yes"), Option("no")))


def carry_out(t: Table, terms: Terms, run: Running, clauses: list[Clause]) -> Play:
    """Do the clauses in order; False if the first to ask for a target found none."""
    targeted = False
    for clause in clauses:
        if not _reached(t, terms, run, clause):
            continue
        if clause.may and not (yield from confirm(t, terms, run)):
            t.not_done(clause.do, run.this, "declined", *terms.words["may"], run.text)
            run.done, run.whole = 0, False
            continue
        numbers = yield from _targets(t, terms, run, clause)
        if numbers is None:
            if not targeted:
                return False
            t.not_done(clause.do, run.this, "no target", *terms.words["no target"], run.text)
            run.done, run.whole = 0, False
            continue
        targeted = targeted or clause.choose is not None
        run.done = yield from terms.instructions[clause.do](t, terms, run, clause, numbers)
        run.whole = run.done >= (len(numbers) if clause.to or clause.choose else clause.n)
        yield from terms.settle(t)
    return True


def confirm(t: Table, terms: Terms, run: Running) -> Play:
    """Ask the effect's player whether to do what the text says he may."""
    act = yield from t.ask(
        run.seat, "may", YES_NO, *terms.words["may"], about=run.this, public=True
    )
    return act.kind == "yes"


def _reached(t: Table, terms: Terms, run: Running, clause: Clause) -> bool:
    if clause.join == "if so" and not run.done:
        return False
    if clause.join in ("after all", "must") and not run.whole:
        return False
    return all_hold(terms, t.pos, clause.when, run)


def _targets(t: Table, terms: Terms, run: Running, clause: Clause) -> Play:
    """What a clause is done to; None where it asks for a target and there is none."""
    if clause.choose is None:
        group = clause.to
        if group is None:
            return [run.this] if t.pos.present(run.this) else []
        numbers = members(terms, t.pos, group, run)
        return numbers
    numbers = yield from choose(t, terms, run, clause, clause.choose)
    if numbers:
        run.it = numbers
        terms.chosen(t, run, clause, numbers)
    elif not clause.choose.may:
        return None
    return numbers


def candidates(t: Table, terms: Terms, run: Running, clause: Clause) -> list[int]:
    """The cards that a clause may choose, now."""
    assert clause.choose is not None
    found = members(terms, t.pos, clause.choose.of, run)
    return [number for number in found if terms.permits(t.pos, run, clause, number)]


def choose(t: Table, terms: Terms, run: Running, clause: Clause, wanted: Choose) -> Play:
    """Have targets chosen: as many as possible, unless the text says otherwise."""
    p = t.pos
    pool = candidates(t, terms, run, clause)
    if not pool:
        return []
    n = min(wanted.n, len(pool))
    if wanted.by == "random":
        order = yield Chance("shuffle", len(pool), (*terms.words["random"], run.text))
        return [pool[at] for at in order[:n]]
    seat = run.seat if wanted.by == "you" else p.rival(run.seat)
    low = 0 if wanted.may else 1 if wanted.up_to else n
    offer = Offer((Option("choose", run.this, (Part(clause.do, 0, low, n),)),), (tuple(pool),))
    public = all(p.cards[number].seen == p.cards[number].follow == -1 for number in pool)
    cites = terms.words["choose from deck" if wanted.of.zone == "looked" else "choose"]
    act = yield from t.ask(seat, "target", offer, *cites, run.text, about=run.this, public=public)
    return [number for number in act.picks[0] if isinstance(number, int)]


def needs_target(t: Table, terms: Terms, run: Running, clauses: list[Clause]) -> bool:
    """Whether the first clause to ask for a target could not get one now."""
    for clause in clauses:
        wanted = clause.choose
        if (
            wanted is None
            or wanted.of.zone == "looked"
            or not all_hold(terms, t.pos, clause.when, run)
        ):
            continue
        return not wanted.may and not candidates(t, terms, run, clause)
    return False
