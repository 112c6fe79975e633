"""The consequences of acts at an event, to confirm before they are done."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from domain.telling.names import countdown
from domain.text import outcomes
from domain.tournament.record import Outcome
from domain.tournament.state import Round, Seating, State
from domain.words.phrases import Phrase, joined, phrase


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


def result_corrected(place: Seating, then: Outcome) -> Phrase:
    """The effect of correcting the result of a table."""
    was = outcomes.write(place.outcome) if place.outcome is not None else phrase("none")
    return phrase(
        "The result of table {n} is {was}; it will be superseded by: {then}.",
        n=place.number,
        was=was,
        then=outcomes.write(then),
    )
