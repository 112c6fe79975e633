"""`kifu scenario`: runs scenario files, and shows failed expectations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from msgspec import Struct

from domain import games
from domain.record.entries import Entry
from domain.telling.book import Book
from domain.telling.names import count
from domain.telling.narration import narrate
from domain.text.scenario.patterns import expected
from domain.text.scenario.reference import reference
from domain.text.scenario.run import Failure, run
from domain.text.scenario.soundness import crash
from domain.text.scenario.text import BadScenario, in_editions, load
from domain.words.phrases import joined, message_of, phrase
from replay_cli import cells
from replay_cli.commands.viewing.watch import columns_of
from replay_cli.output import (
    MISSING,
    REFUSED,
    Failed,
    FilePath,
    Misused,
    as_json,
    console,
    json_option,
    language,
    say,
    styled,
)

#: How the names of scenario files end, by which those of a folder are known.
SUFFIX = ".scenario"
#: How many files that were left out are named for each reason.
MOST_NAMED = 10


class Result(Struct, frozen=True):
    """The result of a file: its failures; `wrong` if it could not be read."""

    path: Path
    title: str
    game: str
    failures: tuple[Failure, ...]
    entries: tuple[Entry, ...] = ()
    wrong: str = ""

    @property
    def passed(self) -> bool:
        """Whether everything in it held."""
        return not self.failures and not self.wrong


@click.command("scenario")
@click.argument("files", nargs=-1, metavar="FILE…", type=FilePath())
@click.option("-v", "--transcript", is_flag=True, help="Print the transcript of each.")
@click.option("-e", "--events", is_flag=True, help="Print the events, as lines to expect them by.")
@click.option("--words", is_flag=True, help="Print every word that a scenario may use, and stop.")
@click.option("-q", "--quiet", is_flag=True, help="Print only failures, and the count.")
@json_option
def scenario_command(
    files: tuple[Path, ...],
    transcript: bool,
    events: bool,
    words: bool,
    quiet: bool,
    as_data: bool,
) -> None:
    """Run scenario files, or all of a folder (see domain/text/scenario/SCENARIOS.md)."""
    if words:
        click.echo(reference(map(games.rulebook, games.newest())))
        return
    if not files:
        raise Misused("name a file or a folder")
    for line in left_out(files):
        click.echo(say(line), err=True)
    results = [result for path in found(files) for result in try_out(path)]
    if as_data:
        as_json([_data(result) for result in results])
    else:
        for result in results:
            _print(result, transcript, quiet)
            if events and result.entries:
                click.echo("\n".join(expected(games.rulebook(result.game), result.entries)))
        failed = len({result.path for result in results if not result.passed})
        tried = count(len({result.path for result in results}), "{n} scenario", "{n} scenarios")
        click.echo(say(phrase("{tried}, {failed} failed", tried=tried, failed=failed)))
    if not all(result.passed for result in results):
        raise click.exceptions.Exit(REFUSED)


def found(files: tuple[Path, ...]) -> Iterator[Path]:
    """The files that were named, and those of the folders that were."""
    for path in files:
        if path.is_dir():
            yield from sorted(one for one in path.rglob(f"*{SUFFIX}") if not one.is_dir())
        elif path.exists():
            yield path
        else:
            raise Failed(phrase("there is no file {path}", path=path), MISSING)


def left_out(files: tuple[Path, ...]) -> Iterator[str]:
    """The files in the named folders that are not run, and why: a line for each reason."""
    reasons: dict[str, list[Path]] = {}
    for path in (path for folder in files if folder.is_dir() for path in sorted(folder.rglob("*"))):
        if path.is_symlink() and path.is_dir():
            reasons.setdefault(phrase("folders behind a link"), []).append(path)
        elif not path.is_dir() and path.suffix != SUFFIX:
            reasons.setdefault(
                phrase("names that do not end in {suffix}", suffix=SUFFIX), []
            ).append(path)
    for reason, paths in reasons.items():
        more = len(paths) - MOST_NAMED
        text = "left out, {reason}: {names}, … and {more} more"
        text = text if more > 0 else "left out, {reason}: {names}"
        named = joined(", ", map(str, paths[:MOST_NAMED]))
        yield phrase(text, reason=reason, names=named, more=more)


def try_out(path: Path) -> Iterator[Result]:
    """Run a file, under each edition that it is for."""
    title = path.stem
    try:
        for text in in_editions(path.read_text("utf-8")):
            scenario = load(text)
            title = scenario.title or title
            if scenario.edition:
                title += f" ({scenario.edition})"
            report = run(scenario)
            yield Result(path, title, scenario.game, report.failures, report.entries)
    except BadScenario as bad:
        yield Result(path, title, "", (), wrong=message_of(bad))
    except (OSError, UnicodeDecodeError) as error:
        yield Result(path, title, "", (), wrong=phrase("it can't be read: {error}", error=error))
    except Exception as error:  # of this file; the others are still to be run
        yield Result(path, title, "", (), wrong=crash(error))


def _print(result: Result, transcript: bool, quiet: bool) -> None:
    out = console()
    if result.passed and quiet:
        return
    mark = ("✓", "green") if result.passed else ("✗", "bold red")
    out.print(styled(mark, (f" {result.title}", ""), (f"  {result.path}", "dim")))
    if result.wrong:
        out.print(f"    {say(result.wrong)}")
    for failure in result.failures:
        out.print(f"    {result.path}:{failure.line}")
        leads = say(phrase("expected")), say(phrase("happened"))
        room = max(map(cells.width, leads)) + 2
        shown = (failure.expected, "green"), (failure.happened, "red")
        for lead, (text, style) in zip(leads, shown, strict=True):
            lines = say(text).replace("\n", "\n" + " " * (6 + room))
            out.print(f"      {cells.pad(lead, room)}{lines}", style=style)
    if transcript and result.entries:
        book = Book.of(games.rulebook(result.game), language())
        columns = columns_of(book.manifest.steps)
        for line in narrate(book, result.entries, quiet=False):
            if not line.minor:
                out.print(columns.render(line))


def _data(result: Result) -> dict[str, object]:
    return {
        "file": str(result.path),
        "title": result.title,
        "game": result.game,
        "passed": result.passed,
        "wrong": result.wrong,
        "failures": [
            {"line": f.line, "expected": f.expected, "happened": f.happened}
            for f in result.failures
        ],
    }
