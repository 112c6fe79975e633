"""The queue of triggered effects by itself: the policies of several books, and missing one's time.

Effects here are names: `may …` are optional, `when …` can miss their time, `fast …` have a speed
that comes last. Carrying one out notes its name, and may set others off. It is A's turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from domain.effects.language.vocabulary import Effect
from domain.effects.select import Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects.triggers import Book, Policy, Triggers
from domain.record.decisions import Act
from domain.record.events import TurnBegan
from domain.record.position import Pending, Position
from tests.toy import TOY

#: A waiting effect: its player, its name, its group.
Wait = tuple[str, str, int]
A, B = 0, 1


def seven(p: Position, act: Pending) -> int:
    """Yu-Gi-Oh!'s first six classes: what must, what may, what must and is fast; A's before B's.

    The seventh, what may and is fast, is the ordinary window of responses.
    """
    fast, own = act.effect.startswith("fast"), act.seat == p.turn_seat
    return 2 * (2 if fast else int(act.optional)) + (not own)


GUNDAM = Policy("newest", "own", before=lambda p, act: act.effect != "burst")
HOLLOW_FLUX = Policy("oldest", "turn")
BATTLE_SPIRITS = Policy("newest", "either", once_a_moment=True)
YUGIOH = Policy("all", "own", classes=seven, misses=lambda p, act: act.effect.startswith("when"))


class Queue:
    """A queue by a policy, on a table of its own."""

    def __init__(
        self, policy: Policy, sets_off: Mapping[str, Sequence[Wait]] | None = None
    ) -> None:
        self.t = Table(Position(), TOY.manifest)
        self.t.emit(TurnBegan(1, A))
        self.sets_off = sets_off or {}
        self.done: list[str] = []
        self.asked: list[str] = []
        never = SimpleNamespace(effect=lambda p, ref: Effect(kind="triggered", name=ref, on="x"))
        book = Book(
            cites=lambda ref, effect: (),
            order="toy:1",
            watched=lambda p: frozenset(),
            carry_out=self.carry_out,
            used_up=lambda t, source, run: False,
            missed=("toy:2",),
        )
        self.queue = Triggers(cast(Terms, never), policy, book)

    def wait(self, *waits: Wait) -> Queue:
        with self.t.at_once():
            for seat, effect, group in waits:
                number = "AB".index(seat)
                self.t.trigger(
                    effect, f"seat/{number}", number, 0, "toy:1",
                    optional=effect.startswith(("may", "when")),
                    group=group or self.queue.group(self.t),
                )  # fmt: skip
        return self

    def carry_out(self, t: Table, act: Pending) -> Play:
        t.resolve(act.id, "toy:1")
        self.done.append(act.effect)
        self.wait(*self.sets_off.get(act.effect, ()))
        t.end_act(act.id, "resolved", "toy:1")
        return
        yield

    def resolve(self, pick: Callable[[Sequence[Any]], Any] = lambda some: some[-1]) -> list[str]:
        """What is carried out, one after the other, if each who is asked takes the last one."""
        play = self.queue.resolve(self.t)
        try:
            next(play)
            while True:
                ((seat, offer),) = self.t.asked.offers.items()
                option = pick(offer.options)
                self.asked.append("AB"[seat])
                play.send({seat: Act("resolve", option.card, (), option.effect)})
        except StopIteration:
            return self.done


@pytest.mark.parametrize(
    ("policy", "waits", "done", "asked"),
    [
        (GUNDAM, [("B", "x", 1), ("A", "y", 1), ("A", "z", 2)], "z y x", ""),
        (GUNDAM, [("A", "x", 2), ("B", "burst", 1), ("A", "y", 2)], "burst y x", "A"),
        (HOLLOW_FLUX, [("B", "x", 1), ("A", "y", 2), ("B", "z", 1)], "z x y", "A"),
        (BATTLE_SPIRITS, [("A", "x", 1), ("B", "y", 1), ("A", "z", 1)], "z y x", "AA"),
        (BATTLE_SPIRITS, [("B", "x", 1), ("B", "y", 1)], "y x", "B"),
        (
            YUGIOH,
            [
                ("B", "fast y", 1), ("B", "may y", 1), ("A", "fast x", 2), ("A", "may x", 3),
                ("B", "must y", 2), ("A", "must x", 3), ("A", "flip", 1),
            ],
            "flip must x must y may x may y fast x fast y",
            "A",
        ),
        (YUGIOH, [("B", "x", 2), ("B", "y", 1), ("A", "may", 1)], "y x may", "B"),
    ],
)  # fmt: skip
def test_what_waits_is_carried_out_in_the_order_of_the_book(
    policy: Policy, waits: list[Wait], done: str, asked: str
) -> None:
    queue = Queue(policy).wait(*waits)
    assert " ".join(queue.resolve()) == done
    assert "".join(queue.asked) == asked


@pytest.mark.parametrize(
    ("policy", "done"),
    [
        (BATTLE_SPIRITS, "a c d b"),  # depth first
        (GUNDAM, "a c d b"),
        (HOLLOW_FLUX, "a b c d"),
        (YUGIOH, "a b"),  # nothing cuts in: that is for the next chain
    ],
)
def test_what_an_effect_sets_off_has_its_place(policy: Policy, done: str) -> None:
    queue = Queue(policy, {"a": [("A", "c", 0)], "c": [("B", "d", 0)]})
    queue.wait(("A", "a", 0), ("A", "b", 0))
    assert " ".join(queue.resolve(lambda some: some[0])) == done


def test_what_waited_for_the_chain_comes_with_the_next() -> None:
    queue = Queue(YUGIOH, {"a": [("A", "c", 0)]}).wait(("A", "a", 0))
    assert [" ".join(queue.resolve()) for _ in range(2)] == ["a", "a c"]


def test_an_effect_may_wait_for_what_it_has_set_off() -> None:
    queue = Queue(BATTLE_SPIRITS).wait(("A", "old", 0))
    queue.wait(("B", "new", 5))
    assert list(queue.queue.resolve(queue.t, after=4)) == []
    assert queue.done == ["new"]
    assert queue.resolve() == ["new", "old"]


@pytest.mark.parametrize(
    ("since", "done"),
    [(0, ["when", "may"]), (1, ["may"])],  # "when … you can" misses its time; "if …" does not
)
def test_what_was_not_the_last_thing_to_happen_misses_its_time(since: int, done: list[str]) -> None:
    queue = Queue(YUGIOH).wait(("A", "when", 0), ("B", "may", 0))
    queue.t.running.happened = queue.t.moment + since
    assert queue.resolve() == done
    missed = [e.event.why for e in queue.t.out if getattr(e.event, "why", "") == "missed"]
    assert missed == ["missed"] * since


def test_what_has_become_of_another_kind_waits_no_longer() -> None:
    """Battle Spirits drops what a first fate set off when a second one replaces it."""
    queue = Queue(BATTLE_SPIRITS).wait(("A", "destroyed", 0), ("B", "other", 0))
    queue.queue.drop(queue.t, lambda act: act.effect == "destroyed", "replaced", "toy:2")
    assert queue.resolve() == ["other"]
