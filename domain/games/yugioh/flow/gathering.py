"""Triggered effects become links of a chain, class by class.

`gather` is asked wherever effects may be activated. What has triggered by then is linked first, and
nothing may cut in (ygo:order.list.1 to ygo:order.limit.1); what its costs set off waits for the
next timing. What shares a phase and no event is not at one timing: each makes a chain of its own,
and what is done without a chain stands beside them (ygo:order.phase.1, ygo:order.phase.2). What may
keep an effect from becoming a link is in `queued`; how a chain goes on is in `chain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from domain.effects.instructions.lasting import LAPSE
from domain.effects.select import Running
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.yugioh.choices import costs, uses
from domain.games.yugioh.choices.activate import begin_chain, link
from domain.games.yugioh.choices.acts import ACTS
from domain.games.yugioh.effects.texts import ALSO, TERMS, as_marked, marked
from domain.games.yugioh.effects.waiting import hands
from domain.games.yugioh.effects.waiting.applied import is_applied
from domain.games.yugioh.flow.queued import running, unfit
from domain.games.yugioh.flow.schedules import come_due, do_scheduled, due
from domain.games.yugioh.lists.words import PHASED, RESULTS
from domain.record.decisions import Act, Offer, Option, Part
from domain.record.position import Pending, Position, Scheduled
from domain.record.values import Ref

#: The classes in which effects that triggered at one timing are linked, and their rules.
CLASSES = {
    1: "ygo:order.list.1", 2: "ygo:order.list.2", 3: "ygo:order.list.3",
    4: "ygo:order.list.4", 5: "ygo:order.list.5", 6: "ygo:order.list.6",
}  # fmt: skip
#: Those of effects that may be set off in hands.
_OF_HANDS = (3, 4)
#: The timings of a battle before its result is (ygo:battle.d2.2, ygo:battle.d8.1).
_BEFORE_RESULT = frozenset({"damage/1", "damage/2", "damage/3", "damage/4", "damage/6", "damage/7"})


def waiting(p: Position) -> list[Pending]:
    """The effects that wait and whose timing this is; none before a Summon has succeeded.

    What has been set off while a chain is built waits until that is over (ygo:base.missed.1).
    """
    if not p.pending or p.step == "summon/negate":  # ygo:summon.steps.2
        return []
    held = {*PHASED, *(RESULTS if p.step in _BEFORE_RESULT else ())}
    first = since(p)
    return [
        act
        for act in p.waiting()
        if TERMS.effect(p, act.effect).on not in held
        and not 0 < first <= act.id
        and not is_applied(p, act)
    ]


def since(p: Position) -> int:
    """The number of the first effect that was set off while the chain is built; 0: none is."""
    frame = p.frames[-1] if p.frames else None
    first = frame.facts.get("since", 0) if frame is not None and frame.kind == "chain" else 0
    return first if isinstance(first, int) else 0


def of_the_phase(p: Position) -> list[Pending]:
    """The effects that wait because of the phase that it is."""
    found = [act for act in p.waiting() if TERMS.effect(p, act.effect).on in PHASED]
    return [act for act in found if not is_applied(p, act)]


def rank(p: Position, act: Pending) -> int:
    """The class of an effect that waits; a Trap's is one of the first four (reading:ygo/A29)."""
    effect = TERMS.effect(p, act.effect)
    other = act.seat != p.turn_seat
    if effect.on == "flip" or not act.optional:
        quick = uses.QUICK in effect.at and effect.on != "flip"
        return (5 if quick else 1) + other
    return 3 + other


def gather(t: Table) -> Play:
    """Link what has triggered; whether anything was, so that a chain is built now.

    Where nothing is linked, and none is being built, one thing of the phase after the other is
    done, or becomes a link; what it sets off comes first again.
    """
    p = t.pos
    t.mark(hands.MATCH, hands.CLASS, None, "reading:ygo/A28")  # something came in between
    linked = bool(p.frames) and p.frames[-1].kind == "chain"
    while not ((yield from _link_classes(t)) or linked):
        linked = yield from _phase(t)
        if linked is None:
            return False
    go(t, "chain", "ygo:order.limit.1")
    return True


def _link_classes(t: Table) -> Play:
    """Link what waits, class by class, and what hands hold of the third and fourth (`hands`).

    A hand is asked together with what waits of its class, in any order (ygo:order.choice.1), and
    once more where some of that was linked; where nothing comes out of it, what waits is asked for.
    """
    linked, silent = False, set[int]()
    while True:
        found = waiting(t.pos)
        first = min((rank(t.pos, act) for act in found), default=len(CLASSES))
        hand = next((of for of in _OF_HANDS if of <= first and of not in silent), None)
        if hand is not None:
            acted = yield from _ask_hand(t, hand, found)
            linked |= acted
            silent |= set() if acted else {hand}
        elif not found:
            return linked
        elif (yield from link_class(t, found)):
            linked = True
            silent.discard(first)


def _ask_hand(t: Table, of: int, found: Sequence[Pending]) -> Play:
    """Ask a player for an effect of a class, if he may have one in his hand; whether he used one.

    What waits of that class is offered too, to him alone as all of it.
    """
    seat = t.pos.turn_seat if of == _OF_HANDS[0] else t.pos.rival(t.pos.turn_seat)
    if not hands.chance(t, seat):
        return False
    rules = (CLASSES[of], "reading:ygo/A28")
    acts = [act for act in found if rank(t.pos, act) == of]
    t.mark(hands.MATCH, hands.CLASS, of, *rules)
    chosen = yield from t.ask(seat, "hand", partial(_with_hand, acts=acts, seat=seat), *rules)
    if chosen.kind != "use":
        yield from ACTS.carry_out(t, seat, chosen)
    t.mark(hands.MATCH, hands.CLASS, None, *rules)
    if chosen.kind == "use":
        _link(t, _payable(t, _fit(t, acts), []).meant(chosen), chosen.picks, CLASSES[of])
    return chosen.kind != "pass"


def _with_hand(t: Table, acts: Sequence[Pending], seat: int) -> Offer:
    """What may be activated out of a hand, and before it these effects that wait."""
    offer = ACTS.offer("hand", t, seat)
    pools = [*offer.pools]
    waits = _payable(t, _fit(t, acts), pools)
    return Offer((*waits.options, *offer.options), tuple(pools))


def _fit(t: Table, acts: Sequence[Pending]) -> list[Pending]:
    return [act for act in acts if unfit(t, act) is None]


def link_class(t: Table, found: Sequence[Pending]) -> Play:
    """Link one effect of the first class of these; whether one was."""
    ranks = {act.id: rank(t.pos, act) for act in found}
    first = min(ranks.values())
    acts = [act for act in found if ranks[act.id] == first]
    return (yield from _link_one(t, acts, CLASSES[first]))


def _phase(t: Table) -> Play:
    """One effect of the phase becomes a chain, or one thing that needs none is done.

    Whether it was linked; None if there is nothing left. The turn player's come first; a player
    with several chooses the next (reading:ygo/A25). What is done may set effects off, which come
    before the rest of the phase.
    """
    p = t.pos
    yield from come_due(t)
    acts, jobs = of_the_phase(p), due(p)
    seats = {act.seat for act in acts} | {job.seat for _, job in jobs}
    if not seats:
        return None
    seat = p.turn_seat if p.turn_seat in seats else p.rival(p.turn_seat)
    own = [act for act in acts if act.seat == seat]
    mine = [(number, job) for number, job in jobs if job.seat == seat]
    return (yield from _link_one(t, own, "ygo:order.phase.1", mine))


class _Choice(NamedTuple):
    """What may become a link, by the option that is it, and the pools that these share.

    `private`: only their player may know which there are.
    """

    options: dict[Option, Pending]
    pools: list[tuple[Ref, ...]]
    private: bool

    @property
    def must(self) -> bool:
        """Whether one of them has to become a link."""
        return any(not act.optional for act in self.options.values())

    def only(self) -> Pending | None:
        """The one that has to, where there is no other and nothing is picked for it."""
        parts = any(option.parts for option in self.options)
        alone = len(self.options) == 1 and self.must and not parts
        return next(iter(self.options.values())) if alone else None

    def meant(self, chosen: Act) -> Pending:
        """The first of them that an answer stands for."""
        fits = (chosen.card, chosen.effect)
        return next(act for one, act in self.options.items() if (one.card, one.effect) == fits)


def _link_one(
    t: Table,
    acts: Sequence[Pending],
    rule: str,
    jobs: Sequence[tuple[int, Scheduled]] = (),
) -> Play:
    """Link one of these effects, the one that its player says; whether it was linked.

    Beside them stand the `jobs` that are done without a chain.
    """
    choice = _choice(t, acts, rule)
    if not choice.options and not choice.private and _in_any_order(t, jobs):
        if jobs:
            yield from do_scheduled(t, *jobs[0])
        return False
    if not jobs and (only := choice.only()) is not None:
        _link(t, only, (), rule)
        return True
    seat = acts[0].seat if acts else jobs[0][1].seat
    return (yield from _ask_which(t, seat, choice, acts, rule, jobs))


def _ask_which(
    t: Table,
    seat: int,
    choice: _Choice,
    acts: Sequence[Pending],
    rule: str,
    jobs: Sequence[tuple[int, Scheduled]],
) -> Play:
    """Ask a player which comes next, and do that; whether it was linked.

    He may activate none where nothing has to be done.
    """
    due = {_job_option(t, job): (number, job) for number, job in jobs}
    last = () if choice.must or due else (Option("decline"),)
    offer = Offer((*choice.options, *due, *last), tuple(choice.pools))
    order = "ygo:order.phase.2" if jobs else "ygo:order.choice.1"
    chosen = yield from t.ask(seat, "trigger", offer, rule, order, public=not choice.private)
    if chosen.kind == "process":
        yield from do_scheduled(t, *due[Option("process", chosen.card, effect=chosen.effect)])
    elif chosen.kind == "decline":
        _decline(t, acts, rule)
    else:
        _link(t, choice.meant(chosen), chosen.picks, rule)
    return chosen.kind == "use"


def _in_any_order(t: Table, jobs: Sequence[tuple[int, Scheduled]]) -> bool:
    """Whether nobody need say which of these is done first."""
    differ = len({_job_option(t, job) for _, job in jobs}) > 1
    return not differ or all(job.kind == LAPSE for _, job in jobs)


def _job_option(t: Table, job: Scheduled) -> Option:
    return Option("process", _now(t, job), effect=job.effect)


def _decline(t: Table, acts: Sequence[Pending], rule: str) -> None:
    """Their player activates none of these: they wait no longer."""
    for act in acts:
        if act.id in t.pos.pending:
            t.end_act(act.id, "declined", rule)


def _choice(t: Table, acts: Sequence[Pending], rule: str) -> _Choice:
    """What may become a link, of effects that wait.

    What can't become one waits no longer, unless only its player can tell: he declines it.
    """
    fit: list[Pending] = []
    for act in acts:
        if (why := unfit(t, act)) is None:
            fit.append(act)
        else:
            reason, *cites = why
            t.not_done("trigger", act.source, reason, *cites, f"card:{act.effect}")
            t.end_act(act.id, "void", *cites, rule)
    return _payable(t, fit, [])


def _payable(t: Table, acts: Sequence[Pending], pools: list[tuple[Ref, ...]]) -> _Choice:
    """Those of the effects that wait, and can be activated, whose costs their player can pay."""
    options: dict[Option, Pending] = {}
    private = False
    for act in acts:
        run = running(t.pos, act)
        secret = any(costs.in_secret(t.pos, run, cost) for cost in run.effect.cost)
        private |= secret or not t.in_sight(act.source)
        if costs.payable(t.pos, run) is None:
            options.setdefault(_option(t, run, pools), act)
    return _Choice(options, pools, private)


def _now(t: Table, job: Scheduled) -> Ref:
    """The card whose text has scheduled something, where it lies by now, if all can tell."""
    now = t.pos.latest(job.source) if isinstance(job.source, int) else 0
    return now if now and t.in_sight(now) else job.source


def _option(t: Table, run: Running, pools: list[tuple[Ref, ...]]) -> Option:
    """The targets and costs of an effect that waits."""
    parts = [
        Part(part.name, _number(pools, tuple(pool)), part.low, part.high)
        for part, pool in uses.aims(t, run)
    ]
    parts += costs.parts(t.pos, run, len(parts), partial(_number, pools))
    return Option("use", run.this, tuple(parts), run.ref)


def _number(pools: list[tuple[Ref, ...]], pool: tuple[Ref, ...]) -> int:
    """The number of a pool, which all options of an offer share."""
    if pool not in pools:
        pools.append(pool)
    return pools.index(pool)


def _link(t: Table, act: Pending, picks: Sequence[Sequence[Ref]], rule: str) -> None:
    begin_chain(t)
    run = running(t.pos, act)
    split = len(picks) - len([*costs.picked(run.effect)])
    speed = uses.speed(t.pos, run.this, run.effect) if run.this else 1
    others = marked(t.pos, act.id)
    with t.at_once():
        uses.use(t, run)
        costs.pay(t, run, picks[split:])
        t.end_act(act.id, "activated", rule)
        aims = picks[:split]
        number = link(
            t, "trigger", act.source, act.seat, act.effect, aims, speed, as_card=False, x=run.x
        )
        if act.about not in (0, act.source):
            t.mark(f"act/{number}", "about", act.about, rule)
        if others:
            t.mark(f"act/{number}", ALSO, as_marked(others), rule)
