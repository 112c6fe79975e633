"""`kifu doctor` on what is really broken: it names that, and says what to do."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from click.testing import CliRunner

from replay_cli.commands.keeping.doctor import doctor_command
from replay_cli.doctor.checks import stores
from replay_cli.doctor.looking import pages
from service.store.records import Records
from tests.support import certificates, postgres, serving
from tests.support.ports import free_port
from tests.support.proxies import in_front
from tests.support.serving import Running
from tests.support.waiting import until

pytestmark = pytest.mark.long


def findings(*words: str, **environment: str) -> tuple[int, dict[str, list[dict[str, str]]]]:
    """The exit code, and by its name what each check found that found something."""
    done = CliRunner(env=environment).invoke(doctor_command, [*words, "--json"])
    assert done.exit_code in (0, 1, 2, 3), done.output
    checks = json.loads(done.stdout)["checks"]
    return done.exit_code, {one["name"]: one["problems"] for one in checks if one["problems"]}


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """How soon a store answers depends on what else the machine does."""
    monkeypatch.setattr(stores, "SLOW", 5_000.0)


@pytest.fixture(scope="module")
def cluster(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: postgres.Server
) -> Iterator[tuple[Running, Running, str]]:
    """Two servers of one database with the same keys, and its address."""
    folder, url = tmp_path_factory.mktemp("doctor"), postgres_server.database()
    for name in "12":
        (folder / name).mkdir()
    one = serving.start(folder / "1" / "m.kifu", store=url, http_port=0)
    for name in ("m.kifu-key", "m.kifu-log-key"):
        shutil.copy2(folder / "1" / name, folder / "2" / name)
    two = serving.start(folder / "2" / "m.kifu", store=url, http_port=0)
    with one.client() as host, two.client() as other:
        host.open_match("toy", ["A", "B"], ["ones", "tens"], seed=1)
        until(lambda: host.describe().keeps_log)
        until(lambda: {each.describe().news for each in (host, other)} == {"ok"})
    yield one, two, url
    one.process.kill()
    two.process.kill()


def test_nothing_is_wrong_with_servers_of_one_database(
    cluster: tuple[Running, Running, str], tmp_path: Path
) -> None:
    one, two, url = cluster
    token = tmp_path / "token"
    token.write_text(one.token)
    code, found = findings(
        one.address, two.address, "--token", f"@{token}", "--web", one.web, "--store", url
    )
    assert (code, found) == (0, {})
    done = CliRunner().invoke(doctor_command, [one.address, "--token", one.token])
    assert "well   All say that they serve." in done.stdout


def test_through_a_proxy_that_takes_turns(
    cluster: tuple[Running, Running, str], tmp_path: Path
) -> None:
    """By our configuration a match has its server; without its hash it has not."""
    one, two, _ = cluster
    places = [(server.address, urlsplit(server.web).netloc) for server in (one, two, two)]
    with in_front(tmp_path / "nginx", places) as proxy:
        code, found = findings(proxy.address, "--token", one.token, "--web", proxy.web)
        assert (code, found) == (0, {})
    turns = [("hash $kifu_key consistent;", "")]
    with in_front(tmp_path / "turns", places, turns) as proxy:
        code, found = findings(proxy.address, "--token", one.token)
        assert (code, [*found]) == (1, ["sticky"])


def test_a_server_with_another_key_and_a_file_of_its_own(
    cluster: tuple[Running, Running, str], tmp_path: Path
) -> None:
    one, _, _ = cluster
    with serving.running(tmp_path / "m.kifu") as other:
        code, found = findings(one.address, other.address, "--token", one.token)
        assert (code, [*found]) == (2, ["keys"])
        code, found = findings(other.address)
        assert (code, [*found]) == (3, ["describe"])
        assert "--token" in found["describe"][0]["remedy"]
        code, found = findings(other.address, "--token", other.token, "--web", other.address)
        assert (code, [*found]) == (2, ["reach"]), "pages that nobody serves"


def test_a_reader_who_is_an_official(cluster: tuple[Running, Running, str]) -> None:
    one, _, _ = cluster
    with one.client() as host:
        opened = host.open_match("toy", ["A", "B"], ["ones", "tens"])
    for token, wrong in ((opened.public, {}), (opened.official, {"reader"}), ("x", {"reader"})):
        code, found = findings(one.address, "--token", one.token, "--reader", token)
        assert {*found} == {*wrong}, found
        assert code == 2 * bool(wrong)


def test_nobody_and_somebody_who_speaks_http_1() -> None:
    code, found = findings(f"127.0.0.1:{free_port()}")
    assert (code, [*found]) == (2, ["reach"])
    with answering() as port:
        code, found = findings(f"127.0.0.1:{port}")
        assert (code, [*found]) == (2, ["http2"])


def test_a_stream_that_is_held_back(
    cluster: tuple[Running, Running, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _, _ = cluster
    monkeypatch.setattr(pages, "LONGEST", 0.5)
    with answering() as port:
        code, found = findings(
            one.address, "--token", one.token, "--web", f"http://127.0.0.1:{port}"
        )
        assert (code, [*found]) == (2, ["streams"])
        assert "nothing came" in found["streams"][0]["text"]


@contextmanager
def answering() -> Iterator[int]:
    """Something that speaks HTTP/1, and passes nothing on of what comes slowly."""

    class Slow(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            if "follow" in self.path:
                time.sleep(1.5)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Slow)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("days", "names", "trusted", "expected"),
    [
        (90, ("localhost",), True, ""),
        (5, ("localhost",), True, "ends in"),
        (-1, ("localhost",), True, "expired"),
        (90, ("elsewhere.example",), True, "mismatch"),
        (90, ("localhost",), False, "self-signed"),
    ],
)
def test_certificates(
    tmp_path: Path, days: float, names: tuple[str, ...], trusted: bool, expected: str
) -> None:
    cert, key = map(str, certificates.made(tmp_path, days=days, names=names))
    with _over_tls(cert, key) as port:
        trust = ["--tls-ca", cert] if trusted else ["--tls"]
        _, found = findings(f"localhost:{port}", *trust)
    texts = [
        one["text"].replace("self signed", "self-signed") for one in found.get("certificate", ())
    ]
    assert [expected in text for text in texts] == [True] * bool(expected)


@contextmanager
def _over_tls(cert: str, key: str) -> Iterator[int]:
    """Something that shows a certificate, and says no more."""
    import ssl

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                line, _ = listening.accept()
            except OSError:
                return
            try:
                context.wrap_socket(line, server_side=True).close()
            except OSError:
                line.close()

    Thread(target=serve, daemon=True).start()
    yield listening.getsockname()[1]
    listening.close()


def test_limits(tmp_path: Path) -> None:
    with serving.running(tmp_path / "m.kifu", prefix=["prlimit", "--nofile=1024:1024"]) as few:
        code, found = findings(few.address, "--token", few.token)
        assert (code, [*found]) == (1, ["limits"])


# -- stores ----------------------------------------------------------------------------------------


def test_a_file_that_anybody_reads_on_a_disk_that_passes(tmp_path: Path) -> None:
    Records(tmp_path / "m.kifu").close()
    code, found = findings("--store", str(tmp_path / "m.kifu"))
    assert {*found} <= {"place"}
    (tmp_path / "m.kifu").chmod(0o644)
    _, found = findings("--store", str(tmp_path / "m.kifu"))
    assert any("read by others" in one["text"] for one in found["place"])
    if Path("/dev/shm").is_dir():
        passing = Path("/dev/shm") / f"{tmp_path.name}.kifu"
        try:
            Records(passing).close()
            _, found = findings("--store", str(passing))
            assert any("lost at a restart" in one["text"] for one in found["place"])
        finally:
            for one in passing.parent.glob(f"{passing.name}*"):
                one.unlink()
    code, found = findings("--store", str(tmp_path / "nowhere.kifu"))
    assert (code, [*found]) == (2, ["store"])


def test_a_database_that_forgets_lacks_tables_or_is_gone(
    postgres_server: postgres.Server,
) -> None:
    url = postgres_server.database()
    name = url.rpartition("/")[2]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off".encode())
    code, found = findings("--store", url)
    assert (code, [*found]) == (2, ["durability"])
    code, found = findings("--store", postgres_server.database(empty=True))
    assert (code, [*found]) == (2, ["migrations"])
    code, found = findings("--store", f"{url}_that_is_not")
    assert (code, [*found]) == (2, ["store"])
    code, found = findings("--store", f"postgresql://postgres@127.0.0.1:{free_port()}/x")
    assert (code, [*found]) == (2, ["store"])


def test_nothing_is_well_of_a_database_that_is_gone_behind_its_server(tmp_path: Path) -> None:
    with postgres.running() as database:
        url = database.database()
        one = serving.start(tmp_path / "m.kifu", store=url, http_port=0)
    try:
        until(lambda: httpx.get(f"{one.web}/readyz").status_code == 503)  # it knows
        words = [one.address, "--token", one.token, "--web", one.web, "--store", url]
        done = CliRunner().invoke(doctor_command, [*words, "--json"])
        checks = {check["name"]: check["result"] for check in json.loads(done.stdout)["checks"]}
    finally:
        one.process.kill()
    assert done.exit_code == 2
    needs = {"store", "health", "writable", "migrations", "durability", "latency", "listen", "log",
             "clocks", "streams", "news"}  # fmt: skip
    assert {name: checks[name] for name in needs if checks[name] in ("well", "skipped")} == {}


@pytest.mark.skipif(not shutil.which("pgbouncer"), reason="pgbouncer is not installed")
@pytest.mark.parametrize(("mode", "problems"), [("transaction", ["listen"]), ("session", [])])
def test_through_a_pool(postgres_server: postgres.Server, mode: str, problems: list[str]) -> None:
    url = postgres_server.database()
    name, port = url.rpartition("/")[2], free_port()
    folder = Path(tempfile.mkdtemp())  # where one who is not root can read
    file = folder / "pgbouncer.ini"
    (folder / "users").write_text('"postgres" ""\n')
    file.write_text(
        f"[databases]\n{name} = host=127.0.0.1 port={postgres_server.port}\n[pgbouncer]\n"
        f"listen_addr=127.0.0.1\nlisten_port={port}\nauth_type=trust\nunix_socket_dir=\n"
        f"auth_file={folder / 'users'}\npool_mode={mode}\n"
        "ignore_startup_parameters=extra_float_digits,options\n"
    )
    folder.chmod(0o755)
    file.chmod(0o644)
    process = subprocess.Popen(
        ["pgbouncer", "-q", "-u", "nobody", str(file)], stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        _, found = findings("--store", f"postgresql://postgres@127.0.0.1:{port}/{name}")
        assert [*found] == problems, found
    finally:
        process.terminate()
        process.wait(10)
        shutil.rmtree(folder)
