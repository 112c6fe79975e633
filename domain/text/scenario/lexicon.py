"""The words of scenarios, to tell a misspelling from something that did not happen.

`never cards.moved sheild` must not hold because nothing is called a sheild. So every word of an
expectation is looked up first: in the manifest, the cards and the vocabulary of card texts. An
unknown word is an error with its line and the word that was probably meant. Whether an expectation
holds is in `checks` and `patterns`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any

import msgspec
from msgspec import Struct

from domain.effects.constant.calculator import OPERATIONS, TEXTS
from domain.effects.language.spelling import meant
from domain.effects.language.words import COSTS, Words
from domain.games.kit.game import Game
from domain.record.entries import TYPES, name_of
from domain.record.position import SEATS, UNKNOWN
from domain.record.schema import citations
from domain.record.schema.manifest import KINDS, Manifest
from domain.record.schema.policy import Policy
from domain.record.schema.wording import ORIGINS, sorts_of
from domain.record.values import NEXT
from domain.text.plain import plain
from domain.text.scenario.text import listed
from domain.words.phrases import joined, phrase

#: The pairs of fields that an arrow may stand between.
ARROWS = (("src", "dst"), ("source", "to"), ("attacker", "target"))
#: How a pattern names a field: `n=2`.
_ASKED = re.compile(r"([a-z]+)=(.*)")
_EVENTS = {name_of(event): event for event in TYPES.values()}
_OPERATIONS = OPERATIONS | {"forbid", "allow", "oblige", "reduce", NEXT, "divert", TEXTS}


@cache
def lexicon_of(rules: Game) -> Lexicon:
    """All that has a name in a game; the words of its cards are gathered once."""
    return Lexicon(rules)


class Lexicon:
    """All that has a name in a game, the cards of a scenario included."""

    def __init__(self, rules: Game, cards: Mapping[str, Any] | None = None) -> None:
        self.rules, self.cards = rules, rules.cards if cards is None else cards
        self.manifest: Manifest = rules.manifest
        self.words: Words = rules.words
        #: That of the game's own cards, and the cards that it lacks.
        self._game = None if cards is None else lexicon_of(rules)
        known = {} if cards is None else rules.cards
        self._own = {id_: card for id_, card in self.cards.items() if known.get(id_) is not card}

    # -- cards ------------------------------------------------------------------------------------

    def _all(self, words: str, own: Iterable[str]) -> frozenset[str]:
        """Words of the cards: those of the game's are gathered once for all scenarios."""
        return getattr(self._game, words, frozenset[str]()) | frozenset(own)

    @cached_property
    def names(self) -> frozenset[str]:
        """The ids and names of all cards, as they are compared."""
        called = (name for id_, card in self._own.items() for name in (id_, *_called(card)))
        return self._all("names", map(plain, called))

    @cached_property
    def titles(self) -> frozenset[str]:
        """The names of all cards, as they are printed."""
        return self._all("titles", (name for card in self._own.values() for name in _called(card)))

    @cached_property
    def cited(self) -> frozenset[str]:
        """The ids by which cards and their texts are cited."""
        return self._all("cited", citations.texts(self._own))

    @cached_property
    def effects(self) -> frozenset[str]:
        """The effects of all cards: by name, and as `card id/name`."""
        of = [(id_, one.name) for id_, card in self._own.items() for one in _effects(card)]
        effects = {name for _, name in of} | {f"{id_}/{name}" for id_, name in of}
        return self._all("effects", effects | set(self.words.keywords) | {"declared", "text"})

    @cached_property
    def printed(self) -> frozenset[str]:
        """The printed values of cards, word by word as in their data."""
        return self._all("printed", (text for card in self._own.values() for text in _texts(card)))

    @cached_property
    def fields(self) -> frozenset[str]:
        """The fields of card data: `color`, `traits`."""
        return frozenset(
            name.replace("_", "-")
            for names in {card.__struct_fields__ for card in self.cards.values()}
            for name in names
        )

    @cached_property
    def orients(self) -> frozenset[str]:
        """The ways a card may lie in some zone."""
        return frozenset(lies for zone in self.manifest.zones for lies in zone.orients)

    def is_card(self, text: str) -> bool:
        """Whether there is a card of that name, number or place, or one whose name begins so."""
        bare = re.sub(r"\s*#\s*\d+$", "", text.strip().strip('"'))
        if bare != text and self.is_zone(bare):
            return True  # `shield#1`
        if bare in ("", UNKNOWN) or re.fullmatch(r"@\d+", bare):
            return bool(bare)
        wanted = plain(bare)
        if wanted in self.names or any(name.startswith(wanted) for name in self.names):
            return True
        head, dot, rest = bare.partition(".")
        places = (*SEATS[: self.manifest.seats], *self.manifest.words("zones"))
        return bool(dot) and head in places and (self.is_zone(rest) or self.is_card(rest))

    def no_card(self, text: str) -> str:
        """The fault of a name that no card has; none if one has it."""
        if self.is_card(text):
            return ""
        return phrase("no card is called {name!r}{near}", name=text, near=meant(text, self.titles))

    # -- places and people -------------------------------------------------------------------------

    def is_zone(self, text: str) -> bool:
        """Whether a text names a zone, somebody's or anybody's: `trash`, `B trash`, `trash/1`."""
        letters = SEATS[: self.manifest.seats]
        found = re.fullmatch(rf"(?:([{letters}])[ .])?([a-z][a-z-]*)(?:/\d)?", text)
        return found is not None and found[2] in self.manifest.words("zones")

    def no_seat(self, letter: str) -> str:
        """The fault of a seat's letter; none if the seat exists."""
        there = SEATS[: self.manifest.seats]
        if letter in there:
            return ""
        known = joined(" and ", there)
        return phrase("there is no player {letter}, only {known}", letter=letter, known=known)

    def is_seat(self, text: str) -> bool:
        """Whether a text names a seat: `B`, `player`, `player B`, `seat/1`, `none`."""
        letters = SEATS[: self.manifest.seats]
        return re.fullmatch(rf"(?:player )?[{letters}]|player|none|seat/\d|-?\d", text) is not None

    def is_ref(self, text: str) -> bool:
        """Whether a text names what is no card and may be pointed at: a seat, a zone, a counter."""
        counter = text in self.manifest.words("counters")
        return counter or self.is_seat(text) or self.is_zone(text)

    # -- events ------------------------------------------------------------------------------------

    def may_be(self, item: str, sort: str) -> bool:
        """Whether an item of a pattern could be what a field of this sort holds, in some match."""
        bare = item.strip('"')
        match sort:
            case "card":
                return self.is_card(bare)
            case "ref":
                return self.is_card(bare) or self.is_ref(bare)
            case "place":
                return self.is_zone(bare)
            case "seat":
                return self.is_seat(bare)
            case "number":
                return re.fullmatch(r"-?\d+|none", bare) is not None
            case "flag":
                return bare in ("true", "false")
            case "text":
                return True
            case "rule":
                return self.is_rule(bare)
            case "marks":
                return bare.partition(":")[0] in self.manifest.words("marks")
            case _:
                return bare in self._words(sort)

    def _words(self, sort: str) -> Collection[str]:
        words = self.words
        match sort:
            case "orient":
                return self.orients
            case "effect":
                return self.effects
            case "print":
                return {*self.printed, *words.attributes}
            case "change":
                return {*self._figures, *words.acts, *self.manifest.words("parts"), *_OPERATIONS}
            case "origin":
                return ORIGINS
            case "penalty":  # a scenario is played without an event's policy
                return {kind.name for kind in Policy().scheme}
            case "attempts":
                return {*self.manifest.words(sort), *words.instructions, *COSTS}
            case _:
                return self.manifest.words(sort) if sort in KINDS else ()

    @property
    def _figures(self) -> set[str]:
        return {*self.manifest.words("stats"), *self.words.figures, *self.words.keywords}

    def slips(self, event: str, text: str) -> Iterator[str]:
        """The parts of a pattern that can't be in any event of that type."""
        sorts = sorts_of(_EVENTS[event])
        for item in listed(text):
            one, arrow, other = (part.strip() for part in item.partition("->"))
            asked = _ASKED.fullmatch(item)
            if arrow:
                ends = [(sorts[a], sorts[b]) for a, b in ARROWS if a in sorts and b in sorts]
                if not ends:
                    yield phrase(
                        "{event} goes from nothing to nothing: no `->` is in it", event=event
                    )
                    continue
                pairs = [(one, ends[0][0]), (other, ends[0][1])]
            elif asked and (named := _named(sorts, asked[1])):
                pairs = [(asked[2], named)]
            elif asked:
                known = joined(", ", sorts)
                text = "{event} has no {part!r}; it has {known}"
                yield phrase(text, event=event, part=asked[1], known=known)
                continue
            else:
                pairs = [(item, _anywhere(sorts))]
            for word, some in pairs:
                if not any(self.may_be(word, sort) for sort in some):
                    near = meant(word, self._near(some))
                    text = "nothing in {event} is ever {word!r}{near}"
                    yield phrase(text, event=event, word=word, near=near)

    def _near(self, sorts: Collection[str]) -> set[str]:
        """Every word that fields of these sorts may hold."""
        near = {word for sort in sorts for word in self._words(sort)}
        if {"place", "ref"} & set(sorts):
            near |= set(self.manifest.words("zones"))
        if {"card", "ref"} & set(sorts):
            near |= self.titles
        return near

    def is_rule(self, rule: str) -> bool:
        """Whether something may be cited so."""
        return citations.known(rule, self.rules.rules, self.cited)

    # -- cards and decisions -----------------------------------------------------------------------

    def no_trait(self, trait: str) -> str:
        """The fault of a trait; none if some card could have it."""
        bare = trait.removeprefix("not ")
        if bare.startswith("with "):
            words = bare.removeprefix("with ")
            role, _, name = words.partition(" ")
            named = name if role in self.manifest.words("roles") and name else words
            return self.no_card(named)
        key, _, value = bare.partition(" ")
        simple = {"up", "down", "new", "token", "alone", *self.orients}
        known = {
            *simple,
            "owner",
            "controller",
            *self._figures,
            *self.manifest.words("counters"),
            *self.fields,
        }
        known |= set(self.words.attributes)
        if key in known or key.partition(":")[0] in self.manifest.words("marks"):
            if not value or (key not in simple and self.is_value(value)):
                return ""
            near = meant(value, self.printed)
        else:
            near = meant(key, {*known, *self.manifest.words("marks")})
        return phrase("no card is ever {text!r}{near}", text=bare, near=near)

    def is_value(self, text: str) -> bool:
        """Whether a text is what a card may have of something: a number, a word printed on one."""
        if re.fullmatch(r"-?\d+|none|true|false", text.lower()) or text in tuple(SEATS):
            return True
        return plain(text) in self._printed_plain or self.is_card(text) or self.is_ref(text)

    @cached_property
    def _printed_plain(self) -> frozenset[str]:
        words = {word for text in self.printed for word in (text, *text.split(", "))}
        return frozenset(map(plain, {*words, *self.words.attributes}))

    def no_word(self, kind: str, word: str) -> str:
        """The fault of a word of a list of the manifest; none if it is there."""
        known = self.manifest.words(kind)
        if word in known:
            return ""
        near = meant(word, known)
        return phrase("{word!r} is not one of the {list}{near}", word=word, list=kind, near=near)


def _anywhere(sorts: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The values that any field may have.

    Free text is asked for by its field where others hold words.
    """
    some = tuple(sort for held in sorts.values() for sort in held)
    return (
        tuple(sort for sort in some if sort != "text") if {*KINDS, "penalty"} & set(some) else some
    )


def _named(sorts: Mapping[str, tuple[str, ...]], key: str) -> tuple[str, ...]:
    """The values of the fields of that name, dotted names by either of their parts."""
    paths = [path for path in sorts if key in (path, *path.split("."))]
    return tuple(sort for path in paths for sort in sorts[path])


def _called(card: Any) -> tuple[str, ...]:
    """Every name that a card goes by anywhere, that of another side of it too."""
    parts = (getattr(card, name) for name in card.__struct_fields__)
    sides = (part.name for part in parts if isinstance(part, Struct) and hasattr(part, "name"))
    return (card.name, *getattr(card, "names", ()), *sides)


def _effects(card: Any) -> tuple[Any, ...]:
    return tuple(getattr(card, "effects", ()))


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for key, inner in value.items():
                yield from (str(key), *_texts(inner))
        case list() | tuple():
            for inner in value:
                yield from _texts(inner)
        case Struct():
            yield from _texts(msgspec.structs.asdict(value))
