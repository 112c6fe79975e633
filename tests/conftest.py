"""How long the property tests look, and how long the tests of each game take.

Of the profiles, `ci` is short, `wide` looks five times as far, with which CI ends; both are always
the same. `long` is not, and takes more than an hour: `KIFU_PROFILE=long pytest tests/properties`;
see `properties/strategies`.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from tests.support import postgres

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

# Where nothing compiled is to be kept (containers), each server and command that a test starts
# would compile all modules again, which takes longer than most tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # by a shell, for what runs beside it
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs that are tested hear it

#: gRPC does something of its own in each process that is forked, which crashes where threads of it
#: run: those that tests start become other programs at once.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
#: No test asks a public site: no client of HTTP has to read the certificates of the public web.
os.environ["SSL_CERT_DIR"] = tempfile.gettempdir()
# What is printed in tests is as wide as where there is no terminal.
os.environ.pop("COLUMNS", None)
# Commands answer in English, whatever the language of who runs the tests.
for name in ("KIFU_LANG", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)
os.environ["LANG"] = "C.UTF-8"
#: Where `kifu join` keeps what it was given: not in the home of whoever runs the tests.
os.environ["XDG_CONFIG_HOME"] = f"{tempfile.gettempdir()}/kifu-tests-{os.getpid()}"

GAMES = sorted(path.name for path in (Path(__file__).parent / "scenarios").iterdir())


# Ten thousand tests are objects by the million, which would be looked at whenever one of them
# collects garbage: they are put aside once they are all there.
gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage from here on, and only what comes from here on."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 20)  # nearly all goes by its references, as in a server


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine, within what its fixtures give it to enter."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None

    async def within() -> None:
        async with asyncio.timeout(120), AsyncExitStack() as stack:
            given = {}
            for name in inspect.signature(pyfuncitem.obj).parameters:
                found = given[name] = pyfuncitem.funcargs[name]
                if isinstance(found, AbstractAsyncContextManager):
                    given[name] = await stack.enter_async_context(found)
            await pyfuncitem.obj(**given)

    asyncio.run(within())
    return True


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """A PostgreSQL of this worker's."""
    from tests.support import postgres  # with psycopg, which most runs do without

    with postgres.running() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: postgres.Server) -> str:
    """The address of a new database."""
    return postgres_server.database()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many seconds of tests name one game in their path or parameters, and all others."""
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                game = next((game for game in GAMES if game in report.nodeid), "all games or none")
                seconds[game] += report.duration
    found = ", ".join(f"{game} {spent:.0f} s" for game, spent in sorted(seconds.items()))
    terminalreporter.write_line(f"worked: {found}")
