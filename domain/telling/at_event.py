"""What an official's act at a match does at the match's event, to confirm before it is done.

What it does in the match itself is in `consequences`. A penalty that is proposed for an infraction
(`domain.tournament.acts.penalties`) is said as at the event (`tournament_consequences`), and so is
who moves in the standings once the result of a round that is over is another one.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from domain.officials import acts, results
from domain.officials.acts import OfficialAct
from domain.record.position import Position
from domain.telling.tournament_consequences import given, revised, usually
from domain.tournament import record as ev
from domain.tournament.acts import penalties
from domain.tournament.acts.penalties import Proposal
from domain.tournament.state import Round, Seating, State, place_of
from domain.words.phrases import Phrase, joined, phrase


class AtEvent(Struct, frozen=True):
    """The event of a match as an official sees it at a time (`now`, milliseconds since 1970).

    `whole`: he is one of the whole event, and sees what its players were given so far.
    """

    s: State
    match: str
    now: int
    whole: bool = True

    @property
    def place(self) -> tuple[Round, Seating] | None:
        """The round and the table of the match; None: it is none of the event's."""
        place = place_of(self.match)
        if place is None or place[0] != self.s.id or place[1] > len(self.s.rounds):
            return None
        round_ = self.s.rounds[place[1] - 1]
        table = round_.tables.get(place[2])
        return None if table is None else (round_, table)


def proposed(act: OfficialAct, at: AtEvent) -> tuple[OfficialAct, Proposal | None]:
    """An act with the usual penalty, where none is named; how that came about. Raises `Refused`."""
    if not isinstance(act, acts.RecordPenalty) or not act.infraction:
        return act, None
    round_, player = penalties.at_seat(at.s, at.match, act.seat) or (0, 0)
    made = penalties.proposed(at.s, player, act.infraction, at.now, round_)
    return replace(act, kind=act.kind or made.kind), made


def consequences(act: OfficialAct, made: Proposal | None, p: Position, at: AtEvent) -> Phrase:
    """What an act does at the event; empty: nothing that is to be asked."""
    if at.place is None:
        return Phrase("")
    parts = []
    if isinstance(act, acts.RecordPenalty):
        parts = _penalty(act, made, at)
    if p.over:
        parts.append(_standings(act, p, at, *at.place))
    return joined(" ", [part for part in parts if part])


def _penalty(act: acts.RecordPenalty, made: Proposal | None, at: AtEvent) -> list[Phrase]:
    """How a penalty was proposed, and that it drops its player."""
    found = at.s.format.policy.penalty(act.kind)
    seated = penalties.at_seat(at.s, at.match, act.seat)
    if found is None or seated is None:
        return []
    name, parts = at.s.players[seated[1]].name, list[Phrase]()
    if made is not None:
        public = phrase("All who see the match read what it is for.")
        parts = [*usually(at.s, act.infraction, act.kind, made), given(found, name), public]
        if not at.whole:
            parts.append(phrase("What {player} was given before, officials of the whole event see.",
                                player=name))  # fmt: skip
    if found.drops:
        parts.append(phrase("{player} drops.", player=name))
    return parts


def _standings(act: OfficialAct, p: Position, at: AtEvent, round_: Round, table: Seating) -> Phrase:
    """What moves once the result of a match that is over is another one, or it has none."""
    outcomes, result = _outcomes(act, p, table), table.result
    if not outcomes:
        return Phrase("")
    if result is not None and not result.source:
        return phrase("The result of table {n} was entered, and stays as it is.", n=table.number)
    return revised(at.s, round_, table.number, outcomes[0])


def _outcomes(act: OfficialAct, p: Position, table: Seating) -> list[ev.Outcome | None]:
    """The outcome for the table by then, None if it has none; empty: it stays."""
    match act:
        case acts.RewindMatch():
            return [None]
        case acts.CorrectResult(winner=winner, score=score) if len(score) == len(table.players):
            return [_of(results.Outcome(winner, tuple(score)), table)]
        case acts.RecordPenalty(seat=seat, kind=kind):
            found = p.heading.policy.penalty(kind)
            if found is not None and found.effect:
                then = results.after_penalty(p, seat, found.effect)
                if (then.winner, [*then.score]) != (p.winner, p.score):
                    return [_of(then, table)]
    return []


def _of(then: results.Outcome, table: Seating) -> ev.Outcome:
    """A result of the match as its table has it."""
    first, second = then.score
    winner = table.players[then.winner] if then.winner >= 0 else 0
    both = len(then.lost) > 1 and not winner
    return ev.Outcome(first, second, 0, winner, ev.RULED, both)
