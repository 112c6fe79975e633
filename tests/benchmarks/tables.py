"""What tables of records cost, and how much memory it takes to write those of many matches.

    python -m tests.benchmarks.tables

Entries a second of the processor, beside only reading them from their file; and what a process
that writes the tables of all matches takes, once with few of them and once with four times as many.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from kifu import tables

from domain.record.views import OFFICIAL
from replay_cli.playing.playout import play
from service.keeping.adding import add
from service.store.records import Records
from tests.benchmarks.service_history import RULES
from tests.benchmarks.table import Found, bracketed, show

MATCHES = 60
#: Writes the tables of a file, and says what memory that took at most, in megabytes.
WRITING = """
import resource, sys
from kifu import tables
found = ((match, log, tables.OFFICIAL) for match, log in tables.matches(sys.argv[1]))
tables.write(sys.argv[2], found)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def filled(path: Path, logs: list[list], times: int = 1) -> int:
    """A file of matches; how many entries it has."""
    with closing(Records(path)) as records:
        for n in range(times):
            for at, log in enumerate(logs):
                add(records, f"m{n}x{at:04}", log)
    return times * sum(map(len, logs))


def writing(path: Path, folder: Path, n: int, rounds: int) -> Found:
    """Entries a second that are read, made tables of and written, beside reading alone."""

    def reading() -> float:
        start = time.process_time()
        assert sum(len(log) for _, log in tables.matches(path)) == n
        return n / (time.process_time() - start)

    def work() -> float:
        start = time.process_time()
        tables.write(folder, ((match, log, OFFICIAL) for match, log in tables.matches(path)))
        return n / (time.process_time() - start)

    found = bracketed(reading, work, rounds)
    return Found(
        "tables", "tables of matches, read and written: entries a second of CPU, beside reading",
        found.ratios, found.figures("entries/s"), "16,700 entries/s",
    )  # fmt: skip


def megabytes(path: Path, folder: Path) -> float:
    """What a process takes at most that writes the tables of a file."""
    command = [sys.executable, "-c", WRITING, path, folder]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main(rounds: int = 3) -> list[Found]:
    logs = [play(RULES, [*RULES.decks][:2], seed) for seed in range(MATCHES)]
    with tempfile.TemporaryDirectory() as name:
        few, many, folder = Path(name) / "few.kifu", Path(name) / "many.kifu", Path(name) / "out"
        n = filled(few, logs)
        filled(many, logs, 4)
        found = writing(few, folder, n, rounds)
        both = [f"{megabytes(path, folder):.0f}" for path in (few, many)]
    show(found.text, {"ratio": str(found), "figures": found.figures})
    matches = f"{MATCHES} and {4 * MATCHES} matches ({n:,} and {4 * n:,} entries)"
    show("memory of a process that writes tables", {matches: f"{' and '.join(both)} MB"})
    return [found]


if __name__ == "__main__":
    main()
