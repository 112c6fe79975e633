"""What keeps an effect that has triggered from being activated after all, and how often one may be.

An effect that waits is lost when its card has left (bs:9-1-5-5) or is on its way out by something
else than what set it off (bs:10-2-2-4), has not the Lv any more to which the text belongs
(bs:2-8-2), or was used as often as its limit says (bs:12-3). What it is carried out by is in
`texts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.effects.conditions import all_hold
from domain.effects.constant.once import used
from domain.effects.language.vocabulary import Effect
from domain.effects.select import Running, Terms
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
#: The rules of an effect that is activated as often as its limit says: of turns, of both.
ONCE, BOTH = "bs:12-3-1-1", "bs:12-3-3-1"


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
    if _used(p, act.source, run):
        return Lapse("limit", (BOTH if MOMENT in effect.limit else ONCE,))
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


def _used(p: Position, source: Ref, run: Running) -> bool:
    limit = turns(run.effect.limit)
    return bool(limit) and used(p, source, run.ref, limit, run.seat)


def used_up(p: Position, source: Ref, run: Running, moment: int) -> str:
    """The rule by which a text does not trigger, or is not used, any more; empty if it does."""
    limit = run.effect.limit
    if _used(p, source, run):
        return BOTH if MOMENT in limit else ONCE
    if MOMENT in limit and any(_copies(p, run, moment)):
        return BOTH if turns(limit) else "bs:12-3-2-1"
    return ""


def _copies(p: Position, run: Running, moment: int) -> Iterator[bool]:
    """Other cards of the name whose same text has triggered at this moment (reading 23)."""
    for act in p.waiting():
        same = act.effect == run.ref and act.seat == run.seat and act.moment == moment
        yield same and act.source != run.this
