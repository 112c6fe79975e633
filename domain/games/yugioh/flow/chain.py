"""Chains: players answer a link or pass, and all is carried out backwards.

The player who did not add the latest link is asked whether he answers it, then the other; two
passes in a row close the chain (ygo:chain.build.1 to ygo:chain.build.4). All links are carried out
in one go, the latest first (ygo:chain.resolve.1); used cards leave when that is over
(ygo:chain.resolve.2). Before anybody is asked, triggered texts that have to answer the latest link
become links (`answer`): those that say `quick`, once a chain, the turn player's first
(ygo:order.list.5, ygo:order.list.6). How other triggered effects become links is in `gathering`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from domain.effects.conditions import all_hold
from domain.effects.constant.calculator import barring, texts
from domain.effects.constant.silence import silencing
from domain.effects.select import Running
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects import negation
from domain.games.kit.effects.texts import BETWEEN, by_clause, perform
from domain.games.kit.flow.window import Priority, Rules, Window
from domain.games.yugioh.choices.acts import ACTS
from domain.games.yugioh.choices.summons.summoning import decided_by
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.attributes import targeted
from domain.games.yugioh.effects.field.places import leave
from domain.games.yugioh.effects.instructions import NEGATION
from domain.games.yugioh.effects.processes import DAMAGE, settle
from domain.games.yugioh.effects.texts import ALSO, CARD, TERMS, TRIGGERS, answers_links, follow_up
from domain.games.yugioh.effects.waiting.lately import forget
from domain.games.yugioh.effects.waiting.timing import answered
from domain.games.yugioh.flow.gathering import link_class
from domain.games.yugioh.flow.queued import running
from domain.games.yugioh.lists.words import PARTING
from domain.record.position import Modifier, Pending, Position
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


#: By which rule play goes on where a chain leads back to, where that is not as after any other.
RETURNS = {
    "damage/1": "ygo:battle.d1.3",
    "damage/2": "ygo:battle.d2.4",
    "damage/4": "ygo:battle.d3.1",
}


def chain_step(t: Table) -> Play:
    """One answer to the latest link, or none; first what has to answer it.

    What was paid may have cost a player all.
    """
    yield from settle(t)
    if not CHAIN.priority(t.pos).passes:
        yield from answer(t)
    yield from CHAIN.ask_once(t, partial(ACTS.offer, "chain"), ACTS.carry_out)


# -- carrying out ----------------------------------------------------------------------------------


def resolve_step(t: Table) -> Play:
    """All links, from the latest down; then what was used goes, and what missed its timing."""
    p = t.pos
    TRIGGERS.overtake(t, "ygo:chain.resolve.6")
    t.running.happened = 0  # it is this chain that effects miss their timing by
    forget(t)
    while (act := CHAIN.latest(p)) is not None:
        yield from resolve_link(t, act)
        yield from settle(t)
    forget(t, t.running.happened)
    TRIGGERS.drop_missed(t)
    sweep(t)
    yield from settle(t)
    frame = CHAIN.frame_of(p)
    back = frame.facts["back"]
    assert isinstance(back, str)
    t.close_frame(frame.id, *CHAIN.rules.ends)
    if back == "summon/success":
        go(t, back, *decided_by(p))
    else:
        go(t, back, RETURNS.get(back, "ygo:base.step.2"))


def resolve_link(t: Table, act: Pending) -> Play:
    """One link is carried out."""
    p, run = t.pos, running(t.pos, act)
    silenced = negated_by(p, act, run)
    if negation.ended(t, act, NEGATION):
        pass
    elif silenced:
        t.end_act(act.id, "effect negated", "ygo:negate.activate.1", *texts(silenced))
    elif _gone(p, act, run):
        t.end_act(act.id, "void", "ygo:base.spell.3")
    elif not act.effect:
        t.resolve(act.id, "ygo:chain.resolve.1")
        t.end_act(act.id, "resolved", "ygo:base.spell.3")
    else:
        yield from perform(
            t, TERMS, run, "ygo:chain.resolve.1", done="ygo:chain.resolve.1",
            void="ygo:base.target.1", aims=by_clause(t, TERMS, act, run.effect),
        )  # fmt: skip
    for ref in act.targets:
        if isinstance(ref, int) and ref != BETWEEN:
            targeted(t, ref, "ygo:chain.resolve.1")
    for key in ("about", ALSO, *DAMAGE):
        t.mark(f"act/{act.id}", key, None, "ygo:chain.resolve.1")


def _gone(p: Position, act: Pending, run: Running) -> bool:
    """Whether it is a Spell's or Trap's that would have to lie there still (ygo:base.spell.3)."""
    if not (p.present(run.this) or run.this in p.departed):
        return False  # a shuffle has hidden it: it was in a hand
    print_ = figures.print_of(p, run.this)
    if print_.type == "monster" or figures.used_up(print_):
        return False
    if act.mode != CARD:  # an effect that does not act from there, or that its card was paid for
        itself = any(cost.do.endswith("-this") for cost in run.effect.cost)
        if itself or run.effect.zone or run.effect.on in PARTING:
            return False
    return not figures.on_field(p, run.this) or not p.cards[run.this].up


def negated_by(p: Position, act: Pending, run: Running) -> list[Modifier]:
    """The texts that negate an effect as its turn comes, where its card lies face up then.

    One that has left as the cost of its own effect is out of the reach of those that speak of the
    field (ygo:card.skill-drain.3). Some cards negate what targets them, wherever that comes from.
    """
    number = run.this
    if not act.effect or not (p.present(number) or number in p.departed):
        return []
    found = [one for ref in act.targets for one in _repelling(p, ref, number)]
    if p.present(number) and p.cards[number].up:
        found += silencing(TERMS, p, number, act.effect, run.effect.kind)
    return found


def _repelling(p: Position, target: Ref, by: int) -> Iterator[Modifier]:
    """The texts by which a card on the field negates an effect that targets it."""
    if isinstance(target, int) and figures.on_field(p, target) and p.cards[target].up:
        yield from barring(TERMS, p, target, "aimed", by)


def sweep(t: Table) -> None:
    """Used Spells and Traps go to the Graveyard together (ygo:chain.resolve.2).

    So does what lies there still though its activation was negated (reading:ygo/A35).
    """
    p = t.pos
    up = [
        number
        for seat in (p.turn_seat, p.rival(p.turn_seat))
        for number in (*p.zone("spell", seat), *p.zone("field", seat))
        if p.cards[number].up
    ]
    undone = [n for n in up if p.mark(n, figures.UNDONE)]
    used = [n for n in up if figures.used_up(figures.print_of(p, n)) and not p.mark(n, "stays")]
    going = [number for number in up if number in used or number in undone]
    by = ("reading:ygo/A35",) if undone else ()
    leave(t, going, "grave", "used", "ygo:chain.resolve.2", *by)


def answer(t: Table) -> Play:
    """Link what has to answer the latest link, until nothing has to."""
    _set_off(t)
    while found := _waiting(t.pos):
        if (yield from link_class(t, found)):
            for act in _waiting(t.pos):  # it is another link that they would answer now
                t.end_act(act.id, "void", "ygo:chain.build.3")
            _set_off(t)


def _waiting(p: Position) -> list[Pending]:
    return [act for act in p.waiting() if answers_links(TERMS.effect(p, act.effect))]


def _set_off(t: Table) -> None:
    """The texts that have to answer the latest link trigger, but those that have in this chain."""
    p = t.pos
    linked = {(act.source, act.effect) for act in p.declared()}
    for run in [*_able(t)]:
        about = answered(t, run)
        if about is not None and (run.this, run.ref) not in linked:
            t.trigger(
                run.ref, run.this, run.seat, p.seq, *TRIGGERS.book.cites(p, run.ref, run.effect),
                optional=False, about=about,
            )  # fmt: skip


def _able(t: Table) -> Iterator[Running]:
    p = t.pos
    for number in TERMS.workplaces(p):
        for ref, effect in TERMS.effects(p, number):
            if answers_links(effect):
                run = Running(0, ref, effect, number, p.cards[number].controller, 0)
                if all_hold(TERMS, p, effect.when, run):
                    yield run
