"""Hollow Flux's instructions before joining words: how far each gets on which boards.

`Pale Revenant` is undying: it is not destroyed.
"""

from __future__ import annotations

from domain.games.hollow_flux.effects.instructions import INSTRUCTIONS
from tests.unit.games.joins import IN_PART, NOT_AT_ALL, WHOLLY, Case, Joins

CHARACTERS = '{ whose = "%s", match = { type = "character" } }'
OURS, THEIRS = CHARACTERS % "yours", CHARACTERS % "theirs"
MOVE = '{ do = "move", n = 2, to = { zone = "energy", whose = "yours" }, place = "hand" }'
ENERGY = {WHOLLY: "A energy: 2", IN_PART: "A energy: 1", NOT_AT_ALL: "A energy: none"}
OTHER = f"""
[[card.effect]]
kind = "triggered"
name = "other"
on = "attack"
do = [{MOVE}]
"""
LASTING = {WHOLLY: "B battlefield: Gate Watcher", NOT_AT_ALL: ""}
CASES = {
    "draw": Case("n = 1", {WHOLLY: ""}),
    "discard": Case(
        "n = 2",
        {
            WHOLLY: "A hand: Sortie, Gate Watcher, Gate Watcher",
            IN_PART: "A hand: Sortie, Gate Watcher",
            NOT_AT_ALL: "",
        },
        {WHOLLY: "A: discard Gate Watcher, Gate Watcher", IN_PART: "A: discard Gate Watcher"},
    ),
    "shuffle": Case("", {WHOLLY: ""}),
    "look": Case("n = 2", {WHOLLY: "", NOT_AT_ALL: "A main: 1"}),
    "damage": Case(f"n = 1000, to = {THEIRS}", LASTING),
    "recover": Case(
        f"n = 1000, to = {OURS}",
        {
            WHOLLY: "A battlefield: Gate Watcher [damage 1000]",
            IN_PART: "A battlefield: Gate Watcher [damage 1000], Gate Watcher",
            NOT_AT_ALL: "A battlefield: Gate Watcher",
        },
    ),
    "destroy": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B battlefield: Gate Watcher",
            IN_PART: "B battlefield: Gate Watcher, Pale Revenant",
            NOT_AT_ALL: "B battlefield: Pale Revenant",
        },
    ),
    "rest": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B battlefield: Gate Watcher",
            IN_PART: "B battlefield: Gate Watcher, Lantern Squire [asleep]",
            NOT_AT_ALL: "B battlefield: Gate Watcher [asleep]",
        },
    ),
    "ready": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B battlefield: Gate Watcher [asleep]",
            IN_PART: "B battlefield: Gate Watcher, Lantern Squire [asleep]",
            NOT_AT_ALL: "B battlefield: Gate Watcher",
        },
    ),
    "modify": Case(f'key = "power", n = 1000, until = "turn", to = {THEIRS}', LASTING),
    "gain": Case(f'key = "undying", value = true, until = "turn", to = {THEIRS}', LASTING),
    "lose": Case(f'key = "undying", until = "turn", to = {THEIRS}', LASTING),
    "forbid": Case(f'key = "attack", until = "turn", to = {THEIRS}', LASTING),
    "allow": Case(f'key = "attack", until = "turn", to = {THEIRS}', LASTING),
    "control": Case(
        'to = { match = { type = "character" } }',
        {
            WHOLLY: "B battlefield: Gate Watcher",
            IN_PART: "A battlefield: Lantern Squire\nB battlefield: Gate Watcher",
            NOT_AT_ALL: "A battlefield: Lantern Squire",
        },
    ),
    "move": Case('n = 2, to = { zone = "energy", whose = "yours" }, place = "hand"', ENERGY),
    "deploy": Case(
        'to = { zone = "trash", whose = "yours", match = { type = "character" } }',
        {WHOLLY: "A trash: Gate Watcher", NOT_AT_ALL: ""},
    ),
    "perform": Case(
        'effect = "other"', {WHOLLY: ENERGY[WHOLLY], NOT_AT_ALL: ENERGY[NOT_AT_ALL]}, more=OTHER
    ),
    "one-of": Case(
        f"options = [[{MOVE}], [{MOVE}]]",
        ENERGY,
        dict.fromkeys((WHOLLY, IN_PART, NOT_AT_ALL), "A: mode 1"),
    ),
    "face-down": Case(
        'value = { type = "character", power = 1000 }', {WHOLLY: "", NOT_AT_ALL: "A main: none"}
    ),
}
COMMAND = """\
[[card]]
id = "X-1"
name = "Sortie"
type = "command"

[[card.effect]]
kind = "command"
name = "command"
"""
JOINS = Joins(
    "hollow_flux",
    INSTRUCTIONS.keys(),
    CASES,
    COMMAND,
    "A: play Sortie\nall: pass",
    asked=frozenset({"one-of"}),
)
