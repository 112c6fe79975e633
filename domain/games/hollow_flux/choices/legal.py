"""The checks of acts, as the table in `acts` lists them, each with its narrowest rule."""

from __future__ import annotations

from collections.abc import Iterator

from domain.effects.conditions import may_hold
from domain.effects.constant.calculator import barred, barring, texts
from domain.effects.constant.once import used
from domain.effects.constant.silence import silencing
from domain.effects.language.vocabulary import Effect
from domain.effects.select import fits, works
from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.hollow_flux.choices.play import aims_of, cost_pool, hosts, payable
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.figures import facts
from domain.games.hollow_flux.effects.texts import TERMS
from domain.games.hollow_flux.flow.windows import WINDOW
from domain.games.hollow_flux.lists.cards import Card
from domain.games.kit.choices.legality import Check, asked, refuse
from domain.games.kit.effects.texts import meant
from domain.record.decisions import Act, Misfit
from domain.record.position import Position, seat_of, zone_of
from domain.record.values import Ref
from domain.words.phrases import Phrase, phrase

#: Decisions that may be open while nothing is being carried out (reading:hf/A1).
OPEN = frozenset({"energy", "main", "window", "defend", "continue", "discard", "lift"})
#: Zones whose fronts are kept from some, and the rule that keeps them.
NO_LOOK = {
    "energy": "hf:energy.hidden.1",
    "main": "hf:prep.main.2",
    "guard": "hf:prep.guard.2",
    "damage": "hf:damage.player.2",
    "additional": "hf:key.sky.7",
    "hand": "reading:hf/A17",
}


# -- when ------------------------------------------------------------------------------------------


def asking(p: Position) -> tuple[str, int]:
    """The present or next question, and its seat: a kind of decision and a seat."""
    if p.decision is not None:
        return p.decision.kind, p.decision.seats[0]
    seat = WINDOW.priority(p).seat if p.step == "window" else p.turn_seat
    return p.step, seat


def resolving(p: Position) -> bool:
    """Whether something is being carried out: nothing may be declared, no extra draw cuts in."""
    if p.decision is None or not p.turn:
        return False
    return p.decision.kind not in OPEN or any(act.resolving for act in p.pending.values())


def _nothing_answerable(p: Position) -> Refusal:
    """Why nothing can be answered now."""
    acts = [act for act in p.pending.values() if act.resolving and act.kind == "triggered"]
    if acts and TERMS.effect(p, acts[-1].effect).on == "damage-trigger":
        return refuse("a damage trigger can't be answered", "hf:key.trigger.3", "hf:play.when.1")
    if acts or any(True for _ in p.waiting()):
        return refuse("an automatic ability can't be answered", "hf:key.auto.2", "hf:play.when.1")
    return refuse("something is being carried out", "hf:play.when.1")


def instead(t: Table) -> Phrase:
    """The present question in words, added to the refusal of another act."""
    question = asked(t)
    return phrase("; what is asked: {asked}", asked=question) if question else question


def main_or_window(main: str, window: str) -> Check:
    """In one's own main phase with nothing pending, or holding a window (hf:play.when.1)."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        p = t.pos
        if not p.turn:
            return refuse("the game has not begun", "hf:setup.order.1")
        kind, whose = asking(p)
        if kind == "window":
            if seat != whose:
                return refuse("the interruption timing is the other player's", window)
            return None
        if resolving(p):
            return _nothing_answerable(p)
        if kind != "main":
            text = "only in your main phase or in an interruption timing{instead}"
            return refuse(text, main, instead=instead(t))
        if seat != p.turn_seat:
            return refuse("it is the other player's main phase", main)
        return None

    return check


def own_main(*rules: str) -> Check:
    """Only the turn player, only in his main phase, and with nothing pending (reading:hf/A3)."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        p = t.pos
        kind, _ = asking(p)
        if seat != p.turn_seat:
            return refuse("it is the other player's turn", *rules)
        if kind != "main":
            pending = ("reading:hf/A3",) if kind == "window" else ()
            text = "only in your main phase, with nothing pending{instead}"
            return refuse(text, *rules, *pending, instead=instead(t))
        return None

    return check


# -- playing cards ---------------------------------------------------------------------------------


def in_reach(t: Table, seat: int, act: Act) -> Refusal | None:
    """A card of one's hand, or of one's guard deck as though it were there."""
    p = t.pos
    there = isinstance(act.card, int) and p.present(act.card)
    if not there or act.card not in (*p.zone("hand", seat), *p.zone("guard", seat)):
        return refuse(
            "that card is neither in your hand nor in your guard deck", "hf:prep.guard.4"
        ).of_wrong_card()
    return None


def art_matched(t: Table, seat: int, act: Act) -> Refusal | None:
    """A secret-art card needs a matching card on the battlefield or face up in the guard deck."""
    p = t.pos
    assert isinstance(act.card, int)
    wanted = facts(p, act.card).art
    if wanted is None:
        return None
    own = [n for n in TERMS.workplaces(p) if p.cards[n].controller == seat]
    own += [n for n in p.zone("guard", seat) if p.cards[n].up]
    if any(fits(TERMS, p, number, wanted) for number in own):
        return None
    return refuse("no matching card of yours is in sight", "hf:key.secret.3", "reading:hf/A9")


def aimable(t: Table, seat: int, act: Act) -> Refusal | None:
    """All targets that it needs at declaration must be there to be named."""
    p = t.pos
    assert isinstance(act.card, int)
    print_ = facts(p, act.card)
    if print_.type == "set" and not hosts(p, seat, print_.host):
        return refuse("there is nothing to set it on", *set_rules(print_))
    if print_.type != "command":
        return None
    run = meant(figures.printed_effects(p, print_.id), "command", act, seat)
    if run is None:
        return refuse("it has no such effect", "hf:target.command.1")
    if any(len(pool) < part.low for part, pool in aims_of(t, run)):
        return refuse("there is nothing it could target", "hf:target.command.1")
    return None


def set_rules(print_: Card) -> tuple[str, ...]:
    """By which rules a set card has the hosts it has: its own words first."""
    own = ("hf:card.set.3", f"card:{print_.id}") if print_.host is not None else ()
    return (*own, "hf:target.set.1")


def affordable(t: Table, seat: int, act: Act) -> Refusal | None:
    """As much energy as it costs (hf:energy.pay.1)."""
    assert isinstance(act.card, int)
    return _energy(t.pos, seat, facts(t.pos, act.card).cost, "hf:play.cost.1")


def _energy(p: Position, seat: int, price: int, *rules: str) -> Refusal | None:
    has = len(payable(p, seat))
    if has < price:
        text = "it costs {price}, and {has} can be paid"
        return refuse(text, "hf:energy.pay.1", *rules, price=price, has=has)
    return None


# -- using abilities -------------------------------------------------------------------------------


def in_play(t: Table, seat: int, act: Act) -> Refusal | None:
    """It is one of one's own cards on the battlefield (hf:card.char.4, hf:key.act.2)."""
    p = t.pos
    if not isinstance(act.card, int) or not p.present(act.card):
        return refuse("there is no such card", "hf:card.char.4")
    card = p.cards[act.card]
    if card.place != "battlefield":
        return refuse(
            "its text works on the battlefield only", "hf:card.char.4", "hf:card.char.1"
        ).of_wrong_card()
    if card.host:
        return refuse("its host has that ability", "hf:card.set.5")
    if card.controller != seat:
        lent = any(ref == act.effect for ref, _ in figures.text_effects(p, act.card))
        rules = ("hf:field.set.3",) if lent and act.effect not in _own(p, act.card) else ()
        return refuse("it is not your card", *rules, "hf:key.act.2", "hf:field.ctrl.2")
    if asking(p)[0] == "window" and figures.is_world(p, act.card):
        text = "in an interruption timing only abilities of characters are used"
        return refuse(text, "hf:inter.act.2", "reading:hf/A8")
    return None


def _own(p: Position, number: int) -> set[str]:
    return {ref for ref, _ in figures.printed_effects(p, p.cards[number].id)}


def usable(t: Table, seat: int, act: Act) -> Refusal | None:
    """It has the ability, its condition holds, there are targets, everything can be paid."""
    p = t.pos
    assert isinstance(act.card, int)
    run = meant(figures.text_effects(p, act.card), "activated", act, seat)
    if run is None:
        return refuse("it has no such ability", "hf:key.act.1")
    if lost := [*silencing(TERMS, p, act.card, run.ref, "activated")]:
        return refuse("it has lost that ability", *texts(lost), "hf:key.act.1")
    effect = run.effect
    if not works(TERMS, p, act.card, effect) or not may_hold(TERMS, p, effect.when, run):
        return refuse("its condition is not met", "hf:key.act.1")
    if effect.limit and used(p, act.card, run.ref):
        return refuse("it was used this turn", run.text, "hf:key.act.1")
    if any(len(pool) < part.low for part, pool in aims_of(t, run)):
        return refuse("there is nothing it could target", "hf:target.act.1", "reading:hf/A22")
    for objection in _costs(p, seat, act.card, effect):
        return objection
    return None


def _costs(p: Position, seat: int, card: int, effect: Effect) -> Iterator[Refusal]:
    several = ("hf:key.act.7",) if len(effect.cost) > 1 else ()
    for cost in effect.cost:
        n = 0 if cost.x else cost.n
        has = len(cost_pool(p, seat, cost, card))
        match cost.do:
            case "rest" if p.cards[card].orient != "active":
                yield refuse("it is not active", "hf:key.act.4", *several)
            case "pay" if has < n:
                text, rules = "it costs {price}, and {has} can be paid", ("hf:energy.pay.1",)
                yield refuse(text, *rules, "hf:key.act.3", *several, price=n, has=has)
            case "carnage" if has < n:
                text = "it costs {price} carnage, and the damage field has {has}"
                rules = ("hf:carn.cost.1", "hf:key.act.5", *several)
                yield refuse(text, *rules, price=n, has=has)
            case "discard" | "trash" if has < n and (cost.do == "discard" or cost.of is not None):
                yield refuse("what it asks for can't be done", "hf:key.act.6", *several)


# -- attack and defence ----------------------------------------------------------------------------


def _own_character(p: Position, seat: int, act: Act, text: str) -> Refusal | None:
    """It is a character of one's own; `text` says what only characters do."""
    if not isinstance(act.card, int) or not figures.is_character(p, act.card):
        world = isinstance(act.card, int) and figures.is_world(p, act.card)
        rules = (*(("hf:card.world.3",) if world else ()), "hf:card.char.1")
        return refuse(text, *rules).of_wrong_card()
    if p.cards[act.card].controller != seat:
        return refuse("it is not your character", "hf:field.ctrl.2")
    return None


def _refused_by_text(p: Position, number: int, what: str, text: str) -> Refusal:
    """A prohibition of a card text is refused by that text."""
    return refuse(text, *texts(barring(TERMS, p, number, what)), "hf:key.auto.5")


def attacker(t: Table, seat: int, act: Act) -> Refusal | None:
    """An active character of one's own attacks (hf:combat.attack.3)."""
    p = t.pos
    if objection := _own_character(p, seat, act, "only a character attacks"):
        return objection
    assert isinstance(act.card, int)
    card = p.cards[act.card]
    if barred(TERMS, p, act.card, "attack"):
        return _refused_by_text(p, act.card, "attack", "an effect says it can't attack")
    if card.orient != "active":
        return refuse("it is asleep", "hf:combat.attack.3")
    return None


def attack_targets(t: Table, seat: int) -> Iterator[Ref]:
    """The opponent, and opposing characters that sleep (hf:combat.attack.5)."""
    p, rival = t.pos, t.pos.rival(seat)
    yield f"seat/{rival}"
    for number in figures.characters(p, rival):
        if p.cards[number].orient == "asleep":
            yield number


def no_target(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
    """Why an attack may not be on what was picked (hf:combat.attack.5)."""
    p = t.pos
    target: Ref = act.picks[0][0] if act.picks and len(act.picks[0]) == 1 else ""
    if isinstance(target, int) and p.present(target):
        if figures.is_world(p, target):
            text = "a world set can't be attacked"
            return refuse(text, "hf:combat.attack.5", "hf:card.world.3", fault="BAD_PICKS")
        if figures.is_character(p, target) and p.cards[target].controller != seat:
            return refuse("it is active", "hf:combat.attack.5", fault="BAD_PICKS")
    text = "one target: the opponent, or one sleeping character of his"
    return refuse(text, "hf:combat.attack.5", fault="BAD_PICKS")


def defender(t: Table, seat: int, act: Act) -> Refusal | None:
    """An active character of the attacked player defends (hf:combat.defend.1)."""
    p = t.pos
    if p.attack is None or p.step != "attack/defence":
        return refuse(
            "there is nothing to defend against", "hf:combat.defend.1", "hf:inter.defend.1"
        )
    if seat == p.turn_seat:
        return refuse("only the attacked player defends", "hf:combat.defend.1")
    if objection := _own_character(p, seat, act, "only a character defends"):
        return objection
    assert isinstance(act.card, int)
    card = p.cards[act.card]
    if card.orient != "active":
        return refuse("it is asleep", "hf:combat.defend.1")
    if p.card(p.attack.attacker).stats.get("swift") and not card.stats.get("swift"):
        return refuse("the attacker is swift", "hf:key.swift.1", "reading:hf/A24")
    if barred(TERMS, p, act.card, "defend"):
        return _refused_by_text(p, act.card, "defend", "an effect says it can't defend")
    return None


# -- the rest --------------------------------------------------------------------------------------


def extra_draw(t: Table, seat: int, act: Act) -> Refusal | None:
    """At any time, unless something is being carried out."""
    p = t.pos
    if not p.turn:
        return refuse("the game has not begun", "hf:carn.draw.1")
    if resolving(p):
        return refuse("not while something is being carried out", "hf:carn.draw.2", "reading:hf/A1")
    if act.card not in p.zone("damage", seat):
        return refuse("that card is not in your damage field", "hf:carn.draw.1")
    return None


def nothing_resolves(t: Table, seat: int, act: Act) -> Refusal | None:
    """A text is declared while nothing is being carried out."""
    if not t.pos.turn:
        return refuse("the game has not begun", "hf:turn.main.1")
    return _nothing_answerable(t.pos) if resolving(t.pos) else None


def peek(t: Table, seat: int, act: Act) -> Refusal | None:
    """Looking is no act: who may look sees it in his view. Refusals name the rule."""
    p, place = t.pos, str(act.card)
    zone = zone_of(place)
    rule = NO_LOOK.get(zone)
    if rule is None:
        return None
    if zone in ("energy", "main") or seat_of(place) != seat:
        return refuse("its fronts are not for you to see", rule)
    if zone == "additional" and resolving(p):
        return refuse("not while something is being carried out", rule)
    return None
