"""A toy game, small enough to read at a glance: the proof that the service knows no game.

Two seats, a deck of numbered cards each. Setup: shuffle and draw three. A turn: draw one, then play
a card from the hand (it scores its figure) or pass. The game ends after a given number of turns
(option `turns`, 6 if not given), when somebody concedes, or when a deck runs out.

Tests of the service and the store use it rather than `lamps`: every decision has the same few acts,
no card has a text and a match is as long as `turns` says, so a test can state its entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.effects.language.words import Words
from domain.engine.rulebook import DeckFault, Refusal, go
from domain.engine.signals import Over, Play
from domain.engine.table import Table
from domain.games.kit.choices.acts import Acts, Question
from domain.games.kit.choices.legality import refuse
from domain.games.kit.choices.rows import Asking, Pick, Row, concession
from domain.games.kit.game import Cites, Deck, Flow, Game, Lists
from domain.record import events as ev
from domain.record.decisions import Act, Part
from domain.record.position import Position
from domain.record.schema.citations import Rule
from domain.record.schema.manifest import Manifest, Word, Zone
from domain.record.schema.tallies import Tally
from domain.record.values import EVERYONE, Change, Sealed


class Fact(Struct, frozen=True):
    id: str
    name: str
    type: str
    figure: int


def words(*names: str) -> tuple[Word, ...]:
    return tuple(Word(name, name.capitalize()) for name in names)


MANIFEST = Manifest(
    "toy", "A Toy", "toy", "1",
    (
        Zone("deck", "Deck", "none", "none", ordered=True, style="stack"),
        Zone("hand", "Hand", "owner", "owner"),
        Zone("field", "Field", "all", "all", orients=("ready", "spent"), row=0),
        Zone("trash", "Trash", "all", "all", ordered=True, style="pile"),
    ),
    words("setup", "draw", "main"),
    (),
    words("target"),
    words("main"),
    words("points"),
    words("power"),
    words("played"),
    words("deck", "draw", "play", "setup", "shuffle", "conceded", "deck out", "turns",
          "points", "replace"),
    words("play"),
    ("power",),
)  # fmt: skip
RULES: Mapping[str, Rule] = {
    f"toy:{n}": Rule(f"toy:{n}", "must", gist, "")
    for n, gist in [
        ("1", "Two players."), ("2", "A deck has 40 cards."), ("2-1", "No card four times."),
        ("3", "Draw one card a turn."), ("4", "Play cards from the hand in the main step."),
        ("4-1", "Only the turn player plays."), ("5", "Pass to end the turn."),
        ("6", "Concede at any time."), ("7", "The higher score wins."),
        ("8", "Tidy your trash."),
    ]
}  # fmt: skip


class Numbers:
    """The cards and the lists; a match brings no others."""

    cards: Mapping[str, Fact] = {
        f"T{n:02}": Fact(f"T{n:02}", f"Card {n}", "number", n) for n in range(1, 21)
    }
    decks: Mapping[str, Deck] = {
        "ones": {"main": [f"T{n:02}" for n in range(1, 21) for _ in range(2)]},
        "tens": {"main": [f"T{n:02}" for n in range(11, 21) for _ in range(3)] + ["T01", "T02"] * 3
                 + ["T03"] * 3 + ["T04"]},
    }  # fmt: skip
    digest = "c" * 64
    card_type = Fact

    def known(self, prints: tuple[str, ...]) -> Mapping[str, Fact]:
        return self.cards

    def admit(self, prints: tuple[str, ...]) -> None:
        if prints:
            raise ValueError("it has all the numbers there are")


def faults(deck: Deck, cards: Mapping[str, Any], options: object = None) -> list[DeckFault]:
    main = list(deck.get("main", ()))
    found = [
        DeckFault("toy:2", card, f"There is no card {card}.")
        for card in dict.fromkeys(main)
        if card not in cards
    ]
    found += [
        DeckFault("toy:2-1", card, f"{card} is in it {main.count(card)} times.")
        for card in dict.fromkeys(main)
        if main.count(card) > 3
    ]
    if len(main) != 40 or deck.keys() != {"main"}:
        found.append(DeckFault("toy:2", "", f"It has {len(main)} cards, not 40."))
    return found


# -- what may be done ------------------------------------------------------------------------------


def own_decision(t: Table, seat: int, act: Act) -> Refusal | None:
    decision = t.pos.decision
    if decision is not None and seat not in decision.seats:
        return refuse("It is not your turn.", "toy:4-1", "toy:4")
    return None


def once_a_turn(t: Table, seat: int, act: Act) -> Refusal | None:
    if t.pos.mark(f"seat/{seat}", "played") == t.pos.turn:
        return refuse("You have played one.", "toy:4")
    return None


def own_trash(t: Table, seat: int, act: Act) -> Refusal | None:
    cards = t.pos.zone("trash", seat)
    picks = act.picks[0] if act.picks else ()
    if act.card != f"trash/{seat}" or sorted(map(str, picks)) != sorted(map(str, cards)):
        return refuse("List all of your own trash.", "toy:8")
    return None


def hand(asking: Asking) -> list[int]:
    return asking.p.zone("hand", asking.seat)


def players(p: Position, seat: int) -> tuple[str, ...]:
    return ("seat/0", "seat/1")


def target(asking: Asking, card: int, text: str) -> Iterator[Part]:
    yield Part("target", 0, 1, 1)


def play(t: Table, seat: int, act: Act) -> None:
    frame = t.open_frame("play", "toy:4", card=act.card)
    (card,) = t.move([int(act.card)], f"field/{seat}", "play", "toy:4")
    power = Numbers.cards[t.pos.cards[card].id].figure
    t.emit(ev.StatsSet(Sealed(EVERYONE, ((card, "power", power),))), "toy:4")
    t.modify(card, act.picks[0], Change("power", "add", 1), "turn", "toy:4")
    t.counters("points", power, "toy:4", dst=f"seat/{seat}")
    t.mark(f"seat/{seat}", "played", t.pos.turn, "toy:4")
    t.close_frame(frame, "toy:4")
    go(t, "main", "toy:4")


def end(t: Table, seat: int, act: Act) -> None:
    t.expire("turn", "toy:5")
    t.move(t.pos.zone("field", seat)[:], f"trash/{seat}", "play", "toy:5")
    go(t, "draw", "toy:5")


def tidy(t: Table, seat: int, act: Act) -> None:
    t.order(str(act.card), [int(pick) for pick in act.picks[0]], "play", "toy:8")


def trash(p: Position, seat: int) -> Iterable[Act]:
    return [Act("reorder", f"trash/{seat}")] if p.zone("trash", seat) else []


ACTS = Acts(
    (
        Row(
            name="play", label="Play", at=("main",), cards=hand,
            picks=(Pick("target", parts=target),), when=(own_decision, once_a_turn),
            allows=("toy:4",), do=play,
        ),
        Row(
            name="pass", label="Pass", at=("main",), when=(own_decision,),
            allows=("toy:5",), do=end, passes=True,
        ),
        concession("Concede", "toy:6", why="conceded"),
        Row(
            name="reorder", label="Reorder", checks=(own_trash,),
            allows=("toy:8",), do=tidy, stands=trash,
        ),
    ),
    questions={"main": Question(players)},
    picks=(Pick("", {"": ("One of the players.", "toy:4")}),),
    unasked=lambda t, seat, act: refuse("That can't be done.", "toy:4"),
    which="toy:4",
    over="toy:6",
    seats="toy:1",
    unknown="toy:4",
)  # fmt: skip


# -- the book --------------------------------------------------------------------------------------


class Toy(Game):
    def __init__(self) -> None:
        super().__init__(
            manifest=MANIFEST, rules=RULES, board="",
            lists=Lists(Numbers(), Words(zones=(), instructions={}), faults),
            flow=Flow(ACTS, {"setup": self.setup, "draw": self.draw, "main": self.main}),
            cites=Cites(
                opening=("toy:1",), deck=("toy:2",), seats=("toy:1",),
                won=("toy:7",), drawn=("toy:7",), match=("toy:7",), next_game=("toy:3",),
            ),
            tallies=(
                Tally("life", "Deck", zone="deck"), Tally("deck", "Deck", zone="deck"),
                Tally("hand", "Hand", zone="hand"),
                Tally("points", "Points", counters=("points",)),
            ),
        )  # fmt: skip

    def setup(self, t: Table) -> Play:
        t.emit(ev.GameBegan(t.pos.game + 1), "toy:1")
        for seat in (0, 1):
            deck = t.pos.heading.decks[seat][1]
            assert deck is not None
            t.make(deck["main"], f"deck/{seat}", "deck", "toy:2")
            yield from t.shuffle(f"deck/{seat}", "toy:2")
            t.move(t.top(f"deck/{seat}", 3), f"hand/{seat}", "setup", "toy:3")
        go(t, "draw", "toy:3")

    def draw(self, t: Table) -> Play:
        turn, turns = t.pos.turn + 1, t.pos.heading.options.get("turns", 6)
        assert isinstance(turns, int)
        seat = (turn - 1) % 2
        if turn > turns:
            raise Over
        t.emit(ev.TurnBegan(turn, seat), "toy:3")
        top = t.top(f"deck/{seat}")
        if not top:
            if not t.pos.zone("trash", seat):
                t.emit(ev.SeatLost((seat,), "deck out"), "toy:3")
                raise Over
            t.move(t.pos.zone("trash", seat)[:], f"deck/{seat}", "replace", "toy:3")
            yield from t.shuffle(f"deck/{seat}", "toy:3")
            top = t.top(f"deck/{seat}")
        t.move(top, f"hand/{seat}", "draw", "toy:3")
        go(t, "main", "toy:4")

    def main(self, t: Table) -> Play:
        seat = t.pos.turn_seat
        act = yield from t.ask(seat, "main", ACTS.offer("main", t, seat), "toy:4")
        yield from ACTS.carry_out(t, seat, act)

    def ending(self, t: Table) -> Play:
        """The higher score wins, unless somebody has lost before."""
        p = t.pos
        points = [p.counters(f"seat/{seat}", "points") for seat in (0, 1)]
        if p.lost:
            winner, why = 1 - next(iter(p.lost)), next(iter(p.lost.values()))
        else:
            winner, why = (-1 if points[0] == points[1] else points.index(max(points))), "turns"
        t.emit(ev.GameEnded(winner, why), "toy:7")
        t.emit(ev.MatchEnded(winner, tuple(p.score)), "toy:7")
        return
        yield


TOY = Toy()
RULEBOOKS: Mapping[str, Game] = {"toy": TOY}
