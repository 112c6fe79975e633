"""Planted bugs: servers that break what the audit is there for, to show that it finds them.

Each patches the service of a server's process (`tests.support.serving`). All but `forgetful` are of
servers that share a PostgreSQL.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from typing import Any

#: How long a version is believed that may be another's by now, in seconds.
BELIEVED = 0.5
#: One of so many commits is acknowledged and never made.
LOST = 20


def forgetful() -> None:
    """A request that comes again is carried out again."""
    from service.api.calls.repeats import Repeats

    Repeats.before = lambda *asked: None  # type: ignore[method-assign,assignment]
    Repeats.check_official = lambda *asked: None  # type: ignore[method-assign,assignment]


def stale() -> None:
    """What is in memory is used for a while without asking how far the match is by now."""
    from service.store.records import Records

    version, known = Records.version, dict[str, tuple[float, Any]]()

    def believed(self: Records, match: str) -> Any:
        asked, found = known.get(match, (0.0, None))
        if time.monotonic() - asked > BELIEVED:
            found = version(self, match)
            known[match] = time.monotonic(), found
        return found

    Records.version = believed  # type: ignore[method-assign]


def early() -> None:
    """Some commands are acknowledged before they are committed, and then are not."""
    from psycopg import Rollback

    from service.store.postgres.recorder import _Chains

    save, numbers = _Chains.save, count(1)

    def saved(self: _Chains) -> None:
        save(self)
        if not next(numbers) % LOST:
            raise Rollback

    _Chains.save = saved  # type: ignore[method-assign]


def blind() -> None:
    """Nobody looks whether a match is still as far as it was: who comes later writes over it."""
    from service.store.postgres import recorder

    recorder._Chains._judge = lambda *asked: None  # type: ignore[method-assign,assignment]
    recorder._INSERT += (
        " ON CONFLICT (originator_id, originator_version)"
        " DO UPDATE SET topic=excluded.topic, state=excluded.state"
    )


PLANTS: dict[str, Callable[[], None]] = {
    "forgetful": forgetful,
    "stale": stale,
    "early": early,
    "blind": blind,
}
