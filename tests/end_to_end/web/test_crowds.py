"""Crowds: thousands who only wait, and hundreds who take nothing of what they are sent."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import httpx
import pytest

from service.client.client import Client, Opened
from tests.support import serving
from tests.support.serving import Running, play

pytestmark = pytest.mark.long
#: Kilobytes that a follower may take who only waits, and a client who takes nothing.
EACH = 32


def kilobytes(running: Running) -> int:
    """The memory of a server."""
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


@contextmanager
def crowd(web: str, path: str, n: int, times: int = 1) -> Iterator[list[socket.socket]]:
    """So many connections that have asked for something, and read nothing of it."""
    address = ("127.0.0.1", int(web.rpartition(":")[2]))
    asked = f"GET {path} HTTP/1.1\r\nhost: x\r\naccept-encoding: identity\r\n\r\n".encode()
    found = list[socket.socket]()
    for _ in range(n):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(address)
        one.sendall(asked * times)
        found.append(one)
    try:
        yield found
    finally:
        for one in found:
            one.close()


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[tuple[Running, Client, Opened]]:
    """A server of its own, with a match of some length."""
    with (
        serving.running(tmp_path / "matches.kifu", http_port=0) as running,
        running.client() as host,
    ):
        match = host.open_match("gundam", ["A", "B"], ["ST01", "ST03"], seed=1)
        play(tuple(map(host.with_token, match.seats)), match, Random(1), 60)
        yield running, host, match


def answered(web: httpx.Client, path: str) -> float:
    """Within how many seconds others are answered."""
    start = time.monotonic()
    assert web.get(path).status_code == 200
    return time.monotonic() - start


def test_five_thousand_who_wait_take_little(quiet: tuple[Running, Client, Opened]) -> None:
    running, host, match = quiet
    root = f"/m/{match.id}"
    with httpx.Client(base_url=running.web) as web:
        with crowd(running.web, f"{root}/follow", 500):
            answered(web, f"{root}/now.json")
        before, n = kilobytes(running), 5000
        with crowd(running.web, f"{root}/follow", n) as people:
            answered(web, f"{root}/now.json")
            assert kilobytes(running) - before < n * EACH
            begun = host.match(match.id).entries
            play(tuple(map(host.with_token, match.seats)), match, Random(2), 5)
            now = host.match(match.id).entries
            assert now > begun
            assert answered(web, f"{root}/at/{now}") < 20
            for one in people[::500]:
                one.settimeout(10)
                found = b""
                while f"id: {now}\n".encode() not in found:
                    found += one.recv(4096)
            assert kilobytes(running) - before < n * EACH


def test_clients_who_take_nothing_harm_nobody(quiet: tuple[Running, Client, Opened]) -> None:
    running, host, match = quiet
    root, n = f"/m/{match.id}", 300
    last = host.match(match.id).entries
    heavy = [f"{root}/lines/0-{last}", f"{root}/lines/0-{last}.json", f"{root}/at/{last}.json"]
    with httpx.Client(base_url=running.web) as web:
        size = sum(len(web.get(path).content) for path in heavy)
        before = kilobytes(running)
        assert size > 50_000
        for path in heavy:
            with crowd(running.web, path, n, times=40) as people:
                for _ in range(3):
                    assert answered(web, f"{root}/at/{last}") < 10
                    assert answered(web, f"{root}/now.json") < 10
                assert kilobytes(running) - before < 2 * n * EACH
                assert len(people) == n
        play(tuple(map(host.with_token, match.seats)), match, Random(2), 3)
