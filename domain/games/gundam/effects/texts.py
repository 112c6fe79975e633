"""Chapter 9: when effects trigger, in which order they are resolved, and how one is carried out.

`TERMS` is what the shared effect code asks of this game. Effects that trigger wait in groups, one
for each effect, action or rule process done (reading:gcg/22), and are resolved in the order of
`POLICY` by the queue of all games (`kit.effects.triggers`). What single instructions do is in
`instructions`, rule processes are in `processes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from domain.effects.constant.calculator import barred
from domain.effects.constant.once import use, used
from domain.effects.constant.silence import in_force
from domain.effects.foresight.able import conditions_hold, needs_target
from domain.effects.interpreter import YES_NO
from domain.effects.language.vocabulary import Clause, Effect
from domain.effects.select import Exact, Running, members, works
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.editions import settings
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.prices import KEYS, has_texts, price
from domain.games.gundam.lists.cards import WIDE
from domain.games.gundam.manifest import MANIFEST
from domain.games.kit.effects import texts
from domain.games.kit.effects.triggers import Book, Extra, Policy, Triggers, recall
from domain.games.kit.zones.moves import Riders
from domain.record.decisions import Offer, Option
from domain.record.position import Card, Pending, Position, seat_of, zone_of
from domain.record.values import Ref, Value

T = TypeVar("T", bound="Printed")
ON_FIELD = ("battle", "base")
#: Where a card must lie that an instruction is done to, if not on the field; a Pilot beneath a Unit
#: is no such card.
PLACES = {
    "forbid": (*ON_FIELD, "shield"),
    "reduce": (*ON_FIELD, "shield"),
    "divert": (*ON_FIELD, "shield"),
    "rest": (*ON_FIELD, "resource"),
    "ready": (*ON_FIELD, "resource"),
    "damage": (*ON_FIELD, "shield"),
    "destroy": (*ON_FIELD, "shield", "resource"),
    "retarget": ("battle",),
    "battle": ("battle",),
    "pair-with": ("battle",),
}

#: The destination of a Pilot whose Unit leaves.
PILOTS = Riders(("gcg:6-5-2-3-4",), apart=("reading:gcg/24",))

#: The rules behind the words of the shared vocabulary.
WORDS: dict[str, tuple[str, ...]] = {
    "may": ("gcg:9-1-3",),
    "both": ("gcg:1-3-4",),
    "choose": ("gcg:9-3-3", "gcg:9-3-4"),
    "choose from deck": ("gcg:9-3-6", "gcg:9-3-3"),
    "condition": ("gcg:9-2-1",),
    "no target": ("gcg:9-3-3-1", "gcg:1-3-2", "reading:gcg/5"),
    "arrange": ("gcg:3-1-6",),
    "arrange in secret": ("gcg:3-1-7", "gcg:3-1-6"),
    "rest": ("gcg:9-3-1-4", "gcg:4-4-1-2"),
    "ready": ("gcg:9-3-1-4", "gcg:4-4-1-1"),
    "modify": ("gcg:9-3-1-4",),
    "gain": ("gcg:4-16-1",),
    "lose": ("gcg:9-3-1-4",),
    "forbid": ("gcg:9-3-1-4",),
    "allow": ("gcg:9-3-1-4", "gcg:1-3-1"),
    "move": ("gcg:9-3-1-4",),
    "impossible": ("gcg:1-3-2",),
    "too few": ("gcg:1-3-2",),
    "nothing asked": ("gcg:1-3-2-2",),
    "already": ("gcg:1-3-2-1",),
    "move removal": ("gcg:4-12-1", "gcg:4-12-2", "gcg:9-3-1-4"),
    "control": ("gcg:9-3-1-4",),
    "look": ("gcg:9-3-6",),
    "draw": ("gcg:4-14-2",),
    "shuffle": ("gcg:4-15-1",),
    "damage": ("gcg:4-5-3",),
    "recover": ("gcg:9-3-1-4",),
    "destroy": ("gcg:9-3-1-4",),
    "deploy": ("gcg:9-3-1-4",),
    "pair": ("gcg:6-5-2-3-1",),
    "pair-with": ("gcg:6-5-2-3-1",),
    "play": ("gcg:2-9-1",),
    "pay": ("gcg:2-9-1",),
    "token": ("gcg:9-3-1-4",),
    "ex-resource": ("gcg:9-3-1-4",),
    "retarget": ("gcg:7-6-1",),
    "battle": ("gcg@1.9:5-22-3",),
    "reduce": ("gcg@1.9:5-21-1",),
    "divert": ("gcg:9-3-1-4",),
    "lend": ("gcg:4-16-1",),
    "oblige": ("gcg:9-3-1-4", "gcg:1-3-1"),
    "discard": ("gcg:4-11-1",),
    "random": ("gcg:4-13-1",),
    "riders": PILOTS.cites,
    "riders of others": PILOTS.apart,
    "replaced": ("gcg:9-1-9-1", "gcg:9-1-9-1-1"),
    "replace which": ("reading:gcg/17", "gcg:9-1-9-1"),
    "limit": ("gcg:11-2-12-1",),
}

#: What each derived number is derived by.
FIGURES = {
    "ap": "gcg:2-6-1",
    "hp": "gcg:2-7-1",
    "lv": "gcg:2-8-1",
    "lost": "gcg:1-3-1",
    "linked": "gcg:2-11-3",
    "repair": "gcg:11-1-1-1",
    "breach": "gcg:11-1-2-1",
    "support": "gcg:11-1-3-1",
    "blocker": "gcg:11-1-4-1",
    "first-strike": "gcg:11-1-5-1",
    "suppression": "gcg@1.9:13-1-7-1",
    "lent": "gcg:4-16-1",
    "trait": "gcg:4-16-1",
    "high-maneuver": "gcg:11-1-6-1",
}
#: The same of a Unit that has the keyword itself, and was given more of it.
GIVEN_MORE = {"repair": "gcg:11-1-1-4", "breach": "gcg:11-1-2-6", "support": "gcg:11-1-3-3"}

#: What each occurrence triggers by (9-1-6-1 where the book has no keyword for it).
TRIGGERED = {
    "deploy": "gcg:11-2-6-1",
    "attack": "gcg:11-2-7-1",
    "destroyed": "gcg:11-2-8-1",
    "paired": "gcg:11-2-9-1",
    "burst": "gcg:11-2-5-1",
    "turn-start": "gcg:6-2-3-1",
    "turn-end": "gcg:6-6-3-1",
}

WHEN = "gcg:9-1-6-1"
#: The ways to say that a card was destroyed: such a text finds its card in the Trash (11-2-8-3).
DESTROYED = ("destroyed", "destroyed-by-damage", "destroyed-by-battle", "destroyed-by-effect")

#: Effects that keywords stand for, in the form of card texts (11-1-1-2, 11-1-2-2).
REPAIR = Effect(kind="triggered", name="repair", on="turn-end")
BREACH = Effect(kind="triggered", name="breach", on="destroys-unit")


class Printed(texts.CardTerms):
    """The game as the shared effect code sees it, but for what texts make of their card's price.

    So these texts see it themselves.
    """

    def figure_rule(self, p: Position, number: int, key: str, value: Value) -> str:
        own = figures.facts(p, number).keywords.get(key) if key in GIVEN_MORE else None
        more = own and value not in (None, own)
        return GIVEN_MORE[key] if more else super().figure_rule(p, number, key, value)

    def targets(self, p: Position) -> Exact | None:
        return settings(p).targets

    def fighting(self, p: Position) -> Sequence[Ref]:
        return [ref for ref in figures.battling(p) if isinstance(ref, int | str)]

    def attacked(self, p: Position) -> Ref | None:
        if p.attack is None or settings(p).first_target:
            return super().attacked(p)
        return p.attack.target

    def effects(self, p: Position, number: int) -> Sequence[tuple[str, Effect]]:
        return figures.text_effects(p, number)

    def workplaces(self, p: Position) -> list[int]:
        """Units and Bases on the field (9-1-2; Bases by 2-10-3), the turn player's first."""
        zones = p.zones
        found = [
            n for seat in p.seats() for place in figures.PLACES[seat] for n in zones.get(place, ())
        ]
        if settings(p).pilots_keep_texts:
            found += [n for seat in p.seats() for n in figures.apart(p, seat)]
        return found

    def leaning(self, p: Position) -> list[int]:
        """Those with such a text themselves, and those to which a Pilot or a text may lend one."""
        cards, steady = p.cards, figures.stock(p).steady
        lends = "lend" in figures.further_done(p)
        return [
            n for n in self.workplaces(p) if lends or cards[n].attached or cards[n].id in steady
        ]

    def figures(self, p: Position) -> Iterator[tuple[int, Mapping[str, Value]]]:
        return figures.figures(self, p)

    def picks_replacement(self, p: Position, subject: Ref) -> int:
        return p.cards[subject].owner if isinstance(subject, int) else seat_of(subject)

    def permits(self, p: Position, run: Running, clause: Clause, number: int) -> bool:
        """A clause is done to cards that lie where it means something.

        Units and Bases are deployed, Pilots (and Commands with a pilot effect) are paired, from
        anywhere but the field; nothing else gets a card onto it. Any card may be chosen for what
        follows.
        """
        card = p.cards[number]
        match clause.do:
            case "move":
                return clause.place not in ON_FIELD
            case "target":
                return True
            case "deploy" if clause.value:
                return zone_of(card.place) not in ON_FIELD
            case "deploy" | "play":
                return can_come(p, number, "deploy")
            case "pair":
                return can_come(p, number, "pair")
            case "command-text":
                return zone_of(card.place) == "trash" and can_come(p, number, "command")
            case "pair-with" if card.attached or barred(TERMS, p, number, "paired"):
                return False
        return zone_of(card.place) in PLACES.get(clause.do, ON_FIELD) and not card.host


def can_come(p: Position, number: int, do: str) -> bool:
    """Whether a card can be deployed, paired or used as a Command from where it lies."""
    if zone_of(p.cards[number].place) in ON_FIELD:
        return False
    print_ = figures.facts(p, number)
    if do == "deploy":
        return print_.type in ("unit", "base")
    if do == "command":
        return print_.type == "command"
    return print_.type == "pilot" or print_.pilot is not None


def _waits_for(p: Position, number: int, lies: Card, print_: object) -> list[str]:
    """The occurrences of its own that the texts of a card wait for, as far as it has them now.

    By what it is destroyed is no other mark than that it is.
    """
    texts = (effect for _, effect in in_force(TERMS, p, number) if effect.about is None)
    waiting = [effect.on for effect in texts if works(TERMS, p, number, effect)]
    return ["destroyed" if on.startswith("destroyed-by-") else on for on in waiting]


class Terms(Printed):
    """The game as the shared effect code sees it."""

    def attribute(self, p: Position, number: int, key: str) -> object:
        if key in KEYS and number in p.cards and has_texts(p, number):
            return getattr(price(PRINTED, p, number, played=False), key)
        return super().attribute(p, number, key)


def _terms(cls: type[T]) -> T:
    return cls(
        MANIFEST, figures.stock, {"": "battle"}, WORDS, FIGURES, "gcg:9-1-5-1",
        void_whole=True,  # 9-2-2
        asked={
            **figures.ASKED,
            "trait": lambda p, number, card, print_: figures.traits(TERMS, p, number, print_),
            "text": _waits_for,
        },
        numbered=("battle", "base"),
        wide=WIDE,
    facts=figures.facts,
        keywords={"repair": REPAIR, "breach": BREACH},
    )  # fmt: skip


PRINTED: Printed = _terms(Printed)
TERMS: Terms = _terms(Terms)


# -- triggering ------------------------------------------------------------------------------------


def rest(t: Table, cards: Sequence[int], *cites: str) -> tuple[int, ...]:
    """Rest those cards that are active (4-4-1-2), which can set effects off; which they were.

    To attack, block, support or pay, that is what an act asks for: it is done as it stands. Where
    a text tells to rest cards, something may be done instead (`instructions`).
    """
    with t.at_once():
        rested = t.turn(cards, *cites, orient="rested")
        t.set_off()
    return rested


def _cites(p: Position, ref: str, effect: Effect) -> tuple[str, ...]:
    """The rules by which a text triggers."""
    if effect is REPAIR:
        return ("gcg:11-1-1-1",)
    first: tuple[str, ...] = ()
    if effect.on == "paired" and effect.paired:
        first = ("gcg:11-2-9-2",)
    elif effect.on == "attack" and effect.about is not None:
        first = ("gcg:7-3-2",)
    rule = TRIGGERED.get(effect.on, WHEN) if effect.about is None else WHEN
    if settings(p).link_keywords:
        first = (*first, *_during(effect))
        rule = "gcg@1.9:13-2-11-1" if effect.on == "linked" and effect.about is None else rule
    return (*first, rule, f"card:{ref}")


def _during(effect: Effect) -> Iterator[str]:
    """The marks before a timing that narrow it (reading:gcg@1.9/14)."""
    if effect.paired is not None and effect.on != "paired":
        yield "gcg:11-2-10-2" if effect.paired else "gcg:11-2-10-1"
    if effect.linked and effect.on != "linked":
        yield "gcg@1.9:13-2-12-2"


def _limit_reached(t: Table, source: Ref, run: Running) -> bool:
    """11-2-12-1: whether a text that works once a turn has been activated in this one."""
    if not used(t.pos, source, run.ref):
        return False
    t.not_done("trigger", source, "limit", "gcg:11-2-12-1", run.text)
    return True


def _repairs(p: Position, on: str) -> Iterator[Extra]:
    """11-1-1: at the end of their player's turn, Repair triggers; damage is looked at later."""
    if on == "turn-end":
        for unit in p.zone("battle", p.turn_seat):
            if p.cards[unit].stats.get("repair"):
                yield unit, p.cards[unit].controller, f"{p.cards[unit].id}/repair", REPAIR


# -- resolving -------------------------------------------------------------------------------------


def acting(t: Table) -> int:
    """The card whose effect is being carried out, or has its costs met; 0: none."""
    if t.running.using:
        return t.running.using
    doing = [act.source for act in t.pos.pending.values() if act.resolving]
    return doing[-1] if doing and isinstance(doing[-1], int) else 0


def is_burst(p: Position, act: Pending) -> bool:
    """Whether it comes before all else (9-1-6-8)."""
    return TERMS.effect(p, act.effect).on == "burst"


def _all_repair(p: Position, acts: Sequence[Pending]) -> bool:
    return all(TERMS.effect(p, act.effect) is REPAIR for act in acts)


def _resolve(t: Table, act: Pending) -> Play:
    effect = TERMS.effect(t.pos, act.effect)
    assert isinstance(act.source, int)
    run = Running(act.id, act.effect, effect, act.source, act.seat, act.about)
    recall(t.pos, run)
    run.gone = _copy_in_trash(t.pos, act.source) if effect.on in DESTROYED else 0
    name = act.effect.partition("/")[2]
    if effect in (REPAIR, BREACH):
        yield from t.game.texts.keywords[name](t, act)
    elif effect.limit and used(t.pos, act.source, act.effect):
        t.end_act(act.id, "void", "gcg:11-2-12-1", run.text)
    elif effect.on == "burst":
        yield from _burst(t, act, run)
    elif _void(t, act, run):
        return
    elif effect.may and not (yield from _ask_may(t, run)):
        t.end_act(act.id, "declined", "gcg:9-1-3", run.text)
    else:
        yield from _activate(t, act, run)


def _copy_in_trash(p: Position, number: int) -> int:
    """11-2-8-3: the card of the Trash that a destroyed one has become, while it lies there."""
    now = p.card(number).now
    lies = p.present(now) and p.cards[now].place.startswith("trash/")
    return now if lies else 0


def _ask_may(t: Table, run: Running) -> Play:
    answer = yield from t.ask(
        run.seat, "may", YES_NO, "gcg:9-1-3", run.text, about=run.this, public=True
    )
    return answer.kind == "yes"


def perform(t: Table, act: Pending, run: Running) -> Play:
    """Activate an effect that was declared and carry it out (9-3-1), unless it is void."""
    if not _void(t, act, run):
        yield from _activate(t, act, run)


def _void(t: Table, act: Pending, run: Running) -> bool:
    """End an effect that is not activated: for a condition (9-2-1), or a target (9-2-2).

    What had to hold for an act to be declared has been looked at then, before it was paid for.
    """
    effect = run.effect if act.kind == "triggered" else replace(run.effect, when=[])
    if not conditions_hold(t, TERMS, run, effect):
        t.not_done("activate", run.this, "condition", "gcg:9-2-1", run.text)
        t.end_act(act.id, "void", "gcg:9-2-1", run.text)
    elif needs_target(t, TERMS, run, effect.do):
        t.end_act(act.id, "void", "gcg:9-2-2", run.text)
    elif effect.limit and settings(t.pos).limit_unused and _already(t, run, effect.do):
        t.not_done("activate", run.this, "already", "gcg:1-3-2-1", run.text)
        t.end_act(act.id, "void", "reading:gcg@1.9/18", "gcg:1-3-2-1", run.text)
    else:
        return False
    return True


def _already(t: Table, run: Running, clauses: Sequence[Clause]) -> bool:
    """Whether the only thing that a text does would bring about what is there already."""
    clause = clauses[0] if len(clauses) == 1 else None
    if clause is None or clause.choose is not None:
        return False
    group, itself = clause.to, run.itself(t.pos) if clause.on_itself else []
    numbers = itself if group is None else members(TERMS, t.pos, group, run)
    return bool(numbers) and all(clause.done_already(t, TERMS, number) for number in numbers)


def _activate(t: Table, act: Pending, run: Running) -> Play:
    if run.effect.limit:
        use(t, run.this, run.ref, "gcg:11-2-12-1")
    yield from texts.perform(
        t, TERMS, run, "gcg:9-3-1-3", done="gcg:9-3-1-4", void="gcg:9-2-2"
    )  # fmt: skip


def _burst(t: Table, act: Pending, run: Running) -> Play:
    """11-2-5: the shield's owner may activate it; then the card goes to the Trash if still here."""
    if _void(t, act, run):
        _to_trash(t, act, "destroyed", "gcg:4-10-3")
        yield from TERMS.settle(t)
        return
    offer = Offer((Option("burst", act.source), Option("decline", act.source)))
    answer = yield from t.ask(
        act.seat, "burst", offer, "gcg:11-2-5-2", run.text, about=act.source, public=True
    )
    if answer.kind == "decline":
        t.end_act(act.id, "declined", "gcg:11-2-5-3", run.text)
        _to_trash(t, act, "destroyed", "gcg:11-2-5-3", "gcg:4-10-3")
    else:
        yield from _activate(t, act, run)
        _to_trash(t, act, "burst", "gcg:4-10-3", "reading:gcg/8")
    yield from TERMS.settle(t)


def _to_trash(t: Table, act: Pending, why: str, *cites: str) -> None:
    """The card of a Burst that is over, unless it went elsewhere or has another one that waits."""
    card = act.source
    if any(is_burst(t.pos, other) and other.source == card for other in t.pos.waiting()):
        return
    if isinstance(card, int) and t.pos.present(card):
        t.move([card], f"trash/{t.pos.cards[card].owner}", why, *cites)


#: Bursts before all else (9-1-6-8), then the newest group (9-1-6-7), in it the turn player's first
#: (9-1-6-6), each player ordering his own (9-1-6-5). Several fitting events of one batch trigger
#: an effect once (9-1-6-3).
POLICY = Policy(
    group="newest",
    orders="own",
    before=lambda p, act: settings(p).bursts_first and not is_burst(p, act),
    classes=lambda p, act: not is_burst(p, act),
    once_a_moment=True,
)
TRIGGERS = Triggers(
    TERMS,
    POLICY,
    Book(
        cites=_cites,
        order="gcg:9-1-6-5",
        watched=lambda p: figures.stock(p).watched,
        carry_out=_resolve,
        waiting=figures.waiting,
        used_up=_limit_reached,
        extra=_repairs,
        no_matter=_all_repair,
    ),
)
follow_up = TRIGGERS.follow_up
