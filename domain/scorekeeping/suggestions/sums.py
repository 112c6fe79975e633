"""Other ways to take an act whose picks hang together: paid from elsewhere, more of it placed.

`suggest` lists such an act once, as it usually is: that takes the card and Enter. For other picks
type a few letters of each, and a number or a part's name where that matters: `sum goon soul`, `sum
goon place 3`, `move goon res 2`. The rest comes by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import permutations, product

from msgspec import Struct
from msgspec.structs import replace

from domain.record.decisions import NUMBER, Act, Offer, Option, joint
from domain.record.fitting.fit import completed, feasible
from domain.record.values import Ref
from domain.scorekeeping.command import Command
from domain.scorekeeping.suggestions import fuzzy, suggest, unseen
from domain.scorekeeping.suggestions.suggest import Row, Table
from domain.text import reading
from domain.text.notation import BadText, Names

#: How many acts are looked at, and how many ways of each are worked out.
ACTS, WAYS = 3, 40
#: What a way is worth less than the usual one, where both are what was typed.
UNUSUAL = 1.0


class Wish(Struct, frozen=True):
    """A wish about a part: these are among its picks; without any: so many."""

    at: int
    refs: tuple[Ref, ...]
    n: int


def otherwise(t: Table, typed: str) -> Iterator[Row]:
    """The ways that a line may mean, of those acts that its first words name."""
    query = fuzzy.words(typed)
    if t.offer is None or len(query) < 2:
        return
    named = [
        (score, option, rest)
        for option in t.offer.options
        if joint(option)
        for score, rest in _named(t, option, query)
        if rest
    ]
    yield from _unnamed(t, query)
    for _, option, rest in sorted(named, key=lambda one: -one[0])[:ACTS]:
        for act in _ways(t, t.offer, option, rest):
            text = t.write(act)
            score = fuzzy.score(query, text)
            if score > UNUSUAL:
                yield Row(text, Command(t.seat, act, text), score=score - UNUSUAL)


def _unnamed(t: Table, query: Sequence[str]) -> Iterator[Row]:
    """The same with cards that nobody has named: what is asked of them shows once they are."""
    composed = t.manifest.composed
    cards = dict.fromkeys(called for n in suggest.unknown(t.offer)[:1] for called in _cards(t, n))
    heads = [
        (score, at, kind, name)
        for kind in composed
        for name in cards
        for at in range(min(len(query) - 1, 4), 1, -1)
        if (score := fuzzy.score(query[:at], f"{kind} {name}")) >= suggest.SURE
    ]
    for _, at, kind, name in sorted(heads, key=lambda one: (-one[0], -one[1]))[:ACTS]:
        for more in _lists(t, composed[kind], query[at:]):
            text = f"{kind} {name}{more}"
            with suppress(BadText):
                act, names = reading.read(text, t.pos, t.rules, t.seat, t.offer)
                score = fuzzy.score(query, text)
                yield Row(text, Command(t.seat, act, text, names), score=score)


def _cards(t: Table, number: int) -> Iterator[str]:
    """The possible names of an unknown card, with each of its texts, if it has several."""
    for card, name in unseen.cards(t.book, t.pos, t.seat, number=number).items():
        yield name
        texts = t.book.cards[card].facts.get("effect", ())
        yield from (f"{name} {text['name']}" for text in texts if len(texts) > 1)


def _lists(t: Table, parts: Sequence[str], typed: Sequence[str]) -> Iterator[str]:
    """The lists for each part, in the notation: after its name, or else of any of them."""
    names = Names(t.pos, t.rules, t.seat)
    zones = [zone.name for zone in t.manifest.zones if zone.style == "counters"]
    front = [names.name(n) for n in suggest.own_front(t)]
    members = [*zones, *(word.name for word in t.manifest.counters), *front]
    numbers_by_part: dict[str, list[str]] = {}
    part, n = "", ""
    for word in typed:
        lead = next((one for one in parts if one == word), "")
        if lead:
            part = lead
        elif word.isdecimal():
            n = f"{word} "
        elif found := next((one for one in members if _mentions(word, one)), ""):
            numbers_by_part.setdefault(part, []).append(n + found)
            n = ""
    anywhere = numbers_by_part.pop("", [])
    for first in parts[:2] if anywhere else ("",):
        lines = {
            **numbers_by_part,
            **({first: anywhere + numbers_by_part.get(first, [])} if first else {}),
        }
        yield "".join(f" {one} {', '.join(lines[one])}, ..." for one in parts if one in lines)


def _mentions(word: str, name: str) -> bool:
    return any(fuzzy.word_score(word, one) >= fuzzy.LETTERS for one in fuzzy.words(name))


def _named(t: Table, option: Option, query: Sequence[str]) -> Iterator[tuple[float, list[str]]]:
    """How well the first words of a line name an act and its card, and which words are left."""
    names = Names(t.pos, t.rules, t.seat)
    head = f"{option.kind.replace('-', ' ')} {names.name(option.card) if option.card else ''}"
    for n in range(len(query), 0, -1):
        score = fuzzy.score(query[:n], head)
        if score > 0 and (n > 1 or not option.card):
            yield score, [*query[n:]]
            return


def _ways(t: Table, offer: Offer, option: Option, typed: Sequence[str]) -> Iterator[Act]:
    """An option in the ways that agree with the wishes about some of its parts."""
    wishes = [[*_wishes(t, offer, option, at, typed)] for at in range(len(option.parts))]
    tried = 0
    for several in product(*([None, *some] for some in wishes)):
        meant = [wish for wish in several if wish is not None]
        if not meant or tried >= WAYS:
            continue
        tried += 1
        wanted, given, least = _asked(option, meant)
        if feasible(offer, wanted, given, least):
            picks = completed(offer, wanted, given, least=least)
            yield option.act(picks)


def _asked(
    option: Option, meant: Sequence[Wish]
) -> tuple[Option, dict[int, tuple[Ref, ...]], dict[int, tuple[Ref, ...]]]:
    """The option, what is given, and what is picked at least, if wishes are to come true."""
    parts = list(option.parts)
    given: dict[int, tuple[Ref, ...]] = {}
    least: dict[int, tuple[Ref, ...]] = {}
    for wish in meant:
        if parts[wish.at].pool == NUMBER:
            given[wish.at] = (wish.n,)
        elif not wish.refs:
            parts[wish.at] = replace(parts[wish.at], low=wish.n, high=wish.n)
        else:
            least[wish.at] = wish.refs
    return replace(option, parts=tuple(parts)), given, least


def _wishes(
    t: Table, offer: Offer, option: Option, at: int, typed: Sequence[str]
) -> Iterator[Wish]:
    """The possible wishes about a part: each of its members that is named, and numbers."""
    part = option.parts[at]
    numbers = [int(word) for word in typed if word.isdecimal() and int(word) <= part.high]
    if part.pool == NUMBER:
        yield from (Wish(at, (), n) for n in dict.fromkeys(numbers) if n >= part.low)
        return
    if part.pool < 0:
        return
    names = Names(t.pos, t.rules, t.seat)
    several = part.limits is not None and part.limits.cap > 1
    single = [
        (ref,) * n
        for ref in dict.fromkeys(offer.pools[part.pool])
        for n in _times(typed, names.name(ref))
        if n == 1 or (several and n <= part.high)
    ]
    pairs = [one + other for one, other in permutations(single, 2) if one[0] != other[0]]
    yield from (Wish(at, refs, 0) for refs in (*single, *pairs))
    if several:
        yield from (Wish(at, (), n) for n in dict.fromkeys(numbers) if n)


def _times(typed: Sequence[str], name: str) -> Iterator[int]:
    """How often a line may ask for what has this name: by the number before it, or behind it."""
    words, counted = fuzzy.words(name), dict[int, None]()
    for at, one in enumerate(typed):
        if one.isdecimal() or all(fuzzy.word_score(one, word) < fuzzy.LETTERS for word in words):
            continue
        if at and typed[at - 1].isdecimal():
            counted[int(typed[at - 1])] = None
            continue
        counted[1] = None
        if typed[at + 1 :] and typed[at + 1].isdecimal():
            counted[int(typed[at + 1])] = None
    yield from filter(None, counted)
