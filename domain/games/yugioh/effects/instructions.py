"""The instructions of card texts for which this book has a procedure.

Those that all games share are in `domain.effects.instructions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from domain.effects.constant import once
from domain.effects.constant.calculator import barred, barring, texts
from domain.effects.foresight.doable import seats_of
from domain.effects.instructions import cards, lasting, players
from domain.effects.instructions.doing import already, cited, newly
from domain.effects.instructions.replacement import unreplaced
from domain.effects.language.instruction import Run, carried_out
from domain.effects.language.vocabulary import Clause
from domain.effects.select import Done, Running, Terms, meant
from domain.engine.series import Loss, defeat
from domain.engine.signals import Chance, Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.games.kit.effects import negation
from domain.games.kit.effects.instructions import in_battle, of_players
from domain.games.kit.flow import attack as attacks
from domain.games.kit.zones.hand import draw
from domain.games.yugioh.choices.attacks import broken
from domain.games.yugioh.choices.summons import summoning
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.attributes import arrived
from domain.games.yugioh.effects.field.places import (
    DETACHED,
    hold,
    holding,
    home,
    release,
    room,
    send,
    set_down,
    slots,
)
from domain.games.yugioh.effects.field.zones import KEPT
from domain.games.yugioh.effects.figures import goes_to_field_zone, print_of, underway
from domain.games.yugioh.effects.processes import EQUIPPED, hurt
from domain.games.yugioh.effects.summons import deploy
from domain.games.yugioh.effects.summons.materials import detach
from domain.games.yugioh.effects.summons.revival import followed
from domain.games.yugioh.effects.texts import CARD, TERMS, TRIGGERS
from domain.games.yugioh.effects.waiting import applied
from domain.games.yugioh.lists import instructions as texts_
from domain.games.yugioh.lists.words import NAME, NEGATED, WORDS
from domain.games.yugioh.manifest import ATTACK, DEFENCE
from domain.record.events import DamageDealt
from domain.record.position import Pending, Position, zone_of
from domain.record.values import EVERYONE

PARTS = "ygo:chain.resolve.1"
#: What lasts, until these phases among others.
_LASTS = in_battle(lasting.lasting("standby", "end"), PARTS)
#: Cited where an effect does something to both players: at one moment, the turn player first.
BOTH = ("ygo:priority.turn.6",)


def by(run: Running) -> tuple[str, ...]:
    """The rule by which a part of a text is done, as part of a link or without, and the text."""
    always = run.effect.kind == "constant"
    return ("ygo:effect.continuous.1" if always else PARTS, run.text)


# -- players ---------------------------------------------------------------------------------------


def _draw(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Players draw; who must and cannot loses, both of them together (ygo:base.loss.2)."""
    seats = seats_of(t, run, c)
    n = {seat: run.amount(c, seat) for seat in seats}
    short = [seat for seat in seats if len(t.pos.zone("deck", seat)) < n[seat]]
    rules = (PARTS, *BOTH[: len(seats) - 1], run.text)
    with t.at_once():
        done = sum(draw(t, seat, "deck", n[seat], *rules) for seat in seats)
    if short:
        defeat(t, Loss(tuple(sorted(short)), "deck", ("ygo:base.loss.2", run.text)))
    return Done(sum(n.values()), done)
    yield


def _damage(t: Table, run: Running, seats: list[int], n: int) -> Play:
    rules = (PARTS, *BOTH[: len(seats) - 1], run.text)
    with t.at_once():
        for seat in seats:
            t.emit(DamageDealt(run.this, f"seat/{seat}", n, "effect"), *rules)
            hurt(t, seat, n, *by(run), kind="effect")
    return Done(len(seats), len(seats))
    yield


def _recover(t: Table, run: Running, seats: list[int], n: int) -> Play:
    for seat in seats:
        t.counters("life", n, *by(run), dst=f"seat/{seat}")
    return Done(len(seats), len(seats))
    yield


def _lose_life(t: Table, run: Running, seats: list[int], n: int) -> Play:
    """Players lose Life Points; that is no damage."""
    with t.at_once():
        for seat in seats:
            hurt(t, seat, n, PARTS, run.text)
    return Done(len(seats), len(seats))
    yield


def _shuffle(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    yield from t.shuffle(f"deck/{run.seat}", "ygo:base.shuffle.1", run.text)
    return Done(1, 1)


# -- cards -----------------------------------------------------------------------------------------


def _destroy(c: texts_.Destroy, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Cards are destroyed together, and go to their owners' Graveyards (ygo:base.destroy.1).

    Of those on the field something else may be done instead, by texts (ygo:golden.card.1).
    What destroys itself because of a battle does so after damage calculation (ygo:battle.d6.2).
    Texts may keep some of them from it, or have something else done instead.
    """
    mortal = [number for number in numbers if not _spared(t, run, number)]
    going = yield from unreplaced(t, terms, "destroyed", mortal)
    zone = zone_of(terms.place(c.place, run.seat)) if c.place else "grave"
    standing = not run.act and t.pos.step == "damage/6"
    rules = ("ygo:battle.d6.2", run.text) if standing else by(run)
    send(t, going, zone, "destroyed", "ygo:base.destroy.1", *rules)
    return Done(len(numbers), len(going))


def _spared(t: Table, run: Running, number: int) -> bool:
    """Whether a text keeps a card from being destroyed by this effect, which is noted."""
    keeping = texts(barring(TERMS, t.pos, number, "destroyed", run.this))
    if keeping:
        t.not_done("destroy", number, "forbidden", "ygo:golden.card.1", *keeping, run.text)
    return bool(keeping)


def _discard(c: players.Discard, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Players choose cards of their hands and discard them, the turn player first."""
    seats, total = seats_of(t, run, c), 0
    chosen: list[int] = []
    shares = dict.fromkeys(seats, 0)
    for seat in seats:
        hand, asked = t.pos.zone("hand", seat), run.amount(c, seat)
        n = shares[seat] = max(0, min(asked, len(hand)))
        total += asked
        if n < asked:
            t.not_done(c.do, f"hand/{seat}", "impossible", *by(run), asked=asked, done=n)
        if n and c.random:
            order = yield Chance("order", len(hand), cited(terms, run, "random"))
            chosen += [hand[at] for at in order[:n]]
        elif 0 < n < len(hand):
            chosen += yield from pick(t, seat, "discard", hand, n, *by(run), about=run.this)
        else:
            chosen += hand[:n]
    send(t, chosen, "grave", "discard", *by(run))
    run.shares = shares
    return Done(total, len(chosen))


def _move(c: texts_.Move, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Cards go to a zone of their owners; what was searched out of a deck is shown."""
    place = terms.place(c.place, run.seat)
    zone = zone_of(place)
    if c.reveal:
        numbers, c = t.reveal(numbers, "reveal", *by(run)), replace(c, reveal=False)
    if zone == "deck" or c.random:
        tokens = [n for n in numbers if t.pos.cards[n].token]  # ygo:base.token.1
        send(t, tokens, zone, "return", *by(run))
        numbers = [n for n in numbers if n not in tokens]
        extra = [n for n in numbers if home(t.pos, n, zone) != zone]  # ygo:base.deck.3
        send(t, extra, zone, "return", PARTS, "ygo:base.deck.3", run.text)
        rest = [n for n in numbers if n not in extra]
        done: Done = yield from cards.Move.carry_out(c, t, terms, run, rest)
        gone = len(extra) + len(tokens)
        return done.and_(Done(gone, gone))
    why = "return" if zone == "hand" else "effect"
    with t.at_once():
        if c.value == KEPT:
            _note_zones(t, numbers)
        send(t, numbers, zone, why, *by(run))
    return Done(len(numbers), len(numbers))


def _note_zones(t: Table, numbers: Sequence[int]) -> None:
    """Of monsters whose zones are kept for them it is noted which, where nobody has done so yet."""
    for seat in sorted({t.pos.cards[number].controller for number in numbers}):
        for number, at in slots(t.pos, "monster", seat).items():
            if t.pos.mark(number, "zone") is None:
                hold(t, number, slot=at)


def _turn(up: bool | None, orient: str | None) -> Run:
    """Monsters change their position."""

    def instruction(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        there = [n for n in numbers if figures.on_field(t.pos, n)]
        down = [n for n in there if not t.pos.cards[n].up]
        with t.at_once():
            turned = t.turn(there, *by(run), up=up, orient=c.orient or orient)
            for number in down if up else ():
                arrived(t, number, "flip", *by(run))
        return already(t, terms, run, c, numbers, len(turned))
        yield

    return instruction


def _position(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Monsters go from Attack to Defence Position, or the other way round."""
    there = [number for number in numbers if figures.on_field(t.pos, number)]
    lying = {number: t.pos.cards[number].orient for number in there}
    turned = 0
    with t.at_once():
        for old, new in ((ATTACK, DEFENCE), (DEFENCE, ATTACK)):
            some = [number for number, orient in lying.items() if orient == old]
            turned += len(t.turn(some, *by(run), orient=new))
    return Done(len(numbers), turned)
    yield


def _zones(p: Position, number: int) -> list[str]:
    """The kinds of zones that a card on the field holds; a Trap that is a monster both."""
    return [
        zone
        for zone in ("monster", "spell")
        if number in holding(p, zone, p.cards[number].controller)
    ]


def lacking(p: Position, number: int, seat: int) -> list[str]:
    """The kinds of zones that a card on the field would need of a player who has none free."""
    return [zone for zone in _zones(p, number) if not room(p, zone, seat)]


def take_control(t: Table, cards: Sequence[int], seat: int, *cites: str) -> int:
    """Take control of cards on the field, as many as there are zones; returns how many."""
    done = 0
    for number in cards:
        card = t.pos.cards[number]
        zone = zone_of(card.place)
        crowded = lacking(t.pos, number, seat)
        if card.controller == seat or crowded or barred(TERMS, t.pos, number, "control"):
            continue
        with t.at_once():
            t.move(
                [number], f"{zone}/{seat}", "control", "ygo:base.control.1", *cites,
                same=True, orient=card.orient, up=card.up,
            )  # fmt: skip
            t.control([number], seat, "ygo:base.control.1", *cites)
            if not card.up:
                t.show([number], 1 << seat, "control", "ygo:base.zone.7", *cites)
            for one in _zones(t.pos, number):
                hold(t, number, one)
        done += 1
    return done


def _control(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    there = [number for number in numbers if figures.on_field(t.pos, number)]
    done = take_control(t, there, run.seat, *cited(terms, run, "control"))
    return already(t, terms, run, c, numbers, done)
    yield


# -- what waits, what is under way -----------------------------------------------------------------


def _forget_oaths(t: Table, act: Pending) -> None:
    """Nobody is bound by an oath of it."""
    text = f"card:{act.effect}"
    sworn = [key for key, m in t.pos.modifiers.items() if (m.source, m.text) == (act.source, text)]
    if sworn:
        t.end_modifiers(sworn, "turn", "ygo:base.negate.1", text)


def _give_back(t: Table, act: Pending) -> None:
    """A text with a limit on activations may be activated again; with one on its use it may not."""
    effect = TERMS.effect(t.pos, act.effect) if act.effect else None
    if effect is not None and effect.counts:
        once.give_back(
            t, act.source, act.effect, "ygo:base.negate.1", limit=effect.limit, seat=act.seat
        )


def _came_to_nothing(t: Table, act: Pending, what: str) -> None:
    """Of a card whose activation was negated nothing is left: it was not activated."""
    if what == "activation":
        if act.mode == CARD and isinstance(act.source, int) and t.pos.present(act.source):
            t.mark(act.source, figures.UNDONE, True, "reading:ygo/A35")
        _forget_oaths(t, act)
        _give_back(t, act)
        applied.negated(t, act)


#: Anything in a chain may be negated; the text defines the card's fate (ygo:negate.destroy.1).
NEGATION = negation.Book(
    may=lambda p, act, what: True,
    after=_came_to_nothing,
    cites=("ygo:base.negate.1", "ygo:negate.activate.1"),
)


def _negate_summon(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The Summon that is about to succeed does not, and its monster is destroyed."""
    gone = summoning.negate(t, run.text)
    if not gone:
        t.not_done(c.do, run.this, "impossible", *terms.words["impossible"], run.text, asked=1)
    return Done(1, int(bool(gone)))
    yield


def _negate_attack(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The attack is negated, but was declared (ygo:base.attack.1).

    That of these cards, where some are named. One that is over already is not negated.
    """
    attack, named = t.pos.attack, c.to is not None or c.choose is not None
    if attack is None or broken(t.pos) or (named and attack.attacker not in numbers):
        t.not_done(c.do, run.this, "impossible", *terms.words["impossible"], run.text, asked=1)
        return Done(1, 0)
    frame = f"frame/{attacks.frame_of(t.pos)}"
    t.mark(frame, "negated", True, "ygo:base.attack.1", run.text)
    t.running.happened = t.moment
    TRIGGERS.occur(t, NEGATED, attack.attacker, t.pos.seq)
    return Done(1, 1)
    yield


def _end_battle(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The Battle Phase goes to its End Step at once (ygo:battle.end-step.2)."""
    if not any(step.partition("/")[0] in ("battle", "damage") for step in underway(t.pos)):
        t.not_done(c.do, run.this, "impossible", *terms.words["impossible"], run.text, asked=1)
        return Done(1, 0)
    t.mark("match", "ends", t.pos.turn, "ygo:battle.end-step.2", run.text)
    return Done(1, 1)
    yield


def _skip(c: texts_.Skip, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """A player will skip a phase, the next time that it would come."""
    seats = seats_of(t, run, c)
    for seat in seats:
        t.mark(f"seat/{seat}", f"skip:{c.value}", run.text, *by(run))
    return Done(len(seats), len(seats))
    yield


def _stay(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The card stays on the field, though its like is used up."""
    if not t.pos.present(run.this):
        t.not_done(c.do, run.this, "gone", *terms.words["impossible"], run.text, asked=1)
        return Done(1, 0)
    t.mark(run.this, "stays", True, "ygo:golden.card.1", run.text)
    return Done(1, 1)
    yield


# -- monsters --------------------------------------------------------------------------------------


def _tribute(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    send(t, numbers, "grave", "tribute", *by(run))
    return Done(len(numbers), len(numbers))
    yield


def _face_down(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Monsters are turned face down in Defence Position; what worked on them is over."""
    able = [n for n in numbers if not t.pos.cards[n].token]
    with t.at_once():
        turned = t.turn(able, *by(run), up=False, orient=DEFENCE)
        release(t, turned)
    return already(t, terms, run, c, numbers, len(turned))
    yield


def _gain(c: lasting.Gain, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Monsters gain a keyword; or the name of another card, which `using` says."""
    if c.key == NAME and c.using is not None:
        names = [terms.attribute(t.pos, n, NAME) for n in meant(terms, t.pos, c.using, run)]
        if not names:
            t.not_done(c.do, run.this, "impossible", *terms.words["impossible"], run.text, asked=1)
            return Done(1, 0)
        (name,) = names[0][:1] if isinstance(names[0], tuple) else (names[0],)
        c = replace(c, value=name, using=None)
    return (yield from _LASTS(c, t, terms, run, numbers))


def _set_down(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Spells and Traps of the hand are Set, those that their player picks where zones run short."""
    fields = [n for n in numbers if goes_to_field_zone(print_of(t.pos, n))]
    others = [n for n in numbers if n not in fields]
    left = room(t.pos, "spell", run.seat)
    if left < len(others):
        cites = ("ygo:base.zone.2", run.text)
        t.not_done(c.do, run.this, "impossible", *cites, asked=len(others), done=left)
        pool = others
        others = []
        if left > 0:
            others = yield from pick(
                t, run.seat, "target", pool, left, *cites,
                act="choose", part=c.do, card=run.this, about=run.this,
            )  # fmt: skip
    for number in (*fields, *others):
        set_down(t, run.seat, number, "field" if number in fields else "spell", *by(run))
    return Done(len(numbers), len(fields) + len(others))


def _equip(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The card that says so is equipped to a monster; or with `key`, a card is equipped to it.

    A card from elsewhere comes to a Spell & Trap Zone for it.
    """
    p, here = t.pos, run.itself(t.pos)
    if not c.key:
        hosts, cards = [n for n in numbers if p.cards[n].up and n not in here], here
    else:
        hosts = [n for n in here if figures.is_monster(p, n) and p.cards[n].up]
        cards = [n for n in numbers if n not in here]
    lying = bool(cards) and zone_of(p.cards[cards[0]].place) == "spell"
    if not hosts or (not lying and not room(p, "spell", run.seat)):
        cards = []
    if not hosts or not cards:
        t.not_done(c.do, run.this, "impossible", *terms.words["impossible"], run.text, asked=1)
        return Done(1, 0)
    with t.at_once():
        now = cards[0] if lying else _lay(t, run.seat, cards[0], run)
        t.link([now], hosts[0], "equip", *by(run))
        if figures.used_up(figures.print_of(p, now)):
            t.mark(now, "stays", EQUIPPED, "ygo:golden.card.1", run.text)
    return Done(1, 1)
    yield


def _lay(t: Table, seat: int, number: int, run: Running) -> int:
    """A card comes to a Spell & Trap Zone, as an Equip Card; its number.

    One that is a monster on the field stays the same card (`figures.equipped`), and keeps no
    Materials (reading:ygo/A31).
    """
    same, rules = figures.is_monster(t.pos, number), (*by(run), "ygo:base.zone.2")
    if same:
        release(t, [number])
        lasting.keep(t, [number], *by(run))
        send(t, t.pos.cards[number].attached, "grave", "host", DETACHED, "reading:ygo/A31")
    covered = same and not t.pos.cards[number].up
    with followed(t, [number], "spell"):
        (now,) = t.move([number], f"spell/{seat}", "effect", *rules, same=same, orient="", up=True)
    if covered:  # it is not flipped: of a new card all would see which it is as it comes
        t.show([now], EVERYONE, "reveal", *rules)
    if t.pos.cards[now].controller != seat:
        t.control([now], seat, "ygo:base.control.1", *by(run))
    hold(t, now, "spell")
    t.mark(now, "became", t.pos.turn, *by(run))
    t.stats([(now, {})], partial(TERMS.figure_rule, t.pos))
    return now


INSTRUCTIONS = carried_out(
    WORDS.instructions,
    lasting=_LASTS,
    draw=_draw,
    damage=of_players(_damage),
    recover=of_players(_recover),
    discard=_discard,
    shuffle=_shuffle,
    destroy=_destroy,
    move=lasting.for_a_time(newly(_move), lasting.RETURN),
    deploy=deploy.deploy,
    token=deploy.token,
    summon=deploy.summon,
    send_materials=deploy.send_materials,
    rest=_turn(None, DEFENCE),
    ready=_turn(None, ATTACK),
    position=_position,
    control=lasting.for_a_time(_control, lasting.REVERT),
    negate=negation.negating(NEGATION),
    negate_summon=_negate_summon,
    negate_attack=_negate_attack,
    end_battle=_end_battle,
    skip=_skip,
    stay=_stay,
    detach=detach,
    lose_life=of_players(_lose_life),
    tribute=_tribute,
    face_down=_face_down,
    face_up=_turn(True, None),
    set_down=_set_down,
    equip=_equip,
    gain=_gain,
)
