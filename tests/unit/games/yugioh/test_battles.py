"""Battles of made-up monsters, against a calculator that knows nothing of the program.

Each seed is a Battle Phase of five attackers and five targets: who is destroyed and what Life
Points are lost is worked out here, by the table of the rulebook (ygo:combat.attack.1 to
ygo:combat.direct.3) and the texts that settle damage, and expected of a scenario.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from domain.text.scenario import load, run

LIFE = 40_000
#: What a monster may have, by a text of its own.
TEXTS = {
    "piercing": '{ do = "gain", key = "piercing", value = true, to = { zone = "this" } }',
    "direct": '{ do = "gain", key = "direct", value = true, to = { zone = "this" } }',
    "firm": '{ do = "forbid", key = "destroyed-by-battle", to = { zone = "this" } }',
    "ward": '{ do = "forbid", key = "battle-damage", to = { zone = "this" } }',
    "reflects": '{ do = "gain", key = "reflects", value = true, to = { zone = "this" } }',
    "blunt": (
        '{ do = "modify", key = "battle-damage", by = "multiply", value = "1/2", '
        'to = { zone = "this" } }'
    ),
    "fierce": (
        '{ do = "modify", key = "battle-damage", by = "multiply", value = 2, '
        'to = { zone = "this" } }'
    ),
}
LYING = {"[attack]": True, "[defence]": False, "[down, attack]": True, "[down, defence]": False}


class Monster(NamedTuple):
    """One of them; `lies` as scenarios have it."""

    name: str
    seat: str
    atk: int
    defence: int
    has: frozenset[str]
    lies: str = "[attack]"


class Outcome(NamedTuple):
    """Who is destroyed, who takes damage and how much."""

    gone: tuple[Monster, ...] = ()
    hurt: str = ""
    n: int = 0


def fight(attacker: Monster, target: Monster) -> Outcome:
    """One battle between monsters, before any text but of those that pierce and stay."""
    value = target.atk if LYING[target.lies] else target.defence
    over = attacker.atk - value
    if LYING[target.lies]:
        beaten = [target] if over >= 0 else []
        beaten += [attacker] if over <= 0 else []
        beaten = [] if attacker.atk == value == 0 else beaten
        hurt = target.seat if over > 0 else attacker.seat
        n = abs(over)
    else:
        beaten = [target] if over > 0 else []
        hurt = target.seat if over > 0 else attacker.seat
        n = abs(over) if over < 0 or "piercing" in attacker.has else 0
    gone = tuple(one for one in beaten if "firm" not in one.has)
    return settled(Outcome(gone, hurt, n), attacker, target, attacker if over > 0 else target)


def settled(
    outcome: Outcome, attacker: Monster, target: Monster | None, source: Monster
) -> Outcome:
    """What texts make of the damage: who takes it, whether there is any, how much it comes to."""
    fighters = {one.seat: one for one in (attacker, target) if one is not None}
    hurt, n = outcome.hurt, outcome.n
    if hurt in fighters and "reflects" in fighters[hurt].has:
        hurt = "B" if hurt == "A" else "A"
    if hurt in fighters and "ward" in fighters[hurt].has:
        n = 0
    n = -(-n // 2) if "blunt" in source.has else n
    n = n * 2 if "fierce" in source.has else n
    return outcome._replace(hurt=hurt, n=n)


def monsters(dice: Random, seat: str) -> list[Monster]:
    """Five monsters of a player; ATK and DEF are often alike, and sometimes 0."""
    figures = (0, 0, 400, 700, 700, 1000, 1001, 1500)
    return [
        Monster(
            f"{seat}-Fighter {n}", seat, dice.choice(figures), dice.choice(figures),
            frozenset(dice.sample([*TEXTS], dice.choice((0, 1, 1, 2)))),
            "[attack]" if seat == "A" else dice.choice([*LYING]),
        )
        for n in range(1, 6)
    ]  # fmt: skip


def cards(side: list[Monster]) -> Iterator[str]:
    """The monsters as cards of the match."""
    for one in side:
        yield f"""    [[card]]
    id = "N-{one.seat}{one.name[-1]}"
    name = "{one.name}"
    type = "monster"
    kind = ["effect"]
    stars = 4
    attribute = "earth"
    race = "warrior"
    atk = {one.atk}
    def = {one.defence}
"""
        if one.has:
            yield f"""    [[card.effect]]
    kind = "constant"
    name = "rule"
    do = [{", ".join(TEXTS[text] for text in sorted(one.has))}]
"""


def script(dice: Random, a: list[Monster], b: list[Monster]) -> Iterator[str]:
    """The attacks one by one, and what each comes to."""
    life = {"A": LIFE, "B": LIFE}
    for attacker in tuple(a):
        direct = not b or ("direct" in attacker.has and dice.random() < 0.5)
        target = None if direct else dice.choice(b)
        yield f"A: attack {attacker.name} -> {target.name if target else 'player'}"
        yield "all: pass"
        if target is None:
            outcome = settled(Outcome((), "B", attacker.atk), attacker, None, attacker)
        else:
            outcome = fight(attacker, target)
        life[outcome.hurt] -= outcome.n
        for one in outcome.gone:
            (a if one.seat == "A" else b).remove(one)
        if target is not None and target in b:  # it lies face up now
            up = "[attack]" if LYING[target.lies] else "[defence]"
            b[b.index(target)] = target._replace(lies=up)
        yield "    step battle"
        yield from (f"    counters {seat}: life {left}" for seat, left in life.items())
        for seat, side in (("A", a), ("B", b)):
            lying = ", ".join(f"{one.name} {one.lies}" for one in side)
            yield f"    {seat} monster: {lying or 'none'}"


def playout(seed: int) -> str:
    """A Battle Phase as a scenario."""
    dice = Random(seed)
    a, b = monsters(dice, "A"), monsters(dice, "B")
    lying = {
        seat: ", ".join(f"{one.name} {one.lies}" for one in side)
        for seat, side in (("A", a), ("B", b))
    }
    return "\n".join(
        (
            f"scenario Battles of seed {seed}", "game yugioh", "", "cards",
            *cards([*a, *b]), "position", "    step battle",
            f"    A monster: {lying['A']}", f"    B monster: {lying['B']}",
            f"    counters A: life {LIFE}", f"    counters B: life {LIFE}", "",
            *script(dice, a, b),
        )
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_battles_come_to_what_the_table_says(seed: int) -> None:
    report = run(load(playout(seed)))
    assert report.passed, "\n".join(map(str, report.failures))


def test_every_case_is_tried() -> None:
    lines = "\n".join(map(playout, range(10)))
    assert "-> player" in lines
    assert all(text in lines for text in TEXTS.values())
    assert all(lies in lines for lies in LYING)
