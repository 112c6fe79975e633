"""How long a tap on the table's page takes to be answered with the drawn result.

    python -m tests.benchmarks taps

A match is recorded by the acts that the page itself offers, drawn by lot; cards that are asked for
are named by the first answer. Beside each tap stands a request that does nothing (`/livez`) at the
same server, sent just before it: what is compared is the whole way over HTTP.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
import uuid
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import httpx

from tests.benchmarks.table import Found, show
from tests.support import serving

#: What is aimed at: seconds until a tap of 95 in 100 is answered.
AIM = 0.1
#: Taps that are measured of each game.
TAPS = 150
DECKS = {"gundam": ("ST01", "ST03"), "yugioh": ("YSYR", "YSKR")}


class Recording:
    """A match that is recorded by chance, and how long each request took."""

    def __init__(self, http: httpx.Client, seed: int) -> None:
        self.http, self.rng = http, Random(seed)
        self.taps: list[float] = []
        self.echoes: list[float] = []
        self.state: Any = http.get("/now").json()

    def step(self) -> None:
        """One act that is on offer, with the cards that it names."""
        start = time.perf_counter()
        self.http.get(f"{self.http.base_url.copy_with(path='/livez')}")
        self.echoes.append(time.perf_counter() - start)
        offered = re.findall(r'data-text="([^"]*)" data-line="([^"]*)"', self.state["html"]["dock"])
        text, line = self.rng.choice(offered)
        tap = {"line": unescape(line), "text": unescape(text), "names": {}, "rolls": []}
        for _ in range(12):
            found = self._sent(tap)
            if "asked" not in found:
                break
            first = re.search(r'data-answer="([^"]*)"', found["asked"])
            way = re.search(r'data-way data-text="([^"]*)" data-line="([^"]*)"', found["asked"])
            if first:
                given = json.loads(unescape(first[1]))
                tap["names"] |= given["names"]
                tap["rolls"] += given.get("rolls", [])
            elif way:
                tap |= {"text": unescape(way[1]), "line": unescape(way[2]), "whole": True}
        self.state = found

    def _sent(self, tap: dict[str, Any]) -> Any:
        start = time.perf_counter()
        body = {"id": uuid.uuid4().hex, "seq": self.state["seq"], **tap}
        found = self.http.post("/tap", json=body).json()
        self.taps.append(time.perf_counter() - start)
        return found


def recorded(game: str, seed: int = 1) -> Recording:
    """A match of a game, recorded for so many taps or until it is over."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving.running(Path(folder) / "m.kifu", http_port=0) as running,
        running.client() as host,
    ):
        opened = host.open_match(game, ["Ann", "Ben"], DECKS[game], mode="table", rolls=[(0,)])
        headers = {"authorization": f"Bearer {opened.scorekeeper}"}
        with httpx.Client(base_url=f"{running.web}/table/{opened.id}", headers=headers) as http:
            found = Recording(http, seed)
            while len(found.taps) < TAPS and not found.state["over"]:
                found.step()
            return found


def main() -> list[Found]:
    """The time of a tap, game by game."""
    found = []
    for game in DECKS:
        one = recorded(game)
        taps, echoes = sorted(one.taps), sorted(one.echoes)
        p50, p95 = taps[len(taps) // 2], taps[int(len(taps) * 0.95)]
        echo = echoes[len(echoes) // 2]
        figures = f"p50 {p50 * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms, echo {echo * 1e3:.1f} ms"
        show(f"taps of {game}", {"taps": str(len(taps)), "answered": figures})
        text = f"a tap of {game}, answered with the drawn result: p95 beside {AIM * 1e3:.0f} ms"
        found += [
            Found(f"taps: {game}", text, (p95 / AIM,), figures, "1", less=True),
            Found(
                f"taps: {game}, echo",
                "its p50 beside a bare echo",
                (p50 / echo,),
                figures,
                less=True,
            ),
        ]
    return found


if __name__ == "__main__":
    main()
