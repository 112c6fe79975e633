"""The declarations of Battle Spirits: its zones, steps and words.

Cores are counters of the zones `life`, `reserve` and `trash` and of cards on the Field; the Soul
Core is a kind of its own beside them, of which each player has one. The Void is no place: a core
that comes from there comes from nowhere (bs:4-8-1). A Magic card that is taking effect is in no
zone by the book; here it lies in `limbo` (bs:3-4-3).
"""

from __future__ import annotations

from domain.games.kit import usual
from domain.record.schema.manifest import (
    ATTEMPTS,
    CHANCES,
    DURATIONS,
    FRAMES,
    OUTCOMES,
    Conserved,
    Manifest,
    Zone,
    words,
)
from domain.record.schema.tallies import Tally
from domain.record.schema.worth import Worth

REFRESHED, EXHAUSTED, HEAVY = "refreshed", "exhausted", "heavily-exhausted"
#: The ways a card on the Field lies (bs:5-5-1), the one it arrives in first (bs:4-5-3).
LIES = (REFRESHED, EXHAUSTED, HEAVY)
#: The two kinds of cores (bs:5-7-1).
CORE, SOUL = "core", "soul"
CORES = (CORE, SOUL)
#: The six colors (bs:2-11-1-1): of symbols of each of them a card on the Field has so many.
COLORS = ("red", "purple", "green", "white", "yellow", "blue")

ZONES = (
    Zone("field", "Field", "all", "all", orients=LIES, row=0),
    Zone("limbo", "In effect", "all", "all", row=0, style="passing"),
    Zone("life", "Life", "all", "all", row=1, style="counters"),
    Zone("reserve", "Reserve", "all", "all", row=1, style="counters"),
    Zone("trash", "Trash", "all", "all", row=1, style="pile"),
    Zone("deck", "Deck", "none", "none", ordered=True, row=2, style="stack"),
    Zone("exile", "Exile", "all", "all", row=2, style="pile"),
    Zone("hand", "Hand", "owner", "owner", row=3),
)

#: Times that come within a phase have steps of their own, so that play can be taken up there.
STEPS = words(
    ("setup", "setup"),
    ("start", "Start Phase"),
    ("core", "Core Phase"),
    ("draw", "Draw Phase"),
    ("refresh", "Refresh Phase"),
    ("main/start", "Main Phase"),
    ("main", "Main Phase"),
    ("attack/start", "Attack Phase"),
    ("attack", "Attack Phase"),
    ("attack/flash-1", "Flash timing"),
    ("attack/block", "block"),
    ("attack/flash-2", "second Flash"),
    ("attack/resolve", "resolution"),
    ("attack/end", "battle ends"),
    ("second-main", "Second Main"),
    ("end", "End Phase"),
    ("end/turn", "End Phase: end of the turn"),
)

MANIFEST = Manifest(
    game="battle_spirits",
    title="Battle Spirits",
    prefix="bs",
    version="battle_spirits 1.0",
    zones=ZONES,
    steps=STEPS,
    acts=(),  # of the table in `choices.acts`
    parts=usual.PARTS
    + words(
        "exile",
        "pay",
        "place",
        "price",
        "exhaust",
        ("stays", "what stays on it"),
        ("cores", "cores"),
        ("mode", "way"),
        ("to", "to"),
        ("cost", "cost"),
        ("symbols", "symbols"),
        ("number", "number"),
        ("taken", "cores"),
        "show",
    ),
    decisions=usual.DECISIONS
    + words(
        ("main", "Main Phase"),
        ("attack", "Attack Phase"),
        ("flash", "Flash timing"),
        ("block", "block"),
        ("cores", "which cores"),
        ("number", "a number"),
        ("replacement", "what comes instead"),
    ),
    counters=words((CORE, "core"), (SOUL, "Soul Core")),
    stats=words(
        ("level", "Lv"),
        ("bp", "BP"),
        ("symbols", "symbols"),
        *COLORS,
        ("true-release", "True Release"),
        ("cost", "cost"),
        ("lv1", "Lv1 cost"),
        ("lost", "has lost"),
    ),
    marks=usual.MARKS
    + words(
        ("price", "what is paid for it"),
        ("beat", "has beaten"),
        ("broken", "was broken off"),
        ("obeyed", "has attacked as it had to"),
        ("life-lost", "Life lost this turn"),
        ("depleted", "Spirits that disappeared this turn"),
        ("depleted-by-rival", "of which by effects of the opponent"),
        ("to the bottom", "goes to the bottom of the deck"),
        ("together", "has begun to leave together with"),
        ("has-disappeared", "has disappeared before"),
        ("spared", "stays as it is"),
    ),
    reasons=words(
        ("play", "played"),
        ("summon", "summoned"),
        ("deploy", "deployed"),
        ("use", "used"),
        ("pay", "paid"),
        ("succession", "exiled for Succession"),
        ("done", "took effect"),
        ("refresh", "refreshed"),
        ("destroyed", "destroyed"),
        ("battle", "destroyed by BP"),
        ("disappeared", "disappeared"),
        ("hand", "returned to the hand"),
        ("deck", "returned to the deck"),
        ("life", "Life is 0"),
        ("deck out", "no card in the deck"),
        ("text", "by a text"),
        ("cost", "cost"),
        ("skipped", "skipped"),
        ("same place", "it is there already"),
        ("block", "blocked"),
        ("limit", "not so often"),
        ("replaced", "replaced"),
        ("lost", "lost that text"),
        ("waiting", "on its way off the Field"),
        ("changed", "leaves in another way"),
        ("condition", "condition not met"),
    )
    + tuple(word for word in usual.REASONS if word.name != "replaced"),
    frames=words(
        ("attack", "attack"),
        ("play", "play"),
        ("flash", "Flash timing"),
        ("comparison", "comparison of BP"),
        *FRAMES,
    ),
    badges=("level", "symbols", "bp"),
    outcomes=OUTCOMES,
    durations=(
        *DURATIONS,
        *words(
            ("battle", "during this battle"),
            ("phase", "during this phase"),
            ("game", "until the game ends"),
        ),
    ),
    chances=CHANCES,
    declarations=usual.DECLARATIONS
    + words(
        ("summon", "summons"),
        ("deploy", "deploys"),
        ("use", "uses a card"),
        ("activate", "uses an effect"),
        ("attack", "attacks"),
        ("block", "blocks"),
    ),
    attempts=(
        *ATTEMPTS,
        *words(
            ("core", "Core Phase"),
            ("attack-phase", "Attack Phase"),
            ("cores", "cores"),
            ("attack", "attack"),
            ("block", "block"),
            ("life", "loss of Life"),
            ("second-main", "Second Main"),
            ("refresh", "refresh"),
            ("compare", "comparison of BP"),
            ("wait", "wait state"),
            ("send", "sending cores"),
            ("put", "putting cores"),
            ("turn", "turn"),
            ("reveal", "reveal"),
            ("charge", "charge"),
            ("activate", "use of an effect"),
            ("returned", "return"),
            ("disappears", "disappearance"),
            ("show", "show"),
            ("disappear", "disappearance"),
            ("destroyed", "destruction"),
            ("exhaust", "exhaust"),
            ("summon", "summon"),
            ("use", "use"),
            ("lost", "defeat"),
            "target",
            "nothing",
            ("count", "count"),
            ("defeat", "loss of the game"),
        ),
    ),
    signs=words(
        (CORE, "●"), (SOUL, "◆"), ("symbols", "✦"),
        (REFRESHED, "↑"), (EXHAUSTED, "→"), (HEAVY, "↓"),
    ),
    conserved=(
        Conserved(CORE, "reserve", "bs:4-5-4"),
        Conserved(SOUL, "reserve", "bs:4-5-4"),
    ),
)  # fmt: skip

#: The tallies of a match for overlays (`record.schema.tallies`): cores, the Soul Core among them.
TALLIES = (
    Tally("life", "Life", zone="life", counters=CORES),
    Tally("deck", "Deck", zone="deck"),
    Tally("hand", "Hand", zone="hand"),
    Tally("reserve", "Reserve", zone="reserve", counters=CORES),
)

#: What a look-ahead aims at: Life, cards in hand, and Spirits with their BP, symbols and cores.
WORTH = Worth(
    {"life": 4.0, "hand": 1.2, "reserve": 0.2},
    zones=("field",),
    card=0.8,
    stats={"bp": 0.0005, "symbols": 0.7},
    counters={"core": 0.25, "soul": 0.25},
    low=6.0,
    even=8.0,
)
