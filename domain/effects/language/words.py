"""The words of card texts that a game has beside what all games share (`Words`).

Whether a text uses them rightly is found in `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import replace

from domain.effects.conditions import parts_of
from domain.effects.constant.calculator import TEXTS
from domain.effects.language.instruction import ITS, PLAYERS, Instruction
from domain.effects.language.spelling import unknown
from domain.effects.language.vocabulary import Clause
from domain.effects.select import AGAINST, CHOSEN, MOVED, SPECIAL
from domain.effects.select import FURTHER as FURTHER_GROUPS
from domain.record.schema.manifest import Zone
from domain.words.phrases import labelled, phrase

T = TypeVar("T")


class BadClause(msgspec.ValidationError):
    """A malformed clause; the text names its instruction."""


class Takes(Struct, frozen=True):
    """Which fields a cost reads."""

    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


#: What may stand before the colon, in all games.
COSTS: Mapping[str, Takes] = {"pay": Takes((), ("n",)), "rest": Takes()}


class Words(Struct, frozen=True, kw_only=True):
    """The words of a game: what its effects may name beside what all games share.

    `attributes` says of what types a filter's test may be; `values` lists, for some attributes, all
    that they can be. `keywords` are numbers (int) or had or not (bool). `acts` can be forbidden or
    allowed, `duties` are those that can be demanded, `damages` the kinds of damage that can be less
    or dealt to another card. `costs` are what may stand before the colon, with the fields they
    read. `elsewhere` are zones in which an effect may be stated to work, though cards there usually
    do nothing. `timed`: whether every activated and command effect says when (`at`). `provided`:
    whether the book knows conditions that are looked at only as an effect would be activated.
    `instructions` are all that its texts know (`instruction.taken_up`), `wide` zones that stand for
    several: no place for a card; of those for which it lists them, the first lies uppermost.
    `replaceable` says of every occurrence why nothing can be done in its place; "" where something
    can. What can be replaced and is no occurrence cannot trigger: what befalls a player
    (`of_players`), like losing. `measured` are the occurrences of so much, which is x. `layout`
    says how the table declares its zones. Cards come to those of the `field` only in special ways;
    in those that are `affected` any card may be ("" is the usual zone, None: all of them).
    `losable` are the kinds of texts that cards can lose (`silence`), `readings` those that texts
    may cite.

    `speaks` are the parts of the language that not every game takes up (`NEWER`, `SINGLY`). They
    need words of the game: `steps` of the turn, the kinds of acts that can be `answered`, of
    `counters` and of what is `noted`, `chances` that texts roll. `standing` are instructions that a
    constant text may give: they are done as soon as it holds. `early` are numbers that are worked
    out of what modifies a figure, but for what comes late: nothing else may hang on them that
    modifies that figure.
    """

    zones: Collection[str]
    instructions: Mapping[str, type[Instruction]]
    attributes: Mapping[str, tuple[type, ...]] = {}
    values: Mapping[str, Collection[str]] = {}
    occurrences: Collection[str] = ()
    timings: Collection[str] = ()
    figures: Collection[str] = ()
    keywords: Mapping[str, type] = {}
    acts: Collection[str] = ()
    duties: Collection[str] = ()
    damages: Collection[str] = ()
    durations: Collection[str] = ()
    costs: Mapping[str, Takes] = msgspec.field(default_factory=lambda: COSTS)
    elsewhere: Collection[str] = ()
    timed: bool = True
    provided: bool = False
    wide: Collection[str] = ()
    replaceable: Mapping[str, str] = {}
    of_players: Collection[str] = ()
    measured: Collection[str] = ()
    layout: Mapping[str, Zone] = {}
    field: Collection[str] = ()
    affected: Collection[str] | None = None
    losable: Collection[str] = ()
    readings: Collection[str] = ()
    speaks: Collection[str] = ()
    steps: Collection[str] = ()
    answered: Collection[str] = ()
    counters: Collection[str] = ()
    noted: Collection[str] = ()
    chances: Collection[str] = ()
    standing: Collection[str] = ()
    early: Mapping[str, str] = {}

    def known(self, kind: str) -> Collection[str] | None:
        """The words of a kind (`vocabulary.Of`); None if it has no list."""
        match kind:
            case "number":
                return [key for key, types in self.attributes.items() if int in types]
            case "step":
                return {part for step in self.steps for part in parts_of(step)}
            case "kind of texts":
                return ("command", "triggered", "activated")
            case "zone or cards":
                return {*SPECIAL, *self.zones}
            case "keyword or texts":
                return {*self.keywords, *([TEXTS] if self.losable else ())}
            case "player":
                return PLAYERS | ({ITS} if ITS in self.speaks else set())
        name = _LISTS.get(kind)
        found: Collection[str] | None = getattr(self, name) if name else None
        return found

    def parts_of(self, zone: str) -> Collection[str]:
        """The zones that a word for one stands for, as far as they are listed."""
        several = self.wide.get(zone) if isinstance(self.wide, Mapping) else None
        return several or (zone,)

    def without(self, later: Collection[str]) -> Words:
        """The words of an edition that did not have these yet, whatever they are words for.

        Zones and durations are those of all editions.
        """

        def kept(words: Any) -> Any:
            if isinstance(words, Mapping):
                return {word: meaning for word, meaning in words.items() if word not in later}
            return frozenset(words) - frozenset(later)

        kinds = (
            "instructions", "attributes", "occurrences", "replaceable", "keywords", "acts",
            "duties", "damages", "wide",
        )  # fmt: skip
        values = {key: kept(these) for key, these in self.values.items()}
        return replace(self, values=values, **{kind: kept(getattr(self, kind)) for kind in kinds})

    # -- reading ---------------------------------------------------------------------------------

    def convert(self, data: Any, cls: type[T]) -> T:
        """Card data as what they are; `msgspec.ValidationError` if they are none."""
        for cost in _costs(data):
            self._uses(cost)
        return msgspec.convert(data, cls, dec_hook=self._clause)

    def decoder(self, cls: type[T]) -> Callable[[bytes], T]:
        """Reads what `convert` would make of JSON, of which it is known that nothing is wrong."""
        return msgspec.json.Decoder(cls, dec_hook=self._clause).decode

    def _uses(self, cost: Mapping[str, Any]) -> None:
        """Make sure that a cost states what it reads alone, at its default or not."""
        do = cost.get("do")
        reads = self.costs.get(do) if isinstance(do, str) else None
        if reads is None:
            return
        read = {"do", *reads.needs, *reads.may, *{"per", "noted"}.intersection(self.speaks)}
        for field in sorted(cost.keys() - read):
            text = phrase("the cost {cost} does not use `{field}`", cost=do, field=field)
            raise msgspec.ValidationError(text)

    def clauses(self, text: str) -> list[Clause]:
        """Clauses that were declared, as JSON; `msgspec.DecodeError` if they are none."""
        return msgspec.json.decode(text, type=list[Clause], dec_hook=self._clause)

    def _clause(self, cls: type, data: Any) -> Clause:
        """A clause of a text: which class it is of says its word."""
        do = data.get("do") if isinstance(data, dict) else None
        found = self.instructions.get(do) if isinstance(do, str) else None
        if found is None:
            raise BadClause(labelled(do, unknown("instruction", str(do), self.instructions)))
        for field in sorted(data.keys() - {*found.__struct_encode_fields__} - {"do"}):
            raise BadClause(labelled(do, phrase("it does not use `{field}`", field=field)))
        for name in _required(found):
            if not data.get(name):
                raise BadClause(labelled(do, phrase("it needs `{name}`", name=name)))
        try:
            return msgspec.convert(data, found, dec_hook=self._clause)
        except msgspec.ValidationError as error:
            raise BadClause(labelled(do, str(error))) from error


@cache
def _required(cls: type[Struct]) -> tuple[str, ...]:
    """The fields that an instruction can't do without, as data has them."""
    fields = zip(cls.__struct_encode_fields__, defaults(cls).values(), strict=True)
    return tuple(name for name, default in fields if default is NODEFAULT)


def defaults(cls: type[Struct]) -> dict[str, Any]:
    """The defaults of a struct by field, `NODEFAULT` where there is none.

    `structs.fields` has them, too, and resolves the types of all fields for it, which takes long.
    """
    names, given = cls.__struct_fields__, cls.__struct_defaults__
    return dict(zip(names, (NODEFAULT,) * (len(names) - len(given)) + given, strict=True))


def _costs(data: Any) -> Iterator[Mapping[str, Any]]:
    """The costs in the data of a card, or of one of its effects."""
    effects = data.get("effect", [data]) if isinstance(data, dict) else ()
    for effect in effects if isinstance(effects, list) else ():
        costs = effect.get("cost") if isinstance(effect, dict) else None
        for cost in costs if isinstance(costs, list) else ():
            if isinstance(cost, dict):
                yield cost


#: The list of a game's words for a kind of them.
_LISTS = {
    "zone": "zones", "place": "zones", "attribute": "attributes", "figure": "figures",
    "keyword": "keywords", "act": "acts", "duty": "duties", "damage": "damages",
    "duration": "durations", "counter": "counters",
    "chance": "chances", "note": "noted", "timing": "timings", "reading": "readings",
    "act or answer": "answered", "instruction": "instructions", "cost": "costs",
    "occurrence": "occurrences",
}  # fmt: skip


#: Parts of the language that a game's texts use if it says so: what a group, a condition, a clause,
#: an effect and a cost may state, and what a group may be beside zones. `limit`: other than once a
#: turn; `at`: of triggered texts, how fast they are; `cost`: of other texts than activated ones;
#: `on`: what a text answers that somebody starts; `applied`: what a constant text does whenever
#: something occurs; `whose`: what lasts until some later time; `returns`: what comes back then, and
#: fields of shared instructions that few games have (`instruction.Returns`); `compared`: tests of a
#: number by that of another card (`"<=this"`).
NEWER = frozenset(
    {
        "like", "most", "besides", "during", "amount", "than", "answers", "rolled", "per", "misses",
        "by", "its", "noted", "limit", "cost", "on", "at", "part", "whose", "returns", "unless",
        "applied", "compared",
        CHOSEN,
        *FURTHER_GROUPS,
    }
)  # fmt: skip

#: Further parts, which games take up one by one: what holds while a card is about to be played,
#: what works once at a moment, limits on activations rather than on use, names for the `ways` to
#: choose from, what a clause before has moved, prohibitions up to a number (`most`), cards that
#: come as something else (`defined`), what changes as a card is played, the other card in what a
#: text waits for, what has `happened` in this turn. An effect whose `limit` is `moment` may be a
#: constant one.
SINGLY = frozenset(
    {
        "playing", "moment", "counts", "ways", MOVED, "bounded", "play", "defined", AGAINST,
        "happened",
    }
)  # fmt: skip
