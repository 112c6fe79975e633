"""The declarations of Yu-Gi-Oh!: its rule index, zones, steps and words.

A Set card is followed by all and looked at by its controller alone. What is being Summoned lies in
`limbo` until that has succeeded: it holds a Monster Zone, and nothing that speaks of the field sees
it (ygo:summon.steps.3, ygo:summon.normal.4). Which of the five zones a card holds is a mark on it.
"""

from __future__ import annotations

from importlib.resources import files

from domain.games.kit import usual
from domain.games.kit.effects import later, negation
from domain.record.schema import citations
from domain.record.schema.manifest import (
    ATTEMPTS,
    CHANCES,
    DURATIONS,
    FRAMES,
    OUTCOMES,
    Manifest,
    Slots,
    Zone,
    words,
)
from domain.record.schema.tallies import Tally
from domain.record.schema.worth import Worth

RULES = citations.load(files(__package__) / "rules.tsv")
ATTACK, DEFENCE = "attack", "defence"
LIES = (ATTACK, DEFENCE)
#: How many zones a player has for monsters, and as many for Spells and Traps.
ZONES_EACH = 5
#: What notes the Spell & Trap Zone of a Trap that is a monster.
IN_SPELL_ZONE = "spell-zone"

ZONES = (
    Zone("monster", "Monster Zones", "all", "all", orients=LIES, row=0, down="owner"),
    Zone(
        "limbo", "Being Summoned", "all", "all", orients=LIES, row=0, style="passing", down="owner"
    ),
    Zone("spell", "Spells & Traps", "all", "all", row=1, down="owner"),
    Zone("field", "Field Zone", "all", "all", row=1, down="owner"),
    Zone("grave", "Graveyard", "all", "all", ordered=True, row=2, style="pile"),
    Zone("banished", "Banished", "all", "all", row=2, style="pile", down="owner"),
    Zone("deck", "Main Deck", "none", "none", ordered=True, row=2, style="stack"),
    Zone("extra", "Extra Deck", "owner", "owner", row=2, style="stack"),
    Zone("hand", "Hand", "owner", "owner", row=3),
)

#: A window (`flow.windows`) is a step of its own, so that play can be taken up at each of them.
STEPS = words(
    ("setup", "setup"),
    ("side", "Side Deck"),
    ("draw", "Draw Phase"),
    ("draw/close", "Draw Phase: closing"),
    ("standby", "Standby Phase"),
    ("standby/close", "Standby Phase: closing"),
    ("standby/skipped", "Main Phase 1 is skipped"),
    ("main1", "Main Phase 1"),
    ("main1/fast", "Main Phase 1: responses"),
    ("main1/to-battle", "Main Phase 1: closing"),
    ("main1/to-end", "Main Phase 1: closing"),
    ("battle/start", "Start Step"),
    ("battle", "Battle Step"),
    ("battle/fast", "Battle Step: responses"),
    ("battle/close", "Battle Step: closing"),
    ("battle/response", "Battle Step: attack declared"),
    ("damage/1", "Damage Step: before the flip"),
    ("damage/2", "Damage Step: after the flip"),
    ("damage/3", "Damage Step: damage calculation"),
    ("damage/4", "Damage Step: damage"),
    ("damage/6", "Damage Step: after calculation"),
    ("damage/7", "Damage Step: after damage"),
    ("damage/8", "Damage Step: battle result"),
    ("damage/9", "Damage Step: end"),
    ("battle/end", "End Step"),
    ("main2", "Main Phase 2"),
    ("main2/fast", "Main Phase 2: responses"),
    ("main2/to-end", "Main Phase 2: closing"),
    ("end", "End Phase"),
    ("end/close", "End Phase: closing"),
    ("end/hand", "End Phase: hand limit"),
    ("end/turn", "End Phase: end of the turn"),
    ("summon/negate", "Summon: may be negated"),
    ("summon/success", "Summon: success"),
    ("summon/done", "Summon: responses"),
    ("chain", "chain"),
    ("chain/resolve", "chain: resolution"),
)

MANIFEST = Manifest(
    game="yugioh",
    title="Yu-Gi-Oh!",
    prefix="ygo",
    version="yugioh 1.0",
    zones=ZONES,
    steps=STEPS,
    acts=(),  # of the table in `acts`
    parts=words(
        "tribute", "lent", "tuner", "material", "level", "zone", "position", "cost", "banish",
        "detach", "return", "damage", "recover", "destroy", "rest", "ready", "modify", "gain",
        "lose", "set-down", "forbid", "allow", "control", "move", "deploy", "token", "negate",
        "equip", "attach", "monster", "list", "different", "choose",
        *((f"material-{n}", "Material") for n in range(2, 11)),
        *((f"target-{n}", "target") for n in range(2, 5)), ("cost-2", "cost"),
        ("cost-3", "cost"), *usual.PARTS,
    ),
    decisions=words(
        ("main", "Main Phase"),
        ("side", "Side Deck"),
        ("battle", "Battle Step"),
        ("window", "fast effects"),
        ("chain", "respond"),
        ("trigger", "which effect next"),
        ("hand", "effects out of the hand"),
        ("replay", "attack again"),
        ("skipped", "Battle Phase or End Phase"),
        ("position", "in which position"),
        ("summon", "what is summoned"),
        ("process", "what is done next"),
        *usual.DECISIONS,
    ),
    counters=words(
        ("life", "Life Points"), ("spell", "Spell Counter"), ("plain", "counter"),
        ("greed", "Greed Counter"),
    ),
    stats=words(
        ("atk", "ATK"), ("def", "DEF"), ("level", "Level"), ("attribute", "attribute"),
        ("race", "race"), ("lost", "has lost"), ("name", "is called"), ("piercing", "piercing"),
        ("direct", "direct attack"),
        ("attacks", "attacks a turn"), ("effect-monster", "is an effect monster"),
        ("reflects", "reflects battle damage"), ("must-attack", "must attack"),
        ("hand-limit", "hand limit"), ("tributes", "Tributes"),
    ),
    marks=words(
        ("zone", "its zone"),
        ("again", "was Summoned once more"),
        ("back", "came back"),
        ("laid", "its zone was named"),
        ("unactivated", "its activation was negated"),
        (IN_SPELL_ZONE, "its Spell & Trap Zone"),
        ("gives-up", "would give the duel up in turn"),
        ("class", "players are asked for effects out of the hand of class"),
        ("became", "became a monster, or a Trap again, in turn"),
        ("summoned", "has Normal Summoned in turn"),
        ("changed", "changed position in turn"),
        ("attacked", "declared attacks in turn"),
        ("attacks", "how often it has attacked this turn"),
        ("spent", "may not attack again in turn"),
        ("revivable", "was properly summoned"),
        ("targeted", "was targeted"),
        ("stays", "stays on the field"),
        ("skip", "skips"),
        ("lately", "what has just happened"),
        ("earlier", "what has happened before that"),
        ("about", "what it is about"),
        ("also", "what else it is about"),
        ("overlaid", "its monster is Xyz Material"),
        ("bound", "tied to"),
        ("ends", "ends the Battle Phase of turn"),
        ("set", "was Set in turn"),
        ("field", "somebody came or left since"),
        ("gone", "who fights no more"),
        ("told", "the timing that has come"),
        ("method", "how it was summoned"),
        ("tribute-race", "races of its Tributes"),
        ("was-destroyed", "was destroyed in turn"),
        ("has-destroyed", "destroyed by battle in turn"),
        ("limit", "cards in hand at the most"),
        ("summons", "has Summoned this turn"),
        ("battle-damage", "battle damage taken last"),
        ("effect-damage", "effect damage taken last"),
        negation.MARK,
        *later.MARKS,
        *usual.MARKS,
    ),
    reasons=words(
        ("summon", "Summoned"),
        ("tribute", "Tributed"),
        ("set", "Set"),
        ("flip", "Flip Summoned"),
        ("special", "Special Summoned"),
        ("succeeded", "the Summon succeeded"),
        ("summon negated", "the Summon was negated"),
        ("activate", "activated"),
        ("used", "used up"),
        ("cost", "cost"),
        ("battle", "destroyed by battle"),
        ("destroyed", "destroyed by an effect"),
        ("rule", "destroyed by rule"),
        ("material", "Material"),
        ("overlay", "overlaid"),
        ("detach", "detached"),
        ("host", "its monster left"),
        ("hand limit", "hand limit"),
        ("control", "control changed"),
        ("return", "returned"),
        ("token", "Token"),
        ("unfit", "target unfit"),
        ("missed", "missed its timing"),
        ("place", "not in its place"),
        ("no success", "no damage is done"),
        ("life", "Life Points at 0"),
        ("deck", "no card to draw"),
        ("text", "by a card text"),
        ("replay", "attack after a replay"),
        ("skipped", "skipped"),
        *usual.REASONS,
    ),
    frames=words(("summon", "Summon"), "chain", "attack") + FRAMES,
    chains=("chain",),
    badges=("atk", "def"),
    roles=words(("material", "Xyz Material"), ("equip", "Equip Card")),
    apart=("material",),
    slots=(
        Slots("monster", "zone", ZONES_EACH),
        Slots("spell", "zone", ZONES_EACH, elsewhere=IN_SPELL_ZONE),
    ),
    outcomes=(
        *OUTCOMES,
        *negation.OUTCOMES,
        *words(("activated", "activated"), ("summon negated", "the Summon was negated")),
    ),
    durations=(
        *DURATIONS,
        *words(
            ("battle", "during this battle"), ("standby", "until the Standby Phase"),
            ("end", "until the End Phase"), ("field", "as long as it is on the field"),
            ("game", "until the game ends"), ("battle-phase", "during this Battle Phase"),
        ),
        later.DURATION,
    ),
    chances=(*CHANCES, *words("coin", "die")),
    declarations=(
        *words(
            ("activate", "activates"),
            ("trigger", "activates {card}"),
            ("summon", "Summons"),
        ),
        *usual.DECLARATIONS,
        *later.DECLARATIONS,
    ),
    attempts=(
        *ATTEMPTS,
        *words(
            "negate", "equip", "attach", "summon", "attack", "negate-summon", "negate-attack",
            "turn", "place", "take", "reveal", "roll", "later", "defeat", "bind", "nothing",
            "redirect", "lend", "target", "detach", "lose-life", "end-battle", "skip", "stay",
            "tribute", "send-materials", "face-down", "face-up", "set-down", "position",
            ("destroyed", "destruction"), ("falls", "destruction by battle"),
            ("lost", "defeat"), ("battle", "battle damage"),
            ("standby", "Standby Phase"), ("main1", "Main Phase 1"), ("main2", "Main Phase 2"),
        ),
    ),
)  # fmt: skip

#: The tallies of a match for overlays (`record.schema.tallies`): Life Points are counters of seats.
TALLIES = (
    Tally("life", "Life Points", counters=("life",)),
    Tally("deck", "Main Deck", zone="deck"),
    Tally("hand", "Hand", zone="hand"),
    Tally("extra", "Extra Deck", zone="extra"),
)

#: What a look-ahead aims at: Life Points, cards in hand, and what lies on the field with its ATK.
WORTH = Worth(
    {"life": 0.001, "hand": 1.0},
    zones=("monster", "spell", "field"),
    card=0.6,
    stats={"atk": 0.001, "def": 0.0003},
    low=5.0,
    unit=1000,
    even=6.0,
)
