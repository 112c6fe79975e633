"""The holder of a code, and the token that he gets for it now.

A code is for somebody of one match, or of an event: then he gets a token of the match that he has
in the round at hand (a player, a table), or one of the event (an official, the public). What an
event looks like comes from its state (`domain.tournament.state`); this module decides on it, and
reads nothing.
"""

from __future__ import annotations

from msgspec import Struct

from domain.tournament.record import SCOREKEEPER
from domain.tournament.state import Round, Seating, Stage, State
from domain.words.phrases import phrase
from service.identity import Identity, Role


class Holder(Struct, frozen=True):
    """Whom a code is for: a role of a match, or of an event.

    In an event a seat is that of a `player`, by his number, whichever table he has; a scorekeeper
    or the public is of a `table`, by its number, or of the whole event (0). An official may have a
    name: then he gets what the event says that he is. `delay` is the public's, as `Identity` has
    it.
    """

    role: str
    match: str = ""
    event: str = ""
    seat: int = -1
    player: int = 0
    table: int = 0
    name: str = ""
    delay: str = ""


class Place(Struct, frozen=True):
    """The place given for a code: the identity, and where it applies (0: nowhere)."""

    who: Identity
    name: str = ""
    round: int = 0
    table: int = 0


class NoPlace(Exception):
    """There is nothing to give for the code, at present or permanently.

    `reason` is `NO_MATCH_YET`, where `round` is the first that may have one, `MATCH_OVER`,
    `PLAYER_DROPPED`, `NOT_OFFICIAL` or `EVENT_OVER`.
    """

    def __init__(self, reason: str, text: str, round_: int = 0) -> None:
        super().__init__(text)
        self.reason, self.round = reason, round_


def fault_of(holder: Holder) -> str:
    """The field of a holder that makes no sense; empty: it is one."""
    h = holder
    if h.role not in (Role.SEAT, Role.SCOREKEEPER, Role.OFFICIAL, Role.PUBLIC):
        return "role"
    if bool(h.match) == bool(h.event):
        return "match_id"
    if h.seat < -1 or (h.role == Role.SEAT and bool(h.match)) != (h.seat >= 0):
        return "seat"
    if h.player < 0 or (h.role == Role.SEAT and bool(h.event)) != (h.player > 0):
        return "player"
    at_table = h.event and h.role in (Role.SCOREKEEPER, Role.PUBLIC)
    if h.table < 0 or (h.table and not at_table):
        return "table"
    return "delay" if h.delay and h.role != Role.PUBLIC else ""


def in_match(holder: Holder, match: str, seat: int = -1, delay: str = "") -> Identity:
    """The identity of a holder in a match; `delay` is that of its policy."""
    role = Role(holder.role)
    name = f"seat {seat} of {match}" if role == Role.SEAT else f"{role} of {match}"
    if role == Role.OFFICIAL and holder.name:
        name = holder.name
    late = (holder.delay or delay) if role == Role.PUBLIC else ""
    return Identity(role, name, match, seat, delay=late)


def in_event(holder: Holder, state: State, at_event: bool = False) -> Place:
    """The place of a holder at an event in its present state; raises `NoPlace`.

    `at_event`: that of a player at the event itself, whether he has a match or not.
    """
    if state.ended:
        raise NoPlace("EVENT_OVER", phrase("The event is over."))
    if holder.player in state.players and at_event:
        name = state.players[holder.player].name
        return Place(Identity(Role.PUBLIC, name, event=state.id, player=holder.player), name)
    if holder.player:
        return _of_player(holder, state)
    if holder.table:
        return _of_table(holder, state)
    role, name = Role(holder.role), holder.name
    if role == Role.OFFICIAL and name:
        office = state.officials.get(name)
        if not office:
            raise NoPlace("NOT_OFFICIAL", phrase("{name} is no official of the event.", name=name))
        role = Role.SCOREKEEPER if office == SCOREKEEPER else role
    late = (holder.delay or state.format.policy.delay) if role == Role.PUBLIC else ""
    who = Identity(role, name or f"{role} of {state.id}", event=state.id, delay=late)
    return Place(who, name)


def _of_player(holder: Holder, state: State) -> Place:
    number = holder.player
    player, round_ = state.players.get(number), _opened(state)
    name = player.name if player is not None else holder.name
    seating = round_.of(number) if round_ is not None else None
    over = round_ is None or round_.stage == Stage.ENDED
    if player is not None and player.dropped and (over or seating is None or seating.result):
        raise NoPlace("PLAYER_DROPPED", phrase("{name} has dropped from the event.", name=name))
    if round_ is None or over:
        raise not_yet(_next(state))
    if seating is None:
        raise not_yet(
            _next(state), phrase("{name} is not in round {n}.", name=name, n=round_.number)
        )
    if not seating.second:
        raise not_yet(
            _next(state), phrase("{name} has a bye in round {n}.", name=name, n=round_.number)
        )
    seat = seating.players.index(number)
    return _at(holder, state, round_, seating, seat, name)


def _of_table(holder: Holder, state: State) -> Place:
    round_ = _opened(state)
    if round_ is None or round_.stage == Stage.ENDED:
        raise not_yet(_next(state))
    seating = round_.tables.get(holder.table)
    if seating is None or not seating.second:
        text = "Nobody plays at table {table} in round {n}."
        raise not_yet(_next(state), phrase(text, table=holder.table, n=round_.number))
    return _at(holder, state, round_, seating, -1, holder.name)


def _at(
    holder: Holder, state: State, round_: Round, seating: Seating, seat: int, name: str
) -> Place:
    """The place of a holder at a table of an open round."""
    if not (round_.format or state.format).mode:
        text = phrase("The matches of round {n} are not recorded.", n=round_.number)
        raise not_yet(_next(state), text)
    if seating.result is not None and holder.role != Role.PUBLIC:
        next_ = round_.number + 1
        if seating.result.source:
            raise over(next_)
        text = phrase(
            "The result of table {table} was entered; the next match is there once round {n} is "
            "opened.", table=seating.number, n=next_,
        )  # fmt: skip
        raise NoPlace("MATCH_OVER", text, next_)
    match = state.match(round_.number, seating.number)
    who = in_match(holder, match, seat, state.format.policy.delay)
    return Place(who, name, round_.number, seating.number)


def over(round_: int = 0) -> NoPlace:
    """A match is over; there may be another once that round is opened."""
    text = phrase("The match is over.")
    if round_:
        text = phrase("The match is over; the next is there once round {n} is opened.", n=round_)
    return NoPlace("MATCH_OVER", text, round_)


def not_yet(round_: int, why: str = "") -> NoPlace:
    """There is no match before that round is opened."""
    text = phrase("There is no match yet: ask again once round {n} is opened.", n=round_)
    if why:
        text = phrase("{why} The next match is there once round {n} is opened.", why=why, n=round_)
    return NoPlace("NO_MATCH_YET", text, round_)


def _opened(state: State) -> Round | None:
    """The latest round that has matches."""
    found = [one for one in state.rounds if one.stage != Stage.PAIRED]
    return found[-1] if found else None


def _next(state: State) -> int:
    """The number of the round that is opened next."""
    last = state.round
    return 1 if last is None else last.number + (last.stage != Stage.PAIRED)
