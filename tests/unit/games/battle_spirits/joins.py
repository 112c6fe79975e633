"""Battle Spirits' instructions before joining words: how far each gets on which boards."""

from __future__ import annotations

from domain.games.battle_spirits.effects.instructions import INSTRUCTIONS
from tests.unit.games.joins import IN_PART, NOT_AT_ALL, WHOLLY, Case, Joins

SPIRITS = '{ whose = "%s", match = { type = "spirit" } }'
OURS, THEIRS = SPIRITS % "yours", SPIRITS % "theirs"
HELD = '{ zone = "%s", whose = "yours", match = { type = "spirit" } }'
BOTH = (WHOLLY, NOT_AT_ALL)
LASTING = {WHOLLY: "B field: Mushakko [core 1]", NOT_AT_ALL: ""}
TRASH = {WHOLLY: "A trash: Mushakko", NOT_AT_ALL: ""}
MOVE = f'{{ do = "move", to = {HELD % "trash"}, place = "hand" }}'
OTHER = f"""
[[card.effect]]
kind = "part"
name = "other"
do = [{MOVE}]
"""
#: There is no core to place.
POOR = "counters A reserve: core 0\ncounters A reserve: soul 0"
CASES = {
    "draw": Case("n = 1", {WHOLLY: "", NOT_AT_ALL: "A deck: none"}),
    "discard": Case(
        "n = 2",
        {
            WHOLLY: "A hand: Sortie, Mushakko, Mushakko, Gen-Bor",
            IN_PART: "A hand: Sortie, Mushakko",
            NOT_AT_ALL: "",
        },
        {WHOLLY: "A: discard Mushakko, Mushakko", IN_PART: "A: discard Mushakko"},
    ),
    "look": Case("n = 2", {WHOLLY: "", IN_PART: "A deck: 1", NOT_AT_ALL: "A deck: none"}),
    "look at revealed": Case(
        "n = 2, reveal = true", {WHOLLY: "", IN_PART: "A deck: 1", NOT_AT_ALL: "A deck: none"}
    ),
    "destroy": Case(
        f"to = {THEIRS}",
        {WHOLLY: LASTING[WHOLLY], NOT_AT_ALL: ""},
    ),
    "rest": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B field: Mushakko [core 1]",
            IN_PART: "B field: Mushakko [core 1], Gen-Bor [core 1, exhausted]",
            NOT_AT_ALL: "B field: Gen-Bor [core 1, exhausted]",
        },
    ),
    "ready": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B field: Gen-Bor [core 1, heavily-exhausted]",
            IN_PART: "B field: Mushakko [core 1], Gen-Bor [core 1, exhausted]",
            NOT_AT_ALL: "B field: Mushakko [core 1]",
        },
    ),
    "turn": Case(
        f'orient = "heavily-exhausted", to = {THEIRS}',
        {
            WHOLLY: "B field: Mushakko [core 1]",
            IN_PART: "B field: Mushakko [core 1], Gen-Bor [core 1, heavily-exhausted]",
            NOT_AT_ALL: "B field: Gen-Bor [core 1, heavily-exhausted]",
        },
    ),
    "modify": Case(f'key = "bp", n = 1000, until = "turn", to = {THEIRS}', LASTING),
    "gain": Case(f'key = "must-attack", value = true, until = "turn", to = {THEIRS}', LASTING),
    "lose": Case(f'key = "must-attack", until = "turn", to = {THEIRS}', LASTING),
    "forbid": Case(f'key = "attack", until = "turn", to = {THEIRS}', LASTING),
    "allow": Case(f'key = "block-exhausted", until = "turn", to = {THEIRS}', LASTING),
    "charge": Case(
        f'key = "attack", value = "core", n = 1, until = "turn", to = {THEIRS}', LASTING
    ),
    "move": Case(f'to = {HELD % "trash"}, place = "hand"', TRASH),
    "move from the Field": Case(f'to = {THEIRS}, place = "deck"', LASTING),
    "send": Case(
        f'key = "core", n = 2, to = {THEIRS}',
        {
            WHOLLY: "B field: Goon-Gata [core 3]",
            IN_PART: "B field: Goon-Gata [core 1]",
            NOT_AT_ALL: "",
        },
    ),
    "put": Case(
        'source = "trash", n = 2, place = "reserve"',
        {
            WHOLLY: "counters A trash: core 2",
            IN_PART: "counters A trash: core 1",
            NOT_AT_ALL: "",
        },
    ),
    "deploy": Case(
        'to = { zone = "trash", whose = "yours" }',
        {
            WHOLLY: "A trash: Mushakko",
            IN_PART: "A trash: Mushakko, Break Claw",
            NOT_AT_ALL: f"A trash: Mushakko\n{POOR}",
        },
        {WHOLLY: "A: bring Mushakko", IN_PART: "A: bring Mushakko"},
    ),
    "summon": Case(
        f"to = {HELD % 'trash'}",
        {WHOLLY: "A trash: Mushakko\ncounters A reserve: core 4", NOT_AT_ALL: ""},
        {WHOLLY: "A: bring Mushakko"},
    ),
    "reveal": Case(f"to = {HELD % 'hand'}", {WHOLLY: "A hand: Sortie, Mushakko", NOT_AT_ALL: ""}),
    "target": Case(
        f"choose = {{ of = {THEIRS} }}",
        {WHOLLY: LASTING[WHOLLY]},
        {WHOLLY: "A: choose Mushakko"},
    ),
    "nothing": Case("", {WHOLLY: ""}),
    "count": Case("n = 2", {WHOLLY: ""}),
    "perform": Case('effect = "other"', TRASH, more=OTHER),
    "one-of": Case(f"options = [[{MOVE}], [{MOVE}]]", TRASH, dict.fromkeys(BOTH, "A: mode 1")),
}
COMMAND = """\
[[card]]
id = "X-1"
name = "Sortie"
type = "magic"
colors = ["red"]

[[card.effect]]
kind = "command"
name = "main"
at = ["main"]
"""
#: Nothing follows a defeat, however it is joined.
JOINS = Joins(
    "battle_spirits",
    INSTRUCTIONS.keys() - {"defeat"},
    CASES,
    COMMAND,
    "A: use Sortie",
    asked=frozenset({"one-of", "target"}),
)
