"""Reduces a failing scenario to a shorter one that fails in the same way.

Parts are removed one by one while the failure stays: choices, cards on the table, card definitions,
effects, clauses, their fields. A scenario that no longer parses fails differently, so such a part
stays.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from domain.games.kit.game import Game
from domain.text.scenario import BadScenario, load, run
from domain.text.scenario.text import listed
from replay_cli.playing.fuzz.drafts import Draft, drafts
from replay_cli.playing.fuzz.match import DealtMatch
from replay_cli.playing.fuzz.run import Finding, finding, mark_of

#: How long a failure is made smaller, in seconds.
PATIENCE = 40.0
#: What card data can't do without.
REQUIRED = frozenset({"id", "name", "type", "kind", "do"})


def scenario(play: DealtMatch, found: Finding, patience: float = PATIENCE) -> str:
    """The smallest scenario file found that shows what a match has shown; empty if none does."""
    for draft in drafts(play, found.seq):
        if fails_alike(draft, play.rules, found.mark):
            return shrink(draft, play.rules, found.mark, patience).text()
    return ""


def fails_alike(draft: Draft, rules: Game, mark: str) -> bool:
    """Whether a scenario goes wrong in this way."""
    try:
        report = run(load(draft.text()), rules)
    except BadScenario:
        return False
    except Exception as error:
        return finding(error).mark == mark
    return any(mark_of(failure.expected, failure.happened) == mark for failure in report.failures)


def shrink(draft: Draft, rules: Game, mark: str, patience: float = PATIENCE) -> Draft:
    """The draft without all that the failure does not need."""
    until = time.monotonic() + patience
    shorter = True
    while shorter:
        shorter = False
        skip = 0
        while time.monotonic() < until:
            found = next((d for at, d in enumerate(smaller(draft)) if at >= skip), None)
            if found is None:
                break
            if fails_alike(found, rules, mark):
                draft, shorter = found, True
            else:
                skip += 1
    draft.title = mark
    return draft


def smaller(draft: Draft) -> Iterator[Draft]:
    """Drafts with something less, the bigger parts first."""
    for at in range(len(draft.script)):
        less = draft.copy()
        del less.script[at]
        yield less
    for zone, items in draft.zones.items():
        yield from _fewer(draft, zone, items)
    for at in range(len(draft.lines)):
        less = draft.copy()
        del less.lines[at]
        yield less
    for at, table in enumerate(draft.tables):
        less = draft.copy()
        del less.tables[at]
        yield less
        for path in _paths(table):
            less = draft.copy()
            _drop(less.tables[at], path)
            yield less


def _fewer(draft: Draft, zone: str, items: list[str]) -> Iterator[Draft]:
    """A zone as it usually is, with half of its cards, without one of them, without a trait."""
    less = draft.copy()
    del less.zones[zone]
    yield less
    n = len(items)
    cuts = [slice(0, n // 2), slice(n // 2, n)] if n > 3 else []
    for cut in (*cuts, *(slice(at, at + 1) for at in range(n))):
        less = draft.copy()
        del less.zones[zone][cut]
        yield less
    for at, item in enumerate(items):
        called, _, traits = item.removesuffix("]").partition(" [")
        every = listed(traits)
        for dropped in every:
            left = [trait for trait in every if trait != dropped]
            less = draft.copy()
            less.zones[zone][at] = f"{called} [{', '.join(left)}]" if left else called
            yield less


def _paths(data: Any) -> Iterator[tuple[str | int, ...]]:
    """Everything in card data that might be left out, the outer before the inner."""
    keys: list[str | int] = []
    if isinstance(data, dict):
        keys = [key for key in data if key not in REQUIRED]
        inner: list[Any] = list(data.items())
    elif isinstance(data, list):
        keys = list(range(len(data)))
        inner = list(enumerate(data))
    else:
        return
    yield from ((key,) for key in keys)
    for key, value in inner:
        yield from ((key, *path) for path in _paths(value))


def _drop(data: Any, path: tuple[str | int, ...]) -> None:
    for key in path[:-1]:
        data = data[key]
    del data[path[-1]]
