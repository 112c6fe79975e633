"""Faults by hand: `python -m tests.faults --seed 1 --faults 500`.

It exits with 1 if anything is wrong. A failure names its seed, which draws the same faults again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.faults.planted import PLANTS
from tests.faults.runs import Run, carry_out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--servers", type=int, default=3, help="1: on an SQLite file")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--events", type=int, default=1, help="how many are run at a time")
    parser.add_argument("--gap", type=float, nargs=2, default=(0.3, 1.5), metavar="SECONDS")
    parser.add_argument("--plant", default="", choices=("", *PLANTS))
    parser.add_argument("--folder", type=Path, help="where everything lies, and stays")
    parser.add_argument("--apart", action="store_true", help="in network namespaces; takes root")
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="kifu-faults-"))
    folder.mkdir(exist_ok=True)
    run = Run(
        seed=given.seed,
        faults=given.faults,
        servers=given.servers,
        tables=given.tables,
        events=given.events,
        gap=tuple(given.gap),
        plant=given.plant,
        apart=given.apart,
    )
    report = carry_out(run, folder, print)
    print(f"seed {run.seed}, in {folder}")
    for name, n in sorted(report.faults.items()):
        print(f"{n:5} {name}")
    print(f"{sum(report.faults.values()):5} faults in {report.seconds:.0f} s")
    print(f"{report.matches} matches, {report.restarts} starts of servers, {report.calls},")
    print(f"{report.checkpoints} checkpoints of the log")
    print(f"errors instead of an answer: {dict(report.errors)}")
    for text in report.wrong:
        print(f"WRONG: {text}")
    print("nothing is wrong" if not report.wrong else f"{len(report.wrong)} things are wrong")
    return bool(report.wrong)


if __name__ == "__main__":
    sys.exit(main())
