"""What a cluster does, in one run: `python -m tests.benchmarks.cluster [NAME…] [--save]`.

The benchmarks that need PostgreSQL and NATS, which are started from wheels; then the constants of
the capacity model (`tests.scale`), and its tables beside its simulation. `--save` keeps the
constants, and writes the tables of service/deploy/SCALE.md again; if nothing was named, what was
found as well, unless something was left out for want of one of them. Everything takes less than
five minutes on two quiet cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from tests.benchmarks.left_out import LEFT_OUT, leaving_out, print_left_out
from tests.benchmarks.table import Found, summary

#: What can be measured, in this order; each module says what it found.
WAYS = ("writers", "delays", "moves", "many", "workers", "predicted")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cluster", description=__doc__)
    parser.add_argument("wanted", nargs="*", metavar="NAME", help=", ".join([*WAYS, "constants"]))
    parser.add_argument("--save", action="store_true", help="keep the constants, write the page")
    given = parser.parse_args()
    wanted = given.wanted or [*WAYS, "constants"]
    if unknown := {*wanted} - {*WAYS, "constants"}:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    found = list[Found]()
    with leaving_out("all that needs PostgreSQL"):
        from tests.benchmarks.cluster.database import cluster
        from tests.scale import constants, page

        with cluster() as running:
            for name in WAYS:
                if name in wanted:
                    start = time.monotonic()
                    with leaving_out(name):
                        found += _module(name).main(running)
                    print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
            if "constants" in wanted:
                with leaving_out("constants"):
                    measured = _module("constants").main(running)
                    for name, one in measured.items():
                        print(f"{name}: {one.value} {one.unit} ({one.how})")
                    if given.save:
                        constants.save(measured)
                        page.write()
    if given.save and not given.wanted and not LEFT_OUT:
        page.write_run(found, f"{datetime.now(UTC):%Y-%m-%d}")
    summary(found, {})
    print_left_out()
    return 0


def _module(name: str) -> Any:
    return import_module(f"tests.benchmarks.cluster.{name}")


if __name__ == "__main__":
    sys.exit(main())
