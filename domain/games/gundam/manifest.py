"""The declarations of the Gundam Card Game: its areas, steps, words (chapters 3 to 8 of the book).

Visibility follows chapter 3: a shield can be followed by everybody and seen by nobody, a hand is
its owner's, a deck is seen by nobody. `resolving` is "no area" (3-1-2): a card whose effect is
being carried out.
"""

from __future__ import annotations

from domain.games.kit.effects import later
from domain.record.schema.manifest import (
    ATTEMPTS,
    DURATIONS,
    FRAMES,
    REASONS,
    Manifest,
    Word,
    Zone,
    words,
)
from domain.record.schema.tallies import Tally
from domain.record.schema.worth import Worth

LIES = ("active", "rested")

ZONES = (
    Zone("battle", "Battle Area", "all", "all", orients=LIES, row=0),
    Zone("base", "Base", "all", "all", orients=LIES, row=1),
    Zone(
        "shield", "Shields", "none", "all", ordered=True, orients=("rested",), row=1, style="stack"
    ),
    Zone("resource", "Resources", "all", "all", orients=LIES, row=2),
    Zone(
        "resource-deck",
        "Resource Deck",
        "none",
        "none",
        ordered=True,
        row=2,
        style="stack",
        alike=True,
    ),
    Zone("deck", "Deck", "none", "none", ordered=True, row=3, style="stack"),
    Zone("trash", "Trash", "all", "all", row=3, style="pile"),
    Zone("removal", "Removal", "all", "all", row=3, style="pile"),
    Zone("hand", "Hand", "owner", "owner", row=4),
    Zone("resolving", "Resolving", "all", "all", row=1),
)


MANIFEST = Manifest(
    game="gundam",
    title="Gundam Card Game",
    prefix="gcg",
    version="gundam 1.0",
    zones=ZONES,
    steps=words(
        ("setup", "setup"),
        ("start/active", "active step"),
        ("start/start", "start step"),
        ("draw", "draw"),
        ("resource", "resource"),
        ("main", "main"),
        ("attack/attack", "attack"),
        ("attack/block", "block"),
        ("attack/action", "action"),
        ("attack/damage", "damage"),
        ("attack/end", "battle end"),
        ("end/action", "end action"),
        ("end/end", "end step"),
        ("end/hand", "hand step"),
        ("end/cleanup", "cleanup"),
    ),
    acts=(),  # of the table in `acts`
    parts=words(
        ("pay", "pay with"),
        ("host", "host"),
        ("target", "target"),
        ("discard", "discard"),
        ("order", "order"),
        ("mode", "way"),
        ("trash", "trash"),
        ("rest", "rest"),
        ("ready", "set active"),
        ("damage", "damage"),
        ("recover", "recover"),
        ("modify", "change"),
        ("gain", "give"),
        ("lose", "take away"),
        ("forbid", "forbid"),
        ("allow", "allow"),
        ("move", "move"),
        ("deploy", "deploy"),
        ("pair", "pair"),
        ("destroy", "destroy"),
        ("support", "support"),
        ("control", "take over"),
        ("retarget", "redirect to"),
        ("text", "declaration"),
    ),
    decisions=words(
        ("turn-order", "first or second"),
        ("redraw", "redraw or keep"),
        ("main", "main phase"),
        ("block", "block"),
        ("action", "action step"),
        ("burst", "Burst"),
        ("may", "may"),
        ("target", "choose"),
        ("order", "which effect next"),
        ("arrange", "in which order"),
        ("discard", "discard"),
        ("mode", "which way"),
        ("declare", "what the text does"),
        ("excess", "which Unit makes room"),
    ),
    counters=words(("damage", "damage")),
    stats=words(
        ("ap", "AP"),
        ("hp", "HP"),
        ("lv", "Lv"),
        ("lost", "has lost"),
        ("linked", "link unit"),
        ("repair", "Repair"),
        ("breach", "Breach"),
        ("support", "Support"),
        ("blocker", "Blocker"),
        ("first-strike", "First Strike"),
        ("high-maneuver", "High-Maneuver"),
    ),
    marks=words(
        ("used", "used this turn"),
        ("redrawn", "has redrawn"),
        ("passes", "passes in a row"),
        ("priority", "may act"),
        ("broken", "broken off"),
        ("hit", "took battle damage with an empty Shield Area"),
        ("emptied", "did not lose by the empty deck"),
        ("spared", "was to be destroyed"),
        ("breached", "destroyed a card of this seat"),
        ("first", "goes first"),
        ("chooser", "chooses who goes first"),
    ),
    reasons=words(
        ("setup", "setup"),
        ("shuffle", "shuffled"),
        ("draw", "drawn"),
        ("redraw", "redraw"),
        ("resource", "resource phase"),
        ("play", "played"),
        ("deploy", "deployed"),
        ("pair", "paired"),
        ("destroyed", "destroyed"),
        ("excess", "made room"),
        ("control", "taken over"),
        ("discard", "discarded"),
        ("effect", "by an effect"),
        ("command", "command carried out"),
        ("burst", "Burst carried out"),
        ("removed", "removed"),
        ("reveal", "revealed"),
        ("look", "looked at"),
        ("tidy", "tidied"),
        ("token", "token placed"),
        ("spent", "spent"),
        ("outside", "a token belongs on the field"),
        ("declined", "declined"),
        ("no target", "no target"),
        ("gone", "gone"),
        ("impossible", "impossible"),
        ("endless", "does not end"),
        ("forbidden", "forbidden"),
        ("already", "already so"),
        ("limit", "limit reached"),
        ("condition", "condition not met"),
        ("no damage", "no damage to recover"),
        ("replaced", "replaced"),
        ("defeat", "no shield left"),
        ("deck", "deck empty"),
        ("concede", "conceded"),
        ("both", "both lost"),
        ("block", "blocked"),
    )
    + REASONS,
    frames=words(
        ("attack", "attack"),
        ("play", "play"),
        ("cost", "payment"),
        ("process", "rule process"),
    )
    + FRAMES,
    badges=("lv", "ap", "hp"),
    roles=words(("pilot", "pilot")),
    durations=(*DURATIONS, Word("battle", "during this battle")),
    declarations=words(
        ("command", "plays a Command"),
        ("activated", "activates an effect"),
        ("support", "supports"),
        ("declare", "declares a text"),
        ("replacement", "does something else instead"),
    ),
    attempts=(
        *ATTEMPTS,
        *words(
            ("activate", "activation"),
            ("destroyed", "destruction"),
            ("rested", "being rested"),
            ("returned", "return to hand"),
            ("lost", "defeat"),
            ("resource", "resource phase"),
            ("retarget", "redirect the attack"),
            ("ex-resource", "EX Resource"),
        ),
    ),
)

#: Words of the later editions, by list.
LATER: dict[str, tuple[Word | Zone, ...]] = {
    # shields have no orientation any more
    "zones": (Zone("shield", "Shields", "none", "all", ordered=True, row=1, style="stack"),),
    "steps": words(("side", "sideboards")),
    "decisions": words(("side", "sideboard")),
    "parts": words(("list", "list"), "exile", "return", "bottom", ("pair-with", "pair"), "play"),
    "stats": words(("suppression", "Suppression"), ("lent", "was given"), ("trait", "has gained")),
    "attempts": words(
        *("battle", "target", "reduce", "paired-command", "divert", "oblige", "lend"),
        *("play", "pay", "pair-with", "command-text", "each-player"),
    ),
    "marks": words(
        ("against", "the other card in what set it off"),
        ("x", "how much set it off"),
        ("happened", "has happened in this turn"),
        ("ex-paid", "was played with an EX Resource"),
    ),
    "frames": words("battle"),
    "durations": (later.DURATION, Word("start", "until the end of a start phase")),
    "declarations": later.DECLARATIONS[:1],
}

#: The tallies of a match for overlays (`record.schema.tallies`): shields, above all.
TALLIES = (
    Tally("life", "Shields", zone="shield"),
    Tally("deck", "Deck", zone="deck"),
    Tally("hand", "Hand", zone="hand"),
    Tally("resources", "Resources", zone="resource"),
)

#: What a look-ahead aims at: shields, cards and Resources, and what stands on the field.
WORTH = Worth(
    {"life": 3.0, "hand": 1.0, "resources": 1.0},
    zones=("battle", "base"),
    card=0.5,
    stats={"ap": 0.7, "hp": 0.6},
    counters={"damage": -0.5},
    low=6.0,
    even=8.0,
)
