"""The checks of plays: when a card may be played, which one, with what; by the narrowest rule."""

from __future__ import annotations

from domain.effects.constant.calculator import barring, texts
from domain.effects.language.vocabulary import Effect
from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.battle_spirits.choices import prices
from domain.games.battle_spirits.effects import cores, figures
from domain.games.battle_spirits.effects.figures import facts, stock
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.flow.flash import RULES
from domain.games.kit.choices import legality
from domain.games.kit.choices.legality import Check, asked, refuse
from domain.record.decisions import Act
from domain.record.position import Position

MAIN_STEPS = ("main", "second-main")
MAIN, FLASH = "main", "flash"

#: The decisions to which steps come round.
QUESTIONS = ("main", "attack", "flash", "block")
#: The rule by which somebody may act in a step of the Attack Phase.
BY_STEP = {**RULES, "attack": "bs:7-7-3-2", "attack/block": "bs:8-1-3-1"}


def nothing_resolves(t: Table, seat: int, act: Act) -> Refusal | None:
    """Between acts: nothing waits or is being carried out."""
    if t.pos.turn and not t.pos.pending:
        return None
    rule = BY_STEP.get(t.pos.step, "bs:7-6-1-2-1")
    return refuse("something is being carried out: {asked}", rule, asked=asked(t))


def between_acts(t: Table, seat: int, act: Act) -> Refusal | None:
    """The same, where a step comes round to what is asked."""
    rule = BY_STEP.get(t.pos.step, "bs:7-6-1-2-1")
    return legality.between_acts(rule, QUESTIONS, lambda frame: frame.kind == FLASH)(t, seat, act)


def in_own_main(*rules: str) -> Check:
    """Only in one's own Main Phase or Second Main Phase (bs:7-8-1)."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        if t.pos.turn_seat == seat and t.pos.step in MAIN_STEPS:
            return None
        return refuse("only in your Main Phases", *rules)

    return check


def in_main(p: Position, seat: int) -> bool:
    """Whether it is a Main Phase of this seat."""
    return p.turn_seat == seat and p.step in MAIN_STEPS


def priority(t: Table, seat: int, act: Act) -> Refusal | None:
    """In a Flash timing, the player with the right to act (bs:8-1-2-1, 8-1-4-1)."""
    decision = t.pos.decision
    if decision is not None and decision.kind == FLASH and seat not in decision.seats:
        return refuse("the other player has the right to act", RULES[t.pos.step])
    return None


def timely(t: Table, seat: int, act: Act) -> Refusal | None:
    """A text is used when it says: [Main] in own Main Phases, [Flash] there and in Flash timings.

    One that its card does not say by name is any that would be timely.
    """
    p = t.pos
    assert isinstance(act.card, int)
    times = {at for effect in _texts(p, act) for at in effect.at}
    if in_main(p, seat) or (p.step in RULES and FLASH in times):
        return None
    if FLASH not in times:
        return refuse("[Main] is for your own Main Phases", "bs:12-2-1-4-1", "bs:9-1-7-1-1")
    return refuse(
        "[Flash] is for your own Main Phases and for Flash timings", "bs:12-2-1-5-1",
        "bs:9-1-7-1-2",
    )  # fmt: skip


def _texts(p: Position, act: Act) -> list[Effect]:
    assert isinstance(act.card, int)
    named = stock(p).effects(facts(p, act.card).id)
    found = [effect for ref, effect in named if act.effect in ("", ref)]
    return [effect for effect in found if effect.kind == "command"]


def soul_magic(t: Table, seat: int, act: Act) -> Refusal | None:
    """Soul Magic: the symbols it names on the own Field, and the Soul Core to pay with."""
    p, card = t.pos, act.card
    assert isinstance(card, int)
    rule = "bs:12-2-1-2-1"
    wanted = facts(p, card).soul_magic
    if not wanted:
        return refuse("it has no Soul Magic", rule).of_wrong_card()
    there = prices.symbols(p, seat, card)
    if any(there.get(color, 0) < n for color, n in wanted.items()):
        return refuse("the symbols that its Soul Magic names are not on your Field", rule)
    if cores.soul_place(p, seat) is None:
        return refuse("your Soul Core is neither in your Reserve nor on your Field", rule)
    if not prices.price(p, seat, card).due():
        return refuse("it costs nothing: the Soul Core would be too much", "bs:11-3-1-5",
                      "reading:bs/19")  # fmt: skip
    return None


def affordable(chapter: str, placed: bool) -> Check:
    """The cores pay the price, and leave as many as the card is placed with."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        p, card = t.pos, act.card
        assert isinstance(card, int)
        there = cores.within_reach(p, seat)
        least = figures.lv1_cost(TERMS, p, card) if placed else 0
        if there >= prices.cost(p, card) + least:
            return None  # with any reduction of the cost
        exiled = [prices.exiled_as(p, number) for number in prices.exilable(p, seat, card)]
        left = there - prices.price(p, seat, card).due(exiled)
        if left < 0:
            return refuse("it costs more cores than there are on your Field and in your Reserve",
                          f"{chapter}-5", fault="BAD_PICKS")  # fmt: skip
        if left < least:
            return refuse("what it costs leaves fewer cores than its lowest Lv takes",
                          f"{chapter}-6", fault="BAD_PICKS")  # fmt: skip
        return None

    return check


def barred_from(key: str) -> Check:
    """No text in force forbids the player to do so with the card."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        assert isinstance(act.card, int)
        if not t.pos.modifiers:
            return None
        found = texts(barring(TERMS, t.pos, act.card, key))
        return refuse("a text forbids it", "bs:1-4-3", *found) if found else None

    return check
