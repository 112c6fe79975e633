"""Yu-Gi-Oh!'s instructions before joining words: how far each gets on which boards.

Where it can be seen in advance that something is not possible, the card is not activated: so an
answer takes away what it needs, and the card does a last thing that is always possible.
"""

from __future__ import annotations

from domain.games.yugioh.effects.instructions import INSTRUCTIONS
from tests.unit.games.joins import IN_PART, NOT_AT_ALL, WHOLLY, Case, Joins

MONSTERS = '{ zone = "monster", whose = "%s" }'
OURS, THEIRS = MONSTERS % "yours", MONSTERS % "theirs"
#: Without a `match` the place would be meant, and so what comes to it later.
ANY = '{ zone = "monster", whose = "theirs", match = { type = "monster" } }'
HELD = '{ zone = "%s", whose = "yours" }'
MOVE = f'{{ do = "move", to = {HELD % "grave"}, place = "hand" }}'
GRAVE = {WHOLLY: "A grave: Kuriboh", NOT_AT_ALL: ""}
OTHER = f"""
[[card.effect]]
kind = "part"
name = "other"
do = [{MOVE}]
"""
ANSWERED = "A: activate Sortie\nB: activate %s\nall: pass"
PLAY = "A: activate Sortie\nall: pass"
LASTING = {WHOLLY: "B monster: Gemini Elf", NOT_AT_ALL: ""}
BOTH = (WHOLLY, NOT_AT_ALL)
MIXED = """
[[card]]
id = "X-2"
name = "Mixed One"
type = "monster"
kind = ["normal", "fusion"]
stars = 6
attribute = "light"
race = "machine"
atk = 2000
materials = [{ n = 2, match = { level = 4 } }]

[[card]]
id = "X-6"
name = "Bolt"
type = "trap"
kind = ["normal"]

[[card.effect]]
kind = "command"
name = "strike"
at = ["quick"]
do = [{ do = "destroy", choose = { of = { zone = "monster" } } }]

[[card]]
id = "X-3"
name = "Rung"
type = "monster"
kind = ["normal", "xyz"]
stars = 4
attribute = "light"
race = "machine"
atk = 2000
materials = [{ n = 2, match = { level = 4 } }]
"""
#: The last zones for monsters are filled in answer.
CROWDED = "A monster: 2 Gemini Elf\nB spell: Ojama Trio [down]"
FILLED = {NOT_AT_ALL: ANSWERED % "Ojama Trio"}
#: A monster that Materials are needed of is destroyed in answer.
BREAK = {NOT_AT_ALL: ANSWERED % "Bolt -> Dark Blade"}
#: For each card in its player's Graveyard.
EACH = 'n = 100, per = { of = { zone = "grave", whose = "yours" } }'
FIRM = """
[[card]]
id = "X-5"
name = "Firm One"
type = "monster"
kind = ["effect"]
stars = 4
attribute = "earth"
race = "warrior"
atk = 1000

[[card.effect]]
kind = "constant"
name = "firm"
do = [{ do = "forbid", key = "destroyed", to = { zone = "this" } }]
"""
MADE = f'key = "fusion", choose = {{ of = {HELD % "extra"} }}, using = {OURS}'
#: Where nothing is found that must be chosen first, nothing of the whole is done.
MAY_MAKE = f'key = "fusion", choose = {{ of = {HELD % "extra"}, may = true }}, using = {OURS}'
MAKE = "A: choose Mixed One\nA: make material Gemini Elf, Dark Blade"
PAIR = "A extra: Mixed One\nA monster: Gemini Elf, Dark Blade"
BROKEN = f"{PAIR}\nB spell: Bolt [down]"
TOKEN = """
[[card]]
id = "X-4"
name = "Twig"
type = "monster"
kind = ["normal"]
stars = 1
attribute = "earth"
race = "plant"
token = true
"""
CASES = {
    "draw": Case("n = 1", {WHOLLY: ""}),
    "discard": Case(
        "n = 2",
        {
            WHOLLY: "A hand: Sortie, Kuriboh, Kuriboh, Sangan",
            IN_PART: "A hand: Sortie, Kuriboh",
            NOT_AT_ALL: "",
        },
        {WHOLLY: "A: discard Kuriboh, Kuriboh"},
    ),
    "shuffle": Case("", {WHOLLY: ""}),
    "look": Case("n = 2", {WHOLLY: "", IN_PART: "A deck: 1", NOT_AT_ALL: "A deck: none"}),
    "damage": Case('n = 100, key = "opponent"', {WHOLLY: ""}),
    "recover": Case('n = 100, key = "you"', {WHOLLY: ""}),
    "lose-life": Case('n = 100, key = "opponent"', {WHOLLY: ""}),
    "damage for each": Case(f'{EACH}, key = "opponent"', GRAVE),
    "recover for each": Case(f'{EACH}, key = "you"', GRAVE),
    "lose-life for each": Case(f'{EACH}, key = "opponent"', GRAVE),
    "modify for each": Case(
        f'{EACH}, key = "atk", until = "turn", to = {ANY}',
        {WHOLLY: "A grave: Kuriboh\nB monster: Gemini Elf"},
    ),
    "destroy": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B monster: Gemini Elf",
            IN_PART: "B monster: Gemini Elf, Firm One",
            NOT_AT_ALL: "B monster: Firm One",
        },
        more=FIRM,
    ),
    "rest": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B monster: Gemini Elf",
            IN_PART: "B monster: Gemini Elf, Dark Blade [defence]",
            NOT_AT_ALL: "B monster: Gemini Elf [defence]",
        },
    ),
    "ready": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B monster: Gemini Elf [defence]",
            IN_PART: "B monster: Gemini Elf, Dark Blade [defence]",
            NOT_AT_ALL: "B monster: Gemini Elf",
        },
    ),
    "position": Case(f"to = {THEIRS}", LASTING),
    "turn": Case(
        f'up = true, orient = "attack", to = {THEIRS}',
        {
            WHOLLY: "B monster: Gemini Elf [defence]",
            IN_PART: "B monster: Gemini Elf, Dark Blade [defence]",
            NOT_AT_ALL: "B monster: Gemini Elf",
        },
    ),
    "face-down": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B monster: Gemini Elf",
            IN_PART: "B monster: Gemini Elf, Dark Blade [down, defence]",
            NOT_AT_ALL: "B monster: Gemini Elf [down, defence]",
        },
    ),
    "face-up": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B monster: Gemini Elf [down, defence]",
            IN_PART: "B monster: Gemini Elf, Dark Blade [down, defence]",
            NOT_AT_ALL: "B monster: Gemini Elf",
        },
    ),
    "modify": Case(f'key = "atk", n = 100, until = "turn", to = {ANY}', LASTING),
    "gain": Case(f'key = "piercing", value = true, until = "turn", to = {ANY}', LASTING),
    "gain a name": Case(
        f'key = "name", using = {HELD % "grave"}, until = "turn", to = {ANY}',
        {WHOLLY: "A grave: Kuriboh\nB monster: Gemini Elf", NOT_AT_ALL: "B monster: Gemini Elf"},
    ),
    "lose": Case(f'key = "piercing", until = "turn", to = {ANY}', LASTING),
    "forbid": Case(f'key = "attack", until = "turn", to = {ANY}', LASTING),
    "allow": Case(f'key = "two-tributes", until = "turn", to = {ANY}', LASTING),
    "redirect": Case(f'key = "grave", place = "banished", until = "turn", to = {ANY}', LASTING),
    "lend": Case(f'effect = "other", until = "turn", to = {ANY}', LASTING, more=OTHER),
    "control": Case(
        'to = { zone = "monster" }',
        {
            WHOLLY: "B monster: Gemini Elf",
            IN_PART: "A monster: Dark Blade\nB monster: Gemini Elf",
            NOT_AT_ALL: "A monster: Dark Blade",
        },
    ),
    "control without a zone": Case(
        f"to = {THEIRS}",
        {
            NOT_AT_ALL: CROWDED + "\nB monster: Sangan",
            IN_PART: "A monster: 4 Gemini Elf\nB monster: Dark Blade, Mystical Elf",
        },
        play=FILLED,
    ),
    "move": Case(f'to = {HELD % "grave"}, place = "hand"', GRAVE),
    "deploy": Case(
        f'to = {HELD % "grave"}, orient = "attack"',
        {
            WHOLLY: "A grave: Kuriboh",
            IN_PART: "A grave: Kuriboh, Dark Hole",
            NOT_AT_ALL: "A grave: Dark Hole",
        },
    ),
    "deploy without a zone": Case(
        f'to = {HELD % "grave"}, orient = "attack"',
        {NOT_AT_ALL: "A grave: Kuriboh\n" + CROWDED},
        play=FILLED,
    ),
    "summon": Case(MADE, {WHOLLY: PAIR}, {WHOLLY: f"{MAKE}\nA: place Mixed One"}, more=MIXED),
    "summon of none": Case(
        MAY_MAKE, {NOT_AT_ALL: BROKEN}, {NOT_AT_ALL: "A: choose none"}, more=MIXED, play=BREAK
    ),
    "send-materials": Case(MADE, {WHOLLY: PAIR}, {WHOLLY: MAKE}, more=MIXED),
    "send-materials of none": Case(
        MAY_MAKE, {NOT_AT_ALL: BROKEN}, {NOT_AT_ALL: "A: choose none"}, more=MIXED, play=BREAK
    ),
    "token": Case('token = "X-4", n = 2', {WHOLLY: ""}, more=TOKEN),
    "token without a zone": Case(
        'token = "X-4", n = 2', {NOT_AT_ALL: CROWDED}, more=TOKEN, play=FILLED
    ),
    "tribute": Case(f"to = {OURS}", {WHOLLY: "A monster: Gemini Elf", NOT_AT_ALL: ""}),
    "detach": Case(
        f"n = 2, to = {THEIRS}",
        {
            WHOLLY: "B monster: Rung [with material Gemini Elf, with material Dark Blade]",
            IN_PART: "B monster: Rung [with material Gemini Elf]",
            NOT_AT_ALL: "B monster: Rung",
        },
        more=MIXED,
    ),
    "detach some": Case(
        f"n = 1, to = {THEIRS}",
        {WHOLLY: "B monster: Rung [with material Gemini Elf, with material Dark Blade]"},
        {WHOLLY: "A: choose Dark Blade"},
        more=MIXED,
    ),
    "equip": Case(
        f"to = {THEIRS}",
        {
            WHOLLY: "B monster: Gemini Elf",
            NOT_AT_ALL: "B monster: Gemini Elf [down, defence]",
        },
    ),
    "equip another": Case(f'key = "this", to = {HELD % "grave"}', {NOT_AT_ALL: "A grave: Kuriboh"}),
    "set-down": Case(
        f"to = {HELD % 'hand'}",
        {
            WHOLLY: "A hand: Sortie, Magic Jammer",
            IN_PART: "A hand: Sortie, Magic Jammer, Kuriboh",
            NOT_AT_ALL: "A hand: Sortie, Kuriboh",
        },
    ),
    "set-down without a zone": Case(
        f"to = {HELD % 'hand'}",
        {
            IN_PART: "A spell: 3 Magic Jammer [down]\nA hand: Sortie, Dark Hole, Mirror Force",
            NOT_AT_ALL: "A spell: 4 Magic Jammer [down]\nA hand: Sortie, Magic Jammer",
        },
        {IN_PART: "A: choose Dark Hole"},
    ),
    "place": Case(f'key = "spell", n = 2, to = {THEIRS}', LASTING),
    "take": Case(
        f'key = "spell", n = 2, to = {THEIRS}',
        {
            WHOLLY: "B monster: Gemini Elf [spell 2]",
            IN_PART: "B monster: Gemini Elf [spell 1]",
            NOT_AT_ALL: "B monster: Gemini Elf",
        },
    ),
    "reveal": Case(f"to = {HELD % 'hand'}", {WHOLLY: "A hand: Sortie, Kuriboh", NOT_AT_ALL: ""}),
    "roll": Case('key = "die", n = 6', {WHOLLY: ""}),
    "later": Case('effect = "other", until = "end"', {WHOLLY: ""}, more=OTHER),
    "bind": Case(f"to = {THEIRS}", LASTING),
    "target": Case(
        f"choose = {{ of = {THEIRS}, late = true }}",
        {WHOLLY: LASTING[WHOLLY]},
        {WHOLLY: "A: choose Gemini Elf"},
    ),
    "nothing": Case("", {WHOLLY: ""}),
    "stay": Case(
        "",
        {WHOLLY: "", NOT_AT_ALL: "B spell: Mystical Space Typhoon [down]"},
        play={NOT_AT_ALL: ANSWERED % "Mystical Space Typhoon -> Sortie"},
    ),
    "skip": Case('value = "draw", key = "opponent"', {WHOLLY: ""}),
    "perform": Case('effect = "other"', GRAVE, more=OTHER),
    "one-of": Case(f"options = [[{MOVE}], [{MOVE}]]", GRAVE, dict.fromkeys(BOTH, "A: mode 1")),
    "end-battle": Case("", {WHOLLY: "step battle", NOT_AT_ALL: ""}),
    "negate": Case(
        'key = "effect"',
        {WHOLLY: "A hand: Sortie, Dark Hole\nB monster: Gemini Elf", NOT_AT_ALL: ""},
        play={WHOLLY: f"A: activate Dark Hole\nB: pass\n{PLAY}"},
    ),
    "negate-attack": Case(
        "",
        {WHOLLY: "step battle\nA monster: Gemini Elf", NOT_AT_ALL: ""},
        play={WHOLLY: f"A: attack Gemini Elf -> player\n{PLAY}"},
    ),
    "negate-summon": Case(
        "",
        {WHOLLY: "A hand: Sortie, Kuriboh"},
        play={WHOLLY: f"A: summon Kuriboh\n{PLAY}"},
        more='on = "summoning"\n',
    ),
}
COMMAND = """\
[[card]]
id = "X-1"
name = "Sortie"
type = "spell"
kind = ["quick-play"]

[[card.effect]]
kind = "command"
name = "main"
at = ["quick"]
"""
#: Nothing follows a defeat, however it is joined.
JOINS = Joins(
    "yugioh",
    INSTRUCTIONS.keys() - {"defeat"},
    CASES,
    COMMAND,
    PLAY,
    asked=frozenset({"one-of", "summon", "send-materials", "target", "set-down"}),
    last=', { do = "recover", key = "you", n = 1 }',
)
