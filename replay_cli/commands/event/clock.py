"""`kifu event pause`, `resume`, `extend`, `time`: the clocks of a round, of all tables or some."""

from __future__ import annotations

from typing import Any

import click

from domain.telling import tournament_consequences
from domain.tournament.state import Round
from replay_cli.commands.event.at import At, command, seconds, tables_option, why_option
from replay_cli.output import say

Tables = tuple[int, ...]


@command("pause", tables_option, why_option)
def pause_command(at: At, tables: Tables, why: str) -> None:
    """Pause clocks, and the matches with them."""
    _line(at, at.client.pause_clock(at.id, tables, why), tables, "stands still", "stand still")


@command("resume", tables_option)
def resume_command(at: At, tables: Tables) -> None:
    """Resume paused clocks."""
    _line(at, at.client.resume_clock(at.id, tables), tables, "goes on", "go on")


@command(
    "extend",
    click.argument("by", callback=seconds),
    tables_option,
    why_option,
)
def extend_command(at: At, by: int, tables: Tables, why: str) -> None:
    """Give tables BY more minutes (5, 1:30).

    A negative number takes time away; write it after two dashes: kifu event extend -- -2
    """
    given = f"{abs(by) // 60}:{abs(by) % 60:02} {'more' if by >= 0 else 'less'}"
    done = at.client.extend_clock(at.id, by, tables, why)
    _line(at, done, tables, f"has {given}", f"have {given}")


@command("time", tables_option, asks=True)
def time_command(at: At, tables: Tables) -> None:
    """Call time for tables that still play."""
    at.confirm(say(tournament_consequences.time_called(at.state, at.round(), tables)))
    _line(at, at.client.call_round_time(at.id, tables), tables, "is out of time", "are out of time")


def _line(at: At, done: Any, tables: Tables, of_one: str, of_many: str) -> None:
    """Say what the clocks do now (of one table, of several), and where it went wrong."""
    at.look()
    now: Round = at.round()
    whose, what = f"round {now.number}", of_one
    if tables:
        numbered = ", ".join(map(str, tables))
        several = len(tables) > 1
        whose, what = f"table{'s' * several} {numbered}", of_many if several else of_one
    at.answer(done, f"{whose} {what}.", *at.reports(done.tables))
