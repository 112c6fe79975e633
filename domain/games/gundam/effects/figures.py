"""Chapter 2: what a card is, and the numbers in force on it.

`ASKED` is what a text may ask of a card beside figures; `figures` derives AP, HP, Lv, keywords and
whether a Unit is a Link Unit, from the print, its Pilot and the modifiers. Prints are those of the
match (`stock`), which may bring cards of its own. How printed facts are stored is in `cards`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from msgspec.json import encode
from msgspec.structs import replace

from domain.effects.constant.calculator import applies, barred, counting, factor, operation
from domain.effects.language.asked import attributes_of
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Terms, contains, passes
from domain.games.gundam.editions import settings
from domain.games.gundam.lists.cards import (
    AMOUNTS,
    CATALOGUE,
    ELSEWHERE,
    LENT,
    PLAYED_FROM,
    SWITCHES,
    TRAIT,
    Card,
)
from domain.games.kit.effects import texts
from domain.games.kit.effects.texts import Asked, Named
from domain.record.position import Modifier, Position, seat_of, zone_of
from domain.record.values import Fact, Value

#: The mark of a Command that was played with an EX Resource, where texts ask.
EX_PAID = "ex-paid"


def _works_in(zone: str, effect: Effect) -> bool:
    return effect.zone == zone


class Stock(texts.Stock[Card]):
    """The cards that a match knows, and what is worked out from their prints."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        super().__init__(cards, Card(id="", name="?", type="resource"))
        self.with_pilot = lru_cache(maxsize=4096)(self._with_pilot)
        self.at_work = lru_cache(maxsize=4096)(self._at_work)
        self.apart = self._with(lambda effect: effect.own or bool(effect.zone))
        #: of these those with texts of their own as Pilots, and those with texts at work elsewhere
        self.owning = self._with(lambda effect: effect.own)
        self.elsewhere = {
            zone: names for zone in ELSEWHERE if (names := self._with(partial(_works_in, zone)))
        }
        #: the cards whose own texts change their Lv or cost where they are played from
        self.priced = self._with(
            lambda effect: effect.kind in ("constant", "play") and effect.zone in PLAYED_FROM
        )
        #: the texts that ask whether a card was played with an EX Resource
        self.asks_payment = frozenset(
            ref for ref, effect in self.by_name.items() if EX_PAID.encode() in encode(effect)
        )
        self.unmodified = lru_cache(maxsize=4096)(self._unmodified)

    def _with(self, test: Callable[[Effect], bool]) -> frozenset[str]:
        """The cards with a text that passes a test."""
        cards = self.cards.items()
        return frozenset(name for name, card in cards if any(map(test, card.effects)))

    def _with_pilot(self, card: str, pilot: str) -> tuple[Named, ...]:
        """A Unit's own, and all that its Pilot lends it: not Burst, not command effects."""
        return self.effects(card) + tuple(
            (ref, effect)
            for ref, effect in self.effects(pilot)
            if effect.on != "burst" and effect.kind != "command"
        )

    def _at_work(self, card: str, pilot: str, role: str, zone: str) -> tuple[Named, ...]:
        """Those that work where a card lies, and what its Pilot lends it (1.9: 3-3-9).

        Texts that are a Pilot's own, or name a place, are not lent.
        """
        there = self.working(card, zone if zone in ELSEWHERE else "")
        return (
            *(
                one
                for one in there
                if (not role or one[1].own) and not (one[1].kind == "constant" and one[1].zone)
            ),
            *(
                (ref, effect)
                for ref, effect in self.with_pilot("", pilot)
                if not (effect.own or effect.zone)
            ),
        )

    def _unmodified(self, card: str, pilot: str, part: bool) -> dict[str, int]:
        """A card's print with that of its Pilot (2-6-3, 2-7-3), and whether the two link."""
        print_ = self.cards.get(card, self.unknown)
        below = self.cards.get(pilot, self.unknown)
        sums: dict[str, int] = {
            "ap": print_.ap, "hp": print_.hp, "lv": print_.lv, **print_.keywords
        }  # fmt: skip
        sums["ap"] += below.ap
        sums["hp"] += below.hp
        if self.links(card, pilot, part):
            sums["linked"] = True
        return sums

    def links(self, unit: str, pilot: str, part: bool) -> bool:
        """Whether a Pilot meets a Unit's link condition (2-11-3); by `part` of a name."""
        rider = self.cards.get(pilot)
        if rider is None:
            return False
        return any(
            all(
                (contains if key.endswith("-has") or (part and key == "name") else passes)(
                    printed(rider, key, "pilot"), test
                )
                for key, test in condition.items()
            )
            for condition in self.cards.get(unit, self.unknown).links
        )


#: Where a player's texts are at work: Units and Bases on the field (9-1-2; Bases by 2-10-3).
PLACES = (("battle/0", "base/0"), ("battle/1", "base/1"))

stock = texts.Stocks(CATALOGUE, Stock)


def facts(p: Position, number: int) -> Card:
    """What is printed on a card, or what it counts as: a Unit with other figures.

    Raises `NameRequired` if nobody has named it.
    """
    print_ = stock.facts(p, number)
    defined = (p.cards.get(number) or p.departed[number]).defined
    if not defined:
        return print_
    ap, hp = (int(defined.get(key) or 0) for key in ("ap", "hp"))
    return replace(print_, type="unit", pilot=None, ap=ap, hp=hp)


def pilot_of(p: Position, unit: int) -> int:
    """The Pilot under a Unit, 0 if there is none (6-5-2-3-3: at most one)."""
    attached = p.card(unit).attached
    return attached[0] if attached else 0


def damage(p: Position, number: int) -> int:
    """Damage counters on a card (4-5-1-1)."""
    return p.card(number).counters.get("damage", 0)


def remaining(p: Position, number: int) -> int:
    """The rest of a card's HP (4-5-1)."""
    card = p.card(number)
    return card.stat("hp", facts(p, number).hp) - card.counters.get("damage", 0)


def _unless_token(key: str) -> Asked:
    """A figure that tokens have not: it reads as 0 of them (2-8-3, 2-9-3)."""
    return lambda p, number, card, print_: 0 if card.token else card.stat(key, getattr(print_, key))


def _of_print(key: str) -> Asked:
    return lambda p, number, card, print_: printed(print_, key, card.role)


def shield_area(p: Position, seat: int) -> int:
    """The target of damage to a Shield Area: the Base, else the top shield (11-1-2-3); 0: none."""
    for zone in ("base", "shield"):
        cards = p.zone(zone, seat)
        if cards:
            return cards[-1]
    return 0


#: The frame of a battle that a text has begun (`battle`).
BATTLE = "battle"


def battling(p: Position) -> tuple[Fact, ...]:
    """The attacker and the present target, of a text's battle or of the attack (1.9: 5-22-1).

    In an attack on a player that is his Base, or else his top shield.
    """
    for frame in reversed(p.frames):
        if frame.kind == BATTLE:
            return frame.facts["attacker"], frame.facts["target"]
    if p.attack is None:
        return ()
    target = p.attack.target
    return p.attack.attacker, target if isinstance(target, int) else shield_area(p, seat_of(target))


def _keyword(key: str) -> Asked:
    """A keyword in force, or printed where none is derived; of a match of 1.0, in force alone."""
    return lambda p, number, card, print_: (
        print_.keywords.get(key)
        if not card.stats and settings(p).keywords_anywhere
        else card.stats.get(key)
    )


def _of_pilot(key: str) -> Asked:
    """What a Unit's Pilot is; None of one without."""
    return lambda p, number, card, print_: (
        printed(facts(p, card.attached[0]), key, "pilot") if card.attached else None
    )


def _came_from(p: Position, number: int) -> str:
    """The zone that a card came from in this turn, "" if it did not."""
    return next((zone_of(was.place) for was in p.departed.values() if was.now == number), "")


def _ex_paid(p: Position, number: int) -> bool:
    """Whether an EX Resource was used to play a card: this one, or what it was when it was."""
    was = next((old for old, card in p.departed.items() if card.now == number), 0)
    return bool(p.mark(number, EX_PAID) or (was and p.mark(was, EX_PAID)))


def _went_to(p: Position, number: int) -> str:
    """The zone that a card has left for in this turn, "" if it is there."""
    gone = p.departed.get(number)
    now = gone.now if gone is not None else 0
    return zone_of(p.card(now).place) if now in p.cards or now in p.departed else ""


#: What a text may ask of a card that is no figure in force and not printed under that name.
ASKED: Mapping[str, Asked] = {
    **{key: _unless_token(key) for key in ("lv", "cost")},
    **{key: _of_print(key) for key in ("name", "name-has")},
    "type": lambda p, number, card, print_: (
        "pilot"
        if card.role == "pilot" and not settings(p).pilots_are_commands
        else printed(print_, "type", card.role)
    ),
    "hp": lambda p, number, card, print_: remaining(p, number),
    "paired": lambda p, number, card, print_: bool(card.attached),
    "attacking": lambda p, number, card, print_: (
        number in battling(p)[:1] or (p.attack is not None and p.attack.attacker == number)
    ),
    "damaged": lambda p, number, card, print_: damage(p, number) > 0,
    "from": lambda p, number, card, print_: _came_from(p, number),
    "host-lv": lambda p, number, card, print_: (
        p.cards[card.host].stat("lv", facts(p, card.host).lv) if card.host else None
    ),
    EX_PAID: lambda p, number, card, print_: _ex_paid(p, number),
    "to": lambda p, number, card, print_: _went_to(p, number),
    **{f"pilot-{key}": _of_pilot(key) for key in ("trait", "lv", "color")},
    **{key: _keyword(key) for key in (*AMOUNTS, *SWITCHES)},
    "keyword": lambda p, number, card, print_: any(
        _keyword(key)(p, number, card, print_) for key in (*AMOUNTS, *SWITCHES)
    ),
    "battling": lambda p, number, card, print_: number in battling(p),
}


def traits(terms: Terms, p: Position, number: int, print_: Card) -> tuple[str, ...]:
    """The traits of a card, those that it gains included; of one that left: had gained last."""
    if number not in p.cards:
        gained = str(p.departed[number].stats.get(TRAIT) or "").split(_PLUS)
        return (*print_.traits, *filter(None, gained))
    return (*print_.traits, *_gained(terms, p, number)) if p.modifiers else print_.traits


def _gained(terms: Terms, p: Position, number: int) -> list[str]:
    """The traits that texts give to a card; what hangs on traits itself gives none."""
    found: list[str] = []
    for one in p.modifiers.values():
        if one.change.key != TRAIT or (one.scope and TRAIT in attributes_of(one.scope)):
            continue
        if applies(terms, p, one, number):
            found = [*found, str(one.change.value)] if one.change.op != "lose" else []
    return list(dict.fromkeys(found))


def printed(print_: Card, key: str, role: str) -> object:
    """An attribute that nothing in play changes, of a card in a role."""
    match key:
        case "type":
            # 2-3-5-4-1-1: a Command stacked as Pilot is meant by "Pilot" too
            return (print_.type, "pilot") if role == "pilot" else print_.type
        case "name" | "name-has":
            return print_.called(role)
        case "trait":
            return print_.traits
        case _:
            return getattr(print_, key, None)


def text_effects(p: Position, number: int) -> Sequence[Named]:
    """The effects of a card, each with its name: its Pilot's included (2-3-4-4), and lent ones."""
    given = () if not p.modifiers and number in p.cards else lent(p, number)
    return (*_stated(p, number), *given) if given else _stated(p, number)


def lent(p: Position, number: int) -> tuple[Named, ...]:
    """The effects that texts give to a card for a time (4-16-1); of one that left: gave last."""
    if number in p.cards:
        names = _given(p, number)
    else:
        names = [*filter(None, str(p.departed[number].stats.get(LENT) or "").split(_PLUS))]
    if not names:
        return ()
    texts_of = stock(p).by_name
    return tuple((name, texts_of[name]) for name in names)


def _given(p: Position, number: int) -> list[str]:
    """The names of the texts given to a card on the field."""
    place = p.cards[number].place
    return [
        str(one.change.value)
        for one in p.modifiers.values()
        if one.change.op == "lend" and (number in one.targets or place in one.targets)
    ]


def waiting(p: Position, on: str) -> Container[str] | None:
    """The cards with a text for this; None where texts are lent, which any card may have then.

    Most cards have none: so nearly always nothing more is asked of them.
    """
    if p.modifiers and any(one.change.op == "lend" for one in p.modifiers.values()):
        return None
    return stock(p).waiting.get(on, ())


#: What stands between the names of texts that a card was given.
_PLUS = " + "


def _stated(p: Position, number: int) -> Sequence[Named]:
    """Those that are printed on a card, or on its Pilot."""
    card, known = p.cards.get(number) or p.departed[number], stock(p)
    if known.apart and settings(p).pilots_keep_texts:
        pilot = p.card(card.attached[0]).id if card.attached else ""
        return known.at_work(card.id, pilot, card.role, zone_of(card.place))
    if not card.attached:
        return known.effects(card.id)
    return known.with_pilot(card.id, p.card(card.attached[0]).id)


def apart(p: Position, seat: int) -> Sequence[int]:
    """A player's Pilots and cards of other places with texts at work there (1.9: 3-3-9)."""
    if not settings(p).pilots_keep_texts:
        return ()
    known, cards, found = stock(p), p.cards, list[int]()
    if known.owning:
        pilots = [n for unit in p.zone("battle", seat) for n in cards[unit].attached]
        found += [n for n in pilots if cards[n].id in known.owning]
    for zone, names in known.elsewhere.items():  # mostly nobody has any of them
        found += [n for n in p.zone(zone, seat) if cards[n].id in names]
    return [n for n in found if text_effects(p, n)]


def printed_effects(p: Position, card: str) -> Sequence[Named]:
    """The effects printed on a card of the match, each with its name."""
    return stock(p).effects(card)


def own_effects(p: Position, number: int) -> Sequence[Named]:
    """The effects printed on a card that lies anywhere, without those of a Pilot."""
    return stock(p).effects(p.card(number).id)


# -- numbers in force ------------------------------------------------------------------------------


def figures(terms: Terms, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
    """All derived numbers of the cards on the field.

    Print, Pilot and modifiers together (9-1-5-5), and the keywords in force. What is added up may
    be below zero, and reads as 0 then (1-3-6).
    """
    known, cards, among = stock(p), p.cards, counting(p)
    part, further = settings(p).links_by_part, further_done(p)
    for place in (*PLACES[0], *PLACES[1]):
        for number in p.zones.get(place, ()):
            card = cards[number]
            pilot = cards[card.attached[0]].id if card.attached else ""
            sums = known.unmodified(card.id, pilot, part)
            if card.defined:
                sums = _as_defined(p, number, sums)
            if further:
                yield number, _and_words(terms, p, number, sums, among, further)
                continue
            # 11-1-1-4 and its like; 11-1-4-2, 11-1-5-4, 11-1-6-2
            acting = among and texts.in_force(terms, p, number, sums, _ALWAYS, among)
            yield number, acting or sums


#: What texts do to numbers, or give to cards, beside changing the numbers of all alike.
_FURTHER = frozenset({"lend", TRAIT, "ap-lowered"})


def further_done(p: Position) -> frozenset[str]:
    """Which of these some text does now."""
    if not p.modifiers:
        return frozenset()
    words = (word for one in p.modifiers.values() for word in (one.change.op, one.change.key))
    return _FURTHER.intersection(words)


def _as_defined(p: Position, number: int, sums: Mapping[str, int]) -> dict[str, int]:
    """Numbers of a card that counts as a Unit with other figures."""
    print_, counts = stock.facts(p, number), facts(p, number)
    return {
        **sums,
        "ap": sums["ap"] - print_.ap + counts.ap,
        "hp": sums["hp"] - print_.hp + counts.hp,
    }


def _and_words(
    terms: Terms,
    p: Position,
    number: int,
    sums: Mapping[str, int],
    among: Sequence[Modifier],
    further: frozenset[str],
) -> Mapping[str, Value]:
    """Numbers, less what a text keeps from acting on them, with what a card is given by name."""
    able = [one for one in among if one.change.key != TRAIT]
    if "ap-lowered" in further:
        able = [one for one in able if not _kept_up(terms, p, number, one)]
    acting = texts.in_force(terms, p, number, sums, _ALWAYS, able) if able else sums
    words = {
        LENT: _PLUS.join(_given(p, number)) if "lend" in further else "",
        TRAIT: _PLUS.join(_gained(terms, p, number)) if TRAIT in further else "",
    }
    return {**acting, **{key: word for key, word in words.items() if word}}


_ALWAYS = ("ap", "hp", "lv")


def _kept_up(terms: Terms, p: Position, number: int, one: Modifier) -> bool:
    """Whether a text keeps a card's AP from being lowered by this, now (reading:gcg@1.9/42)."""
    change = one.change
    match operation(change):
        case "add":
            lowers = isinstance(change.value, int) and change.value < 0
        case "multiply":
            lowers = factor(change.value) < 1
        case _:
            lowers = False
    by = one.source if isinstance(one.source, int) else 0
    return change.key == "ap" and lowers and barred(terms, p, number, "ap-lowered", by)


def linked(p: Position, unit: int) -> bool:
    """Whether a Unit is a Link Unit (2-11-3)."""
    pilot = pilot_of(p, unit)
    part = settings(p).links_by_part
    return bool(pilot) and stock(p).links(p.card(unit).id, p.card(pilot).id, part)
