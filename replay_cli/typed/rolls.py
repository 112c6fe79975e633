"""How chance fell at a real table, as the commands take it: `--roll A`, `--roll 3`, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

Roll = tuple[int, ...]


def roll_of(text: str) -> Roll:
    """How chance fell, as typed: a player's letter, or outcomes counted from 0 (`2`, `1,0,2`)."""
    words = text.upper().split(",")
    if all(word.isdecimal() for word in words):
        return tuple(map(int, words))
    if len(words) == 1 and len(text) == 1 and text.isalpha():
        return (ord(text.upper()) - ord("A"),)
    raise click.BadParameter(f"{text!r} is no player and no outcome", param_hint="--roll")


def _read(context: Any, option: Any, texts: Sequence[str]) -> tuple[Roll, ...]:
    return tuple(map(roll_of, texts))


rolls_option = click.option(
    "--roll", "rolls", metavar="A|B|N", multiple=True, callback=_read,
    help="At a real table: how chance fell before the next decision, in order.",
)  # fmt: skip
