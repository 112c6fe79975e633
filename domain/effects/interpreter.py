"""Carrying out an effect: its clauses in printed order.

Targets are chosen as clauses are reached, or named when the effect is declared (`aimed`): books
differ. `carry_out` runs one effect inside the frame of its act. A clause is done to those of its
targets only for which it means something (`Terms.permits`): nothing else says so, and instructions
need not ask again. After each clause the game settles what its rules do by themselves. The joining
words between clauses are interpreted here, for all games; what an instruction does to a table is in
`instructions` and, where a book has its own way, in the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum

from msgspec.structs import replace

from domain.effects.amounts import count, counted
from domain.effects.conditions import all_hold
from domain.effects.foresight.doable import doable
from domain.effects.language.vocabulary import Choose, Clause, Group
from domain.effects.select import (
    SPECIAL,
    Done,
    Exact,
    Running,
    Terms,
    Texts,
    fits,
    members,
    place_meant,
    places,
    stacks,
    zones_of,
)
from domain.engine.signals import Chance, NameRequired, Play, unknown
from domain.engine.table import Table
from domain.record.decisions import TEXT, Offer, Option, Part
from domain.record.position import Position, zone_of
from domain.record.schema.manifest import Zone
from domain.record.values import EVERYONE

#: A declaration's characters, at the most.
LONGEST = 4096
YES_NO = Offer((Option("yes"), Option("no")))
#: How many clauses may follow from one answer, and how deep texts may carry out each other. Neither
#: is in any book: what goes on beyond is held to go on for ever, and is for an official to settle.
MOST, DEEPEST = 500, 32

#: Targets that were named in advance, by the place of their clause in the effect; None: there was
#: nothing to name.
Aims = Mapping[int, Sequence[int] | None]
#: What a clause is done to, and how many cards it asks for.
Targets = tuple[list[int], int]


def carry_out(
    t: Table, terms: Terms, run: Running, clauses: list[Clause], aims: Aims | None = None
) -> Play:
    """Do the clauses in order; False if they ask for targets and none of them finds one.

    A clause without a target is skipped alone. Where the book makes the whole effect void with the
    first that targets (`Terms.void_whole`), `able` has seen to it, but for a choice among hidden
    cards, of which only who chooses can say that it finds none. `aims` are targets named in
    advance: those that are gone or fit no longer are lost, and nothing is chosen in their stead.
    """
    outcomes = set[_Outcome]()
    with _nested(t, run):
        for at, clause in enumerate(clauses):
            one = yield from _carry_out_one(t, terms, run, clauses, at, aims)
            if one is _Outcome.NO_TARGET and at == 0 and terms.void_whole and not clause.may:
                return False
            if one is _Outcome.ENDLESS:
                break
            if one is _Outcome.NO_TARGET:
                lacks = terms.words.get(f"no target {clause.key}", terms.words["no target"])
                t.not_done(clause.do, run.this, "no target", *lacks, run.text)
            if one is not _Outcome.DONE:
                run.last = _NOT_DONE
            run.resolved = run.resolved and run.last.whole
            outcomes.add(one)
    return _Outcome.DONE in outcomes or _Outcome.NO_TARGET not in outcomes


class _Outcome(Enum):
    """What a clause came to; of one that was passed over it is recorded why, if anything."""

    DONE = 1
    PASSED_OVER = 2
    NO_TARGET = 3
    ENDLESS = 4


_NOT_DONE = Done(1, 0)


def _carry_out_one(
    t: Table, terms: Terms, run: Running, clauses: list[Clause], at: int, aims: Aims | None
) -> Play:
    """Do one of the clauses, if it is reached, wanted and possible: what it came to (`_Outcome`).

    The rules for what is due are applied after it, so that the next clause finds the table so.
    """
    clause, wholly = clauses[at], _bound(clauses, at)
    run.ahead = ahead_of(clauses, at)
    if clause.join == "after all" and run.last.whole:
        yield from terms.pause(t, run)
    if _stopped(t, terms, run, clause) or not all_hold(terms, t.pos, clause.when, run):
        return _Outcome.PASSED_OVER
    if _endless(t, run, clause):
        return _Outcome.ENDLESS
    count(terms, t.pos, run, clause.per)
    if clause.may and not (yield from confirm(t, terms, run)):
        run.moved = [] if clause.moves else run.moved
        t.not_done(clause.do, run.this, "declined", *terms.words["may"], run.text)
        return _Outcome.PASSED_OVER
    if aims is not None and at in aims:
        targets = _still_fit(t, terms, run, clause, aims[at])
    else:
        targets = yield from _targets(t, terms, run, clause, wholly)
    if targets is None and clause.choose and not targeted(t, terms, clause.choose.of):
        t.not_done(clause.do, run.this, "impossible", *terms.words["too few"], run.text)
        return _Outcome.PASSED_OVER
    if targets is None:
        return _Outcome.NO_TARGET
    if wholly and not doable(t, terms, run, clause, *targets):
        words = (*terms.words.get("must", terms.words["impossible"]), run.text)
        t.not_done(clause.do, run.this, "impossible", *words, asked=targets[1])
        return _Outcome.PASSED_OVER
    before = t.running.happened
    run.last = yield from _do(t, terms, run, clause, targets)
    run.total = run.total.and_(run.last)
    yield from terms.settle(t)
    if clause.join == "if so":
        t.running.happened = before  # one with the clause before it, not behind it
    return _Outcome.DONE


def _bound(clauses: Sequence[Clause], at: int) -> bool:
    """Whether a clause counts only if it is done wholly: the one after it says so."""
    return at + 1 < len(clauses) and clauses[at + 1].join == "must"


def _do(t: Table, terms: Terms, run: Running, clause: Clause, targets: Targets) -> Play:
    """Do one clause to those of its targets that it can affect; its result."""
    numbers, asked = targets
    possible = [number for number in numbers if terms.permits(t.pos, run, clause, number)]
    possible = [n for n in possible if not terms.unaffected(t.pos, n, run.this, clause.do)]
    run.moved = [] if clause.moves else run.moved
    if len(possible) < len(numbers):
        _impossible(t, terms, run, clause, numbers, len(possible))
    if asked and not possible:
        return Done(asked, 0)
    texts: Texts = t.game.texts
    run.shares = {}
    done: Done = yield from texts.instructions[clause.do](clause, t, terms, run, possible)
    return Done(done.asked + max(asked - len(possible), 0), done.done)


def _impossible(
    t: Table, terms: Terms, run: Running, clause: Clause, numbers: list[int], done: int
) -> None:
    """A clause means nothing for some cards. Which of several they are may be hidden."""
    ref = numbers[0] if len(numbers) == 1 and t.in_sight(numbers[0]) else run.this
    cites = terms.words["impossible"] if run.effect.do else ("house:declared",)
    t.not_done(clause.do, ref, "impossible", *cites, run.text, asked=len(numbers), done=done)


@contextmanager
def _nested(t: Table, run: Running) -> Iterator[None]:
    """Count how deep texts carry out each other; one within another has parts of its own."""
    before, run.resolved = run.resolved, True
    t.running.depth += 1
    try:
        yield
    finally:
        t.running.depth -= 1
        run.resolved = before


def _endless(t: Table, run: Running, clause: Clause) -> bool:
    """Whether texts seem to go on without end: then an official must decide.

    From then on nothing that is printed is done until somebody has answered, and nobody may answer
    while the match is paused.
    """
    t.running.clauses += 1
    if t.running.depth > DEEPEST:
        t.running.clauses = max(t.running.clauses, MOST + 1)
    if t.running.clauses <= MOST:
        return False
    t.not_done(clause.do, run.this, "endless", "house:endless", run.text)
    t.stand_still("what is being carried out does not end")
    return True


def permitted(t: Table, terms: Terms, run: Running, clause: Clause, number: int) -> bool:
    """Whether a clause may be done to a card; where that is for its name to tell, it may be so."""
    try:
        return terms.permits(t.pos, run, clause, number)
    except NameRequired:
        return True


def aimed(t: Table, terms: Terms, clauses: Sequence[Clause]) -> list[int]:
    """Which clauses have targets that can be named in advance: those chosen in the open."""
    return [
        at
        for at, clause in enumerate(clauses)
        if (wanted := clause.choose) is not None
        and wanted.by == "you"
        and not wanted.late
        and (wanted.of.zone not in SPECIAL or wanted.of.zone in terms.named)
        and openly(t, terms, clause, wanted)
    ]


def name_targets(t: Table, terms: Terms, run: Running, clauses: Sequence[Clause]) -> Play:
    """Have all targets of an effect named before its first clause is carried out: its `Aims`."""
    aims: dict[int, Sequence[int] | None] = {}
    for at in aimed(t, terms, clauses):
        wanted = clauses[at].choose
        assert wanted is not None
        named = yield from choose(t, terms, run, clauses[at], wanted)
        aims[at] = named if named or wanted.may else None
    return aims


def _still_fit(
    t: Table, terms: Terms, run: Running, clause: Clause, named: Sequence[int] | None
) -> Targets | None:
    """Those targets named in advance that may still be chosen; None if there are none."""
    if named is None:
        return None
    fitting = set(candidates(t, terms, run, clause))
    for number in named:
        if number not in fitting:
            why = "unfit" if t.pos.present(number) else "gone"
            t.not_done(clause.do, number, why, *terms.words["lost target"], run.text)
    run.it = [number for number in named if number in fitting]
    run.chosen += run.it
    return (run.it, len(named)) if run.it or not named else None


def declared(t: Table, terms: Terms, run: Running) -> Play:
    """The clauses of a text outside the catalogue, as declared by its player."""
    part = Part("text", TEXT, 1, LONGEST)
    offer = Offer((Option("declare", run.this, (part,), run.ref),))
    cites = ("house:declared", run.text)
    act = yield from t.ask(run.seat, "declare", offer, *cites, about=run.this, public=True)
    stated: list[Clause] = t.game.words.clauses(str(act.picks[0][0]))
    return stated


def confirm(t: Table, terms: Terms, run: Running) -> Play:
    """Ask the effect's player whether to do what the text says he may."""
    act = yield from t.ask(
        run.seat, "may", YES_NO, *terms.words["may"], about=run.this, public=True
    )
    return act.kind == "yes"


def _stopped(t: Table, terms: Terms, run: Running, clause: Clause) -> bool:
    """Whether a clause hangs on the one before it, which was not done, or not wholly.

    Where the book has a rule for the word that joins them, that is recorded.
    """
    exact = terms.targets(t.pos)
    if exact is not None and clause.join in ("sentence", "if so"):
        return _unresolved(t, run, clause, exact)
    run.resolved = True
    some, all_ = clause.join == "if so", clause.join in ("after all", "must")
    if not (some and not run.last.done) and not (all_ and not run.last.whole):
        return False
    rules = terms.words.get(clause.join)
    if rules:
        t.not_done(clause.do, run.this, "impossible", *rules, run.text)
    return True


def _unresolved(t: Table, run: Running, clause: Clause, exact: Exact) -> bool:
    """Whether a part is passed over, with all its sentences, since the one before is not resolved.

    Of the part it is recorded once.
    """
    if clause.join == "if so":
        if run.resolved is False:
            t.not_done(clause.do, run.this, "impossible", *exact.unresolved, run.text)
        run.resolved = True if run.resolved else None
    return run.resolved is None


def _targets(t: Table, terms: Terms, run: Running, clause: Clause, wholly: bool) -> Play:
    """The targets of a clause; None if it needs a target and has none.

    `wholly`: it is done to all of them or not at all.
    """
    wanted = clause.choose
    if wanted is None:
        return _meant(t, terms, run, clause, wholly)
    if wanted.per is not None:
        n = wanted.n * counted(terms, t.pos, wanted.per, run, run.seat)
        wanted = replace(wanted, n=n, per=None)
    if wanted.may and _all_or_none(t, terms, wanted):
        enough = len(candidates(t, terms, run, clause)) >= wanted.n
        if not enough or not (yield from confirm(t, terms, run)):
            run.it = []
            return [], 0
        wanted = replace(wanted, may=False)
    needed = least(t, terms, run, wanted)  # of hidden cards one: that there is none must not tell
    if needed > 1 and len(candidates(t, terms, run, clause)) < needed:
        run.it = []
        return None
    run.it = yield from choose(t, terms, run, clause, wanted)
    run.chosen += run.it
    if not run.it and not wanted.may:
        return None
    return run.it, len(run.it) if wanted.may or wanted.up_to else wanted.n


def _all_or_none(t: Table, terms: Terms, wanted: Choose) -> bool:
    """Whether several targets may be chosen or none, but not some of them."""
    exact = terms.targets(t.pos) is not None and targeted(t, terms, wanted.of)
    return exact and not wanted.up_to and wanted.n > 1


def _meant(t: Table, terms: Terms, run: Running, clause: Clause, wholly: bool) -> Targets:
    """The targets of a clause without a choice: a group, or the card itself."""
    p, group = t.pos, clause.to
    if group is None and not clause.on_itself:
        return [], 0
    if group is None:
        numbers = run.itself(p)
    elif place_meant(clause):
        return [], 0
    else:
        numbers = members(terms, p, group, run)
        asked = _topmost(t, terms, run, clause, group)
        if asked >= 0:
            there = stacks(terms, p, group, run.seat)
            return _from_the_top(t, terms, run, clause, numbers, asked, there, wholly)
    if not numbers:
        why = "gone" if group is None or group.zone in SPECIAL else "no target"
        t.not_done(clause.do, run.this, why, *terms.words["impossible"], run.text)
    return numbers, len(numbers) or 1


def _topmost(t: Table, terms: Terms, run: Running, clause: Clause, group: Group) -> int:
    """How many cards are asked for where only the topmost of each player's are; -1: all are meant.

    The group says so; or cards move from a stack into which nobody may look: `n` of them.
    """
    if group.zone in SPECIAL:
        return -1
    there = places(terms, t.pos, group, run.seat)
    if group.top and not group.match:
        return group.top * len(stacks(terms, t.pos, group, run.seat))
    if there[0].startswith("seat/"):
        return -1
    if clause.from_stack and not group.top and t.manifest.zone(there[0]).faces == "none":
        return max(run.amount(clause), 0) * len(there)
    return -1


def _from_the_top(
    t: Table,
    terms: Terms,
    run: Running,
    clause: Clause,
    numbers: list[int],
    asked: int,
    there: list[list[str]],
    wholly: bool,
) -> Targets:
    """The uppermost of some cards first, as many of each stack as are asked of each of them."""
    bottom = {place: stack[0] for stack in there for place in stack}
    each: dict[str, list[int]] = {}
    for number in numbers:
        place = t.pos.cards[number].place
        each.setdefault(bottom.get(place, place), []).append(number)
    n = asked // len(there)
    found = [number for lying in each.values() for number in lying[: -n - 1 : -1]]
    if len(found) < max(asked, 1):
        zone = clause.to.zone if clause.to is not None else ""
        few = terms.words.get(f"too few {zone}", terms.words["too few"])
        words = (*(few if asked else terms.words["nothing asked"]), run.text)
        t.not_done(
            clause.do, run.this, "impossible", *words, asked=asked, done=0 if wholly else len(found)
        )
    return found, asked


def candidates(t: Table, terms: Terms, run: Running, clause: Clause) -> list[int]:
    """The cards that a clause may choose, now; one that nobody has named may be what it wants."""
    wanted = clause.choose
    assert wanted is not None
    found = [
        number
        for number in members(terms, t.pos, wanted.of, run, guess=True)
        if permitted(t, terms, run, clause, number) and _within_reach(t, number, wanted)
    ]
    if not clause.anew:
        return found
    found = [number for number in found if number not in run.chosen]
    ahead, run.ahead = run.ahead, None
    if ahead is None or ahead.choose is None:
        return found
    left, run.ahead = {*candidates(t, terms, run, ahead)}, ahead
    return [one for one in found if len(left - {one}) >= ahead.choose.n]


def ahead_of(clauses: Sequence[Clause], at: int) -> Clause | None:
    """The clause after this one, if both choose cards for the same part of a text: not the same."""
    then = clauses[at + 1] if at + 1 < len(clauses) else None
    if then is None or not (clauses[at].anew and then.anew) or then.join != "sentence":
        return None
    wanted = then.choose
    sure = wanted is not None and not wanted.may and not then.may and not then.when
    return then if sure else None


def _within_reach(t: Table, number: int, wanted: Choose) -> bool:
    """Whether a card may be picked out: of those that nobody may look at, only the topmost."""
    place = t.pos.cards[number].place
    zone = t.manifest.zone(place)
    if (zone.faces, zone.follow, zone.ordered) != ("none", "all", True):
        return True
    return number in t.pos.zone(place)[-wanted.n :]


def choose(t: Table, terms: Terms, run: Running, clause: Clause, wanted: Choose) -> Play:
    """Have targets chosen: as many as possible, unless the text says otherwise."""
    p = t.pos
    if wanted.by == "random":
        return (yield from _drawn(t, terms, run, clause, wanted))
    pool = candidates(t, terms, run, clause)
    public = openly(t, terms, clause, wanted) or _turned_up(t, run, wanted.of)
    if not pool and (public or _none_looked_at(terms, run, wanted.of)):
        return []  # among hidden cards even a choice of nothing is offered: it must not tell
    seat = run.seat if wanted.by == "you" else p.rival(run.seat)
    look_through(t, terms, run, wanted.of, seat)

    def offer(t: Table) -> Offer:
        p, pool = t.pos, tuple(candidates(t, terms, run, clause))
        n = max(0, min(wanted.n, len(pool)))  # a number that is counted may be below nothing
        unnamed = any(unknown(p, n) for n in (*pool, *_made_of(p, terms, run, clause)))
        unsure = not public and (unnamed or _private(p, terms, wanted, pool))
        low = 0 if wanted.may or unsure else min(1, n) if wanted.up_to else n
        return Offer((Option("choose", run.this, (Part(_part(t, clause), 0, low, n),)),), (pool,))

    narrow = (f"choose for {run.effect.on}", f"choose {clause.key}")
    word = next((one for one in narrow if one in terms.words), "choose")
    cites = terms.words["choose from deck" if wanted.of.zone == "looked" else word]
    act = yield from t.ask(seat, "target", offer, *cites, run.text, about=run.this, public=public)
    return [number for number in act.picks[0] if isinstance(number, int)]


def _made_of(p: Position, terms: Terms, run: Running, clause: Clause) -> Sequence[int]:
    """The candidate materials of what is chosen."""
    group = clause.using
    return members(terms, p, replace(group, match={}), run) if group is not None else ()


def _private(p: Position, terms: Terms, wanted: Choose, pool: Sequence[int]) -> bool:
    """Whether nobody else can tell that a card fits which is asked for by what it is."""
    hidden = any(p.cards[number].seen != EVERYONE for number in pool)
    return terms.in_private and bool(wanted.of.match) and hidden


def _none_looked_at(terms: Terms, run: Running, group: Group) -> bool:
    """Whether there is nothing among which to choose, as all know: how many are looked at."""
    return terms.in_private and group.zone == "looked" and not run.looked


def _part(t: Table, clause: Clause) -> str:
    """The name of a choice: that of its instruction, unless it is made of other cards.

    Where the game has no such word it is a target.
    """
    name = "monster" if clause.using is not None else clause.do
    return name if any(word.name == name for word in t.manifest.parts) else "target"


def _drawn(t: Table, terms: Terms, run: Running, clause: Clause, wanted: Choose) -> Play:
    """Targets chosen at random among those that fit: of each it must be known whether it does.

    The chance that is drawn must not show how many hidden cards fit: it puts all of them in order,
    and the first that fit are taken.
    """
    every = members(terms, t.pos, replace(wanted.of, match={}), run)
    able = [number for number in every if terms.permits(t.pos, run, clause, number)]
    pool = [number for number in able if fits(terms, t.pos, number, wanted.of.match)]
    if not pool:
        return []
    among = pool if in_the_open(t, terms, wanted.of) else every
    order = yield Chance("order", len(among), (*terms.words["random"], run.text))
    return [among[at] for at in order if among[at] in pool][: wanted.n]


def look_through(t: Table, terms: Terms, run: Running, group: Group, seat: int) -> None:
    """A player who chooses from a stack that nobody can follow looks at its cards first."""
    if group.besides is not None:
        look_through(t, terms, run, group.besides, seat)
    if group.zone in SPECIAL:
        return
    for place in places(terms, t.pos, group, run.seat):
        if not place.startswith("seat/") and searched(t.manifest.zone(place)):
            lying = t.pos.zone(place)[-group.top :]
            t.show(lying, 1 << seat, "look", *terms.words["choose from deck"], run.text)


def searched(zone: Zone) -> bool:
    """Whether who chooses from there looks at its cards first: a deck."""
    return (zone.faces, zone.follow) == ("none", "none") and not zone.alike


def targeted(t: Table, terms: Terms, group: Group) -> bool:
    """Whether the cards of a group are targets, for which a text that lacks them does nothing."""
    exact = terms.targets(t.pos)
    if exact is None or group.zone in SPECIAL:
        return exact is None or group.zone != "looked"
    return all(zone_of(terms.place(zone, 0)) in exact.zones for zone in zones_of(terms, group))


def least(t: Table, terms: Terms, run: Running, wanted: Choose) -> int:
    """How many cards a choice must find, or nothing is chosen at all."""
    if wanted.up_to or terms.targets(t.pos) is None or not targeted(t, terms, wanted.of):
        return 0 if wanted.may else 1
    per = 1 if wanted.per is None else counted(terms, t.pos, wanted.per, run, run.seat)
    return 0 if wanted.may else wanted.n * per


def openly(t: Table, terms: Terms, clause: Clause, wanted: Choose) -> bool:
    """Whether everybody can see what may be chosen, and what it would be made of."""
    using = clause.using is None or in_the_open(t, terms, clause.using)
    return using and in_the_open(t, terms, wanted.of)


def in_the_open(t: Table, terms: Terms, group: Group) -> bool:
    """Whether everybody can see which cards of a group may be chosen."""
    if group.besides is not None and not in_the_open(t, terms, group.besides):
        return False
    if group.zone in SPECIAL:
        return group.zone != "looked"
    places = (terms.place(zone, 0) for zone in zones_of(terms, group))
    return all(
        place.startswith("seat/") or t.manifest.zone(place).faces == "all" for place in places
    )


def _turned_up(t: Table, run: Running, group: Group) -> bool:
    """Whether these are cards of a stack that were shown to all, and not to one player alone."""
    cards = [t.pos.cards[number] for number in run.looked if t.pos.present(number)]
    return group.zone == "looked" and bool(cards) and all(one.seen == EVERYONE for one in cards)
