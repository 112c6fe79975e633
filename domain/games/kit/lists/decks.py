"""Lists in any game: their faults (parts, sizes, unknown cards, copies); lists drawn at random.

A match whose decks were built from pools of cards (its option `pool`) has no limits of copies, and
a size of its own for the main part (`pooled`). What is in a pool is its event's business.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from random import Random

from domain.effects.language.spelling import meant
from domain.effects.language.vocabulary import Test
from domain.engine.rulebook import POOL, DeckFault
from domain.record.values import Value
from domain.words.phrases import Phrase, phrase

#: The part that a match's pools set a size for.
MAIN = "main"
#: The most that a deck built from a pool may have to have at least.
MOST = 200


def strange_parts(parts: Iterable[str], known: Container[str], rule: str) -> Iterator[DeckFault]:
    """Parts that no deck of the game has."""
    for part in parts:
        if part not in known:
            yield DeckFault(rule, "", phrase("there is no part {part!r} of a deck", part=part))


def strange_cards(ids: Iterable[str], known: Collection[str], rule: str) -> Iterator[DeckFault]:
    """Cards that the match does not know, each once, with the nearest that it knows."""
    for card in dict.fromkeys(ids):
        if card not in known:
            text = phrase("no card is numbered {card!r}{near}", card=card, near=meant(card, known))
            yield DeckFault(rule, card, text)


def wrong_size(what: Phrase, n: int, size: Test, rule: str, part: str = "") -> DeckFault:
    """A part has not as many cards as it must; `size` is a number or a comparison."""
    if isinstance(size, int):
        text = phrase("{what} has exactly {size} cards, not {n}", what=what, size=size, n=n)
    else:
        text = phrase("{what} has {size} cards, not {n}", what=what, size=size, n=n)
    return DeckFault(rule, "", text, part)


def out_of_size(
    what: Phrase, n: int, size: tuple[int, int], rule: str, part: str = ""
) -> Iterator[DeckFault]:
    """A part that has fewer cards than it must, or more than it may."""
    least, most = size
    if not least <= n <= most:
        sizes = phrase("{least} to {most}", least=least, most=most)
        text = phrase("{what} has {size} cards, not {n}", what=what, size=sizes, n=n)
        yield DeckFault(rule, "", text, part)


def too_many(card: str, name: str, n: int, most: int, rule: str) -> DeckFault:
    """More copies of a card than may be."""
    text = phrase("{n} copies of {name}; {most} are allowed", n=n, name=name, most=most)
    return DeckFault(rule, card, text, copies=True)


def check_pool(options: Mapping[str, Value]) -> None:
    """Make sure that the option of pools says a number of cards; raises `ValueError`."""
    least = options.get(POOL, 0)
    if type(least) is not int or not 0 <= least <= MOST:
        raise ValueError(phrase("pool: a deck has a number of cards up to {n} at least", n=MOST))


def pooled(
    faults: list[DeckFault], deck: Mapping[str, Sequence[str]], options: Mapping[str, Value]
) -> list[DeckFault]:
    """The faults of a list in a match with these options, where it was maybe built from a pool.

    Then there are as many of a card as there are in the pool, and the main part has at least as
    many cards as the option says (0: as many as ever).
    """
    least = options.get(POOL)
    if not isinstance(least, int):
        return faults
    found = [one for one in faults if not (one.copies or (least and one.part == MAIN))]
    n = len(deck.get(MAIN, ()))
    if n < least:
        found.append(wrong_size(phrase("a deck"), n, f">={least}", "house:pool", MAIN))
    return found


def drawn(
    rng: Random,
    pool: Iterable[str],
    size: int,
    most: Callable[[str], int],
    apart: Iterable[Container[str]] = (),
) -> tuple[str, ...]:
    """So many cards of a pool at random, `most` copies of each, mostly several.

    Of the cards of each group that are to be kept `apart` there is one at most. Fewer than that are
    drawn if the pool has no more.
    """
    found: list[str] = []
    left, groups = sorted(pool), [*apart]
    rng.shuffle(left)
    while left and len(found) < size:
        card = left.pop()
        found += [card] * min(rng.choice((2, 3, 4, 4)), most(card), size - len(found))
        others = [group for group in groups if card in group]
        left = [one for one in left if not any(one in group for group in others)]
    return tuple(found)
