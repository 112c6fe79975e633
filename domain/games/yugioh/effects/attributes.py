"""Attributes of a card besides its figures in force: printed values, how and when it came.

How a monster was Summoned is noted on it where a text of its own asks for that (`arrived`), and if
it was Special Summoned in any case. The rest, and what a face-down card tells, is in `figures`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.effects.constant.calculator import LATE_LAYERS, counting, numbers, numeric
from domain.effects.select import Terms
from domain.engine.table import Table
from domain.games.yugioh.effects.figures import facts, on_field, print_of
from domain.games.yugioh.lists.card import Card
from domain.record.position import Position, zone_of

#: What a card has noted with the turn, for a text of its own that asks: it was destroyed on the
#: field and came here by that; it has destroyed a monster by battle.
NOTED = ("was-destroyed", "has-destroyed")
#: The races of what was Tributed for it.
GIVEN = "tribute-race"
#: The attributes of this module.
KEYS = frozenset(
    {
        "place", "passcode", "original-atk", "original-def", "original-race", "early-atk",
        "materials", "became", "fallen", "arrived", "targeted", "ordinary", "summoned", "attacking",
        "made-with", "special-summoned", "since", *NOTED, GIVEN,
    }
)  # fmt: skip
#: Whether it is known of a face-down card, too (ygo:base.face.1).
_ALWAYS = frozenset(
    {
        "place",
        "materials",
        "became",
        "fallen",
        "arrived",
        "targeted",
        "attacking",
        "special-summoned",
    }
)
#: How a monster was Summoned, if it was not Special Summoned (ygo:special.def.1).
_USUAL = frozenset({"", "normal", "tribute", "flip"})


def value(terms: Terms, p: Position, number: int, key: str) -> object:
    """One of these attributes of a card; None if it has none, or lies face down."""
    card = p.card(number)
    hidden = on_field(p, number) and not card.up
    if hidden and key not in _ALWAYS:
        return None
    match key:
        case "place":
            return zone_of(card.place)
        case "materials":
            return sum(p.card(one).role == "material" for one in card.attached)
        case "fallen":
            return card.departing == "battle" or _fell(p, number)
        case "arrived":
            return card.came == p.turn
        case "became":
            return p.mark(number, "became") == p.turn
        case "attacking":
            return p.attack is not None and p.attack.attacker == number
        case "was-destroyed" | "has-destroyed":
            return p.mark(number, key) == p.turn
        case "tribute-race":
            return tuple(str(p.mark(number, GIVEN) or "").split())
        case "targeted":
            return bool(p.mark(number, "targeted"))
        case "special-summoned":
            return card.token or str(p.mark(number, "method") or "").partition(":")[0] not in _USUAL
        case "since":
            return min((id_ for id_, m in p.modifiers.items() if m.source == number), default=None)
        case "summoned":
            method, _, turn = str(p.mark(number, "method") or "").partition(":")
            return method if turn == str(p.turn) else None
    return _printed(terms, p, number, key, facts(p, number))


def _fell(p: Position, number: int) -> bool:
    """Whether a card has left the field beaten by the battle that is going on."""
    fighting = (p.attack.attacker, p.attack.target) if p.attack is not None else ()
    left = (p.departed[ref] for ref in fighting if isinstance(ref, int) and ref in p.departed)
    return any(was.now == number and was.departing == "battle" for was in left)


def _printed(terms: Terms, p: Position, number: int, key: str, print_: Card) -> object:
    match key:
        case "passcode":
            return int(print_.id) if print_.id.isdigit() else None
        case "made-with":
            return tuple(_named(print_))
        case "original-race":
            return print_.race or None
        case "ordinary":
            return print_.type == "monster" and not print_.summoned_specially and not print_.token
        case _ if print_.type != "monster":
            return None
        case "original-atk":
            return print_.atk
        case "original-def":
            return print_.defence
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
