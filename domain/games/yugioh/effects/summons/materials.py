"""Which cards may be Material of a Summon that its rules make; how they are overlaid and detached.

Trap monsters serve as any monster does, Tokens for a Synchro Summon only (ygo:synchro.material.1,
ygo:synchro.material.2, ygo:xyz.material.1, ygo:xyz.material.2). Which lines of Materials a monster
has, and how picks meet them, is in `choices.summons.recipes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.effects.language.vocabulary import Clause
from domain.effects.select import Done, Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.field.places import DETACHED, send, untie
from domain.games.yugioh.effects.summons.makings import level_of
from domain.games.yugioh.effects.summons.revival import followed
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.lists.card import Card
from domain.record.position import Position

#: The role of a card that is overlaid.
OVERLAID = "material"


def candidates(p: Position, seat: int, print_: Card) -> list[int]:
    """A player's monsters that may be Material of a Synchro or Xyz Summon of this monster.

    A card may say of itself that it is no Material of the one or the other (ygo:effect.rule.2);
    without a Level none is that of a Synchro Summon (ygo:base.rank.1).
    """
    own = (n for n in figures.monsters(p, seat) if p.cards[n].up)
    if "xyz" in print_.kind:
        return [n for n in own if not p.cards[n].token]
    return [n for n in own if level_of(p, n) and not refusing(p, n)]


def refusing(p: Position, number: int) -> list[str]:
    """The texts of a card by which it can't be Synchro Material."""
    named = rules.own(TERMS, p, number)
    return [text for text, c in named if (c.do, c.key) == ("forbid", "synchro-material")]


def beneath(p: Position, host: int) -> list[int]:
    """The Materials of an Xyz Monster."""
    return [n for n in p.cards[host].attached if p.cards[n].role == OVERLAID]


def overlay(t: Table, cards: Sequence[int], host: int, *cites: str, transfer: bool = False) -> None:
    """Cards are laid below an Xyz Monster; they are none on the field any more (ygo:xyz.def.4).

    They have not left it either, and nothing is tied to them any more. What lay below them goes to
    the Graveyard (ygo:base.xyz.1), or with them (`transfer`).
    """
    p = t.pos
    equips = [one for number in cards for one in p.linked(number)]
    riders = [rider for number in cards for rider in p.cards[number].attached]
    laid = [*riders, *cards] if transfer else cards
    with followed(t, laid, "limbo"):
        for equip in equips if "host-overlaid" in figures.stock(p).heard else ():
            t.mark(equip, "overlaid", True, "ygo:xyz.def.4")
        untie(t, cards, "ygo:xyz.def.4")
        if not transfer:
            send(t, riders, "grave", "host", DETACHED)
        t.move(laid, p.cards[host].place, "overlay", *cites, host=host, role=OVERLAID)


def detach(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Materials of each monster go to their owners' Graveyards, those that the player picks."""
    wanted, done = run.amount(c), 0
    for host in numbers:
        own = beneath(t.pos, host)
        n = min(wanted, len(own))
        cites = (DETACHED, run.text)
        chosen = own if n > 0 else []
        if 0 < n < len(own):
            chosen = yield from pick(
                t, run.seat, "target", own, n, *cites,
                act="choose", part=c.do, card=run.this, about=host,
            )  # fmt: skip
        send(t, chosen, "grave", "detach", *cites)
        done += n
    return Done(wanted * len(numbers), done)
