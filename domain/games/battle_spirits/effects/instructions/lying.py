"""How cards on the Field lie: exhausting, refreshing, exhausting heavily (bs:5-14 to 5-16).

Cards that are refreshed come up one step. A card that lies so already is not turned, and nothing
has happened to it (bs:1-4-2-1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from domain.effects.constant.calculator import barring, texts
from domain.effects.instructions.doing import already
from domain.effects.language.instruction import Run
from domain.effects.language.vocabulary import Clause
from domain.effects.select import Done, Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.manifest import EXHAUSTED, HEAVY, REFRESHED

#: By which rule a card was refreshed by a step: from exhausted, from heavily exhausted.
REFRESHES = ("bs:5-14-1", "bs:5-14-2")


def exhaust(t: Table, cards: Iterable[int], *cites: str) -> list[int]:
    """Cards that are refreshed become exhausted (reading:bs/20); which they were."""
    ready = _lying(t, cards, REFRESHED)
    return [*t.turn(ready, *cites, "bs:5-15-1", orient=EXHAUSTED)]


def exhaust_heavily(t: Table, cards: Iterable[int], *cites: str) -> list[int]:
    """Cards become heavily exhausted, however they lie; which they were."""
    return [*t.turn(_lying(t, cards, REFRESHED, EXHAUSTED), *cites, "bs:5-16-1", orient=HEAVY)]


def refresh(t: Table, cards: Iterable[int], *cites: str) -> list[int]:
    """Cards are refreshed by one step, at one moment, but for those that can't; which they were."""
    free = [number for number in cards if not _kept(t, number, *cites)]
    one_step, two_steps = _lying(t, free, EXHAUSTED), _lying(t, free, HEAVY)
    with t.at_once():
        first = t.turn(one_step, *cites, REFRESHES[0], orient=REFRESHED)
        return [*first, *t.turn(two_steps, *cites, REFRESHES[1], orient=EXHAUSTED)]


def _lying(t: Table, cards: Iterable[int], *orients: str) -> list[int]:
    return [number for number in cards if t.pos.cards[number].orient in orients]


def _kept(t: Table, number: int, *cites: str) -> bool:
    """Whether a text keeps a card from being refreshed."""
    found = texts(barring(TERMS, t.pos, number, "refresh")) if t.pos.modifiers else []
    if found:
        t.not_done("refresh", number, "forbidden", "bs:9-1-2-1", "bs:1-4-3", *cites, *found)
    return bool(found)


# -- by texts --------------------------------------------------------------------------------------


def _turning(do: Callable[..., Sequence[int]]) -> Run:
    def instruction(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        done = do(t, numbers, "bs:9-3-1-4", run.text)
        return already(t, terms, run, c, numbers, len(done))
        yield  # an instruction is a generator, even one that asks nothing

    return instruction


rest, ready = _turning(exhaust), _turning(refresh)
_HEAVILY = _turning(exhaust_heavily)


def turn(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Turn cards as the text says, under any name."""
    does = {REFRESHED: ready, EXHAUSTED: rest, HEAVY: _HEAVILY}.get(c.orient)
    if does is None:
        return Done(len(numbers), 0)
    return (yield from does(c, t, terms, run, numbers))
