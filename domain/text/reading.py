"""Parses an act typed at a real table, which may name unknown cards.

The notation is in `notation`; which names are allowed is in `engine.naming`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from domain.engine import naming
from domain.engine.naming import Inputs
from domain.engine.rulebook import Rulebook
from domain.record.decisions import Act, Offer
from domain.record.position import Position
from domain.text import notation

#: What is open to the seat once these cards are named.
Renew = Callable[[Mapping[int, str]], Offer | None]


def read(
    text: str,
    p: Position,
    rules: Rulebook,
    seat: int,
    offer: Offer | None = None,
    renew: Renew | None = None,
    spare: frozenset[int] = frozenset(),
    in_view: bool = False,
    any_card: bool = False,
) -> tuple[Act, dict[int, str]]:
    """The act that a text means, and the cards that it names; raises `notation.BadText`.

    A name that no card in sight has, of the cards left in the seat's list, names an unknown one.
    `renew` tells what is open then, so that the parts of the act can be filled in. Of cards that
    might do as well, those to `spare` are taken last; `in_view` and `any_card` are as
    in `notation.parse`.
    """
    if p.heading.mode != "table":
        return notation.parse(text, p, rules, seat, offer), {}
    named: dict[int, str] = {}
    head = notation.subject(text, rules) if renew is not None else text
    parse = partial(notation.parse, head, p, rules, seat, offer, in_view=in_view, any_card=any_card)
    act = parse(named=named, spare=spare)
    if named and renew is not None:  # an unknown card acts: only now its parts are known
        act, named, renewed = _able(parse, renew, spare, act, named)
        if renewed is None and offer is not None:
            return act, named
        picked: dict[int, str] = {}
        p = naming.named(p, rules, Inputs(named))
        act = notation.parse(text, p, rules, seat, renewed, named=picked, spare=spare)
        named |= picked
    elif head != text:
        act = notation.parse(text, p, rules, seat, offer, named=named, spare=spare)
    return act, named


def _able(
    parse: Callable[..., Act],
    renew: Renew,
    spare: frozenset[int],
    act: Act,
    named: dict[int, str],
) -> tuple[Act, dict[int, str], Offer | None]:
    """The act by the first unknown card that can do it, once it is named, and what is open then.

    Any that might be the card would do: one that lies where it can't act is not meant. The first
    of all where none can, to which nothing is open.
    """
    first, tried = (act, named), spare
    while act.card in named:
        renewed = renew(named)
        options = renewed.options if renewed is not None else ()
        if any((one.kind, one.card) == (act.kind, act.card) for one in options):
            return act, named, renewed
        if act.card in tried:
            return *first, None
        tried, named = tried | {int(act.card)}, {}
        act = parse(named=named, spare=tried)
    return *first, renew(first[1])
