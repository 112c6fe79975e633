"""The rules for building a main, a guard and an additional deck, and their changes by sky-arms.

A list is legal by the usual rules, or under one of the sky-arms cards in its guard deck whose
condition it meets: then that card must be faced up when the game starts (hf:key.sky.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from domain.effects.select import passes
from domain.engine.rulebook import DeckFault
from domain.games.hollow_flux.lists.cards import PARTS, Card, Limit, Sky, matches
from domain.games.kit.lists.decks import pooled, strange_cards, strange_parts, too_many, wrong_size
from domain.record.values import Value
from domain.words.phrases import phrase

SIZES = {"main": 30, "guard": 10}
NAMED = {"main": phrase("a main deck"), "guard": phrase("a guard deck")}
RULES = {"main": "hf:prep.main.1", "guard": "hf:prep.guard.1"}
COPIES = 3
USUAL = Sky()
Deck = Mapping[str, Sequence[str]]
#: The cards that the match knows.
Cards = Mapping[str, Card]


def faults(deck: Deck, known: Cards, options: Mapping[str, Value] = {}) -> list[DeckFault]:
    """Everything wrong with a list; of several ways to see it, by the one with the fewest."""
    basic = list(_basics(deck, known))
    if basic:
        return basic
    ways = [known[card].sky or USUAL for card in sky_cards(deck, known)]
    built = [pooled([*_built(deck, known, way)], deck, options) for way in (*ways, USUAL)]
    return min(built, key=len)


def sky_cards(deck: Deck, known: Cards) -> list[str]:
    """The sky-arms cards in a guard deck whose condition the list meets."""
    return [
        card
        for card in dict.fromkeys(deck.get("guard", ()))
        if card in known and (sky := known[card].sky) is not None and meets(deck, known, sky)
    ]


def meets(deck: Deck, known: Cards, sky: Sky) -> bool:
    """Whether a list meets the condition of a sky-arms card."""
    ids = {card for part in sky.among for card in deck.get(part, ()) if card in known}
    return not sky.without or not any(matches(known[card], sky.without) for card in ids)


def sky_options(
    deck: Deck, known: Cards, options: Mapping[str, Value] = {}
) -> tuple[list[str], bool]:
    """The sky-arms cards that may be faced up, and whether one of them must be.

    An additional deck that is granted by none of them stays away.
    """
    fitting = []
    for card in sky_cards(deck, known):
        sky = known[card].sky or USUAL
        used = deck if sky.additional else _without_additional(deck)
        if not pooled([*_built(used, known, sky)], used, options):
            fitting.append(card)
    usual = _without_additional(deck)
    return fitting, bool(pooled([*_built(usual, known, USUAL)], usual, options))


def _without_additional(deck: Deck) -> Deck:
    return {part: cards for part, cards in deck.items() if part != "additional"}


def has_art(deck: Deck, known: Cards) -> bool:
    """Whether a secret-art card is in the list."""
    return any(known[card].art is not None for part in PARTS for card in deck.get(part, ()))


def _basics(deck: Deck, known: Cards) -> Iterator[DeckFault]:
    yield from strange_parts(deck, PARTS, "hf:prep.main.1")
    yield from strange_cards(chain.from_iterable(deck.values()), known, "hf:card.common.1")


def _built(deck: Deck, known: Cards, sky: Sky) -> Iterator[DeckFault]:
    """Faults under the rules of construction as a sky-arms card bends them, if it does."""
    for part, usual in SIZES.items():
        n, size = len(deck.get(part, ())), sky.sizes.get(part, usual)
        if not passes(n, size):
            rule = "hf:key.sky.4" if part in sky.sizes else RULES[part]
            yield wrong_size(NAMED[part], n, size, rule, part)
    further = len(deck.get("additional", ()))
    if further and further != sky.additional:
        if sky.additional:
            what = phrase("an additional deck")
            yield wrong_size(what, further, sky.additional, "hf:key.sky.5")
        else:
            text = phrase("an additional deck is granted by nothing")
            yield DeckFault("hf:key.sky.5", "", text)
    names = {known[card].name: card for part in PARTS for card in deck.get(part, ())}
    copies = {part: Counter(known[card].name for card in deck.get(part, ())) for part in PARTS}
    for name, card in names.items():
        bent = [*_limits(known[card], sky)]
        for limit in bent or (Limit(n=COPIES),):
            yield from _too_many(copies, name, card, limit, bool(bent))


def _limits(card: Card, sky: Sky) -> Iterator[Limit]:
    """The limit of a sky-arms card in place of the usual one, for a card."""
    if card.name in sky.copies:
        yield Limit(n=sky.copies[card.name])
    yield from (limit for limit in sky.limits if matches(card, limit.of))


def _too_many(
    copies: Mapping[str, Counter[str]], name: str, card: str, limit: Limit, bent: bool
) -> Iterator[DeckFault]:
    """The fault of a card of which a list has too many; `copies`: how many of each, by part."""
    n = sum(copies[part][name] for part in limit.among)
    if limit.n is not None and n > limit.n:
        narrow = "hf:key.sky.4" if bent else "hf:prep.copies.1"
        alone = sum(copies[part][name] for part in limit.among if part != "additional")
        rule = narrow if alone > limit.n else "hf:key.sky.6"
        yield too_many(card, name, n, limit.n, rule)
