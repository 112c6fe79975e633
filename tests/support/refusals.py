"""The refusals of a client's call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.client.connection import CallError


def reason(call: Callable[..., Any], *args: Any, **more: Any) -> str:
    """The reason for which a call is refused; a stream is read until it is."""
    found = refusal(call, *args, **more)
    assert found is not None, "it was not refused"
    return found


def refused(call: Callable[..., object], *args: Any, **more: Any) -> tuple[str, str]:
    """The status and the reason with which a call is refused."""
    with pytest.raises(CallError) as caught:
        call(*args, **more)
    return caught.value.code, caught.value.reason


def refusal(call: Callable[..., Any], *args: Any, **more: Any) -> str | None:
    """As `reason`; None: it was not refused."""
    try:
        found = call(*args, **more)
        if isinstance(found, Iterator):
            list(found)
    except CallError as error:
        return error.reason
    return None
