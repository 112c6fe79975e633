"""How long the property tests look, and how long the tests of each game take.

Of the profiles, `ci` is short, `wide` looks twice as far, with which CI ends; both are always the
same. `long` is not, and takes more than an hour: `KIFU_PROFILE=long pytest tests/properties`; see
`properties/strategies`.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

#: A seed says all there is to say of a match, so a failure is not made smaller.
CALM = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": (Phase.explicit, Phase.reuse, Phase.generate),
}

for name in ("ci", "wide"):
    settings.register_profile(name, derandomize=True, database=None, print_blob=True, **CALM)
settings.register_profile("long", print_blob=True, **CALM)
settings.load_profile(os.environ.get("KIFU_PROFILE", "ci"))

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # by a shell, for what runs beside it
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs that are tested hear it

# What is printed in tests is as wide as where there is no terminal.
os.environ.pop("COLUMNS", None)
#: Where `kifu join` keeps what it was given: not in the home of whoever runs the tests.
os.environ["XDG_CONFIG_HOME"] = f"{tempfile.gettempdir()}/kifu-tests-{os.getpid()}"

GAMES = sorted(path.name for path in (Path(__file__).parent / "scenarios").iterdir())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many seconds of tests name one game in their path or parameters, and all others."""
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                game = next((game for game in GAMES if game in report.nodeid), "all games or none")
                seconds[game] += report.duration
    said = ", ".join(f"{game} {spent:.0f} s" for game, spent in sorted(seconds.items()))
    terminalreporter.write_line(f"worked: {said}")
