"""Reads the acts of a transcript at the position where they were done.

An act is in the notation. One whose viewer saw only part of it names its card and then, after a `/`
each, its picks, hidden ones as `????`. It may be read in several ways (any of some unknown cards
will do): all of them are returned, the likeliest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations

from msgspec import Struct

from domain.engine import naming
from domain.engine.match import Match
from domain.engine.naming import Inputs
from domain.record.decisions import NUMBER, SECRET, TEXTS, UNSTATED, Act, Offer, Option, Part
from domain.record.fitting.fit import completed, default
from domain.record.position import UNKNOWN
from domain.record.values import Ref
from domain.text import notation, reading
from domain.text.notation import TEXT_LEAD, BadText, Names, Several, parse, picks_of
from domain.text.picks import NONE, remaining
from domain.words.phrases import phrase

#: What stands between the picks of an act that was seen in part.
PART = " / "
#: A reference to nothing, in an act against the rules.
EMPTY = '""'


class Asked(Struct, frozen=True):
    """The open question of a match, and which unknown cards to take only if no others fit.

    `shown` are the cards that were turned up then.
    """

    match: Match
    seat: int
    offer: Offer
    spare: frozenset[int] = frozenset()
    shown: tuple[str, ...] = ()

    def read(self, text: str) -> tuple[Act, dict[int, str]]:
        """The act of a text in the notation, and the cards that it names."""
        m, renew = self.match, partial(self.match.open_to, self.seat)
        try:
            return reading.read(text, m.pos, m.rules, self.seat, self.offer, renew, self.spare)
        except BadText:
            found = self._turned_up(text)
            if found is None:
                raise
            return found

    def _turned_up(self, text: str) -> tuple[Act, dict[int, str]] | None:
        """The act on an unknown card, called by its number, if the card was shown."""
        m, number = self.match, re.search(r"@(\d+)", text)
        card = m.pos.cards.get(int(number[1])) if number else None
        if number is None or card is None or card.id:
            return None
        for shown in dict.fromkeys(self.shown):
            named, picked = {int(number[1]): shown}, dict[int, str]()
            offer = m.open_to(self.seat, named) or self.offer
            with suppress(BadText):
                p = naming.named(m.pos, m.rules, Inputs(named))
                act = parse(text, p, m.rules, self.seat, offer, named=picked, spare=self.spare)
                return act, named | picked
        return None


def readings(text: str, asked: Asked) -> list[tuple[Act, dict[int, str]]]:
    """The possible meanings of a text, with the cards that it names; `BadText` if there are none.

    All of them at once: the match that they are read at is used up by trying the first.
    """
    head, *groups = text.split(PART)
    if not groups:
        return [asked.read(text)]
    failure: BadText | None = None
    found: list[tuple[Act, dict[int, str]]] = []
    for option, named, offer in _meant(head, asked):
        for parts in _placed(option, len(groups)):
            picks = dict(zip(parts, groups, strict=True))
            for shared in (False, True)[: len(groups)]:
                try:
                    found.append(_filled(option, picks, named, offer, asked, shared))
                except BadText as bad:
                    failure = bad
    if not found and failure is not None:
        raise failure
    return found


def _meant(head: str, asked: Asked) -> Iterator[tuple[Option, dict[int, str], Offer]]:
    """The options that the verb and the card may mean, and what is open with that card known."""
    found = []
    if picks := picks_of(head, asked.match.rules, asked.offer):
        raise BadText(
            phrase("{picks!r}: picks stand after each {sign!r}", picks=picks, sign=PART.strip())
        )
    try:
        found.append(asked.read(head))
    except Several as several:
        for word in sorted(several.words):
            with suppress(BadText):
                found.append(asked.read(f"{head} {word}"))
    for act, named in found:
        picking = notation.what_follows(act.kind, asked.match.rules) == "picks"
        offer = asked.match.open_to(asked.seat, named) or asked.offer
        for option in offer.options:
            same = option.kind == act.kind and (picking or option.card == act.card)
            if same and (picking or act.effect in ("", option.effect)):
                yield option, named, offer


def _placed(option: Option, n: int) -> Iterator[tuple[int, ...]]:
    """Which parts the groups are the picks of: all, in order; without a card, maybe only some."""
    if option.card:
        yield tuple(range(n))
    else:
        yield from combinations(range(len(option.parts)), n)


def _filled(
    option: Option, groups: dict[int, str], named: dict[int, str], offer: Offer, asked: Asked,
    shared: bool,
) -> tuple[Act, dict[int, str]]:  # fmt: skip
    """The act with these picks; the cards that they name are named as well.

    `shared`: hidden cards of one part are those of the parts before, as many as there are.
    """
    if any(at >= len(option.parts) for at in groups):
        raise BadText(phrase("{act} has no part {n}", act=option.kind, n=len(groups)))
    named, before = dict(named), list[Ref]()
    given: dict[int, tuple[Ref, ...]] = {}
    m = asked.match
    p = naming.named(m.pos, m.rules, Inputs(named))
    names = Names(p, m.rules, asked.seat, named, asked.spare)
    for at, part in enumerate(option.parts):
        if at in groups:
            given[at] = _picks(groups[at], part, offer, names, before, shared)
        before += given[at] if at in given else default(offer, part)
    return option.act(completed(offer, option, given)), named


def _picks(
    text: str, part: Part, offer: Offer, names: Names, before: Sequence[Ref], shared: bool
) -> tuple[Ref, ...]:
    if part.pool in TEXTS:
        return (UNSTATED if part.pool == SECRET and text.strip() == NONE else text,)
    if text.strip() == NONE:
        return ()
    items = [item.strip() for item in text.split(",") if item.strip()]
    if part.pool == NUMBER:
        numbers = [item.removeprefix("@") for item in items]  # as of a card that nobody can see
        return tuple(int(item) for item in numbers if item.lstrip("-").isdecimal())
    pool, found = offer.pools[part.pool], list[Ref]()
    for item in items:
        free = remaining(part, pool, found)
        if (seen := _in_sight(item, names)) in free:
            found.append(seen)
            continue
        known = [ref for ref in free if ref in before]
        fresh = [ref for ref in free if ref not in before]
        found.append(names.find(item, (known if shared and known else fresh) or free or pool))
    return tuple(found)


def _in_sight(item: str, names: Names) -> Ref:
    """The card of that name among all that lie open, which is how `write` names picks; 0: none."""
    try:
        ref = Names(names.p, names.rules, names.seat, apart="zone").find(item)
    except BadText:
        return 0
    return 0 if UNKNOWN in item or names.is_hidden(ref) else ref


def exact(act: Act) -> str:
    """An act against the rules, with the very numbers: nothing is left to infer."""
    lists = (", ".join(map(_ref, picked)) or NONE for picked in act.picks)
    subject = [_ref(act.card)] if act.card or act.effect else []
    effect = [act.effect] if act.effect else []
    return PART.join([" ".join([act.kind, *subject, *effect]), *lists])


def exactly(text: str) -> Act:
    """The act that `exact` wrote."""
    head, *lists = text.split(PART)
    kind, _, rest = head.strip().partition(" ")
    card, _, effect = rest.partition(" ")
    picks = tuple(tuple(map(_unref, text.split(", "))) if text != NONE else () for text in lists)
    return Act(kind, (_unref(card) or 0) if card else 0, picks, effect)


def _ref(ref: Ref) -> str:
    return (ref or EMPTY) if isinstance(ref, str) else f"@{ref}"


def _unref(text: str) -> Ref:
    number = text.strip().removeprefix("@")
    return int(number) if number.isdecimal() else text.strip() if text != EMPTY else ""


def interjection(
    text: str, match: Match, seat: int
) -> tuple[str, Ref, tuple[Ref, ...], dict[int, str]]:
    """An act beside a decision: its kind, what it is about, its picks, the cards that it names.

    Where it picks none of a place it picks all of them, as they lie.
    """
    named: dict[int, str] = {}
    head, lead, declared = text.partition(TEXT_LEAD)  # a text that is declared
    act = parse(head, match.pos, match.rules, seat, named=named)
    picks: Sequence[Ref] = (declared,) if lead else act.picks[0] if act.picks else ()
    if not picks and isinstance(act.card, str):
        picks = match.pos.zone(act.card)
    return act.kind, act.card, tuple(picks), named
