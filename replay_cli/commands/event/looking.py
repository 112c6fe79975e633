"""`kifu event list`, `show`, `standings`, `log`: how events stand."""

from __future__ import annotations

from datetime import datetime

import click

from domain.telling.names import count, countdown
from domain.telling.standings import explained, source
from domain.telling.tournament import STAGES, clock_jumped, sentence
from domain.tournament import progress
from domain.tournament.state import Round, Seating, Stage
from domain.words.phrases import joined, phrase
from replay_cli.commands.event.at import At, command, round_option
from replay_cli.output import as_file, as_json, console, json_option, say, table
from replay_cli.reaching.connection import Access, access_options
from replay_cli.tournament import exporting, overview
from replay_cli.tournament.printing import plain


@click.command("list")
@access_options
@json_option
def list_command(access: Access, as_data: bool) -> None:
    """List events, the newest first."""
    with access.open() as client:
        found = [*client.list_tournaments()]
    if as_data:
        as_json(found)
        return
    shown = table("event", "name", "game", "opened", "players", "round", right=("players",))
    for one in found:
        if one.broken:
            shown.add_row(one.event_id, one.broken, "", "", "", "")
            continue
        opened = datetime.fromtimestamp(one.at / 1000).strftime("%Y-%m-%d %H:%M")
        now = phrase("none yet")
        if one.round:
            now = phrase("{round}, {stage}", round=one.round, stage=STAGES[Stage(one.stage)])
        shown.add_row(
            one.event_id, one.name, one.game, opened, str(one.players),
            phrase("has ended") if one.ended else now,
        )  # fmt: skip
    console().print(shown if found else phrase("no events"))


@command("show", round_option, adds=False)
def show_command(at: At, number: int) -> None:
    """Show the round: who plays where, what the clocks show, the results."""
    if at.as_data:
        at.answer(_data(at, number))
        return
    s, out = at.state, console()
    playing = len(progress.active(s))
    gone = len(s.players) - playing
    out.print(s.name, style="bold")
    present = count(playing, "{n} player", "{n} players")
    parts = [
        phrase("event {id}", id=s.id),
        phrase("{game}, best of {n}", game=s.format.game, n=s.format.best_of),
        phrase("{players}, {gone} dropped", players=present, gone=gone) if gone else present,
        *([phrase("has ended")] if s.ended else []),
    ]
    out.print(say(joined(" · ", parts)))
    if not s.rounds:
        out.print(say(phrase("no round is paired yet: kifu event open")))
        return
    now = at.round(number)
    out.print(f"{overview.heading(s, now).where} · {say(STAGES[Stage(now.stage)])}")
    shown = table("table", "players", "clock", "state", "result", right=("table", "clock"))
    for one in sorted(now.tables.values(), key=lambda one: one.number):
        names = " – ".join(at.name(player) for player in one.players)
        shown.add_row(
            str(one.number), names, _clock(at, now, one), _state(now, one), overview.result(one)
        )
    out.print(shown)
    if jumped := clock_jumped(at.client.clock_jumped(s.id)):
        out.print(say(jumped), style="bold red")
    for differs in at.client.differing(s.id):
        where = phrase("table {table} of round {round}: {why}",
                       table=differs.table, round=differs.round, why=differs.text)  # fmt: skip
        out.print(say(where), style="bold red")
    for call in s.calls.values():
        if not call.answered:
            text = "call {n}: table {table}, for {time}"
            if call.taken_by:
                text = "call {n}: table {table}, for {time}, {judge} goes"
            waits = countdown(at.now - call.raised)
            line = phrase(text, n=call.number, table=call.table, time=waits, judge=call.taken_by)
            out.print(f"{say(line)}  {call.text}".rstrip())


def _clock(at: At, now: Round, one: Seating) -> str:
    if one.clock is None or not now.seconds or one.result is not None or now.stage == Stage.ENDED:
        return ""
    return countdown(one.clock.at(at.now))


def _state(now: Round, one: Seating) -> str:
    if not one.second:
        return phrase("bye")
    if one.result is not None:
        return phrase("corrected") if len(one.results) > 1 else phrase("done")
    if one.clock is None:
        return STAGES[Stage(now.stage)]
    if one.clock.called:
        return phrase("time called")
    return phrase("playing") if one.clock.running else phrase("stands still")


def _data(at: At, number: int) -> dict[str, object]:
    """The round for programs."""
    s = at.state
    rounds = [at.round(number)] if s.rounds else []
    return {
        "event": s.id,
        "name": s.name,
        "game": s.format.game,
        "players": len(progress.active(s)),
        "ended": s.ended,
        "round": rounds[0].number if rounds else 0,
        "planned": progress.planned(s),
        "stage": rounds[0].stage if rounds else "",
        "tables": [
            {
                **row,
                "match": s.match(now.number, one.number) if one.second else "",
                "state": _state(now, one),
                "left_ms": one.clock.at(at.now) if one.clock is not None and now.seconds else None,
            }
            for now in rounds
            for row, one in zip(
                exporting.results(s, [now]),
                sorted(now.tables.values(), key=lambda one: one.number),
                strict=True,
            )
        ],
        "differing": [
            {"round": one.round, "table": one.table, "text": one.text}
            for one in at.client.differing(s.id)
        ],
        "calls": [one.number for one in s.calls.values() if not one.answered],
    }


@command(
    "standings",
    click.option("--explain", default="", metavar="WHO", help="How a player's figures came about."),
    adds=False,
)
def standings_command(at: At, explain: str) -> None:
    """Show all players in order of their points and of the event's tie-breaks."""
    if explain:
        lines = [say(line) for line in explained(at.state, at.person(explain).number)]
        at.answer(lines, *lines)
        return
    found = at.client.get_standings(at.id)
    if at.as_data:
        at.answer(exporting.standings(at.state, found))
    else:
        rule = source(at.state)
        heading = overview.heading(
            at.state, note=say(phrase("by {rule}", rule=rule)) if rule else ""
        )
        text = plain.standings(heading, overview.standings(found))
        as_file(text)


@command(
    "log",
    click.option("--after", type=click.IntRange(0), default=0, help="Only after entry N."),
    click.option("-n", "--limit", type=click.IntRange(1), default=None, help="Only the last N."),
    adds=False,
)  # fmt: skip
def log_command(at: At, after: int, limit: int | None) -> None:
    """Show the log of the event: what was done, when, by whom."""
    entries = at.client.list_tournament_entries(at.id, after)
    entries = entries[-limit:] if limit else entries
    rows = [
        {
            "entry": one.seq,
            "time": datetime.fromtimestamp(one.time / 1000).strftime("%H:%M:%S"),
            "by": one.by,
            "what": say(sentence(one.event, at.state)),
        }
        for one in entries
    ]
    if at.as_data:
        at.answer(rows)
        return
    shown = table("entry", "time", "by", "what", right=("entry",))
    for row in rows:
        shown.add_row(*map(str, row.values()))
    console().print(shown if rows else phrase("nothing was done"))
