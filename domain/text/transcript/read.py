"""Imports a transcript: records its match again, at a real table.

The text is parsed leniently, played through the rulebook, written again for the same viewer and
compared: everything it says must match. Nothing is recorded unless all of it can be. The result is
the record of a match in table mode, marked as imported.

Which of several unknown cards was meant makes no difference that the viewer saw; cards that a row
says were turned up are tried in that order until everything matches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from domain.engine import naming
from domain.engine.checks.verify import DIVERGED, verify
from domain.engine.match import BadDeck, Deck, Match, Opening, Refused
from domain.engine.naming import NOTHING, Inputs
from domain.engine.opening import terms
from domain.engine.opening.terms import OFFICIAL
from domain.engine.rulebook import Rulebook
from domain.engine.signals import Diverged, RollRequired
from domain.officials import irregular
from domain.record import events as ev
from domain.record import views
from domain.record.decisions import Act
from domain.record.entries import AnyEvent, Entry, active
from domain.record.interventions import CardsBrought, Rewound
from domain.record.position import Position
from domain.record.values import BY_OFFICIAL
from domain.text.notation import BadText, verbs
from domain.text.transcript import acts, compare, implied, officials, tags
from domain.text.transcript.executor import Command, Executor, NameEarlier, no_dice
from domain.text.transcript.lines import (
    ANSWER,
    ASIDE,
    ENTRY,
    INTERVENTION,
    OPEN,
    REWIND,
    SEATS,
    BadTranscript,
    Row,
    Tag,
    statements,
)
from domain.text.transcript.write import statements as written_statements
from domain.words.phrases import joined, message_of, phrase

#: Where an ordinary answer may come from.
ORIGINS = ("", "seat", implied.IMPLIED, "timeout", views.AUTO)
#: The tags that are at fault where a match can't be opened.
AT_FAULT = {"BAD_FORMAT": "BestOf", "BAD_CHANCE": "Chance", "BAD_POLICY": "Policy",
            "BAD_PRINTS": "Print", "OUT_OF_BOUNDS": "Print"}  # fmt: skip

Books = Callable[[str], Rulebook]
Lists = Callable[[Rulebook], Mapping[int, Deck]]


def read(text: str, book: Books, lists: Lists | None = None, ticket: str = "") -> list[Entry]:
    """The record of the match that a transcript tells; raises `BadTranscript`.

    `book` gives a game's rulebook (`KeyError` if there is none), `lists` the decks of seats of
    which the transcript has only the name. `ticket` names the command, as for any opening.
    """
    written = statements(text)
    head = tags.Tags([one for one in written if isinstance(one, Tag)])
    rows = [one for one in written if isinstance(one, Row)]
    game = str(head.get("Game", ""))
    try:
        rules = book(game)
    except KeyError:
        raise BadTranscript(
            head.line("Game"), phrase("there is no game {game!r}", game=game)
        ) from None
    compare.kept(head, rules)
    opening = replace(tags.opening(head, rules, lists(rules) if lists else {}), ticket=ticket)
    if any(row.kind == INTERVENTION and row.text == "begin" for row in rows):
        opening = replace(opening, waits=OFFICIAL)
    viewer = tags.viewer_of(head)
    log = _Reader(rules, opening, head, rows, viewer).record.log
    rewritten = written_statements([views.redact(entry, viewer) for entry in log], rules)
    compare.same(written, rewritten)
    verdict = verify(log, rules)
    if verdict.kind == DIVERGED:
        raise BadTranscript(0, phrase("it does not hold together: {reason}", reason=verdict.reason))
    return log


class _Reader:
    """Plays rows one after the other, as soon as it is made."""

    def __init__(
        self, rules: Rulebook, opening: Opening, head: tags.Tags, rows: Sequence[Row], viewer: int
    ) -> None:
        self.rules = rules
        dealt = head.get("Mode") == "dealer"  # then a seat knew its cards without naming them
        first = rows[0] if rows and rows[0].kind == OPEN else Row(OPEN)
        match = self._open(opening, first, rows, head)
        compare.cited(rows, rules, opening.prints)
        self.record = Executor(match, rows, viewer if dealt else -1)
        if first.line and (wrong := self.record.mismatch(first, self.record.log)):
            raise BadTranscript(first.line, wrong)
        self._origin(head)
        self.spare = officials.mentioned(rows)
        self.opened: dict[int, int] = {}  # decision to the last entry of the command that opened it
        at = 1 if first.line else 0
        while at < len(rows):
            try:
                self._note_opened()
                self.record.begin(at)
                at = self._row(rows, at)
            except NameEarlier as rewritten:
                at = self.record.go_back(rewritten)
            except Diverged as diverged:
                line = rows[max(at - 1, 0)].line
                raise BadTranscript(
                    line, phrase("the rulebook can't go on from that")
                ) from diverged
        if str(head.get("Result", "*")).strip() != "*" and rows:
            self._pass_to_the_end(rows[-1])

    def _pass_to_the_end(self, last: Row) -> None:
        """Do nothing until the match is over, as its result says, but not beyond the last turn."""
        row, turn = Row(ANSWER, line=last.line), self.record.ready().pos.turn
        while self.record.starts and not (p := self.record.ready().pos).over:
            if p.turn != turn or not self._pass(row):
                return

    def _open(self, opening: Opening, first: Row, rows: Sequence[Row], head: tags.Tags) -> Match:
        """The match opened as a text says; how chance fell that it leaves out, as its rows need."""
        ways = [tuple(roll.result for roll in first.rolls)]
        likely: Match | None = None
        while ways:
            rolls = ways.pop(0)
            try:
                match = Match.open(self.rules, replace(opening, rolls=rolls), no_dice)
                if len(rolls) == len(first.rolls) or implied.expects(first, rows, match):
                    return match
                likely = likely or match
            except RollRequired as required:
                ways += [(*rolls, result) for result in implied.outcomes(required)]
            except BadDeck as bad:
                seat = min(bad.faults)
                listed = head.get(f"List{SEATS[seat]}") is not None
                line = head.line(f"{'List' if listed else 'Deck'}{SEATS[seat]}")
                raise BadTranscript(line, message_of(bad)) from bad
            except Refused as refused:
                tag = AT_FAULT.get(refused.refusal.fault)
                line = head.line(tag) if tag else first.line or 1
                raise BadTranscript(line, message_of(refused)) from refused
        assert likely is not None, "chance that is asked for falls in some way"
        return likely

    def _origin(self, head: tags.Tags) -> None:
        """A fork says where it comes from."""
        origin = str(head.get("ForkOf", ""))
        if origin:
            match, _, seq = origin.partition(" ")
            if not seq.isdecimal():
                raise BadTranscript(
                    head.line("ForkOf"), phrase("{origin!r} is no match and entry", origin=origin)
                )
            first = self.record.log[0]
            event = replace(first.event, origin=ev.Origin(match, int(seq)))
            self.record.log[0] = replace(first, event=event)
            self.record.fit = False

    def _note_opened(self) -> None:
        decision = self.record.ready().pos.decision
        if decision is not None:
            self.opened.setdefault(decision.n, self.record.log[-1].seq)

    # -- rows ------------------------------------------------------------------------------------

    def _row(self, rows: Sequence[Row], at: int) -> int:
        """Play the row there, with those that belong to it; where the next one is."""
        row = rows[at]
        if row.kind == OPEN:
            raise BadTranscript(row.line, phrase("the match is opened already"))
        if row.kind == ANSWER:
            self._answer(row)
        elif row.kind == ASIDE:
            self._interjection(row)
        elif row.kind == REWIND:
            self._rewind(row)
        else:
            return self._intervention(rows, at)
        return at + 1

    def _intervention(self, rows: Sequence[Row], at: int) -> int:
        row, end = rows[at], at + 1
        if row.text == "result":
            self._pass_to_the_end(row)
        while row.kind == INTERVENTION and end < len(rows) and rows[end].kind == ENTRY:
            end += 1
        entries = rows[at + 1 : end]
        if row.facts.get("plays"):
            if end == len(rows) or rows[end].kind not in (ANSWER, ASIDE):
                raise BadTranscript(row.line, phrase("the play that it is about does not follow"))
            self._irregular(row, entries, rows[end])
            return end + 1
        self._official(row, entries)
        return end

    def _time(self, row: Row) -> int:
        p = self.record.ready().pos
        asked = p.decision.time if p.decision is not None else p.time
        now = row.time if row.time is not None else asked + (row.taken or 0)
        if row.time is not None and now < p.time:
            raise BadTranscript(row.line, phrase("it was earlier than the row before"))
        return max(now, p.time)

    def _answer(self, row: Row) -> None:
        if row.origin not in ORIGINS:
            raise BadTranscript(
                row.line, phrase("no answer comes from {origin!r}", origin=row.origin)
            )
        p = self.record.ready().pos
        turn, why = p.turn, self._not_asked(row, p)
        tried: dict[int, str] = {}  # why not, by how much could have been done instead
        for _ in range(implied.MOST):
            match = self.record.ready()
            if tried and match.pos.turn != turn and match.pos.turn_seat != row.seat:
                break
            try:
                if implied.answers(row, match):
                    return self._choose(row, match)
            except BadTranscript as bad:
                tried.setdefault(implied.breadth(match), bad.text)
            if not self._pass(row):
                break
        raise BadTranscript(row.line, tried[max(tried)] if tried else why)

    def _not_asked(self, row: Row, p: Position) -> str:
        """Why a row is no answer to what is open; raises `BadTranscript` if it could be none."""
        try:
            kinds = verbs(row.text, self.rules, ())
        except BadText as bad:
            raise BadTranscript(row.line, message_of(bad)) from bad
        decision = p.decision
        if decision is None or p.over:
            return phrase("the match was over")
        asked = joined(", ", (SEATS[seat] for seat in decision.seats))
        if row.n not in (0, decision.n) or row.seat not in decision.seats:
            return phrase("it was {asked}'s turn to answer decision {n}", asked=asked, n=decision.n)
        offer = decision.offers.get(row.seat)
        open_ = sorted({option.kind for option in offer.options}) if offer is not None else ()
        expected = joined(" or ", sorted(kinds))
        return phrase(
            "{expected} is no answer to decision {n}; it offers {offered}",
            expected=expected,
            n=decision.n,
            offered=joined(", ", open_),
        )

    def _choose(self, row: Row, match: Match) -> None:
        decision, offer = match.pos.decision, match.open_to(row.seat, {})
        assert decision is not None
        assert offer is not None
        n, now, origin = decision.n, self._time(row), row.origin or "seat"

        def choose(act: Act) -> Command:
            return lambda m, inputs: m.choose(row.seat, n, act, now, origin=origin, inputs=inputs)

        try:
            shown = tuple(card for _, card in self.record.listed(row))
            asked = acts.Asked(match, row.seat, offer, self.spare, shown)
            found = acts.readings(row.text, asked)
            self.record.first(row, ((choose(act), named) for act, named in found))
        except BadText as bad:
            raise BadTranscript(row.line, message_of(bad)) from bad

    def _pass(self, row: Row) -> bool:
        """Do nothing at a decision that comes before that of a row; whether it could be let be."""
        match = self.record.ready()
        decision, found = match.pos.decision, implied.passing(match)
        if decision is None or found is None or 0 < row.n <= decision.n:
            return False
        (seat, act), n, now = found, decision.n, max(decision.time, match.pos.time)

        def choose(m: Match, inputs: Inputs) -> None:
            m.choose(seat, n, act, now, origin=implied.IMPLIED, inputs=inputs)

        passed = Row(ANSWER, n, seat, act.kind, origin=implied.IMPLIED, line=row.line)
        try:
            self.record.first(passed, [(choose, {})])
        except BadTranscript as bad:
            text = phrase(
                "{letter}'s {act} at decision {n} must be stated: {why}",
                letter=SEATS[seat],
                act=act.kind,
                n=n,
                why=bad.text,
            )
            raise BadTranscript(row.line, text) from bad
        return True

    def _interjection(self, row: Row) -> None:
        while 0 < (self.record.ready().pos.decision or row).n < row.n and self._pass(row):
            pass
        now = self._time(row)
        try:
            kind, about, picks, named = acts.interjection(row.text, self.record.ready(), row.seat)
        except BadText as bad:
            raise BadTranscript(row.line, message_of(bad)) from bad

        def interject(m: Match, inputs: Inputs) -> None:
            m.interject(row.seat, kind, now, about, picks, inputs=inputs)

        self.record.first(row, [(interject, named)])

    # -- officials -------------------------------------------------------------------------------

    def _official(self, row: Row, entries: Sequence[Row]) -> None:
        """State again what an official put in, word for word, and let follow what follows."""
        self.record.first(row, [(self._speaking(row, entries), {})])

    def _speaking(self, row: Row, entries: Sequence[Row]) -> Command:
        now = self._time(row)

        def speak(m: Match, inputs: Inputs) -> None:
            t = m.table
            t.now, t.rolls = now, list(inputs.rolls)
            if row.kind == ENTRY:
                event, by = _event(m, row)
                m.driver.take(t.input(event, *t.manifest.in_full(row.cites), by=by))
                return
            opened, by = officials.opened(row, t.pos)
            cites = t.manifest.in_full(row.cites)
            with t.speaking(by):
                m.driver.take(t.input(opened, *cites, by=by))
                _state(m, entries)
                closed = t.input(ev.FrameClosed(opened.id), *cites, by=by)
            m.driver.take(closed)

        return speak

    def _irregular(self, row: Row, entries: Sequence[Row], play: Row) -> None:
        """A play against the rules that an official has recorded: it must be against them."""
        act, speak = acts.exactly(play.text), self._speaking(row, entries)
        who = str(row.facts.get("who", ""))

        def record(m: Match, inputs: Inputs) -> None:
            with irregular.carried_out("it can't be carried out"):
                speak(m, NOTHING)
                offer, had = m.open_to(play.seat, inputs.names), naming.counted(m.pos, inputs)
                t = m.with_names(inputs)
                legal = irregular.objection(m, t, play.seat, act, offer) is None
                if legal and irregular.unlisted(m, t, inputs, had) is None:
                    raise ValueError(phrase("it was not against the rules"))
                irregular.carry_out(m, play.seat, act, Inputs(inputs.names, inputs.rolls, who))

        self.record.first(play, [(record, {})])

    def _rewind(self, row: Row) -> None:
        facts = row.facts
        wanted = facts.get("to", self.opened.get(facts.get("decision") or 0, 0))
        by = officials.BY.get(str(facts.get("by", "")), BY_OFFICIAL)
        line = {entry.seq for entry in active(self.record.log)}
        if not isinstance(wanted, int) or wanted not in line:
            raise BadTranscript(row.line, phrase("there is nothing to go back to"))
        now, last = self._time(row), self.record.log[-1]
        event = Rewound(wanted, str(facts.get("note", "")), str(facts.get("who", "")))
        self.record.log.append(Entry(last.seq + 1, now, last.moment + 1, 0, by, row.cites, event))
        self.record.fit = False


def _state(match: Match, entries: Sequence[Row]) -> None:
    """Put an official's entries in, one after the other; those of one moment together."""
    t = match.table
    groups: list[list[Row]] = []
    for row in entries:
        if row.facts.get("at_once") and groups:
            groups[-1].append(row)
        else:
            groups.append([row])
    for group in groups:
        with t.at_once():
            for row in group:
                event, by = _event(match, row)
                t.emit(event, *t.manifest.in_full(row.cites), by=by)


def _event(match: Match, row: Row) -> tuple[AnyEvent, int]:
    """The event of a row, and who put it in; cards that it brings are such as the game can use."""
    event, by = officials.event_of(row, match.table)
    if isinstance(event, CardsBrought):
        prints = (*match.pos.heading.prints, *event.prints)
        try:
            terms.bounded(prints)
            terms.admitted(match.rules, prints)
        except Refused as refused:
            raise BadTranscript(row.line, refused.refusal.text) from None
    return event, by
