"""Ports of this machine for what a test starts, and may start again.

No other process gets one of them while it is down: they are below the system's ephemeral ports, and
are taken one after the other from a random start.
"""

from __future__ import annotations

import socket
from itertools import count
from random import randrange

FIRST, LAST = 11_000, 32_000
_numbers = count(randrange(LAST - FIRST))


def free_port() -> int:
    """One on which nobody listens; another one each time."""
    while True:
        port = FIRST + next(_numbers) % (LAST - FIRST)
        if _is_free(port):
            return port


def free_ports(number: int) -> list[int]:
    """So many of them."""
    return [free_port() for _ in range(number)]


def _is_free(port: int) -> bool:
    with socket.socket() as tried:
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
