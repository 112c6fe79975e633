"""Views of a tournament: hidden fields are blank.

Lists and pools are for their players and officials until lists are published, calls and what
players say of their result for their tables and officials, penalties, notes and reasons for
officials alone; that a player is here for officials, scorekeepers and himself. Who plays whom is
for officials and
scorekeepers until the round is opened: it may still be paired again. As in a match an entry may be
private in its fields, never in its existence; if all of it is private, its player or author is not
shown either.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, TypeVar, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from domain.record.values import kept_fields
from domain.tournament import record as ev
from domain.tournament.state import (
    Appeal,
    Call,
    HandedIn,
    Player,
    Pool,
    Round,
    Seating,
    Stage,
    State,
)

S = TypeVar("S", bound=Struct)


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
_BLANKS = {ev.Deck: _BLANK, ev.Outcome: ev.Outcome(0, 0)}


def seen(s: State, viewer: Viewer) -> State:
    """A tournament as a viewer sees it; what is given stays as it was."""
    if viewer.official:
        return s
    return replace(
        s,
        players={n: _player(one, viewer) for n, one in s.players.items()},
        lists={seq: _list(s, one, viewer) for seq, one in s.lists.items()},
        rounds=[_round(one, viewer) for one in s.rounds],
        calls={n: one for n, one in s.calls.items() if _heard(s, one, viewer)},
        penalties={},
        notes=[],
        checks=[],
        barred={},
        appeals={n: one for n, one in s.appeals.items() if _heard(s, one, viewer)},
        pools={n: _pool(s, one, viewer) for n, one in s.pools.items()},
    )


def snapshot(s: State) -> State:
    """A copy that stays as it is while the tournament goes on."""
    return replace(
        s,
        players=_copies(s.players),
        lists={**s.lists},
        officials={**s.officials},
        rounds=[replace(one, tables=_seatings(one.tables)) for one in s.rounds],
        calls=_copies(s.calls),
        penalties=_copies(s.penalties),
        notes=[*s.notes],
        checks=[replace(one) for one in s.checks],
        barred={**s.barred},
        appeals=_copies(s.appeals),
        pools={**s.pools},
    )


def _copies(of: Mapping[int, S]) -> dict[int, S]:
    return {n: replace(one) for n, one in of.items()}


def _seatings(tables: Mapping[int, Seating]) -> dict[int, Seating]:
    return {
        n: replace(
            one,
            results=[*one.results],
            clock=replace(one.clock) if one.clock is not None else None,
            claims=[*one.claims],
        )
        for n, one in tables.items()
    }


def _player(one: Player, viewer: Viewer) -> Player:
    if viewer.enters or viewer.player == one.number:
        return replace(one, key="")
    return replace(one, key="", present=False, identified=False, late=False)


def _list(s: State, one: HandedIn, viewer: Viewer) -> HandedIn:
    if viewer.enters or viewer.player == one.player:
        return one
    accepted = s.players[one.player].accepted and s.players[one.player].list == one.seq
    shown = s.published and (accepted or any(one.seq in r.lists.values() for r in s.rounds))
    return replace(one, deck=one.deck if shown else _BLANK, faults=())


def _pool(s: State, one: Pool, viewer: Viewer) -> Pool:
    own = viewer.enters or viewer.player == one.player
    return one if own or s.published else replace(one, cards=())


def _round(one: Round, viewer: Viewer) -> Round:
    if one.stage == Stage.PAIRED and not viewer.enters:
        return replace(one, tables={}, seed=0)
    return replace(one, tables={n: _table(one, table, viewer) for n, table in one.tables.items()})


def _table(round_: Round, table: Seating, viewer: Viewer) -> Seating:
    claims = table.claims if viewer.keeper or _is_his(round_, table.number, viewer) else []
    results = [replace(result, why="") for result in table.results]
    return replace(table, results=results, claims=claims)


def _heard(s: State, call: Call | Appeal, viewer: Viewer) -> bool:
    return _sits(s, viewer, call.round, call.table)


def _sits(s: State, viewer: Viewer, round_: int, table: int) -> bool:
    """Whether a viewer enters, or sits at a table of a round."""
    return viewer.keeper or (
        1 <= round_ <= len(s.rounds) and _is_his(s.rounds[round_ - 1], table, viewer)
    )


def _is_his(round_: Round, table: int, viewer: Viewer) -> bool:
    """Whether a table is a viewer's: that of his token, or of a player of the event."""
    if viewer.round or not viewer.player:
        return (round_.number, table) == (viewer.round, viewer.table)
    place = round_.tables.get(table)
    return place is not None and viewer.player in place.players


# -- entries ---------------------------------------------------------------------------------------


def _blank(hint: Any) -> object:
    """The value that replaces one of a type that is hidden."""
    if isinstance(hint, UnionType):  # a field that older entries lack
        hint = hint.__args__[0]
    return _BLANKS[hint] if hint in _BLANKS else (get_origin(hint) or hint)()


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
    ev.DecksDrawn, ev.DeckChecked, ev.PenaltyCarried,
    ev.PlayerBarred, ev.AppealRaised, ev.AppealAnswered,
    ev.ResultClaimed, ev.ClaimWithdrawn, ev.PlayerCheckedIn,
)  # fmt: skip


def redact(entry: ev.Entry, s: State, viewer: Viewer) -> ev.Entry:
    """An entry as a viewer sees it; `s` is the tournament by then, or later."""
    return entry if viewer.official or _open(entry.event, s, viewer) else sealed(entry)


def sealed(entry: ev.Entry) -> ev.Entry:
    """An entry as it is for somebody who may know nothing of it that is ever kept from anybody."""
    event = entry.event
    by = "" if isinstance(event, UNSIGNED) else entry.by
    blank = {name: one for name, one in SEALED[type(event)].items() if _has(event, name)}
    return replace(entry, by=by, event=replace(event, **blank))


def _has(event: ev.AnyEvent, name: str) -> bool:
    """Whether an event has a field: older entries lack what was added to their type."""
    return getattr(event, name) is not None


def _open(event: ev.AnyEvent, s: State, viewer: Viewer) -> bool:
    """Whether all of an event is for a viewer who is no official."""
    match event:
        case ev.ListHandedIn() | ev.PlayerCheckedIn() | ev.PoolRegistered():
            return viewer.enters or viewer.player == event.player
        case ev.RoundPaired():
            return viewer.enters or _stands(event, s)
        case ev.CallRaised() | ev.CallTaken() | ev.CallAnswered():
            return _heard(s, s.calls[event.call], viewer)
        case ev.AppealRaised() | ev.AppealAnswered():
            return _heard(s, s.appeals[event.appeal], viewer)
        case ev.ResultClaimed() | ev.ClaimWithdrawn():
            return _sits(s, viewer, event.round, event.table)
    return False


def _stands(event: ev.RoundPaired, s: State) -> bool:
    """Whether a round was opened with this pairing."""
    found = s.rounds[event.round - 1 : event.round]
    opened = [one for one in found if one.stage != Stage.PAIRED]
    given = {one.number: (one.first, one.second) for one in event.tables}
    return any({n: (o.first, o.second) for n, o in one.tables.items()} == given for one in opened)
