"""The form data of this part: a few short fields, only from pages of this site.

A form sent by another site's page is refused, with any cookies: also if it would only sign the
visitor in as somebody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from grpc import StatusCode
from starlette.requests import Request

from domain.words.phrases import phrase
from service.api.calls.errors import Fault, malformed
from service.web.bodies import body_of
from service.web.visitors import is_own

#: Bytes of a form at most: a token and an address; and its fields.
MOST, FIELDS = 8192, 8
_KIND = "application/x-www-form-urlencoded"


async def read(request: Request) -> Mapping[str, str]:
    """The fields of a form; raises `Fault`."""
    if not is_own(request):
        text = phrase("This was not sent by a page of this site.")
        raise Fault(StatusCode.PERMISSION_DENIED, "ORIGIN_FOREIGN", text)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _KIND:
        raise malformed("content-type", phrase("must be {kind}", kind=_KIND))
    body = await body_of(request, MOST)
    try:
        fields = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS)
    except ValueError:
        raise malformed("form", phrase("can't be read")) from None
    return dict(fields)
