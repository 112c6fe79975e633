"""Announcements of a match, each made once: penalties, rulings, time, games won, results.

An announcement belongs to an entry. What a rewind has abandoned by the last entry that is asked
for is not announced any more; that the game goes back is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from domain.record.entries import Entry
from domain.record.events import GameEnded, MatchEnded
from domain.record.interventions import (
    ClockSet,
    Penalty,
    ResultCorrected,
    Rewound,
    Ruling,
    TimeCalled,
)
from domain.record.position import NOBODY, Position, seat_of
from domain.record.schema.manifest import Manifest
from domain.telling.names import countdown
from domain.words.phrases import Phrase, joined, phrase

#: More time than this is an extension, in milliseconds; less is what clocks differ by.
EXTENSION = 1_000
#: The position after an entry.
At = Callable[[int], Position]


class Announcement(Struct, frozen=True):
    """An announcement of entry `seq`: its kind, a headline, its text; whose it is."""

    seq: int
    kind: str
    head: str
    text: str = ""
    seat: int = NOBODY


def live_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that no rewind among them has abandoned."""
    found: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, Rewound):
            back = entry.event.to
            found = [one for one in found if one.seq <= back]
        found.append(entry)
    return found


def rewinds(entries: Iterable[Entry]) -> list[tuple[int, int]]:
    """Where entries go back: the entry that says so, and the last one that still counts."""
    return [(one.seq, one.event.to) for one in entries if isinstance(one.event, Rewound)]


def announcements(manifest: Manifest, entries: Sequence[Entry], at: At) -> list[Announcement]:
    """The announcements of entries that follow one another."""
    found = []
    for entry in live_entries(entries):
        if isinstance(entry.event, _KINDS):
            one = _announcement(manifest, entry, at)
            if one is not None:
                found.append(one)
    return found


_KINDS = (
    ClockSet, GameEnded, MatchEnded, Penalty, ResultCorrected, Rewound, Ruling, TimeCalled
)  # fmt: skip


def _announcement(manifest: Manifest, entry: Entry, at: At) -> Announcement | None:
    event, seq = entry.event, entry.seq
    if isinstance(event, ClockSet):
        return _extension(at(seq - 1), entry, event)
    pos = at(seq)
    match event:
        case GameEnded():
            return _game(manifest, pos, seq, event)
        case MatchEnded():
            return _result(pos, seq, "result", event.winner, event.score)
        case ResultCorrected():
            return _result(pos, seq, "correction", event.winner, event.score)
        case Penalty():
            return _penalty(pos, seq, event)
        case Ruling():
            return Announcement(seq, "ruling", phrase("Ruling"), event.text)
        case TimeCalled():
            return Announcement(seq, "time", phrase("Time"), _after_time(pos))
        case Rewound():
            where = phrase("turn {n}", n=pos.turn) if pos.turn else phrase("the start")
            text = phrase("It goes on from {where}.", where=where)
            return Announcement(seq, "rewind", phrase("The game goes back"), text)
    return None


def _name(pos: Position, seat: int) -> str:
    seats = pos.heading.seats
    return seats[seat] if 0 <= seat < len(seats) else ""


def _game(manifest: Manifest, pos: Position, seq: int, event: GameEnded) -> Announcement | None:
    if pos.heading.best_of <= 1:
        return None  # the result of the match says so
    why = manifest.label("reasons", event.why) if event.why else ""
    if event.winner < 0:
        return Announcement(seq, "game", phrase("Game {n} is drawn", n=pos.game), why)
    head = phrase("{name} wins game {n}", name=_name(pos, event.winner), n=pos.game)
    return Announcement(seq, "game", head, why, event.winner)


def _result(pos: Position, seq: int, kind: str, winner: int, score: Sequence[int]) -> Announcement:
    games = "–".join(map(str, score))
    if kind == "correction":
        text: str = phrase("The result was corrected: {score}", score=games)
    else:
        text = games if pos.heading.best_of > 1 else ""
    if winner < 0:
        return Announcement(seq, kind, phrase("The match is a draw"), text)
    head = phrase("{name} wins the match", name=_name(pos, winner))
    return Announcement(seq, kind, head, text, winner)


def _penalty(pos: Position, seq: int, event: Penalty) -> Announcement:
    """A penalty by its name; what for is for those at the table."""
    kind = pos.heading.policy.penalty(event.kind)
    label = kind.label if kind is not None and kind.label else event.kind
    return Announcement(seq, "penalty", label, _name(pos, event.seat), event.seat)


def _after_time(pos: Position) -> Phrase | str:
    if pos.deadline:
        return phrase("{time} more are played.", time=countdown(pos.deadline - pos.time))
    if pos.extra == 0:
        return phrase("This turn is the last.")
    if pos.extra == 1:
        return phrase("One more turn is played after this one.")
    if pos.extra > 1:
        return phrase("{n} more turns are played after this one.", n=pos.extra)
    return ""


def _extension(before: Position, entry: Entry, event: ClockSet) -> Announcement | None:
    """More time on a clock, once the match is being played; none if it was set otherwise."""
    if event.clock not in before.clocks or not before.turn:
        return None
    more = event.left - before.left(event.clock, entry.time)
    if more < EXTENSION:
        return None
    seat = seat_of(event.clock)
    shows = phrase("{time} are left", time=countdown(event.left))
    whose = [_name(before, seat)] if seat >= 0 else []
    head = phrase("Time extension: {time}", time=countdown(more + 500))
    return Announcement(entry.seq, "extension", head, joined(" · ", [*whose, shows]), seat)
