"""Who tries codes is soon stopped, from one address or from many; who is right never is."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from service.credentials import spelling
from service.credentials.attempts import (
    ALL,
    ALL_HOUR,
    EACH,
    EACH_HOUR,
    REMEMBERED,
    Attempts,
    TooMany,
    address_of,
)

T = TypeVar("T")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """What something comes to that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        found: T = done.value
        return found
    raise AssertionError("it waits")


def tried(attempts: Attempts, peer: str, most: int = 10_000) -> int:
    """How often somebody may be wrong at once."""
    for n in range(most):
        try:
            at_once(attempts.use(peer))
        except TooMany:
            return n
    return most


def test_each_address_has_so_many_and_so_have_all() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    assert tried(attempts, "ipv4:10.0.0.1:1") == EACH
    assert tried(attempts, "ipv4:10.0.0.1:2") == 0  # by another connection
    others = sum(tried(attempts, f"ipv4:10.0.1.{n}:1") for n in range(200))
    assert others == ALL - EACH
    with pytest.raises(TooMany) as caught:
        at_once(attempts.use("ipv4:10.0.2.1:1"))
    assert caught.value.after == pytest.approx(3600 / ALL_HOUR)
    clock.now += 3600
    assert tried(attempts, "ipv4:10.0.0.1:1") == EACH
    got = EACH
    for _ in range(36_000):  # all day long, as soon as there is one
        clock.now += 1
        got += tried(attempts, "ipv4:10.0.0.1:1")
    assert got == pytest.approx(EACH + 10 * EACH_HOUR, abs=2)


def test_all_day_from_everywhere_is_what_the_page_says() -> None:
    clock, got = Clock(), 0
    attempts = Attempts(clock)
    for second in range(0, 86_400, 6):
        clock.now = second
        got += tried(attempts, f"ipv4:10.{second % 250}.{second // 600 % 250}.1:9", 9)
    assert got <= ALL + 24 * ALL_HOUR
    assert got > 20 * ALL_HOUR
    chance = (ALL + 24 * ALL_HOUR) * 1000 / spelling.CODES
    assert 1 / chance > 7000  # days, for a thousand codes that are good


def test_who_is_right_uses_nothing() -> None:
    attempts = Attempts(Clock())
    for _ in range(5 * ALL):
        at_once(at_once(attempts.use("ipv4:10.0.0.1:1"))())
    assert tried(attempts, "ipv4:10.0.0.1:1") == EACH


def test_addresses_are_forgotten_and_what_all_have_used_is_not() -> None:
    attempts = Attempts(Clock())
    assert tried(attempts, "ipv4:10.0.0.1:1") == EACH
    for n in range(REMEMBERED + ALL):
        tried(attempts, f"unix:{n}", 1)
    assert tried(attempts, "ipv4:10.0.0.1:1") == 0
    assert len(attempts._each) <= REMEMBERED


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:10.0.0.1:5555", "10.0.0.1"), ("ipv6:[::1]:5555", "::"),
        ("ipv6:%5B2001:db8:1:2:3::4%5D:5", "2001:db8:1:2::"),
        ("ipv6:[2001:db8:1:2:ffff::9]:6", "2001:db8:1:2::"), ("ipv6:[fe80::1%25eth0]:7", "fe80::"),
        ("ipv6:[::ffff:10.0.0.1]:8", "10.0.0.1"), ("unix:/run/x", "unix:/run/x"), ("", ""),
    ],
)  # fmt: skip
def test_an_address_is_the_same_by_whatever_port(peer: str, address: str) -> None:
    assert address_of(peer) == address
