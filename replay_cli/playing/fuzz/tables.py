"""Scripted scorekeepers, who enter matches at real tables.

`Scorekeeper` follows a dealt match command by command. Asked which card is which (`NameRequired`),
he takes the answer from the dealt table: numbers are the same at both. So a match, or a scenario,
can be recorded twice and the two records compared. `RandomScorekeeper` enters acts at random, where
nobody has dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from random import Random

from msgspec.structs import replace

from domain.engine.match import Match, Opening, Refused
from domain.engine.naming import Inputs, remaining
from domain.engine.signals import NameRequired, Need, RollRequired
from domain.games.kit.game import Game
from domain.record.decisions import TEXT, Act, Offer, Option
from domain.record.entries import Entry
from domain.record.events import (
    CardsKnown,
    CardsMade,
    CardsMoved,
    CardsOrdered,
    ChanceDrawn,
    MatchOpened,
)
from domain.record.folding.fold import fold
from domain.record.position import NOBODY, UNKNOWN, Position, decoded, seat_of
from domain.record.values import CHANCE, EVERYONE, Sealed
from domain.record.views import PUBLIC, redact
from replay_cli.playing.bots import SOMETHING, Bot

#: How often something is entered before it is given up.
TRIES = 40
#: Carries a command out on a match, with what was seen.
Command = Callable[[Match, Inputs], None]
#: The card that must be named.
Name = Callable[[Need], str]


def no_dice(kind: str, of: int) -> tuple[int, ...]:
    """Nothing is drawn at a real table: chance falls there."""
    raise AssertionError("a real table draws nothing")


def at_table(rules: Game, opening: Opening, dealt: Iterable[Entry]) -> Match:
    """The match of an opening at a real table, where chance fell as in these entries."""
    return Match.open(rules, replace(opening, mode="table", rolls=rolls(dealt)), no_dice)


class Scorekeeper:
    """Records a match at a real table; `log` is the record, `asked` how many names it took."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.log: list[Entry] = match.collect()
        self.asked = 0

    def enter(self, command: Command, entries: Iterable[Entry], name: Name) -> list[Entry]:
        """Carry out a command that led to these entries where it was dealt; what it added here."""
        inputs = Inputs({}, rolls(entries), "Sam")
        while True:
            try:
                command(self.match, inputs)
            except NameRequired as unnamed:
                names = {need.number: name(need) for need in unnamed.needs}
                assert not names.keys() & inputs.names.keys(), "a name is asked for once"
                self.asked += len(names)
                inputs = replace(inputs, names={**inputs.names, **names})
                self.match = Match.resume(self.match.rules, self.log, no_dice)
            else:
                added = self.match.collect()
                self.log += added
                return added

    def refused(
        self, command: Command, name: Name, rules: Sequence[str], trusts: Collection[str] = ()
    ) -> None:
        """A refusal of the dealt match is refused here, by the same rules.

        What the rules of `trusts` refuse, or the texts, may hang on cards that nobody has named:
        where it is let pass, it is refused once they all are.
        """
        log, asked = list(self.log), self.asked
        try:
            self.enter(command, (), name)
        except Refused as refusal:
            assert tuple(rules) == refusal.refusal.rules  # noqa: PT017
            return
        assert rules[0] in trusts or rules[-1] in trusts, (
            f"refused by {rules} elsewhere, and done at a real table"
        )
        self.log, self.asked = log, asked
        cards = Match.resume(self.match.rules, log, no_dice).pos.cards.items()
        unnamed = [Need(number, card.place) for number, card in cards if not card.id]
        names = {need.number: name(need) for need in unnamed}
        try:
            command(Match.resume(self.match.rules, log, no_dice), Inputs(names, (), "Sam"))
        except Refused as refusal:
            assert tuple(rules) == refusal.refusal.rules  # noqa: PT017
        else:
            raise AssertionError(f"refused by {rules} elsewhere, and done with all cards named")
        finally:
            self.match = Match.resume(self.match.rules, log, no_dice)


def names_in(p: Position, entries: Iterable[Entry]) -> Name:
    """Names as a dealt table knows them, with these entries to come; fillers nobody knows."""
    known = {number: card.id for number, card in p.cards.items()}
    p = decoded(p.encoded())
    for entry in entries:
        fold(p, entry)
        if isinstance(entry.event, CardsKnown | CardsMade | CardsMoved | CardsOrdered):
            known |= {number: card.id for number, card in p.cards.items()}
    return lambda need: known[need.number] or UNKNOWN


def roll(rng: Random, required: RollRequired) -> tuple[int, ...]:
    """A random outcome of a required roll."""
    every = tuple(rng.sample(range(required.of), required.of))
    return every if required.kind == "order" else every[:1]


def rolls(entries: Iterable[Entry]) -> tuple[tuple[int, ...], ...]:
    """The outcomes of chance in these entries, but for shuffles, whose order nobody knows."""
    drawn = [entry.event for entry in entries if isinstance(entry.event, ChanceDrawn)]
    return tuple(one.result.value or () for one in drawn if one.kind != "shuffle")


def public(log: Sequence[Entry]) -> list[Entry]:
    """The public's view of a record, without the mode of its table."""
    seen = [redact(entry, PUBLIC) for entry in log]
    return [
        replace(one, event=replace(one.event, mode=""))
        if isinstance(one.event, MatchOpened)
        else one
        for one in seen
    ]


class RandomScorekeeper:
    """Enters random acts, and names cards at random.

    Which card it is, where one must be named, is drawn from what is left of the list; now and then
    nobody notes it. `invent` makes up the texts that are declared. `log` is the record.
    """

    def __init__(
        self, rules: Game, opening: Opening, rng: Random, invent: Callable[[], str] = str
    ) -> None:
        self.rng, self.invent = rng, invent
        self.match = at_table(rules, opening, [_chooser(rng)])
        self.log: list[Entry] = self.match.collect()

    def enter(self) -> None:
        """Enter some act; another one is tried where the rules refuse it."""
        for attempt in range(TRIES):
            act, names = self._act(last=attempt == TRIES - 1)
            if self._try(act, names):
                return
        raise AssertionError(f"nothing can be done at {self.match.pos.decision}")

    def _act(self, last: bool) -> tuple[Act, dict[int, str]]:
        """Some act and the names it takes; at `last` the one that is possible with any cards."""
        decision = self.match.pos.decision
        assert decision is not None
        seat, names = decision.seats[0], dict[int, str]()
        offer = decision.offers[seat]
        assert offer is not None
        option = offer.options[-1] if last else self.rng.choice(offer.options)
        if option.kind == "unknown" and isinstance(option.card, int):
            if not self.match.pos.cards[option.card].id:  # else an official has named it since
                place = self.match.pos.cards[option.card].place
                names[option.card] = self._name(Need(option.card, place), {})
            renewed, names = self._open_to(seat, names)
            bearing = [one for one in renewed.options if one.card == option.card]
            offer, option = renewed, self.rng.choice(bearing or list(renewed.options[-1:]))
            names = names if bearing else {}
        return self._complete(offer, option, last), names

    def _open_to(self, seat: int, names: dict[int, str]) -> tuple[Offer, dict[int, str]]:
        """The offer with these names, and with those of the cards that a text asks about."""
        while True:
            try:
                renewed = self.match.open_to(seat, names)
            except NameRequired as unnamed:
                for need in unnamed.needs:
                    names = names | {need.number: self._name(need, names)}
            else:
                assert renewed is not None
                return renewed, names

    def _complete(self, offer: Offer, option: Option, last: bool) -> Act:
        if any(part.pool == TEXT for part in option.parts):
            text = SOMETHING if last else self.invent()
            return Act(option.kind, option.card, ((text,),), option.effect)
        if self.rng.random() < 0.5:
            return option.act()  # every part as it may be left
        return Bot(self.match.rules.manifest, 0, self.rng.getrandbits(32)).complete(offer, option)

    def _try(self, act: Act, names: dict[int, str]) -> bool:
        decision = self.match.pos.decision
        assert decision is not None
        seat, n, now = decision.seats[0], decision.n, self.match.pos.time + 5
        return self._carry_out(
            lambda match, inputs: match.choose(seat, n, act, now, inputs=inputs), names
        )

    def interject(self, seat: int, act: Act) -> bool:
        """Do what stands open beside the decision; whether it is not refused."""
        now, picks = self.match.pos.time + 5, act.picks[0] if act.picks else ()
        return self._carry_out(
            lambda match, inputs: match.interject(
                seat, act.kind, now, act.card, picks, inputs=inputs
            ),
            {},
        )

    def _carry_out(self, command: Command, names: dict[int, str]) -> bool:
        """Carry out a command, with all the names and rolls that it takes."""
        rolls: tuple[tuple[int, ...], ...] = ()
        while True:
            try:
                command(self.match, Inputs(names, rolls, "Sam"))
            except NameRequired as unnamed:
                for need in unnamed.needs:
                    names = names | {need.number: self._name(need, names)}
                self._roll_back()
            except RollRequired as required:
                rolls = (*rolls, roll(self.rng, required))
                self._roll_back()
            except Refused:
                self._roll_back()
                return False
            else:
                self.log += self.match.collect()
                return True

    def _roll_back(self) -> None:
        self.match = Match.resume(self.match.rules, self.log, no_dice)

    def _name(self, need: Need, named: Mapping[int, str]) -> str:
        """Which card it may be, besides those that are `named` already."""
        card, seat = self.match.pos.cards.get(need.number), seat_of(need.place)
        owner = card.owner if card is not None else seat
        if card is None and self.rng.random() < (0.5 if seat == NOBODY else 0.1):
            owner = 1 - max(seat, 0)  # one that is still to come may be another's
        owner = max(owner, 0)
        left = remaining(self.match.pos, owner, need.number) - Counter(named.values())
        some = sorted(left.elements())
        return self.rng.choice(some) if some and self.rng.random() < 0.9 else UNKNOWN


def _chooser(rng: Random) -> Entry:
    """The roll that says who chooses who begins."""
    fell = ChanceDrawn("chooser", 2, Sealed(EVERYONE, (rng.randrange(2),)))
    return Entry(1, 0, 1, 0, CHANCE, (), fell)
