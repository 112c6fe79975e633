"""Reading a transcript: recording its match again, at a real table.

The text is read leniently, played through the rulebook, told again through the same eyes, and held
against what it said: whatever it says must be so. Nothing is recorded unless all of it can be. What
comes out is the record of a match in table mode, which says of itself that it was imported.

Which of several unknown cards was meant can make no difference that anybody saw; what a row says
was turned up is tried out in that order until everything fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from domain import events as ev
from domain import irregular, naming, views
from domain.decisions import Act, Offer
from domain.events import OFFICIAL, Entry
from domain.fold import active
from domain.match import BadDeck, Deck, Match, Opening, Refused
from domain.naming import NOTHING, Told
from domain.notation import UNKNOWN, BadText, plain
from domain.rulebook import Rulebook
from domain.table import Diverged, Need, Unnamed, Untold
from domain.transcript import acts, compare, officials, tags
from domain.transcript.commands import is_official, shown
from domain.transcript.lines import (
    ANSWER,
    ASIDE,
    ENTRY,
    OPEN,
    REWIND,
    SEATS,
    BadTranscript,
    Row,
    Tag,
    statements,
)
from domain.transcript.lines import OFFICIAL as SPEAKS
from domain.transcript.write import statements as told_again
from domain.verify import DIVERGED, verify

#: How many ways to name the cards of one reading are tried; how many rows one row may imply.
MOST, IMPLIED = 40, 12


class _Again(Exception):
    """A card must be named earlier: go back to row `at`, whose entries begin at `start`."""

    def __init__(self, at: int, start: int) -> None:
        super().__init__()
        self.at, self.start = at, start


Books = Callable[[str], Rulebook]
Lists = Callable[[Rulebook], Mapping[int, Deck]]
#: Carries a command out, with what was stated along with it.
Command = Callable[[Match, Told], None]


def read(text: str, book: Books, lists: Lists | None = None, ticket: str = "") -> list[Entry]:
    """The record of the match that a transcript tells; raises `BadTranscript`.

    `book` gives a game's rulebook (`KeyError` if there is none), `lists` the decks of seats of
    which the transcript tells only the name. `ticket` names the command, as for any opening.
    """
    said = statements(text)
    head = tags.Tags([one for one in said if isinstance(one, Tag)])
    rows = [one for one in said if isinstance(one, Row)]
    game = str(head.get("Game", ""))
    try:
        rules = book(game)
    except KeyError:
        raise BadTranscript(head.line("Game"), f"there is no game {game!r}") from None
    compare.kept(head, rules)
    opening = replace(tags.opening(head, rules, lists(rules) if lists else {}), ticket=ticket)
    viewer = tags.viewer_of(head)
    log = _Reader(rules, opening, head, rows, viewer).log
    again = told_again([views.redact(entry, viewer) for entry in log], rules)
    compare.same(said, again)
    verdict = verify(log, rules)
    if verdict.kind == DIVERGED:
        raise BadTranscript(0, f"it does not hold together: {verdict.reason}")
    return log


def _no_dice(kind: str, of: int) -> tuple[int, ...]:
    raise AssertionError("a real table draws nothing")


class _Reader:
    """Plays rows one after the other; `log` is the record."""

    def __init__(
        self, rules: Rulebook, opening: Opening, head: tags.Tags, rows: Sequence[Row], viewer: int
    ) -> None:
        self.rules = rules
        dealt = head.get("Mode") == "dealer"
        self.seat = viewer if dealt else -1  # who knew his cards without anybody's naming them
        first = rows[0] if rows and rows[0].kind == OPEN else Row(OPEN)
        self.match = self._open(opening, first, head)
        self.fit = True  # whether the match in memory can be used
        self.log = self.match.collect()
        self._origin(head)
        self.spare = officials.mentioned(rows)
        self.opened: dict[int, int] = {}  # decision to the last entry of what opened it
        self.tries = 0
        self.rows, self.starts = rows, list[tuple[int, int]]()  # rows, and where their entries are
        self.stated: dict[int, dict[int, str]] = {}  # what is named along with a row, besides
        at = 1 if first.line else 0
        while at < len(rows):
            try:
                self._note_opened()
                self.starts.append((at, len(self.log)))
                at = self._row(rows, at)
            except _Again as again:
                at, self.fit = again.at, False
                del self.log[again.start :]
                self.starts = [one for one in self.starts if one[0] < at]
            except Diverged as diverged:
                line = rows[max(at - 1, 0)].line
                raise BadTranscript(line, "the rulebook can't go on from that") from diverged

    def _open(self, opening: Opening, first: Row, head: tags.Tags) -> Match:
        rolls = tuple(roll.result for roll in first.rolls)
        for _ in range(IMPLIED):
            try:
                return Match.open(self.rules, replace(opening, rolls=rolls), _no_dice)
            except Untold as untold:
                rolls += (_any(untold),)
            except BadDeck as bad:
                seat = min(bad.faults)
                line = head.line(f"List{SEATS[seat]}") or head.line(f"Deck{SEATS[seat]}")
                raise BadTranscript(line, str(bad)) from bad
            except Refused as refused:
                raise BadTranscript(first.line, str(refused)) from refused
        raise BadTranscript(first.line, "it can't be opened")

    def _origin(self, head: tags.Tags) -> None:
        """A fork says where it comes from."""
        said = str(head.get("ForkOf", ""))
        if said:
            match, _, seq = said.partition(" ")
            if not seq.isdecimal():
                raise BadTranscript(head.line("ForkOf"), f"{said!r} is no match and entry")
            first = self.log[0]
            event = replace(first.event, origin=ev.Origin(match, int(seq)))
            self.log[0] = replace(first, event=event)
            self.fit = False

    def _note_opened(self) -> None:
        decision = self._ready().pos.decision
        if decision is not None:
            self.opened.setdefault(decision.n, self.log[-1].seq)

    # -- rows ------------------------------------------------------------------------------------

    def _row(self, rows: Sequence[Row], at: int) -> int:
        """Play the row there, with those that belong to it; where the next one is."""
        row = rows[at]
        if row.kind == OPEN:
            raise BadTranscript(row.line, "the match is opened already")
        if row.kind == ANSWER:
            self._answer(row)
        elif row.kind == ASIDE:
            self._aside(row)
        elif row.kind == REWIND:
            self._rewind(row)
        else:
            return self._spoken(rows, at)
        return at + 1

    def _spoken(self, rows: Sequence[Row], at: int) -> int:
        row, end = rows[at], at + 1
        if self._ready().pos.over:
            raise BadTranscript(row.line, "the match was over")
        while row.kind == SPEAKS and end < len(rows) and rows[end].kind == ENTRY:
            end += 1
        entries = rows[at + 1 : end]
        if row.facts.get("plays"):
            if end == len(rows) or rows[end].kind not in (ANSWER, ASIDE):
                raise BadTranscript(row.line, "the play that it is about does not follow")
            self._irregular(row, entries, rows[end])
            return end + 1
        self._official(row, entries)
        return end

    def _ready(self) -> Match:
        """The match, fit to take a command."""
        if not self.fit:
            self.match = Match.resume(self.rules, self.log, _no_dice)
            self.fit = True
        return self.match

    def _time(self, row: Row) -> int:
        p = self._ready().pos
        asked = p.decision.time if p.decision is not None else p.time
        now = row.time if row.time is not None else asked + (row.taken or 0)
        if row.time is not None and now < p.time:
            raise BadTranscript(row.line, "it was earlier than the row before")
        return max(now, p.time)

    def _answer(self, row: Row) -> None:
        self._imply(row)
        match = self._ready()
        p, decision = match.pos, match.pos.decision
        if decision is None or p.over:
            raise BadTranscript(row.line, "the match was over")
        if row.n not in (0, decision.n) or row.seat not in decision.seats:
            asked = ", ".join(SEATS[seat] for seat in decision.seats)
            text = f"it was {asked}'s turn to answer decision {decision.n}"
            raise BadTranscript(row.line, text)
        offer = match.open_to(row.seat, {})
        assert offer is not None
        n, now, origin = decision.n, self._time(row), row.origin or "seat"

        def choose(act: Act) -> Callable[[Match, Told], None]:
            return lambda m, told: m.choose(row.seat, n, act, now, origin=origin, told=told)

        try:
            found = acts.readings(row.text, acts.Asked(match, row.seat, offer, self.spare))
            self._first(row, ((choose(act), named) for act, named in found))
        except BadText as bad:
            raise BadTranscript(row.line, str(bad)) from bad

    def _aside(self, row: Row) -> None:
        now = self._time(row)
        try:
            kind, about, picks, named = acts.aside(row.text, self._ready(), row.seat)
        except BadText as bad:
            raise BadTranscript(row.line, str(bad)) from bad

        def interject(m: Match, told: Told) -> None:
            m.interject(row.seat, kind, now, about, picks, told=told)

        self._first(row, [(interject, named)])

    def _imply(self, row: Row) -> None:
        """Answer decisions that a row passes over, by doing nothing."""
        for _ in range(IMPLIED):
            decision = self._ready().pos.decision
            if decision is None or (row.n == decision.n) or _answers(row, decision.offers):
                return
            seat = decision.seats[0]
            offer = decision.offers[seat]
            last = offer.options[-1] if offer is not None and offer.options else None
            if (row.n and row.n < decision.n) or last is None or last.card or last.parts:
                return
            passed = Row(ANSWER, decision.n, seat, last.kind, None, 0, None, "implied")
            self._answer(replace(passed, line=row.line))

    # -- trying ----------------------------------------------------------------------------------

    def _first(
        self,
        row: Row,
        ways: Iterator[tuple[Command, dict[int, str]]] | Sequence[tuple[Command, dict[int, str]]],
    ) -> None:
        """Carry out the first of these that everything fits; raises `BadTranscript`."""
        self.why = "it can't be what happened"
        rolls = tuple(roll.result for roll in row.rolls)
        besides = self.stated.get(self.starts[-1][0], {}) if row.kind != SPEAKS else {}
        for command, named in ways:
            self.tries = 0
            if self._try(row, command, {**besides, **named}, rolls):
                return
        raise BadTranscript(row.line, self.why)

    def _try(
        self, row: Row, command: Command, named: dict[int, str], rolls: tuple[tuple[int, ...], ...]
    ) -> bool:
        self.tries += 1
        if self.tries > MOST:
            return False
        match = self._ready()
        self.fit = False
        try:
            command(match, Told(named, rolls) if named or rolls else NOTHING)
        except Unnamed as unnamed:
            return self._name(row, command, named, rolls, unnamed.needs[0], match)
        except Untold as untold:
            return self._try(row, command, named, (*rolls, _any(untold)))
        except Refused as refused:
            self.why = f"{refused} ({' '.join(refused.refusal.rules)})"
            return False
        except BadTranscript:
            raise
        except _TRIPS as error:
            self.why = f"the rulebook can't go on from that: {error}"
            return False
        new = match.collect()
        up = Counter(card or UNKNOWN for _, _, card in shown(_followed(new)))
        missing = Counter(self._listed(row)) - up
        if missing or up[UNKNOWN] > self._listed(row).count(UNKNOWN):
            which = ", ".join(missing) or "a card that it doesn't name"
            self.why = f"{which} was{'' if not missing else ' not'} turned up"
            return False
        self.log += map(self._for_viewer, new)
        self.fit = True
        return True

    def _for_viewer(self, entry: Entry) -> Entry:
        """What was stated by a seat's own transcript of a dealt match that seat may read."""
        event = entry.event
        if self.seat < 0 or not isinstance(event, ev.DecisionMade | ev.Interjected):
            return entry
        stated = ev.Sealed(1 << self.seat, event.stated.value)
        return replace(entry, event=replace(event, stated=stated))

    def _name(
        self, row: Row, command: Command, named: dict[int, str],
        rolls: tuple[tuple[int, ...], ...], need: Need, match: Match,
    ) -> bool:  # fmt: skip
        """Name a card that must be named: one of those that the row shows and that were not yet."""
        up = Counter(card for _, _, card in shown(_followed(match.collect())))
        given = Counter(named.values())
        left = self._listed(row)
        for card in list((up | given).elements()):
            if card in left:
                left.remove(card)
        why = f"it doesn't say which card @{need.number} is ({need.place})"
        for card in dict.fromkeys(left or [UNKNOWN]):
            if row.kind == SPEAKS:
                self._name_before(need.number, card)
            elif self._try(row, command, {**named, need.number: card}, rolls):
                return True
            if not left:
                self.why = why
        return False

    def _name_before(self, number: int, card: str) -> None:
        """Go back and name a card along with the last answer: officials' frames name none."""
        line = {entry.seq for entry in active(self.log)}
        for at, start in reversed(self.starts):
            answer = self.rows[at].kind in (ANSWER, ASIDE) and start < len(self.log)
            if answer and self.log[start].seq in line:
                break
        else:
            return
        if number not in self.stated.setdefault(at, {}):
            self.stated[at][number] = card
            raise _Again(at, start)

    def _listed(self, row: Row) -> list[str]:
        """The cards that a row shows, as ids."""
        return [self._identity(row, card) for group in row.shown for card in group.cards]

    def _identity(self, row: Row, said: str) -> str:
        number = said.rpartition("(")[2].rstrip(" )")
        if number in self.rules.cards:
            return number
        said = said.strip().strip('"')
        if said == UNKNOWN or said in self.rules.cards:
            return said
        decks = self._ready().pos.heading.decks.values()
        listed = {card for _, parts in decks for cards in (parts or {}).values() for card in cards}
        for pool in (listed, self.rules.cards):
            found = [card for card in pool if plain(self.rules.cards[card].name) == plain(said)]
            if len(found) == 1:
                return found[0]
        raise BadTranscript(row.line, f"{said!r} is no card, or more than one")

    # -- officials -------------------------------------------------------------------------------

    def _official(self, row: Row, entries: Sequence[Row]) -> None:
        """State again what an official put in, word for word, and let follow what follows."""
        self._first(row, [(self._speaking(row, entries), {})])

    def _speaking(self, row: Row, entries: Sequence[Row]) -> Command:
        now = self._time(row)

        def speak(m: Match, told: Told) -> None:
            t = m.table
            t.now, t.rolls = now, list(told.rolls)
            if row.kind == ENTRY:
                event, by = officials.event_of(row, t)
                m.driver.take(t.input(event, *row.cites, by=by))
                return
            opened, by = officials.opened(row, t.pos)
            with t.speaking(by):
                m.driver.take(t.input(opened, *row.cites, by=by))
                _state(m, entries)
                closed = t.input(ev.FrameClosed(opened.id), *row.cites, by=by)
            m.driver.take(closed)

        return speak

    def _irregular(self, row: Row, entries: Sequence[Row], play: Row) -> None:
        """A play against the rules that an official has recorded: it must be against them."""
        act, speak = acts.exactly(play.text), self._speaking(row, entries)
        who = str(row.facts.get("who", ""))

        def record(m: Match, told: Told) -> None:
            with irregular.carried_out("it can't be carried out"):
                speak(m, NOTHING)
                offer = m.open_to(play.seat, told.names)
                with naming.spoken(m.pos, self.rules, told):
                    legal = irregular.objection(m, play.seat, act, offer) is None
                    if legal and irregular.unlisted(m, told) is None:
                        raise ValueError("it was not against the rules")
                irregular.carry_out(m, play.seat, act, Told(told.names, told.rolls, who))

        self._first(play, [(record, {})])

    def _rewind(self, row: Row) -> None:
        facts = row.facts
        wanted = facts.get("to", self.opened.get(int(facts.get("decision", 0)), 0))
        by = officials.BY.get(str(facts.get("by", "")), OFFICIAL)
        if wanted not in {entry.seq for entry in active(self.log)}:
            raise BadTranscript(row.line, "there is nothing to go back to")
        now, last = self._time(row), self.log[-1]
        event = ev.Rewound(wanted, str(facts.get("note", "")), str(facts.get("who", "")))
        self.log.append(Entry(last.seq + 1, now, last.moment + 1, 0, by, row.cites, event))
        self.fit = False


#: What a rulebook may trip over when a table was changed in a way that can't be.
_TRIPS = (LookupError, ValueError, TypeError, AttributeError, AssertionError)


def _followed(entries: Sequence[Entry]) -> Sequence[Entry]:
    """What followed from a command; what an official states himself is told by rows of its own."""
    spoken = bool(entries) and is_official(entries[0].event)
    return entries[officials.end(entries) :] if spoken else entries


def _any(untold: Untold) -> tuple[int, ...]:
    """How chance may have fallen where nobody saw it."""
    return tuple(range(untold.of)) if untold.kind == "order" else (0,)


def _answers(row: Row, offers: Mapping[int, Offer | None]) -> bool:
    """Whether a row begins with something that is open to its seat."""
    offer = offers.get(row.seat)
    verb = row.text.replace("-", " ").lower().split(" ")[0]
    kinds = {option.kind for option in offer.options} if offer is not None else set()
    return row.n == 0 and any(kind == "unknown" or kind.startswith(verb) for kind in kinds)


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
                event, by = officials.event_of(row, t)
                t.emit(event, *row.cites, by=by)
