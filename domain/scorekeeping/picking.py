"""Several cards picked by taps, one after the other, for an act of the open decision.

What may be picked next follows from what was picked; once it is enough there is the act to be
tapped. Unseen cards of one place are picked by their names, or nameless: then they are asked for as
ever. Acts with one pick are tapped as they are (`taps`); picks that hang together are typed
(`suggestions.sums`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.record.decisions import Misfit, Offer, Option, joint
from domain.record.fitting.fit import completed, fit
from domain.record.values import Ref
from domain.scorekeeping.command import NOBODY_KNOWS, Command
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.suggestions import suggest, unseen
from domain.scorekeeping.suggestions.suggest import Table
from domain.scorekeeping.taps import Tap, tap
from domain.telling.names import Names


class Pick(Struct, frozen=True):
    """Something to be picked: how it is called, and as which card, if it is unseen."""

    ref: Ref
    name: str
    card: str = ""


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


def possible(line: InputLine) -> list[Picking]:
    """The acts of the open decision for which several may be picked; nothing is yet."""
    decision = line.session.decision
    return [
        Picking(seat, n, _title(t, option), *_range(offer, option, at))
        for seat in (decision.seats if decision is not None else ())
        for t in [line.table(seat)]
        for offer in [t.offer]
        if offer is not None
        for n, option in enumerate(offer.options)
        for at in _parts(t, option)
        if _range(offer, option, at)[0] < len(offer.pools[option.parts[at].pool])
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
    (at, *_) = _parts(t, option)
    done = list[Pick]()
    for ref, card in picked[: found.high]:
        free = _free(t, option, at, done)
        done += [one for one in free if one.card == card and _alike(t, one.ref, ref)][:1]
    more = tuple(_free(t, option, at, done)) if len(done) < found.high else ()
    enough = _tap(line, t, option, at, done) if len(done) >= found.low else None
    return replace(found, picked=tuple(done), free=more, tap=enough)


def _parts(t: Table, option: Option) -> list[int]:
    """The part of an option for which several may be picked, if one."""
    if joint(option) or option.kind == suggest.UNKNOWN:
        return []
    return [
        at
        for at, part in enumerate(option.parts)
        if part.pool >= 0 and part.high > 1 and suggest.is_written(t.manifest, option, part)
    ][:1]


def _range(offer: Offer, option: Option, at: int) -> tuple[int, int]:
    part = option.parts[at]
    return max(part.low, 1), min(part.high, len(offer.pools[part.pool]))


def _title(t: Table, option: Option) -> str:
    kind = option.kind.replace("-", " ")
    card = t.called(int(option.card)) if isinstance(option.card, int) and option.card else ""
    return f"{kind} {card}".strip()


def _free(t: Table, option: Option, at: int, done: Sequence[Pick]) -> Iterator[Pick]:
    """What may be picked besides what was; of the unseen cards of a place the first is."""
    assert t.offer is not None
    pool, taken = t.offer.pools[option.parts[at].pool], {one.ref for one in done}
    names, places = Names(t.book, t.pos), set[str]()
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


def _alike(t: Table, one: Ref, other: Ref) -> bool:
    """Whether nobody can tell them apart: unseen cards of a place are picked from the first on."""
    cards = [t.pos.cards.get(ref) for ref in (one, other) if isinstance(ref, int)]
    unseen_ = [card.place for card in cards if card is not None and not card.id]
    return one == other or (len(unseen_) == 2 and unseen_[0] == unseen_[1])


def _by_name(one: tuple[str, str]) -> str:
    return one[1]


def _tap(line: InputLine, t: Table, option: Option, at: int, done: Sequence[Pick]) -> Tap | None:
    """The act with these picks, if it is one."""
    assert t.offer is not None
    refs = tuple(one.ref for one in done)
    try:
        act = option.act(completed(t.offer, option, {at: refs}))
        fit(t.offer, act)
    except (Misfit, ValueError):
        return None
    names = {int(one.ref): one.card for one in done if one.card}
    text = t.write(act)
    if names:
        text = f"{option.kind} {', '.join(one.name for one in done)}"
    return tap(line, Command(t.seat, act, text, names))
