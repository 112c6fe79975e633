"""Responses: pages from templates, data, and faults.

Every answer states how long it may be cached: `KEPT` for content that never changes, else not at
all. A fault tells a page's reader what it tells a program by gRPC; what is not released gets the
same bytes as what does not exist.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from hashlib import blake2b
from importlib.resources import files
from typing import Any

import msgspec
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc import StatusCode
from jinja2 import Environment, FunctionLoader, StrictUndefined, pass_eval_context
from jinja2.filters import do_join
from jinja2.nodes import EvalContext
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from domain.words import tables
from domain.words.phrases import Phrase, joined, phrase
from domain.words.tables import Language
from service.api.calls.errors import Fault
from service.api.calls.faults import fault_of, unforeseen
from service.identity import BadToken
from service.web import visitors
from service.web.assets import static_address

#: For what may change, and for what nobody else may see.
NOT_KEPT = "no-store"
#: For what never changes.
KEPT = "public, max-age=31536000, immutable"

#: The status of HTTP for one of gRPC, as Connect maps them.
STATUS = {
    StatusCode.CANCELLED: 499, StatusCode.UNKNOWN: 500, StatusCode.INVALID_ARGUMENT: 400,
    StatusCode.DEADLINE_EXCEEDED: 504, StatusCode.NOT_FOUND: 404, StatusCode.ALREADY_EXISTS: 409,
    StatusCode.PERMISSION_DENIED: 403, StatusCode.RESOURCE_EXHAUSTED: 429,
    StatusCode.FAILED_PRECONDITION: 400, StatusCode.ABORTED: 409, StatusCode.OUT_OF_RANGE: 400,
    StatusCode.UNIMPLEMENTED: 501, StatusCode.INTERNAL: 500, StatusCode.UNAVAILABLE: 503,
    StatusCode.DATA_LOSS: 500, StatusCode.UNAUTHENTICATED: 401,
}  # fmt: skip


def page(
    template: str,
    language: Language,
    *,
    status: int = 200,
    keep: str = NOT_KEPT,
    **data: Any,
) -> Response:
    """A page or a part of one, from a template that is named by its part: `board/board.html`."""
    text = rendered(template, language, **data)
    return answer(text.encode(), "text/html; charset=utf-8", status=status, keep=keep)


def rendered(template: str, language: Language, **data: Any) -> str:
    """A template filled with data."""
    return environment(language).get_template(template).render(data)


def data(value: Any, *, status: int = 200, keep: str = NOT_KEPT) -> Response:
    """Data as JSON: a message in the words of the contract, or anything that msgspec encodes."""
    return answer(encoded(value), "application/json", status=status, keep=keep)


def encoded(value: Any) -> bytes:
    """The same as bytes."""
    if isinstance(value, Message):
        return MessageToJson(value, preserving_proto_field_name=True, indent=None).encode()
    return msgspec.json.encode(value)


def answer(body: bytes, kind: str, *, status: int = 200, keep: str = NOT_KEPT) -> Response:
    """A response; what may be kept has a strong ETag."""
    found = Response(body, status, media_type=None, headers={"cache-control": keep})
    found.headers["content-type"] = kind
    if keep != NOT_KEPT:
        found.headers["etag"] = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    return found


def fault(error: Exception, request: Request) -> Response:
    """The response to an error: for programs as data, for people as a page."""
    found = fault_of(error) or unforeseen(error, "page failed")
    language = visitors.language_of(request)
    shown = ShownFault(found, language)
    if wants_data(request):
        values = {
            "code": shown.code,
            "reason": shown.reason,
            "message": shown.text,
        }
        return with_retry(data(values, status=shown.status), found)
    to = request.url.path if request.method == "GET" else ""
    whole = page("layout/fault.html", language, status=shown.status, fault=shown, to=to)
    cookie = "authorization" not in request.headers and visitors.authorization(request)
    if isinstance(error, BadToken) and cookie:
        visitors.forget(whole, request)
    return with_retry(whole, found)


#: Answers a request.
Endpoint = Callable[[Request], Awaitable[Response]]


def with_faults(endpoint: Endpoint) -> Endpoint:
    """An endpoint that answers with its faults."""

    async def answering(request: Request) -> Response:
        try:
            return await endpoint(request)
        except ClientDisconnect:
            return Response(status_code=499)  # which nobody gets
        except Exception as error:
            return fault(error, request)

    return answering


def with_retry(response: Response, found: Fault) -> Response:
    """The response, with when to try again, if the fault says so."""
    for detail in found.details:
        hint = detail(tables.language(""))
        if isinstance(hint, error_details_pb2.RetryInfo):
            wait = hint.retry_delay.seconds + (hint.retry_delay.nanos > 0)
            response.headers["retry-after"] = str(max(1, wait))
    return response


#: That there is nothing at an address.
NOTHING = Fault(StatusCode.NOT_FOUND, "NOT_FOUND", "There is nothing here.")


class ShownFault:
    """A fault as shown to a visitor. What does not exist for him always looks the same."""

    def __init__(self, found: Fault, language: Language) -> None:
        gone = found.code is StatusCode.NOT_FOUND or found.reason in _HIDDEN
        self.status = 404 if gone else STATUS[found.code]
        self.code = "not_found" if gone else found.code.name.lower()
        self.reason = "NOT_FOUND" if gone else found.reason
        self.text = language.say(
            phrase("There is nothing here, or not yet.") if gone else found.text
        )


#: Reasons for which an address does not exist for the visitor.
_HIDDEN = frozenset({"RECORD_DELAYED", "MATCH_FOREIGN", "EVENT_FOREIGN"})


def wants_data(request: Request) -> bool:
    """Whether somebody asks for data rather than a page."""
    path = request.url.path
    return path.endswith(".json") or "text/html" not in request.headers.get("accept", "")


_ENVIRONMENTS: dict[str, Environment] = {}


def environment(language: Language) -> Environment:
    """The template environment of a language: phrases are translated, `t` translates a sentence.

    All that goes in is escaped; a name that is missing is an error.
    """
    found = _ENVIRONMENTS.get(language.tag)
    if found is None:
        found = _ENVIRONMENTS[language.tag] = Environment(
            loader=FunctionLoader(_template),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=lambda value: language.say(value) if isinstance(value, Phrase) else value,
        )
        found.filters["join"] = _joining(language)
        found.globals.update(
            lang=language.tag,
            languages=tables.own_names,
            static=static_address,
            t=lambda sentence, **values: language.say(phrase(sentence, **values)),
        )
    return found


def _joining(language: Language) -> Callable[..., str]:
    """The filter `join`, which says the phrases among its values, and a comma, in a language."""
    commas = {", ": language.say(joined(", ", ("", "")))}

    @pass_eval_context
    def join(context: EvalContext, values: Iterable[Any], d: str = "", **more: Any) -> str:
        texts = [language.say(one) if isinstance(one, Phrase) else one for one in values]
        found: str = do_join(context, texts, commas.get(d, d), **more)
        return found

    return join


def _template(name: str) -> str | None:
    found = files("service.web").joinpath(*name.split("/"))
    return found.read_text("utf-8") if found.is_file() else None
