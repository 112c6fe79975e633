"""Views of a tournament: hidden fields are blank.

Lists are for their players and officials until they are published, calls for their tables and
officials, penalties, notes and reasons for officials alone. Who plays whom is for officials and
scorekeepers until the round is opened: it may still be paired again. As in a match an entry may be
private in its fields, never in its existence; if all of it is private, its player or author is not
shown either.
"""

from __future__ import annotations

from typing import Any, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from domain.record.values import kept_fields
from domain.tournament import record as ev
from domain.tournament.state import Call, HandedIn, Round, Seating, Stage, State


class Viewer(Struct, frozen=True):
    """A viewer: an official, a scorekeeper of the event, somebody at a table, or the public.

    `player` is his own number where he is one.
    """

    official: bool = False
    keeper: bool = False
    round: int = 0
    table: int = 0
    player: int = 0

    @property
    def enters(self) -> bool:
        """Whether he enters, or looks after, what is played: lists and pairings are for him."""
        return self.official or self.keeper


PUBLIC, OFFICIAL = Viewer(), Viewer(official=True)
_BLANK = ev.Deck("")


def seen(s: State, viewer: Viewer) -> State:
    """A tournament as a viewer sees it; what is given stays as it was."""
    if viewer.official:
        return s
    return replace(
        s,
        players={n: replace(one, key="") for n, one in s.players.items()},
        lists={seq: _list(s, one, viewer) for seq, one in s.lists.items()},
        rounds=[_round(one, viewer) for one in s.rounds],
        calls={n: one for n, one in s.calls.items() if _heard(one, viewer)},
        penalties={},
        notes=[],
    )


def _list(s: State, one: HandedIn, viewer: Viewer) -> HandedIn:
    if viewer.enters or viewer.player == one.player:
        return one
    accepted = s.players[one.player].accepted and s.players[one.player].list == one.seq
    shown = s.published and (accepted or any(one.seq in r.lists.values() for r in s.rounds))
    return replace(one, deck=one.deck if shown else _BLANK, faults=())


def _round(one: Round, viewer: Viewer) -> Round:
    if one.stage == Stage.PAIRED and not viewer.enters:
        return replace(one, tables={}, seed=0)
    return replace(one, tables={n: _without_reasons(table) for n, table in one.tables.items()})


def _without_reasons(table: Seating) -> Seating:
    return replace(table, results=[replace(result, why="") for result in table.results])


def _heard(call: Call, viewer: Viewer) -> bool:
    return viewer.keeper or (call.round, call.table) == (viewer.round, viewer.table)


# -- entries ---------------------------------------------------------------------------------------


def _blank(hint: Any) -> object:
    """The value that replaces one of a type that is hidden."""
    return _BLANK if hint is ev.Deck else (get_origin(hint) or hint)()


#: Type by type of event what is kept from somebody, at some time or for ever: numbers and names.
KEPT = {cls: kept_fields(cls) for cls in ev.TYPES.values()}
#: What stands there for whom it is kept from.
SEALED: dict[type[ev.Event], dict[str, Any]] = {
    cls: {name: _blank(get_type_hints(cls)[name]) for _, name in fields}
    for cls, fields in KEPT.items()
}
#: Of these the author is not shown either.
UNSIGNED = (
    ev.CallRaised, ev.CallTaken, ev.CallAnswered,
    ev.PlayerPenalised, ev.PenaltyWithdrawn, ev.JudgeNoted,
)  # fmt: skip


def redact(entry: ev.Entry, s: State, viewer: Viewer) -> ev.Entry:
    """An entry as a viewer sees it; `s` is the tournament by then, or later."""
    return entry if viewer.official or _open(entry.event, s, viewer) else sealed(entry)


def sealed(entry: ev.Entry) -> ev.Entry:
    """An entry as it is for somebody who may know nothing of it that is ever kept from anybody."""
    event = entry.event
    by = "" if isinstance(event, UNSIGNED) else entry.by
    return replace(entry, by=by, event=replace(event, **SEALED[type(event)]))


def _open(event: ev.AnyEvent, s: State, viewer: Viewer) -> bool:
    """Whether all of an event is for a viewer who is no official."""
    match event:
        case ev.ListHandedIn():
            return viewer.enters or viewer.player == event.player
        case ev.RoundPaired():
            return viewer.enters or _stands(event, s)
        case ev.CallRaised() | ev.CallTaken() | ev.CallAnswered():
            return _heard(s.calls[event.call], viewer)
    return False


def _stands(event: ev.RoundPaired, s: State) -> bool:
    """Whether a round was opened with this pairing."""
    found = s.rounds[event.round - 1 : event.round]
    opened = [one for one in found if one.stage != Stage.PAIRED]
    given = {one.number: (one.first, one.second) for one in event.tables}
    return any({n: (o.first, o.second) for n, o in one.tables.items()} == given for one in opened)
