"""Made-up card texts: random instructions, selectors, durations and occurrences of a game.

What may stand where is read from the types of the vocabulary, so that new words are covered at
once; `check` says whether a text is valid. Groups and amounts are mostly taken from the game's own
cards (`Stock`), so that texts do something; and many a text is a printed one in which something is
left out or another thing put in, so that it means nearly what one can. The result has the form of
card files.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct

from domain.effects.constant.calculator import LAYERS, TEXTS
from domain.effects.language import check
from domain.effects.language.asked import fields_of
from domain.effects.language.instruction import PLAYERS, Instruction
from domain.effects.language.reference import literals, stateable
from domain.effects.language.vocabulary import (
    Amount,
    Answers,
    Choose,
    Clause,
    Condition,
    Cost,
    Effect,
    Filter,
    Group,
    Happened,
    Like,
)
from domain.effects.language.words import NEWER, SINGLY, Words, defaults
from domain.effects.select import AGAINST, ALWAYS, FURTHER
from domain.games.kit.game import Game

Data = dict[str, Any]
#: How often what may be left out is there; how often a group or a filter is a printed one.
SELDOM, OFTEN, PRINTED = 0.12, 0.5, 0.4
#: How often what is needed is left out all the same: that must be objected to.
SLIP = 0.05
#: How often a text is a printed one with something else in it.
ALTERED = 0.35
#: Fields that no text is without.
_HEADS = ("kind", "name", "do")
#: Fields that are made up together, by instruction.
_LATER = {"whose", "nth"}
_TOGETHER = {"modify": {"by", "value", "layer", *_LATER}, "lose": {"value", "effect", *_LATER}}
#: Fields that every instruction has, or that go with a number.
_ALWAYS = {"when", "join", "may", "times", "per"}
#: How often at most something is made up again because it is no text.
TRIES = 12
KINDS = {
    "triggered": 8, "constant": 4, "activated": 4, "replacement": 3, "command": 3, "part": 3,
    "play": 2,
}  # fmt: skip


@cache
def _hints(cls: type[Struct]) -> dict[str, Any]:
    return get_type_hints(cls)


def data_of(struct: Struct) -> Data:
    """A struct as it would stand in a file, without what it need not say."""
    plain = msgspec.to_builtins(struct)
    assert isinstance(plain, dict)
    return {key: value for key, value in plain.items() if value not in (None, "", [], {}, False)}


def _fields(cls: type[Instruction], words: Words) -> dict[str, bool]:
    """The fields of an instruction, with whether it needs them; `to` or `choose` once."""
    known = {one.name for one in stateable(cls, words)}
    found = {name: default is NODEFAULT for name, default in defaults(cls).items() if name in known}
    either = {"choose"} if {"to", "choose"} <= found.keys() else set[str]()
    return {name: needed for name, needed in found.items() if name not in _ALWAYS | either}


class Stock:
    """The material for the texts of a game: its words, and what its own cards say with them."""

    def __init__(self, rules: Game) -> None:
        self.rules, self.words = rules, rules.words
        self.kinds = {
            kind: weight for kind, weight in KINDS.items()
            if kind not in NEWER | SINGLY or kind in self.words.speaks
        }  # fmt: skip
        self.cards = {id_: msgspec.to_builtins(card) for id_, card in rules.cards.items()}
        self.tokens = sorted(id_ for id_, card in self.cards.items() if card.get("token"))
        self.classes = {do: self.words.instructions[do] for do in sorted(self.words.instructions)}
        self.takes = {do: _fields(one, self.words) for do, one in self.classes.items()}
        effects = [e for card in rules.cards.values() for e in getattr(card, "effects", ())]
        self.printed: dict[str, list[Data]] = {}
        for effect in effects:
            self.printed.setdefault(effect.kind, []).append(data_of(effect))
        self.clauses: dict[tuple[bool, str], list[Data]] = {}
        for effect in effects:
            for one in effect.do:
                kept = self.clauses.setdefault((effect.kind == "constant", one.do), [])
                assert isinstance(one, Instruction)
                kept.append(data_of(one))
        clauses = [c for effect in effects for c in _clauses(effect.do)]
        groups = [c.choose.of if c.choose else c.to for c in clauses]
        self.groups = [data_of(group) for group in groups if group is not None]
        self.amounts: dict[str, list[int]] = {}
        for clause in clauses:
            self.amounts.setdefault(clause.do, []).append(clause.n)
        printed = [c.value for c in clauses if c.do == "face-down" and c.value]
        self.bits = [*printed, *({"type": kind} for kind in self._values("type") if printed)]
        attributes = sorted(self.words.attributes)
        self.values: dict[str, list[Any]] = {key: self._values(key) for key in attributes}

    def _values(self, key: str) -> list[Any]:
        """The values of a card of the game for an attribute."""
        listed = self.words.values.get(key)
        if listed:
            return sorted(listed)
        found: dict[Any, None] = {}
        for card in self.cards.values():
            for name in (key, f"{key}s", f"{key}es", key.removesuffix("-has")):
                value = card.get(name)
                several = value if isinstance(value, (list, tuple)) else [value]
                found |= dict.fromkeys(one for one in several if not isinstance(one, (dict, list)))
        return [one for one in found if one not in (None, "", True, False)] or [1]


def _clauses(clauses: Iterable[Clause]) -> Iterator[Clause]:
    for clause in clauses:
        yield clause
        for option in clause.options:
            yield from _clauses(option)


class Writer:
    """Makes up texts, from a random number generator."""

    def __init__(self, stock: Stock, rng: Random) -> None:
        self.stock, self.words, self.rng = stock, stock.words, rng
        self._effects: Sequence[str] = ()  # what else the card has, for one to perform another

    # -- whole texts -----------------------------------------------------------------------------

    def effect(self, kind: str, name: str, siblings: Sequence[str]) -> Data | None:
        """An effect of a kind that nobody objects to; None if none came up."""
        self._effects = siblings
        for _ in range(TRIES):
            printed = self.stock.printed.get(kind, ())
            altered = printed and self.rng.random() < ALTERED
            made = self._altered(printed, name) if altered else self._effect(kind, name)
            try:
                effect = self.words.convert(made, Effect)
            except msgspec.ValidationError:
                continue
            names = (*siblings, name)
            if not any(check.faults(effect, self.words, names, self.stock.tokens)):
                return made
        return None

    def clauses(self, faults: Callable[[str], Iterable[str]]) -> str:
        """Clauses to be declared, as JSON, that nobody objects to; empty if none came up."""
        self._effects = ()
        for _ in range(TRIES):
            made = [self._clause("activated", at) for at in range(self.rng.choice((1, 1, 2, 3)))]
            text = msgspec.json.encode(made).decode()
            if not any(faults(text)):
                return text
        return ""

    def _altered(self, printed: Sequence[Data], name: str) -> Data:
        """A printed text in which a field is left out, or a clause or its group is another one."""
        rng = self.rng
        made = {**deepcopy(rng.choice(printed)), "name": name}
        clauses: list[Data] = made.get("do") or [self._clause(made["kind"], 0)]
        for _ in range(rng.choice((1, 1, 2, 3))):
            at = rng.randrange(len(clauses))
            match rng.choice(("without", "group", "clause", "more")):
                case "without":
                    one = rng.choice((made, *clauses, *made.get("cost", ())))
                    one.pop(rng.choice([key for key in one if key not in _HEADS] or [""]), None)
                case "group":
                    aimed = [key for key in ("to", "choose") if key in clauses[at]]
                    clauses[at] = {k: v for k, v in clauses[at].items() if k not in aimed}
                    clauses[at] |= self._targets(made["kind"] == "constant")
                case "clause":
                    clauses[at] = self._clause(made["kind"], at)
                case _:
                    clauses.append(self._clause(made["kind"], len(clauses)))
        return {**made, "do": clauses}

    def _effect(self, kind: str, name: str) -> Data:
        rng, words = self.rng, self.words
        made: Data = {"kind": kind, "name": name}
        occurs, started = kind in ("triggered", "replacement"), kind in ("activated", "command")
        if occurs:
            instead = [on for on, why in sorted(words.replaceable.items()) if not why]
            many = instead if kind == "replacement" and instead else sorted(words.occurrences)
            made["on"] = rng.choice(many)
            if rng.random() < OFTEN / 2:
                made["about"] = self.group()
            if AGAINST in words.speaks and rng.random() < OFTEN / 2:
                made["against"] = self.group()
        if started and "on" in words.speaks and rng.random() < SELDOM:
            made["on"] = rng.choice(sorted(words.occurrences))
        if started and words.timings:
            timings = sorted(words.timings)
            made["at"] = rng.sample(timings, rng.randint(1, len(timings)))
        elsewhere = kind == "constant" and "play" in words.speaks and rng.random() < SELDOM
        if words.elsewhere and (kind == "play" or elsewhere):
            made["zone"] = rng.choice(sorted(words.elsewhere))
        if kind in ("activated", "play") and rng.random() < 0.7:
            made["cost"] = [self._cost() for _ in range(rng.choice((1, 1, 2)))]
        if kind in ("triggered", "activated", "replacement") and rng.random() < 0.25:
            made["limit"] = "turn"
        if kind == "triggered" and rng.random() < 0.2:
            made["may"] = True
        if "limit" in words.speaks and kind != "constant" and rng.random() < SELDOM:
            made["limit"] = rng.choice(("name", "game", "twice"))
        if "moment" in words.speaks and rng.random() < SELDOM:
            once = ("moment",) if kind == "constant" else ("moment", "turn moment")
            made["limit"] = rng.choice(once)
        if rng.random() < 0.2:
            made["when"] = [self._condition()]
        if rng.random() < SELDOM:
            made["paired"] = self.filter() if rng.random() < OFTEN else {}
        known = {
            "kind",
            "name",
            "on",
            "at",
            "about",
            "against",
            "cost",
            "limit",
            "may",
            "when",
            "paired",
            "do",
        }
        made |= self._further(Effect, known | {"cites"}, SELDOM / 2)
        made["do"] = [self._clause(kind, at) for at in range(rng.choice((1, 1, 1, 2, 2, 3)))]
        if kind == "play" or (kind == "constant" and "zone" in made):
            made["do"] = [self._priced() for _ in range(rng.choice((1, 2)))]
        if any(cost.get("x") for cost in made.get("cost", ())):
            for clause in made["do"]:
                if "n" in self.stock.takes[clause["do"]] and rng.random() < OFTEN:
                    clause["times"] = "x"
        return made

    def _priced(self) -> Data:
        """A clause that changes what its card costs."""
        key, less = self.rng.choice(("lv", "cost")), self.rng.random() < OFTEN
        change = {"n": -1} if less else {"by": "set", "n": self.rng.choice((0, 1, 2))}
        return {"do": "modify", "key": key, **change}

    def _cost(self) -> Data:
        kinds = self.words.costs
        do = self.rng.choice(sorted(kinds))
        made: Data = {"do": do}
        for name in sorted((*kinds[do].needs, *kinds[do].may)):
            if self.rng.random() < (1 - SLIP if name in kinds[do].needs else OFTEN):
                made[name] = self._value(Cost, name)
        if made.get("x"):
            made.pop("n", None)
        if "of" in made and "x" not in kinds[do].may and self.rng.random() < 1 - SLIP:
            made["of"]["whose"] = "yours"
        return made

    # -- clauses ---------------------------------------------------------------------------------

    def _clause(self, kind: str, at: int, depth: int = 0) -> Data:
        """A clause; in a constant effect one that lasts."""
        rng, takes = self.rng, self.stock.takes
        lasting = kind == "constant"
        standing = {do for do, one in self.stock.classes.items() if one.lasts}
        standing |= {*self.words.standing}
        do = rng.choice([one for one in takes if not lasting or one in standing])
        printed = self.stock.clauses.get((lasting, do), ())
        made: Data = {"do": do}
        if printed and rng.random() < ALTERED:
            made = deepcopy(rng.choice(printed))
            made.pop("join", None)
            if rng.random() < OFTEN:
                return made | self._joined(at)
        for name, needed in takes[do].items():
            aimed = name == "to"
            if name in made or (aimed and "choose" in made) or name in _TOGETHER.get(do, _LATER):
                continue
            if needed:
                made |= self._field(do, name, lasting, depth) if rng.random() >= SLIP else {}
            elif name in ("until", "value", "key") or aimed or rng.random() < OFTEN:
                made |= self._field(do, name, lasting, depth)
        made |= self._taken_up(do, made)
        if do == "modify" and "key" in made:
            made |= self._modified(made)
            if lasting and "to" in made and rng.random() < SELDOM:
                made["to"] = {**made["to"], "match": self._of_figure(made["key"])}
        elif do == "lose":
            made |= self._lost(made)
        elif do == "gain" and "using" in made:
            made.pop("value", None)  # other cards say what
        made |= self._joined(at)
        if rng.random() < SELDOM:
            made["when"] = [self._condition()]
        if not lasting and rng.random() < SELDOM:
            made["may"] = True
        return made

    def _joined(self, at: int) -> Data:
        """How a clause hangs on the one before it, if there is one."""
        joins = ("sentence", "then", "then", "if so", "after all", "must")
        return {"join": self.rng.choice(joins)} if at else {}

    def _field(self, do: str, name: str, lasting: bool, depth: int) -> Data:
        """A field that an instruction reads."""
        rng, cls = self.rng, self.stock.classes[do]
        match name:
            case "to":
                return self._targets(lasting)
            case "n":
                return {"n": self._amount(do)}
            case "value" if not literals(_hints(cls)[name]):
                return self._bits(do)
            case "until" if lasting:
                return {}
            case "options" if depth < 1:
                several = (1,) if self.stock.classes[do].by_others else (2, 2, 3)
                ways = [[self._clause("command", 0, 1)] for _ in range(rng.choice(several))]
                called = "value" in self.stock.takes[do] and rng.random() < OFTEN
                names = {"value": [f"way {n}" for n, _ in enumerate(ways, 1)]} if called else {}
                return {"options": ways, **names}
        found = {name: self._value(cls, name)}
        if (do, name) == ("gain", "key"):
            kind = self.words.keywords[found["key"]]
            amounts = {int: (1, 2), str: self.stock.values.get("name", [""])}
            found["value"] = rng.choice(amounts.get(kind, (True,)))
        return found

    def _bits(self, do: str) -> Data:
        """The fields of an instruction, as a printed one has them; others come later."""
        bits = self.stock.bits
        return {"value": self.rng.choice(bits)} if bits and do == "face-down" else {}

    def _taken_up(self, do: str, made: Data) -> Data:
        """The parts that only some games take up: amounts, and later times."""
        rng, takes = self.rng, self.stock.takes[do]
        found: Data = {}
        if "per" in self.words.speaks and "n" in takes and rng.random() < SELDOM:
            found["per"] = self._counted()
        late = "whose" in takes and "whose" in self.words.speaks
        if late and "until" in made and rng.random() < OFTEN:
            found["whose"] = rng.choice(("yours", "theirs", "its"))
            found["nth"] = rng.choice((1, 1, 2))
        return found

    def _modified(self, made: Data) -> Data:
        """How a figure is modified, where the game's texts do more than add to it."""
        rng, others = self.rng, sorted(set(self.words.figures) - {made["key"]})
        if rng.random() < 0.4:
            return {}
        layer = {"layer": rng.choice(LAYERS)} if rng.random() < 0.3 else {}
        match rng.choice(("add", "set", "multiply", "multiply", "swap" if others else "set")):
            case "multiply":
                made.pop("n", None)
                factor = {"n": rng.choice((0, 2, 3))} if rng.random() < OFTEN else {"value": "1/2"}
                return {"by": "multiply", **factor, **layer}
            case "swap":
                made.pop("n", None)
                return {"by": "swap", "value": rng.choice(others), **layer}
            case by:
                return {"by": by, **layer}

    def _of_figure(self, key: str) -> Filter:
        """A filter that asks for the figure that a text changes, in one way or another."""
        asked = [one for one in sorted(self.words.attributes) if key in one.split("-")]
        return {one: self._test(one) for one in self.rng.sample(asked, min(len(asked), 1))}

    def _lost(self, made: Data) -> Data:
        """Texts instead of a keyword: all, those of a kind, or those of a name."""
        rng, losable = self.rng, sorted(self.words.losable)
        if not losable or rng.random() < 0.4:
            return {}
        names = [f"{kind}-{n}" for kind in self.stock.kinds for n in (1, 2)]
        which = rng.choice(({}, {"value": rng.choice(losable)}, {"effect": rng.choice(names)}))
        return {"key": TEXTS, **which}

    def _targets(self, lasting: bool) -> Data:
        chance = self.rng.random()
        if chance < 0.15:
            return {}
        return {"to": self.group()} if lasting or chance < 0.55 else {"choose": self._choose()}

    def _choose(self) -> Data:
        how: Data = self.rng.choice(
            ({}, {}, {"may": True}, {"up_to": True}, {"by": "opponent"}, {"by": "random"})
        )
        further = self._further(Choose, {"of", "n", "may", "up_to", "by"}, SELDOM)
        return {"of": self.group(), "n": self.rng.choice((1, 1, 1, 2, 3)), **how, **further}

    def _amount(self, do: str) -> int:
        printed = self.stock.amounts.get(do, [1])
        if self.rng.random() < PRINTED:
            return self.rng.choice(printed)
        least = min((abs(n) for n in printed if n), default=1)
        return self.rng.choice((1, 1, 1, 2, 2, 3, 5, 0, -1)) * least

    # -- what is spoken of -----------------------------------------------------------------------

    def group(self) -> Data:
        """Cards: those that a printed text speaks of, or any."""
        rng, groups = self.rng, self.stock.groups
        if groups and rng.random() < PRINTED:
            return dict(rng.choice(groups))
        made: Data = {}
        chance = rng.random()
        if chance < 0.45:
            made["zone"] = rng.choice(sorted(self.words.zones))
        elif chance < 0.75:
            further = {*FURTHER, AGAINST}.intersection(self.words.speaks)
            made["zone"] = rng.choice(sorted(ALWAYS | further))
        if rng.random() < 0.7:
            made["whose"] = rng.choice(("yours", "theirs"))
        if rng.random() < OFTEN:
            made["match"] = self.filter()
        return made | self._further(Group, {"zone", "whose", "match"}, SELDOM)

    def filter(self) -> Data:
        """A filter of one attribute, seldom of two."""
        rng = self.rng
        keys = rng.sample(sorted(self.words.attributes), 2 if rng.random() < SELDOM else 1)
        return {key: self._test(key) for key in keys}

    def _test(self, key: str) -> Any:
        rng, types, values = self.rng, self.words.attributes[key], self.stock.values[key]
        kind = rng.choice(types)
        if kind is bool:
            return rng.random() < 0.8
        value = rng.choice(values)
        if kind is int and "compared" in self.words.speaks and rng.random() < SELDOM:
            return f"{rng.choice(('<=', '>='))}{rng.choice(('this', 'it', 'cause', 'against'))}"
        if kind is int and isinstance(value, int):
            return f"{rng.choice(('<=', '>=', '<=', '>=', '<', '>', '!='))}{value}"
        one = str(value).split()[0] if key.endswith("-has") else str(value)
        several = rng.random() < SELDOM and not key.endswith("-has")
        return [one, str(rng.choice(values))] if several else one

    def _condition(self) -> Data:
        rng = self.rng
        made: Data = {}
        match rng.choice(("turn", "count", "count", "this", "it", "attacking", "")):
            case "turn":
                made["turn"] = rng.choice(("yours", "theirs"))
            case "count":
                made["count"] = self.group()
                made["least"] = rng.choice((0, 1, 1, 2, 3))
                made |= {"most": rng.choice((1, 3, 8))} if rng.random() < 0.3 else {}
            case "attacking":
                made["attacking"] = rng.choice(("player", "card"))
            case "":
                made |= self._further(Condition, {"unless", "count", "least", "most"}, 0.3)
            case key:
                made[key] = self.filter()
        if rng.random() < SELDOM:
            made["unless"] = True
        return made

    # -- whatever else there may be --------------------------------------------------------------

    def _further(self, cls: type[Struct], known: set[str], chance: float) -> Data:
        """Fields of a struct that are not among those known here."""
        out = (NEWER | SINGLY) - set(self.words.speaks) | known
        names = [field.name for field in stateable(cls, self.words) if field.name not in out]
        return {name: self._value(cls, name) for name in names if self.rng.random() < chance}

    def _value(self, cls: type[Struct], name: str) -> Any:
        """One of the words that may stand in a field, or several; or something of its type."""
        rng, hint = self.rng, _hints(cls)[name]
        (of,) = (field.of for field in fields_of(cls) if field.name == name)
        choices: Mapping[str, Collection[str] | None] = {
            "orient": [*self.stock.values.get("orient", ()), ""],
            "token": self.stock.tokens,
            "effect": list(self._effects),
            "zone": sorted(self.words.elsewhere),
        }
        known = literals(hint) or choices.get(of.kind or name, self.words.known(of.kind))
        if known is None:
            return self._of_type(hint)
        chosen = rng.choice(sorted(known) or [""])
        return [chosen] if get_origin(hint) is list else chosen

    def _counted(self) -> Data:
        """A number that is counted, one thing or another."""
        rng, words = self.rng, self.words
        made: Data
        match rng.choice(("cards", "cards", "figure", "different", "counter", "done", "noted")):
            case "figure" | "different" as what:
                made = {"of": self.group(), what: self._value(Amount, what)}
                made |= {"take": rng.choice(("sum", "most", "least"))} if what == "figure" else {}
            case "counter" if words.counters:
                made = {"counter": self._value(Amount, "counter")}
                made["whose"] = rng.choice(("yours", "theirs"))
            case "done":
                made = {"done": True}
            case "noted" if words.noted:
                made = {"noted": self._value(Amount, "noted")}
            case _:
                made = {"of": self.group()}
        if rng.random() < 0.3:
            made |= {"over": 2, "up": rng.random() < 0.5, "plus": rng.choice((-1, 0, 1))}
        return made

    def _of_type(self, hint: Any) -> Any:
        rng = self.rng
        kinds = [one for one in get_args(hint) if one is not type(None)]
        match hint:
            case _ if hint is Group or Group in kinds:
                return self.group()
            case _ if hint == Filter or Filter in kinds:
                return self.filter()
            case _ if hint is Choose or Choose in kinds:
                return self._choose()
            case _ if hint is Amount or Amount in kinds:
                return self._counted()
            case _ if hint is Like or Like in kinds:
                return {"key": rng.choice(sorted(self.words.attributes)), "of": self.group()}
            case _ if hint is Answers or Answers in kinds:
                return self._further(Answers, set(), OFTEN / 2)
            case _ if hint is Happened or Happened in kinds:
                occurrences = sorted(self.words.occurrences)
                more = {"about", "against"} if rng.random() < OFTEN else {"about"}
                return {"on": rng.choice(occurrences)} | {key: self.group() for key in sorted(more)}
            case _ if hint is bool or bool in kinds:
                return True
            case _ if get_origin(hint) is list and kinds == [int]:
                return rng.sample(range(1, 7), 3)
            case _ if hint is int:
                return rng.choice((1, 1, 1, 2, 2, 3))
            case _ if get_origin(hint) is list and kinds == [Condition]:
                return [self._condition()]
            case _:
                return rng.choice(self._any_word())

    def _any_word(self) -> list[str]:
        """Every word of the game, where nothing says which may stand."""
        words = self.words
        every = (words.zones, words.figures, words.keywords, words.acts, words.occurrences)
        return sorted({word for some in every for word in some} | PLAYERS)
