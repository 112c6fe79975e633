"""The servicer of metrics, of the log of access, and of what a server is (admin_service.proto)."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version

from kifu.v1 import admin_service_pb2
from kifu.v1.values_pb2 import Label
from msgspec import Struct, field

from domain.record.entries import TYPES
from service.api.calls import pages
from service.api.calls.errors import malformed, organisers_only
from service.api.calls.languages import current
from service.api.calls.pages import Pages
from service.identity import Identity
from service.live.matches import Matches
from service.store import facts
from service.store.tables import access
from service.store.tables.access import Head, Kept
from service.telemetry.metrics import Metrics

_NAMED = (
    "must be named: each match has a log of its own here, and a head of that"
    " (kifu audit access --check says of which matches there are any)"
)


class Described(Struct, frozen=True, kw_only=True):
    """The description of a server; changing values are read for each answer."""

    name: Callable[[], str]
    key: str
    log_key: str
    engines: Mapping[str, str]
    leaving: Callable[[], bool]
    keeps_log: Callable[[], bool]
    matches: Callable[[], int]
    news: Callable[[], str]
    server: str = field(default_factory=lambda: secrets.token_hex(6))
    started: int = field(default_factory=lambda: time.time_ns())

    def message(self, store: Mapping[str, str]) -> admin_service_pb2.DescribeServerResponse:
        """All of it, with what was found out of the store just now."""
        found = admin_service_pb2.DescribeServerResponse(
            server=self.server,
            name=self.name(),
            version=version("kifu"),
            leaving=self.leaving(),
            engines=_labels(self.engines),
            newest_event=max(TYPES),
            key=self.key,
            log_key=self.log_key,
            keeps_log=self.keeps_log(),
            matches=self.matches(),
            open_files=open_files(),
            store=_labels(store),
            news=self.news(),
        )
        found.started.FromNanoseconds(self.started)
        found.now.FromNanoseconds(time.time_ns())
        return found


def _labels(values: Mapping[str, str]) -> list[Label]:
    return [Label(name=name, value=value) for name, value in values.items()]


def open_files() -> int:
    """How many files this process may have open, if there is a limit; 0: that is not known."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 0
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


class AdminServicer:
    """Answers `kifu.v1.AdminService`."""

    def __init__(
        self, metrics: Metrics, matches: Matches, marks: Pages, described: Described
    ) -> None:
        self._metrics, self._matches, self._pages = metrics, matches, marks
        self._described = described

    async def get_metrics(
        self, request: admin_service_pb2.GetMetricsRequest, who: Identity
    ) -> admin_service_pb2.GetMetricsResponse:
        organisers_only(who)
        found = admin_service_pb2.GetMetricsResponse()
        for name, labels, value in self._metrics.all():
            pairs = [Label(name=key, value=text) for key, text in labels.items()]
            found.metrics.add(name=name, labels=pairs, value=value)
        return found

    async def describe_server(
        self, request: admin_service_pb2.DescribeServerRequest, who: Identity
    ) -> admin_service_pb2.DescribeServerResponse:
        organisers_only(who)
        store = await self._matches.lanes.run(facts.of, self._matches.records)
        return self._described.message(store)

    async def list_access(
        self, request: admin_service_pb2.ListAccessRequest, who: Identity
    ) -> admin_service_pb2.ListAccessResponse:
        organisers_only(who)
        scope = ("access", request.match_id)
        size = pages.size(request.page_size, 50, 500)
        records, match = self._matches.records, request.match_id

        def read_all() -> admin_service_pb2.ListAccessResponse:
            begun = self._pages.read(request.page_token, scope, tuple[int, str, int])
            found = access.lines_of_all(records, begun, size + 1)
            more = len(found) > size
            return admin_service_pb2.ListAccessResponse(
                lines=[_line(kept) for _, kept in found[:size]],
                next_page_token=self._pages.token(scope, found[size - 1][0]) if more else "",
            )

        def read() -> admin_service_pb2.ListAccessResponse:
            if not match and access.several(records):
                return read_all()
            before = self._pages.read(request.page_token, scope, int) or 0
            found = access.lines(records, before, match, size + 1)
            more = len(found) > size
            token = self._pages.token(scope, found[size - 1].line.n) if more else ""
            return admin_service_pb2.ListAccessResponse(
                lines=map(_line, found[:size]),
                next_page_token=token,
                head=_head(access.head(records, access.log_of(records, match))),
            )

        return await self._matches.lanes.run(read)

    async def check_access(
        self, request: admin_service_pb2.CheckAccessRequest, who: Identity
    ) -> admin_service_pb2.CheckAccessResponse:
        organisers_only(who)
        noted = Head(request.noted.n, request.noted.hash) if request.HasField("noted") else None

        def read() -> admin_service_pb2.CheckAccessResponse:
            records, match = self._matches.records, request.match_id
            found = admin_service_pb2.CheckAccessResponse()
            with records.reading():
                if not match and access.several(records):
                    if noted is not None:
                        raise malformed("match_id", _NAMED)
                    fault = access.check_all(records)
                else:
                    log = access.log_of(records, match)
                    fault = access.check(records, noted, log)
                    found.head.CopyFrom(_head(access.head(records, log)))
            found.fault = current().say(fault)
            return found

        return await self._matches.lanes.run_long(read)


def _line(kept: Kept) -> admin_service_pb2.AccessLine:
    line = kept.line
    found = admin_service_pb2.AccessLine(
        n=line.n,
        who=line.who,
        role=line.role,
        match_id=line.match,
        what=line.what,
        view=line.view,
        seq=line.seq,
        why=line.why,
        hash=kept.hash,
    )
    found.time.FromMilliseconds(line.time)
    return found


def _head(head: Head) -> admin_service_pb2.AccessHead:
    return admin_service_pb2.AccessHead(n=head.n, hash=head.hash)
