"""The group `kifu event`: which module has which command, loaded when it is called for."""

from __future__ import annotations

import click

from replay_cli.commands.groups import Entry, LazyGroup

COMMANDS = {
    "new": Entry("setting_up", "The event", "Make an event from its file."),
    "policy": Entry("policies", "The event", "Show the manuals that its file can name."),
    "list": Entry("looking", "The event", "List events."),
    "players": Entry("players", "The event", "Enter, correct, drop and list players."),
    "decks": Entry("decks", "The event", "Take lists in, check, accept and publish them."),
    "pods": Entry("pools", "The event", "Draw pods; show who sits where."),
    "pools": Entry("pools", "The event", "Register the pools that decks are built from."),
    "check-in": Entry("players", "The event", "Check a player in."),
    "officials": Entry("setting_up", "The event", "Name judges and scorekeepers."),
    "change": Entry("setting_up", "The event", "Change its format, for rounds to come."),
    "codes": Entry("setting_up", "The event", "Issue codes to join with, on slips to print."),
    "finish": Entry("setting_up", "The event", "End the event."),
    "pair": Entry("rounds", "A round", "Pair the next round, without opening it."),
    "open": Entry("rounds", "A round", "Open the next round: pairings, and a match a table."),
    "start": Entry("rounds", "A round", "Start the round: clocks run."),
    "end": Entry("rounds", "A round", "End the round."),
    "pause": Entry("clock", "A round", "Let clocks stand still."),
    "resume": Entry("clock", "A round", "Let clocks go on."),
    "extend": Entry("clock", "A round", "Give tables more time."),
    "time": Entry("clock", "A round", "Call time."),
    "result": Entry("results", "At the tables", "Report results."),
    "correct": Entry("results", "At the tables", "Correct a result, and say why."),
    "withdraw": Entry("results", "At the tables", "Take a result back."),
    "call": Entry("judging", "At the tables", "Call a judge; take and answer calls."),
    "appeal": Entry("judging", "At the tables", "Appeal to the head judge; answer appeals."),
    "penalty": Entry("judging", "At the tables", "Penalise a player, or list penalties."),
    "late": Entry("judging", "At the tables", "Penalise who is not there, by the clock."),
    "check": Entry("checking", "At the tables", "Draw decks to be checked; say how they were."),
    "note": Entry("judging", "At the tables", "Write something down for officials."),
    "show": Entry("looking", "Look at it", "Show the round: tables, clocks, results, calls."),
    "standings": Entry("looking", "Look at it", "Show the standings."),
    "log": Entry("looking", "Look at it", "Show what was done, when, by whom."),
    "print": Entry("printing", "Look at it", "Print pairings, standings or slips."),
    "export": Entry("printing", "Look at it", "Write results, standings or players to a file."),
    "archive": Entry("archiving", "Afterwards", "Write it to one file, and out of the store."),
    "restore": Entry("archiving", "Afterwards", "Bring back what an archive holds."),
}

EPILOG = """KIFU_EVENT, or --event, names the event by its id or its name; where only
one is open it is taken. KIFU_SERVER and the like say where it is.

\b
A round: kifu event open, kifu event start, kifu event end.
"""


class EventGroup(LazyGroup):
    """The commands of an event."""

    entries = COMMANDS
    package = "replay_cli.commands.event"


@click.command("event", cls=EventGroup, epilog=EPILOG)
def event_command() -> None:
    """Run an event: players and lists, rounds and clocks, results and standings."""
