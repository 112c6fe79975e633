"""One match with made-up cards, and the checks after each moment of it.

Bots play, tidy, declare texts and try illegal acts; in some matches an official acts too. Some are
played at a real table: either following a dealt match, where the public records must be equal, or
on their own, with cards named at random. The first failed check ends the match with `Wrong`; any
other exception is a failure as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from msgspec import Struct

from domain.engine.checks.invariants import Watch
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match, Opening, Refused, Stale
from domain.engine.naming import Inputs, Misstated
from domain.engine.signals import NameRequired, RollRequired
from domain.games.kit.game import Game
from domain.officials import clocks
from domain.officials.frame import Official
from domain.record.decisions import TEXT, Act, Offer, Option, Part
from domain.record.entries import Entry, active, name_of
from domain.record.events import DecisionOpened, StepBegan
from domain.record.interventions import Rewound
from domain.record.position import Position, decoded
from domain.record.schema.citations import known, texts
from domain.record.schema.wording import faults as undeclared
from domain.record.values import Ref
from replay_cli.playing.bots import Bot, seeded_dice
from replay_cli.playing.fuzz.cards import MadeUp, stock
from replay_cli.playing.fuzz.officials import RandomOfficial
from replay_cli.playing.fuzz.tables import (
    RandomScorekeeper,
    Scorekeeper,
    at_table,
    names_in,
    public,
)
from replay_cli.playing.fuzz.texts import Writer

#: When such matches are opened (ms since 1970), and how many entries a command may lead to.
OPENED, MOST_ENTRIES = 1_700_000_000_000, 20_000
#: How often, of all that is done: something declared, another open act, something forbidden, an
#: official; how often a match is taken up again from its record.
DECLARED, OPEN_ACT, FORBIDDEN, OFFICIATED, RESUMED = 0.05, 0.05, 0.04, 0.12, 0.02
#: How often what is declared does nothing, and what says so: then the same is asked again.
IDLY = 0.3
IDLE = '[{"do":"draw","when":[{"turn":"yours"},{"turn":"theirs"}]}]'
#: How likely an official does one thing more once the match is over.
AFTER_END = 0.7


class Wrong(Exception):
    """Something that must hold did not; `seq` is the entry that shows it, 0: the last."""

    def __init__(self, text: str, seq: int = 0) -> None:
        super().__init__(text)
        self.seq = seq


class LoggedCommand(Struct, frozen=True):
    """A command that a match was given after `at` entries; no act: an official's."""

    at: int
    seat: int
    how: str
    act: Act | None


class Endless(Exception):
    """A command that leads to more entries than any could."""


class Bounded(list[Entry]):
    """The entries that a command adds, `MOST_ENTRIES` at most."""

    def append(self, entry: Entry) -> None:
        if len(self) >= MOST_ENTRIES:
            raise Endless(f"{MOST_ENTRIES} entries, and no end")
        super().append(entry)


class TextBot(Bot):
    """A bot that declares made-up texts where it may declare any."""

    def __init__(self, rules: Game, seat: int, seed: str, invent: Callable[[], str]) -> None:
        super().__init__(rules.manifest, seat, seed)
        self._invent = invent

    def _picks(
        self, offer: Offer, option: Option, part: Part, pos: Position | None
    ) -> tuple[Ref, ...]:
        text = self._invent() if part.pool == TEXT else ""
        return (text,) if text else super()._picks(offer, option, part, pos)


class DealtMatch:
    """A dealt match, its record, the commands it was given, and the checks on it."""

    #: How often, of all that is done, a text is declared.
    declared = DECLARED

    def __init__(self, rules: Game, made: MadeUp, seed: str) -> None:
        self.rules, self.made, self.seed = rules, made, seed
        self.cards = rules.known(made.prints)
        self.rng = Random(f"{seed}/play")
        self.writer = Writer(stock(rules), self.rng)
        self.dice = seeded_dice(seed)
        self.log: list[Entry] = []
        self.commands: list[LoggedCommand] = []
        self.watch = Watch(rules)
        self.random_official: RandomOfficial | None = None
        seats = range(rules.manifest.seats)
        self.bots = [TextBot(rules, seat, seed, self._text) for seat in seats]
        self.match = Match.open(rules, self.opening(), self.dice)
        self.collect()

    def opening(self) -> Opening:
        """The terms of the match."""
        names = tuple(f"Bot {seat}" for seat in range(self.rules.manifest.seats))
        return Opening(names, self.made.decks, OPENED, prints=self.made.prints)

    def _text(self) -> str:
        """Clauses to be declared: a text that nobody objects to, or none."""
        decision = self.match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        offer = decision.offers[seat]
        option = offer.options[0] if offer is not None else Option("declare")

        def faults(text: str) -> Iterable[str]:
            act = option.act(((text,),))
            return [refused.text] if (refused := self.match.why_not(seat, act)) else []

        return self.writer.clauses(faults)

    # -- commands ----------------------------------------------------------------------------------

    def play(self, most: int) -> int:
        """Play so many decisions, or to the end; how many there were."""
        first = self.match.pos.decisions
        while self.match.pos.decisions - first < most:
            if not self.match.pos.over:
                self.step()
            elif self.random_official is not None and self.rng.random() < AFTER_END:
                self.let_official_act()  # who may take the end back
            else:
                break
        self.check_record()
        return self.match.pos.decisions - first

    def step(self) -> None:
        """Do one thing."""
        decision = self.match.pos.decision
        if decision is None:
            raise Wrong("no decision is open, and the match is not over")
        if self.match.pos.paused >= 0:
            self.go_on()
            return
        chance = self.rng.random()
        for share, logged in (
            (OFFICIATED if self.random_official is not None else 0, self.let_official_act),
            (self.declared, self.declare),
            (OPEN_ACT, self.interject_other),
            (FORBIDDEN, self.try_forbidden),
            (RESUMED, self.resume),
        ):
            if chance < share:
                logged()
                return
            chance -= share
        seat = decision.seats[0]
        offer = decision.offers[seat]
        if offer is None or not offer.options:
            raise Wrong(f"decision {decision.n} ({decision.kind}) offers nothing")
        self.choose(seat, self.bots[seat].choose(offer, self.match.pos))

    def go_on(self) -> None:
        """Have an official resume a match that was paused because of endless effects."""
        clocks.go_on(self.match, Official("judge", self.match.pos.time + 100, "because"))
        self.collect()

    def choose(self, seat: int, act: Act) -> None:
        """Answer the open decision."""
        decision = self.match.pos.decision
        assert decision is not None
        n, now = decision.n, self.match.pos.time + 100
        self.carry_out(
            seat,
            "choose",
            act,
            lambda match, inputs: match.choose(seat, n, act, now, inputs=inputs),
        )

    def interject(self, seat: int, act: Act) -> None:
        """Do what stands open beside the decision."""
        now, picks = self.match.pos.time + 100, act.picks[0] if act.picks else ()
        self.carry_out(
            seat, "interject", act,
            lambda match, inputs: match.interject(
                seat, act.kind, now, act.card, picks, inputs=inputs
            ),
        )  # fmt: skip

    def carry_out(
        self, seat: int, how: str, act: Act, command: Callable[[Match, Inputs], None]
    ) -> None:
        """Carry a command out; a text that turns out to be impossible is taken back."""
        self.commands.append(LoggedCommand(len(self.log), seat, how, act))
        try:
            command(self.match, Inputs())
        except Misstated as misstated:
            if misstated.__cause__ is not None:
                raise
            self._roll_back()
        except Refused as refused:
            raise Wrong(f"what is on offer is refused: {refused}") from refused
        self.collect()

    def collect(self) -> None:
        """Add what the match emitted to the record, and check the position."""
        entries, self.match.table.out = self.match.table.out, Bounded()
        self.log += entries
        self.watch.take(entries)
        self.check()

    def check(self) -> None:
        """Check the position; raises `Wrong`."""
        found = self.watch.look(self.match.pos)
        if found:
            raise Wrong("; ".join(found[:4]))

    # -- other commands ----------------------------------------------------------------------------

    def declare(self) -> None:
        """Have a seat declare what one of its cards does."""
        for seat in self.rng.sample([0, 1], 2):
            acts = [a for a in self.rules.open_acts(self.match.pos, seat) if a.kind == "declare"]
            if not acts:
                continue
            act = self.rng.choice(acts)
            card = act.card or self.rng.choice(list(self.match.pos.cards))

            def refused(text: str, seat: int = seat, card: Ref = card) -> Iterable[str]:
                attempt = Act("declare", card, ((text,),))
                refusal = self.rules.refusal(self.match.table, seat, attempt)
                return [refusal.text] if refusal is not None else []

            idle = self.rng.random() < IDLY
            text = IDLE if idle and not [*refused(IDLE)] else self.writer.clauses(refused)
            if text:
                before = self.asked()
                self.interject(seat, Act("declare", card, ((text,),)))
                after = self.asked()
                if text == IDLE and after[0] not in before:
                    raise Wrong(f"after nothing was declared {after[0]} for {before[0]}")
                return

    def asked(self) -> list[tuple[str, int]]:
        """The decisions asked since the step began, the last first: each with its frame."""
        found = []
        for entry in reversed(active(self.log)):
            match entry.event:
                case StepBegan():
                    break
                case DecisionOpened(kind=kind):
                    found.append((kind, entry.frame))
        within = self.match.pos.frame
        return [one for one in found if one[1] == within]

    def interject_other(self) -> None:
        """Do something that may be done at any decision, other than declaring or conceding."""
        seat = self.rng.randrange(2)
        acts = [
            a for a in self.rules.open_acts(self.match.pos, seat)
            if a.kind not in ("concede", "declare")
        ]  # fmt: skip
        if acts:
            act = self.rng.choice(acts)
            zone = self.match.pos.zone(str(act.card))
            picks = (tuple(self.rng.sample(zone, len(zone))),) if zone else ()
            act = Act(act.kind, act.card, picks)
            if self.rules.refusal(self.match.table, seat, act) is None:
                self.interject(seat, act)

    def try_forbidden(self) -> None:
        """Try something; most likely it is refused, and then it has changed nothing."""
        rng, p = self.rng, self.match.pos
        assert p.decision is not None
        refs: list[Ref] = [*p.cards, *p.zones, "seat/0", "seat/1", 0, 10_000]
        seat, kinds = rng.randrange(2), [word.name for word in self.rules.manifest.acts]
        picks = tuple(
            tuple(rng.choices(refs, k=rng.choice((0, 1, 1, 2)))) for _ in range(rng.randrange(3))
        )
        act = Act(rng.choice(kinds), rng.choice(refs), picks)
        before = p.encoded()
        self.commands.append(LoggedCommand(len(self.log), seat, "choose", act))
        expected = self.match.why_not(seat, act)
        try:
            self.match.choose(seat, p.decision.n, act, p.time + 100)
        except Misstated:
            self._roll_back()
        except Refused as refused:
            self.commands.pop()
            if expected is not None and expected.rules != refused.refusal.rules:
                raise Wrong(f"asked beforehand: {expected}; then: {refused.refusal}") from refused
            self.check_refusal(refused)
            if p.encoded() != before:
                raise Wrong(f"a refusal has changed the table: {refused}") from refused
        except (NameRequired, RollRequired, Stale):
            self._roll_back()
        self.collect()

    def _roll_back(self) -> None:
        """Drop the last command, and resume the match from its record."""
        self.commands.pop()
        self.match = self.resumed()

    def check_refusal(self, refused: Refused) -> None:
        """Check that a refusal cites rules that exist, and has added nothing."""
        book, cited = self.rules, refused.refusal.rules
        of_cards = texts(self.cards)
        unknown = [rule for rule in cited if not known(rule, book.rules, of_cards)]
        if unknown or not cited:
            raise Wrong(f"a refusal cites {unknown or 'nothing'}: {refused}") from refused
        if self.match.table.out:
            raise Wrong(f"a refusal has left entries: {refused}") from refused

    def let_official_act(self) -> None:
        """Have an official do something; the match may go back."""
        assert self.random_official is not None
        was = len(self.log)
        self.match = self.random_official.act(self.match, self.log)
        entries = self.log[was:]
        self.commands.append(LoggedCommand(was, -1, "official", None))
        if any(isinstance(entry.event, Rewound) for entry in entries):
            self.watch = Watch(self.rules)
            entries = active(self.log)
        self.watch.take(entries)
        self.match.table.out = Bounded()
        self.check()

    def resumed(self, log: list[Entry] | None = None) -> Match:
        """The match that a record stands at: this one's."""
        return Match.resume(self.rules, self.log if log is None else log, self.dice)

    def resume(self) -> None:
        """Resume the match from its record, and check that its position is the same."""
        found = self.resumed()
        if found.table.out:
            raise Wrong("a match that is taken up again adds to its record")
        if found.pos.encoded() != self.match.pos.encoded():
            raise Wrong("a match that is taken up again stands elsewhere")
        self.match = found
        self.collect()

    # -- the whole record --------------------------------------------------------------------------

    def check_record(self) -> None:
        """Check the whole record: verification, citations, words."""
        verdict = verify(self.log, self.rules)
        if verdict.kind != EXACT:
            raise Wrong(f"the record is {verdict.kind}: {verdict.reason}", verdict.seq)
        of_cards = texts(self.cards)
        cites = dict.fromkeys(cite for entry in self.log for cite in entry.cites)
        for cite in cites:
            if not known(cite, self.rules.rules, of_cards):
                raise Wrong(f"there is no {cite}")
        for entry in self.log:
            for fault in undeclared(self.rules.manifest, entry):
                raise Wrong(f"{name_of(entry.event)}: {fault}")
            if all(cite.startswith("card:") for cite in entry.cites):
                raise Wrong(f"{name_of(entry.event)} cites no rule")


class DeclaringMatch(DealtMatch):
    """A dealt match in which most of what is done is what players say that their cards do.

    So many more texts are carried out than in any other: none has to be drawn and played first.
    """

    declared = 0.6


class OfficiatedMatch(DealtMatch):
    """A dealt match in which an official acts, too."""

    def __init__(self, rules: Game, made: MadeUp, seed: str) -> None:
        super().__init__(rules, made, seed)
        self.random_official = RandomOfficial(self.rng, self.resumed)


class MirroredMatch(DealtMatch):
    """A dealt match whose commands are entered at a real table as well."""

    def __init__(self, rules: Game, made: MadeUp, seed: str) -> None:
        self.keeper: Scorekeeper | None = None
        super().__init__(rules, made, seed)
        self.keeper = Scorekeeper(at_table(rules, self.opening(), self.log))

    def carry_out(
        self, seat: int, how: str, act: Act, command: Callable[[Match, Inputs], None]
    ) -> None:
        before, was = decoded(self.match.pos.encoded()), len(self.log)
        super().carry_out(seat, how, act, command)
        entries = self.log[was:]
        if self.keeper is None or not entries:
            return
        entered = self.keeper.enter(command, entries, names_in(before, entries))
        for here, there in zip(public(entries), public(entered), strict=False):
            if here != there:
                raise Wrong(f"at a real table: {there} for {here}")
        if len(entered) != len(entries):
            raise Wrong(f"at a real table {len(entered)} entries for {len(entries)}")

    def go_on(self) -> None:
        super().go_on()
        assert self.keeper is not None
        match = self.keeper.match
        clocks.go_on(match, Official("judge", match.pos.time + 100, "because"))
        self.keeper.log += match.collect()

    def try_forbidden(self) -> None:
        """Nothing: a random act may be legal, and would have to be entered as well."""

    def check_record(self) -> None:
        super().check_record()
        assert self.keeper is not None
        verdict = verify(self.keeper.log, self.rules)
        if verdict.kind != EXACT:
            raise Wrong(f"at a real table the record is {verdict.kind}: {verdict.reason}")


class TableMatch(DealtMatch):
    """A match at a real table, whose cards are named at random."""

    def __init__(self, rules: Game, made: MadeUp, seed: str) -> None:
        self.keeper: RandomScorekeeper | None = None
        super().__init__(rules, made, seed)
        self.keeper = RandomScorekeeper(rules, self.opening(), self.rng, self._text)
        self.random_official = RandomOfficial(self.rng, self.resumed)
        self.match, self.log, self.watch = self.keeper.match, [], Watch(rules)
        self.match.table.out = Bounded(self.keeper.log)
        self.collect()

    def step(self) -> None:
        """Enter something, or have an official do something."""
        assert self.keeper is not None
        chance = self.rng.random()
        if self.match.pos.paused >= 0:
            self.go_on()
        elif chance < OFFICIATED:
            self.let_official_act()
        elif chance < OFFICIATED + RESUMED:
            self.resume()
        elif chance < OFFICIATED + RESUMED + DECLARED:
            self.declare()
        else:
            self.entered(self.keeper.enter)

    def interject(self, seat: int, act: Act) -> None:
        """Enter what stands open beside the decision; names may show that it may not be done."""
        assert self.keeper is not None
        keeper = self.keeper
        self.entered(lambda: keeper.interject(seat, act))

    def entered(self, enter: Callable[[], object]) -> None:
        """Have something entered, and check the result."""
        assert self.keeper is not None
        self.keeper.match, self.keeper.log = self.match, list(self.log)
        was = len(self.log)
        enter()
        self.match = self.keeper.match
        self.match.table.out = Bounded(self.keeper.log[was:])
        self.collect()


#: Kinds of matches, the commoner ones more than once.
KINDS: tuple[type[DealtMatch], ...] = (
    (DealtMatch,) * 4 + (DeclaringMatch,) * 5 + (OfficiatedMatch,) * 2 + (MirroredMatch, TableMatch)
)
