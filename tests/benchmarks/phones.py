"""An event of 512 on one laptop: how long a round takes to open, and phones to show pairings.

    python -m tests.benchmarks.phones [--players N] [--seconds S]

The second round is opened, with a recorded match at each table. Then every player asks for
pairings once within a minute, at times that are fixed in advance, half of them by their names on
the event's page and half on their own page by a code; a page takes from then until it is there
whole. What waits behind a slow one counts as well. Beside each of them a file of the site is asked
for that costs nothing to make: what that takes is the machine's. Then all keep their pages open,
as browsers do (`service/web/events/static/events.js`), while the third round is opened: each is
told, and asks for its page after a delay of its own. The client is another process on the same
machine; the processor time is the server's.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx
from kifu.v1 import code_service_pb2 as pb

from domain.tournament.record import Format, Outcome
from service.client.client import Client
from service.web.assets import static_address
from tests.benchmarks.table import Found, cpu, show
from tests.support import serving
from tests.support.serving import Running

#: What is aimed at: seconds until a round is open, and until a phone of 99 in 100 shows its page.
OPEN, PAGE = 10.0, 0.3
GAME, DECK = "gundam", "ST01"
#: Codes that are exchanged before anything is measured.
SIGNED_IN = 64


class Asked(NamedTuple):
    """How long each page took, and each file beside it, in seconds; what the server worked."""

    pages: list[float]
    files: list[float]
    worked: float = 0.0

    def figures(self) -> str:
        """For people."""
        p50, p99, worst = (at(self.pages, part) * 1e3 for part in (0.5, 0.99, 1 - 1e-9))
        own = self.worked * 1e3 / max(len(self.pages), 1)
        bare = at(self.files, 0.99) * 1e3
        return (
            f"p50 {p50:.0f}, p99 {p99:.0f}, worst {worst:.0f} ms, of a bare file {bare:.0f};"
            f" {own:.1f} ms of the server's processor a page"
        )


class Load(NamedTuple):
    """How long a round took to pair and open, in seconds: alone, and with all pages open."""

    opening: float
    asked: Asked
    reopening: float
    herd: Asked
    busy: float


def at(found: list[float], part: float) -> float:
    """Within how many seconds that part of them was there."""
    return sorted(found)[int(len(found) * part)]


def event(client: Client, players: int) -> str:
    """An event whose second round comes next."""
    form = Format(GAME, mode="table", seconds=3000, rounds=9)
    id_ = client.open_tournament("Regional", form).id
    client.enter_players(id_, [f"Player {n}" for n in range(1, players + 1)])
    for n in range(1, players + 1):
        client.hand_in_list(id_, n, DECK)
    client.accept_lists(id_)
    client.pair_round(id_)
    client.open_round(id_)
    client.start_round(id_)
    for one in client.get_tournament(id_).rounds[0].tables.values():
        client.report_result(id_, one.number, Outcome(1, 0, 0, one.first))
    client.end_round(id_)
    return id_


def opened(client: Client, id_: str) -> float:
    """How long the next round takes, from pairing until every match waits."""
    began = time.perf_counter()
    client.pair_round(id_)
    found = client.open_round(id_)
    assert not [one for one in found.tables if one.state == "failed"]
    return time.perf_counter() - began


def cookies(site: Running, client: Client, id_: str, players: int) -> list[str]:
    """The sessions of some players."""
    some = range(1, min(players, SIGNED_IN) + 1)
    holders = [pb.CodeHolder(role="seat", event_id=id_, player=n) for n in some]
    found = []
    for code, _ in client.issue_codes(holders):
        with httpx.Client(base_url=site.web) as browser:
            sent = {"code": code, "to": f"/e/{id_}/me"}
            browser.post("/in", data=sent, headers={"sec-fetch-site": "same-origin"})
            found.append(browser.cookies["kifu"])
    return found


class Phones:
    """The phones of all players, each on a page of its own kind."""

    def __init__(self, site: Running, id_: str, players: int, known: list[str]) -> None:
        self.site, self.id, self.players, self.known = site, id_, players, known
        self.dice, self.asked = Random(1), Asked([], [])

    def _request(self, n: int) -> tuple[str, dict[str, str]]:
        """The address of a phone's page, and what it sends along."""
        if n % 2:
            return f"/e/{self.id}/me", {"cookie": f"kifu={self.known[n % len(self.known)]}"}
        return f"/e/{self.id}?name=Player%20{n}", {}

    async def _page(self, n: int, due: float) -> None:
        """A page that is asked for at a time, and a file soon after."""
        await asyncio.sleep(due - time.perf_counter())
        address, headers = self._request(n)
        answer = await self._get(address, headers)
        self.asked.pages.append(time.perf_counter() - due)
        assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
        due = time.perf_counter() + self.dice.random()
        await asyncio.sleep(due - time.perf_counter())
        await self._get(static_address("events/events.css"), {})
        self.asked.files.append(time.perf_counter() - due)

    async def _get(self, address: str, headers: Mapping[str, str]) -> bytes:
        """An answer as it comes, by a connection of its own: clients cost more than the site."""
        reader, writer = await self._sent(address, {**headers, "connection": "close"})
        try:
            return await reader.read(-1)
        finally:
            writer.close()

    async def _sent(
        self, address: str, headers: Mapping[str, str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = self.site.web.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        lines = [f"GET {address} HTTP/1.1", f"host: {host}:{port}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        return reader, writer

    async def once(self, seconds: float) -> Asked:
        """Everybody asks once within so many seconds."""
        worked, began = cpu(self.site.process.pid), time.perf_counter() + 0.5
        dues = [began + seconds * self.dice.random() for _ in range(self.players)]
        await asyncio.gather(*(self._page(n, due) for n, due in enumerate(dues, 1)))
        return self.asked._replace(worked=cpu(self.site.process.pid) - worked)

    async def herd(self, after: int, act: Callable[[], float]) -> tuple[float, Asked]:
        """Everybody has his page open while something is done, and asks anew when he is told.

        What he has on it is the event after an entry.
        """
        ready, spread = asyncio.Semaphore(0), max(1.5, 0.02 * self.players)
        phones = [
            asyncio.create_task(self._follow(n, after, ready, spread))
            for n in range(1, self.players + 1)
        ]
        for _ in phones:
            await ready.acquire()
        worked = cpu(self.site.process.pid)
        took = await asyncio.to_thread(act)
        await asyncio.sleep(spread + 2)
        for phone in phones:
            phone.cancel()
        await asyncio.gather(*phones, return_exceptions=True)
        return took, self.asked._replace(worked=cpu(self.site.process.pid) - worked)

    async def _follow(self, n: int, after: int, ready: asyncio.Semaphore, spread: float) -> None:
        """Follow the event, and ask for the page anew some time after one is told."""
        address = f"/e/{self.id}/follow?after={after}"
        reader, writer = await self._sent(address, self._request(n)[1])
        await reader.readline()
        ready.release()
        waits: asyncio.Task[None] | None = None
        try:
            while line := await reader.readline():
                if line.startswith(b"data:") and (waits is None or waits.done()):
                    due = time.perf_counter() + 0.2 + spread * self.dice.random()
                    waits = asyncio.create_task(self._page(n, due))
        finally:
            writer.close()


def measure(players: int, seconds: float) -> Load:
    """Hold the event, and have everybody look."""
    with tempfile.TemporaryDirectory() as name:
        site = serving.start(Path(name) / "m.kifu", forked=False, http_port=0)
        try:
            with site.client() as client:
                id_ = event(client, players)
                opening = opened(client, id_)
                client.start_round(id_)
                known = cookies(site, client, id_, players)
                asked = asyncio.run(Phones(site, id_, players, known).once(seconds))
                for one in client.get_tournament(id_).rounds[1].tables.values():
                    client.report_result(id_, one.number, Outcome(1, 0, 0, one.first))
                client.end_round(id_)
                phones = Phones(site, id_, players, known)
                after = client.get_tournament(id_).seq
                reopening, herd = asyncio.run(phones.herd(after, lambda: opened(client, id_)))
            return Load(opening, asked, reopening, herd, os.getloadavg()[0])
        finally:
            site.stop()


def main(players: int = 512, seconds: float = 60.0) -> list[Found]:
    load = measure(players, seconds)
    found = []
    for name, text, took in (
        ("open", f"a round of {players} players is paired and opened", load.opening),
        ("open, followed", "the same, while all have their pages open", load.reopening),
    ):
        ratio, aim = (took / OPEN,), f"{text}: seconds beside the {OPEN:.0f}"
        figures = f"{took:.1f} s; load of the machine {load.busy:.1f}"
        found.append(Found(f"phones: {name}", aim, ratio, figures, "1", less=True))
    for name, text, asked in (
        ("pages", f"{players} phones ask for pairings in {seconds:.0f} s", load.asked),
        ("herd", f"{players} phones ask anew as a round is opened", load.herd),
    ):
        ratio, aim = (at(asked.pages, 0.99) / PAGE,), f"{text}: p99 beside the {PAGE * 1e3:.0f} ms"
        found.append(Found(f"phones: {name}", aim, ratio, asked.figures(), "1", less=True))
    for one in found:
        show(one.text, {"ratio": str(one), "figures": one.figures})
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=512)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long all take to ask")
    given = parser.parse_args()
    main(given.players, given.seconds)
