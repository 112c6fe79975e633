"""Suggestions: what may be meant by what is typed, the likeliest first.

At a decision that is every act on offer, written out in the notation with each of its targets, and
every card of the registered list that an unknown one may turn out to be. Nothing here is judged: an
act with an unknown card is a guess, which the service lets pass or refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import cast

from msgspec import Struct

from domain import notation
from domain.decisions import NUMBER, Act, Offer, Option, Part, default
from domain.events import Ref
from domain.manifest import Manifest
from domain.position import Position, zone_of
from domain.rulebook import Rulebook
from replay_cli.book import Book
from replay_cli.scorekeeper import fuzzy, lists
from replay_cli.scorekeeper.command import Command
from replay_cli.scorekeeper.habits import Habits

#: The option that stands for a card of which nobody knows which it is.
UNKNOWN = "unknown"
#: How many ways of one option are written out, and how many suggestions there are.
WAYS, MOST = 80, 9
#: From this score on, what was typed is taken to be meant: whole words, or starts of words.
SURE = 75.0
#: How the notation leads to a host, or a target.
LEADS = {"with": "host", "->": "target"}
#: What being on offer, or usual, adds; what being unusual takes away.
LIKELY, UNLIKELY = 3.0, -25.0


class Row(Struct):
    """A suggestion: how it reads, the command it stands for; `key` does it at once."""

    text: str
    command: Command
    key: str = ""
    score: float = 0.0


class Table(Struct, frozen=True):
    """What suggestions are made from: the position, and the seat that is to act."""

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


def ways(t: Table, offer: Offer, option: Option) -> Iterator[Act]:
    """An option with each pick that people say aloud; the others as they come."""
    picks = [
        list(_picks(t, offer, part)) if _said(t.manifest, option, part) else [default(offer, part)]
        for part in option.parts
    ]
    for some in product(*picks):
        yield Act(option.kind, option.card, some, option.effect)


def _said(manifest: Manifest, option: Option, part: Part) -> bool:
    label = manifest.label("acts", option.kind)
    return f"{{{part.name}}}" in label or "{}" in label or part.name in (option.kind, "target")


def _picks(t: Table, offer: Offer, part: Part) -> Iterator[tuple[Ref, ...]]:
    if part.pool == NUMBER:
        yield from ((n,) for n in range(part.low, part.high + 1))
    elif part.pool >= 0 and part.high == 1:
        yield from ((ref,) for ref in _unlike(t.pos, offer.pools[part.pool]))
        if part.low == 0:
            yield ()
    else:
        yield default(offer, part)


def _unlike(pos: Position, pool: Iterable[Ref]) -> Iterator[Ref]:
    """A pool's members; of the unknown ones the first of each place, since none can be told."""
    places = set()
    for ref in pool:
        unknown = isinstance(ref, int) and not pos.card(ref).id
        place = pos.card(int(ref)).place if unknown else ""
        if not unknown or place not in places:
            yield ref
        places.add(place)


def plain(t: Table) -> list[Act]:
    """The acts on offer that are nothing but a word: passing, ending, not blocking."""
    options = t.offer.options if t.offer is not None else ()
    return [Act(o.kind, 0, (), o.effect) for o in options if not o.card and not o.parts]


def usual(t: Table) -> Act | None:
    """What Enter alone does: the only act there is, or the only one that is nothing but a word."""
    options = t.offer.options if t.offer is not None else ()
    if len(options) == 1 and options[0].kind != UNKNOWN:
        option = options[0]
        forced = all(p.pool >= 0 and p.low == len(t.offer.pools[p.pool]) for p in option.parts)  # type: ignore[union-attr]
        return Act(option.kind, option.card, (), option.effect) if forced else None
    words = plain(t)
    return words[0] if len(words) == 1 else None


# -- what is typed ---------------------------------------------------------------------------------


def suggestions(t: Table, typed: str, known: Sequence[Row]) -> list[Row]:
    """What may be meant by a line, the best first; `known` is what `offered` found."""
    found = [
        Row(row.text, row.command, row.key, score + LIKELY)
        for score, row in fuzzy.ranked(typed, known, lambda row: row.text)
    ]
    found += _several(t, typed)
    found += _named(t, typed)
    best: dict[str, Row] = {}
    for row in sorted(found, key=lambda row: -row.score):
        best.setdefault(row.text, row)
    return list(best.values())[:MOST]


def _several(t: Table, typed: str) -> Iterator[Row]:
    """Several picks with commas between them: `choose gm, guntank`."""
    if t.offer is None or "," not in typed:
        return
    for option in t.offer.options:
        said = (p for p in option.parts if _said(t.manifest, option, p))
        part = next((p for p in said if p.pool >= 0 and p.high > 1), None)
        verb, _, rest = typed.strip().partition(" ")
        if part is None or fuzzy.score(fuzzy.words(verb), option.kind) <= 0:
            continue
        pool = list(_pickable(t, t.offer.pools[part.pool]))
        picked: list[tuple[Ref, str, str]] = []
        for item in rest.split(","):
            free = [one for one in pool if one not in picked and not _clash(one, picked)]
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
        picks = tuple(refs if p is part else default(t.offer, p) for p in option.parts)
        act = Act(option.kind, option.card, picks, option.effect)
        names = {int(ref): card for ref, _, card in picked if card}
        text = f"{option.kind} {', '.join(name for _, name, _ in picked)}"
        yield Row(text, Command(t.seat, act, text, names), score=fuzzy.WHOLE)


def _clash(one: tuple[Ref, str, str], picked: Sequence[tuple[Ref, str, str]]) -> bool:
    """Whether a card was picked already, under whatever name."""
    return one[0] in [ref for ref, _, _ in picked]


def _pickable(t: Table, pool: Sequence[Ref]) -> Iterator[tuple[Ref, str, str]]:
    """Members of a pool: what they are, how they are called, and as what they would be named."""
    names = notation.Names(t.pos, t.rules, t.seat)
    for ref in pool:
        if not isinstance(ref, int) or t.pos.card(ref).id:
            yield ref, names.name(ref, pool), ""
            continue
        left = lists.left(t.book, t.pos, t.pos.card(ref).owner)
        yield from ((ref, name, card) for card, name in left.items())


# -- unknown cards ---------------------------------------------------------------------------------


def _named(t: Table, typed: str) -> Iterator[Row]:
    """Acts with a card that nobody has named yet, which is named along with them."""
    query = fuzzy.words(typed)
    if t.offer is None or not query:
        return
    yield from _named_picks(t, query)
    first: dict[str, int] = {}
    for option in t.offer.options:
        if option.kind == UNKNOWN and isinstance(option.card, int):
            first.setdefault(t.pos.card(option.card).place, option.card)
    several = len(first) > 1
    for place, number in first.items():
        zone = zone_of(place)
        for card, called in lists.left(t.book, t.pos, t.pos.card(number).owner).items():
            said = f"{zone}.{called}" if several else called
            for verb in _verbs(t, query[0], card):
                yield from _with(t, query, verb, number, card, said)


def _verbs(t: Table, word: str, card: str) -> list[str]:
    """The verbs that a first word may stand for with a card; without one, the card's usual ones."""
    verbs = [act.name for act in t.manifest.acts if "{card}" in act.label and act.name != UNKNOWN]
    usual = [verb for verb in t.habits.verbs(card) if verb in verbs]
    meant = [verb for verb in verbs if fuzzy.worth(word, fuzzy.words(verb)[0]) >= SURE]
    return list(dict.fromkeys([*meant, *usual]))


def _with(
    t: Table, query: Sequence[str], verb: str, number: int, card: str, called: str
) -> Iterator[Row]:
    """An act with a card of this name, with each host or target that its label speaks of."""
    suits = t.habits.suits(verb, card)
    bonus = 0.0 if suits is None else LIKELY if suits else UNLIKELY
    if t.habits.in_the_open(verb):
        bonus = UNLIKELY
    head = f"{verb} {called}"
    bare, leads = _leads(t, verb, len(query))
    texts: list[tuple[str, Ref]] = [(head, 0)] if bare else []
    if leads and fuzzy.score(query[:2], head):
        names = notation.Names(t.pos, t.rules, t.seat)
        ends = _ends(t, names)
        texts += [(f"{head} {lead} {name}", ref) for lead in leads for ref, name in ends]
    for text, ref in texts:
        score = fuzzy.score(query, text)
        if score > 0:
            act = Act(verb, number, ((ref,),) if ref else ())
            yield Row(text, Command(t.seat, act, text, {number: card}), score=score + bonus)


def _leads(t: Table, verb: str, words: int) -> tuple[bool, list[str]]:
    """Whether an act may stand by itself, and what leads to its host or target, if it may have one.

    That is said by its label; where it is not, both are tried once more than a name was typed.
    """
    label = t.manifest.label("acts", verb)
    said = [lead for lead, part in LEADS.items() if f"{{{part}}}" in label]
    if said or words < 3:
        return not said, said
    parts = {part.name for part in t.manifest.parts}
    return True, [lead for lead, part in LEADS.items() if part in parts]


def _ends(t: Table, names: notation.Names) -> list[tuple[Ref, str]]:
    """Cards on the table that an act may be directed at, the seat's own first."""
    there = [
        n
        for n in names.in_sight()
        if t.manifest.zone(t.pos.card(n).place).row == 0 and not t.pos.card(n).host
    ]
    there.sort(key=lambda n: t.pos.card(n).controller != t.seat)
    return [(n, names.name(n, there)) for n in there]


def _named_picks(t: Table, query: Sequence[str]) -> Iterator[Row]:
    """One unknown card out of a pool, named: `discard GM`."""
    assert t.offer is not None
    for option in t.offer.options:
        for at, part in enumerate(option.parts):
            if part.pool < 0 or part.low > 1 or not _said(t.manifest, option, part):
                continue
            pool = list(_unlike(t.pos, t.offer.pools[part.pool]))
            for ref, name, card in _pickable(t, pool):
                text = f"{option.kind.replace('-', ' ')} {name}"
                score = fuzzy.score(query, text) if card else 0
                if score > 0:
                    picks = tuple(
                        (ref,) if n == at else default(t.offer, other)
                        for n, other in enumerate(option.parts)
                    )
                    act = Act(option.kind, option.card, picks, option.effect)
                    command = Command(t.seat, act, text, {int(ref): card})
                    yield Row(text, command, score=score)
