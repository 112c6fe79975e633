"""`kifu event pause`, `resume`, `extend`, `time`: the clocks of a round, of all tables or some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.telling import ending, tournament_consequences
from domain.tournament.acts import rows
from domain.words.phrases import Phrase, joined, phrase
from replay_cli.commands.event.at import At, doing
from replay_cli.output import language, say


@doing("pause", rows.PauseClock)
def pause_command(at: At, act: rows.PauseClock, done: Any) -> Sequence[str]:
    """Pause clocks, and the matches with them."""
    return _lines(at, act, done, phrase("{whose} stands still."), phrase("{whose} stand still."))


@doing("resume", rows.ResumeClock)
def resume_command(at: At, act: rows.ResumeClock, done: Any) -> Sequence[str]:
    """Resume paused clocks."""
    return _lines(at, act, done, phrase("{whose} goes on."), phrase("{whose} go on."))


@doing("extend", rows.ExtendClock)
def extend_command(at: At, act: rows.ExtendClock, done: Any) -> Sequence[str]:
    """Give tables BY more minutes (5, 1:30).

    A negative number takes time away; write it after two dashes: kifu event extend -- -2
    """
    time = f"{abs(act.seconds) // 60}:{abs(act.seconds) % 60:02}"
    if act.seconds < 0:
        less = phrase("{whose} has {time} less."), phrase("{whose} have {time} less.")
        return _lines(at, act, done, *less, time=time)
    more = phrase("{whose} has {time} more."), phrase("{whose} have {time} more.")
    return _lines(at, act, done, *more, time=time)


def _called(at: At, act: rows.CallRoundTime) -> str:
    now = at.round(act.round)
    return say(tournament_consequences.time_called(at.state, now, tuple(act.tables)))


@doing("time", rows.CallRoundTime, ask=_called)
def time_command(at: At, act: rows.CallRoundTime, done: Any) -> Sequence[str]:
    """Call time for tables that still play."""
    now = at.round(act.round).format or at.state.format
    manifest = at.client.manifest(now.game).in_language(language())
    steps = [f"  {say(one)}" for one in ending.steps(now.policy, manifest, now.best_of)]
    out = phrase("{whose} is out of time."), phrase("{whose} are out of time.")
    return [*_lines(at, act, done, *out), *steps]


def _lines(
    at: At, act: Any, done: Any, of_one: Phrase, of_many: Phrase, **values: str
) -> Sequence[str]:
    """The state of the clocks (of one table, of several), and failures."""
    several = len(act.tables) > 1
    whose = phrase("round {n}", n=at.round(act.round).number)
    if act.tables:
        text = "tables {tables}" if several else "table {tables}"
        whose = phrase(text, tables=joined(", ", map(str, act.tables)))
    line = phrase(of_many if several else of_one, whose=whose, **values)
    return [line, *at.reports(done.tables)]
