"""Special Summons that use no chain: Synchro, Xyz, and by a monster's own condition.

What is paid, or taken as Material, is gone whether or not the Summon is negated
(ygo:synchro.def.2, ygo:xyz.def.2). The monster lies in `limbo` until it has succeeded, as with
Normal Summons (`summon`); what follows is in `flow.summons`. Special Summons by effects, Fusion and
Ritual Summons among them, are in `effects.summons.deploy`.
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.yugioh.choices import costs, uses
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.field.places import hold, leave, slots
from domain.games.yugioh.effects.processes import settle
from domain.games.yugioh.effects.summons.deploy import in_which_position
from domain.games.yugioh.effects.summons.materials import overlay
from domain.record.decisions import Act


def _picked(act: Act) -> list[int]:
    """The Materials, each once: an official may let a play name one twice, or its own monster."""
    picked = dict.fromkeys(n for pick in act.picks for n in pick if isinstance(n, int))
    return [number for number in picked if number != act.card]


def _declare(t: Table, number: int, method: str, *cites: str) -> None:
    """A Summon begins; its monster is named before anything is paid for it."""
    card = figures.facts(t.pos, number).id
    t.open_frame("summon", *cites, method=method, card=card, back=t.pos.step)


def _place(t: Table, seat: int, number: int, *cites: str, slot: int = 0) -> Play:
    """The monster is placed face up in the position that its player says; whether it is there."""
    orient = yield from in_which_position(t, seat, number, *cites)
    if _gone(t, seat, number, *cites):
        return False
    with t.at_once():
        (now,) = t.move([number], f"limbo/{seat}", "summon", *cites, orient=orient, up=True)
        hold(t, now, slot=slot)
    return True


def _gone(t: Table, seat: int, number: int, *cites: str) -> bool:
    """Whether an official has taken the monster away since it was declared: nothing is Summoned."""
    if t.pos.present(number):
        return False
    frame = t.pos.frames[-1]
    t.not_done("summon", f"seat/{seat}", "gone", *cites)
    t.close_frame(frame.id, *cites, outcome="void")
    go(t, str(frame.facts["back"]), *cites)
    return True


def synchro(t: Table, seat: int, act: Act) -> Play:
    """Materials go to the Graveyard by the rules of the Summon, and the monster is placed."""
    assert isinstance(act.card, int)
    rules = ("ygo:synchro.def.1", "ygo:special.def.2")
    _declare(t, act.card, "synchro", *rules)
    moves = ("ygo:synchro.steps.1", "ygo:synchro.def.3", *served(t, "synchro", _picked(act)))
    leave(t, _picked(act), "grave", "material", *moves)
    yield from settle(t)
    if (yield from _place(t, seat, act.card, "ygo:synchro.steps.3")):
        go(t, "summon/negate", "ygo:synchro.steps.4", "ygo:synchro.steps.2")


def served(t: Table, kind: str, cards: list[int]) -> tuple[str, ...]:
    """The rules by which Trap monsters serve as Material, and Tokens as that of a Synchro."""
    traps = any(figures.trap_monster(t.pos, n) for n in cards)
    found = (f"ygo:{kind}.material.1",) if traps else ()
    tokens = any(t.pos.cards[n].token for n in cards)
    return (*found, "ygo:synchro.material.2") if tokens else found


def xyz(t: Table, seat: int, act: Act) -> Play:
    """Materials are stacked in one zone, and the monster is put on top of them."""
    yield from _overlay(t, seat, act)


def _overlay(t: Table, seat: int, act: Act, *text: str) -> Play:
    """An Xyz Summon; by a text it is on top of a monster, whose Materials become its own."""
    assert isinstance(act.card, int)
    frame = ("ygo:xyz.def.1", "ygo:special.def.2", *text)
    _declare(t, act.card, "xyz", *frame)
    cards, p = _picked(act), t.pos
    rules = served(t, "xyz", cards)
    slot = slots(p, "monster", seat).get(cards[0], 0) if cards else 0
    orient = yield from in_which_position(t, seat, act.card, "ygo:xyz.steps.2")
    if _gone(t, seat, act.card, "ygo:xyz.steps.2"):
        return
    cards = [number for number in cards if p.present(number)]
    with t.at_once():
        (now,) = t.move(
            [act.card], f"limbo/{seat}", "summon", "ygo:xyz.steps.2", orient=orient, up=True
        )
        cites = ("ygo:xyz.steps.1", "ygo:xyz.def.3", *rules, *text)
        overlay(t, cards, now, *cites, transfer=bool(text))
        hold(t, now, slot=slot)
    go(t, "summon/negate", "ygo:xyz.steps.3")


def by_condition(t: Table, seat: int, act: Act) -> Play:
    """A monster is Special Summoned by its own condition, once its price is paid."""
    number = act.card
    assert isinstance(number, int)
    run = uses.running(t.pos, seat, number, act.effect)
    if any(cost.do == "overlay" for cost in run.effect.cost):
        yield from _overlay(t, seat, act, run.text)
        return
    text = (run.text,) if run.ref else ()  # what an official lets happen may have no condition
    rules = ("ygo:special.condition.1", "ygo:effect.rule.1", "ygo:special.def.3", *text)
    _declare(t, number, "own", *rules)
    with t.at_once():
        uses.use(t, run)
        costs.pay(t, run, act.picks)
    yield from settle(t)
    if (yield from _place(t, seat, number, "ygo:special.def.1", *text)):
        go(t, "summon/negate", "ygo:summon.steps.4")
