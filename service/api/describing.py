"""The description of a server that `kifu doctor` compares with others of its store."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version

from kifu.v1 import admin_service_pb2
from kifu.v1.values_pb2 import Label
from msgspec import Struct, field

from domain.record.entries import TYPES


class Described(Struct, frozen=True, kw_only=True):
    """The description of a server; changing values are read for each answer."""

    name: Callable[[], str]
    key: str
    log_key: str
    engines: Mapping[str, str]
    leaving: Callable[[], bool]
    keeps_log: Callable[[], bool]
    matches: Callable[[], int]
    news: Callable[[], str]
    server: str = field(default_factory=lambda: secrets.token_hex(6))
    started: int = field(default_factory=lambda: time.time_ns())

    def message(self, store: Mapping[str, str]) -> admin_service_pb2.DescribeServerResponse:
        """All of it, with what was found out of the store just now."""
        found = admin_service_pb2.DescribeServerResponse(
            server=self.server,
            name=self.name(),
            version=version("kifu"),
            leaving=self.leaving(),
            engines=_labels(self.engines),
            newest_event=max(TYPES),
            key=self.key,
            log_key=self.log_key,
            keeps_log=self.keeps_log(),
            matches=self.matches(),
            open_files=open_files(),
            store=_labels(store),
            news=self.news(),
        )
        found.started.FromNanoseconds(self.started)
        found.now.FromNanoseconds(time.time_ns())
        return found


def _labels(values: Mapping[str, str]) -> list[Label]:
    return [Label(name=name, value=value) for name, value in values.items()]


def open_files() -> int:
    """How many files this process may have open, if there is a limit; 0: that is not known."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 0
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
