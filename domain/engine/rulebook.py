"""What the engine asks of a game (`Rulebook`), and how it refuses.

A rulebook is steps: generators over a `Table` that follow the chapters of the book and say where
to go next (`go`). What runs them is in `driver`, how a game of a series ends in `series`. How a
position is asked "why not?" is `Rulebook.refusal`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.decisions import Act, Misfit
from domain.record.entries import AnyEvent, Entry
from domain.record.position import Position
from domain.record.schema.citations import Rule
from domain.record.schema.listing import ListForm
from domain.record.schema.looks import Look
from domain.record.schema.manifest import Manifest
from domain.record.schema.policy import Policy
from domain.record.schema.tallies import Tally
from domain.record.values import Ref, Value
from domain.words.phrases import Phrase, phrase

#: Chance, as the driver calls for it: (kind, of) to an order or one outcome; nothing for the order
#: of real cards, which nobody knows.
Dice = Callable[[str, int], tuple[int, ...]]
#: A step of a rulebook.
Step = Callable[[Table], Play]
#: The options that say how a record came about: chance was seeded, a transcript recorded again (in
#: which mode it was recorded first). All others are the game's, but for one that is every game's:
#: decks were built from pools, and their main parts have so many cards at least.
SEEDED, IMPORTED, POOL = "seeded", "imported", "pool"


class Refusal(Struct, frozen=True):
    """Why something may not be done: the rules, narrowest first, and a sentence for people.

    The sentence keeps its places (`{price}`) apart from the values that go there: most refusals are
    never read, only that there is one. `wrong_card`: nobody who knows the game would do the act
    with such a card, or with one that lies there.
    """

    rules: tuple[str, ...]
    sentence: str
    fault: str = "ILLEGAL_ACT"
    values: tuple[tuple[str, object], ...] = ()
    wrong_card: bool = False

    @property
    def text(self) -> Phrase:
        """The text for people."""
        return phrase(self.sentence, **dict(self.values))

    def of_wrong_card(self) -> Refusal:
        """The same, of an act that is not done with such a card, or not from where it lies."""
        return replace(self, wrong_card=True)


def refuse(text: str, *rules: str, fault: str = "ILLEGAL_ACT", **values: object) -> Refusal:
    """A refusal: a sentence, into which values go by name, and its rules, the narrowest first."""
    return Refusal(rules, text, fault, tuple(values.items()))


class Refused(Exception):
    """A command that the rules forbid; nothing changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


class DeckFault(Struct, frozen=True):
    """A fault of a deck list: the rule, the card it is about if one, a sentence.

    `part`: the part that is of the wrong size, if it is about that; `copies`: it is about how many
    there are of a card.
    """

    rule: str
    card: str
    text: Phrase
    part: str = ""
    copies: bool = False


class Occurs(Protocol):
    """The occurrences that entries mean, for texts that wait for them."""

    #: the events it is to be shown, once they are folded
    events: frozenset[type[AnyEvent]]

    def note(self, t: Table, entry: Entry) -> None:
        """Keep in mind (`Running.noted`) what such an entry means."""

    def set_off(self, t: Table, order: Sequence[int] = ()) -> None:
        """Let what was noted set off the texts that wait for it."""


class Rulebook(ABC):
    """A game, as the engine asks it; `games.kit.game.Game` is the one that all games of ours are.

    What most games have nothing to say about is answered here.
    """

    manifest: Manifest
    #: by id, in the order of the book, and after them the adopted readings
    rules: Mapping[str, Rule]
    #: card id to the public facts about it: the game's own, to which matches may add (`known`)
    cards: Mapping[str, Any]
    #: ready-made lists: name to part to card ids
    decks: Mapping[str, Mapping[str, Sequence[str]]]
    #: the forms in which other programs keep lists
    list_forms: Sequence[ListForm] = ()
    #: what overlays show of each seat
    tallies: Sequence[Tally]
    digests: Mapping[str, str]
    #: of earlier data, by the same names, from which the present ones have only grown
    earlier: Mapping[str, Collection[str]] = {}
    steps: Mapping[str, Step]
    #: the kinds of acts that a kind of decision can be answered with, legal or not; for kinds that
    #: are not listed, those on offer
    answers: Mapping[str, tuple[str, ...]]
    #: the kinds of acts that do nothing: an imported text may leave them out
    idle: frozenset[str]
    #: those among them that let a chance to act go by: what an auto-pass gives
    passes: frozenset[str]
    first_step: str
    #: what occurs that texts wait for; None where there are no such texts
    occurrences: Occurs | None = None
    #: events after which its rules settle anew, beside those that touch the cards of any game
    touching: Collection[type] = ()
    #: in which zones cards lie whose numbers are derived; none: anywhere
    numbered: Collection[str] = ()
    #: what texts may forbid cards to do, or allow them
    barrable: Collection[str]
    #: what comes of effects that were scheduled for it (`Table.come_due`)
    schedules: Collection[str] = ()
    #: the rules under which a match is opened and a deck is handed in
    opening_cites: tuple[str, ...]
    deck_cites: tuple[str, ...]
    #: how its table and cards are drawn
    look: Look = Look()
    #: an ordinary position, in the words of scenario files: what one does not name is taken from it
    board: str

    def has_grown_from(self, digests: Mapping[str, str]) -> bool:
        """Whether data with these digests are those at hand, or are all in them."""
        return digests.keys() == self.digests.keys() and all(
            one in (self.digests[name], *self.earlier.get(name, ()))
            for name, one in digests.items()
        )

    # -- cards -------------------------------------------------------------------------------------

    @abstractmethod
    def known(self, prints: tuple[str, ...]) -> Mapping[str, Any]:
        """The cards of a match that brings these, as JSON; `ValueError` if one can't be used."""

    @abstractmethod
    def admit(self, prints: tuple[str, ...]) -> None:
        """Make sure that a match may bring these cards; `ValueError` says why it may not."""

    @abstractmethod
    def settle(self, options: Mapping[str, Value]) -> Policy:
        """What a match with these options is settled by, if its event settles nothing.

        `ValueError` says why it can't be opened with them.
        """

    @abstractmethod
    def check_deck(
        self,
        deck: Mapping[str, Sequence[str]],
        prints: tuple[str, ...] = (),
        options: Mapping[str, Value] = {},
    ) -> list[DeckFault]:
        """Everything wrong with a list of a match that brings these; empty if it may be played."""

    @abstractmethod
    def wrong_seats(self, n: int) -> Refusal:
        """Why a match of `n` seats is not played."""

    # -- acts --------------------------------------------------------------------------------------

    @abstractmethod
    def refusal(
        self, t: Table, seat: int, act: Act, misfit: Misfit | None = None
    ) -> Refusal | None:
        """Why this seat may not do this now, or None if it may."""

    @abstractmethod
    def misfit(self, t: Table, seat: int, act: Act) -> Misfit | None:
        """What is wrong with the picks of an act that is legal as such; None: nothing is known."""

    @abstractmethod
    def cites(self, t: Table, seat: int, act: Act) -> tuple[str, ...]:
        """The rules that allow a legal act, the narrowest first."""

    @abstractmethod
    def open_acts(self, p: Position, seat: int) -> list[Act]:
        """The acts that stand open to a seat beside any decision."""

    @abstractmethod
    def interject(self, t: Table, seat: int, kind: str, about: Ref, picks: tuple[Ref, ...]) -> Play:
        """Carry out an open act; whether the open decision must be asked anew after it.

        It may end the game (`Over`), ask, and call for chance. To ask anew is to start the step
        again from the position as it is by then, so the step must be one that comes round to the
        same question.
        """

    @abstractmethod
    def whole(self, t: Table, seat: int, act: Act) -> Act:
        """An act against the rules, with nothing picked for the parts that it leaves out."""

    @abstractmethod
    def play_anyway(self, t: Table, seat: int, act: Act) -> Play:
        """Carry out a play against the rules, beside the open decision; `ValueError` if none is.

        The open decision is asked anew after it, as after `interject`.
        """

    # -- what officials bring about ----------------------------------------------------------------

    @abstractmethod
    def between_acts(self, p: Position) -> bool:
        """Whether nothing is unfinished, so that what is open is asked anew by its step.

        That goes for every decision at rest (`Table.resting_point`), and for others that `amend`
        notes enough about.
        """

    @abstractmethod
    def amend(self, t: Table) -> Play:
        """Do all that is due after an official has changed the table; it may end the game."""

    @abstractmethod
    def refresh(self, t: Table) -> None:
        """Bring derived numbers up to date after somebody else has changed the table."""

    def control(self, t: Table, cards: Sequence[int], seat: int, *cites: str) -> None:
        """Let a seat control cards, which then lie where its cards lie.

        Raises `Refused` where nobody can get control of one of them.
        """
        t.control(cards, seat, *cites)

    def undefinable(self, figures: Mapping[str, Value]) -> Iterable[Phrase]:
        """What is wrong with figures that a card is to have while it lies face down."""
        return (phrase("no card counts as something else in this game"),)

    def untenable(self, p: Position, act: Act) -> str:
        """Why no table can hold what would come of an act, whoever records it; empty if one can."""
        return ""

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        """What is wrong with a position between two moments; `quiet`: nothing is under way."""
        return iter(())

    # -- the end -----------------------------------------------------------------------------------

    @abstractmethod
    def ending(self, t: Table) -> Play:
        """What follows when a game is over: its result, the next game, the end of the match."""


def go(t: Table, step: str, *cites: str) -> None:
    """Enter a step; the driver starts it when the present one returns."""
    t.emit(ev.StepBegan(step), *cites)
