"""Servers are replaced one by one under load: nobody is refused what he may do."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from kifu.v1.match_service_pb2 import VERDICT_EXACT

from domain.record.entries import Entry
from service.client.client import CallError, Client, Opened, connect
from tests.support import serving
from tests.support.ports import free_ports
from tests.support.proxies import Proxy, in_front
from tests.support.serving import Running
from tests.support.waiting import until

pytestmark = pytest.mark.long
T = TypeVar("T")
SERVERS, MATCHES, DRAIN = 3, 6, 0.3


class Servers:
    """Servers of one database, which come back where they were."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder, self._url = folder, url
        self.ports = [free_ports(2) for _ in range(SERVERS)]
        self.running = [self.start(n) for n in range(SERVERS)]

    def start(self, n: int) -> Running:
        """Start the nth, with the keys of the first."""
        place = self._folder / str(n)
        place.mkdir(exist_ok=True)
        for name in ("m.kifu-key", "m.kifu-log-key") if n else ():
            if not (place / name).exists():
                (place / name).write_text((self._folder / "0" / name).read_text())
                (place / name).chmod(0o600)
        port, pages = self.ports[n]
        return serving.start(
            place / "m.kifu", store=self._url, port=port, http_port=pages, drain=DRAIN
        )

    def replace(self, n: int) -> None:
        """Stop the nth as an orchestrator does, and start another in its place."""
        assert self.running[n].stop() == 0
        self.running[n] = self.start(n)


class Player:
    """Plays matches by a proxy, and sends again what nobody answered."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        self.wrong: list[str] = []
        self.retries: Counter[str] = Counter()
        self.made: Counter[str] = Counter()
        self.over = threading.Event()

    def play(self, number: int) -> None:
        """Play one match after another until it is `over`."""
        with connect(self._address, self._token) as host:
            while not self.over.is_set():
                name = f"open-{number}-{self.made.total()}"
                opened = self._sent(lambda name=name: _open(host, name))  # type: ignore[misc]
                if opened is not None:
                    self._play(host, opened)

    def goes_on(self) -> None:
        """Wait until some more is played, or something is wrong."""
        more = self.made.total() + 5 * MATCHES
        until(lambda: self.wrong or self.made.total() >= more)

    def _play(self, host: Client, opened: Opened) -> None:
        seats = [host.with_token(one) for one in opened.seats]
        while not self.over.is_set():
            decision = self._sent(lambda: seats[0].position(opened.id)).decision
            if decision is None:
                return
            seat = seats[decision.seats[0]]
            decision = self._sent(lambda: seat.position(opened.id)).decision  # noqa: B023
            if decision is None or seat is not seats[decision.seats[0]]:
                continue
            act = decision.offers[decision.seats[0]].options[-1].act()
            ticket = f"{opened.id}-{decision.n}"
            self._sent(lambda: seat.choose(opened.id, decision.n, act, ticket))  # noqa: B023
            self.made[opened.id] += 1

    def _sent(self, call: Callable[[], T]) -> Any:
        """The answer to a call, which is sent until there is one."""
        while True:
            try:
                return call()
            except CallError as error:
                if error.code != "UNAVAILABLE":
                    self.wrong.append(f"{error.code} {error.reason}: {error.text}")
                    raise
                self.retries[error.reason] += 1
                time.sleep(error.after or 0.05)


def _open(host: Client, name: str) -> Opened:
    lists = ["ones", "tens"]
    return host.open_match("toy", ["A", "B"], lists, options={"turns": 500}, request_id=name)


@pytest.fixture
def front(tmp_path: Path, postgres_url: str) -> Iterator[tuple[Proxy, Servers]]:
    servers = Servers(tmp_path, postgres_url)
    places = [(one.address, urlsplit(one.web).netloc) for one in servers.running]
    try:
        with in_front(tmp_path / "nginx", places) as proxy:
            yield proxy, servers
    finally:
        for one in servers.running:
            one.process.kill()


def test_nobody_is_refused_while_servers_are_replaced(front: tuple[Proxy, Servers]) -> None:
    proxy, servers = front
    token = servers.running[0].token
    with connect(proxy.address, token) as host:
        player = Player(proxy.address, token)
        watched = _open(host, "watched")
        seen: list[Entry] = []

        def read() -> None:
            with suppress(ValueError):  # the channel is closed in the end
                seen.extend(host.watch(watched.id, patience=60))

        threading.Thread(target=read, daemon=True).start()
        threads = [threading.Thread(target=player.play, args=(n,)) for n in range(MATCHES)]
        threads.append(threading.Thread(target=player._play, args=(host, watched)))
        for thread in threads:
            thread.start()
        player.goes_on()
        for n in range(SERVERS):
            servers.replace(n)
            player.goes_on()
        player.over.set()
        for thread in threads:
            thread.join(30)
        assert player.wrong == []
        for match in player.made:
            assert host.verify(match).verdict == VERDICT_EXACT
            made = [e for e in host.events(match) if type(e.event).__name__ == "DecisionMade"]
            assert len(made) == player.made[match], "each once"
        known = list(host.events(watched.id))
        until(lambda: len(seen) >= len(known))
        assert seen == known, "the stream has no gap and nothing twice"
    print(f"made {player.made.total()}, sent again {dict(player.retries)}")
