"""The occurrences that card texts wait for, derived from the record (chapters 4, 7, 10, 11).

Breach, and a Burst that does not trigger, depend on the same patterns. The start and the end of a
turn stand in the table of its steps (`flow.turn`).
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.texts import TRIGGERS
from domain.games.kit.effects.occurrences import Case, Note, Occurrences, Pattern
from domain.record import events as ev
from domain.record.position import zone_of

ON_FIELD = ("battle", "base")


def _enters_field(case: Case) -> bool:
    """A card is newly placed on the field (11-2-6-1), and not paired with another there."""
    e = case.event
    return zone_of(e.dst) in ON_FIELD and not e.kept and e.why != "pair"


def _leaves(case: Case, *zones: str) -> bool:
    """A card leaves one of these zones; a Pilot only goes along with the Unit above it."""
    return zone_of(case.event.src) in zones and not case.t.pos.card(case.card).role


def _destroyed_from(case: Case, *zones: str) -> bool:
    """A Unit, a Base, a shield or a Resource is destroyed."""
    return case.event.why == "destroyed" and _leaves(case, *zones)


def _destroyed_on_field(case: Case) -> bool:
    """Such as has texts for it: a shield has none but its Burst."""
    return _destroyed_from(case, "battle", "base", "resource")


def _by_effect(case: Case) -> bool:
    """Whether a text says that something is destroyed; it is cited then."""
    return any(cite.startswith("card:") for cite in case.entry.cites)


def _by_damage(case: Case) -> bool:
    return figures.damage(case.t.pos, case.card) > 0 and not _by_effect(case)


def _bursts(case: Case) -> bool:
    """A destroyed shield with a Burst lies face up (11-2-5-1)."""
    return _destroyed_from(case, "shield") and zone_of(case.event.dst) == "resolving"


def _to_trash(t: Table, note: Note) -> None:
    """9-1-6-2: the Burst of a destroyed shield has not triggered; it goes on."""
    p, number = t.pos, note.card
    card = p.cards[number]
    if card.place.startswith("resolving/") and not any(a.source == number for a in p.waiting()):
        t.move([number], f"trash/{card.owner}", "destroyed", "gcg:9-1-6-2", "gcg:4-10-3")


def _destroyer(case: Case) -> int:
    """The Unit whose battle damage destroyed this; 0 if none did."""
    damage = case.t.due.damage.get(case.card)
    if damage is None or damage.kind != "battle" or _by_effect(case):
        return 0
    return damage.source if isinstance(damage.source, int) else 0


def _breach(t: Table, note: Note) -> None:
    """11-1-2-1: in its player's turn, Breach triggers when the Unit destroys another."""
    p, unit = t.pos, note.card
    card, owner = p.card(unit), p.card(note.befallen).owner
    if card.controller != p.turn_seat or not card.stats.get("breach"):
        return
    also = ("gcg:11-1-2-4",) if not p.present(unit) else ()
    act = t.trigger(
        f"{card.id}/breach", unit, card.controller, note.seq, "gcg:11-1-2-1", *also,
        group=TRIGGERS.group(t),
    )  # fmt: skip
    if owner == card.controller:  # else it is the rival, of course
        t.mark(unit, f"breached:{act}", owner, "gcg:11-1-2-2")


def _paired(case: Case) -> bool:
    return bool(case.event.role == "pilot")


OCCURRENCES = Occurrences(
    TRIGGERS,
    lambda p: figures.stock(p).heard,
    (
        Pattern("attack", ev.AttackDeclared),
        Pattern("rested", ev.CardsTurned, lambda c: c.event.orient == "rested"),
        Pattern("readied", ev.CardsTurned, lambda c: c.event.orient == "active"),
        Pattern("deploy", ev.CardsMade, lambda c: zone_of(c.event.place) in ON_FIELD),
        Pattern("deploy", ev.CardsMoved, _enters_field, lambda c: c.now),
        Pattern(
            "returned", ev.CardsMoved,
            lambda c: zone_of(c.event.dst) == "hand" and _leaves(c, *ON_FIELD),
        ),
        Pattern("burst", ev.CardsMoved, _bursts, lambda c: c.now, _to_trash),
        Pattern("destroyed", ev.CardsMoved, _destroyed_on_field),
        Pattern(
            "destroyed-by-effect", ev.CardsMoved,
            lambda c: _destroyed_on_field(c) and _by_effect(c),
        ),
        Pattern(
            "destroyed-by-damage", ev.CardsMoved,
            lambda c: _destroyed_on_field(c) and _by_damage(c),
        ),
        Pattern(
            "destroys-shield", ev.CardsMoved,
            lambda c: _destroyed_from(c, "base", "shield") and _destroyer(c), _destroyer,
        ),
        Pattern(
            "destroys-unit", ev.CardsMoved,
            lambda c: _destroyed_from(c, "battle") and _destroyer(c), _destroyer, _breach,
        ),
        Pattern("paired", ev.CardsAttached, _paired),
        Pattern(
            "linked", ev.CardsAttached,
            lambda c: _paired(c) and figures.linked(c.t.pos, c.card),
        ),
    ),
)  # fmt: skip
