"""In which of the five zones a card is laid: the first free one from the left, or as one says.

A player who lays a card on the field may name its zone during that turn, once, at any decision
(`zone-3`). So no offer has to ask for it, and who does not care says nothing. Zones that cards hold
are in `effects.field.zones`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.kit.choices.legality import refuse
from domain.games.kit.choices.rows import Row
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.field.zones import HOLD, RULES, free, hold
from domain.games.yugioh.manifest import ZONES_EACH
from domain.record.decisions import Act
from domain.record.position import Position, zone_of
from domain.record.values import Ref

#: What notes that the zone of a card was named.
LAID = "laid"
#: The kind of zone that cards of these zones of the table hold.
_KINDS = {zone: kind for kind, zones in HOLD.items() for zone in zones}


def _newcomers(p: Position, seat: int) -> Iterator[int]:
    """A player's cards that came this turn and may be laid in another zone."""
    for zone in _KINDS:
        for number in p.zones.get(f"{zone}/{seat}", ()):
            if figures.came(p, number) and not p.mark(number, LAID):
                yield number


def _rule(t: Table, ref: Ref) -> str:
    """The rule of the zones of which a card holds one; of those of monsters, if it does not."""
    card = t.pos.cards.get(ref) if isinstance(ref, int) else None
    return RULES[_KINDS.get(zone_of(card.place), "monster") if card is not None else "monster"]


def _row(at: int) -> Row:
    """The act that lays a card in one of the zones."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        p, number = t.pos, act.card
        if not isinstance(number, int) or number not in _newcomers(p, seat):
            return refuse("that is no card that you have laid there this turn", _rule(t, number))
        if at not in free(p, _KINDS[zone_of(p.cards[number].place)], seat):
            return refuse("that zone is taken", _rule(t, number))
        return None

    def lay(t: Table, seat: int, act: Act) -> None:
        number = act.card
        assert isinstance(number, int)
        with t.at_once():
            hold(t, number, _KINDS[zone_of(t.pos.cards[number].place)], at)
            t.mark(number, LAID, True, _rule(t, number))

    return Row(
        name=f"zone-{at}", label="lays {card} in another zone", checks=(check,),
        allows=lambda t, seat, act: (_rule(t, act.card),), do=lay,
        stands=lambda p, seat: [Act(f"zone-{at}", n) for n in _newcomers(p, seat)],
    )  # fmt: skip


#: One for each zone, from the left.
LAYING = tuple(_row(at) for at in range(1, ZONES_EACH + 1))
