"""The words that card texts of this game may use, beside those that all games share.

What they mean is in effects/WORDS.md; what an occurrence is by the record, in
`effects.waiting.occurrences`.
"""

from __future__ import annotations

from domain.effects.language.vocabulary import Effect
from domain.effects.language.words import NEWER, Takes, Words
from domain.games.yugioh.lists.card import ATTRIBUTES, KINDS, MONSTERS, RACES, SPELLS, TRAPS
from domain.games.yugioh.lists.instructions import INSTRUCTIONS
from domain.games.yugioh.manifest import LIES, MANIFEST, RULES
from domain.record.schema.citations import READING
from domain.words.phrases import phrase

#: The zones of the field together, and every zone there is.
WIDE = {
    "table": ("monster", "spell", "field"),
    "back": ("spell", "field"),
}
#: Occurrences that befall no card: times of the turn. Each effect of one is a chain of its own.
TIMES = ("drawn", "standby", "battle-start", "battle-end", "end")
#: Those, and what an effect has set for such a time.
PHASED = (*TIMES, "due")
#: What is set off in a battle and waits for its result (ygo:battle.d8.1).
RESULTS = ("flip", "falls", "fells")
#: What an effect may answer that is no event yet: a link of the chain, a Summon before its success.
LINKS = ("card-activated", "effect-activated", "link")
SUMMONS = ("summoning", "special-summoning")


def set_off_in_hand(effect: Effect) -> bool:
    """Whether an effect is set off in the hand: it is a trigger, which waits for nobody to see.

    What is of Spell Speed 2 there is activated as any fast effect is.
    """
    waits = effect.on not in ("", *LINKS, *SUMMONS)
    return (
        effect.kind == "activated" and effect.zone == "hand" and waits and "quick" not in effect.at
    )


#: What happens to cards, or by them.
OCCURRENCES = (
    "calculation",
    "summoned", "special-summoned", "flip-summoned", "arrives", "flip", "set", "attack", "attacked",
    "inflicts", "falls", "fells", "beaten", "beats", "destroyed", "destroyed-by-effect", "buried",
    "to-grave", "discarded", "discarded-by-effect", "discarded-by-yours", "discarded-by-theirs",
    "tributed", "material", "banished", "leaves", "battle", "fought", "battle-over", "hurts", "due",
    "destroyed-and-sent", "buried-by-rival",
    "attack-negated", "destroyed-alone", "destroyed-by-rival", "destroyed-face-up",
    "host-overlaid",
)  # fmt: skip
#: Of these, how a monster comes, or is turned up to fight.
ARRIVALS = ("summoned", "special-summoned", "flip-summoned", "arrives")
#: That an attack was negated; it befalls the attacker.
NEGATED = "attack-negated"
#: What happens only where it happens to no other card at the same moment.
ALONE = "destroyed-alone"
#: The ways in which a card leaves its place, or may.
PARTING = frozenset(
    {
        "destroyed", "destroyed-by-effect", "destroyed-face-up", "buried", "to-grave", "discarded",
        "discarded-by-effect", "discarded-by-yours", "discarded-by-theirs", "tributed", "material",
        "banished", "leaves", "beaten",
    }
)  # fmt: skip
#: Of these, what means that a player was damaged.
HURTING = ("hurts", "inflicts")
#: How monsters are Summoned; `own`: by a text of their own.
METHODS = ("own", "normal", "tribute", "flip", "special", "fusion", "ritual", "synchro", "xyz")
#: Figures of monsters: as printed, before what waits for all else, and what lies beneath them.
NUMBERS = ("level", "rank", "atk", "def", "original-atk", "original-def", "early-atk", "materials",
           "passcode", "since")  # fmt: skip
#: Keywords that a text may give a monster; battle damage to the controller of one that reflects is
#: dealt to his opponent.
REFLECTS, OBLIGED = "reflects", "must-attack"
SWITCHES = ("piercing", "direct", REFLECTS, OBLIGED)
#: To declare attacks: what forbids that ends none that was declared (reading:ygo/A43).
DECLARING = "declare-attack"
#: Battle damage: a figure that texts change as it is dealt, and an act that they forbid.
HARM = "battle-damage"
#: What a card is called instead of what is printed on it, which a text may say.
NAME = "name"
#: What is noted of players: how often each has Summoned this turn.
COUNT = "summons"

_NOT_REPLACED = phrase("nothing stands for it: a text says what is done then")

WORDS = Words(
    zones=frozenset(
        {"deck", "extra", "hand", "monster", "spell", "field", "grave", "banished", "player",
         *WIDE}
    ),
    layout={zone.name: zone for zone in MANIFEST.zones},
    field=frozenset({"monster", "spell", "field"}),
    attributes=dict.fromkeys(
        ("type", "name", "name-has", "kind", "attribute", "race", "original-race", "id", "orient",
         "role", "summoned", "place", "tribute-race", "made-with"), (str,)
    )
    | dict.fromkeys(NUMBERS, (int,))
    | dict.fromkeys(
        ("tuner", "token", "up", "special", "special-summoned", "ordinary", "fallen", "arrived",
         "targeted", "became", "attacking", "was-destroyed", "has-destroyed", *SWITCHES),
        (bool,),
    ),
    values={
        "type": frozenset(KINDS),
        "kind": frozenset({*MONSTERS, *SPELLS, *TRAPS}),
        "attribute": frozenset(ATTRIBUTES),
        "race": frozenset(RACES),
        "original-race": frozenset(RACES),
        "tribute-race": frozenset(RACES),
        "orient": frozenset(LIES),
        "summoned": frozenset(METHODS),
        "place": frozenset(zone.name for zone in MANIFEST.zones),
    },
    occurrences=frozenset({*OCCURRENCES, *LINKS, *SUMMONS, *TIMES}),
    replaceable=dict.fromkeys((*OCCURRENCES, *LINKS, *SUMMONS, *TIMES), _NOT_REPLACED)
    | dict.fromkeys(("destroyed", "falls"), ""),
    timings=frozenset({"quick", "damage", "calculation", "condition", "late"}),
    timed=False,
    figures=frozenset({"atk", "def", "level", "hand-limit", "tributes", HARM}),
    keywords=dict.fromkeys(SWITCHES, bool) | {"attacks": int, NAME: str},
    acts=frozenset(
        {"activate", "attack", "attacked", "attack-player", "affected", "aimed", "position",
         "tribute", "two-tributes", "destroyed", "destroyed-by-battle", "summon", "normal-summon",
         "special-summon", "flip-summon", "control", "battle-phase", "synchro-material", "detach",
         "banish", DECLARING, HARM}
    ),
    durations=frozenset({"turn", "battle", "battle-phase", "standby", "end", "field", "game"}),
    costs={
        **dict.fromkeys(
            ("half", "discard-this", "tribute-this", "send-this", "banish-this"), Takes()
        ),
        **dict.fromkeys(("life", "declare"), Takes((), ("n",))),
        **dict.fromkeys(("discard", "detach"), Takes((), ("n", "of"))),
        **dict.fromkeys(("send", "banish", "overlay"), Takes(("of",), ("n",))),
        "tribute": Takes((), ("n", "of", "noted")), "oath": Takes(("key",), ("of",)),
        "take": Takes(("of", "key"), ("n",)), "take-this": Takes(("key",), ("n",)),
    },
    elsewhere=frozenset({"hand", "spell", "grave", "banished", "extra", "material", "anywhere"}),
    provided=True,
    losable=frozenset({"constant", "triggered", "activated", "command"}),
    instructions=INSTRUCTIONS,
    wide=frozenset({*WIDE, "player"}),
    speaks=NEWER | {"counts"},
    steps=frozenset(step.name for step in MANIFEST.steps),
    answered=frozenset({"activate", "trigger"}),
    counters=frozenset({"life", "spell", "greed", "plain"}),
    readings=frozenset(rule for rule, row in RULES.items() if row.kind == READING),
    noted=frozenset({"battle-damage", "effect-damage", COUNT}),
    chances=frozenset({"die", "coin"}),
    standing=frozenset({"destroy"}),
    early={"early-atk": "atk"},
)  # fmt: skip
