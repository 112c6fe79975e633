"""Server-sent events, as a browser reads them: `Source` is one answer, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import httpx


class Event(NamedTuple):
    """A received event: `kind` is empty for a comment."""

    kind: str
    id: str
    data: str


def events(answer: httpx.Response) -> Iterator[Event]:
    """The events of an answer until it ends; comments too."""
    fields: dict[str, str] = {}
    for line in answer.iter_lines():
        name, _, value = line.partition(":")
        if line.startswith(":"):
            yield Event("", "", value)
        elif line:
            fields[name] = value.strip()
        elif "event" in fields:
            yield Event(fields["event"], fields.get("id", ""), fields.get("data", ""))
            fields = {}
        else:
            fields = {}
