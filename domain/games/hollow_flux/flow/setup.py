"""Before the first turn: who begins, what is faced up, first hands, the second player's marker.

The book names no order; this is that of reading:hf/A19. What a list may hold is in `deck`.
"""

from __future__ import annotations

from domain.engine.signals import Play, unknown
from domain.engine.table import Table
from domain.games.hollow_flux.choices.play import MARKER
from domain.games.hollow_flux.effects.figures import stock
from domain.games.hollow_flux.flow.turn import TURN
from domain.games.hollow_flux.lists import deck
from domain.games.hollow_flux.lists.formats import chosen
from domain.games.kit.flow.setup import (
    Deck,
    first_hands,
    lay_out,
    listed,
    redraw,
    who_begins,
    who_chooses,
)
from domain.games.kit.zones.hand import draw
from domain.record.decisions import Offer, Option, Part
from domain.record.events import GameBegan
from domain.record.values import Change

HAND = 4
MAIN = Deck("main", "main", ("hf:prep.main.1", "hf:prep.main.2"), shuffled=("hf:prep.main.2",))
GUARD = Deck("guard", "guard", ("hf:prep.guard.1", "hf:prep.guard.2"))


def setup_step(t: Table) -> Play:
    """Everything from the shuffles to the first turn."""
    played = chosen(t.pos.heading.options)
    chooser, by = who_chooses(t.pos, played.first, played.later)
    t.emit(GameBegan(t.pos.game + 1), "hf:setup.order.1", "hf:exile.zone.2")
    yield from lay_out(t, MAIN, GUARD)
    first = yield from who_begins(t, "hf:setup.order.1", chooser=chooser, by=by)
    second = t.pos.rival(first)
    t.counters(MARKER, 1, "hf:setup.order.1", "hf:setup.marker.1", dst=f"seat/{second}")
    for seat in (first, second):
        yield from _face_up(t, seat)
    first_hands(t, first, "main", HAND, "hf:setup.hand.1")
    for seat in (first, second):
        yield from redraw(t, seat, "main", HAND, "hf:setup.redraw.1")
    draw(t, second, "main", 1, "hf:setup.marker.1")
    TURN.begin_turn(t, first, "hf:setup.order.1")


def _face_up(t: Table, seat: int) -> Play:
    """Game-start reveals: a sky-arms card at most, and for secret art any guard cards.

    Everybody is asked for both, with any list: so the question reveals nothing.
    """
    cards, place, known = listed(t.pos, seat), f"guard/{seat}", stock(t.pos).cards
    guard = t.pos.zone(place)
    options, must = deck.sky_options(cards, known, t.pos.heading.options)
    art = tuple(guard) if deck.has_art(cards, known) else ()

    def offer(t: Table) -> Offer:
        """A card that nobody has named may be a sky-arms card."""
        p = t.pos
        arms = tuple(n for n in guard if p.cards[n].id in options or (options and unknown(p, n)))
        one = Part("sky-arms", 0, int(must), min(1, len(arms)))
        return Offer(
            (Option("face-up", 0, (one, Part("secret-art", 1, 0, len(art)))),), (arms, art)
        )

    cites = ("hf:key.secret.1", "hf:key.sky.1", "reading:hf/A19")
    act = yield from t.ask(seat, "face-up", offer, *cites)
    sky, shown = ([n for n in picked if isinstance(n, int)] for picked in act.picks)
    with t.at_once():
        for number in sky:
            _sky_arms(t, seat, number)
        if others := [number for number in shown if number not in sky]:
            rules = ("hf:key.secret.1", "hf:key.secret.2")
            t.move(others, place, "face-up", *rules, up=True, hide=True)


def _sky_arms(t: Table, seat: int, number: int) -> None:
    """Its effect lasts until the game ends, even if the card leaves (hf:key.sky.2)."""
    place = f"guard/{seat}"
    (now,) = t.move([number], place, "face-up", "hf:key.sky.1", up=True, hide=True)
    card = t.pos.cards[now].id
    change = Change("sky-arms", "set", card)
    facts = stock(t.pos).cards[card]
    sky = facts.sky
    says = next((f"/{effect.name}" for effect in facts.effects if effect.zone == "sky"), "")
    t.modify(now, (f"seat/{seat}",), change, "game", "hf:key.sky.2", f"card:{card}{says}")
    if sky is not None and sky.additional:
        ids = listed(t.pos, seat).get("additional", ())
        t.make(ids, f"additional/{seat}", "setup", "hf:key.sky.5", "hf:key.sky.7")
