"""The servicer of metrics and of the log of access (admin_service.proto)."""

from __future__ import annotations

from kifu.v1 import admin_service_pb2
from kifu.v1.values_pb2 import Label

from service.api.calls import pages
from service.api.calls.errors import organisers_only
from service.api.calls.languages import current
from service.api.calls.pages import Pages
from service.identity import Identity
from service.live.matches import Matches
from service.metrics import Metrics
from service.store import access
from service.store.access import Head, Kept


class AdminServicer:
    """Answers `kifu.v1.AdminService`."""

    def __init__(self, metrics: Metrics, matches: Matches, marks: Pages) -> None:
        self._metrics, self._matches, self._pages = metrics, matches, marks

    async def get_metrics(
        self, request: admin_service_pb2.GetMetricsRequest, who: Identity
    ) -> admin_service_pb2.GetMetricsResponse:
        organisers_only(who)
        found = admin_service_pb2.GetMetricsResponse()
        for name, labels, value in self._metrics.all():
            pairs = [Label(name=key, value=text) for key, text in labels.items()]
            found.metrics.add(name=name, labels=pairs, value=value)
        return found

    async def list_access(
        self, request: admin_service_pb2.ListAccessRequest, who: Identity
    ) -> admin_service_pb2.ListAccessResponse:
        organisers_only(who)
        scope = ("access", request.match_id)
        before = self._pages.read(request.page_token, scope, int) or 0
        size = pages.size(request.page_size, 50, 500)

        def read() -> admin_service_pb2.ListAccessResponse:
            records = self._matches.records
            found = access.lines(records, before, request.match_id, size + 1)
            more = len(found) > size
            token = self._pages.token(scope, found[size - 1].line.n) if more else ""
            return admin_service_pb2.ListAccessResponse(
                lines=map(_line, found[:size]),
                next_page_token=token,
                head=_head(access.head(records)),
            )

        return await self._matches.lanes.run(read)

    async def check_access(
        self, request: admin_service_pb2.CheckAccessRequest, who: Identity
    ) -> admin_service_pb2.CheckAccessResponse:
        organisers_only(who)
        noted = Head(request.noted.n, request.noted.hash) if request.HasField("noted") else None

        def read() -> admin_service_pb2.CheckAccessResponse:
            records = self._matches.records
            with records.reading():
                fault, head = access.check(records, noted), access.head(records)
            return admin_service_pb2.CheckAccessResponse(
                fault=current().say(fault), head=_head(head)
            )

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
