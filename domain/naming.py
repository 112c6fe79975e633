"""Naming the cards of a real table: what may be said of them, and reading it from typed text.

At a real table a command brings what its sender has seen (`Told`): which cards are which, how
chance fell. Names are checked against the registered list: a card that is not in it, or a copy too
many, is refused. What has not been said and must be is asked for by `table.Unnamed` and
`table.Untold`; what nobody noted may be left open (`notation.UNKNOWN`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct

from domain import notation
from domain.decisions import Act, Offer
from domain.events import Stated
from domain.notation import UNKNOWN
from domain.position import Position
from domain.rulebook import Refusal, Refused, Rulebook

RULE = "house:named"


class Told(Struct, frozen=True):
    """What the sender of a command has seen at a real table.

    `names` are card ids by number, of cards that lie there or will come to lie there by what the
    command sets off; `rolls` how chance fell, in the order in which it is asked; `who` says so.
    """

    names: Mapping[int, str] = {}
    rolls: tuple[tuple[int, ...], ...] = ()
    who: str = ""


NOTHING = Told()


class Misstated(Refused):
    """What was stated can't be so, as turned out while the command was carried out.

    The match in memory is of no use any more then: throw it away and resume.
    """


def stated(told: Told, renewed: Offer | None) -> Stated | None:
    """What of it goes into the record; None where nothing was said."""
    if told is NOTHING and renewed is None:
        return None
    return Stated(tuple(sorted(told.names.items())), renewed, told.who)


def outdated(p: Position, offer: Offer) -> bool:
    """Whether an offer has for unknown what somebody has named since."""
    cards = (option.card for option in offer.options if option.kind == "unknown")
    return any(isinstance(n, int) and p.present(n) and p.card(n).id for n in cards)


@contextmanager
def spoken(p: Position, rules: Rulebook, told: Told) -> Iterator[bool]:
    """The position with the named cards that lie there known, for a while; whether any is.

    Raises `Refused` for a name that can't be: no such card, another name is known, a dealt match.
    """
    bound = []
    for number, identity in told.names.items():
        card = p.cards.get(number)
        if p.heading.mode != "table":
            raise Refused(_no("the cards of a dealt match are known", "NOT_ASKED"))
        if identity not in rules.cards and identity != UNKNOWN:
            raise Refused(_no(f"there is no card {identity!r}", "CARD_UNKNOWN"))
        if card is not None and card.id not in ("", identity):
            known = rules.cards[card.id].name if card.id in rules.cards else card.id
            raise Refused(_no(f"@{number} is known to be {known}", "CARD_KNOWN"))
        if card is not None and not card.id:
            bound.append((card, identity))
    try:
        for card, identity in bound:
            card.id = identity
        yield bool(bound)
    finally:
        for card, _ in bound:
            card.id = ""


def listed(p: Position, rules: Rulebook, told: Told) -> None:
    """Make sure that no seat has more of a named card than its list; raises `Misstated`."""
    for identity in dict.fromkeys(told.names.values()):
        for seat, (_, parts) in p.heading.decks.items():
            most = sum(cards.count(identity) for cards in (parts or {}).values())
            has = _held(p, seat)[identity]
            if has > most and identity != UNKNOWN:
                name = rules.cards[identity].name
                text = f"{name} is {most} times in the list of that seat, and {has} were named"
                refusal = Refusal((RULE, *rules.deck_cites), text, "CARD_NOT_IN_LIST")
                raise Misstated(refusal)


def _held(p: Position, seat: int) -> Counter[str]:
    return Counter(c.id for c in p.cards.values() if c.owner == seat and not c.token)


def remaining(p: Position, seat: int) -> Counter[str]:
    """The cards of a seat's list that nobody has seen yet: card id to how many."""
    _, parts = p.heading.decks.get(seat, ("", None))
    return Counter(card for cards in (parts or {}).values() for card in cards) - _held(p, seat)


def _no(text: str, fault: str) -> Refusal:
    return Refusal((RULE,), text, fault)


# -- typed text ------------------------------------------------------------------------------------

#: What is open to the seat once these cards are named.
Renew = Callable[[Mapping[int, str]], Offer | None]


def read(
    text: str,
    p: Position,
    rules: Rulebook,
    seat: int,
    offer: Offer | None = None,
    renew: Renew | None = None,
    spare: frozenset[int] = frozenset(),
) -> tuple[Act, dict[int, str]]:
    """The act that a text means, and the cards that it names; raises `notation.BadText`.

    A name that no card in sight has, of the cards left in the seat's list, names an unknown one.
    `renew` tells what is open then, so that the parts of the act can be filled in. Of cards that
    might do as well, those to `spare` are taken last.
    """
    if p.heading.mode != "table":
        return notation.parse(text, p, rules, seat, offer), {}
    named: dict[int, str] = {}
    head = notation.subject(text, rules) if renew is not None else text
    act = notation.parse(head, p, rules, seat, offer, named=named, spare=spare)
    if named and renew is not None:  # an unknown card acts: only now its parts are known
        picked: dict[int, str] = {}
        renewed = renew(named) or offer
        with spoken(p, rules, Told(named)):
            act = notation.parse(text, p, rules, seat, renewed, named=picked, spare=spare)
        named |= picked
    elif head != text:
        act = notation.parse(text, p, rules, seat, offer, named=named, spare=spare)
    return act, named
