"""What a main, a guard and an additional deck may be made of, and how sky-arms bends it.

A list is legal by the usual rules, or under one of the sky-arms cards in its guard deck whose
condition it meets: then that card must be faced up when the game starts (hf:key.sky.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from domain.games.hollow_flux.cards import CATALOGUE, Sky, matches
from domain.rulebook import DeckFault

CARDS = CATALOGUE.cards
SIZES = {"main": 30, "guard": 10}
RULES = {"main": "hf:prep.main.1", "guard": "hf:prep.guard.1"}
COPIES = 3
PARTS = ("main", "guard", "additional")
Deck = Mapping[str, Sequence[str]]


def faults(deck: Deck) -> list[DeckFault]:
    """Everything wrong with a list; of several ways to see it, by the one with the fewest."""
    basic = list(_basics(deck))
    if basic:
        return basic
    ways = [list(_built(deck, CARDS[card].sky)) for card in sky_cards(deck)]
    return min([*ways, list(_built(deck, None))], key=len)


def sky_cards(deck: Deck) -> list[str]:
    """The sky-arms cards in a guard deck whose condition the list meets."""
    return [
        card
        for card in dict.fromkeys(deck.get("guard", ()))
        if card in CARDS and (sky := CARDS[card].sky) is not None and meets(deck, sky)
    ]


def meets(deck: Deck, sky: Sky) -> bool:
    """Whether a list meets the condition of a sky-arms card."""
    ids = [card for part in sky.among for card in deck.get(part, ()) if card in CARDS]
    return not sky.without or not any(matches(CARDS[card], sky.without) for card in ids)


def sky_options(deck: Deck) -> tuple[list[str], bool]:
    """The sky-arms cards that may be faced up, and whether one of them must be.

    An additional deck that is granted by none of them stays away.
    """
    fitting = []
    for card in sky_cards(deck):
        sky = CARDS[card].sky
        used = deck if sky is not None and sky.additional else _without_additional(deck)
        if not any(_built(used, sky)):
            fitting.append(card)
    return fitting, any(_built(_without_additional(deck), None))


def _without_additional(deck: Deck) -> Deck:
    return {part: cards for part, cards in deck.items() if part != "additional"}


def has_art(deck: Deck) -> bool:
    """Whether a secret-art card is in the list."""
    return any(CARDS[card].art is not None for part in PARTS for card in deck.get(part, ()))


def _basics(deck: Deck) -> Iterator[DeckFault]:
    for part in deck:
        if part not in PARTS:
            yield DeckFault("hf:prep.main.1", "", f"there is no part {part!r} of a deck")
    for part, size in SIZES.items():
        n = len(deck.get(part, ()))
        if n != size:
            yield DeckFault(RULES[part], "", f"a {part} deck has exactly {size} cards, not {n}")
    for card in dict.fromkeys(card for cards in deck.values() for card in cards):
        if card not in CARDS:
            yield DeckFault("hf:card.common.1", card, f"no card is numbered {card!r}")


def _built(deck: Deck, sky: Sky | None) -> Iterator[DeckFault]:
    """Faults under the usual rules, or under those as a sky-arms card bends them."""
    further = len(deck.get("additional", ()))
    granted = sky.additional if sky is not None else 0
    if further and further != granted:
        told = f"has exactly {granted} cards, not {further}" if granted else "is granted by nothing"
        yield DeckFault("hf:key.sky.5", "", f"an additional deck {told}")
    ids = {CARDS[card].name: card for part in PARTS for card in deck.get(part, ())}
    total = Counter(CARDS[card].name for part in PARTS for card in deck.get(part, ()))
    usual = Counter(CARDS[card].name for part in SIZES for card in deck.get(part, ()))
    for name, n in total.items():
        limit = COPIES if sky is None else sky.copies.get(name, COPIES)
        if n > limit:
            bent = "hf:key.sky.4" if limit != COPIES else "hf:prep.copies.1"
            rule = bent if usual[name] > limit else "hf:key.sky.6"
            yield DeckFault(rule, ids[name], f"{n} copies of {name}; {limit} are allowed")
