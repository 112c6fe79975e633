"""Texts at work: what they mean in this game, when they trigger, and carrying one out.

`TERMS` is what the shared effect code asks of this game. Triggered effects wait in the queue of all
games (`kit.effects.triggers`): the turn player says which of those that wait together comes next,
and what an effect sets off comes before what waited already (bs:9-1-5-8, 9-4-1-1). What keeps one
that waits from being activated after all is in `lapsing`, what leaving the Field sets off in
`departing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from domain.effects.constant.calculator import texts as cited
from domain.effects.constant.once import use
from domain.effects.constant.silence import in_force, silencing
from domain.effects.constant.texts import derive
from domain.effects.foresight.alike import alike
from domain.effects.language.vocabulary import Clause, Effect
from domain.effects.select import Running, fits
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores, figures
from domain.games.battle_spirits.effects.lapsing import (
    LEAVING,
    MOMENT,
    ONCE,
    lapsed,
    rule_of,
    same,
    turns,
    used_up,
)
from domain.games.battle_spirits.manifest import COLORS, MANIFEST
from domain.games.kit.effects import texts, triggers
from domain.games.kit.effects.triggers import Book, Policy
from domain.record.position import Pending, Position, zone_of
from domain.record.values import Ref, Value

#: The rules behind the words of the shared vocabulary.
WORDS = texts.by_rule(
    "bs:9-3-1-4", may="bs:9-1-2", choose="bs:9-3-2-1", condition="bs:9-2-1",
    impossible="bs:1-4-2", already="bs:1-4-2-1", discard="bs:5-13-1", limit="bs:12-3-1-1",
    arrange="bs:4-1-5", replaced="bs:9-1-8-1",
) | {
    "choose from deck": ("bs:9-3-2-2", "bs:9-3-2-1"),
    "arrange in secret": ("bs:4-1-5",),
    "nothing asked": ("bs:1-4-2-3",),
    "no target": ("bs:1-4-2", "bs:9-3-2-1"),
    "already move": ("bs:1-4-2-2",),
    "replace which": ("bs:9-1-8-1-3",),
    "both": ("reading:bs/10", "bs:1-4-4"),
    "defeat": ("bs:1-3-6",),
    **dict.fromkeys(("draw", "destroy", "deploy", "summon", "send", "put"), ("bs:9-3-1-4",)),
    "if so": ("bs:5-19-2",),
    "after all": ("bs:5-19-3",),
    "must": ("bs:5-19-5",),
    **dict.fromkeys(("modify", "gain", "lose", "forbid", "allow", "charge"),
                    ("bs:9-3-1-4", "bs:9-1-5-6")),
}  # fmt: skip
#: What each derived number is derived by.
FIGURES = {
    "level": "bs:2-8-3",
    "bp": "bs:2-8-4",
    "symbols": "bs:2-10-3",
    **dict.fromkeys(COLORS, "bs:2-10-2"),
    "true-release": "bs:12-2-1-1-3",
    **dict.fromkeys(("cost", "lv1"), "bs:1-4-6"),
}
#: The times of a turn, each of which lets texts trigger by a rule of its own.
TIMES = {
    "start": "bs:7-2-1",
    "core": "bs:7-3-1",
    "draw": "bs:7-4-1",
    "refresh": "bs:7-5-1",
    "main-start": "bs:7-6-1-1",
    "attack-start": "bs:7-7-3-1",
    "end": "bs:7-9-1-1",
    "turn-end": "bs:7-9-1-2",
}
#: What each occurrence of its own card lets trigger, where the book has a rule of its own for it.
TRIGGERED = {
    "summoned": "bs:12-2-1-6-1",
    "deployed": "bs:12-2-1-11-1",
    "attack": "bs:12-2-1-7-1",
    "block": "bs:12-2-1-9-1",
    "battle-resolves": "bs:8-1-5-1",
    "battle-end": "bs:8-1-7-1",
    "destroyed": "bs:12-2-1-12",
    **dict.fromkeys(("destroyed-by-rival", "destroyed-by-rival-spirit"), "bs:12-2-1-12-1"),
}
#: The steps of a battle in which they do so.
STEPS = {"attack": "bs:8-1-1-2", "block": "bs:8-1-3-2"}
#: Where a card's texts of the usual place work: on the Field, and while it takes effect.
_USUAL = ("field", "limbo")


class Terms(texts.CardTerms):
    """The game as the shared effect code sees it."""

    def effects(self, p: Position, number: int) -> Sequence[tuple[str, Effect]]:
        """The texts of a card that work where it lies, or lay last (bs:9-1-4-2)."""
        card = p.card(number)
        lies = zone_of(card.place)
        return figures.stock(p).working(card.id, "" if lies in _USUAL else lies)

    def leaning(self, p: Position) -> list[int]:
        """Those with such a text."""
        cards, zones, steady = p.cards, p.zones, figures.stock(p).steady
        places = (zones.get(f"field/{seat}", ()) for seat in p.seats())
        return [number for place in places for number in place if cards[number].id in steady]

    def held(self, p: Position, seat: int, counter: str) -> int:
        """The cores in one of a player's places, by its word."""
        return cores.count(p, f"{counter}/{seat}")

    def figures(self, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
        return figures.figures(self, p)

    def pause(self, t: Table, run: Running) -> Play:
        """A part "after this effect" waits for all that the effect has set off (bs:5-19-4)."""
        yield from TRIGGERS.resolve(t, after=run.began)

    def arranger(self, p: Position, run: Running, owner: int) -> int:
        """The player of an effect orders what it places at once (bs:4-1-5)."""
        return run.seat

    def overlaps(self, p: Position, one: tuple[int, str], other: tuple[int, str]) -> bool:
        """Those of cards that have a name in common (bs:12-3-2-2)."""
        return same(p, one, other)

    def permits(self, p: Position, run: Running, clause: Clause, number: int) -> bool:
        """Cards on the Field are dealt with there, on their way out too (reading:bs/9)."""
        on_field = zone_of(p.cards[number].place) == "field"
        match clause.do:
            case "move":
                return clause.place not in ("", *_USUAL)
            case "deploy" | "summon":
                return not on_field and figures.facts(p, number).type != "magic"
            case "reveal" | "target" | "nothing" | "discard":
                return True
        return on_field


ZONES = {"": "field", "player": "seat"}
TERMS = Terms(
    MANIFEST, figures.stock, ZONES, WORDS, FIGURES, "bs:9-1-4-1", in_private=True,
    asked=figures.ASKED, numbered=("field",),
)  # fmt: skip


# -- setting off -----------------------------------------------------------------------------------


class Triggers(triggers.Triggers):
    """The triggered effects of this game."""

    def watchers(self, p: Position) -> Iterator[int]:
        """The cards on the Field, and those in a Trash whose texts work there."""
        yield from self.terms.workplaces(p)
        elsewhere = figures.stock(p).elsewhere
        if elsewhere:
            for seat in p.seats():
                yield from [n for n in p.zone("trash", seat) if p.cards[n].id in elsewhere]

    def time(self, t: Table, on: str) -> None:
        """Constant texts of that time act before anything triggers (bs:9-1-4-4).

        Where nothing waits for it they do so as the rules settle, which is next.
        """
        if on in figures.stock(t.pos).heard:
            derive(t, TERMS)
            super().time(t, on)

    def may_trigger(self, p: Position, effect: Effect, source: Ref, about: Ref) -> bool:
        """A card on its way out has effects of that alone (bs:10-2-2-4)."""
        card = p.cards.get(source) if isinstance(source, int) else None
        leaving = card is not None and bool(card.departing)
        return not leaving or (effect.on in LEAVING and about == source)

    def used_in_hand(self, t: Table, number: int, seat: int) -> None:
        """A card that is shown and stays in the hand is used: texts about that trigger, too."""
        p, cause = t.pos, t.pos.seq
        for watcher in list(self.watchers(p)):
            own = p.cards[watcher].controller
            for ref, effect in in_force(self.terms, p, watcher):
                about = effect.about
                if effect.on != "used" or about is None or about.zone:
                    continue
                whose = about.whose == "any" or (own == seat) == (about.whose == "yours")
                if whose and fits(self.terms, p, number, about.match):
                    self.trigger(t, ref, effect, watcher, own, cause, 0)

    def order_cites(self, p: Position, acts: Sequence[Pending]) -> tuple[str, ...]:
        """The turn player orders effects of both (bs:9-1-5-8), each player his own (reading:bs/30).

        What an attack or a block sets off waits together with what exhausting for it does
        (reading:bs/27).
        """
        ons = {self.terms.effect(p, act.effect).on for act in acts}
        both = ("reading:bs/27",) if "exhausted" in ons and ons & STEPS.keys() else ()
        if len({act.seat for act in acts}) > 1:
            return (self.book.order, "bs:9-4-1", *both)
        return ("bs:9-1-5-7", "reading:bs/30", *both)

    def lost_cites(self, p: Position, act: Pending) -> tuple[str, ...]:
        """An effect is not activated that a text restrains (bs:9-2-3): that text as well."""
        this, kind = act.source, self.terms.effect(p, act.effect).kind
        if not isinstance(this, int) or not p.present(this):
            return self.book.lost
        return (*self.book.lost, *cited(silencing(self.terms, p, this, act.effect, kind)))


def _cites(p: Position, ref: str, effect: Effect) -> tuple[str, ...]:
    """The rules by which a text triggers: its own timing, or that it says when."""
    own = TRIGGERED.get(effect.on) if effect.about is None else None
    rule = TIMES.get(effect.on, own)
    first = (rule, *filter(None, [STEPS.get(effect.on)])) if rule else ()
    leaves = ("bs:9-3-3",) if effect.on in LEAVING and effect.about is None else ()
    return (*first, "bs:9-1-5-2", *leaves, f"card:{ref}")


def _used_up(t: Table, source: Ref, run: Running) -> bool:
    """Whether a text was activated as often as it may be."""
    if not used_up(t.pos, source, run):
        return False
    t.not_done("trigger", source, "limit", rule_of(run.effect.limit), run.text)
    return True


# -- carrying out ----------------------------------------------------------------------------------


def carry_out(t: Table, act: Pending) -> Play:
    """Carry out an effect that waits, or one that was declared."""
    run = texts.running(TERMS, t.pos, act)
    lapse = lapsed(TERMS, t.pos, act, run) if act.kind == "triggered" else None
    if lapse is not None:
        t.not_done("trigger", act.source, lapse.why, *lapse.cites, run.text)
        t.end_act(act.id, "void", *lapse.cites, run.text)
    else:
        yield from _perform(t, act, run)
    yield from TERMS.settle(t)


def _perform(t: Table, act: Pending, run: Running) -> Play:
    """Carry out an effect that waits and that nothing keeps from it."""
    activated = False

    def used(t: Table) -> None:
        nonlocal activated
        activated = True
        note_use(t, run)

    t.running.since = t.moment  # what waits already has triggered before this one is carried out
    between = any(other.resolving for other in t.pos.pending.values())  # two parts of another
    yield from texts.perform(
        t, TERMS, run, *(("bs:5-19-4",) if between else ()), "bs:9-3-1-3",
        done="bs:9-3-1-4", void="bs:1-4-2", declined="bs:9-1-2", used=used,
    )  # fmt: skip
    if activated and not _forgone(run):
        _shut_out(t, act, run)


def _forgone(run: Running) -> bool:
    """Whether its player might have chosen what the effect is for, and did not (bs:9-1-2)."""
    might = any(clause.choose is not None and clause.choose.may for clause in run.effect.do)
    return might and not run.chosen and not run.total.done


def _shut_out(t: Table, act: Pending, run: Running) -> None:
    """An effect was activated: of those that can't overlap with it none is, at this timing."""
    limit = run.effect.limit
    if MOMENT in limit:
        TRIGGERS.drop(t, lambda one: _copy(t.pos, act, one), "limit", rule_of(limit), run.text)


def _of_one(p: Position, acts: Sequence[Pending]) -> bool:
    """Whether these are copies of which one is done, and that do the same."""
    limit = TERMS.effect(p, acts[0].effect).limit
    return MOMENT in limit and alike(TERMS, p, acts, one=True)


def _copy(p: Position, act: Pending, other: Pending) -> bool:
    """Whether another card of the player has the same text, triggered just then (reading:bs/23)."""
    if (other.seat, other.moment) != (act.seat, act.moment) or other.id == act.id:
        return False
    ours, theirs = act.source, other.source
    if not (isinstance(ours, int) and isinstance(theirs, int)):
        return False
    return same(p, (ours, act.effect), (theirs, other.effect))


def note_use(t: Table, run: Running) -> None:
    """A text that may be activated so often is activated now (reading:bs/23)."""
    limit = turns(run.effect.limit)
    if limit and run.this:
        use(t, run.this, run.ref, ONCE, limit=limit, seat=run.seat)


#: The newest group comes first (bs:9-1-5-9), in it the turn player picks among anybody's, unless
#: all are the other player's (bs:9-1-5-7, reading:bs/30).
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
        no_matter=_of_one,
        lost=("bs:9-2-3",),
    ),
)
follow_up = TRIGGERS.follow_up
