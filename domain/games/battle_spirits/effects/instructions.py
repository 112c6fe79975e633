"""What card texts tell to do in this game: what all games share, and what is done to cores."""

from __future__ import annotations

from collections.abc import Mapping

from domain.effects.instructions.shared import SHARED, Instruction
from domain.games.kit.zones.hand import drawing

INSTRUCTIONS: Mapping[str, Instruction] = {**SHARED, "draw": drawing("deck", "bs:5-6-3")}
