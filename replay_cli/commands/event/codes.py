"""`kifu event codes`: codes for players, tables and officials of an event, on slips to print."""

from __future__ import annotations

from replay_cli.commands.credentials.slips import How, hand_out, slip_options
from replay_cli.commands.credentials.whom import of_event
from replay_cli.commands.event.at import At, command


@command("codes", slip_options)
def codes_command(at: At, how: How) -> None:
    """Issue codes to join with, for players (default), tables, officials; --slips prints them.

    A player's code is valid for his seat in every round, a table's for its scorekeeper. A code is
    printed once; kifu codes lists and revokes them.
    """
    people = of_event(at.state, how.named, how.late)
    hand_out(at.client, people, at.state.name, how, at.access, at.as_data)
