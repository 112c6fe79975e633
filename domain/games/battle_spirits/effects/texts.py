"""Texts at work: what they mean in this game, when they trigger, and carrying one out.

`TERMS` is what the shared effect code asks of this game. Triggered effects wait in the queue of all
games (`kit.effects.triggers`): the turn player says which of those that wait together comes next,
and what an effect sets off comes before what waited already (bs:9-1-5-8, 9-4-1-1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domain.effects.constant.once import use, used
from domain.effects.language.vocabulary import Clause, Effect
from domain.effects.select import Running
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import figures
from domain.games.battle_spirits.manifest import COLORS, MANIFEST
from domain.games.kit.effects import texts
from domain.games.kit.effects.triggers import Book, Policy, Triggers
from domain.record.position import Pending, Position, zone_of
from domain.record.values import Ref, Value

#: The rules behind the words of the shared vocabulary.
WORDS = texts.by_rule(
    "bs:9-3-1-4", may="bs:9-1-2", choose="bs:9-3-2-1", condition="bs:9-2-1",
    impossible="bs:1-4-2", already="bs:1-4-2-1", discard="bs:5-13-1", limit="bs:12-3-1-1",
    arrange="bs:4-1-5", replaced="bs:9-1-8-1",
)  # fmt: skip
#: What each derived number is derived by.
FIGURES = {
    "level": "bs:2-8-3",
    "bp": "bs:2-8-4",
    "symbols": "bs:2-10-3",
    **dict.fromkeys(COLORS, "bs:2-10-2"),
    "true-release": "bs:12-2-1-1-3",
    "cost": "bs:11-1-1-2-1",
    "lv1": "bs:10-2-2-9",
}


class Terms(texts.CardTerms):
    """The game as the shared effect code sees it."""

    def attribute(self, p: Position, number: int, key: str) -> object:
        return figures.attribute(p, number, key)

    def figures(self, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
        return figures.figures(self, p)

    def permits(self, p: Position, run: Running, clause: Clause, number: int) -> bool:
        """Cards on the Field are dealt with there, on their way out too (reading 9)."""
        if clause.do == "move":
            return clause.place not in ("", "field")
        return zone_of(p.cards[number].place) == "field"


TERMS = Terms(MANIFEST, figures.stock, {"": "field"}, WORDS, FIGURES, "bs:9-1-4-1")


# -- setting off -----------------------------------------------------------------------------------


def _cites(ref: str, effect: Effect) -> tuple[str, ...]:
    return ("bs:9-1-5-2", f"card:{ref}")


def _used_up(t: Table, source: Ref, run: Running) -> bool:
    """Whether a text that works once a turn has been used in this one; now it is."""
    if used(t.pos, source, run.ref):
        return True
    use(t, source, run.ref, "bs:12-3-1-1")
    return False


def carry_out(t: Table, act: Pending) -> Play:
    """Carry out an effect that waits, or one that was declared."""
    this = act.source if isinstance(act.source, int) else 0
    if act.kind == "triggered" and this and not t.pos.present(this):
        t.end_act(act.id, "void", "bs:9-4-1-2")
        return
    run = texts.running(TERMS, t.pos, act)
    yield from texts.perform(
        t, TERMS, run, "bs:9-3-1-3", done="bs:9-3-1-4", void="bs:1-4-2", declined="bs:9-1-2"
    )
    yield from TERMS.settle(t)


POLICY = Policy(group="newest", orders="either", once_a_moment=True, lost="void")
TRIGGERS = Triggers(
    TERMS,
    POLICY,
    Book(
        cites=_cites,
        order="bs:9-1-5-8",
        watched=lambda p: figures.stock(p).watched,
        carry_out=carry_out,
        used_up=_used_up,
        lost=("bs:9-1-5-5",),
    ),
)
follow_up = TRIGGERS.follow_up
