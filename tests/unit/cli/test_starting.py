"""Commands wait for a server that is starting on their file, and end with it if it gives up."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from replay_cli.commands.running import serve
from replay_cli.output import Failed
from replay_cli.reaching import hosting
from service.server import Server
from service.settings import Settings
from service.store.sqlite.lock import FileLock, LockTaken, holder, lock_file
from tests.support import serving
from tests.support.forking import Forked
from tests.toy import RULEBOOKS
from tests.unit.cli.clis import answer, run


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Where a file of matches may be."""
    return tmp_path / "m.kifu"


@pytest.fixture
def lock(data: Path) -> FileLock:
    """Held as by a server that is starting; it ends with its folder."""
    found = FileLock(data)
    found.publish(starting=True)
    return found


def coming(work: Callable[[], Any], then: Callable[[], Any]) -> Any:
    """What comes of work that waits until something happens."""
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(work)
        time.sleep(0.2)
        assert not found.done()
        then()
        return found.result(20)


def test_a_server_that_is_starting_is_waited_for(data: Path, lock: FileLock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as there:
        address = f"127.0.0.1:{there.getsockname()[1]}"
        found = coming(lambda: hosting.running(data), lambda: lock.publish(address))
    assert found == address


def test_one_that_gives_up_is_waited_for_no_longer(data: Path, lock: FileLock) -> None:
    assert coming(lambda: hosting.running(data), lock.release) == ""


def test_one_that_was_killed_is_not_waited_for(data: Path, lock: FileLock) -> None:
    left = lock_file(data).read_bytes()
    lock.release()
    lock_file(data).write_bytes(left)
    assert hosting.running(data) == ""


def test_one_that_never_answers_is_reported(
    data: Path, lock: FileLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "STARTING", 0.1)
    with pytest.raises(Failed, match=r"process \d+ .* is starting; it has not answered for 0"):
        hosting.running(data)
    assert "is starting" in run("event", "list", "-d", data, code=3).stderr.replace("\n", " ")


def test_whoever_wants_the_file_itself_does_not_wait_for_a_server(
    data: Path, lock: FileLock
) -> None:
    began = time.monotonic()
    with pytest.raises(LockTaken, match="is starting"):
        FileLock(data, patience=60)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("args", [["open", "--game", "gundam"], ["list"]], ids=lambda args: args[0])
def test_a_server_that_was_quicker_is_asked(
    data: Path, args: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the file after it was looked for, and before the command has it."""
    if args == ["list"]:
        run("open", "--deck", "ST01", "--deck", "ST03", "-d", data)
    servers = list[serving.Running]()

    def begun(arguments: list[str]) -> Forked:
        servers.append(serving.start(data, announce=True))
        return Forked(hosting.main, arguments)

    monkeypatch.setattr("tests.unit.cli.clis.forked_servers", pytest.MonkeyPatch.context)
    monkeypatch.setattr(hosting, "_begun", begun)
    try:
        more = ["--deck", "ST01", "--deck", "ST03"] if args[0] == "open" else []
        assert answer(*args, *more, "-d", data)
        assert len(servers) == 1
    finally:
        assert servers.pop().stop() == 0


def test_a_server_waits_for_a_command_that_has_its_file(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list[Settings]()
    monkeypatch.setattr(serve, "serve", lambda settings, ready: found.append(settings))
    run("serve", "-d", data)
    assert (found[0].announce, found[0].patience) == (True, hosting.PATIENT)


def test_a_server_that_stops_is_no_longer_named(data: Path) -> None:
    """Whoever comes while calls under way are finished waits for the file, as for a command."""
    named = list[str]()

    async def once() -> None:
        server = Server(Settings(data=data, port=0, announce=True, rulebooks=RULEBOOKS))
        serving = await server.start()
        stop = server.grpc.stop

        async def stopping(grace: float) -> None:
            found = holder(data)
            assert found is not None
            named.append(found.address)
            await stop(grace)

        assert hosting.running(data) == serving.address
        server.grpc = SimpleNamespace(stop=stopping)  # type: ignore[assignment]
        await server.stop()

    asyncio.run(once())
    assert named == [""]
