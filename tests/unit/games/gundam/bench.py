"""A table laid by hand, on which the texts of real cards are tried one by one.

Rule situations have scenarios of their own; here it is the data that is tested: the right targets,
amounts, conditions and durations. Cards written in half a line by `put` are real ones.
"""

from __future__ import annotations

import json
from typing import Any

from domain.engine.driver import Driver
from domain.engine.table import Table
from domain.games.gundam.effects.processes import settle
from domain.games.gundam.manifest import MANIFEST
from domain.games.gundam.rulebook import RULEBOOK
from domain.record.decisions import Act, Answer
from domain.record.events import DecisionMade, GameBegan, StepBegan, TurnBegan
from domain.record.fitting.fit import fit
from domain.record.position import Card, Position
from domain.record.values import Ref, Sealed

GM, GINN, LEO, DAGGER, SANDROCK = "ST01-005", "ST04-008", "ST02-007", "ST04-005", "ST02-004"
AMURO, SULETTA, HEERO, ZECHS = "ST01-010", "ST01-011", "ST02-010", "ST02-011"
FRONTAL, CHAR, KIRA, ATHRUN = "ST03-010", "ST03-011", "ST04-010", "ST04-011"


class Bench:
    """A table laid by hand in somebody's Main Phase, and answers given to it one by one."""

    def __init__(self) -> None:
        self.t = Table(Position(), MANIFEST)
        self.t.emit(GameBegan(1))
        for seat in (0, 1):
            self.put(seat, GM, zone="deck", n=6)
            self.put(seat, GM, zone="shield", n=3)
        self.resources(0, 8)
        self.resources(1, 8)

    def bring(self, card: dict[str, Any]) -> Bench:
        """From here on there is a card that no catalogue has."""
        self.t.pos.heading.prints = (json.dumps(card),)
        return self

    def put(self, seat: int, card: str, zone: str = "battle", n: int = 1, **more: Any) -> int:
        """Lay cards down as they were before this turn; the number of the last."""
        rider = more.pop("pilot", "")
        token = RULEBOOK.known(self.t.pos.heading.prints)[card].token
        numbers = self.t.make([card] * n, f"{zone}/{seat}", "setup", token=token, **more)
        if rider:
            (below,) = self.t.make([rider], f"hand/{seat}", "setup")
            self.t.move([below], f"battle/{seat}", "pair", host=numbers[-1], role="pilot")
        return numbers[-1]

    def resources(self, seat: int, n: int) -> None:
        self.put(seat, "R-001", zone="resource", n=n)

    def hurt(self, card: int, n: int) -> None:
        self.t.counters("damage", n, dst=card)

    def begin(self, turn_player: int = 0) -> Bench:
        self.t.emit(TurnBegan(1, turn_player))
        self.t.emit(StepBegan("main"))
        assert list(settle(self.t)) == []
        self.driver = Driver(RULEBOOK, self.t, lambda kind, of: tuple(range(of)))
        self.driver.start()
        return self

    def do(self, kind: str, card: Ref = 0, *picks: tuple[Ref, ...], effect: str = "") -> Bench:
        decision = self.t.pos.decision
        assert decision is not None
        (seat,) = decision.seats
        act = Act(kind, card, picks, effect)
        offer = decision.offers[seat]
        assert offer is not None
        answer: Answer = fit(offer, act)
        sealed = Sealed(1 << seat, answer)
        made = DecisionMade(
            decision.n, seat, sealed, 0, "seat", Sealed(1 << seat, ""), None, Sealed(0)
        )
        self.driver.take(self.t.input(made, by=seat))
        return self

    def choose(self, *picks: Ref) -> Bench:
        """Answer the open choice with these."""
        offer = self.offer
        option = offer.options[0]
        return self.do(option.kind, option.card, picks)

    def attack(self, card: int, target: Ref = "seat/1") -> Bench:
        return self.do("attack", card, (target,))

    def finish(self) -> Bench:
        """No block, no acts, to the end of the attack."""
        while self.t.pos.step.startswith("attack/"):
            self.do({"block": "no-block", "action": "pass", "burst": "decline"}[self.asked])
        return self

    @property
    def asked(self) -> str:
        return self.t.pos.decision.kind if self.t.pos.decision else ""

    @property
    def offer(self) -> Any:
        decision = self.t.pos.decision
        assert decision is not None
        return decision.offers[decision.seats[0]]

    @property
    def pool(self) -> set[Ref]:
        """What may be picked for the first part of what is on offer."""
        return set(self.offer.pools[self.offer.options[0].parts[0].pool])

    def card(self, number: int) -> Card:
        return self.t.pos.cards[number]

    def ap(self, number: int) -> int:
        return self.card(number).stat("ap")

    def has(self, number: int, keyword: str) -> bool:
        return bool(self.card(number).stats.get(keyword))

    def ids(self, place: str) -> list[str]:
        return [self.card(number).id for number in self.t.pos.zone(place)]

    def count(self, place: str) -> int:
        return len(self.t.pos.zone(place))

    def targets(self, attacker: int) -> set[Ref]:
        for option in self.offer.options:
            if option.kind == "attack" and option.card == attacker:
                return set(self.offer.pools[option.parts[0].pool])
        return set()

    def play(self, card: int, kind: str, *picks: tuple[Ref, ...]) -> Bench:
        cost = RULEBOOK.known(self.t.pos.heading.prints)[self.card(card).id].cost
        seat = self.card(card).owner
        active = [n for n in self.t.pos.zone("resource", seat) if self.card(n).orient == "active"]
        return self.do(kind, card, *picks, tuple(active[:cost]))

    def hand(self, card: str, seat: int = 0) -> int:
        return self.put(seat, card, zone="hand")
