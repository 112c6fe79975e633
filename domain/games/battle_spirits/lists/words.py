"""The words that card texts of this game may use, beside those that all games share.

What they mean is in effects/WORDS.md.
"""

from __future__ import annotations

from domain.effects.language.words import NEWER, SINGLY, Takes, Words
from domain.games.battle_spirits.lists.card import TYPES
from domain.games.battle_spirits.lists.instructions import INSTRUCTIONS, PLACES
from domain.games.battle_spirits.manifest import COLORS, CORES, LIES, MANIFEST
from domain.words.phrases import phrase

#: Times of the turn, which befall no card.
TIMES = (
    "start", "core", "draw", "refresh", "main-start", "main-end", "attack-start", "attack-end",
    "second-main-end", "end", "turn-end",
)  # fmt: skip
#: What befalls a player.
OF_PLAYERS = ("lost", "life-falls", "life-rises")
#: What happens to cards, or by them.
OCCURRENCES = (
    "summoned", "deployed", "used", "attack", "block", "battle-resolves", "battle-end", "beats",
    "destroyed", "destroyed-by-rival", "destroyed-by-rival-spirit", "disappears", "returned",
    "leaves", "exhausted", "refreshed", "reduces-life",
)  # fmt: skip
#: Keywords that texts give.
MUST_ATTACK, MUST_BLOCK = "must-attack", "must-block"
#: How many cores more the attack of a Spirit takes from Life, if it takes any.
HARM = "harm"

#: Newer parts of the language that nothing here carries out: a text that somebody starts answers no
#: occurrence, one that is set off has no speed and no cost, and belongs to its player alone.
UNUSED = frozenset(
    {
        "moved", "on", "applied", "at", "by", "misses", "cost", "counts", "whose", "returns",
        "bounded", "defined", "against", "happened",
    }
)  # fmt: skip

_NOT_REPLACED = phrase("nothing stands for it: a text says what is done then")

WORDS = Words(
    zones=frozenset({"deck", "hand", "trash", "field", "exile", "limbo", "player"}),
    layout={zone.name: zone for zone in MANIFEST.zones},
    field=frozenset({"", "field", "limbo"}),
    affected=frozenset({"", "field", "player"}),
    attributes=dict.fromkeys(
        ("type", "name", "name-has", "id", "color", "family", "orient"), (str,)
    )
    | dict.fromkeys(("cost", "level", "bp", "symbols", "cores", *COLORS), (int,))
    | dict.fromkeys(
        ("true-release", "succession", "ex", "soul", "attacking", "blocking", "disappeared"),
        (bool,),
    ),
    values={
        "type": frozenset(TYPES),
        "color": frozenset(COLORS),
        "orient": frozenset(LIES),
    },
    occurrences=frozenset({*OCCURRENCES, *TIMES, "life-falls", "life-rises"}),
    replaceable=dict.fromkeys((*OCCURRENCES, *TIMES, *OF_PLAYERS), _NOT_REPLACED)
    | dict.fromkeys(("destroyed", "returned", "disappears", "lost"), ""),
    of_players=frozenset(OF_PLAYERS),
    timings=frozenset({"main", "flash"}),
    figures=frozenset({"bp", "cost", "lv1", HARM, *COLORS}),
    keywords=dict.fromkeys((MUST_ATTACK, MUST_BLOCK), bool),
    acts=frozenset(
        {
            "attack", "block", "blocked", "block-exhausted", "reduce-life", "refresh", "destroyed",
            "returned",
        }
    ),
    durations=frozenset({"battle", "phase", "turn"}),
    costs={
        **dict.fromkeys(("rest", "destroy"), Takes()),
        **dict.fromkeys(("discard", "show", "exhaust"), Takes(("of",), ("n",))),
    },
    elsewhere=frozenset({"hand", "trash"}),
    provided=True,
    losable=frozenset({"constant", "triggered", "activated"}),
    instructions=INSTRUCTIONS,
    wide=frozenset({"player"}),
    speaks=(NEWER | SINGLY) - UNUSED,
    steps=frozenset(step.name for step in MANIFEST.steps),
    answered=frozenset({"use", "activate", "trigger"}),
    counters=frozenset({*CORES, *PLACES}),
    noted=frozenset({"life-lost", "depleted", "depleted-by-rival"}),
)  # fmt: skip
