"""Server-sent events of an event's record: only that there is entry N; pages ask what is new.

They are of the form that `layout/static/follow.js` follows, and sent as the feeds of programs are
(`service.web.connect.feeds`).
"""

from __future__ import annotations

from typing import Any

from kifu.v1 import tournament_service_pb2 as pb
from starlette.requests import Request
from starlette.responses import Response

from service.web.connect.coding import Shared
from service.web.connect.feeds import Feed, Format
from service.web.site import Site
from service.web.visitors import Visitor


def _entry(message: Any) -> bytes:
    last: int = message.entries[-1].seq
    return b'event: entry\nid: %d\ndata: {"seq":%d}\n\n' % (last, last)


#: Failures end the stream: the browser comes again, and then gets the error.
_FORM = Format("text/event-stream", b": hello\n\n", b": still here\n\n", _entry, lambda fault: b"")


def followed(site: Site, visitor: Visitor, request: Request) -> Response:
    """The stream of an event, after the entry that the browser knows of."""
    known = request.headers.get("last-event-id") or request.query_params.get("after", "0")
    after = int(known) if known.isascii() and known.isdecimal() and len(known) < 10 else 0
    asked = pb.WatchTournamentRequest(event_id=request.path_params["event"], after=after)
    shared = Shared(site.matches.lanes.run)
    return Feed(site, shared, site.method(asked), asked, visitor.sender, _FORM)
