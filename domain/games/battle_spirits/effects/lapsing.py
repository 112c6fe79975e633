"""Reasons why a triggered effect is not activated, and limits on its use.

An effect that waits is lost when its card has left (bs:9-1-5-5) or is on its way out by something
else than what set it off (bs:10-2-2-4), has not the Lv any more to which the text belongs
(bs:2-8-2), or was used as often as its limit says (bs:12-3). What it is carried out by is in
`texts`.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from domain.effects.conditions import all_hold
from domain.effects.constant.once import used
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Running, Terms
from domain.games.battle_spirits.effects.figures import facts, stock
from domain.games.battle_spirits.manifest import REFRESHED
from domain.record.position import Pending, Position
from domain.record.values import Ref

#: What leaving the Field sets off, of the card that leaves or of others (bs:9-3-3).
LEAVING = frozenset(
    {"destroyed", "destroyed-by-rival", "destroyed-by-rival-spirit", "disappears", "returned",
     "leaves"}
)  # fmt: skip
#: The limit that counts moments, alone or beside one that counts turns.
MOMENT = "moment"
#: The rules of an effect that is activated as often as its limit says: of turns, of moments, both.
ONCE, ALONE, BOTH = "bs:12-3-1-1", "bs:12-3-2-1", "bs:12-3-3-1"


class Lapse(NamedTuple):
    """Why an effect that waits is not activated, as a word of the manifest, and by which rules."""

    why: str
    cites: tuple[str, ...]


def lapsed(terms: Terms, p: Position, act: Pending, run: Running) -> Lapse | None:
    """Why an effect that has triggered is not activated now; None if it is."""
    effect, this = run.effect, run.this
    if this and not p.present(this):
        return Lapse("gone", ("bs:9-4-1-2", "bs:9-1-5-5"))
    if this and p.cards[this].departing and not _of_leaving(act, effect):
        return Lapse("waiting", ("bs:10-2-2-4",))
    if effect.on == "exhausted" and not _lies_exhausted(p, act.about):
        return Lapse("gone", ("bs:5-15-2",))
    if used_up(p, act.source, run):
        return Lapse("limit", (rule_of(effect.limit),))
    if not all_hold(terms, p, [one for one in effect.when if "level" in one.this], run):
        return Lapse("lost", ("bs:2-8-2", "bs:9-1-5-5"))
    if not all_hold(terms, p, effect.provided, run):
        return Lapse("condition", ("bs:9-2-1", "bs:9-3-1-1"))
    return None


def _of_leaving(act: Pending, effect: Effect) -> bool:
    """Whether an effect is one of the wait state of its own card."""
    return effect.on in LEAVING and act.about == act.source


def _lies_exhausted(p: Position, number: Ref) -> bool:
    card = p.cards.get(number) if isinstance(number, int) else None
    return card is not None and card.orient != REFRESHED


# -- limits ----------------------------------------------------------------------------------------


def turns(limit: str) -> str:
    """The part of a limit that counts turns or games; empty if none does."""
    return limit.removesuffix(MOMENT).strip()


def used_up(p: Position, source: Ref, run: Running) -> bool:
    """Whether a text was activated as often as it may be in this turn."""
    limit = turns(run.effect.limit)
    return bool(limit) and used(p, source, run.ref, limit, run.seat)


def rule_of(limit: str) -> str:
    """The rule by which a text that has been activated is not, again, or one that is the same."""
    if MOMENT in limit:
        return BOTH if turns(limit) else ALONE
    return ONCE


def same(p: Position, one: tuple[int, str], other: tuple[int, str]) -> bool:
    """Whether texts of two cards are the same effect: the cards have a name in common.

    The number that a card has does not matter, nor what its text is called in the data
    (bs:12-3-2-1, 12-3-2-2).
    """
    if one[1] == other[1]:
        return True
    (these, text), (those, another) = (_named(p, *each) for each in (one, other))
    return bool(these & those) and text == another


def _named(p: Position, number: int, ref: str) -> tuple[frozenset[str], Effect]:
    """The names of a card, and one of its texts without its own."""
    print_ = facts(p, number)
    effect = dict(stock(p).effects(print_.id))[ref]
    return frozenset(print_.called()), replace(effect, name="")
