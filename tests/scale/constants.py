"""What things cost: the measured constants that `model` and `simulation` reckon with.

They are in `measured.json`, each with its unit, how it was measured and when; `python -m
tests.benchmarks.cluster constants --save` measures them again. Seconds are of a core's time unless
it says otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

MEASURED = Path(__file__).with_name("measured.json")


class Constant(Struct, frozen=True):
    """A constant: one number, or as many as there are equally likely ones."""

    value: float | tuple[float, ...]
    unit: str
    how: str
    when: str


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """All of them; what each is, `measured.json` says."""

    entries: float
    commands: float
    command: tuple[float, ...]
    command_database: float
    commit: float
    log: float
    live_entry: float
    ended_entry: float
    match_memory: float
    open: float
    resume: float
    read: float
    read_database: float
    event: float
    event_bytes: float
    message: float
    message_bytes: float
    join: float
    follower_memory: float
    render: float
    kept: float
    position_bytes: float
    page: float
    news_broker: float
    delivery: float


def constants(path: Path = MEASURED) -> Constants:
    """Those that were measured."""
    return msgspec.convert({name: one.value for name, one in measured(path).items()}, Constants)


def measured(path: Path = MEASURED) -> dict[str, Constant]:
    """The same with what is known of each."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Constant])


def save(found: Mapping[str, Constant], path: Path = MEASURED) -> None:
    """Write them again; those that were not measured stay."""
    kept: dict[str, Any] = json.loads(path.read_bytes()) if path.exists() else {}
    kept |= msgspec.to_builtins(dict(found))
    path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
