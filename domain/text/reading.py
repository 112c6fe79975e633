"""Parses an act typed at a real table, where it may name cards that nobody has named yet.

The notation is in `notation`; which names are allowed is in `engine.naming`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
    act = notation.parse(
        head, p, rules, seat, offer, named=named, spare=spare, in_view=in_view, any_card=any_card
    )
    if named and renew is not None:  # an unknown card acts: only now its parts are known
        picked: dict[int, str] = {}
        renewed = renew(named) or offer
        with naming.named(p, rules, Inputs(named)):
            act = notation.parse(text, p, rules, seat, renewed, named=picked, spare=spare)
        named |= picked
    elif head != text:
        act = notation.parse(text, p, rules, seat, offer, named=named, spare=spare)
    return act, named
