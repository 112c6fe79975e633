"""What a text has its player bring in, or pay for: the cores are his to pick, as in a play.

A card that a text summons or deploys is placed with the cores of its Lv1 all the same (reading 24);
its cost is paid only where the text says so. Plays of one's own are in `play`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.signals import Play, identified
from domain.engine.table import Table
from domain.games.battle_spirits.choices import prices
from domain.games.battle_spirits.choices.play import CHAPTERS, place
from domain.games.battle_spirits.effects import cores, figures
from domain.games.battle_spirits.effects.figures import facts
from domain.games.battle_spirits.effects.processes import PLAY, settle
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.lists.formats import chosen
from domain.games.battle_spirits.manifest import SOUL
from domain.games.kit.choices.acts import bound
from domain.record.decisions import Joint, Limits, Offer, Option, Part, Sum, Supply, Term
from domain.record.fitting.fit import feasible
from domain.record.position import Position
from domain.record.values import Ref

ACTS = {"spirit": "summon", "nexus": "deploy"}


def placing(p: Position, card: int) -> str:
    """The rule by which a card comes to the Field with its first cores."""
    return f"{CHAPTERS[ACTS[facts(p, card).type]]}-6"


def bring(
    t: Table,
    seat: int,
    card: int,
    *cites: str,
    pays: bool = False,
    among: Sequence[Ref] | None = None,
) -> Play:
    """Summon or deploy a card by a text; its number on the Field, 0 if it can't be.

    `pays`: for its price, reduced by symbols as usual. `among`: the places whose cores may be used,
    where the text says which.
    """
    identified(t.pos, (card,))
    kind = ACTS.get(facts(t.pos, card).type, "")
    offer = _offer(t.pos, seat, card, pays, among)
    if not kind or not feasible(offer, offer.options[0]):
        t.not_done(kind or "summon", f"seat/{seat}", "impossible", "reading:bs/24", *cites)
        return 0
    picks: dict[str, tuple[Ref, ...]] = {}
    if any(part.high for part in offer.options[0].parts):
        act = yield from t.ask(seat, "cores", offer, *cites, "reading:bs/24")
        names = [part.name for part in offer.options[0].parts]
        picks = dict(zip(names, act.picks, strict=False))
    if pays:
        yield from _pay(t, seat, card, CHAPTERS[kind], picks.get(prices.PAY, ()), *cites)
    if not t.pos.present(card):
        return 0
    rules = (placing(t.pos, card), "reading:bs/24", *cites)
    now = place(t, seat, card, kind, picks.get(prices.PLACE, ()), *rules)
    yield from settle(t)
    return now


def _pay(
    t: Table, seat: int, card: int, chapter: str, picks: tuple[Ref, ...], *cites: str
) -> Play:  # fmt: skip
    """Pay the price of a card, as in a play, where the text says that it is paid."""
    price, steps = prices.price(t.pos, seat, card).due(), (f"{chapter}-2", f"{chapter}-4-1")
    frame = t.open_frame(PLAY, *steps, *cites, seat=seat, card=facts(t.pos, card).id, price=price)
    cores.move_picked(t, seat, picks, cores.trash(seat), f"{chapter}-5", *cites, "bs:4-4-1")
    yield from settle(t)
    t.close_frame(frame, *cites)


def _offer(p: Position, seat: int, card: int, pays: bool, among: Sequence[Ref] | None) -> Offer:
    pool = prices.pool(p, seat)
    if among is not None:  # the Soul Core with the place that it is in
        soul = cores.soul_place(p, seat)
        pool = tuple(ref for ref in pool if (soul if ref == SOUL else ref) in among)
    held = sum(cores.caps(p, seat, pool))
    due = prices.price(p, seat, card).due() if pays else 0
    needs = chosen(p.heading.options).placed_cores
    least = figures.lv1_cost(TERMS, p, card) if needs else 0
    parts = [Part(prices.PLACE, 0, 0, held, Limits(cap=max(held, 1)))]
    sums = [Sum(prices.PLACE, (Term(len(parts) - 1 + bool(due)),), least, max(held, least))]
    if due:
        parts.insert(0, Part(prices.PAY, 0, 0, due, Limits(cap=due)))
        sums.insert(0, Sum(prices.PRICE, (Term(0),), due, due))
    supply = Supply(tuple(range(len(parts))), 0, cores.caps(p, seat, pool))
    parts[-1] = bound(parts[-1], Joint(sums=tuple(sums), supplies=(supply,)))
    return Offer((Option("bring", card, tuple(parts)),), (pool,))
