"""Finds where the service waits for a database on the thread of its loop: meanwhile all else stops.

A file answers sooner than another thread would; a database elsewhere is asked in threads alone.
What tests ask themselves does not count, nor does what a server does before it serves (`starting`).
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import psycopg

from service.store.postgres.connections import Datastore

_TESTS = Path(__file__).parents[1]
_SERVICE = _TESTS.parent / "service"
_STORE = _SERVICE / "store"
#: What functions are that may wait: if none of the service's is under way, a test asks.
_WAITING = CO_COROUTINE | CO_ASYNC_GENERATOR
#: What is made, or begins, before anybody is served.
_STARTING = {"__init__", "start", "close"}


@contextmanager
def watched() -> Iterator[list[str]]:
    """The stacks of the callers that ask a database within; they are refused as well."""
    found: list[str] = []

    def checked(ask: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(ask)
        def asked(*args: Any, **more: Any) -> Any:
            if stack := _blocking():
                found.append(stack)
                raise AssertionError(f"the loop waits for the database:\n{stack}")
            return ask(*args, **more)

        return asked

    with (
        patch.object(Datastore, "get_connection", checked(Datastore.get_connection)),
        patch.object(psycopg, "connect", checked(psycopg.connect)),
    ):
        yield found


def _blocking() -> str:
    """The stack, if it is the service that asks in a thread with a loop; else nothing."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return ""
    frames = [frame for frame, _ in traceback.walk_stack(None) if _is_in(frame, _SERVICE)]
    outer = [frame for frame in frames if not _is_in(frame, _STORE)]
    if not outer or any(frame.f_code.co_name in _STARTING for frame in outer):
        return ""
    if not any(frame.f_code.co_flags & _WAITING for frame in frames):
        caller = frames[-1].f_back
        if caller is not None and _is_in(caller, _TESTS):
            return ""
    return "".join(traceback.format_stack(frames[0]))


def _is_in(frame: FrameType, folder: Path) -> bool:
    return folder in Path(frame.f_code.co_filename).parents
