"""The resolution of a battle (bs:8-1-5, 8-1-6): BP are compared, or Life is lost.

Whether a Spirit was blocked is a fact of the attack, even if the blocker has left (reading:bs/5).
What is there to be compared, and the symbols that the attacker has, count now (reading:bs/4).
"""

from __future__ import annotations

from domain.effects.constant import players
from domain.effects.constant.calculator import barring, numbers, numeric, texts
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores, life
from domain.games.battle_spirits.effects.battle import BEAT, BROKEN, fights
from domain.games.battle_spirits.effects.departing import BATTLE, Going, depart
from domain.games.battle_spirits.effects.texts import TERMS, follow_up
from domain.games.battle_spirits.lists.words import HARM
from domain.games.kit.flow.attack import attack_of, frame_of
from domain.record.events import DamageDealt
from domain.record.position import Position
from domain.record.schema.bounds import RANGE


def resolve(t: Table) -> Play:
    """The result of the attack (bs:8-1-5-1)."""
    attack = attack_of(t.pos)
    if attack.defender:
        yield from compare(t, attack.attacker, attack.defender)
    else:
        yield from hit(t, attack.attacker)


def _break_off(t: Table, *cites: str) -> None:
    t.mark(f"frame/{frame_of(t.pos)}", BROKEN, True, *cites)


# -- blocked ---------------------------------------------------------------------------------------


def compare(t: Table, attacker: int, blocker: int) -> Play:
    """The Spirit of lower BP is destroyed, or both; nothing if one of them is gone."""
    p = t.pos
    for number in (attacker, blocker):
        if not fights(p, number):
            cites = ("bs:8-1-5-2-1", *(("reading:bs/5",) if number == blocker else ()))
            t.not_done("compare", number, "gone", *cites)
            _break_off(t, *cites)
            return
    one, other = (p.cards[number].stat("bp") for number in (attacker, blocker))
    frame = t.open_frame(
        "comparison", "bs:8-1-5-2-1", "bs:3-2-5-1", "bs:2-9-2",
        attacker=attacker, bp=one, defender=blocker, against=other,
    )  # fmt: skip
    foes = {attacker: blocker, blocker: attacker}
    losing = [*([attacker] if one <= other else []), *([blocker] if other <= one else [])]
    going = [Going(n, "trash", BATTLE, foes[n], ("bs:8-1-6-1",)) for n in losing]
    left = yield from depart(t, going)
    if len(left) == 1 and fights(t.pos, foes[left[0]]):
        t.mark(foes[left[0]], BEAT, left[0], "bs:8-1-6-2", "bs:8-1-6-1")
    yield from follow_up(t)
    t.close_frame(frame, "bs:8-1-6-2")


# -- not blocked -----------------------------------------------------------------------------------


def hit(t: Table, attacker: int) -> Play:
    """The attacked player loses as much Life as the attacker has symbols."""
    p = t.pos
    seat = p.rival(p.turn_seat)
    if not fights(p, attacker):
        t.not_done("life", cores.life(seat), "gone", "reading:bs/4", "bs:8-1-5-1")
        _break_off(t, "reading:bs/4")
        return
    n = p.cards[attacker].stat("symbols")
    if n <= 0:
        t.not_done("life", cores.life(seat), "impossible", "bs:1-4-2-3", "bs:8-1-5-1", asked=n)
    elif by := _sparing(p, attacker, seat):
        t.not_done("life", cores.life(seat), "forbidden", *by, "bs:1-4-1", asked=n)
    else:
        more, because = _harm(p, attacker)
        n, rules = min(n + more, RANGE), ("bs:8-1-5-1", *because)
        some = yield from life.which(t, seat, n, attacker, *rules)
        with t.at_once():
            t.emit(DamageDealt(attacker, f"seat/{seat}", n, "battle"), *rules)
            life.lose(t, seat, some, *rules)
    yield from follow_up(t)


def _sparing(p: Position, attacker: int, seat: int) -> list[str]:
    """The texts by which the attack takes no Life."""
    found = barring(TERMS, p, attacker, "reduce-life")
    return texts([*found, *players.barring(TERMS, p, seat, "reduce-life", attacker)])


def _harm(p: Position, attacker: int) -> tuple[int, list[str]]:
    """How much more Life it takes, and by which texts."""
    found = numeric(TERMS, p, attacker, {HARM})
    return max(numbers({HARM: 0}, [one.change for one in found])[HARM], 0), texts(found)
