"""Pages about the API: an overview, and one for each service."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import msgspec
from connectrpc.code import Code
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, MethodDescriptor
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from service.web import answers, visitors
from service.web.connect.describing import schemas
from service.web.connect.describing.document import comment_of, document, services_of
from service.web.site import Site


class Pages:
    """The document and the pages of a site's API."""

    def __init__(self, site: Site) -> None:
        self._methods = site.methods
        self._services = {one.full_name: one for one in services_of(site.methods)}

    @cached_property
    def _document(self) -> bytes:
        return msgspec.json.encode(document(self._methods))

    async def openapi(self, request: Request) -> Response:
        """The OpenAPI document."""
        return answers.answer(self._document, "application/json")

    async def overview(self, request: Request) -> Response:
        """All services and their methods, and how they are called."""
        services = [
            {"name": name, "about": paragraphs(name), "methods": [*map(_method, one.methods)]}
            for name, one in self._services.items()
        ]
        spoken = visitors.language_of(request)
        codes = [code.value for code in Code]
        return answers.page("connect/describing/api.html", spoken, services=services, codes=codes)

    async def service(self, request: Request) -> Response:
        """The methods of a service, and all messages that they exchange."""
        name = request.path_params["service"]
        found = self._services.get(name)
        if found is None:
            raise answers.NOTHING
        ends = [d for method in found.methods for d in (method.input_type, method.output_type)]
        return answers.page(
            "connect/describing/service.html",
            visitors.language_of(request),
            name=name,
            about=paragraphs(name),
            methods=[*map(_method, found.methods)],
            messages=[*map(_message, schemas.reached(ends))],
        )


def paragraphs(name: str) -> list[Markup]:
    """The contract's comment on something, by paragraphs; its code as code."""
    return [
        Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(paragraph))))
        for paragraph in comment_of(name).split("\n\n")
        if paragraph
    ]


def _method(one: MethodDescriptor) -> dict[str, Any]:
    return {
        "name": one.name,
        "path": f"/api/{one.containing_service.full_name}/{one.name}",
        "about": paragraphs(one.full_name),
        "request": one.input_type.name,
        "response": one.output_type.name,
        "streams": one.server_streaming,
        "sends": one.client_streaming,
    }


def _kind(field: FieldDescriptor) -> str:
    return schemas.kind(field) + ("[]" if field.is_repeated else "")


def _message(one: Descriptor | EnumDescriptor) -> dict[str, Any]:
    if isinstance(one, EnumDescriptor):
        rows = [
            (value.name, "", paragraphs(f"{one.full_name}.{value.name}")) for value in one.values
        ]
        return {"name": one.name, "about": paragraphs(one.full_name), "rows": rows, "choices": []}
    own = [] if one.full_name.startswith("google.protobuf.") else one.fields
    return {
        "name": one.name,
        "about": paragraphs(one.full_name),
        "rows": [
            (f.json_name, schemas.kind(f) + "[]" * f.is_repeated, paragraphs(f.full_name))
            for f in own
        ],
        "choices": [
            len(choice.fields) < len(own) and ", ".join(field.json_name for field in choice.fields)
            for choice in one.oneofs
            if not choice.name.startswith("_")
        ],
    }
