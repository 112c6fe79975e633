"""Reading a whole line: what was typed out in the notation, on offer or not.

`B: concede` is for a seat that is not asked. A name that nothing in sight has stands for an unknown
card, as the notation has it (`domain.naming`). What can't be read raises `notation.BadText`.
"""

from __future__ import annotations

import re

from domain import naming
from domain.decisions import Act, Misfit, Offer, fit
from domain.notation import BadText
from domain.position import NOBODY
from replay_cli.scorekeeper.command import Command
from replay_cli.scorekeeper.suggest import Table

_SEAT = re.compile(r"\s*([A-H])\s*:\s*(.*)")


def addressed(typed: str, seat: int) -> tuple[int, str]:
    """The seat that a line is for, and the rest of it; `seat` unless it names one."""
    found = _SEAT.fullmatch(typed)
    return (ord(found[1]) - ord("A"), found[2]) if found else (seat, typed.strip())


def read(t: Table, typed: str) -> Command:
    """The command that a line stands for; raises `BadText`."""
    if t.seat == NOBODY:
        raise BadText("nobody is to decide; say for whom: A: concede")
    try:
        act, names = naming.read(typed, t.pos, t.rules, t.seat, t.offer)
    except KeyError as error:  # a card was named with a word that takes none
        raise BadText(f"{typed!r} says more than can be meant") from error
    label = t.manifest.label("acts", act.kind)
    offered = on_offer(t.offer, act)
    aside = not offered and ("{place}" in label or "{" not in label)
    return Command(t.seat, act, typed, names, beside=aside)


def on_offer(offer: Offer | None, act: Act) -> bool:
    """Whether an act answers an offer as it stands."""
    try:
        return offer is not None and fit(offer, act) is not None
    except Misfit:
        return False
