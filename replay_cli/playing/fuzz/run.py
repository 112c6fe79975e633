"""Runs one match with made-up cards from its seed and returns its outcome; never raises.

The seed determines everything: the made-up cards (several matches in a row share them), the kind of
match and what is done in it. So a failure is repeated by its seed.
"""

from __future__ import annotations

import re
import time
import traceback
from functools import lru_cache
from random import Random

from msgspec import Struct

from domain import games
from domain.text.scenario.soundness import CRASHED, crash
from replay_cli.playing.fuzz.cards import CardMaker, MadeUp
from replay_cli.playing.fuzz.match import KINDS, DealtMatch, Wrong

#: Matches that share their cards, and decisions that one is followed for.
SHARED, LENGTH = 6, 250


class Stuck(BaseException):
    """The match was stopped because it took too long."""


class Finding(Struct):
    """Something that was wrong: what, in a word for all of its kind (`mark`) and in full.

    `seq` is the entry that shows it; 0: the last.
    """

    mark: str
    text: str
    seq: int = 0


class Outcome(Struct):
    """The result of a match."""

    game: str
    seed: int
    kind: str = ""
    cards: int = 0
    decisions: int = 0
    entries: int = 0
    seconds: float = 0.0
    finding: Finding | None = None


def cards_of(game: str, seed: int) -> MadeUp:
    """The cards and decks of a seed."""
    return _made(game, seed // SHARED)


@lru_cache(maxsize=4)
def _made(game: str, group: int) -> MadeUp:
    return CardMaker(games.rulebook(game), Random(f"{game}/{group}/cards")).make()


def fuzz(game: str, seed: int, length: int = LENGTH) -> Outcome:
    """Play the match of a seed."""
    return followed(game, seed, length)[0]


def followed(game: str, seed: int, length: int = LENGTH) -> tuple[Outcome, DealtMatch | None]:
    """The outcome, and the match as it was at its end or at the failure."""
    rules, made = games.rulebook(game), cards_of(game, seed)
    name = f"{game}/{seed}"
    kind = Random(f"{name}/kind").choice(KINDS)
    outcome = Outcome(game, seed, kind.__name__.removesuffix("Match").lower(), len(made.tables))
    began = time.perf_counter()
    play: DealtMatch | None = None
    try:
        play = kind.__new__(kind)
        play.__init__(rules, made, name)  # type: ignore[misc]
        play.play(length)
    except (Exception, Stuck) as error:
        outcome.finding = finding(error)
    if play is not None and hasattr(play, "match"):
        outcome.decisions, outcome.entries = play.match.pos.decisions, len(play.log)
    outcome.seconds = time.perf_counter() - began
    return outcome, play


def finding(error: BaseException) -> Finding:
    """The fault that was found."""
    text = "".join(traceback.format_exception(error))[-6000:]
    if isinstance(error, Wrong):
        return Finding(mark_of("", str(error)), text, error.seq)
    while error.__cause__ is not None:
        error = error.__cause__
    return Finding(mark_of("", crash(error)), text)


def mark_of(expected: str, happened: str) -> str:
    """The identity of a fault: its first finding, numbers left out.

    `expected` is what a scenario says where it is put to the same tests.
    """
    if happened.startswith(CRASHED):
        return _bare(happened.removeprefix(CRASHED).split(": maximum recursion")[0])
    tests = {
        "resuming": "a match that is taken up again stands elsewhere",
        "the record verifies": f"the record is {happened}",
        "all citations": f"there is no {happened.partition(' in ')[0]}",
    }
    for begins, mark in tests.items():
        if expected.startswith(begins):
            happened = mark
    return _bare(happened.split("; ")[0])


def _bare(text: str) -> str:
    return re.sub(r"\d+", "n", text)[:120]
