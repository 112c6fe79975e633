"""Defects that were mended, planted again one by one: the fuzz finds each within a few matches.

What they break, and where they were found, scenarios tell; here it is asked whether made-up cards
and the checks on a match would have found them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain.effects.instructions import lasting
from domain.games.kit.choices.legality import declaration, refuse
from domain.games.kit.flow import setup
from domain.games.yugioh.choices.acts import ACTS
from domain.games.yugioh.effects.instructions import INSTRUCTIONS
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.lists.cards import UNREAD, declaration_faults
from replay_cli.playing.fuzz.run import fuzz

Plant = Callable[[pytest.MonkeyPatch], None]


def _permitting(*does: str) -> Plant:
    """An instruction is done to cards wherever they lie."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        permits: Any = type(TERMS).permits

        def anywhere(self: Any, p: Any, run: Any, clause: Any, number: int) -> bool:
            return clause.do in does or permits(self, p, run, clause, number)

        patch.setattr(type(TERMS), "permits", anywhere)

    return plant


def _on_hidden_cards(patch: pytest.MonkeyPatch) -> None:
    def on_all(t: Any, terms: Any, run: Any, c: Any, numbers: list[int]) -> Any:
        return len(numbers), [*numbers]

    patch.setattr(lasting, "lasting_on", on_all)


def _outside_battles(patch: pytest.MonkeyPatch) -> None:
    for word in ("modify", "lose", "forbid", "allow", "redirect", "lend"):
        patch.setitem(INSTRUCTIONS, word, lasting.lasting("standby", "end"))  # type: ignore[arg-type]


class _Whole(dict[str, Any]):
    """A list that is asked for every part."""

    def get(self, part: str, default: Any = None) -> Any:
        return self[part]


def _every_part(patch: pytest.MonkeyPatch) -> None:
    listed = setup.listed
    patch.setattr(setup, "listed", lambda p, seat: _Whole(listed(p, seat)))


def _in_the_middle(patch: pytest.MonkeyPatch) -> None:
    """Texts are declared at any decision, whatever waits."""

    def busy(t: Any, seat: int, act: Any) -> Any:
        return None if t.pos.turn else refuse("busy", "ygo:chain.resolve.4")

    check = declaration(TERMS.effect, declaration_faults, busy, UNREAD)
    patch.setitem(ACTS._checks, "declare", (check,))


#: What is planted, the first seed that is tried, and what the fuzz says of it: any of these.
PLANTED: dict[str, tuple[Plant, int, tuple[str, ...]]] = {
    "lists have every part": (_every_part, 0, ("KeyError",)),
    "counters lie anywhere": (_permitting("place"), 22, ("holds n",)),
    "lasting effects act on hidden cards": (_on_hidden_cards, 6, ("acts on a hidden card",)),
    "what lasts for a battle needs none": (_outside_battles, 70, ("has outlived its battle",)),
    "texts are declared in the middle": (
        _in_the_middle, 4, ("after nothing was declared", "a turn began within a frame"),
    ),
}  # fmt: skip
#: So many matches are played at the most until it is found.
MOST = 40


@pytest.mark.long
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, seed, marks = PLANTED[name]
    plant(monkeypatch)
    found = (fuzz("yugioh", one).finding for one in range(seed, seed + MOST))
    assert any(one is not None and mark in one.mark for one in found for mark in marks)
