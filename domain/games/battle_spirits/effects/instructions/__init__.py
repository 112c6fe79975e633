"""What card texts tell to do in this game, by the word for it.

What all games share is in `domain.effects.instructions`; here is what this book has a procedure
for: `cards` that leave the Field or come to it, `lying` (how cards lie), `cores`. `costs` is what
stands before the arrow of an activated effect.
"""

from __future__ import annotations

from collections.abc import Mapping

from domain.effects.instructions.further import FURTHER, SINGLE
from domain.effects.instructions.shared import SHARED, Instruction, discarding
from domain.effects.language.words import LASTING
from domain.games.battle_spirits.effects.instructions import cards, cores, lying
from domain.games.kit.effects.instructions import in_battle
from domain.games.kit.zones.hand import drawing

_LASTING = {word: in_battle({**FURTHER, **SINGLE}[word], "bs:1-4-2") for word in LASTING}
_TAKEN_UP = ("reveal", "target", "nothing")
INSTRUCTIONS: Mapping[str, Instruction] = {
    **SHARED,
    **{word: FURTHER[word] for word in _TAKEN_UP},
    **SINGLE,
    **_LASTING,
    "draw": drawing("deck", "bs:5-6-3", "bs:1-4-2", "bs:5-6-2"),
    "discard": discarding(),
    "look": cards.look,
    "move": cards.move,
    "destroy": cards.destroy,
    "defeat": cards.defeat,
    "deploy": cards.deploy,
    "summon": cards.summon,
    "rest": lying.rest,
    "ready": lying.ready,
    "turn": lying.turn,
    "send": cores.send,
    "put": cores.put,
}
#: Those that cores have to be there for.
ENOUGH = {"send": cores.enough_sent, "put": cores.enough_put}
