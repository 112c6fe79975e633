"""The result of a table, as people write it: `2-1`, `1-1-1`, `draw`, `0-2 conceded`, `both lost`.

Games are counted as the table names its players: the first one's, the second one's, and games that
were drawn. Where no play decided, a word says what did, and for whom if the games don't.
"""

from __future__ import annotations

import re

from domain.tournament import record as ev
from domain.tournament.record import Outcome, Table
from domain.words.phrases import joined, phrase

#: What decided, by the words that may stand behind a score.
HOWS = {
    "": ev.PLAYED,
    "played": ev.PLAYED,
    "conceded": ev.CONCEDED,
    "concession": ev.CONCEDED,
    "no-show": ev.NO_SHOW,
    "no show": ev.NO_SHOW,
    "noshow": ev.NO_SHOW,
    "agreed": ev.AGREED,
    "id": ev.AGREED,
    "ruled": ev.RULED,
    "bye": ev.BYE,
}
_SCORE = re.compile(r"(\d)\s*[-:–—]\s*(\d)(?:\s*[-:–—]\s*(\d))?\b\s*(.*)")
FORMS = "2-1, 1-1-1, draw, 2-0 conceded, 2-0 no-show, 1-1 ruled, both lost"


class BadOutcome(ValueError):
    """A text that is no result of a table; the text explains why."""


def read(text: str, table: Table, best_of: int = 1, *, winner: int | None = None) -> Outcome:
    """The outcome that a text means; raises `BadOutcome`.

    `winner` is who has won (0: nobody) where something other than the games says it; whether
    that can be with such a result is not asked here.
    """
    written = " ".join(text.casefold().split())
    wins = best_of // 2 + 1
    if not table.second and written in ("", "bye"):
        return Outcome(wins, 0, winner=table.first, how=ev.BYE)
    if written.startswith("both lost"):
        how = _how(written.removeprefix("both lost"), ev.RULED)
        return Outcome(0, 0, 0, winner or 0, how, both_lost=True)
    if written.startswith(("draw", "drawn")):
        how = written.removeprefix("drawn").removeprefix("draw")
        return Outcome(0, 0, 0, winner or 0, _how(how, ev.PLAYED))
    found = _SCORE.fullmatch(written)
    if found is None:
        raise BadOutcome(phrase("{text!r} is no result: {forms}", text=text, forms=FORMS))
    first, second, drawn = (int(found[n] or 0) for n in (1, 2, 3))
    ahead = table.first if first > second else table.second if second > first else 0
    return Outcome(first, second, drawn, ahead if winner is None else winner, _how(found[4]))


def _how(text: str, otherwise: str = ev.PLAYED) -> str:
    text = text.strip(" ()")
    if not text:
        return otherwise
    if text not in HOWS:
        raise BadOutcome(
            phrase(
                "{text!r} is no way to decide: {ways}",
                text=text,
                ways=joined(", ", dict.fromkeys(HOWS.values())),
            )
        )
    return HOWS[text]


def write(outcome: Outcome) -> str:
    """An outcome as it is read again: the score, and what decided if it was no play."""
    score = f"{outcome.first}-{outcome.second}" + f"-{outcome.drawn}" * bool(outcome.drawn)
    if outcome.both_lost:
        return f"both lost {outcome.how}" if outcome.how != ev.RULED else "both lost"
    if not any((outcome.first, outcome.second, outcome.drawn, outcome.winner)):
        score = "draw"
    return score if outcome.how == ev.PLAYED else f"{score} {outcome.how}"


def turned(outcome: Outcome) -> Outcome:
    """The same, as the other player reports it."""
    return Outcome(
        outcome.second, outcome.first, outcome.drawn, outcome.winner, outcome.how, outcome.both_lost
    )
