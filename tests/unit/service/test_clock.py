"""The clock of a server when that of the system is set."""

from __future__ import annotations

import logging

import pytest

from service.live.clock import Clock

SECOND = 1_000_000_000


class Times:
    """A system's clock, and the time that passes."""

    def __init__(self) -> None:
        self.system, self.passed = 1_000 * SECOND, 5 * SECOND

    def go(self, seconds: float, jump: float = 0) -> None:
        """Let time pass, and the system's clock be set."""
        self.system += int((seconds + jump) * SECOND)
        self.passed += int(seconds * SECOND)


def test_it_never_goes_back_and_says_how_far_it_was_set(caplog: pytest.LogCaptureFixture) -> None:
    times = Times()
    clock = Clock(lambda: times.system, lambda: times.passed)
    assert clock() == 1_000_000
    times.go(10)
    assert clock() == 1_010_000
    with caplog.at_level(logging.WARNING):
        times.go(1, jump=-3600)
        assert clock() == 1_011_000
    assert [record.message for record in caplog.records] == ["clock jumped"]
    times.go(10)
    assert clock() == 1_021_000
    times.go(1, jump=3600)  # as before: it goes on
    assert clock() == 1_022_000
    times.go(1, jump=60)
    assert clock() == 1_083_000
    assert [clock.jumped(at) for at in (0, 1_011_001, 1_022_001, 2_000_000)] == [
        60_000,
        3_660_000,
        60_000,
        0,
    ]


def test_small_differences_are_no_jumps() -> None:
    times = Times()
    clock = Clock(lambda: times.system, lambda: times.passed)
    shown = [clock()]
    for n in range(1000):
        times.go(0.01, jump=0.001 * (-1) ** n)
        shown.append(clock())
    assert shown == sorted(shown)
    assert clock.jumped(0) == 0
    assert abs(shown[-1] - times.system // 1_000_000) <= 1
