"""The tournament: the event-sourced aggregate that commands are carried out on.

A command is a function in `acts` that looks at the state, raises `Refused` if it can't be, and else
emits events, which are folded at once. So what is refused leaves no trace. The tournament keeps no
log: its entries are handed out (`collect`), kept in a store, and lead back to it (`resume`). It
opens no matches and runs no clocks: the service carries a command over to them.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from domain.tournament.acts import checks
from domain.tournament.folding import apply, fold
from domain.tournament.record import AnyEvent, Entry, Format, TournamentOpened
from domain.tournament.state import State


class Sender(Struct, frozen=True):
    """The sender of a command, the time (milliseconds since 1970), and its name (`Entry`).

    Who `organises` an event may do what else is its head judge's.
    """

    name: str
    now: int
    ticket: str = ""
    organises: bool = False


class Tournament:
    """A tournament that commands can be carried out on."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._out: list[Entry] = []

    @classmethod
    def open(cls, by: Sender, id_: str, name: str, format_: Format) -> Tournament:
        """Begin one; raises `Refused` if its format can't be."""
        checks.named(name)
        checks.formal(format_)
        new = cls(State())
        new.emit(by, TournamentOpened(id_, name, format_, by.now))
        return new

    @classmethod
    def resume(cls, log: Iterable[Entry]) -> Tournament:
        """The tournament that a record leads to."""
        return cls(fold(log))

    def emit(self, by: Sender, event: AnyEvent) -> Entry:
        """Add an entry. Time does not run back in a record."""
        now = max(by.now, self.state.time)
        entry = Entry(self.state.seq + 1, now, by.name, event, by.ticket)
        apply(self.state, entry)
        self._out.append(entry)
        return entry

    def collect(self) -> list[Entry]:
        """The entries added since the last call, in order."""
        out, self._out = self._out, []
        return out
