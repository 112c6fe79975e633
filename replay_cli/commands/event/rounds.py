"""`kifu event pair`, `open`, `start`, `end`: a command for each thing that happens to a round."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from domain.telling import tournament, tournament_consequences
from domain.telling.names import count, countdown
from domain.tournament.record import ELIMINATION, PLAY_OFF, SWISS
from domain.tournament.state import Round, Stage
from domain.words.phrases import joined, phrase
from replay_cli.commands.event.at import At, command, round_option
from replay_cli.commands.event.decks import FILE
from replay_cli.commands.event.printing import paper_option, write_page
from replay_cli.output import Failed, NewFile, say
from replay_cli.tournament import overview
from replay_cli.tournament.printing import pages, plain
from replay_cli.tournament.reading import rounds as reading

PAIRING = (
    click.option(
        "--swiss",
        "how",
        flag_value=SWISS,
        help="By the Swiss system, even if the plan says otherwise.",
    ),
    click.option("--bracket", "how", flag_value=ELIMINATION, help="By single elimination."),
    click.option("--play-off", "how", flag_value=PLAY_OFF, help="Those who are level, for places."),
    click.option(
        "--from",
        "file",
        type=FILE,
        metavar="CSV",
        help="Use the pairings of FILE: table, player, player.",
    ),
    click.option(
        "--print", "page", type=NewFile(), metavar="FILE", help="Write a page to print and hang up."
    ),
    paper_option,
)


@command("pair", *PAIRING)
def pair_command(at: At, how: str | None, file: Path | None, page: Path | None, paper: str) -> None:
    """Pair the next round and show it; a round that is not open yet is paired again.

    By the Swiss system for as many rounds as are planned, then, if the event has a cut, by single
    elimination.
    """
    done, lines = _pair(at, how or "", file)
    now = at.round()
    _page(at, now, page, paper)
    at.answer(done, *_pairings(at, now), *lines)


@command("open", *PAIRING)
def open_command(at: At, how: str | None, file: Path | None, page: Path | None, paper: str) -> None:
    """Open the next round, paired first if it is not: a match a table, which waits to start."""
    lines: list[str] = []
    last = at.state.round
    if how or file or last is None or last.stage == Stage.ENDED:
        _, lines = _pair(at, how or "", file)
    done = at.client.open_round(at.id)
    at.look()
    now = at.round()
    _page(at, now, page, paper)
    failed = at.reports(done.tables)
    lines += failed or [phrase("round {n} is open, and waits: kifu event start", n=now.number)]
    at.answer(done, *_pairings(at, now), *lines)
    _failed(failed, "open")


@command("start")
def start_command(at: At) -> None:
    """Start the round that is open: its clock runs, and matches that are dealt begin."""
    before = at.round().stage
    done = at.client.start_round(at.id)
    now, failed = at.look().rounds[-1], at.reports(done.tables)
    time, text = f"{now.seconds // 60}:{now.seconds % 60:02}", "round {n} has started: no clock."
    if now.seconds:
        text = "round {n} has started: {time} on the clock."
    if before == Stage.STARTED:
        time = countdown(now.started + now.seconds * 1000 - at.now)
        text = "round {n} is being played already: no clock."
        if now.seconds:
            text = "round {n} is being played already: {time} left since its start."
    at.answer(done, phrase(text, n=now.number, time=time), *_reported(done.tables, before), *failed)
    _failed(failed, "start")


@command("end", round_option, asks=True)
def end_command(at: At, number: int) -> None:
    """End the round, once every table has its result."""
    now = at.round(number)
    found = at.client.end_round(at.id, now.number, preview=True)
    if found.missing:
        rows = [
            phrase("table {n}  {players}", n=n, players=_who(at, now, n)) for n in found.missing
        ]
        hint = phrase("kifu event result TABLE 2-1 (or draw, 2-0 no-show, both lost, …)")
        raise Failed(
            phrase("round {number} lacks the result of:", number=now.number), hints=[*rows, hint]
        )
    at.confirm(say(tournament_consequences.round_ends(at.state, now, found.calls)))
    done = at.client.end_round(at.id, now.number)
    ended = phrase("round {n} has ended: kifu event standings, kifu event open", n=now.number)
    at.answer(done, ended)


def _reported(tables: Iterable[Any], before: str) -> list[str]:
    """What became of the matches of a round that was started, where it has to be said."""
    by_state: dict[str, list[str]] = {}
    for one in tables:
        by_state.setdefault(one.state, []).append(str(one.table))
    way, lines = phrase("`kifu record MATCH` asks for it, `kifu desk begin` takes it."), []
    for state, numbers in by_state.items():
        texts = tournament.begun(", ".join(numbers), way)
        if state in texts and not (state == "begun" and before != Stage.STARTED):
            lines.append(say(texts[state]))
    return lines


def _pair(at: At, how: str, file: Path | None) -> tuple[Any, list[str]]:
    """Pair the next round as is asked; what there is to know of it."""
    tables = reading.pairings(file, at.people) if file is not None else ()
    done = at.client.pair_round(at.id, tables, "" if tables else how)
    state = at.look()
    seated = {n for table in state.rounds[-1].tables.values() for n in table.players}
    left = [
        one.name for one in state.players.values() if not one.dropped and one.number not in seated
    ]
    lines: list[str] = [phrase("note: {text}", text=caveat) for caveat in done.caveats]
    if left and done.by != ELIMINATION:
        lines.append(phrase("note: these do not play: {players}", players=joined(", ", left)))
    return done, lines


def _pairings(at: At, now: Round) -> list[str]:
    text = plain.pairings(overview.heading(at.state, now), overview.seats(at.state, now))
    return text.splitlines()


def _page(at: At, now: Round, page: Path | None, paper: str) -> None:
    if page is not None:
        heading = overview.heading(at.state, now)
        write_page(page, pages.pairings(heading, overview.seats(at.state, now), paper))


def _who(at: At, now: Round, table: int) -> str:
    return " – ".join(at.name(player) for player in now.tables[table].players)


def _failed(lines: list[str], verb: str) -> None:
    """End with an error where something failed at a table: the command may be given again."""
    if lines:
        hints = [phrase("to do what is missing, run it again: kifu event {verb}", verb=verb)]
        raise Failed(
            phrase(
                "{count} did not {verb}",
                count=count(len(lines), "{n} table", "{n} tables"),
                verb=verb,
            ),
            hints=hints,
        )
