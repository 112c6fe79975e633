"""When anything may be done: whose turn, which step, what waits, what is asked first.

Checks that the table of acts asks before those of `legal`, which look at the card. Why a waiting
effect is not the next one to be resolved follows 9-1-6-5 to 9-1-6-8, as `effects` takes them.
"""

from __future__ import annotations

from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.gundam.editions import settings
from domain.games.gundam.effects.texts import follow_up, is_burst
from domain.games.kit.choices.legality import Check, asked, at, refuse
from domain.games.kit.flow.window import Cites, Priority, Rules, Window, turn_rival
from domain.record.decisions import Act
from domain.record.position import Pending, Position
from domain.record.values import EVERYONE

#: Decisions that are no part of carrying something out.
_OPEN = ("main", "action", "block", "redraw", "turn-order")
#: What keeps an act of the Main Phase from being done while a Unit attacks.
AMID = {
    "support": ("gcg:11-2-1-1-1", "reading:gcg/14"),
    "deploy": ("gcg:7-2", "reading:gcg/13"),
    "pair": ("gcg:7-2", "reading:gcg/13"),
}


def nothing_waits(t: Table, seat: int, act: Act) -> Refusal | None:
    """No effect is to be resolved first (6-5-1, 6-1-3), and no room to be made (10-4-2)."""
    p = t.pos
    kind = p.decision.kind if p.decision is not None else ""
    if kind == "excess":
        return refuse(
            "space has to be made first: {asked}", "gcg:10-4-2", "gcg:6-5-1", asked=asked(t)
        )
    surplus = kind == "discard" and p.step == "end/hand" and not p.pending
    if (kind and kind not in _OPEN and not surplus) or any(True for _ in p.waiting()):
        later = why.rules if (why := _own_later(t, seat)) else ()
        there = ("reading:gcg/12",) if in_action_step(p) else ()
        text = "an effect is to be resolved first: {asked}"
        return refuse(text, "gcg:6-5-1", "gcg:6-1-3", *there, *later, asked=asked(t))
    return None


def idle(t: Table, seat: int, act: Act) -> Refusal | None:
    """Between acts, where a step comes round to the same question (see `action`)."""
    p = t.pos
    if not p.turn or p.decision is None or p.decision.kind not in ("main", "action", "block"):
        return refuse("something else is asked: {asked}", "gcg:6-5-1", "gcg:6-1-3", asked=asked(t))
    return nothing_waits(t, seat, act)


def next_in_line(t: Table, seat: int, act: Act) -> Refusal | None:
    """Each player puts his own effects in order, when it is their turn (9-1-6-5 to 9-1-6-8)."""
    p = t.pos
    offer = p.decision.offers.get(seat) if p.decision is not None else None
    meant = ("resolve", act.card)
    if offer is not None and any((o.kind, o.card) == meant for o in offer.options):
        return None
    waiting = [one for one in p.waiting() if _is_meant(p, one, act)]
    own = [one for one in waiting if one.seat == seat]
    if not waiting:
        return refuse("that effect is not waiting", "gcg:9-1-6-2")
    if not own:
        return refuse("each player puts his own effects in order", "gcg:9-1-6-5")
    return _comes_before(t, own[-1])


def answering(kind: str, rule: str, text: str) -> Check:
    """Acts that answer a decision about an effect; refusals say what waits."""
    answers = at(kind, rule, text)

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        objection = answers(t, seat, act)
        later = _own_later(t, seat) if objection is not None else None
        return refuse(later.text, *later.rules, rule) if later is not None else objection

    return check


def _own_later(t: Table, seat: int) -> Refusal | None:
    """Why an effect of a seat that is not asked has to wait; None if it has none that does."""
    decision = t.pos.decision
    own = [one for one in t.pos.waiting() if one.seat == seat]
    asked_now = decision is not None and seat in decision.seats
    return _comes_before(t, own[-1]) if own and not asked_now else None


def _is_meant(p: Position, one: Pending, act: Act) -> bool:
    """Whether an act names that waiting effect, by its card as it was or as all see it by now."""
    now = p.latest(one.source) if isinstance(one.source, int) else 0
    seen = p.present(now) and p.cards[now].follow == EVERYONE
    cards = (one.source, now) if seen else (one.source,)
    return act.card in cards and act.effect in ("", one.effect)


def _comes_before(t: Table, act: Pending) -> Refusal:
    """Why a waiting effect is not the next one."""
    p = t.pos
    others = [one for one in p.pending.values() if one.kind == "triggered" and one.id != act.id]
    anywhere, burst = settings(p).bursts_first, is_burst(p, act)
    bursts = [one for one in others if is_burst(p, one) and (anywhere or one.group >= act.group)]
    if bursts and not burst:
        return refuse("a Burst comes before it: {asked}", "gcg:9-1-6-8", asked=asked(t))
    if any(one.group > act.group for one in others):
        amid = ("gcg@1.9:10-1-6-8-1",) if burst and not anywhere else ()
        return refuse("newer effects come before it: {asked}", *amid, "gcg:9-1-6-7", asked=asked(t))
    if any(one.seat != act.seat and one.seat == p.turn_seat for one in others):
        return refuse(
            "the turn player's effects come before it: {asked}", "gcg:9-1-6-6", asked=asked(t)
        )
    return refuse("another effect is being carried out: {asked}", "gcg:9-3-1-4", asked=asked(t))


def own_main(rule: str) -> Check:
    """Only the turn player, only in the Main Phase, and not while a Unit attacks."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        p = t.pos
        if not p.turn:
            return refuse("the game has not begun", "gcg:5-2-1")
        if seat != p.turn_seat:
            return refuse("it is the other player's turn", rule, "gcg:6-1-2")
        if p.attack is not None or p.step.startswith("attack/"):
            return refuse("not while a Unit is attacking", *AMID.get(act.kind, ("gcg:7-2",)))
        if p.step != "main":
            after = p.step.startswith("end/")
            return refuse("only in the Main Phase", rule, *(("gcg:6-5-5-2",) if after else ()))
        return None

    return check


def priority(t: Table, seat: int, act: Act) -> Refusal | None:
    """In an Action Step, the player with the right to act (8-3, 8-4)."""
    p = t.pos
    decision = p.decision
    if decision is not None and decision.kind == "action" and seat not in decision.seats:
        rule = "gcg:8-3" if seat == p.turn_seat else "gcg:8-4"
        return refuse("the other player has the right to act", rule)
    return None


def in_action_step(p: Position) -> bool:
    """Whether it is an Action Step, of an attack or of the End Phase (8-1)."""
    return p.step in ("attack/action", "end/action")


def timing(p: Position) -> str:
    """At which timing effects may be activated now, if any may (11-2-1, 11-2-2)."""
    return "action" if in_action_step(p) else "main"


def ending(t: Table, seat: int, act: Act) -> Refusal | None:
    """The Main Phase is ended by the turn player, with nothing waiting (6-5-5-1, 6-1-3)."""
    p = t.pos
    if p.attack is not None or p.step.startswith("attack/"):
        return refuse("an attack is going on", "gcg:7-2")
    if any(True for _ in p.waiting()) or (p.decision is not None and p.decision.kind != "main"):
        return refuse("an effect is to be resolved first: {asked}", "gcg:6-1-3", asked=asked(t))
    if p.step != "main" or seat != p.turn_seat:
        return refuse("only the turn player ends his Main Phase", "gcg:6-5-5-1")
    return None


def passing(t: Table, seat: int, act: Act) -> Refusal | None:
    """Passing is for the player with the right to act (8-3, 8-4)."""
    if not in_action_step(t.pos):
        return refuse("passing belongs to an Action Step", "gcg:8-1")
    return priority(t, seat, act)


# -- the Action Step -------------------------------------------------------------------------------


def _cause(p: Position, holds: Priority) -> Cites:
    return ("gcg:8-4",) if holds.seat == p.turn_seat else ("gcg:8-3",)


#: The right to act goes to and fro; every act is carried out wholly before it goes on.
ACTION = Window(
    kind="action",
    first=turn_rival,
    follow=follow_up,
    rules=Rules(cause=_cause, hands=("gcg:8-4-1", "gcg:8-4-2")),
)
