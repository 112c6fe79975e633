"""The instructions of card texts in this game, by word.

The instructions of all games are in `domain.effects.instructions`; here are those for which this
book has a procedure: `cards` that leave the Field or come to it, `lying` (how cards lie), `cores`.
`costs` is what stands before the arrow of an activated effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.effects.instructions.lasting import lasting
from domain.effects.instructions.players import discarding
from domain.effects.language.instruction import carried_out
from domain.games.battle_spirits.effects.instructions import cards, cores, lying
from domain.games.battle_spirits.lists.words import WORDS
from domain.games.kit.effects.instructions import in_battle
from domain.games.kit.zones.hand import drawing

INSTRUCTIONS = carried_out(
    WORDS.instructions,
    lasting=in_battle(lasting(), "bs:1-4-2"),
    draw=drawing("deck", "bs:5-6-3", "bs:1-4-2", "bs:5-6-2"),
    discard=discarding(),
    look=cards.look,
    move=cards.move,
    destroy=cards.destroy,
    defeat=cards.defeat,
    deploy=cards.deploy,
    summon=cards.summon,
    rest=lying.rest,
    ready=lying.ready,
    turn=lying.turn,
    send=cores.send,
    put=cores.put,
)
#: Those that cores have to be there for.
ENOUGH: Mapping[str, Callable[..., bool]] = {"send": cores.enough_sent, "put": cores.enough_put}
