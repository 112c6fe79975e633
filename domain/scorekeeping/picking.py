"""Several cards picked by taps, one after the other, for an act of the open decision.

What may be picked next follows from what was picked; once it is enough there is the act to be
tapped. Picks that must add up are shown with their sum, and none is free that leads nowhere; those
of several parts are picked together. Unseen cards of one place are picked by their names, or
nameless: then they are asked for as ever. Acts with one pick are tapped as they are (`taps`); how
an act is paid for is typed (`suggestions.sums`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.record.decisions import PLAIN, Misfit, Offer, Option, Term, joint, sums
from domain.record.fitting.fit import completed, feasible, fit
from domain.record.fitting.usual import payment
from domain.record.values import Ref
from domain.scorekeeping.command import NOBODY_KNOWS, Command
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.suggestions import suggest, unseen
from domain.scorekeeping.suggestions.suggest import Table
from domain.scorekeeping.taps import Tap, tap
from domain.telling.names import Names


class Pick(Struct, frozen=True):
    """Something to be picked for part `at`: how it is called, and as which card, if unseen."""

    ref: Ref
    name: str
    card: str = ""
    at: int = 0


class Total(Struct, frozen=True):
    """What the picks add up to, and what they have to: from `least` to `most`, None: or more."""

    label: str
    n: int
    least: int
    most: int | None


class Picking(Struct, frozen=True):
    """The picks for one act: how many there have to be, and may be; `tap` once they are enough.

    `option` is its place in the offer to `seat`.
    """

    seat: int
    option: int
    title: str
    low: int
    high: int
    picked: tuple[Pick, ...] = ()
    free: tuple[Pick, ...] = ()
    tap: Tap | None = None
    totals: tuple[Total, ...] = ()


def possible(line: InputLine) -> list[Picking]:
    """The acts of the open decision for which several may be picked; nothing is yet."""
    decision = line.session.decision
    return [
        Picking(seat, n, _title(t, option), low, high)
        for seat in (decision.seats if decision is not None else ())
        for t in [line.table(seat)]
        for offer in [t.offer]
        if offer is not None
        for n, option in enumerate(offer.options)
        for parts in [_parts(t, option)]
        if parts
        for low, high in [_range(offer, option, parts)]
        if high > 1 and low < sum(len(offer.pools[option.parts[at].pool]) for at in parts)
    ]


def going_on(
    line: InputLine, seat: int, n: int, picked: Sequence[tuple[Ref, str]]
) -> Picking | None:
    """The picks for an act by what was picked so far; None if it is none of those."""
    found = next((one for one in possible(line) if (one.seat, one.option) == (seat, n)), None)
    t = line.table(seat)
    if found is None or t.offer is None:
        return None
    option = t.offer.options[n]
    parts = _parts(t, option)
    done = list[Pick]()
    for ref, card in picked[: found.high]:
        free = _free(t, option, parts, done)
        done += [one for one in free if one.card == card and _alike(t, one.ref, ref)][:1]
    more = tuple(_free(t, option, parts, done)) if len(done) < found.high else ()
    enough = _tap(line, t, option, done) if len(done) >= found.low else None
    totals = tuple(_totals(t, option, parts, done))
    return replace(found, picked=tuple(done), free=more, tap=enough, totals=totals)


def _parts(t: Table, option: Option) -> list[int]:
    """The part of an option for which several may be picked, or those that hang together."""
    if option.kind == suggest.UNKNOWN:
        return []
    if joint(option):
        paid = payment(option)
        return [
            at for at, part in enumerate(option.parts)
            if part.pool >= 0 and part.high and at not in paid and (part.limits or PLAIN).cap == 1
        ]  # fmt: skip
    return [
        at
        for at, part in enumerate(option.parts)
        if part.pool >= 0 and part.high > 1 and suggest.is_written(t.manifest, option, part)
    ][:1]


def _range(offer: Offer, option: Option, parts: Sequence[int]) -> tuple[int, int]:
    some = [option.parts[at] for at in parts]
    high = sum(min(part.high, len(offer.pools[part.pool])) for part in some)
    return max(sum(part.low for part in some), 1), high


def _title(t: Table, option: Option) -> str:
    kind = option.kind.replace("-", " ")
    card = t.called(int(option.card)) if isinstance(option.card, int) and option.card else ""
    return f"{kind} {card}".strip()


def _free(t: Table, option: Option, parts: Sequence[int], done: Sequence[Pick]) -> Iterator[Pick]:
    """What may be picked besides what was, each for the first part that it can be picked for."""
    assert t.offer is not None
    picked, seen = _picks(done), set[tuple[Ref, str]]()
    for at in parts:
        if len(picked.get(at, ())) >= option.parts[at].high:
            continue
        for one in _of_pool(t, t.offer.pools[option.parts[at].pool], done):
            more = {**picked, at: (*picked.get(at, ()), one.ref)}
            if (one.ref, one.card) in seen:
                continue
            if not joint(option) or feasible(t.offer, option, least=more):
                seen.add((one.ref, one.card))
                yield replace(one, at=at)


def _of_pool(t: Table, pool: Sequence[Ref], done: Sequence[Pick]) -> Iterator[Pick]:
    """What may be picked of a pool; of the unseen cards of a place the first is."""
    taken, names, places = {one.ref for one in done}, Names(t.book, t.pos), set[str]()
    for ref in pool:
        if ref in taken:
            continue
        if not isinstance(ref, int) or t.pos.card(ref).id or suggest.is_face_down(t, ref):
            yield Pick(ref, t.called(ref) if isinstance(ref, int) else names.ref(ref))
            continue
        place = t.pos.card(ref).place
        if place in places:
            continue
        places.add(place)
        seen = Counter(one.card for one in done if one.card)
        left = unseen.cards(t.book, t.pos, t.pos.card(ref).owner, seen.elements(), ref)
        yield from (Pick(ref, name, card) for card, name in sorted(left.items(), key=_by_name))
        yield Pick(ref, f"{NOBODY_KNOWS} {names.place(place)}")


def _picks(done: Sequence[Pick]) -> dict[int, tuple[Ref, ...]]:
    """What was picked, by part."""
    found = dict[int, tuple[Ref, ...]]()
    for one in done:
        found[one.at] = (*found.get(one.at, ()), one.ref)
    return found


def _totals(
    t: Table, option: Option, parts: Sequence[int], done: Sequence[Pick]
) -> Iterator[Total]:
    """The sums of figures that the picks make; none where one of them is not known yet."""
    assert t.offer is not None
    if any(isinstance(one.ref, int) and not t.pos.card(one.ref).id for one in done):
        return
    own = [(part.limits or PLAIN, at, part.name) for at, part in enumerate(option.parts)]
    asked: list[tuple[str, tuple[Term, ...], int, int]]
    asked = [(name, (Term(at, one.weights),), one.least, one.most) for one, at, name in own]
    asked += [(one.name, one.terms, one.least, one.most) for one in sums(option)]
    for name, terms, least, most in asked:
        figures = [n for term in terms for n in term.weights]
        if max(figures, default=0) > 1 and {term.part for term in terms} <= {*parts}:
            every = {term.part: t.offer.pools[option.parts[term.part].pool] for term in terms}
            limit = most if _sum(t.offer, option, terms, every) > most else None
            n = _sum(t.offer, option, terms, _picks(done))
            yield Total(t.manifest.label("parts", name), n, least, limit)


def _sum(
    offer: Offer, option: Option, terms: Sequence[Term], picked: Mapping[int, Sequence[Ref]]
) -> int:
    pools = [(term, offer.pools[option.parts[term.part].pool]) for term in terms]
    return sum(
        term.weights[pool.index(ref)] if term.weights else 1
        for term, pool in pools
        for ref in picked.get(term.part, ())
    )


def _alike(t: Table, one: Ref, other: Ref) -> bool:
    """Whether nobody can tell them apart: unseen cards of a place are picked from the first on."""
    cards = [t.pos.cards.get(ref) for ref in (one, other) if isinstance(ref, int)]
    unseen_ = [card.place for card in cards if card is not None and not card.id]
    return one == other or (len(unseen_) == 2 and unseen_[0] == unseen_[1])


def _by_name(one: tuple[str, str]) -> str:
    return one[1]


def _tap(line: InputLine, t: Table, option: Option, done: Sequence[Pick]) -> Tap | None:
    """The act with these picks, if it is one."""
    assert t.offer is not None
    try:
        act = option.act(completed(t.offer, option, _picks(done)))
        fit(t.offer, act)
    except (Misfit, ValueError):
        return None
    names = {int(one.ref): one.card for one in done if one.card}
    return tap(line, Command(t.seat, act, _text(option, done) if names else t.write(act), names))


def _text(option: Option, done: Sequence[Pick]) -> str:
    """The line that says an act with cards that nobody has seen."""
    text = option.kind
    for at, part in enumerate(option.parts):
        if picked := ", ".join(one.name for one in done if one.at == at):
            text += f" {part.name} {picked}" if joint(option) else f" {picked}"
    return text
