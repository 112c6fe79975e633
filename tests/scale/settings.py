"""The deployments that are reckoned with: what people do there, which nobody can measure here.

These are assumptions; what things cost is measured (`constants`). Everybody decides once in five to
twenty seconds, the matches of a round begin within a minute, and most spectators watch few matches.
"""

from __future__ import annotations

from msgspec import Struct

from service.web.positions.following import BEAT as BEAT
from service.web.positions.following import FOLLOWERS as FOLLOWERS
from service.web.positions.following import SLICE as SLICE

#: For how long caches keep the page of a match, in seconds (WEB.md).
FRESH = 1.0
#: How full with followers a server is to be.
FULL = 0.8
#: How busy a server may be where it is busiest.
BUSY = 0.5


class Setting(Struct, frozen=True):
    """What is to be served.

    `matches` are played at once, the largest event has `event` of them. So many `spectators` watch,
    the part `attention` of them the `featured` matches, evenly, the others any. `programs` is the
    part that follows by gRPC (overlays, apps), the others are browsers. Positions come through
    `edges` caches; `shield`: those ask one cache, and only that the service.
    """

    name: str
    text: str
    matches: int
    event: int
    spectators: int
    featured: int
    attention: float
    edges: int
    shield: bool = False
    programs: float = 0.02
    room: int = FOLLOWERS  # followers that a server takes
    least: int = 2  # servers there are at least, so that one may fail
    apart: bool = False  # followers have servers of their own
    sticky: bool = True  # all who follow a match that is not featured are sent to one server
    database: int = 4  # cores of it
    think: tuple[float, float] = (5.0, 20.0)  # seconds between two decisions of a match: evenly
    start: float = 60.0  # seconds within which the matches of a round begin
    stay: float = 600.0  # seconds that a spectator stays
    matches_a_day: int = 0  # what is stored

    @property
    def pause(self) -> float:
        """Seconds between two decisions on the average."""
        return sum(self.think) / 2

    @property
    def watchers(self) -> tuple[float, float]:
        """How many watch a featured match, and another."""
        many = self.spectators * self.attention / self.featured
        others = self.matches - self.featured
        return many, self.spectators * (1 - self.attention) / others if others else 0.0


CITY = Setting(
    "city", "a city: one event, 50 matches at once, 500 spectators",
    50, 50, 500, 2, 0.5, edges=1, least=1, database=1, matches_a_day=400,
)  # fmt: skip
COUNTRY = Setting(
    "country", "a country: 2,000 matches at once, events of up to 500, 100,000 spectators",
    2000, 500, 100_000, 20, 0.6, edges=8, matches_a_day=16_000,
)  # fmt: skip
WORLD = Setting(
    "world", "a world championship: 1,000 matches at once, 10 million spectators",
    1000, 1000, 10_000_000, 8, 0.9, edges=200, shield=True, apart=True, database=16,
    matches_a_day=8000,
)  # fmt: skip
FINAL = Setting(
    "final", "its final: one match, 10 million spectators, who come within five minutes",
    1, 1, 10_000_000, 1, 1.0, edges=200, shield=True, apart=True, database=16, stay=300.0,
)  # fmt: skip
#: Tables without spectators, each of which acts once in two seconds.
QUICK = Setting(
    "quick tables", "tables that act once in two seconds", 1, 1, 0, 1, 0.0, edges=1,
    think=(2.0, 2.0), start=2.0,
)  # fmt: skip
#: Seconds within which 99 of 100 of their commands are to be answered.
LATE = 0.1
#: Those of the page (service/deploy/SCALE.md).
SETTINGS = (CITY, COUNTRY, WORLD, FINAL)
