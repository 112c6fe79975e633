"""What a rulebook is, and the driver that runs one and resumes it.

A rulebook is steps: generators over a `Table` that follow the chapters of the book and say where
to go next (`go`). The driver starts the step that the position names, feeds it answers and chance,
and marks resting points: a suspended generator can't be stored, and need not be, because a game is
gone on with by folding to the last resting point, starting its step there and feeding it the
recorded inputs again.

The aggregate that keeps the record is in `match`; how a position is asked "why not?" is
`Rulebook.refusal`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from domain.effects.check import Words
from domain.engine import overtime
from domain.engine.table import Ask, Chance, Diverged, Over, Play, Table
from domain.officials.frame import MATCH_LOSS
from domain.record import events as ev
from domain.record.decisions import Act, Misfit, act_of, spread
from domain.record.events import CHANCE, Entry, Ref, Sealed, Value
from domain.record.manifest import Manifest
from domain.record.position import Position

#: Chance, as the driver calls for it: (kind, of) to an order or one outcome; nothing for the order
#: of real cards, which nobody knows.
Dice = Callable[[str, int], tuple[int, ...]]
#: A step of a rulebook.
Step = Callable[[Table], Play]


class Refusal(Struct, frozen=True):
    """Why something may not be done: the rules, narrowest first, and a sentence for people."""

    rules: tuple[str, ...]
    text: str
    fault: str = "ILLEGAL_ACT"


class Refused(Exception):
    """A command that the rules forbid; nothing changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


class DeckFault(Struct, frozen=True):
    """What is wrong with a deck list: the rule, the card it is about if one, a sentence."""

    rule: str
    card: str
    text: str


class Rule(Struct, frozen=True):
    """A row of a rule index, in our own words."""

    id: str
    kind: str
    gist: str
    witness: str


class Rulebook(Protocol):
    """A game. Everything else is written once for all of them."""

    manifest: Manifest
    #: by id, in the order of the book
    rules: Mapping[str, Rule]
    #: card id to the public facts about it: the game's own, to which matches may add (`known`)
    cards: Mapping[str, Any]
    #: what its card texts may name beside what all games share
    words: Words
    #: citations of adopted readings
    readings: Sequence[str]
    #: ready-made lists: name to part to card ids
    decks: Mapping[str, Mapping[str, Sequence[str]]]
    digests: Mapping[str, str]
    steps: Mapping[str, Step]
    #: the kinds of acts that a kind of decision can be answered with, legal or not; for kinds that
    #: are not listed, those on offer
    answers: Mapping[str, tuple[str, ...]]
    #: the kinds of acts that do nothing: an imported text may leave them out
    idle: frozenset[str]
    first_step: str
    #: the rules under which a match is opened and a deck is handed in
    opening_cites: tuple[str, ...]
    deck_cites: tuple[str, ...]
    #: an ordinary position, in the words of scenario files: what one does not name is taken from it
    board: str

    def known(self, prints: tuple[str, ...]) -> Mapping[str, Any]:
        """The cards of a match that brings these, as JSON; `ValueError` if one can't be used."""

    def admit(self, prints: tuple[str, ...]) -> None:
        """Make sure that a match may bring these cards; `ValueError` says why it may not."""

    def check_deck(
        self, deck: Mapping[str, Sequence[str]], prints: tuple[str, ...] = ()
    ) -> list[DeckFault]:
        """Everything wrong with a list of a match that brings these; empty if it may be played."""

    def refusal(
        self, t: Table, seat: int, act: Act, misfit: Misfit | None = None
    ) -> Refusal | None:
        """Why this seat may not do this now, or None if it may."""

    def wrong_seats(self, n: int) -> Refusal:
        """Why a match of `n` seats is not played."""

    def cites(self, t: Table, seat: int, act: Act) -> tuple[str, ...]:
        """The rules that allow a legal act, the narrowest first."""

    def interject(self, t: Table, seat: int, kind: str, about: Ref, picks: tuple[Ref, ...]) -> Play:
        """Carry out a standing act; whether the open decision must be asked anew after it.

        It may end the game (`Over`), ask, and call for chance. To ask anew is to start the step
        again from the position as it is by then, so the step must be one that comes round to the
        same question.
        """

    def ending(self, t: Table) -> Play:
        """What follows when a game is over: its result, the next game, the end of the match."""

    def refresh(self, t: Table) -> None:
        """Bring derived numbers up to date after somebody else has changed the table."""

    def beside(self, t: Table, seat: int, act: Act) -> Play:
        """Carry out a play against the rules, beside the open decision; `ValueError` if none is.

        The open decision is asked anew after it, as after `interject`.
        """

    def amend(self, t: Table) -> Play:
        """Do all that is due after an official has changed the table; it may end the game."""

    def control(self, t: Table, cards: Sequence[int], seat: int, *cites: str) -> None:
        """Let a seat control cards, which then lie where its cards lie.

        Raises `Refused` where nobody can get control of one of them.
        """

    def untenable(self, p: Position, act: Act) -> str:
        """Why no table can hold what would come of an act, whoever records it; empty if one can."""

    def standing(self, p: Position, seat: int) -> list[Act]:
        """The acts that stand open to a seat beside any decision."""

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        """What is wrong with a position between two moments; `quiet`: nothing is under way."""


def go(t: Table, step: str, *cites: str) -> None:
    """Enter a step; the driver starts it when the present one returns."""
    t.emit(ev.StepBegan(step), *cites)


def conclude(
    t: Table,
    won: tuple[str, ...],
    drawn: tuple[str, ...],
    match: tuple[str, ...],
    step: str,
    *next_: str,
) -> None:
    """Record the result of a game by who has lost; then the next game begins at a step, or none.

    A series goes on until somebody has won more than half of it, every game was played, or time was
    called. The rules are those for a game won, one that all lose, the end of the match, and the
    next game.
    """
    p = t.pos
    losers = sorted(p.lost)
    winner = -1 if len(losers) > 1 else p.rival(losers[0])
    why = "both" if winner < 0 else p.lost[losers[0]]
    whole = MATCH_LOSS in p.lost.values()  # an official has decided the match, whatever the score
    t.emit(ev.GameEnded(winner, why), *(drawn if winner < 0 else won))
    settled = whole or max(p.score) > p.heading.best_of // 2 or p.game >= p.heading.best_of
    if settled or p.called:
        ahead = [seat for seat, n in enumerate(p.score) if n > p.score[p.rival(seat)]]
        ahead = [winner] if whole else ahead
        by_time = () if settled else ("house:time",)
        t.emit(ev.MatchEnded(ahead[0] if ahead else -1, tuple(p.score)), *by_time, *match)
    else:
        go(t, step, "house:series", *next_)


def resting(line: Sequence[Entry]) -> int:
    """How many entries of an active line to fold before starting the step again."""
    for at in range(len(line) - 1, -1, -1):
        event = line[at].event
        if type(event) is ev.StepBegan:
            return at + 1
        if type(event) is ev.DecisionOpened and event.rest:
            return at
        if type(event) is ev.EngineChanged:  # what it leads to follows its frame
            return min(at + 2, len(line))
    return 0


def adopted(line: Sequence[Entry], rest: int) -> bool:
    """Whether that resting point is the adoption of an engine: the table is brought up to date."""
    if rest < 2 or type(line[rest - 2].event) is not ev.EngineChanged:
        return False
    asked = line[rest].event if rest < len(line) else None
    return not (type(asked) is ev.DecisionOpened and asked.rest)


class Driver:
    """Runs a rulebook on a table: from the step that its position names, to an open decision."""

    def __init__(self, rules: Rulebook, table: Table, dice: Dice) -> None:
        self.rules, self.table, self.dice = rules, table, dice
        self._flows: list[Play] = [self._steps()]  # the game, and standing acts going on beside it
        self._answers: dict[int, Act] = {}
        self._facts: Mapping[str, Value] = {}  # of the official's frame that is open
        self.done = False

    def start(self, anew: bool = False) -> None:
        """Run to the first open decision, or to the end of the record's tail and on.

        `anew`: from where an official had the open decision asked anew.
        """
        if anew:
            self._flows.append(self._amended())
        self._send(None)
        t = self.table
        while t.resuming:
            entry = t.tail[t.at]
            if not entry.input:
                raise Diverged(entry.seq, entry, None)
            self.take(t.input(entry.event, by=entry.by))

    def take(self, event: ev.AnyEvent) -> None:
        """Go on after an input that the table has folded."""
        self.table.carried = 0
        match event:
            case ev.DecisionMade(seat=seat, answer=answer, stated=stated):
                assert answer.value is not None
                renewed = stated.value.offer if stated.value is not None else None
                self._answers[seat] = act_of(renewed or self.table.offered[seat], answer.value)
                if self.table.pos.decision is None:
                    answers, self._answers = self._answers, {}
                    self._send(answers)
            case ev.Interjected(seat=seat, kind=kind, about=about, picks=picks, stated=stated):
                if stated.value is not None and stated.value.offer is not None:
                    act = spread(stated.value.offer, picks.value or ())
                    aside = self._beside(seat, act)
                else:
                    aside = self.rules.interject(self.table, seat, kind, about, picks.value or ())
                self._flows.append(aside)
                self._send(None)
            case ev.FrameOpened(facts=facts):  # an official's: what he does in it is just folded
                self._facts = facts
            case ev.FrameClosed():
                said, self._facts = self._facts, {}
                self._follow(said)
            case _:
                pass

    def _follow(self, facts: Mapping[str, Value]) -> None:
        """What an official's frame leads to, now that it is closed (see `officials.frame`)."""
        loser, narrower = facts.get("loses"), facts.get("rule")
        cites: tuple[str, ...] = (f"house:{facts['what']}", "house:official")
        cites = (str(narrower), *cites) if narrower else cites
        if isinstance(loser, int):
            self.table.emit(ev.SeatLost((loser,), str(facts["loss"])), *cites)
            self._restart(over=True)
            self._send(None)
        elif facts.get("decides"):
            overtime.decide(self.table, *cites)
            self._restart(over=True)
            self._send(None)
        elif facts.get("anew"):
            self._flows.append(self._amended())
            self._send(None)

    def _beside(self, seat: int, act: Act) -> Play:
        yield from self.rules.beside(self.table, seat, act)
        return True

    def _amended(self) -> Play:
        yield from self.rules.amend(self.table)
        return True

    def _steps(self, over: bool = False) -> Play:
        t, steps = self.table, self.rules.steps
        while True:
            try:
                if over:
                    over = False
                    raise Over
                while t.pos.step:
                    t.at_rest, t.carried, t.since = True, 0, 0
                    t.touched = True  # as for one that goes on from here and was not in memory
                    yield from steps[t.pos.step](t)
                return
            except Over:
                yield from self.rules.ending(t)

    def _send(self, value: Any) -> None:
        while True:
            try:
                wants = self._flows[-1].send(value)
            except Over:  # a standing act ended the game: the steps see to their own
                self._restart(over=True)
                value = None
                continue
            except StopIteration as end:
                self._flows.pop()
                if not self._flows:
                    self.done = True
                    return
                if not end.value and self.table.pos.decision is not None:
                    return  # the open decision waits as before
                self._restart()
                value = None
                continue
            if isinstance(wants, Ask):
                return
            value = self.chance(wants)

    def _restart(self, over: bool = False) -> None:
        for flow in reversed(self._flows):
            flow.close()
        self._flows = [self._steps(over)]
        self._answers = {}

    def chance(self, wants: Chance) -> tuple[int, ...]:
        """What chance says: from the record while resuming, else from the dice."""
        t = self.table
        result = () if t.resuming else self.dice(wants.kind, wants.of)
        drawn = t.input(
            ev.ChanceDrawn(wants.kind, wants.of, Sealed(wants.to, result)), *wants.cites, by=CHANCE
        )
        if isinstance(drawn, ev.ChanceDrawn) and drawn.result.value is not None:
            asked = (drawn.kind, drawn.of, drawn.result.to)
            if asked == (wants.kind, wants.of, wants.to):
                return drawn.result.value
        raise Diverged(t.pos.seq, None, None)
