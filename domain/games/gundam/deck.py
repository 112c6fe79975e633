"""5-1: what a deck and a Resource Deck may be made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from domain.engine.rulebook import DeckFault
from domain.games.gundam.cards import Card

SIZES = {"main": 50, "resource": 10}
COPIES, COLORS = 4, 2
PLAYABLE = ("unit", "pilot", "command", "base")


def faults(deck: Mapping[str, Sequence[str]], cards: Mapping[str, Card]) -> list[DeckFault]:
    """Everything wrong with a list of these cards, by rule and card (5-2-1-1)."""
    main, resource = deck.get("main", ()), deck.get("resource", ())
    return [*_parts(deck), *_main(main, cards), *_resources(resource, cards)]


def _parts(deck: Mapping[str, Sequence[str]]) -> Iterator[DeckFault]:
    for part in deck:
        if part not in SIZES:
            yield DeckFault("gcg:5-1-1", "", f"there is no part {part!r} of a deck")
    for part, size in SIZES.items():
        n = len(deck.get(part, ()))
        if n != size:
            what = "a deck" if part == "main" else "a Resource Deck"
            yield DeckFault("gcg:5-1-1", "", f"{what} has exactly {size} cards, not {n}")


def _main(ids: Sequence[str], cards: Mapping[str, Card]) -> Iterator[DeckFault]:
    colors = set()
    for card, n in Counter(ids).items():
        print_ = cards.get(card)
        if print_ is None:
            yield DeckFault("gcg:2-3-2", card, f"no card is numbered {card!r}")
            continue
        if print_.token or print_.type not in PLAYABLE:
            yield DeckFault("gcg:5-1-1-1", card, f"{print_.name} does not belong in a deck")
            continue
        colors.add(print_.color)
        if n > COPIES:
            yield DeckFault(
                "gcg:5-1-1-3", card, f"{n} copies of {print_.name}; {COPIES} are allowed"
            )
    if len(colors) > COLORS:
        named = ", ".join(sorted(colors))
        yield DeckFault("gcg:5-1-1-2", "", f"a deck has one or two colors, not {named}")


def _resources(ids: Sequence[str], cards: Mapping[str, Card]) -> Iterator[DeckFault]:
    for card in dict.fromkeys(ids):
        print_ = cards.get(card)
        if print_ is None or print_.type != "resource" or print_.token:
            yield DeckFault("gcg:5-1-1-4", card, f"{card} is no Resource card")
