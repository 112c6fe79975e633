"""Checks before a command writes: which match is meant, and that the user confirms.

For reading, the default is the newest match. For writing, the match must be named, unless only one
is live; before something ends, the command shows the outcome and asks. Where nobody can be asked,
`--yes` does.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from domain.words.phrases import phrase
from replay_cli.output import MISSING, REFUSED, USAGE, Failed, say
from replay_cli.reaching.rounds import Rounds

if TYPE_CHECKING:
    from service.client.client import Client

#: How many matches are named to choose from.
NAMED = 8


def match_to_write(client: Client, match: str, *, forks: bool = False) -> str:
    """The match that is meant where none is named: the only one that is not over; raises `Failed`.

    If all are over, it is the only one there is. A match of an event is over with its round: its
    result may have been typed. `forks`: a fork, and no other, is meant.
    """
    if match:
        return match
    found, left, rounds = list[Any](), list[Any](), Rounds(client)
    for state in ("live", "waiting", "ended"):
        if state == "ended" and (found or left):
            break
        for one in client.list_matches(state=state, forks=forks):
            wanted = left if state != "ended" and rounds.ended(one.id) else found
            wanted += [one] if one.unofficial or not forks else []
            if len(found) > NAMED:
                break
    found = found or left[: NAMED + 1]
    if not found:
        raise Failed("there are no matches", MISSING)
    if len(found) == 1:
        return str(found[0].id)
    hints = [_named(one) for one in found[:NAMED]]
    hints += ["…; `kifu list` shows all"] * (len(found) > NAMED)
    raise Failed("several matches may be meant: name one", USAGE, hints)


def _named(match: Any) -> str:
    labels = ", ".join(f"{label.name} {label.value}" for label in match.labels)
    seats = " – ".join(match.seats)
    return f"{match.id}  {seats}  ({labels})" if labels else f"{match.id}  {seats}"


def can_be_asked() -> bool:
    """Whether somebody sits at the terminal that the command is typed at."""
    return sys.stdin.isatty()


def confirmed(warning: str, yes: bool, question: str = "Go on?") -> bool:
    """Whether the user confirms a warning; raises `Failed` if nobody can be asked."""
    if yes or not warning:
        return True
    if not can_be_asked():
        raise Failed(
            warning, REFUSED, [phrase("nobody can be asked here: --yes says that it is meant")]
        )
    return click.confirm(f"{say(warning)} {say(phrase(question))}", err=True)
