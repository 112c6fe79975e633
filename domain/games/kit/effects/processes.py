"""Rules that act by themselves, at once: numbers are brought up to date, and cards destroyed.

Many books destroy a card for the state it is in (no HP left, no power). Something else may be done
instead, by a text; it survives then, until it is worse off than it was (`Dying`). When everything
is looked at, and again, is in `settle`; how a card leaves is for the game, or for `zones.moves`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from domain.effects.constant.texts import Figures, derive
from domain.effects.instructions.replacement import replacing
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.position import Position
from domain.record.values import Ref

#: How often at the most the rules are looked at before anything else is done.
MOST = 1_000
#: Marks a card whose destruction was replaced: with how far it was beyond what it can take.
SPARED = "spared"


def settle(
    t: Table,
    terms: Figures,
    do: Callable[[Table], Play],
    first: Callable[[Table], Play] | None = None,
) -> Play:
    """Do what is due (`do`) until nothing is; `first` comes before it, and may end the game.

    The destroyer by damage is the one that has dealt it since (`Due.damage`). While something is
    done in the place of what was to happen only numbers are derived: the rest comes when that is
    over. Endless processes are stopped, and an official decides (`house:endless`).
    """
    rounds = 0
    while t.due.touched:
        rounds += 1
        if rounds > MOST:
            t.stand_still("what the rules do by themselves does not end")
            t.due.touched = False
            break
        derive(t, terms)
        if first is not None:
            yield from first(t)
        if replacing(t.pos):
            return
        t.due.touched = False
        yield from do(t)
    t.due.changed = False
    t.due.damage.clear()


class Dying(Struct, frozen=True):
    """When a card is destroyed for the state it is in.

    `why` says for what it would be, empty if it would not; `excess` how far it is beyond what it
    can take. `stays` is the rule by which one survives whose destruction was replaced, `over` the
    one by which that is over: it is as well off again as others.
    """

    why: Callable[[Position, int], str]
    excess: Callable[[Position, int], int]
    stays: str
    over: str

    def doomed(self, t: Table, cards: Iterable[int]) -> dict[int, str]:
        """Those of the cards that are to be destroyed, and why."""
        p, doomed = t.pos, {}
        for card in cards:
            why = self.why(p, card)
            if not why:
                if p.cards[card].marks:
                    t.mark(card, SPARED, None, self.over)
            elif not self.survives(p, card):
                doomed[card] = why
        return doomed

    def survives(self, p: Position, card: int) -> bool:
        """Whether its destruction was replaced and it is no worse off since."""
        before = p.mark(card, SPARED)
        return isinstance(before, int) and self.excess(p, card) <= before

    def spare(self, t: Table, card: Ref) -> None:
        """Note that something is done instead, if it was for its state (`unreplaced`)."""
        assert isinstance(card, int)
        if self.why(t.pos, card):
            t.mark(card, SPARED, self.excess(t.pos, card), self.stays)
