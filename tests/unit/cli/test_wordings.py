"""How things are called where people read them: whose they are, which text is meant, how many."""

from __future__ import annotations

import re
from functools import cache

import pytest

from domain.games import rulebook
from domain.record.entries import Entry
from domain.record.events import OptionsOffered
from domain.record.folding.fold import fold_all
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.session import Session
from domain.telling.book import Book
from domain.telling.names import owned
from domain.telling.narration import narrate
from domain.telling.record import Record
from replay_cli.commands.viewing.decisions import _taken
from replay_cli.commands.viewing.diff import changes
from replay_cli.drawing import choices
from replay_cli.playing.playout import play
from replay_cli.scorekeeper import panes
from tests.unit.cli.clis import BOOK, RULES, log
from tests.unit.cli.test_scorekeeper import main_phase, type_


@cache
def ordered() -> list[Entry]:
    """A match in which a unit and its pilot have texts that wait at once."""
    return play(RULES, ("ST01", "ST03"), 2)


def test_a_card_is_called_its_owners_and_not_by_the_notation() -> None:
    assert owned("B.EX Base") == "B's EX Base"
    assert owned("B.battle.GM#2") == "B's battle.GM#2"
    assert (owned("GM#2"), owned("Dr. Who"), owned("?")) == ("GM#2", "Dr. Who", "?")
    texts = [line.text for seed in range(2) for line in narrate(BOOK, log(seed), quiet=False)]
    assert any("damage to B's EX Base" in text for text in texts)
    assert not any(re.search(r"\b[AB]\.[A-Z]", text) for text in texts)


def test_of_two_texts_of_one_card_the_one_that_comes_first_is_named() -> None:
    found = [
        line.text for seed in range(4) for line in narrate(BOOK, log(seed, ("ST03", "ST03")))
        if line.text.startswith("resolves ")
    ]  # fmt: skip
    named = [text for text in found if re.search(r" next, (its|the) .+ effect( of .+)?$", text)]
    assert named, found


def test_nothing_picked_leaves_no_gap() -> None:
    rules = rulebook("hollow_flux")
    texts = [line.text for line in narrate(Book.of(rules), play(rules, ("HX-B", "HX-B"), 2))]
    assert any(text.startswith("faces up ") for text in texts)
    assert not any(re.search(r" ,|  |: effect|:  ", text) for text in texts), texts


def test_equal_changes_are_one_line_with_their_owners() -> None:
    seen = []
    for at in range(200, 700, 40):
        old, new = (fold_all(log(1)[:n]) for n in (at, at + 60))
        found = [one.what for one in changes(BOOK, old, new)]
        assert len(set(found)) == len(found) or not any(one == "Resource" for one in found)
        seen += [one for one in found if re.fullmatch(r"[AB]'s Resources: Resource ×\d", one)]
    assert seen


@pytest.mark.parametrize("seed", [1])
def test_acts_that_nobody_can_tell_apart_are_one_with_their_number(seed: int) -> None:
    entries, alike, keyed = log(seed), 0, 0
    session = Session("m", BOOK)
    for entry in entries:
        session.feed([entry])
        offered = entry.event
        if not isinstance(offered, OptionsOffered) or offered.offer.value is None or alike > 3:
            continue
        offer = offered.offer.value
        found = list(choices.written(BOOK, session.pos, offered.seat, offer))
        texts = [one.text for one in found]
        if not any("alike)" in text for text in texts):
            assert len(texts) == len(offer.options)
            continue
        alike += 1
        assert sum(int(n) - 1 for text in texts for n in re.findall(r"\((\d) alike\)", text)) == (
            len(offer.options) - len(texts)
        )
        keyed += "alike)" in panes.choices(line := InputLine(session), line.understood(), 40).plain
    assert alike
    assert keyed


def test_a_card_that_was_named_as_it_was_played_is_called_so_in_decisions() -> None:
    typist, service = main_phase()
    type_(typist, "", "", "", "d gaz")
    record = Record(service.log)
    found = [one for one in record.decisions if one.act is not None and one.act.kind == "deploy"]
    (text,) = (_taken(record, BOOK, one) for one in found)
    assert text.startswith("deploys Gaza")
    assert not record.after(found[0].seq).card(int(found[0].act.card)).id  # type: ignore[union-attr]
