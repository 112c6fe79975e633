"""The policy that looks ahead: its worlds agree with what its seat saw, and it beats chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from domain import games
from domain.games.kit.game import Game
from domain.record.position import Position
from domain.record.schema.worth import faults
from domain.record.views import redact
from replay_cli.playing.playout import Playout
from replay_cli.playing.policy.player import Player
from replay_cli.playing.policy.sight import Sight, Unsure
from tests.support.duels import Uniform, duel
from tests.support.marks import each

GAMES = games.newest()


@pytest.mark.parametrize("game", GAMES)
def test_weights_are_of_what_a_game_declares(game: str) -> None:
    rules = games.rulebook(game)
    assert rules.worth is not None
    assert [*faults(rules.worth, rules.tallies, rules.manifest)] == []


def _choices(rules: Game, seed: int) -> Iterator[tuple[Position, Sight]]:
    """The decisions of a match with a choice: the whole position, and what the seat saw of it."""
    names = [*rules.decks]
    playout = Playout(rules, (names[0], names[len(names) // 2]), seed)
    sights = [Sight(rules, seat) for seat in range(2)]
    for entries in playout:
        for seat, sight in enumerate(sights):
            sight.follow(redact(entry, seat) for entry in entries)
        decision = playout.match.pos.decision
        if decision is None:
            continue
        offer = decision.offers[decision.seats[0]]
        if offer is not None and len(offer.options) > 1:
            yield playout.match.pos, sights[decision.seats[0]]


@pytest.mark.parametrize("game", GAMES)
def test_worlds_agree_with_what_the_seat_saw(game: str) -> None:
    rules = games.rulebook(game)
    dealt, unsure = 0, 0
    for pos, sight in _choices(rules, 5):
        try:
            world = sight.world("w").pos
        except Unsure:
            unsure += 1
            continue
        dealt += 1
        assert world.decision is not None
        assert world.decision.offers[sight.viewer] == sight.offer
        assert _laid(world) == _laid(pos)
        for seat in range(2):
            assert _cards_of(world, seat) == _cards_of(pos, seat)
        named = {n: one.id for n, one in sight.pos.cards.items() if one.id and n in world.cards}
        assert {n: world.cards[n].id for n in named} == named
    assert dealt > 10 * unsure


def _laid(pos: Position) -> dict[str, int]:
    return {place: len(zone) for place, zone in pos.zones.items() if zone}


def _cards_of(pos: Position, seat: int) -> Counter[str]:
    return Counter(card.id for card in pos.cards.values() if card.owner == seat and not card.token)


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_are_dealt_anew(game: str) -> None:
    """The hand of the other is another one in each world, as often as not: nobody looked at it."""
    rules = games.rulebook(game)
    for pos, sight in _choices(rules, 6):
        rival = 1 - sight.viewer
        if len(pos.zone("hand", rival)) < 3 or not rules.between_acts(pos):
            continue
        hands = {_hand(sight.world(str(n)).pos, rival) for n in range(8)}
        assert len(hands) > 3
        return
    pytest.fail("no decision of this match is one to begin at")


def _hand(pos: Position, seat: int) -> tuple[str, ...]:
    return tuple(sorted(pos.cards[n].id for n in pos.zone("hand", seat)))


@pytest.mark.parametrize("game", each(2, GAMES))
def test_a_seed_gives_the_same_match(game: str) -> None:
    rules = games.rulebook(game)
    deck = next(iter(rules.decks))
    one, other = (
        duel(rules, deck, 3, Player(rules, 0, 3), Uniform(rules, 1, 3), most=40) for _ in range(2)
    )
    assert one.encoded() == other.encoded()


@pytest.mark.parametrize("game", each(4, GAMES))
def test_it_beats_chance(game: str) -> None:
    """Of ten matches two may be lost: a player no better than chance does so once in 18 times.

    The figures of hundreds are those of `python -m tests.benchmarks.policy`.
    """
    rules = games.rulebook(game)
    decks, won = [*rules.decks], 0
    for n in range(10):
        seat = n % 2
        player, other = Player(rules, seat, n), Uniform(rules, 1 - seat, n)
        won += duel(rules, decks[n // 2 % len(decks)], n, player, other).winner == seat
    assert won >= 8
