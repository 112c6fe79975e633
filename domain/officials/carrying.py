"""Carries out the acts of officials (`acts`), for the service, scenarios and random officials.

A function gets the fields of an act by name, so it has a parameter for each field, except those of
the author (`Official`: the reason, and the outcomes of chance). A missing one is an error at
import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.match import Match, Stale
from domain.engine.naming import Inputs
from domain.engine.passes import implying
from domain.engine.rulebook import Dice
from domain.officials import (
    acts,
    beginning,
    bringing,
    checks,
    clocks,
    irregular,
    results,
    rewind,
    rulings,
)
from domain.officials.acts import OfficialAct
from domain.officials.adoption import adopt
from domain.officials.corrections import correcting
from domain.officials.frame import Official
from domain.officials.ways import AS_THEY_WERE
from domain.record.entries import Entry
from domain.words.fields import parameters
from domain.words.phrases import phrase


class Past(Struct, frozen=True):
    """The parts of the record that acts need besides the match: its entries, and its chance."""

    log: Sequence[Entry]
    dice: Dice

    def entry(self, seq: int) -> Entry | None:
        """An entry, on any line."""
        return next((entry for entry in self.log if entry.seq == seq), None)

    def broken(self) -> str:
        """The fault of its chain; empty: none, or it is in no store."""
        return ""


#: Does what an act says; the match that goes on, if it is another one.
Does = Callable[[Match, Official, Any, Past], Match | None]
#: The fields of the author.
_SPEAKER = {"request_id", "why", "rolls"}


def carry_out(match: Match, by: Official, act: OfficialAct, past: Past) -> Match:
    """Do what an act says; the match that goes on. Raises what its function raises."""
    return _DOES[type(act)](match, by, act, past) or match


def _named(does: Callable[..., None], act: type[OfficialAct]) -> Does:
    """A function that takes the fields of an act by their names; None leaves its default."""
    takes = parameters(act, does, _SPEAKER)

    def carried(match: Match, by: Official, act: Any, _: Past) -> None:
        given = {name: getattr(act, name) for name in takes}
        does(match, by, **{name: value for name, value in given.items() if value is not None})

    return carried


def _rule(match: Match, by: Official, act: acts.RecordRuling, past: Past) -> None:
    evidence = past.entry(act.evidence) if act.evidence else None
    if act.evidence and evidence is None:
        raise checks.refused(
            phrase("there is no entry {seq}", seq=act.evidence), "house:ruling", "NO_SUCH_ENTRY"
        )
    rulings.rule(match, by, act.text, tuple(act.rules), act.about, act.decision, evidence)


def _accept(match: Match, by: Official, _: acts.AcceptRecord, past: Past) -> None:
    if not (wrong := past.broken()):
        raise checks.refused("nothing is wrong with its chain", "house:note", "CHAIN_WHOLE")
    text = f"The record is gone on with as it stands: {wrong}."
    rulings.note(match, by, text, public=True)


def _play(match: Match, by: Official, act: acts.RecordIrregularity, _: Past) -> None:
    inputs = Inputs(dict(act.names), by.rolls, by.who)
    by = replace(by, rolls=())  # they are for the act, not for what follows
    implying.after_passes(
        match, act.passes, act.decision, by.now, inputs,
        lambda n: irregular.play(match, by, n, act.seat, act.act, act.note, inputs), act.ends,
    )  # fmt: skip


def _rewind(match: Match, by: Official, act: acts.RewindMatch, past: Past) -> Match:
    _seen(match, act.open_decision, act.result)
    log, whole = past.log, act.put_back or AS_THEY_WERE
    ways: str | Mapping[int, str] = whole
    if act.cards:
        found = rewind.preview(log, act.decision, match.rules.manifest)
        ways = {**dict.fromkeys((one.card for one in found.seen), whole), **act.cards}
    return rewind.rewind(match.rules, log, act.decision, by, past.dice, ways)


def _undo(match: Match, by: Official, act: acts.UndoEntry, past: Past) -> Match:
    _seen(match, act.open_decision)
    return rewind.undo(match.rules, past.log, by, past.dice)


def _seen(match: Match, decision: int, result: int = 0) -> None:
    """Make sure that what the sender saw is so still; raises `Stale`, `Refused`."""
    current = match.pos.decision.n if match.pos.decision is not None else 0
    if decision and current != decision:
        raise Stale(current)
    if result:
        results.stands(match.pos, result)


_PLAIN: Mapping[type[OfficialAct], Callable[..., None]] = {
    acts.BeginMatch: beginning.begin,
    acts.RecordPenalty: rulings.penalise,
    acts.CorrectResult: results.correct_result,
    acts.RecordNote: rulings.note,
    acts.RecordShuffle: rulings.witness_shuffle,
    acts.BringCards: bringing.bring,
    acts.PauseMatch: clocks.pause,
    acts.ResumeMatch: clocks.go_on,
    acts.AdoptEngine: adopt,
    acts.FlagIrregularity: irregular.flag,
    acts.CorrectPosition: correcting.correct,
    acts.CallTime: clocks.call_time,
    acts.DecideByTime: clocks.decide,
    acts.FlagClock: clocks.flag,
    acts.ExtendTime: clocks.extend,
    acts.SetClock: clocks.set_clock,
}
_DOES: Mapping[type[OfficialAct], Does] = {
    **{act: _named(does, act) for act, does in _PLAIN.items()},
    acts.RecordRuling: _rule,
    acts.AcceptRecord: _accept,
    acts.RecordIrregularity: _play,
    acts.RewindMatch: _rewind,
    acts.UndoEntry: _undo,
}
if missing := {*acts.ACTS.values()} - {*_DOES}:
    raise TypeError(f"nothing carries out {sorted(one.__name__ for one in missing)}")
