"""Each line of a match's transcript, typed at that moment, is understood as that act."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.games import names
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.position import Position
from domain.scorekeeping.command import Command
from domain.telling.book import Book
from domain.telling.narration.narrator import Narrator
from tests.playouts import PAIRS, Setup, begin, opening
from tests.support.marks import each
from tests.support.scorekeepers import Typist, desk
from tests.unit.cli.test_keys_typed import _as_typed

#: How far a match is followed, in decisions; there they pay with cores, and each line takes longer.
LENGTHS = dict.fromkeys(names(), 45) | {"yugioh": 70, "battle_spirits": 40}


def lines_by_seq(setup: Setup) -> dict[int, str]:
    """The line of each decision of a match, as the screen shows it."""
    match, narrator = begin(setup), Narrator(Book.of(setup.rules))
    made, lines = dict[int, int](), dict[int, str]()

    def narrate(entries: list[Entry]) -> None:
        for entry in entries:
            if isinstance(entry.event, ev.DecisionMade):
                made[entry.seq] = entry.event.n
            lines.update({line.seq: line.text for line in narrator.feed(entry)})

    narrate(match.collect())
    while (decision := match.pos.decision) is not None and decision.n < LENGTHS[
        setup.rules.manifest.game
    ]:
        act, _ = _as_typed(match, setup, decision.n, decision.seats[0])
        match.choose(decision.seats[0], decision.n, act, match.pos.time + 1)
        narrate(match.collect())
    return {n: lines[seq] for seq, n in made.items() if seq in lines}


def narrated(act: Act, pos: Position, called: dict[int, str]) -> tuple[str, Counter[object]]:
    """What a line can say of an act: its kind, and which cards it is about."""
    refs = [act.card, *(ref for part in act.picks for ref in part)]
    cards = [called.get(ref, "") or pos.card(ref).id for ref in refs if ref in pos.cards]  # type: ignore[index, arg-type]
    return act.kind, Counter(cards)


@pytest.mark.parametrize("game", each(4, names()))
def test_lines_of_a_transcript_are_understood(game: str) -> None:
    """All but a few: of cards that share a name a line may number others than lie there before."""
    setup = Setup(4, PAIRS[game][0])
    lines, match = lines_by_seq(setup), begin(setup)
    service = desk(setup.rules, opening(setup), match.collect())
    typist, missed, understood = Typist(service, Book.of(setup.rules)), list[str](), 0
    while (decision := match.pos.decision) is not None and decision.n < LENGTHS[game] - 1:
        n, seat = decision.n, decision.seats[0]
        act, text = _as_typed(match, setup, n, seat)
        wanted = narrated(act, match.pos, {})
        match.choose(seat, n, act, match.pos.time + 1)
        if n in lines:
            typist.input_line.type(lines[n])
            shown, pos = typist.input_line.understood(), typist.session.pos
            command = shown.command if shown.refused is None else None
            same = command is not None and _means(command, pos, wanted)
            missed += [] if same else [f"{lines[n]}: {shown.text or shown.problem}"]
            understood += same
            typist.input_line.type("")
        typist.enter(act, text, lambda number: match.pos.card(number).id)
    assert understood >= 10
    assert len(missed) * 20 <= understood, "\n".join(missed)


def _means(command: Command, pos: Position, wanted: tuple[str, Counter[object]]) -> bool:
    """Whether a command is that act, and about no other cards; what it pays is left out."""
    kind, cards = narrated(command.act, pos, dict(command.names))
    return not command.passes and kind == wanted[0] and not cards - wanted[1]
