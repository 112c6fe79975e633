"""`kifu event result`, `correct`, `withdraw`: results of tables, typed or from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from domain.telling import tournament_consequences
from domain.text import outcomes
from domain.tournament.acts import rows as acts
from domain.tournament.record import Outcome, Table
from domain.tournament.state import Round
from domain.words.phrases import message_of, phrase
from replay_cli.commands.event.at import At, command, doing, round_option
from replay_cli.commands.event.decks import FILE
from replay_cli.output import MISSING, REFUSED, BadValue, Failed, Misused, say
from replay_cli.tournament.reading import rounds as reading
from replay_cli.typed.spreadsheet import Faults
from service.client.connection import CallError

why_option = click.option("--why", required=True, help="The reason, for the record.")


@command(
    "result",
    click.argument("table", type=click.IntRange(1), required=False),
    click.argument("result", nargs=-1),
    click.option(
        "--from", "file", type=FILE, metavar="CSV", help="Those of a file: table, result."
    ),
    click.option("--winner", default="", help="The winner, if the games do not decide it."),
    round_option,
)
def result_command(
    at: At, table: int | None, result: tuple[str, ...], file: Path | None, winner: str, number: int
) -> None:
    """Report the result of TABLE: 2-1 (first player's games first), 1-1-1, draw, 2-0 no-show, ….

    RESULT may say what decided: 2-0 conceded, 2-0 no-show, draw agreed, 1-1 ruled, both lost.
    """
    now = at.round(number)
    if file is not None:
        best_of = (now.format or at.state.format).best_of
        tables = [Table(one.number, one.first, one.second) for one in now.tables.values()]
        found = reading.results(file, at.people, tables, best_of)
    elif table is None or not result:
        raise Misused("name a table and its result, or a file: --from CSV")
    else:
        found = {table: reading.Result(_read(at, now, table, result, winner))}
    new = {n: one for n, one in found.items() if now.tables[n].outcome != one.outcome}
    if file is not None:
        _nothing_there(file, now, new)
    for done, (n, one) in enumerate(new.items()):
        try:
            at.client.report_result(at.id, n, one.outcome, round=now.number)
        except CallError as error:
            if file is None:
                raise
            hint = phrase(
                "1 result above it is reported"
                if done == 1
                else "{n} results above it are reported",
                n=done,
            )
            text = phrase(
                "{file}: line {line}, table {n}: {error}",
                file=file,
                line=one.line,
                n=n,
                error=error,
            )
            raise Failed(text, REFUSED, [hint]) from error
    now = at.look().rounds[now.number - 1]
    lines = [_line(at, now, n) for n in found]
    missing = len(now.missing)
    left = phrase(
        "{n} table has none yet." if missing == 1 else "{n} tables have none yet.", n=missing
    )
    left = left if missing else phrase("All tables have theirs.")
    at.answer({"round": now.number, "tables": [*found], "missing": now.missing}, *lines, left)


def _nothing_there(file: Path, now: Round, new: Mapping[int, reading.Result]) -> None:
    """Make sure that no table of a file has another result yet; raises `Failed`."""
    faults = Faults(file)
    for n, one in new.items():
        stands = now.tables[n].outcome
        if stands is not None:
            text = "table {n} has another result ({result}): kifu event correct {n} … --why …"
            faults.add(phrase(text, n=n, result=outcomes.write(stands)), one.line)
    faults.check()


@command(
    "correct",
    click.argument("table", type=click.IntRange(1)),
    click.argument("result", nargs=-1, required=True),
    click.option("--winner", default="", help="The winner, if the games do not decide it."),
    why_option,
    round_option,
    asks=True,
)
def correct_command(
    at: At, table: int, result: tuple[str, ...], winner: str, why: str, number: int
) -> None:
    """Correct the result of TABLE, also once its round has ended; the old one stays readable."""
    now = at.round(number)
    outcome = _read(at, now, table, result, winner)
    at.confirm(say(tournament_consequences.revised(at.state, now, table, outcome)))
    done = at.client.correct_table_result(at.id, table, outcome, why, round=now.number)
    at.answer(done, _line(at, at.look().rounds[now.number - 1], table))


@doing("withdraw", acts.WithdrawResult)
def withdraw_command(at: At, act: acts.WithdrawResult, _: object) -> Sequence[str]:
    """Withdraw the result of TABLE, so that it is played on."""
    return [_line(at, at.round(act.round), act.table)]


def _read(at: At, now: Round, table: int, result: tuple[str, ...], winner: str) -> Outcome:
    """The outcome that was typed."""
    one = now.tables.get(table)
    if one is None:
        raise Failed(
            phrase("round {number} has no table {table}", number=now.number, table=table), MISSING
        )
    best_of = (now.format or at.state.format).best_of
    won = at.person(winner).number if winner else None
    try:
        place = Table(table, one.first, one.second)
        return outcomes.read(" ".join(result), place, best_of, winner=won)
    except outcomes.BadOutcome as error:
        raise BadValue(message_of(error), param_hint="RESULT") from None


def _line(at: At, now: Round, table: int) -> str:
    """The present result of a table, with its winner."""
    one = now.tables[table]
    names = " – ".join(at.name(player) for player in one.players)
    outcome = one.outcome
    if outcome is None:
        return phrase("table {n}  {players}: no result", n=table, players=names)
    text = "table {n}  {players}: {result}, {winner} won"
    if not outcome.winner:
        text = "table {n}  {players}: {result}, nobody won"
    winner = at.name(outcome.winner) if outcome.winner else ""
    return phrase(text, n=table, players=names, result=outcomes.write(outcome), winner=winner)
