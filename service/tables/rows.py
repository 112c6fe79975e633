"""The rows of one match in each table, from its entries as one viewer has them.

What a rewind abandoned is there too, marked. Where something is not known to the viewer there is
nothing (null): so the tables say no more than the entries do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from typing import Any

import msgspec
from msgspec import Struct

from domain.record import events as ev
from domain.record import interventions as iv
from domain.record.entries import Entry, active, name_of
from domain.record.folding.fold import fold, fold_all
from domain.record.position import SEATS, Card, Position
from domain.record.values import EVERYONE, Sealed
from domain.record.views import OFFICIAL, PUBLIC
from service.tables.decided import Decided, Row

#: What is too long for a field of an event: it is in the table of decisions.
_ELSEWHERE = (ev.OptionsOffered, "offer")

_json = msgspec.json.Encoder().encode


def of_match(match: str, log: Sequence[Entry], viewer: int) -> dict[str, list[Row]]:
    """The rows of a match by table; `log` has all its entries, in order."""
    found = _Rows(log, viewer)
    for at, entry in enumerate(log):
        found.take(at, entry)
    tables = {
        "matches": [found.summary()],
        "decks": found.decks,
        "decisions": found.decided.rows,
        "events": found.events,
        "cards": found.cards,
    }
    for rows in tables.values():
        for row in rows:
            row["match"] = match
    return tables


class _Rows:
    """The rows of one match, in the making; `pos` is the position so far."""

    def __init__(self, log: Sequence[Entry], viewer: int) -> None:
        self.log, self.viewer, self.pos = log, viewer, Position()
        self.decks: list[Row] = []
        self.events: list[Row] = []
        self.cards: list[Row] = []
        self.decided = Decided(whole=viewer == OFFICIAL)
        self.line = active(log)
        self.standing = {entry.seq for entry in self.line}
        self.heading: ev.MatchOpened | None = None

    def take(self, at: int, entry: Entry) -> None:
        """Take the next entry, which is at that place of the log."""
        pos, event = self.pos, entry.event
        rewound = isinstance(event, iv.Rewound)
        abandoned = entry.seq not in self.standing and not rewound
        self.decided.take(pos, entry, abandoned)
        before = [*_moved(pos, event)]
        if rewound:
            self.pos = pos = fold_all(active(self.log[: at + 1]))
        else:
            fold(pos, entry)
        if isinstance(event, ev.MatchOpened):
            self.heading = event
        elif isinstance(event, ev.DeckRegistered) and not abandoned:
            self.decks += _deck(event)
        place = {"seq": entry.seq, "game": pos.game, "turn": pos.turn, "abandoned": abandoned}
        name = name_of(event)
        self.events.append(
            {
                **place, "time": entry.time, "moment": entry.moment, "frame": entry.frame,
                "by": entry.by, "step": pos.step or None, "event": name, "rules": entry.cites,
                "fields": _json(_fields(event)).decode(),
            }
        )  # fmt: skip
        for row, card in before:
            self.cards.append({**place, "event": name, **_known(pos, row, card), **row})

    def summary(self) -> Row:
        """The row of the match itself."""
        pos, heading, line = self.pos, self.heading, self.line
        assert heading is not None, "a record begins with what opened the match"
        kinds = Counter(type(entry.event) for entry in line)
        turns = [entry.event for entry in line if isinstance(entry.event, ev.TurnBegan)]
        return {
            "game": heading.game, "engine": heading.engine, "mode": heading.mode,
            "best_of": heading.best_of, "opened": heading.at, "seats": heading.seats,
            "labels": [*heading.labels.items()],
            "fork_of": heading.origin.match if heading.origin is not None else None,
            "viewer": _viewer(self.viewer), "over": pos.over,
            "winner": pos.winner if pos.over and pos.winner >= 0 else None,
            "why": pos.why or None, "score": pos.score, "first": turns[0].seat if turns else None,
            "games": kinds[ev.GameBegan], "turns": len(turns),
            "decisions": kinds[ev.DecisionOpened], "entries": len(self.log),
            "irregularities": kinds[iv.Irregularity],
            "rewinds": sum(isinstance(entry.event, iv.Rewound) for entry in self.log),
            "duration": line[-1].time if line else 0,
        }  # fmt: skip


def _viewer(viewer: int) -> str:
    return {OFFICIAL: "official", PUBLIC: "public"}.get(viewer) or SEATS[viewer]


def _deck(event: ev.DeckRegistered) -> Iterator[Row]:
    lists = event.cards.value
    for part, size in event.sizes.items():
        counts = Counter(lists.get(part, ())) if lists is not None else {None: size}
        for card, n in counts.items():
            yield {"seat": event.seat, "deck": event.name, "part": part, "card": card, "n": n}


# -- cards -----------------------------------------------------------------------------------------


def _moved(pos: Position, event: ev.Event) -> Iterator[tuple[Row, Card | None]]:
    """What an event does to each card, and the card as it was before; `pos` is before it, too."""
    if isinstance(event, ev.CardsMade):
        for number in event.cards.value or repeat(None, event.n):
            yield {"number": number, "dst": event.place, "why": event.why, "owner": event.owner,
                   "token": event.token}, None  # fmt: skip
    elif isinstance(event, ev.CardsMoved):
        for old, new in _pairs(pos, event):
            card = pos.cards.get(old) if old else None
            yield {"was": old or None, "number": new or None, "src": event.src, "dst": event.dst,
                   "why": event.why}, card  # fmt: skip
    elif isinstance(event, ev.CardsKnown):
        for number, _ in event.cards.value or repeat((None, ""), event.n):
            yield {"number": number, "dst": event.place, "why": event.why}, None
    elif isinstance(event, ev.CardsRemoved):
        for number in event.cards:
            card = pos.cards.get(number)
            place = card.place if card is not None else None
            yield {"was": number, "src": place, "why": event.why}, card


def _pairs(pos: Position, event: ev.CardsMoved) -> Iterator[tuple[int | None, int | None]]:
    """The numbers of each card before and after a move; a kept one brings what is laid with it."""
    was = event.was.value or (None,) * event.n
    if not event.kept:
        yield from zip(was, event.now.value or (None,) * event.n, strict=True)
        return
    for number in was:
        yield number, number
        for rider in _riders(pos, number):
            yield rider, rider


def _riders(pos: Position, number: int | None) -> Iterator[int]:
    card = pos.cards.get(number) if number else None
    for rider in card.attached if card is not None else ():
        yield rider
        yield from _riders(pos, rider)


def _known(pos: Position, row: Mapping[str, Any], before: Card | None) -> Row:
    """What is known of a card once it was moved, made or shown."""
    card = pos.cards.get(row.get("number") or 0) or before
    if card is None:
        return {}
    identity = card.id or (before.id if before is not None else "")
    return {"card": identity or None, "owner": card.owner, "token": card.token,
            "seen_by": _audience(card.seen)}  # fmt: skip


def _audience(mask: int) -> str:
    """Who knows a card: the letters of the seats, or `all`."""
    if mask == EVERYONE:
        return "all"
    return "".join(letter for seat, letter in enumerate(SEATS) if mask >> seat & 1)


# -- events as JSON --------------------------------------------------------------------------------


def _fields(value: Any) -> Any:
    """A value of an event with its fields by name; what is not known to the viewer is null."""
    if isinstance(value, Sealed):
        return _fields(value.value)
    if isinstance(value, Struct):
        return {name: _fields(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, tuple | list):
        return [_fields(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _fields(one) for key, one in value.items()}
    return value.hex() if isinstance(value, bytes) else value


@cache
def _names(cls: type[Struct]) -> tuple[str, ...]:
    left_out = _ELSEWHERE[1] if cls is _ELSEWHERE[0] else ""
    return tuple(name for name in cls.__struct_fields__ if name != left_out)
