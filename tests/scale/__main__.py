"""Print the tables of the capacity model: `python -m tests.scale [--write]`.

`--write` puts them into service/deploy/SCALE.md.
"""

from __future__ import annotations

import argparse
import sys

from tests.scale import page


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.scale", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write them into the page")
    if parser.parse_args().write:
        page.write()
    for table in page.printed():
        print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
