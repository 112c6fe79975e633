"""Automatic abilities, and carrying out effects.

`TERMS` is what the shared effect code asks of this game. An automatic ability goes off at its time
and opens no window (hf:key.auto.2). What goes off while something else is carried out waits until
that is done; the queue of all games (`kit.effects.triggers`) then takes it in the order of
`POLICY`, and at last lets the destroyed go (reading:hf/A11).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from domain.effects.constant.once import use, used
from domain.effects.interpreter import Aims
from domain.effects.language.vocabulary import Clause, Effect
from domain.effects.select import Running
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.flow.guard import free_guard
from domain.games.hollow_flux.manifest import MANIFEST
from domain.games.kit.effects import texts
from domain.games.kit.effects.triggers import Book, Extra, Policy, Triggers
from domain.record.position import Pending, Position, seat_of, zone_of
from domain.record.values import Ref, Value

#: Instructions that mean something for characters only.
TO_CHARACTERS = frozenset({"damage", "recover", "destroy", "modify", "gain", "lose", "control"})

#: The rules behind the words of the shared vocabulary.
WORDS: dict[str, tuple[str, ...]] = {
    "may": ("hf:key.auto.1",),
    "choose": ("hf:target.auto.1",),
    "choose for damage-trigger": ("reading:hf/A22",),
    "choose from deck": ("hf:target.parts.2",),
    "no target": ("hf:target.lost.1", "reading:hf/A22"),
    "lost target": ("hf:target.lost.1",),
    "arrange": ("hf:target.parts.2",),
    "arrange in secret": ("hf:target.parts.2",),
    "rest": ("hf:state.orient.1",),
    "ready": ("hf:state.orient.1",),
    "modify": ("hf:target.parts.2",),
    "gain": ("hf:target.parts.2",),
    "lose": ("hf:target.parts.2",),
    "forbid": ("hf:target.parts.2",),
    "allow": ("hf:target.parts.2",),
    "impossible": ("hf:target.parts.1",),
    "after all": ("hf:target.parts.3",),
    "draw on": ("hf:reload.timing.1",),
    "too few": ("hf:target.parts.1",),
    "too few deck": ("hf:reload.scope.1",),
    "too few main": ("hf:reload.scope.1",),
    "nothing asked": ("hf:target.parts.1",),
    "already": ("hf:state.orient.1",),
    "already control": ("hf:field.ctrl.1",),
    "already move": ("hf:target.parts.1",),
    "move": ("hf:target.parts.2",),
    "control": ("hf:field.ctrl.5",),
    **dict.fromkeys(
        ("look", "draw", "shuffle", "damage", "recover", "destroy"), ("hf:target.parts.2",)
    ),
    "deploy": ("hf:card.char.3",),
    "face-down": ("hf:face.def.1",),
    "discard": ("hf:target.parts.2",),
    "random": ("hf:target.parts.2",),
    "replaced": ("reading:hf/A34",),
    "replace which": ("hf:key.auto.3", "reading:hf/A34"),
    "limit": ("hf:key.auto.1",),
}

#: What each derived number is derived by.
FIGURES = {
    "power": "hf:card.char.3",
    "classes": "hf:card.set.5",
    "lost": "hf:target.parts.2",
    "counter": "hf:key.counter.1",
    "pierce": "hf:key.pierce.1",
    "heavy": "hf:key.heavy.1",
    "vigilance": "hf:key.vigil.1",
    "undying": "hf:key.undying.1",
    "swift": "hf:key.swift.1",
}

#: The same of a card that has cards set on it, or several of a keyword.
OF_SEVERAL = {
    "power": "hf:card.set.4",
    "counter": "hf:key.counter.3",
    "pierce": "hf:key.pierce.2",
    "heavy": "hf:key.heavy.2",
}

#: What each occurrence makes go off (hf:key.auto.1 where the book has nothing narrower).
TRIGGERED = {
    "attack": ("hf:combat.attack.4", "hf:key.auto.1"),
    "defend": ("hf:combat.defend.2", "hf:key.auto.1"),
    "set": ("hf:field.set.2", "hf:key.auto.1"),
    "destroyed": ("hf:damage.char.3", "hf:key.auto.1"),
    "destroyed-by-damage": ("hf:damage.char.3", "hf:key.auto.1"),
    "destroyed-by-effect": ("hf:damage.char.3", "hf:key.auto.1"),
    "destroys": ("hf:damage.char.3", "hf:key.auto.1", "reading:hf/A33"),
    "turn-end": ("hf:turn.end.3", "hf:key.auto.1"),
    "damage-trigger": ("hf:key.trigger.1",),
    "vigilance": ("hf:key.vigil.1",),
    "pierce": ("hf:key.pierce.1",),
}


class Terms(texts.CardTerms):
    """The game as the shared effect code sees it."""

    def figure_rule(self, p: Position, number: int, key: str, value: Value) -> str:
        several = p.cards[number].attached if key == "power" else value not in (None, 1)
        if several and key in OF_SEVERAL:
            return OF_SEVERAL[key]
        return super().figure_rule(p, number, key, value)

    def lying(self, p: Position, place: str) -> Sequence[int]:
        """Guard cards set aside for damage are out of reach (reading:hf/A10)."""
        guard = zone_of(place) == "guard"
        return free_guard(p, seat_of(place)) if guard else p.zone(place)

    def effects(self, p: Position, number: int) -> Sequence[tuple[str, Effect]]:
        return figures.text_effects(p, number)

    def workplaces(self, p: Position) -> Iterator[int]:
        """Every card on the battlefield (hf:key.auto.4), set cards after their host."""
        for number in p.zones.get("battlefield", ()):
            yield number
            yield from p.cards[number].attached

    def figures(self, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
        return figures.figures(self, p)

    def permits(self, p: Position, run: Running, clause: Clause, number: int) -> bool:
        """A clause is done to cards that lie where it means something.

        What is destroyed already can't be aimed at any more (reading:hf/A11). A card set on another
        lies as that does, and is its owner's (card.set.2, field.set.1).
        """
        card = p.cards[number]
        if card.departing:
            return False
        if clause.do in TO_CHARACTERS:
            return figures.is_character(p, number)
        here = card.place == "battlefield"
        match clause.do:
            case "deploy":
                return not here and figures.facts(p, number).type == "character"
            case "move":
                return clause.place != "battlefield"
            case "rest" | "ready":
                return figures.is_character(p, number) or card.place.startswith("energy/")
            case "face-down":
                is_host = figures.is_character(p, number) or figures.is_world(p, number)
                return is_host and not card.host
        return here


TERMS = Terms(
    MANIFEST, figures.stock, {"": "battlefield", "deck": "main"}, WORDS, FIGURES, "hf:key.auto.5",
    targets_first=True,  # hf:target.auto.1; sentences stand alone: hf:target.parts.1
    keywords={effect.name: effect for effect in figures.KEYWORDS.values()},
    asked=figures.ASKED, facts=figures.facts,
)  # fmt: skip


# -- going off -------------------------------------------------------------------------------------


def sky_arms(p: Position, seat: int) -> str:
    """The sky-arms card whose effect a player has (hf:key.sky.2); empty if none."""
    for modifier in p.modifiers.values():
        if modifier.change.key == "sky-arms" and f"seat/{seat}" in modifier.targets:
            return str(modifier.change.value)
    return ""


def _sky_effects(p: Position, on: str) -> Iterator[Extra]:
    """The texts of the sky-arms in force, the turn player's first."""
    for seat in p.seats():
        for ref, effect in figures.printed_effects(p, sky_arms(p, seat)):
            if effect.zone == "sky" and effect.on == on:
                yield f"seat/{seat}", seat, ref, effect


def _cites(p: Position, ref: str, effect: Effect) -> tuple[str, ...]:
    """The rules by which a text goes off."""
    if ref in figures.KEYWORDS:
        return TRIGGERED[effect.name]
    if effect.zone == "sky":
        return ("hf:key.sky.2", f"card:{ref}")
    return (*TRIGGERED.get(effect.on, ("hf:key.auto.1",)), f"card:{ref}")


def _limit_reached(t: Table, source: Ref, run: Running) -> bool:
    """Whether a text that works once a turn has gone off in this one; now it does."""
    if used(t.pos, source, run.ref):
        return True
    use(t, source, run.ref, "hf:key.auto.1")
    return False


# -- carrying out ----------------------------------------------------------------------------------


def _resolve(t: Table, act: Pending) -> Play:
    this = act.source if isinstance(act.source, int) else 0
    run = running(t.pos, act, this)
    if this and not t.pos.present(this):
        t.end_act(act.id, "void", "hf:key.auto.4")
    elif act.effect == "keyword/pierce":
        yield from t.game.texts.keywords[act.effect](t, act)
    else:
        yield from perform(t, act, run)
    yield from TERMS.settle(t)


class Keyword(Running):
    """A keyword's text being carried out: cited by the rule that spells it out."""

    @property
    def text(self) -> str:
        return TRIGGERED[self.effect.name][0]


def running(p: Position, act: Pending, this: int) -> Running:
    """An act as something that is being carried out."""
    kind = Keyword if act.effect in figures.KEYWORDS else Running
    run = kind(act.id, act.effect, TERMS.effect(p, act.effect), this, act.seat, act.about)
    run.x = act.x
    return run


def perform(t: Table, act: Pending, run: Running, aims: Aims | None = None) -> Play:
    """Carry out an effect, part by part; void if all its parts lack their targets.

    Targets that were not named when it was declared (`aims`) are named first (hf:target.auto.1).
    """
    begins = RULES.get(act.kind, TRIGGERED.get(run.effect.name, ("hf:key.auto.1",)))
    yield from texts.perform(
        t, TERMS, run, *begins, done="hf:target.parts.2", void="hf:target.lost.1",
        declined="hf:key.auto.1", aims=aims,
    )  # fmt: skip


#: The rules by which a declared act is carried out.
RULES = {"play": ("hf:inter.lifo.1", "hf:card.command.1"), "activate": ("hf:inter.lifo.1",)}


#: What arose first comes first; of what arose together the turn player says which (hf:key.auto.3,
#: reading:hf/A32).
POLICY = Policy(group="oldest", orders="turn")


def _remove_destroyed(t: Table) -> Play:
    return (yield from t.game.texts.at_last(t))


TRIGGERS = Triggers(
    TERMS,
    POLICY,
    Book(
        cites=_cites,
        order="hf:key.auto.3",
        watched=lambda p: figures.stock(p).watched,
        carry_out=_resolve,
        used_up=_limit_reached,
        extra=_sky_effects,
        at_last=_remove_destroyed,
    ),
)
follow_up = TRIGGERS.follow_up
