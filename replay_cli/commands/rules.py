"""`kifu rules`: the rule index in our own words, searched; and which rules the tests witness.

Where a book has several editions, a rule is named with its own (`gcg@1.9:8-5-2`), and what it is in
the first stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from domain import games
from domain.record.schema.citations import Rule, in_full, without_edition
from domain.words.phrases import GISTS, joined, phrase, word
from replay_cli.output import (
    MISSING,
    REFUSED,
    Failed,
    FilePath,
    Misused,
    as_json,
    json_option,
    say,
    table,
    write_table,
)
from replay_cli.reaching import completing
from replay_cli.typed.games import chosen

#: What kinds of rules an index has, for people.
KINDS = {
    "action": phrase("action"), "deck": phrase("deck"), "effect": phrase("effect"),
    "info": phrase("info"), "limit": phrase("limit"), "process": phrase("process"),
    "reading": phrase("reading"), "result": phrase("result"), "setup": phrase("setup"),
    "state": phrase("state"),
}  # fmt: skip

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
@completing.edition_option
@click.option(
    "--changes", nargs=2, metavar="OLD NEW", help="Print what differs between two editions."
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
    words: tuple[str, ...], game: str, edition: str, changes: tuple[str, str] | None,
    covered: bool, whole: bool, tests: Path, as_data: bool,
) -> None:  # fmt: skip
    """Look up rules and adopted readings: by id (with all below it), by words in them, or all.

    --coverage fails if a rule that can be broken has no test, or a cited id does not exist.
    """
    if covered:
        _coverage([chosen(game, edition)] if game else games.every(), tests, whole, as_data)
        return
    if changes is not None:
        _changes(without_edition(chosen(game)), *changes, as_data=as_data)
        return
    words, named = _without_editions(words)
    game = chosen(game or _game_of(words), edition or named)
    index = games.rules(game)
    found = [rule for rule in index.values() if matches(rule, _prefix(index), words)]
    if not found:
        title = games.rulebook(game).manifest.title
        raise Failed(
            phrase("no rule of {title} has {words!r}", title=title, words=joined(" ", words)),
            MISSING,
        )
    called, others = _called(game), _in_others(game, found)
    if as_data:
        as_json([_rule_data(rule, called, others) for rule in found])
        return
    shown = table("rule", *(_in(one) for one in others), "kind", "in our words")
    for rule in found:
        was = (" ".join(other.get(rule.id, ())) for other in others.values())
        style = "bold" if rule.id in words else ""
        shown.add_row(called(rule.id), *was, say(KINDS.get(rule.kind, rule.kind)), _own(rule.gist),
                      style=style)  # fmt: skip
    write_table(shown)


def _in(edition: str) -> str:
    return say(phrase("in {edition}", edition=edition))


def _own(gist: str) -> str:
    """A gist in the language of the command."""
    return say(word(gist, GISTS))


def _without_editions(words: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Ids as an index has them, and the edition that they name, if one does."""
    named = [found[1] for word in words if (found := re.search(r"@([\d.]+)[:/]", word))]
    return tuple(re.sub(r"@[\d.]+(?=[:/])", "", word) for word in words), "".join(named[:1])


def _called(game: str) -> Callable[[str], str]:
    """How a rule is named where nothing else says which book is meant."""
    name, edition = without_edition(game), game.partition("@")[2] or games.FIRST
    several = len(games.editions(name)) > 1
    return lambda id_: in_full(id_, edition if several else "")


def _in_others(game: str, found: Sequence[Rule]) -> dict[str, dict[str, list[str]]]:
    """What rules of a game are in the other editions of its book, by edition and id."""
    name, others = without_edition(game), dict[str, dict[str, list[str]]]()
    for other in games.editions(name):
        key = games.key_of(name, other)
        if key != game:
            called, index = _called(key), games.rules(key).values()
            there = [(rule.id, _first(rule)) for rule in index]
            others[other] = {
                rule.id: [called(one) for one, was in there if not was.isdisjoint(_first(rule))]
                for rule in found
            }
    return others


def _first(rule: Rule) -> frozenset[str]:
    """What a rule was in the first edition; its own id, if it is of that."""
    return frozenset(rule.was if rule.change else (rule.id,))


def _rule_data(
    rule: Rule, called: Callable[[str], str], others: Mapping[str, Mapping[str, Sequence[str]]]
) -> dict[str, object]:
    data: dict[str, object] = {"id": called(rule.id), "kind": rule.kind, "gist": rule.gist}
    was = {edition: list(other.get(rule.id, ())) for edition, other in others.items()}
    return {**data, "in": was} if was else data


def _changes(name: str, old: str, new: str, *, as_data: bool) -> None:
    """What differs between the first edition of a book and a later one, by the later's order."""
    if old != games.FIRST:
        raise Misused(
            phrase(
                "changes are known from the first edition on: --changes {first}", first=games.FIRST
            )
        )
    before, later = games.rules(chosen(name, old)), games.rules(chosen(name, new))
    was_called, is_called = _called(chosen(name, old)), _called(chosen(name, new))
    rows = [
        (is_called(rule.id), " ".join(map(was_called, rule.was)), rule.change, _own(rule.gist))
        for rule in later.values()
        if rule.change != "same"
    ]
    stays = {id_ for rule in later.values() for id_ in rule.was}
    rows += [
        ("", was_called(id_), "gone", _own(before[id_].gist)) for id_ in before if id_ not in stays
    ]
    if as_data:
        as_json([dict(zip(("id", "was", "change", "gist"), row, strict=True)) for row in rows])
        return
    shown = table(new, old, "change", "in our words")
    for row in rows:
        shown.add_row(*row)
    write_table(shown)


def rulebook(game: str) -> Game:
    """A game's rulebook, by its newest edition, the first there is without one; raises `Failed`."""
    return games.rulebook(chosen(game))


def known_game(game: str) -> str:
    """The name of a game, that of the first there is without one; raises `Failed`."""
    return without_edition(chosen(game))


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
    text = f"{rule.id} {rule.kind} {rule.gist} {_own(rule.gist)}".casefold()
    return all(word.casefold() in text for word in words)


def _coverage(of: Sequence[str], tests: Path, whole: bool, as_data: bool) -> None:
    """Report the coverage of these games, each by itself; fails if that of one is not complete."""
    from replay_cli.checking import coverage

    if not tests.is_dir():
        raise Failed(
            phrase("there is no folder {tests}; name that of the tests with --tests", tests=tests),
            MISSING,
        )
    found = {game: coverage.report(games.rulebook(game), tests) for game in of}
    if as_data:
        as_json({game: _as_data(one) for game, one in found.items()})
    else:
        for game, one in found.items():
            for line in coverage.lines(one, games.rulebook(game), whole):
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
