"""Chains: triggered effects become links, players answer, and all is carried out backwards.

`gather` is asked wherever effects may be activated: what has triggered by then is linked first,
class by class, and nothing may cut in (ygo:order.list.1 to ygo:order.limit.1). Then whoever did not
add the latest link is asked whether he answers it, then the other; two passes in a row close the
chain (ygo:chain.build.1 to ygo:chain.build.4). All links are carried out in one go, the latest
first (ygo:chain.resolve.1); used cards leave when that is over (ygo:chain.resolve.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from domain.effects.interpreter import Aims, aimed
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Running
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects.texts import perform
from domain.games.kit.flow.window import Priority, Rules, Window
from domain.games.yugioh.choices import costs, uses
from domain.games.yugioh.choices.activate import BETWEEN, CARD, begin_chain, link
from domain.games.yugioh.choices.acts import ACTS
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.places import leave
from domain.games.yugioh.effects.processes import settle
from domain.games.yugioh.effects.texts import TERMS, TRIGGERS, follow_up
from domain.record.decisions import Offer, Option, Part
from domain.record.position import Pending, Position
from domain.record.values import Ref


def _cause(p: Position, holds: Priority) -> tuple[str, ...]:
    """The opponent of the latest link's player is asked first; only that link is answered."""
    answering = ("ygo:chain.build.3",) if len([*p.declared()]) > 1 else ()
    return ("ygo:chain.build.2" if holds.passes else "ygo:chain.build.1", *answering)


CHAIN = Window(
    kind="chain",
    frame="chain",
    step="chain",
    resolve="chain/resolve",
    least=2,
    follow=follow_up,
    rules=Rules(
        cause=_cause,
        reopens=("ygo:chain.build.3",),
        passes=("ygo:chain.build.2",),
        closes=("ygo:chain.build.4",),
        ends=("ygo:chain.resolve.1",),
    ),
)


def chain_step(t: Table) -> Play:
    """One answer to the latest link, or none."""
    yield from CHAIN.ask_once(t, partial(ACTS.offer, "chain"), ACTS.carry_out)


# -- triggered effects -----------------------------------------------------------------------------

#: The classes in which effects that triggered at one timing are linked, and their rules.
CLASSES = {n: f"ygo:order.list.{n}" for n in range(1, 7)}
#: What waits for the result of the battle (ygo:battle.d2.2, ygo:battle.d8.1).
_HELD = frozenset({"flip"})
_BEFORE_RESULT = frozenset({"damage/1", "damage/2", "damage/3", "damage/4", "damage/7"})


def waiting(p: Position) -> list[Pending]:
    """The effects that wait and whose timing this is."""
    held = _HELD if p.step in _BEFORE_RESULT else frozenset[str]()
    return [act for act in p.waiting() if TERMS.effect(p, act.effect).on not in held]


def rank(p: Position, act: Pending) -> int:
    """The class of an effect that waits; a Trap's is one of the first four (reading A29)."""
    effect = TERMS.effect(p, act.effect)
    other = act.seat != p.turn_seat
    if effect.on == "flip" or not act.optional:
        quick = uses.QUICK in effect.at and effect.on != "flip"
        return (5 if quick else 1) + other
    return 3 + other


def gather(t: Table) -> Play:
    """Link what has triggered; whether anything was, so that a chain is built now."""
    p = t.pos
    linked = bool(p.frames) and p.frames[-1].kind == "chain"
    while found := waiting(p):
        first = min(rank(p, act) for act in found)
        acts = [act for act in found if rank(p, act) == first]
        linked |= yield from _link_one(t, acts, CLASSES[first])
    if linked:
        go(t, "chain", "ygo:order.limit.1")
    return linked


def _link_one(t: Table, acts: Sequence[Pending], rule: str) -> Play:
    """Link one of the effects of a class, the one that its player says; whether it was linked."""
    p, seat = t.pos, acts[0].seat
    options: dict[Option, Pending] = {}
    pools: list[tuple[Ref, ...]] = []
    for act in acts:
        option = _option(t, act, pools)
        if option is None:
            t.not_done("trigger", act.source, "no target", "ygo:base.cost.1", rule)
            t.end_act(act.id, "void", "ygo:base.cost.1", rule)
        else:
            options.setdefault(option, act)
    if not options:
        return False
    must = any(not act.optional for act in options.values())
    if must and len(options) == 1 and not next(iter(options)).parts:
        _link(t, next(iter(options.values())), (), rule)
        return True
    offer = Offer((*options, *(() if must else (Option("decline"),))), tuple(pools))
    public = all(t.in_sight(act.source) for act in acts)
    chosen = yield from t.ask(seat, "trigger", offer, rule, "ygo:order.choice.1", public=public)
    if chosen.kind == "decline":
        for act in acts:
            if act.id in p.pending:
                t.end_act(act.id, "declined", rule)
        return False
    act = next(
        one for option, one in options.items()
        if (option.card, option.effect) == (chosen.card, chosen.effect)
    )  # fmt: skip
    _link(t, act, chosen.picks, rule)
    return True


def _option(t: Table, act: Pending, pools: list[tuple[Ref, ...]]) -> Option | None:
    """What a player names and pays for an effect that waits; None where he can't."""
    run = _running(t.pos, act)
    if costs.payable(t.pos, run) is not None:
        return None
    parts: list[Part] = []
    for part, pool in uses.aims(t, run):
        if len(pool) < part.low:
            return None
        parts.append(_part(part, tuple(pool), pools))
    for cost in costs.picked(run.effect):
        found = tuple(costs.pool(t.pos, run, cost))
        parts.append(_part(Part("cost", 0, cost.n, cost.n), found, pools))
    return Option("use", act.source, tuple(parts), act.effect)


def _part(part: Part, pool: tuple[Ref, ...], pools: list[tuple[Ref, ...]]) -> Part:
    if pool not in pools:
        pools.append(pool)
    return Part(part.name, pools.index(pool), part.low, part.high)


def _link(t: Table, act: Pending, picks: Sequence[Sequence[Ref]], rule: str) -> None:
    begin_chain(t)
    run = _running(t.pos, act)
    split = len(picks) - len([*costs.picked(run.effect)])
    speed = uses.speed(t.pos, run.this, run.effect) if run.this else 1
    with t.at_once():
        costs.pay(t, run, picks[split:])
        t.end_act(act.id, "activated", rule)
        number = link(t, "trigger", act.source, act.seat, act.effect, picks[:split], speed, False)
        if act.about not in (0, act.source):
            t.mark(f"act/{number}", "about", act.about, rule)


# -- carrying out ----------------------------------------------------------------------------------


def resolve_step(t: Table) -> Play:
    """All links, from the latest down; then what was used goes, and what missed its timing."""
    p = t.pos
    t.happened = 0  # it is this chain that effects miss their timing by
    while (act := CHAIN.latest(p)) is not None:
        yield from resolve_link(t, act)
        yield from settle(t)
    TRIGGERS.drop_missed(t)
    sweep(t)
    yield from settle(t)
    frame = CHAIN.frame_of(p)
    back = frame.facts["back"]
    assert isinstance(back, str)
    t.close_frame(frame.id, *CHAIN.rules.ends)
    go(t, back, "ygo:base.step.2")


def resolve_link(t: Table, act: Pending) -> Play:
    """One link is carried out."""
    p, run = t.pos, _running(t.pos, act)
    gone = act.mode == CARD and not p.present(act.source)
    if gone and not figures.used_up(figures.print_of(p, run.this)):
        t.end_act(act.id, "void", "ygo:base.spell.3")
    elif not act.effect:
        t.resolve(act.id, "ygo:chain.resolve.1")
        t.end_act(act.id, "resolved", "ygo:base.spell.3")
    else:
        yield from perform(
            t, TERMS, run, "ygo:chain.resolve.1", done="ygo:chain.resolve.1",
            void="ygo:base.target.1", aims=_aims(t, act, run.effect),
        )  # fmt: skip
    t.mark(f"act/{act.id}", "about", None, "ygo:chain.resolve.1")


def sweep(t: Table) -> None:
    """Used Spells and Traps go to the Graveyard together (ygo:chain.resolve.2)."""
    p = t.pos
    used = [
        number
        for seat in (p.turn_seat, p.rival(p.turn_seat))
        for number in p.zone("spell", seat)
        if p.cards[number].up
        and figures.used_up(figures.print_of(p, number))
        and not p.mark(number, "stays")
    ]
    leave(t, used, "grave", "used", "ygo:chain.resolve.2")


def _running(p: Position, act: Pending) -> Running:
    """A link, or an effect that waits, as something that is carried out."""
    this = act.source if isinstance(act.source, int) else 0
    about = p.mark(f"act/{act.id}", "about") or act.about
    assert isinstance(about, int | str)
    return Running(act.id, act.effect, uses.effect_of(p, act.effect), this, act.seat, about)


def _aims(t: Table, act: Pending, effect: Effect) -> Aims:
    """The targets of a link, back with the clauses they were named for."""
    groups: list[list[int]] = [[]]
    for ref in act.targets:
        if ref == BETWEEN:
            groups.append([])
        elif isinstance(ref, int):
            groups[-1].append(ref)
    parts = list(aimed(t, TERMS, effect.do))
    groups += [[] for _ in parts]  # an activation against the rules may have named none
    return dict(zip(parts, groups, strict=False))
