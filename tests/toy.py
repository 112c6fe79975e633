"""A toy game, small enough to read at a glance: the proof that the service knows no game.

Two seats, a deck of numbered cards each. Setup: shuffle and draw three. A turn: draw one, then play
a card from the hand (it scores its figure) or pass. The game ends after a given number of turns
(option `turns`, 6 if not given), when somebody concedes, or when a deck runs out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.effects.check import Words
from domain.engine.rulebook import DeckFault, Refusal, Step, go
from domain.engine.signals import Over, Play
from domain.engine.table import Table
from domain.games.kit.game import Game
from domain.record import events as ev
from domain.record.citations import Rule
from domain.record.decisions import Act, Misfit, Offer, Option, Part
from domain.record.events import EVERYONE, Change, Ref, Sealed
from domain.record.manifest import Manifest, Word, Zone
from domain.record.position import Position


class Fact(Struct, frozen=True):
    id: str
    name: str
    type: str
    figure: int


def words(*names: str) -> tuple[Word, ...]:
    return tuple(Word(name, name.capitalize()) for name in names)


class Toy:
    manifest = Manifest(
        "toy", "A Toy", "toy", "1",
        (
            Zone("deck", "Deck", "none", "none", ordered=True, style="stack"),
            Zone("hand", "Hand", "owner", "owner"),
            Zone("field", "Field", "all", "all", orients=("ready", "spent"), row=0),
            Zone("trash", "Trash", "all", "all", ordered=True, style="pile"),
        ),
        words("setup", "draw", "main"),
        words("play", "pass", "concede", "reorder"),
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
    rules: Mapping[str, Rule] = {
        f"toy:{n}": Rule(f"toy:{n}", "must", gist, "")
        for n, gist in [
            ("1", "Two players."), ("2", "A deck has 40 cards."), ("2-1", "No card four times."),
            ("3", "Draw one card a turn."), ("4", "Play cards from the hand in the main step."),
            ("4-1", "Only the turn player plays."), ("5", "Pass to end the turn."),
            ("6", "Concede at any time."), ("7", "The higher score wins."),
            ("8", "Tidy your trash."),
        ]
    }  # fmt: skip
    cards: Mapping[str, Any] = {
        f"T{n:02}": Fact(f"T{n:02}", f"Card {n}", "number", n) for n in range(1, 21)
    }
    words = Words(
        zones=(),
        attributes={},
        values={},
        occurrences=(),
        timings=(),
        figures=(),
        keywords={},
        acts=(),
        durations=(),
    )
    decks: Mapping[str, Mapping[str, Sequence[str]]] = {
        "ones": {"main": [f"T{n:02}" for n in range(1, 21) for _ in range(2)]},
        "tens": {"main": [f"T{n:02}" for n in range(11, 21) for _ in range(3)] + ["T01", "T02"] * 3
                 + ["T03"] * 3 + ["T04"]},
    }  # fmt: skip
    readings: Sequence[str] = ()
    digests: Mapping[str, str] = {
        "manifest": manifest.digest(),
        "rules": "r" * 64,
        "cards": "c" * 64,
    }
    answers: Mapping[str, tuple[str, ...]] = {}
    idle = frozenset({"pass"})
    first_step: str = "setup"
    opening_cites: tuple[str, ...] = ("toy:1",)
    deck_cites: tuple[str, ...] = ("toy:2",)
    board: str = ""

    def __init__(self) -> None:
        self.steps: Mapping[str, Step] = {"setup": self.setup, "draw": self.draw, "main": self.main}

    # -- the book ------------------------------------------------------------------------------

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
        turn = t.pos.turn + 1
        seat = (turn - 1) % 2
        if turn > self.turns(t):
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
        act = yield from t.ask(seat, "main", self.options(t, seat), "toy:4")
        if act.kind == "play":
            frame = t.open_frame("play", "toy:4", card=act.card)
            (card,) = t.move([int(act.card)], f"field/{seat}", "play", "toy:4")
            power = self.cards[t.pos.cards[card].id].figure
            t.emit(ev.StatsSet(Sealed(EVERYONE, ((card, "power", power),))), "toy:4")
            t.modify(card, act.picks[0], Change("power", "add", 1), "turn", "toy:4")
            t.counters("points", power, "toy:4", dst=f"seat/{seat}")
            t.mark(f"seat/{seat}", "played", t.pos.turn, "toy:4")
            t.close_frame(frame, "toy:4")
            go(t, "main", "toy:4")
            return
        t.expire("turn", "toy:5")
        t.move(t.pos.zone("field", seat)[:], f"trash/{seat}", "play", "toy:5")
        go(t, "draw", "toy:5")

    def turns(self, t: Table) -> int:
        turns = t.pos.heading.options.get("turns", 6)
        assert isinstance(turns, int)
        return turns

    def options(self, t: Table, seat: int) -> Offer:
        played = t.pos.mark(f"seat/{seat}", "played") == t.pos.turn
        target = (Part("target", 0, 1, 1),)
        cards = () if played else tuple(t.pos.zone("hand", seat))
        return Offer(
            (*(Option("play", card, target) for card in cards), Option("pass")),
            (("seat/0", "seat/1"),),
        )

    def ending(self, t: Table) -> Play:
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

    def known(self, prints: tuple[str, ...]) -> Mapping[str, Any]:
        return self.cards

    def admit(self, prints: tuple[str, ...]) -> None:
        if prints:
            raise ValueError("it has all the numbers there are")

    # -- what it may be asked ------------------------------------------------------------------

    def check_deck(
        self, deck: Mapping[str, Sequence[str]], prints: tuple[str, ...] = ()
    ) -> list[DeckFault]:
        main = list(deck.get("main", ()))
        faults = [
            DeckFault("toy:2", card, f"There is no card {card}.")
            for card in dict.fromkeys(main)
            if card not in self.cards
        ]
        faults += [
            DeckFault("toy:2-1", card, f"{card} is in it {main.count(card)} times.")
            for card in dict.fromkeys(main)
            if main.count(card) > 3
        ]
        if len(main) != 40 or deck.keys() != {"main"}:
            faults.append(DeckFault("toy:2", "", f"It has {len(main)} cards, not 40."))
        return faults

    def refusal(
        self, t: Table, seat: int, act: Act, misfit: Misfit | None = None
    ) -> Refusal | None:
        if act.kind == "concede":
            return Refusal(("toy:6",), "The match is over.") if t.pos.over else None
        if act.kind == "reorder":
            zone = t.pos.zone("trash", seat)
            good = act.card == f"trash/{seat}" and sorted(map(str, act.picks[0])) == sorted(
                map(str, zone)
            )
            return None if good else Refusal(("toy:8",), "List all of your own trash.")
        if t.pos.decision is None or seat not in t.pos.decision.seats:
            return Refusal(("toy:4-1", "toy:4"), "It is not your turn.")
        return Refusal(("toy:4",), f"That can't be done: {misfit}.")

    def wrong_seats(self, n: int) -> Refusal:
        return Refusal(("toy:1",), f"{n} players.")

    def cites(self, t: Table, seat: int, act: Act) -> tuple[str, ...]:
        return {"play": ("toy:4",), "pass": ("toy:5",), "reorder": ("toy:8",)}.get(
            act.kind, ("toy:6",)
        )

    def interject(self, t: Table, seat: int, kind: str, about: Ref, picks: tuple[Ref, ...]) -> Play:
        if kind == "concede":
            t.emit(ev.SeatLost((seat,), "conceded"), "toy:6")
            raise Over
        t.order(str(about), [int(pick) for pick in picks], "play", "toy:8")
        return False
        yield

    def refresh(self, t: Table) -> None:
        pass

    def play_anyway(self, t: Table, seat: int, act: Act) -> Play:
        raise ValueError("nothing is done out of turn")
        yield

    def amend(self, t: Table) -> Play:
        return
        yield

    def disorder(self, p: Position, quiet: bool) -> Iterator[str]:
        return iter(())

    def control(self, t: Table, cards: Sequence[int], seat: int, *cites: str) -> None:
        t.control(cards, seat, *cites)

    def untenable(self, p: Position, act: Act) -> str:
        return ""

    def standing(self, p: Position, seat: int) -> list[Act]:
        return [] if p.over else [Act("concede")]


TOY: Game = Toy()
RULEBOOKS = {"toy": TOY}
