"""Checks that commands at a tournament share, and the refusal that they raise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from domain.engine.opening.terms import MODES
from domain.engine.rulebook import Refused, refuse
from domain.record.schema import policy
from domain.tournament.record import Format
from domain.tournament.standings import TIEBREAKS
from domain.tournament.state import Player, Round, Seating, Stage, State
from domain.words.phrases import joined, phrase

EVENT, LIST, PAIRING = "house:event", "house:event-list", "house:event-pairing"
ROUND, RESULT, CLOCK = "house:event-round", "house:event-result", "house:event-clock"
CALL, PENALTY = "house:event-call", "house:event-penalty"
#: How long a name and a text may be, in characters; how long a round lasts, in seconds; how many
#: rounds, and points for a result, there are at most.
NAME, TEXT, LONGEST, ROUNDS, POINTS = 80, 2000, 86_400, 99, 1000
#: How many players there may be; how many of them are named in a row.
PLAYERS, FEW = 5000, 6


def refused(text: str, rule: str, fault: str, **values: object) -> Refused:
    """A refusal of something asked for at a tournament."""
    rules = (rule,) if rule == EVENT else (rule, EVENT)
    return Refused(refuse(text, *rules, fault=fault, **values))


def refused_for(text: str, rule: str, fault: str, names: Sequence[str]) -> Refused:
    """A refusal because of some people: where they are many, it says so of each on a line."""
    if len(names) <= FEW:
        return refused(text, rule, fault, names=joined(", ", names))
    each = joined("\n", [phrase(text, names=name) for name in names])
    return Refused(refuse(each, rule, EVENT, fault=fault))


def going_on(s: State, rule: str = EVENT) -> None:
    """Make sure that the tournament has not ended; raises `Refused`, as all of these do."""
    if s.ended:
        raise refused("the event has ended", rule, "EVENT_ENDED")


def named(name: str) -> None:
    """Make sure that a name is one."""
    if not name.strip():
        raise refused("a name is missing", EVENT, "NAME_MISSING")
    if len(name) > NAME or not name.isprintable():
        text = "a name has at most {n} printable characters"
        raise refused(text, EVENT, "BAD_NAME", n=NAME)


def worded(text: str, rule: str, *, needed: bool = True) -> None:
    """Make sure that a text says something, if it is needed, and not too much."""
    if needed and not text.strip():
        raise refused("say it in words", rule, "TEXT_MISSING")
    if len(text) > TEXT:
        raise refused("a text has at most {n} characters", rule, "TEXT_TOO_LONG", n=TEXT)


def player(s: State, number: int, rule: str = EVENT) -> Player:
    """The player of that number."""
    if number not in s.players:
        raise refused("there is no player {n}", rule, "NO_SUCH_PLAYER", n=number)
    return s.players[number]


def round_of(s: State, number: int, rule: str = ROUND) -> Round:
    """The round of that number; 0: the latest."""
    if not number and s.rounds:
        return s.rounds[-1]
    if not 1 <= number <= len(s.rounds):
        raise refused("there is no round {n}", rule, "NO_SUCH_ROUND", n=number or 1)
    return s.rounds[number - 1]


def table(round_: Round, number: int, rule: str) -> Seating:
    """The table of that number in a round."""
    if number not in round_.tables:
        text = "round {round} has no table {n}"
        raise refused(text, rule, "NO_SUCH_TABLE", round=round_.number, n=number)
    return round_.tables[number]


def stage(round_: Round, allowed: Collection[str], rule: str = ROUND) -> None:
    """Make sure that a round has come so far, and no further."""
    if round_.stage in allowed:
        return
    match round_.stage:
        case Stage.PAIRED:
            text, fault = "round {n} has not been opened", "ROUND_NOT_OPENED"
        case Stage.OPENED:
            text, fault = "round {n} has not been started", "ROUND_NOT_STARTED"
        case Stage.STARTED:
            text, fault = "round {n} is being played", "ROUND_STARTED"
        case _:
            text, fault = "round {n} has ended", "ROUND_ENDED"
    raise refused(text, rule, fault, n=round_.number)


def names(s: State, players: Iterable[int]) -> list[str]:
    """Players by name."""
    return [s.players[number].name for number in players]


def numbers(tables: Iterable[int]) -> str:
    """Tables by number, in a row."""
    return joined(", ", map(str, tables))


def formal(format_: Format) -> None:
    """Make sure that a format is valid, for any game."""
    f = format_
    wrong = [*policy.faults(f.policy)]
    if f.best_of < 1 or f.best_of % 2 == 0:
        wrong.append(phrase("a series is best of an odd number of games, not {n}", n=f.best_of))
    if f.mode and f.mode not in MODES:
        text = phrase("mode is one of {modes}, or empty", modes=", ".join(MODES))
        wrong.append(text)
    if not 0 <= f.seconds <= LONGEST:
        wrong.append(phrase("a round lasts from nothing to a day"))
    if not 0 <= f.rounds <= ROUNDS:
        wrong.append(phrase("there are at most {n} rounds", n=ROUNDS))
    if f.cut and (f.cut < 2 or f.cut & (f.cut - 1) or f.cut > PLAYERS):
        wrong.append(phrase("a cut is to 2, 4, 8 players, and so on"))
    if not all(0 <= points <= POINTS for points in f.points):
        wrong.append(phrase("a result gives from 0 to {n} points", n=POINTS))
    if len(set(f.tiebreaks)) < len(f.tiebreaks):
        wrong.append(phrase("a tie-break is named twice"))
    wrong += [
        phrase(
            "there is no tie-break {name!r}; there are: {names}",
            name=name,
            names=", ".join(TIEBREAKS),
        )
        for name in f.tiebreaks
        if name not in TIEBREAKS
    ]
    if wrong:
        raise refused("{faults}", EVENT, "BAD_FORMAT", faults=joined("; ", wrong))
