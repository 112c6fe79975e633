"""`kifu event pause`, `resume`, `extend`, `time`: the clocks of a round, of all tables or some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.telling import ending, tournament_consequences
from domain.tournament.acts import rows
from replay_cli.commands.event.at import At, doing
from replay_cli.output import language, say


@doing("pause", rows.PauseClock)
def pause_command(at: At, act: rows.PauseClock, done: Any) -> Sequence[str]:
    """Pause clocks, and the matches with them."""
    return _lines(at, act, done, "stands still", "stand still")


@doing("resume", rows.ResumeClock)
def resume_command(at: At, act: rows.ResumeClock, done: Any) -> Sequence[str]:
    """Resume paused clocks."""
    return _lines(at, act, done, "goes on", "go on")


@doing("extend", rows.ExtendClock)
def extend_command(at: At, act: rows.ExtendClock, done: Any) -> Sequence[str]:
    """Give tables BY more minutes (5, 1:30).

    A negative number takes time away; write it after two dashes: kifu event extend -- -2
    """
    more = "more" if act.seconds >= 0 else "less"
    given = f"{abs(act.seconds) // 60}:{abs(act.seconds) % 60:02} {more}"
    return _lines(at, act, done, f"has {given}", f"have {given}")


def _called(at: At, act: rows.CallRoundTime) -> str:
    now = at.round(act.round)
    return say(tournament_consequences.time_called(at.state, now, tuple(act.tables)))


@doing("time", rows.CallRoundTime, ask=_called)
def time_command(at: At, act: rows.CallRoundTime, done: Any) -> Sequence[str]:
    """Call time for tables that still play."""
    now = at.round(act.round).format or at.state.format
    manifest = at.client.manifest(now.game).in_language(language())
    steps = [f"  {say(one)}" for one in ending.steps(now.policy, manifest, now.best_of)]
    return [*_lines(at, act, done, "is out of time", "are out of time"), *steps]


def _lines(at: At, act: Any, done: Any, of_one: str, of_many: str) -> Sequence[str]:
    """The state of the clocks (of one table, of several), and failures."""
    whose, what = f"round {at.round(act.round).number}", of_one
    if act.tables:
        several = len(act.tables) > 1
        whose = f"table{'s' * several} {', '.join(map(str, act.tables))}"
        what = of_many if several else of_one
    return [f"{whose} {what}.", *at.reports(done.tables)]
