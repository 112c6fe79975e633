"""Declarations of the turn player: attacks, the answer to a replay, the end of a phase."""

from __future__ import annotations

from collections.abc import Callable

from domain.engine.rulebook import go
from domain.engine.table import Table
from domain.games.kit.flow import attack as attacks
from domain.games.yugioh.choices.attacks import attacks_made, faced
from domain.games.yugioh.effects.field.attack_changes import forget
from domain.games.yugioh.effects.texts import TRIGGERS
from domain.record.decisions import Act
from domain.record.events import AttackChanged, AttackDeclared


def attack(t: Table, seat: int, act: Act) -> None:
    """A monster attacks another one, or the player (ygo:battle.battle-step.1)."""
    attacker, (target,) = act.card, act.picks[0]
    assert isinstance(attacker, int)
    direct = isinstance(target, str)
    rule = "ygo:battle.battle-step.4" if direct else "ygo:battle.battle-step.1"
    field = faced(t.pos)
    attacks.begin(t, attacker, target, rule)
    with t.at_once():
        already = attacks_made(t.pos, attacker)
        by_text = ("ygo:golden.card.1",) if already or (direct and field) else ()
        t.mark(attacker, "attacked", t.pos.turn, "ygo:battle.battle-step.6")
        if already:
            t.mark(attacker, "attacks", already + 1, "ygo:battle.battle-step.6")
        t.emit(AttackDeclared(attacker, target), rule, *by_text)
    go(t, "battle/response", "ygo:battle.battle-step.5")


def retarget(t: Table, seat: int, act: Act) -> None:
    """After a replay the attack goes on, on another target or the same: no new declaration.

    The attack targets the new target in any case.
    """
    (target,) = act.picks[0]
    cites = ("ygo:battle.replay.2", "ygo:battle.replay.5")
    made = attacks_made(t.pos, attacks.attack_of(t.pos).attacker)
    with t.at_once():
        t.emit(AttackChanged(target, 0, "replay"), *cites)
        frame = f"frame/{attacks.frame_of(t.pos)}"
        t.mark(frame, "attacks", made, "ygo:battle.replay.6")
        forget(t, "ygo:battle.replay.1")
        if isinstance(target, int):
            TRIGGERS.occur(t, "attacked", target, t.pos.seq)


def abandon(t: Table, seat: int, act: Act) -> None:
    """The attack is given up, and with it the right to attack (ygo:battle.replay.8)."""
    attacker = attacks.attack_of(t.pos).attacker
    t.mark(attacker, "spent", t.pos.turn, "ygo:battle.replay.8")
    end(t, "broken off", "ygo:battle.replay.2", "ygo:battle.replay.8")


def end(t: Table, outcome: str, *cites: str) -> None:
    """The attack is over and the Battle Step goes on.

    One that was not fought to the end was ended by what a chain did: nothing lasts for it any more,
    and players may activate fast effects, as after any chain.
    """
    # What ends an attack before there was a Damage Step has the Battle Step go on by itself.
    back = ("ygo:battle.damage-step.1",) if t.pos.step.startswith("damage") else cites
    attacks.end(t, outcome, *cites)
    if outcome == "fought":
        go(t, "battle", *back)
    else:
        t.expire("battle", *back)
        go(t, "battle/fast", *back)


def to(step: str, *cites: str) -> Callable[[Table, int, Act], None]:
    """Announcing the next step: its player has passed (ygo:priority.turn.3)."""

    def do(t: Table, seat: int, act: Act) -> None:
        go(t, step, *cites, "ygo:priority.turn.3")

    return do


def to_end(t: Table, seat: int, act: Act) -> None:
    """The turn player announces the end of the turn (ygo:end.phase.1)."""
    rule = ("ygo:turn.phase.2",) if t.pos.step == "main1" else ()
    go(t, f"{t.pos.step}/to-end", "ygo:end.phase.1", *rule, "ygo:priority.turn.3")
