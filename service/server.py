"""The server: assembles the service, runs it and shuts it down.

    serve(Settings(data=Path("matches.kifu"), port=7777), ready=print)

The signing key (`…-key`), the organiser's token (`…-token`) and the key of the log (`…-log-key`)
are files beside the data, readable by their owner only.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health
from grpc_reflection.v1alpha import reflection
from kifu.v1 import (
    admin_service_pb2,
    anchor_service_pb2,
    catalog_service_pb2,
    code_service_pb2,
    desk_service_pb2,
    identity_service_pb2,
    match_service_pb2,
    tournament_service_pb2,
)
from msgspec import Struct

from domain import games
from domain.engine.rulebook import Rulebook
from domain.record.entries import Entry
from domain.record.proof.anchors.policy import Policy
from service.anchors.assembly import Anchors, key_of
from service.api.admin import AdminServicer
from service.api.anchors import FOR_ANYBODY, AnchorServicer
from service.api.calls.admission import Admission, Counted
from service.api.calls.pages import Pages
from service.api.calls.wrapper import IMPORT_BYTES, Guard
from service.api.catalog import CatalogServicer
from service.api.codes import FOR_ANYBODY as CODES_FOR_ANYBODY
from service.api.codes import CodeServicer
from service.api.identities import IdentityServicer
from service.api.matches import MatchServicer
from service.api.officials import DeskServicer
from service.api.tournaments.commands import TournamentServicer
from service.credentials.exchange import Codes
from service.credentials.issuing import SERVICE, Tokens, load_revoked
from service.credentials.tokens import Filter
from service.garbage import Garbage
from service.identity import (
    BadKey,
    Identity,
    Keys,
    Role,
    keep_organiser_token,
    kept_organiser_token,
)
from service.live.carrying import Carrying
from service.live.following import Following
from service.live.matches import Matches
from service.live.tournaments import Tournaments
from service.logs import log_event
from service.metrics import Metrics
from service.store.lock import TRY
from service.store.records import Records, Unwritable

#: How long a token of the organiser lasts.
ORGANISER_DAYS = 365.0
#: Calls under way at most, streams included; and on one connection.
CALLS, CALLS_PER_CONNECTION = 8192, 1024


class Settings(Struct, frozen=True, kw_only=True):
    """How to serve. Port 0 is a free one; times are in seconds.

    `announce`: say beside the data where the server is; `fallback`: be content to read them where
    they can't be written; `patience`: how long to wait for another process to let them go.
    `beside`: keep the key and the organiser's token beside the data; else no file is made.

    The log of heads (`service.anchors`): `anchored`: it is kept up, `log_name` is what it is called
    if it is new, it takes up play `log_every` so many seconds, it is published in `log_dir` and
    signed by the witnesses of a policy.
    """

    data: Path
    host: str = "127.0.0.1"
    port: int = 7777
    tls_cert: Path | None = None
    tls_key: Path | None = None
    metrics_port: int | None = None
    live: int = 1000
    idle: float = 600.0
    token_days: float = 30.0
    grace: float = 5.0
    rulebooks: Mapping[str, Rulebook] | None = None
    announce: bool = False
    fallback: bool = False
    patience: float = TRY
    beside: bool = True
    anchored: bool = True
    log_name: str = ""
    log_every: float = 5.0
    log_dir: Path | None = None
    witnesses: Policy = Policy()

    @property
    def exposed(self) -> bool:
        """Whether others than this machine can listen to what is said, tokens included."""
        if self.tls_cert is not None:
            return False
        try:
            return not ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return self.host != "localhost"

    @property
    def key_file(self) -> Path:
        """Where the key lies that signs tokens."""
        return self.data.with_name(self.data.name + "-key")

    @property
    def token_file(self) -> Path:
        """Where the organiser's token lies."""
        return self.data.with_name(self.data.name + "-token")


class Serving(Struct, frozen=True):
    """A server that is ready: where, and the organiser's token."""

    address: str
    port: int
    token: str
    settings: Settings


#: What to be told where `Settings.exposed`.
EXPOSED = "without TLS whoever is on the network can read what is sent, tokens included"


class CantServe(Exception):
    """The server could not be started; the text says why."""


class Server:
    """The service on a port. Start and stop it within one running loop."""

    def __init__(self, settings: Settings) -> None:
        """Raises `StoreError` or `BadKey` if the files can't be used."""
        self.settings = settings
        self.metrics = Metrics()
        self.records, reading = _records(settings)
        self.keys = _keys(settings.key_file, reading or not settings.beside)
        load_revoked(self.records, self.keys)
        anchored = settings.anchored and not reading
        self.log_key = key_of(self.records, settings.log_name) if anchored else None
        self.rulebooks = settings.rulebooks or {
            name: games.rulebook(name) for name in games.names()
        }
        for game in () if reading else self.rulebooks:
            self.records.use_dictionary(game)
        self._health = health.HealthServicer()

    async def start(self) -> Serving:
        """Open the port; raises `CantServe`."""
        settings = self.settings
        self.anchors = Anchors(
            self.records,
            self.log_key,
            settings.witnesses,
            every=settings.log_every,
            directory=settings.log_dir,
        )
        self.matches = Matches(
            self.records,
            self.rulebooks,
            most=settings.live,
            idle=settings.idle,
            on_commit=self.metrics.commit,
            failed=self.metrics.failure,
            orphaned=lambda error: self.guard.orphaned(error),
            saved=self._saved,
        )
        matches = self.matches
        self.tournaments = Tournaments(
            self.records, matches.committer, matches.lanes, matches.background, matches.clock
        )
        self.carrying = Carrying(self.tournaments, matches)
        self.following = Following(self.tournaments, matches, self.carrying)
        self.anchors.start(self.matches.committer, self.matches.background)
        self.metrics.gauge("kifu_live_matches", "Matches in memory.", lambda: len(self.matches))
        ledger = self.anchors.ledger
        self.metrics.gauge("kifu_log_leaves", "Leaves of the log.", lambda: ledger.tree.size)
        self.metrics.gauge("kifu_streams", "Streams followed.", lambda: len(self.matches.streams))
        self.admission = Admission()
        waiting = self.matches.lanes
        self.metrics.gauge("kifu_work_waiting", "Pieces of work that wait.", lambda: len(waiting))
        self.grpc = grpc.aio.server(
            options=_OPTIONS,
            maximum_concurrent_rpcs=CALLS,
            interceptors=[Counted(self.admission)],
        )
        await self._register()
        port = self._bind()
        await self.grpc.start()
        if settings.metrics_port is not None:
            try:
                self._http, _ = self.metrics.serve(settings.host, settings.metrics_port)
            except OSError as error:
                raise CantServe(f"metrics on port {settings.metrics_port}: {error}") from error
        lock, address = self.records.lock, f"{settings.host}:{port}"
        token = await self._organiser_token()
        if lock is not None:
            self.matches.background.start(self.following.take_up())
        if lock is not None and settings.announce:
            lock.publish(address)
        if settings.exposed:
            log_event(logging.WARNING, EXPOSED, address=settings.host)
        log_event(logging.INFO, "serving", address=settings.host, port=port, data=settings.data)
        return Serving(address, port, token, settings)

    async def stop(self) -> None:
        """Refuse new calls, let those under way and the streams finish, then close the store."""
        log_event(logging.INFO, "stopping", streams=len(self.matches.streams))
        await self._health.enter_graceful_shutdown()
        stopping = asyncio.create_task(self.grpc.stop(self.settings.grace))
        await asyncio.sleep(0)
        self.matches.streams.drain()
        self.tournaments.drain()
        self.guard.streams.drain()
        await stopping
        await self.following.settled()
        await self.anchors.close()
        await self.matches.close()
        self.records.close()
        if self.settings.metrics_port is not None:
            await asyncio.to_thread(self._http.shutdown)
            self._http.server_close()
        log_event(logging.INFO, "stopped")

    def _saved(self, match: str, entries: Sequence[Entry]) -> None:
        """Tell whoever has to know of entries that are durable."""
        self.anchors.changed(match, entries)
        self.following.saved(match, entries)

    async def _register(self) -> None:
        self.guard = Guard(self.keys, self.metrics, self.admission, self.matches.lanes)
        pages = Pages(self.keys.of("pages"))
        days, streams = self.settings.token_days, self.guard.streams
        self.tokens = Tokens(self.matches, self.keys, days, streams.recheck)
        self.codes = Codes(
            self.matches,
            self.tokens,
            self.keys.of("codes"),
            days,
            self.metrics,
            self.tournaments.state,
        )
        matches = MatchServicer(self.matches, self.tokens, pages)
        services = [
            (match_service_pb2, "MatchService", matches),
            (catalog_service_pb2, "CatalogService", CatalogServicer(self.rulebooks, pages)),
            (
                identity_service_pb2,
                "IdentityService",
                IdentityServicer(
                    self.matches,
                    matches,
                    self.tokens,
                    pages,
                    self._revoke_organisers,
                    self.tournaments,
                ),
            ),
            (code_service_pb2, "CodeService", CodeServicer(self.matches, self.codes, pages)),
            (
                desk_service_pb2,
                "DeskService",
                DeskServicer(self.matches, matches, self.following.may_begin),
            ),
            (
                tournament_service_pb2,
                "TournamentService",
                TournamentServicer(
                    self.tournaments,
                    self.carrying,
                    self.following,
                    self.matches,
                    self.tokens,
                    pages,
                ),
            ),
            (admin_service_pb2, "AdminService", AdminServicer(self.metrics, self.matches, pages)),
            (
                anchor_service_pb2,
                "AnchorService",
                AnchorServicer(self.anchors.ledger, self.anchors.policy, matches),
            ),
        ]
        names = [
            reflection.SERVICE_NAME,
            health_pb2.DESCRIPTOR.services_by_name["Health"].full_name,
        ]
        for file, name, servicer in services:
            service = file.DESCRIPTOR.services_by_name[name]
            handler = self.guard.handler(service, servicer, _FOR_ANYBODY.get(name, ()))
            self.grpc.add_generic_rpc_handlers((handler,))
            names.append(service.full_name)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.grpc)
        for name in ("", *names):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        reflection.enable_server_reflection(names, self.grpc)

    async def _organiser_token(self) -> str:
        """The organiser's token: that in its file, or a new one; where all is only read, for now.

        Raises `BadKey` if the file can't be written.
        """
        organiser, path = Identity(Role.ORGANISER, "organiser"), self.settings.token_file
        if self.records.lock is None or not self.settings.beside:
            return self.keys.issue(organiser, ORGANISER_DAYS)[0]
        token = kept_organiser_token(self.keys, path, ORGANISER_DAYS / 2)
        if not token:
            [(token, _)] = await self.tokens.issue([organiser], SERVICE, days=ORGANISER_DAYS)
            keep_organiser_token(token, path)
        return token

    async def _revoke_organisers(self, by: str) -> str:
        """Revoke the tokens of organisers; the new one, which is written to its file as well."""
        await self.tokens.revoke(Filter(role=Role.ORGANISER), by)
        self.keys.revoke_organisers()
        self.guard.streams.recheck()
        return await self._organiser_token()

    def _bind(self) -> int:
        settings = self.settings
        address = f"{settings.host}:{settings.port}"
        try:
            if settings.tls_cert is None or settings.tls_key is None:
                return int(self.grpc.add_insecure_port(address))
            pair = (settings.tls_key.read_bytes(), settings.tls_cert.read_bytes())
            return int(self.grpc.add_secure_port(address, grpc.ssl_server_credentials([pair])))
        except (RuntimeError, OSError, ValueError) as error:
            why = _unbound(settings.host, settings.port) or str(error)
            raise CantServe(f"can't listen on {address}: {why}") from error


def _unbound(host: str, port: int) -> str:
    """Why a port can't be had, in the words of the operating system; empty: nothing shows."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as found:
            found.bind(address)
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return ""


_CATALOG = catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"]
#: The methods of services that need no token.
_FOR_ANYBODY: Mapping[str, Container[str]] = {
    "CatalogService": [method.name for method in _CATALOG.methods],
    "AnchorService": FOR_ANYBODY,
    "CodeService": CODES_FOR_ANYBODY,
}
_OPTIONS = [
    ("grpc.max_receive_message_length", IMPORT_BYTES),
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.max_concurrent_streams", CALLS_PER_CONNECTION),
    ("grpc.so_reuseport", 0),  # a port in use is an error, not a second server
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
]


def _records(settings: Settings) -> tuple[Records, bool]:
    """The records, and whether they can only be read; raises `StoreError`."""
    try:
        return Records(settings.data, patience=settings.patience), False
    except Unwritable as error:
        if not settings.fallback:
            raise
        records = Records(settings.data, reading=True)
        records.read_only_reason = str(error)
        return records, True


def _keys(path: Path, reading: bool) -> Keys:
    """The key of the records; where nothing can be written any will do. Raises `BadKey`."""
    try:
        return Keys.at(path) if path.exists() or not reading else Keys.once()
    except BadKey:
        if not reading:
            raise
        return Keys.once()


def serve(settings: Settings, ready: Callable[[Serving], object] = lambda serving: None) -> None:
    """Serve until told to stop (SIGINT, SIGTERM); `ready` is called once calls are answered.

    Raises `CantServe`, `StoreError` or `BadKey` if it can't.
    """
    server = Server(settings)

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):
                loop.add_signal_handler(number, stop.set)
        serving = await server.start()
        memory, upkeep = server.matches.memory, server.matches.upkeep
        garbage = Garbage(lambda: memory.loaded, lambda: upkeep.last_command)
        collecting = asyncio.create_task(garbage.run())
        ready(serving)
        await stop.wait()
        collecting.cancel()
        await server.stop()

    if sys.platform == "win32":
        asyncio.run(run())
    else:
        import uvloop

        uvloop.run(run())
