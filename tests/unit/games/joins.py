"""Tables of instructions and joining words: how a game writes a case (`test_joins`).

A case carries an instruction out wholly, in part and not at all, as far as it can be; the clause
after it has the rival draw a card.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import NamedTuple

WHOLLY, IN_PART, NOT_AT_ALL = "wholly", "in part", "not at all"
#: How much must have been done for the clause after it to follow.
FOLLOWS = {"if so": (WHOLLY, IN_PART), "after all": (WHOLLY,), "must": (WHOLLY,)}
FOLLOWS_IN_FULL = FOLLOWS | {"if so": (WHOLLY,)}
NOTHING: Mapping[str, str] = MappingProxyType({})


class Case(NamedTuple):
    """A clause, without its braces; how far it gets on which boards; what is answered then.

    A Command carries it out, as `Joins.play` says; with `attack`, a unit as it attacks what that
    names. `more` is further data of the card, `play` what is played where that is not as usual. It
    is for one `edition` of the book alone, if it names one.
    """

    clause: str
    boards: Mapping[str, str]
    answers: Mapping[str, str] = NOTHING
    attack: Mapping[str, str] = NOTHING
    more: str = ""
    play: Mapping[str, str] = NOTHING
    edition: str = ""


class Joins(NamedTuple):
    """A game's table. `asked`: instructions that ask before it turns out how much can be done.

    `last` is a further clause, where what would do nothing is not played. In the editions of
    `in_full`, what `if so` joins follows only what was done wholly.
    """

    game: str
    instructions: Set[str]
    cases: Mapping[str, Case]
    command: str  # the data of the card, up to its clauses
    play: str
    unit: str = ""
    asked: Set[str] = frozenset()
    last: str = ""
    in_full: Set[str] = frozenset()

    def follows(self, name: str, join: str, outcome: str) -> bool:
        """Whether the clause after a case is done."""
        exact = self.cases[name].edition in self.in_full
        needed = FOLLOWS_IN_FULL if exact else FOLLOWS
        return outcome in needed.get(join, (WHOLLY, IN_PART, NOT_AT_ALL))

    def scenario(self, name: str, join: str, outcome: str) -> str:
        """A scenario of one case, to be run."""
        case, do = self.cases[name], name.partition(" ")[0]
        first = ", ".join(filter(None, (f'do = "{do}"', case.clause)))
        then = f'do = "draw", n = 1, key = "opponent", join = "{join}"'
        head = self.unit if case.attack else self.command
        card = f"{head}do = [{{ {first} }}, {{ {then} }}{self.last}]\n{case.more}"
        board, play = case.boards[outcome], case.play.get(outcome, self.play)
        if case.attack:
            play = f"A: attack Sortie -> {case.attack[outcome]}"
        elif "A hand" not in board:
            board += "\nA hand: Sortie"
        rows = ["scenario A joining word", f"game {self.game}", "cards", *_within(card)]
        rows += [f"edition {case.edition}"] if case.edition else []
        rows += ["position", *_within(board), play]
        if join != "must" or outcome == WHOLLY or do in self.asked:
            rows.append(case.answers.get(outcome, ""))
        return "\n".join(rows)


def _within(block: str) -> list[str]:
    return [f"    {row}" for row in block.splitlines()]
