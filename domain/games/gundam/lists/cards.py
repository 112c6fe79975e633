"""The cards of this game as data: their figures, their effects, the starter decks.

Cards are written in `cards/*.toml`, one file a set, and decks in `decks.toml`; how an effect is
written is in domain/effects/VOCABULARY.md, and `WORDS` are the words that this game adds. All
faults are found here, when data is loaded (a scenario's own cards too), so that the interpreter may
trust what it is given. What the words *do* is the rulebook's and the
interpreter's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib.resources import files
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from domain.effects.catalogue import Catalogue
from domain.effects.instructions import cards, lasting
from domain.effects.instructions.ways import COMMON, EachPlayer
from domain.effects.language.asked import attributes_of, filter_faults, keyword_faults
from domain.effects.language.instruction import Instruction, Lies, Numbered, taken_up
from domain.effects.language.vocabulary import (
    Choose,
    Clause,
    Effect,
    Filter,
    Group,
    Of,
    Phrases,
    every,
)
from domain.effects.language.words import COSTS as IN_ALL_GAMES
from domain.effects.language.words import Takes, Words
from domain.effects.select import Running, place_meant
from domain.games.gundam.lists.playing import PLAYING
from domain.games.gundam.manifest import MANIFEST
from domain.games.kit.lists.cards import declarable, declarations, text_faults
from domain.record.values import NEXT, Change
from domain.words.phrases import Phrase, labelled, phrase

Keywords = Mapping[str, int | bool]

#: Keywords with a number, which add up (gcg:11-1-1, 11-1-2, 11-1-3), and those without one.
AMOUNTS = frozenset({"repair", "breach", "support"})
SWITCHES = frozenset({"blocker", "first-strike", "high-maneuver", "suppression"})

#: What a card gains and loses as it does keywords: a trait.
TRAIT = "trait"
#: And all keywords of another card, which are not lost so.
KEYWORDS = "keywords"
#: The kinds of damage that a text may lower, or have dealt to another card.
DAMAGES = frozenset({"damage", "battle-damage", "effect-damage"})
#: The acts of the first edition that a text can forbid or allow.
_FIRST_ACTS = frozenset(
    {
        "attack", "attack-player", "attack-target", "block", "activate", "damage", "battle-damage",
    }
)  # fmt: skip
_KINDS = frozenset({"unit", "pilot", "command", "base", "resource"})
#: Where a card can have come from, or gone to.
_ELSEWHERE = frozenset({"hand", "deck", "shield", "trash", "removal"})
_COLORS = frozenset({"blue", "green", "red", "white", "purple"})
_LIES = frozenset({"active", "rested"})

_DESTROYED = phrase("what is replaced is that a card is destroyed: say whose in `about`")


class Token(cards.Token, tag="token"):
    """Places `n` tokens of that id."""

    phrases: ClassVar[Phrases] = {"": phrase("deploy {n} × {token}")}


class ExResource(Numbered, tag="ex-resource"):
    """In Gundam: you place `n` EX Resources."""

    orient: Lies = ""

    example = "n = 1"
    phrases: ClassVar[Phrases] = {"": phrase("place {n} × EX Resource")}


class Modify(lasting.Modify, tag="modify"):
    """Add `n` to a figure. `by` and `layer`: see "What lasts". `cost`: see "What a card costs"."""

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if "cost" in (self.key, self.value) and effect.zone not in PLAYED_FROM:
            yield phrase("a cost is changed where the card is played from: it needs that `zone`")
        yield from super().check(effect, words)


class Retarget(Instruction, tag="retarget", kw_only=True):
    """In Gundam: the attack in progress goes on against that card."""

    choose: Choose

    example = 'choose = { of = { zone = "battle", whose = "theirs" } }'
    phrases: ClassVar[Phrases] = {"": phrase("let the attack go on against {cards}")}


class Deploy(cards.Deploy, tag="deploy"):
    """Puts cards onto the field without paying; `orient` if not as usual.

    In Gundam, from 1.9, with `value = { ap = 3, hp = 3 }` as Units with these figures, whatever
    they are: they count as nothing else as long as they lie there.
    """

    value: Annotated[dict[str, int] | None, Of(newer="defined")] = None

    phrases: ClassVar[Phrases] = {
        "": phrase("deploy {cards} without paying"),
        "defined": phrase("deploy {cards} without paying, as Units with {value}"),
    }

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        value = self.value
        if value is not None and (
            value.keys() != {"ap", "hp"} or value["hp"] < 1 or value["ap"] < 0
        ):
            yield phrase("a Unit has `ap`, and at least 1 `hp`")
        yield from super().check(effect, words)


class Gain(lasting.Gain, tag="gain", kw_only=True):
    """The cards gain a keyword, with a number or `true`.

    From 1.9 also a trait; with `key = "keywords"`, all keywords printed on the cards `using`, as
    they lie in the open.
    """

    phrases: ClassVar[Phrases] = {
        **lasting.Gain.phrases,
        KEYWORDS: phrase("give {cards} all keywords printed on {using}"),
    }

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if self.key == KEYWORDS and (
            self.using is None or self.value is not None or effect.kind == "constant"
        ):
            yield phrase("the keywords of cards `using` are given for a time, without a `value`")
        elif self.key == TRAIT and self.using is not None:
            yield phrase("it does not use `{field}`", field="using")
        else:
            yield from super().check(effect, words)


class Reduce(lasting.Lasting, tag="reduce", kw_only=True):
    """In Gundam, from 1.9: what damage is dealt to them is `n` less; `key` says which.

    That is all `damage`, `battle-damage` or `effect-damage`; with `against`, from such cards.
    `once`: the next such damage alone. A constant effect that says it may work once a turn.
    """

    key: Annotated[str, Of("damage")] = "damage"
    n: int = 1
    once: bool = False
    against: Group | None = None

    used_up: ClassVar[bool] = True
    plain: ClassVar[bool] = True
    example = 'n = 2, until = "turn", to = { zone = "this" }'
    phrases: ClassVar[Phrases] = {
        "": phrase("reduce by {n} the damage that {cards} would receive"),
        "battle-damage": phrase("reduce by {n} the battle damage that {cards} would receive"),
        "effect-damage": phrase("reduce by {n} the effect damage that {cards} would receive"),
    }

    def change(self, run: Running) -> Change:
        return Change(self.key, NEXT if self.once else self.do, self.n, self.against)

    def check(self, effect: Effect, words: Any) -> Iterator[Phrase]:
        if self.n < 1:
            yield phrase("damage is reduced by a number above 0")
        if self.once and effect.kind == "constant":
            yield phrase("what a constant effect does goes on: `limit` says how often")
        elif self.once and place_meant(self):
            yield phrase("the next damage is that of cards that are there: a `match`, or a choice")
        yield from super().check(effect, words)


class PairedCommand(Instruction, tag="paired-command"):
    """In Gundam, from 1.9: the command effect with that timing of the card paired with this Unit.

    It is activated as that of a Command, without being played; the card stays paired.
    """

    key: Annotated[str, Of("timing")] = "main"

    plain: ClassVar[bool] = True
    example = 'key = "main"'
    ruled: ClassVar[bool] = False
    phrases: ClassVar[Phrases] = {
        "main": phrase("activate the Main of the card paired with this card"),
        "action": phrase("activate the Action of the card paired with this card"),
    }


class Battle(Instruction, tag="battle", kw_only=True):
    """In Gundam, from 1.9: a battle with that Unit, the Damage Step alone; this Unit attacks.

    With `by = "chosen"` the first Unit that the text has chosen does.
    """

    by: Literal["", "chosen"] = ""
    choose: Choose

    example = 'choose = { of = { zone = "battle", whose = "theirs" } }'
    phrases: ClassVar[Phrases] = {
        "": phrase("begin a battle of this card with {cards}, with a Damage Step alone"),
        "chosen": phrase("begin a battle of the first one with {cards}, with a Damage Step alone"),
    }


#: Where else than on the field a text can say that it works (1.9: 3-3-9-2-1).
ELSEWHERE = frozenset({"trash"})
#: What a text says of one that works on cards alone to which another text gives it (`lend`).
LENT = "lent"
#: A word for several zones: a player's Base comes before his shields (1.9: 3-5-3).
#: So are Units and Bases, where one may be either.
WIDE = {"shield-area": ("base", "shield"), "in-play": ("battle", "base")}
#: Occurrences that came with 1.9: of a card, and of a player.
_LATER_OCCURRENCES = frozenset(
    {
        "damaged", "battle-damaged", "effect-damaged", "inflicts", "recovers", "destroys",
        "destroys-shield-by-damage", "destroyed-by-battle", "rested-by-effect",
        "readied-by-effect", "blocked", "blocks", "supports", "command-activated", "pays",
        "ap-lowered",
    }
)  # fmt: skip
_OF_PLAYERS = frozenset({"draws", "discards", "ex-placed", "ex-exiled"})
#: What can occur, as texts say it.
OCCURRENCES = _LATER_OCCURRENCES | _OF_PLAYERS | frozenset(
    {
        "deploy", "attack", "destroyed", "paired", "linked", "burst", "turn-start", "turn-end",
        "destroys-unit", "destroys-shield", "rested", "readied", "returned",
        "destroyed-by-damage", "destroyed-by-effect", "carried-out",
    }
)  # fmt: skip
#: Where a card is played or deployed from: its texts for there change its Lv and cost.
PLAYED_FROM = frozenset({"hand", "trash"})
#: What may stand before the colon; other than `pay`, that is done to cards.
COSTS = {
    "pay": Takes((), ("n",)),
    **dict.fromkeys(
        ("rest", "discard", "exile", "destroy", "return", "bottom"), Takes((), ("of", "n"))
    ),
}
#: Of which cards each is, where it names any.
GIVEN_FROM = {
    **dict.fromkeys(("rest", "destroy", "return"), ("", "battle", "base")),
    "discard": ("hand",),
    **dict.fromkeys(("exile", "bottom"), ("", "battle", "base", "hand", "trash")),
}
#: A zone that all can see into.
SHOWN = MANIFEST.zone("trash")
#: The words of this game, which its effects may use beside those that all games share.
WORDS = Words(
    zones=frozenset(
        {
            "deck", "resource-deck", "resource", "battle", "base", "shield", "removal", "hand",
            "trash", *WIDE,
        }
    ),
    wide=WIDE,
    layout={zone.name: zone for zone in MANIFEST.zones},
    field=frozenset({"", "battle", "base"}),
    affected=frozenset({"", "battle", "base", "shield", *WIDE}),
    attributes=dict.fromkeys(
        (
            "type", "name", "name-has", "trait", "terrain", "color", "id", "role", "orient",
            "pilot-trait", "pilot-color", "from", "to", "text",
        ),
        (str,),
    )
    | dict.fromkeys(("lv", "cost", "ap", "hp", "pilot-lv", "host-lv"), (int,))
    | dict.fromkeys(
        (
            "linked", "paired", "battling", "attacking", "damaged", "keyword", "ex-paid",
            "token", *SWITCHES,
        ),
        (bool,),
    )
    | dict.fromkeys(AMOUNTS, (bool, int)),
    values={
        "type": _KINDS, "color": _COLORS, "pilot-color": _COLORS, "orient": _LIES,
        "role": frozenset({"pilot"}), "text": OCCURRENCES,
        "from": _ELSEWHERE, "to": _ELSEWHERE,
    },
    occurrences=OCCURRENCES,
    replaceable=dict.fromkeys(
        _LATER_OCCURRENCES | _OF_PLAYERS,
        phrase("it has happened by then: say what would be done to which card"),
    )
    | {
        "destroyed": "",
        "destroyed-by-damage": "",
        "destroyed-by-effect": "",
        "rested": "",
        "returned": "",
        "lost": "",
        "deploy": phrase("no rule says where a card stays that was paid for and not deployed"),
        "readied": phrase("no rule says what else is done as a card becomes active"),
        "paired": phrase("no rule says where a Pilot stays that was paid for and not paired"),
        "linked": phrase("a Unit and its Pilot link or don't; nobody does it"),
        "attack": phrase("its player declares it or not; a text can forbid it"),
        "burst": phrase("its player activates it or not"),
        "carried-out": phrase("its effect is over by then"),
        "turn-start": phrase("a step of the turn is no event"),
        "turn-end": phrase("a step of the turn is no event"),
        "destroys-unit": _DESTROYED,
        "destroys-shield": _DESTROYED,
    },
    of_players=_OF_PLAYERS | {"lost"},
    measured=frozenset(
        {"damaged", "battle-damaged", "effect-damaged", "inflicts", "recovers", "pays"}
    ),
    timings=frozenset({"main", "action"}),
    figures=frozenset({"ap", "hp", "lv", "cost"}),
    costs=COSTS,
    keywords=dict.fromkeys(AMOUNTS, int)
    | dict.fromkeys(SWITCHES, bool)
    | dict.fromkeys((TRAIT, KEYWORDS), str),
    acts=_FIRST_ACTS
    | {
        "effect-damage", "attack-at-once", "refresh", "ready", "paired", "destroyed-by-effect",
        "ap-lowered", "deployed-active",
    },
    duties=frozenset({"attacked"}),
    damages=DAMAGES,
    durations=frozenset({"turn", "battle", "start"}),
    elsewhere=ELSEWHERE | PLAYED_FROM | {LENT},
    speaks=frozenset(
        {
            "chosen", "links", "moved", "bounded", "whose", "anywhere", "per", "amount", "than",
            "like", "unless", "most", "besides", "compared", "play",
            "defined", "against",
            "attacker", "attacked", "foe", "happened",
        }
    ),
    provided=True,
    losable=frozenset({"constant", "triggered", "activated", "replacement"}),
    instructions=taken_up(
        *COMMON, cards.Target, Token, Modify, ExResource, Retarget, Battle, Reduce, PairedCommand,
        lasting.Oblige, lasting.Divert, lasting.Lend, Gain, Deploy, *PLAYING, EachPlayer,
    ),
    counters=frozenset({"damage"}),
)  # fmt: skip


#: The words of the first edition: these came later.
LATER = frozenset(
    {
        *_LATER_OCCURRENCES, *_OF_PLAYERS,
        "suppression", "battle", "battling", "target", "reduce", "readied", "purple",
        "paired-command", "terrain", "effect-damage", "divert", "oblige", "lend", "attacking",
        "damaged", "keyword", "ex-paid", "from", "to", "text", "pilot-trait", "pilot-lv",
        "pilot-color",
        "host-lv", "carried-out", "play", "pay", "pair-with", "command-text", "each-player",
    }
)  # fmt: skip
FIRST_WORDS = replace(
    WORDS.without(LATER),
    elsewhere=(),
    speaks=(),
    acts=_FIRST_ACTS,
    zones=frozenset(WORDS.zones) - {*WIDE},
    affected=frozenset(WORDS.affected or ()) - {*WIDE},
    wide=(),
    durations=frozenset({"turn", "battle"}),
    costs=IN_ALL_GAMES,
    figures=frozenset(WORDS.figures) - {"cost"},
)


class PilotSide(Struct, forbid_unknown_fields=True, frozen=True):
    """The pilot effect of a Command: the name it has while it lies under a Unit (gcg:2-3-5-4-1)."""

    name: str


class Card(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The printed values of a card, without its wording.

    Figures are integers; on a Pilot or a Command with a `pilot` side AP and HP are what its Unit
    gets. `names` are further names it counts as, `terrain` is space or earth (in the book: zone)
    or both. `link` tells which Pilots make this Unit a Link Unit, by one filter or any of several;
    None: none does. Tokens and EX cards are `token`s. The text of one that is `unread` is declared.
    """

    id: str
    name: str
    type: Literal["unit", "pilot", "command", "base", "resource"]
    color: Literal["", "blue", "green", "red", "white", "purple"] = ""
    lv: int = 0
    cost: int = 0
    ap: int = 0
    hp: int = 0
    traits: tuple[str, ...] = ()
    terrain: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    link: Filter | tuple[Filter, ...] | None = None
    keywords: Keywords = {}
    token: bool = False
    pilot: PilotSide | None = None
    effects: tuple[Effect, ...] = field(default=(), name="effect")
    unread: bool = False

    @property
    def links(self) -> tuple[Filter, ...]:
        """The filters any of which its Pilot has to meet; empty: none makes it a Link Unit."""
        if self.link is None:
            return ()
        return self.link if isinstance(self.link, tuple) else (self.link,)

    def called(self, role: str = "") -> tuple[str, ...]:
        """Every name it counts as; in the role of a `pilot`, the name of its pilot side too."""
        if role == "pilot" and self.pilot is not None:
            return (self.name, *self.names, self.pilot.name)
        return (self.name, *self.names)


# -- checking ------------------------------------------------------------------------------------


def _gaps(card: Card, known: Mapping[str, Card]) -> Iterator[Phrase]:
    bare = card.token or card.type == "resource"
    if not bare and not (card.color and card.lv and card.cost):
        # gcg:2-4-2, 2-8-2, 2-9-2
        yield phrase("all but tokens and Resources have a color, Lv and cost")


def _faults(card: Card, known: Mapping[str, Card], words: Words = WORDS) -> Iterator[Phrase]:
    if min(card.lv, card.cost, card.ap, card.hp) < 0:
        yield phrase("figures are never negative")
    if card.type in ("unit", "base") and card.hp < 1:
        yield phrase("a {type} needs HP", type=card.type)
    if card.color and card.color not in words.values["color"]:
        yield phrase("{color} is no color in this edition", color=card.color)
    if card.token and (card.color or card.lv or card.cost):
        yield phrase("a token has no color, Lv or cost")  # gcg:4-17-2-2, 4-17-2-3
    if card.link is not None:
        if card.type != "unit":
            yield phrase("only Units have a link condition")  # gcg:2-11-2
        for wanted in card.links:
            yield from filter_faults(wanted, words)
    if card.pilot is not None and card.type != "command":
        yield phrase("only Commands have a pilot side")
    if card.keywords and card.type != "unit":
        yield phrase("only Units have keywords; a text that gives one is an effect")
    yield from keyword_faults(card.keywords, words)
    yield from text_faults(card, words, _tokens(known) if card.effects else ())
    prices = {effect.name for effect in card.effects if _changes_price(effect)}
    for effect in card.effects:
        if effect.on == "burst" and effect.about is not None:
            yield phrase("{name}: a Burst is its own card's", name=effect.name)  # gcg:11-2-5-2
        if any(one.do == "lose" and one.key == KEYWORDS for one in every(effect.do)):
            yield phrase("{name}: keywords are lost one by one", name=effect.name)
        if any(_hangs_on_traits(one) for one in effect.do if effect.kind == "constant"):
            yield phrase("{name}: which cards gain a trait hangs on no trait", name=effect.name)
        yield from (labelled(effect.name, fault) for fault in _elsewhere(effect, words))
        if any(one.effect in prices for one in every(effect.do)):
            yield phrase("{name}: nobody carries out what its card costs", name=effect.name)
        yield from (labelled(effect.name, fault) for fault in _costs(effect))
        if effect.kind == "command" and card.type != "command":
            yield phrase("{name}: only Commands have command effects", name=effect.name)


def _hangs_on_traits(clause: Clause) -> bool:
    """Whether a clause gives a trait to cards that it names by traits."""
    return clause.key == TRAIT and clause.to is not None and TRAIT in attributes_of(clause.to)


def _changes_price(effect: Effect) -> bool:
    """Whether a text changes what its card costs where it is played from."""
    return effect.zone in PLAYED_FROM and effect.kind in ("constant", "play")


def _elsewhere(effect: Effect, words: Words) -> Iterator[Phrase]:
    """The faults of a text that works elsewhere than on the field, or changes what a card costs."""
    prices = _changes_price(effect)
    if effect.kind == "play" and not prices:
        yield phrase("it says in its `zone` from where the card is played")
    if effect.zone not in ("", LENT) and not prices:
        if effect.kind not in ("triggered", "activated"):
            yield phrase("only what triggers or is activated works there")
        elif effect.zone not in ELSEWHERE:
            yield phrase("nobody sees what lies there")
    for clause in every(effect.do):
        plain = isinstance(clause, lasting.Modify) and clause.by in ("add", "set")
        own = clause.key in ("lv", "cost") and clause.to is None and clause.choose is None
        if prices and not (plain and own):
            yield phrase("it changes the Lv and the cost of this card alone")
    if prices:
        asked = [*effect.when, *(one for clause in effect.do for one in clause.when)]
        counted = [one.per.of for one in effect.do if one.per is not None]
        for group in (*counted, *(one.count for one in asked)):
            if group is not None and words.layout.get(group.zone, SHOWN).faces != "all":
                yield phrase("what a card costs hangs on what all can see")


def _costs(effect: Effect) -> Iterator[Phrase]:
    """The faults of what is to be done first."""
    for cost in effect.cost:
        if cost.do not in GIVEN_FROM:
            if effect.kind == "play":
                yield phrase("to play a card its cost is paid as it is: with nothing beside it")
            continue
        if cost.of is None and cost.do != "discard":
            if cost.n != 1:
                yield phrase("this card is given once: `n` goes with `of`")
            if effect.kind == "play":
                yield phrase("the card that is played can't be given for it")
        elif cost.of is not None:
            zones = GIVEN_FROM[cost.do]
            if cost.of.zone not in zones or cost.of.whose != "yours" or cost.of.besides:
                where = " or ".join(filter(None, zones))
                yield phrase("{cost} is of your own cards: {where}", cost=cost.do, where=where)


def _tokens(known: Mapping[str, Card]) -> set[str]:
    return {card.id for card in known.values() if card.token}


#: A Command with its figures only is played like any other, and its text declared then.
TEXT = Effect(kind="command", name="text", at=["main", "action"])
CATALOGUE: Catalogue[Card] = Catalogue(
    files(__package__), Card, WORDS, _faults, _gaps, declarable(TEXT)
)
#: The cards of the first edition, those of its time: later ones a match by it brings along.
FIRST = CATALOGUE.narrowed(
    FIRST_WORDS, partial(_faults, words=FIRST_WORDS),
    "st01.toml", "st02.toml", "st03.toml", "st04.toml", "tokens.toml",
)  # fmt: skip
#: The cards that are listed by their figures, though they do something.
UNREAD = frozenset(id_ for id_, card in CATALOGUE.cards.items() if card.unread)
#: What is wrong with clauses that are declared.
declaration_faults = declarations(
    WORDS, tokens=lambda p: _tokens(CATALOGUE.known(p.heading.prints))
)
