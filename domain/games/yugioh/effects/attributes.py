"""Attributes of a card besides its figures in force: printed values, how and when it came.

How a monster was Summoned is noted on it where a text of its own asks for that (`arrived`), and if
it was Special Summoned in any case. The rest, and what a face-down card tells, is in `figures`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from domain.effects.constant.calculator import LATE_LAYERS, counting, numbers, numeric
from domain.effects.select import Terms
from domain.engine.table import Table
from domain.games.yugioh.effects.figures import facts, on_field, print_of
from domain.games.yugioh.lists.card import Card
from domain.record.position import Card as Object
from domain.record.position import Position, zone_of

#: What a card has noted with the turn, for a text of its own that asks: it was destroyed on the
#: field and came here by that; it has destroyed a monster by battle.
NOTED = ("was-destroyed", "has-destroyed")
#: The races of what was Tributed for it.
GIVEN = "tribute-race"
EARLY = "early-atk"
#: What is asked of the position, a card's number, and the card as it lies.
Lies = Callable[[Position, int, Object], object]
#: How a monster was Summoned, if it was not Special Summoned (ygo:special.def.1).
_USUAL = frozenset({"", "normal", "tribute", "flip"})


def value(terms: Terms, p: Position, number: int, key: str) -> object:
    """One of these attributes (`KEYS`) of a card; None if it has none, or lies face down."""
    card = p.card(number)
    if key in _IN_SIGHT:
        return _IN_SIGHT[key](p, number, card)
    if on_field(p, number) and not card.up:
        return None
    if key in _FACE_UP:
        return _FACE_UP[key](p, number, card)
    print_ = facts(p, number)
    if key in _PRINTED:
        return _PRINTED[key](print_)
    if print_.type != "monster":
        return None
    return _early_atk(terms, p, number, print_) if key == EARLY else _OF_MONSTERS[key](print_)


def _fell(p: Position, number: int) -> bool:
    """Whether a card has left the field beaten by the battle that is going on."""
    fighting = (p.attack.attacker, p.attack.target) if p.attack is not None else ()
    left = (p.departed[ref] for ref in fighting if isinstance(ref, int) and ref in p.departed)
    return any(was.now == number and was.departing == "battle" for was in left)


def _method(p: Position, number: int) -> tuple[str, bool]:
    """How a monster was Summoned, as far as that is noted, and whether it was in this turn."""
    method, _, turn = str(p.mark(number, "method") or "").partition(":")
    return method, turn == str(p.turn)


def _summoned(p: Position, number: int, card: Object) -> str | None:
    """How a monster was Summoned in this turn."""
    method, lately = _method(p, number)
    return method if lately else None


def _since(p: Position, number: int, card: Object) -> int | None:
    """The oldest of the lasting effects that a card has in force."""
    return min((id_ for id_, m in p.modifiers.items() if m.source == number), default=None)


def _early_atk(terms: Terms, p: Position, number: int, print_: Card) -> int:
    """The ATK of a monster before what counts last."""
    if number not in p.cards:
        return print_.atk
    early = [one for one in counting(p) if one.change.op.rpartition(" ")[0] not in LATE_LAYERS]
    acting = [one.change for one in numeric(terms, p, number, {"atk"}, early)]
    return max(0, numbers({"atk": print_.atk}, acting, "up")["atk"])


def _named(print_: Card) -> Iterator[str]:
    """The names of cards that its Materials ask for."""
    for line in print_.materials:
        name = line.match.get("name", [])
        yield from name if isinstance(name, list) else (str(name),)


def _noted_now(key: str) -> Lies:
    return lambda p, number, card: p.mark(number, key) == p.turn


#: What can be asked of a face-down card, too (ygo:base.face.1).
_IN_SIGHT: Mapping[str, Lies] = {
    "place": lambda p, number, card: zone_of(card.place),
    "materials": lambda p, number, card: sum(p.card(n).role == "material" for n in card.attached),
    "fallen": lambda p, number, card: card.departing == "battle" or _fell(p, number),
    "arrived": lambda p, number, card: card.came == p.turn,
    "became": _noted_now("became"),
    "attacking": lambda p, number, card: p.attack is not None and p.attack.attacker == number,
    "targeted": lambda p, number, card: bool(p.mark(number, "targeted")),
    "special-summoned": lambda p, number, card: card.token or _method(p, number)[0] not in _USUAL,
}
#: What is noted of a card, and can be asked of no face-down one.
_FACE_UP: Mapping[str, Lies] = {
    **{key: _noted_now(key) for key in NOTED},
    GIVEN: lambda p, number, card: tuple(str(p.mark(number, GIVEN) or "").split()),
    "since": _since,
    "summoned": _summoned,
}
_PRINTED: Mapping[str, Callable[[Card], object]] = {
    "passcode": lambda print_: int(print_.id) if print_.id.isdigit() else None,
    "made-with": lambda print_: tuple(_named(print_)),
    "original-race": lambda print_: print_.race or None,
    "ordinary": lambda print_: (
        print_.type == "monster" and not print_.summoned_specially and not print_.token
    ),
}
_OF_MONSTERS: Mapping[str, Callable[[Card], object]] = {
    "original-atk": lambda print_: print_.atk,
    "original-def": lambda print_: print_.defence,
}
#: What is found here.
KEYS = frozenset({*_IN_SIGHT, *_FACE_UP, *_PRINTED, *_OF_MONSTERS, EARLY})


def arrived(t: Table, number: int, method: str, *cites: str) -> None:
    """Note how a monster was Summoned, or that it was flipped, if a text may ask for it."""
    noted = method not in _USUAL or t.pos.mark(number, "method")
    if noted or _asks(print_of(t.pos, number), "summoned"):
        t.mark(number, "method", f"{method}:{t.pos.turn}", *cites)


def targeted(t: Table, number: int, *cites: str) -> None:
    """Note that an effect that targets a monster has been carried out, if a text asks for it."""
    card = t.pos.cards.get(number)
    if card is not None and card.up and _asks(print_of(t.pos, number), "targeted"):
        t.mark(number, "targeted", True, *cites)


def noted(t: Table, number: int, key: str, *cites: str) -> None:
    """Note with the turn that something has befallen a card, if a text of its own asks for that."""
    if t.pos.present(number) and _asks(print_of(t.pos, number), key):
        t.mark(number, key, t.pos.turn, *cites)


def given(t: Table, number: int, tributes: Sequence[int], *cites: str) -> None:
    """Note the races of what was Tributed for a monster, if a text of its own asks for them."""
    p = t.pos
    if not _asks(print_of(p, number), GIVEN):
        return
    races = [p.card(n).stats.get("race") or facts(p, n).race for n in tributes]
    t.mark(number, GIVEN, " ".join(dict.fromkeys(map(str, races))), *cites)


def _asks(print_: Card, key: str) -> bool:
    return any(key in condition.this for effect in print_.effects for condition in effect.when)
