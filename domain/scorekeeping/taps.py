"""Acts that one tap records: those on offer, those that passes lead to, those of unseen cards.

They are the suggestions of a line on which nothing is typed yet. Each has the line that says the
same, by which it is understood where the match has gone on meanwhile.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.record.decisions import Act, Offer
from domain.record.position import Position
from domain.record.values import Ref
from domain.scorekeeping.command import Command
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.suggestions import suggest, unseen
from domain.scorekeeping.suggestions.guess import Guesses
from domain.scorekeeping.suggestions.suggest import Table
from domain.scorekeeping.understanding import filling
from domain.telling.names import letter


class Tap(Struct, frozen=True):
    """An act to be tapped: how it reads, as a whole and bare, its command, how many are alike."""

    text: str
    bare: str
    command: Command
    alike: int = 1

    @property
    def line(self) -> str:
        """The line that means it at any decision."""
        return f"{letter(self.command.seat)}: {self.command.text}"

    @property
    def before(self) -> str:
        """The acts before it, which it implies."""
        return self.text.removesuffix(self.bare).removesuffix(f"{letter(self.command.seat)}: ")

    @property
    def refs(self) -> tuple[Ref, ...]:
        """What has to be touched for it: its card, and what is picked."""
        act = self.command.act
        return tuple(ref for ref in (act.card, *(r for part in act.picks for r in part)) if ref)


class Stand(Struct, frozen=True):
    """A decision at which a seat may act: the open one, or one that passes lead to."""

    t: Table
    passes: int = 0
    ends: tuple[str, ...] = ()

    def at(self, command: Command) -> Command:
        """A command for this decision."""
        return replace(command, passes=self.passes, ends=self.ends)


def tap(line: InputLine, command: Command, alike: int = 1) -> Tap:
    """A command as it is tapped."""
    return Tap(line.shown(command), command.text, command, alike)


def usual(line: InputLine) -> Tap | None:
    """What Enter would do on an empty line."""
    line.type("")
    command = line.understood().command
    return tap(line, command) if command is not None else None


def on_offer(line: InputLine) -> list[Tap]:
    """The acts on offer, those that nobody can tell apart once."""
    t = line.table()
    found = dict[Hashable, Tap]()
    for row in line.on_offer(t):
        if row.alike:
            found.setdefault(_seen(t, row.command.act), tap(line, row.command, row.alike))
    return [*found.values()]


def _seen(t: Table, act: Act) -> Hashable:
    """An act by what can be seen of it: of an unseen card its place."""
    unseen = _is_unseen(t, act.card) and not suggest.is_face_down(t, int(act.card))
    card = t.pos.card(int(act.card)).place if unseen else act.card
    return t.seat, act.kind, card, act.picks, act.effect


def _is_unseen(t: Table, card: Ref) -> bool:
    return isinstance(card, int) and card in t.pos.cards and not t.pos.card(card).id


def written_out(line: InputLine, command: Command) -> tuple[Command, list[Tap]]:
    """A command with what it left out, and the ways to do it, if there are several.

    That is known of one that names a card once the service was asked about it.
    """
    filled = filling.of(line.session, command)
    rows = [row for row in filled.rows if isinstance(row, suggest.Row)]
    return filled.command, [tap(line, row.command) for row in rows]


def chips(line: InputLine) -> list[Tap]:
    """The acts to be tapped: what is nothing but a word first, then those on offer."""
    t = line.table()
    return sorted(
        [*on_offer(line), *ahead(line)],
        key=lambda one: (bool(one.command.act.card), _is_unseen(t, one.command.act.card)),
    )


def ahead(line: InputLine) -> list[Tap]:
    """The acts that passes of this turn lead to, each at the first decision that takes it."""
    found = dict[Hashable, Tap]()
    here = {_seen(line.table(), one.command.act) for one in on_offer(line)}
    passing = line.session.book.manifest.passes
    for stand in _stands(line):
        if not stand.passes or stand.ends:
            continue
        for row in suggest.offered(stand.t):
            key = _seen(stand.t, row.command.act)
            if row.command.act.kind not in passing and key not in here:
                found.setdefault(key, tap(line, stand.at(row.command)))
    return [*found.values()]


def of_unseen(line: InputLine, where: Iterable[int]) -> list[Tap]:
    """The usual acts with cards that nobody has seen, whichever of its list each is.

    A turn is ended for them only where they can do nothing in it.
    """
    numbers, stands = frozenset(where), [*_stands(line)]
    for some in ([one for one in stands if not one.ends], [one for one in stands if one.ends]):
        found = dict[tuple[int, str], Tap]()
        for stand in some:
            for row in Guesses(stand.t).named(numbers):
                key = row.command.seat, row.text
                found.setdefault(key, tap(line, stand.at(row.command)))
        if found:
            return sorted(found.values(), key=lambda one: _named(line, one.command))
    return []


def unused(line: InputLine, numbers: Sequence[int], known: Iterable[Tap]) -> dict[str, str]:
    """What the first of some unseen cards may be of which no act is `known`, and its name."""
    pos, book = line.session.pos, line.session.book
    acting = {card for one in known for card in one.command.names.values()}
    owner = pos.card(numbers[0]).owner if numbers else 0
    names = unseen.cards(book, pos, owner, number=numbers[0]) if numbers else {}
    ordered = sorted(names, key=names.__getitem__)
    return {card: names[card] for card in ordered if card not in acting}


def asked_about(line: InputLine, number: int, card: str) -> list[Command]:
    """A question for each decision at which an unseen card may act: whether it may, as `card`.

    What the service says to it is what `named` reads.
    """
    return [
        stand.at(Command(stand.t.seat, Act("pass"), names={number: card}))
        for stand in _stands(line)
        if not stand.ends and number in suggest.unknown(stand.t.offer)
    ]


def named(line: InputLine, number: int, asked: Command, offer: Offer) -> Iterator[Tap]:
    """The acts that a card may do once it is named, by the service's offer."""
    t = filling.table(line.session, asked, offer)
    for option in offer.options:
        if option.card == number:
            for act in suggest.ways(t, offer, option):
                yield tap(line, replace(asked, act=act, text=t.write(act)))


def lying(pos: Position, place: str) -> list[int]:
    """The cards of a place that nobody can tell apart, or that nobody has named."""
    return [n for n in pos.zone(place) if n and not pos.card(n).id]


def verbs(line: InputLine, number: int, card: str = "") -> Iterator[str]:
    """The lines that say what a card does, which may be named so, by each verb.

    Those that answer what is asked come first; of one that is named there are no others.
    """
    pos, book, decision = line.session.pos, line.session.book, line.session.decision
    able = book.manifest.answers.get(decision.kind, ()) if decision is not None else ()
    seat = pos.card(number).controller
    called = line.table(seat).called(number)
    meant = [act.name for act in book.manifest.acts if "{card}" in act.label]
    meant.sort(key=lambda verb: verb not in able)
    for verb in meant:
        if verb != suggest.UNKNOWN and (verb in able or not (able and card)):
            yield f"{letter(seat)}: {verb} {book.name(card) if card else called}"


def renaming(line: InputLine, number: int) -> str:
    """The beginning of a line that gives a card another name."""
    seat = line.session.pos.card(number).controller
    return f"{letter(seat)}: {line.table(seat).called(number)} = "


def _stands(line: InputLine) -> Iterator[Stand]:
    """The decisions from here on, with the seats that are asked at each."""
    session, t = line.session, line.table()
    decision = session.decision
    for seat in decision.seats if decision is not None else ():
        yield Stand(line.table(seat))
    for stop in session.ahead.stops if session.ahead is not None else ():
        for seat in stop.decision.seats:
            offer = stop.decision.offers.get(seat)
            there = replace(t, pos=stop.pos, seat=seat, offer=offer)
            yield Stand(there, stop.passes, stop.ends)


def _named(line: InputLine, command: Command) -> str:
    book = line.session.book
    return " ".join(book.name(card) for card in command.names.values())
