"""Activated effects: used at will, at the time they say (bs:9-1-6).

They are of cards on the own Field, or of a card of the hand that is no Magic: that one is shown to
all, its effect used, and it stays where it is (bs:5-12-2, 9-3-1-2). What stands before the arrow is
done first (`effects.instructions.costs`), then what stands behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from domain.effects.conditions import may_hold
from domain.effects.constant.calculator import texts as cited_texts
from domain.effects.constant.silence import silencing
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Running
from domain.engine.rulebook import Refusal
from domain.engine.signals import Play, identified
from domain.engine.table import Table
from domain.games.battle_spirits.choices import legal
from domain.games.battle_spirits.effects.instructions import costs
from domain.games.battle_spirits.effects.lapsing import rule_of, used_up
from domain.games.battle_spirits.effects.texts import TERMS, TRIGGERS, note_use
from domain.games.battle_spirits.flow.flash import RULES
from domain.games.battle_spirits.lists.formats import chosen
from domain.games.kit.choices.legality import refuse
from domain.games.kit.choices.rows import Asking, Pick, Row
from domain.games.kit.effects import texts
from domain.record.decisions import Act, Part
from domain.record.position import Position, zone_of

KIND = "activated"


# -- with which cards, which texts -----------------------------------------------------------------


def holders(asking: Asking) -> Iterator[int]:
    """One's cards on the Field and in the hand."""
    p, seat = asking.p, asking.seat
    return chain(p.zone("field", seat), p.zone("hand", seat))


def _texts(asking: Asking, card: int) -> Iterator[str]:
    return (ref for ref, effect in TERMS.effects(asking.p, card) if effect.kind == KIND)


def meant(p: Position, seat: int, act: Act) -> Running | None:
    """The text that an act uses: one that it does not name is rather one that may be used now."""
    card = act.card
    assert isinstance(card, int)

    def serves(effect: Effect) -> bool:
        run = Running(0, "", effect, card, seat, 0)
        return _timely(p, seat, card, effect) and may_hold(TERMS, p, effect.when, run)

    return texts.meant(TERMS.effects(p, card), KIND, act, seat, serves)


def _timely(p: Position, seat: int, card: object, effect: Effect) -> bool:
    """Whether it is the time for an effect; Flash of the Field has Flash timings (reading:bs/7)."""
    if p.step in RULES:
        return legal.FLASH in effect.at
    if not legal.in_main(p, seat):
        return False
    anytime = effect.zone == "hand" or chosen(p.heading.options).flash_in_main
    return legal.MAIN in effect.at or (anytime and legal.FLASH in effect.at)


# -- what forbids it -------------------------------------------------------------------------------


def own(t: Table, seat: int, act: Act) -> Refusal | None:
    """A card on one's own Field, or of the hand, that has such an effect."""
    p, mine = t.pos, (*t.pos.zone("field", seat), *t.pos.zone("hand", seat))
    if not isinstance(act.card, int) or act.card not in mine:
        return refuse("it is neither on your Field nor in your hand", "bs:9-1-6-1").of_wrong_card()
    identified(p, (act.card,))
    run = meant(p, seat, act)
    if run is None:
        return refuse("it has no effect that is activated there", "bs:9-1-6-1").of_wrong_card()
    lost = cited_texts(silencing(TERMS, p, run.this, run.ref, KIND)) if p.modifiers else []
    return refuse("it has lost that effect", "bs:9-2-3", *lost) if lost else None


def staying(t: Table, seat: int, act: Act) -> Refusal | None:
    """A card on its way off the Field has no effects but those of that (bs:10-2-2-4)."""
    assert isinstance(act.card, int)
    if t.pos.cards[act.card].departing:
        return refuse("it is on its way off the Field", "bs:10-2-2-4")
    return None


def timely(t: Table, seat: int, act: Act) -> Refusal | None:
    """An effect is activated at the time that it says."""
    run = meant(t.pos, seat, act)
    if run is None or _timely(t.pos, seat, act.card, run.effect):
        return None
    main, hand = legal.FLASH not in run.effect.at, _of_hand(t.pos, act)
    if main:
        rule = "bs:12-2-1-4-1" if hand else "bs:9-1-6-1"
        return refuse("it is activated in your own Main Phases", rule, run.text)
    rules = ("bs:12-2-1-5-1",) if hand else ("bs:9-1-6-1", "reading:bs/7")
    return refuse("it is activated in Flash timings", *rules, run.text)


def conditions(t: Table, seat: int, act: Act) -> Refusal | None:
    """The conditions of its activation hold."""
    run = meant(t.pos, seat, act)
    if run is None or may_hold(TERMS, t.pos, (*run.effect.when, *run.effect.provided), run):
        return None
    return refuse("its condition is not met", "bs:9-3-1-1", "bs:9-2-1", run.text)


def not_used_up(t: Table, seat: int, act: Act) -> Refusal | None:
    """It has not been activated as often as it may be."""
    run = meant(t.pos, seat, act)
    if run is None or not used_up(t.pos, run.this, run):
        return None
    return refuse("it was used as often as it may be", rule_of(run.effect.limit), run.text)


def payable(t: Table, seat: int, act: Act) -> Refusal | None:
    """The costs before the arrow can be paid completely."""
    run = meant(t.pos, seat, act)
    if run is None or costs.payable(t.pos, run):
        return None
    return refuse("what comes first can't be done", costs.RULE, run.text)


# -- what is picked --------------------------------------------------------------------------------


def _parts(asking: Asking, card: int, text: str) -> Iterator[Part]:
    run = meant(asking.p, asking.seat, Act("activate", card, (), text))
    if run is not None:
        for name, pool, n in costs.pools(asking.p, run):
            yield asking.part(name, pool, n)


def _pick(name: str, text: str, first: bool) -> Pick:
    return Pick(name, {"": (text, costs.RULE)}, parts=_parts if first else None)


# -- what carries it out ---------------------------------------------------------------------------


def activate(t: Table, seat: int, act: Act) -> Play:
    """Declare the effect, do what comes first, then the rest of it."""
    run = meant(t.pos, seat, act)
    if run is None:
        return
    picks = _picked(t.pos, run, act)
    hand = _of_hand(t.pos, act)
    with t.at_once():
        if hand:
            (run.this,) = t.reveal([run.this], "reveal", "bs:9-3-1-2", run.text)
        kind, rule = ("use", "bs:5-12-2") if hand else ("activate", "bs:9-1-6-1")
        source = f"seat/{seat}" if hand else run.this
        run.act = t.declare(kind, source, seat, rule, "bs:9-3-1-2", run.text, effect=run.ref)
        if hand:
            TRIGGERS.used_in_hand(t, run.this, seat)
    if not (yield from costs.pay(t, run, picks)):
        t.end_act(run.act, "void", costs.RULE, run.text)
        return
    t.running.since = t.moment
    yield from texts.perform(
        t, TERMS, run, "bs:9-3-1-3", done="bs:9-3-1-4", void="bs:9-1-6-3", declined="bs:9-1-2",
        used=lambda t: note_use(t, run),
    )  # fmt: skip
    yield from TERMS.settle(t)


def _picked(p: Position, run: Running, act: Act) -> dict[str, list[int]]:
    """The picks of an act, by the cost that they are for."""
    names = [name for name, _, _ in costs.pools(p, run)]
    chosen_cards = ([n for n in picks if isinstance(n, int)] for picks in act.picks)
    return dict(zip(names, chosen_cards, strict=False))


def _of_hand(p: Position, act: Act) -> bool:
    return isinstance(act.card, int) and zone_of(p.cards[act.card].place) == "hand"


def _allowing(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    """Rules for activation on the Field; with a card of the hand it is declared (bs:9-1-7)."""
    if not _of_hand(t.pos, act):
        return ("bs:9-1-6-1", "bs:9-1-6-2")
    run = meant(t.pos, seat, act)
    main = run is not None and legal.FLASH not in run.effect.at
    return ("bs:9-1-7-1-1" if main else "bs:9-1-7-1-2", "bs:9-1-7-1", "bs:5-12-2")


ROW = Row(
    name="activate", label="uses the effect of {card}", at=("main", "flash"), cards=holders,
    texts=_texts,
    picks=(
        _pick("exhaust", "as many refreshed cards as it says", True),
        _pick("discard", "as many cards of your hand as it says", False),
        _pick("show", "as many cards of your hand as it says", False),
    ),
    parts=("exhaust", "discard", "show"),
    when=(legal.nothing_resolves, legal.priority),
    checks=(own, staying, timely, conditions, not_used_up, payable),
    allows=_allowing, do=activate, play_anyway=activate,
)  # fmt: skip
