"""Targets of an act that waits: those of all its clauses in a row, and back with their clauses.

A record has the targets of an act as one row of cards (`ActDeclared.targets`). Which clauses have
targets that are named in advance is for `effects.interpreter.aimed`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.effects.interpreter import Aims, aimed
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Terms
from domain.engine.table import Table
from domain.record.position import Pending
from domain.record.values import Ref

#: Stands between the targets of one clause and those of the next: no card has this number.
BETWEEN = 0


def in_a_row(picks: Sequence[Sequence[Ref]]) -> tuple[Ref, ...]:
    """The targets named for several clauses, as the record has them."""
    found: list[Ref] = []
    for at, pick in enumerate(picks):
        found += [*([BETWEEN] if at else []), *pick]
    return tuple(found)


def by_clause(t: Table, terms: Terms, act: Pending, effect: Effect) -> Aims:
    """The targets of an act, back with the clauses they were named for."""
    groups: list[list[int]] = [[]]
    for ref in act.targets:
        if ref == BETWEEN:
            groups.append([])
        elif isinstance(ref, int):
            groups[-1].append(ref)
    clauses = aimed(t, terms, effect.do)
    groups += [[] for _ in clauses]  # an act against the rules may have named none
    return dict(zip(clauses, groups, strict=False))
