"""Choices at a real table: an act names unknown cards, and the cards revealed by it.

A choice is a row of a transcript (`A: pass {B shield: GM}`), carried out as an import carries it
out (`text.transcript.executor`), but for passes, which a scenario says itself. At a dealt table
choices are put to the match as they are (`run`).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from domain.engine.match import Match, Opening, Refused
from domain.engine.signals import RollRequired
from domain.games.kit.game import Game
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.text import reading
from domain.text.notation import BadText
from domain.text.transcript import acts
from domain.text.transcript.executor import Command, Executor, no_dice
from domain.text.transcript.implied import outcomes
from domain.text.transcript.lines import ANSWER, ASIDE, BadTranscript, Row, groups


class RealTable:
    """A match at a real table and its record, to which choices are added."""

    def __init__(self, match: Match, log: Sequence[Entry]) -> None:
        self._rows: list[Row] = []
        self._record = Executor(match, self._rows, -1)
        self._record.log[:0] = log

    def match(self) -> Match:
        """The match as it stands, fit to be asked and played."""
        return self._record.ready()

    def undo(self) -> None:
        """Take the match as the record has it, without what was begun and is not in that."""
        self._record.fit = False

    def choose(self, line: int, seat: int, written: str, now: int) -> list[Entry]:
        """Make a choice, and return what it added; raises `Refused`, or `BadText` says why not."""
        try:
            text, shown, rolls = groups(line, written)
            row = Row(ANSWER, 0, seat, text, now, shown=shown, rolls=rolls, line=line)
            return self._enter(row)
        except BadTranscript as bad:
            if isinstance(bad.__cause__, Refused):
                raise bad.__cause__ from None
            raise BadText(bad.text) from None

    def _enter(self, row: Row) -> list[Entry]:
        match, now = self.match(), row.time or 0
        open_acts = {one.kind for one in match.rules.open_acts(match.pos, row.seat)}
        before = len(self._record.log)
        ways = self._read(row, match)
        aside = bool(ways) and ways[0][0].kind in open_acts
        self._rows.append(replace(row, kind=ASIDE if aside else ANSWER))
        self._record.begin(len(self._rows) - 1)
        n = match.pos.decision.n if match.pos.decision is not None else 0

        def command(act: Act) -> Command:
            if aside:
                kind, about, picks, _ = acts.interjection(row.text, match, row.seat)
                return lambda m, inputs: m.interject(row.seat, kind, now, about, picks, "", inputs)
            return lambda m, inputs: m.choose(row.seat, n, act, now, inputs=inputs)

        self._record.first(self._rows[-1], [(command(act), named) for act, named in ways])
        return self._record.log[before:]

    def _read(self, row: Row, match: Match) -> list[tuple[Act, dict[int, str]]]:
        """The act that a text may mean, offered or not, with the cards that it names."""
        offer = match.open_to(row.seat, {})
        shown = tuple(card for _, card in self._record.listed(row))
        try:
            if offer is not None:
                return acts.readings(row.text, acts.Asked(match, row.seat, offer, shown=shown))
        except BadText:
            pass
        return [reading.read(row.text, match.pos, match.rules, row.seat, any_card=True)]

    def add(self, match: Match, entries: Sequence[Entry]) -> None:
        """Go on from what an official has done."""
        self._record.match, self._record.fit = match, True
        self._record.log += entries


def opened(rules: Game, opening: Opening, matches: type[Match], line: int, written: str) -> Match:
    """A match opened at a real table; the default of chance is the first outcome."""
    rolls = tuple(roll.result for roll in groups(line, written)[2])
    while True:
        try:
            return matches.open(rules, replace(opening, rolls=rolls), no_dice)
        except RollRequired as required:
            rolls = (*rolls, next(outcomes(required)))
