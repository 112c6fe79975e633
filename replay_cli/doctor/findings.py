"""Checks and their findings: problems, and what could not be checked.

Unchecked parts are never reported as sound: readers of the outcome, or a script with the exit code,
could not distinguish them from checked ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from domain.words.phrases import Phrase
from replay_cli.doctor.seen import Seen

#: How bad something is, and the exit code of a command that found nothing worse: nothing is wrong;
#: it should be mended; something does not work, or may be lost; it could not be looked at.
GOOD, MEND, WRONG, UNSEEN = range(4)
#: From what is least bad to what is worst.
_RANKS = (GOOD, MEND, UNSEEN, WRONG)


class Problem(NamedTuple):
    """Something that is wrong: how bad it is, where, what, and what to do about it."""

    level: int
    where: str
    text: Phrase
    remedy: Phrase


class Unseen(NamedTuple):
    """Something that could not be looked at: where, and why not."""

    where: str
    why: Phrase


class Check(NamedTuple):
    """A check: its name, what is well where it finds nothing, and the check itself.

    `applies`: whether anything was seen that it can judge. `missing`: what it would have judged and
    could not be looked at.
    """

    name: str
    well: Phrase
    look: Callable[[Seen], Iterable[Problem]]
    applies: Callable[[Seen], bool]
    missing: Callable[[Seen], Iterable[Unseen]]


class Outcome(NamedTuple):
    """A check that was made, what it found and what it could not look at.

    No problems are None: there was nothing that it can judge.
    """

    check: Check
    problems: tuple[Problem, ...] | None
    unseen: tuple[Unseen, ...] = ()

    @property
    def level(self) -> int:
        """How bad the worst is that was found."""
        found = [one.level for one in self.problems or ()]
        return worst([*found, UNSEEN] if self.unseen else found)

    @property
    def well(self) -> bool:
        """Whether all was looked at that it judges, and nothing is wrong with it."""
        return self.problems == () and not self.unseen


def worst(levels: Iterable[int]) -> int:
    """The worst of some levels; `GOOD` if there are none."""
    return max(levels, key=_RANKS.index, default=GOOD)


def examine(checks: Iterable[Check], seen: Seen) -> list[Outcome]:
    """Make all checks."""
    return [
        Outcome(one, tuple(one.look(seen)) if one.applies(seen) else None, tuple(one.missing(seen)))
        for one in checks
    ]
