"""Summoning, deploying and using, step by step (bs:11-1 to 11-3), once all has been decided.

The whole play was one decision (`prices`); nothing moves before it is known that it can be
completed. A card that payment empties disappears at once, in mid play (reading:bs/13): its cores
are in the Reserve then, and what was to be placed from it comes from there.
"""

from __future__ import annotations

from collections.abc import Mapping

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.choices import prices
from domain.games.battle_spirits.effects import cores, texts
from domain.games.battle_spirits.effects.figures import facts
from domain.games.battle_spirits.effects.processes import PLAY, settle
from domain.games.battle_spirits.manifest import SOUL
from domain.record.decisions import Act
from domain.record.values import Ref

#: The chapter of each kind of play, in front of the number of a step.
CHAPTERS = {"summon": "bs:11-1-1", "deploy": "bs:11-2-1", "use": "bs:11-3-1",
            "use-soul": "bs:11-3-1"}  # fmt: skip
#: What a card becomes by being played to the Field.
BECOMES = {"summon": "bs:5-8-1", "deploy": "bs:5-9-1"}

Picks = Mapping[str, tuple[Ref, ...]]


def to_field(t: Table, seat: int, act: Act) -> Play:
    """Summon a Spirit, or deploy a Nexus."""
    assert isinstance(act.card, int)
    chapter, card = CHAPTERS[act.kind], act.card
    picks = picked(t, seat, act, placed=True)
    frame = yield from _pay(t, seat, card, chapter, picks)
    if t.pos.present(card):
        place(t, seat, card, act.kind, picks.get(prices.PLACE, ()), f"{chapter}-6")
    yield from settle(t)
    t.close_frame(frame, chapter)


def place(t: Table, seat: int, card: int, kind: str, picks: tuple[Ref, ...], *cites: str) -> int:
    """Put a card on the Field together with the cores picked for it; its number there."""
    with t.at_once():
        rules = (*cites, "bs:4-5-3", BECOMES[kind])
        (now,) = t.move([card], f"field/{seat}", kind, *rules)
        cores.move_picked(t, seat, picks, now, *cites)
    return now


def use(t: Table, seat: int, act: Act) -> Play:
    """Use a Magic card: it is in no zone until its effect is over (bs:3-4-3)."""
    assert isinstance(act.card, int)
    chapter, card, soul = CHAPTERS[act.kind], act.card, act.kind == "use-soul"
    picks = picked(t, seat, act, placed=False)
    frame = yield from _pay(t, seat, card, chapter, {prices.PAY: (SOUL,)} if soul else picks, soul)
    if t.pos.present(card):
        (now,) = t.move([card], f"limbo/{seat}", "use", f"{chapter}-6", "bs:3-4-3")
        number = t.declare("use", now, seat, "bs:9-3-1-2", "bs:5-12-1", effect=act.effect)
        yield from texts.carry_out(t, t.pos.pending[number])
        if t.pos.present(now):
            t.move([now], f"trash/{t.pos.cards[now].owner}", "done", "bs:4-4-1", "bs:3-4-3")
    yield from settle(t)
    t.close_frame(frame, chapter)


def picked(t: Table, seat: int, act: Act, placed: bool) -> Picks:
    """The picks of a play, by the names of its parts."""
    assert isinstance(act.card, int)
    return dict(zip(prices.names(t.pos, seat, act.card, placed), act.picks, strict=False))


def _pay(t: Table, seat: int, card: int, chapter: str, picks: Picks, soul: bool = False) -> Play:
    """Show the card, state its price, exile and pay; the frame in which the play goes on."""
    print_, costs = facts(t.pos, card), prices.price(t.pos, seat, card)
    exiled = [number for number in picks.get(prices.EXILE, ()) if isinstance(number, int)]
    due = costs.due([prices.exiled_as(t.pos, number) for number in exiled])
    magic = ("bs:12-2-1-2-1",) if soul else ()
    steps = tuple(f"{chapter}-{step}" for step in ("1", "2", "3", "4-1"))
    rules = (*steps, "bs:2-2-2", "bs:2-3-3", *magic)
    if costs.cost != print_.cost:
        rules += ("bs:11-1-1-2-1",) if chapter == CHAPTERS["summon"] else ("reading:bs/21",)
    frame = t.open_frame(PLAY, *rules, seat=seat, card=print_.id, cost=costs.cost, price=due)
    if exiled:
        rules = (f"{chapter}-4", "bs:12-2-1-3-1", "bs:12-2-1-3-2")
        t.move(exiled, f"exile/{seat}", "succession", *rules)
    dst = cores.trash(seat)
    cores.move_picked(t, seat, picks.get(prices.PAY, ()), dst, f"{chapter}-5", *magic, "bs:4-4-1")
    yield from settle(t)
    return frame
