"""Names of the cards, seats, places, acts and options of a position, for display.

Everything is read from the manifest and the position: a card that the viewer can't name is `a
card`. Cards of one name are told apart as in the notation (`GM#2`; `domain.text.notation`).
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import msgspec

from domain.record.decisions import NUMBER, TEXTS, Act, Offer, Option, Part, sums
from domain.record.fitting.usual import price
from domain.record.position import Card, Position, seat_of, zone_of
from domain.record.schema.manifest import Manifest
from domain.record.values import NEXT, Change, Ref, Value
from domain.telling.book import Book
from domain.text import notation
from domain.words.phrases import Phrase, capital, filled, joined, phrase

if TYPE_CHECKING:
    from domain.engine.rulebook import Rulebook

UNKNOWN = phrase("a card")
#: Up to how many a sign is repeated; of how many choices each is named in a few words.
PIPS, FEW = 6, 2


def letter(seat: int) -> str:
    """A seat's letter: A, B, …; empty for no seat."""
    return string.ascii_uppercase[seat] if 0 <= seat < 26 else ""


def player(seat: int) -> Phrase:
    """How a seat is called in a sentence."""
    return phrase("player {letter}", letter=letter(seat)) if seat >= 0 else phrase("nobody")


def players(seats: Iterable[int]) -> Phrase:
    """Several seats."""
    return joined(" and ", map(player, seats))


def owned(name: str, worded: Callable[[str], str] = str) -> str:
    """A name of the notation as it is read: `B's EX Base` for `B.EX Base`."""
    seat, dot, rest = name.partition(".")
    if dot and rest and len(seat) == 1 and seat in string.ascii_uppercase:
        return phrase("{player}'s {card}", player=seat, card=worded(rest))
    return worded(name)


def count(n: int, one: str, many: str) -> Phrase:
    """A sentence about so many (`{n}`): about one, or about several."""
    return phrase(one if n == 1 else many, n=n)


def signs(sign: str, n: int) -> str:
    """A sign so many times; by a number where that is too many to see at a glance."""
    return sign * n if 0 < n <= PIPS else f"{n}{sign}"


def cards(n: int) -> Phrase:
    """So many cards."""
    return phrase("{n} card" if n == 1 else "{n} cards", n=n)


def matches(n: int) -> Phrase:
    """So many matches."""
    return phrase("{n:,} match" if n == 1 else "{n:,} matches", n=n)


def clock(ms: int) -> str:
    """A time since the match was opened: `12:05.3`."""
    minutes, rest = divmod(ms, 60_000)
    return f"{minutes}:{rest // 1000:02d}.{rest % 1000 // 100}"


def clauses(pick: Ref) -> str:
    """A declared text in words: `draw n 1; rest to (zone this)`; as it is if it can't be read."""
    try:
        found = msgspec.json.decode(str(pick), type=list[dict[str, Any]])
    except (msgspec.DecodeError, msgspec.ValidationError):
        return str(pick)
    return "; ".join(f"{one.pop('do', '')} {brief(one)}".strip() for one in found)


#: What texts do to acts of a card, and to what is done to it; all else changes its figures.
BARS = ("forbid", "allow", "reduce", NEXT, "oblige", "divert")


def barring(manifest: Manifest, change: Change) -> Phrase:
    """What a text forbids, allows or reduces, in words: an act of a card, or what is done to it."""
    act = manifest.barred(change.key)
    if change.op in ("reduce", NEXT):
        return phrase("{act} reduced by {n}", act=act, n=change.value)
    if change.op == "divert":
        return phrase("{act} goes to another card", act=act)
    if change.op == "oblige":
        return phrase("must be {act}", act=act)
    if change.op == "forbid" and change.value is not True:
        return phrase("no {act} of {n} or less", act=act, n=change.value)
    befalls = change.key.partition("-")[0].endswith("ed")  # `attacked`, `destroyed-by-battle`
    if change.op == "forbid":
        return phrase("can't be {act}", act=act) if befalls else phrase("no {act}", act=act)
    return phrase("may be {act}", act=act) if befalls else phrase("may {act}", act=act)


def brief(value: Any) -> str:
    """Data in one line, without what is empty."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if v is not None and v not in ("", [], {})}
        return ", ".join(k if v is True else f"{k} {_nested(v)}" for k, v in kept.items())
    if isinstance(value, list | tuple):
        return "; ".join(map(_row, value))
    return str(value)


def _row(value: Any) -> str:
    """A row of figures among others; anything else as it is."""
    plain = isinstance(value, list | tuple) and not any(isinstance(one, dict) for one in value)
    return " ".join(map(str, value)) if plain else brief(value)


def _nested(value: Any) -> str:
    return f"({brief(value)})" if isinstance(value, dict | list | tuple) else str(value)


def countdown(ms: int) -> str:
    """The display of a clock: `12:05`; once it has run out, by how much: `-0:03`."""
    minutes, seconds = divmod(abs(ms) // 1000, 60)
    return f"{'-' if ms < 0 else ''}{minutes}:{seconds:02d}"


def clock_name(name: str) -> str:
    """Whose clock it is: `the round's clock`, `player A's clock`."""
    seat = seat_of(name)
    whose = player(seat) if seat >= 0 else phrase("the round") if name == "round" else name
    return phrase("{player}'s clock", player=whose)


def time_left(pos: Position, now: int) -> str:
    """The play that remains after time was called; empty if it was not."""
    if not pos.called:
        return ""
    left = []
    if pos.extra >= 0:
        turns = (
            "{n} turn left after this one" if pos.extra == 1 else "{n} turns left after this one"
        )
        left.append(phrase(turns, n=pos.extra))
    if pos.deadline:
        left.append(phrase("{time} left", time=countdown(pos.deadline - now)))
    return joined(", ", [phrase("time was called"), *left])


class Names:
    """The names of things on a table, at one position."""

    def __init__(self, book: Book, pos: Position) -> None:
        self.book, self.pos = book, pos
        self._in_place: dict[int, str] = {}

    def card(self, number: int, *, apart: bool = False) -> str:
        """A card by its number; `apart`: as the notation tells it from others of its name."""
        p = self.pos
        card = p.cards.get(number) or p.departed.get(number)
        if card is None or not card.id:
            return UNKNOWN
        if apart and number in p.cards and card.stats:
            names = notation.Names(p, cast("Rulebook", self.book), -1)
            return owned(names.name(number, self._peers(card)), partial(self._worded, card.id))
        return self.book.name(card.id)

    def name_in_place(self, number: int) -> str:
        """A card as told apart from what lies in the same place only; worked out once."""
        if number not in self._in_place:
            self._in_place[number] = self._apart_in_place(number)
        return self._in_place[number]

    def _apart_in_place(self, number: int) -> str:
        p = self.pos
        card = p.cards[number]
        if not card.id or not card.stats:
            return self.card(number)
        lying = [n for n in p.zones.get(card.place, ()) if n]
        names = notation.Names(p, cast("Rulebook", self.book), -1)
        return self._worded(card.id, names.name(number, lying))

    def _worded(self, card: str, text: str) -> Phrase:
        """A text of the notation in which the name of a card may be said in any language."""
        name = self.book.name(card)
        before, found, after = text.partition(name)
        if not found or not (before or after):
            return phrase(name if found else text)
        return phrase("{before}{card}{after}", before=before, card=name, after=after)

    def link(self, act: int) -> int:
        """Which link of a chain an act is; 0 where acts make none."""
        chains = self.book.manifest.chains
        in_chain = any(frame.kind in chains for frame in self.pos.frames)
        return self.pos.link(act) if in_chain else 0

    def traits(self, number: int, card: Card) -> list[str]:
        """The other traits in force on a card: keywords, what it may not do."""
        manifest = self.book.manifest
        held = [
            self.trait(manifest.label("stats", key), value)
            for key, value in card.stats.items()
            if key not in manifest.badges and value not in (None, False, 0)
        ]
        barred = [
            barring(manifest, m.change)
            for m in self.pos.modifiers.values()
            if m.change.op in BARS and number in m.targets
        ]
        return [*held, *dict.fromkeys(barred)]

    def trait(self, label: Phrase, value: Value) -> Phrase:
        """A keyword, or something that is counted."""
        return label if value is True else phrase("{figure} {value}", figure=label, value=value)

    def _peers(self, card: Card) -> list[Ref]:
        """The cards that a card might be mistaken for: all in zones of the same kind."""
        p, kind = self.pos, zone_of(card.place)
        lying = [n for place, zone in p.zones.items() if zone_of(place) == kind for n in zone if n]
        return [one for n in lying for one in (n, *p.cards[n].attached)]

    def ref(self, ref: Ref, *, apart: bool = False) -> str:
        """A card, a seat, a zone or another thing that a reference names."""
        if isinstance(ref, int):
            return self.card(ref, apart=apart)
        kind, _, rest = ref.partition("/")
        if kind == "seat" and rest.isdecimal():
            return player(int(rest))
        if ref == "match":  # of what is noted of the match as a whole
            return phrase("the match")
        return self.place(ref)

    def place(self, place: str) -> str:
        """A zone: `A's Hand`, `Hand` where it is everybody's."""
        try:
            label = self.book.manifest.label("zones", self.book.manifest.zone(place).name)
        except KeyError:
            return place
        seat = seat_of(place)
        if seat < 0:
            return label
        return phrase("{player}'s {zone}", player=letter(seat), zone=label)

    def cards(self, numbers: Iterable[int]) -> Phrase:
        """Several cards: namesakes are counted, unknown ones too."""
        return counted(self.card(number) for number in numbers)

    def refs(self, refs: Iterable[Ref], *, apart: bool = False) -> str:
        """Several things, in order."""
        return joined(", ", [self.ref(ref, apart=apart) for ref in refs]) or phrase("nothing")

    # -- acts ------------------------------------------------------------------------------------

    def act(self, act: Act, option: Option | None = None, *, apart: bool = False) -> str:
        """An act as a sentence without its subject: `pairs Ada with Harbour Watch`."""
        label = self.book.manifest.label("acts", act.kind)
        slots = self.picked(act, option, apart=apart)
        every = joined(", ", filter(None, slots.values())) or phrase("nothing")
        slots["card"] = self.ref(act.card, apart=apart) if act.card else ""
        return sentence(label, slots, every)

    def rest_of(self, act: Act, option: Option | None, *, apart: bool = False) -> list[str]:
        """The parts of an act that its sentence does not tell: `pay with Resource ×3`."""
        manifest = self.book.manifest
        label = manifest.label("acts", act.kind)
        if "{}" in label:
            return []
        return [
            phrase("{part} {picks}", part=manifest.label("parts", name), picks=text)
            for name, text in self.picked(act, option, apart=apart).items()
            if f"{{{name}}}" not in label and text
        ]

    def picked(self, act: Act, option: Option | None, *, apart: bool = False) -> dict[str, str]:
        """The picks of an act, by part; without its option, parts have numbers as names."""
        if option is None:
            return {str(at): self.refs(refs, apart=apart) for at, refs in enumerate(act.picks)}
        return {
            part.name: self._picks(part, refs, apart)
            for part, refs in zip(option.parts, act.picks, strict=False)
        }

    def _picks(self, part: Part, refs: Sequence[Ref], apart: bool) -> str:
        if part.pool < 0:
            return joined(", ", [str(ref) for ref in refs])
        return counted(self.ref(ref, apart=apart) for ref in refs)

    def option(self, offer: Offer, option: Option) -> str:
        """An option of an offer: the act, and what its parts may be chosen from."""
        manifest = self.book.manifest
        label = manifest.label("acts", option.kind)
        slots, rest = {}, []
        for part in option.parts:
            if part.pool >= 0 and not part.high:
                continue  # nothing is picked for it
            text = self._pool(offer, part)
            if f"{{{part.name}}}" in label or "{}" in label:
                slots[part.name] = text
            else:
                label_ = manifest.label("parts", part.name)
                rest.append(phrase("{part} {picks}", part=label_, picks=text))
        rest += (
            phrase(
                "{part} {picks}",
                part=manifest.label("parts", one.name),
                picks=_span(one.least, one.most),
            )
            for one in sums(option)
        )
        every = joined(", ", slots.values())
        slots["card"] = self.ref(option.card, apart=True) if option.card else ""
        named = [self.effect(option)] if option.effect.partition("/")[2] else []
        return joined("; ", [sentence(label, slots, every), *named, *rest])

    def brief(self, offer: Offer, option: Option) -> Phrase:
        """An option in a few words: the act and its price; `option` has the rest.

        What is chosen for it is named where there are few to choose from, which of the texts of its
        card it is about where there are several.
        """
        label, slots = self.book.manifest.label("acts", option.kind), dict[str, str]()
        for part in option.parts:
            few = part.pool >= 0 and part.high == 1 and len(offer.pools[part.pool]) <= FEW
            slots[part.name] = self._pool(offer, part) if few else "…"
        slots["card"] = self.ref(option.card, apart=True) if option.card else ""
        every = joined(", ", [text for name, text in slots.items() if name != "card"])
        texts = [capital(sentence(label, slots, every))]
        same = {
            one.effect
            for one in offer.options
            if (one.kind, one.card) == (option.kind, option.card)
        }
        if option.effect.partition("/")[2] and len(same) > 1:
            texts.append(self.effect(option))
        if cost := price(option):
            texts.append(phrase("{n}", n=cost))
        return joined(" · ", texts)

    def effect(self, option: Option) -> Phrase:
        """Which text of its card an option is about: its own, or that of another card on it."""
        printed, _, name = option.effect.partition("/")
        card = self.pos.cards.get(option.card) if isinstance(option.card, int) else None
        effect = name.replace("-", " ")
        if card is None or card.id == printed or printed not in self.book.cards:
            return phrase("its {effect} effect", effect=effect)
        source = self.book.name(printed)
        return phrase("the {effect} effect of {card}", effect=effect, card=source)

    def _pool(self, offer: Offer, part: Part) -> str:
        low, high = part.low, part.high
        how_many = _span(low, high)
        if part.pool == NUMBER:
            return phrase("a number from {low} to {high}", low=low, high=high)
        if part.pool in TEXTS:
            return phrase("a text")
        refs = offer.pools[part.pool]
        named = [self.ref(ref, apart=True) for ref in refs]
        if low == high == 1:
            return joined(" or ", dict.fromkeys(named))
        if low == high == len(refs):
            return counted(named)
        return phrase("{n} of {cards}", n=how_many, cards=counted(named))


def sentence(label: str, slots: Mapping[str, str], every: str) -> Phrase:
    """An act's label with its slots filled; `every` stands where a label asks for all picks.

    How a card came to lie, `{how}`, is known afterwards only: nothing stands there before.
    """
    wanted = [slot for _, slot, _, _ in string.Formatter().parse(label) if slot]
    text = filled(
        label, every, **{slot: slots.get(slot) or ("" if slot == "how" else "…") for slot in wanted}
    )
    if slots.get("card") and "card" not in wanted and "{}" not in label:
        return phrase("{act} {card}", act=text, card=slots["card"])
    return text


def _span(low: int, high: int) -> str:
    return str(low) if low == high else phrase("{low} to {high}", low=low, high=high)


def counted(names: Iterable[str]) -> Phrase:
    """Names in order of first appearance, equal ones counted: `Harbour Watch ×2, Ada`."""
    tally: dict[str, int] = {}
    for name in names:
        tally[name] = tally.get(name, 0) + 1
    parts: list[str] = []
    for name, n in tally.items():
        if name == UNKNOWN:
            parts.append(cards(n) if n > 1 else UNKNOWN)
        else:
            parts.append(phrase("{name} ×{n}", name=name, n=n) if n > 1 else name)
    return joined(", ", parts)
