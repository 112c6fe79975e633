"""A line that names a card nobody has seen: for which decision it is, and out of which zone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.match import Match
from domain.games import rulebook
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from domain.telling.book import Book
from replay_cli.playing.fuzz.tables import no_dice, public
from tests.playouts import Setup, opening
from tests.support.scorekeepers import LocalService, Typist

#: Each seat's list has cards that the other one's has not.
DECKS = ("YSYR", "YSKR")


def table() -> tuple[Typist, LocalService]:
    """A match at the first chance of its first turn, which comes before the Main Phase."""
    game = rulebook("yugioh")
    opened = replace(opening(Setup(3, DECKS)), mode="table", rolls=((0,),))
    service = LocalService(Match.open(game, opened, no_dice))
    typist = Typist(service, Book.of(game))
    enter(typist, "first")
    return typist, service


def enter(typist: Typist, line: str) -> int:
    """Type a line, with Enter; how many passes it implied, -1 if it was not sent."""
    input_line, session = typist.input_line, typist.session
    input_line.type(line)
    command, decision = input_line.enter(input_line.understood()), session.decision
    if command is None or decision is None:
        return -1
    outcome = typist.link.send(command, decision.n)
    assert outcome is not None
    session.feed(typist.link.fetch(session.seq))
    input_line.outcome(command, outcome)
    return command.passes


def kind(typist: Typist) -> str:
    decision = typist.session.decision
    assert decision is not None
    return decision.kind


def spoken(log: list[Entry]) -> list[Entry]:
    """A record as if every pass had been typed, whenever that was."""
    return [
        replace(entry, time=0, event=replace(entry.event, origin="seat", ms=0))
        if isinstance(entry.event, DecisionMade)
        else replace(entry, time=0)
        for entry in log
    ]


def test_what_is_refused_now_is_recorded_where_it_is_allowed() -> None:
    """No Spell of the hand is activated before the Main Phase, and none of that kind in a chain."""
    typist, service = table()
    before = len(service.log)
    typist.input_line.type("activate swords")
    shown = typist.input_line.preview()
    passes = enter(typist, "activate swords")
    assert shown == f"{passes} passes, then activate hand.Swords of Revealing Light"
    assert typist.input_line.refused is None
    assert (typist.input_line.typed, kind(typist)) == ("", "chain")
    made = [e.event for e in service.log[before:] if isinstance(e.event, DecisionMade)]
    assert [one.origin for one in made] == [*["implied"] * passes, "seat"]

    by_hand, found = table()
    for _ in range(passes):
        enter(by_hand, "")
    assert kind(by_hand) == "main"
    assert enter(by_hand, "activate swords") == 0
    assert public(spoken(service.log)) == public(spoken(found.log))


def test_what_is_refused_everywhere_leaves_no_trace_and_says_why_not_now() -> None:
    typist, service = table()
    before = list(service.log)
    typist.input_line.type("activate trap hole")
    first = typist.input_line.understood().command
    assert enter(typist, "activate trap hole") == -1
    refused = typist.input_line.refused
    assert refused is not None
    assert refused.rules == ("ygo:base.trap.1",)
    assert typist.input_line.typed == "activate trap hole"
    assert service.log == before
    insisted = typist.input_line.as_irregularity(typist.input_line.understood())
    assert insisted is not None
    assert first is not None
    assert (insisted.act, insisted.passes, insisted.irregular) == (first.act, 0, True)


@pytest.mark.parametrize("line", ["activate shard of greed", "B: activate shard of greed"])
def test_a_card_that_the_seat_asked_has_not_got_is_the_other_ones(line: str) -> None:
    typist, _ = table()
    enter(typist, "end")
    typist.input_line.type(line)
    assert kind(typist) == "window"
    enter(typist, line)
    assert typist.input_line.refused is None
    pos = typist.session.pos
    (card,) = (n for n in pos.zone("spell", 1) if pos.card(n).id)
    assert Book.name(typist.session.book, pos.card(card).id) == "Shard of Greed"


def test_a_word_that_begins_several_verbs_is_the_one_that_is_allowed() -> None:
    """`set` is for Spells and Traps, as long as nobody has said that monsters are set, too."""
    typist, _ = table()
    for line, zone in (("set trap hole", "spell"), ("set gemini elf", "monster")):
        enter(typist, line)
        assert typist.input_line.refused is None, line
        assert len(typist.session.pos.zone(zone, 0)) == 1


def test_a_card_is_taken_from_where_it_may_be_used() -> None:
    """A Trap is activated where it is Set; out of the hand it would be refused."""
    typist, _ = table()
    enter(typist, "set ????")
    enter(typist, "end")
    before = len(typist.session.pos.zone("hand", 0))
    enter(typist, "A: activate waboku")
    assert typist.input_line.refused is None
    assert len(typist.session.pos.zone("hand", 0)) == before
    (lying,) = typist.session.pos.zone("spell", 0)
    assert typist.session.pos.card(lying).up


def test_a_card_of_another_part_of_the_list_is_taken_from_there() -> None:
    typist, _ = table()
    typist.input_line.type("xyz gem-knight pearl")
    command = typist.input_line.understood().command
    assert command is not None
    (number,) = command.names
    assert command.passes
    assert typist.session.pos.card(number).place == "extra/0"


def test_a_text_of_a_card_that_is_named_now_follows_its_name() -> None:
    typist, _ = table()
    book = typist.session.book
    card = next(id_ for id_, one in book.cards.items() if one.name == "Swords of Revealing Light")
    effect = str(book.fact(card, "effect")[0]["name"])
    typist.input_line.type(f"A: activate Swords of Revealing Light {effect}")
    command = typist.input_line.understood().command
    assert command is not None
    assert (command.act.effect, list(command.names.values())) == (f"{card}/{effect}", [card])
