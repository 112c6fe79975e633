"""The result of a table's match by its record, and where an event's results differ.

`following` puts it on the record of the event. A result there names the entry of the match that it
comes from: the match's result at that entry is compared with it. A result entered by an official
stands even if the match ends otherwise; the difference is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import astuple

from domain.officials import rulings
from domain.record import events as ev
from domain.record import interventions as iv
from domain.record.entries import TYPES, undone
from domain.record.points import Point
from domain.record.values import CHANCE, RULES
from domain.record.views import OFFICIAL
from domain.text import outcomes
from domain.tournament.acts.played import Cause, Played, outcome_of
from domain.tournament.record import Outcome
from domain.tournament.state import Seating, State
from domain.words.phrases import phrase
from service.store.derived import listing, rewinds
from service.store.history import History
from service.store.records import NoSuchMatch, Records, StoreError

_PENALTY, _INTERJECTED = (
    next(tag for tag, cls in TYPES.items() if cls is wanted)
    for wanted in (iv.Penalty, ev.Interjected)
)


class Difference(Struct, frozen=True):
    """A table whose result is not what its match says, and what that says.

    `wrong`: it names an entry of the match which does not say so; else an official may have entered
    it, or the match has gone on since.
    """

    round: int
    table: int
    why: str
    wrong: bool


#: The act by which a seat gives a game up.
_CONCEDE = "concede"


def played(history: History, match: str, now: int) -> Played:
    """How a match stands at a time (milliseconds since 1970); raises `NoSuchMatch`."""
    records = history.records
    with records.reading():
        if not (last := records.last(match)):
            raise NoSuchMatch(match)
        p, back = history.position(match, OFFICIAL), rewinds.find(records, match)
        given = records.tagged(match, _PENALTY)
        conceded = bool(p.results) and _conceded(records, match, p.results[0].seq)
        facts = _facts(records, match)
    stand = ((e.seq, e.event) for e in given if not undone(back, e.seq))
    penalties = {seq: event for seq, event in stand if isinstance(event, iv.Penalty)}
    given_by = {seq: found for seq, one in facts.items() if (found := _given(one))}
    causes = {seq: _cause(one) for seq, one in facts.items()}
    return Played(p, last, now - p.heading.at, penalties, conceded, given_by, causes)


def given_of(records: Records, match: str) -> dict[int, int]:
    """Of penalties that were carried over to a match, also undone ones, which entry gave each.

    That is one of its event's record.
    """
    found = ((seq, _given(facts)) for seq, facts in _facts(records, match).items())
    return {seq: given for seq, given in found if given}


def _given(facts: Mapping[str, object]) -> int:
    found = facts.get(rulings.GIVEN)
    return found if isinstance(found, int) else 0


def _cause(facts: Mapping[str, object]) -> Cause:
    found = (facts.get(name) for name in (rulings.INFRACTION, rulings.GAME_STATE))
    return Cause(*(one if isinstance(one, str) else "" for one in found))


def _facts(records: Records, match: str) -> dict[int, Mapping[str, object]]:
    """The facts of the frames of penalties, also undone ones, by the penalties' entries."""
    found = dict[int, Mapping[str, object]]()
    for entry in records.tagged(match, _PENALTY):
        (opened,) = records.entries(match, entry.seq - 2, entry.seq - 1)
        if isinstance(opened.event, ev.FrameOpened):
            found[entry.seq] = opened.event.facts
    return found


def _conceded(records: Records, match: str, ended: int) -> bool:
    """Whether the end of a match, by its entry, follows from a seat's conceding."""
    seq = records.find(match, _INTERJECTED, -1, until=ended)
    if not seq:
        return False
    first, *rest = records.entries(match, seq - 1, ended)
    event = first.event
    conceded = isinstance(event, ev.Interjected) and event.kind == _CONCEDE
    return conceded and all(entry.by in (RULES, CHANCE) for entry in rest)


def differences(history: History, s: State) -> Iterator[Difference]:
    """The tables whose results are not what the records of their matches say. O(results).

    Those of which the store has no match are left out.
    """
    for round_ in s.rounds:
        for match, table in s.matches(round_):
            if table.result is not None and history.records.last(match):
                wrong = _unlike_source(history, match, table)
                if why := wrong or unlike(history.records, match, table):
                    yield Difference(round_.number, table.number, why, bool(wrong))


def unlike_matches(records: Records, s: State) -> list[Difference]:
    """The tables whose results are not what their matches came to by now, which are over.

    O(results), some microseconds each: what the entries say that results name is not looked at.
    """
    found = (
        Difference(round_.number, table.number, why, wrong=False)
        for round_ in s.rounds
        for match, table in s.matches(round_)
        if table.result is not None and (why := unlike(records, match, table))
    )
    return [*found]


def absent(records: Records, s: State) -> int:
    """How many results come from matches that the store has not."""
    return sum(
        table.result is not None and bool(table.result.source) and not records.last(match)
        for round_ in s.rounds
        for match, table in s.matches(round_)
    )


def unlike(records: Records, match: str, table: Seating) -> str:
    """The difference of a finished match from the result of its table; empty: none. O(1)."""
    try:
        found = listing.find(records, match)
    except (NoSuchMatch, StoreError):
        return ""
    if table.outcome is None or not found.ended:
        return ""
    wins, (winner, score) = found.heading.best_of // 2 + 1, astuple(found.outcome)
    first, second = (min(n, wins) for n in score) if len(score) == 2 else (0, 0)
    has = Outcome(first, second, 0, table.players[winner] if winner >= 0 else 0)
    return _text(has) if _sides(has) != _sides(table.outcome) else ""


def _unlike_source(history: History, match: str, table: Seating) -> str:
    """Why the result of a table can't come from the entry of its match that it names."""
    result = table.result
    if result is None or not result.source:
        return ""
    if result.source > history.records.last(match):
        return phrase("its match has no entry {seq}", seq=result.source)
    p = history.position(match, OFFICIAL, Point(seq=result.source))
    if not p.over or not p.results or p.results[-1].seq != result.source:
        return phrase("entry {seq} of its match says of no result", seq=result.source)
    has = outcome_of(Played(p, result.source, p.time, {}), table)
    return _text(has) if result.outcome and _sides(has) != _sides(result.outcome) else ""


def _sides(outcome: Outcome) -> tuple[int, int, int]:
    return outcome.first, outcome.second, outcome.winner


def _text(outcome: Outcome) -> str:
    return phrase("the record of its match says {result}", result=outcomes.write(outcome))
