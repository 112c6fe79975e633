"""Facts about a store for its operator: `kifu doctor` judges them.

They are found without writing anything, and name no private place. Their names are documented in
admin_service.proto (`DescribeServerResponse.store`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from service.store.errors import StoreError
from service.store.records import Records

#: Settings of PostgreSQL on which it depends whether what was acknowledged can be lost.
SETTINGS = (
    "fsync", "synchronous_commit", "full_page_writes", "synchronous_standby_names",
    "max_connections", "server_version", "data_checksums",
)  # fmt: skip
_MOUNTS = Path("/proc/self/mounts")


def of(records: Records, clock: Callable[[], float] = time.time) -> Mapping[str, str]:
    """The facts about a store; `clock` gives seconds since 1970."""
    found = {
        "kind": "postgresql" if records.shared else "sqlite",
        "writable": _word(records.writable),
        "shared": _word(records.shared),
    }
    try:
        found |= _answering(records)
        found |= _of_server(records, clock) if records.shared else of_file(Path(records.where))
    except (StoreError, OSError) as error:
        found["wrong"] = type(error).__name__ if isinstance(error, OSError) else str(error)
    return found


def _answering(records: Records) -> Mapping[str, str]:
    """How long the store takes to answer something small: the best of three."""
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        records.last("")
        taken.append(time.perf_counter() - start)
    return {"latency_ms": f"{min(taken) * 1000:.1f}"}


def _of_server(records: Records, clock: Callable[[], float]) -> Mapping[str, str]:
    found = dict[str, str]()
    for name in SETTINGS:
        row = records.row("SELECT current_setting(?, true) AS value", name)
        found[name] = str(row["value"] or "")
    before = clock()
    row = records.row("SELECT extract(epoch FROM clock_timestamp()) AS now")
    found["clock_ms"] = f"{(float(row['now']) - (before + clock()) / 2) * 1000:.0f}"
    row = records.row("SELECT pg_is_in_recovery() AS replica")
    found["recovery"] = _word(row["replica"])
    return found


def of_file(path: Path) -> Mapping[str, str]:
    """Where a file lies, how much room there is, and who may read it."""
    place = os.statvfs(path)
    return {
        "filesystem": filesystem(path),
        "free_mb": str(place.f_bavail * place.f_frsize // 2**20),
        "mode": f"{path.stat().st_mode & 0o777:03o}",
    }


def filesystem(path: Path, mounts: Path = _MOUNTS) -> str:
    """The type of the file system of a file; empty: unknown."""
    try:
        lines = mounts.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    place, best, kind = path.resolve(), -1, ""
    for line in lines:
        _, at, type_, *_ = (*line.split(" "), "", "")
        point = Path(at.encode().decode("unicode_escape"))
        if place.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), type_
    return kind


def _word(value: object) -> str:
    return "yes" if value else "no"
