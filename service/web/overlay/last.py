"""The last act of a match: its line, and the card that did it.

The card is the one that the line's entries name first: of what was declared, of an attack, of the
answer to a decision, of an effect that is carried out. Where they name none it is the first that
moved face up; not where they name one that nobody may know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from domain.engine.rulebook import Rulebook
from domain.games.kit.game import Game
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import Position
from domain.record.values import Ref
from domain.telling.board.tiles import Tiles
from domain.telling.book import Book
from domain.telling.card_text import card_text
from domain.telling.names import letter, player
from domain.words.phrases import phrase
from domain.words.tables import Language
from service.web.overlay.scene import Shown, shown
from service.web.positions.telling.transcripts import LineData

#: The position after an entry.
At = Callable[[int], Position]
#: Kinds of lines that tell of something that was done.
ACTS = ("act", "effect")
#: How far back it is looked for, in entries and in turns.
BACK, TURNS = 300, 1


class Last(Struct, frozen=True):
    """The last act: by the line of entry `seq`, by a seat of that name, with a card.

    `outcome`: the line tells what came about, and not what the seat did. `texts` are those of the
    card, in our own words, by name.
    """

    seq: int
    seat: int
    name: str
    text: str
    outcome: bool
    card: Shown
    texts: tuple[tuple[str, str], ...]


def last(
    rules: Rulebook,
    book: Book,
    pos: Position,
    line: LineData,
    entries: Sequence[Entry],
    at: At,
    language: Language,
) -> Last | None:
    """The last act by a line with these entries (and a few before them); None: it is long ago.

    `at` is the position after an entry.
    """
    if not 0 <= pos.turn - line.turn <= TURNS:
        return None
    seats, seat = pos.heading.seats, line.seat
    acted: list[Ref] = [ref for ref in refs(entries, line.seq) if isinstance(ref, int) and ref > 0]
    wanted = acted or [*moved(entries, line.seq)]
    card = _found(book, pos, wanted, [line.until, line.seq], at)
    name = seats[seat] if 0 <= seat < len(seats) else ""
    text = called(without_ids(line.text, book), seats, language)
    tells = line.kind != ACTS[0]
    who = "" if text.startswith(name) else name  # a line that says itself who does it
    return Last(line.seq, seat, who, text, tells, card, _texts(rules, book, card.id, language))


def _texts(
    rules: Rulebook, book: Book, card: str, language: Language
) -> tuple[tuple[str, str], ...]:
    """What a card says; nothing where it can't be named, or its game has no card texts."""
    facts = book.cards.get(card)
    if facts is None or not isinstance(rules, Game):
        return ()
    return card_text(rules, book, facts, language).texts


def _found(
    book: Book, pos: Position, wanted: Sequence[Ref], entries: Sequence[int], at: At
) -> Shown:
    """The first card that can be named, as it is; of one that is gone, as it was at an entry."""
    for seq in (pos.seq, *entries):
        tiles = Tiles(book, pos if seq >= pos.seq else at(seq))
        for ref in wanted:
            card = shown(tiles, ref)
            if card.id:
                return card
    return shown(Tiles(book, pos), 0)


def without_ids(text: str, book: Book) -> str:
    """A line without the ids and numbers that distinguish cards of one name."""
    text = re.sub(
        r" \(([^()\s]+)\)", lambda found: "" if found[1] in book.cards else found[0], text
    )
    return re.sub(r"(?<=\w)#[0-9]+\b", "", text)


def called(text: str, seats: Sequence[str], language: Language) -> str:
    """A line with the names of the players in the place of their letters."""
    for seat, name in enumerate(seats):
        text = text.replace(language.say(player(seat)), name)
        before, after = _owner(letter(seat), language), _owner(name, language)
        if before.strip():
            text = re.sub(rf"(?<!\w){re.escape(before)}", after.replace("\\", r"\\"), text)
    return text


def _owner(who: str, language: Language) -> str:
    """The possessive before a name: `A's `; else empty."""
    text = language.say(phrase("{player}'s {zone}", player=who, zone="|"))
    return text.removesuffix("|") if text.endswith("|") else ""


def refs(entries: Sequence[Entry], first: int) -> Iterator[Ref]:
    """The references of entries from the first on, the likeliest subject first."""
    within = [one.event for one in entries if one.seq >= first]
    for event in within:
        match event:
            case ev.ActDeclared():
                yield event.source
            case ev.AttackDeclared():
                yield event.attacker
            case ev.DecisionMade():
                yield from _answered(entries, event)
            case ev.ActResolving():
                yield from _source(entries, event.id)


def moved(entries: Sequence[Entry], first: int) -> Iterator[Ref]:
    """The cards that moved face up by entries from the first on."""
    for entry in entries:
        if entry.seq >= first and isinstance(entry.event, ev.CardsMoved) and entry.event.up:
            yield from entry.event.now.value or ()


def _answered(entries: Sequence[Entry], made: ev.DecisionMade) -> Iterator[Ref]:
    """The card of the option that was taken, as far as it may be known."""
    if made.act is not None:
        yield made.act.card
    if made.answer.value is None:
        return
    for entry in entries:
        event = entry.event
        if isinstance(event, ev.OptionsOffered) and (event.n, event.seat) == (made.n, made.seat):
            offer, at = event.offer.value, made.answer.value.option
            if offer is not None and 0 <= at < len(offer.options):
                yield offer.options[at].card


def _source(entries: Sequence[Entry], act: int) -> Iterator[Ref]:
    for entry in entries:
        event = entry.event
        if isinstance(event, ev.ActDeclared | ev.EffectTriggered) and event.id == act:
            yield event.source
