"""Editions of a book: which there are, how a match names and cites its own, what code may cite.

The scenarios of each game are run under all its editions (`tests/test_scenarios.py`).
"""

import json

import pytest
from msgspec.structs import replace

from domain.effects.catalogue import BadCard
from domain.engine.checks.verify import DIVERGED, EXACT, UNVERIFIED, verify
from domain.engine.match import Deck, Match, Opening
from domain.games import chosen, editions, every, rulebook, rules
from domain.record.schema.citations import Numbers, Rule, in_full

FIRST, LATER = "gundam", "gundam@1.9"


def test_a_name_alone_is_the_newest_edition_where_something_begins():
    assert (chosen("gundam"), chosen("yugioh")) == (LATER, "yugioh")
    assert chosen("gundam", "1.0") == chosen("gundam@1.0") == FIRST
    assert chosen("toy", "", ["toy", "toy@2.0", "toy@10.1"]) == "toy@10.1"
    for wrong in (("whist", ""), ("gundam", "9.9"), ("gundam@9.9", ""), ("toy", "")):
        with pytest.raises(KeyError):
            chosen(*wrong)


def test_editions_are_found_in_the_folder_of_a_game():
    assert editions("gundam") == ("1.0", "1.9")
    assert editions("yugioh") == ("1.0",)


@pytest.mark.parametrize("game", every())
def test_an_edition_has_a_rulebook_and_an_index_of_its_own(game):
    found = rulebook(game)
    assert (found.manifest.game, found.rules) == (game, rules(game))
    others = [rulebook(other).digests["rules"] for other in every() if other != game]
    assert found.digests["rules"] not in others


@pytest.mark.parametrize(("game", "rule"), [(FIRST, "gcg:5-2-1"), (LATER, "gcg:6-2-1")])
def test_a_record_names_its_edition_and_cites_it(game, rule):
    book = rulebook(game)
    decks = tuple(Deck(name, book.decks[name]) for name in ("ST01", "ST03"))
    opened = Opening(("Ann", "Ben"), decks, 0)
    match = Match.open(book, opened, lambda kind, of: (0,) if of == 2 else tuple(range(of)))
    entries = match.collect()
    assert entries[0].event.game == game
    cited = {cite for entry in entries for cite in entry.cites if cite.startswith("gcg")}
    assert rule in cited <= set(book.rules)


def test_words_of_a_later_edition_are_those_of_the_game():
    later, first = rulebook(LATER).manifest, rulebook(FIRST).manifest
    assert (later.name, later.edition, first.edition) == ("gundam", "1.9", "")
    assert later.label("steps", "main") == first.label("steps", "main")


LATER_CARDS = (
    {"color": "purple"},
    {"keywords": {"suppression": True}},
    {"effect": [{"kind": "triggered", "name": "x", "on": "readied", "do": [{"do": "draw"}]}]},
    {"effect": [{"kind": "constant", "name": "x", "do": [{"do": "reduce"}]}]},
)


@pytest.mark.parametrize("later", LATER_CARDS, ids=lambda one: next(iter(one)))
def test_words_that_came_later_are_none_of_the_first_edition(later):
    plain = {"id": "X-1", "name": "X", "type": "unit", "color": "blue", "lv": 1, "cost": 1, "hp": 1}
    card = json.dumps({**plain, **later})
    rulebook(LATER).admit((card,))
    with pytest.raises(BadCard):
        rulebook(FIRST).admit((card,))


# -- the numbers of a made-up book -----------------------------------------------------------------

OLD = {id_: Rule(id_, "x", "", "") for id_ in ("toy:1", "toy:2", "toy:3", "toy:4", "reading:toy/1")}
NEW = {
    "toy:1": Rule("toy:1", "x", "", "", ("toy:1",), "same"),
    "toy:3": Rule("toy:3", "x", "", "", ("toy:2",), "wording"),
    "toy:4": Rule("toy:4", "x", "", "", ("toy:3", "toy:2"), "renumbered"),
    "toy:5": Rule("toy:5", "x", "", "", (), "new"),
    "toy:6": Rule("toy:6", "x", "", "", ("reading:toy/1",), "meaning"),
}
NUMBERS = Numbers("2.0", OLD, NEW)


def test_of_several_rows_that_a_rule_was_the_nearest_is_cited():
    assert NUMBERS.cited(("toy:1", "toy:2", "toy:3")) == ("toy:1", "toy:4")


def test_what_has_gone_is_left_out_and_what_is_new_is_cited_by_its_edition():
    assert NUMBERS.cited(("toy:4", "toy@2.0:5", "reading:toy/1")) == ("toy:5", "toy:6")


@pytest.mark.parametrize("id_", ["toy:9", "toy@2.0:2", "toy@3.0:5", "reading:toy/2"])
def test_what_no_book_has_is_an_error_where_it_is_cited(id_):
    with pytest.raises(KeyError):
        NUMBERS.cited((id_,))


def test_other_citations_are_left_alone():
    others = ("house:open", "card:X-1/deploy", "policy:end", "ruling:1", "toys:1")
    assert NUMBERS.cited(others) == others


def test_ids_in_a_text_are_renumbered():
    text = "A: x ! toy:3 reading:toy/1\ncard:toy:3x toy@2.0:5"
    assert NUMBERS.within(text) == "A: x ! toy:4 toy:6\ncard:toy:3x toy:5"


def test_an_id_in_full_names_its_edition():
    assert in_full("toy:1-2", "2.0") == "toy@2.0:1-2"
    assert in_full("reading:toy/1", "2.0") == "reading:toy@2.0/1"
    assert in_full("toy:1-2", "") == "toy:1-2"


def test_records_of_fewer_cards_are_verified_with_those_there_are():
    book = rulebook(LATER)
    decks = tuple(Deck(name, book.decks[name]) for name in ("ST01", "ST03"))
    opened = Opening(("Ann", "Ben"), decks, 0)
    match = Match.open(book, opened, lambda kind, of: (0,) if of == 2 else tuple(range(of)))
    first, *rest = match.collect()
    fewer = {**first.event.digests, "cards": rulebook(FIRST).digests["cards"]}
    log = [replace(first, event=replace(first.event, digests=fewer)), *rest]
    assert fewer != book.digests
    assert verify(log, book).kind == EXACT
    last = max(at for at, entry in enumerate(log) if entry.cites == ("gcg:6-2-1",))
    other = [*log[:last], replace(log[last], cites=("gcg:1-1-1",)), *log[last + 1 :]]
    assert verify(other, book).kind == UNVERIFIED
    assert verify([first, *other[1:]], book).kind == DIVERGED
