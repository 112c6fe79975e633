"""The words of this game, which its effects may use beside those that all games share.

effects/WORDS.md explains them to people who write cards.
"""

from __future__ import annotations

from domain.effects.language.words import FURTHER, FURTHER_USES, MODIFY_LATER, NEWER, Takes, Words
from domain.games.kit.effects import negation
from domain.games.yugioh.lists.card import ATTRIBUTES, KINDS, MONSTERS, RACES, SPELLS, TRAPS
from domain.games.yugioh.manifest import LIES, MANIFEST
from domain.words.phrases import phrase

TARGETS = "to or choose"
#: Times of the turn that texts wait for.
TIMES = ("standby", "end")
#: What befalls players.
OF_PLAYERS = frozenset({"hurt", "lost"})
#: What befalls cards, and what they do. `destroys` is told as the battle is decided,
#: `destroys-to-grave` once who was beaten has gone there.
OCCURRENCES = (
    "summoned", "normal-summoned", "special-summoned", "flip-summoned", "flip", "set", "attack",
    "attacked", "battle", "battled", "deals-damage", "destroyed", "destroyed-by-battle",
    "destroyed-by-effect", "destroys", "destroys-to-grave", "to-grave", "field-to-grave",
    "battle-to-grave", "discarded", "tributed", "banished", "leaves", "targeted",
)  # fmt: skip
#: When texts are activated: in one's own Main Phase, as fast effects; in the Damage Step as well,
#: while damage is calculated; as a Summon is about to succeed, in answer to a link.
TIMINGS = ("main", "quick", "damage", "calculation", "summon", "link")
#: What a monster was, or is, and how it came.
SWITCHES = ("tuner", "token", "up", "fallen", "arrived", "targeted", "ordinary", "special")
NUMBERS = (
    "level", "rank", "atk", "def", "original-atk", "original-def", "materials", "original-level",
)  # fmt: skip
#: How monsters are Summoned.
METHODS = ("normal", "tribute", "flip", "special", "fusion", "ritual", "synchro", "xyz")
PHASES = ("draw", "standby", "main1", "battle", "main2", "end")

_DECLARED = phrase("its player does it or not; a text can forbid it")
_TIME = phrase("a time of the turn is no event")
_CAUSE = phrase("what is replaced is that a card is destroyed: say whose in `about`")

WORDS = Words(
    zones=frozenset(
        {"deck", "extra", "hand", "monster", "spell", "field", "grave", "banished", "player"}
    ),
    layout={zone.name: zone for zone in MANIFEST.zones},
    field=frozenset({"", "monster", "spell", "field", "limbo"}),
    affected=frozenset({"", "monster", "spell", "field", "player"}),
    attributes=dict.fromkeys(
        ("type", "name", "name-has", "kind", "attribute", "race", "id", "orient", "summoned",
         "original-race"), (str,)
    )
    | dict.fromkeys(NUMBERS, (int,))
    | dict.fromkeys(SWITCHES, (bool,)),
    values={
        "type": frozenset(KINDS),
        "kind": frozenset({*MONSTERS, *SPELLS, *TRAPS}),
        "attribute": frozenset(ATTRIBUTES),
        "race": frozenset(RACES),
        "original-race": frozenset(RACES),
        "orient": frozenset(LIES),
        "summoned": frozenset(METHODS),
    },
    occurrences=frozenset({*OCCURRENCES, *TIMES, "hurt"}),
    replaceable={
        "destroyed": "",
        "destroyed-by-battle": "",
        "destroyed-by-effect": "",
        "lost": "",
        **dict.fromkeys(TIMES, _TIME),
        **dict.fromkeys(
            (one for one in (*OCCURRENCES, "hurt") if not one.startswith("destroyed")), _DECLARED
        ),
        **dict.fromkeys(("destroys", "destroys-to-grave"), _CAUSE),
    },
    of_players=OF_PLAYERS,
    timings=frozenset(TIMINGS),
    figures=frozenset({"atk", "def", "level", "hand-limit"}),
    keywords={"piercing": bool, "direct": bool, "attacks": int},
    acts=frozenset(
        {"attack", "attack-player", "attacked", "activate", "summon", "special-summon", "tribute",
         "destroyed", "destroyed-by-battle", "destroyed-by-effect", "position", "targeted"}
    ),
    durations=frozenset({"turn", "battle", "standby", "end", "battle-phase", "field", "game"}),
    costs={
        "life": ("n", "per"), "half": (), "discard": ("n", "of"),
        "tribute": ("n", "of", "noted"), "tribute-this": (), "send": ("n", "of"), "send-this": (),
        "banish": ("n", "of"), "banish-this": (), "detach": ("n",),
    },
    elsewhere=frozenset({"hand", "grave", "banished"}),
    provided=True,
    losable=frozenset({"constant", "triggered", "activated", "command", "replacement"}),
    instructions={
        **FURTHER,
        **FURTHER_USES,
        "modify": MODIFY_LATER,
        "negate": negation.NEGATE,
        "damage": Takes((), (TARGETS, "n", "key")),
        "destroy": Takes((), (TARGETS, "place")),
        "deploy": Takes((), (TARGETS, "orient", "up", "key")),
        "summon": Takes(("key",), ("choose", "using", "value", "place")),
        "send-materials": Takes((), (TARGETS, "using")),
        "token": Takes(("token",), ("n", "orient", "key", "value")),
        "skip": Takes(("value",), ("key", "n")),
        "end": Takes(("value",), ()),
        "equip": Takes((), (TARGETS, "value")),
        "attach": Takes((), (TARGETS,)),
    },
    lacking=frozenset({"pair"}),
    speaks=NEWER,
    steps=frozenset(step.name for step in MANIFEST.steps),
    answered=frozenset({"activate", "trigger", "summon"}),
    counters=frozenset({"life", "spell"}),
    noted=frozenset({"damage"}),
    chances=frozenset({"die", "coin"}),
    standing=frozenset({"destroy"}),
)  # fmt: skip
