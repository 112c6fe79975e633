"""Positions for programs: names that there are not, and what overlays show."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest
from kifu import PUBLIC, fold, read

from domain import games
from domain.record.folding.digests import digest
from domain.record.position import Position
from domain.record.schema import tallies
from domain.record.schema.manifest import Manifest
from domain.record.schema.tallies import Tally
from service.client.seen import SeenPosition, UnknownName
from tests.lamps.rulebook import RULEBOOK as LAMPS
from tests.toy import TOY

GOLDEN = Path(__file__).parents[2] / "golden"
LOG = read(GOLDEN / "gundam-1.0/gcccc.jsonl")
FLUX = read(GOLDEN / "hollow_flux-1.0/hjjjj.jsonl")
BOOKS = [*map(games.rulebook, games.names()), LAMPS, TOY]


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda p: p.zone("shields"), "there is no zone 'shields'; did you mean 'shield'?"),
        (lambda p: p.zone("shields", 0), "did you mean 'shield'? There are battle, base, shield"),
        (lambda p: p.zone("hand"), "each seat has a hand: zone('hand', 0)"),
        (lambda p: p.zone("hand", 2), "there is no seat 2: they are 0 and 1"),
        (lambda p: p.zone("hand/x"), "there is no seat x"),
        (lambda p: p.card(10_000), "there is no card 10000 here"),
        (lambda p: p.stat(min(p.cards), "app"), "there is no number 'app'; did you mean 'ap'?"),
        (lambda p: p.counters("base/0", "damages"), "no kind of counters 'damages'; did you mean"),
        (lambda p: p.counted("bases/0"), "no zone 'bases'; did you mean 'base'?"),
        (lambda p: p.mark("seat/0", "frist"), "there is no mark 'frist'"),
        (lambda p: p.left("rounds", 0), "there is no clock 'rounds'"),
        (lambda p: p.tally("lives", 0), "no tally 'lives'; did you mean 'life'? There are life,"),
        (lambda p: p.tally("life", -1), "there is no seat -1: they are 0 to 1"),
    ],
)  # fmt: skip
def test_a_name_that_there_is_not(ask, says: str) -> None:
    for viewer in (PUBLIC, 1):
        with pytest.raises(UnknownName) as caught:
            ask(fold(LOG, viewer=viewer))
        assert says in str(caught.value)
    assert isinstance(caught.value, KeyError)


def test_a_shared_zone_is_no_seats() -> None:
    p = fold(FLUX)
    assert isinstance(p.zone("battlefield"), list)
    with pytest.raises(UnknownName, match="one zone for all seats"):
        p.zone("exile", 0)


def test_names_that_there_are() -> None:
    """Also where nothing lies, and in a game that nobody here knows everything may be one."""
    p = fold(LOG)
    assert p.zone("hand", 0) == p.zone("hand/0") != []
    assert p.zone("removal", 1) == []
    assert p.counters("seat/0", "damage") == 0
    assert p.mark("seat/1", next(iter(games.rulebook("gundam").manifest.words("marks")))) is None
    assert fold([]).zone("anything") == []
    p.heading.game = "unheard-of"
    assert p.zone("anything") == []
    assert p.tallies() == {"score": (0, 0)}


def test_it_is_the_position_all_the_same() -> None:
    p = fold(LOG)
    plain = Position(*(getattr(p, name) for name in Position.__struct_fields__))
    assert p == plain == p
    assert p.encoded() == plain.encoded()
    assert digest(p) == digest(plain)
    plain.turn += 1
    assert p != plain
    assert SeenPosition() == Position()
    other = deepcopy(p)
    other.cards.clear()
    assert other.tallies() == p.tallies()
    assert p.cards


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.manifest.game)
def test_every_game_declares_what_overlays_show(book) -> None:
    assert [*tallies.faults(book.tallies, book.manifest)] == []
    assert book.tallies[-1] == tallies.SCORE


def test_faults_of_tallies_are_found() -> None:
    wrong = (Tally("life", "Life", zone="lives"), Tally("deck", "Deck", counters=("coins",)))
    manifest: Manifest = TOY.manifest
    assert [*tallies.faults((*wrong, wrong[0]), manifest)] == [
        "there is no tally hand",
        "a tally is there twice",
        "life: no zone of each seat is called lives",
        "deck: no counter is called coins",
        "life: no zone of each seat is called lives",
    ]


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*/*jjjj.jsonl")), ids=str)
def test_everybody_counts_the_same(path: Path) -> None:
    """In the record of every game, at any entry, and each of them counts something."""
    log = read(path)
    for seq in (*range(1, len(log), 12), len(log)):
        found = fold(log, seq).tallies()
        assert all(fold(log, seq, viewer).tallies() == found for viewer in (PUBLIC, 0, 1))
    assert all(any(values) for name, values in found.items() if name in tallies.NEEDED), found
