"""The battle as it stands: who is in it, and what occurs in it that card texts wait for.

That a Spirit was blocked is a fact of the attack and stays one when the blocker is gone (reading
5); whether a Spirit can still fight is another question (`fights`). How a battle goes on is in
`flow.attack`, what is done about Life in `life`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.table import Table
from domain.games.battle_spirits.effects import figures
from domain.games.battle_spirits.effects.texts import TRIGGERS
from domain.games.kit.effects.occurrences import Pattern
from domain.record import events as ev
from domain.record.position import Position

#: The mark of a Spirit that alone was left of two whose BP were compared: which it has beaten.
BEAT = "beat"
#: The mark of a battle in which somebody was gone before it was resolved.
BROKEN = "broken"


def fights(p: Position, number: int) -> bool:
    """Whether a Spirit can attack or block, and be fought: it is there to stay (reading:bs/9)."""
    return figures.is_spirit(p, number) and not p.cards[number].departing


def fighters(p: Position) -> Iterator[int]:
    """The Spirits in the battle that are still there, the attacker first."""
    attack = p.attack
    if attack is not None:
        yield from (n for n in (attack.attacker, attack.defender) if n and fights(p, n))


def come(t: Table, word: str) -> None:
    """A time of the battle has come that the texts of those in it may wait for."""
    with t.at_once():
        cause = t.pos.seq
        for number in [*fighters(t.pos)]:
            TRIGGERS.occur(t, word, number, cause)


#: What occurs in a battle. What follows from destruction, and from Life that falls, does so by of
#: any kind and stands with the rest (`occurrences`).
PATTERNS = (
    Pattern("attack", ev.AttackDeclared),
    Pattern("block", ev.AttackChanged, lambda case: case.event.why == "block"),
    Pattern("beats", ev.Marked, lambda case: case.event.key == BEAT and case.event.value),
    Pattern("reduces-life", ev.DamageDealt),
)
