"""The window by itself, set as a chain of answers, as a Flash timing, as an action step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

import pytest
from msgspec.structs import replace

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.flow.window import Priority, Rules, Window, turn_player, turn_rival
from domain.record import events as ev
from domain.record.decisions import Act, Offer, Option
from domain.record.position import Pending, Position, decoded, seat_letter
from domain.record.values import Sealed
from tests.toy import TOY

SPEEDS = {"slow": 1, "fast": 2, "counter": 3}
RULES = Rules(
    cause=lambda p, holds: (f"toy:asks-{holds.passes}",),
    reopens=("toy:reopens",),
    passes=("toy:passes",),
    closes=("toy:closes",),
    ends=("toy:ends",),
)


def nothing(t: Table) -> Play:
    return
    yield


FLASH = Window(kind="flash", rules=RULES, follow=nothing, first=turn_rival, frame="w", step="ask")
CHAIN = Window(
    kind="respond", rules=RULES, follow=nothing, first=turn_player,
    frame="w", step="ask", resolve="resolve", least=2,
)  # fmt: skip
LOOP = replace(FLASH, frame="", step="")


class Bench:
    """A game that is nothing but a window, in the turn of A; what was done is in `done`.

    In a game whose acts wait, A does the first one, or ends the turn, in a step of his own.
    """

    def __init__(self, window: Window) -> None:
        self.window, self.done = window, list[str]()
        self.steps: Mapping[str, Callable[[Table], Play]] = {
            "main": self.main, "fresh": self.fresh, "ask": self.ask, "resolve": self.resolve,
            "loop": self.loop,
        }  # fmt: skip
        self.t = Table(Position(), TOY.manifest)
        self.t.emit(ev.TurnBegan(1, 0))
        start = "main" if window.resolve else "fresh" if window.step else "loop"
        go(self.t, start)
        self.flow = self._flow()

    # -- the steps -------------------------------------------------------------------------------

    def main(self, t: Table) -> Play:
        act = yield from t.ask(0, "main", Offer(tuple(map(Option, (*SPEEDS, "end")))))
        self.window.begin(t, "toy:1")
        if act.kind != "end":
            self.do(t, 0, act)
        yield from self.window.open(t, passed=act.kind == "end")

    def fresh(self, t: Table) -> Play:
        self.window.begin(t, "toy:1")
        yield from self.window.open(t)

    def ask(self, t: Table) -> Play:
        if (yield from self.window.ask_once(t, self.offer, self.do)):
            go(t, "")

    def loop(self, t: Table) -> Play:
        yield from self.window.ask_until_closed(t, self.offer, self.do)
        go(t, "")

    def resolve(self, t: Table) -> Play:
        after = dict.fromkeys(SPEEDS, lambda t, act: go(t, "fresh"))
        yield from self.window.carry_out(t, dict.fromkeys(SPEEDS, self.carry), after)

    def offer(self, t: Table, seat: int) -> Offer:
        last_decision = self.window.last_decision(t.pos)
        kinds = [kind for kind, speed in SPEEDS.items() if speed >= last_decision]
        return Offer(tuple(map(Option, (*kinds, "pass"))))

    def do(self, t: Table, seat: int, act: Act) -> None:
        if self.window.resolve:
            t.declare(act.kind, f"seat/{seat}", seat, speed=SPEEDS[act.kind])
        else:
            self.done.append(f"{seat_letter(seat)} {act.kind}")

    def carry(self, t: Table, act: Pending) -> Play:
        self.done.append(f"{seat_letter(act.seat)} {act.kind}")
        t.end_act(act.id, "resolved")
        return
        yield

    # -- playing ---------------------------------------------------------------------------------

    def restart(self) -> None:
        """Go on from the record alone, as after a crash."""
        self.t = Table(decoded(self.t.pos.encoded()), TOY.manifest)
        self.flow = self._flow()
        next(self.flow, None)

    def _flow(self) -> Play:
        while self.t.pos.step:
            yield from self.steps[self.t.pos.step](self.t)

    @property
    def asked(self) -> str:
        """Who is asked, and what may be answered; empty when the window is over."""
        decision = self.t.pos.decision if self.t.pos.step else None
        if decision is None:
            return ""
        offer = decision.offers[decision.seats[0]]
        assert offer is not None
        kinds = " ".join(option.kind for option in offer.options)
        return f"{seat_letter(decision.seats[0])}: {kinds}"

    def answer(self, kind: str) -> None:
        decision = self.t.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        made = ev.DecisionMade(decision.n, seat, Sealed(0), 0, "seat", Sealed(0), None, Sealed(0))
        self.t.emit(made, by=seat)
        with suppress(StopIteration):
            self.flow.send({seat: Act(kind)})

    def play(self, script: str) -> str:
        """What was done in the end, after these answers: `A slow, B pass`.

        Where each asking is a step, the game is gone on with from the record before each answer.
        """
        self.restart()
        for line in filter(None, script.split(", ")):
            who, kind = line.split()
            if self.window.step:
                self.restart()
            assert {f"{who}:", kind} <= {*self.asked.split()}, line
            self.answer(kind)
        return ", ".join(self.done)


#: What is played, what is done in which order, and who may do what then.
CHAINS = {
    "nobody answers": ("A slow, B pass, A pass", "A slow", "A: fast counter pass"),
    "the latest first, without a window between": (
        "A slow, B fast, A counter, B pass, A pass",
        "A counter, B fast, A slow",
        "A: fast counter pass",
    ),
    "who passed may answer the answer to come": (
        "A slow, B fast, A pass, B fast, A pass, B pass",
        "B fast, B fast, A slow",
        "A: fast counter pass",
    ),
    "answers keep up with what they answer": ("A slow, B fast, A counter", "", "B: counter pass"),
    "two passes close the window that is fresh again": (
        "A fast, B pass, A pass, A pass, B pass", "A fast", "",
    ),
    "who announces the end has passed": ("A end, B pass", "", ""),
    "the end is announced anew after an answer": (
        "A end, B fast, A pass, B pass", "B fast", "A: fast counter pass",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "done", "asked"), CHAINS.values(), ids=CHAINS)
def test_a_chain(script: str, done: str, asked: str) -> None:
    bench = Bench(CHAIN)
    assert bench.play(script) == done
    assert bench.asked == asked


def test_a_window_between_any_two_acts_that_waited() -> None:
    bench = Bench(replace(CHAIN, between=True))
    script = "A slow, B fast, A pass, B pass, A pass, B counter, A pass, B pass, A pass, B pass"
    assert bench.play(script) == "B fast, B counter, A slow"


FLASHES = {
    "the attacked player first": ("", "", "B: slow fast counter pass"),
    "two passes in a row close it": ("B pass, A pass", "", ""),
    "after an act the other has the right": ("B fast, A slow", "B fast, A slow", "B"),
    "an act makes passes count anew": (
        "B pass, A fast, B pass, A pass", "A fast", "",
    ),
    "whoever acted is asked again after a pass": ("B fast, A pass", "B fast", "B"),
}  # fmt: skip


@pytest.mark.parametrize("window", [FLASH, LOOP], ids=["step", "loop"])
@pytest.mark.parametrize(("script", "done", "asked"), FLASHES.values(), ids=FLASHES)
def test_flash(window: Window, script: str, done: str, asked: str) -> None:
    bench = Bench(window)
    assert bench.play(script) == done
    assert bench.asked.startswith(asked)
    assert bool(bench.asked) == bool(asked)


def test_more_passes_may_be_asked_for() -> None:
    bench = Bench(replace(FLASH, closes=3))
    bench.play("B pass, A pass")
    assert bench.asked.startswith("B")


def test_what_comes_in_between_leaves_the_right_and_counts_passes_anew() -> None:
    bench = Bench(LOOP)
    bench.play("B pass")
    LOOP.hold(bench.t)
    bench.restart()
    assert bench.asked.startswith("A")
    assert LOOP.priority(bench.t.pos) == Priority(0, 0)
    bench.answer("pass")
    assert bench.asked.startswith("B")
    assert bench.t.pos.mark("match", "priority") is None


def test_the_rules_of_a_window_are_cited() -> None:
    bench = Bench(CHAIN)
    bench.play("A slow, B fast, A pass, B pass")
    cited = [(type(entry.event), *entry.cites) for entry in bench.t.out]
    assert (ev.StepBegan, "toy:closes") in cited
    assert (ev.FrameClosed, "toy:ends") in cited
