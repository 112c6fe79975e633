"""nginx in front of a server, as `service/deploy/nginx.conf` has it: ports and folders replaced.

What it asks of the server is in its log. Tests that need it are left out where it is not installed.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.ports import free_port, free_ports
from tests.support.waiting import until

CONFIG = Path(__file__).parents[2] / "service" / "deploy" / "nginx.conf"
CLUSTER = CONFIG.parent / "cluster" / "nginx.conf"
_MARK = "/mark-"
_MAIN = """
user root;
worker_processes 1;
worker_rlimit_nofile 16384;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 8192; }}
http {{
    log_format asked '$request_uri|$status|$upstream_addr|$http_kifu_match';
    access_log {folder}/asked.log asked;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {config}
}}
"""


class Proxy:
    """nginx that runs: where it answers, and what it has asked of the servers."""

    def __init__(self, folder: Path, port: int, calls: int = 0) -> None:
        self._folder, self.port, self._marks = folder, port, 0
        self.web, self.address = f"http://127.0.0.1:{port}", f"127.0.0.1:{calls}"

    def lines(self) -> list[tuple[str, str, str, str]]:
        """The requests so far: the address, the status, the servers, and the match.

        nginx writes a line when an answer is through, and one after the other: so once there is one
        of a request that is made here, all before it are there.
        """
        self._marks += 1
        mark = f"{_MARK}{self._marks}"
        httpx.get(f"{self.web}{mark}")
        until(lambda: f"{mark}|" in self._log())
        found = [cast(Any, tuple(line.split("|"))) for line in self._log().splitlines()]
        return [line for line in found if not line[0].startswith(_MARK)]

    def _log(self) -> str:
        return (self._folder / "asked.log").read_text()

    def asked(self) -> tuple[Counter[str], Counter[str]]:
        """How often each address was asked for, and how often nginx asked the server for it."""
        everybody, origin = Counter[str](), Counter[str]()
        for address, _, upstream, _ in self.lines():
            everybody[address] += 1
            if upstream != "-":
                origin[address] += 1
        return everybody, origin


def program() -> str:
    """Where nginx is; empty: nowhere."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin") or ""


@contextmanager
def nginx(folder: Path, web: str, *, followers: int = 4096) -> Iterator[Proxy]:
    """nginx before the server at `web`; skips the test where it is not installed."""
    port = free_port()
    changes = [
        ("127.0.0.1:8080", urlsplit(web).netloc),
        ("listen 80;", f"listen 127.0.0.1:{port} backlog=4096;"),
        ("/var/cache/nginx/kifu", str(folder / "cache")),
        ("limit_conn followers 256;", f"limit_conn followers {followers};"),
    ]
    with _running(folder, CONFIG, changes, port):
        yield Proxy(folder, port)


@contextmanager
def in_front(
    folder: Path, servers: Sequence[tuple[str, str]], otherwise: Sequence[tuple[str, str]] = ()
) -> Iterator[Proxy]:
    """nginx before three servers, as a cluster has it: their addresses for calls and for pages.

    `otherwise`: what is changed in its configuration.
    """
    calls, pages = free_ports(2)
    changes = [
        ("listen 7777 http2;", f"listen 127.0.0.1:{calls} http2;"),
        ("listen 80;", f"listen 127.0.0.1:{pages};"),
        *((f"server kifu-{n}:7777", f"server {one}") for n, (one, _) in enumerate(servers, 1)),
        *((f"server kifu-{n}:8080", f"server {one}") for n, (_, one) in enumerate(servers, 1)),
        *otherwise,
    ]
    with _running(folder, CLUSTER, changes, pages):
        yield Proxy(folder, pages, calls)


@contextmanager
def _running(
    folder: Path, config: Path, changes: Sequence[tuple[str, str]], port: int
) -> Iterator[None]:
    """nginx with a configuration in which something is changed, once it listens on a port."""
    if not (found := program()):
        pytest.skip("nginx is not installed (Debian: apt install nginx-light)")
    folder.mkdir(exist_ok=True)
    text = config.read_text()
    for was, now in changes:
        assert was in text
        text = text.replace(was, now)
    file = folder / "nginx.conf"
    file.write_text(_MAIN.format(folder=folder, config=text))
    words = ["-p", folder, "-e", folder / "error.log", "-c", file, "-g", "daemon off;"]
    process = subprocess.Popen([found, *words])
    try:
        _wait(port, folder)
        yield
    finally:
        process.terminate()
        process.wait(20)


def _wait(port: int, folder: Path) -> None:
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError((folder / "error.log").read_text())
