"""What a command ends by itself, which is asked about before it is recorded."""

from __future__ import annotations

from domain.record.position import Position
from domain.scorekeeping.command import Command
from domain.telling import notices
from domain.telling.names import player
from domain.words.phrases import phrase

#: The act of a player who gives a game up.
CONCEDE = "concede"


def ended_by(command: Command, pos: Position) -> str:
    """The end that a command causes, in words; empty if it ends nothing by itself.

    These are a player's acts without a card besides passes: conceding, or agreeing.
    """
    act = command.act
    if not command.interjected or act.card or any(act.picks):
        return ""
    if act.kind == CONCEDE:
        return notices.lost(pos, [command.seat])
    return phrase("{player}: {act}", player=player(command.seat), act=command.text)
