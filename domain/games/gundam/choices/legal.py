"""The checks of acts, as the table in `acts` lists them, each with its narrowest rule.

`timing` has those that say when anything may be done.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from domain.effects.conditions import all_hold, may_hold
from domain.effects.constant.calculator import (
    CONSTANT,
    allowed,
    barred,
    barring,
    obliging,
    permitting,
    texts,
)
from domain.effects.constant.once import used
from domain.effects.constant.silence import silencing
from domain.effects.foresight.able import needs_target
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Running, works
from domain.engine.rulebook import Refusal
from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.gundam.choices import costs
from domain.games.gundam.choices.timing import in_action_step, priority, timing
from domain.games.gundam.editions import settings
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.figures import facts
from domain.games.gundam.effects.prices import Price, asks_of_host, price, running, ways
from domain.games.gundam.effects.texts import ON_FIELD, PRINTED, TERMS
from domain.games.gundam.lists.cards import ELSEWHERE
from domain.games.kit.choices import legality
from domain.games.kit.choices.legality import refuse
from domain.games.kit.effects.texts import meant
from domain.record.decisions import Act
from domain.record.position import Modifier, Position, seat_of, zone_of
from domain.record.values import Ref

OWN_ORDER = {"removal": "gcg:3-7-2-1", "hand": "gcg:3-8-2", "trash": "gcg:3-9-2-1"}
NO_ORDER = {"deck": "gcg:3-2-2", "resource-deck": "gcg:3-3-2", "shield": "gcg:3-6-4-1"}
NO_LOOK = {**NO_ORDER, "hand": "gcg:3-8-3"}
#: The act of attacking in the turn in which a Unit came.
AT_ONCE = "attack-at-once"
#: Which rule says where a card's text works, by its type.
WORKS = {"unit": ("gcg:2-10-2",), "pilot": ("gcg:2-10-2",), "base": ("gcg:2-10-3",)}


def stated_timing(t: Table, seat: int, act: Act) -> Refusal | None:
    """Commands and activated effects, at the timing they state (9-1-8-1, 11-2-1 to 11-2-4)."""
    p = t.pos
    run = _intended(p, seat, act)
    if run is None:
        return refuse("it has no such effect", "gcg:9-1-7-1").of_wrong_card()
    effect = run.effect
    command = effect.kind == "command"
    if in_action_step(p):
        if "action" not in effect.at and p.step.startswith("attack/") and not command:
            return refuse("not while a Unit is attacking", "gcg:11-2-1-1-1", "gcg:11-2-1-1")
        if "action" not in effect.at:
            return refuse("not in an Action Step", "gcg:11-2-3-2" if command else "gcg:11-2-1-1")
        return priority(t, seat, act)
    if p.step != "main" or seat != p.turn_seat:
        if "main" not in effect.at:
            return refuse("only in an Action Step", "gcg:11-2-4-2" if command else "gcg:11-2-2-1")
        if p.step.startswith("attack/") and not command:
            return refuse("not while a Unit is attacking", "gcg:11-2-1-1-1")
        amid = ("reading:gcg/13",) if p.attack is not None and seat == p.turn_seat else ()
        rule = "gcg:11-2-3-2" if command else "gcg:11-2-1-1"
        return refuse("only in your own Main Phase", rule, *amid)
    if "main" not in effect.at:
        return refuse("only in an Action Step", "gcg:11-2-4-2" if command else "gcg:11-2-2-1")
    return None


def _intended(p: Position, seat: int, act: Act) -> Running | None:
    """The Command or activated effect that an act means, rather one for now."""
    card = act.card
    if not isinstance(card, int) or not p.present(card):
        return None
    here, kind = timing(p), "command" if act.kind == "command" else "activated"
    in_play = zone_of(p.cards[card].place) in (*ON_FIELD, *ELSEWHERE)
    named = figures.text_effects if in_play else figures.own_effects
    if kind == "command" and act.effect in ways(p, card):
        act = replace(act, effect="")
    return meant(named(p, card), kind, act, seat, lambda effect: here in effect.at)


#: A card of his hand is revealed.
in_hand = legality.in_hand("gcg:4-7-1")


of_type = partial(legality.of_type, facts)


def pilotable(t: Table, seat: int, act: Act) -> Refusal | None:
    """A Pilot, or a Command with a pilot effect (4-9-1)."""
    assert isinstance(act.card, int)
    print_ = facts(t.pos, act.card)
    if print_.type != "pilot" and print_.pilot is None:
        return refuse("it is no Pilot", "gcg:4-9-1").of_wrong_card()
    return None


def not_in_action_step(t: Table, seat: int, act: Act) -> Refusal | None:
    """Nothing is paired in an Action Step (11-2-4-2-2)."""
    if in_action_step(t.pos):
        return refuse("no card is paired in an Action Step", "gcg:11-2-4-2-2")
    return None


def level_reached(t: Table, seat: int, act: Act) -> Refusal | None:
    """As many resources as its Lv (2-8-1)."""
    p = t.pos
    assert isinstance(act.card, int)
    needed, has = price_of(p, act).lv, len(p.zone("resource", seat))
    if has < needed:
        text = "Lv {needed} needs that many resources, and there are {has}"
        return refuse(text, "gcg:2-8-1", *settings(p).steps[1], needed=needed, has=has)
    return None


def affordable(t: Table, seat: int, act: Act) -> Refusal | None:
    """As many active resources as its cost (2-9-1)."""
    assert isinstance(act.card, int)
    cost = price_of(t.pos, act).cost
    return _affordable(t.pos, seat, cost, "gcg:2-9-1", *settings(t.pos).steps[2])


def price_of(p: Position, act: Act) -> Price:
    """The Lv and the cost of a card as an act plays it."""
    assert isinstance(act.card, int)
    return price(PRINTED, p, act.card, act.effect)


def way_open(t: Table, seat: int, act: Act) -> Refusal | None:
    """The way to play it that is chosen is there, and what that asks for."""
    p, card = t.pos, act.card
    assert isinstance(card, int)
    if not act.effect or act.effect not in ways(p, card):
        command = act.kind == "command"  # which says in `stated_timing` which of its effects it has
        return (
            None
            if not act.effect or command
            else refuse("it has no such effect", "gcg:9-1-7-1").of_wrong_card()
        )
    effect = TERMS.effect(p, act.effect)
    run = running(act.effect, effect, card, seat)
    if asks_of_host(effect):
        if act.kind != "pair" or not hosts(p, seat, card, act.effect):
            return refuse("there is no Unit with which it is played so", run.text)
    elif not may_hold(TERMS, p, effect.when, run):
        return refuse("its condition is not met", "gcg:9-2-1", run.text)
    return costs.lacking(t, run)


def hosts(p: Position, seat: int, card: int, way: str = "") -> tuple[int, ...]:
    """The Units without a Pilot that a card may be paired with: in a `way`, those that it asks for.

    What a text makes cheaper with some of them is not played with those at its usual price.
    """
    alone = (unit for unit in p.zone("battle", seat) if not p.cards[unit].attached)
    free = [unit for unit in alone if unpairable(p, unit) is None]
    asking = [(ref, TERMS.effect(p, ref)) for ref in ways(p, card)]
    meant = [one for one in asking if asks_of_host(one[1]) and (one[0] == way or not one[1].cost)]
    if way and not any(ref == way for ref, _ in meant):
        return tuple(free)
    return tuple(
        unit
        for unit in free
        if any(
            all_hold(TERMS, p, effect.when, running(ref, effect, card, seat, unit))
            for ref, effect in meant
            if ref == way or not way
        )
        == bool(way)
    )


def _affordable(p: Position, seat: int, price: int, *rules: str) -> Refusal | None:
    has = sum(p.cards[number].orient == "active" for number in p.zone("resource", seat))
    if has < price:
        text = "it costs {price}, and {has} resources are active"
        return refuse(text, *rules, price=price, has=has)
    return None


def free_host(t: Table, seat: int, act: Act) -> Refusal | None:
    """There is a Unit without a Pilot (6-5-2-3)."""
    p = t.pos
    units = p.zone("battle", seat)
    if not units:
        return refuse("there is no Unit to pair it with", "gcg:6-5-2-3-1")
    if all(p.cards[unit].attached for unit in units):
        return refuse("every Unit has a Pilot already", "gcg:6-5-2-3-3")
    free = [unit for unit in units if not p.cards[unit].attached]
    if all(unpairable(p, unit) for unit in free):
        return unpairable(p, free[0])
    assert isinstance(act.card, int)
    if not act.effect and not hosts(p, seat, act.card):
        return refuse("say in which way it is played", "gcg:9-3-1-2")
    return None


def unpairable(p: Position, unit: int) -> Refusal | None:
    """Why a text keeps a Unit from being paired, if one does."""
    if not barred(TERMS, p, unit, "paired"):
        return None
    return _refused_by_text(p, unit, "paired", "an effect says it can't be paired", "gcg:1-3-1")


def has_target(t: Table, seat: int, act: Act) -> Refusal | None:
    """A Command's condition is met, and a text that targets finds something (9-2-1, 9-2-2)."""
    run = _intended(t.pos, seat, act)
    assert run is not None
    effect = run.effect
    if effect.kind == "command" and not may_hold(TERMS, t.pos, effect.when, run):
        return refuse("its condition is not met", "gcg:9-2-1", "gcg:9-3-1-1")
    if needs_target(t, TERMS, run, effect.do):
        parts = settings(t.pos).targets and any(one.join != "sentence" for one in effect.do)
        of_command = "gcg@1.9:10-1-8-1-2" if parts else "gcg:9-1-8-1-1"
        rule = of_command if effect.kind == "command" else "gcg:9-2-2"
        return refuse("there is nothing for it to target", rule)
    return None


def works_here(t: Table, seat: int, act: Act) -> Refusal | None:
    """Texts work from the field: Units and Pilots in the Battle Area, Bases in the Base Section."""
    p = t.pos
    if not isinstance(act.card, int) or not p.present(act.card):
        return refuse("there is no such card", "gcg:9-1-2")
    card = p.cards[act.card]
    if card.controller != seat:
        return refuse("it is not yours", "gcg:9-1-7-1")
    here = (f"battle/{seat}", f"base/{seat}")
    if card.place not in here and act.card not in figures.apart(p, seat):
        # Of one that is hidden from him, or that nobody has named, its place alone tells.
        known = card.seen & 1 << seat and not unknown(p, act.card)
        narrow = WORKS.get(facts(p, act.card).type, ()) if known else ()
        return refuse("its text works on the field only", *narrow, "gcg:9-1-2").of_wrong_card()
    return None


def conditions(t: Table, seat: int, act: Act) -> Refusal | None:
    """Everything before the colon can be done (9-1-7-2 to 9-1-7-4), and not twice (11-2-12-1)."""
    p, run = t.pos, _intended(t.pos, seat, act)
    assert run is not None
    assert isinstance(act.card, int)
    effect = run.effect
    if effect.limit and used(p, act.card, run.ref):
        return refuse("once per turn, and it was activated already", "gcg:11-2-12-1")
    if lost := [*silencing(TERMS, p, act.card, run.ref, effect.kind)]:
        return refuse("it has lost that text", *texts(lost), "gcg:1-3-1")
    if barred(TERMS, p, act.card, "activate"):
        return _refused_by_text(p, act.card, "activate", "an effect says it cannot", "gcg:9-2-3")
    if too_few := costs.lacking(t, run):
        return too_few
    if not works(TERMS, p, act.card, effect) or not may_hold(TERMS, p, effect.when, run):
        return refuse("its condition is not met", "gcg:9-2-1")
    several = ("gcg:9-1-7-4",) if len(effect.cost) > 1 else ()
    return _affordable(p, seat, points(effect), "gcg:9-1-7-3", *several)


def _refused_by_text(p: Position, number: int, act: str, text: str, rule: str) -> Refusal:
    """A prohibition of a card text is refused by that text."""
    return refuse(text, *texts(barring(TERMS, p, number, act)), rule)


def _prevailing_rule(p: Position, number: int, act: str) -> str:
    """Why a text that forbids prevails: over the book, or over a text that would have it done."""
    permits = [one.until for one in permitting(TERMS, p, number, act)]
    if not permits:
        return "gcg:1-3-1"
    bars = [one.until for one in barring(TERMS, p, number, act)]
    return "gcg:9-1-5-6" if CONSTANT in permits and CONSTANT in bars else "gcg:1-3-3"


def supporter(t: Table, seat: int, act: Act) -> Refusal | None:
    """An active Unit with Support, and another friendly one (11-1-3)."""
    p = t.pos
    if not isinstance(act.card, int) or act.card not in p.zone("battle", seat):
        return refuse("that is no Unit of yours", "gcg:11-1-3-1").of_wrong_card()
    card = p.cards[act.card]
    if not card.stats.get("support"):
        return refuse("it has no Support", "gcg:11-1-3-1").of_wrong_card()
    if card.orient != "active":
        return refuse("it is rested already", "gcg:11-1-3-1", "gcg:1-3-2-1")
    if len(p.zone("battle", seat)) < 2:
        return refuse("there is no other friendly Unit", "gcg:11-1-3-2", "gcg:9-2-2")
    return None


def attacker(t: Table, seat: int, act: Act) -> Refusal | None:
    """An active Unit that may attack somebody (7-3-1, 2-11-4)."""
    p = t.pos
    if not isinstance(act.card, int) or act.card not in p.zone("battle", seat):
        return refuse("that is no Unit in your Battle Area", "gcg:7-3-1").of_wrong_card()
    card = p.cards[act.card]
    if barred(TERMS, p, act.card, "attack"):
        rule = _prevailing_rule(p, act.card, "attack")
        return _refused_by_text(p, act.card, "attack", "an effect says it cannot attack", rule)
    if card.orient != "active":
        return refuse("it is rested", "gcg:7-3-1")
    safe = attackable(t, seat, act.card, f"seat/{p.rival(seat)}")
    if safe is None or any(True for _ in attack_targets(t, seat, act.card)):
        return None
    return safe


def attackable(t: Table, seat: int, unit: int, target: Ref) -> Refusal | None:
    """Why a Unit may not attack a target; None if it may (7-3-1), or even must."""
    found = _barred_target(t, seat, unit, target)
    wanted = {} if found is not None else _wanted_targets(t, seat, unit)
    if not wanted or target in wanted:
        return found
    duties = texts(one for duty in wanted.values() for one in duty)
    return refuse("an effect says that it attacks another Unit", *duties, "gcg:1-3-1")


def _wanted_targets(t: Table, seat: int, unit: int) -> dict[int, list[Modifier]]:
    """The targets of which texts say that it attacks one if it can, and these texts.

    What lasts for a time goes before what constant texts say (published answer Q289).
    """
    p = t.pos
    if not any(one.change.op == "oblige" for one in p.modifiers.values()):
        return {}
    duties = {
        target: duty
        for target in p.zone("battle", p.rival(seat))
        if (duty := obliging(TERMS, p, target, "attacked", unit))
        and _barred_target(t, seat, unit, target) is None
    }
    pressing = {
        target: [one for one in duty if one.until != CONSTANT] for target, duty in duties.items()
    }
    return {target: duty for target, duty in pressing.items() if duty} or duties


def _barred_target(t: Table, seat: int, unit: int, target: Ref) -> Refusal | None:
    """Why a Unit may not attack a target, whatever others there are."""
    p = t.pos
    rival = p.rival(seat)
    if is_new(p, unit) and not at_once(p, unit, target):
        return refuse("it came this turn and is no Link Unit", *settings(p).newcomer, "gcg:2-11-4")
    if target == f"seat/{rival}":
        if barred(TERMS, p, unit, "attack-player"):
            text = "an effect says it cannot attack the player"
            return _refused_by_text(
                p, unit, "attack-player", text, _prevailing_rule(p, unit, "attack-player")
            )
        return None
    if not isinstance(target, int) or target not in p.zone("battle", rival):
        return refuse("only the opposing player or an opposing Unit can be attacked", "gcg:6-5-4-1")
    if p.cards[target].orient == "rested":
        return None
    if allowed(TERMS, p, unit, "attack-target", target):
        return None  # card text over the book: 1-3-1
    return refuse("only a rested Unit can be attacked", "gcg:7-3-1")


def is_new(p: Position, unit: int) -> bool:
    """Whether a Unit came this turn and is no Link Unit, which may attack at once (2-11-4)."""
    card = p.cards[unit]
    return card.came == p.turn and not card.stats.get("linked")


def at_once(p: Position, unit: int, target: Ref) -> bool:
    """Whether a text lets a new Unit attack a target; one that names cards lets it no player."""
    if isinstance(target, int):
        return allowed(TERMS, p, unit, AT_ONCE, target)
    return any(one.change.against is None for one in permitting(TERMS, p, unit, AT_ONCE))


def blocker(t: Table, seat: int, act: Act) -> Refusal | None:
    """An active Blocker in the Block Step, one in each attack (7-4)."""
    p = t.pos
    attack = p.attack
    if attack is None or p.step != "attack/block":
        late = attack is not None and attack.defender
        return refuse("only in the Block Step", "gcg:7-4-2" if late else "gcg:7-4-1")
    if seat == p.turn_seat:
        return refuse("only the attacked player blocks", "gcg:7-4-1")
    if not isinstance(act.card, int) or act.card not in p.zone("battle", seat):
        return refuse("that is no Unit in your Battle Area", "gcg:7-4-1").of_wrong_card()
    if attack.defender:
        return refuse("one block in each attack", "gcg:7-4-2")
    card = p.cards[act.card]
    if not card.stats.get("blocker"):
        return refuse("it has no Blocker", "gcg:7-4-1")
    if act.card in (attack.declared, attack.target):
        return refuse("the attack was or is on it", "gcg:7-4-3")
    if p.cards[attack.attacker].stats.get("high-maneuver"):
        return refuse("the attacker has High-Maneuver", "gcg:11-1-6-1")
    if barred(TERMS, p, act.card, "block"):
        return _refused_by_text(p, act.card, "block", "an effect says it cannot block", "gcg:9-2-3")
    if card.orient != "active":
        return refuse("it is rested", "gcg:7-4-1")
    return None


def peek(t: Table, seat: int, act: Act) -> Refusal | None:
    """Looking is no act: who may look sees it in his view. Refusals name the rule."""
    place = str(act.card)
    rule = NO_LOOK.get(zone_of(place))
    mine = zone_of(place) == "hand" and seat_of(place) == seat
    return None if rule is None or mine else refuse("no player may look there", rule)


def reorder(t: Table, seat: int, act: Act) -> Refusal | None:
    """Every card of an area of one's own once, where its order may be changed."""
    place = str(act.card)
    zone = zone_of(place)
    if zone in NO_ORDER:
        return refuse("its order may not be changed", NO_ORDER[zone])
    if zone not in OWN_ORDER:
        return refuse("there is no order to change", "gcg:3-1-4")
    if seat_of(place) != seat:
        return refuse("only its own player reorders it", OWN_ORDER[zone])
    picks = act.picks[0] if act.picks else ()
    if sorted(map(str, picks)) != sorted(map(str, t.pos.zone(place))):
        return refuse("name every card of it once", OWN_ORDER[zone], fault="BAD_PICKS")
    return None


def attack_targets(t: Table, seat: int, unit: int) -> Iterator[Ref]:
    """Whom a Unit may attack: the opposing player, and opposing Units that are rested (7-3-1)."""
    rival = t.pos.rival(seat)
    targets: list[Ref] = [f"seat/{rival}", *t.pos.zone("battle", rival)]
    for target in targets:
        if attackable(t, seat, unit, target) is None:
            yield target


def points(effect: Effect) -> int:
    """The cost points before an effect's colon."""
    return sum(cost.n for cost in effect.cost if cost.do == "pay")
