"""What the tests of the command line share: played records, and the program in this process."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from click.testing import CliRunner, Result

from domain.events import Entry
from domain.games import rulebook
from replay_cli.book import Book
from replay_cli.main import kifu
from replay_cli.playout import play

RULES = rulebook("gundam")
BOOK = Book.of(RULES)


@cache
def log(seed: int, decks: tuple[str, str] = ("ST01", "ST03"), best_of: int = 1) -> list[Entry]:
    """A whole match of bots."""
    return play(RULES, decks, seed, best_of=best_of)


def run(*args: object, code: int = 0) -> Result:
    """Run `kifu` with these arguments; it must end with this exit code."""
    result = CliRunner().invoke(kifu, [str(arg) for arg in args])
    assert result.exit_code == code, f"{args}: {result.exit_code}\n{result.output}"
    return result


def answer(*args: object) -> Any:
    """What `kifu … --json` answers."""
    return json.loads(run(*args, "--json").stdout)
