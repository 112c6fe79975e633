"""The heading of a match: players, state, clocks, notices."""

from __future__ import annotations

from typing import Any, NamedTuple

from kifu.v1 import match_service_pb2 as pb

from domain.record.position import seat_of
from domain.record.proof import draws
from domain.telling import notices
from domain.telling.names import countdown
from domain.words.phrases import Phrase, phrase
from service.api.summaries import NAMES
from service.store.delay import Delay
from service.web.matches.rows import where


class Seat(NamedTuple):
    """A seat in the heading of a page."""

    seat: int
    name: str
    score: int | None
    won: bool


class Clock(NamedTuple):
    """A clock: its name, whose it is (-1: the round's), what it shows in milliseconds, and so."""

    name: str
    seat: int
    left: int
    running: bool
    text: str


def heading(found: pb.Match, now: Any, late: Delay) -> dict[str, Any]:
    """The heading of a match in the state `now`, by the names that its template has for it.

    `late`: how late it is seen.
    """
    return {
        "found": found,
        "where": where(found),
        "state": NAMES.get(found.state, ""),
        "seats": _seats(found, now),
        "clocks": _clocks(now),
        "notices": _notices(found, now, late),
        "late": bool(late),
    }


def _seats(found: pb.Match, now: Any) -> list[Seat]:
    games = list(found.score) or now["score"]
    counted = found.best_of > 1 or found.state == pb.MATCH_STATE_ENDED
    return [
        Seat(
            seat,
            name,
            games[seat] if counted and seat < len(games) else None,
            found.state == pb.MATCH_STATE_ENDED and found.winner == seat,
        )
        for seat, name in enumerate(found.seats)
    ]


def _clocks(now: Any) -> list[Clock]:
    """The clocks of a match that is played."""
    if now["state"] != "live":
        return []
    return [
        Clock(
            one["clock"], seat_of(one["clock"]), one["left"], one["running"], countdown(one["left"])
        )
        for one in now["clocks"]
    ]


def _notices(found: pb.Match, now: Any, late: Delay) -> list[Phrase]:
    """The notices about the match as a whole."""
    labels = {one.name: one.value for one in found.labels}
    notes = []
    if found.unofficial:
        notes.append(notices.fork(found.fork.match))
    if found.state == pb.MATCH_STATE_WAITING:
        notes.append(phrase("The match waits: {what}.", what=notices.waiting(found.waits, labels)))
    elif found.state == pb.MATCH_STATE_ENDED and not found.unofficial:
        result = notices.won(found.winner, list(found.score))
        notes.append(phrase("The match is over: {result}.", result=result))
    elif now["paused"]:
        notes.append(phrase("The match is paused by an official."))
    if now["called"] and now["state"] == "live":
        notes.append(phrase("Time was called."))
    notes += [
        phrase(
            "A result that was published before was withdrawn at entry {n}: {result}.",
            n=one.by,
            result=notices.won(one.winner, list(one.score)),
        )
        for one in found.superseded
    ]
    if late:
        notes.append(_late(late))
    if found.chance != draws.SEED and (chance := notices.chance(found.chance)):
        notes.append(chance)  # of a seed the board itself warns
    return notes


def _late(delay: Delay) -> Phrase:
    """How late a match is seen."""
    if delay.game:
        return phrase("You see this match late: each game once it is over.")
    if delay.decisions:
        text = "You see this match late, by {n} decision."
        if delay.decisions != 1:
            text = "You see this match late, by {n} decisions."
        return phrase(text, n=delay.decisions)
    minutes, seconds = divmod(delay.seconds, 60)
    return phrase("You see this match late, by {time}.", time=f"{minutes}:{seconds:02d}")
