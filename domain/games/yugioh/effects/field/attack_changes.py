"""Changes during an attack, noted on its frame as they happen.

A monster that comes to the attacked side, or leaves it, has the attack replayed, even if all lies
as before by the time that this is asked (ygo:battle.replay.1, reading:ygo/A8). A target that has
left the field is fought no more once the Damage Step has begun (ygo:battle.replay.4), and an
attacker that has left, changed sides or turned does not fight on (ygo:base.attack.2). Who asks for
it is `choices.attacks`.
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.games.kit.effects.occurrences import Case, Note, Passage, Pattern
from domain.games.kit.flow import attack as attacks
from domain.games.yugioh.effects.figures import underway, was_on_field
from domain.games.yugioh.manifest import DEFENCE
from domain.record import events as ev
from domain.record.position import Position

#: The steps in which it matters: until damage is calculated.
STEPS = frozenset({"battle/response", "damage/1", "damage/2", "damage/3", "damage/4"})
#: What is noted: that somebody came or left; who of those that fight has.
FIELD, GONE = "field", "gone"
ATTACKER, TARGET = "attacker", "target"
_WORD = "around an attack"


def noted(p: Position, key: str) -> object:
    """The notes on the present attack."""
    return p.mark(f"frame/{attacks.frame_of(p)}", key)


def forget(t: Table, *cites: str) -> None:
    """The attack goes on from here with what there is now."""
    frame = f"frame/{attacks.frame_of(t.pos)}"
    t.mark(frame, FIELD, None, *cites)
    t.mark(frame, GONE, None, *cites)


def _going_on(p: Position) -> bool:
    return p.attack is not None and not STEPS.isdisjoint(underway(p))


def _between(case: Case, src: str, dst: str) -> bool:
    """Whether a card has crossed the border of the attacked side, or was the attacker."""
    p = case.t.pos
    if src == dst or not _going_on(p):
        return False
    assert p.attack is not None
    faced = f"monster/{p.rival(p.turn_seat)}"
    return faced in (src, dst) or case.card == p.attack.attacker


def _near(passage: Passage) -> bool:
    """A monster may have come or gone; `limbo` is where cards lie on their way."""
    return not {"monster", "limbo"}.isdisjoint((passage.src, passage.dst))


def _moved(case: Case) -> bool:
    """It comes or goes; an Xyz Material does not, which is no monster (ygo:xyz.def.4)."""
    e = case.event
    src = e.src if e.kept or was_on_field(case.t.pos, case.card) else ""
    return _between(case, src, "" if e.why == "overlay" else e.dst)


def _made(case: Case) -> bool:
    return _between(case, "", case.event.place)


def _removed(case: Case) -> bool:
    return _between(case, case.t.pos.card(case.card).place, "")


def _turned(case: Case) -> bool:
    """The attacker lies in face-up Attack Position no more."""
    p, event = case.t.pos, case.event
    turned = event.up is False or event.orient == DEFENCE
    return turned and _going_on(p) and p.attack is not None and case.card == p.attack.attacker


def _note(t: Table, note: Note) -> None:
    attack, frame = attacks.attack_of(t.pos), f"frame/{attacks.frame_of(t.pos)}"
    if note.befallen == attack.attacker:
        t.mark(frame, GONE, ATTACKER, "ygo:base.attack.2")
        return
    t.mark(frame, FIELD, True, "ygo:battle.replay.1")
    if note.befallen == attack.target and t.pos.mark(frame, GONE) is None:
        t.mark(frame, GONE, TARGET, "ygo:battle.replay.1")


PATTERNS = (
    Pattern(_WORD, ev.CardsMoved, _moved, then=_note, passes=_near),
    Pattern(_WORD, ev.CardsMade, _made, then=_note, passes=_near),
    Pattern(_WORD, ev.CardsRemoved, _removed, then=_note),
    Pattern(_WORD, ev.CardsTurned, _turned, then=_note),
)
