"""What instructions of card texts do where this book spells the procedure out.

Those that all games share are in `domain.effects.instructions`. Here are drawing, damage, healing,
destruction, moving and bringing in cards, cards set face down, and what shields a card from being
affected at all (hf:key.trigger.4).
"""

from __future__ import annotations

from collections.abc import Mapping

from domain.decisions import Offer, Option, Part
from domain.effects.instructions import SHARED, Instruction, arrange, cited
from domain.effects.interpreter import SPECIAL
from domain.effects.select import Running, Terms
from domain.effects.vocabulary import Clause
from domain.events import EVERYONE, Value
from domain.games.hollow_flux import figures, reload
from domain.games.hollow_flux.damage import deal, hit
from domain.games.hollow_flux.effects import TERMS, occur
from domain.games.hollow_flux.play import attach, enter, hosts
from domain.games.hollow_flux.processes import destroy, spared, to_zone
from domain.table import Chance, Play, Table

#: What a text says is done part by part, in the order written.
PARTS = "hf:target.parts.2"


def _seats(t: Table, run: Running, c: Clause) -> list[int]:
    """Whom a clause about players concerns; both at one moment, the turn player first."""
    if c.key == "both":
        return [t.pos.turn_seat, t.pos.rival(t.pos.turn_seat)]
    return [t.pos.rival(run.seat) if c.key == "opponent" else run.seat]


def ability(run: Running) -> bool:
    """Whether what is carried out is an ability: a damage trigger is none (hf:key.trigger.4)."""
    return run.effect.kind != "command" and run.effect.on != "damage-trigger"


def affecting(instruction: Instruction) -> Instruction:
    """The instruction, done to those of its targets only that can be affected by its source."""

    def shielded(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
        reached = []
        for number in numbers:
            if run.this and figures.immune(TERMS, t.pos, number, run.this, ability(run)):
                rule = "hf:key.auto.5" if ability(run) else "hf:key.trigger.4"
                t.not_done(c.do, number, "immune", rule, run.text)
            else:
                reached.append(number)
        if numbers and not reached:
            return 0
        return (yield from instruction(t, terms, run, c, reached))

    return shielded


# -- players ---------------------------------------------------------------------------------------


def _draw(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    return (yield from reload.draw(t, _seats(t, run, c), run.amount(c), PARTS, run.text))


def _discard(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Players choose cards of their hands, never of their guard decks (hf:prep.guard.5)."""
    chosen: dict[int, list[int]] = {}
    for seat in _seats(t, run, c):
        hand = tuple(t.pos.zone("hand", seat))
        n = min(run.amount(c), len(hand))
        if n < run.amount(c):
            rule = "hf:prep.guard.5"
            t.not_done(
                c.do, f"hand/{seat}", "impossible", rule, run.text, asked=run.amount(c), done=n
            )
        if n:
            offer = Offer((Option("discard", 0, (Part("discard", 0, n, n),)),), (hand,))
            cites = ("hf:prep.guard.5", run.text)
            act = yield from t.ask(seat, "discard", offer, *cites, about=run.this)
            chosen[seat] = [number for number in act.picks[0] if isinstance(number, int)]
    with t.at_once():
        for seat, cards in chosen.items():
            t.move(cards, f"trash/{seat}", "discard", *cited(terms, run, "discard"))
    return sum(map(len, chosen.values()))


def _shuffle(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    yield from t.shuffle(f"main/{run.seat}", PARTS, run.text)
    return 1


def _look(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """With too few cards it fails, and nobody reloads (hf:reload.scope.1, scope.2)."""
    place, n = terms.place(c.place or "deck", run.seat), run.amount(c)
    there = terms.lying(t.pos, place)
    if len(there) < n:
        rules = ("hf:reload.scope.2", "hf:reload.scope.1")
        t.not_done("look", place, "impossible", *rules, run.text, asked=n, done=len(there))
        return 0
    shown = there[len(there) - n :]
    run.looked = list(reversed(shown))
    t.show(shown, 1 << run.seat, "look", *cited(terms, run, "look"))
    return n
    yield


# -- cards -----------------------------------------------------------------------------------------


def _damage(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    n = run.amount(c)
    if c.key:
        if n > 0:
            yield from hit(t, _seats(t, run, c), n, run.this, "effect", PARTS, run.text)
        return n
    done = 0
    with t.at_once():
        for number in numbers:
            done += deal(t, run.this, number, n, "effect", PARTS, run.text)
    return done


def _recover(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    done = 0
    for number in numbers:
        hurt = figures.damage(t.pos.cards[number])
        done += bool(t.counters("damage", min(run.amount(c), hurt), PARTS, run.text, src=number))
    return done
    yield


def _destroy(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Those that are not destroyed are not; nor are those destroyed already (reading A11)."""
    p = t.pos
    falling = []
    for number in numbers:
        if spared(p, number):
            rules = ("hf:key.undying.1", "hf:destroy.immune.1", "reading:hf/A28")
            t.not_done("destroy", number, "forbidden", *rules, run.text)
        elif figures.is_character(p, number) and not p.cards[number].departing:
            falling.append(number)
    destroy(t, falling, "effect", PARTS, run.text)
    return len(falling)
    yield


def _move(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Cards go to a zone of their owners; those that leave the battlefield as the book says.

    From a stack that nobody sees it is the topmost; with none left nothing happens, and nobody
    reloads. What comes to a guard deck comes below what is set aside there.
    """
    p = t.pos
    if numbers and c.to is not None and c.to.zone not in SPECIAL:
        numbers = _topmost(t, numbers, run.amount(c))
    if not numbers:
        why = "declined" if c.choose is not None else "impossible"
        t.not_done("move", run.this, why, "hf:reload.scope.1", run.text, asked=c.n)
        return 0
    cites = cited(terms, run, "move")
    if c.reveal:
        t.show(numbers, EVERYONE, "reveal", *cites)
    if c.random:
        order = yield Chance("shuffle", len(numbers), cited(terms, run, "random"))
        numbers = [numbers[at] for at in order] or numbers
    groups: list[list[int]] = []
    for owner in sorted({p.cards[number].owner for number in numbers}):
        theirs = [number for number in numbers if p.cards[number].owner == owner]
        dst = terms.place(c.place, owner)
        if len(theirs) > 1 and not c.random and t.manifest.zone(dst).ordered:
            theirs = yield from arrange(t, terms, run, owner, theirs, dst)
        groups.append(theirs)
    with t.at_once():
        for theirs in groups:
            _go(t, terms, c, theirs, cites)
    run.looked = [number for number in run.looked if number not in numbers]
    return len(numbers)


def _go(t: Table, terms: Terms, c: Clause, cards: list[int], cites: tuple[str, ...]) -> None:
    """Cards of one owner go to his zone."""
    first = t.pos.cards[cards[0]]
    at = 0 if c.at == "bottom" or c.place == "guard" else None
    whither = {"exile": "hf:exile.zone.1", "guard": "hf:prep.size.1"}.get(c.place)
    also = (*((whither,) if whither else ()), *_direct(first.place, c.place))
    if first.place == "battlefield":
        for number in cards:
            to_zone(t, number, c.place, "effect", *cites, *also, at=at)
    else:
        dst, mixed = terms.place(c.place, first.owner), c.random and t.pos.heading.mode == "table"
        t.move(cards, dst, "effect", *cites, *also, at=at, hide=c.random, mixed=mixed)


def _topmost(t: Table, numbers: list[int], n: int) -> list[int]:
    hidden = t.manifest.zone(t.pos.cards[numbers[0]].place).faces == "none"
    return numbers[: -n - 1 : -1] if hidden else numbers


def _direct(src: str, dst: str) -> tuple[str, ...]:
    """Straight to the trash, or away in some other way: that is no destruction."""
    if src != "battlefield":
        return ()
    return ("hf:destroy.direct.1",) if dst == "trash" else ("hf:key.undying.2",)


def _deploy(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    for number in numbers:
        enter(t, number, PARTS, "hf:card.char.3", run.text, why="effect")
    return len(numbers)
    yield


def _face_down(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """The top card of the main deck, face down, as what the text says it is (hf:face.def.1).

    With a chosen host it is set on that; with an empty deck nothing happens (hf:reload.scope.3).
    """
    top = t.top(f"main/{run.seat}")
    if not top:
        rules = ("hf:reload.scope.3", "hf:reload.scope.1")
        t.not_done("face-down", f"main/{run.seat}", "impossible", *rules, run.text, asked=1)
        return 0
    figures_: Mapping[str, Value] = c.value
    cites = ("hf:face.def.1", run.text)
    with t.at_once():
        if c.choose is not None:
            if not numbers or numbers[0] not in hosts(t.pos):
                return 0
            now = attach(t, top[0], numbers[0], *cites, up=False)
        else:
            (now,) = t.move(top, "battlefield", "face-down", *cites, up=False)
        t.define([now], figures_, *cites)
        if c.choose is None:
            occur(t, "enter", now, t.pos.seq)
    return 1
    yield


def _shielded(*names: str) -> dict[str, Instruction]:
    return {name: affecting(SHARED[name]) for name in names}


INSTRUCTIONS: dict[str, Instruction] = (
    SHARED
    | _shielded("rest", "ready", "modify", "gain", "forbid", "allow", "control")
    | {
        "draw": _draw,
        "discard": _discard,
        "shuffle": _shuffle,
        "look": _look,
        "damage": affecting(_damage),
        "recover": affecting(_recover),
        "destroy": affecting(_destroy),
        "move": affecting(_move),
        "deploy": _deploy,
        "face-down": _face_down,
    }
)
