"""Effects that are set off in the hand: the player is asked with any hand.

They are triggers of the third and the fourth class (ygo:order.list.3, ygo:order.list.4), which
nobody sees before they are used (reading:ygo/A28). So none waits on record: as the class comes its
player is asked, if anything has happened that such a text of the game would answer, by all that
everybody can tell. Which class is open is noted on the match (`CLASS`); who is asked, and when, is
in `flow.gathering`.
"""

from __future__ import annotations

from domain.effects.conditions import may_hold
from domain.effects.interpreter import in_the_open
from domain.effects.language.vocabulary import Condition, Effect
from domain.effects.select import Running
from domain.engine.table import Table
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.effects.waiting.lately import happened
from domain.games.yugioh.effects.waiting.timing import answered
from domain.record.position import Position

MATCH, CLASS = "match", "class"


def asked(p: Position) -> bool:
    """Whether a player is being asked for effects out of his hand alone."""
    return bool(p.mark(MATCH, CLASS))


def chance(t: Table, seat: int) -> bool:
    """Whether a player may have an effect in his hand that has been set off."""
    words = happened(t.pos)
    if not words or t.pos.step == "summon/negate":
        return False
    linked = {link.source for link in t.pos.declared()}
    hand = [number for number in t.pos.zone("hand", seat) if number not in linked]
    texts = (named for named in figures.stock(t.pos).in_hand if named[1].on in words)
    return bool(hand) and any(_set_off(t, seat, hand[0], *named) for named in texts)


def _set_off(t: Table, seat: int, card: int, ref: str, effect: Effect) -> bool:
    """Whether one would be set off, were it the text of this card; what is hidden may be so."""
    if figures.in_damage_step(t.pos) and "damage" not in effect.at:
        return False
    run = Running(0, ref, effect, card, seat, 0)
    if answered(t, run) is None:
        return False
    open_ = [one for one in (*effect.when, *effect.provided) if _open(t, one)]
    return may_hold(TERMS, t.pos, open_, run)


def _open(t: Table, c: Condition) -> bool:
    """Whether everybody can tell if a condition holds: it asks for nothing that lies hidden."""
    if c.this or c.it or c.amount or c.than or c.answers or c.playing is not None:
        return False
    return c.count is None or not c.count.match or in_the_open(t, TERMS, c.count)
