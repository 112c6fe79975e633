"""Parses a whole line in the notation, on offer or not.

`B: concede` is for a seat that is not asked. A name that matches no visible card stands for an
unknown card (`domain.engine.naming`). Raises `notation.BadText`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from unicodedata import normalize

from msgspec.structs import replace

from domain.engine import naming
from domain.engine.naming import Inputs
from domain.record.decisions import Act
from domain.record.position import NOBODY
from domain.scorekeeping.command import Command
from domain.scorekeeping.suggestions.suggest import Table, cards, is_on_offer, is_seat, verbs
from domain.text import notation, reading
from domain.text.notation import BadText

#: What a card does, declared: a list of instructions, led in by the name of its part.
_TEXT = re.compile(r"(.+?)\s+([\w-]+)\s+(\[.*\])")
_SEAT = re.compile(r"\s*([A-HＡ-Ｈ])\s*[:：]\s*(.*)")


def addressed(typed: str, seat: int) -> tuple[int, str]:
    """The seat that a line is for, and the rest of it; `seat` unless it names one."""
    found = _SEAT.fullmatch(typed)
    return (
        (ord(normalize("NFKC", found[1])) - ord("A"), found[2]) if found else (seat, typed.strip())
    )


def read(t: Table, typed: str) -> Command:
    """The command that a line stands for; raises `BadText`."""
    if t.seat == NOBODY:
        raise BadText("no decision is open; name the player: A: concede")
    try:
        act, names = _act(t, typed)
    except KeyError as error:  # a card was named with a word that takes none
        raise BadText(f"{typed!r} says more than can be meant") from error
    offered = is_on_offer(t.offer, act)
    aside = not names and not offered and _stands(t, act)
    named = replace(t, pos=naming.named(t.pos, t.rules, Inputs(names)))
    text = typed if aside else named.write(act)
    return Command(t.seat, act, text, names, interjected=aside)


def exact(t: Table, typed: str) -> Command | None:
    """The offered act that a line spells exactly; None if there is none."""
    try:
        act = notation.parse(typed, t.pos, t.rules, t.seat, t.offer)
    except (BadText, KeyError):
        return None
    return Command(t.seat, act, t.write(act)) if is_on_offer(t.offer, act) else None


def names_others(t: Table, typed: str, guessed: Command) -> bool:
    """Whether a line in the notation names other cards than an act that its words fit, too."""
    try:
        spelt = notation.parse(typed, t.pos, t.rules, t.seat, t.offer)
    except (BadText, KeyError):
        return False
    names = notation.Names(t.pos, t.rules, t.seat)
    pairs = zip(cards(spelt), cards(guessed.act), strict=False)
    return any(names.bare(one) != names.bare(other) for one, other in pairs)


def _act(t: Table, typed: str) -> tuple[Act, dict[int, str]]:
    """The act that a line means; with verbs for cards that lie open, it is one of those, if any.

    Unless the verb is on offer for a card that lies there unknown, and is named now.
    """
    declared = _TEXT.fullmatch(typed)
    if declared and declared[2] in {part.name for part in t.manifest.parts}:
        act, names = reading.read(declared[1], t.pos, t.rules, t.seat)
        return replace(act, picks=((declared[3],),)), names
    meant = verbs(t, typed)
    if meant and all(map(t.habits.in_the_open, meant)) and not _for_unknown(t, meant):
        with suppress(BadText):
            return notation.parse(typed, t.pos, t.rules, t.seat, t.offer), {}
    return reading.read(typed, t.pos, t.rules, t.seat, t.offer, in_view=True)


def _for_unknown(t: Table, meant: Sequence[str]) -> bool:
    """Whether one of these verbs is on offer for a card that nobody has named."""
    return any(
        option.kind in meant and isinstance(option.card, int) and option.card
        and not t.pos.card(option.card).id
        for option in (t.offer.options if t.offer is not None else ())
    )  # fmt: skip


def _stands(t: Table, act: Act) -> bool:
    """Whether an act stands open beside any decision, rather than answering one.

    It is one about a place or a text, or one that answers no kind of decision.
    """
    has_text = any(isinstance(ref, str) and not is_seat(ref) for part in act.picks for ref in part)
    about = "{place}" in t.manifest.label("acts", act.kind)
    answers = t.manifest.answers.values()
    return has_text or about or not any(act.kind in acts for acts in answers)
