"""What a cluster does, in one run: `python -m tests.benchmarks.cluster [NAME…] [--save]`.

The benchmarks that need PostgreSQL and NATS, which are started from wheels; then the constants of
the capacity model (`tests.scale`), and its tables beside its simulation. `--save` keeps the
constants, and writes the tables of service/deploy/SCALE.md again; if nothing was named, what was
found as well. Everything takes less than five minutes on two quiet cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from tests.benchmarks.cluster import constants, delays, many, moves, predicted, workers, writers
from tests.benchmarks.cluster.database import Cluster, cluster
from tests.benchmarks.table import Found, summary
from tests.scale import page
from tests.scale.constants import save

#: What can be measured, in this order; each says what it found.
WAYS: dict[str, Callable[[Cluster], Sequence[Found]]] = {
    "writers": writers.main,
    "delays": delays.main,
    "moves": moves.main,
    "many": many.main,
    "workers": workers.main,
    "predicted": predicted.main,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cluster", description=__doc__)
    parser.add_argument("wanted", nargs="*", metavar="NAME", help=", ".join([*WAYS, "constants"]))
    parser.add_argument("--save", action="store_true", help="keep the constants, write the page")
    given = parser.parse_args()
    wanted = given.wanted or [*WAYS, "constants"]
    if unknown := {*wanted} - {*WAYS, "constants"}:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    found = list[Found]()
    with cluster() as running:
        for name, measure in WAYS.items():
            if name in wanted:
                start = time.monotonic()
                found += measure(running)
                print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        if "constants" in wanted:
            measured = constants.main(running)
            for name, one in measured.items():
                print(f"{name}: {one.value} {one.unit} ({one.how})")
            if given.save:
                save(measured)
                page.write()
    if given.save and not given.wanted:
        page.write_run(found, f"{datetime.now(UTC):%Y-%m-%d}")
    summary(found, {})
    return 0


if __name__ == "__main__":
    sys.exit(main())
