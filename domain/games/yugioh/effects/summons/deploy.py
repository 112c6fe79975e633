"""Special Summons by effects: of monsters from anywhere, of Tokens; Fusion and Ritual Summons.

They are part of what a link of a chain does, so nothing negates them but what negates the link
(ygo:special.def.3). All arrive or none (ygo:special.zone.1, reading:ygo/A16). What a Fusion or
Ritual Monster is made with is chosen as the effect is carried out (ygo:fusion.choice.1), in one
choice (`makings`).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from domain.effects.foresight.doable import seats_of
from domain.effects.interpreter import look_through
from domain.effects.language.vocabulary import Clause
from domain.effects.select import Done, Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.games.yugioh.effects import rules, trap_monsters
from domain.games.yugioh.effects.attributes import arrived
from domain.games.yugioh.effects.field.places import send
from domain.games.yugioh.effects.field.zones import hold, room
from domain.games.yugioh.effects.figures import equipped as equips
from domain.games.yugioh.effects.figures import print_of
from domain.games.yugioh.effects.processes import DAMAGE
from domain.games.yugioh.effects.summons.makings import may_be_lacking, may_be_made, of_clause
from domain.games.yugioh.effects.summons.revival import followed, lift, own_way, proper
from domain.games.yugioh.lists.instructions import Deploy, Summon, Token
from domain.games.yugioh.manifest import ATTACK, DEFENCE, LIES
from domain.record.decisions import Offer, Option, Part
from domain.record.position import zone_of

SHORT = ("ygo:special.zone.1", "reading:ygo/A16")


class Book(Struct, frozen=True, kw_only=True):
    """The rules of a Fusion or a Ritual Summon, by what they are about."""

    frame: tuple[str, ...]
    asks: tuple[str, ...]
    gives: tuple[str, ...]
    arrives: tuple[str, ...]
    lacks: tuple[str, ...]
    over: tuple[str, ...]


BOOKS = {
    "fusion": Book(
        frame=("ygo:fusion.def.1", "ygo:special.def.2"),
        asks=("ygo:fusion.choice.1", "ygo:fusion.steps.2"),
        gives=("ygo:fusion.steps.2", "ygo:fusion.def.3"),
        arrives=("ygo:fusion.steps.3",),
        lacks=("ygo:fusion.choice.3",),
        over=("ygo:fusion.steps.4",),
    ),
    "ritual": Book(
        frame=("ygo:ritual.def.1", "ygo:special.def.2"),
        asks=("ygo:ritual.level.1", "ygo:ritual.steps.2"),
        gives=("ygo:ritual.steps.2", "ygo:ritual.def.3"),
        arrives=("ygo:ritual.steps.3",),
        lacks=("ygo:ritual.steps.1",),
        over=("ygo:ritual.steps.4",),
    ),
}


def _arrive(
    t: Table, seat: int, lying: Mapping[int, str], up: bool, how: str, *cites: str
) -> list[int]:
    """Monsters come to the field together, Summoned in this way; returns their numbers."""
    came = []
    with t.at_once():
        for number, orient in lying.items():
            if print_of(t.pos, number).type == "trap":
                trap_monsters.appear(t, number, seat, orient, *cites)
                now = number
            else:
                now = _come(t, number, seat, orient, up, *cites)
            arrived(t, now, how, *cites)
            came.append(now)
    return came


def _come(t: Table, number: int, seat: int, orient: str, up: bool, *cites: str) -> int:
    """A monster comes to a Monster Zone; one that was equipped stays the same card."""
    equipped = equips(t.pos, number)
    place = f"monster/{seat}"
    with followed(t, [number], "monster"):
        (now,) = t.move([number], place, "special", *cites, same=equipped, orient=orient, up=up)
    if equipped:
        if t.pos.cards[now].controller != seat:
            t.control([now], seat, "ygo:base.control.1", *cites)
        t.link([now], 0, "equip", *cites)
        t.mark(now, "became", t.pos.turn, "ygo:position.change.2")
    hold(t, now)
    return now


def _no_room(t: Table, run: Running, c: Clause, seat: int, n: int) -> bool:
    """Whether there are too few zones for so many monsters, which is noted."""
    if room(t.pos, "monster", seat) >= n:
        return False
    t.not_done(c.do, f"monster/{seat}", "impossible", *SHORT, run.text, asked=n)
    return True


def _as_many_as_fit(t: Table, run: Running, seat: int, numbers: list[int]) -> Play:
    """Of as many as one likes only those come for which there are zones (reading:ygo/A16)."""
    left = room(t.pos, "monster", seat)
    if not 0 < left < len(numbers):
        return numbers
    return (yield from pick(
        t, seat, "target", numbers, left, SHORT[1], run.text,
        act="choose", part="deploy", card=run.this, about=run.this,
    ))  # fmt: skip


def deploy(c: Deploy, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Monsters are Special Summoned; with `key` that is a Fusion Summon, or the like.

    Without a zone for them they go to `place`, if the text says where, and may be revived from it.
    """
    seat, asked = run.seat, len(numbers)
    numbers = [n for n in numbers if zone_of(t.pos.cards[n].place) != "monster"]
    if c.choose is not None and c.choose.up_to:
        numbers = yield from _as_many_as_fit(t, run, seat, numbers)
    if _no_room(t, run, c, seat, len(numbers)):
        if c.place:
            with t.at_once():
                for now in send(t, numbers, c.place, "effect", *SHORT[:1], run.text):
                    lift(t, now)
        return Done(len(numbers), 0)
    lying, rules = {}, ("ygo:special.def.3", run.text)
    named = c.orient or (DEFENCE if c.up is False else "")
    for number in numbers:
        lying[number] = named or (yield from in_which_position(t, seat, number, *rules))
    book = BOOKS.get(c.key)
    frame = t.open_frame("summon", *book.frame, run.text, method=c.key) if book is not None else 0
    lying = {number: how for number, how in lying.items() if t.pos.present(number)}
    _bring(t, run, c, lying)
    if book is not None:
        t.close_frame(frame, book.frame[0], run.text)
    return Done(asked, len(lying))


def _bring(t: Table, run: Running, c: Deploy, lying: Mapping[int, str]) -> None:
    """Monsters are Special Summoned to lie so, all at one moment."""
    itself = run.this in lying
    kind = ("ygo:special.def.2",) if c.key in BOOKS else ()
    monster = itself and print_of(t.pos, run.this).type == "monster"
    of = ("ygo:special.condition.2",) if monster else kind
    cites = ("ygo:special.def.3", *of, "ygo:special.default.3", run.text)
    with t.at_once():
        how = "own" if itself else c.key or "special"
        run.it = _arrive(t, run.seat, lying, c.up is not False, how, *cites)
        for number in run.it:
            print_ = print_of(t.pos, number)
            if proper(print_, itself and own_way(print_), c):
                lift(t, number)
        if how == "own":
            _note_damage(t, run, run.it[0], *cites)


def _note_damage(t: Table, run: Running, number: int, *cites: str) -> None:
    """On a monster that comes for damage its player took it is noted, for its other texts."""
    for kind in DAMAGE:
        t.mark(number, kind, t.pos.mark(f"act/{run.act}", kind), *cites)


def token(c: Token, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Tokens are Special Summoned to the field of a player, all of them or none."""
    (seat,) = seats_of(t, run, c)
    n = run.amount(c)
    if by := rules.no_summon(terms, t.pos, run.seat, 0, "special-summon"):
        t.not_done(c.do, run.this, "forbidden", *by, run.text, asked=n)
        return Done(n, 0)
    if n < 1 or _no_room(t, run, c, seat, n):
        return Done(n, 0)
    made = t.make(
        [c.token] * n, f"monster/{seat}", "token", "ygo:special.def.3", run.text,
        owner=seat, token=True, orient=c.orient or ATTACK, up=True,
    )  # fmt: skip
    with t.at_once():
        for number in made:
            hold(t, number)
    run.it = [*made]
    return Done(n, n)
    yield


def summon(c: Summon, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """A Fusion or Ritual Summon: what the monster is made with is given, and then it comes."""
    if not numbers:
        return Done(1, 0)
    book, number = BOOKS[c.key], numbers[0]
    if not may_be_made(terms, t.pos, run, c, number):
        t.not_done(c.do, run.this, "impossible", *book.lacks, run.text, asked=1)
        return Done(1, 0)
    card = print_of(t.pos, number).id
    frame = t.open_frame("summon", *book.frame, run.text, method=c.key, card=card)
    given = yield from _given(t, terms, run, c, number, book)
    if not given:
        t.not_done(c.do, run.this, "impossible", *book.lacks, run.text, asked=1)
        t.close_frame(frame, *book.lacks, run.text, outcome="void")
        return Done(1, 0)
    tributed = c.key == "ritual" and not c.place
    why = "tribute" if tributed else "material" if c.key == "fusion" else "effect"
    with t.at_once():
        hidden = [n for n in given if not t.in_sight(n) or not t.pos.cards[n].up]
        shown = t.reveal(hidden, "reveal", *book.gives, run.text)
        anew = dict(zip(hidden, shown, strict=True))
        given = [anew.get(n, n) for n in given]
        send(t, given, c.place or "grave", why, *book.gives, run.text)
    cites = (*book.arrives, "ygo:special.default.3", run.text)
    orient = c.orient or (yield from in_which_position(t, run.seat, number, *book.arrives))
    with t.at_once():
        run.it = _arrive(t, run.seat, {number: orient}, True, c.key, *cites)
        for now in run.it:
            lift(t, now)
    t.close_frame(frame, *book.over)
    return Done(1, 1)


def send_materials(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """An effect sends a monster's Materials, without any Summon; `it` is the monster."""
    if not numbers:
        return Done(1, 0)
    book, number = BOOKS[c.key], numbers[0]
    run.it = t.reveal([number], "reveal", "ygo:golden.card.1", run.text)
    (number,) = run.it
    given = yield from _given(t, terms, run, c, number, book)
    if not given:
        t.not_done(c.do, run.this, "impossible", *book.lacks, run.text, asked=1)
        return Done(1, 0)
    send(t, given, "grave", "effect", "ygo:fusion.def.3", run.text)
    return Done(1, 1)


def _given(t: Table, terms: Terms, run: Running, c: Clause, number: int, book: Book) -> Play:
    """The Materials its player chose; empty if they have become missing.

    It comes out at a real table only, where nobody could tell before (ygo:fusion.choice.3).
    """
    assert c.using is not None
    look_through(t, terms, run, c.using, run.seat)

    def offer(t: Table) -> Offer:
        found = of_clause(terms, t.pos, run, c, number).offer("make")
        if not may_be_lacking(terms, t.pos, run, c, number):
            return found
        return Offer((*found.options, Option("lack")), found.pools)

    act = yield from t.ask(run.seat, "summon", offer, *book.asks, run.text, about=run.this)
    return list(dict.fromkeys(n for pick in act.picks for n in pick if isinstance(n, int)))


def in_which_position(t: Table, seat: int, number: int, *cites: str) -> Play:
    """The player who Special Summons a monster chooses its position (ygo:special.default.3)."""
    offer = Offer((Option("place", number, (Part("position", 0),)),), (LIES,))
    rules = ("ygo:special.default.3", *cites)
    act = yield from t.ask(seat, "position", offer, *rules, public=t.in_sight(number))
    return str(act.picks[0][0])
