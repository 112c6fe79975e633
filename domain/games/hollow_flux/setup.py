"""Before the first turn: who begins, what is faced up, first hands, the second player's marker.

The book names no order; this is that of reading A19. What a list may hold is in `deck`.
"""

from __future__ import annotations

from domain.engine.signals import Chance, Play, unknown
from domain.engine.table import Table
from domain.games.hollow_flux import deck
from domain.games.hollow_flux.figures import stock
from domain.games.hollow_flux.play import MARKER
from domain.games.hollow_flux.turn import begin_turn
from domain.record.decisions import Offer, Option, Part
from domain.record.events import EVERYONE, Change, GameBegan

HAND = 4
ORDER = Offer((Option("first"), Option("second")))
REDRAW = Offer((Option("keep"), Option("redraw")))


def setup_step(t: Table) -> Play:
    """Everything from the shuffles to the first turn."""
    t.emit(GameBegan(t.pos.game + 1), "hf:setup.order.1", "hf:exile.zone.2")
    yield from _lay_decks(t)
    first = yield from _decide_order(t)
    for seat in (first, 1 - first):
        yield from _face_up(t, seat)
    for seat in (first, 1 - first):
        t.move(t.top(f"main/{seat}", HAND), f"hand/{seat}", "draw", "hf:setup.hand.1")
    for seat in (first, 1 - first):
        yield from _redraw(t, seat)
    second = 1 - first
    t.move(t.top(f"main/{second}"), f"hand/{second}", "draw", "hf:setup.marker.1")
    begin_turn(t, first, "hf:setup.order.1")


def _lay_decks(t: Table) -> Play:
    for seat in (0, 1):
        _, cards = t.pos.heading.decks[seat]
        assert cards is not None
        main = ("hf:prep.main.1", "hf:prep.main.2")
        t.make(cards["main"], f"main/{seat}", "setup", *main, seen=1 << seat)
        yield from t.shuffle(f"main/{seat}", "hf:prep.main.2")
        guard = ("hf:prep.guard.1", "hf:prep.guard.2")
        t.make(cards["guard"], f"guard/{seat}", "setup", *guard)


def _decide_order(t: Table) -> Play:
    """By any method: chance picks who decides. The second player gets the marker."""
    (chooser,) = yield Chance("chooser", 2, ("hf:setup.order.1",), EVERYONE)
    act = yield from t.ask(chooser, "turn-order", ORDER, "hf:setup.order.1", public=True)
    first = chooser if act.kind == "first" else 1 - chooser
    t.mark(f"seat/{first}", "first", True, "hf:setup.order.1")
    t.counters(MARKER, 1, "hf:setup.order.1", "hf:setup.marker.1", dst=f"seat/{1 - first}")
    return first


def _face_up(t: Table, seat: int) -> Play:
    """Game-start reveals: a sky-arms card at most, and for secret art any guard cards.

    Everybody is asked for both, whatever is in the list: being asked tells nothing.
    """
    _, cards = t.pos.heading.decks[seat]
    assert cards is not None
    place, known = f"guard/{seat}", stock(t.pos).cards
    guard = t.pos.zone(place)
    options, must = deck.sky_options(cards, known)
    art = tuple(guard) if deck.has_art(cards, known) else ()

    def offer() -> Offer:
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
    """Its effect lasts until the game ends, whatever becomes of the card (hf:key.sky.2)."""
    place = f"guard/{seat}"
    (now,) = t.move([number], place, "face-up", "hf:key.sky.1", up=True, hide=True)
    card = t.pos.cards[now].id
    change = Change("sky-arms", "set", card)
    facts = stock(t.pos).cards[card]
    sky = facts.sky
    says = next((f"/{effect.name}" for effect in facts.effects if effect.zone == "sky"), "")
    t.modify(now, (f"seat/{seat}",), change, "game", "hf:key.sky.2", f"card:{card}{says}")
    _, cards = t.pos.heading.decks[seat]
    if sky is not None and sky.additional and cards is not None:
        ids = cards.get("additional", ())
        t.make(ids, f"additional/{seat}", "setup", "hf:key.sky.5", "hf:key.sky.7")


def _redraw(t: Table, seat: int) -> Play:
    """Once, the whole hand back into the deck, a shuffle, four anew."""
    act = yield from t.ask(seat, "redraw", REDRAW, "hf:setup.redraw.1", public=True)
    if act.kind == "keep":
        return
    place, hand = f"main/{seat}", f"hand/{seat}"
    t.move(list(t.pos.zone(hand)), place, "redraw", "hf:setup.redraw.1")
    yield from t.shuffle(place, "hf:setup.redraw.1")
    t.move(t.top(place, HAND), hand, "draw", "hf:setup.redraw.1")
    t.mark(f"seat/{seat}", "redrawn", True, "hf:setup.redraw.1")
