"""Card texts in any game: whose they are, and carrying one out.

`Stock` is what follows from the prints of a match, `Stocks` finds it by position. `CardTerms` is
what the shared effect code asks of a game (`effects.select.Terms`, `effects.constant.Figures`), as
most games answer it: a game's own overrides what its book has otherwise. `meant` is the text that
an act uses, `perform` carries one out; what was named for it waits with the act (`by_clause`). When
an effect triggers, and which comes next, is in `triggers`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from domain.effects import lately
from domain.effects.catalogue import Catalogue, per_match
from domain.effects.constant.calculator import counting, numbers, numeric
from domain.effects.foresight.able import needs_target
from domain.effects.interpreter import Aims, aimed, carry_out, confirm, declared, name_targets
from domain.effects.language.vocabulary import Clause, Effect, Happened, conditions
from domain.effects.select import Exact, Running, Terms, attacking
from domain.engine.signals import Play, identified
from domain.engine.table import Table
from domain.record.decisions import Act
from domain.record.position import Card as Object
from domain.record.position import Modifier, Pending, Position, zone_of
from domain.record.schema.manifest import Manifest
from domain.record.values import Ref, Value

C = TypeVar("C", bound=Any)
S = TypeVar("S", bound="Stock[Any]")
#: An effect and its name, `ST01-004/deploy`.
Named = tuple[str, Effect]


class Stock(Generic[C]):
    """The cards that a match knows, and what is worked out from their prints.

    `unknown` is the print of a card that nobody has named. `steady` are the cards with a constant
    text. `heard` is what some text waits for, `waiting` the cards with such texts by what it is,
    `watched` what some card has a text about that befalls others, `remembered` what some text asks
    of the turn so far. `by_name` are the texts of all cards.
    """

    def __init__(self, cards: Mapping[str, C], unknown: C) -> None:
        self.cards, self.unknown = cards, unknown
        self.steady = frozenset(
            name
            for name, card in cards.items()
            if any(effect.kind == "constant" for effect in card.effects)
        )
        self.effects = lru_cache(maxsize=4096)(self._effects)
        self.working = lru_cache(maxsize=4096)(self._working)
        self.by_name: Mapping[str, Effect] = {
            f"{name}/{effect.name}": effect
            for name, card in cards.items()
            for effect in card.effects
        }
        texts = self.by_name.values()
        waiting: dict[str, set[str]] = {}
        for name, card in cards.items():
            for effect in card.effects:
                waiting.setdefault(effect.on, set()).add(name)
        self.heard = frozenset(waiting)
        self.waiting: Mapping[str, frozenset[str]] = {
            on: frozenset(found) for on, found in waiting.items()
        }
        self.watched = frozenset(effect.on for effect in texts if effect.about is not None)
        self.remembered = _remembered(self.by_name)

    def _effects(self, card: str) -> tuple[Named, ...]:
        """The effects printed on a card, each with its name."""
        found = self.cards.get(card, self.unknown)
        return tuple((f"{card}/{effect.name}", effect) for effect in found.effects)

    def _working(self, card: str, zone: str) -> tuple[Named, ...]:
        """Those of a card's effects that work in a zone; "" stands for the usual place."""
        return tuple(one for one in self.effects(card) if one[1].zone == zone)

    def named(self, card: str, kind: str) -> Iterator[str]:
        """The names of a card's effects of one kind."""
        return (name for name, effect in self.effects(card) if effect.kind == kind)


def _remembered(texts: Mapping[str, Effect]) -> lately.Asked:
    """What texts ask of the turn so far, by the occurrence."""
    found: dict[str, list[tuple[str, Happened]]] = {}
    for ref, effect in texts.items():
        for condition in conditions(effect):
            if condition.happened is not None:
                asks = (ref.partition("/")[0], condition.happened)
                found.setdefault(condition.happened.on, []).append(asks)
    return found


class Stocks(Generic[S, C]):
    """Finds the stock of a match: the game's own, or one with the cards that it brings.

    `stock` makes one of the cards there are.
    """

    def __init__(self, catalogue: Catalogue[C], stock: Callable[[Mapping[str, C]], S]) -> None:
        self._own = stock(catalogue.cards)
        self._brought = per_match(lambda prints: stock(catalogue.known(prints)))

    def __call__(self, p: Position) -> S:
        return self._brought(p.heading.prints) if p.heading.prints else self._own

    def facts(self, p: Position, number: int) -> C:
        """The printed values of a card; raises `NameRequired` if nobody has named it."""
        prints = p.heading.prints
        stock: Stock[C] = self._brought(prints) if prints else self._own
        found = stock.cards.get((p.cards.get(number) or p.departed[number]).id)
        if found is None:
            identified(p, (number,))
            return stock.unknown
        return found


#: The words of the shared effect code, behind each of which a game has a rule.
WORDS = (
    "may", "both", "choose", "choose from deck", "condition", "no target", "lost target",
    "arrange", "arrange in secret", "rest", "ready", "modify", "gain", "lose", "forbid", "allow",
    "move", "control", "impossible", "too few", "nothing asked", "already", "look", "discard",
    "random", "replaced", "replace which", "limit", "turn", "place", "take", "reveal", "roll",
    "later", "redirect", "defeat", "bind", "lend", "draw", "shuffle", "damage", "recover",
    "destroy", "deploy", "token",
)  # fmt: skip


def by_rule(rule: str, **narrower: str) -> dict[str, tuple[str, ...]]:
    """The rules behind the words of the shared effect code: one, but for words with a narrower."""
    return dict.fromkeys(WORDS, (rule,)) | {word: (more, rule) for word, more in narrower.items()}


#: What a text asks of a card, by the position, its number, the card as it lies, what is printed.
Asked = Callable[[Position, int, Object, Any], object]
#: What is asked in the same way in every game.
ASKED: Mapping[str, Asked] = {
    "orient": lambda p, number, card, print_: card.orient,
    "role": lambda p, number, card, print_: card.role,
    "token": lambda p, number, card, print_: card.token,
    "name-has": lambda p, number, card, print_: print_.name,
    "attacking": lambda p, number, card, print_: (
        p.attack is not None and p.attack.attacker == number
    ),
}


class CardTerms:
    """The answers to the shared effect code, for texts that work where cards are played to.

    `stock` finds the cards of a match. `zones` are the names that texts have for zones of the
    manifest; "" is the usual one, where cards are at work. Cited are the rules behind the `words`
    of the shared code, for constant texts (`constants`) and for each figure that is derived. What
    is `void_whole`, `targets_first`, `named`, `in_private` and `wide` is in `effects.select.Terms`.
    `keywords` stand for texts of their own: a text that is not printed is one of these, by its
    name. Texts of the kinds that are `still` there when they were lost do nothing later.
    `numbered` is in `effects.constant.texts.Figures`.
    `asked` are the attributes of cards that are neither figures in force nor printed as they are
    asked for; `facts` is what is printed on a card, where that is not what the stock has.
    """

    def __init__(
        self,
        manifest: Manifest,
        stock: Stocks[Any, Any],
        zones: Mapping[str, str],
        words: Mapping[str, tuple[str, ...]],
        figures: Mapping[str, str],
        *constants: str,
        void_whole: bool = False,
        targets_first: bool = False,
        keywords: Mapping[str, Effect] = MappingProxyType({}),
        still: Collection[str] = (),
        wide: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        named: Collection[str] = (),
        in_private: bool = False,
        asked: Mapping[str, Asked] = MappingProxyType({}),
        facts: Callable[[Position, int], Any] | None = None,
        numbered: Collection[str] = (),
    ) -> None:
        self.numbered = numbered
        self.asked: Mapping[str, Asked] = {**ASKED, **asked}
        self.facts = facts or stock.facts
        self.named = named
        self.in_private = in_private
        self.still = still
        self.words, self.figure_cites, self.constant_cites = words, figures, constants
        self.void_whole, self.targets_first = void_whole, targets_first
        self.apart: Collection[str] = manifest.apart
        self.wide = wide
        self._shared = frozenset(zone.name for zone in manifest.zones if zone.shared)
        self._stock, self._zones, self._usual = stock, zones, zones[""]
        self._keywords = keywords

    def attribute(self, p: Position, number: int, key: str) -> object:
        """What is `asked`, a figure in force, or else what is printed."""
        card, print_ = p.card(number), self.facts(p, number)
        ask = self.asked.get(key)
        if ask is not None:
            return ask(p, number, card, print_)
        return card.stats[key] if key in card.stats else getattr(print_, key, None)

    def hides(self, p: Position, number: int) -> bool:
        return False

    def targets(self, p: Position) -> Exact | None:
        return None

    def step(self, p: Position) -> str:
        return p.step

    def fighting(self, p: Position) -> Sequence[Ref]:
        return attacking(p)

    def attacked(self, p: Position) -> Ref | None:
        return p.attack.declared if p.attack is not None else None

    def place(self, zone: str, seat: int) -> str:
        zone = self._zones.get(zone, zone)
        return zone if zone in self._shared else f"{zone}/{seat}"

    def lying(self, p: Position, place: str) -> Sequence[int]:
        return p.zone(place)

    def held(self, p: Position, seat: int, counter: str) -> int:
        return p.counters(f"seat/{seat}", counter)

    def effect(self, p: Position, ref: str) -> Effect:
        found: Effect | None = self._stock(p).by_name.get(ref)
        return found if found is not None else self._keywords[ref.partition("/")[2]]

    def effects(self, p: Position, number: int) -> Sequence[Named]:
        texts: Sequence[Named] = self._stock(p).effects(p.card(number).id)
        return texts

    def workplaces(self, p: Position) -> Iterable[int]:
        """The cards of the usual zone, the turn player's first."""
        for seat in p.seats():
            yield from p.zones.get(self.place("", seat), ())
            if self._usual in self._shared:
                return

    def overlaps(self, p: Position, one: tuple[int, str], other: tuple[int, str]) -> bool:
        return one[1] == other[1]

    def acts_by(self, p: Position, source: Ref) -> tuple[str, ...]:
        return self.constant_cites

    def lapses_by(self, p: Position, sources: Iterable[Ref]) -> tuple[str, ...]:
        return self.constant_cites

    def leaning(self, p: Position) -> Iterable[int]:
        return self.workplaces(p)

    def at_work(self, card: Object) -> bool:
        """Whether the texts of a card of the usual zones may act, as it lies."""
        return True

    def may_act(self, p: Position) -> bool:
        """Whether something lasts, or a card of a zone that is `numbered` has such a text.

        One with riders may have been lent it.
        """
        if p.modifiers or not self.numbered:
            return True
        steady: Collection[str] = self._stock(p).steady
        return any(
            (card.attached or card.id in steady) and self.at_work(card)
            for zone in self.numbered
            for place in ([zone] if zone in self._shared else [f"{zone}/{n}" for n in p.seats()])
            for card in map(p.cards.__getitem__, p.zones.get(place, ()))
        )

    def figure_rule(self, p: Position, number: int, key: str, value: Value) -> str:
        return self.figure_cites.get(key) or self.constant_cites[0]

    def figures(self, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
        """The printed figures, with the modifiers in force."""
        among = counting(p)
        for number in self.workplaces(p):
            facts = self.facts(p, number)
            printed = {key: int(getattr(facts, key)) for key in self.figure_cites}
            yield number, in_force(self, p, number, printed, tuple(printed), among)

    def pause(self, t: Table, run: Running) -> Play:
        """In most games nothing is carried out until an effect is over."""
        return
        yield

    def arranger(self, p: Position, run: Running, owner: int) -> int:
        return owner

    def picks_replacement(self, p: Position, subject: Ref) -> int:
        return p.turn_seat

    def settle(self, t: Table) -> Play:
        yield from t.game.texts.settle(t)

    def unaffected(self, p: Position, number: int, by: Ref, do: str = "") -> bool:
        """In most games nothing is."""
        return False

    def permits(self, p: Position, run: Running, clause: Clause, number: int) -> bool:
        """Cards of the usual zone are handled there, and come to it in special ways."""
        if clause.do == "move":
            return self._zones.get(clause.place, clause.place) != self._usual
        return zone_of(p.cards[number].place) == self._usual


def in_force(
    terms: Terms,
    p: Position,
    number: int,
    printed: Mapping[str, int],
    always: Collection[str],
    among: Sequence[Modifier],
) -> Mapping[str, Value]:
    """The numbers of a card once modifiers (`among` these) have acted on what is printed.

    None is below 0. Those of `always` are listed also if they are 0.
    """
    acting = numeric(terms, p, number, among=among) if among else ()
    if not acting:
        return printed
    sums = numbers(printed, [modifier.change for modifier in acting])
    return {key: max(0, n) for key, n in sums.items() if n > 0 or key in always}


def meant(
    named: Iterable[Named],
    kind: str,
    act: Act,
    seat: int,
    rather: Callable[[Effect], bool] = lambda effect: True,
) -> Running | None:
    """The text of this kind that an act means, ready to be carried out; None: none.

    One that it does not name is the first of them, `rather` one that fits.
    """
    fitting = [one for one in named if one[1].kind == kind and act.effect in ("", one[0])]
    if not fitting or not isinstance(act.card, int):
        return None
    several = len(fitting) > 1
    ref, effect = next((one for one in fitting if several and rather(one[1])), fitting[0])
    return Running(0, ref, effect, act.card, seat, 0)


def running(terms: Terms, p: Position, act: Pending) -> Running:
    """An effect that waits, or was declared, as something that is carried out."""
    this = act.source if isinstance(act.source, int) else 0
    run = Running(act.id, act.effect, terms.effect(p, act.effect), this, act.seat, act.about)
    run.x = act.x
    return run


def perform(
    t: Table,
    terms: Terms,
    run: Running,
    *begins: str,
    done: str,
    void: str,
    declined: str = "",
    aims: Aims | None = None,
    used: Callable[[Table], None] | None = None,
) -> Play:
    """Carry out an effect that waits or was declared, by these rules, and record the result.

    Its player is asked where it says `may`, and `declined` is the rule if he does not. Targets that
    were not named when it was declared (`aims`) are named first, where the book says so
    (`Terms.targets_first`). `used` notes that it is activated, once its player wants it to be.
    """
    t.resolve(run.act, *dict.fromkeys((*begins, run.text)))
    run.began = t.moment
    if declined and run.effect.may and not (yield from confirm(t, terms, run)):
        t.end_act(run.act, "declined", declined, run.text)
        return
    if used is not None:
        used(t)
    clauses = run.effect.do or (yield from declared(t, terms, run))
    if terms.targets_first and (aims is None or not run.effect.do):
        aims = yield from name_targets(t, terms, run, clauses)
    lacking = terms.void_whole and not run.effect.do and needs_target(t, terms, run, clauses)
    worked = not lacking and (yield from carry_out(t, terms, run, clauses, aims))
    outcome, rule = ("resolved", done) if worked else ("void", void)
    t.end_act(run.act, outcome, rule, run.text)


# -- targets of an act that waits ------------------------------------------------------------------

#: Stands between the targets of one clause and those of the next: no card has this number.
BETWEEN = 0


def in_a_row(picks: Sequence[Sequence[Ref]]) -> tuple[Ref, ...]:
    """The targets named for several clauses, as the record has them."""
    found: list[Ref] = []
    for at, pick in enumerate(picks):
        found += [*([BETWEEN] if at else []), *pick]
    return tuple(found)


def by_clause(t: Table, terms: Terms, act: Pending, effect: Effect) -> Aims:
    """The targets of an act, back with the clauses they were named for."""
    groups: list[list[int]] = [[]]
    for ref in act.targets:
        if ref == BETWEEN:
            groups.append([])
        elif isinstance(ref, int):
            groups[-1].append(ref)
    clauses = aimed(t, terms, effect.do)
    groups += [[] for _ in clauses]  # an act against the rules may have named none
    return dict(zip(clauses, groups, strict=False))
