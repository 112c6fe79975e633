"""Suggestions for what is typed, the likeliest first.

They are all acts on offer, in the notation, with each of their targets; acts with cards that nobody
has named are in `guess`, ranking is in `fuzzy`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import cast

from msgspec import Struct

from domain.engine.rulebook import Rulebook
from domain.record.decisions import NUMBER, Act, Misfit, Offer, Option, Part, joint
from domain.record.fitting.fit import completed, default, feasible, fit
from domain.record.position import Position, seat_of
from domain.record.schema.manifest import Manifest
from domain.record.values import EVERYONE, Ref
from domain.scorekeeping.command import Command
from domain.scorekeeping.suggestions import fuzzy, unseen
from domain.scorekeeping.suggestions.habits import Habits
from domain.telling.book import Book
from domain.text import notation

#: The option that stands for a card of which nobody knows which it is.
UNKNOWN = "unknown"
#: How many ways of one option are written out, and how many suggestions there are.
WAYS, MOST = 80, 9
#: From this score on, what was typed is taken to be meant: whole words, or starts of words.
SURE = 75.0
#: What being on offer adds.
LIKELY = 3.0


class Row(Struct):
    """A suggestion: how it reads, the command it stands for; `key` does it at once.

    `unoffered`: its card is known, and the act is not on offer: it is against the rules by now.
    `alike`: of how many acts that nobody can tell apart it is the first; 0: it is another of them.
    """

    text: str
    command: Command
    key: str = ""
    score: float = 0.0
    unoffered: bool = False
    alike: int = 1

    @property
    def sure(self) -> bool:
        """Whether every word that was typed is there, or the start of it, in order."""
        return self.score >= SURE


class Table(Struct, frozen=True):
    """The base of suggestions: the position, and the seat that is to act."""

    book: Book
    pos: Position
    seat: int
    offer: Offer | None
    habits: Habits

    @property
    def manifest(self) -> Manifest:
        """The words of the game."""
        return self.book.manifest

    @property
    def rules(self) -> Rulebook:
        """The book, as the notation asks for it: of a rulebook it needs no more than words."""
        return cast(Rulebook, self.book)

    def write(self, act: Act) -> str:
        """An act in the notation."""
        return notation.write(act, self.pos, self.rules, self.seat, self.offer)

    def called(self, number: int) -> str:
        """How a line calls a card."""
        return notation.Names(self.pos, self.rules, self.seat).name(number)


# -- what is on offer ------------------------------------------------------------------------------


def offered(t: Table) -> list[Row]:
    """Every act on offer that is known by name, each with every target it may have."""
    if t.offer is None:
        return []
    found: dict[str, Row] = {}
    for option in t.offer.options:
        if option.kind == UNKNOWN:
            continue
        for act in islice(ways(t, t.offer, option), WAYS):
            text = t.write(act)
            found.setdefault(text, Row(text, Command(t.seat, act, text)))
    return list(found.values())


def unknown(offer: Offer | None) -> list[int]:
    """The cards that may act, once they are named."""
    options = offer.options if offer is not None else ()
    return [o.card for o in options if o.kind == UNKNOWN and isinstance(o.card, int)]


def ways(t: Table, offer: Offer, option: Option) -> Iterator[Act]:
    """An option with each pick that people say aloud; the others as they come."""
    written = {
        at: list(_picks(t, offer, part))
        for at, part in enumerate(option.parts)
        if is_written(t.manifest, option, part) and (part.high == 1 or not joint(option))
    }
    for some in product(*written.values()):
        given = dict(zip(written, some, strict=True))
        if not joint(option) or feasible(offer, option, given):
            yield option.act(completed(offer, option, given))


def is_written(manifest: Manifest, option: Option, part: Part) -> bool:
    """Whether the notation says what was picked for a part; a payment is left out."""
    label = manifest.label("acts", option.kind)
    return f"{{{part.name}}}" in label or "{}" in label or part.name in (option.kind, "target")


def _picks(t: Table, offer: Offer, part: Part) -> Iterator[tuple[Ref, ...]]:
    if part.pool == NUMBER:
        yield from ((n,) for n in range(part.low, part.high + 1))
    elif part.pool >= 0 and part.high == 1:
        yield from ((ref,) for ref in distinguishable(t, offer.pools[part.pool]))
        if part.low == 0:
            yield ()
    else:
        yield default(offer, part)


def distinguishable(t: Table, pool: Iterable[Ref]) -> Iterator[Ref]:
    """A pool's members; of the unknown ones that lie nowhere open the first of each place."""
    places = set()
    for ref in pool:
        unknown = isinstance(ref, int) and not t.pos.card(ref).id
        place = t.pos.card(int(ref)).place if unknown else ""
        if not unknown or place not in places or is_face_down(t, int(ref)):
            yield ref
        places.add(place)


def is_face_down(t: Table, number: int) -> bool:
    """Whether a card that nobody has named lies among open ones, so that it matters which it is."""
    card = t.pos.card(number)
    everywhere = t.manifest.zone(card.place).faces == "all"
    return everywhere and not card.id and card.follow == EVERYONE


def plain(t: Table) -> list[Act]:
    """The acts on offer that are nothing but a word: passing, ending, not blocking."""
    options = t.offer.options if t.offer is not None else ()
    return [Act(o.kind, 0, (), o.effect) for o in options if not o.card and not o.parts]


def usual(t: Table) -> Act | None:
    """The act of Enter on an empty line: the only act there is, or the only one without parts.

    Where nothing has to be picked for the only act, nothing is.
    """
    options = t.offer.options if t.offer is not None else ()
    if t.offer is not None and len(options) == 1 and options[0].kind != UNKNOWN:
        option = options[0]
        open_ = [p for p in option.parts if p.pool < 0 or p.low != len(t.offer.pools[p.pool])]
        if any(part.pool < 0 or part.low for part in open_):
            return None
        picks = completed(t.offer, option) if open_ else ()
        return option.act(picks)
    words = plain(t)
    return words[0] if len(words) == 1 else None


# -- what is typed ---------------------------------------------------------------------------------


def suggestions(
    t: Table, typed: str, known: Sequence[Row], guesses: Iterable[Row] = ()
) -> list[Row]:
    """The possible meanings of a line, the best first; `known` is what `offered` found.

    `guesses` are acts with unknown cards, with the scores of the line (`guess`).
    """
    found = [
        Row(row.text, row.command, row.key, score + LIKELY)
        for score, row in fuzzy.ranked(typed, known, lambda row: row.text)
    ]
    found += [*_several(t, typed), *guesses]
    line = f" {' '.join(fuzzy.words(typed))} "
    best: dict[str, Row] = {}
    for row in sorted(found, key=lambda row: (not _is_spelt(t, line, row), -row.score)):
        best.setdefault(row.text, row)
    return list(best.values())[:MOST]


def _is_spelt(t: Table, line: str, row: Row) -> bool:
    """Whether a line has the whole names of all cards of an act, one after the other.

    `attack GM -> Zaku I` means that Zaku I, and is refused where only a Zaku II may be attacked.
    """
    names, there = row.command.names, t.pos.cards
    ids = [names.get(n) or there[n].id for n in cards(row.command.act) if n in there]
    called = [" ".join(fuzzy.words(t.book.name(card))) for card in ids if card]
    for name in called:
        if f" {name} " not in line:
            return False
        line = line.partition(f" {name}")[2]
    return bool(called)


def _several(t: Table, typed: str) -> Iterator[Row]:
    """Several picks with commas between them: `choose gm, guntank`."""
    if t.offer is None or "," not in typed:
        return
    for option in t.offer.options:
        parts = [p for p in option.parts if is_written(t.manifest, option, p)]
        part = next((p for p in parts if p.pool >= 0 and p.high > 1), None)
        verb, _, rest = typed.strip().partition(" ")
        if part is None or fuzzy.score(fuzzy.words(verb), option.kind) <= 0:
            continue
        pool = list(pickable(t, t.offer.pools[part.pool]))
        picked: list[tuple[Ref, str, str]] = []
        for item in rest.split(","):
            free = [one for one in pool if one not in picked and not _already_picked(one, picked)]
            best = fuzzy.ranked(item, free, lambda one: one[1], 1)
            if not item.strip() or not best:
                break
            picked.append(best[0][1])
        else:
            yield from _picking(t, option, part, picked)


def _picking(
    t: Table, option: Option, part: Part, picked: list[tuple[Ref, str, str]]
) -> Iterator[Row]:
    if part.low <= len(picked) <= part.high and t.offer is not None:
        refs = tuple(ref for ref, _, _ in picked)
        picks = completed(t.offer, option, {option.parts.index(part): refs})
        act = option.act(picks)
        names = {int(ref): card for ref, _, card in picked if card}
        text = f"{option.kind} {', '.join(name for _, name, _ in picked)}"
        yield Row(text, Command(t.seat, act, text, names), score=fuzzy.WHOLE)


def _already_picked(one: tuple[Ref, str, str], picked: Sequence[tuple[Ref, str, str]]) -> bool:
    """Whether a card was picked already, under any name."""
    return one[0] in [ref for ref, _, _ in picked]


def pickable(t: Table, pool: Sequence[Ref]) -> Iterator[tuple[Ref, str, str]]:
    """Members of a pool: what they are, how they are called, and as what they would be named."""
    names = notation.Names(t.pos, t.rules, t.seat)
    for ref in pool:
        if not isinstance(ref, int) or t.pos.card(ref).id:
            yield ref, names.name(ref, pool), ""
            continue
        left = unseen.cards(t.book, t.pos, t.pos.card(ref).owner, number=ref)
        yield from ((ref, name, card) for card, name in left.items())


def verbs(t: Table, typed: str) -> list[str]:
    """The verbs that a line may begin with."""
    first = fuzzy.words(typed)[:1]
    acts = (act.name for act in t.manifest.acts if act.name != UNKNOWN)
    return [
        act for act in acts if first and fuzzy.word_score(first[0], fuzzy.words(act)[0]) >= SURE
    ]


def spelt(t: Table, typed: str) -> list[str]:
    """The verbs of which the first word was typed in full, and no further one."""
    have = fuzzy.words(typed)
    found = [verb for verb in verbs(t, typed) if fuzzy.words(verb)[0] == have[0]]
    whole = any(fuzzy.words(verb) == have[:2] for verb in found)
    return [] if whole else found


def is_on_offer(offer: Offer | None, act: Act) -> bool:
    """Whether an act answers an offer as it stands."""
    try:
        return offer is not None and fit(offer, act) is not None
    except Misfit:
        return False


def own_front(t: Table) -> list[int]:
    """The seat's cards in the front row, from left to right."""
    places = (place for place in t.pos.zones if t.manifest.zone(place).row == 0)
    lying = [n for place in places if seat_of(place) in (t.seat, -1) for n in t.pos.zones[place]]
    return [n for n in lying if n and t.pos.cards[n].controller == t.seat]


def cards(act: Act) -> list[int]:
    """The cards of an act: that which acts, and those picked."""
    refs = (act.card, *(ref for part in act.picks for ref in part))
    return [ref for ref in refs if isinstance(ref, int) and ref]


def is_seat(ref: Ref) -> bool:
    """Whether a reference names a seat."""
    return isinstance(ref, str) and ref.startswith("seat/")
