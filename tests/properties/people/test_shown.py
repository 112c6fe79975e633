"""Enter records exactly what was shown before it, for any line and any changes in between.

A sloppy scorekeeper types acts with slips of the fingers: neighbouring letters, letters doubled,
left out or swapped, Enter too early. Now and then somebody else enters something between what he
sees and his Enter. The record that he leaves is what he saw.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from msgspec.structs import replace

from domain.engine import naming
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.engine.naming import Inputs
from domain.games import names
from domain.record import events as ev
from domain.record.decisions import act_of
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold_all
from domain.record.position import UNKNOWN, Position
from domain.scorekeeping.command import Command, Recorded
from domain.scorekeeping.suggestions import fuzzy, suggest
from domain.scorekeeping.suggestions.suggest import Table
from domain.scorekeeping.understanding.understood import Understood
from domain.telling.book import Book
from domain.text.plain import plain
from replay_cli.playing.fuzz.tables import no_dice
from tests.playouts import PAIRS, Setup, opening
from tests.properties.strategies import examples, seeds
from tests.support.scorekeepers import LocalService, Typist

ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
#: How many lines he types in one match.
LINES = 14


def slip(rng: Random, text: str) -> str:
    """A text as it comes out of a hurried hand."""
    at = rng.randrange(len(text)) if text else 0
    way = rng.randrange(9) if len(text) > 1 else 8
    if way == 0:
        row = next((row for row in ROWS if text[at].lower() in row), "")
        near = row.find(text[at].lower()) + rng.choice((-1, 1))
        return text[:at] + (row[near] if 0 <= near < len(row) else "") + text[at + 1 :]
    if way == 1:
        return text[:at] + text[at] + text[at:]
    if way == 2:
        return text[:at] + text[at + 1 :]
    if way == 3:
        return text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]
    return text[:at] if way == 4 else text


class Sloppy:
    """A careless scorekeeper, who types anything, and looks at the line before he presses Enter."""

    def __init__(self, game: str, seed: int) -> None:
        self.rng = Random(seed)
        setup = Setup(seed, self.rng.choice(PAIRS[game]))
        opened = replace(opening(setup), mode="table", rolls=((self.rng.randrange(2),),))
        self.rules = setup.rules
        self.service = LocalService(Match.open(self.rules, opened, no_dice))
        self.typist = Typist(self.service, Book.of(self.rules))
        self.session, self.line = self.typist.session, self.typist.input_line
        self.seen: dict[int, str] = {}  # what was answered, as it was shown
        self.recorded = 0

    @property
    def log(self) -> list[Entry]:
        return self.service.log

    def go_on(self) -> None:
        """Type one line, or answer one question, and press Enter."""
        if self.line.question is not None:
            self.line.type(slip(self.rng, self._name()) if self.rng.random() < 0.8 else "????")
        elif self.rng.random() < 0.7:
            self.line.escape()
            self.line.type(slip(self.rng, self._line()))
        if self.rng.random() < 0.1:
            self.line.move(1)
        shown = self.line.understood()
        other = self._somebody_else() if self.rng.random() < 0.1 else 0
        before = len(self.log)
        irregular = shown.refused is not None and self.rng.random() < 0.3
        enter = self.line.as_irregularity if irregular else self.line.enter
        command = enter(shown)
        if other == 1:  # it has come, and was not drawn yet
            assert command is None
        if command is None:
            self._take_answer(shown)
            assert len(self.log) == before
        else:
            self._take_answer(shown)
            self._send(command, shown, before)
        self.session.feed(self.log)

    def _take_answer(self, shown: Understood) -> None:
        if shown.answer is not None and self.line.is_current(shown) is False:
            self.seen |= shown.answer.names

    def _send(self, command: Command, shown: Understood, before: int) -> None:
        decision = self.session.decision
        assert decision is not None
        link = self.typist.link
        outcome = link.send(command, decision.n)
        assert outcome is not None
        added = self.log[before:]
        assert isinstance(outcome, Recorded) == bool(added)
        self.line.outcome(command, outcome)
        if self.line.question is None:
            self._check(command, shown, before)
            self.seen = {}

    def _check(self, command: Command, shown: Understood, before: int) -> None:
        """The record is what was shown."""
        made = [e for e in self.log[before:] if isinstance(e.event, ev.DecisionMade)]
        found = [e for e in made if e.event.origin in ("seat", "official")]  # type: ignore[union-attr]
        implied = [e for e in made if e.event.origin == "implied"]  # type: ignore[union-attr]
        if not self.log[before:] or command.interjected or command.renames:
            assert not found
            return
        self.recorded += 1
        assert len(implied) == command.passes + command.implied
        assert len(found) == (not command.implied)
        for entry in found:
            self._compare(entry, command, shown)

    def _compare(self, entry: Entry, command: Command, shown: Understood) -> None:
        event, p = entry.event, fold_all(active(self.log[: entry.seq - 1]))
        assert isinstance(event, ev.DecisionMade)
        stated = event.stated.value
        offer = (stated.offer if stated is not None else None) or p.decision.offers[event.seat]  # type: ignore[union-attr]
        assert offer is not None
        assert event.answer.value is not None
        act = act_of(offer, event.answer.value)
        assert (event.seat, act.kind, act.card) == (
            command.seat,
            command.act.kind,
            command.act.card,
        )
        assert act.picks[: len(command.act.picks)] == command.act.picks
        named = dict(stated.names) if stated is not None else {}
        stated_here = {number: name for number, name in named.items() if name}
        assert stated_here.items() <= {**command.names, **self.seen}.items()
        if shown.question is not None:
            return  # the act itself was shown before the question
        words = set(fuzzy.words(shown.text))
        for name in self._named(p, event.seat, act, offer, named):
            missing = set(fuzzy.words(name)) - words
            assert not missing, (shown.text, name)

    def _named(self, p: Position, seat: int, act, offer, stated) -> Iterator[str]:  # type: ignore[no-untyped-def]
        """The names of the cards that an act is about: what acts, and what it is directed at."""
        t = Table(self.session.book, p, seat, offer, self.session.habits)
        option = next(o for o in offer.options if (o.kind, o.card) == (act.kind, act.card))
        refs = [act.card] if "{card}" in t.manifest.label("acts", act.kind) else []
        for part, picked in zip(option.parts, act.picks, strict=True):
            if suggest.is_written(t.manifest, option, part) and part.high <= 1:
                refs += picked
        bound = Inputs({n: name for n, name in stated.items() if n in p.cards and name != UNKNOWN})
        p = naming.named(p, t.rules, bound)
        for ref in refs:
            if isinstance(ref, int) and ref in p.cards and p.card(ref).id in t.book.cards:
                yield t.book.name(p.card(ref).id)

    def _somebody_else(self) -> int:
        """Something else is entered meanwhile; 1: it is known here, 2: not yet, 0: nothing was."""
        decision = self.session.decision
        act = suggest.usual(self.line.table())
        if decision is None or act is None or self.line.question is not None:
            return 0
        try:
            name = str(len(self.log))
            self.service.choose("m", decision.n, act, name, seat=self.session.seat)
        except Exception:  # it could not be done without a name
            return 0
        if self.rng.random() < 0.5:
            self.session.feed(self.log)
            return 1
        return 2

    def _line(self) -> str:
        """Something that may be meant, as one might write it."""
        rng, t = self.rng, self.line.table()
        rows = [row.text for row in self.line.on_offer(t)]
        verbs = [act.name for act in t.manifest.acts if "{card}" in act.label]
        lines = [
            rng.choice(rows) if rows else "",
            rng.choice(rows) if rows else "",
            f"{rng.choice(verbs)} {self._name()}",
            f"{rng.choice(verbs)} {self._name()} -> {self._name()}",
            f"{self._name()}",
            f"{rng.choice('AB')}: {rng.choice(verbs)} {self._name()}",
            f"{rng.choice(verbs)} ????",
            f"{self._name()} = {self._name()}" if rng.random() < 0.3 else "",
        ]
        line = rng.choice(lines)
        return " ".join(word[: rng.randrange(1, 12)] for word in line.split())

    def _name(self) -> str:
        parts = self.session.pos.heading.decks[self.rng.randrange(2)][1] or {}
        listed = sorted({card for cards in parts.values() for card in cards} - {UNKNOWN})
        return plain(self.session.book.name(self.rng.choice(listed)))


def entered(game: str, seed: int, lines: int) -> Sloppy:
    sloppy = Sloppy(game, seed)
    for _ in range(lines):
        if sloppy.session.decision is None:
            break
        sloppy.go_on()
    assert verify(sloppy.log, sloppy.rules).kind == EXACT
    assert fold_all(active(sloppy.log)) == sloppy.session.pos
    return sloppy


@pytest.mark.parametrize("game", names())
@examples(2)
@given(seeds)
def test_what_is_recorded_is_what_was_shown(game: str, seed: int) -> None:
    entered(game, seed, LINES)


@pytest.mark.long
@pytest.mark.parametrize("game", names())
def test_what_is_recorded_in_many_matches_is_what_was_shown(game: str) -> None:
    recorded = sum(entered(game, seed, 60).recorded for seed in range(20))
    assert recorded > 150, "the property would prove little if nothing was recorded"
