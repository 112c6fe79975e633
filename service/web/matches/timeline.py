"""The points of a match to go to: decisions, turns, games, marks.

It is made of the marks of entries for a scrubber (`positions.telling.marks`), as scripts do
(`static/timeline.js`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from domain.record.entries import undone
from domain.telling.names import player
from domain.words.phrases import Phrase, labelled, phrase

#: The kinds of marks that are listed, for who looks for what was out of the ordinary.
LISTED = ("irregularity", "ruling", "penalty", "rewind", "game", "time", "result", "end")


class Moment(NamedTuple):
    """Something that is marked."""

    seq: int
    kind: str
    text: Phrase


class Timeline:
    """The marks of a match, up to its last entry that is known."""

    def __init__(self, marks: Sequence[Mapping[str, Any]], last: int) -> None:
        self.last = last
        self.decisions, self.turns = list[int](), list[int]()
        self._numbers = list[int]()
        self.rewinds = list[tuple[int, int]]()
        self.moments = list[Moment]()
        for mark in marks:
            kind, seq = mark["kind"], mark["seq"]
            if kind == "decision":
                self.decisions.append(seq)
                self._numbers.append(mark["n"])
            elif kind == "options" and self.decisions and self.decisions[-1] == seq - 1:
                self.decisions[-1] = seq  # a decision is looked at with its options on offer
            elif kind == "turn":
                self.turns.append(seq)
            elif kind == "rewind":
                self.rewinds.append((seq, mark["to"]))
            if kind in LISTED:
                self.moments.append(Moment(seq, kind, _label_of(mark)))

    def undone(self, seq: int) -> int:
        """The rewind that undid an entry; 0: it stands."""
        return undone(self.rewinds, seq)

    def decision(self, seq: int) -> int:
        """The number of the decision that was opened last by an entry; 0: none was."""
        index = bisect_right(self.decisions, seq) - 1
        return self._numbers[index] if index >= 0 else 0

    def steps(self, at: int) -> dict[str, int]:
        """Where each step from an entry leads; one that leads nowhere is left out."""
        before, after = bisect_left, bisect_right
        found = {
            "first": 1,
            "turn-back": _at(self.turns, before(self.turns, at) - 1),
            "back": _at(self.decisions, before(self.decisions, at) - 1),
            "entry-back": at - 1,
            "entry-on": at + 1,
            "on": _at(self.decisions, after(self.decisions, at)) or self.last,
            "turn-on": _at(self.turns, after(self.turns, at)),
            "last": self.last,
        }
        return {name: seq for name, seq in found.items() if 0 < seq <= self.last and seq != at}


def _at(seqs: Sequence[int], index: int) -> int:
    return seqs[index] if 0 <= index < len(seqs) else 0


def _label_of(mark: Mapping[str, Any]) -> Phrase:
    """The text of a mark."""
    match mark:
        case {"kind": "game", "n": n}:
            return phrase("game {n} begins", n=n)
        case {"kind": "irregularity", "rule": rule, "seat": seat}:
            return phrase("{player} against {rule}", player=player(seat), rule=rule)
        case {"kind": "penalty", "seat": seat, "label": label}:
            return _noted(
                phrase("{penalty} for {player}", penalty=label, player=player(seat)), mark
            )
        case {"kind": "ruling"}:
            return _noted(phrase("a ruling"), mark)
        case {"kind": "rewind", "to": to}:
            return _noted(phrase("taken back to entry {n}", n=to), mark)
        case {"kind": "time"}:
            return phrase("time was called")
        case {"kind": "result"}:
            return phrase("the result is corrected")
        case _:
            return phrase("the match is over")


def _noted(text: Phrase, mark: Mapping[str, Any]) -> Phrase:
    return labelled(text, mark["note"]) if mark.get("note") else text
