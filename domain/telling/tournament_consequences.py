"""The consequences of acts at an event, to confirm before they are done."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import deepcopy

from domain.record.schema.policy import MATCH_LOSS, PenaltyKind
from domain.telling.names import countdown
from domain.telling.tournament import infraction as infraction_text
from domain.text import outcomes
from domain.tournament import progress
from domain.tournament.acts.penalties import Proposal
from domain.tournament.record import Outcome
from domain.tournament.state import Result, Round, Seating, Stage, State
from domain.words.phrases import Phrase, joined, phrase

#: How many players are named whose places change.
MOVED = 6


def playing(round_: Round, tables: Collection[int] = ()) -> list[int]:
    """The tables of a round that have no result, of these (none named: of all)."""
    return [n for n in round_.missing if not tables or n in tables]


def time_called(s: State, round_: Round, tables: Collection[int] = ()) -> Phrase:
    """The effect of calling time for these tables."""
    end = (round_.format or s.format).policy.end
    then = phrase("this turn is the last")
    if end.turns:
        then = phrase("{n} turns more", n=end.turns)
    if end.ms:
        time = countdown(end.ms)
        then = phrase("{time} more", time=time)
        if end.turns:
            then = phrase("{n} turns more, within {time} more", n=end.turns, time=time)
    meant = playing(round_, tables)
    if len(meant) == 1:
        text = "Time is called for table {n} of round {round}: {then}."
        return phrase(text, n=meant[0], round=round_.number, then=then)
    return phrase(
        "Time is called for tables {tables} of round {round}: {then}.",
        tables=", ".join(map(str, meant)) or phrase("none"),
        round=round_.number,
        then=then,
    )


def round_ends(s: State, round_: Round, calls: Sequence[int]) -> Phrase:
    """The effect of ending a round; `calls` are those that nobody has answered."""
    text = phrase("Round {round} ends with the results of {n} tables.", round=round_.number,
                  n=len(round_.tables))  # fmt: skip
    if len(round_.tables) == 1:
        text = phrase("Round {round} ends with the results of 1 table.", round=round_.number)
    if not calls:
        return text
    places = ", ".join(
        phrase("{call} (table {table})", call=n, table=s.calls[n].table) for n in calls
    )
    return joined(" ", [text, phrase("Calls that nobody has answered: {calls}.", calls=places)])


def tournament_ends(s: State, calls: Sequence[int]) -> Phrase:
    """The effect of ending an event; `calls` are those that nobody has answered."""
    ended = sum(one.stage == "ended" for one in s.rounds)
    text = phrase(
        "{event} ends after {n} rounds with the standings as they are.", event=s.name, n=ended
    )
    if not calls:
        return text
    open_ = phrase("{n} calls are not answered.", n=len(calls))
    return joined(" ", [text, phrase("1 call is not answered.") if len(calls) == 1 else open_])


def round_opens(round_: Round) -> Phrase:
    """The effect of opening a round."""
    pairs = sum(bool(one.second) for one in round_.tables.values())
    text = phrase("Round {n} is opened: its pairings stand, and are published.", n=round_.number)
    if pairs == 1:
        return joined(" ", [text, phrase("1 table waits for it to start.")])
    return joined(" ", [text, phrase("{n} tables wait for it to start.", n=pairs)])


def round_starts(s: State, round_: Round) -> Phrase:
    """The effect of starting a round."""
    seconds = (round_.format or s.format).seconds
    if not seconds:
        return phrase("Round {n} starts: no clock.", n=round_.number)
    time = countdown(seconds * 1000)
    return phrase("Round {n} starts: {time} on the clock.", n=round_.number, time=time)


def penalised(
    s: State, player: int, kind: str, infraction: str = "", made: Proposal | None = None
) -> Phrase:
    """The effect of a penalty that is given outside a match; `made` is how it was proposed."""
    found, name = s.format.policy.penalty(kind), s.players[player].name
    label = found.called if found is not None else kind
    parts = usually(s, infraction, kind, made) if infraction else []
    parts.append(phrase("{penalty} for {player}: {falls}", penalty=label, player=name,
                        falls=_falls(s, player, found)))  # fmt: skip
    if found is not None and found.drops:
        parts.append(phrase("{player} drops.", player=name))
    return joined(" ", parts)


def usually(s: State, infraction: str, kind: str, made: Proposal | None) -> list[Phrase]:
    """The usual penalty for an infraction, and what was given for it before."""
    parts = [phrase("{infraction}: usually {usual}.", infraction=infraction_text(s, infraction),
                    usual=made.usual if made is not None else kind)]  # fmt: skip
    for one in made.earlier if made is not None else ():
        text = phrase("Before: {penalty}, entry {n}.", penalty=one.kind, n=one.seq)
        if one.round:
            values = {"penalty": one.kind, "n": one.seq, "round": one.round}
            text = phrase("Before: {penalty}, round {round}, entry {n}.", **values)
        parts.append(text)
    return parts


def given(kind: PenaltyKind, name: str) -> Phrase:
    """A penalty that somebody is given."""
    return phrase("{penalty} for {player}.", penalty=kind.called, player=name)


def _falls(s: State, player: int, kind: PenaltyKind | None) -> Phrase:
    """Where that falls what a penalty costs."""
    if kind is None or not kind.effect:
        return phrase("it costs no game.")
    if not s.format.mode:
        if kind.effect == MATCH_LOSS:
            return phrase("it is his result, if he has none yet.")
        return phrase("no match is recorded here: enter the result that it leads to.")
    now = s.round
    table = now.of(player) if now is not None and now.stage != Stage.ENDED else None
    if table is not None and table.second and table.result is None:
        return phrase("it falls on the match at table {n}.", n=table.number)
    return phrase("it falls on the next match.")


def player_drops(s: State, player: int) -> Phrase:
    """The effect of a player's dropping on the match that he is paired for, if it has any."""
    now = s.round
    open_ = now is not None and now.stage in (Stage.OPENED, Stage.STARTED)
    table = now.of(player) if now is not None and open_ else None
    if not s.format.conceding or table is None or not table.second or table.result is not None:
        return Phrase("")
    name = s.players[player].name
    return phrase(
        "{player} drops, and gives up the match at table {n}.", player=name, n=table.number
    )


def revised(s: State, round_: Round, table: int, then: Outcome | None) -> Phrase:
    """The effect on standings and pairings of another result (None: none) in a round that is over.

    Nothing is said of a round that goes on, or where nothing follows.
    """
    if round_.stage != Stage.ENDED or table not in round_.tables:
        return Phrase("")
    other = deepcopy(s)
    result = Result(s.seq + 1, "", then)
    other.rounds[round_.number - 1].tables[table].results.append(result)
    text = phrase("Round {n} is over.", n=round_.number)
    if then is None:
        text = phrase("Round {n} is over: table {table} has no result then.",
                      n=round_.number, table=table)  # fmt: skip
    parts = [text, _moved(s, other)]
    later = [one.number for one in s.rounds if one.number > round_.number]
    if later:
        stays = "Rounds that were paired by it stay as they are: {rounds}."
        parts.append(phrase(stays, rounds=", ".join(map(str, later))))
    elif s.ended:
        parts.append(phrase("The event has ended: these are its final standings."))
    return joined(" ", [part for part in parts if part])


def _moved(s: State, then: State) -> Phrase:
    """Whose places are others than before."""
    before = {one.standing.player: one.rank for one in progress.places(s)}
    after = {one.standing.player: one.rank for one in progress.places(then)}
    moved = [player for player, rank in after.items() if before.get(player) != rank]
    if not moved:
        return phrase("Nobody's place changes.")
    places = ", ".join(
        phrase("{player} {before} → {after}", player=s.players[player].name,
               before=before.get(player, "-"), after=after[player])
        for player in moved[:MOVED]
    )  # fmt: skip
    if len(moved) > MOVED:
        n = len(moved) - MOVED
        return phrase("Places change: {places}, and {n} more.", places=places, n=n)
    return phrase("Places change: {places}.", places=places)


def result_corrected(place: Seating, then: Outcome) -> Phrase:
    """The effect of correcting the result of a table."""
    was = outcomes.write(place.outcome) if place.outcome is not None else phrase("none")
    return phrase(
        "The result of table {n} is {was}; it will be superseded by: {then}.",
        n=place.number,
        was=was,
        then=outcomes.write(then),
    )
