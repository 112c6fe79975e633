"""Plays the rows of a transcript on a match, command by command.

Where the rules need a card that nobody has named, the command is tried with each of those that the
row says were turned up, until everything it says matches. After a failed try the match is resumed
from the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from domain.engine.match import Match, Refused
from domain.engine.naming import NOTHING, Inputs
from domain.engine.signals import NameRequired, Need, RollRequired
from domain.record import events as ev
from domain.record.entries import Entry, active
from domain.record.position import UNKNOWN
from domain.record.values import Sealed
from domain.text.plain import plain
from domain.text.transcript import officials
from domain.text.transcript.commands import ends_at, followed, is_official, shown, sources
from domain.text.transcript.implied import expects, outcomes
from domain.text.transcript.lines import ANSWER, ASIDE, INTERVENTION, BadTranscript, Row, place
from domain.words.phrases import joined, phrase

#: How many ways to name the cards of one reading are tried.
MOST = 40
#: Carries a command out, with what was stated along with it.
Command = Callable[[Match, Inputs], None]


class NameEarlier(Exception):
    """A card must be named earlier: go back to row `at`, whose entries begin at `start`."""

    def __init__(self, at: int, start: int) -> None:
        super().__init__()
        self.at, self.start = at, start


def no_dice(kind: str, of: int) -> tuple[int, ...]:
    """Nothing is drawn at a real table."""
    raise AssertionError("a real table draws nothing")


class Executor:
    """A match and its log, to which commands are added."""

    def __init__(self, match: Match, rows: Sequence[Row], seat: int) -> None:
        """`seat` may read what is stated, as it knew it all anyhow; -1: none."""
        self.match, self.rules, self.rows, self.seat = match, match.rules, rows, seat
        self.fit = True  # whether the match in memory can be used
        self.log = match.collect()
        self.starts: list[tuple[int, int]] = []  # rows, and where in the log their entries begin
        self._stated: dict[int, dict[int, str]] = {}  # what is named along with a row, besides
        self._tries, self._why = 0, ""
        self._refused: Refused | None = None  # where that is why
        self._named_by_act: frozenset[int] = (
            frozenset()
        )  # the unknown cards that the act itself names

    def begin(self, at: int) -> None:
        """Row `at` begins here."""
        self.starts.append((at, len(self.log)))

    def go_back(self, earlier: NameEarlier) -> int:
        """Go back to a row that must be played again; which one."""
        del self.log[earlier.start :]
        self.starts = [one for one in self.starts if one[0] < earlier.at]
        self.fit = False
        return earlier.at

    def ready(self) -> Match:
        """The match, fit to take a command."""
        if not self.fit:
            self.match = Match.resume(self.rules, self.log, no_dice)
            self.fit = True
        return self.match

    def first(
        self,
        row: Row,
        ways: Iterable[tuple[Command, dict[int, str]]],
    ) -> None:
        """Carry out the first of these that everything fits; raises `BadTranscript`.

        From `Refused`, if that is why not.
        """
        self._why, self._refused = phrase("it can't be what happened"), None
        rolls = tuple(roll.result for roll in row.rolls)
        at = self.starts[-1][0]
        besides = (
            self._stated.get(at, {}) if row is self.rows[at] and row.kind != INTERVENTION else {}
        )
        for command, named in ways:
            self._tries, self._named_by_act = 0, frozenset(named)
            if self._try(row, command, {**besides, **named}, rolls):
                return
        raise BadTranscript(row.line, self._why) from self._refused

    def _try(
        self, row: Row, command: Command, named: dict[int, str], rolls: tuple[tuple[int, ...], ...]
    ) -> bool:
        self._tries += 1
        if self._tries > MOST:
            return False
        match = self.ready()
        self.fit = False
        try:
            command(match, Inputs(named, rolls) if named or rolls else NOTHING)
        except NameRequired as unnamed:
            return self._name(row, command, named, rolls, unnamed.needs[0], match)
        except RollRequired as required:
            more = [(*rolls, result) for result in outcomes(required)]
            return self._guess(row, command, named, more)
        except Refused as refused:
            rules_ = " ".join(refused.refusal.rules)
            self._why = phrase("{refused} ({rules})", refused=refused, rules=rules_)
            self._refused = refused
            return False
        except BadTranscript:
            raise
        except _TRIPS as error:
            self._why = phrase("the rulebook can't go on from that: {error}", error=error)
            return False
        new = match.collect()
        wrong = self.mismatch(row, _followed(new))
        if wrong:
            self._why = wrong
            return False
        self.log += map(self._for_viewer, new)
        self.fit = True
        return True

    def _guess(
        self, row: Row, command: Command, named: dict[int, str],
        ways: Sequence[tuple[tuple[int, ...], ...]],
    ) -> bool:  # fmt: skip
        """Have chance fall in one of these ways, so that the next answer fits if it can."""
        likely: tuple[list[Entry], Match] | None = None
        for rolls in ways:
            before = len(self.log)
            if not self._try(row, command, named, rolls):
                continue
            if expects(row, self.rows, self.match):
                return True
            new, match = self.log[before:], self.match
            likely = likely or (new, match)
            del self.log[before:]
            self.fit = False
        if likely is not None:
            new, self.match = likely
            self.log += new
            self.fit = True
        return likely is not None

    def mismatch(self, row: Row, new: Sequence[Entry]) -> str:
        """The statements of a row about revealed cards that are not true; "" if there are none.

        A card was turned up where it lay by then, and out of where it came from.
        """
        came, written = sources(new), self.listed(row)
        up = [({at, came[number]}, card or UNKNOWN) for number, at, card in shown(new)]
        left = iter(up)
        for where, card in written:
            if not any(where in places and which == card for places, which in left):
                places = sorted({at for at_, which in up for at in at_ if which == card})
                if where in places:
                    return phrase(
                        "{card} was not turned up so often, or not in that order", card=card
                    )
                if not places:
                    return phrase(
                        "{card} was not turned up in {place}", card=card, place=place(where)
                    )
                there = joined(" or ", map(place, places))
                text = "{card} was not turned up in {place} but in {places}"
                return phrase(text, card=card, place=place(where), places=there)
        unnamed = [max(places) for places, card in up if card == UNKNOWN]
        unnamed = unnamed[sum(card == UNKNOWN for _, card in written) :]
        if not unnamed:
            return ""
        text = "a card that it doesn't name was turned up in {place}"
        return phrase(text, place=place(unnamed[0]))

    def _for_viewer(self, entry: Entry) -> Entry:
        """The statements that a seat's own transcript of a dealt match may contain."""
        event = entry.event
        if self.seat < 0 or not isinstance(event, ev.DecisionMade | ev.Interjected):
            return entry
        stated = Sealed(1 << self.seat, event.stated.value)
        return replace(entry, event=replace(event, stated=stated))

    def _name(
        self, row: Row, command: Command, named: dict[int, str],
        rolls: tuple[tuple[int, ...], ...], need: Need, match: Match,
    ) -> bool:  # fmt: skip
        """Name a card that must be named: one of those that the row shows and that were not yet.

        What the act itself names it does not show.
        """
        new = _followed(match.collect())
        numbers = followed(new)
        own = {n for number in self._named_by_act for n in ends_at(numbers, number)}
        up = Counter(card for number, _, card in shown(new) if number not in own)
        given = Counter(card for number, card in named.items() if number not in own)
        left = [card for _, card in self.listed(row)]
        for card in list((up | given).elements()):
            if card in left:
                left.remove(card)
        why = f"it doesn't say which card @{need.number} is ({need.place})"
        for card in dict.fromkeys(left or [UNKNOWN]):
            if row.kind == INTERVENTION:
                self._name_before(need.number, card)
            elif self._try(row, command, {**named, need.number: card}, rolls):
                return True
            if not left:
                self._why = why
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
        if number not in self._stated.setdefault(at, {}):
            self._stated[at][number] = card
            raise NameEarlier(at, start)

    def listed(self, row: Row) -> list[tuple[str, str]]:
        """The cards that a row shows, in order: the place, and the id."""
        return [(s.place, self._identity(row, card)) for s in row.shown for card in s.cards]

    def _identity(self, row: Row, written: str) -> str:
        known = self.rules.known(self.match.pos.heading.prints)
        name, bracket, number = written.rpartition("(")
        number, name = number.rstrip(" )"), name.strip().strip('"')
        if number in known and bracket:
            if plain(name) not in ("", plain(known[number].name)):
                raise BadTranscript(
                    row.line,
                    phrase(
                        "{number} is {card}, not {name}",
                        number=number,
                        card=known[number].name,
                        name=name,
                    ),
                )
            return number
        written = written.strip().strip('"')
        if written == UNKNOWN or written in known:
            return written
        decks = self.match.pos.heading.decks.values()
        listed = {card for _, parts in decks for cards in (parts or {}).values() for card in cards}
        for pool in (listed, known):
            found = [card for card in pool if plain(known[card].name) == plain(written)]
            if len(found) == 1:
                return found[0]
        raise BadTranscript(
            row.line, phrase("{written!r} is no card, or more than one", written=written)
        )


#: What a rulebook may trip over when a table was changed in a way that can't be.
_TRIPS = (LookupError, OverflowError, ValueError, TypeError, AttributeError, AssertionError)


def _followed(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The consequences of a command; statements of an official have rows of their own."""
    by_official = bool(entries) and is_official(entries[0].event)
    return entries[officials.end(entries) :] if by_official else entries
