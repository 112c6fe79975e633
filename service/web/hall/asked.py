"""The parts of an act of the hall: the event, the sender, and the form.

The fields of an act (`domain.tournament.acts.rows`) are read by their sorts.
The acts themselves are in `acts` and, on players, lists and officials, in `people`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from string import Formatter
from typing import Any

from google.protobuf.message import Message
from msgspec import Struct

from domain.tournament.acts.rows import EventAct
from domain.tournament.state import Round, State
from domain.words.fields import Kind, Typed, typed
from domain.words.phrases import Phrase, phrase
from service import wire
from service.api.calls.errors import malformed
from service.web.hall.prepared import Form, Prepared
from service.web.site import Site
from service.web.visitors import Visitor

NOTHING = Phrase("")


class Asked(Struct, frozen=True):
    """The input of an act: the event as its sender may see it, the form, and a way to ask more."""

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
            raise malformed("round", phrase("is not one of the event's"))
        return rounds[number - 1]

    @property
    def tables(self) -> list[int]:
        """The tables that were ticked; none: all."""
        return self.form.numbers("tables")

    @property
    def whose(self) -> Phrase:
        """The tables that are ticked, in words."""
        tables = self.tables
        if not tables:
            return phrase("All tables of round {n}", n=self.round.number)
        if len(tables) == 1:
            return phrase("Table {n}", n=tables[0])
        return phrase("Tables {tables}", tables=", ".join(map(str, tables)))

    async def ask(self, request: Message) -> Any:
        """The API's answer to a question that changes nothing."""
        return await self.site.ask(request, self.visitor.sender)

    @property
    def player(self) -> tuple[int, str]:
        """The player that is meant, and his name; raises `Fault`."""
        number = self.form.number("player")
        if number not in self.state.players:
            raise malformed("player", phrase("is not one of the event's"))
        return number, self.state.players[number].name

    def act(self, row: type[EventAct], **given: Any) -> EventAct:
        """The act that the form means; `given` is what the form does not say. Raises `Fault`."""
        read = {
            one.name: self._field(one)
            for one in typed(row).values()
            if one.name not in given and one.field.kind != Kind.SEEN
        }
        return row(**read, **given)

    def _field(self, one: Typed) -> Any:
        """The form's value of a field."""
        form, name = self.form, one.name
        match one.field.kind:
            case Kind.ROUND:
                return self.round.number
            case Kind.SECONDS:
                return form.seconds("minutes")
            case Kind.TABLES:
                return form.numbers(name)
            case Kind.PLAYERS:
                return form.numbers("player")
            case Kind.YES:
                return form.flag(name)
            case Kind.PLAYER if one.needed:
                return self.player[0]
            case Kind.NUMBER | Kind.PLAYER:
                return form.number(name, None if one.needed else one.default)
        return form.needed(name) if one.needed else form.text(name)

    def prepared(self, act: EventAct, done: str, warning: str = "") -> Prepared:
        """An act as the request that the page's script sends."""
        return Prepared(wire.event_request(self.state.id, act), warning, done)


Act = Callable[[Asked], Awaitable[Prepared]]
#: What sentences about an act may name of it.
_NAMED: Mapping[str, Callable[[Asked], object]] = {
    "n": lambda a: a.form.number("table"),
    "player": lambda a: a.player[1],
    "whose": lambda a: a.whose,
}


def plain(row: type[EventAct], done: Phrase, warning: Phrase = NOTHING) -> Act:
    """An act that is all in its form, and what is said of it once it is done, and before."""

    async def prepare(a: Asked) -> Prepared:
        return a.prepared(a.act(row), _filled(done, a), _filled(warning, a))

    return prepare


def _filled(sentence: Phrase, a: Asked) -> Phrase:
    names = [name for _, name, _, _ in Formatter().parse(sentence) if name]
    return phrase(sentence, **{name: _NAMED[name](a) for name in names})
