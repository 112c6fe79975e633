"""Running a scenario: choices to a real match, expectations to `checks`, and what always must hold.

Whatever a scenario says, its record is then put to the same tests: it verifies exactly, its words
are declared and its citations exist, the fold gives the live position and so does resuming, and a
refused choice has changed nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain import views
from domain.catalogue import BadCard
from domain.citations import known, texts
from domain.decisions import Act
from domain.events import Entry
from domain.fold import active, fold_all
from domain.invariants import Watch
from domain.match import BadDeck, Deck, Match, Opening, Refused
from domain.notation import BadText, parse
from domain.rulebook import Refusal, Rulebook
from domain.scenario.checks import Scene, check
from domain.scenario.setting import card_id, lay
from domain.scenario.text import (
    ALL,
    OFFICIAL,
    SEATS,
    BadScenario,
    Choice,
    Expect,
    Item,
    Line,
    Luck,
    Scenario,
    zone,
)
from domain.scenario.told import Story
from domain.verify import EXACT, verify
from domain.wording import faults

#: How many choices an `all:` line may make before it is held to be stuck.
ENOUGH = 200
#: How long everybody takes over a choice, in milliseconds.
PACE = 1000


class Failure(Struct, frozen=True):
    """An expectation that did not hold: its line, what was expected, what happened."""

    line: int
    expected: str
    happened: str

    def __str__(self) -> str:
        happened = self.happened.replace("\n", "\n      ")
        return f"line {self.line}\n  expected: {self.expected}\n  happened: {happened}"


class Report(Struct, frozen=True):
    """What became of a scenario: its record and everything that did not hold."""

    title: str
    entries: tuple[Entry, ...]
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return not self.failures


def run(scenario: Scenario, rules: Rulebook | None = None) -> Report:
    """Play a scenario, a match that brings its cards; raises `BadScenario`.

    The first choice that fails ends the run, since nothing after it means anything.
    """
    book = _book(scenario) if rules is None else rules
    try:
        return _Run(scenario, book).all()
    except BadCard as bad:
        raise BadScenario(1, f"bad cards: {bad}") from None


def _book(scenario: Scenario) -> Rulebook:
    from domain.games import names, rulebook

    try:
        return rulebook(scenario.game)
    except KeyError:
        known_ = ", ".join(names())
        raise BadScenario(1, f"no game is called {scenario.game!r}; there are {known_}") from None


class _Run:
    def __init__(self, scenario: Scenario, rules: Rulebook) -> None:
        self.scenario, self.rules = scenario, rules
        self.prints = tuple(json.dumps(card) for card in scenario.cards)
        self.known = rules.known(self.prints)
        self.failures: list[Failure] = []
        self.refused: list[Refusal] = []
        self.luck: dict[str, list[Luck]] = {}
        self.story = Story(rules)
        self.watch = Watch(rules)
        self.match: Match | None = None
        self.scene: Scene | None = None
        self.since = 0
        self.judged = False  # an expectation came after the last choice

    def all(self) -> Report:
        script = list(self.scenario.script)
        while script and isinstance(first := script[0], Luck):
            self._fortune(first)
            del script[0]
        try:
            if not self.scenario.decks:
                self._set_up()
            for said in script:
                if isinstance(said, Luck):
                    self._fortune(said)
                elif isinstance(said, Choice):
                    self._choice(said)
                else:
                    self._expectation(said)
        except _Stopped:
            pass
        if self.match is not None:
            self.failures += self._sound()
        return Report(self.scenario.title, tuple(self.story.entries), tuple(self.failures))

    # -- beginning -------------------------------------------------------------------------------

    def _set_up(self) -> None:
        table = lay(self.rules, self.scenario.setting, self.scenario.title, prints=self.prints)
        self.story.tell(table.out)
        table.out = []
        self.match = Match(self.rules, table, self._dice)
        self.watch.take(self.story.entries)
        self.since = len(self.story.entries)
        self.match.driver.start()
        self._collect(0)

    def _open(self, said: Choice) -> None:
        """`open`: a match from its opening, with the lists of the `decks` block."""
        decks = tuple(self._decks())
        seats = tuple(SEATS[: self.rules.manifest.seats])
        opening = Opening(seats, decks, 0, prints=self.prints)
        refused: tuple[str, ...] = ()
        try:
            self.match = Match.open(self.rules, opening, self._dice)
        except BadDeck as bad:
            refused = tuple(fault.rule for found in bad.faults.values() for fault in found)
            text = str(bad)
        except Refused as bad:
            refused, text = bad.refusal.rules, bad.refusal.text
        if refused and said.refusal is None:
            self._fail(said, "the match opens", f"refused: {text} [{' '.join(refused)}]")
            raise _Stopped
        if said.refusal is not None and set(said.refusal) != set(refused):
            found = " ".join(refused) or "it opens"
            self._fail(said, f"refused by {' '.join(said.refusal)}", found)
        if self.match is not None:
            self._collect(said.line)

    def _decks(self) -> Iterator[Deck]:
        """`A: ST01`, then, indented or not, `A main: 4 GM, …` for parts that differ."""
        lists: dict[int, tuple[str, dict[str, list[str]]]] = {}
        for line in self.scenario.decks:
            said = zone(line)
            letter, _, name = line.text.partition(": ")
            if said is not None and said.seat:
                parts = lists.setdefault(SEATS.index(said.seat), ("own", {}))[1]
                parts[said.zone] = self._copies(line, said.items)
            elif letter in tuple(SEATS) and name in self.rules.decks:
                parts = {part: list(ids) for part, ids in self.rules.decks[name].items()}
                lists[SEATS.index(letter)] = (name, parts)
            else:
                ready = ", ".join(self.rules.decks)
                raise BadScenario(line.n, f"write `A: NAME` ({ready}) or `A main: 4 NAME, …`")
        for seat in range(self.rules.manifest.seats):
            name, parts = lists.get(seat, ("", {}))
            yield Deck(name, parts)

    def _copies(self, line: Line, listed: Sequence[Item]) -> list[str]:
        ids = []
        for item in listed:
            ids += [card_id(self.known, item.name, line.n)] * item.n
        return ids

    def _fortune(self, said: Luck) -> None:
        self.luck.setdefault(said.kind, []).append(said)

    def _dice(self, kind: str, of: int) -> tuple[int, ...]:
        """What the scenario says chance brings; else nothing moves, and the first comes up."""
        orders = kind in ("shuffle", "order")
        waiting = self.luck.get("shuffle" if orders else kind, [])
        luck = waiting.pop(0) if waiting else None
        if not orders:
            return luck.values[:1] if luck is not None else (0,)
        if luck is None:
            return tuple(range(of))
        if not luck.values:
            return tuple(reversed(range(of)))
        if sorted(luck.values) != list(range(of)):
            raise BadScenario(luck.line, f"that is no order of {of} cards, from 0 to {of - 1}")
        return luck.values

    # -- choices ---------------------------------------------------------------------------------

    def _choice(self, said: Choice) -> None:
        if self.judged:
            self.since, self.judged, self.scene = len(self.story.entries), False, None
        if said.text == "open" and not said.who:
            self._open(said)
            return
        match = self._at(said.line)
        if said.who == ALL:
            self._everybody(match, said)
        elif said.refusal is not None:
            self._forbidden(match, said)
        else:
            for text in said.text.split(";"):
                self._take(match, said, SEATS.index(said.who), text.strip())

    def _take(self, match: Match, said: Choice, seat: int, text: str) -> None:
        try:
            act = self._act(match, seat, text, free=False)
            self._put(match, seat, act)
            self._collect(said.line)
        except BadText as bad:
            self._stop(said, text, str(bad))
        except Refused as refused:
            refusal = refused.refusal
            self._stop(said, text, f"refused: {refusal.text} [{' '.join(refusal.rules)}]")

    def _everybody(self, match: Match, said: Choice) -> None:
        """Whoever is asked answers so, for as long as that is on offer."""
        for turn in range(ENOUGH):
            decision = match.pos.decision
            seat = decision.seats[0] if decision is not None else -1
            offer = decision.offers.get(seat) if decision is not None else None
            try:
                assert offer is not None
                act = parse(said.text, match.pos, self.rules, seat, offer)
                assert any(option.kind == act.kind for option in offer.options)
            except (BadText, AssertionError):
                if not turn:
                    self._stop(said, said.text, "nobody is asked that")
                return
            self._take(match, said, seat, said.text)
        self._stop(said, said.text, f"it went on for {ENOUGH} choices")

    def _forbidden(self, match: Match, said: Choice) -> None:
        """A choice that is refused, by these rules, and changes nothing."""
        before = match.pos.encoded()
        expected = said.refusal or ()
        try:
            act = self._act(match, SEATS.index(said.who), said.text, free=True)
            self._put(match, SEATS.index(said.who), act)
            self._collect(said.line)
        except BadText as bad:
            raise BadScenario(said.line, str(bad)) from None
        except Refused as refused:
            rules = refused.refusal.rules
            self.refused.append(refused.refusal)
            if not set(expected) <= set(rules):
                found = f"refused: {refused.refusal.text} [{' '.join(rules)}]"
                self._fail(said, f"{said.text} is refused by {' '.join(expected)}", found)
            asked = match.why_not(SEATS.index(said.who), act)
            if asked is None or asked.rules != rules:
                self._fail(said, "asked beforehand, the same answer", str(asked))
        else:
            self._stop(said, f"{said.text} is refused by {' '.join(expected)}", "it is done")
        if match.pos.encoded() != before or match.table.out:
            self._fail(said, "a refused choice changes nothing", "the position changed")

    def _act(self, match: Match, seat: int, text: str, free: bool) -> Act:
        decision = match.pos.decision
        offer = decision.offers.get(seat) if decision is not None else None
        return parse(text, match.pos, self.rules, seat, offer, free)

    def _put(self, match: Match, seat: int, act: Act) -> None:
        p = match.pos
        now = p.time + PACE
        standing = {one.kind for one in self.rules.standing(p, seat)}
        if act.kind in standing:
            picks = act.picks[0] if act.picks else ()
            match.interject(seat, act.kind, now, act.card, picks)
        else:
            match.choose(seat, p.decision.n if p.decision is not None else 0, act, now)

    # -- expectations ----------------------------------------------------------------------------

    def _expectation(self, said: Expect) -> None:
        match = self._at(said.line)
        self.judged = True
        if self.scene is None:
            window = self.story.entries[self.since :]
            self.scene = Scene(self.rules, self.story, match.pos, window)
        scene = self.scene
        if said.viewer != OFFICIAL:
            seen = [views.redact(entry, said.viewer) for entry in scene.window]
            p = views.position(active(self.story.entries), said.viewer)
            scene = Scene(self.rules, self.story, p, seen)
        found = check(scene, said)
        if found is not None:
            self._fail(said, said.row, found)

    # -- what always must hold -------------------------------------------------------------------

    def _sound(self) -> Iterator[Failure]:
        match, log = self.match, self.story.entries
        assert match is not None
        last = max((said.line for said in self.scenario.script), default=0)

        def wrong(expected: str, happened: str) -> Failure:
            return Failure(last, expected, happened)

        live = match.pos.encoded()
        if fold_all(active(log)).encoded() != live:
            yield wrong("the fold of the record is the live position", "they differ")
        resumed = Match.resume(self.rules, log, self._dice)
        if resumed.pos.encoded() != live or resumed.table.out:
            yield wrong("resuming comes to the live position", "it does not")
        verdict = verify(log, self.rules)
        if verdict.kind != EXACT:
            yield wrong("the record verifies exactly", f"{verdict.kind}: {verdict.reason}")
        for entry in log:
            for fault in faults(self.rules.manifest, entry):
                yield wrong("all words are declared", f"{self.story.words(entry)}: {fault}")
        for entry in log:
            if all(cite.startswith("card:") for cite in entry.cites):
                yield wrong("every event cites a rule", self.story.words(entry))
        cited = [(cite, self.story.words(entry)) for entry in log for cite in entry.cites]
        cited += [(rule, refusal.text) for refusal in self.refused for rule in refusal.rules]
        of_cards = texts(self.known)
        for cite, where in cited:
            if not known(cite, self.rules.rules, of_cards, self.rules.readings):
                yield wrong("all citations exist", f"{cite} in {where}")

    # -- small things ----------------------------------------------------------------------------

    def _collect(self, line: int) -> None:
        """Take what a choice has added to the record, and look at the table it left."""
        assert self.match is not None
        entries = self.match.collect()
        self.story.tell(entries)
        self.watch.take(entries)
        for fault in self.watch.look(self.match.pos, listed=bool(self.scenario.decks)):
            self.failures.append(Failure(line, "the table is sound", fault))

    def _at(self, line: int) -> Match:
        if self.match is None:
            raise BadScenario(line, "the match is not open: a line `open` comes first")
        return self.match

    def _fail(self, said: Choice | Expect, expected: str, happened: str) -> None:
        self.failures.append(Failure(said.line, expected, happened))

    def _stop(self, said: Choice, expected: str, happened: str) -> None:
        self._fail(said, expected, happened)
        raise _Stopped


class _Stopped(Exception):
    """Nothing after this means anything."""
