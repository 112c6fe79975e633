"""Before the first turn: decks are laid out, who begins, the first hands and their redraw.

Every book has an order of its own for these, and its own rules: a game's setup is the list of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from domain.engine.series import FIRST, PENALISED
from domain.engine.signals import Chance, Play
from domain.engine.table import Table
from domain.games.kit.zones.hand import draw
from domain.record.decisions import Offer, Option
from domain.record.position import Position
from domain.record.values import EVERYONE

#: Who chooses who goes first, as options say it: in the first game of a match, and in later ones.
Chooser = Literal["chance", "seat 0", "seat 1"]
Later = Literal["chance", "loser"]
SEATS: Mapping[str, int] = {"seat 0": 0, "seat 1": 1}
ORDER = Offer((Option("first"), Option("second")))
REDRAW = Offer((Option("keep"), Option("redraw")))


class Deck(Struct, frozen=True):
    """A part of a list, the zone that it becomes, and by which rules.

    One that is `shuffled` (by these rules) its owner knows until then, card by card.
    """

    part: str
    zone: str
    cites: tuple[str, ...]
    shuffled: tuple[str, ...] = ()


def listed(p: Position, seat: int) -> Mapping[str, tuple[str, ...]]:
    """A seat's list, by part."""
    _, cards = p.heading.decks[seat]
    assert cards is not None
    return cards


def lay_out(t: Table, *decks: Deck) -> Play:
    """Lay out these decks, seat by seat."""
    for seat in range(t.manifest.seats):
        for deck in decks:
            cards, place = listed(t.pos, seat).get(deck.part, ()), f"{deck.zone}/{seat}"
            seen = 1 << seat if deck.shuffled else None
            t.make(cards, place, "setup", *deck.cites, seen=seen)
            if deck.shuffled:
                yield from t.shuffle(place, *deck.shuffled)


def loser(p: Position) -> int | None:
    """The only seat that lost the last game, until the next begins; None: none."""
    return next(iter(p.lost)) if len(p.lost) == 1 else None


def who_chooses(p: Position, first: Chooser, later: Later) -> tuple[int | None, str]:
    """Who chooses who goes first in the game that begins next, and by which rule; None: by chance.

    In later games that is the loser of the one before, unless he lost it by a penalty.
    """
    if not p.game:
        return SEATS.get(first), "house:chooser"
    lost = loser(p) if later == "loser" else None
    return None if lost is None or p.lost[lost] == PENALISED else lost, "house:loser"


def who_begins(
    t: Table,
    *cites: str,
    chance: tuple[str, ...] = (),
    chooser: int | None = None,
    by: str = "house:loser",
) -> Play:
    """Chance names who chooses, and that player says who goes first; who does.

    `chance` is cited further for the choice that chance makes. It makes none where it is settled
    who chooses, `by` a rule: who lost the game before (`loser`).
    """
    if chooser is None:
        (chooser,) = yield Chance("chooser", 2, (*cites, *chance), EVERYONE)
    else:
        cites = (*cites, by)
    act = yield from t.ask(chooser, "turn-order", ORDER, *cites, public=True)
    first: int = chooser if act.kind == "first" else t.pos.rival(chooser)
    t.mark(f"seat/{first}", FIRST, True, *cites)
    return first


def first_hands(t: Table, first: int, deck: str, n: int, *cites: str) -> None:
    """Both draw their first hands, who begins first."""
    for seat in (first, t.pos.rival(first)):
        draw(t, seat, deck, n, *cites)


def redraw(
    t: Table,
    seat: int,
    deck: str,
    n: int,
    rule: str,
    *how: str,
    bottom: bool = False,
    shuffles: int = 1,
) -> Play:
    """A seat may draw its first hand again, once: all of it back into the deck, and `n` others.

    The new hand comes from the shuffled deck; or the old one goes to the `bottom`, and the shuffle
    comes last. `how` is cited for all but the choice. The deck is shuffled so many times: where the
    other player shuffles it as well, twice.
    """
    act = yield from t.ask(seat, "redraw", REDRAW, rule, public=True)
    if act.kind == "keep":
        return
    place, cites = f"{deck}/{seat}", (*how, rule)
    t.move(list(t.pos.zone("hand", seat)), place, "redraw", *cites, at=0 if bottom else None)
    if bottom:
        draw(t, seat, deck, n, *cites)
    for _ in range(shuffles):
        yield from t.shuffle(place, *cites)
    if not bottom:
        draw(t, seat, deck, n, *cites)
    t.mark(f"seat/{seat}", "redrawn", True, rule)
