"""Chapter 10: what the rules do by themselves, at once, even in the middle of other actions.

`settle` is called after every batch of events: it brings derived numbers up to date, ends the game
for a player who meets a condition of defeat, destroys cards without HP and removes tokens that left
the field, until nothing is left to do. Only then may triggers be resolved (10-1-2, reading:gcg/2).
Making room for a new Unit or Base (10-4, 10-5) belongs to deploying, in `choices.play`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from domain.effects.instructions.replacement import unreplaced
from domain.engine import series
from domain.engine.series import Loss
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.editions import settings
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.texts import PILOTS, TERMS, acting
from domain.games.kit.effects import processes
from domain.games.kit.effects.processes import Dying
from domain.games.kit.zones.moves import leave
from domain.record.position import Position, seat_of, zone_of
from domain.record.values import Ref

ON_FIELD = ("battle", "resource", "base")
#: A destroyed card: the rule that destroys it, by the zone it lies in.
DESTROYED = {
    "battle": ("gcg:10-3-1", "gcg:4-10-1"),
    "base": ("gcg:10-3-1", "gcg:4-10-2"),
    "shield": ("gcg:10-3-1-1", "gcg:4-10-3"),
}


def settle(t: Table) -> Play:
    """Do all rule processes.

    What a replacement belongs to is over before anything is destroyed again (7-6-3-2-3).
    """
    spared: set[int] = set()  # a replacement acts once for one event

    def process(t: Table) -> Play:
        doomed = [*DYING.doomed(t, _destructible(t.pos))]
        if doomed:
            yield from destroy(t, doomed, spared=spared)
            t.due.damage.clear()  # it has destroyed what it did
        else:
            _remove_tokens(t)

    yield from processes.settle(t, TERMS, process, first=defeat)


def defeat(t: Table) -> Play:
    """10-2: everybody who meets a condition of defeat loses, together, and the game is over.

    An empty deck is one as it becomes empty: a loss that was replaced does not come again for it.
    """
    p = t.pos
    for holder, deck in _SEATS:
        if p.mark(holder, "emptied") and p.zone(deck):
            t.mark(holder, "emptied", None, "gcg:10-2-1-2")
    meets = [holder for holder, deck in _SEATS if _defeated(p, holder, deck)]
    if not meets:
        return
    lost = yield from unreplaced(t, TERMS, "lost", meets, lambda seat: _clear_defeat(t, str(seat)))
    hit = tuple(seat_of(holder) for holder in lost if p.mark(holder, "hit"))
    empty = tuple(seat for seat in map(seat_of, lost) if seat not in hit)
    if not lost:
        return
    draws = p.step == "draw" and empty == (p.turn_seat,)
    series.defeat(
        t,
        Loss(hit, "defeat", ("gcg:10-2-1-1", "gcg:1-2-2-1")),
        Loss(empty, "deck", (*(("gcg:6-3-1-1",) if draws else ()), "gcg:10-2-1-2", "gcg:1-2-2-2")),
    )


_SEATS = (("seat/0", "deck/0"), ("seat/1", "deck/1"))


def _defeated(p: Position, holder: str, deck: str) -> bool:
    decked = not p.zones.get(deck) and not p.mark(holder, "emptied")
    return decked or bool(p.mark(holder, "hit"))


def _clear_defeat(t: Table, holder: str) -> None:
    """A player does not lose by what has befallen him: something else happens instead."""
    t.mark(holder, "hit", None, "gcg:9-1-9-1")
    if not t.pos.zone("deck", seat_of(holder)):
        t.mark(holder, "emptied", True, "gcg:9-1-9-1")


def _destructible(p: Position) -> Iterator[int]:
    """The cards that are destroyed without HP: Units, Bases, and shields that were damaged.

    Of these, any that may be without, or was and was spared: most are as they came.
    """
    zones, cards = p.zones, p.cards
    for units, bases, shields in _MAY_DIE:
        for place in (units, bases):
            for number in zones.get(place, ()):
                card = cards[number]
                if card.counters or card.marks or card.stat("hp", 1) <= 0:
                    yield number
        for number in zones.get(shields, ()):
            card = cards[number]
            if card.counters or card.marks:
                yield number


_MAY_DIE = tuple((*figures.PLACES[seat], f"shield/{seat}") for seat in (0, 1))


def excess(p: Position, number: int) -> int:
    """How much damage a Unit, Base or shield has beyond its HP; below 0 as long as it has any."""
    card = p.cards[number]
    hp = 1 if card.place.startswith("shield/") else card.stat("hp", 1)  # 10-3-1-1
    return card.counters.get("damage", 0) - hp


#: 10-3-1: damage has reached HP (reading:gcg/4: or HP came down to it). One whose destruction was
#: replaced goes on with its damage, until there is more of it, or less HP; or until it has HP again
#: and loses it again.
DYING = Dying(
    why=lambda p, number: "damage" if excess(p, number) >= 0 else "",
    excess=excess,
    stays="gcg:9-1-9-1",
    over="gcg:10-3-1",
)


def destroy(
    t: Table,
    cards: list[int],
    *cites: str,
    spared: set[int] | None = None,
) -> Play:
    """Destroy cards simultaneously (7-6-3-2-3); Pilots go with their Units (6-5-2-3-4).

    `cites` is what destroys them, for an effect that says so; else it is the destruction process.
    `spared` are those of this process that were saved once already. Returns how many were
    destroyed: what is to be done instead (9-1-9) is done first.
    """
    spared = set() if spared is None else spared
    rules = {number: _destroyed_by(t.pos, number, cites) for number in cards}
    fresh = [number for number in cards if number not in spared]
    how = {number: _narrower_kind(t.pos, number, cites) for number in cards}
    narrower: dict[Ref, str] = {number: word for number, word in how.items() if word}
    left = yield from unreplaced(
        t, TERMS, "destroyed", fresh, partial(DYING.spare, t), narrower,
        by=lambda subject: acting(t) if cites else _damager(t, subject),
    )  # fmt: skip
    spared |= set(fresh) - set(left)
    going = [n for n in cards if (n in left or n not in fresh) and t.pos.present(n)]
    with t.at_once():
        for number in going:
            _move_destroyed(t, number, rules[number])
    return len(going)


def _narrower_kind(p: Position, number: int, cites: tuple[str, ...]) -> str:
    """By what a card is destroyed, where a text may ask: an effect that says so, or its damage."""
    if cites:
        return "destroyed-by-effect"
    return "destroyed-by-damage" if p.cards[number].counters.get("damage") else ""


def _damager(t: Table, subject: Ref) -> Ref:
    """The card that dealt a card the damage by which it is to be destroyed; 0: none."""
    damage = t.due.damage.get(subject)
    return 0 if damage is None else damage.source


def _move_destroyed(t: Table, number: int, why: tuple[str, ...]) -> None:
    """Send one destroyed card on its way."""
    p = t.pos
    card = p.cards[number]
    zone, seat = card.place.split("/")
    if zone == "resource" and not settings(p).trashing_destroys:
        t.move([number], f"resource-deck/{card.owner}", "destroyed", *why, at=0, up=False)
    elif zone == "shield":
        burst = any(e.on == "burst" for e in figures.facts(p, number).effects)
        dst = f"resolving/{seat}" if burst else f"trash/{card.owner}"
        t.move([number], dst, "destroyed", *why, *(("gcg:3-1-2",) if burst else ()))
    else:
        leave(t, [number], partial(TERMS.place, "trash"), "destroyed", *why, riders=PILOTS)


#: Where a destroyed Resource goes to in its Resource Deck.
_BOTTOM = ("reading:gcg/19",)


def _destroyed_by(p: Position, number: int, cites: tuple[str, ...]) -> tuple[str, ...]:
    zone = zone_of(p.cards[number].place)
    if zone == "resource":
        return ("gcg:4-10-4", *(() if settings(p).trashing_destroys else _BOTTOM), *cites)
    rule, kind = DESTROYED[zone]
    if cites:
        return (kind, *cites)
    unhurt = not p.cards[number].counters.get("damage")
    also = ("gcg:2-7-1-1", "reading:gcg/4") if zone != "shield" else ()  # its HP came down to it
    return (*also, kind) if unhurt else (rule, kind, *also[:1])


def _remove_tokens(t: Table) -> None:
    """4-17-2-4: tokens anywhere but on the field leave the game."""
    p = t.pos
    # Only a card that has just moved can be astray.
    latest = range(t.due.unchecked_from, p.next_card)
    t.due.unchecked_from = p.next_card
    astray = [
        number
        for number in latest
        if (card := p.cards.get(number)) is not None
        and card.token
        and card.place.partition("/")[0] not in ON_FIELD
    ]
    if astray:
        t.remove(astray, "outside", "gcg:4-17-2-4")
