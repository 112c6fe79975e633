"""The instructions of card texts for which this book has a procedure.

Those that all games share are in `domain.effects.instructions`; here are drawing, damage,
recovery, destruction, deploying, pairing, tokens and EX Resources.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from domain.effects.foresight.doable import seats_of
from domain.effects.instructions import cards
from domain.effects.instructions.doing import already, by_turn, cited, short
from domain.effects.instructions.lasting import Divert, lasting
from domain.effects.instructions.replacement import unreplaced
from domain.effects.language.instruction import Run, carried_out
from domain.effects.language.vocabulary import Clause
from domain.effects.select import NOTHING, Done, Running, Terms, members
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.choices import play
from domain.games.gundam.editions import settings
from domain.games.gundam.effects import figures, playing
from domain.games.gundam.effects.battle import battle_by_text
from domain.games.gundam.effects.damage import deal
from domain.games.gundam.effects.keywords import recover
from domain.games.gundam.effects.lasting import setting_active, spare_forbidden
from domain.games.gundam.effects.processes import destroy
from domain.games.gundam.effects.texts import ON_FIELD
from domain.games.gundam.lists.cards import (
    KEYWORDS,
    WORDS,
    Battle,
    Deploy,
    ExResource,
    Gain,
    Reduce,
    Token,
)
from domain.games.kit.effects.instructions import each, either, in_battle, of_players
from domain.record.events import AttackChanged
from domain.record.position import Card, zone_of


def _draw(t: Table, run: Running, seats: list[int], n: int) -> Play:
    return Done(n * len(seats), play.draw(t, seats, n, "gcg:4-14-2", run.text))
    yield


def _damage(t: Table, run: Running, number: int, n: int) -> bool:
    return deal(t, run.this, number, n, "effect", run.text, "gcg:4-5-3")


def _damage_players(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    n, seats, done = run.amount(c), seats_of(t, run, c), 0
    with t.at_once():
        for seat in seats:
            done += deal(t, run.this, f"seat/{seat}", n, "effect", run.text, "reading:gcg/20")
    return Done(len(seats), done)
    yield


def _recover(t: Table, run: Running, number: int, n: int) -> int:
    return recover(t, number, n, run.text)


def _destroy(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """A card for which another effect did something else was not destroyed."""
    able = _destructible(t, run, numbers)
    yield from destroy(t, able, run.text)
    return Done(len(numbers), sum(not t.pos.present(number) for number in able))


def _destructible(t: Table, run: Running, numbers: list[int]) -> list[int]:
    """Those of some cards that no text keeps from being destroyed by an effect of this card."""
    return spare_forbidden(t, numbers, "destroyed", ("destroyed-by-effect",), run.text, by=run.this)


def _deploy(c: Deploy, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Units and Bases together, as many at once as their areas hold."""
    kinds = {n: "unit" if c.value else figures.facts(t.pos, n).type for n in numbers}
    coming: list[int] = []
    for kind in ("unit", "base"):
        some = [number for number in numbers if kinds[number] == kind]
        coming += some[: _holding(t, run, c, kind, len(some))]
    if coming:
        orient = c.orient or "active"
        yield from play.deploy(
            t, coming, run.seat, "deploy", run.text, orient=orient, defined=c.value
        )
    return Done(len(numbers), len(coming))


def _holding(t: Table, run: Running, c: Clause, kind: str, n: int) -> int:
    """How many of `n` cards an area can take at once (3-5-2, 10-5-1), room being made."""
    limit = play.AREAS[kind][1][0]
    if n > limit.most:
        rules = (limit.rule, "gcg:1-3-2", run.text)
        t.not_done(c.do, run.this, "limit", *rules, asked=n, done=limit.most)
    return min(n, limit.most)


def _ready(c: cards.Ready, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """As in all games; but a text may keep cards from it, in a start phase or at any time."""
    free = spare_forbidden(t, numbers, "ready", setting_active(t.pos), run.text)
    done: Done = yield from cards.Ready.carry_out(c, t, terms, run, free)
    return Done(len(numbers), done.done)


def _pair(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """One Pilot comes beneath this Unit, if it is one that has none (6-5-2-3-1, 6-5-2-3-3)."""
    p, host = t.pos, run.this
    if not numbers:
        return NOTHING
    unit = p.present(host) and p.cards[host].place.startswith("battle/") and not p.cards[host].host
    if not unit:  # a Pilot is beneath one
        t.not_done("pair", host, "impossible", "gcg:6-5-2-3-1", run.text)
        return Done(1, 0)
    if p.cards[host].attached:
        t.not_done("pair", host, "impossible", "gcg:6-5-2-3-3", run.text)
        return Done(1, 0)
    if not spare_forbidden(t, [host], "pair", ("paired",), run.text):
        return Done(1, 0)
    yield from play.pair(t, numbers[0], host, "gcg:6-5-2-3-1", run.text)
    return Done(1, 1)


def _token(c: Token, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    n = run.amount(c)
    return (yield from _placed(t, terms, run, c, c.token, n))


def _ex_resource(c: ExResource, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    return (yield from _placed(t, terms, run, c, play.EX_RESOURCE, run.amount(c)))


def _placed(
    t: Table, terms: Terms, run: Running, c: Token | ExResource, token: str, n: int
) -> Play:
    """Tokens come, as many as there is room for."""
    if n <= 0:
        short(t, terms, run, c, run.this, n, 0)
        return NOTHING
    kind, orient = figures.stock(t.pos).cards[token].type, c.orient or "active"
    now = n if kind == "resource" else _holding(t, run, c, kind, n)
    done = yield from play.place_token(t, token, now, run.seat, run.text, orient=orient)
    return Done(n, done)


def _move(c: cards.Move, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """As in all games; but Resources over the limit stay where they are (3-4-2, reading:gcg/21).

    By 1.9, what a text puts from the field into the Trash is destroyed (5-10-1).
    """
    if c.place == "hand":
        done: Done = yield from _return(c, t, terms, run, numbers)
    elif c.place == "trash" and settings(t.pos).trashing_destroys:
        done = yield from _to_trash(c, t, terms, run, numbers)
    else:
        going = _with_room(t, numbers) if c.place == "resource" else numbers
        done = yield from cards.Move.carry_out(c, t, terms, run, going)
    return Done(len(numbers), done.done)


def _to_trash(c: cards.Move, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """What goes there from the field is destroyed, and what does from a hand discarded (5-11-1)."""
    zones = {number: zone_of(t.pos.cards[number].place) for number in numbers}
    there = [number for number in numbers if zones[number] in FIELD]
    hand = [number for number in numbers if zones[number] == "hand" and not c.reveal]
    owners = {number: t.pos.cards[number].owner for number in hand}
    gone = yield from destroy(t, _destructible(t, run, there), run.text, "gcg@1.9:5-10-1")
    with t.at_once():
        for owner in by_turn(t.pos, set(owners.values())):
            some = [number for number in hand if owners[number] == owner]
            t.move(some, f"trash/{owner}", "discard", *cited(terms, run, "discard"))
    others = [number for number in numbers if number not in (*there, *hand)]
    done: Done = yield from cards.Move.carry_out(c, t, terms, run, others)
    run.moved += [number for number in (*there, *hand) if not t.pos.present(number)]
    return Done(len(numbers), gone + len(hand) + done.done)


#: The field by 1.9 (4-1-1-2).
FIELD = ("battle", "base", "shield", "resource")


def _with_room(t: Table, numbers: list[int]) -> list[int]:
    """Those of the cards for which there is room among the Resources, with what lies with them."""
    p, going = t.pos, list[int]()
    room = {
        seat: play.RESOURCES.most - len(set(p.zone("resource", seat)) - set(numbers))
        for seat in (0, 1)
    }
    for owner in by_turn(p, {p.cards[number].owner for number in numbers}):
        theirs = [number for number in numbers if p.cards[number].owner == owner]
        fitting = []
        for number in theirs:
            along = [rider for rider in p.cards[number].attached if rider not in numbers]
            owners = [p.cards[one].owner for one in (number, *along)]
            left = {seat: n - owners.count(seat) for seat, n in room.items()}
            if all(left[seat] >= 0 for seat in owners):
                fitting.append(number)
                room = left
        if len(fitting) < len(theirs):
            cites = ("gcg:3-4-2", "gcg:1-3-2", "reading:gcg/21")
            asked, done = len(theirs), len(fitting)
            t.not_done("move", f"resource/{owner}", "limit", *cites, asked=asked, done=done)
        going += fitting
    return going


def _replaceable(way: Run, what: str, about: Callable[[Card], bool]) -> Run:
    """As in all games; but something may be done instead, and what is done sets off (9-1-9-1).

    `what` is the occurrence, which only befalls the cards it is `about`.
    """

    def instruction(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        befallen = [number for number in numbers if about(t.pos.cards[number])]
        left = yield from unreplaced(t, terms, what, befallen, by=lambda subject: run.this)
        going = [n for n in numbers if t.pos.present(n) and (n in left or n not in befallen)]
        with t.at_once():
            done: Done = yield from way(c, t, terms, run, going)
            t.set_off(left)
        return Done(len(numbers), done.done)

    return instruction


#: Units and Bases that go to a hand are returned to it.
_return = _replaceable(
    cards.Move.carry_out, "returned", lambda c: zone_of(c.place) in ON_FIELD and not c.host
)
_rest = _replaceable(cards.Rest.carry_out, "rested", lambda c: c.orient == "active")


def _control(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """As in all games; but what a player controls lies in his areas."""
    others = [number for number in numbers if t.pos.cards[number].controller != run.seat]
    if others:
        yield from play.take_control(t, others, run.seat, *cited(terms, run, "control"))
    return already(t, terms, run, c, numbers, len(others))


def _retarget(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The attack goes on against another Unit; what was declared first stays on record."""
    attack = t.pos.attack
    if attack is None or not numbers:
        short(t, terms, run, c, run.this, 1, 0)
        return Done(1, 0)
    if attack.target == numbers[0]:
        return already(t, terms, run, c, numbers, 0)
    t.emit(AttackChanged(numbers[0], attack.defender, "effect"), run.text, "gcg:7-6-1")
    return Done(1, 1)
    yield


def _battle(c: Battle, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The Unit of the text, or the first that it has chosen, attacks another (1.9: 5-22-3, 5-22-4).

    Without one of the two there is no battle (reading:gcg@1.9/16).
    """
    attacker = next(iter(run.chosen), 0) if c.by else run.this
    present = t.pos.present(attacker) and t.pos.cards[attacker].place.startswith("battle/")
    if not present or not numbers or numbers[0] == attacker:
        t.not_done(c.do, run.this, "impossible", "reading:gcg@1.9/16", run.text)
        return Done(1, 0)
    rule = "gcg@1.9:5-22-4" if c.by else "gcg@1.9:5-22-3"
    yield from battle_by_text(t, attacker, numbers[0], rule, f"{rule}-1", run.text)
    return Done(1, 1)


def _shuffle(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    place = f"deck/{run.seat}"
    alone = ("gcg:4-15-1-1",) if len(t.pos.zone(place)) == 1 else ()
    yield from t.shuffle(place, *alone, "gcg:4-15-1", "gcg:4-13-1", run.text)
    return Done(1, 1)


#: As in all games; but outside a battle nothing can last during this battle (7-3-4).
_lasting = in_battle(lasting(), "gcg:7-3-4", "gcg:1-3-2", battling=figures.battling)


def _reduce(c: Reduce, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """As in all games what lasts; but the next damage is that of each card by itself."""
    if not c.once:
        return (yield from _lasting(c, t, terms, run, numbers))
    done = NOTHING
    with t.at_once():
        for number in numbers:
            done = done.and_((yield from _lasting(c, t, terms, run, [number])))
    return done


def _gain(c: Gain, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """As in all games; but all keywords of other cards are given one by one, at one moment."""
    if c.key != KEYWORDS or c.using is None:
        return (yield from _lasting(c, t, terms, run, numbers))
    given: dict[str, int | bool] = {}
    for number in members(terms, t.pos, c.using, run):
        if t.manifest.zone(t.pos.cards[number].place).faces == "all":
            for key, value in figures.facts(t.pos, number).keywords.items():
                given[key] = value if isinstance(value, bool) else given.get(key, 0) + value
    if not given:
        short(t, terms, run, c, run.this, 1, 0)
        return Done(1, 0)
    done = NOTHING
    with t.at_once():
        for key, value in given.items():
            done = yield from _lasting(
                replace(c, key=key, value=value, using=None), t, terms, run, numbers
            )
    return done


INSTRUCTIONS = carried_out(
    WORDS.instructions,
    lasting=_lasting,
    gain=_gain,
    reduce=_reduce,
    divert=in_battle(Divert.carry_out, "gcg:7-3-4", "gcg:1-3-2", battling=figures.battling),
    draw=of_players(_draw, "deck"),
    move=_move,
    damage=either(_damage_players, each(_damage)),
    recover=each(_recover),
    destroy=_destroy,
    deploy=_deploy,
    pair=_pair,
    token=_token,
    ex_resource=_ex_resource,
    shuffle=_shuffle,
    rest=_rest,
    ready=_ready,
    control=_control,
    retarget=_retarget,
    battle=_battle,
    perform=playing.own_effect,
    paired_command=playing.paired_command,
    command_text=playing.command_text,
    play=playing.deploy_for_cost,
    pay=playing.pay,
    pair_with=playing.pair_with,
)
#: What a text has its player pay.
ENOUGH = dict.fromkeys(("pay", "play"), playing.enough)
