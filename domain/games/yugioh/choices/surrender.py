"""Giving the duel up: at once, or, where the format asks for that, once the opponent agrees.

Both stand open beside any decision (ygo:base.loss.3). An offer that waits for consent is noted on
its player with the turn, and is over with it or with the duel, which goes on meanwhile. Between two
duels it is the next one that is given up.
"""

from __future__ import annotations

from typing import NoReturn

from domain.engine.rulebook import Refusal
from domain.engine.series import between, lose
from domain.engine.signals import Over
from domain.engine.table import Table
from domain.games.kit.choices.legality import refuse
from domain.games.kit.choices.rows import CONCEDE, Row
from domain.games.yugioh.lists.formats import chosen
from domain.record.decisions import Act
from domain.record.position import Position

RULE = "ygo:base.loss.3"
#: The act by which an opponent agrees, and the mark of a player who would give up.
CONSENT, GIVES_UP = "consent", "gives-up"


def _concede(t: Table, seat: int, act: Act) -> None:
    if chosen(t.pos.heading.options).surrender == "free":
        _lose(t, seat)
    t.mark(f"seat/{seat}", GIVES_UP, _turn(t.pos), RULE)


def _agree(t: Table, seat: int, act: Act) -> None:
    _lose(t, t.pos.rival(seat))


def _lose(t: Table, seat: int) -> NoReturn:
    lose(t, seat, CONCEDE, RULE)
    raise Over


def _given_up(t: Table, seat: int, act: Act) -> Refusal | None:
    return None if _offered(t.pos, seat) else refuse("nobody has given up", RULE)


def _offered(p: Position, seat: int) -> tuple[Act, ...]:
    """The answers of a player to an opponent who wants to surrender."""
    given = p.mark(f"seat/{p.rival(seat)}", GIVES_UP)
    return (Act(CONSENT),) if given is not None and given == _turn(p) else ()


def _turn(p: Position) -> int:
    """The turn that an offer is good for; between two games none that the last one had."""
    return p.turn + between(p)


SURRENDER = (
    Row(
        name=CONCEDE, label="concedes", allows=(RULE,), do=_concede,
        stands=lambda p, seat: (Act(CONCEDE),),
    ),
    Row(
        name=CONSENT, label="lets the opponent give up", checks=(_given_up,), allows=(RULE,),
        do=_agree, stands=_offered,
    ),
)  # fmt: skip
