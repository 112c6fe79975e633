"""Clauses by their words, of every instruction that games share."""

from __future__ import annotations

from typing import Any

from domain.effects.instructions.ways import COMMON, FURTHER
from domain.effects.language.instruction import Instruction, taken_up
from domain.games.kit.effects.negation import Negate

SHARED = taken_up(*COMMON, *FURTHER, Negate)


def clause(do: str, **fields: Any) -> Instruction:
    """A clause of that instruction, which states these fields."""
    made: Instruction = SHARED[do](**fields)
    return made
