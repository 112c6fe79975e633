"""Running a rulebook's generator by hand, on a table of the toy game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.engine.signals import Chance, Play
from domain.engine.table import Table
from domain.record.decisions import Act
from domain.record.position import Heading, Position
from tests.toy import TOY


def table(*decks: Sequence[str]) -> Table:
    """A table whose seats have handed in these cards as their main decks."""
    lists = {seat: ("", {"main": tuple(cards)}) for seat, cards in enumerate(decks)}
    return Table(Position(Heading(decks=dict(lists))), TOY.manifest)


def drive(flow: Play, *answers: Act | int) -> Any:
    """Run a flow to its end; what it returns.

    The answers are acts and outcomes of chance, in turn; a shuffle turns the order round.
    """
    left, found = list(answers), None
    try:
        while True:
            wants = flow.send(found)
            if isinstance(wants, Chance):
                backwards = tuple(reversed(range(wants.of)))
                found = backwards if wants.kind == "shuffle" else (left.pop(0),)
            else:
                act = left.pop(0)
                found = dict.fromkeys((0, 1), act)
    except StopIteration as end:
        assert not left, "not everything was asked"
        return end.value
