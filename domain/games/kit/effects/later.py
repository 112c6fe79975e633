"""Scheduled effects that are due: lasting effects end, cards come back, effects are done.

Texts schedule it by `effects.instructions.lasting`. A game says when it is due
(`Position.due`, by the word that its texts have for that time) and in which order what comes due
together is done; `carry_out` does one of them, which waits no longer, as the others still do. Where
cards come back to is the game's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from domain.effects.instructions.lasting import (
    KEPT,
    LAPSE,
    LATER,
    RETURN,
    REVERT,
    UNDER,
    kept,
    taken,
)
from domain.effects.interpreter import carry_out as do_clauses
from domain.effects.select import Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.position import Card, Scheduled
from domain.record.schema.manifest import Word

#: The words that a game declares for it: a duration, kinds of what is scheduled, marks of cards.
DURATION = Word(LATER, "until a time to come")
DECLARATIONS = (
    Word(LAPSE, "ends"),
    Word(RETURN, "brings back"),
    Word(REVERT, "gives back"),
    Word("part", "does what was due"),
)
MARKS = (
    Word(UNDER, "whose it is beneath what lasts for a time"),
    Word(KEPT, "is kept since entry"),
)
#: Brings a card back that went for a time: its number, and what it was.
Back = Callable[[Table, int, Card, Scheduled], Play]
#: Gives control of cards back to a seat.
Give = Callable[[Table, Sequence[int], int, Scheduled], Play]


def carry_out(t: Table, terms: Terms, one: Scheduled, back: Back, give: Give, *cites: str) -> Play:
    """Do what is due, by these rules and the text that has scheduled it.

    Cards that are not where they were sent, or not under that control, any more are left alone.
    """
    p, text = t.pos, f"card:{one.effect}"
    present = [number for number in one.targets if isinstance(number, int) and p.present(number)]
    match one.kind:
        case "lapse":
            if one.x in p.modifiers:
                t.end_modifiers([one.x], one.due, *cites, text)
        case "return":
            for number in present:
                was = next((card for card in p.departed.values() if card.now == number), None)
                if was is not None:
                    yield from back(t, number, was, one)
        case "revert":
            for seat, numbers in _given_back(t, one, present, *cites, text).items():
                yield from give(t, numbers, seat, one)
        case _:
            yield from _effect(t, terms, one, present, *cites)


def _given_back(
    t: Table, over: Scheduled, numbers: Sequence[int], *cites: str
) -> dict[int, list[int]]:
    """To whom cards go since one of the changes of control that were for a time is over.

    A later change stays; below it the one before comes into force, or none.
    """
    p, back = t.pos, dict[int, list[int]]()
    for number in (n for n in numbers if not kept(p, n, over)):
        base, others = p.mark(number, UNDER), taken(p, number)
        before = [one for one in others if one.cause < over.cause]
        seat = before[-1].seat if before else base if isinstance(base, int) else over.x
        if not before:
            t.mark(number, UNDER, seat if others else None, *cites)
        if len(before) == len(others) and p.cards[number].controller != seat:
            back.setdefault(seat, []).append(number)
    return back


def _effect(t: Table, terms: Terms, one: Scheduled, present: list[int], *cites: str) -> Play:
    """Carry out a part of a text, whether or not its card is still there.

    A triggered effect triggers now, if all could follow its card.
    """
    this = one.source if isinstance(one.source, int) else 0
    effect, now = terms.effect(t.pos, one.effect), t.pos.latest(this) if this else 0
    if effect.kind == "triggered":
        if now and t.in_sight(now):
            rules = (*cites, f"card:{one.effect}")
            t.trigger(
                one.effect, now, one.seat, t.pos.seq, *rules, optional=effect.may,
                group=t.group(), about=now,
            )  # fmt: skip
        return
    act = t.declare("part", one.source, one.seat, *cites, effect=one.effect, x=one.x)
    run = Running(act, one.effect, effect, this, one.seat, 0)
    run.it, run.x = present, one.x
    run.gone = now if now != this else 0
    t.resolve(act, *cites, run.text)
    worked = yield from do_clauses(t, terms, run, run.effect.do)
    t.end_act(act, "resolved" if worked else "void", *cites, run.text)
