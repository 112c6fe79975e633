"""The settings of the service, and what it reports once it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ipaddress import ip_address
from pathlib import Path

from msgspec import Struct

from domain.engine.rulebook import Rulebook
from domain.record.proof.anchors.policy import Policy
from domain.words.phrases import phrase
from service.store.sqlite.lock import TRY
from service.web.site import Look


class Settings(Struct, frozen=True, kw_only=True):
    """How to serve. Port 0 is a free one; times are in seconds.

    `store`: the address of the database that matches are in, where they are not in the file `data`;
    then only keys and the organiser's token lie beside that.

    `announce`: say beside the data where the server is; `reading`: be content to read them where
    they can't be written, and else write nothing but who looked; `patience`: how long to wait for
    another process to let them go. `anew`: begin another store where one was lost
    (`opening.require_not_lost`).
    `http_port`: serve pages and the API over HTTP there, with the given `look`; `http_host`,
    `http_cert`, `http_key`: on that address, by that certificate, where they are others than those
    of gRPC; `web`: the address for browsers, if it is another; `proxies`: the addresses whose
    headers about the client and TLS are accepted.
    `drain`: how long it goes on serving once it is told to stop, while its health is not ready, so
    that no more requests come; `grace`: how long calls under way then have.
    `news`: how servers that share the data tell each other what is new (`service.news.choosing`).
    `keeps_keys`: keep the key and the organiser's token beside the data; else no file is made.

    `rival` takes a seat against who plays alone (`web.play`): of a game, a match, the seat, by its
    token; without one nobody can.

    `name`: what this server is called in logs, traces and metrics, where it is not by its host and
    port; `telemetry`: where traces and metrics are sent, as `telemetry.exporting` has it.

    The log of heads (`service.anchors`): `anchored`: it is kept up, `log_name` is what it is called
    if it is new, it takes up play `log_every` so many seconds, it is published in `log_dir` and
    signed by the witnesses of a policy.
    """

    data: Path
    store: str = ""
    host: str = "127.0.0.1"
    port: int = 7777
    tls_cert: Path | None = None
    tls_key: Path | None = None
    metrics_port: int | None = None
    live: int = 1000
    idle: float = 600.0
    token_days: float = 30.0
    drain: float = 0.0
    grace: float = 5.0
    rulebooks: Mapping[str, Rulebook] | None = None
    announce: bool = False
    reading: bool = False
    anew: bool = False
    patience: float = TRY
    news: str = ""
    keeps_keys: bool = True
    http_port: int | None = None
    http_host: str = ""
    http_cert: Path | None = None
    http_key: Path | None = None
    web: str = ""
    name: str = ""
    telemetry: str = ""
    proxies: tuple[str, ...] = ()
    look: Look = Look()
    rival: Callable[[str, str, int, str], None] | None = None
    anchored: bool = True
    log_name: str = ""
    log_every: float = 5.0
    log_dir: Path | None = None
    witnesses: Policy = Policy()

    @property
    def exposed(self) -> bool:
        """Whether other machines can listen to the traffic, tokens included."""
        if self.tls_cert is not None:
            return False
        try:
            return not ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return self.host != "localhost"

    @property
    def where(self) -> Path | str:
        """Where matches are kept."""
        return self.store or self.data

    @property
    def key_file(self) -> Path:
        """Where the key lies that signs tokens."""
        return self.data.with_name(self.data.name + "-key")

    @property
    def token_file(self) -> Path:
        """Where the organiser's token lies."""
        return self.data.with_name(self.data.name + "-token")


class Serving(Struct, frozen=True):
    """A server that is ready: where, and the organiser's token.

    `where` the matches are, without a secret; `web`: where its pages are; `entrance`: where the
    organiser's browser is let in, once.
    """

    address: str
    port: int
    token: str
    settings: Settings
    where: str = ""
    web: str = ""
    entrance: str = ""


#: The warning if `Settings.exposed`.
EXPOSED = phrase("without TLS anybody on the network can read all traffic, tokens included")


class CantServe(Exception):
    """The server could not be started; the text says why."""
