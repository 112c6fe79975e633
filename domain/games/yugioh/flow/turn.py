"""The turn: its six phases, and the windows before each of them closes (`TURN`).

Windows are in `windows`, Summons in `summons`, the Battle Step in `battle`, the Damage Step in
`damage`, chains in `chain`; this table puts them together and says what follows what.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from domain.effects.constant import players
from domain.engine import timekeeping
from domain.engine.rulebook import go
from domain.engine.series import Loss, defeat
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.games.kit.flow.steps import Stage, Steps
from domain.games.kit.flow.window import Window
from domain.games.kit.zones.hand import draw
from domain.games.yugioh.choices.acts import ACTS
from domain.games.yugioh.effects import rules
from domain.games.yugioh.effects.field.places import send
from domain.games.yugioh.effects.processes import settle
from domain.games.yugioh.effects.texts import TERMS, TRIGGERS
from domain.games.yugioh.effects.waiting.lately import answerable, forget
from domain.games.yugioh.flow import battle, damage, summons
from domain.games.yugioh.flow.chain import chain_step, resolve_step
from domain.games.yugioh.flow.gathering import gather
from domain.games.yugioh.flow.schedules import drop_idle, run_out
from domain.games.yugioh.flow.windows import FAST, LAST
from domain.games.yugioh.lists.formats import chosen
from domain.games.yugioh.lists.words import COUNT
from domain.record.decisions import Offer, Option
from domain.record.position import Position

HAND_LIMIT = 6
Step = Callable[[Table], Play]


#: What follows a phase that is skipped.
NEXT = {"draw": "standby", "standby": "main1", "main1": "standby/skipped", "main2": "end"}
PHASE_RULES = {
    "draw": ("ygo:draw.phase.1", "ygo:turn.phase.1"),
    "standby": ("ygo:standby.phase.1",),
    "main1": ("ygo:main1.phase.1",),
    "main2": ("ygo:main2.phase.2",),
    "end": ("ygo:end.phase.1",),
    "standby/skipped": ("ygo:main1.skip.1",),
}


def begin_turn(t: Table, seat: int, *cites: str) -> None:
    """A turn begins, with its Draw Phase; what players have done in the last one counts no more."""
    for either in (0, 1):
        t.mark(f"seat/{either}", COUNT, None, *cites)
    timekeeping.begin_turn(t, seat, *cites)
    enter(t, "draw")


def enter(t: Table, phase: str, *cites: str) -> None:
    """Enter a phase, or what follows it, if a text has it skipped."""
    while skipped(t, phase):
        phase = NEXT[phase]
    go(t, phase, *PHASE_RULES[phase], *cites)


def skipped(t: Table, phase: str) -> bool:
    """Whether the turn player skips a phase now; then he has done so."""
    seat = f"seat/{t.pos.turn_seat}"
    text = t.pos.mark(seat, f"skip:{phase}")
    if not text:
        return False
    t.not_done(phase, seat, "skipped", "ygo:golden.card.1", str(text))
    t.mark(seat, f"skip:{phase}", None, "ygo:golden.card.1", str(text))
    return True


def to_phase(phase: str) -> Callable[[Table], None]:
    """The next step is this phase."""
    return lambda t: enter(t, phase, "ygo:base.step.1")


def without_battle(t: Table) -> None:
    """From Main Phase 1 to the End Phase; a Battle Phase that was to be skipped is, with that.

    The very first turn has none.
    """
    if t.pos.turn > 1:
        skipped(t, "battle")
    enter(t, "end", "ygo:turn.phase.2", "ygo:base.step.1")


def after_standby(t: Table) -> Play:
    """Without a Main Phase 1 the turn player goes to the Battle Phase or to the End Phase."""
    seat = t.pos.turn_seat
    if t.pos.turn > 1 and skipped(t, "battle"):
        go(t, "end", "ygo:end.phase.1")
        return
    options = (Option("to-battle"), Option("to-end"))
    barred = t.pos.turn == 1 or rules.forbidden(TERMS, t.pos, seat, "battle-phase")
    offer = Offer(options[1:] if barred else options)
    act = yield from t.ask(seat, "skipped", offer, "ygo:main1.skip.1", public=True)
    if act.kind == "to-battle":
        go(t, "battle/start", "ygo:main1.skip.1")
    else:
        go(t, "end", "ygo:main1.skip.1")


def window(
    then: Callable[[Table], Play | None],
    kind: Window = FAST,
    before: Step | None = None,
    opens: Callable[[Position], bool] = lambda p: True,
) -> Step:
    """A step in which players may activate fast effects; once it has closed, `then` is done.

    Each time that the window opens the rules settle (in a Damage Step its timings say when), and
    then comes `before`; if that leads elsewhere nobody is asked. Nor is anybody where the window
    does not open (`opens`).
    """

    def step(t: Table) -> Play:
        if not t.pos.step.startswith("damage"):
            yield from settle(t)
        if before is not None and (yield from before(t)):
            return
        if (yield from gather(t)):
            return
        offer = partial(ACTS.offer, "window")
        if not opens(t.pos) or (yield from kind.ask_until_closed(t, offer, ACTS.carry_out)):
            forget(t)
            leads = then(t)
            if leads is not None:
                yield from leads

    return step


def to(step: str, *cites: str) -> Callable[[Table], None]:
    """The next step is this one."""
    return lambda t: go(t, step, *cites, "ygo:base.step.1")


# -- the phases ------------------------------------------------------------------------------------


def draw_one(t: Table) -> None:
    """The turn player draws, in turn 1 by the format; who has no card to draw has lost."""
    seat = t.pos.turn_seat
    if t.pos.turn == 1 and not chosen(t.pos.heading.options).first_draw:
        return
    first = ("ygo:base.setup.4", "reading:ygo/A11") if t.pos.turn == 1 else ()
    if not draw(t, seat, "deck", 1, "ygo:draw.phase.2", "ygo:draw.phase.1", *first):
        defeat(t, Loss((seat,), "deck", ("ygo:base.loss.2",)))
    TRIGGERS.time(t, "drawn")


def main_step(t: Table) -> Play:
    """One act of the turn player in a Main Phase, with figures as the last has left them."""
    yield from settle(t)
    if not (yield from gather(t)):
        rule = "ygo:main1.phase.2" if t.pos.step == "main1" else "ygo:main2.phase.1"
        yield from ACTS.ask(t, t.pos.turn_seat, "main", rule, "ygo:base.open.1")


def adjust_hand(t: Table) -> Play:
    """The turn player discards down to six, all at once (reading:ygo/A26: again after a chain)."""
    seat = t.pos.turn_seat
    hand = t.pos.zone("hand", seat)
    over = len(hand) - players.limit(t.pos, seat, "hand-limit", HAND_LIMIT)
    if over > 0:
        rules = ("ygo:end.hand.1", "ygo:end.hand.2")
        cards = yield from pick(t, seat, "discard", hand, over, *rules)
        send(t, cards, "grave", "hand limit", "ygo:end.hand.1", "ygo:end.hand.3")
        yield from TRIGGERS.follow_up(t)
    if not (yield from gather(t)):
        go(t, "end/turn", "ygo:end.phase.1")


def leave_battle(t: Table) -> Play:
    """Effects for this Battle Phase end, and Main Phase 2 begins."""
    yield from run_out(t, "battle-phase", "ygo:battle.end-step.1")
    if not (yield from gather(t)):
        enter(t, "main2", "ygo:base.step.1")


def end_turn(t: Table) -> Play:
    """Effects for this turn end, and the other player's turn begins."""
    for when in ("battle-phase", "turn"):
        yield from run_out(t, when, "ygo:end.phase.2")
    if (yield from gather(t)):
        return  # and the hand is looked at again (reading:ygo/A26)
    drop_idle(t, "ygo:effect.oath.1")
    begin_turn(t, t.pos.rival(t.pos.turn_seat), "ygo:turn.order.2")


# -- the table -------------------------------------------------------------------------------------


def _round(do: Callable[[Table], Play | None]) -> Stage:
    """A step that says itself what follows."""
    return Stage(do, round=True)


TURN = Steps(
    TRIGGERS,
    {
        "draw": Stage(draw_one, "draw/close", ("ygo:turn.window.1",)),
        "draw/close": _round(window(to_phase("standby"))),
        "standby": Stage(begins="standby", then="standby/close", cites=("ygo:turn.window.1",)),
        "standby/close": _round(window(to_phase("main1"))),
        "standby/skipped": _round(after_standby),
        "main1": _round(main_step),
        "main1/fast": _round(window(to("main1", "ygo:main1.phase.2"))),
        "main1/to-battle": _round(window(to("battle/start", "ygo:battle.start-step.1"), LAST)),
        "main1/to-end": _round(window(without_battle, LAST)),
        "battle/start": _round(
            window(to("battle", "ygo:battle.battle-step.1"), before=battle.start)
        ),
        "battle": _round(battle.battle_step),
        "battle/fast": _round(
            window(to("battle", "ygo:battle.battle-step.1"), before=battle.ended)
        ),
        "battle/response": _round(
            window(to("damage/1", "ygo:battle.battle-step.5"), before=battle.before_response)
        ),
        "battle/close": _round(window(to("battle/end", "ygo:battle.end-step.1"), LAST)),
        "battle/end": _round(window(leave_battle, before=battle.end_step)),
        "damage/1": _round(window(to("damage/2", "ygo:battle.d2.1"), before=damage.begin)),
        "damage/2": _round(window(to("damage/3", "ygo:battle.d3.1"), before=damage.flip)),
        "damage/3": _round(window(to("damage/4", "ygo:battle.d4.1"), before=damage.calculating)),
        "damage/4": _round(damage.calculate),
        "damage/6": _round(damage.after_calculation),
        "damage/7": _round(window(to("damage/8", "ygo:battle.d8.1"), opens=answerable)),
        "damage/8": _round(
            window(to("damage/9", "ygo:battle.d9.1"), before=damage.result, opens=answerable)
        ),
        "damage/9": _round(window(damage.fought, before=damage.end, opens=answerable)),
        "main2": _round(main_step),
        "main2/fast": _round(window(to("main2", "ygo:main2.phase.1"))),
        "main2/to-end": _round(window(to("end", "ygo:end.phase.1"), LAST)),
        "end": Stage(begins="end", then="end/close", cites=("ygo:turn.window.1",)),
        "end/close": _round(window(to("end/hand", "ygo:end.hand.1"))),
        "end/hand": _round(adjust_hand),
        "end/turn": _round(end_turn),
        "summon/negate": _round(window(summons.decided)),
        "summon/success": _round(summons.success),
        "summon/done": _round(window(summons.finish)),
        "chain": _round(chain_step),
        "chain/resolve": _round(resolve_step),
    },
)
