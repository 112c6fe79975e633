"""A match as a row of a list, in a few words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from kifu.v1 import match_service_pb2 as pb

from domain.record.position import seat_of
from domain.telling import notices
from domain.telling.names import countdown, letter
from domain.words.phrases import phrase
from service.api.summaries import NAMES


class Player(NamedTuple):
    """A seat of a match; `score` is None if nothing is counted."""

    seat: int
    name: str
    score: int | None
    won: bool
    turn: bool


class Time(NamedTuple):
    """A time, for programs and for people."""

    iso: str
    text: str


class Row(NamedTuple):
    """A match in a list."""

    id: str
    game: str
    players: list[Player]
    where: list[str]
    state: str
    state_text: str
    far: str
    clocks: str
    opened: Time | None
    last: Time | None


def row(found: pb.Match, title: str) -> Row:
    """A match, of a game with this title."""
    far = found.progress
    games = list(found.score or far.score)
    shown = found.best_of > 1 or found.state == pb.MATCH_STATE_ENDED
    players = [
        Player(
            seat,
            name,
            games[seat] if shown and seat < len(games) else None,
            found.state == pb.MATCH_STATE_ENDED and found.winner == seat,
            found.state == pb.MATCH_STATE_LIVE and far.turn_seat == seat,
        )
        for seat, name in enumerate(found.seats)
    ]
    last = moment(far.last_time.ToMilliseconds()) if far.HasField("last_time") else None
    return Row(
        found.id,
        title,
        players,
        where(found),
        NAMES.get(found.state, ""),
        state_text(found),
        progress(found),
        clocks(found),
        moment(found.open_time.ToMilliseconds()),
        last,
    )


def where(found: pb.Match) -> list[str]:
    """The event, the round, the table, and what else it is filed under."""
    labels = {one.name: one.value for one in found.labels}
    places = [labels.pop("event")] if labels.get("event") else []
    for name, sentence in (("round", "Round {n}"), ("table", "Table {n}")):
        if value := labels.pop(name, ""):
            places.append(phrase(sentence, n=value) if value.isdecimal() else value)
    return places + [f"{name} {value}" for name, value in labels.items() if name != "event"]


def state_text(found: pb.Match) -> str:
    """The state of a match in words."""
    if found.state == pb.MATCH_STATE_WAITING:
        labels = {one.name: one.value for one in found.labels}
        return notices.waiting(found.waits, labels)
    if found.state == pb.MATCH_STATE_LIVE:
        return phrase("paused") if found.progress.paused else phrase("live")
    if found.winner >= 0:
        return phrase("{name} won", name=found.seats[found.winner])
    return phrase("a draw")


def progress(found: pb.Match) -> str:
    """How far a match is."""
    far: Any = found.progress
    if not far.turn:
        return ""
    if found.best_of > 1:
        return phrase("game {game}, turn {n}", game=far.game, n=far.turn)
    return phrase("turn {n}", n=far.turn)


def clocks(found: pb.Match) -> str:
    """The display of the clocks, if any run or have run."""
    if found.state != pb.MATCH_STATE_LIVE:
        return ""
    parts = []
    for one in found.progress.clocks:
        seat = seat_of(one.clock)
        parts.append(f"{letter(seat)} {countdown(one.left)}" if seat >= 0 else countdown(one.left))
    return ", ".join(parts)


def moment(ms: int) -> Time:
    """A time in milliseconds since 1970; people without scripts read it in UTC."""
    at = datetime.fromtimestamp(ms / 1000, UTC)
    return Time(f"{at:%Y-%m-%dT%H:%M:%SZ}", f"{at:%Y-%m-%d %H:%M} UTC")
