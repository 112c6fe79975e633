"""The capacity model: from what things cost to how many servers, and what waits for what.

`deployment` says how many servers a setting takes, `seat_jobs` and `crowd_jobs` what one of them
has to do, `outcome` what comes of it: how busy everything is, how long a command and a spectator
wait, and what goes over the wire. `limits` says what breaks first. What is reckoned here by formula
is played through event by event in `simulation`, which makes no use of this module.
"""

from __future__ import annotations

from bisect import bisect_right
from math import ceil, exp, inf, log

from msgspec import Struct
from msgspec.structs import replace

from service.store.postgres.connections import MOST as POOL
from tests.scale.constants import Constants
from tests.scale.queueing import Delay, Jobs, erlang, shared_flush, utilisation, waiting
from tests.scale.settings import BEAT, BUSY, FRESH, FULL, SLICE, Setting

#: Connections that one database takes.
CONNECTIONS = 1000
#: Seconds in which those who were cut off come back, as the service asks them to.
BACK = 10.0
#: How long pairing the largest event may take, in seconds; how busy a database may be.
PATIENCE, DATABASE = 30.0, 0.7


class Deployment(Struct, frozen=True):
    """How many servers seats and followers are sent to; they are the same ones unless `apart`."""

    seats: int
    crowd: int
    apart: bool

    @property
    def servers(self) -> int:
        """How many there are in all."""
        return self.seats + self.crowd if self.apart else self.seats


class Outcome(Struct, frozen=True):
    """What is to be expected, in seconds, bytes, parts of one, and numbers a second."""

    seat: float  # how busy a server of seats is,
    start: float  # the same while a round starts,
    crowd: float  # and a server of followers
    after_failure: float  # and that while those of one that failed come back; 0: there is no other
    database: float
    command: Delay  # from a command to its answer,
    command_start: Delay  # the same while a round starts
    notified: Delay  # from a commit until the last follower of a featured match on a server is told
    hits: float  # the part of the requests for positions that the edges answer,
    requests: float  # how many there are,
    origin: float  # how many of them reach the service,
    pages: float  # and pages of matches, which are kept for a moment
    cores: float  # of the database that are busy
    commits: float
    reads: float
    log: float
    news: float  # deliveries
    edge_bytes: float
    server_bytes: float  # of one server of followers
    pairing: float  # until all matches of the largest event are open
    memory: float  # of one server of followers
    stored: float  # a year


# -- what there is to do ---------------------------------------------------------------------------


def rate(setting: Setting) -> float:
    """Commands a second, all matches together."""
    return setting.matches / setting.pause


def starting(setting: Setting) -> float:
    """The same while a round starts: each match has its first one within the time for that."""
    return max(rate(setting), setting.matches / setting.start)


def fan_out(setting: Setting, c: Constants, followers: float) -> float:
    """Seconds of a server to tell so many followers of a command."""
    return followers * ((1 - setting.programs) * c.event + setting.programs * c.message)


def seat_jobs(setting: Setting, c: Constants, servers: int, commands: float) -> list[Jobs]:
    """What seats ask of one of so many servers: both players of a match are told of a command."""
    return [Jobs(commands / servers, tuple(size + 2 * c.message for size in c.command))]


def crowd_jobs(setting: Setting, c: Constants, where: Deployment) -> list[Jobs]:
    """What spectators ask of a server: to be told, positions that no cache has, to come in."""
    servers, each = where.crowd, 1 / setting.pause
    featured, other = setting.watchers
    elsewhere = 1.0 if where.apart else 1 - 1 / servers  # who has the command reads nothing
    notified = featured / servers
    found = [Jobs(setting.featured * each, (c.read * elsewhere + fan_out(setting, c, notified),))]
    others = (setting.matches - setting.featured) * each
    if setting.sticky:  # to where the match's seats are sent, unless those are apart
        away = 1.0 if where.apart else 0.0
        found.append(Jobs(others / servers, (c.read * away + fan_out(setting, c, other),)))
    elif other:
        some = 1 - exp(-other / servers)
        size = c.read * elsewhere + fan_out(setting, c, other / servers / some)
        found.append(Jobs(others * some, (size,)))
    rendered, kept = _positions(setting, servers)
    found += [Jobs(rendered / servers, (c.render,)), Jobs(kept / servers, (c.kept,))]
    found.append(Jobs(setting.spectators / setting.stay / servers, (c.join,)))
    found.append(Jobs(pages(setting) / servers, (c.page,)))
    there = setting.spectators / servers
    slices = max(1.0, there / SLICE)  # signs of life
    found.append(Jobs(slices / BEAT, (there / slices * c.event,)))
    return [one for one in found if one.rate and one.mean]


def _asking(caches: int, watchers: float) -> float:
    """How many caches ask for a position of a match that so many watch, each through any."""
    return caches * (1 - exp(-watchers / caches))


def _groups(setting: Setting) -> tuple[tuple[int, float], ...]:
    """The featured matches and the others, and how many watch each."""
    featured, other = setting.watchers
    return (setting.featured, featured), (setting.matches - setting.featured, other)


def _positions(setting: Setting, servers: int) -> tuple[float, float]:
    """How many positions a second are rendered, and how many are at hand, on all servers."""
    caches, rendered, kept = 1 if setting.shield else setting.edges, 0.0, 0.0
    for (matches, watchers), places in zip(
        _groups(setting), (servers, 1 if setting.sticky else servers), strict=True
    ):
        asked = _asking(caches, watchers)
        some = 1 - exp(-watchers)  # nobody may watch
        fresh = some * places * (1 - exp(-asked / places / some)) if places > 1 else some
        rendered += matches / setting.pause * min(fresh, asked)
        kept += matches / setting.pause * max(asked - fresh, 0.0)
    return rendered, kept


def pages(setting: Setting) -> float:
    """How many pages of matches a second the caches ask for, each at most once a while."""
    caches, found = 1 if setting.shield else setting.edges, 0.0
    for matches, watchers in _groups(setting):
        each = watchers / setting.stay / caches
        found += matches * caches * each / (1 + each * FRESH)
    return found


def server_jobs(
    setting: Setting, c: Constants, where: Deployment, commands: float
) -> tuple[list[Jobs], list[Jobs]]:
    """What one server of seats and one of followers have to do; the same, unless they are apart."""
    seats, crowd = seat_jobs(setting, c, where.seats, commands), crowd_jobs(setting, c, where)
    return (seats, crowd) if where.apart else (seats + crowd, seats + crowd)


# -- how many servers ------------------------------------------------------------------------------


def deployment(setting: Setting, c: Constants) -> Deployment:
    """The fewest servers that are no busier than `BUSY`, and have room for all who follow."""
    room = max(setting.least, ceil(setting.spectators / (setting.room * FULL)))
    if not setting.apart:
        servers = room
        while _busiest(setting, c, Deployment(servers, servers, False)) > BUSY:
            servers += 1
        return Deployment(servers, servers, False)
    seats, crowd = setting.least, room
    while utilisation(seat_jobs(setting, c, seats, starting(setting))) > BUSY:
        seats += 1
    while utilisation(crowd_jobs(setting, c, Deployment(seats, crowd, True))) > BUSY:
        crowd += max(1, crowd // 50)
    return Deployment(seats, crowd, True)


def _busiest(setting: Setting, c: Constants, where: Deployment) -> float:
    return utilisation(server_jobs(setting, c, where, starting(setting))[0])


# -- what comes of it ------------------------------------------------------------------------------


def outcome(setting: Setting, c: Constants, where: Deployment) -> Outcome:
    """What a deployment does in a setting; raises `ValueError` if it is too much for it."""
    commands = rate(setting)
    seats, crowd = server_jobs(setting, c, where, commands)
    first, _ = server_jobs(setting, c, where, starting(setting))
    requests = setting.spectators * (1 - setting.programs) / setting.pause
    rendered, kept = _positions(setting, where.crowd)
    missed = sum(n / setting.pause * _asking(setting.edges, v) for n, v in _groups(setting))
    notified = requests * c.event_bytes + setting.programs * setting.spectators / setting.pause * (
        c.message_bytes
    )
    there = setting.spectators / where.crowd
    return Outcome(
        seat=utilisation(seats),
        start=utilisation(first),
        crowd=utilisation(crowd),
        after_failure=_after_failure(setting, c, where),
        database=database(setting, c, where),
        command=_command(setting, c, where, seats, commands),
        command_start=_command(setting, c, where, first, starting(setting)),
        notified=_notified(setting, c, where, crowd),
        hits=1 - missed / requests,
        requests=requests,
        origin=rendered + kept,
        pages=pages(setting),
        cores=database(setting, c, where) * setting.database,
        commits=commands,
        reads=reads(setting, where),
        log=commands * c.log,
        news=reads(setting, where),
        edge_bytes=notified + requests * c.position_bytes,
        server_bytes=(notified + (rendered + kept) * c.position_bytes) / where.crowd,
        pairing=setting.event * c.open,
        memory=there * c.follower_memory + setting.matches / where.seats * c.match_memory,
        stored=setting.matches_a_day * 365 * c.commands * c.entries * c.ended_entry,
    )


def reads(setting: Setting, where: Deployment) -> float:
    """How often a second a server with followers reads what another has committed."""
    own, found = 0.0 if where.apart else 1.0, 0.0
    for (matches, watchers), everywhere in zip(
        _groups(setting), (True, not setting.sticky), strict=True
    ):
        places = where.crowd * (1 - exp(-watchers / where.crowd)) if everywhere else 1.0
        found += matches / setting.pause * places * (1 - own / (where.crowd if everywhere else 1))
    return found


def database(setting: Setting, c: Constants, where: Deployment) -> float:
    """How busy the cores of the database are."""
    work = rate(setting) * c.command_database + reads(setting, where) * c.read_database
    return work / setting.database


def _command(
    setting: Setting, c: Constants, where: Deployment, jobs: list[Jobs], commands: float
) -> Delay:
    """The wait for the server, its work, the wait for the database, and the commit."""
    busy = database(setting, c, where) * commands / rate(setting)
    late = erlang(busy * setting.database, setting.database)
    each = c.command_database / setting.database / max(1 - busy, 1e-9)
    waits = [each * log(late / ((at + 0.5) / 100)) for at in range(round(late * 100))]
    commit = shared_flush(commands / where.seats, c.commit)
    sizes = tuple(size + 2 * c.message for size in c.command)
    found = waiting(jobs).then(sizes).then(commit)
    return found.then([*waits, *[0.0] * (100 - len(waits))]) if any(waits) else found


def _notified(setting: Setting, c: Constants, where: Deployment, jobs: list[Jobs]) -> Delay:
    """The news, the wait for the server, the last of its followers. No match waits for itself."""
    one = next(job for job in crowd_jobs(setting, c, where))
    alone = Jobs(one.rate * (1 - 1 / setting.featured), one.sizes)
    others = [alone if job == one else job for job in jobs]
    return waiting(others).then(one.sizes).then((c.delivery,))


def _after_failure(setting: Setting, c: Constants, where: Deployment) -> float:
    """How busy a server of followers is while those of a failed one come back to the others."""
    if where.crowd < 2:
        return 0.0
    left = Deployment(where.seats if where.apart else where.seats - 1, where.crowd - 1, where.apart)
    _, jobs = server_jobs(setting, c, left, rate(setting))
    people = setting.spectators / where.crowd / left.crowd / BACK
    matches = 0.0 if where.apart else setting.matches / where.seats / left.seats / BACK
    return utilisation([*jobs, Jobs(people, (c.join,)), Jobs(matches, (c.resume,))])


# -- how much one machine takes --------------------------------------------------------------------


def machine(cores: int, setting: Setting, c: Constants, late: float) -> tuple[Setting, Deployment]:
    """The most matches of a setting that servers and their database take on so many cores.

    Of 100 of their commands 99 are answered within `late` seconds. Each server has a core, the
    database the others, and the best share is taken. Clients are on other machines.
    """

    def p99(servers: int, matches: int) -> float:
        where = Deployment(servers, servers, False)
        one = replace(setting, matches=matches, database=cores - servers)
        if database(one, c, where) >= 1:
            return inf
        try:
            jobs = seat_jobs(one, c, servers, rate(one))
            return _command(one, c, where, jobs, rate(one)).quantile(0.99)
        except ValueError:  # too much for a server
            return inf

    def most(servers: int) -> int:
        return bisect_right(range(100_000), late, lo=1, key=lambda n: p99(servers, n)) - 1

    servers = max(range(1, cores), key=most)
    found = replace(setting, matches=most(servers), database=cores - servers)
    return found, Deployment(servers, servers, False)


# -- what breaks first -----------------------------------------------------------------------------


class Limit(Struct, frozen=True):
    """Something that there is only so much of: how much of it is used, and what mends it."""

    what: str
    used: float
    mend: str

    @property
    def factor(self) -> float:
        """How many times as many matches and spectators it bears."""
        return 1 / self.used if self.used else float("inf")


def limits(setting: Setting, c: Constants, where: Deployment) -> list[Limit]:
    """What no further server mends, the first to break first."""
    found = outcome(setting, c, where)
    notified = fan_out(setting, c, setting.watchers[0] / where.crowd)
    every = [
        Limit("cores of the database", found.database / DATABASE, "shards"),
        Limit("connections of the database", where.servers * POOL / CONNECTIONS, "pooler"),
        Limit("the broker of news", (found.news + found.commits) * c.news_broker, "leaves"),
        Limit("pairing one event", found.pairing / PATIENCE, "parts"),
        Limit("telling all of one match on one server", notified / (setting.pause * BUSY), "crowd"),
    ]
    return sorted(every, key=lambda one: -one.used)
