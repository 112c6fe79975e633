"""All benchmarks, or those named: `python -m tests.benchmarks [domain] [service_commands] …`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

HELPERS = {"__init__", "__main__", "table"}


def names() -> list[str]:
    """The benchmarks there are."""
    return sorted({path.stem for path in Path(__file__).parent.glob("*.py")} - HELPERS)


def main(wanted: list[str]) -> int:
    unknown = set(wanted) - set(names())
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(names())}")
        return 2
    sys.argv = sys.argv[:1]
    for name in wanted or names():
        import_module(f"tests.benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
