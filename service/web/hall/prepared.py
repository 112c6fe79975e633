"""Commands as a page's script will send them: made of what was typed, with what is asked first.

A form names an act (`acts`, and those of `service.web.desk`); here it becomes a request of the API,
with what the sender saw (an open decision, a result), and the sentence that says what it will do,
where that ends something. Nothing is done here: the page's script sends the request itself, under a
name of its own, once its sender has agreed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.words.phrases import phrase
from domain.words.tables import Language
from service.api.calls.errors import malformed
from service.web import answers
from service.web.bodies import body_of

#: How many bytes a form has at most.
LARGEST = 64 * 1024


class Prepared(Struct, frozen=True):
    """A request, the question before it is sent, if any, and the confirmation (`done`).

    `news` is what others have done since the sender looked, `states` what a state that is reported
    of "{tables}" means, by its name, `undecided` the confirmation if no decision is open then.
    """

    request: Message
    warning: str = ""
    done: str = ""
    news: tuple[str, ...] = ()
    states: Mapping[str, str] = {}
    undecided: str = ""


class Form:
    """The typed and clicked fields, by name."""

    def __init__(self, fields: Mapping[str, str | list[str]]) -> None:
        self._fields = fields

    def text(self, name: str) -> str:
        """A text; empty where nothing was typed."""
        found = self._fields.get(name, "")
        return (found if isinstance(found, str) else " ".join(found)).strip()

    def needed(self, name: str) -> str:
        """A text that must be there; raises `Fault`."""
        return self.text(name) or _missing(name)

    def flag(self, name: str) -> bool:
        """Whether something was ticked."""
        return self.text(name) not in ("", "no", "false")

    def number(self, name: str, otherwise: int | None = None) -> int:
        """A number; raises `Fault`."""
        text = self.text(name)
        if not text and otherwise is not None:
            return otherwise
        return _number(name, text or _missing(name))

    def numbers(self, name: str) -> list[int]:
        """Several numbers, as they were ticked, or typed with commas between them."""
        found = self._fields.get(name, [])
        parts = found if isinstance(found, list) else found.replace(",", " ").split()
        return [_number(name, part) for part in parts]

    def lines(self, name: str) -> list[str]:
        """The typed lines, without empty ones."""
        found = self._fields.get(name, "")
        texts = found if isinstance(found, list) else found.splitlines()
        return [" ".join(text.split()) for text in texts if text.strip()]

    def seconds(self, name: str) -> int:
        """A span of time: `5` minutes, `1:30`, `-2`; nothing: 0."""
        text = self.text(name)
        minutes, _, rest = text.removeprefix("-").partition(":")
        if not text:
            return 0
        if not all(part.isascii() and part.isdecimal() for part in (minutes, rest or "0")):
            raise malformed(name, phrase("is no span of time such as 5 or 1:30"))
        found = _number(name, minutes) * 60 + _number(name, rest or "0")
        return -found if text.startswith("-") else found


def _missing(name: str) -> Any:
    raise malformed(name, phrase("is missing"))


def _number(name: str, text: str) -> int:
    bare = text.removeprefix("-")
    if not (bare.isascii() and bare.isdecimal() and len(bare) <= 9):
        raise malformed(name, phrase("is no number"))
    return int(text)


async def form_of(request: Request) -> Form:
    """The form that a script has sent; raises `Fault`."""
    body = await body_of(request, LARGEST)
    try:
        return Form(msgspec.json.decode(body, type=dict[str, str | list[str]]))
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise malformed("form", phrase("is no form")) from None


def answer(found: Prepared, language: Language) -> Response:
    """The answer for the script."""
    (service,) = found.request.DESCRIPTOR.file.services_by_name
    method = found.request.DESCRIPTOR.name.removesuffix("Request")
    return answers.data({
        "method": f"{service}/{method}",
        "request": MessageToDict(found.request),
        "warning": language.say(found.warning),
        "done": language.say(found.done),
        "news": [language.say(one) for one in found.news],
        "states": {state: language.say(one) for state, one in found.states.items()},
        "undecided": language.say(found.undecided),
    })  # fmt: skip


def sentences(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts without those that say nothing."""
    return tuple(text for text in texts if text)
