"""Replacement effects: what texts do instead of something that was about to happen.

A game asks `unreplaced` before it lets an occurrence happen: on=`destroyed` and the cards that
would be destroyed together, on=`lost` and the seats that would lose (as `seat/0`). The replacement
is carried out at once, as an act of the kind `REPLACEMENT`, and the cards to which the occurrence
still happens are returned. Which occurrences a game asks about are its `Words.replaceable`; a text
about any other one is refused when it is loaded.

A replacement is part of what it replaces, so nothing else may be destroyed meanwhile: while one is
carried out (`replacing`) a game's rule processes derive numbers, and leave destruction to the
caller. A text does not replace what it brings about itself; so a chain of them ends.

A game adds three words to its terms: `replaced`, `replace which` (somebody picks one of several)
and `limit` (once per turn). Triggered effects ask the same question about whom they concern:
`concerns`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from domain.effects.conditions import all_hold
from domain.effects.constant.once import use, used
from domain.effects.constant.silence import in_force
from domain.effects.foresight.able import needs_target
from domain.effects.interpreter import carry_out, confirm, declared
from domain.effects.language.vocabulary import Group
from domain.effects.select import (
    BOUND,
    FURTHER,
    Running,
    Terms,
    fits,
    related,
    resolved,
    works,
    zones_of,
)
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.decisions import Offer, Option
from domain.record.position import Position, seat_of
from domain.record.values import Ref

#: `Pending.kind` of what a replacement does.
REPLACEMENT = "replacement"
Spare = Callable[[Ref], None]
#: An occurrence, a narrower word for it, and by whom it would come.
Words = tuple[str, str, Ref]


def replacing(p: Position) -> bool:
    """Whether something is being done in the place of what has not happened yet."""
    return bool(p.pending) and any(act.kind == REPLACEMENT for act in p.pending.values())


def unreplaced(
    t: Table,
    terms: Terms,
    on: str,
    subjects: Sequence[Ref],
    spare: Spare | None = None,
    narrower: Mapping[Ref, str] = MappingProxyType({}),
    by: Callable[[Ref], Ref] = lambda subject: 0,
) -> Play:
    """Those cards or seats that something still befalls; for the others, what replaces it is done.

    `narrower`: by what other word, for some of them, a text may speak of it; `by`: by which card it
    would befall a subject. The turn player's are
    looked at first. `spare` notes on the table, before anything is done
    instead, that this is not to befall a subject again for the same reason.
    """
    saved: set[Ref] = set()
    for subject in sorted(subjects, key=lambda one: _controller(t.pos, one) != t.pos.turn_seat):
        words = (on, narrower.get(subject, on), by(subject))
        if _is_present(t.pos, subject) and (yield from _replaced(t, terms, words, subject, spare)):
            saved.add(subject)
    return [one for one in subjects if one not in saved and _is_present(t.pos, one)]


def _is_present(p: Position, subject: Ref) -> bool:
    return not isinstance(subject, int) or p.present(subject)


def _controller(p: Position, subject: Ref) -> int:
    return p.cards[subject].controller if isinstance(subject, int) else seat_of(subject)


def _replaced(t: Table, terms: Terms, words: Words, subject: Ref, spare: Spare | None) -> Play:
    """Carry out one text that replaces this; whether there was one that its player wanted."""
    fitting = list(_fitting(t, terms, words, subject))
    while fitting:
        run = yield from _pick_replacement(t, terms, subject, fitting)
        if not run.effect.may or (yield from confirm(t, terms, run)):
            yield from _carry_out_instead(t, terms, words[0], subject, run, spare)
            return True
        fitting.remove(run)
    return False


def _fitting(t: Table, terms: Terms, words: Words, subject: Ref) -> Iterator[Running]:
    """The texts that would replace this, if it is not their own doing."""
    p = t.pos
    busy = {(act.source, act.effect) for act in p.pending.values() if act.kind == REPLACEMENT}
    for source in terms.workplaces(p):
        for ref, effect in in_force(terms, p, source):
            if effect.kind != "replacement" or effect.on not in words[:2] or (source, ref) in busy:
                continue
            run = Running(0, ref, effect, source, p.cards[source].controller, subject)
            run.against = words[2]
            if not concerns(t, terms, run, subject) or not works(terms, p, source, effect):
                continue
            if effect.limit and used(p, source, ref, effect.limit, run.seat):
                continue
            if not all_hold(terms, p, effect.when, run):
                continue
            if not (terms.void_whole and needs_target(t, terms, run, effect.do)):
                yield run


def _pick_replacement(t: Table, terms: Terms, subject: Ref, fitting: list[Running]) -> Play:
    """With several, somebody picks: who, the book says."""
    if len(fitting) == 1:
        return fitting[0]
    seat = terms.picks_replacement(t.pos, subject)
    offer = Offer(tuple(Option("resolve", run.this, effect=run.ref) for run in fitting))
    cites = terms.words["replace which"]
    act = yield from t.ask(seat, "order", offer, *cites, about=subject, public=True)
    return next(run for run in fitting if (run.this, run.ref) == (act.card, act.effect))


def _carry_out_instead(
    t: Table, terms: Terms, on: str, subject: Ref, run: Running, spare: Spare | None
) -> Play:
    cites = (*terms.words["replaced"], run.text)
    if run.effect.limit:
        use(
            t, run.this, run.ref, *terms.words["limit"], limit=run.effect.limit, seat=run.seat
        )  # fmt: skip
    t.not_done(on, subject, "replaced", *cites)
    if spare is not None:
        spare(subject)
    targets = (subject,)
    run.act = t.declare(REPLACEMENT, run.this, run.seat, *cites, effect=run.ref, targets=targets)
    t.resolve(run.act, *cites)
    clauses = run.effect.do or (yield from declared(t, terms, run))
    yield from carry_out(t, terms, run, clauses)
    t.end_act(run.act, "resolved", *cites)


# -- whom a text is about --------------------------------------------------------------------------


def concerns(t: Table, terms: Terms, run: Running, subject: Ref) -> bool:
    """Whether an occurrence of a card or a seat is one that an effect names (`Effect.about`).

    It also has to come from, or be towards, whom the effect says (`Effect.against`).
    """
    group, other = run.effect.about, run.effect.against
    if other is not None:
        known = isinstance(run.against, int) and run.against != 0
        if not known or not _of_group(t, terms, run, other, int(run.against)):
            return False
    if group is None:
        return subject in (run.this, f"seat/{run.seat}")
    if isinstance(subject, int):
        return _of_group(t, terms, run, group, subject)
    return group.whose == "any" or (seat_of(subject) == run.seat) == (group.whose == "yours")


def _of_group(t: Table, terms: Terms, run: Running, group: Group, number: int) -> bool:
    """Whether a card, here or just gone, is of a group; hidden ones are of none with a filter."""
    p = t.pos
    card = p.card(number)
    if group.besides is not None and _of_group(t, terms, run, group.besides, number):
        return True
    if group.other and number == run.this:
        return False
    if group.whose != "any" and (card.controller == run.seat) != (group.whose == "yours"):
        return False
    there = [terms.place(zone, card.controller) for zone in zones_of(terms, group)]
    if group.zone == "this":
        if number != run.this:
            return False
    elif group.zone in FURTHER:
        meant = [ref for ref in related(terms, p, group.zone, run.this) if isinstance(ref, int)]
        if number not in meant and not (group.zone == BOUND and number in map(p.latest, meant)):
            return False
    elif group.zone and card.place not in there:
        return False
    if t.manifest.zone(card.place).faces != "all" and group.match:
        return False
    return fits(terms, p, number, resolved(terms, p, group.match, run))
