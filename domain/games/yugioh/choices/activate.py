"""Activating: a card is shown, everything is named and paid, and a link is added to a chain.

That is one decision, offered only if it can be completed. When links are asked for, and when they
are carried out, is in `flow.chain`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.rulebook import go
from domain.engine.table import Table
from domain.games.kit.effects.texts import in_a_row
from domain.games.yugioh.choices import costs, uses
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.field.places import alone, hold, make_way
from domain.games.yugioh.effects.figures import base as base
from domain.games.yugioh.effects.figures import phase as phase
from domain.games.yugioh.effects.processes import last_damage
from domain.games.yugioh.effects.summons import methods
from domain.games.yugioh.effects.texts import ALSO, CARD, as_marked
from domain.games.yugioh.effects.waiting import hands
from domain.games.yugioh.effects.waiting.timing import also, answered
from domain.games.yugioh.lists.words import HURTING
from domain.record.decisions import Act
from domain.record.position import zone_of
from domain.record.values import Ref

#: Where play goes on once a chain is over, by the step that it began in; if not there, then there.
#: That is a window wherever anything may be activated: the turn player has priority again, then his
#: opponent (ygo:base.step.2).
BACK = {
    "main1": "main1/fast",
    "main1/to-battle": "main1/fast",
    "main1/to-end": "main1/fast",
    "main2": "main2/fast",
    "main2/to-end": "main2/fast",
    "battle": "battle/fast",
    "battle/close": "battle/fast",
    "damage/3": "damage/4",
    "summon/negate": "summon/success",
    "end/hand": "end/close",
    "end/turn": "end/close",
}


def begin_chain(t: Table) -> None:
    """Open the frame of a chain, unless one is being built already (ygo:chain.build.1).

    What is activated after a Summon has succeeded is all that answers it.
    """
    p = t.pos
    if p.frames and p.frames[-1].kind == "chain":
        return
    back = BACK.get(p.step, p.step)
    if p.step == "summon/done":
        back = f"{phase(p)}/fast"
        t.close_frame(p.frames[-1].id, *methods.rules(p).answered)
    t.open_frame("chain", "ygo:chain.build.1", back=back, since=p.next_act)


def activate(t: Table, seat: int, act: Act) -> None:
    """A player activates a card or a text of one."""
    number = act.card
    assert isinstance(number, int)
    begin_chain(t)
    run = uses.running(t.pos, seat, number, act.effect)
    as_card, speed = uses.playing(t.pos, number), uses.speed(t.pos, number, run.effect)
    split = len(act.picks) - len([*costs.picked(run.effect)])
    about, others = answered(t, run), also(t, run)
    with t.at_once():
        uses.use(t, run)
        if as_card:
            run.this = show(t, seat, number)
        elif zone_of(t.pos.cards[number].place) == "hand":
            text = (run.text,) if act.effect else ()  # none: it is activated against the rules
            (run.this,) = t.reveal([number], "reveal", "reading:ygo/A28", *text)
        costs.pay(t, run, act.picks[split:])
        aims = act.picks[:split]
        added = link(t, "activate", run.this, seat, act.effect, aims, speed, as_card, run.x)
        if about:
            t.mark(f"act/{added}", "about", about, "ygo:main1.effect.1", run.text)
        if others:
            t.mark(f"act/{added}", ALSO, as_marked(others), "ygo:main1.effect.1", run.text)
        if run.effect.on in HURTING and (kind := last_damage(t.pos, seat)[0]):
            t.mark(f"act/{added}", kind, run.x, "ygo:main1.effect.1", run.text)
    if t.pos.step != "chain" and not hands.asked(t.pos):  # where classes are linked, more may come
        go(t, "chain", "ygo:chain.build.1")


def show(t: Table, seat: int, number: int) -> int:
    """A Spell or Trap Card is turned up, or comes from the hand to its zone; its number there."""
    p = t.pos
    print_ = figures.facts(p, number)
    if zone_of(p.cards[number].place) != "hand":
        t.turn([number], "ygo:base.set.1", up=True)
        now = number
    elif figures.goes_to_field_zone(print_):
        make_way(t, seat)
        (now,) = t.move([number], f"field/{seat}", "activate", "ygo:base.spell.1", up=True)
    else:
        rule = (
            "ygo:base.spell.1" if uses.speed(p, number, uses.NOTHING) == 1 else "ygo:turn.window.2"
        )
        (now,) = t.move([number], f"spell/{seat}", "activate", rule, "ygo:base.zone.2", up=True)
        hold(t, now, "spell")
    if figures.goes_to_field_zone(print_):
        alone(t, seat)
    return now


_SPEEDS = {1: "ygo:base.speed.1", 2: "ygo:base.speed.2", 3: "ygo:base.speed.3"}


def link(
    t: Table,
    kind: str,
    source: Ref,
    seat: int,
    ref: str,
    targets: Sequence[Sequence[Ref]],
    speed: int,
    as_card: bool,
    x: int = 0,
) -> int:
    """Add a link to the chain; its id."""
    named = ("ygo:base.cost.1",) if any(targets) else ()
    text = (*uses.effect_of(t.pos, ref).cites, f"card:{ref}") if ref else ()
    return t.declare(
        kind, source, seat, _SPEEDS[speed], *named, *text,
        effect=ref, targets=in_a_row(targets), x=x, speed=speed, mode=CARD if as_card else "",
    )  # fmt: skip
