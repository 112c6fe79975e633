"""What an act of the hall is made of: the event, who asks, and the form that he has filled in.

The acts themselves are in `acts` and, on players, lists and officials, in `people`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from google.protobuf.message import Message
from msgspec import Struct

from domain.tournament.state import Round, State
from domain.words.phrases import phrase
from service.api.calls.errors import malformed
from service.web.hall.prepared import Form, Prepared
from service.web.site import Site
from service.web.visitors import Visitor


class Asked(Struct, frozen=True):
    """What an act is made of: the event as its sender may see it, the form, and how to ask more."""

    site: Site
    visitor: Visitor
    state: State
    form: Form

    @property
    def round(self) -> Round:
        """The round that is meant: the one that was seen, or else the last; raises `Fault`."""
        rounds = self.state.rounds
        number = self.form.number("round", 0) or len(rounds)
        if not 1 <= number <= len(rounds):
            raise malformed("round", phrase("is none of the event's"))
        return rounds[number - 1]

    @property
    def tables(self) -> list[int]:
        """The tables that were ticked; none: all."""
        return self.form.numbers("tables")

    async def ask(self, request: Message) -> Any:
        """What the API answers, who changes nothing by it."""
        return await self.site.ask(request, self.visitor.sender)

    @property
    def player(self) -> tuple[int, str]:
        """The player that is meant, and his name; raises `Fault`."""
        number = self.form.number("player")
        if number not in self.state.players:
            raise malformed("player", phrase("is none of the event's"))
        return number, self.state.players[number].name


Act = Callable[[Asked], Awaitable[Prepared]]
