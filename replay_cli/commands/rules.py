"""`kifu rules`: the rule index in our own words, searched; and which rules the tests witness."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from domain import games
from domain.record.schema.citations import Rule
from replay_cli.output import (
    MISSING,
    REFUSED,
    Failed,
    FilePath,
    as_json,
    json_option,
    table,
    write_table,
)
from replay_cli.reaching import completing

if TYPE_CHECKING:  # what reads all tests is loaded where it is asked for
    from domain.games.kit.game import Game
    from replay_cli.checking.coverage import Coverage


@click.command("rules")
@click.argument("words", nargs=-1)
@click.option(
    "--game",
    default="",
    shell_complete=completing.games,
    help="The game (default: that of an id, else the first there is; with --coverage: all).",
)
@click.option("--coverage", "covered", is_flag=True, help="Report which rules have tests.")
@click.option("--all", "whole", is_flag=True, help="With --coverage: each rule and its tests.")
@click.option(
    "--tests",
    type=FilePath(file_okay=False),
    default=Path("tests"),
    help="With --coverage: the folder of the tests.",
    show_default=True,
)
@json_option
def rules_command(
    words: tuple[str, ...], game: str, covered: bool, whole: bool, tests: Path, as_data: bool
) -> None:
    """Look up rules and adopted readings: by id (with all below it), by words in them, or all.

    --coverage fails if a rule that can be broken has no test, or a cited id does not exist.
    """
    if covered:
        _coverage([game] if game else games.names(), tests, whole, as_data)
        return
    game = known_game(game or _game_of(words))
    index = games.rules(game)
    found = [rule for rule in index.values() if matches(rule, _prefix(index), words)]
    if not found:
        title = games.rulebook(game).manifest.title
        raise Failed(f"no rule of {title} has {' '.join(words)!r}", MISSING)
    if as_data:
        as_json([{"id": rule.id, "kind": rule.kind, "gist": rule.gist} for rule in found])
        return
    shown = table("rule", "kind", "in our words")
    for rule in found:
        shown.add_row(rule.id, rule.kind, rule.gist, style="bold" if rule.id in words else "")
    write_table(shown)


def rulebook(game: str) -> Game:
    """A game's rulebook by its name, the first there is without one; raises `Failed`."""
    return games.rulebook(known_game(game))


def known_game(game: str) -> str:
    """The name of a game, that of the first there is without one; raises `Failed`."""
    game = game or games.names()[0]
    try:
        games.package(game)
    except KeyError:
        known = ", ".join(games.names())
        raise Failed(f"there is no game {game!r}; there are {known}", MISSING) from None
    return game


def _game_of(words: tuple[str, ...]) -> str:
    """The game whose book has the ids among these words; empty if none is named in full."""
    prefixes = {re.split("[:/]", word.removeprefix("reading:"))[0] for word in words if ":" in word}
    books = (name for name in games.names() if _prefix(games.rules(name)) in prefixes)
    return next(books, "") if prefixes else ""


def _prefix(index: Mapping[str, Rule]) -> str:
    """What the ids of a book begin with."""
    return next(iter(index)).partition(":")[0]


def matches(rule: Rule, prefix: str, words: tuple[str, ...]) -> bool:
    """Whether a rule has one of these ids, or lies below it, or has all of these words."""
    ids = [word if ":" in word else f"{prefix}:{word}" for word in words if word[-1:].isdigit()]
    if ids:
        return any(rule.id == wanted or rule.id.startswith(f"{wanted}-") for wanted in ids)
    text = f"{rule.id} {rule.kind} {rule.gist}".casefold()
    return all(word.casefold() in text for word in words)


def _coverage(of: Sequence[str], tests: Path, whole: bool, as_data: bool) -> None:
    """Report the coverage of these games, each by itself; fails if that of one is not complete."""
    from replay_cli.checking import coverage

    if not tests.is_dir():
        raise Failed(f"there is no folder {tests}; name that of the tests with --tests", MISSING)
    found = {game: coverage.report(rulebook(game), tests) for game in of}
    if as_data:
        as_json({game: _as_data(one) for game, one in found.items()})
    else:
        for game, one in found.items():
            for line in coverage.lines(one, rulebook(game), whole):
                click.echo(line)
    if not all(one.complete for one in found.values()):
        raise click.exceptions.Exit(REFUSED)


def _as_data(found: Coverage) -> dict[str, object]:
    return {
        "complete": found.complete,
        "witnesses": {rule: list(where) for rule, where in found.witnesses.items()},
        "excepted": dict(found.excepted),
        "missing": list(found.missing),
        "unknown": [list(pair) for pair in found.unknown],
        "idle": list(found.idle),
    }
