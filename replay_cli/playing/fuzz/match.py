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

from domain.engine.invariants import Watch
from domain.engine.match import Match, Opening, Refused, Stale
from domain.engine.naming import Inputs, Misstated
from domain.engine.signals import NameRequired, RollRequired
from domain.engine.verify import EXACT, verify
from domain.games.kit.game import Game
from domain.officials import clocks
from domain.officials.frame import Official
from domain.record.decisions import TEXT, Act, Offer, Option, Part
from domain.record.entries import Entry, active, name_of
from domain.record.interventions import Rewound
from domain.record.position import Position, decoded
from domain.record.schema.citations import known, texts
from domain.record.schema.wording import faults as undeclared
from domain.record.values import Ref
from replay_cli.playing.bots import Bot, seeded_dice
from replay_cli.playing.fuzz.cards import Made, stock
from replay_cli.playing.fuzz.officials import RandomOfficial
from replay_cli.playing.fuzz.tables import Keeper, Scorekeeper, at_table, names_in, public
from replay_cli.playing.fuzz.texts import Writer

#: When such matches are opened (ms since 1970), and how many entries a command may lead to.
OPENED, MANY = 1_700_000_000_000, 20_000
#: How often, of all that is done: something declared, another standing act, something forbidden, an
#: official; how often a match is taken up again from its record.
DECLARED, ASIDE, FORBIDDEN, OFFICIATED, RESUMED = 0.05, 0.05, 0.04, 0.12, 0.02


class Wrong(Exception):
    """Something that must hold did not; `seq` is the entry that shows it, 0: the last."""

    def __init__(self, text: str, seq: int = 0) -> None:
        super().__init__(text)
        self.seq = seq


class Deed(Struct, frozen=True):
    """Something that was done to a match, after so many entries; no act: by an official."""

    at: int
    seat: int
    how: str
    act: Act | None


class Endless(Exception):
    """A command that leads to more entries than any could."""


class Bounded(list[Entry]):
    """The entries that a command adds, up to so many."""

    def append(self, entry: Entry) -> None:
        if len(self) >= MANY:
            raise Endless(f"{MANY} entries, and no end")
        super().append(entry)


class Hand(Bot):
    """A bot that declares made-up texts where it may declare any."""

    def __init__(self, rules: Game, seat: int, seed: str, invent: Callable[[], str]) -> None:
        super().__init__(rules.manifest, seat, seed)
        self._invent = invent

    def _picks(
        self, offer: Offer, option: Option, part: Part, pos: Position | None
    ) -> tuple[Ref, ...]:
        said = self._invent() if part.pool == TEXT else ""
        return (said,) if said else super()._picks(offer, option, part, pos)


class Play:
    """A dealt match, its record, what was done in it, and who watches it."""

    def __init__(self, rules: Game, made: Made, seed: str) -> None:
        self.rules, self.made, self.seed = rules, made, seed
        self.cards = rules.known(made.prints)
        self.rng = Random(f"{seed}/play")
        self.writer = Writer(stock(rules), self.rng)
        self.dice = seeded_dice(seed)
        self.log: list[Entry] = []
        self.deeds: list[Deed] = []
        self.watch = Watch(rules)
        self.random_official: RandomOfficial | None = None
        seats = range(rules.manifest.seats)
        self.hands = [Hand(rules, seat, seed, self._text) for seat in seats]
        self.match = Match.open(rules, self.opening(), self.dice)
        self.taken()

    def opening(self) -> Opening:
        """What the match is opened with."""
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
            act = Act(option.kind, option.card, ((text,),), option.effect)
            return [refused.text] if (refused := self.match.why_not(seat, act)) else []

        return self.writer.clauses(faults)

    # -- going on ----------------------------------------------------------------------------------

    def go(self, most: int) -> int:
        """Play so many decisions, or to the end; how many there were."""
        first = self.match.pos.decisions
        while not self.match.pos.over and self.match.pos.decisions - first < most:
            self.step()
        self.finish()
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
        for share, deed in (
            (OFFICIATED if self.random_official is not None else 0, self.official),
            (DECLARED, self.declare),
            (ASIDE, self.aside),
            (FORBIDDEN, self.forbidden),
            (RESUMED, self.take_up),
        ):
            if chance < share:
                deed()
                return
            chance -= share
        seat = decision.seats[0]
        offer = decision.offers[seat]
        if offer is None or not offer.options:
            raise Wrong(f"decision {decision.n} ({decision.kind}) offers nothing")
        self.choose(seat, self.hands[seat].choose(offer, self.match.pos))

    def go_on(self) -> None:
        """Have an official let a match go on that cards without end have brought to a stand."""
        clocks.go_on(self.match, Official("judge", self.match.pos.time + 100, "because"))
        self.taken()

    def choose(self, seat: int, act: Act) -> None:
        """Answer the open decision."""
        decision = self.match.pos.decision
        assert decision is not None
        n, now = decision.n, self.match.pos.time + 100
        self.put(
            seat,
            "choose",
            act,
            lambda match, inputs: match.choose(seat, n, act, now, inputs=inputs),
        )

    def interject(self, seat: int, act: Act) -> None:
        """Do what stands open beside the decision."""
        now, picks = self.match.pos.time + 100, act.picks[0] if act.picks else ()
        self.put(
            seat, "interject", act,
            lambda match, inputs: match.interject(
                seat, act.kind, now, act.card, picks, inputs=inputs
            ),
        )  # fmt: skip

    def put(self, seat: int, how: str, act: Act, command: Callable[[Match, Inputs], None]) -> None:
        """Carry a command out; a text that turns out to be impossible is taken back."""
        self.deeds.append(Deed(len(self.log), seat, how, act))
        try:
            command(self.match, Inputs())
        except Misstated as misstated:
            if misstated.__cause__ is not None:
                raise
            self._back()
        except Refused as refused:
            raise Wrong(f"what is on offer is refused: {refused}") from refused
        self.taken()

    def taken(self) -> None:
        """Take what was added to the record, and look at the table it left."""
        entries, self.match.table.out = self.match.table.out, Bounded()
        self.log += entries
        self.watch.take(entries)
        self.look()

    def look(self) -> None:
        """Whether all is sound."""
        found = self.watch.look(self.match.pos)
        if found:
            raise Wrong("; ".join(found[:4]))

    # -- whatever else -----------------------------------------------------------------------------

    def declare(self) -> None:
        """Have a seat declare what one of its cards does."""
        for seat in self.rng.sample([0, 1], 2):
            acts = [a for a in self.rules.standing(self.match.pos, seat) if a.kind == "declare"]
            if not acts:
                continue
            act = self.rng.choice(acts)
            card = act.card or self.rng.choice(list(self.match.pos.cards))

            def refused(text: str, seat: int = seat, card: Ref = card) -> Iterable[str]:
                said = Act("declare", card, ((text,),))
                refusal = self.rules.refusal(self.match.table, seat, said)
                return [refusal.text] if refusal is not None else []

            text = self.writer.clauses(refused)
            if text:
                self.interject(seat, Act("declare", card, ((text,),)))
                return

    def aside(self) -> None:
        """Do something else that stands open beside any decision, but for giving up."""
        seat = self.rng.randrange(2)
        acts = [
            a for a in self.rules.standing(self.match.pos, seat)
            if a.kind not in ("concede", "declare")
        ]  # fmt: skip
        if acts:
            act = self.rng.choice(acts)
            zone = self.match.pos.zone(str(act.card))
            picks = (tuple(self.rng.sample(zone, len(zone))),) if zone else ()
            act = Act(act.kind, act.card, picks)
            if self.rules.refusal(self.match.table, seat, act) is None:
                self.interject(seat, act)

    def forbidden(self) -> None:
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
        self.deeds.append(Deed(len(self.log), seat, "choose", act))
        expected = self.match.why_not(seat, act)
        try:
            self.match.choose(seat, p.decision.n, act, p.time + 100)
        except Misstated:
            self._back()
        except Refused as refused:
            self.deeds.pop()
            if expected is not None and expected.rules != refused.refusal.rules:
                raise Wrong(f"asked beforehand: {expected}; then: {refused.refusal}") from refused
            self.silent(refused)
            if p.encoded() != before:
                raise Wrong(f"a refusal has changed the table: {refused}") from refused
        except (NameRequired, RollRequired, Stale):
            self._back()
        self.taken()

    def _back(self) -> None:
        """Forget what was tried: the match in memory is of no use any more."""
        self.deeds.pop()
        self.match = self.resumed()

    def silent(self, refused: Refused) -> None:
        """Whether a refusal names rules that there are, and has added nothing."""
        book, cited = self.rules, refused.refusal.rules
        of_cards = texts(self.cards)
        unknown = [rule for rule in cited if not known(rule, book.rules, of_cards, book.readings)]
        if unknown or not cited:
            raise Wrong(f"a refusal cites {unknown or 'nothing'}: {refused}") from refused
        if self.match.table.out:
            raise Wrong(f"a refusal has left entries: {refused}") from refused

    def official(self) -> None:
        """Have an official do something; the match may go back."""
        assert self.random_official is not None
        was = len(self.log)
        self.match = self.random_official.act(self.match, self.log)
        entries = self.log[was:]
        self.deeds.append(Deed(was, -1, "official", None))
        if any(isinstance(entry.event, Rewound) for entry in entries):
            self.watch = Watch(self.rules)
            entries = active(self.log)
        self.watch.take(entries)
        self.match.table.out = Bounded()
        self.look()

    def resumed(self, log: list[Entry] | None = None) -> Match:
        """The match that a record stands at: this one's."""
        return Match.resume(self.rules, self.log if log is None else log, self.dice)

    def take_up(self) -> None:
        """Take the match up from its record; it is the same, and goes on."""
        found = self.resumed()
        if found.table.out:
            raise Wrong("a match that is taken up again adds to its record")
        if found.pos.encoded() != self.match.pos.encoded():
            raise Wrong("a match that is taken up again stands elsewhere")
        self.match = found
        self.taken()

    # -- the whole record --------------------------------------------------------------------------

    def finish(self) -> None:
        """Look at the whole record."""
        verdict = verify(self.log, self.rules)
        if verdict.kind != EXACT:
            raise Wrong(f"the record is {verdict.kind}: {verdict.reason}", verdict.seq)
        of_cards = texts(self.cards)
        cites = dict.fromkeys(cite for entry in self.log for cite in entry.cites)
        for cite in cites:
            if not known(cite, self.rules.rules, of_cards, self.rules.readings):
                raise Wrong(f"there is no {cite}")
        for entry in self.log:
            for fault in undeclared(self.rules.manifest, entry):
                raise Wrong(f"{name_of(entry.event)}: {fault}")
            if all(cite.startswith("card:") for cite in entry.cites):
                raise Wrong(f"{name_of(entry.event)} cites no rule")


class Officiated(Play):
    """A dealt match at which an official does this and that."""

    def __init__(self, rules: Game, made: Made, seed: str) -> None:
        super().__init__(rules, made, seed)
        self.random_official = RandomOfficial(self.rng, self.resumed)


class Followed(Play):
    """A dealt match that is entered move by move at a real table as well."""

    def __init__(self, rules: Game, made: Made, seed: str) -> None:
        self.keeper: Scorekeeper | None = None
        super().__init__(rules, made, seed)
        self.keeper = Scorekeeper(at_table(rules, self.opening(), self.log))

    def put(self, seat: int, how: str, act: Act, command: Callable[[Match, Inputs], None]) -> None:
        before, was = decoded(self.match.pos.encoded()), len(self.log)
        super().put(seat, how, act, command)
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

    def forbidden(self) -> None:
        """What is tried at random may be legal, and would have to be followed: nothing is."""

    def finish(self) -> None:
        super().finish()
        assert self.keeper is not None
        verdict = verify(self.keeper.log, self.rules)
        if verdict.kind != EXACT:
            raise Wrong(f"at a real table the record is {verdict.kind}: {verdict.reason}")


class Kept(Play):
    """A match at a real table, where cards are named as they may turn up."""

    def __init__(self, rules: Game, made: Made, seed: str) -> None:
        self.keeper: Keeper | None = None
        super().__init__(rules, made, seed)
        self.keeper = Keeper(rules, self.opening(), self.rng)
        self.random_official = RandomOfficial(self.rng, self.resumed)
        self.match, self.log, self.watch = self.keeper.match, [], Watch(rules)
        self.match.table.out = Bounded(self.keeper.log)
        self.taken()

    def step(self) -> None:
        """Enter something, or have an official do something."""
        assert self.keeper is not None
        chance = self.rng.random()
        if self.match.pos.paused >= 0:
            self.go_on()
        elif chance < OFFICIATED:
            self.official()
        elif chance < OFFICIATED + RESUMED:
            self.take_up()
        else:
            self.keeper.match, self.keeper.log = self.match, list(self.log)
            was = len(self.log)
            self.keeper.enter()
            self.match = self.keeper.match
            self.match.table.out = Bounded(self.keeper.log[was:])
            self.taken()


#: Kinds of matches, the commoner ones more than once.
KINDS: tuple[type[Play], ...] = (Play,) * 7 + (Officiated,) * 3 + (Followed, Kept)
