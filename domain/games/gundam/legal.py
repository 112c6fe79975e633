"""What may be done, and which rule forbids the rest.

`refusal` is the one judge: an act is looked at by the checks of its kind, in the order in which a
judge would ask, and the first that objects names the narrowest rule. `offers` is made of the acts
it lets pass, `allows` says by which rule they are allowed; `timing` says when anything may be done.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.effects.able import needs_target
from domain.effects.constant import CONSTANT, allowed, barred, barring, permitting, texts
from domain.effects.select import Running, may_hold, works
from domain.effects.vocabulary import Effect
from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.gundam import cards as catalogue
from domain.games.gundam import figures
from domain.games.gundam.effects import TERMS
from domain.games.gundam.figures import facts
from domain.games.gundam.timing import (
    answering,
    ending,
    idle,
    in_action_step,
    next_in_line,
    nothing_waits,
    own_main,
    passing,
    priority,
)
from domain.games.kit.legality import Check, Judge, asked, at, declaration, never, refuse
from domain.record.decisions import Act, Misfit
from domain.record.events import Ref
from domain.record.position import Position, seat_of, zone_of

OWN_ORDER = {"removal": "gcg:3-7-2-1", "hand": "gcg:3-8-2", "trash": "gcg:3-9-2-1"}
NO_ORDER = {"deck": "gcg:3-2-2", "resource-deck": "gcg:3-3-2", "shield": "gcg:3-6-4-1"}
NO_LOOK = {**NO_ORDER, "hand": "gcg:3-8-3"}
#: Which rule says where a card's text works, by its type.
WORKS = {"unit": ("gcg:2-10-2",), "pilot": ("gcg:2-10-2",), "base": ("gcg:2-10-3",)}


def _timing(t: Table, seat: int, act: Act) -> Refusal | None:
    """Commands and activated effects, at the timing they state (9-1-8-1, 11-2-1 to 11-2-4)."""
    p = t.pos
    effect = _effect(p, act)
    if effect is None:
        return refuse("it has no such effect", "gcg:9-1-7-1")
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


def _effect(p: Position, act: Act) -> Effect | None:
    if not isinstance(act.card, int) or not p.present(act.card):
        return None
    in_play = p.cards[act.card].place.partition("/")[0] in ("battle", "base")
    named = (
        figures.text_effects(p, act.card)
        if in_play
        else figures.printed_effects(p, facts(p, act.card).id)
    )
    kind = "command" if act.kind == "command" else "activated"
    fitting = [e for ref, e in named if e.kind == kind and act.effect in ("", ref)]
    timing = "action" if in_action_step(p) else "main"
    return next((e for e in fitting if timing in e.at), fitting[0] if fitting else None)


def _in_hand(t: Table, seat: int, act: Act) -> Refusal | None:
    p = t.pos
    if not isinstance(act.card, int) or act.card not in p.zone("hand", seat):
        return refuse("that card is not in your hand", "gcg:4-7-1")
    return None


def _of_type(rule: str, *types: str) -> Check:
    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        assert isinstance(act.card, int)
        if facts(t.pos, act.card).type not in types:
            return refuse(f"only a {' or '.join(types)} card can be used so", rule)
        return None

    return check


def _pilotable(t: Table, seat: int, act: Act) -> Refusal | None:
    assert isinstance(act.card, int)
    print_ = facts(t.pos, act.card)
    if print_.type != "pilot" and print_.pilot is None:
        return refuse("it is no Pilot", "gcg:4-9-1")
    return None


def _not_in_action_step(t: Table, seat: int, act: Act) -> Refusal | None:
    if in_action_step(t.pos):
        return refuse("no card is paired in an Action Step", "gcg:11-2-4-2-2")
    return None


def _level(t: Table, seat: int, act: Act) -> Refusal | None:
    p = t.pos
    assert isinstance(act.card, int)
    needed, has = facts(p, act.card).lv, len(p.zone("resource", seat))
    if has < needed:
        return refuse(f"Lv {needed} needs that many resources, and there are {has}", "gcg:2-8-1")
    return None


def _cost(t: Table, seat: int, act: Act) -> Refusal | None:
    assert isinstance(act.card, int)
    return _affordable(t.pos, seat, facts(t.pos, act.card).cost, "gcg:2-9-1")


def _affordable(p: Position, seat: int, price: int, *rules: str) -> Refusal | None:
    has = sum(p.cards[number].orient == "active" for number in p.zone("resource", seat))
    if has < price:
        return refuse(f"it costs {price}, and {has} resources are active", *rules)
    return None


def _host(t: Table, seat: int, act: Act) -> Refusal | None:
    p = t.pos
    units = p.zone("battle", seat)
    if not units:
        return refuse("there is no Unit to pair it with", "gcg:6-5-2-3-1")
    if all(p.cards[unit].attached for unit in units):
        return refuse("every Unit has a Pilot already", "gcg:6-5-2-3-3")
    return None


def _has_target(t: Table, seat: int, act: Act) -> Refusal | None:
    assert isinstance(act.card, int)
    effect = _effect(t.pos, act)
    assert effect is not None
    ref = act.effect or f"{facts(t.pos, act.card).id}/{effect.name}"
    run = Running(0, ref, effect, act.card, seat, 0)
    if effect.kind == "command" and not may_hold(TERMS, t.pos, effect.when, run):
        return refuse("its condition is not met", "gcg:9-2-1", "gcg:9-3-1-1")
    if needs_target(t, TERMS, run, effect.do):
        rule = "gcg:9-1-8-1-1" if effect.kind == "command" else "gcg:9-2-2"
        return refuse("there is nothing for it to target", rule)
    return None


def _works_here(t: Table, seat: int, act: Act) -> Refusal | None:
    """Texts work from the field: Units and Pilots in the Battle Area, Bases in the Base Section."""
    p = t.pos
    if not isinstance(act.card, int) or not p.present(act.card):
        return refuse("there is no such card", "gcg:9-1-2")
    card = p.cards[act.card]
    if card.controller != seat:
        return refuse("it is not yours", "gcg:9-1-7-1")
    if card.place not in (f"battle/{seat}", f"base/{seat}"):
        seen = card.seen & 1 << seat  # of one that is hidden from him, its place alone tells
        narrow = WORKS.get(facts(p, act.card).type, ()) if seen else ()
        return refuse("its text works on the field only", *narrow, "gcg:9-1-2")
    return None


def _conditions(t: Table, seat: int, act: Act) -> Refusal | None:
    """Everything before the colon can be done (9-1-7-2 to 9-1-7-4), and not twice (11-2-12-1)."""
    p = t.pos
    effect = _effect(p, act)
    assert effect is not None
    assert isinstance(act.card, int)
    ref = act.effect or f"{facts(p, act.card).id}/{effect.name}"
    if effect.limit and p.mark(act.card, f"used:{ref}") == p.turn:
        return refuse("once per turn, and it was activated already", "gcg:11-2-12-1")
    if barred(TERMS, p, act.card, "activate"):
        return _said(p, act.card, "activate", "an effect says it cannot", "gcg:9-2-3")
    for cost in effect.cost:
        if cost.do == "rest" and p.cards[act.card].orient != "active":
            return refuse("it is rested already", "gcg:1-3-2-1", "gcg:9-1-7-2")
    run = Running(0, ref, effect, act.card, seat, 0)
    if not works(TERMS, p, act.card, effect) or not may_hold(TERMS, p, effect.when, run):
        return refuse("its condition is not met", "gcg:9-2-1")
    several = ("gcg:9-1-7-4",) if len(effect.cost) > 1 else ()
    return _affordable(p, seat, price(effect), "gcg:9-1-7-3", *several)


def _said(p: Position, number: int, act: str, text: str, rule: str) -> Refusal:
    """What a card text forbids is refused by that text."""
    return refuse(text, *texts(barring(TERMS, p, number, act)), rule)


def _over(p: Position, number: int, act: str) -> str:
    """Why a text that forbids prevails: over the book, or over a text that would have it done."""
    permits = [one.until for one in permitting(TERMS, p, number, act)]
    if not permits:
        return "gcg:1-3-1"
    bars = [one.until for one in barring(TERMS, p, number, act)]
    return "gcg:9-1-5-6" if CONSTANT in permits and CONSTANT in bars else "gcg:1-3-3"


def _supporter(t: Table, seat: int, act: Act) -> Refusal | None:
    p = t.pos
    if not isinstance(act.card, int) or act.card not in p.zone("battle", seat):
        return refuse("that is no Unit of yours", "gcg:11-1-3-1")
    card = p.cards[act.card]
    if not card.stats.get("support"):
        return refuse("it has no Support", "gcg:11-1-3-1")
    if card.orient != "active":
        return refuse("it is rested already", "gcg:11-1-3-1", "gcg:1-3-2-1")
    if len(p.zone("battle", seat)) < 2:
        return refuse("there is no other friendly Unit", "gcg:11-1-3-2", "gcg:9-2-2")
    return None


def _attacker(t: Table, seat: int, act: Act) -> Refusal | None:
    p = t.pos
    if not isinstance(act.card, int) or act.card not in p.zone("battle", seat):
        return refuse("that is no Unit in your Battle Area", "gcg:7-3-1")
    card = p.cards[act.card]
    if barred(TERMS, p, act.card, "attack"):
        rule = _over(p, act.card, "attack")
        return _said(p, act.card, "attack", "an effect says it cannot attack", rule)
    if card.orient != "active":
        return refuse("it is rested", "gcg:7-3-1")
    if card.came == p.turn and not card.stats.get("linked"):
        return refuse("it came this turn and is no Link Unit", "gcg:2-11-4")
    if any(True for _ in attack_targets(t, seat, act.card)):
        return None
    return _target(t, seat, act.card, f"seat/{p.rival(seat)}")


def _target(t: Table, seat: int, unit: int, target: Ref) -> Refusal | None:
    p = t.pos
    rival = p.rival(seat)
    if target == f"seat/{rival}":
        if barred(TERMS, p, unit, "attack-player"):
            text = "an effect says it cannot attack the player"
            return _said(p, unit, "attack-player", text, _over(p, unit, "attack-player"))
        return None
    if not isinstance(target, int) or target not in p.zone("battle", rival):
        return refuse("only the opposing player or an opposing Unit can be attacked", "gcg:6-5-4-1")
    if p.cards[target].orient == "rested":
        return None
    if allowed(TERMS, p, unit, "attack-target", target):
        return None  # card text over the book: 1-3-1
    return refuse("only a rested Unit can be attacked", "gcg:7-3-1")


def _blocker(t: Table, seat: int, act: Act) -> Refusal | None:
    p = t.pos
    attack = p.attack
    if attack is None or p.step != "attack/block":
        late = attack is not None and attack.defender
        return refuse("only in the Block Step", "gcg:7-4-2" if late else "gcg:7-4-1")
    if seat == p.turn_seat:
        return refuse("only the attacked player blocks", "gcg:7-4-1")
    if not isinstance(act.card, int) or act.card not in p.zone("battle", seat):
        return refuse("that is no Unit in your Battle Area", "gcg:7-4-1")
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
        return _said(p, act.card, "block", "an effect says it cannot block", "gcg:9-2-3")
    if card.orient != "active":
        return refuse("it is rested", "gcg:7-4-1")
    return None


def _redraw_once(t: Table, seat: int, act: Act) -> Refusal | None:
    p = t.pos
    if p.mark(f"seat/{seat}", "redrawn"):
        return refuse("the hand may be redrawn once", "gcg:5-2-1-6")
    decision = p.decision
    if decision is None or decision.kind != "redraw":
        return refuse("only before the game", "gcg:5-2-1-6")
    if seat not in decision.seats:
        return refuse(
            "the first player decides first",
            "gcg:5-2-1-7" if not p.mark(f"seat/{seat}", "first") else "gcg:5-2-1-6",
        )
    return None


def _peek(t: Table, seat: int, act: Act) -> Refusal | None:
    place = str(act.card)
    rule = NO_LOOK.get(zone_of(place))
    mine = zone_of(place) == "hand" and seat_of(place) == seat
    return None if rule is None or mine else refuse("nobody may look there", rule)


def _reorder(t: Table, seat: int, act: Act) -> Refusal | None:
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


MAIN = own_main("gcg:6-5-1")

#: What is asked of each kind of act, in this order.
CHECKS: dict[str, tuple[Check, ...]] = {
    "deploy": (
        nothing_waits, MAIN, _in_hand, _of_type("gcg:4-8-1", "unit", "base"), _level, _cost,
    ),
    "pair": (
        nothing_waits, _not_in_action_step, MAIN, _in_hand, _pilotable,
        _host, _level, _cost,
    ),
    "command": (
        nothing_waits, _in_hand, _of_type("gcg:9-1-8-1", "command"), _timing, _level, _cost,
        _has_target,
    ),
    "activate": (nothing_waits, _works_here, _timing, _conditions, _has_target),
    "support": (nothing_waits, own_main("gcg:11-1-3-1"), _supporter),
    "attack": (nothing_waits, own_main("gcg:7-1"), _attacker),
    "end": (ending,),
    "block": (nothing_waits, _blocker),
    "no-block": (at("block", "gcg:7-4-4", "there is nothing to block"),),
    "pass": (passing,),
    "redraw": (_redraw_once,),
    "keep": (at("redraw", "gcg:5-2-1-6", "it is not yours to keep or redraw now"),),
    "first": (at("turn-order", "gcg:5-2-1-4", "the choice is not yours"),),
    "second": (at("turn-order", "gcg:5-2-1-4", "the choice is not yours"),),
    "burst": (answering("burst", "gcg:9-1-6-2", "no Burst has been turned up for you"),),
    "decline": (answering("burst", "gcg:11-2-5-3", "there is no Burst to decline"),),
    "yes": (answering("may", "gcg:9-1-3", "nothing is asked of you"),),
    "no": (answering("may", "gcg:9-1-3", "it must be done"),),
    "choose": (answering("target", "gcg:9-3-3", "there is nothing for you to choose now"),),
    "order": (answering("arrange", "gcg:3-1-6", "there is nothing for you to put in order"),),
    "resolve": (next_in_line,),
    "mode": (answering("mode", "gcg:9-3-3", "there is no way to choose"),),
    "discard": (answering("discard", "gcg:4-11-1", "there is nothing for you to discard"),),
    "trash": (at("excess", "gcg:10-4-2", "no room is to be made"),),
    "declare": (
        declaration(TERMS.effect, catalogue.declaration_faults, idle),
    ),
    "unpair": (never("gcg:6-5-2-3-3-1", "a Pilot can't be detached at will"),),
    "swap": (never("gcg:6-5-2-3-3-1", "a Pilot can't be exchanged at will"),),
    "trigger": (never("gcg:9-1-6-2", "it triggers by itself or not at all"),),
    "look": (_peek,),
    "reorder": (_reorder,),
    "unknown": (never("house:named", "say which card it is, and what is done with it"),),
    "concede": (),
}  # fmt: skip

#: What is wrong with the picks of a part, by part and fault ("" for any fault).
PARTS: dict[tuple[str, str], tuple[str, str]] = {
    ("pay", ""): ("pay with exactly the cost, from your active resources", "gcg:2-9-1"),
    ("host", ""): ("one Unit of your Battle Area without a Pilot", "gcg:6-5-2-3-1"),
    ("support", ""): ("one other friendly Unit", "gcg:11-1-3-2"),
    ("trash", ""): ("exactly as many Units as are over the limit", "gcg:10-4-2"),
    ("discard", ""): ("exactly as many cards of your hand as are asked for", "gcg:6-6-4-1"),
    ("order", ""): ("every card once, in the order you want", "gcg:3-1-6"),
    ("mode", ""): ("one of the ways the text gives", "gcg:9-3-3"),
    ("text", ""): ("a list of clauses, as JSON", "house:declared"),
    ("", "too few"): ("as many as possible must be chosen", "gcg:9-3-4"),
    ("", "too many"): ("no more than the text says", "gcg:9-3-4"),
    ("", "repeated"): ("each at most once", "gcg:9-3-4"),
    ("", "unknown pick"): ("what the text specifies, and nothing else", "gcg:9-3-3"),
}


def _not_asked(t: Table, seat: int, act: Act) -> Refusal:
    """Legal as such, but not what is being asked now."""
    decision = t.pos.decision
    if decision is not None and seat not in decision.seats:
        return refuse(f"the other player is to decide first: {asked(t)}", "gcg:1-3-4")
    if decision is not None and decision.kind in ("main", "action"):
        right = "gcg:8-4" if seat == t.pos.turn_seat else "gcg:8-3"
        return refuse("that is not possible now", "gcg:6-5-1" if decision.kind == "main" else right)
    return refuse(f"something else is asked: {asked(t)}", "gcg:6-5-1", "gcg:6-1-3")


def _bad_pick(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
    p = t.pos
    picked = [ref for pick in act.picks for ref in pick]
    if misfit.part == "target" and isinstance(act.card, int) and act.picks and act.picks[0]:
        objection = _target(t, seat, act.card, act.picks[0][0])
        if objection is not None:
            return objection
    if misfit.part == "host" and any(
        isinstance(n, int) and p.present(n) and p.cards[n].attached for n in picked
    ):
        return refuse("that Unit has a Pilot already", "gcg:6-5-2-3-3", fault="BAD_PICKS")
    text, rule = (
        PARTS.get((misfit.part, "")) or PARTS.get(("", misfit.fault)) or PARTS["", "unknown pick"]
    )
    # none is no number
    if misfit.fault == "too few" and not picked and misfit.part not in ("pay", "host", "target"):
        return refuse(text, rule, "gcg:1-3-5", "reading:gcg/6", fault="BAD_PICKS")
    if misfit.part == "discard" and p.step != "end/hand":
        rule = "gcg:9-3-4"
    return refuse(text, rule, fault="BAD_PICKS")


def attack_targets(t: Table, seat: int, unit: int) -> Iterator[Ref]:
    """Whom a Unit may attack: the opposing player, and opposing Units that are rested (7-3-1)."""
    rival = t.pos.rival(seat)
    targets: list[Ref] = [f"seat/{rival}", *t.pos.zone("battle", rival)]
    for target in targets:
        if _target(t, seat, unit, target) is None:
            yield target


def price(effect: Effect) -> int:
    """The cost points before an effect's colon."""
    return sum(cost.n for cost in effect.cost if cost.do == "pay")


def _unfit(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
    if misfit.fault == "which effect":
        return refuse("say which of its effects", "gcg:9-3-1-2", fault="BAD_PICKS")
    return _bad_pick(t, seat, act, misfit) if misfit.part else _not_asked(t, seat, act)


#: Why not, by the narrowest rule; `forbidden` leaves the picks aside.
JUDGE = Judge(CHECKS, _unfit, over="gcg:1-2-1", seats="gcg:1-1-1", unknown="gcg:6-5-1")
forbidden, refusal = JUDGE.forbidden, JUDGE.refusal
