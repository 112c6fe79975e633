"""All benchmarks, or those named, and a table of them: `python -m tests.benchmarks [NAME…]`.

`--compare` says what has changed since the committed baseline, `--save` writes it again (those that
were run; on a quiet machine). Peers' figures are printed beneath, and which benchmarks were left
out, as the browser, database or server that they need is not installed.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path

from tests.benchmarks.left_out import leaving_out, print_left_out
from tests.benchmarks.table import Found, summary

HELPERS = {"__init__", "__main__", "left_out", "one_thread", "policy", "table"}
BASELINE = Path(__file__).with_name("baseline.json")
PEERS = """
Peers, each in one process of a machine of two cores, as measured for this table:

| peer | live | replay | any point of a match | kept |
|---|---|---|---|---|
| a Gundam engine in TypeScript (TheCardGoat) | 2,122 commands/s | 2,683 commands/s | 7.5 ms p50, 51 ms p99 | 140 B a command, 27 kB of state |
| Pokémon Showdown 0.11.11 | 1,304 choices/s | 1,549 choices/s | 23 ms p50, 79 ms p99 | 14 kB of log, 56 kB of state |
| boardgame.io 0.50.2, a toy game | 8,515 moves/s | 11,649 moves/s | – | 118 B an entry |
| ocgcore (C++), no card scripts | 72,900 answers/s | 79,400 answers/s | – | – |
| python-chess 1.11 | 233,000 plies/s | 30,600 plies/s from PGN | – | 6.7 B a ply |

None of them stores the options of a decision, cites rules or hides a card from a viewer.
"""  # noqa: E501


def names() -> list[str]:
    """The benchmarks there are."""
    return sorted({path.stem for path in Path(__file__).parent.glob("*.py")} - HELPERS)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("wanted", nargs="*", metavar="NAME", help=", ".join(names()))
    parser.add_argument("--compare", action="store_true", help="beside the committed baseline")
    parser.add_argument("--save", action="store_true", help="make this the baseline")
    given = parser.parse_args()
    if unknown := set(given.wanted) - set(names()):
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    kept = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    sys.argv = sys.argv[:1]
    found = list[Found]()
    for name in given.wanted or names():
        with leaving_out(name):
            found += import_module(f"tests.benchmarks.{name}").main() or []
    summary(found, kept if given.compare else {})
    print(PEERS)
    print_left_out()
    if given.save:
        kept |= {one.name: [round(ratio, 4) for ratio in one.ratios] for one in found}
        BASELINE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
