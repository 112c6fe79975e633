"""The OpenAPI document of the API over HTTP, made from the contract."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from connectrpc.code import Code
from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor
from google.rpc import error_details_pb2
from kifu.v1 import match_service_pb2 as pb

from service.api.calls.guard import Method
from service.web.connect.describing.comments import comments
from service.web.connect.describing.schemas import PLACE, reached, reference, schema

_DETAILS = tuple(
    error_details_pb2.DESCRIPTOR.message_types_by_name[name]
    for name in ("ErrorInfo", "BadRequest", "PreconditionFailure", "RetryInfo", "LocalizedMessage")
)
_ABOUT = """Record matches of trading card games, and play them back.

Every method is an HTTP POST of a JSON object (or of a binary message), by the
[Connect](https://connectrpc.com/docs/protocol) protocol; gRPC-Web is understood as well. Fields
that are not set may be left out, and are left out of answers. What is refused changes nothing, and
is told as `Error`: `reason` in the detail `google.rpc.ErrorInfo` says which way it failed, and
`rules` in its metadata name the rules behind a refusal, the narrowest first.

Who you are comes from a bearer token. Texts for people are in the language of `accept-language`,
where the service has it."""
_STREAM = """

A stream: each message, and the request, comes after five bytes (a flag; its length, big-endian).
The last one has the flag 2: `{}`, or `{"error": …}`."""
_FEEDS = ("text/event-stream", "application/x-ndjson")


def document(methods: Mapping[str, Method]) -> dict[str, Any]:
    """The document; `methods` by service and name."""
    services = services_of(methods)
    answers = [d for method in methods.values() for d in _messages(method.descriptor)]
    found = [*reached([*answers, *_DETAILS])]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kifu",
            "version": _version(),
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "This service"}],
        "security": [{"bearer": []}, {}],
        "tags": [{"name": s.full_name, "description": comment_of(s.full_name)} for s in services],
        "paths": {
            **{f"/api/{path}": {"post": _operation(m)} for path, m in methods.items()},
            **_feeds(),
        },
        "components": {
            "schemas": {**{one.full_name: schema(one) for one in found}, "Error": _error()},
            "responses": {"Error": _response("What is wrong.", _ref("Error"))},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def services_of(methods: Mapping[str, Method]) -> list[ServiceDescriptor]:
    """The services that have these methods."""
    by_name = {
        method.descriptor.containing_service.full_name: method.descriptor.containing_service
        for method in methods.values()
    }
    return list(by_name.values())


def comment_of(name: str) -> str:
    """The contract's comment on something."""
    return comments().get(name, "")


def _operation(method: Method) -> dict[str, Any]:
    one = method.descriptor
    name = one.containing_service.full_name
    text = comment_of(one.full_name)
    streams = one.client_streaming or one.server_streaming
    found: dict[str, Any] = {
        "operationId": f"{one.containing_service.name}_{one.name}",
        "tags": [name],
        "summary": text.partition(". ")[0].partition("\n")[0],
        "description": text + _STREAM * streams,
        "requestBody": {"required": True, "content": _content(one.input_type, streams)},
        "responses": {
            "200": {"description": "The answer.", "content": _content(one.output_type, streams)},
            "default": {"$ref": "#/components/responses/Error"},
        },
    }
    return {**found, "security": []} if method.anybody else found


def _content(message: Descriptor, streams: bool) -> dict[str, Any]:
    kind = "application/connect+" if streams else "application/"
    return {f"{kind}json": {"schema": reference(message)}, f"{kind}proto": {}}


def _messages(method: MethodDescriptor) -> tuple[Descriptor, Descriptor]:
    return method.input_type, method.output_type


def _feeds() -> dict[str, Any]:
    feeds = (
        ("entries", pb.WatchEventsResponse, "heads", "With the heads of the chain."),
        ("positions", pb.WatchPositionResponse, "whole", "Whole positions rather than changes."),
    )
    return {
        f"/api/feeds/{{match}}/{name}": {"get": _feed(name, response.DESCRIPTOR, flag, about)}
        for name, response, flag, about in feeds
    }


def _feed(name: str, response: Descriptor, flag: str, about: str) -> dict[str, Any]:
    text = comment_of(f"kifu.v1.MatchService.Watch{'Events' if name == 'entries' else 'Position'}")
    parameters = [
        _parameter("after", "The entry after which it begins.", "integer"),
        _parameter("as", "Through whose eyes: public, official, seat-0, seat-1.", "string"),
        _parameter("stay", "Whether to go on after the end of the match.", "boolean"),
        _parameter(flag, about, "boolean"),
    ]
    if name == "positions":
        parameters.append(_parameter("each", "How often: entry, moment, decision.", "string"))
    schema = reference(response)
    return {
        "operationId": f"feed_{name}",
        "tags": ["feeds"],
        "summary": f"The {name} of a match, for programs that know HTTP alone",
        "description": text + "\n\nServer-sent events, or a line of JSON for each message.",
        "parameters": [
            {"name": "match", "in": "path", "required": True, "schema": {"type": "string"}},
            *parameters,
        ],
        "responses": {
            "200": {
                "description": "The feed.",
                "content": {
                    kind: {"schema": schema}
                    for kind in ("text/event-stream", "application/x-ndjson")
                },
            },
            "204": {"description": "An event source has all of it."},
            "default": _response(
                "What is wrong.",
                {
                    "type": "object",
                    "properties": {
                        key: {"type": "string"} for key in ("code", "reason", "message")
                    },
                },
            ),
        },
    }


def _parameter(name: str, about: str, kind: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": about, "schema": {"type": kind}}


def _error() -> dict[str, Any]:
    detail = {
        "type": "object",
        "properties": {
            "type": {"type": "string", "description": "The name of its message."},
            "value": {"type": "string", "contentEncoding": "base64"},
            "debug": {"anyOf": [reference(one) for one in _DETAILS]},
        },
        "required": ["type", "value"],
    }
    return {
        "type": "object",
        "properties": {
            "code": {"type": "string", "enum": [code.value for code in Code]},
            "message": {"type": "string"},
            "details": {"type": "array", "items": detail},
        },
        "required": ["code"],
    }


def _response(about: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": schema}}}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": PLACE + name}


def _version() -> str:
    try:
        return version("kifu")
    except PackageNotFoundError:
        return "0"
