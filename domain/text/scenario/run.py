"""Runs a scenario: its choices on a real match, its expectations through `checks`.

A line with an unknown word (`slips`) or one that crashes fails, and later lines go on; after a
choice that failed nothing is checked. The record as a whole is checked by `soundness`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import Struct

from domain.effects.catalogue import BadCard
from domain.engine.checks.invariants import Watch
from domain.engine.match import BadDeck, Match, Opening, Refused
from domain.engine.naming import Misstated
from domain.engine.rulebook import Refusal
from domain.engine.signals import NameRequired, RollRequired, Unending
from domain.games.kit.game import Game
from domain.record import views
from domain.record.decisions import Act
from domain.record.entries import Entry, active
from domain.record.interventions import Rewound
from domain.record.views import OFFICIAL
from domain.text.desk import BadAct
from domain.text.notation import BadText, parse
from domain.text.scenario import officials
from domain.text.scenario.checks import Context, check
from domain.text.scenario.lexicon import Lexicon
from domain.text.scenario.patterns import Story
from domain.text.scenario.real_table import RealTable, opened
from domain.text.scenario.setting import lay
from domain.text.scenario.slips import slips
from domain.text.scenario.soundness import crash, unsound
from domain.text.scenario.terms import REAL, Terms, lists
from domain.text.scenario.text import (
    ALL,
    DESK,
    SEATS,
    BadScenario,
    Choice,
    Expect,
    PresetChance,
    Scenario,
    Statement,
)
from domain.text.transcript.lines import BadTranscript, groups
from domain.words.phrases import Phrase, joined, lines, message_of, phrase

#: How many choices an `all:` line may make before it is held to be stuck.
ENOUGH = 200
#: How many entries one choice may bring about before it is held to be endless.
MOST_ENTRIES = 20_000
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
    """The result of a scenario: its record and everything that did not hold."""

    title: str
    entries: tuple[Entry, ...]
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return not self.failures


def run(scenario: Scenario, rules: Game | None = None, matches: type[Match] = Match) -> Report:
    """Play a scenario, a match that brings its cards; raises `BadScenario`.

    The first choice that fails ends the run, since nothing after it means anything. `matches` is
    what plays it.
    """
    book = _book(scenario) if rules is None else rules
    try:
        return _Run(scenario, book, matches).all()
    except BadCard as bad:
        raise _bad_cards(scenario, phrase(message_of(bad))) from None


def _bad_cards(scenario: Scenario, faults: Phrase) -> BadScenario:
    """The faults of a scenario's own cards, with the line of each card or effect."""
    found = []
    for fault in lines(faults):
        card, _, rest = fault.partition(": ")
        effect = rest.partition(":")[0].partition(",")[0]
        line = scenario.card_lines.get(f"{card}: {effect}", scenario.card_lines.get(card, 1))
        found.append((line, fault))
    (first, text), *others = sorted(found)
    more = (phrase("line {n}: {fault}", n=n, fault=fault) for n, fault in others)
    return BadScenario(first, joined("\n", [text, *more]))


def _book(scenario: Scenario) -> Game:
    from domain.games import every, rulebook

    try:
        return rulebook(scenario.game)
    except KeyError:
        known_ = joined(", ", every())
        text = "no game is called {game!r}; there are {known}"
        raise BadScenario(1, phrase(text, game=scenario.game, known=known_)) from None


class _Run:
    def __init__(self, scenario: Scenario, rules: Game, matches: type[Match]) -> None:
        self.scenario, self.rules, self.matches = scenario, rules, matches
        self.prints = tuple(json.dumps(card) for card in scenario.cards)
        self.known = rules.known(self.prints)
        self.failures: list[Failure] = []
        self.refused: list[Refusal] = []
        self.preset: dict[str, list[PresetChance]] = {}
        self.story = Story(rules)
        self.lexicon = Lexicon(rules, self.known)
        self.laid = bool(scenario.setting) or not scenario.decks  # not opened
        self.watch = Watch(rules)
        self.match: Match | None = None
        self.real: RealTable | None = None  # the match, if its table is a real one
        self.contexts: dict[int, Context] = {}  # of the expectations since the last choice
        self.since = 0
        self.checked = False  # an expectation came after the last choice

    def all(self) -> Report:
        script = list(self.scenario.script)
        while script and isinstance(first := script[0], PresetChance):
            self._line(first)
            del script[0]
        try:
            if self.laid:
                self._set_up()
            for statement in script:
                self._line(statement)
        except _Stopped:
            pass
        if self.match is not None:
            last = max((statement.line for statement in self.scenario.script), default=0)
            wrong = unsound(self.match, self.story, self.refused, self._dice)
            self.failures += [Failure(last, *fault) for fault in wrong]
        return Report(self.scenario.title, tuple(self.story.entries), tuple(self.failures))

    def _line(self, statement: Statement) -> None:
        """Play a line, unless it names what is nowhere. What can't be made out fails it alone."""
        wrong = list(slips(self.lexicon, statement))
        if wrong:
            self.failures.append(Failure(statement.line, statement.row, joined("\n", wrong)))
            if not isinstance(statement, Choice) or statement.refusal is not None:
                return  # any other choice is made all the same: what follows builds on it
        try:
            if isinstance(statement, PresetChance):
                self._preset_chance(statement)
            elif isinstance(statement, Choice):
                self._choice(statement)
            elif isinstance(statement, Expect):
                self._expectation(statement)
        except (_Stopped, BadScenario):
            raise
        except Unending as endless:
            self._unending(statement.line, statement.row, endless)
        except Exception as error:
            self.failures.append(Failure(statement.line, statement.row, crash(error)))
            if isinstance(statement, Choice):  # the state of the match is unknown
                raise _Stopped from None

    # -- beginning -------------------------------------------------------------------------------

    def _set_up(self) -> None:
        given = self.scenario
        table = lay(self.rules, given.setting, given.title, prints=self.prints, decks=given.decks)
        self.story.add(table.out)
        table.out = []
        self.match = self.matches(self.rules, table, self._dice)
        self.watch.take(self.story.entries)
        self.since, self.checked = len(self.story.entries), True  # no choice brought it about
        table.most = MOST_ENTRIES
        try:
            self.match.driver.start()
        except Unending as endless:
            self._unending(1, phrase("play begins"), endless)
        except (NameRequired, RollRequired) as required:
            text = phrase("play begins at a later step: {required}", required=required)
            raise BadScenario(1, text) from None
        self._collect(0)
        self._at_its_table(self.match)

    def _open(self, statement: Choice) -> None:
        """`open`: a match from its opening, with the lists of the `decks` block."""
        terms, refused = Terms(), tuple[str, ...]()
        decks = lists(self.rules, self.known, self.scenario.decks, terms)
        opening = Opening(
            tuple(SEATS[: self.rules.manifest.seats]), decks, 0, prints=self.prints,
            best_of=terms.best_of, mode=terms.mode, options=terms.options,
        )  # fmt: skip
        try:
            if terms.mode == REAL:
                text = statement.text
                self.match = opened(self.rules, opening, self.matches, statement.line, text)
            else:
                self.match = self.matches.open(self.rules, opening, self._dice)
        except BadDeck as bad:
            refused = tuple(fault.rule for found in bad.faults.values() for fault in found)
            text = message_of(bad)
        except Refused as bad:
            refused, text = bad.refusal.rules, bad.refusal.text
        if refused and statement.refusal is None:
            self._fail(statement, phrase("the match opens"), _refused(text, refused))
            raise _Stopped
        if statement.refusal is not None and set(statement.refusal) != set(refused):
            found = " ".join(refused) or phrase("it opens")
            self._fail(
                statement, phrase("refused by {rules}", rules=" ".join(statement.refusal)), found
            )
        if self.match is not None:
            self.match.table.most = MOST_ENTRIES
            self._collect(statement.line)
            self._at_its_table(self.match)

    def _at_its_table(self, match: Match) -> None:
        if match.pos.heading.mode == REAL:
            self.real = RealTable(match, self.story.entries)

    def _preset_chance(self, statement: PresetChance) -> None:
        rows = (*self.scenario.setting, *self.scenario.decks)
        if any(row.text == f"mode {REAL}" for row in rows):
            text = phrase("at a real table the act states it, `A: first {chooser: 1 of 2}`")
            self.failures.append(Failure(statement.line, statement.row, text))
        self.preset.setdefault(statement.kind, []).append(statement)

    def _dice(self, kind: str, of: int) -> tuple[int, ...]:
        """The dice of a scenario; by default nothing moves, and the first outcome is drawn."""
        orders = kind in ("shuffle", "order")
        waiting = self.preset.get("shuffle" if orders else kind, [])
        preset = waiting.pop(0) if waiting else None
        if not orders:
            return preset.values[:1] if preset is not None else (0,)
        if preset is None:
            return tuple(range(of))
        if not preset.values:
            return tuple(reversed(range(of)))
        if sorted(preset.values) != list(range(of)):
            raise BadScenario(
                preset.line,
                phrase("that is no order of {of} cards, from 0 to {last}", of=of, last=of - 1),
            )
        return preset.values

    # -- choices ---------------------------------------------------------------------------------

    def _choice(self, statement: Choice) -> None:
        if self.checked:
            self.since, self.checked = len(self.story.entries), False
            self.contexts.clear()
        if not statement.who:
            self._open(statement)
            return
        match = self._at(statement.line)
        if statement.who == DESK and statement.refusal is None:
            self._official(match, statement)
        elif statement.who == ALL:
            self._everybody(match, statement)
        elif statement.refusal is not None:
            self._forbidden(match, statement)
        else:
            for text in self._one_by_one(statement.text):
                self._take(match, statement, SEATS.index(statement.who), text)

    def _one_by_one(self, text: str) -> list[str]:
        """`no block; pass`: each begins with a verb; what does not belongs to the one before it."""
        kinds = [word.name for word in self.rules.manifest.acts]
        verbs = tuple(f"{one} " for kind in kinds for one in (kind, kind.replace("-", " ")))
        found: list[str] = []
        for piece in text.split(";"):
            if found and not f"{piece.strip()} ".startswith(verbs):
                found[-1] += f";{piece}"
            else:
                found.append(piece.strip())
        return found

    def _take(self, match: Match, statement: Choice, seat: int, text: str) -> None:
        try:
            self._choose(statement.line, match, seat, text, free=False)
        except BadText as bad:
            self._stop(statement, text, message_of(bad))
        except Refused as refused:
            refusal = refused.refusal
            self._stop(statement, text, _refused(refusal.text, refusal.rules))

    def _official(self, match: Match, statement: Choice) -> None:
        """The lines after an official's act continue the match, also after a rewind."""
        try:
            self._desk(match, statement)
        except (BadText, BadAct, BadTranscript, NameRequired, RollRequired, Refused) as bad:
            text = message_of(bad)
            if isinstance(bad, Refused):
                text = _refused(bad.refusal.text, bad.refusal.rules)
            self.match = self._unchanged(match, bad)
            self._stop(statement, statement.text, text)

    def _desk(self, match: Match, statement: Choice) -> None:
        now, log = match.pos.time + PACE, self.story.entries
        try:
            after = officials.carry_out(match, log, statement.line, statement.text, now)
        except Exception:
            if self.real is not None:
                self.real.undo()
            raise
        self.match, entries = after, after.collect()
        if self.real is not None:
            self.real.add(after, entries)
        after.table.most = MOST_ENTRIES
        self._take_note(statement.line, entries)

    def _everybody(self, match: Match, statement: Choice) -> None:
        """Answer for every seat that is asked, as long as that is offered."""
        for turn in range(ENOUGH):
            decision = match.pos.decision
            seat = decision.seats[0] if decision is not None else -1
            offer = decision.offers.get(seat) if decision is not None else None
            try:
                assert offer is not None
                act = parse(statement.text, match.pos, self.rules, seat, offer, sees_all=True)
                assert any(option.kind == act.kind for option in offer.options)
            except (BadText, AssertionError) as error:
                if not turn:
                    self._stop(
                        statement,
                        statement.text,
                        message_of(error) or phrase("nobody is asked that"),
                    )
                return
            self._take(match, statement, seat, statement.text)
        self._stop(statement, statement.text, phrase("it went on for {n} choices", n=ENOUGH))

    def _forbidden(self, match: Match, statement: Choice) -> None:
        """A choice that is refused, by these rules, and changes nothing."""
        before = match.pos.encoded()
        expected = statement.refusal or ()
        wanted = phrase("{act} is refused by {rules}", act=statement.text, rules=" ".join(expected))
        try:
            if statement.who == DESK:
                self._desk(match, statement)
            else:
                seat = SEATS.index(statement.who)
                self._choose(statement.line, match, seat, statement.text, free=True)
        except (BadText, BadAct, BadTranscript, NameRequired, RollRequired) as bad:
            self._fail(statement, wanted, message_of(bad))
        except Refused as refused:
            rules = refused.refusal.rules
            self.refused.append(refused.refusal)
            if not set(expected) <= set(rules):
                self._fail(statement, wanted, _refused(refused.refusal.text, rules))
            match = self.match = self._unchanged(match, refused)
            self._ask_beforehand(match, statement, rules)
        else:
            self._stop(statement, wanted, phrase("it is done"))
        if match.pos.encoded() != before or match.table.out:
            self._fail(
                statement,
                phrase("a refused choice changes nothing"),
                phrase("the position changed"),
            )

    def _unchanged(self, match: Match, refused: Exception) -> Match:
        """The match that a refusal has left as it was, or another one, resumed, in its place."""
        if self.real is not None:
            return self.real.match()
        if isinstance(refused, Misstated):
            return Match.resume(self.rules, self.story.entries, self._dice)
        return match

    def _ask_beforehand(self, match: Match, statement: Choice, rules: tuple[str, ...]) -> None:
        """Why not is answered alike before it is tried; what is named only then, it can't be."""
        if statement.who == DESK or self.real is not None:
            return
        seat = SEATS.index(statement.who)
        asked = match.why_not(seat, self._act(match, seat, statement.text, free=True))
        if asked is None or asked.rules != rules:
            self._fail(statement, phrase("asked beforehand, the same answer"), str(asked))

    def _choose(self, line: int, match: Match, seat: int, text: str, free: bool) -> None:
        if self.real is not None:
            try:
                entries = self.real.choose(line, seat, text, match.pos.time + PACE)
            finally:
                self.match = self.real.match()
            self._take_note(line, entries)
        else:
            if any(groups(line, text)[1:]):
                raise BadText(phrase("in a dealt match revealed cards and chance cannot be given"))
            self._put(match, seat, self._act(match, seat, text, free))
            self._collect(line)

    def _act(self, match: Match, seat: int, text: str, free: bool) -> Act:
        decision = match.pos.decision
        offer = decision.offers.get(seat) if decision is not None else None
        return parse(text, match.pos, self.rules, seat, offer, free, sees_all=True)

    def _put(self, match: Match, seat: int, act: Act) -> None:
        p = match.pos
        now = p.time + PACE
        open_acts = {one.kind for one in self.rules.open_acts(p, seat)}
        if act.kind in open_acts:
            picks = act.picks[0] if act.picks else ()
            match.interject(seat, act.kind, now, act.card, picks)
        else:
            match.choose(seat, p.decision.n if p.decision is not None else 0, act, now)

    # -- expectations ----------------------------------------------------------------------------

    def _expectation(self, statement: Expect) -> None:
        self._at(statement.line)
        self.checked = True
        found = check(self._seen(statement.viewer), statement)
        if found is not None:
            self._fail(statement, statement.row, found)

    def _seen(self, viewer: int) -> Context:
        """The events since the choices before, as this viewer has seen them."""
        assert self.match is not None
        context = self.contexts.get(viewer)
        if context is None:
            window, p = self.story.entries[self.since :], self.match.pos
            if viewer != OFFICIAL:
                window = [views.redact(entry, viewer) for entry in window]
                p = views.position(active(self.story.entries), viewer)
            context = self.contexts[viewer] = Context(self.rules, self.story, p, window, viewer)
        return context

    # -- small things ----------------------------------------------------------------------------

    def _collect(self, line: int) -> None:
        assert self.match is not None
        self._take_note(line, self.match.collect())

    def _take_note(self, line: int, entries: Sequence[Entry]) -> None:
        """Take what a choice has added to the record, and look at the table it left."""
        assert self.match is not None
        self.story.add(entries)
        if any(isinstance(entry.event, Rewound) for entry in entries):
            self.watch, entries = Watch(self.rules), active(self.story.entries)
        self.watch.take(entries)
        for fault in self.watch.look(self.match.pos, listed=not self.laid):
            self.failures.append(Failure(line, phrase("the table is sound"), fault))

    def _at(self, line: int) -> Match:
        if self.match is None:
            raise BadScenario(line, phrase("the match is not open: a line `open` comes first"))
        return self.match

    def _fail(self, statement: Choice | Expect, expected: str, happened: str) -> None:
        self.failures.append(Failure(statement.line, expected, happened))

    def _unending(self, line: int, expected: str, endless: Unending) -> None:
        """The match is of no use any more, nor is what it has added to its record."""
        self.failures.append(Failure(line, expected, message_of(endless)))
        self.match = None
        raise _Stopped from None

    def _stop(self, statement: Choice, expected: str, happened: str) -> None:
        self._fail(statement, expected, happened)
        raise _Stopped


def _refused(text: str, rules: Sequence[str]) -> Phrase:
    return phrase("refused: {text} [{rules}]", text=text, rules=" ".join(rules))


class _Stopped(Exception):
    """Nothing after this means anything."""
