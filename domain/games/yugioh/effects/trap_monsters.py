"""Traps that their own texts Special Summon as monsters.

Such a card lies in a Monster Zone and keeps its Spell & Trap Zone, which nothing else may use. It
has the figures that its print names, and is a Trap all the same. Turned face down, or once a text
that speaks of Traps negates it, it is back in that zone as the Trap it was. Where it goes as it
leaves the field it is nothing else either.
"""

from __future__ import annotations

from functools import partial

from domain.effects.constant.calculator import applies
from domain.effects.constant.silence import silencers
from domain.effects.language.vocabulary import Group
from domain.engine.table import Table
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.field.places import release
from domain.games.yugioh.effects.field.zones import IN_SPELL_ZONE, held, hold, slots
from domain.games.yugioh.effects.texts import TERMS
from domain.record.position import Modifier, Position

#: What it counts as; the figures are those of the print.
MONSTER = {"type": "monster"}
RULE = "ygo:golden.card.1"


def appear(t: Table, number: int, seat: int, orient: str, *cites: str) -> None:
    """It lies in a Monster Zone from now on, the same card as before."""
    p = t.pos
    slot = slots(p, "spell", seat).get(number)
    t.move([number], f"monster/{seat}", "special", *cites, same=True, orient=orient, up=True)
    t.define([number], MONSTER, *cites)
    if figures.trap_monster(p, number) and slot:
        hold(t, number, "spell", slot)
    hold(t, number)
    t.mark(number, "became", p.turn, "ygo:position.change.2")


def back(t: Table) -> None:
    """Those that can be monsters no longer are Traps again, where they were activated."""
    p = t.pos
    for seat in (0, 1):
        for number in [n for n in p.zones.get(f"monster/{seat}", ()) if p.cards[n].defined]:
            if figures.trap_monster(p, number) and (texts := _no_more(p, number)) is not None:
                _back(t, number, seat, texts)


def _no_more(p: Position, number: int) -> list[str] | None:
    """The texts by which it is a monster no more; none if it lies face down; None: it still is."""
    if not p.cards[number].up:
        return []
    negating = [m for m in silencers(p) if _of_traps(m) and applies(TERMS, p, m, number)]
    return [m.text for m in negating] or None


def _of_traps(modifier: Modifier) -> bool:
    """Whether a negation names Traps: negating monsters does not undo this."""
    return modifier.scope is not None and _asks_for_traps(modifier.scope)


def _asks_for_traps(group: Group) -> bool:
    wanted = group.match.get("type")
    named = "trap" in wanted if isinstance(wanted, list) else wanted == "trap"
    return named or (group.besides is not None and _asks_for_traps(group.besides))


def _back(t: Table, number: int, seat: int, texts: list[str]) -> None:
    p, up = t.pos, t.pos.cards[number].up
    slot = held(p, number, "spell") or 0
    with t.at_once():
        release(t, [number])
        t.move([number], f"spell/{seat}", "return", RULE, *texts, same=True, orient="", up=up)
        t.define([number], {}, RULE, *texts)
        t.mark(number, IN_SPELL_ZONE, None, "ygo:base.zone.2")
        hold(t, number, "spell", slot)
        t.mark(number, "became", p.turn, RULE)
        t.stats([(number, {})], partial(TERMS.figure_rule, t.pos))
