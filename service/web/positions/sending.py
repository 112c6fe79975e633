"""Answers that may be kept: strong tags, conditional requests, compression.

A tag is that of the bytes, so what is compressed otherwise has another. What is for one visitor is
for his own browser alone, and only while he is signed in as the same (`Vary`).
"""

from __future__ import annotations

from grpc import StatusCode
from starlette.requests import Request
from starlette.responses import Response

from service.api.calls.faults import fault_of
from service.web import answers
from service.web.positions.shared import Body

#: For what may change: kept, and asked for again each time.
CHECKED = "no-cache"
#: Seconds that what never changes is kept before it is asked for again: a later version of Kifu
#: may draw the same otherwise.
DAY = 86_400
#: Content codings, the best first.
CODINGS = ("zstd", "gzip")
#: Statuses that say no more than that there is nothing.
_SILENT = {
    StatusCode.NOT_FOUND, StatusCode.PERMISSION_DENIED, StatusCode.INVALID_ARGUMENT
}  # fmt: skip


def for_ever(shared: bool) -> str:
    """`Cache-Control` of what never changes; not `shared`: by the visitor's own browser alone."""
    return f"{'public' if shared else 'private'}, max-age={DAY}, immutable"


def send(request: Request, body: Body, keep: str, *, shared: bool) -> Response:
    """An answer; without its bytes if the client has them."""
    coding = _coding(request.headers.get("accept-encoding", ""), body)
    tag = f'"{body.tag}{"-" if coding else ""}{coding}"'
    more = "" if shared else ", accept-language, authorization, cookie"
    headers = {"cache-control": keep, "etag": tag, "vary": f"accept-encoding{more}"}
    if _has(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    headers["content-type"] = body.kind
    if coding:
        headers["content-encoding"] = coding
    return Response(body.codings[coding], headers=headers)


def _has(asked: str, tag: str) -> bool:
    """Whether somebody has what a tag stands for, or anything will do."""
    given = [one.strip().removeprefix("W/") for one in asked.split(",")]
    return tag in given or given == ["*"]


def _coding(accepted: str, body: Body) -> str:
    """The content coding of an answer; empty: none."""
    offered = set[str]()
    for one in accepted.lower().split(","):
        name, _, rest = one.partition(";")
        weight = rest.replace(" ", "").removeprefix("q=")
        if weight.strip("0.") or not weight:
            offered.add(name.strip())
    return next((one for one in CODINGS if one in offered and one in body.codings), "")


def refused(error: Exception, request: Request) -> Response:
    """The response to an error: it reveals nothing that the visitor may not see."""
    fault = fault_of(error)
    silent = fault is not None and (fault.code in _SILENT or fault.reason == "RECORD_DELAYED")
    return answers.fault(answers.NOTHING if silent else error, request)
