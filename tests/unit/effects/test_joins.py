"""Every instruction before every joining word: the clause after it is done as the word says.

Each instruction is carried out wholly, in part and not at all, as far as it can be; the clause
after it has the rival draw a card. A sentence and `then` follow in any case, `if so` what was done
at least in part, `after all` and `must` what was done wholly.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, get_args, get_type_hints

import pytest

from domain.effects.language.vocabulary import Clause
from domain.games.gundam.instructions import INSTRUCTIONS
from domain.record.events import CardsMoved
from domain.text.scenario import load, run

#: What asks before it turns out how much can be done.
ASKED = ("pair", "retarget", "one-of")
JOINS = get_args(get_type_hints(Clause)["join"])
UNITS = '{ zone = "battle", whose = "%s", match = { type = "unit" } }'
OURS, THEIRS = UNITS % "yours", UNITS % "theirs"
WHOLLY, IN_PART, NOT_AT_ALL = "wholly", "in part", "not at all"


class Case(NamedTuple):
    """A clause, without its braces; how far it gets on which boards; what is answered then.

    A Command carries it out; with `attack`, a Unit as it attacks what that names.
    """

    clause: str
    boards: dict[str, str]
    answers: Mapping[str, str] = MappingProxyType({})
    attack: Mapping[str, str] = MappingProxyType({})
    more: str = ""  # of the card


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
        f"options = [[{MOVE}]]",
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
}


COMMAND = """\
type = "command"

[[card.effect]]
kind = "command"
name = "main"
at = ["main"]
"""
UNIT = """\
type = "unit"
ap = 1
hp = 1

[[card.effect]]
kind = "triggered"
name = "attack"
on = "attack"
"""


def _scenario(case: Case, do: str, join: str, outcome: str) -> str:
    first = ", ".join(filter(None, (f'do = "{do.partition(" ")[0]}"', case.clause)))
    then = f'do = "draw", n = 1, key = "opponent", join = "{join}"'
    card = '[[card]]\nid = "X-1"\nname = "Sortie"\ncolor = "blue"\nlv = 1\ncost = 1\n'
    card += f"{UNIT if case.attack else COMMAND}do = [{{ {first} }}, {{ {then} }}]\n{case.more}"
    board = case.boards[outcome]
    if case.attack:
        play = f"A: attack Sortie -> {case.attack[outcome]}"
    else:
        play, board = (
            "A: command Sortie",
            f"{board}\nA hand: Sortie" if "A hand" not in board else board,
        )
    rows = ["scenario A joining word", "game gundam", "cards", *_within(card)]
    rows += ["position", *_within(board), play]
    if join != "must" or outcome == WHOLLY or do in ASKED:
        rows.append(case.answers.get(outcome, ""))
    return "\n".join(rows)


def _within(block: str) -> list[str]:
    return [f"    {row}" for row in block.splitlines()]


TABLE = [(do, outcome) for do, case in CASES.items() for outcome in case.boards]


def test_every_instruction_is_in_the_table() -> None:
    assert {name.partition(" ")[0] for name in CASES} == set(INSTRUCTIONS)
    assert all(WHOLLY in CASES[name].boards for name in INSTRUCTIONS)


@pytest.mark.parametrize("join", JOINS)
@pytest.mark.parametrize(("do", "outcome"), TABLE)
def test_what_follows_is_done_as_the_joining_word_says(do: str, outcome: str, join: str) -> None:
    report = run(load(_scenario(CASES[do], do, join, outcome)))
    assert report.passed, "\n".join(map(str, report.failures))
    drawn = [
        entry
        for entry in report.entries
        if isinstance(entry.event, CardsMoved) and entry.event.dst == "hand/1"
    ]
    wanted = {"if so": (WHOLLY, IN_PART), "after all": (WHOLLY,), "must": (WHOLLY,)}
    assert bool(drawn) == (outcome in wanted.get(join, (WHOLLY, IN_PART, NOT_AT_ALL)))
