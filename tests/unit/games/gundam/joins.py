"""Gundam's instructions before joining words: how far each gets on which boards."""

from __future__ import annotations

from domain.games.gundam.effects.instructions import INSTRUCTIONS
from tests.unit.games.joins import IN_PART, NOT_AT_ALL, WHOLLY, Case, Joins

UNITS = '{ zone = "battle", whose = "%s", match = { type = "unit" } }'
OURS, THEIRS = UNITS % "yours", UNITS % "theirs"
MOVE = '{ do = "move", n = 2, to = { zone = "shield", whose = "yours" }, place = "hand" }'
OTHER = f"""
[[card.effect]]
kind = "triggered"
name = "other"
on = "burst"
do = [{MOVE}]
"""
LASTING = {WHOLLY: "B battle: GM", NOT_AT_ALL: ""}
CASES = {
    "draw": Case("n = 1", {WHOLLY: ""}),
    "discard": Case(
        "n = 2",
        {WHOLLY: "A hand: Sortie, GM, GM", IN_PART: "A hand: Sortie, GM", NOT_AT_ALL: ""},
        {WHOLLY: "A: discard GM, GM", IN_PART: "A: discard GM"},
    ),
    "shuffle": Case("", {WHOLLY: ""}),
    "look": Case("n = 2", {WHOLLY: "", IN_PART: "A deck: 1"}),
    "damage": Case(f"n = 1, to = {THEIRS}", {WHOLLY: "B battle: Gundam", NOT_AT_ALL: ""}),
    "recover": Case(
        f"n = 1, to = {OURS}",
        {
            WHOLLY: "A battle: Gundam [damage 2]",
            IN_PART: "A battle: Gundam [damage 2], Gundam",
            NOT_AT_ALL: "A battle: Gundam",
        },
    ),
    "destroy": Case(f"to = {THEIRS}", {WHOLLY: "B battle: GM", NOT_AT_ALL: ""}),
    "rest": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B battle: GM",
            IN_PART: "B battle: GM, Leo [rested]",
            NOT_AT_ALL: "B battle: GM [rested]",
        },
    ),
    "ready": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B battle: GM [rested]",
            IN_PART: "B battle: GM, Leo [rested]",
            NOT_AT_ALL: "B battle: GM",
        },
    ),
    "modify": Case(f'key = "ap", n = 1, until = "turn", to = {THEIRS}', LASTING),
    "gain": Case(f'key = "blocker", value = true, until = "turn", to = {THEIRS}', LASTING),
    "lose": Case(f'key = "blocker", until = "turn", to = {THEIRS}', LASTING),
    "forbid": Case(f'key = "attack", until = "turn", to = {THEIRS}', LASTING),
    "allow": Case(f'key = "attack", until = "turn", to = {THEIRS}', LASTING),
    "control": Case(
        'to = { zone = "battle", match = { type = "unit" } }',
        {
            WHOLLY: "B battle: GM",
            IN_PART: "A battle: Leo\nB battle: GM",
            NOT_AT_ALL: "A battle: Leo",
        },
    ),
    "move": Case(
        'n = 2, to = { zone = "shield", whose = "yours" }, place = "hand"',
        {WHOLLY: "A shield: 2", IN_PART: "A shield: 1", NOT_AT_ALL: "A shield: none"},
    ),
    "deploy": Case(
        'to = { zone = "trash", whose = "yours", match = { type = "unit" } }',
        {WHOLLY: "A trash: GM", NOT_AT_ALL: ""},
    ),
    "pair": Case(
        'choose = { of = { zone = "trash", whose = "yours", match = { type = "pilot" } } }',
        {
            WHOLLY: "A battle: Sortie\nA trash: Amuro Ray",
            NOT_AT_ALL: "A battle: Sortie [with pilot Kai's Resolve]\nA trash: Amuro Ray",
        },
        dict.fromkeys((WHOLLY, NOT_AT_ALL), "A: choose Amuro Ray"),
        dict.fromkeys((WHOLLY, NOT_AT_ALL), "player"),
    ),
    "token": Case('token = "T-001", n = 2', {WHOLLY: ""}),
    "token in part": Case('token = "T-001", n = 7', {IN_PART: ""}),
    "perform": Case('effect = "other"', {WHOLLY: "", NOT_AT_ALL: "A shield: none"}, more=OTHER),
    "one-of": Case(
        f"options = [[{MOVE}], [{MOVE}]]",
        {WHOLLY: "A shield: 2", IN_PART: "A shield: 1", NOT_AT_ALL: "A shield: none"},
        dict.fromkeys((WHOLLY, IN_PART, NOT_AT_ALL), "A: mode 1"),
    ),
    "ex-resource": Case("n = 1", {WHOLLY: ""}),
    "retarget": Case(
        f"choose = {{ of = {THEIRS} }}",
        dict.fromkeys((WHOLLY, NOT_AT_ALL), "A battle: Sortie\nB battle: GM [rested]"),
        dict.fromkeys((WHOLLY, NOT_AT_ALL), "A: choose GM"),
        {WHOLLY: "player", NOT_AT_ALL: "GM"},
    ),
    "target": Case(
        f"choose = {{ of = {THEIRS} }}",
        {WHOLLY: "B battle: GM"},
        {WHOLLY: "A: choose GM"},
        edition="1.9",
    ),
    "reduce": Case(f'until = "turn", to = {THEIRS}', LASTING, edition="1.9"),
    "lend": Case(
        f'effect = "other", until = "turn", to = {THEIRS}', LASTING, edition="1.9", more=OTHER
    ),
    "divert": Case(f'key = "damage", until = "turn", to = {THEIRS}', LASTING, edition="1.9"),
    "oblige": Case(f'key = "attacked", until = "turn", to = {THEIRS}', LASTING, edition="1.9"),
    "battle": Case(
        f"choose = {{ of = {THEIRS} }}",
        {WHOLLY: "A battle: Sortie\nB battle: GM"},
        {WHOLLY: "A: choose GM"},
        {WHOLLY: "player"},
        edition="1.9",
    ),
    "battle of a Command": Case(
        f"choose = {{ of = {THEIRS} }}",
        {NOT_AT_ALL: "B battle: GM"},
        {NOT_AT_ALL: "A: choose GM"},
        edition="1.9",
    ),
    "paired-command": Case(
        'key = "main"',
        {
            WHOLLY: "A battle: Sortie [with pilot Thoroughly Damaged]\nB battle: GM [rested]",
            NOT_AT_ALL: "A battle: Sortie [with pilot Amuro Ray]",
        },
        {WHOLLY: "A: choose GM"},
        {WHOLLY: "player", NOT_AT_ALL: "player"},
        edition="1.9",
    ),
    "pay": Case(
        "n = 1",
        {WHOLLY: "", NOT_AT_ALL: "A resource: 1"},
        {WHOLLY: "A: choose Resource"},
        edition="1.9",
    ),
    "play": Case(
        'to = { zone = "trash", whose = "yours", match = { type = "unit" } }',
        {WHOLLY: "A trash: GM", NOT_AT_ALL: ""},
        {WHOLLY: "A: choose Resource#2, ..."},
        edition="1.9",
    ),
    "pair-with": Case(
        f'choose = {{ of = {OURS} }}, rider = {{ zone = "trash", match = {{ type = "pilot" }} }}',
        {WHOLLY: "A battle: GM\nA trash: Amuro Ray", NOT_AT_ALL: "A battle: GM"},
        dict.fromkeys((WHOLLY, NOT_AT_ALL), "A: choose GM"),
        edition="1.9",
    ),
    "command-text": Case(
        'to = { zone = "trash", whose = "yours", match = { type = "command" } }',
        {
            WHOLLY: "A trash: Thoroughly Damaged\nB battle: GM [rested]",
            NOT_AT_ALL: "A trash: Thoroughly Damaged",
        },
        {WHOLLY: "A: choose GM"},
        edition="1.9",
    ),
    "each-player": Case(
        f'key = "you", options = [[{MOVE}]]',
        {WHOLLY: "A shield: 2", IN_PART: "A shield: 1", NOT_AT_ALL: "A shield: none"},
        edition="1.9",
    ),
}

CARD = """\
[[card]]
id = "X-1"
name = "Sortie"
color = "blue"
lv = 1
cost = 1
"""
COMMAND = (
    CARD
    + """\
type = "command"

[[card.effect]]
kind = "command"
name = "main"
at = ["main"]
"""
)
UNIT = (
    CARD
    + """\
type = "unit"
ap = 1
hp = 1

[[card.effect]]
kind = "triggered"
name = "attack"
on = "attack"
"""
)
JOINS = Joins(
    "gundam",
    INSTRUCTIONS.keys(),
    CASES,
    COMMAND,
    "A: command Sortie",
    UNIT,
    asked=frozenset({"pair", "retarget", "one-of", "battle", "target"}),
    in_full=frozenset({"1.9"}),  # gcg@1.9:5-20-1 with reading:gcg@1.9/4
)
