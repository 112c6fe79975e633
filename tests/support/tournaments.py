"""A tournament in hand: commands by one official, at times that pass."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from domain.engine.rulebook import DeckFault, Rulebook
from domain.tournament.acts import lists, players, rounds
from domain.tournament.record import Deck, Format, Outcome, Table
from domain.tournament.tournament import Sender, Tournament
from domain.words.phrases import phrase

LIST, BAD_LIST = Deck("mono", {"main": ("A",)}), Deck("bad", {"main": ("A", "A")})
WON, LOST, DRAWN = Outcome(1, 0, 0, 1), Outcome(0, 1, 0, 2), Outcome(0, 0, 1)


def _check_deck(parts: Any, *_: Any) -> list[DeckFault]:
    cards = [card for some in parts.values() for card in some]
    twice = len(set(cards)) < len(cards)
    return [DeckFault("x:1", cards[0], phrase("one copy too many"))] if twice else []


#: Rules for decks, and nothing else: a card may be in a list once.
RULES = cast(Rulebook, SimpleNamespace(check_deck=_check_deck))


def by(now: int = 0, name: str = "Ida", ticket: str = "") -> Sender:
    """The sender of a command, so many milliseconds after 1970."""
    return Sender(name, now, ticket)


def opened(format_: Format | None = None, people: int = 4, accepted: bool = True) -> Tournament:
    """A tournament with players 1, 2, … whose lists are accepted."""
    t = Tournament.open(by(), "ev3t", "Cup", format_ or Format("lamps", seconds=60))
    if people:
        players.enter(t, by(), [(f"Player {n}", f"k{n}") for n in range(1, people + 1)])
    for n in range(1, people + 1) if accepted else ():
        lists.hand_in(t, by(), n, LIST, RULES)
        lists.accept(t, by(), [n])
    return t


def playing(t: Tournament, *tables: tuple[int, int], now: int = 0) -> Tournament:
    """The same with a round that is being played, at tables 1, 2, …; a bye is `(1, 0)`."""
    rounds.pair(t, by(now), [Table(n, *pair) for n, pair in enumerate(tables, 1)])
    rounds.open_round(t, by(now))
    rounds.start(t, by(now))
    return t
