"""Naming the cards of a real table: which names are possible, and reading names from typed text.

At a real table a command brings what its sender has seen (`Inputs`): which cards are which, how
chance fell. Names are checked against the registered list: a card that is not in it, or a copy too
many, is refused, but for cards that were brought to the match since (`Heading.added`).
`signals.NameRequired` and `signals.RollRequired` ask for missing statements; what nobody noted may
be left open (`notation.UNKNOWN`). A card laid down unseen may be any of those that it lay among:
what was known of them is forgotten (`forgotten`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.rulebook import Refusal, Refused, Rulebook, refuse
from domain.engine.signals import identified
from domain.record.decisions import Act, Misfit, Offer
from domain.record.events import Stated
from domain.record.position import UNKNOWN, Card, Position, seat_of
from domain.record.schema.manifest import Manifest
from domain.record.values import EVERYONE
from domain.words.phrases import phrase

RULE = "house:named"


class Inputs(Struct, frozen=True):
    """The statements of a command at a real table; `Stated` is what is recorded of it.

    `names` are card ids by number, of cards that lie there or will come to lie there by the
    command; `rolls` are the outcomes of chance, in the order in which they are asked; `who` entered
    them. An empty name: nobody can say any more which it is.
    """

    names: Mapping[int, str] = {}
    rolls: tuple[tuple[int, ...], ...] = ()
    who: str = ""

    def nameless(self) -> Inputs:
        """The sender without his statements."""
        return Inputs(who=self.who) if self.who else NOTHING


NOTHING = Inputs()
#: How many there are of a card, by its id, the seat, the part of its list (empty: all of it).
Counts = Mapping[tuple[str, int, str], int]


class Misstated(Refused):
    """A statement is impossible, as the command has shown.

    The match in memory is of no use any more then: throw it away and resume.
    """


def recorded(inputs: Inputs, renewed: Offer | None, lost: Iterable[int] = ()) -> Stated | None:
    """The part of it that is recorded, with what is `lost`; None if nothing was stated."""
    names = {**dict.fromkeys(lost, ""), **inputs.names}
    if inputs is NOTHING and renewed is None and not names:
        return None
    return Stated(tuple(sorted(names.items())), renewed, inputs.who)


def forgotten(p: Position, manifest: Manifest, seat: int, act: Act) -> list[int]:
    """The cards of a seat's hand that an act of its leaves nobody able to name, at a real table.

    It acts on a hidden card among others, and nobody has to name it: so it is laid down unseen, in
    games where cards lie face down among others. It may be any of them.
    """
    if p.heading.mode != "table" or all(zone.down == "none" for zone in manifest.zones):
        return []
    refs = {act.card, *(ref for picked in act.picks for ref in picked)}
    cards = [p.cards[ref] for ref in refs if isinstance(ref, int) and p.present(ref)]
    places = {card.place for card in cards if not card.id and _in_a_hand(card, manifest)}
    return [
        number
        for place in sorted(places)
        if seat_of(place) == seat
        for number in p.zone(place)
        if number not in refs and p.cards[number].id and _in_a_hand(p.cards[number], manifest)
    ]


def _in_a_hand(card: Card, manifest: Manifest) -> bool:
    """Whether only its owner can tell a card from those that it lies among."""
    return card.follow != EVERYONE and manifest.zone(card.place).follow == "owner"


def named_first(p: Position, seat: int, act: Act, misfit: Misfit) -> None:
    """Ask for the cards on which it hangs whether an act fits: what acts, if a seat can follow it.

    What cards count that nobody has named is not known yet, so those of a sum are asked for.
    """
    card = p.cards.get(act.card) if isinstance(act.card, int) else None
    if card is not None and card.follow & 1 << seat:
        identified(p, (int(act.card),))
    if misfit.fault == "sum":
        picks = (ref for pick in act.picks for ref in pick)
        identified(p, [n for n in picks if type(n) is int and p.present(n)])


def outdated(p: Position, offer: Offer) -> bool:
    """Whether an offer has for unknown what somebody has named since."""
    cards = (option.card for option in offer.options if option.kind == "unknown")
    return any(isinstance(n, int) and p.present(n) and p.card(n).id for n in cards)


def named(p: Position, rules: Rulebook, inputs: Inputs) -> Position:
    """A view of the position in which the named cards that lie there are known.

    Itself where none is. Raises `Refused` for a name that can't be: no such card, another name is
    known, a dealt match.
    """
    bound = dict(_named(p, rules, inputs)) if inputs.names else {}
    return p.with_cards(bound) if bound else p


def _named(p: Position, rules: Rulebook, inputs: Inputs) -> Iterator[tuple[int, Card]]:
    """The named cards as they are once they are known."""
    known = rules.known(p.heading.prints)
    for number, identity in inputs.names.items():
        card = p.cards.get(number)
        if p.heading.mode != "table":
            raise Refused(refuse("the cards of a dealt match are known", RULE, fault="NOT_ASKED"))
        if not identity and card is not None and _in_a_hand(card, rules.manifest):
            yield number, replace(card, id=identity)
            continue
        if identity not in known and identity != UNKNOWN:
            text = "there is no card {card!r}"
            raise Refused(refuse(text, RULE, fault="CARD_UNKNOWN", card=identity))
        if card is not None and card.id not in ("", identity):
            name = known[card.id].name if card.id in known else card.id
            text = "@{number} is known to be {name}"
            raise Refused(refuse(text, RULE, fault="CARD_KNOWN", number=number, name=name))
        if card is not None and not card.id:
            yield number, replace(card, id=identity)


def counted(p: Position, inputs: Inputs) -> Counts:
    """How many of each named card each seat has, of its whole list (part "") and of each part."""
    named = {*inputs.names.values()} - {"", UNKNOWN, *p.heading.added}
    return {
        (identity, seat, part): cards[identity]
        for seat in (p.heading.decks if named else ())
        for part in ("", *_list_parts(p, seat))
        for cards in [_known_cards(p, seat, part)]
        for identity in named
    }


def listed(p: Position, rules: Rulebook, inputs: Inputs, before: Counts) -> None:
    """Make sure that no seat got more of a named card than its list has; raises `Misstated`.

    Nor more that are from one part of it than that part has. `before` is what was `counted`: what
    an official has recorded by then beyond a list is held against nobody.
    """
    for (identity, seat, part), has in counted(p, inputs).items():
        most = _listed(p, seat, part)[identity]
        if has > max(most, before.get((identity, seat, part), 0)):
            raise Misstated(_too_often(rules, p, identity, part, most, has))


def _too_often(rules: Rulebook, p: Position, card: str, part: str, most: int, has: int) -> Refusal:
    where = phrase("the list of that seat")
    if part:
        where = phrase("the {part} part of the list of that seat", part=part)
    text = "{name} is {most} times in {where}, and {has} were named"
    return refuse(
        text,
        RULE,
        *rules.manifest.cited(rules.deck_cites),
        fault="CARD_NOT_IN_LIST",
        name=rules.known(p.heading.prints)[card].name,
        most=most,
        where=where,
        has=has,
    )


def _list_parts(p: Position, seat: int) -> Mapping[str, Sequence[str]]:
    return p.heading.decks.get(seat, ("", None))[1] or {}


def _listed(p: Position, seat: int, part: str = "") -> Counter[str]:
    """The cards of a seat's list, or of one part of it: of all where nobody knows what that has."""
    parts = _list_parts(p, seat)
    part = "" if UNKNOWN in parts.get(part, ()) else part
    some = (card for name, cards in parts.items() if part in ("", name) for card in cards)
    return Counter(card for card in some if card != UNKNOWN)


def _known_cards(p: Position, seat: int, part: str = "") -> Counter[str]:
    """The cards of a seat that are known, or those of them that are from a part of its list."""
    cards = ((n, c) for n, c in p.cards.items() if c.owner == seat and not c.token)
    return Counter(c.id for n, c in cards if part in ("", p.heading.parts.get(n, "")))


def remaining(p: Position, seat: int, number: int = 0) -> Counter[str]:
    """The cards of a seat's list that nobody has seen yet: card id to how many.

    With a card's `number`, those that it may be: what is left of the part that it is from.
    """
    part = p.heading.parts.get(number, "")
    left = _listed(p, seat) - _known_cards(p, seat)
    return left & (_listed(p, seat, part) - _known_cards(p, seat, part)) if part else left
