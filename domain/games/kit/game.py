"""A game, put together from what it declares: the base of every rulebook of this house.

A game hands in its manifest, what is played with (`Lists`), its acts and steps (`Flow`), what its
card texts mean (`CardTexts`), and the rules it cites where all games do the same (`Cites`). What
the engine asks of a rulebook (`engine.rulebook.Rulebook`) is answered here, once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from domain.effects.constant.silence import LOST, lost
from domain.effects.constant.texts import Figures, derive
from domain.effects.language.instruction import by_rules
from domain.effects.language.words import Words
from domain.effects.select import Texts
from domain.engine.rulebook import DeckFault, Refusal, Rulebook, Step
from domain.engine.series import between, conclude
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.choices.acts import Acts
from domain.games.kit.choices.legality import refuse
from domain.games.kit.effects.occurrences import Occurrences
from domain.games.kit.effects.triggers import Triggers
from domain.games.kit.flow.steps import Steps
from domain.games.kit.lists.decks import check_pool
from domain.record.decisions import Act, Misfit
from domain.record.position import Position
from domain.record.schema import citations
from domain.record.schema.citations import Rule
from domain.record.schema.listing import ListForm
from domain.record.schema.looks import Look
from domain.record.schema.manifest import Manifest
from domain.record.schema.policy import Policy
from domain.record.schema.tallies import SCORE, Tally
from domain.record.schema.worth import Worth
from domain.record.values import Ref, Value
from domain.words.phrases import phrase

Deck = Mapping[str, Sequence[str]]
Options = Mapping[str, Value]
#: No options.
NOTHING: Options = MappingProxyType({})


class Cards(Protocol):
    """A game's knowledge of its cards: `effects.catalogue.Catalogue` is one of these."""

    @property
    def cards(self) -> Mapping[str, Any]:
        """The game's own, by id."""

    @property
    def decks(self) -> Mapping[str, Deck]:
        """The ready-made lists, by name."""

    @property
    def digest(self) -> str:
        """SHA-256 of the card data, hex."""

    @property
    def card_type(self) -> type[Any]:
        """The printed values of a card."""

    def known(self, prints: tuple[str, ...]) -> Mapping[str, Any]:
        """The cards of a match that brings these."""

    def admit(self, prints: tuple[str, ...]) -> None:
        """Make sure that a match may bring these; `ValueError` says why it may not."""


class Cites(NamedTuple):
    """The rules for what every game does, the narrowest first.

    A match is opened, decks are handed in, so many play; a game is won, or lost by all; a match
    ends, or another game of it begins.
    """

    opening: tuple[str, ...]
    deck: tuple[str, ...]
    seats: tuple[str, ...]
    won: tuple[str, ...]
    drawn: tuple[str, ...]
    match: tuple[str, ...]
    next_game: tuple[str, ...]


def nothing_settled(options: Options) -> Policy:
    """The event settles the rest, for any opening of a match."""
    return Policy()


class Lists(NamedTuple):
    """What is played with: the cards, the words of their texts, what lists may be made of.

    `faults`: what is wrong with a deck, given the cards there are and the options of the match.
    `settled` is what a match with these options is settled by, if its event settles nothing;
    `ValueError` if they can't be meant. `forms`: how other programs keep lists. `random_deck` is
    one of these cards that any match may be played with, and its name.
    """

    cards: Cards
    words: Words
    faults: Callable[[Deck, Mapping[str, Any], Options], list[DeckFault]]
    settled: Callable[[Options], Policy] = nothing_settled
    forms: Sequence[ListForm] = ()
    random_deck: Callable[[Random, Mapping[str, Any]], tuple[str, Deck]] | None = None


class Flow(NamedTuple):
    """What may be done, and in which steps: the first one first, with those of the `turn`.

    `between` is the step that comes between two games of a series with such options, if any
    (`lists.side`). `before` notes what the open decision begins again with, when something else
    comes in between. With decisions of the kinds `acting` nothing is unfinished, though a step has
    come to them in its course (`Table.resting_point` marks others): their step, begun again, asks
    them again.
    """

    acts: Acts
    steps: Mapping[str, Step]
    turn: Steps | None = None
    between: Callable[[Options], str] = lambda options: ""
    before: Callable[[Table], None] | None = None
    acting: Collection[str] = ()


class CardTexts(NamedTuple):
    """What card texts mean, and what carrying them out comes back to in later chapters (`texts`).

    `occurrences`: what happens that they wait for. `touching`: after which events rules settle
    again, beside those that touch the cards of any game.
    """

    terms: Figures
    texts: Texts
    occurrences: Occurrences
    touching: Collection[type] = ()


def _asked(p: Position, kind: str) -> bool:
    """Whether the open decision is answered by acts of a kind."""
    offers = p.decision.offers.values() if p.decision is not None else ()
    return any(option.kind == kind for offer in offers if offer for option in offer.options)


class Game(Rulebook):
    """A game of this house: a `Rulebook`, and the words that its card texts may use (`words`).

    It is made of its parts; a game whose book has more to say of `control`, `refresh`, `untenable`,
    `disorder` or `undefinable` says it in a class of its own. `board` is an ordinary position for
    scenario files, `look` says how all is drawn, `situations` (TOML) says in what positions card
    texts are tried; `tallies` is what overlays show of each seat, beside the games won, `worth` is
    what players that look ahead aim at. A game without card texts has no `texts`.
    """

    def __init__(
        self,
        *,
        manifest: Manifest,
        rules: Mapping[str, Rule],
        board: str,
        look: Look = Look(),  # noqa: B008 (it is frozen)
        situations: str = "",
        cites: Cites,
        lists: Lists,
        flow: Flow,
        texts: CardTexts | None = None,
        tallies: Sequence[Tally] = (),
        worth: Worth | None = None,
    ) -> None:
        acts, cards, words = flow.acts, lists.cards, lists.words
        self.manifest = replace(
            manifest,
            acts=acts.words,
            passes=tuple(sorted(acts.passes)),
            answers=acts.by_rule,
            free=acts.free,
            composed=acts.composed,
        )
        self.rules, self.board, self.situations, self.look = rules, board, situations, look
        self.cards, self.decks, self.words = cards.cards, cards.decks, words
        self.digests: Mapping[str, str] = {
            "manifest": self.manifest.digest(),
            "rules": citations.digest(rules.values()),
            "cards": cards.digest,
        }
        self.tallies, self.worth = (*tallies, SCORE), worth
        self.list_forms, self.barrable = lists.forms, words.acts
        self.acts, self.answers, self.idle, self.passes = acts, acts.answers, acts.idle, acts.passes
        self.first_step, self.turn = next(iter(flow.steps)), flow.turn
        self.steps = {**flow.steps, **(flow.turn.run if flow.turn is not None else {})}
        self.opening_cites, self.deck_cites = cites.opening, cites.deck
        self._lists, self._flow, self._cites = lists, flow, cites
        self.terms: Figures | None = None
        self.texts: Texts | None = None
        self._triggers: Triggers | None = None
        if texts is not None:
            by_rules(words.instructions, texts.terms.words, self.manifest.words("attempts"))
            self.terms, self.texts, self.occurrences = texts.terms, texts.texts, texts.occurrences
            self.touching, self._triggers = texts.touching, texts.occurrences.triggers
            self.numbered = texts.terms.numbered

    # -- cards -------------------------------------------------------------------------------------

    @property
    def card_type(self) -> type[Any]:
        """The printed values of a card."""
        return self._lists.cards.card_type

    def known(self, prints: tuple[str, ...]) -> Mapping[str, Any]:
        return self._lists.cards.known(prints)

    def admit(self, prints: tuple[str, ...]) -> None:
        self._lists.cards.admit(prints)

    def settle(self, options: Options) -> Policy:
        check_pool(options)
        return self._lists.settled(options)

    def check_deck(
        self, deck: Deck, prints: tuple[str, ...] = (), options: Options = NOTHING
    ) -> list[DeckFault]:
        found, cited = self._lists.faults(deck, self.known(prints), options), self.manifest.cited
        return [replace(one, rule=cited((one.rule,))[0]) for one in found]

    def random_deck(self, rng: Random) -> tuple[str, Deck] | None:
        """A deck of the game's cards at random, and its name; None if the game draws none."""
        draw = self._lists.random_deck
        return draw(rng, self.cards) if draw is not None else None

    def wrong_seats(self, n: int) -> Refusal:
        text = "two players play, not {n}"
        return self.renumbered(refuse(text, *self._cites.seats, fault="WRONG_SEATS", n=n))

    # -- acts --------------------------------------------------------------------------------------

    def renumbered(self, refusal: Refusal) -> Refusal:
        """A refusal with its rules as this edition of the book numbers them."""
        if self.manifest.numbers is None:
            return refusal
        return replace(refusal, rules=self.manifest.cited(refusal.rules))

    def refusal(
        self, t: Table, seat: int, act: Act, misfit: Misfit | None = None
    ) -> Refusal | None:
        found = self.acts.refusal(t, seat, act, misfit)
        return self.renumbered(found) if found is not None else None

    def misfit(self, t: Table, seat: int, act: Act) -> Misfit | None:
        return self.acts.misfit(t, seat, act)

    def cites(self, t: Table, seat: int, act: Act) -> tuple[str, ...]:
        return self.acts.cites(t, seat, act)

    def open_acts(self, p: Position, seat: int) -> list[Act]:
        return self.acts.open_acts(p, seat)

    def interject(self, t: Table, seat: int, kind: str, about: Ref, picks: tuple[Ref, ...]) -> Play:
        return (yield from self.acts.carry_out(t, seat, Act(kind, about, (picks,))))

    def whole(self, t: Table, seat: int, act: Act) -> Act:
        return self.acts.whole(t, seat, act)

    def play_anyway(self, t: Table, seat: int, act: Act) -> Play:
        self._hold(t)
        yield from self.acts.play_anyway(t, seat, act)
        yield from self._follow_up(t)

    # -- what officials bring about ----------------------------------------------------------------

    def between_acts(self, p: Position) -> bool:
        return p.decision is not None and (p.decision.rest or p.decision.kind in self._flow.acting)

    def _hold(self, t: Table) -> None:
        if self._flow.before is not None:
            self._flow.before(t)

    def amend(self, t: Table) -> Play:
        self._hold(t)
        t.due.touched = t.due.changed = t.due.numbers = True
        self.refresh(t)
        yield from self._follow_up(t)

    def refresh(self, t: Table) -> None:
        if self.terms is not None:
            derive(t, self.terms)

    def untenable(self, p: Position, act: Act) -> str:
        if between(p) and not _asked(p, act.kind):
            return phrase("the game has ended, and the next has not begun")
        return ""

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        if not quiet or self.terms is None:
            return
        for number in self.terms.workplaces(p):
            recorded, now = p.cards[number].stats.get(LOST, ""), lost(self.terms, p, number)
            if recorded != now:
                yield f"card {number} has lost {recorded or 'nothing'} for {now or 'nothing'}"

    # -- the end -----------------------------------------------------------------------------------

    def ending(self, t: Table) -> Play:
        cites, then = self._cites, self._flow.between(t.pos.heading.options) or self.first_step
        yield from conclude(t, cites.won, cites.drawn, cites.match, then, *cites.next_game)

    def _follow_up(self, t: Table) -> Play:
        if self._triggers is not None and not between(t.pos):  # the table of a game that has ended
            yield from self._triggers.follow_up(t)
