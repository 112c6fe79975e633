"""Names of cards and seats at one position, written and parsed.

A card's name, or the start of it. Cards of the same name are distinguished by their place, from
left to right (`GM#2`), by seat (`B.GM`), by zone (`hand.GM`) or by number (`@57`). A card without a
name is called by where it lies (`shield#1`, the lowest). At a real table a name may be that of a
card which nobody has named yet (`Names.named`). How names make up an act is in `notation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.record.position import SEATS, UNKNOWN, Card, Position, seat_of, zone_of
from domain.record.values import EVERYONE, Ref
from domain.text.plain import plain
from domain.words.phrases import joined, phrase

if TYPE_CHECKING:  # reading a record needs no engine
    from domain.engine.rulebook import Rulebook


#: How many cards are listed at most that a text may be.
SHOWN = 8


class BadText(ValueError):
    """Text that names no act here; the message says what was meant, or might have been."""


class Several(BadText):
    """Text that leaves open which of some effects is meant, by these words."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(f"which one: {', '.join(words)}?")
        self.words = words


class Names(Struct, frozen=True):
    """The names of cards and seats at one position, as one seat writes them."""

    p: Position
    rules: Rulebook
    seat: int
    named: dict[int, str] | None = None  # unknown cards that were named so far, where that is done
    spare: frozenset[int] = frozenset()  # unknown cards to take only if there are no others
    apart: str = ""  # how hidden cards are called: "name", "zone" (`hand.GM`), or as others are
    sees_all: bool = False  # whether a card that this seat can't see goes by its name, too
    any_card: bool = False  # whether a name may be that of a card that is in no list
    in_view: bool = False  # whether a zone's name means a card that lies open there before others

    @property
    def cards(self) -> Mapping[str, Any]:
        """The prints of the cards of the match, by their ids."""
        return self.rules.known(self.p.heading.prints)

    # -- reading ---------------------------------------------------------------------------------

    def find(self, text: str, scope: Sequence[Ref] = (), own: bool = False) -> Ref:
        """The card or seat that a text names: in `scope` if it is there, else anywhere in sight.

        `own` prefers the seat's own cards. Raises `BadText` for none, or for several that differ.
        """
        hidden = self._hidden(text.strip(), scope) if self.named is not None else 0
        if hidden:
            return hidden
        found = self._found(text, scope, own)
        if not found:
            return self._unknown(text.strip().strip('"'), scope)
        if len(found) > 1 and self.named is not None:  # by its zone: the hidden one is meant
            zone = self._qualified(text.strip())[2]
            hidden = bool(zone) and not self.in_view
            preferred = [int(n) for n in found if self.is_hidden(n) == hidden]
            found = [*preferred[:1]] if preferred and self._alike(preferred) else found
        if len(found) > 1:
            meant = joined(", ", (f"{self.name(n, found)} ({self._where(n)})" for n in found))
            raise BadText(phrase("{text!r} may be {meant}", text=text, meant=meant))
        return found[0]

    def _without_hidden(self, numbers: Iterable[int]) -> list[int]:
        return [n for n in numbers if not self.apart or not self.is_hidden(n)]

    def is_hidden(self, ref: Ref) -> bool:
        """Whether this is a card that not all can tell from others."""
        card = self.p.cards.get(ref) if isinstance(ref, int) else None
        return card is not None and card.follow != EVERYONE

    def _hidden(self, text: str, scope: Sequence[Ref]) -> int:
        """The unknown card of the scope that a text names, which is named by it; 0: none.

        It is one of the place that the text names, if a card of the seat's list has that name and
        no known card of that place has it. Known cards elsewhere are not meant.
        """
        if self.direct(text) is not None:
            return 0
        bare, seat, zone = self._unnumbered(text)
        cards = [n for n in scope if isinstance(n, int) and self.p.present(n)]
        there = self._among(cards, seat, zone)
        numbered = "#" in text
        if bare == UNKNOWN:
            return 0 if numbered else self._any_unknown(there, zone)
        if numbered and any(not self.is_hidden(n) for n in self.matching(text, there)):
            return 0
        try:
            identity = self._listed(bare, seat)
        except BadText:
            return 0
        if self._means_known(bare, identity, there, zone):
            return 0
        named_so = [n for n in there if self._given.get(n) == identity]
        candidates = named_so or self._unnamed(there, identity)
        if not candidates:
            return 0
        self._given[candidates[0]] = identity
        return candidates[0]

    @property
    def _given(self) -> dict[int, str]:
        """The unknown cards that were named so far; empty where none may be."""
        return self.named if self.named is not None else {}

    def _any_unknown(self, there: Sequence[int], zone: str) -> int:
        """A card that nobody has named; else, of a named zone, the last that not all can follow.

        The latter can't be named: it stays without a name. 0: there is none.
        """
        free = self._unnamed(there)
        if free:
            return free[0]
        concealed = [n for n in there if zone and self.is_hidden(n) and n not in self._given]
        if not concealed:
            return 0
        self._given[concealed[-1]] = ""
        return concealed[-1]

    def _means_known(self, bare: str, identity: str, there: Sequence[int], zone: str) -> bool:
        """Whether a text means a known card there, and not an unknown one of this identity.

        It does if a known one has that name, or goes by a text that is not the whole of that name.
        """
        name = plain(self.cards[identity].name)
        known = [
            plain(self.bare(n))
            for n in self.called(bare, there)
            if self.p.card(n).id and (not zone or self.in_view or self.is_hidden(n))
        ]
        return name in known or (bool(known) and plain(bare) not in (plain(identity), name))

    def _unknown(self, text: str, scope: Sequence[Ref]) -> int:
        """An unknown card that this names, or leaves unnamed: in `scope`, else one of one's own."""
        if self.named is None:
            raise BadText(phrase("no card here is called {text!r}", text=text))
        lying = [ref for ref in scope if isinstance(ref, int) and ref]
        lying += [n for n in self.p.cards if self.p.cards[n].follow == 1 << self.seat]
        bare, seat, zone = self._unnumbered(text)
        identity = "" if bare == UNKNOWN else self._listed(bare, seat)
        free = self._unnamed(self._among(lying, seat, zone), identity)
        if not free:
            raise BadText(phrase("no card here is called {text!r}, and none is unknown", text=text))
        if identity:
            self.named[free[0]] = identity
        return free[0]

    def _unnamed(self, numbers: Iterable[int], identity: str = "") -> list[int]:
        """Those that nobody has named: the ones that can't be this card last, or are to be spared.

        The card is from one part of its owner's list, if that is known.
        """
        free = [n for n in numbers if n not in self._given and not self.p.card(n).id]
        return sorted(free, key=lambda n: (not self._may_be(n, identity), n in self.spare))

    def _may_be(self, number: int, identity: str) -> bool:
        part = self.p.heading.parts.get(number, "")
        _, lists = self.p.heading.decks.get(self.p.card(number).owner, ("", None))
        listed = (lists or {}).get(part, ())
        may_be_any = not identity or not listed or UNKNOWN in listed
        return may_be_any or identity in listed or identity in self.p.heading.added

    def _unnumbered(self, text: str) -> tuple[str, int, str]:
        """A name, a seat and a zone, without what tells it from others of its place."""
        numbered = re.fullmatch(r"(.*?)\s*#\s*\d+", text.strip().strip('"'))
        return self._qualified(numbered[1] if numbered else text.strip().strip('"'))

    def _among(self, numbers: Iterable[int], seat: int, zone: str) -> list[int]:
        """Those of a seat (-1: any) and in a zone (empty: any)."""
        return [
            n
            for n in numbers
            if (seat < 0 or self.p.card(n).controller == seat)
            and (not zone or zone_of(self.p.card(n).place) == zone)
        ]

    def _list(self, seat: int = -1) -> dict[str, None]:
        """The ids of a seat's list (-1: one's own); none where nobody knows it."""
        _, parts = self.p.heading.decks.get(self.seat if seat < 0 else seat, ("", None))
        cards = dict.fromkeys(card for some in (parts or {}).values() for card in some)
        cards.pop(UNKNOWN, None)
        return {card: None for card in cards if card in self.cards}

    def _listed(self, text: str, seat: int = -1) -> str:
        """The card of a seat's list that a text names: by id, by name, by the start of one."""
        ids = self._list(seat)
        ids = ids | dict.fromkeys(self.p.heading.added) if ids else dict.fromkeys(self.cards)
        found = self._called_so(text, ids)
        if not found and self.any_card:
            found = self._called_so(text, self.cards)
        if found:
            return found
        raise BadText(phrase("no card here is called {text!r}, and none in the list", text=text))

    def identity(self, text: str) -> str:
        """The id of the card that a text names, in the seat's list or else in none.

        The text itself if there is no such card. Raises `BadText` if several are called so.
        """
        if text in (*self.cards, UNKNOWN, ""):
            return text
        listed = self._list() if self.seat >= 0 else {}
        return self._called_so(text, listed) or self._called_so(text, self.cards) or text

    def _called_so(self, text: str, ids: Iterable[str]) -> str:
        """The one of these cards that a text names; empty if none is called so."""
        wanted = plain(text)
        names = {card: plain(self.cards[card].name) for card in ids}
        exact = [card for card, name in names.items() if wanted in (plain(card), name)]
        for fits in (exact, [card for card, name in names.items() if name.startswith(wanted)]):
            if len(fits) == 1:
                return fits[0]
            if fits:
                shown = [f"{self.cards[card].name} ({card})" for card in fits[:SHOWN]]
                cards = ", ".join([*shown, "…"] if len(fits) > SHOWN else shown)
                name = repr(text)
                several = phrase("{name} may be {cards}: write the number", name=name, cards=cards)
                raise BadText(several)
        return ""

    def _found(self, text: str, scope: Sequence[Ref], own: bool = False) -> list[Ref]:
        """The meaning of a text: one thing, unless several different cards go by it."""
        text = text.strip().strip('"')
        place = self._place(text)
        direct = next((ref for ref in (text, place) if ref in scope), None) or self.direct(text)
        if direct is not None:
            return [direct]
        there = dict.fromkeys(ref for ref in scope if isinstance(ref, int) and ref)
        found = self.matching(text, self._without_hidden(there))
        if not self._matched_exactly(text, found):
            elsewhere = self._matching_elsewhere(text, own)
            found = elsewhere if not found or self._matched_exactly(text, elsewhere) else found
        if not found and place and (self.named is None or self._holds_counters(place)):
            return [place]
        return list(found[:1] if len(found) > 1 and self._alike(found) else found)

    def _matching_elsewhere(self, text: str, own: bool) -> list[int]:
        """The meaning of a text outside the offer."""
        found = self.matching(text, self._without_hidden(self.in_sight()))
        if not found and self.sees_all:
            found = self.matching(text, list(self.p.cards))
        mine = [n for n in found if self.p.card(n).controller == self.seat]
        return mine if own and mine else found

    def _matched_exactly(self, text: str, found: Sequence[int]) -> bool:
        """Whether cards were found by their very name: that never means one that only begins so."""
        wanted = plain(self._unnumbered(text)[0])
        return any(wanted in (plain(self.p.card(n).id), plain(self.bare(n))) for n in found)

    def in_sight(self) -> Iterator[int]:
        """Every card on the table that this seat can name, seat by seat, zone by zone."""
        mask = 1 << self.seat if self.seat >= 0 else -1
        for place in self.p.zones:
            for number in self.p.zones[place]:
                if number and self.p.cards[number].seen & mask:
                    yield number
                    yield from self.p.cards[number].attached

    def in_front(self) -> list[Ref]:
        """The seat's cards in the front row: what is meant first where several go by a name."""
        front = [zone for zone in self.rules.manifest.zones if zone.row == 0]
        places = [zone.name if zone.shared else f"{zone.name}/{self.seat}" for zone in front]
        lying = [n for place in places for n in self.p.zone(place) if n]
        return [n for n in lying if self.p.cards[n].controller == self.seat]

    def all_own(self, pool: Sequence[Ref]) -> bool:
        """Whether a pool holds nothing but the seat's own cards."""
        return bool(pool) and all(
            isinstance(ref, int) and self.p.card(ref).controller == self.seat for ref in pool
        )

    def direct(self, text: str) -> Ref | None:
        """`@57`, `seat/1`, `player` (the rival), `player A`."""
        if re.fullmatch(r"@\d+", text):
            number = int(text[1:])
            if number not in self.p.cards and number not in self.p.departed:
                raise BadText(phrase("no card has the number {number}", number=number))
            return number
        if re.fullmatch(r"seat/\d", text) or text in self._counters():
            return text
        if text == "player":
            return f"seat/{self.p.rival(self.seat)}"
        if text.startswith("player ") and text[7:] in tuple(SEATS):
            return f"seat/{SEATS.index(text[7:])}"
        return None

    def _place(self, text: str) -> str:
        """The zone that a text names: `B.store`, one's own without a seat; empty if none."""
        letter, dot, name = text.rpartition(".")
        zone = next((zone for zone in self.rules.manifest.zones if zone.name == name), None)
        if zone is None or (dot and (zone.shared or letter not in tuple(SEATS))):
            return ""
        return name if zone.shared else f"{name}/{SEATS.index(letter) if dot else self.seat}"

    def _holds_counters(self, place: str) -> bool:
        """Whether a zone has counters and no cards, so that its name is no card's."""
        return self.rules.manifest.zone(place).style == "counters"

    def _counters(self) -> set[str]:
        return {word.name for word in self.rules.manifest.counters}

    def matching(self, text: str, scope: Sequence[int]) -> list[int]:
        """The cards that a name means: `GM#2`, `B.GM`, `hand.GM`, `shield#1`."""
        whole = self.called(text, scope)
        if whole:
            return whole
        text, _, ordinal = text.partition("#")
        text, seat, zone = self._qualified(text.strip())
        if ordinal and not zone and text in self.rules.manifest.words("zones"):
            there = self._among(scope, seat, text)
            return [n for n in there if str(self._position(n)) == ordinal.strip()]
        return [
            n
            for n in self.called(text, scope)
            if (not ordinal or str(self._ordinal(n)) == ordinal.strip())
            and (seat < 0 or self.p.card(n).controller == seat)
            and (not zone or zone_of(self.p.card(n).place) == zone)
        ]

    def _qualified(self, text: str) -> tuple[str, int, str]:
        """Split `B.hand.GM` into a name, a seat and a zone."""
        seat, zone = -1, ""
        zones = self.rules.manifest.words("zones")
        while "." in text:
            head, _, rest = text.partition(".")
            if seat < 0 and head in tuple(SEATS[: self.rules.manifest.seats]):
                seat = SEATS.index(head)
            elif not zone and head in zones:
                zone = head
            else:
                break
            text = rest
        return text, seat, zone

    def called(self, text: str, scope: Sequence[int]) -> list[int]:
        """The best of: the very id, the very name, the start of a name."""
        wanted = plain(text)
        if not wanted:
            return []
        named = [(n, plain(self.p.card(n).id), plain(self.bare(n))) for n in scope]
        for fits in (
            lambda id_, name: wanted in (id_, name),
            lambda id_, name: name.startswith(wanted),
        ):
            found = [n for n, id_, name in named if fits(id_, name)]
            if found:
                return found
        return []

    def _alike(self, numbers: Sequence[int]) -> bool:
        """Whether nothing tells these cards apart, so that it can't matter which is meant."""
        if any(n in m.targets for m in self.p.modifiers.values() for n in numbers):
            return False
        tied = {n for card, link in self.p.links.items() for n in (card, link.host)}
        tied.update(ref for one in self.p.scheduled.values() for ref in (one.source, *one.targets))  # type: ignore[misc]
        if not tied.isdisjoint(numbers):
            return False
        return len({repr(self._visible_state(self.p.card(n))) for n in numbers}) == 1

    def _visible_state(self, card: Card) -> tuple[object, ...]:
        came = card.came if self.rules.manifest.zone(card.place).orients else 0
        return (
            card.id, card.place, card.up, card.orient, card.seen, card.follow, came, card.host,
            card.attached, sorted(card.counters.items()), sorted(card.marks.items(), key=str),
            card.departing,
        )  # fmt: skip

    # -- writing ---------------------------------------------------------------------------------

    def bare(self, number: int) -> str:
        """The printed name of a card; `????` if nobody has named it."""
        known = self.cards.get(self.p.card(number).id)
        return known.name if known is not None else UNKNOWN

    def name(self, ref: Ref, scope: Sequence[Ref] = ()) -> str:
        """The shortest text by which `find` finds this card or seat, in that scope."""
        if isinstance(ref, str) and zone_of(ref) in self.rules.manifest.words("zones"):
            mine = seat_of(ref) in (self.seat, -1)
            return zone_of(ref) if mine else f"{SEATS[seat_of(ref)]}.{zone_of(ref)}"
        if isinstance(ref, str) and not ref.startswith("seat/"):
            return ref
        if isinstance(ref, str):
            rival = ref == f"seat/{self.p.rival(self.seat)}" if self.seat >= 0 else False
            return "player" if rival else f"player {SEATS[seat_of(ref)]}"
        if ref not in self.p.cards and ref not in self.p.departed:
            return f"@{ref}"  # nothing that the reader can see
        bare = self.bare(ref)
        card = self.p.card(ref)
        ordinal, zone = self._ordinal(ref), zone_of(card.place)
        letter = SEATS[card.controller]
        if self.apart and self.is_hidden(ref):
            return _quoted(self.hidden_name(card.id, card.place))
        if self.apart and bare == UNKNOWN:
            return f"@{ref}"
        lying = f"{zone}#{self._position(ref)}"
        on_table = self.rules.manifest.zone(card.place).faces == "all"
        nameless = on_table and bare == UNKNOWN and card.follow == EVERYONE
        spellings = (
            *((lying, f"{letter}.{lying}") if nameless else ()),
            bare,
            f"{bare}#{ordinal}",
            f"{letter}.{bare}",
            f"{letter}.{bare}#{ordinal}",
            f"{zone}.{bare}#{ordinal}",
            f"{letter}.{zone}.{bare}#{ordinal}",
        )
        for spelling in spellings:
            if self._found(spelling, scope) == [ref]:
                return _quoted(spelling)
        return f"@{ref}"

    def hidden_name(self, card: str, place: str) -> str:
        """How a hidden card of a place is called: by its zone too, where that tells it apart."""
        bare = self._in_list(card, seat_of(place))
        open_ = (n for n in self.p.zone(place) if n and not self.is_hidden(n))
        seat = seat_of(place)
        other = seat not in (self.seat, -1)
        zoned = other or self.apart == "zone" or any(self.bare(n) == bare for n in open_)
        whose = f"{SEATS[seat]}." if other else ""
        return f"{whose}{zone_of(place)}.{bare}" if zoned else bare

    def _in_list(self, card: str, seat: int) -> str:
        """The name of a card by its id; the id, where its seat has several of that name listed."""
        known = self.cards.get(card)
        if known is None:
            return UNKNOWN
        _, parts = self.p.heading.decks.get(self.seat if seat < 0 else seat, ("", None))
        listed = {one for cards in (parts or {}).values() for one in cards if one in self.cards}
        listed |= {*self.p.heading.added}
        alike = (one for one in listed - {card} if self.cards[one].name == known.name)
        return card if any(alike) else str(known.name)

    def _where(self, number: Ref) -> str:
        card = self.p.card(int(number))
        seat = seat_of(card.place)
        whose = SEATS[card.controller if seat < 0 else seat]
        return f"@{number}, {whose}'s {zone_of(card.place)}"

    def _position(self, number: int) -> int:
        """Where in its zone a card lies, from the left or the bottom, counting from 1; 0: gone."""
        zone = self.p.zones.get(self.p.card(number).place, [])
        return zone.index(number) + 1 if number in zone else 0

    def _ordinal(self, number: int) -> int:
        """Which one of its name it is in its place, from the left, counting from 1; 0: gone.

        Hidden cards are counted after those that all can follow, as not all know their names.
        """
        zone = self.p.zones.get(self.p.card(number).place, ())
        lying = [one for n in zone if n for one in (n, *self.p.cards[n].attached)]
        if number not in lying:
            return 0
        name = self.bare(number)
        alike = sorted((n for n in lying if self.bare(n) == name), key=self.is_hidden)
        return alike.index(number) + 1


def _quoted(name: str) -> str:
    return f'"{name}"' if "," in name or f" {name} ".count(" with ") else name
