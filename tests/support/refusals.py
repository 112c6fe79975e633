"""What a call of a client is refused with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.client.connection import CallError


def reason(call: Callable[..., Any], *args: Any, **more: Any) -> str:
    """The reason for which a call is refused; a stream is read until it is."""

    def done() -> object:
        found = call(*args, **more)
        return list(found) if isinstance(found, Iterator) else found

    with pytest.raises(CallError) as refused:
        done()
    return refused.value.reason
