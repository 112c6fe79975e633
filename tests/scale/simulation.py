"""The same deployments played through, event by event, to see whether the formulas of `model` hold.

Nothing here is reckoned: matches begin within the first minute of a round, each decides again after
a pause, and its command goes through the queue of a server, the transactions of that server, one at
a time, and the cores of the database; then the news reach the servers with followers, who read it,
tell each follower, and the first of each cache asks for the position. Spectators come and go, and a
server may fail in the middle: its matches are taken up elsewhere when they are needed next, its
followers come back within some seconds.

Where there are very many servers of followers, which are all alike, some of them are played, and
for the others only what they ask of the database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from random import Random

from msgspec import Struct

from tests.scale.constants import Constants
from tests.scale.settings import BEAT, FRESH, SLICE, Setting

#: Servers of followers that are played, at most.
PLAYED = 16
#: Seconds until a client that was cut off tries again, at most, and until spectators ask.
BACK, ASKED = 10.0, 0.2


class Found(Struct):
    """What was seen. Seconds; parts of one."""

    seat: float = 0.0  # how busy the servers were, each from when the round had begun
    crowd: float = 0.0
    after_failure: float = 0.0  # those of followers, while others come back
    database: float = 0.0
    commands: list[float] = []
    commands_start: list[float] = []
    notified: list[float] = []
    requests: int = 0
    missed: int = 0
    origin: int = 0
    commits: int = 0
    pages: int = 0  # since the round had begun
    reads: int = 0
    reads_each: float = 0.0  # for each commit, before anything failed
    origin_each: float = 0.0
    pages_each: float = 0.0  # a second


class Queue:
    """A server that does one thing after the other, or several: so many cores."""

    def __init__(self, cores: int = 1) -> None:
        self._free = [0.0] * cores
        self.spans: dict[int, float] = defaultdict(float)  # seconds of work by the second it began
        self.cores = cores

    def do(self, now: float, size: float) -> float:
        """Do a piece of work once what came before is done; when it will be done."""
        start = max(now, heappop(self._free))
        heappush(self._free, start + size)
        second, rest = int(start), size
        while rest > 0:  # what spans two seconds counts in both
            some = min(rest, second + 1 - max(start, second))
            self.spans[second] += some
            second, rest = second + 1, rest - some
        return start + size

    def busy(self, since: float, until: float) -> float:
        """What part of some seconds it worked."""
        some = sum(self.spans[second] for second in range(int(since), int(until)))
        return some / (int(until) - int(since)) / self.cores


class Server(Queue):
    """A server, and its committer: works that wait for the transaction that is under way."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[Callable[[float], None]] = []
        self.committing = False
        self.failed = False
        self.positions: set[tuple[int, int]] = set()
        self.loaded: set[int] = set()


class Simulation:
    """One round of a setting."""

    def __init__(
        self, setting: Setting, c: Constants, seats: int, crowd: int, seed: int = 1
    ) -> None:
        self.setting, self.c, self.rng = setting, c, Random(seed)
        self.events: list[tuple[float, int, Callable[[float], None]]] = []
        self._count = 0
        self.database = Queue(setting.database)
        self.seats = [Server() for _ in range(seats)]
        apart = setting.apart
        self.crowd_size = crowd
        self.crowd = [Server() for _ in range(min(crowd, PLAYED))] if apart else self.seats
        self.found = Found(commands=[], commands_start=[], notified=[])
        self.number = defaultdict[int, int](int)
        self.home = [self.rng.randrange(seats) for _ in range(setting.matches)]
        self.watching = self._watchers()
        self.fails_at = 0.0

    # -- the machinery -----------------------------------------------------------------------------

    def at(self, time: float, what: Callable[[float], None]) -> None:
        """Do something at a time."""
        self._count += 1
        heappush(self.events, (time, self._count, what))

    def run(self, seconds: float, fails_at: float = 0.0) -> Found:
        """Play so many seconds of a round; at some time a server fails, if one is given."""
        setting = self.setting
        self.fails_at = fails_at
        for match in range(setting.matches):
            begins = self.rng.uniform(0, setting.start)
            self.at(begins, partial(self.decide, match))
        self._come_and_go(0.0)
        self._pages()
        for one in range(len(self.crowd)):
            self.at(self.rng.uniform(0, BEAT), partial(self._beat, one))
        if fails_at:
            self.at(fails_at, self.fail)
        while self.events and self.events[0][0] < seconds:
            now, _, what = heappop(self.events)
            what(now)
        if fails_at:
            left = [one for one in self.crowd if not one.failed]
            first, last = fails_at + 1, fails_at + 1 + BACK
            self.found.after_failure = _mean([one.busy(first, last) for one in left])
        else:
            self._note(seconds)
        return self.found

    def _note(self, until: float) -> None:
        """Note how busy everything was, from when the round had begun until now."""
        since, found = self.setting.start, self.found
        found.seat = _mean([one.busy(since, until) for one in self.seats])
        found.crowd = _mean([one.busy(since, until) for one in self.crowd])
        found.database = self.database.busy(since, until)
        found.reads_each = found.reads / found.commits
        found.origin_each = found.origin / found.commits
        found.pages_each = found.pages / (until - since)

    # -- who watches what --------------------------------------------------------------------------

    def _watchers(self) -> list[dict[int, int]]:
        """For each match how many of its followers each server has that is played."""
        setting, servers = self.setting, self.crowd_size
        many, others = setting.watchers
        found = []
        for match in range(setting.matches):
            featured = match < setting.featured
            mean = many if featured else others
            if featured or not setting.sticky:
                each = {at: self._poisson(mean / servers) for at in range(len(self.crowd))}
                found.append({at: n for at, n in each.items() if n})
            else:
                home = self.rng.randrange(servers) if setting.apart else self.home[match]
                found.append({home: self._poisson(mean)})
        return found

    def _poisson(self, mean: float) -> int:
        if mean > 50:
            return max(0, round(self.rng.gauss(mean, mean**0.5)))
        found, left = 0, self.rng.expovariate(1.0)
        while left < mean:
            found, left = found + 1, left + self.rng.expovariate(1.0)
        return found

    # -- commands ----------------------------------------------------------------------------------

    def decide(self, match: int, now: float) -> None:
        """A player decides, once he has thought; and the next one after him."""
        self.command(now, match, now)

    def command(self, begun: float, match: int, now: float) -> None:
        """A command reaches the server of its match; if that is down another one."""
        server = self.seats[self.home[match]]
        if server.failed:
            self.home[match] = self.rng.randrange(len(self.seats))
            late = now + self.rng.uniform(0.1, 1.0)
            self.at(late, partial(self.command, begun, match))
            return
        size = self.rng.choice(self.c.command) + 2 * self.c.message
        if match not in server.loaded:
            server.loaded.add(match)
            size += self.c.resume if self.number[match] else 0.0
        done = server.do(now, size)
        self.at(done, partial(self._submit, server, begun, match))

    def _submit(self, server: Server, begun: float, match: int, now: float) -> None:
        if server.failed:  # it was not committed: the client asks again
            self.command(begun, match, now)
            return
        server.waiting.append(partial(self._committed, server, begun, match))
        if not server.committing:
            self._transaction(now, server)

    def _transaction(self, now: float, server: Server) -> None:
        """Commit all that has gathered at once."""
        some, server.waiting = server.waiting, []
        server.committing = True
        work = self.c.command_database
        ends = max(self.database.do(now, work) for _ in some) - work + self.c.commit

        def ended(then: float) -> None:
            server.committing = False
            for one in some:
                one(then)
            if server.waiting:
                self._transaction(then, server)

        self.at(ends, ended)

    def _committed(self, server: Server, begun: float, match: int, now: float) -> None:
        found, setting = self.found, self.setting
        found.commits += 1
        took = now - begun
        if begun < setting.start:
            found.commands_start.append(took)
        elif not self.fails_at or begun < self.fails_at:
            found.commands.append(took)
        self.number[match] += 1
        self._tell(now, server, match, self.number[match])
        pause = self.rng.uniform(*setting.think)
        self.at(now + pause, partial(self.decide, match))

    # -- followers ---------------------------------------------------------------------------------

    def _tell(self, now: float, server: Server, match: int, number: int) -> None:
        """The servers with followers hear of it, read it and tell them."""
        setting, c = self.setting, self.c
        heard = now + c.delivery
        watching = self.watching[match]
        for at, followers in watching.items():
            if at < len(self.crowd) and followers:
                one = self.crowd[at]
                when = now if one is server else heard
                self.at(when, partial(self._fan_out, now, server, at, match))
        if setting.apart:
            self._read_elsewhere(heard, match)
        self._ask(now, match, number)

    def _fan_out(self, committed: float, server: Server, at: int, match: int, now: float) -> None:
        setting, c, one = self.setting, self.c, self.crowd[at]
        followers = self.watching[match].get(at, 0)
        if one.failed or not followers:
            return
        size = followers * ((1 - setting.programs) * c.event + setting.programs * c.message)
        if one is not server:
            size += c.read
            self.found.reads += 1
            self.database.do(now, c.read_database)
        done = one.do(now, size)
        early = committed > setting.start and (not self.fails_at or done < self.fails_at)
        if match < setting.featured and early:
            self.found.notified.append(done - committed + (c.delivery if one is server else 0.0))

    def _beat(self, at: int, now: float) -> None:
        """All followers of a server get a sign of life, some at a time."""
        followers = sum(watching.get(at, 0) for watching in self.watching)
        if not self.crowd[at].failed:
            for start in range(0, followers, SLICE):
                size = min(SLICE, followers - start) * self.c.event
                self.at(now + start / SLICE * 0.01, partial(_do, self.crowd[at], size))
        self.at(now + BEAT, partial(self._beat, at))

    def _read_elsewhere(self, heard: float, match: int) -> None:
        """What the servers that are not played ask of the database."""
        rest = self.crowd_size - len(self.crowd)
        if match < self.setting.featured:
            readers = rest
        else:
            readers = 1 if min(self.watching[match], default=0) >= len(self.crowd) else 0
        self.found.reads += readers
        for _ in range(readers):
            when = heard + self.rng.uniform(0, 0.05)
            self.at(when, partial(_do, self.database, self.c.read_database))

    def _ask(self, now: float, match: int, number: int) -> None:
        """Browsers ask for the position, each through some cache; the caches for what they lack."""
        setting = self.setting
        featured = match < setting.featured
        people = self._poisson(setting.watchers[0 if featured else 1] * (1 - setting.programs))
        self.found.requests += people
        caches = self._different(people, setting.edges)
        self.found.missed += caches
        asked = min(caches, 1) if setting.shield else caches
        self.found.origin += asked
        for _ in range(asked):
            at = self._origin(match, featured)
            if at is not None:
                when = now + self.rng.uniform(0, ASKED)
                self.at(when, partial(self._position, at, match, number))

    def _different(self, people: int, caches: int) -> int:
        if people > 20 * caches:
            return caches
        draw = self.rng.random
        return len({int(draw() * caches) for _ in range(people)})

    def _origin(self, match: int, featured: bool) -> int | None:
        """The server that is asked, if it is one of those that are played."""
        if featured or not self.setting.sticky:
            at = self.rng.randrange(self.crowd_size)
        else:
            at = next(iter(self.watching[match]), 0)
        return at if at < len(self.crowd) else None

    def _position(self, at: int, match: int, number: int, now: float) -> None:
        one = self.crowd[at]
        if one.failed:
            return
        kept = (match, number) in one.positions
        one.positions.add((match, number))
        one.do(now, self.c.kept if kept else self.c.render)

    def _come_and_go(self, now: float) -> None:
        """Somebody begins to follow at some server; as many go."""
        rate = self.setting.spectators / self.setting.stay
        part = len(self.crowd) / self.crowd_size
        one = self.rng.choice(self.crowd)
        if now and not one.failed:
            one.do(now, self.c.join)
        if rate:
            self.at(now + self.rng.expovariate(rate * part), self._come_and_go)

    def _pages(self) -> None:
        """Each cache asks for the page of a match when somebody comes and it has none any more."""
        setting = self.setting
        caches = 1 if setting.shield else setting.edges
        for match in range(setting.matches):
            watchers = setting.watchers[0 if match < setting.featured else 1]
            each = watchers / setting.stay / caches
            for _ in range(caches if each else 0):
                self.at(self.rng.expovariate(each), partial(self._page, match, each))

    def _page(self, match: int, each: float, now: float) -> None:
        at = self._origin(match, match < self.setting.featured)
        self.found.pages += now > self.setting.start
        if at is not None and not self.crowd[at].failed:
            self.crowd[at].do(now, self.c.page)
        self.at(now + FRESH + self.rng.expovariate(each), partial(self._page, match, each))

    # -- failures ----------------------------------------------------------------------------------

    def fail(self, now: float) -> None:
        """A server with followers ends; who was there comes to the others, within some seconds."""
        self._note(now)
        dead = len(self.crowd) - 1
        self.crowd[dead].failed = True
        played = dead / (self.crowd_size - 1)  # the part of the others that is played
        for match, watching in enumerate(self.watching):
            if self.home[match] == dead and not self.setting.apart:
                self.home[match] = self.rng.randrange(dead)
                self.at(now + self.rng.uniform(0, BACK), partial(self._resume, match))
            together = match >= self.setting.featured and self.setting.sticky
            for _ in range(self._poisson(watching.pop(dead, 0) * played)):
                to = self.home[match] if together and not self.setting.apart else None
                to = self.rng.randrange(dead) if to is None else to
                self.at(now + self.rng.uniform(0, BACK), partial(self._back, to, match))

    def _resume(self, match: int, now: float) -> None:
        server = self.seats[self.home[match]]
        if match not in server.loaded:
            server.loaded.add(match)
            server.do(now, self.c.resume)

    def _back(self, to: int, match: int, now: float) -> None:
        self.crowd[to].do(now, self.c.join)
        watching = self.watching[match]
        watching[to] = watching.get(to, 0) + 1


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _do(queue: Queue, size: float, now: float) -> None:
    """Do a piece of work; nobody waits for it."""
    queue.do(now, size)
