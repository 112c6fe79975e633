"""Mandatory effects of Spell Speed 2 that answer links: nobody is asked before they are linked.

A triggered text that says `quick` and waits for a link is set off by the latest one, once a chain,
and becomes the next link: the turn player's first (ygo:order.list.5, ygo:order.list.6). Those that
something else sets off stand in the same classes, in `gathering`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.effects.conditions import all_hold
from domain.effects.select import Running
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.yugioh.effects.texts import TERMS, TRIGGERS, answers_links
from domain.games.yugioh.effects.waiting.timing import answered
from domain.games.yugioh.flow.gathering import link_class
from domain.record.position import Pending, Position


def answer(t: Table) -> Play:
    """Link what has to answer the latest link, until nothing has to."""
    _set_off(t)
    while found := _waiting(t.pos):
        if (yield from link_class(t, found)):
            for act in _waiting(t.pos):  # it is another link that they would answer now
                t.end_act(act.id, "void", "ygo:chain.build.3")
            _set_off(t)


def _waiting(p: Position) -> list[Pending]:
    return [act for act in p.waiting() if answers_links(TERMS.effect(p, act.effect))]


def _set_off(t: Table) -> None:
    """The texts that have to answer the latest link trigger, but those that have in this chain."""
    p = t.pos
    linked = {(act.source, act.effect) for act in p.declared()}
    for run in [*_able(t)]:
        about = answered(t, run)
        if about is not None and (run.this, run.ref) not in linked:
            t.trigger(
                run.ref, run.this, run.seat, p.seq, *TRIGGERS.book.cites(run.ref, run.effect),
                optional=False, about=about,
            )  # fmt: skip


def _able(t: Table) -> Iterator[Running]:
    p = t.pos
    for number in TERMS.workplaces(p):
        for ref, effect in TERMS.effects(p, number):
            if answers_links(effect):
                run = Running(0, ref, effect, number, p.cards[number].controller, 0)
                if all_hold(TERMS, p, effect.when, run):
                    yield run
