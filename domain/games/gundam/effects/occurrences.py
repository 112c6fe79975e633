"""The occurrences that card texts wait for, derived from the record (chapters 4, 7, 10, 11).

Breach, and a Burst that does not trigger, depend on the same patterns. The start and the end of a
turn stand in the table of its steps (`flow.turn`).
"""

from __future__ import annotations

from collections.abc import Callable

from domain.effects.constant.calculator import applies, operation
from domain.engine.table import Table
from domain.games.gundam.editions import settings
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.texts import TERMS, TRIGGERS, acting
from domain.games.kit.effects.occurrences import NO_CARD, Case, Note, Occurrences, Passage, Pattern
from domain.record import events as ev
from domain.record.position import Position, seat_of, zone_of

ON_FIELD = ("battle", "base")


def _enters_field(passage: Passage) -> bool:
    """A card is newly placed on the field (11-2-6-1), and not paired with another there."""
    return passage.dst in ON_FIELD and not passage.kept and passage.why != "pair"


def _destroyed_from(*zones: str) -> Callable[[Passage], bool]:
    """A Unit, a Base, a shield or a Resource is destroyed."""
    return lambda passage: passage.why == "destroyed" and passage.src in zones


#: Such as has texts for it is destroyed: a shield has none but its Burst.
_DESTROYED = _destroyed_from("battle", "base", "resource")


def _leaves(case: Case) -> bool:
    """A card leaves its zone; a Pilot only goes along with the Unit above it."""
    return not case.t.pos.card(case.card).role


def _by_effect(case: Case) -> list[str]:
    """The texts by which it occurs: they are cited then."""
    return [cite for cite in case.entry.cites if cite.startswith("card:")]


def _by_damage(case: Case) -> bool:
    return figures.damage(case.t.pos, case.card) > 0 and not _by_effect(case)


def _bursts(passage: Passage) -> bool:
    """A destroyed shield with a Burst lies face up (11-2-5-1)."""
    return _destroyed_from("shield")(passage) and passage.dst == "resolving"


def _to_trash(t: Table, note: Note) -> None:
    """9-1-6-2: the Burst of a destroyed shield has not triggered; it goes on."""
    p, number = t.pos, note.card
    card = p.cards[number]
    if card.place.startswith("resolving/") and not any(a.source == number for a in p.waiting()):
        t.move([number], f"trash/{card.owner}", "destroyed", "gcg:9-1-6-2", "gcg:4-10-3")


def _destroyer(case: Case) -> int:
    """The Unit whose battle damage destroyed this; 0 if none did."""
    return _damager(case, "battle")


def _damager(case: Case, *kinds: str) -> int:
    """The card whose damage destroyed this; 0 if none did, or it was damage of another kind."""
    damage = case.t.due.damage.get(case.card)
    if damage is None or _by_effect(case) or (kinds and damage.kind not in kinds):
        return 0
    return damage.source if isinstance(damage.source, int) else 0


def _enemy_damager(case: Case) -> int:
    """The same, of an enemy."""
    p, source = case.t.pos, _damager(case)
    return source if source and p.card(source).controller != p.card(case.card).controller else 0


def _user(case: Case) -> int:
    """The card whose effect does this, or has it done as its cost; 0: no effect does."""
    return acting(case.t) if case.t.running.using or _by_effect(case) else 0


def _damaged(*kinds: str) -> Callable[[Case], bool]:
    """A card receives damage of one of these kinds."""
    return lambda case: isinstance(case.event.to, int) and case.event.kind in kinds


def _attack(case: Case) -> tuple[int, int]:
    """The attacker and the Unit that has stepped in."""
    attack = case.t.pos.attack
    return (0 if attack is None else attack.attacker), case.card


def _paid_for(case: Case) -> int:
    """The card for whose effect resources are rested: looked at once for all of them."""
    first = case.card == case.event.cards[0] and case.event.orient == "rested"
    resources = zone_of(case.t.pos.cards[case.card].place) == "resource"
    return _user(case) if first and resources else 0


def _recovers(case: Case) -> bool:
    return isinstance(case.event.src, int) and not case.event.dst


def _loses_ap(case: Case) -> bool:
    change = case.event.change
    less = isinstance(change.value, int) and change.value < 0
    return change.key == "ap" and operation(change) == "add" and less


def _reached(p: Position, event: ev.ModifierBegan) -> list[int]:
    """The cards on which something begins to act."""
    modifier = p.modifiers[event.id]
    return [number for number in TERMS.workplaces(p) if applies(TERMS, p, modifier, number)]


def _carried_out(p: Position, event: ev.ActResolving) -> list[int]:
    """The card whose effect begins to be carried out, of a Command."""
    act = p.pending[event.id]
    return [act.source] if act.kind == "command" and isinstance(act.source, int) else []


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


_DAMAGED = {
    "damaged": ("battle", "effect"), "battle-damaged": ("battle",), "effect-damaged": ("effect",),
}  # fmt: skip
OCCURRENCES = Occurrences(
    TRIGGERS,
    lambda p: figures.stock(p).heard,
    (
        Pattern("attack", ev.AttackDeclared, against=lambda c: c.event.target),
        Pattern(
            "blocked", ev.AttackChanged, lambda c: c.event.why == "block",
            lambda c: _attack(c)[0], against=lambda c: c.card,
        ),
        Pattern(
            "blocks", ev.AttackChanged, lambda c: c.event.why == "block",
            against=lambda c: _attack(c)[0],
        ),
        Pattern("rested", ev.CardsTurned, lambda c: c.event.orient == "rested"),
        Pattern("readied", ev.CardsTurned, lambda c: c.event.orient == "active"),
        Pattern(
            "rested-by-effect", ev.CardsTurned,
            lambda c: c.event.orient == "rested" and _user(c), against=_user,
        ),
        Pattern(
            "readied-by-effect", ev.CardsTurned,
            lambda c: c.event.orient == "active" and _user(c), against=_user,
        ),
        Pattern(
            "pays", ev.CardsTurned, _paid_for, _paid_for, n=lambda c: len(c.event.cards),
        ),
        Pattern("deploy", ev.CardsMade, passes=lambda passage: passage.dst in ON_FIELD),
        Pattern("deploy", ev.CardsMoved, whom=lambda c: c.now, passes=_enters_field),
        Pattern(
            "returned", ev.CardsMoved, _leaves, against=_user,
            passes=lambda passage: passage.dst == "hand" and passage.src in ON_FIELD,
        ),
        Pattern("burst", ev.CardsMoved, _leaves, lambda c: c.now, _to_trash, passes=_bursts),
        Pattern("destroyed", ev.CardsMoved, _leaves, passes=_DESTROYED),
        Pattern(
            "destroyed-by-effect", ev.CardsMoved, lambda c: _leaves(c) and _by_effect(c),
            against=_user, passes=_DESTROYED,
        ),
        Pattern(
            "destroyed-by-damage", ev.CardsMoved, lambda c: _leaves(c) and _by_damage(c),
            against=_damager, passes=_DESTROYED,
        ),
        Pattern(
            "destroyed-by-battle", ev.CardsMoved, lambda c: _leaves(c) and _destroyer(c),
            against=_destroyer, passes=_DESTROYED,
        ),
        Pattern(
            "destroys", ev.CardsMoved, lambda c: _leaves(c) and _destroyer(c), _destroyer,
            against=lambda c: c.card, passes=_destroyed_from("battle", "base", "shield"),
        ),
        Pattern(
            "destroys-shield-by-damage", ev.CardsMoved,
            lambda c: _leaves(c) and _enemy_damager(c), _enemy_damager,
            against=lambda c: c.card, passes=_destroyed_from("base", "shield"),
        ),
        Pattern(
            "destroys-shield", ev.CardsMoved, lambda c: _leaves(c) and _destroyer(c), _destroyer,
            against=lambda c: c.card, passes=_destroyed_from("base", "shield"),
        ),
        Pattern(
            "destroys-unit", ev.CardsMoved, lambda c: _leaves(c) and _destroyer(c), _destroyer,
            _breach, against=lambda c: c.card, passes=_destroyed_from("battle"),
        ),
        Pattern(
            "carried-out", ev.CardsMoved, whom=lambda c: c.now,
            passes=lambda passage: passage.why == "command" and passage.dst == "trash",
        ),
        Pattern("paired", ev.CardsAttached, _paired, against=lambda c: c.event.cards[0]),
        Pattern(
            "linked", ev.CardsAttached,
            lambda c: _paired(c) and figures.linked(c.t.pos, c.card),
            against=lambda c: c.event.cards[0],
        ),
        Pattern(
            "supports", ev.ActDeclared, lambda c: c.event.kind == "support",
            against=lambda c: c.event.targets[0],
        ),
        Pattern("command-activated", ev.ActResolving),
        *(
            Pattern(
                word, ev.DamageDealt, _damaged(*kinds), lambda c: c.event.to,
                against=lambda c: c.card, n=lambda c: c.event.n,
            )
            for word, kinds in _DAMAGED.items()
        ),
        Pattern(
            "inflicts", ev.DamageDealt, _damaged("battle"),
            against=lambda c: c.event.to, n=lambda c: c.event.n,
        ),
        Pattern(
            "recovers", ev.CountersMoved, _recovers,
            lambda c: c.event.src, n=lambda c: c.event.n,
        ),
        Pattern("ap-lowered", ev.ModifierBegan, _loses_ap, against=lambda c: c.event.source),
        Pattern(
            "draws", ev.CardsMoved, _by_effect, lambda c: NO_CARD,
            player=lambda c: f"seat/{seat_of(c.event.dst)}",
            passes=lambda passage: passage.why == "draw",
        ),
        Pattern(
            "discards", ev.CardsMoved, _user, lambda c: NO_CARD, against=_user,
            player=lambda c: f"seat/{seat_of(c.event.src)}",
            passes=lambda passage: passage.why == "discard",
        ),
        Pattern(
            "ex-placed", ev.CardsMade, lambda c: c.event.token, lambda c: NO_CARD,
            player=lambda c: f"seat/{seat_of(c.event.place)}",
            passes=lambda passage: passage.dst == "resource",
        ),
        Pattern(
            "ex-exiled", ev.CardsRemoved,
            lambda c: zone_of(c.t.pos.card(c.card).place) == "resource", lambda c: NO_CARD,
            player=lambda c: f"seat/{c.t.pos.card(c.card).controller}",
        ),
    ),
    cards={ev.ModifierBegan: _reached, ev.ActResolving: _carried_out},
    remembered=lambda p: figures.stock(p).remembered if settings(p).remembers else {},
    rules=("gcg:9-2-1",),
)  # fmt: skip
