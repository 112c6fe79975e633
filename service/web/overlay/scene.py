"""The content of an overlay at a position: figures, score, turn, clocks, waiting effects.

All of it follows from the position as the viewer sees it and from the names of its game, so the
scene of an entry never changes. What was done last is in `last`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.record.position import NOBODY, Card, Pending, Position, seat_of
from domain.record.schema.tallies import Tally
from domain.record.values import Ref
from domain.telling.board.faces import face
from domain.telling.board.model import Face
from domain.telling.board.tiles import Tiles
from domain.telling.book import Book
from domain.telling.names import UNKNOWN
from domain.words.phrases import Phrase, filled, joined, phrase

#: So many of what waits are shown, the newest; the others are counted.
LINKS = 4
#: What is no figure of its own: it is shown large, or with the score.
_LARGE = "life"


class Figure(Struct, frozen=True):
    """A figure of a seat."""

    name: str
    label: str
    value: int


class Player(Struct, frozen=True):
    """A player: `won` games of those that are needed, `life` and the other figures."""

    seat: int
    name: str
    on_turn: bool
    deciding: bool
    winner: bool
    lost: bool
    won: int
    life: Figure | None
    figures: list[Figure]


class Timer(Struct, frozen=True):
    """A clock: it showed `left` milliseconds at the time `since` of the match, and runs from there.

    `since` is -1 where it stands still.
    """

    name: str
    label: str
    left: int
    since: int


class Shown(Struct, frozen=True):
    """A card: `id` is empty where the viewer can't name it."""

    id: str
    name: str
    kind: str
    figures: tuple[str, ...] = ()
    face: Face = Face()


class Link(Struct, frozen=True):
    """An act or effect that was declared or triggered and is not over; a window's pass among them.

    `number`: which link of a chain it is, 0: of none. No card: it comes from none.
    """

    id: int
    number: int
    seat: int
    card: Shown | None
    who: str
    text: str
    targets: str
    resolving: bool


class Fight(Struct, frozen=True):
    """The attack in progress: who attacks what, and who stands in between."""

    attacker: Shown
    target: str
    defender: str
    seat: int


class Scene(Struct, frozen=True):
    """The picture of a position. `links`: the newest first; `more`: those that are left out."""

    seq: int
    time: int
    game: int
    best_of: int
    needed: int
    score: list[int]
    turn: int
    turn_seat: int
    turn_name: str
    step: str
    over: bool
    paused: bool
    called: Phrase | str
    players: list[Player]
    timers: list[Timer]
    links: list[Link]
    more: int
    fight: Fight | None


def scene(book: Book, pos: Position, tallies: Sequence[Tally]) -> Scene:
    """The overlay's picture of a position."""
    tiles, best_of = Tiles(book, pos), pos.heading.best_of
    seats = range(len(pos.heading.seats))
    waiting = [*pos.pending.values()][::-1]
    return Scene(
        seq=pos.seq,
        time=pos.time,
        game=pos.game,
        best_of=best_of,
        needed=best_of // 2 + 1,
        score=[pos.score[seat] if seat < len(pos.score) else 0 for seat in seats],
        turn=pos.turn,
        turn_seat=pos.turn_seat,
        turn_name=pos.heading.seats[pos.turn_seat] if pos.turn_seat in seats else "",
        step=book.manifest.label("steps", pos.stands_in) if pos.stands_in else "",
        over=pos.over,
        paused=pos.paused >= 0,
        called=_time_called(pos),
        players=[_player(pos, seat, tallies) for seat in seats],
        timers=_timers(pos),
        links=[_link(tiles, act) for act in waiting[:LINKS]],
        more=max(len(waiting) - LINKS, 0),
        fight=_fight(tiles),
    )


def _player(pos: Position, seat: int, tallies: Sequence[Tally]) -> Player:
    figures = [Figure(one.name, one.label, one.value(pos, seat)) for one in tallies]
    deciding = pos.decision is not None and seat in pos.decision.seats
    return Player(
        seat=seat,
        name=pos.heading.seats[seat],
        on_turn=pos.turn_seat == seat and not pos.over,
        deciding=deciding,
        winner=pos.over and pos.winner == seat,
        lost=seat in pos.lost,
        won=pos.score[seat] if seat < len(pos.score) else 0,
        life=next((one for one in figures if one.name == _LARGE), None),
        figures=[one for one in figures if one.name not in (_LARGE, "score")],
    )


def _timers(pos: Position) -> list[Timer]:
    """The clocks; once time was called, what is left of the time that was given after it."""
    found = []
    if pos.called and pos.deadline:
        since = -1 if pos.paused >= 0 or pos.over else pos.time
        at = pos.paused if pos.paused >= 0 else pos.time
        found.append(Timer("deadline", phrase("Time left"), pos.deadline - at, since))
    for name, one in pos.clocks.items():
        if name == "round" and found:
            continue
        seat = seat_of(name)
        label = pos.heading.seats[seat] if seat >= 0 else phrase("Round")
        found.append(Timer(name, label, *_reading(pos, name, seat, one.running)))
    return found


def _time_called(pos: Position) -> Phrase | str:
    """The banner of a match whose time was called, while it is played on; empty: it was not."""
    if not pos.called or pos.over:
        return ""
    if pos.extra == 0:
        return phrase("Time called: this is the last turn")
    if pos.extra == 1:
        return phrase("Time called: one more turn")
    if pos.extra > 1:
        return phrase("Time called: {n} more turns", n=pos.extra)
    return phrase("Time called")


def _reading(pos: Position, name: str, seat: int, running: bool) -> tuple[int, int]:
    """The time on a clock, and from when on it runs; -1: it stands still."""
    decision, runs = pos.decision, running and pos.paused < 0 and not pos.over
    if runs and seat >= 0:
        runs = decision is not None and seat in decision.seats
    return pos.left(name, pos.time), pos.time if runs else -1


def shown(tiles: Tiles, number: Ref) -> Shown:
    """A card with its name, its type and its figures as they are now, or as they last were."""
    card = card_of(tiles.pos, number)
    if card is None or not card.id or not isinstance(number, int):
        return Shown("", UNKNOWN, "")
    figures = tuple(one.words for one in tiles.figures(tiles.pos.latest(number), card))
    return Shown(card.id, tiles.book.name(card.id), tiles.kind(card), figures,
                 face(tiles.book, card.id))  # fmt: skip


def card_of(pos: Position, number: Ref) -> Card | None:
    """A card by its number, as it is or as it last was; None: it can't be identified."""
    if not isinstance(number, int):
        return None
    latest = pos.latest(number)
    return pos.cards.get(latest) or pos.departed.get(number)


def called(tiles: Tiles, ref: Ref) -> str:
    """The name of a reference; of players, their names."""
    seat = seat_of(ref) if isinstance(ref, str) and ref.startswith("seat/") else NOBODY
    seats = tiles.pos.heading.seats
    if 0 <= seat < len(seats):
        return seats[seat]
    card = card_of(tiles.pos, ref)
    return tiles.book.name(card.id) if card is not None and card.id else tiles.ref(ref)


def _link(tiles: Tiles, act: Pending) -> Link:
    effect = act.effect.partition("/")[2].replace("-", " ")
    label = tiles.book.manifest.label("declarations", act.kind)
    seats = tiles.pos.heading.seats
    is_card = isinstance(act.source, int) and act.source > 0
    card = shown(tiles, act.source) if is_card else None
    text = effect or filled(label, "", card="").strip()
    return Link(
        id=act.id,
        number=tiles.link(act.id),
        seat=act.seat,
        card=card,
        who=seats[act.seat] if 0 <= act.seat < len(seats) else "",
        text=text,
        targets=joined(", ", [called(tiles, ref) for ref in act.targets]),
        resolving=act.resolving,
    )


def _fight(tiles: Tiles) -> Fight | None:
    pos = tiles.pos
    if pos.attack is None:
        return None
    attacker = card_of(pos, pos.attack.attacker)
    defender = pos.attack.defender
    return Fight(
        attacker=shown(tiles, pos.attack.attacker),
        target=called(tiles, pos.attack.target),
        defender=called(tiles, defender) if defender else "",
        seat=attacker.controller if attacker is not None else NOBODY,
    )
