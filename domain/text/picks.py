"""The meaning of an act's words after its card: the picks of each part.

A part is led in by its sign or its name (`leads`), its members are named between commas. An offer
narrows what is meant; without one, the parts of an act that is not on offer are known by name. Acts
themselves are in `notation`, names of cards in `names`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from domain.record.decisions import NUMBER, TEXTS, Offer, Option, Part, joint
from domain.record.decisions import REST as ANYHOW
from domain.record.fitting.fit import completed
from domain.record.values import Ref
from domain.text.names import BadText, Names
from domain.words.phrases import joined, phrase

#: "And the rest as it comes": fills a part up from the front of its pool.
REST = ("...", "…")
NONE = "none"
#: A pick that is made several times, and how often at the most one is read.
_COUNTED, MANY = re.compile(r"(\d{1,3}) +(\S.*)"), 99
#: Signs that lead in a part, beside its name.
LEADS = {"->": "target", "with": "host"}


def found_in(names: Names, text: str, scope: Sequence[Ref]) -> Ref | None:
    """The meaning of a name in a scope, if it is there; raises `BadText` if it is ambiguous."""
    if not text:
        return None
    try:
        found = names.find(text, scope, own=True)
    except BadText as bad:
        if "may be" in str(bad):
            raise
        return None
    return found if not scope or found in scope else None


def read_picks(
    groups: list[tuple[str, str]], option: Option | None, offer: Offer | None, names: Names
) -> tuple[tuple[Ref, ...], ...]:
    """The picks of an act from `groups` of a lead and members; or `BadText`.

    What is left out takes its default. Without an option its parts are taken as they come. A part
    of other acts comes after those there are: that it is too many is for the rules to say.
    """
    if option is None or offer is None:
        return tuple(_refs(text, None, (), names) for _, text in groups)
    given: dict[int, tuple[Ref, ...]] = {}
    least: dict[int, tuple[Ref, ...]] = {}  # of these that many, and others as they come
    extra: list[tuple[Ref, ...]] = []
    for lead, text in groups:
        if not text:
            raise BadText(
                phrase(
                    "nothing follows {lead!r}; say {none!r} if nothing is meant",
                    lead=lead,
                    none=NONE,
                )
            )
        at = _part(lead, option)
        if at is None and lead in names.rules.manifest.words("parts"):
            extra.append(_refs(text, None, (), names))
            continue
        if at is None:
            raise BadText(phrase("{act} takes no {lead!r} here", act=option.kind, lead=lead))
        if at in given or at in least:
            raise BadText(phrase("{part} is stated twice", part=option.parts[at].name))
        part = option.parts[at]
        pool: Sequence[Ref] = offer.pools[part.pool] if part.pool >= 0 else ()
        spared = _spared(offer, option, at, given | least)
        rest = joint(option) and listed(text)[-1] in REST and part.pool >= 0
        if rest:
            text = ", ".join(listed(text)[:-1]) or NONE
        (least if rest else given)[at] = _rather(text, part, spared, pool, names)
    return (*completed(offer, option, given, least=least), *extra)


def _spared(
    offer: Offer, option: Option, at: int, picked: Mapping[int, Sequence[Ref]]
) -> Sequence[Ref]:
    """The members of a part's pool that other parts leave: a copy is another member."""
    pool = [*offer.pools[option.parts[at].pool]] if option.parts[at].pool >= 0 else []
    for part in option.parts if picked else ():
        for supply in part.limits.supplies if part.limits is not None else ():
            if at in supply.parts:
                taken = [ref for other in supply.parts for ref in picked.get(other, ())]
                caps = dict(zip(offer.pools[supply.pool], supply.caps, strict=True))
                pool = [ref for ref in pool if taken.count(ref) < caps.get(ref, 1)]
    return pool


def _rather(
    text: str, part: Part, spared: Sequence[Ref], pool: Sequence[Ref], names: Names
) -> tuple[Ref, ...]:
    """Picks among what is spared if they can be meant there, else among all: rules judge those."""
    if len(spared) < len(pool):
        with suppress(BadText):
            found = _refs(text, part, spared, names)
            if set(found) <= {*spared}:
                return found
    return _refs(text, part, pool, names)


def composed(
    parts: Sequence[str], groups: list[tuple[str, str]], names: Names
) -> tuple[tuple[Ref, ...], ...]:
    """The picks of an act that is not on offer, whose parts are known: each in its place."""
    given: dict[str, tuple[Ref, ...]] = {}
    for lead, text in groups:
        part = next((part for part in parts if part in (lead, LEADS.get(lead))), None)
        if part is None or part in given:
            raise BadText(
                phrase(
                    "{lead!r} is stated twice, or not one of {parts}",
                    lead=lead,
                    parts=joined(", ", parts),
                )
            )
        given[part] = _refs(text, None, names.in_front(), names)
    last = max((parts.index(part) for part in given), default=-1)
    return tuple(given.get(part, (ANYHOW,)) for part in parts[: last + 1])


def _part(lead: str, option: Option) -> int | None:
    wanted = {lead, LEADS.get(lead, "")}
    for at, part in enumerate(option.parts):
        if part.name in wanted:
            return at
    if lead in ("", "->") and option.parts:
        return 0
    return None


def _refs(text: str, part: Part | None, pool: Sequence[Ref], names: Names) -> tuple[Ref, ...]:
    if part is not None and part.pool in TEXTS:
        return (text,)
    if text == NONE:
        return ()
    if part is not None and part.pool == NUMBER:
        return tuple(_number(item) for item in listed(text))
    refs: list[Ref] = []
    for item in listed(text):
        if item in REST and part is None:
            refs.append(ANYHOW)
        elif item in REST:
            left = remaining(part, pool, refs)
            refs += left[: max(0, (part.low if part else 0) - len(refs))]
        elif part is None and re.fullmatch(r"-?\d+", item):
            refs.append(int(item))
        else:
            n, name = _times(item, part, pool, names)
            free = remaining(part, pool, refs) if part is not None else pool
            refs += [names.find(name, free or pool, own=names.all_own(pool))] * n
    return tuple(refs)


def _times(item: str, part: Part | None, pool: Sequence[Ref], names: Names) -> tuple[int, str]:
    """How often a member is picked that may be picked several times: `3 reserve`.

    Where none is possible, a place may still be named, and a card once.
    """
    cap = cap_of(part)
    found = _COUNTED.fullmatch(item)
    if found is None or found_in(names, item, pool) is not None:
        return 1, item
    if part is not None and cap == 1:
        member = found_in(names, found[2], pool)
        if not isinstance(member, str) and (member is None or found[1] != "1"):
            return 1, item
    return min(int(found[1]), max(cap, MANY)), found[2]


def remaining(part: Part | None, pool: Sequence[Ref], picked: Sequence[Ref]) -> list[Ref]:
    """The members of a pool that may be picked once more."""
    return [ref for ref in pool if picked.count(ref) < cap_of(part)]


def cap_of(part: Part | None) -> int:
    """How often a member of a part's pool may be picked."""
    return part.limits.cap if part is not None and part.limits is not None else 1


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d+", text):
        raise BadText(phrase("{text!r} is no whole number", text=text))
    return int(text)


def listed(text: str) -> list[str]:
    """Items between commas, those inside quotes aside."""
    items = re.findall(r'(?:"[^"]*"|[^,"])+', text)
    return [item.strip() for item in items if item.strip()]
