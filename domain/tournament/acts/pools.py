"""Pools are registered and closed; lists are compared with them.

A pool is a number of cards, whatever parts they stand in. It is registered by its player, until an
official takes pools in alone (`close`), and fixed once his list is accepted. A list has no card
more often than his pool, but for what is free to all (`Pools.free`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from domain.engine.rulebook import POOL as OPTION
from domain.engine.rulebook import Rulebook
from domain.record.values import Value
from domain.tournament import record as ev
from domain.tournament.acts import checks
from domain.tournament.acts.checks import POOL
from domain.tournament.state import Player, State
from domain.tournament.tournament import Sender, Tournament
from domain.words.phrases import Phrase, joined, phrase


def options(f: ev.Format) -> dict[str, Value]:
    """The options of the matches of a format: its own, and what its pools make of decks."""
    return {**f.options, **({OPTION: f.pools.deck} if f.pools.way else {})}


def faults(s: State, player: int, deck: ev.Deck, rules: Rulebook) -> tuple[str, ...]:
    """Everything wrong with the list of a player: by the game's rules, and by his pool."""
    found = rules.check_deck(deck.parts, s.format.prints, options(s.format))
    texts = [one.text for one in found]
    return tuple(
        map(str, [*texts, *(_outside(s, player, deck, rules) if s.format.pools.way else ())])
    )


def _outside(s: State, player: int, deck: ev.Deck, rules: Rulebook) -> Iterator[Phrase]:
    """The cards of a list that are not in a player's pool, or not as often."""
    if player not in s.pools:
        yield phrase("no pool is registered, out of which the deck is built")
        return
    pool, free = Counter(s.pools[player].cards), s.format.pools.free
    used = Counter(chain.from_iterable(ids for part, ids in deck.parts.items() if part not in free))
    for card, n in used.items():
        if card in free or n <= pool[card]:
            continue
        name = _called(s, card, rules)
        if not pool[card]:
            yield phrase("{name} is not in the pool", name=name)
        else:
            yield phrase("{n} copies of {name}; {has} in the pool", n=n, name=name, has=pool[card])


def _called(s: State, card: str, rules: Rulebook) -> str:
    known = rules.known(s.format.prints)
    return f"{known[card].name} ({card})" if card in known else card


def register(
    t: Tournament, by: Sender, player: int, pool: ev.Deck, rules: Rulebook, own: bool = False
) -> int:
    """Register the cards of a player's pool; how many there are.

    `own`: it is the player who does. A list that he has handed in is compared with it anew.
    """
    s = t.state
    checks.going_on(s, POOL)
    if not s.format.pools.way:
        raise checks.refused("decks are not built from pools here", POOL, "NO_POOLS")
    if own and s.pools_closed:
        text = "pools are registered no more: an official can register one"
        raise checks.refused(text, POOL, "POOLS_CLOSED")
    found = checks.player(s, player, POOL)
    if found.accepted:
        text = "the list of {name} is accepted: his pool is fixed until it is reopened"
        raise checks.refused(text, POOL, "LIST_FIXED", name=found.name)
    cards = tuple(sorted(chain.from_iterable(pool.parts.values())))
    check(s, cards, rules)
    t.emit(by, ev.PoolRegistered(player, cards))
    compare(t, by, [found], rules)
    return len(cards)


def compare(t: Tournament, by: Sender, players: Iterable[Player], rules: Rulebook) -> None:
    """Look anew at the lists that these players have handed in, and that are not accepted."""
    s = t.state
    for one in players:
        if one.list and not one.accepted:
            deck = s.lists[one.list].deck
            t.emit(by, ev.ListHandedIn(one.number, deck, faults(s, one.number, deck, rules)))


def check(s: State, cards: Sequence[str], rules: Rulebook) -> None:
    """Make sure that a pool has so many cards as the event says, and that there are such cards."""
    form, n = s.format.pools, len(cards)
    least, most = form.least or 1, form.most or checks.POOL_CARDS
    if not least <= n <= most:
        sizes = phrase("{least} to {most}", least=least, most=most)
        if least == most:
            sizes = phrase("{n}", n=most)
        raise checks.refused(
            "a pool has {sizes} cards, not {n}", POOL, "POOL_SIZE", sizes=sizes, n=n
        )
    known = rules.known(s.format.prints)
    strange = [card for card in dict.fromkeys(cards) if card not in known]
    if strange:
        text, named = "there are no such cards: {cards}", joined(", ", strange[: checks.FEW])
        raise checks.refused(text, POOL, "POOL_UNKNOWN", cards=named)


def close(t: Tournament, by: Sender, open_: bool = False) -> None:
    """Let players register no more pools themselves, or let them once more."""
    s = t.state
    checks.going_on(s, POOL)
    if not s.format.pools.way:
        raise checks.refused("decks are not built from pools here", POOL, "NO_POOLS")
    if s.pools_closed is not open_:
        text = "players may register pools" if open_ else "pools are registered no more"
        raise checks.refused(text, POOL, "POOLS_OPEN" if open_ else "POOLS_CLOSED")
    t.emit(by, ev.PoolsClosed(not open_))
