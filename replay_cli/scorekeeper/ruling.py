"""What is recorded at the screen apart from plays: shuffles; by officials, time and penalties.

Each is a few keys, and the last one confirms it (`confirming`); what there is beyond that is at the
desk (`kifu desk`, `kifu time`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from domain.officials import acts
from domain.officials.acts import OfficialAct
from domain.record.position import Position
from domain.record.schema.policy import PenaltyKind
from domain.telling.names import letter
from domain.words.phrases import phrase
from replay_cli.output import say
from replay_cli.scorekeeper import panes
from replay_cli.scorekeeper.confirming import KEYS, YES, KeyQuestion

#: The message for a scorekeeper who is no official.
OFFICIALS_RULE = phrase("penalties are recorded and time is called by officials: F2 calls one")
#: Penalties that have a digit.
DIGITS = 9

Ask = Callable[[KeyQuestion], None]
Record = Callable[[OfficialAct, str], None]


def shuffled(pos: Position, record: Record) -> KeyQuestion:
    """Who has shuffled his cards? The other cut."""
    answers = {
        letter(seat).lower(): partial(record, acts.RecordShuffle(seat, seat, pos.rival(seat)), "")
        for seat in range(len(pos.heading.seats))
    }
    return KeyQuestion(panes.SHUFFLED, answers)


def question(pos: Position, ask: Ask, record: Record) -> KeyQuestion:
    """What is it: time, or a penalty of a player?"""
    text = phrase("T: time is called; {players}: a penalty; any other key: nothing",
                  players=", ".join(map(letter, range(len(pos.heading.seats)))))  # fmt: skip
    time = phrase("call time? what the event’s policy says of that begins")
    answers = {"t": lambda: ask(_confirmed(time, acts.CallTime(), record))}
    for seat in range(len(pos.heading.seats)):
        answers[letter(seat).lower()] = partial(_penalise, pos, seat, ask, record)
    return KeyQuestion(say(text), answers)


def _penalise(pos: Position, seat: int, ask: Ask, record: Record) -> None:
    """Ask for the penalty of a seat, by its place in the event's scheme."""
    scheme = pos.heading.policy.scheme[:DIGITS]
    kinds = ", ".join(f"{n} {say(_called(kind))}" for n, kind in enumerate(scheme, 1))
    text = phrase("{seat}: which penalty? {kinds}", seat=letter(seat), kinds=kinds)
    result = pos.results[-1].seq if pos.over else 0

    def chosen(kind: PenaltyKind) -> None:
        asked = phrase("{seat}: {penalty}?", seat=letter(seat), penalty=_called(kind))
        ask(_confirmed(asked, acts.RecordPenalty(seat, kind.name, result=result), record))

    answers = {str(n): partial(chosen, kind) for n, kind in enumerate(scheme, 1)}
    ask(KeyQuestion(say(text), answers))


def _called(kind: PenaltyKind) -> str:
    return kind.label or kind.name


def _confirmed(text: str, act: OfficialAct, record: Record) -> KeyQuestion:
    asked = say(phrase("{text} – {keys}", text=text, keys=KEYS))
    return KeyQuestion(asked, {YES: lambda: record(act, act.done)})
