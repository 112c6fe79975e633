"""The refusals of a client's call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from service.client.connection import CallError


def reason(call: Callable[..., Any], *args: Any, **more: Any) -> str:
    """The reason for which a call is refused; a stream is read until it is."""
    found = refusal(call, *args, **more)
    assert found is not None, "it was not refused"
    return found


def refusal(call: Callable[..., Any], *args: Any, **more: Any) -> str | None:
    """As `reason`; None: it was not refused."""
    try:
        found = call(*args, **more)
        if isinstance(found, Iterator):
            list(found)
    except CallError as refused:
        return refused.reason
    return None
