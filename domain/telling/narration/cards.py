"""Sentences for cards that move, turn or are shown, and for their figures."""

from __future__ import annotations

from functools import partial

from domain.effects.constant.calculator import OPERATIONS, operation
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import seat_of, zone_of
from domain.record.values import Ref, Value
from domain.telling.names import (
    BARS,
    barring,
    counted,
    player,
)
from domain.telling.names import cards as number_of_cards
from domain.telling.narration.narrator import (
    Draft,
    Narrator,
    fixed,
    narrates,
    narrates_before,
)
from domain.words.phrases import joined, phrase, renamed

# -- cards ---------------------------------------------------------------------------------------


@narrates(ev.CardsMade)
def _made(n: Narrator, e: Entry, v: ev.CardsMade) -> None:
    numbers = v.cards.value or ()
    n.moved.update(numbers)
    n.new.update(numbers)
    minor = n.book.manifest.zone(v.place).follow == "none"
    why = n.book.manifest.label("reasons", v.why)

    def text() -> str:
        named = n.names.cards(numbers) if numbers and not minor else number_of_cards(v.n)
        return phrase("{cards} to {place} ({why})", cards=named, place=where(), why=why)

    joins = n.in_effect() or n.same_moment(e)
    draft = n.join(e, seat_of(v.place)) if joins else n.open(e, seat_of(v.place), minor=minor)
    where = partial(_place, n, v.place, draft.seat)
    draft.details.append(text)


@narrates(ev.CardsMoved)
def _moved(n: Narrator, e: Entry, v: ev.CardsMoved) -> None:
    now = v.now.value or (0,) * v.n
    was = v.was.value or (0,) * v.n
    n.moved.update(now)
    n.new.update(now)
    acts = {word.name for word in n.book.manifest.acts}
    kind, card = n.act
    if kind and (card in was or v.why == kind):
        n.join(e, seat_of(v.src)).cite(
            e.cites
        )  # the act was narrated; the card has another number now
        return
    hidden = n.book.manifest.zone(v.src).faces != "all"
    if v.why in acts and v.n == 1 and hidden and not n.in_effect():
        _acted(n, e, v, now[0])
        return
    begun = n.draft is not None and n.draft.frame == e.frame > 0
    joins = n.in_effect() or n.same_moment(e) or begun
    draft = n.join(e, seat_of(v.dst)) if joins else n.open(e, seat_of(v.dst))
    why, to = n.book.manifest.label("reasons", v.why), _place(n, v.dst, draft.seat)

    def text() -> str:
        named = n.names.cards(number or old for number, old in zip(now, was, strict=True))
        return phrase("{cards} to {place} ({why})", cards=named, place=to, why=why)

    draft.details.append(text)
    draft.arrivals |= dict.fromkeys(now, text)


def _place(n: Narrator, place: str, seat: int) -> str:
    """A zone as the line of a seat calls it: its own without saying whose."""
    own = seat_of(place) == seat
    return n.book.manifest.label("zones", zone_of(place)) if own else n.names.place(place)


def _acted(n: Narrator, e: Entry, v: ev.CardsMoved, number: int) -> None:
    """A move whose reason is an act: narrated as the act, for those who may not see the answer."""
    draft = n.draft if n.draft is not None and not n.draft.label else n.open(e, seat_of(v.src))
    draft.cite(e.cites)
    draft.kind, draft.seat = "act", seat_of(v.src)
    draft.label = n.book.manifest.label("acts", v.why)
    draft.slots["card"] = lambda: with_id(n, number)
    n.act = (v.why, number)


def with_id(n: Narrator, number: int) -> str:
    """A card with its number in the catalogue, where that is known."""
    name = n.names.card(number)
    card = n.pos.cards.get(number) or n.pos.departed.get(number)
    if card is None or not card.id:
        return name
    return phrase("{card} ({id})", card=name, id=card.id)


@narrates(ev.CardsAttached)
def _attached(n: Narrator, e: Entry, v: ev.CardsAttached) -> None:
    draft = n.join(e, -1)
    host = v.host
    if "{host}" in draft.label:
        draft.slots.setdefault("host", lambda: n.names.card(host))
        draft.actors.add(host)
    elif host:
        draft.details.append(
            lambda: phrase(
                "{cards} with {host}", cards=n.names.cards(v.cards), host=n.names.card(host)
            )
        )


@narrates(ev.CardsLinked)
def _linked(n: Narrator, e: Entry, v: ev.CardsLinked) -> None:
    host, role = v.host, n.book.manifest.label("roles", v.role)

    def text() -> str:
        cards = n.names.cards(v.cards)
        if not host:
            return phrase("{cards} belongs to nothing any more", cards=cards)
        named = n.names.card(host)
        return phrase("{cards} belongs to {host} ({role})", cards=cards, host=named, role=role)

    n.say(e, -1, text)


@narrates(ev.CardsTurned)
def _turned(n: Narrator, e: Entry, v: ev.CardsTurned) -> None:
    actors = {n.act[1], *(n.draft.actors if n.draft else ())}
    cards = [number for number in v.cards if number not in actors]
    lies = n.book.manifest.lying(v.orient) if v.orient else ""
    if not cards:
        draft = n.join(e, -1)
        if lies and "{how}" in draft.label:
            draft.slots["how"] = fixed(phrase(" to {position}", position=lies))
        return
    faces = {True: phrase("face up"), False: phrase("face down"), None: ""}[v.up]
    how = joined(" ", filter(None, [lies, faces]))
    if v.up:
        n.moved.update(cards)
    seat = n.pos.card(cards[0]).controller
    n.say(e, seat, lambda: phrase("{cards} {how}", cards=_gathered(n, cards), how=how))


def _gathered(n: Narrator, cards: list[int]) -> str:
    """Cards by name; many without figures of their own by their zone: `3 resources`.

    Where each has a place of its own, it is known which of them is meant.
    """
    placed = {slots.zone for slots in n.book.manifest.slots}
    plain = [
        number
        for number in cards
        if not n.pos.card(number).stats and zone_of(n.pos.card(number).place) not in placed
    ]
    named = [n.names.card(number) for number in cards if number not in plain]
    places: dict[str, int] = {}
    for number in plain:
        zone = n.pos.card(number).place
        places[zone] = places.get(zone, 0) + 1
    for place, size in places.items():
        label = n.book.manifest.label("zones", zone_of(place))
        plainly = label.lower().removesuffix("s") if size == 1 else label.lower()
        named.append(phrase("{n} {cards}", n=size, cards=renamed(label, plainly)))
    return counted(named)


@narrates_before(ev.CardsKnown)
def _renamed(n: Narrator, e: Entry, v: ev.CardsKnown) -> None:
    """Note what cards were taken for that turn out to be others."""
    was = {
        number: n.pos.cards[number].id for number, _ in v.cards.value or () if number in n.pos.cards
    }
    n.renamed = {k: was[k] for k, name in v.cards.value or () if was.get(k, "") not in ("", name)}


@narrates(ev.CardsKnown)
def _known(n: Narrator, e: Entry, v: ev.CardsKnown) -> None:
    numbers = [number for number, _ in v.cards.value or ()]
    if n.same_moment(e) and (not numbers or set(numbers) <= n.moved):
        return
    if set(numbers) <= n.moved and numbers:
        return
    if n.renamed:
        n.moved.update(n.renamed)  # that all are shown it is no news
        was = [n.book.name(card) for card in n.renamed.values()]
        n.say(
            e, seat_of(v.place),
            lambda: phrase("{cards} (was {was})", cards=n.names.cards(numbers), was=", ".join(was)),
        )  # fmt: skip
        return
    why = n.book.manifest.label("reasons", v.why)
    if v.why in ("setup", "draw") and not numbers:
        return
    if numbers and n.draft is not None and _named(n, n.draft, numbers):
        n.join(e, -1)
        return
    n.say(
        e, seat_of(v.place),
        lambda: phrase(
            "{cards} ({why})",
            cards=n.names.cards(numbers) if numbers else number_of_cards(v.n),
            why=why,
        ),
    )  # fmt: skip


def _named(n: Narrator, draft: Draft, numbers: list[int]) -> bool:
    """Whether an open line names just these cards as what acts, by the names that they have."""
    known = draft.slots.get("card")
    return (
        known is not None and set(numbers) <= draft.actors and (n.names.cards(numbers) in known())
    )


@narrates(ev.CardsOrdered)
def _ordered(n: Narrator, e: Entry, v: ev.CardsOrdered) -> None:
    why = n.book.manifest.label("reasons", v.why)
    zone, seat = n.names.place(v.place), seat_of(v.place)
    cards = number_of_cards(v.n)
    text = phrase("{place} {why} ({cards})", place=zone, why=why, cards=cards)
    n.line(e, seat, text, "event", minor=True)


@narrates(ev.CardsRemoved)
def _removed(n: Narrator, e: Entry, v: ev.CardsRemoved) -> None:
    why = n.book.manifest.label("reasons", v.why)
    n.say(
        e,
        -1,
        lambda: phrase("{cards} out of the game ({why})", cards=n.names.cards(v.cards), why=why),
    )


@narrates(ev.CardsControlled)
def _controlled(n: Narrator, e: Entry, v: ev.CardsControlled) -> None:
    n.say(
        e,
        v.seat,
        lambda: phrase(
            "{player} controls {cards}", player=player(v.seat), cards=n.names.cards(v.cards)
        ),
    )


# -- numbers -------------------------------------------------------------------------------------


@narrates(ev.CountersMoved)
def _counters(n: Narrator, e: Entry, v: ev.CountersMoved) -> None:
    if n.dealt[0] == e.moment and v.dst in n.dealt[1]:
        n.join(e, -1)
        return
    label = n.book.manifest.label("counters", v.kind)
    src, dst = v.src, v.dst
    holder = next((ref for ref in (src, dst) if isinstance(ref, str) and ref), "")
    left = n.pos.holders.get(holder, {}).get(v.kind, 0)

    def text() -> str:
        what = _tally(label, v.n, bool(n.book.manifest.sign(v.kind)))
        if src == "":
            what = phrase("{what} to {holder}", what=what, holder=n.names.ref(dst))
        elif dst == "":
            what = phrase("{what} from {holder}", what=what, holder=n.names.ref(src))
        else:
            places = {"holder": n.names.ref(src), "to": n.names.ref(dst)}
            what = phrase("{what} from {holder} to {to}", what=what, **places)
        if holder.startswith("seat/") and left != v.n:
            return phrase("{what} (now {n})", what=what, n=left)
        return what

    n.say(e, -1, text)


def _tally(label: str, n: int, things: bool) -> str:
    """So many counters: worded like cards, if they are things that lie on the table."""
    if not things:
        return phrase("{n} {counters}", n=n, counters=label)
    return label if n == 1 else phrase("{counters} ×{n}", counters=label, n=n)


@narrates_before(ev.StatsSet)
def _stats(n: Narrator, e: Entry, v: ev.StatsSet) -> None:
    """Narrated before it is folded: only what changes on cards that had figures already."""
    changes: dict[Ref, list[str]] = {}
    for subject, key, value in v.stats.value or ():
        if isinstance(subject, int):
            card = n.pos.cards.get(subject)
            if card is None or not card.stats or (value is None and not card.up):
                continue
            old = card.stats.get(key)
        else:
            old = n.pos.stats.get(subject, {}).get(key)
        changes.setdefault(subject, []).append(
            figure(n.book.manifest.label("stats", key), value, old)
        )
    actors = n.draft.actors if n.draft is not None else set()
    for subject, words in sorted(changes.items(), key=lambda item: item[0] not in actors):
        host = subject in actors
        figures = joined(", ", words)
        name = n.names.ref(subject)
        n.say(
            e,
            -1,
            fixed(figures if host else phrase("{card} {figures}", card=name, figures=figures)),
        )


def figure(label: str, value: Value, old: Value = None) -> str:
    """A figure and what it is now: `AP 5`, `Blocker`, `no longer a link unit`."""
    if value is True:
        return label
    if value is None or value is False:
        switch = old is None or isinstance(old, bool)
        return phrase("no longer {figure}" if switch else "no {figure}", figure=label)
    return phrase("{figure} {value}", figure=label, value=value)


@narrates(ev.ModifierBegan)
def _modifier(n: Narrator, e: Entry, v: ev.ModifierBegan) -> None:
    change, manifest = v.change, n.book.manifest
    if v.until == "constant":
        return
    figured = operation(change) in OPERATIONS - {"lose"}
    if figured and any(word.name == change.key for word in manifest.stats):
        n.join(e, -1)  # the figures that it changes follow
        return
    if change.op in BARS:
        what = barring(manifest, change)
    else:
        what = phrase("{op} {act}", op=change.op, act=manifest.barred(change.key))
    until = renamed(manifest.label("durations", v.until), v.until)
    text = "{targets}: {what} (this {until})"
    n.say(e, -1, lambda: phrase(text, targets=n.names.refs(v.targets), what=what, until=until))
