"""`kifu analyse`: what each decision of a match that has ended was worth."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from domain import games
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.names import letter
from domain.telling.record import Taken
from domain.text import notation
from domain.words.phrases import phrase
from replay_cli.analysis.chances import Estimate, Finding
from replay_cli.analysis.running import found, work_on
from replay_cli.drawing import choices
from replay_cli.output import (
    FORBIDDEN,
    MISSING,
    REFUSED,
    Failed,
    NewFile,
    as_json,
    console,
    json_option,
    progress_bar,
    say,
    table,
    write_table,
)
from replay_cli.reaching.connection import Access, access_options, match_argument, view_option
from replay_cli.reaching.source import Source, source, why_option

#: How many of the decisions are marked by which the most was lost.
MARKED = 5


@click.command("analyse")
@match_argument
@click.option(
    "--budget", "worlds", type=click.IntRange(4), default=16, show_default=True,
    help="How many times each act is played on to the end of the game.",
)  # fmt: skip
@click.option(
    "--everything", is_flag=True,
    help="By all that is recorded, hands and decks included; else by what each player knew.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, help="For chance: it repeats itself.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1,
    help="Number of processes; all cores if not given.",
)  # fmt: skip
@click.option(
    "-o", "--output", "kept", type=NewFile(),
    help="The file that keeps it, and from which it goes on if it was broken off.",
)  # fmt: skip
@why_option
@view_option
@access_options
@json_option
def analyse_command(
    match: str, worlds: int, everything: bool, seed: int, jobs: int, kept: Path | None, why: str,
    yes: bool, eyes: str, access: Access, as_data: bool,
) -> None:  # fmt: skip
    """Estimate the chances at each decision of MATCH (default: the newest), or of a FILE.

    At each decision cards that its player could not see are dealt at random, as far as they agree
    with what he saw, and the game is played on to its end by rules of thumb: by the act that he
    took, and by the others that look best. The lists are those that were registered. A match must
    have ended. What is found is kept in a file beside the record, never in it.
    """
    with source(access, match, eyes, why, yes=yes) as at:
        game = _analysable(at, everything)
        work, questions = work_on(at.record, game, everything=everything, worlds=worlds, seed=seed)
        every = {one.n: one for one in at.record.decisions if not one.abandoned}
        done: list[Finding] = []
        with progress_bar(quiet=as_data) as bar:
            task = bar.add_task(say(phrase("analysing")), total=len(questions))
            for one in found(work, questions, kept or _sidecar(at, access, match), jobs):
                bar.advance(task)
                done.append(one)
        done.sort(key=lambda one: one.n)
        if as_data:
            as_json({"terms": msgspec.to_builtins(work.terms), "decisions": _rows(at, every, done)})
            return
        _write(at, every, done, everything=everything, worlds=worlds)


def _analysable(at: Source, everything: bool) -> str:
    """The game of a match that may be analysed; raises `Failed`."""
    pos = at.record.position(len(at.record.line))
    if not pos.over:
        raise Failed("a match is analysed once it has ended", REFUSED)
    if at.viewer == PUBLIC:
        raise Failed("the public saw no options: only players and officials did", FORBIDDEN)
    if everything and at.viewer != OFFICIAL:
        raise Failed("only officials see everything", FORBIDDEN)
    if pos.heading.game not in games.every():
        raise Failed(phrase("there is no such game here: {game}", game=pos.heading.game), MISSING)
    return pos.heading.game


def _sidecar(at: Source, access: Access, match: str) -> Path:
    """Where an analysis is kept if no file is named: by the file of the record, or here."""
    path = Path(match)
    data = path if match and path.is_file() else access.at_hand
    name = f"{at.id}-analysis.jsonl"
    return data.with_name(name) if data is not None else Path(name)


def _write(
    at: Source, every: dict[int, Taken], done: list[Finding], *, everything: bool, worlds: int
) -> None:
    costly = sorted((one for one in done if one.sure), key=_loss)[:MARKED]
    shown = table("n", "turn", "", "taken", "chance", "better", "lost",
                  right=("n", "turn", "chance", "lost"))  # fmt: skip
    for one in done:
        if one.chance is None:
            continue
        marked = one in costly
        shown.add_row(
            str(one.n), str(one.turn or ""), letter(one.seat), _taken(at, every[one.n]),
            _percent(one.chance), _better(at, every[one.n], one) if one.sure else "",
            _percent(one.lost) if one.sure and one.lost is not None else "",
            style="bold red" if marked else "",
        )  # fmt: skip
    write_table(shown)
    out = console()
    if everything:
        out.print(phrase("By everything that is recorded, hands and decks included."))
    else:
        out.print(phrase("By what each player knew, and the lists that were registered."))
    if at.viewer != OFFICIAL:
        out.print(phrase("The list of the other player is assumed, by its name."))
    out.print(
        phrase(
            "Chances to win the game, by {n} worlds an act, with the interval that holds in 95 of"
            " 100 cases; a loss is shown where it is more than luck.", n=worlds,
        )
    )  # fmt: skip
    if missing := sum(one.chance is None for one in done):
        out.print(phrase("{n} decisions could not be played on.", n=missing))


def _loss(one: Finding) -> float:
    return -one.lost.value if one.lost is not None else 0.0


def _percent(one: Estimate) -> str:
    return f"{100 * one.value:.0f} % ({100 * one.low:.0f}–{100 * one.high:.0f})"


def _taken(at: Source, one: Taken) -> str:
    assert one.offer is not None
    assert one.act is not None
    return say(choices.taken_text(at.book, at.record.as_answered(one), one.offer, one.act))


def _better(at: Source, one: Taken, finding: Finding) -> str:
    assert one.offer is not None
    if finding.better is None:
        return ""
    return say(choices.taken_text(at.book, at.record.as_answered(one), one.offer, finding.better))


def _rows(at: Source, every: dict[int, Taken], done: list[Finding]) -> list[dict[str, object]]:
    """The findings as data: acts as they are typed, chances with their intervals."""
    return [
        {
            "decision": one.n,
            "seat": one.seat,
            "turn": one.turn,
            "worlds": one.worlds,
            "chance": msgspec.to_builtins(one.chance),
            "better": _typed(at, every[one.n], one),
            "lost": msgspec.to_builtins(one.lost),
            "sure": one.sure,
        }
        for one in done
    ]


def _typed(at: Source, one: Taken, finding: Finding) -> str:
    if finding.better is None or one.offer is None:
        return ""
    pos = at.record.as_answered(one)
    return notation.write(finding.better, pos, at.book, one.seat, one.offer)  # type: ignore[arg-type]
