"""The facts of a card, and the figures in force on it.

`facts` is what is printed on a card of the match (`stock`), `attribute` what a text may ask of it:
of a face-down monster nothing but that it is one (ygo:base.face.1). `figures` is what is derived of
face-up monsters: ATK, DEF, Level, from the print and the modifiers. Where cards lie is in
`field.places`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set

from domain.effects.constant.calculator import applies, counting, numbers, numeric
from domain.effects.language.vocabulary import Filter
from domain.effects.select import Terms, fits
from domain.engine.table import Table
from domain.games.kit.effects import texts
from domain.games.yugioh.lists.card import Card
from domain.games.yugioh.lists.cards import CATALOGUE
from domain.games.yugioh.lists.words import HARM, NAME, set_off_in_hand
from domain.games.yugioh.lists.words import SWITCHES as SWITCHES
from domain.games.yugioh.manifest import ATTACK, DEFENCE
from domain.record.position import Card as Object
from domain.record.position import Modifier, Position, zone_of
from domain.record.values import Value

#: The zones of the field (ygo:base.zone.1 to ygo:base.zone.3).
FIELD = ("monster", "spell", "field")
#: And those beside it from which cards may act.
ELSEWHERE = ("hand", "grave", "banished", "extra")
#: Those of them in which cards lie in the open.
OPEN = ("grave", "banished")
#: What stands in `Effect.zone` of a Material's text that its Xyz Monster has (ygo:golden.card.1).
BELOW = "material"
#: What stands in `Effect.at` of a text that says if, and not when (ygo:base.missed.1).
LATE = "late"
#: What stays face-up on the field once it has resolved (ygo:base.spell.3).
LASTING = frozenset({"continuous", "equip", "field"})
#: What a monster is that was equipped to another: an Equip Spell, without figures.
_EQUIPPED = {"type": "spell", "kind": ("equip",), "atk": None, "def": None, "level": None}
#: What notes that a Gemini monster was Summoned once more.
SUMMONED_TWICE = "again"
#: The mark of a card whose activation was negated.
UNDONE = "unactivated"
#: What notes that a card came back from where it had gone for a time.
BACK = "back"


#: What is derived of face-up monsters; the other figures of texts are asked for when they matter.
DERIVED = frozenset({"atk", "def", "level", "attacks", NAME, *SWITCHES})
UNDERIVED = frozenset({HARM, "hand-limit", "tributes"})


class Stock(texts.Stock[Card]):
    """The cards that a match knows."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        super().__init__(cards, Card(id="", name="?", type="spell", kind=("normal",)))
        effects = self.by_name.values()
        #: what some text answers that is activated for it: of what cards, and whether it may do so
        #: in the Damage Step
        self.answered: dict[str, list[tuple[Filter, bool]]] = {}
        #: those of it that a fast effect answers
        self.fast: set[str] = set()
        for one in effects:
            if one.kind in ("activated", "command"):
                of = one.about.match if one.about is not None else {}
                self.answered.setdefault(one.on, []).append((of, "damage" in one.at))
                if not set_off_in_hand(one):
                    self.fast.add(one.on)
        #: the texts that are set off in a hand
        self.in_hand = tuple(
            (f"{name}/{one.name}", one)
            for name, card in cards.items() for one in card.effects if set_off_in_hand(one)
        )  # fmt: skip
        #: what some such text answers though something else has happened since
        self.patient = frozenset(one.on for one in effects if LATE in one.at)
        #: what some text waits for where its card lies in the open, but not on the field
        self.heard_elsewhere = frozenset(one.on for one in effects if one.zone in OPEN)
        #: what is noted of players because some text asks how often
        amounts = [one.amount for effect in effects for one in effect.when if one.amount]
        self.noted = frozenset(one.noted for one in amounts)
        activated = {
            name: {one.zone for one in card.effects if one.kind == "activated"}
            for name, card in cards.items()
        }
        #: by zone, those that can be activated there, or may have a text that can
        self.active = {
            zone: frozenset(
                name for name, card in cards.items() if _active(card, zone, activated[name])
            )
            for zone in (*FIELD, *ELSEWHERE)
        }
        #: those of them that may be of Spell Speed 2 or more
        self.quick = {
            zone: frozenset(name for name in active if _quick(cards[name]))
            for zone, active in self.active.items()
        }
        #: those with a text that belongs to the monster above them
        self.under = frozenset(
            name for name, card in cards.items() if any(one.zone == BELOW for one in card.effects)
        )
        #: those with a text that either player may activate
        self.shared = frozenset(
            name for name, card in cards.items() if any(one.by == "any" for one in card.effects)
        )
        #: those with a condition by which they are Special Summoned
        self.conditioned = frozenset(
            name
            for name, card in cards.items()
            if any("condition" in one.at for one in card.effects)
        )
        #: those that are Normal Monsters until they are Summoned once more
        self.gemini = frozenset(name for name, card in cards.items() if "gemini" in card.kind)
        #: what Traps are that are monsters now
        self.became = {
            name: card.became() for name, card in cards.items() if card.monster is not None
        }


def _active(card: Card, zone: str, texts_at: Set[str]) -> bool:
    """Whether a card can be activated in a zone, or may have a text that can."""
    if zone in FIELD:
        return card.type != "monster" or bool(texts_at)
    return zone in texts_at or (zone == "hand" and card.type == "spell")


def _quick(card: Card) -> bool:
    """Whether what is printed on a card may be of Spell Speed 2 or more."""
    if card.type == "monster":
        return any("quick" in one.at for one in card.effects)
    return card.type == "trap" or "quick-play" in card.kind


stock = texts.Stocks(CATALOGUE, Stock)


def facts(p: Position, number: int) -> Card:
    """The printed facts of a card; raises `NameRequired` if nobody has named it."""
    return print_of(p, number) if p.card(number).defined else stock.facts(p, number)


def print_of(p: Position, number: int) -> Card:
    """The printed values of a card; nearly empty for one that nobody has named.

    Of a Trap that was Summoned as a monster, what it is by that (`trap_monsters`).
    """
    card, known = p.card(number), stock(p)
    found = known.became if card.defined else known.cards
    return found.get(card.id, known.unknown)


def trap_monster(p: Position, number: int) -> bool:
    """Whether a card is a Trap that was Summoned as a monster, and is still a Trap as well."""
    if not p.card(number).defined:
        return False
    figures = print_of(p, number).monster
    return figures is not None and figures.still


def underway(p: Position) -> tuple[str, ...]:
    """The step that it is, and those that it leads back to."""
    back = (frame.facts.get("back") for frame in p.frames)
    return (p.step, *(step for step in back if isinstance(step, str)))


def base(p: Position) -> str:
    """The present step of the turn, under anything that came in between."""
    for frame in p.frames:
        back = frame.facts.get("back")
        if isinstance(back, str):
            return back
    return p.step


def phase(p: Position) -> str:
    """The phase that is going on: `main1`, `battle`."""
    step = base(p).partition("/")[0]
    return "battle" if step == "damage" else step


def in_damage_step(p: Position) -> bool:
    """Whether the Damage Step is going on, or a chain in it."""
    return any(step.startswith("damage/") for step in underway(p))


def dormant(p: Position, number: int) -> bool:
    """Whether a card is a Gemini monster where it counts as a Normal Monster.

    That it does is no effect of its own, so that nothing negates it (ygo:effect.rule.2). Summoned
    once more on the field, it works as an Effect Monster (`awake`) until it leaves or is turned
    face down.
    """
    card = p.card(number)
    if card.id not in stock(p).gemini or zone_of(card.place) not in ("monster", "limbo", "grave"):
        return False
    return not card.marks.get(SUMMONED_TWICE)


def can_be_summoned_twice(p: Position, seat: int, number: int) -> bool:
    """Whether a card is a Gemini monster on a player's field that may be Summoned once more."""
    lying = number in p.zone("monster", seat) and p.cards[number].up
    return lying and dormant(p, number)


def awake(t: Table, number: int, *cites: str) -> None:
    """It was Summoned once more, and is an Effect Monster now."""
    t.mark(number, SUMMONED_TWICE, True, *cites)
    t.mark(number, "became", t.pos.turn, "ygo:position.change.2")


# -- where cards lie -------------------------------------------------------------------------------


def monsters(p: Position, seat: int) -> list[int]:
    """A player's monsters on the field, whichever way they lie."""
    return [n for n in p.zone("monster", seat) if not p.cards[n].departing]


def in_attack(p: Position, number: int) -> bool:
    """Whether a monster lies in face-up Attack Position."""
    card = p.cards[number]
    return card.up and card.orient == ATTACK


def matches(terms: Terms, p: Position, number: int, wanted: Filter) -> bool:
    """Whether a card matches a filter by what is printed on it, wherever it lies by now."""
    with TurnedUp(p, number):
        return fits(terms, p, number, wanted)


def reaches(terms: Terms, p: Position, modifier: Modifier, number: int) -> bool:
    """Whether a lasting effect reaches a card as though it lay face up."""
    with TurnedUp(p, number):
        return applies(terms, p, modifier, number)


class TurnedUp:
    """As though a card lay face up; a class, since a generator costs more than what is asked."""

    __slots__ = ("card", "was")

    def __init__(self, p: Position, number: int) -> None:
        self.card = p.card(number)

    def __enter__(self) -> None:
        self.was, self.card.up = self.card.up, True

    def __exit__(self, *how: object) -> None:
        self.card.up = self.was


def monster_to_be(p: Position, number: int) -> bool:
    """Whether a card can be Special Summoned as a monster: a Trap on the field may say so."""
    print_ = facts(p, number)
    trap = print_.monster is not None and zone_of(p.cards[number].place) == "spell"
    return print_.type == "monster" or trap


def came(p: Position, number: int) -> bool:
    """Whether a card came to where it lies in this turn, or became what it is there.

    One that came back from banishment was neither Summoned nor Set (ygo:position.change.2).
    """
    arrived = p.cards[number].came if not p.mark(number, BACK) else 0
    return p.turn in (arrived, p.mark(number, "became"))


def on_field(p: Position, number: int) -> bool:
    """Whether a card lies in a zone of the field; an Xyz Material does not (ygo:xyz.def.4)."""
    return p.present(number) and was_on_field(p, number)


def was_on_field(p: Position, number: int) -> bool:
    """Whether a card lies on the field, or did when it left where it lay.

    One whose activation was negated never was (reading:ygo/A35).
    """
    if p.card(number).marks.get(UNDONE):
        return False
    return not overlaid(p, number) and zone_of(p.card(number).place) in FIELD


def overlaid(p: Position, number: int) -> bool:
    """Whether a card lies below an Xyz Monster, or did when it left where it lay."""
    card = p.card(number)
    return bool(card.host if p.present(number) else card.role)


def equipped(p: Position, number: int) -> bool:
    """Whether a card is a monster that lies among the Spells: an Equip Card, by an effect."""
    card = p.card(number)
    return zone_of(card.place) == "spell" and print_of(p, number).type == "monster"


def is_monster(p: Position, number: int) -> bool:
    """Whether a card is a monster on the field."""
    return on_field(p, number) and zone_of(p.cards[number].place) == "monster"


def used_up(card: Card) -> bool:
    """Whether a Spell or Trap goes to the Graveyard after use (ygo:chain.resolve.2)."""
    return card.type != "monster" and not LASTING & {*card.kind}


def goes_to_field_zone(print_: Card) -> bool:
    """Whether it is a Field Spell."""
    return print_.type == "spell" and "field" in print_.kind


# -- what texts may ask ----------------------------------------------------------------------------


#: What everybody sees of a card, whichever it is: that can be asked of one that lies face down.
LYING: Mapping[str, Callable[[Object], object]] = {
    "orient": lambda card: card.orient,
    "up": lambda card: card.up,
    "token": lambda card: card.token,
    "revivable": lambda card: bool(card.marks.get("revivable")),
    "role": lambda card: card.role or None,
}


def attribute(p: Position, number: int, key: str) -> object:
    """A card's attribute for a filter of a text; None if it has none, or lies face down."""
    card = p.card(number)
    if key in LYING:
        return LYING[key](card)
    place = zone_of(card.place)
    if key == "type" and overlaid(p, number):
        return None  # no monster (ygo:xyz.def.4)
    if place in FIELD and not card.up and number in p.cards:
        return "monster" if key == "type" and place == "monster" else None
    print_ = facts(p, number)
    if place == "spell" and print_.type == "monster" and key in _EQUIPPED:
        return _EQUIPPED[key]
    match key:
        case "type":
            if trap_monster(p, number):
                return ("monster", "trap")
            return "monster" if place == "monster" else print_.type
        case "kind":
            return _kinds(p, number, print_)
        case "name" | "name-has":
            return card.stats.get("name") or print_.called()
        case "atk" | "def" | "level":
            unset = key in print_.unset and not on_field(p, number)  # reading:ygo/A41
            return card.stats.get(key) if unset else card.stats.get(key, _printed(print_, key))
        case "tuner":
            return "tuner" in print_.kind
        case "special":
            return print_.summoned_specially
    return card.stats.get(key, getattr(print_, key, None))


def _kinds(p: Position, number: int, print_: Card) -> tuple[str, ...]:
    if not dormant(p, number):
        return print_.kind
    return tuple("normal" if kind == "effect" else kind for kind in print_.kind)


def _printed(print_: Card, key: str) -> int | None:
    """A printed figure; a monster without a Level has none (ygo:base.rank.1)."""
    if print_.type != "monster":
        return None
    figure = {"atk": print_.atk, "def": print_.defence, "level": print_.level}[key]
    return figure if key != "level" or figure else None


# -- figures in force ------------------------------------------------------------------------------


def figures(terms: Terms, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
    """All derived figures of the monsters that lie face up on the field, and of no others."""
    among = counting(p)
    for seat in (0, 1):
        for number in p.zones.get(f"monster/{seat}", ()):
            card = p.cards[number]
            if card.up:
                yield number, in_force(terms, p, number, among)
            elif card.stats:
                yield number, {}


def printed(p: Position, number: int) -> dict[str, int]:
    """The printed figures of a monster that effects change."""
    print_ = print_of(p, number)
    sums = {"atk": print_.atk, "def": print_.defence}
    return sums | {"level": print_.level} if print_.level else sums


def in_force(terms: Terms, p: Position, number: int, among: list[Modifier]) -> Mapping[str, Value]:
    """The figures of one face-up monster; none is below 0."""
    sums = printed(p, number)
    acting = [
        one
        for one in (numeric(terms, p, number, among=among) if among else ())
        if one.change.key in DERIVED and one.change.value not in UNDERIVED
    ]
    if not acting:
        return sums
    if any(one.change.key == "attacks" for one in acting):
        sums["attacks"] = 1
    sums = numbers(sums, [one.change for one in acting if one.change.key != NAME], "up")
    changed: dict[str, Value] = {
        key: max(0, int(n)) for key, n in sums.items() if key not in SWITCHES
    }
    names = [one.change.value for one in acting if one.change.key == NAME]
    return (
        changed
        | ({NAME: names[-1]} if names else {})
        | {key: True for key in SWITCHES if sums.get(key)}
    )


def atk(p: Position, number: int) -> int:
    """A monster's ATK."""
    return p.cards[number].stat("atk")


def worth(p: Position, number: int) -> int:
    """The value of an attacked monster: its ATK, or in Defence Position its DEF."""
    defends = p.cards[number].orient == DEFENCE
    return p.cards[number].stat("def" if defends else "atk")
