"""Two Units fight: damage between them (7-6-3), and battles that a text begins (1.9: 5-22).

The steps of an attack, and damage to a player, are in `flow.attack`. A battle of a text is a frame:
nobody is rested, no attack is declared, nobody blocks or gets the right to act.
"""

from __future__ import annotations

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.damage import deal
from domain.games.gundam.effects.processes import settle


def fight(t: Table, attacker: int, target: int, *first: str) -> Play:
    """7-6-3: both deal their AP at once, or the attacker first if it has First Strike.

    Whether First Strike has destroyed the target; `first` are further rules for it.
    """
    if strikes_first(t, attacker):
        struck = ("gcg:7-6-3-2-2", "gcg:11-1-5-2", *first)
        yield from _deal_together(t, [(attacker, target)], *struck)
        if not t.pos.present(target):
            return True
        if t.pos.present(attacker):
            yield from _deal_together(t, [(target, attacker)], "gcg:7-6-3-2")
    else:
        yield from _deal_together(t, [(attacker, target), (target, attacker)], "gcg:7-6-3-2")
    return False


def _deal_together(t: Table, pairs: list[tuple[int, int]], *cites: str) -> Play:
    """Units deal each other their AP, at one moment; then cards are destroyed together."""
    p = t.pos
    amounts = [p.cards[source].stat("ap") for source, _ in pairs]
    with t.at_once():
        for (source, to), ap in zip(pairs, amounts, strict=True):
            deal(t, source, to, ap, "battle", *cites, "gcg:7-6-1-2", "gcg:4-5-2")
    yield from settle(t)


def strikes_first(t: Table, attacker: int) -> bool:
    """First Strike, which only an attacking Unit has any use for (11-1-5-1)."""
    return bool(t.pos.cards[attacker].stats.get("first-strike"))


def battle_by_text(t: Table, attacker: int, target: int, *cites: str) -> Play:
    """The Damage Step alone, then what lasts during this battle ends (reading:gcg@1.9/16).

    What it sets off waits for the text to be done, and an attack in progress goes on afterwards
    with what lasts during that.
    """
    first = t.pos.next_modifier
    frame = t.open_frame(figures.BATTLE, *cites, attacker=attacker, target=target)
    yield from _battling_changed(t)
    yield from fight(t, attacker, target, "gcg@1.9:13-1-5-4")
    own = [n for n, one in t.pos.modifiers.items() if n >= first and one.until == "battle"]
    if own:
        t.end_modifiers(own, "battle", "gcg:7-7-1")
    t.close_frame(frame, "gcg:7-7-2", "reading:gcg@1.9/16", outcome="fought")
    yield from _battling_changed(t)


def _battling_changed(t: Table) -> Play:
    """Bring numbers up to date that hang on who is battling: a frame alone changes none."""
    t.due.touched = t.due.changed = t.due.numbers = True
    yield from settle(t)
