"""Normal Summons, Sets, Flip Summons and changes of position: what is done as they are declared.

A Summon is a frame. The monster lies in `limbo` until the Summon has succeeded (a Flip Summoned one
stays where it is): that, and what follows, is in `flow.summons`. A Set is no Summon: nothing can
negate it (ygo:set.monster.2).
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.table import Table
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.attributes import given
from domain.games.yugioh.effects.field.places import hold, leave, set_down
from domain.games.yugioh.effects.summons.tributes import counted_by, lent_by
from domain.games.yugioh.effects.texts import TERMS, TRIGGERS
from domain.games.yugioh.manifest import ATTACK, DEFENCE
from domain.record.decisions import Act
from domain.record.position import Position


def tributes(p: Position, number: int) -> int:
    """How many Tributes a monster of the hand needs (ygo:base.level.1, ygo:summon.tribute.3).

    A Gemini monster that is Summoned on the field needs none.
    """
    if figures.on_field(p, number):
        return 0
    level = figures.facts(p, number).level
    return rules.tributes(TERMS, p, number, 0 if level <= 4 else 1 if level <= 6 else 2)


def _picked(act: Act) -> list[int]:
    return list(dict.fromkeys(n for pick in act.picks for n in pick if isinstance(n, int)))


def _tribute(t: Table, cards: list[int], *cites: str) -> None:
    """Tributes go first; what that sets off waits (ygo:summon.steps.1, ygo:summon.steps.2)."""
    leave(t, cards, "grave", "tribute", *cites, "ygo:summon.tribute.3")


def _by_texts(t: Table, seat: int, number: int, cards: list[int]) -> list[str]:
    needed = tributes(t.pos, number)
    return counted_by(t.pos, seat, cards, number, needed) if cards else []


def _use_up(t: Table, seat: int) -> None:
    t.mark(f"seat/{seat}", "summoned", t.pos.turn, "ygo:main1.limit.1")


def summon(t: Table, seat: int, act: Act) -> None:
    """A monster of the hand is Summoned in face-up Attack Position; a Gemini monster stays."""
    cards, number = _picked(act), act.card
    assert isinstance(number, int)
    if figures.can_be_summoned_twice(t.pos, seat, number):
        t.open_frame("summon", "ygo:summon.normal.1", method="normal", card=number, back=t.pos.step)
        _use_up(t, seat)
        go(t, "summon/negate", "ygo:summon.steps.4")
        return
    tribute = ("ygo:summon.tribute.1", "ygo:summon.tribute.2") if cards else ()
    kind = "tribute" if cards else "normal"
    t.open_frame("summon", *tribute, "ygo:summon.normal.1", method=kind, back=t.pos.step)
    _use_up(t, seat)
    _tribute(t, cards, "ygo:summon.steps.1", *_by_texts(t, seat, number, cards))
    cites = ("ygo:summon.steps.3", "ygo:summon.normal.2")
    with t.at_once():
        (now,) = t.move([number], f"limbo/{seat}", "summon", *cites, orient=ATTACK, up=True)
        hold(t, now)
        given(t, now, cards, "ygo:summon.tribute.1")
    go(t, "summon/negate", "ygo:summon.steps.4")


def set_card(t: Table, seat: int, act: Act) -> None:
    """A Spell or a Trap of the hand is Set face-down."""
    number = act.card
    assert isinstance(number, int)
    set_down(t, seat, number, "spell")


def set_field(t: Table, seat: int, act: Act) -> None:
    """A Field Spell of the hand is Set face-down, in the place of what lies in its zone."""
    number = act.card
    assert isinstance(number, int)
    set_down(t, seat, number, "field")


def set_monster(t: Table, seat: int, act: Act) -> None:
    """A monster of the hand is Set in face-down Defence Position."""
    cards, number = _picked(act), act.card
    assert isinstance(number, int)
    tribute = ("ygo:set.tribute.1", "ygo:set.tribute.2") if cards else ()
    t.open_frame("summon", *tribute, "ygo:set.monster.1", method="set", back=t.pos.step)
    _use_up(t, seat)
    _tribute(t, cards, "ygo:set.steps.1", *lent_by(t.pos, seat, cards))  # no text tells its Level
    cites = ("ygo:set.steps.2", "ygo:set.monster.1")
    with t.at_once():
        (now,) = t.move([number], f"monster/{seat}", "set", *cites, orient=DEFENCE, up=False)
        hold(t, now)
    TRIGGERS.overtake(t, "ygo:set.steps.3")
    go(t, "summon/done", "ygo:set.steps.3")


def flip(t: Table, seat: int, act: Act) -> None:
    """A face-down monster is Flip Summoned; it stays where it lies (reading:ygo/A15)."""
    number = act.card
    assert isinstance(number, int)
    rules = ("ygo:flip.summon.1", "ygo:main1.limit.2")
    t.open_frame("summon", *rules, method="flip", card=number, back=t.pos.step)
    t.turn([number], "ygo:flip.summon.1", orient=ATTACK, up=True)
    go(t, "summon/negate", "reading:ygo/A15", "ygo:flip.summon.7")


def change_position(t: Table, seat: int, act: Act) -> None:
    """A monster goes from Attack to Defence Position or back."""
    number = act.card
    assert isinstance(number, int)
    card = t.pos.cards[number]
    to = DEFENCE if card.orient == ATTACK else ATTACK
    rule = "ygo:position.change.3" if card.up else "ygo:position.change.5"
    with t.at_once():
        t.turn([number], rule, orient=to)
        t.mark(number, "changed", t.pos.turn, "ygo:position.change.1")
