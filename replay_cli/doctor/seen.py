"""The data seen of a deployment, before the checks. Times are in seconds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field


class Certificate(Struct, kw_only=True):
    """The certificate that a server shows: when it ends (since 1970), and why it is not trusted."""

    expires: float = 0.0
    wrong: str = ""


class Process(Struct, kw_only=True):
    """A server process, as it describes itself (`DescribeServerResponse`).

    `ahead`: how far its clock is ahead of ours, give or take `give`.
    """

    server: str
    name: str = ""
    version: str = ""
    leaving: bool = False
    engines: Mapping[str, str] = field(default_factory=dict)
    newest_event: int = 0
    key: str = ""
    log_key: str = ""
    keeps_log: bool = False
    open_files: int = 0
    store: Mapping[str, str] = field(default_factory=dict)
    news: str = ""
    ahead: float = 0.0
    give: float = 0.0


class Endpoint(Struct, kw_only=True):
    """An address for calls: of a server, or of a proxy with several behind it.

    `unreachable`: why no server answers there; `http1`: somebody does, who does not speak HTTP/2.
    `health`: what it says of itself; `refused`: why it does not describe itself. `asked`: for each
    thing that calls were about, the processes that answered them.
    """

    address: str
    tls: bool = False
    loopback: bool = False
    unreachable: str = ""
    http1: bool = False
    health: str = ""
    refused: str = ""
    certificate: Certificate | None = None
    processes: list[Process] = field(default_factory=list)
    asked: Mapping[str, set[str]] = field(default_factory=dict)


class Pages(Struct, kw_only=True):
    """Pages: what health answers, and how soon the first of a stream of events comes through.

    `stream` is why none does; `first` is negative where none was asked for, or where there was no
    stream, only an answer that the server is not well (`unfollowed`).
    """

    address: str
    unreachable: str = ""
    health: int = 0
    first: float = -1.0
    unfollowed: str = ""
    stream: str = ""


class Store(Struct, kw_only=True):
    """A store that was looked at without a server: its facts (`service.store.facts`).

    Its kind is among them even where it does not answer.
    `heard`: whether what one connection says (NOTIFY) is heard by another; None: nobody tried.
    """

    name: str
    wrong: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    heard: bool | None = None


class Reader(Struct, kw_only=True):
    """The rights of a reader's token: his role, any further rights, what he sees.

    `untried`: why some of that could not be tried.
    """

    role: str = ""
    refused: str = ""
    untried: str = ""
    got: tuple[str, ...] = ()
    sees: int = -1


class Seen(Struct, kw_only=True):
    """All that was seen, at a time since 1970."""

    now: float
    endpoints: list[Endpoint] = field(default_factory=list)
    pages: list[Pages] = field(default_factory=list)
    stores: list[Store] = field(default_factory=list)
    reader: Reader | None = None

    def processes(self) -> Iterator[Process]:
        """All server processes, each once."""
        found = {one.server: one for place in self.endpoints for one in place.processes}
        yield from found.values()

    def described(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """The known facts of stores, by source."""
        for one in self.processes():
            yield one.name, one.store
        for store in self.stores:
            yield store.name, store.facts
