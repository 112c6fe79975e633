"""What cards the clauses of texts may be done to, instruction by instruction.

What a battle has fixed as destroyed can't be aimed at (ygo:battle.d8.2), nor destroyed again; but
it may leave in some other way. Whether other texts keep a card from effects is in `texts`, what may
be Special Summoned at all in `rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.effects.constant.calculator import barred
from domain.effects.instructions.cards import Turn
from domain.effects.language.vocabulary import Clause
from domain.effects.select import Running, Terms
from domain.engine.signals import unknown
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.field.zones import room
from domain.games.yugioh.effects.summons.makings import may_be_made
from domain.record.position import Position, seat_of, zone_of

#: Where nothing is destroyed any more.
_GONE = frozenset({"grave", "banished", "deck", "extra"})


def permitted(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    """Whether a clause may be done to a card."""
    aimed = clause.choose is not None or clause.do == "destroy"
    if aimed and p.card(number).departing:
        return False
    check = _CHECKS.get(clause.do)
    return check is None or check(terms, p, run, clause, number)


def _set_down(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    """Whether a card of the hand could be Set where Spells and Traps lie.

    It is laid down unseen: of one that nobody has named its player is trusted who picks it out.
    """
    place, seat = p.cards[number].place, run.seat
    if zone_of(place) != "hand":
        return False
    trusted = clause.choose is not None and seat_of(place) == seat and unknown(p, number)
    if trusted and room(p, "spell", seat) > 0:
        return True
    print_ = figures.facts(p, number)
    if print_.type == "monster":
        return False
    return figures.goes_to_field_zone(print_) or room(p, "spell", seat) > 0


def _deployed(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    """Monsters that were never properly summoned are not Special Summoned (`revival`)."""
    if terms.hides(p, number):
        return False
    monster, by = figures.monster_to_be(p, number), run.this
    return monster and not rules.unsummonable(terms, p, run.seat, by, number, clause)


def _made(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    """There must be what a monster is made with (ygo:fusion.choice.2, ygo:ritual.steps.1)."""
    if figures.on_field(p, number) and not p.cards[number].up:
        return False  # what that is made with would tell what it is
    if clause.do == "summon" and rules.no_summon(terms, p, run.seat, number, "special-summon"):
        return False
    return may_be_made(terms, p, run, clause, number)


def _destroyed(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    return zone_of(p.card(number).place) not in _GONE and not figures.overlaid(p, number)


def _detached(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    return any(p.cards[n].role == "material" for n in p.card(number).attached)


def _moved(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    """Cards come to the field in other ways: that is said of a declared text."""
    if clause.place == "banished":
        return not rules.unbanishable(terms, p, number, run.seat)
    return zone_of(terms.place(clause.place, 0)) not in figures.FIELD


def _controlled(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    return not barred(terms, p, number, "control")


def _face_down(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    card = p.card(number)
    return card.up and not card.token


def _positioned(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    """The position changes of monsters that lie face up (ygo:position.change.3)."""
    return p.card(number).up and figures.is_monster(p, number)


def _turned(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    sideways = isinstance(clause, Turn) and bool(clause.orient) and clause.up is None
    return not sideways or _positioned(terms, p, run, clause, number)


def _equipped(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    return bool(clause.key) or _positioned(terms, p, run, clause, number)


def _placed(terms: Terms, p: Position, run: Running, clause: Clause, number: int) -> bool:
    return p.card(number).up and figures.on_field(p, number)


#: By instruction; any other may be done to any card.
_CHECKS: Mapping[str, Callable[[Terms, Position, Running, Clause, int], bool]] = {
    "set-down": _set_down,
    "deploy": _deployed,
    "summon": _made,
    "send-materials": _made,
    "destroy": _destroyed,
    "detach": _detached,
    "move": _moved,
    "control": _controlled,
    "face-down": _face_down,
    "position": _positioned,
    "ready": _positioned,
    "rest": _positioned,
    "turn": _turned,
    "equip": _equipped,
    "place": _placed,
}
