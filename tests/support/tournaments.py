"""A tournament in hand: commands by one official, at times that pass."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from types import SimpleNamespace
from typing import Any, cast

import pytest

from domain.engine.rulebook import POOL, DeckFault, Refused, Rulebook
from domain.record.schema.citations import HOUSE, manuals
from domain.tournament.acts import lists, players, rounds
from domain.tournament.record import Deck, Format, Outcome, Table
from domain.tournament.tournament import Sender, Tournament
from domain.words.phrases import phrase

LIST, BAD_LIST = Deck("mono", {"main": ("A",)}), Deck("bad", {"main": ("A", "A")})
WON, LOST, DRAWN = Outcome(1, 0, 0, 1), Outcome(0, 1, 0, 2), Outcome(0, 0, 1)


def _check_deck(parts: Any, prints: Any = (), options: Any = ()) -> list[DeckFault]:
    cards = [card for some in parts.values() for card in some]
    twice = len(set(cards)) < len(cards) and POOL not in options
    return [DeckFault("x:1", cards[0], phrase("one copy too many"))] if twice else []


CARDS = {id_: SimpleNamespace(name=f"Card {id_}") for id_ in "ABCDEF"}
#: Rules for decks, and nothing else: a card may be in a list once.
RULES = cast(Rulebook, SimpleNamespace(check_deck=_check_deck, known=lambda prints: CARDS))


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


def refused(t: Tournament, act: Callable[..., object], *args: object, **kwargs: object) -> str:
    """The fault of what is refused; the state and the record are as before."""
    before = deepcopy(t.state)
    kept = t.collect()
    with pytest.raises(Refused) as caught:
        act(t, by(999), *args, **kwargs)
    assert t.state == before
    assert t.collect() == []
    assert caught.value.refusal.rules[-1] == "house:event"
    assert {*caught.value.refusal.rules} <= {*HOUSE, *manuals()}
    t._out = kept
    return caught.value.refusal.fault
