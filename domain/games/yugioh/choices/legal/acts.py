"""The checks of acts of the Main Phase or the Battle Step, each with its narrowest rule.

What forbids activating is in `legal.effects`. Checks that look at no card come first (`when`).
"""

from __future__ import annotations

from domain.effects.constant.calculator import barring, numeric, permitting, texts
from domain.engine.rulebook import Refusal
from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.kit.choices.legality import Check, asked, refuse
from domain.games.yugioh.choices import attacks
from domain.games.yugioh.choices.activate import phase
from domain.games.yugioh.choices.summons import summon
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.field.places import room
from domain.games.yugioh.effects.figures import facts, goes_to_field_zone
from domain.games.yugioh.effects.summons import tributes
from domain.games.yugioh.effects.summons.materials import OVERLAID
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.lists.words import DECLARING, OBLIGED
from domain.games.yugioh.manifest import DEFENCE
from domain.record.decisions import Act, Misfit
from domain.record.position import Frame, Modifier, Position

MAIN = ("main1", "main2")


# -- when ------------------------------------------------------------------------------------------


def open_to(*steps: str, rule: str) -> Check:
    """Only the turn player, in one of these steps, with nothing open (ygo:base.open.1)."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        p = t.pos
        if not p.turn or seat != p.turn_seat:
            return refuse("it is not your turn", "ygo:base.open.1", rule)
        if p.step in steps:
            return None
        if phase(p) in {step.partition("/")[0] for step in steps}:
            found = asked(t)
            return refuse("something else comes first: {asked}", "ygo:chain.window.1", asked=found)
        return refuse("not in this phase", rule)

    return check


def leads_back(frame: Frame) -> bool:
    """Whether steps go on in a frame, a chain or a Summon, and lead back to the one before it."""
    return "back" in frame.facts


def once_a_turn(t: Table, seat: int, act: Act) -> Refusal | None:
    """One Normal Summon or Set a turn, negated ones included."""
    if t.pos.mark(f"seat/{seat}", "summoned") != t.pos.turn:
        return None
    return refuse(
        "you have Normal Summoned or Set this turn", "ygo:main1.limit.1", "ygo:summon.normal.1"
    )


# -- cards of the hand -----------------------------------------------------------------------------


def of_hand(rule: str) -> Check:
    """A card of one's own hand."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        if isinstance(act.card, int) and act.card in t.pos.zone("hand", seat):
            return None
        return refuse("that card is not in your hand", rule).of_wrong_card()

    return check


def once_more(t: Table, seat: int, act: Act) -> Refusal | None:
    """A card of one's own hand, or a Gemini monster that lies on one's field face up."""
    if isinstance(act.card, int) and figures.can_be_summoned_twice(t.pos, seat, act.card):
        return None
    return of_hand("ygo:summon.normal.2")(t, seat, act)


def stays_up(t: Table, seat: int, act: Act) -> Refusal | None:
    """No monster is turned face-down by its player."""
    if isinstance(act.card, int) and act.card in figures.monsters(t.pos, seat):
        return refuse("a card there is not Set again", "ygo:position.change.4")
    return None


def normal_summonable(t: Table, seat: int, act: Act) -> Refusal | None:
    """A monster that may be Normal Summoned, with as many Tributes as it needs and a zone."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    print_ = facts(p, number)
    if print_.type != "monster":
        return refuse("only monsters are Summoned", "ygo:summon.normal.2")
    if print_.summoned_specially:
        text = "it can't be Summoned or Set as usual"
        return refuse(text, "ygo:special.monster.1")
    if by := _forbidden(p, seat, act, number):
        return refuse("a text forbids it", "ygo:golden.card.1", *by)
    needed = summon.tributes(p, number)
    if needed and not tributes.for_summon(p, seat, number, needed).possible():
        text = "there are not enough monsters to Tribute"
        return refuse(text, _tributing(act), "ygo:summon.tribute.3", *tributes.barriers(p, seat))
    lies = figures.on_field(p, number)
    return None if needed or lies else _monster_zone(t, seat)


def _monster_zone(t: Table, seat: int) -> Refusal | None:
    if room(t.pos, "monster", seat) > 0:
        return None
    cites = ("ygo:base.zone.1", "ygo:summon.zone.1", "ygo:main1.limit.4")
    return refuse("all five Monster Zones are taken", *cites)


def monster_settable(t: Table, seat: int, act: Act) -> Refusal | None:
    """A monster as for a Normal Summon; what nobody has named is one if its player says so."""
    assert isinstance(act.card, int)
    if unknown(t.pos, act.card):
        if by := _forbidden(t.pos, seat, act, act.card):
            return refuse("a text forbids it", "ygo:golden.card.1", *by)
        some = tributes.for_unknown(t.pos, seat).possible()
        return None if some else _monster_zone(t, seat)
    return normal_summonable(t, seat, act)


def _forbidden(p: Position, seat: int, act: Act, number: int) -> list[str]:
    """The texts that forbid a Normal Summon, or a Set: that is one, but no Summon."""
    if act.kind != "summon":
        return rules.forbidden(TERMS, p, seat, "normal-summon", number)
    return rules.no_summon(TERMS, p, seat, number, "normal-summon")


def overlaid(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """An overlaid card is no monster on the field, and no card there (ygo:xyz.def.4)."""
    cards = t.pos.cards
    picked = (ref for pick in act.picks for ref in pick if isinstance(ref, int) and ref in cards)
    if misfit.part == "cost" or not any(cards[n].role == OVERLAID for n in picked):
        return None
    return refuse("it is overlaid, and no card on the field", "ygo:xyz.def.4", fault="BAD_PICKS")


def bad_tribute(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """Why these can't be Tributed: overlaid, kept by a text, none is needed, not his own."""
    p, number = t.pos, act.card
    if under := overlaid(t, seat, act, misfit):
        return under
    own = (n for pick in act.picks for n in pick if n in figures.monsters(p, seat))
    if by := [text for n in own for text in texts(barring(TERMS, p, n, tributes.TRIBUTE))]:
        return refuse("a text forbids it", "ygo:golden.card.1", *by, fault="BAD_PICKS")
    assert isinstance(number, int)
    if not unknown(p, number) and not summon.tributes(p, number):
        text = "a monster of Level 4 or lower needs no Tribute"
        return refuse(text, "ygo:base.level.1", fault="BAD_PICKS")
    his = {*figures.monsters(p, seat), *tributes.lent(p, seat)}
    if his.issuperset(n for pick in act.picks for n in pick):
        return None
    text = "monsters of yours on the field are Tributed"
    return refuse(text, _tributing(act), fault="BAD_PICKS")


def _tributing(act: Act) -> str:
    return "ygo:summon.tribute.1" if act.kind == "summon" else "ygo:set.tribute.1"


def settable(t: Table, seat: int, act: Act) -> Refusal | None:
    """A Spell or a Trap that has a zone of its own kind, and one that is free."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    if not unknown(p, number):
        print_ = facts(p, number)
        if print_.type == "monster":
            return refuse("it is a monster, and Set as one", "ygo:set.monster.1").of_wrong_card()
        if goes_to_field_zone(print_):
            return refuse("it is Set in the Field Zone", "ygo:base.zone.3")
    if room(p, "spell", seat) < 1:
        return refuse("all five Spell & Trap Zones are taken", "ygo:base.zone.2")
    return None


def field_settable(t: Table, seat: int, act: Act) -> Refusal | None:
    """A Field Spell, in whose zone there is always room."""
    assert isinstance(act.card, int)
    if unknown(t.pos, act.card) or goes_to_field_zone(facts(t.pos, act.card)):
        return None
    return refuse("only Field Spells lie in the Field Zone", "ygo:base.zone.3").of_wrong_card()


# -- monsters on the field -------------------------------------------------------------------------


def own_monster(rule: str) -> Check:
    """A monster that one controls."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        if isinstance(act.card, int) and act.card in figures.monsters(t.pos, seat):
            return None
        return refuse("that is no monster of yours", rule).of_wrong_card()

    return check


def flippable(t: Table, seat: int, act: Act) -> Refusal | None:
    """A face-down monster that did not come, change or attack this turn (reading:ygo/A14)."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    card = p.cards[number]
    if card.up:
        return refuse("it lies face up", "ygo:flip.summon.1")
    if p.mark(number, "attacked") == p.turn:
        return refuse("it has attacked this turn", "ygo:flip.summon.6")
    if figures.came(p, number):
        return refuse("it came this turn", "ygo:flip.summon.4", "reading:ygo/A14")
    if by := texts(barring(TERMS, p, number, "position")):
        return refuse("a text forbids it", "ygo:golden.card.1", *by)
    if p.mark(number, "changed") == p.turn:
        text = "it has changed its position this turn"
        return refuse(text, "ygo:position.change.1", "ygo:flip.summon.3")
    if by := rules.no_summon(TERMS, p, seat, number, "flip-summon"):
        return refuse("a text forbids it", "ygo:golden.card.1", *by)
    return None


def turnable(t: Table, seat: int, act: Act) -> Refusal | None:
    """A monster that may change its position: once a turn, not if it came or has attacked."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    card = p.cards[number]
    if not card.up and card.orient == DEFENCE:
        text = "a Set monster is Flip Summoned, not turned"
        return refuse(text, "ygo:flip.summon.5")
    if by := texts(barring(TERMS, p, number, "position")):
        return refuse("a text forbids it", "ygo:golden.card.1", *by)
    if p.mark(number, "changed") == p.turn:
        text = "it has changed its position this turn"
        return refuse(text, "ygo:position.change.1", "ygo:flip.summon.3")
    if figures.came(p, number):
        return refuse("it came this turn", "ygo:position.change.2")
    if p.mark(number, "attacked") == p.turn:
        return refuse("it has attacked this turn", "ygo:main2.phase.3", "ygo:battle.replay.9")
    return None


# -- the Battle Phase ------------------------------------------------------------------------------


def may_battle(t: Table, seat: int, act: Act) -> Refusal | None:
    """Not in the very first turn, and once a turn."""
    p = t.pos
    if p.turn == 1:
        return refuse("there is no Battle Phase in the first turn", "ygo:battle.phase.3")
    if text := p.mark(f"seat/{seat}", "skip:battle"):
        return refuse("the Battle Phase is skipped", "ygo:golden.card.1", str(text))
    if by := rules.forbidden(TERMS, p, seat, "battle-phase"):
        return refuse("a text forbids it", "ygo:golden.card.1", *by)
    if p.step == "main2":
        return refuse("the Battle Phase of this turn is over", "ygo:turn.phase.1")
    return None


def attacker(t: Table, seat: int, act: Act) -> Refusal | None:
    """A monster in face-up Attack Position that has attacks left."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    card = p.cards[number]
    if not card.up:
        text = "a face-down monster can't attack"
        return refuse(text, "ygo:battle.battle-step.3", "ygo:battle.battle-step.2")
    if card.orient == DEFENCE:
        text = "it lies in Defence Position"
        return refuse(text, "ygo:battle.battle-step.2")
    if p.mark(number, "spent") == p.turn:
        return refuse("it has given an attack up this turn", "ygo:battle.replay.8")
    if attacks.attacks_made(p, number) >= attacks.times(p, number):
        cites = ("ygo:battle.battle-step.6", "ygo:base.attack.1")
        return refuse("it has attacked this turn", *cites)
    kept = (one for act in ("attack", DECLARING) for one in barring(TERMS, p, number, act))
    by = texts([*kept, *_player_barred(p, seat, number)])
    if not by and not attacks.targets(p, number):
        by = attacks.keeping_off(p, number)
    return refuse("a text forbids it", "ygo:golden.card.1", *by) if by else None


def _player_barred(p: Position, seat: int, number: int) -> list[Modifier]:
    """A prohibition for a player to attack with a monster, unless the same card allows it."""
    let = {one.source for one in permitting(TERMS, p, number, "attack")}
    found = rules.barring(TERMS, p, seat, "attack", number)
    return [one for one in found if one.source not in let]


def none_obliged(t: Table, seat: int, act: Act) -> Refusal | None:
    """The Battle Phase does not end while a monster can attack that must, by a text."""
    p = t.pos
    for number in figures.monsters(p, seat):
        if not p.cards[number].stats.get(OBLIGED) or not attacks.targets(p, number):
            continue
        if attacker(t, seat, Act("attack", number)) is None:
            by = texts(numeric(TERMS, p, number, {OBLIGED}))
            return refuse("a monster must attack", "ygo:golden.card.1", *by)
    return None


def target_refusal(t: Table, seat: int, act: Act, *rest: object) -> Refusal | None:
    """Why something can't be attacked."""
    p = t.pos
    picked = act.picks[0] if act.picks else ()
    if any(isinstance(ref, str) for ref in picked) and attacks.faced(p):
        text = "the opponent has monsters"
        return refuse(text, "ygo:battle.battle-step.4", fault="BAD_PICKS")
    if not isinstance(act.card, int) or not p.present(act.card):
        return None
    by: list[str] = []
    for ref in picked:
        if isinstance(ref, str):
            by += texts(barring(TERMS, p, act.card, "attack-player"))
        elif ref in attacks.faced(p):
            by += attacks.spared(p, act.card, ref)
    return refuse("a text forbids it", "ygo:golden.card.1", *by, fault="BAD_PICKS") if by else None
