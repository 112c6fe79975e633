"""The notation: the short text in which a choice is typed, printed in transcripts and in scenarios.

    attack GM -> player            pair Amuro Ray with Guntank pay EX Resource
    block Zowort                   activate White Base main
    choose Guntank, GM             choose none            no block            pass

A line is a verb (an act of the manifest), the card that acts, and the picks of each part: `->`
points at a target, `with` at a host, any other part is led in by its own name (`pay`). What is left
out takes its default. Names are those of the cards; the start of one is enough. Two of a name are
told apart by their place, from left to right (`GM#2`), by seat (`B.GM`), by zone (`hand.GM`) or by
number (`@57`). `????` is a card that nobody has named.

Nothing here knows a game: words come from its manifest, names from its cards. What an act *does* is
the rulebook's, whether it answers the decision is `decisions.fit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import normalize

from msgspec import Struct

from domain.decisions import NUMBER, TEXT, Act, Offer, Option, Part, default
from domain.events import EVERYONE, Ref
from domain.position import Card, Position, seat_of, zone_of
from domain.rulebook import Rulebook

#: What stands for a card of which nobody has said which it is.
UNKNOWN = "????"
#: "And the rest as it comes": fills a part up from the front of its pool.
REST = ("...", "…")
NONE = "none"
_LEADS = {"->": "target", "with": "host"}
_SEATS = "ABCDEFGH"


class BadText(ValueError):
    """Text that names no act here; the message says what was meant, or might have been."""


class Names(Struct, frozen=True):
    """The names of cards and seats at one position, as one seat writes them."""

    p: Position
    rules: Rulebook
    seat: int
    named: dict[int, str] | None = None  # unknown cards that were named so far, where that is done
    spare: frozenset[int] = frozenset()  # unknown cards to take only if there are no others
    apart: str = ""  # how hidden cards are called: "name", "zone" (`hand.GM`), or as others are

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
            preferred = [int(n) for n in found if self.is_hidden(n) == bool(zone)]
            found = [*preferred[:1]] if preferred and self._alike(preferred) else found
        if len(found) > 1:
            meant = ", ".join(f"{self.name(n, found)} ({self._where(n)})" for n in found)
            raise BadText(f"{text!r} may be {meant}")
        return found[0]

    def _aloof(self, numbers: Iterable[int]) -> list[int]:
        return [n for n in numbers if not self.apart or not self.is_hidden(n)]

    def is_hidden(self, ref: Ref) -> bool:
        """Whether this is a card that not all can tell from others."""
        card = self.p.cards.get(ref) if isinstance(ref, int) else None
        return card is not None and card.follow != EVERYONE

    def _hidden(self, text: str, scope: Sequence[Ref]) -> int:
        """An unknown card of the scope, where no known one there has that name but one listed has.

        A card elsewhere on the table that happens to have it is not what is meant; 0: none is.
        """
        named = self.named if self.named is not None else {}
        cards = [n for n in scope if isinstance(n, int) and self.p.present(n)]
        if self._direct(text) is not None:
            return 0
        bare, seat, zone = self._bare(text)
        there = self._among(cards, seat, zone)
        free = self._free(there)
        if text == UNKNOWN and free:
            return free[0]
        if "#" in text and any(not self.is_hidden(n) for n in self._matching(text, there)):
            return 0
        try:
            identity = self._listed(bare) if bare != UNKNOWN else ""
        except BadText:
            return 0
        name = plain(self.rules.cards[identity].name) if identity else ""
        known = [
            plain(self.bare(n))
            for n in self.called(bare, there)
            if self.p.card(n).id and (not zone or self.is_hidden(n))
        ]
        if not identity or name in known or (known and plain(bare) not in (plain(identity), name)):
            return 0
        said = [n for n in there if named.get(n) == identity] or free
        if said:
            named[said[0]] = identity
        return said[0] if said else 0

    def _unknown(self, text: str, scope: Sequence[Ref]) -> int:
        """An unknown card that this names, or leaves unnamed: in `scope`, else one of one's own."""
        named = self.named
        if named is None:
            raise BadText(f"no card here is called {text!r}")
        lying = [ref for ref in scope if isinstance(ref, int)]
        lying += [n for n in self.p.cards if self.p.cards[n].follow == 1 << self.seat]
        bare, seat, zone = self._bare(text)
        free = self._free(self._among(lying, seat, zone))
        identity = "" if bare == UNKNOWN else self._listed(bare)
        if not free:
            raise BadText(f"no card here is called {text!r}, and none is unknown")
        if identity:
            named[free[0]] = identity
        return free[0]

    def _free(self, numbers: Iterable[int]) -> list[int]:
        """Those that nobody has named, the ones to be spared last."""
        named = self.named or {}
        free = [n for n in numbers if n not in named and not self.p.card(n).id]
        return sorted(free, key=self.spare.__contains__)

    def _bare(self, text: str) -> tuple[str, int, str]:
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

    def _listed(self, text: str) -> str:
        """The card of the seat's list that a text names: by id, by name, by the start of one."""
        _, parts = self.p.heading.decks.get(self.seat, ("", None))
        ids = dict.fromkeys(card for cards in (parts or {}).values() for card in cards)
        ids = ids or dict.fromkeys(self.rules.cards)
        wanted = plain(text)
        names = {card: plain(self.rules.cards[card].name) for card in ids}
        for fits in (
            [card for card, name in names.items() if wanted in (plain(card), name)],
            [card for card, name in names.items() if name.startswith(wanted)],
        ):
            if len(fits) == 1:
                return fits[0]
            if fits:
                several = ", ".join(f"{self.rules.cards[card].name} ({card})" for card in fits)
                raise BadText(f"{text!r} may be {several}")
        raise BadText(f"no card here is called {text!r}, and none in the list")

    def _found(self, text: str, scope: Sequence[Ref], own: bool = False) -> list[Ref]:
        """What a text may mean: one thing, unless several cards go by it that differ."""
        text = text.strip().strip('"')
        direct = text if text in scope else self._direct(text)
        if direct is not None:
            return [direct]
        there = dict.fromkeys(ref for ref in scope if isinstance(ref, int))
        found = self._matching(text, self._aloof(there))
        if not found:
            found = self._matching(text, self._aloof(self.in_sight()))
            mine = [n for n in found if self.p.card(n).controller == self.seat]
            found = mine if own and mine else found
        return list(found[:1] if len(found) > 1 and self._alike(found) else found)

    def in_sight(self) -> Iterator[int]:
        """Every card on the table that this seat can name, seat by seat, zone by zone."""
        mask = 1 << self.seat if self.seat >= 0 else -1
        for place in self.p.zones:
            for number in self.p.zones[place]:
                if number and self.p.cards[number].seen & mask:
                    yield number
                    yield from self.p.cards[number].attached

    def all_own(self, pool: Sequence[Ref]) -> bool:
        """Whether a pool holds nothing but the seat's own cards."""
        return bool(pool) and all(
            isinstance(ref, int) and self.p.card(ref).controller == self.seat for ref in pool
        )

    def _direct(self, text: str) -> Ref | None:
        """`@57`, `seat/1`, `player` (the rival), `player A`."""
        if re.fullmatch(r"@\d+", text):
            number = int(text[1:])
            if number not in self.p.cards and number not in self.p.departed:
                raise BadText(f"no card has the number {number}")
            return number
        if re.fullmatch(r"seat/\d", text) or text in self._counters():
            return text
        if text == "player":
            return f"seat/{self.p.rival(self.seat)}"
        if text.startswith("player ") and text[7:] in tuple(_SEATS):
            return f"seat/{_SEATS.index(text[7:])}"
        return None

    def _counters(self) -> set[str]:
        return {word.name for word in self.rules.manifest.counters}

    def _matching(self, text: str, scope: Sequence[int]) -> list[int]:
        whole = self.called(text, scope)
        if whole:
            return whole
        text, _, ordinal = text.partition("#")
        text, seat, zone = self._qualified(text.strip())
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
        zones = {declared.name for declared in self.rules.manifest.zones}
        while "." in text:
            head, _, rest = text.partition(".")
            if seat < 0 and head in tuple(_SEATS[: self.rules.manifest.seats]):
                seat = _SEATS.index(head)
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
        return len({repr(self._looks(self.p.card(n))) for n in numbers}) == 1

    def _looks(self, card: Card) -> tuple[object, ...]:
        came = card.came if self.rules.manifest.zone(card.place).orients else 0
        return (
            card.id, card.place, card.up, card.orient, card.seen, card.follow, came, card.host,
            card.attached, sorted(card.counters.items()), sorted(card.marks.items(), key=str),
            card.departing,
        )  # fmt: skip

    # -- writing ---------------------------------------------------------------------------------

    def bare(self, number: int) -> str:
        """What is printed as a card's name; `????` if nobody has said which card it is."""
        known = self.rules.cards.get(self.p.card(number).id)
        return known.name if known is not None else UNKNOWN

    def name(self, ref: Ref, scope: Sequence[Ref] = ()) -> str:
        """The shortest text by which `find` comes to this card or seat, in that scope."""
        if isinstance(ref, str) and not ref.startswith("seat/"):
            return ref
        if isinstance(ref, str):
            rival = ref == f"seat/{self.p.rival(self.seat)}" if self.seat >= 0 else False
            return "player" if rival else f"player {_SEATS[seat_of(ref)]}"
        bare = self.bare(ref)
        card = self.p.card(ref)
        ordinal, zone = self._ordinal(ref), zone_of(card.place)
        letter = _SEATS[card.controller]
        if self.apart and self.is_hidden(ref):
            return _quoted(self.hidden_name(bare, card.place))
        if self.apart and bare == UNKNOWN:
            return f"@{ref}"
        spellings = (
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

    def hidden_name(self, bare: str, place: str) -> str:
        """How a hidden card of a place is called: by its zone too, where that tells it apart."""
        open_ = (n for n in self.p.zone(place) if n and not self.is_hidden(n))
        zoned = self.apart == "zone" or any(self.bare(n) == bare for n in open_)
        return f"{zone_of(place)}.{bare}" if zoned else bare

    def _where(self, number: Ref) -> str:
        card = self.p.card(int(number))
        seat = seat_of(card.place)
        whose = _SEATS[card.controller if seat < 0 else seat]
        return f"@{number}, {whose}'s {zone_of(card.place)}"

    def _ordinal(self, number: int) -> int:
        """Which one of its name it is in its place, from the left, counting from 1; 0: gone.

        Hidden cards don't count among those that all can follow, as not all know their names.
        """
        name, place = self.bare(number), self.p.card(number).place
        count, hidden = 0, self.is_hidden(number)
        for lying in self.p.zones.get(place, ()):
            for one in (lying, *self.p.cards[lying].attached) if lying else ():
                if self.bare(one) == name and (hidden or not self.is_hidden(one)):
                    count += 1
                if one == number:
                    return count
        return 0


def plain(name: str) -> str:
    """A name as it is compared: no case, no typographical variants (`Ⅱ` is `II`)."""
    return " ".join(normalize("NFKC", name).casefold().split())


def seat_letter(seat: int) -> str:
    """How a seat is written: `A`, `B` and so on."""
    return _SEATS[seat]


# -- reading ---------------------------------------------------------------------------------------


def parse(
    text: str,
    p: Position,
    rules: Rulebook,
    seat: int,
    offer: Offer | None = None,
    free: bool = False,
    named: dict[int, str] | None = None,
    spare: frozenset[int] = frozenset(),
) -> Act:
    """The act that a seat means by a text.

    With the `offer` it answers, every part is filled in. Without one, or for an act that is not on
    offer, the picks stand in the order in which they were written. `free` lets through verbs that
    the manifest does not know, so that their refusal can be asked for. With `named`, names may be
    those of unknown cards: it is filled with which card is which (`naming.read`), of which `spare`
    are taken last.
    """
    names = Names(p, rules, seat, named, spare)
    kind, rest = _verb(text.strip(), rules, offer, free)
    options = [option for option in offer.options if option.kind == kind] if offer else []
    shape = what_follows(kind, rules)
    if shape == "place" or (free and not options and _is_place(rest, rules)):
        return _place_act(kind, rest, names)
    head, groups = _groups(rest, options, rules)
    if shape == "picks":
        return _direct(kind, head, groups, options, offer, names)
    hidden = (
        [o.card for o in offer.options if o.kind == "unknown"]
        if offer and named is not None
        else []
    )
    card, effect = _subject(head, options, names, hidden) if head else (0, "")
    fitting = [o for o in options if o.card == card and effect in ("", o.effect)]
    effects = dict.fromkeys(o.effect for o in fitting)
    if len(effects) > 1:
        several = [_effect_word(o, fitting) for o in effects]
        raise BadText(f"which one: {', '.join(several)}?")
    option = fitting[0] if fitting else None
    picks = _picks(groups, option, offer, names)
    return Act(kind, card, picks, option.effect if option else effect)


def _verb(text: str, rules: Rulebook, offer: Offer | None, free: bool) -> tuple[str, str]:
    kinds = {word.name for word in rules.manifest.acts}
    offered = {option.kind for option in offer.options} if offer else set()
    for kind in sorted(kinds | offered, key=len, reverse=True):
        for spelling in (kind, kind.replace("-", " ")):
            if text == spelling or text.startswith(spelling + " "):
                return kind, text[len(spelling) :].strip()
    word, _, rest = text.partition(" ")
    starting = sorted(kind for kind in offered or kinds if kind.startswith(word))
    if len(starting) == 1 and word:
        return starting[0], rest.strip()
    if free and re.fullmatch(r"[a-z-]+", word):
        return word, rest.strip()
    known = ", ".join(sorted(offered or kinds))
    raise BadText(f"{word!r} is none of: {known}")


def what_follows(kind: str, rules: Rulebook) -> str:
    """What follows a verb, by its label in the manifest: a card, picks, a place or nothing."""
    label = rules.manifest.label("acts", kind)
    for mark, shape in (("{place}", "place"), ("{card}", "card"), ("{}", "picks")):
        if mark in label:
            return shape
    return "card"


def _is_place(text: str, rules: Rulebook) -> bool:
    word = text.split(" ")[0].rpartition(".")[2].partition("/")[0]
    return any(zone.name == word for zone in rules.manifest.zones)


def place_of(text: str, rules: Rulebook, seat: int) -> str:
    """The place that `trash`, `B.trash` or `trash/1` names; one's own without a seat."""
    letter, dot, zone = text.rpartition(".")
    name, _, number = zone.partition("/")
    declared = next((z for z in rules.manifest.zones if z.name == name), None)
    if declared is None:
        known = ", ".join(z.name for z in rules.manifest.zones)
        raise BadText(f"{name!r} is no zone; there are {known}")
    if declared.shared:
        return name
    whose = int(number) if number else _SEATS.index(letter) if dot else seat
    return f"{name}/{whose}"


def _place_act(kind: str, rest: str, names: Names) -> Act:
    word, _, cards = rest.partition(" ")
    place = place_of(word, names.rules, names.seat)
    refs: list[Ref] = []
    for item in _listed(cards):
        zone = names.p.zone(place)
        refs.append(names.find(item, [n for n in zone if n not in refs] or zone))
    return Act(kind, place, (tuple(refs),) if refs else ())


def _direct(
    kind: str, head: str, groups: list[tuple[str, str]], options: list[Option],
    offer: Offer | None, names: Names,
) -> Act:  # fmt: skip
    """Acts that consist of picks alone: `choose A, B`."""
    if head:
        groups = [("", head), *groups]
    option = options[0] if options else None
    picks = _picks(groups, option, offer, names)
    return Act(kind, option.card if option else 0, picks, option.effect if option else "")


def _groups(rest: str, options: list[Option], rules: Rulebook) -> tuple[str, list[tuple[str, str]]]:
    """The text before the first lead, and what follows each lead."""
    parts = [part for option in options for part in option.parts]
    for part in parts:
        head, lead, said = rest.partition(f" {part.name} ")
        if part.pool == TEXT and lead:  # whatever it says, to the end
            before, groups = _groups(head, [], rules)
            return before, [*groups, (part.name, said)]
    named = {part.name for part in parts}
    named = named or {word.name for word in rules.manifest.parts}
    leads = "|".join(map(re.escape, sorted({*_LEADS, *named}, key=len, reverse=True)))
    pieces = re.split(rf'(?:^|\s+)({leads})(?:\s+|$)(?=(?:[^"]*"[^"]*")*[^"]*$)', rest)
    return pieces[0].strip(), list(zip(pieces[1::2], map(str.strip, pieces[2::2]), strict=True))


def subject(text: str, rules: Rulebook) -> str:
    """A text without its picks: the verb, and the card that acts."""
    kind, rest = _verb(text.strip(), rules, None, True)
    return f"{kind} {_groups(rest, [], rules)[0]}" if what_follows(kind, rules) == "card" else text


def _subject(
    text: str, options: list[Option], names: Names, hidden: Sequence[Ref] = ()
) -> tuple[Ref, str]:
    """The card that acts, and the effect if one is named after it; maybe one of the unknown."""
    scope = [*(option.card for option in options), *hidden]
    head, _, last = text.rpartition(" ")
    told = [option.card for option in options]
    for seen in (told if text.startswith(UNKNOWN) else (), scope, ()):
        if seen or not scope:
            for name, effect in ((text, ""), (head, last)):
                with_it = _try(names, name, seen)
                if with_it is not None and with_it in (names.named or ()):
                    return with_it, ""
                if with_it is not None and (not effect or _effect(with_it, effect, options, names)):
                    return with_it, _effect(with_it, effect, options, names)
    return names.find(text, scope, own=True), ""


def _try(names: Names, text: str, scope: Sequence[Ref]) -> Ref | None:
    if not text:
        return None
    try:
        found = names.find(text, scope, own=True)
    except BadText as bad:
        if "may be" in str(bad):
            raise
        return None
    return found if not scope or found in scope else None


def _effect(card: Ref, word: str, options: list[Option], names: Names) -> str:
    """The effect of a card, or of what is laid with it, that a word names; "" if there is none."""
    if not word:
        return ""
    for option in options:
        if option.card == card and word in (option.effect, option.effect.rpartition("/")[2]):
            return option.effect
    if isinstance(card, int):
        object_ = names.p.card(card)
        for one in (card, *object_.attached):
            id_ = names.p.card(one).id
            for effect in getattr(names.rules.cards.get(id_), "effects", ()):
                if word in (effect.name, f"{id_}/{effect.name}"):
                    return f"{id_}/{effect.name}"
    return ""


def _picks(
    groups: list[tuple[str, str]], option: Option | None, offer: Offer | None, names: Names
) -> tuple[tuple[Ref, ...], ...]:
    if option is None or offer is None:
        return tuple(_refs(text, None, (), names) for _, text in groups)
    given: dict[int, tuple[Ref, ...]] = {}
    for lead, text in groups:
        at = _part(lead, option)
        part = option.parts[at]
        pool = offer.pools[part.pool] if part.pool >= 0 else ()
        given[at] = _refs(text, part, pool, names)
    return tuple(
        given[at] if at in given else default(offer, part) for at, part in enumerate(option.parts)
    )


def _part(lead: str, option: Option) -> int:
    wanted = {lead, _LEADS.get(lead, "")}
    for at, part in enumerate(option.parts):
        if part.name in wanted:
            return at
    if lead in ("", "->") and option.parts:
        return 0
    raise BadText(f"{option.kind} takes no {lead!r} here")


def _refs(text: str, part: Part | None, pool: Sequence[Ref], names: Names) -> tuple[Ref, ...]:
    if part is not None and part.pool == TEXT:
        return (text,)
    if text == NONE:
        return ()
    if part is not None and part.pool == NUMBER:
        return tuple(_number(item) for item in _listed(text))
    refs: list[Ref] = []
    for item in _listed(text):
        if item in REST:
            left = [ref for ref in pool if ref not in refs]
            refs += left[: max(0, (part.low if part else 0) - len(refs))]
        elif part is None and re.fullmatch(r"-?\d+", item):
            refs.append(int(item))
        else:
            free = [ref for ref in pool if ref not in refs]
            refs.append(names.find(item, free or pool, own=names.all_own(pool)))
    return tuple(refs)


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d+", text):
        raise BadText(f"{text!r} is no whole number")
    return int(text)


def _listed(text: str) -> list[str]:
    """Items between commas, those inside quotes aside."""
    items = re.findall(r'(?:"[^"]*"|[^,"])+', text)
    return [item.strip() for item in items if item.strip()]


# -- writing ---------------------------------------------------------------------------------------


def write(
    act: Act,
    p: Position,
    rules: Rulebook,
    seat: int,
    offer: Offer | None = None,
    apart: str = "",
) -> str:
    """The text of an act; with the offer it answers, `parse` reads the same act from it.

    `apart`: hidden cards are called by their names alone, or by their zones as well, and others as
    though the hidden were not there: for whoever does not know them.
    """
    names = Names(p, rules, seat, apart=apart)
    shape = what_follows(act.kind, rules)
    words = [act.kind.replace("-", " ")]
    if shape == "place":
        place = str(act.card)
        mine = seat_of(place) in (seat, -1)
        words.append(zone_of(place) if mine else f"{_SEATS[seat_of(place)]}.{zone_of(place)}")
        words += [_list(picked, names, p.zone(place)) for picked in act.picks]
        return " ".join(words)
    options = [option for option in offer.options if option.kind == act.kind] if offer else []
    option = next((o for o in options if o.card == act.card and act.effect in ("", o.effect)), None)
    if shape == "card" and act.card:
        words.append(names.name(act.card, [o.card for o in options]))
        several = [o for o in options if o.card == act.card]
        if len({o.effect for o in several}) > 1 or (act.effect and not options):
            words.append(_effect_word(act.effect, several))
    words += _written(act, option, offer, names, shape)
    return " ".join(word for word in words if word)


def _effect_word(effect: str, several: Sequence[Option]) -> str:
    """The name of an effect, with its card's number where another has that name too."""
    short = effect.rpartition("/")[2]
    same = {o.effect for o in several if o.effect.rpartition("/")[2] == short}
    return effect if len(same) > 1 else short


def _written(
    act: Act, option: Option | None, offer: Offer | None, names: Names, shape: str
) -> Iterator[str]:
    if option is None or offer is None:
        for at, picked in enumerate(act.picks):
            lead = "" if shape == "picks" and at == 0 else "->"
            yield f"{lead} {_list(picked, names, ())}".strip()
        return
    label = names.rules.manifest.label("acts", act.kind)
    for at, part in enumerate(option.parts):
        picked = act.picks[at] if at < len(act.picks) else default(offer, part)
        lead = _lead(part, act.kind)
        direct = shape == "picks" and at == 0
        unsaid = not direct and lead == part.name and f"{{{part.name}}}" not in label
        if unsaid and picked == default(offer, part):
            continue
        pool = offer.pools[part.pool] if part.pool >= 0 else ()
        listed = (
            ", ".join(map(str, picked)) or NONE if part.pool < 0 else _list(picked, names, pool)
        )
        yield listed if direct else f"{lead} {listed}"


def _lead(part: Part, kind: str) -> str:
    for lead, name in _LEADS.items():
        if part.name == name:
            return lead
    return "->" if part.name == kind else part.name


def _list(picked: Iterable[Ref], names: Names, pool: Sequence[Ref]) -> str:
    """Names one after the other, each in what the ones before it left of the pool."""
    left, words = list(pool), []
    for ref in picked:
        words.append(names.name(ref, left or pool))
        if ref in left:
            left.remove(ref)
    return ", ".join(words) or NONE


def _quoted(name: str) -> str:
    return f'"{name}"' if "," in name or f" {name} ".count(" with ") else name
