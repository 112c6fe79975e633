"""A toy game with what the next games need: cores, wait states, equipment, materials, side decks.

A deck of fifteen cards and a side deck of three. In a turn one draws and does up to four things:
deploy a card with a core on it, lay one beneath another (`material`) or beside it (`equip`), take
the rival's oldest card over as it is, destroy it (its cores go back), plan a draw for one's next
turn, or pass. A card that is destroyed waits until its owner has said whether to draw for it.

It stays beside `lamps`, which is the size of a page on purpose (`domain/games/ADDING.md`) and has
none of that: attached and linked cards, control, departures, scheduled effects, a second list. It
runs on verbs of the table alone, so that those are tried without the table of acts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from domain.engine.rulebook import DeckFault, Refusal, go
from domain.engine.series import conclude
from domain.engine.signals import Over, Play
from domain.engine.table import Table
from domain.games.kit.game import Game
from domain.games.kit.lists import side
from domain.games.kit.lists.side import SideDeck
from domain.record import events as ev
from domain.record.decisions import Act, Misfit, Offer, Option, Part
from domain.record.position import Position
from domain.record.schema.citations import Rule
from domain.record.schema.manifest import Conserved, Zone
from domain.record.values import Value
from tests.toy import MANIFEST as TOYS
from tests.toy import RULES, Toy, words

MANIFEST = replace(
    TOYS,
    game="cores",
    version="cores 1",
    zones=(*TOYS.zones, Zone("reserve", "Reserve", "all", "all")),
    steps=words("setup", "draw", "main", "side"),
    acts=words("deploy", "equip", "lay", "take", "destroy", "plan", "yes", "pass", "side",
               "concede"),
    parts=words("host", "list"),
    decisions=words("main", "last word", "side"),
    counters=words("core", "actions"),
    reasons=words("deck", "draw", "deploy", "setup", "shuffle", "conceded", "deck out", "turns",
                  "destroyed", "control", "beneath", "both", "match-loss"),
    frames=words("raid", "official"),
    roles=words("equip", "material"),
    durations=words("turn", "next draw"),
    declarations=words("draw"),
    apart=("material",),
    conserved=(Conserved("core", "reserve", "toy:9"),),
)  # fmt: skip
TURNS, CORES, ACTIONS = 12, 4, 4


class Cores(Toy):
    def __init__(self) -> None:
        super().__init__()
        self.manifest = MANIFEST
        self.rules = {
            **RULES,
            "toy:9": Rule("toy:9", "must", "A card that leaves leaves its cores.", ""),
            "toy:10": Rule("toy:10", "may", "Exchange cards between games.", ""),
        }
        self.decks = {
            "ones": {"main": [f"T{n:02}" for n in range(1, 16)], "side": ["T16", "T17", "T18"]},
            "twos": {"main": [f"T{n:02}" for n in range(6, 21)], "side": ["T01", "T02", "T03"]},
        }
        self.digests = {**self.digests, "manifest": MANIFEST.digest()}
        self.side = SideDeck(
            self.known, lambda deck, known, options: self.check_deck(deck), ("toy:10",)
        )
        self.steps = {**self.steps, "side": self.side.step("setup", "toy:1")}
        self.schedules = ("next draw",)

    def setup(self, t: Table) -> Play:
        t.emit(ev.GameBegan(t.pos.game + 1), "toy:1")
        for seat in (0, 1):
            deck = t.pos.heading.decks[seat][1]
            assert deck is not None
            t.make(deck["main"], f"deck/{seat}", "deck", "toy:2")
            yield from t.shuffle(f"deck/{seat}", "toy:2")
            t.move(t.top(f"deck/{seat}", 3), f"hand/{seat}", "setup", "toy:3")
            t.counters("core", CORES, "toy:9", dst=f"reserve/{seat}")
        go(t, "draw", "toy:3")

    def draw(self, t: Table) -> Play:
        turn, seat = t.pos.turn + 1, t.pos.turn % 2
        if turn > TURNS:
            raise Over
        t.emit(ev.TurnBegan(turn, seat), "toy:3")
        n = 1 + sum(planned.kind == "draw" for planned in t.come_due("next draw", "toy:4"))
        t.move(t.top(f"deck/{seat}", n), f"hand/{seat}", "draw", "toy:3")
        had = t.pos.counters(f"seat/{seat}", "actions")
        t.counters("actions", had, "toy:4", src=f"seat/{seat}")
        go(t, "main", "toy:4")
        return
        yield

    def main(self, t: Table) -> Play:
        p, seat = t.pos, t.pos.turn_seat
        act = yield from t.ask(seat, "main", self.options(t, seat), "toy:4")
        if act.kind == "pass":
            go(t, "draw", "toy:5")
            return
        t.counters("actions", 1, "toy:4", dst=f"seat/{seat}")
        card, host = int(act.card), int(act.picks[0][0]) if act.picks else 0
        match act.kind:
            case "deploy":
                with t.at_once():
                    (card,) = t.move([card], f"field/{seat}", "deploy", "toy:4")
                    t.counters("core", 1, "toy:4", src=f"reserve/{seat}", dst=card)
            case "equip":
                (card,) = t.move([card], f"field/{seat}", "deploy", "toy:4")
                t.link([card], host, "equip", "toy:4")
            case "lay":
                place = p.cards[host].place
                t.move([card], place, "beneath", "toy:4", host=host, role="material")
            case "take":
                (card,) = p.zone("field", p.rival(seat))[:1]
                with t.at_once():
                    t.control([card, *p.cards[card].attached], seat, "toy:4")
                    t.move([card], f"field/{seat}", "control", "toy:4", same=True)
            case "destroy":
                yield from self.destroy(t, seat)
            case "plan":
                t.schedule("", f"seat/{seat}", seat, "next draw", "toy:4", kind="draw",
                           turn=p.turn + 1, whose=seat)  # fmt: skip
        go(t, "main", "toy:4")

    def destroy(self, t: Table, seat: int) -> Play:
        """It stays on the field until its owner has answered, then goes to its destination."""
        p = t.pos
        field = p.zone("field", p.rival(seat))
        (card,) = field[:1]
        owner = p.cards[card].owner
        raid = t.open_frame("raid", "toy:4", seat=seat, there=tuple(field))
        t.depart([card], "destroyed", f"seat/{seat}", f"trash/{owner}", "toy:4")
        offer = Offer((Option("yes"), Option("pass")))
        answer = yield from t.ask(owner, "last word", offer, "toy:4", about=card)
        going = p.departures[card]
        with t.at_once():
            beneath = list(p.cards[card].attached)
            t.move([card], going.to, going.cause, "toy:4")
            for rider in beneath:
                t.move([rider], f"trash/{p.cards[rider].owner}", "beneath", "toy:4")
        if answer.kind == "yes" and p.departures[card].responsible == f"seat/{seat}":
            t.move(t.top(f"deck/{owner}"), f"hand/{owner}", "draw", "toy:4")
        t.close_frame(raid, "toy:4")

    def options(self, t: Table, seat: int) -> Offer:
        p = t.pos
        hand, own = tuple(p.zone("hand", seat)), tuple(p.zone("field", seat))
        host, may = (Part("host", 0),), []
        if p.counters(f"seat/{seat}", "actions") < ACTIONS:
            may.append(Option("plan"))
            if p.counters(f"reserve/{seat}", "core"):
                may += [Option("deploy", card) for card in hand]
            if own:
                may += [Option(kind, card, host) for kind in ("equip", "lay") for card in hand]
            if p.zone("field", p.rival(seat)):
                may += [Option("take"), Option("destroy")]
        return Offer((*may, Option("pass")), (own,))

    def ending(self, t: Table) -> Play:
        if not t.pos.lost:
            t.emit(ev.SeatLost((t.pos.game % 2,), "turns"), "toy:7")
        yield from conclude(t, ("toy:7",), ("toy:7",), ("toy:7",), "side", "toy:10")

    def check_deck(
        self,
        deck: Mapping[str, Sequence[str]],
        prints: tuple[str, ...] = (),
        options: Mapping[str, Value] = {},
    ) -> list[DeckFault]:
        if [len(deck.get(part, ())) for part in ("main", "side")] != [15, 3]:
            return [DeckFault("toy:2", "", "It has 15 cards and 3 beside them.")]
        return []

    def refusal(
        self, t: Table, seat: int, act: Act, misfit: Misfit | None = None
    ) -> Refusal | None:
        if act.kind == side.KIND and misfit is None:
            text, rule = self.side.objection(t.pos, seat, str(act.picks[0][0]))
            return Refusal((rule or "toy:10",), text) if text else None
        return super().refusal(t, seat, act, misfit)

    def cites(self, t: Table, seat: int, act: Act) -> tuple[str, ...]:
        return ("toy:6",) if act.kind == "concede" else ("toy:4",)

    def untenable(self, p: Position, act: Act) -> str:
        return ""


GAME: Game = Cores()
