"""The rows of decisions: what each seat was offered, and its answer, as far as they are known."""

from __future__ import annotations

from typing import Any

from domain.record import events as ev
from domain.record.decisions import Offer, Option
from domain.record.entries import Entry
from domain.record.position import Position
from domain.record.values import Ref
from domain.record.views import answered

Row = dict[str, Any]


class Decided:
    """Gathers the decisions of one match from its entries, in order."""

    def __init__(self, whole: bool) -> None:
        """`whole`: the entries are those of a viewer who sees everything."""
        self.rows: list[Row] = []
        self._whole = whole
        self._open: dict[tuple[int, int], tuple[Row, Offer | None]] = {}

    def take(self, pos: Position, entry: Entry, abandoned: bool) -> None:
        """Take an entry; `pos` is the position before it."""
        event = entry.event
        if isinstance(event, ev.DecisionOpened):
            for seat in event.seats:
                row = _opened(pos, entry, event, seat, abandoned)
                self._open[event.n, seat] = row, None
                self.rows.append(row)
        elif isinstance(event, ev.OptionsOffered) and (event.n, event.seat) in self._open:
            row, _ = self._open[event.n, event.seat]
            self._open[event.n, event.seat] = row, event.offer.value
            _offer(row, pos, event.offer.value)
        elif isinstance(event, ev.DecisionMade) and (event.n, event.seat) in self._open:
            row, offer = self._open.pop((event.n, event.seat))
            self._answer(row, pos, entry, event, offer)

    def _answer(
        self, row: Row, pos: Position, entry: Entry, made: ev.DecisionMade, offer: Offer | None
    ) -> None:
        stated, act = answered(made, offer, self._whole)
        if stated is not offer:  # cards were named since: this is what was on offer by then
            _offer(row, pos, stated)
        row["answered"], row["took"], row["origin"] = entry.seq, made.ms, made.origin
        row["allowed_by"] = entry.cites
        if made.answer.value is not None and act is not None:
            row["option"] = made.answer.value.option
        act = act or made.act
        if act is not None:
            row |= _act(pos, act.kind, act.card, act.effect)
            row["picks"] = [[*map(str, picked)] for picked in act.picks]


def _opened(pos: Position, entry: Entry, event: ev.DecisionOpened, seat: int, undone: bool) -> Row:
    return {
        "n": event.n, "seat": seat, "seq": entry.seq, "time": entry.time, "game": pos.game,
        "turn": pos.turn, "turn_seat": pos.turn_seat if pos.turn_seat >= 0 else None,
        "step": pos.step, "kind": event.kind, "rules": entry.cites, "abandoned": undone,
    }  # fmt: skip


def _offer(row: Row, pos: Position, offer: Offer | None) -> None:
    if offer is not None:
        row["options"] = [_option(pos, option) for option in offer.options]
        row["pools"] = [[*map(str, pool)] for pool in offer.pools]


def _option(pos: Position, option: Option) -> Row:
    parts = [
        {"name": part.name, "pool": part.pool, "low": part.low, "high": part.high}
        for part in option.parts
    ]
    return {**_act(pos, option.kind, option.card, option.effect), "parts": parts}


def _act(pos: Position, kind: str, ref: Ref, effect: str) -> Row:
    """An act, with what is known of the card that it is about, or its place."""
    number = ref if isinstance(ref, int) and ref else None
    card = pos.cards.get(number) if number else None
    return {
        "act": kind,
        "number": number,
        "place": ref if isinstance(ref, str) else card.place if card is not None else None,
        "card": (card.id or None) if card is not None else None,
        "effect": effect or None,
    }
