"""Carrying out an effect: its clauses in printed order.

Targets are chosen as clauses are reached, or named when the effect is declared (`aimed`): books
differ. `carry_out` runs one effect inside the frame of its act. After each clause the game settles
what its rules do by themselves. The joining words between clauses are interpreted here, for all
games; what an instruction does to a table is in `instructions` and, where a book has its own way,
in the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.decisions import TEXT, Offer, Option, Part
from domain.effects.select import Running, Terms, all_hold, members
from domain.effects.vocabulary import Choose, Clause, Group, clauses_from
from domain.naming import Misstated
from domain.rulebook import Refusal
from domain.table import Chance, Play, Table, Unnamed, unknown

#: A declaration's characters, at the most.
LONGEST = 4096
YES_NO = Offer((Option("yes"), Option("no")))


#: What a group may name beside zones.
SPECIAL = frozenset({"this", "it", "looked", "cause"})
#: Targets that were named beforehand, by the place of their clause in the effect.
Aims = Mapping[int, Sequence[int]]


def carry_out(
    t: Table, terms: Terms, run: Running, clauses: list[Clause], aims: Aims | None = None
) -> Play:
    """Do the clauses in order; False if they ask for targets and none of them finds one.

    A clause without a target is skipped alone, unless the book makes the whole effect void with the
    first (`Terms.void_whole`). `aims` are targets named beforehand: those that are gone or fit no
    longer are lost, and nothing is chosen in their stead.
    """
    begun = missed = False
    for at, clause in enumerate(clauses):
        if not _reached(t, terms, run, clause):
            continue
        if clause.may and not (yield from confirm(t, terms, run)):
            t.not_done(clause.do, run.this, "declined", *terms.words["may"], run.text)
            run.done, run.whole = 0, False
            continue
        if aims is not None and at in aims:
            numbers = _still_fit(t, terms, run, clause, aims[at])
        else:
            numbers = yield from _targets(t, terms, run, clause)
        if numbers is None:
            if not begun and terms.void_whole:
                return False
            missed = True
            t.not_done(clause.do, run.this, "no target", *terms.words["no target"], run.text)
            run.done, run.whole = 0, False
            continue
        begun = True
        if run.effect.do:
            run.done = yield from terms.instructions[clause.do](t, terms, run, clause, numbers)
        else:
            run.done = yield from _declared(t, terms, run, clause, numbers)
        run.whole = run.done >= (len(numbers) if clause.to or clause.choose else run.amount(clause))
        yield from terms.settle(t)
    return begun or not missed


def _declared(t: Table, terms: Terms, run: Running, clause: Clause, numbers: list[int]) -> Play:
    """An instruction that somebody declared: nobody has made sure that it can be done.

    It is done to those cards only for which it means something. What comes to nothing for some
    other reason can't be declared, as turns out now (`naming.Misstated`).
    """
    cards = t.pos.cards
    numbers = [number for number in numbers if cards[number].host not in numbers]  # they go along
    possible = [number for number in numbers if _permitted(t, terms, run, clause, number)]
    if len(possible) < len(numbers):  # which ones they are may be for nobody to know
        t.not_done(clause.do, run.this, "impossible", "house:declared", run.text)
    if numbers and not possible:
        return 0
    try:
        return (yield from terms.instructions[clause.do](t, terms, run, clause, possible))
    except (LookupError, AssertionError, AttributeError, TypeError, ValueError) as error:
        text = f"what was declared can't be done: {clause.do}"
        raise Misstated(Refusal(("house:declared",), text, "BAD_DECLARATION")) from error


def _permitted(t: Table, terms: Terms, run: Running, clause: Clause, number: int) -> bool:
    """Whether a clause may be done to a card; where that is for its name to tell, it may be so."""
    try:
        return terms.permits(t.pos, run, clause, number)
    except Unnamed:
        return True


def aimed(t: Table, terms: Terms, clauses: Sequence[Clause]) -> list[int]:
    """Which clauses have targets that can be named beforehand: those chosen in the open."""
    return [
        at
        for at, clause in enumerate(clauses)
        if (wanted := clause.choose) is not None
        and wanted.by == "you"
        and wanted.of.zone not in SPECIAL
        and _in_the_open(t, terms, wanted.of)
    ]


def _still_fit(
    t: Table, terms: Terms, run: Running, clause: Clause, named: Sequence[int]
) -> list[int] | None:
    """Those targets named beforehand that may still be chosen; None if all were lost."""
    fitting = set(candidates(t, terms, run, clause))
    for number in named:
        if number not in fitting:
            why = "unfit" if t.pos.present(number) else "gone"
            t.not_done(clause.do, number, why, *terms.words["lost target"], run.text)
    run.it = [number for number in named if number in fitting]
    return run.it if run.it or not named else None


def declared(t: Table, terms: Terms, run: Running) -> Play:
    """What a text does that the catalogue can't say: its player declares it, as clauses."""
    part = Part("text", TEXT, 1, LONGEST)
    offer = Offer((Option("declare", run.this, (part,), run.ref),))
    cites = ("house:declared", run.text)
    act = yield from t.ask(run.seat, "declare", offer, *cites, about=run.this, public=True)
    return clauses_from(str(act.picks[0][0]))


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
    elif not clause.choose.may:
        return None
    return numbers


def candidates(t: Table, terms: Terms, run: Running, clause: Clause) -> list[int]:
    """The cards that a clause may choose, now; one that nobody has named may be what it wants."""
    assert clause.choose is not None
    found = members(terms, t.pos, clause.choose.of, run, guess=True)
    return [number for number in found if _permitted(t, terms, run, clause, number)]


def choose(t: Table, terms: Terms, run: Running, clause: Clause, wanted: Choose) -> Play:
    """Have targets chosen: as many as possible, unless the text says otherwise."""
    p = t.pos
    pool = candidates(t, terms, run, clause)
    public = _in_the_open(t, terms, wanted.of)
    if not pool and public:
        return []  # among hidden cards even a choice of nothing is offered: it must not tell
    if wanted.by == "random":
        order = yield Chance("order", len(pool), (*terms.words["random"], run.text))
        return [pool[at] for at in order[: wanted.n]]
    seat = run.seat if wanted.by == "you" else p.rival(run.seat)

    def offer() -> Offer:
        pool = tuple(candidates(t, terms, run, clause))
        n = min(wanted.n, len(pool))
        unsure = not public and any(unknown(p, number) for number in pool)
        low = 0 if wanted.may or unsure else min(1, n) if wanted.up_to else n
        return Offer((Option("choose", run.this, (Part(clause.do, 0, low, n),)),), (pool,))

    cites = terms.words["choose from deck" if wanted.of.zone == "looked" else "choose"]
    act = yield from t.ask(seat, "target", offer, *cites, run.text, about=run.this, public=public)
    return [number for number in act.picks[0] if isinstance(number, int)]


def _in_the_open(t: Table, terms: Terms, group: Group) -> bool:
    """Whether everybody can see which cards of a group may be chosen."""
    if group.zone in SPECIAL:
        return group.zone != "looked"
    return t.manifest.zone(terms.place(group.zone, 0)).faces == "all"


def needs_target(t: Table, terms: Terms, run: Running, clauses: list[Clause]) -> bool:
    """Whether an effect would begin by asking for a target that there is not."""
    for clause in clauses:
        if all_hold(terms, t.pos, clause.when, run):
            if clause.do == "perform":
                return needs_target(t, terms, run, terms.effect(sibling(run, clause)).do)
            wanted = clause.choose
            if wanted is None or wanted.may or not _in_the_open(t, terms, wanted.of):
                return False  # what hidden cards leave to choose is not for all to know
            return not candidates(t, terms, run, clause)
    return False


def sibling(run: Running, clause: Clause) -> str:
    """The other effect of the same card that a clause performs."""
    return f"{run.ref.partition('/')[0]}/{clause.effect}"
