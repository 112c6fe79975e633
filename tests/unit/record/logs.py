"""Logs written by hand, for the tests of what reads them."""

from __future__ import annotations

from typing import Any

from domain.record.entries import AnyEvent, Entry
from domain.record.events import CardsKnown, CardsMade, CardsMoved, MatchOpened
from domain.record.values import OFFICIALS, RULES, Sealed


def log(*events: AnyEvent, start: int = 1) -> list[Entry]:
    """Entries for these events, one moment each."""
    return [
        Entry(seq, seq * 10, seq, 0, RULES, ("toy:1",), event)
        for seq, event in enumerate(events, start)
    ]


def match_opened(**more: Any) -> MatchOpened:
    """A match of two is opened; `more` are fields that say something else."""
    given: dict[str, Any] = {
        "game": "toy", "engine": "1", "digests": {}, "mode": "dealer", "best_of": 1,
        "seats": ("A", "B"), "labels": {}, "options": {}, "at": 0, "ticket": Sealed(OFFICIALS),
    }  # fmt: skip
    return MatchOpened(**given | more)


def made(
    place: str, *numbers: int, to: int = -1, up: bool = True, token: bool = False
) -> CardsMade:
    """Cards are laid down."""
    owner = int(place[-1])
    return CardsMade(len(numbers), Sealed(to, numbers), place, owner, token, up, "", "deck")


def known(place: str, cards: dict[int, str], to: int = -1) -> CardsKnown:
    """Cards are shown."""
    return CardsKnown(len(cards), place, Sealed(to, tuple(cards.items())), "play")


def moved(
    src: str, dst: str, cards: dict[int, int], was: int = -1, now: int = -1, at: int | None = None
) -> CardsMoved:
    """Cards go from one number to another; `was` and `now` are who can follow them."""
    olds, news = Sealed(was, tuple(cards)), Sealed(now, tuple(cards.values()))
    kept = olds.value == news.value
    return CardsMoved(len(cards), olds, news, src, dst, at, True, "", "play", kept)
