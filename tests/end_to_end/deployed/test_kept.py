"""Answers that may be cached for ever stay the same, later and from every server."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import httpx
import pytest

from domain.officials import ways
from domain.record.decisions import Act
from service.client.client import CallError, Client, Opened
from tests.support import postgres, serving
from tests.support.proxies import nginx
from tests.support.serving import Running, play

pytestmark = pytest.mark.long

#: Addresses of an entry, and of those after one up to it, below a match and below its overlay.
ADDRESSES = (
    "/m/{m}{v}/at/{n}", "/m/{m}{v}/at/{n}.json",
    "/m/{m}{v}/entry/{n}", "/m/{m}{v}/entry/{n}.json",
    "/m/{m}{v}/lines/{a}-{n}", "/m/{m}{v}/lines/{a}-{n}.json", "/m/{m}{v}/marks/{a}-{n}.json",
    "/overlay/{m}{v}/at/{n}", "/overlay/{m}{v}/announced/{a}-{n}",
)  # fmt: skip
#: How many addresses are tried of each new entry, and how many of those known are asked for again.
EACH, LONGER = 3, 60
#: How often something is decided and something else done, and the most that is decided at a time.
ROUNDS, DECIDED = 8, 4
CONCEDES = Act("concede")


def back(desk: Client, match: str, upto: int, put_back: str = ways.AS_THEY_WERE) -> None:
    """Go back to the last decision, up to one, that can be asked again."""
    for n in range(upto, 0, -1):
        with suppress(CallError):
            desk.rewind(match, n, "a mistake", put_back)
            return


#: What an official does; a match goes back every third time.
DONE: tuple[Callable[[Client, str, int], object], ...] = (
    lambda desk, match, n: desk.rule(match, "so it is", decision=n),
    lambda desk, match, n: back(desk, match, n - 2),
    lambda desk, match, n: desk.penalise(match, n % 2, "warning", "late"),
    lambda desk, match, n: (desk.pause(match), desk.resume(match)),
    lambda desk, match, n: back(desk, match, n - 4, ways.RANDOM),
    lambda desk, match, n: desk.note(match, "for the desk alone", public=False),
    lambda desk, match, n: desk.note(match, "for everybody", public=True),
    lambda desk, match, n: back(desk, match, n - 1, ways.SHUFFLE),
)


class Kept:
    """The answers that may be cached, by address and token."""

    def __init__(self, match: Opened, rng: Random) -> None:
        self._rng, self._id, self.known = rng, match.id, 0
        self._views = {"": "", "/as/public": match.public, "/as/official": match.official}
        self._views |= {f"/as/seat-{n}": token for n, token in enumerate(match.seats)}
        self.found: dict[tuple[str, str], tuple[bytes, str]] = {}

    def reach(self, web: httpx.Client, last: int) -> None:
        """Ask for some of what there is of new entries."""
        for n in range(self.known + 1, last + 1):
            for _ in range(EACH):
                self._ask(web, n)
        self.known = last

    def _ask(self, web: httpx.Client, n: int) -> None:
        view = self._rng.choice(list(self._views))
        after = max(0, n - self._rng.choice((1, 2, 5, 40)))
        path = self._rng.choice(ADDRESSES).format(m=self._id, v=view, n=n, a=after)
        answer = asked(web, path, self._views[view])
        if "immutable" in answer.headers["cache-control"]:
            self.found[path, self._views[view]] = answer.content, tag(answer)

    def same(self, web: httpx.Client, most: int = sys.maxsize) -> None:
        """Ask for what was answered, or so much of it, once more."""
        for path, token in self._rng.sample(list(self.found), min(most, len(self.found))):
            answer = asked(web, path, token)
            assert (answer.content, tag(answer)) == self.found[path, token], path


def asked(web: httpx.Client, path: str, token: str) -> httpx.Response:
    found = web.get(path, headers={"authorization": f"Bearer {token}"} if token else {})
    assert found.status_code == 200, (path, found.text)
    return found


def tag(found: httpx.Response) -> str:
    """The tag without how the answer was compressed: a proxy asks otherwise than a client."""
    return found.headers["etag"].strip('"').partition("-")[0]


class Servers:
    """Two servers of one database, with one key, and nginx before the second one."""

    def __init__(self, folder: Path, url: str, stack: ExitStack) -> None:
        self._folder, self._url, self._stack = folder, url, stack
        self.hosts, self.webs = list[Client](), list[httpx.Client]()
        self._running = [self._start("a"), self._start("b")]
        proxy = stack.enter_context(nginx(folder / "nginx", self._running[1].web))
        self.webs.append(stack.enter_context(httpx.Client(base_url=proxy.web, timeout=60)))

    def restart(self) -> httpx.Client:
        """Another server in the place of the first: what asks for its pages."""
        assert self._running[0].stop() == 0
        self._start("a")
        return self.webs[-1]

    def _start(self, name: str) -> Running:
        place = self._folder / name
        place.mkdir(exist_ok=True)
        if self.hosts and not (place / "m.kifu-key").exists():
            shutil.copy(self._folder / "a" / "m.kifu-key", place)
        found = serving.start(place / "m.kifu", store=self._url, http_port=0)
        self._stack.callback(found.kill)
        self.hosts.append(self._stack.enter_context(found.client()))
        self.webs.append(self._stack.enter_context(httpx.Client(base_url=found.web, timeout=60)))
        return found


@pytest.fixture
def servers(postgres_server: postgres.Server, tmp_path: Path) -> Iterator[Servers]:
    with ExitStack() as stack:
        yield Servers(tmp_path, postgres_server.database(), stack)


def opened(host: Client, game: str) -> Opened:
    decks, options = sorted(host.decks(game)), {"turns": 8} if game == "toy" else {}
    return host.open_match(game, ["Ann", "Bob"], decks[:2], options=options, seed=5)


def goes_on(host: Client, match: Opened, rng: Random, n: int) -> None:
    """The seats decide something, and an official does something."""
    seats = tuple(map(host.with_token, match.seats))
    desk = host.with_token(match.official)
    before = desk.position(match.id).decisions
    play(seats, match, rng, rng.randrange(1, DECIDED + 1))
    pos = desk.position(match.id)
    if pos.over:
        back(desk, match.id, before - 2)
    else:
        DONE[n % len(DONE)](desk, match.id, pos.decisions)


def ends(host: Client, match: Opened) -> None:
    """The match ends; its result is corrected, its end taken back, and it ends otherwise."""
    first, second = map(host.with_token, match.seats)
    desk = host.with_token(match.official)
    first.interject(match.id, CONCEDES)
    desk.correct_result(match.id, 0, [1, 0], "it was the other one")
    back(desk, match.id, desk.position(match.id).decisions - 3)
    second.interject(match.id, CONCEDES)
    desk.rule(match.id, "so it ends")


@pytest.mark.parametrize("game", ["toy", "gundam"])
def test_what_is_kept_never_changes(servers: Servers, game: str) -> None:
    rng = Random(3)
    match = opened(servers.hosts[0], game)
    kept = Kept(match, rng)

    def reach() -> None:
        kept.reach(
            rng.choice(servers.webs), max(one.match(match.id).entries for one in servers.hosts)
        )

    for n in range(ROUNDS):
        goes_on(rng.choice(servers.hosts), match, rng, n)
        reach()
        kept.same(rng.choice(servers.webs), LONGER)
    ends(rng.choice(servers.hosts), match)
    reach()
    data = servers.webs[0].get(f"/m/{match.id}/marks/0-{min(kept.known, 1024)}.json")
    assert [one["kind"] for one in data.json()["marks"]].count("rewind") >= 3
    kept.same(servers.webs[0], 5 * LONGER)
    kept.same(servers.webs[1], 5 * LONGER)
    kept.same(servers.restart())
