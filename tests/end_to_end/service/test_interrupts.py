"""An interrupt while a match is followed, wherever it finds the one who follows."""

from __future__ import annotations

import sys
from itertools import count, islice
from threading import Thread
from typing import Any

import pytest

from service.client.client import Client, Opened
from tests.support.serving import Running


def interrupted(client: Client, match: str, n: int) -> bool:
    """Follow a match until function number `n` is called or left in this thread, if that many are.

    What is raised then is an interrupt, and what comes of it has to be one, too.
    """
    left, following = n, client.watch(match)

    def interrupting(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            sys.setprofile(None)
            raise KeyboardInterrupt

    try:
        sys.setprofile(interrupting)
        found = [*islice(following, 3)]
        following.close()
        sys.setprofile(None)
    except KeyboardInterrupt:
        return True
    assert len(found) == 3
    return left <= 0


def test_who_is_interrupted_anywhere_in_a_stream_can_close_his_connection(
    server: Running, toy: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    # in a generator that is dropped nothing can be raised; the command line brings it again
    monkeypatch.setattr("sys.unraisablehook", lambda found: None)
    for n in count(1):
        client = server.client()
        found = interrupted(client, toy.id, n)
        closing = Thread(target=client.close, daemon=True)
        closing.start()
        closing.join(30)
        assert not closing.is_alive(), f"interrupted at {n}"
        if not found:
            break
    assert n > 100
