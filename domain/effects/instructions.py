"""What the instructions that all games share do to a table.

Each takes the clause and its targets and returns how many times it was done, so that `if so` and
`after all` can be answered. Instructions whose procedure a book spells out (drawing, damage,
deploying) are the game's own; `SHARED` is what it starts from.
"""

from __future__ import annotations

from collections.abc import Callable

from domain.decisions import ORDERED, Offer, Option, Part
from domain.effects.constant import change_of
from domain.effects.interpreter import SPECIAL, carry_out, sibling
from domain.effects.select import Running, Terms
from domain.effects.vocabulary import Clause
from domain.events import EVERYONE, Ref
from domain.table import Chance, Play, Table

Instruction = Callable[[Table, Terms, Running, Clause, list[int]], Play]


def cited(terms: Terms, run: Running, word: str) -> tuple[str, ...]:
    """The rules for a word of the vocabulary, and the card text that used it."""
    return (*terms.words[word], run.text)


def turn(orient: int) -> Instruction:
    """Rest or ready cards: the orientation of their zone at that index."""

    def instruction(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
        done = 0
        for number in numbers:
            place = t.pos.cards[number].place
            lies = t.manifest.zone(place).orients[orient]
            done += len(t.turn([number], *cited(terms, run, c.do), orient=lies))
        return done
        yield  # an instruction is a generator, even one that asks nothing

    return instruction


def change(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """A lasting effect: figures, keywords, what cards may and may not do.

    Said of a zone without a filter, it is the place that is affected, newcomers included.
    """
    targets: list[Ref] = list(numbers)
    if c.to is not None and c.to.zone not in SPECIAL and not c.to.match and c.to.whose != "any":
        seat = run.seat if c.to.whose == "yours" else t.pos.rival(run.seat)
        targets = [terms.place(c.to.zone, seat)]
    if targets:
        t.modify(run.this, targets, change_of(c, run), c.until, *cited(terms, run, c.do))
    return len(targets)
    yield


def control(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """The controller of the effect becomes that of cards."""
    others = [number for number in numbers if t.pos.cards[number].controller != run.seat]
    t.control(others, run.seat, *cited(terms, run, "control"))
    return len(numbers)
    yield


def move(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Cards go to a zone of their owners, with what is laid with them.

    From a stack that nobody may search they are the topmost `n`. Several that enter an ordered
    zone at once are ordered by their owner, unless chance orders them.
    """
    p = t.pos
    if c.to is not None and c.to.zone not in SPECIAL:
        numbers = _topmost(t, numbers, c.n)
    narrow = f"move {c.place}"
    cites = cited(terms, run, narrow if narrow in terms.words else "move")
    if c.reveal and numbers:
        t.show(numbers, EVERYONE, "reveal", *cites)
    if c.random:
        order = yield Chance("shuffle", len(numbers), cited(terms, run, "random"))
        numbers = [numbers[at] for at in order] or numbers
    done, owners = 0, {number: p.cards[number].owner for number in numbers}
    for owner in sorted(set(owners.values())):
        theirs = [number for number in numbers if owners[number] == owner]
        dst = terms.place(c.place, owner)
        if len(theirs) > 1 and t.manifest.zone(dst).ordered and not c.random:
            theirs = yield from arrange(t, terms, run, owner, theirs, dst)
        whole = [one for number in theirs for one in (number, *p.cards[number].attached)]
        at = 0 if c.at == "bottom" else None
        mixed = c.random and t.pos.heading.mode == "table"
        orient = c.orient or None
        t.move(whole, dst, "effect", *cites, at=at, hide=c.random, orient=orient, mixed=mixed)
        run.looked = [number for number in run.looked if number not in theirs]
        done += len(theirs)
    return done


def _topmost(t: Table, numbers: list[int], n: int) -> list[int]:
    p = t.pos
    if not numbers or t.manifest.zone(p.cards[numbers[0]].place).faces != "none":
        return numbers
    return numbers[: -n - 1 : -1]


def arrange(t: Table, terms: Terms, run: Running, owner: int, numbers: list[int], dst: str) -> Play:
    """The owner of cards that arrive together decides their order, the first one lowest."""
    zones = t.manifest.zone
    hides = zones(t.pos.cards[numbers[0]].place).faces == "all" and zones(dst).faces != "all"
    cites = terms.words["arrange in secret" if hides else "arrange"]
    n = len(numbers)
    part = Part("order", 0, n, n, limits=ORDERED)
    offer = Offer((Option("order", run.this, (part,)),), (tuple(numbers),))
    act = yield from t.ask(owner, "arrange", offer, *cites, about=run.this)
    return [number for number in act.picks[0] if isinstance(number, int)]


def look(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """The controller looks at the top `n` of his deck; they become `looked`, topmost first."""
    place = terms.place(c.place or "deck", run.seat)
    run.looked = t.top(place, c.n)
    t.show(run.looked[::-1], 1 << run.seat, "look", *cited(terms, run, "look"))
    return len(run.looked)
    yield


def discard(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """A player chooses cards of his hand and discards them.

    Of both, the turn player chooses first, and they discard at one moment.
    """
    p = t.pos
    both = (p.turn_seat, p.rival(p.turn_seat))
    seats = {"both": both, "opponent": (p.rival(run.seat),)}.get(c.key, (run.seat,))
    cites = (*(terms.words["both"] if c.key == "both" else ()), *terms.words["choose"], run.text)
    chosen: dict[int, list[int]] = {}
    for seat in seats:
        hand = tuple(p.zone(terms.place("hand", seat)))
        n = min(run.amount(c), len(hand))
        if n:
            part = Part("discard", 0, n, n, limits=ORDERED)
            offer = Offer((Option("discard", 0, (part,)),), (hand,))
            act = yield from t.ask(seat, "discard", offer, *cites, about=run.this)
            chosen[seat] = [number for number in act.picks[0] if isinstance(number, int)]
    with t.at_once():
        for seat, cards in chosen.items():
            t.move(cards, terms.place("trash", seat), "discard", *cited(terms, run, "discard"))
    return sum(map(len, chosen.values()))


def perform(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Carry out another effect of the same card."""
    inner = terms.effect(sibling(run, c))
    return int((yield from carry_out(t, terms, run, inner.do)))


def one_of(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """The controller picks one of several ways to go on."""
    n = len(c.options)
    offer = Offer((Option("mode", run.this, (Part("mode", -1, 1, n),)),))
    act = yield from t.ask(
        run.seat, "mode", offer, *terms.words["choose"], run.text, about=run.this, public=True
    )
    chosen = act.picks[0][0]
    assert isinstance(chosen, int)
    return int((yield from carry_out(t, terms, run, c.options[chosen - 1])))


SHARED: dict[str, Instruction] = {
    "rest": turn(1),
    "ready": turn(0),
    "modify": change,
    "gain": change,
    "forbid": change,
    "allow": change,
    "control": control,
    "move": move,
    "look": look,
    "discard": discard,
    "perform": perform,
    "one-of": one_of,
}
