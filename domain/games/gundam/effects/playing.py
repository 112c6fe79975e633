"""What texts play: cards that are deployed for their cost, Pilots, command effects (1.9).

What the instructions say is in `lists.playing`; the procedures of playing are in `choices.play`.
"""

from __future__ import annotations

from domain.effects.foresight.able import conditions_hold, needs_target
from domain.effects.instructions.doing import short
from domain.effects.instructions.ways import Perform
from domain.effects.language.vocabulary import Clause
from domain.effects.select import NOTHING, Done, Running, Terms, members, sibling
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.games.gundam.choices import play
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.occurrences import OCCURRENCES
from domain.games.gundam.effects.prices import price
from domain.games.gundam.effects.texts import PRINTED, can_come, perform
from domain.games.gundam.lists import playing
from domain.games.kit.effects.texts import meant
from domain.record.decisions import Act
from domain.record.position import Position, zone_of
from domain.record.values import EVERYONE

#: A Command's effect begins, is over: the occurrences.
ACTIVATED, CARRIED_OUT = "command-activated", "carried-out"


def pay_by_text(t: Table, run: Running, n: int) -> Play:
    """Have a player pay `n` with active Resources that he picks; whether he could (2-9-1)."""
    there = play.payable(t.pos, run.seat)
    if len(there) < n:
        t.not_done("pay", run.this, "impossible", "gcg:2-9-1", run.text, asked=n, done=0)
        return False
    if n:
        paid = yield from pick(
            t, run.seat, "target", there, n, "gcg:2-9-1", run.text,
            act="choose", part="pay", card=run.this, about=run.this, public=True,
        )  # fmt: skip
        play.pay(t, run.seat, paid, run.text)
    return True


def enough(p: Position, run: Running, c: Clause, numbers: list[int]) -> bool:
    """Whether there are as many active Resources as a text has its player pay."""
    costs = [price(PRINTED, p, number, played=False).cost for number in numbers]
    n = sum(costs) if isinstance(c, playing.Play) else run.amount(c)
    return len(play.payable(p, run.seat)) >= n


def pay(c: playing.Pay, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """What a text has its player pay."""
    n = run.amount(c)
    if n <= 0:
        short(t, terms, run, c, run.this, n, 0)
        return NOTHING
    return Done(1, int((yield from pay_by_text(t, run, n))))


def deploy_for_cost(
    c: playing.Play, t: Table, terms: Terms, run: Running, numbers: list[int]
) -> Play:
    """Each card is paid for and deployed, one after the other; its Lv is not asked for."""
    done = 0
    for number in numbers:
        if not t.pos.present(number):
            continue
        now = price(PRINTED, t.pos, number, played=False)
        if (yield from pay_by_text(t, run, now.cost)) and t.pos.present(number):
            cites, orient = (*now.texts, run.text), c.orient or "active"
            yield from play.deploy(t, [number], run.seat, "deploy", *cites, orient=orient)
            done += 1
    return Done(len(numbers), done)


def pair_with(
    c: playing.PairWith, t: Table, terms: Terms, run: Running, numbers: list[int]
) -> Play:
    """The card of the text, or another, comes beneath the Unit, if it is one that can be paired."""
    if not numbers:
        return NOTHING
    p = t.pos
    riders = run.itself(p) if c.rider is None else members(terms, p, c.rider, run)
    able = [n for n in riders if p.cards[n].seen == EVERYONE and can_come(p, n, "pair")]
    if not able:
        t.not_done("pair-with", run.this, "impossible", "gcg:1-3-2", run.text)
        return Done(1, 0)
    yield from play.pair(t, able[0], numbers[0], "gcg:6-5-2-3-1", run.text)
    return Done(1, 1)


def paired_command(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The command effect of the card paired with this Unit (1.9: 3-4-6-3-1)."""
    pilot = figures.pilot_of(t.pos, run.this) if t.pos.present(run.this) else 0
    return (yield from _activate(c, t, terms, run, pilot))


def command_text(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The command effects of cards, which stay where they are."""
    done = Done(len(numbers), 0)
    for number in numbers:
        one = yield from _activate(c, t, terms, run, number)
        done = Done(done.asked, done.done + one.done)
        if one.done and t.pos.present(number) and zone_of(t.pos.cards[number].place) == "trash":
            OCCURRENCES.occurred(t, CARRIED_OUT, number)
    return done


def own_effect(c: Perform, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Another effect of a card: its command effect is activated as one, by a Burst as well (1.9).

    So the answers say on texts that activate it elsewhere (Q381, Q397).
    """
    inner = terms.effect(t.pos, sibling(run, c))
    if inner.kind == "command" and not c.lacking(t, terms, run, inner):
        OCCURRENCES.occurred(t, ACTIVATED, run.this)
    return (yield from c.carry_out(t, terms, run, numbers))


def _activate(c: Clause, t: Table, terms: Terms, run: Running, number: int) -> Play:
    """As a Command's: nothing is played or paid, and no rule moves the card (1.9: 3-4-6-3-1).

    Without what it needs it is not activated (reading:gcg@1.9/15).
    """
    texts = figures.own_effects(t.pos, number) if number else ()
    fitting = [one for one in texts if c.key in one[1].at]
    way = meant(fitting, "command", Act("command", number), run.seat)
    lacking: tuple[str, ...] = ()
    if way is None:
        lacking = ("impossible",)
    elif not conditions_hold(t, terms, way, way.effect):
        lacking = ("condition", "gcg:9-2-1")
    elif needs_target(t, terms, way, way.effect.do):
        lacking = ("no target", "gcg:9-2-2")
    if way is None or lacking:
        t.not_done(c.do, run.this, *lacking, "reading:gcg@1.9/15", run.text)
        return Done(1, 0)
    rule = "gcg@1.9:3-4-6-3-1"
    way.act = t.declare("command", number, run.seat, rule, run.text, effect=way.ref)
    yield from perform(t, t.pos.pending[way.act], way)
    return Done(1, 1)
