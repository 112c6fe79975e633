"""The server: assembles the service, runs it and shuts it down.

    serve(Settings(data=Path("matches.kifu"), port=7777), ready=print)

How to serve is in `settings`. The signing key (`…-key`), the organiser's token (`…-token`) and the
key of the log (`…-log-key`) are files beside the data, readable by their owner only.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as grpc_health
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

from domain import games
from domain.record.entries import Entry
from domain.words.phrases import phrase
from service import hearing, opening
from service.anchors.assembly import Anchors, key_of
from service.anchors.ledger import emptied
from service.api.admin import AdminServicer, Described
from service.api.anchors import FOR_ANYBODY, AnchorServicer
from service.api.calls import over_grpc
from service.api.calls.admission import Admission, Counted
from service.api.calls.ending import log_no_givers_up
from service.api.calls.guard import IMPORT_BYTES, Guard, Method
from service.api.calls.pages import Pages
from service.api.calls.proxies import Proxies
from service.api.catalog import CatalogServicer
from service.api.codes import FOR_ANYBODY as CODES_FOR_ANYBODY
from service.api.codes import CodeServicer
from service.api.identities import IdentityServicer
from service.api.matches import MatchServicer
from service.api.officials import DeskServicer
from service.api.tournaments.commands import TournamentServicer
from service.credentials.attempts import SharedAttempts
from service.credentials.entrance import Entrance, SharedEntrance
from service.credentials.exchange import Codes
from service.credentials.issuing import SERVICE, Tokens, load_revoked
from service.credentials.sharing import Revocations
from service.credentials.tokens import Filter
from service.garbage import Garbage
from service.hearing import Hearing
from service.identity import (
    Identity,
    Role,
    keep_organiser_token,
    kept_organiser_token,
)
from service.live.carrying import Carrying
from service.live.clock import Clock
from service.live.following import Following
from service.live.matches import Matches
from service.live.tournaments import Tournaments
from service.news.news import OK
from service.settings import EXPOSED, CantServe, Serving, Settings
from service.telemetry import exporting, logs
from service.telemetry.answering import Answering
from service.telemetry.health import Health, Part
from service.telemetry.logs import log_event
from service.telemetry.metrics import Metrics
from service.web.site import Site

if TYPE_CHECKING:
    from service.web.running import Running

#: How long a token of the organiser lasts.
ORGANISER_DAYS = 365.0
#: How long news may take until they get through for the first time, before that is logged.
SETTLING = 5.0
#: For how long a thread that computes keeps the loop from going on each time, in seconds. What a
#: thread does may take long, and a command waits some five times.
SWITCH = 0.001
#: Calls under way at most, streams included; and on one connection.
CALLS, CALLS_PER_CONNECTION = 8192, 1024


class Server:
    """The service on a port. Start and stop it within one running loop."""

    def __init__(self, settings: Settings) -> None:
        """Raises `StoreError`, `BadKey` or `CantServe` if the files can't be used."""
        self.settings = settings
        self.web: Running | None = None
        self._exporting: exporting.Exporting | None = None
        self._answering: Answering | None = None
        self.metrics = Metrics()
        self.records, reading = opening.records(settings)
        if not reading:
            opening.require_not_lost(self.records, settings)
        if settings.announce:
            self.records.driver.announce(starting=True)
        passing = reading or not settings.keeps_keys
        self.keys = opening.keys(self.records, settings.key_file, passing)
        load_revoked(self.records, self.keys)
        anchored = settings.anchored and not reading
        self._log_fault = emptied(self.records)  # before a key is created
        self.log_key = key_of(self.records, settings.log_name) if anchored else None
        self.rulebooks = settings.rulebooks or {
            name: games.rulebook(name) for name in games.every()
        }
        for game in () if reading or settings.reading else self.rulebooks:
            self.records.use_dictionary(game)
        self._health = grpc_health.HealthServicer()
        others = settings.news or self.records.shared
        ask = self._ask_news if others else None  # without them it is later
        news = Part(ask, needed=False, settling=SETTLING)
        self.health = Health({"store": Part(self._ask_store), "news": news}, self._turned)

    async def start(self) -> Serving:
        """Open the port; raises `CantServe`."""
        settings = self.settings
        self._make_live()
        self._count()
        self.admission = Admission()
        log_no_givers_up()
        self.grpc = grpc.aio.server(
            options=_OPTIONS,
            maximum_concurrent_rpcs=CALLS,
            interceptors=[Counted(self.admission)],
        )
        self._admit()
        await self._register()
        await self.news.start()
        port = opening.bound(self.grpc, settings)
        self.name = settings.name or f"{socket.gethostname()}:{port}"
        self.records.driver.report(self.metrics.store)
        self._begin_telemetry(self.name)
        await self.health.look()
        self.matches.background.repeat("health", self.health.round)
        await self.grpc.start()
        records, address = self.records, f"{settings.host}:{port}"
        web = self._codes_servicer.web = await self._open_site()
        token = await self._organiser_token()
        if records.writable and not settings.reading:
            self.matches.background.start("taking up", self.following.take_up)
            if records.shared:
                self.matches.background.repeat("taking up", self.following.keep_looking)
            if settings.announce:
                records.driver.announce(address)
        if settings.exposed:
            log_event(logging.WARNING, EXPOSED, address=settings.host)
        log_event(logging.INFO, "serving", address=settings.host, port=port, data=records.where)
        organiser = Identity(Role.ORGANISER, "organiser")
        entrance = f"{web}/in#{await self.entrance.key(organiser)}" if web else ""
        return Serving(address, port, token, settings, records.where, web, entrance)

    def _make_live(self) -> None:
        """Make what is kept in memory, what follows it, and what tells other servers of it."""
        settings = self.settings
        self.news = hearing.opened(settings, self.records, self.metrics.news)
        self.anchors = Anchors(
            self.records,
            self.log_key,
            settings.witnesses,
            every=settings.log_every,
            directory=settings.log_dir,
            fault=self._log_fault,
        )
        clock = Clock()
        self.matches = Matches(
            self.records,
            self.rulebooks,
            most=settings.live,
            idle=settings.idle,
            metrics=self.metrics,
            failed=self.metrics.failure,
            orphaned=lambda error: self.guard.orphaned(error),
            saved=self._saved,
            news=self.news,
            keeping=not settings.reading,
            clock=clock,
            leapt=clock.leapt,
        )
        matches = self.matches
        self.tournaments = Tournaments(
            self.records,
            matches.committer,
            matches.lanes,
            matches.background,
            matches.clock,
            self.news,
            self.anchors.changed,
        )
        self.carrying = Carrying(self.tournaments, matches)
        self.following = Following(self.tournaments, matches, self.carrying)
        self.anchors.start(self.matches.committer, self.matches.background)

    def _count(self) -> None:
        """Have the metrics tell how much there is of what."""
        matches, ledger, gauge = self.matches, self.anchors.ledger, self.metrics.gauge
        gauge("kifu_live_matches", "Matches in memory.", lambda: len(matches))
        gauge("kifu_log_leaves", "Leaves of the log.", lambda: ledger.tree.size)
        gauge("kifu_streams", "Streams followed.", lambda: len(matches.streams))
        gauge("kifu_work_waiting", "Pieces of work that wait.", lambda: len(matches.lanes))

    async def stop(self) -> None:
        """Refuse new calls, let those under way and the streams finish, then close the store.

        Before that its health is not ready, and it serves as long as load balancers may need to
        notice (`Settings.drain`).
        """
        drain = self.settings.drain
        log_event(logging.INFO, "stopping", streams=len(self.matches.streams), drain=drain)
        await self._health.enter_graceful_shutdown()
        await self.health.leave()
        await asyncio.sleep(drain)
        if self.settings.announce:
            self.records.driver.announce()
        stopping = asyncio.create_task(self.grpc.stop(self.settings.grace))
        closing = asyncio.create_task(self.web.stop()) if self.web is not None else None
        await asyncio.sleep(0)
        self.matches.streams.drain()
        self.tournaments.drain()
        self.guard.streams.drain()
        await stopping
        if closing is not None:
            await closing
        await self.following.close()
        await self.anchors.close()
        await self.hearing.close()
        await self.matches.close()
        self.records.close()
        if self._answering is not None:
            await asyncio.to_thread(self._answering.stop)
        if self._exporting is not None:
            await asyncio.to_thread(self._exporting.stop)
        log_event(logging.INFO, "stopped")

    def _begin_telemetry(self, name: str) -> None:
        """Tell operators of this server, by this name. Raises `CantServe`."""
        settings, metrics = self.settings, self.metrics
        logs.name_server(name)
        metrics.info(name, version("kifu"))
        metrics.gauge("kifu_ready", "Whether it may be sent calls.", lambda: self.health.ready)
        works = self.health.works
        metrics.gauge("kifu_store_up", "Whether the store answers.", lambda: works("store"))
        if settings.metrics_port is not None:
            at = settings.host, settings.metrics_port
            try:
                self._answering = Answering(metrics.registry, self.health, *at)
            except OSError as error:
                raise CantServe(
                    phrase(
                        "metrics on port {metrics_port}: {error}",
                        metrics_port=settings.metrics_port,
                        error=error,
                    )
                ) from error
        try:
            self._exporting = exporting.begin(settings.telemetry, name, metrics)
        except exporting.CantExport as error:
            if settings.telemetry:
                raise CantServe(str(error)) from error
            log_event(logging.WARNING, "no telemetry", text=str(error))

    async def _ask_store(self) -> str:
        """Nothing, once the store has answered as it should; raises what it raises."""
        await self.matches.lanes.run(self.records.check, unlimited=True)
        return ""

    async def _ask_news(self) -> str:
        """Why no news get through, if they don't."""
        return self.news.state if self.news.state != OK else ""

    async def _turned(self, works: Mapping[str, bool]) -> None:
        """Update the health for gRPC; the services are ready if all parts are."""
        services = dict.fromkeys(self._services, works["ready"])
        for name, good in {**works, **services}.items():
            await self._health.set(name, _STATUS[good])

    def _saved(self, match: str, entries: Sequence[Entry]) -> None:
        """Notify all that need to know of durable entries."""
        self.anchors.changed(match, entries)
        self.following.saved(match, entries)
        self.hearing.saved(match, entries[-1].seq)

    def _admit(self) -> None:
        """Make what lets people in: tokens, codes, keys of browsers; and hear what is revoked."""
        self.guard = Guard(self.keys, self.metrics, self.admission, self.matches.lanes)
        days, run = self.settings.token_days, self.matches.lanes.run
        revocations = Revocations(self.records, self.keys, run, self.guard.streams.recheck)
        self.hearing = Hearing(
            self.news, self.matches, self.tournaments, revocations, self.guard.streams
        )
        self.tokens = Tokens(self.matches, self.keys, days, self.hearing.revoked)
        self.entrance, limits = Entrance(self.tokens), None
        if self.records.shared or not self.records.writable:
            self.matches.background.repeat("revocations", revocations.round)
        if self.records.shared and self.records.writable:
            self.entrance = SharedEntrance(self.tokens, self.records, run)
            limits = SharedAttempts(self.records, run)
        self.codes = Codes(
            self.matches,
            self.tokens,
            self.keys.of("codes"),
            days,
            self.metrics,
            self.tournaments.state,
            limits,
        )

    def _servicers(self) -> Mapping[str, object]:
        """The servicers of all methods."""
        pages = Pages(self.keys.of("pages"))
        matches = self.servicer = MatchServicer(self.matches, self.tokens, pages)
        self._codes_servicer = CodeServicer(self.matches, self.codes, pages)
        self._queries = TournamentServicer(
            self.tournaments, self.carrying, self.following, self.matches, self.tokens, pages
        )
        return {
            "MatchService": matches,
            "CatalogService": CatalogServicer(self.rulebooks, pages),
            "IdentityService": IdentityServicer(
                self.matches, matches, self.tokens, pages, self._revoke_organisers, self.tournaments
            ),
            "CodeService": self._codes_servicer,
            "DeskService": DeskServicer(
                self.matches, matches, self.following.may_begin, self.following.may_penalise
            ),
            "TournamentService": self._queries,
            "AdminService": AdminServicer(self.metrics, self.matches, pages, self._describe()),
            "AnchorService": AnchorServicer(self.anchors.ledger, self.anchors.policy, matches),
        }

    async def _register(self) -> None:
        """Register the methods and the health with gRPC."""
        self.methods: dict[str, Method] = {}
        proxies = Proxies(self.settings.proxies)
        self._services = names = list[str]()
        others = reflection.SERVICE_NAME, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
        for name, servicer in self._servicers().items():
            service = _FILES[name].DESCRIPTOR.services_by_name[name]
            methods = self.guard.methods(service, servicer, _FOR_ANYBODY.get(name, ()))
            self.methods |= {f"{service.full_name}/{key}": one for key, one in methods.items()}
            handler = over_grpc.handler(service.full_name, self.guard, methods, proxies)
            self.grpc.add_generic_rpc_handlers((handler,))
            names.append(service.full_name)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.grpc)
        for name in ("", *others, *names):
            await self._health.set(name, _STATUS[True])
        reflection.enable_server_reflection((*others, *names), self.grpc)

    def _describe(self) -> Described:
        """The description of this server, for comparing it with others."""
        others = self.settings.news or self.records.shared
        return Described(
            name=lambda: self.name,
            key=self.keys.fingerprint,
            log_key=str(self.log_key.verifier) if self.log_key is not None else "",
            engines={game: book.manifest.version for game, book in self.rulebooks.items()},
            leaving=lambda: self.health.leaving,
            keeps_log=lambda: self.anchors.kept_up,
            matches=lambda: len(self.matches),
            news=lambda: self.news.state if others else "",
        )

    async def _open_site(self) -> str:
        """Serve the pages, if that is asked for; where they are. Raises `CantServe`."""
        settings = self.settings
        if settings.http_port is None:
            return ""
        from service.web import app, running  # which costs a start that has no pages nothing

        site = Site(
            guard=self.guard,
            methods=self.methods,
            servicer=self.servicer,
            matches=self.matches,
            tournaments=self.tournaments,
            queries=self._queries,
            codes=self.codes,
            tokens=self.tokens,
            entrance=self.entrance,
            keys=self.keys,
            metrics=self.metrics,
            look=settings.look,
            rival=settings.rival,
            health=self.health,
        )
        cert, key = settings.tls_cert, settings.tls_key
        if settings.http_cert is not None:
            cert, key = settings.http_cert, settings.http_key
        host = settings.http_host or settings.host
        try:
            self.web = running.Running(
                app.make(site),
                host,
                settings.http_port,
                cert,
                key,
                settings.grace,
                settings.proxies,
            )
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise CantServe(
                phrase("pages on port {http_port}: {why}", http_port=settings.http_port, why=why)
            ) from error
        await self.web.start()
        web = self.web
        self.metrics.gauge(
            "kifu_http_connections", "Connections over HTTP.", lambda: web.connections
        )
        if settings.web:
            return settings.web.rstrip("/")
        scheme = "http" if cert is None else "https"
        return f"{scheme}://{host}:{self.web.port}"

    async def _organiser_token(self) -> str:
        """The organiser's token: that in its file, or a new one; where all is only read, for now.

        Raises `BadKey` if the file can't be written.
        """
        organiser, path = Identity(Role.ORGANISER, "organiser"), self.settings.token_file
        if not self.records.writable or not self.settings.keeps_keys:
            return self.keys.issue(organiser, ORGANISER_DAYS)[0]
        anew = self.settings.anew
        token = "" if anew else kept_organiser_token(self.keys, path, ORGANISER_DAYS / 2)
        if not token:
            [(token, _)] = await self.tokens.issue([organiser], SERVICE, days=ORGANISER_DAYS)
            keep_organiser_token(token, path)
        return token

    async def _revoke_organisers(self, by: str) -> str:
        """Revoke the tokens of organisers; the new one, which is written to its file as well.

        What has begun is finished: without the new one nobody would be left who may do anything.
        """
        return await self.matches.background.finish(self._renew_organisers(by))

    async def _renew_organisers(self, by: str) -> str:
        await self.tokens.revoke(Filter(role=Role.ORGANISER), by)
        if not self.records.shared:  # the others would not know: theirs are revoked one by one
            self.keys.revoke_organisers()
        await self.entrance.clear()
        self.hearing.revoked()
        return await self._organiser_token()


#: The file of each service.
_FILES: Mapping[str, Any] = {
    "MatchService": match_service_pb2,
    "CatalogService": catalog_service_pb2,
    "IdentityService": identity_service_pb2,
    "CodeService": code_service_pb2,
    "DeskService": desk_service_pb2,
    "TournamentService": tournament_service_pb2,
    "AdminService": admin_service_pb2,
    "AnchorService": anchor_service_pb2,
}
_CATALOG = catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"]
#: The methods of services that need no token.
_FOR_ANYBODY: Mapping[str, Container[str]] = {
    "CatalogService": [method.name for method in _CATALOG.methods],
    "AnchorService": FOR_ANYBODY,
    "CodeService": CODES_FOR_ANYBODY,
}
_STATUS = {
    True: health_pb2.HealthCheckResponse.SERVING,
    False: health_pb2.HealthCheckResponse.NOT_SERVING,
}
_OPTIONS = [
    ("grpc.max_receive_message_length", IMPORT_BYTES),
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.max_concurrent_streams", CALLS_PER_CONNECTION),
    ("grpc.so_reuseport", 0),  # a port in use is an error, not a second server
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
]


def serve(settings: Settings, ready: Callable[[Serving], object] = lambda serving: None) -> None:
    """Serve until told to stop (SIGINT, SIGTERM); `ready` is called once calls are answered.

    Raises `CantServe`, `StoreError` or `BadKey` if it can't.
    """
    sys.setswitchinterval(SWITCH)
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
