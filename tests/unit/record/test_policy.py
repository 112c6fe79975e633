"""An event's policy as it is written by hand, and what can't be meant."""

from __future__ import annotations

import pytest

from domain.record.schema.policy import (
    BadPolicy,
    Clocks,
    EndOfTime,
    PenaltyKind,
    Policy,
    faults,
    read,
)


def test_a_policy_is_read_from_toml() -> None:
    policy = read(
        """
        event = "Autumn Regional"
        replay_evidence = "rulings"
        delay = "300s"
        clocks = { round = 35, seat = 20.5, increment = 5, flag = "game loss" }
        end = { turns = 3, minutes = 5, tiebreaks = ["shield", "-damage"] }
        [[penalty]]
        name = "slow-play"
        effect = "game loss"
        """
    )
    assert policy == Policy(
        "Autumn Regional",
        (PenaltyKind("slow-play", "slow-play", "game loss"),),
        Clocks(2_100_000, 1_230_000, 5_000, "game loss"),
        EndOfTime(3, 300_000, ("shield", "-damage")),
        "rulings",
        "300s",
    )
    assert faults(policy) == []


def test_an_empty_policy_has_the_standard_penalties_and_no_clocks() -> None:
    policy = read("")
    assert policy == Policy()
    assert policy.penalty("match-loss") is not None
    assert policy.penalty("shame") is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("clocks = { rounds = 3 }", "rounds"),
        ("clocks = { seat = -1 }", "never negative"),
        ("clocks = { round = 1e9 }", "a week"),
        ('clocks = { flag = "shame" }', "flag is one of"),
        ("end = { turns = 101 }", "100 turns"),
        ('replay_evidence = "always"', "replay_evidence is one of"),
        ('penalty = [{ name = "a" }, { name = "a" }]', "name of its own"),
        ('penalty = [{ name = "a", effect = "shame" }]', "'a': effect is one of"),
        ("clocks = {", "key part"),
        ("clocks = { round = nan }", "number of minutes"),
        (f'event = "{"x" * 81}"', "80 printable"),
        (f"end = {{ tiebreaks = {['hand'] * 33} }}", "32 penalties"),
    ],
)
def test_an_impossible_policy_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(BadPolicy, match=says):
        read(text)
