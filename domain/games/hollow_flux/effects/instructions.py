"""The instructions of card texts for which this book has a procedure.

Those that all games share are in `domain.effects.instructions`. Here are drawing, damage,
healing, destruction, moving and bringing in cards, cards set face down, and what shields a
card from being affected at all (hf:key.trigger.4).
"""

from __future__ import annotations

from collections.abc import Mapping

from domain.effects.instructions import cards, players
from domain.effects.instructions.cards import bound
from domain.effects.instructions.doing import cited, newly
from domain.effects.instructions.lasting import lasting
from domain.effects.language.instruction import Run, carried_out
from domain.effects.language.vocabulary import Clause
from domain.effects.select import NOTHING, Done, Running, Terms
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.hollow_flux.choices.play import attach, enter
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.damage import damage_players, deal
from domain.games.hollow_flux.effects.processes import destroy, leave, spared, spared_by
from domain.games.hollow_flux.effects.texts import TERMS
from domain.games.hollow_flux.flow import reload
from domain.games.hollow_flux.lists.cards import WORDS, FaceDown
from domain.games.kit.effects.instructions import each, either, of_players
from domain.record.position import zone_of
from domain.record.values import Value

#: What a text says is done part by part, in the order written.
PARTS = "hf:target.parts.2"


def ability(run: Running) -> bool:
    """Whether it is an ability: a damage trigger is not (hf:key.trigger.4)."""
    return run.effect.kind != "command" and run.effect.on != "damage-trigger"


def affecting(way: Run) -> Run:
    """The instruction, done to those of its targets only that can be affected by its source."""

    def shielded(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
        reached = []
        for number in numbers:
            if run.this and figures.immune(TERMS, t.pos, number, run.this, ability(run)):
                trigger = run.effect.on == "damage-trigger"
                rule = "hf:key.trigger.4" if trigger else "hf:key.auto.5"
                t.not_done(c.do, number, "immune", rule, run.text)
            else:
                reached.append(number)
        if numbers and not reached:
            return Done(len(numbers), 0)
        done: Done = yield from way(c, t, terms, run, reached)
        return Done(done.asked + len(numbers) - len(reached), done.done)

    return shielded


# -- players ---------------------------------------------------------------------------------------


def _draw(t: Table, run: Running, seats: list[int], n: int) -> Play:
    yield from reload.draw(t, seats, n, PARTS, run.text)
    return Done(n * len(seats), n * len(seats))


def _damage_players(t: Table, run: Running, seats: list[int], n: int) -> Play:
    yield from damage_players(t, seats, n, run.this, "effect", PARTS, run.text)
    return Done(len(seats), len(seats))


def _shuffle(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    yield from t.shuffle(f"main/{run.seat}", PARTS, run.text)
    return Done(1, 1)


def _look(c: players.Look, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """With too few cards it fails, and nobody reloads (hf:reload.scope.1, scope.2)."""
    place, n = terms.place(c.place or "deck", run.seat), run.amount(c)
    there = terms.lying(t.pos, place)
    if len(there) < n:
        deck = ("hf:reload.scope.2", "hf:reload.scope.1")
        rules = deck if zone_of(place) == "main" else terms.words["impossible"]
        t.not_done("look", place, "impossible", *rules, run.text, asked=n, done=len(there))
        return Done(n, 0)
    return (yield from players.Look.carry_out(c, t, terms, run, numbers))


# -- cards -----------------------------------------------------------------------------------------


def _damage(t: Table, run: Running, number: int, n: int) -> bool:
    return deal(t, run.this, number, n, "effect", PARTS, run.text)


def _recover(t: Table, run: Running, number: int, n: int) -> bool:
    """A character without damage has nothing to be healed."""
    hurt = figures.damage(t.pos.cards[number])
    if t.counters("damage", min(n, hurt), PARTS, run.text, src=number):
        return True
    t.not_done("recover", number, "impossible", *TERMS.words["impossible"], run.text, asked=n)
    return False


def _destroy(c: Clause, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Those that are not destroyed are not; nor are those destroyed already (reading:hf/A11)."""
    p = t.pos
    falling = []
    for number in numbers:
        if spared(p, number):
            rules = (*spared_by(p, number), "reading:hf/A28", run.text)
            t.not_done("destroy", number, "forbidden", *rules)
        else:
            falling.append(number)
    done = yield from destroy(t, dict.fromkeys(falling, "effect"), PARTS, run.text, by=run.this)
    return Done(len(numbers), done)


@newly
def _move(c: cards.Move, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """Cards go to a zone of their owners; those that leave the battlefield as the book says.

    Cards that come to a guard deck go below those set aside there.
    """
    p, cites = t.pos, cited(terms, run, "move")
    groups = yield from bound(t, terms, run, c, numbers, cites)
    at = 0 if c.at == "bottom" or c.place == "guard" else None
    whither = {"exile": "hf:exile.zone.1", "guard": "hf:prep.size.1"}.get(c.place)
    also = (*cites, *((whither,) if whither else ()))
    mixed = c.random and p.heading.mode == "table"
    with t.at_once():
        moved = [number for cards in groups.values() for number in cards]
        here = [number for number in moved if p.cards[number].place == "battlefield"]
        leave(t, here, c.place, "effect", *also, *_direct(t, c, here), at=at, mixed=mixed)
        for dst, cards in groups.items():
            rest = [number for number in cards if number not in here]
            orient = c.orient or None
            t.move(rest, dst, "effect", *also, at=at, hide=c.random, mixed=mixed, orient=orient)
    run.looked = [number for number in run.looked if number not in numbers]
    return Done(len(numbers), len(numbers))


def _direct(t: Table, c: cards.Move, here: list[int]) -> tuple[str, ...]:
    """Leaving in this way is not destruction, nor prevented by what prevents that."""
    undying = any(t.pos.cards[number].stats.get("undying") for number in here)
    return (
        *(("hf:destroy.direct.1",) if c.place == "trash" else ()),
        *(("hf:key.undying.2",) if undying else ()),
    )


def _deploy(t: Table, run: Running, number: int, n: int) -> int:
    """Characters come to the battlefield together; the owner controls each (hf:field.ctrl.4)."""
    return enter(t, number, PARTS, "hf:card.char.3", run.text, why="effect")


def _face_down(c: FaceDown, t: Table, terms: Terms, run: Running, numbers: list[int]) -> Play:
    """The top card of the main deck, face down, as what the text says it is (hf:face.def.1).

    With a chosen host it is set on that; with an empty deck nothing happens (hf:reload.scope.3).
    """
    top = t.top(f"main/{run.seat}")
    if not top:
        rules = ("hf:reload.scope.3", "hf:reload.scope.1")
        t.not_done("face-down", f"main/{run.seat}", "impossible", *rules, run.text, asked=1)
        return Done(1, 0)
    figures_: Mapping[str, Value] = c.value
    cites = ("hf:face.def.1", run.text)
    with t.at_once():
        if c.choose is not None:
            if not numbers:
                return NOTHING
            attach(t, top[0], numbers[0], *cites, face_down=figures_)
        else:
            (now,) = t.move(top, "battlefield", "face-down", *cites, up=False)
            t.define([now], figures_, *cites)
    return Done(1, 1)
    yield


INSTRUCTIONS = carried_out(
    WORDS.instructions,
    lasting=affecting(lasting()),
    rest=affecting(cards.Rest.carry_out),
    ready=affecting(cards.Ready.carry_out),
    control=affecting(cards.Control.carry_out),
    draw=of_players(_draw),
    discard=players.discarding("hf:prep.guard.5"),
    shuffle=_shuffle,
    look=_look,
    damage=affecting(either(of_players(_damage_players), each(_damage))),
    recover=affecting(each(_recover)),
    destroy=affecting(_destroy),
    move=affecting(_move),
    deploy=each(_deploy),
    face_down=_face_down,
)
