"""Card texts: what they mean here, and which of them wait.

`TERMS` is what the shared effect code asks of this game. What has triggered waits (`TRIGGERS`)
until the next timing at which effects are activated, and then becomes links of a chain: that is in
`flow.chain`. So `follow_up` lets the rules settle, and carries nothing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from domain.effects.constant.calculator import CONSTANT, towards
from domain.effects.language.vocabulary import Clause, Effect
from domain.effects.select import Running
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects import texts
from domain.games.kit.effects.texts import Named
from domain.games.kit.effects.triggers import NO_MORE, Book, Extra, More, Policy, Triggers
from domain.games.yugioh.effects import attributes, figures
from domain.games.yugioh.effects.figures import base
from domain.games.yugioh.effects.permitted import permitted
from domain.games.yugioh.effects.waiting import lately
from domain.games.yugioh.lists.instructions import INSTRUCTIONS
from domain.games.yugioh.lists.words import LINKS, PHASED, RESULTS, TIMES, WIDE
from domain.games.yugioh.manifest import MANIFEST
from domain.record.position import Card as Object
from domain.record.position import Pending, Position, zone_of
from domain.record.values import Ref, Value

#: The rules behind the words of the shared vocabulary.
WORDS = dict.fromkeys(INSTRUCTIONS, ("ygo:chain.resolve.1",)) | {
    **texts.by_rule("ygo:chain.resolve.1"),
    "may": ("ygo:golden.card.1",),
    "choose": ("ygo:golden.card.1",),
    "choose from deck": ("ygo:golden.card.1",),
    "choose fusion": ("ygo:fusion.choice.1",),
    "choose ritual": ("ygo:ritual.steps.2",),
    "lost target": ("ygo:base.target.1",),
    "no target": ("ygo:base.target.1",),
    "no target fusion": ("ygo:fusion.choice.3",),
    "no target ritual": ("ygo:ritual.steps.1",),
    "condition": ("ygo:golden.card.1",),
    "draw on": ("ygo:base.loss.2",),
    "replaced": ("ygo:golden.card.1",),
    "replace which": ("ygo:golden.card.1",),
    "limit": ("ygo:golden.card.1",),
    "constant": ("ygo:effect.continuous.1",),
    "defeat": ("ygo:base.loss.4",),
    "negate": ("ygo:base.negate.1",),
}
FIGURES = dict.fromkeys(
    ("atk", "def", "level", "hand-limit", "tributes", "name", "attacks", *figures.SWITCHES),
    "ygo:effect.continuous.1",
) | {"lost": "ygo:negate.activate.1"}
#: The same while it is what is printed.
PRINTED = dict.fromkeys(("atk", "def", "level"), "reading:ygo/A33")


#: `Pending.mode` of a card that is activated, rather than a text of one that lies there.
CARD = "card"
#: What is negated triggers and is activated all the same (ygo:negate.activate.1).
STILL = ("triggered", "activated", "command")


class Terms(texts.CardTerms):
    """The game as the shared effect code sees it."""

    def attribute(self, p: Position, number: int, key: str) -> object:
        if key in attributes.KEYS:
            return attributes.value(self, p, number, key)
        return figures.attribute(p, number, key)

    def figure_rule(self, p: Position, number: int, key: str, value: Value) -> str:
        """Printed values of a monster need no effect (reading:ygo/A33); face-down it has none."""
        if value is None and not p.cards[number].up:
            return "ygo:base.face.1"
        if value is None or value == figures.printed(p, number).get(key):
            return PRINTED.get(key) or super().figure_rule(p, number, key, value)
        return super().figure_rule(p, number, key, value)

    def effects(self, p: Position, number: int) -> Sequence[Named]:
        """A card's texts where it lies; those of a face-down one, or a Material, say nothing."""
        card, known = p.card(number), figures.stock(p)
        zone = zone_of(card.place)
        lies = zone in figures.FIELD
        if lies and (not card.up or figures.overlaid(p, number)):
            return ()
        if card.id in known.gemini and figures.dormant(p, number):
            return ()
        if not lies:
            return known.working(card.id, zone)
        at = "spell" if zone == "spell" and figures.equipped(p, number) else ""
        found = known.working(card.id, at)
        if card.attached or p.modifiers:
            return (*found, *self._lent(p, number))
        return found

    def _lent(self, p: Position, number: int) -> Iterator[Named]:
        """The texts that a monster was given: by what lies below it, by effects that last."""
        under = figures.stock(p).under
        for rider in p.card(number).attached:
            if p.card(rider).id in under:
                texts = figures.stock(p).effects(p.card(rider).id)
                yield from (one for one in texts if one[1].zone == figures.BELOW)
        for one in p.modifiers.values():
            if one.change.op == "lend" and number in one.targets:
                yield str(one.change.value), self.effect(p, str(one.change.value))

    def step(self, p: Position) -> str:
        return base(p)

    def lying(self, p: Position, place: str) -> Sequence[int]:
        """Traps that are monsters now are among the Spells and Traps that texts speak of."""
        found = p.zone(place)
        if not place.startswith("spell/"):
            return found
        monsters = p.zones.get(place.replace("spell", "monster"), ())
        return [*found, *(n for n in monsters if figures.trap_monster(p, n))]

    def workplaces(self, p: Position) -> Iterator[int]:
        """The face-up cards on the field, the turn player's first.

        What a battle has fixed as destroyed is not at work any more (ygo:battle.d5.3), and what is
        a link of the chain is not yet (ygo:base.spell.3).
        """
        for seat in p.seats():
            for zone in figures.FIELD:
                for number in p.zones.get(f"{zone}/{seat}", ()):
                    card = p.cards[number]
                    if card.up and not card.departing and not being_activated(p, number):
                        yield number

    def hides(self, p: Position, number: int) -> bool:
        """Of a face-down card on the field only how and where it lies can be asked."""
        return figures.on_field(p, number) and not p.cards[number].up

    def figures(self, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
        return figures.figures(self, p)

    def acts_by(self, p: Position, source: Ref) -> tuple[str, ...]:
        """Of a monster that a battle has turned up, its effects begin there (ygo:battle.d2.3)."""
        flipped = p.step == "damage/2" and p.attack is not None and p.attack.target == source
        if flipped:
            return ("ygo:battle.d2.3", *self.constant_cites)
        if p.step == "damage/4" and isinstance(source, int):
            return (_COUNTED["last" in _layers(self.effects(p, source))], *self.constant_cites)
        return (("ygo:battle.d6.1",) if p.step == "damage/6" else ()) + self.constant_cites

    def lapses_by(self, p: Position, sources: Iterable[Ref]) -> tuple[str, ...]:
        """They end as their card leaves or turns face down, or is fixed as destroyed."""
        found = dict.fromkeys(_lapse(p, source) for source in sources)
        return tuple(rule for rule in found if rule) or self.constant_cites

    def at_work(self, card: Object) -> bool:
        return card.up

    def leaning(self, p: Position) -> Iterable[int]:
        """While an effect is carried out no other begins to apply (ygo:effect.continuous.3).

        Nor does one as a battle fixes monsters as destroyed: what leans on that begins after damage
        calculation (ygo:battle.d6.1).
        """
        steady, lent = figures.stock(p).steady, lends(p)
        found = [
            number
            for number in self.workplaces(p)
            if lent or p.cards[number].id in steady or p.cards[number].attached
        ]
        if not found or not (any(act.resolving for act in p.pending.values()) or _fixing(p)):
            return found
        begun = {one.source for one in p.modifiers.values() if one.until == CONSTANT}
        return [number for number in found if number in begun]

    def permits(self, p: Position, run: Running, clause: Clause, number: int) -> bool:
        return permitted(self, p, run, clause, number)

    def unaffected(self, p: Position, number: int, by: Ref, do: str = "") -> bool:
        """Whether a text keeps a monster from the effects of a card; it may be equipped with it."""
        if (
            number == by
            or do in ("equip", "bind")
            or not isinstance(by, int)
            or not figures.on_field(p, number)
        ):
            return False
        shields = (one for one in p.modifiers.values() if one.change.key == "affected")
        return any(
            number in one.targets and towards(self, p, one.change, number, by) for one in shields
        )


def being_activated(p: Position, number: int) -> bool:
    """Whether a card was activated, and its turn in the chain has not come."""
    return bool(p.pending) and any(
        act.source == number and act.mode == CARD for act in p.declared()
    )


def lends(p: Position) -> bool:
    """Whether some card was given texts by an effect that lasts."""
    return any(one.change.op == "lend" for one in p.modifiers.values())


#: By which rule what begins as damage is calculated does: last of all what sets figures.
_COUNTED = ("ygo:battle.d3.4", "ygo:battle.d3.5")


def _layers(effects: Sequence[Named]) -> set[str]:
    """The layers of figures in which constant texts count."""
    constant = (effect for _, effect in effects if effect.kind == "constant")
    return {c.layer or "" for effect in constant for c in effect.do}


def _fixing(p: Position) -> bool:
    """Whether a battle has just fixed monsters as destroyed, without results yet."""
    if p.step != "damage/4":
        return False
    lying = (number for seat in (0, 1) for number in p.zones.get(f"monster/{seat}", ()))
    return any(p.cards[number].departing for number in lying)


def _lapse(p: Position, source: Ref) -> str:
    """Why the effects of a card that lay face up on the field have ended; empty: it lies there."""
    if not isinstance(source, int) or not figures.on_field(p, source) or not p.cards[source].up:
        return "ygo:effect.continuous.4"
    return "ygo:battle.d5.3" if p.cards[source].departing == "battle" else ""


TERMS = Terms(
    MANIFEST, figures.stock, {"": "monster", "trash": "grave", "player": "seat"}, WORDS, FIGURES,
    "ygo:effect.continuous.3", wide=WIDE, still=STILL,
    named=("cause", "attacker", "attacked", "foe"), numbered=figures.FIELD,
)  # fmt: skip


#: The mark of an act that is about several cards at once: all but the first.
ALSO = "also"


class Waiting(Triggers):
    """Effects that have triggered; none is carried out before it is a link of a chain.

    A negated text triggers all the same (ygo:negate.activate.1): whether it is negated is looked at
    when its link is carried out; of what is done without a chain (`waiting.applied`), now.
    """

    def occur(self, t: Table, on: str, number: int, cause: int, more: More = NO_MORE) -> None:
        if on not in (*TIMES, *LINKS):
            lately.note(t, self.terms, on, number)
        super().occur(t, on, number, cause, more)

    def time(self, t: Table, on: str) -> None:
        """As a time comes that no text of the match waits for, nothing is set off."""
        if on in figures.stock(t.pos).heard:
            super().time(t, on)

    def watchers(self, p: Position) -> Iterable[int]:
        return watching(p)

    def joins(self, t: Table, watcher: int, ref: str, number: int) -> bool:
        """A text that has triggered on another card in this moment is about both."""
        for act in t.pos.waiting():
            if (act.source, act.effect, act.moment) == (watcher, ref, t.moment):
                also = as_marked([*marked(t.pos, act.id), number])
                t.mark(f"act/{act.id}", ALSO, also, "ygo:effect.trigger.1", f"card:{ref}")
                return True
        return False

    def may_trigger(self, p: Position, effect: Effect, source: Ref, about: Ref) -> bool:
        """A text that answers a link is set off where players may answer it (`flow.chain`)."""
        return not answers_links(effect)

    def overtake(self, t: Table, *cites: str) -> None:
        """Triggers of a cost, a Tribute or Materials are not what has happened last.

        Optional effects that say *when* miss their timing after anything else (ygo:base.missed.1);
        those whose timing is a phase or the result of the battle do not.
        """

        def late(act: Pending) -> bool:
            return _misses(t.pos, act) and self.terms.effect(t.pos, act.effect).on not in _KEPT

        self.drop(t, late, "missed", *cites, "ygo:base.missed.1", "reading:ygo/A5")

    def resolve(self, t: Table, after: int = 0) -> Play:
        return
        yield


def as_marked(numbers: Sequence[int]) -> str:
    """Cards as a mark lists them."""
    return " ".join(map(str, numbers))


def marked(p: Position, act: int) -> list[int]:
    """The cards that an act is about beside the first."""
    return [int(number) for number in str(p.mark(f"act/{act}", ALSO) or "").split()]


def watching(p: Position) -> Iterator[int]:
    """The cards whose texts wait for what befalls others: on the field, or in the open."""
    yield from TERMS.workplaces(p)
    for seat in (0, 1):
        for zone in figures.OPEN:
            yield from (n for n in p.zones.get(f"{zone}/{seat}", ()) if p.cards[n].up)


def answers_links(effect: Effect) -> bool:
    """Whether it is a mandatory effect that answers a link."""
    return effect.kind == "triggered" and effect.on in LINKS


#: Timings that are kept after anything in between.
_KEPT = frozenset({*PHASED, *RESULTS})


def _elsewhere(p: Position, on: str) -> Iterator[Extra]:
    """The texts that wait for a time where their cards lie in the open, but not on the field."""
    if on not in figures.stock(p).heard_elsewhere:
        return
    for seat in (p.turn_seat, p.rival(p.turn_seat)):
        for zone in figures.OPEN:
            for number in p.zones.get(f"{zone}/{seat}", ()):
                if p.cards[number].up:
                    for ref, effect in TERMS.effects(p, number):
                        if effect.on == on:
                            yield number, seat, ref, effect


def _misses(p: Position, act: Pending) -> bool:
    """Optional effects that say *when* miss their timing, no others (ygo:base.missed.1)."""
    return TERMS.effect(p, act.effect).misses


#: By which rule a text triggers on an occurrence, if one is narrower than that of all triggers.
_TRIGGERS_BY = {
    "flip": "ygo:effect.flip.1",
    "battle": "ygo:battle.d1.1",
    "inflicts": "ygo:battle.d7.1",
    "fought": "ygo:battle.d8.1",
    "falls": "ygo:battle.d8.1",
    "fells": "ygo:battle.d8.1",
    "battle-over": "ygo:battle.d9.2",
    "beaten": "ygo:battle.d9.2",
    "beats": "ygo:battle.d9.2",
}


def _cites(p: Position, ref: str, effect: Effect) -> tuple[str, ...]:
    """The rules by which a text triggers; what is constant does what it does, and triggers not."""
    if effect.kind == "constant":
        return ("ygo:effect.continuous.1", *effect.cites, f"card:{ref}")
    return (_TRIGGERS_BY.get(effect.on, "ygo:effect.trigger.1"), *effect.cites, f"card:{ref}")


def _never(t: Table, act: Pending) -> Play:
    raise AssertionError("links carry texts out")
    yield


TRIGGERS = Waiting(
    TERMS,
    Policy(group="all", orders="own", once_a_moment=True, misses=_misses),
    Book(
        cites=_cites,
        order="ygo:order.choice.1",
        once_more=("reading:ygo/A42",),
        watched=lambda p: figures.stock(p).watched,
        extra=_elsewhere,
        carry_out=_never,
        missed=("ygo:chain.resolve.6", "ygo:base.missed.1"),
    ),
)
follow_up = TRIGGERS.follow_up
