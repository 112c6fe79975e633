"""The client's calls for positions (see `client`): the table at a point, and as it changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kifu.v1 import match_service_pb2 as pb
from msgspec.structs import astuple

from domain.record.folding.changes import apply
from domain.record.points import NOW, Point
from domain.record.position import Position
from service import changes, wire
from service.client import convert
from service.client.catalog import Catalog
from service.client.seen import SeenPosition

_EACH = {
    "entry": pb.POSITION_EACH_ENTRY,
    "moment": pb.POSITION_EACH_MOMENT,
    "decision": pb.POSITION_EACH_DECISION,
}


class Positions(Catalog):
    """Calls for the table of a match."""

    def position(
        self, match: str, point: Point = NOW, view: int | None = None, why: str = ""
    ) -> SeenPosition:
        """The table at a point, as oneself or a viewer sees it (`domain.record.views`).

        `why` is an official's reason to look at what is hidden, here and below.
        """
        request = pb.GetPositionRequest(
            match_id=match, at=convert.point(point), view=convert.view(view, why)
        )
        found = self.call(self.matches.GetPosition, request).position
        return SeenPosition.of(wire.table_of(found), self.declares)

    def positions(
        self,
        match: str,
        after: int | None = None,
        view: int | None = None,
        *,
        each: str = "entry",
        stay: bool = False,
        patience: float = 30.0,
        why: str = "",
    ) -> Iterator[SeenPosition]:
        """The table as it stands, and then after each entry to come, until the match ends.

        `after`: from the position after that entry on, which itself is not among them; 0: from the
        start. `each`: "entry", "moment" or "decision" (whenever somebody is waited for). After a
        rewind it is the position that was gone back to. `stay`, `patience` (in seconds) and `why`
        as in `watch`. Each position is an object of its own. Raises `CallError`.
        """
        pos = self.position(match, Point(seq=after), view, why) if after else SeenPosition()
        last = -1 if after is None else after

        def request() -> pb.WatchPositionRequest:
            return pb.WatchPositionRequest(
                match_id=match,
                after_seq=last,
                view=convert.view(view, why),
                stay=stay,
                each=_EACH[each],
            )

        for message in self.lasting(self.matches.WatchPosition, request, patience):
            for step in message.steps:
                pos, last = self._after(pos, step), step.seq
                yield pos

    def _after(self, pos: Position, step: Any) -> SeenPosition:
        """The position after a step, from the one before it."""
        if step.HasField("position"):
            return SeenPosition.of(wire.table_of(step.position), self.declares)
        values: list[Any] = [dict(v) if isinstance(v, dict) else v for v in astuple(pos)]
        found = SeenPosition.of(Position(*values), self.declares)
        apply(found, changes.of(step.changes))
        return found
