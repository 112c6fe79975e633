"""What the instructions that all games share do to a table.

Each takes the clause and its targets, all of them cards that it may be done to, and returns how
much was asked and done (`Done`), so that `if so` and `after all` can be answered. What cannot be
done is recorded, never passed over in silence. Instructions whose procedure a book spells out
(drawing, damage, deploying) are the game's own; `SHARED` is what it starts from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from domain.effects.constant.texts import change_of
from domain.effects.foresight.able import conditions_hold, needs_target
from domain.effects.foresight.doable import lies_there, seats_of
from domain.effects.interpreter import carry_out, name_targets, sibling
from domain.effects.language.vocabulary import Clause
from domain.effects.language.words import place_meant
from domain.effects.select import NOTHING, Done, Running, Terms, places
from domain.engine.signals import Chance, Play
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.record.decisions import ORDERED, Limits, Offer, Option, Part
from domain.record.position import Position
from domain.record.values import EVERYONE, Ref

Instruction = Callable[[Table, Terms, Running, Clause, list[int]], Play]


def cited(terms: Terms, run: Running, word: str) -> tuple[str, ...]:
    """The rules for a word of the vocabulary, and the card text that used it.

    A book may have others for what a constant text does, which nobody carries out.
    """
    always = terms.words.get("constant") if run.effect.kind == "constant" else None
    return (*(always or terms.words[word]), run.text)


def turn(orient: int) -> Instruction:
    """Rest or ready cards, at one moment: the orientation of their zone at that index.

    What lies so already is not turned, and so was not done.
    """

    def instruction(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
        turned = 0
        with t.at_once():
            for lies, alike in groupby(numbers, lambda number: _orientation(t, number, orient)):
                turned += len(t.turn(alike, *cited(terms, run, c.do), orient=lies))
        return already(t, terms, run, c, numbers, turned)
        yield  # an instruction is a generator, even one that asks nothing

    return instruction


def _orientation(t: Table, number: int, orient: int) -> str:
    return t.manifest.zone(t.pos.cards[number].place).orients[orient]


def already(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int], done: int) -> Done:
    """What became of an instruction that does nothing to cards with which it is so already."""
    asked = len(numbers)
    if done < asked:
        ref = numbers[0] if asked == 1 else run.this
        words = terms.words.get(f"already {c.do}", terms.words["already"])
        t.not_done(c.do, ref, "already", *words, run.text, asked=asked, done=done)
    return Done(asked, done)


def change(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """A lasting effect: figures, keywords, what cards may and may not do."""
    asked, targets = lasting_on(t, terms, run, c, numbers)
    if targets:
        t.modify(run.this, targets, change_of(c, run), c.until, *cited(terms, run, c.do))
    return Done(asked, len(targets))
    yield


def lasting_on(
    t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]
) -> tuple[int, list[Ref]]:
    """How many a lasting effect is to act on, and on which of them it does.

    Said of a zone without a filter, it is the place that is affected, newcomers included. On what
    lies hidden among others nothing lasts: nobody could say any more which card it is.
    """
    targets: list[Ref] = list(numbers)
    if place_meant(c) and c.to is not None:
        targets = list(places(terms, t.pos, c.to, run.seat))
    there = [ref for ref in targets if t.in_sight(ref)]
    if len(there) < len(targets):
        short(t, terms, run, c, run.this, len(targets), len(there))
    return len(targets), there


def control(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """The controller of the effect becomes that of cards."""
    others = [number for number in numbers if t.pos.cards[number].controller != run.seat]
    t.control(others, run.seat, *cited(terms, run, "control"))
    return already(t, terms, run, c, numbers, len(others))
    yield


def newly(instruction: Instruction) -> Instruction:
    """To move cards: those that lie where they are to go already are not moved."""

    def moving(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
        going = [number for number in numbers if not lies_there(t, terms, c, number)]
        lying = already(t, terms, run, c, numbers, len(going))
        if not going and numbers:
            return lying
        done: Done = yield from instruction(t, terms, run, c, going)
        return Done(done.asked + len(numbers) - len(going), done.done)

    return moving


@newly
def move(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Cards go to a zone of their owners, at one moment, with what is laid with them.

    Several that enter an ordered zone are ordered by their owner, unless chance orders them; the
    turn player first, and before any of them has moved.
    """
    narrow = f"move {c.place}"
    cites = cited(terms, run, narrow if narrow in terms.words else "move")
    whole = with_riders(t.pos, numbers)
    groups = yield from bound(t, terms, run, c, whole, cites)
    mixed = c.random and t.pos.heading.mode == "table"
    with t.at_once():
        for dst, cards in groups.items():
            at = 0 if c.at == "bottom" else None
            orient = c.orient or None
            also = _as_riders(t.pos, terms, cards, whole)
            tokens, rest = _tokens_and_others(t.pos, cards) if c.random else ([], cards)
            for some, hide in ((tokens, False), (rest, c.random)):
                t.move(
                    some,
                    dst,
                    "effect",
                    *cites,
                    *also,
                    at=at,
                    hide=hide,
                    orient=orient,
                    mixed=hide and mixed,
                )
    run.looked = [number for number in run.looked if number not in numbers]
    return Done(len(numbers), len(numbers))


def _as_riders(
    p: Position, terms: Terms, cards: Iterable[int], whole: Sequence[int]
) -> tuple[str, ...]:
    """The rules by which some of these cards go as those beneath others do, that go as well."""
    found = [p.cards[number] for number in cards if p.cards[number].host in whole]
    apart = any(card.owner != p.cards[card.host].owner for card in found)
    words = ("riders", "riders of others")[: len(found[:1]) + apart]
    return tuple(rule for word in words for rule in terms.words.get(word, ()))


def bound(
    t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int], cites: tuple[str, ...]
) -> Play:
    """Make cards ready to go: by the place they go to, in the order in which they come to it."""
    p = t.pos
    if c.reveal:
        t.show(_as_they_lie(p, numbers), EVERYONE, "reveal", *cites)
    if c.random and numbers:
        seen = t.manifest.follow(terms.place(c.place, run.seat)) == EVERYONE  # which lies where
        kind = "order" if seen else "shuffle"
        tokens, rest = _tokens_and_others(p, numbers)
        order = yield Chance(kind, len(rest), cited(terms, run, "random"))
        numbers = [*tokens, *([rest[at] for at in order] or rest)]
    groups: dict[str, list[int]] = {}
    for owner in by_turn(p, {p.cards[number].owner for number in numbers}):
        dst = terms.place(c.place, owner)
        cards = [number for number in numbers if p.cards[number].owner == owner]
        if len(cards) > 1 and t.manifest.zone(dst).ordered and not c.random:
            seat = terms.arranger(p, run, owner)
            cards = yield from arrange(t, terms, run, seat, cards, dst)
        for number in cards:  # against the rules, others than his may have been arranged
            groups.setdefault(terms.place(c.place, p.cards[number].owner), []).append(number)
    return groups


def _tokens_and_others(p: Position, numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """The tokens among cards that are to be mixed, of which nobody loses sight; the others."""
    tokens = [number for number in numbers if p.cards[number].token]
    return tokens, [number for number in numbers if number not in tokens]


def with_riders(p: Position, numbers: Iterable[int]) -> list[int]:
    """These cards, each followed by those that lie beneath it."""
    whole = (one for number in numbers for one in (number, *p.cards[number].attached))
    return list(dict.fromkeys(whole))


def by_turn(p: Position, seats: Iterable[int]) -> list[int]:
    """Seats in the order in which they choose: whose turn it is first."""
    return sorted(seats, key=lambda seat: (seat != p.turn_seat, seat))


def _as_they_lie(p: Position, numbers: Iterable[int]) -> list[int]:
    """Cards that lie by themselves, zone by zone, from the lowest up."""
    found = {number: p.cards[number].place for number in numbers if not p.cards[number].host}
    return sorted(found, key=lambda n: (found[n], p.zones[found[n]].index(n)))


def arrange(t: Table, terms: Terms, run: Running, seat: int, numbers: list[int], dst: str) -> Play:
    """A seat decides the order of cards that arrive together, the first one lowest."""
    zones = t.manifest.zone
    hides = zones(t.pos.cards[numbers[0]].place).faces == "all" and zones(dst).faces != "all"
    cites = terms.words["arrange in secret" if hides else "arrange"]
    return (
        yield from pick(
            t, seat, "arrange", numbers, len(numbers), *cites,
            act="order", limits=ORDERED, card=run.this, about=run.this,
        )
    )  # fmt: skip


def look(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """The controller looks at the top `n` of his deck; they become `looked`, topmost first."""
    place, n = terms.place(c.place or "deck", run.seat), run.amount(c)
    run.looked = list(terms.lying(t.pos, place)[: -n - 1 : -1]) if n > 0 else []
    if len(run.looked) < max(n, 1):
        short(t, terms, run, c, place, n, len(run.looked))
    t.show(run.looked[::-1], 1 << run.seat, "look", *cited(terms, run, "look"))
    return Done(n, len(run.looked))
    yield


def short(t: Table, terms: Terms, run: Running, c: Clause, ref: Ref, asked: int, done: int) -> None:
    """Less could be done than was asked, or nothing was asked at all."""
    words = terms.words["nothing asked" if asked <= 0 else "impossible"]
    t.not_done(c.do, ref, "impossible", *words, run.text, asked=asked, done=done)


def discarding(*rules: str, limits: Limits | None = None) -> Instruction:
    """Players choose cards of their hands and discard them.

    Of both, the turn player chooses first, and they discard at one moment. `rules` say that they
    choose, and that there are not enough, where no word of the vocabulary does; `limits` let them
    put in order what they discard.
    """

    def discard(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
        seats = seats_of(t, run, c)
        wanted = {seat: run.amount(c, seat) for seat in seats}
        both = terms.words["both"] if c.key == "both" and not rules else ()
        cites = (*both, *(rules or terms.words["choose"]), run.text)
        chosen: dict[int, list[int]] = {}
        for seat in seats:
            place = terms.place("hand", seat)
            hand, asked = t.pos.zone(place), wanted[seat]
            n = max(0, min(asked, len(hand)))
            if n < max(asked, 1):
                few = rules or terms.words["impossible"]
                words = few if asked > 0 else terms.words["nothing asked"]
                t.not_done(c.do, place, "impossible", *words, run.text, asked=asked, done=n)
            if n and c.random:
                order = yield Chance("order", len(hand), cited(terms, run, "random"))
                chosen[seat] = [hand[at] for at in order[:n]]
            elif n:
                chosen[seat] = yield from pick(
                    t, seat, "discard", hand, n, *cites, limits=limits, about=run.this
                )
        with t.at_once():
            for seat, cards in chosen.items():
                t.move(cards, terms.place("trash", seat), "discard", *cited(terms, run, "discard"))
        run.shares = {seat: len(chosen.get(seat, ())) for seat in seats}
        return Done(sum(wanted.values()), sum(run.shares.values()))

    return discard


def perform(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """Carry out another effect of the same card.

    Where a book activates effects as a whole or not at all, that goes for this one, too.
    """
    inner = terms.effect(t.pos, sibling(run, c))
    lacking = ""
    if terms.void_whole and not conditions_hold(t, terms, run, inner):
        lacking = "condition"
    elif terms.void_whole and needs_target(t, terms, run, inner.do):
        lacking = "no target"
    if lacking:
        t.not_done(c.do, run.this, lacking, *terms.words[lacking], run.text)
        return Done(1, 0)
    return (yield from nested(t, terms, run, inner.do))


def nested(t: Table, terms: Terms, run: Running, clauses: list[Clause]) -> Play:
    """Carry out clauses in the place of one; what became of all of them together."""
    before, run.total = run.total, NOTHING
    aims = (yield from name_targets(t, terms, run, clauses)) if terms.targets_first else None
    yield from carry_out(t, terms, run, clauses, aims)
    whole, run.total = run.total, before
    return whole


def one_of(t: Table, terms: Terms, run: Running, c: Clause, numbers: list[int]) -> Play:
    """The controller picks one of several ways to go on, by its name if they have any."""
    n, called = len(c.options), tuple(c.value or ())
    part = Part("mode", 0) if called else Part("mode", -1, 1, n)
    offer = Offer((Option("mode", run.this, (part,)),), (called,) if called else ())
    act = yield from t.ask(
        run.seat, "mode", offer, *terms.words["choose"], run.text, about=run.this, public=True
    )
    chosen = act.picks[0][0]
    at = called.index(str(chosen)) if called else int(chosen) - 1
    return (yield from nested(t, terms, run, c.options[at]))


SHARED: dict[str, Instruction] = {
    "rest": turn(1),
    "ready": turn(0),
    "modify": change,
    "gain": change,
    "lose": change,
    "forbid": change,
    "allow": change,
    "control": control,
    "move": move,
    "look": look,
    "discard": discarding(limits=ORDERED),
    "perform": perform,
    "one-of": one_of,
}
