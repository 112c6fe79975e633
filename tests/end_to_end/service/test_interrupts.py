"""An interrupt while the service is called, wherever it finds the one who calls."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count, islice
from threading import Thread
from types import FrameType
from typing import Any

import pytest

from service.client.client import Client, Opened
from service.client.playing import Playing
from tests.support.marks import each
from tests.support.serving import Running

#: Seconds that a command on a stream has.
PATIENCE = 5.0


def follow(client: Client, toy: Opened) -> None:
    following = client.watch(toy.id)
    assert len([*islice(following, 3)]) == 3
    following.close()


def ask(client: Client, toy: Opened) -> None:
    assert client.match(toy.id).id == toy.id


def play(client: Client, toy: Opened) -> None:
    metadata = (("authorization", f"Bearer {toy.seats[0]}"),)
    with Playing(client.matches.Play, metadata, PATIENCE) as table:
        assert table.withdraw_auto_pass(toy.id) is None


def interrupted(call: Callable[[], None], n: int) -> bool:
    """Call until function number `n` begins in this thread, or has ended if it is one in C.

    That is where Python sees to interrupts. One is raised then, and what comes of it has to be one,
    too.
    """
    left = n

    def interrupting(_: FrameType, event: str, __: Any) -> None:
        nonlocal left
        left -= event in ("call", "c_return")
        if left == 0:
            sys.setprofile(None)
            raise KeyboardInterrupt

    try:
        sys.setprofile(interrupting)
        call()
        sys.setprofile(None)
    except KeyboardInterrupt:
        return True
    return left <= 0


@pytest.mark.parametrize("does", each(3, [follow, ask, play]))
def test_who_is_interrupted_anywhere_can_close_his_connection(
    server: Running,
    toy: Opened,
    monkeypatch: pytest.MonkeyPatch,
    does: Callable[[Client, Opened], None],
) -> None:
    # in a generator that is dropped nothing can be raised; the command line brings it again
    monkeypatch.setattr("sys.unraisablehook", lambda found: None)
    for n in count(1):
        client = server.client()
        found = interrupted(lambda: does(client, toy), n)  # noqa: B023
        closing = Thread(target=client.close, daemon=True)
        closing.start()
        closing.join(30)
        assert not closing.is_alive(), f"interrupted at {n}"
        if not found:
            break
    assert n > 30
