"""Looks at an address for calls: whether a server answers, its health, its processes.

A proxy is asked about several things that there need not be, twice about each: so it shows which
servers are behind it, and whether all that is about one thing reaches one of them.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from kifu.v1 import admin_service_pb2

from replay_cli.doctor.seen import Certificate, Endpoint, Process
from service.client.client import CallError, Client, connect
from service.client.connection import ABOUT

#: How long an answer may take, in seconds; about how many things a proxy is asked.
PATIENCE, THINGS = 5.0, 16


def look(
    address: str, token: str, *, tls: bool = False, root: Path | None = None
) -> Iterator[Endpoint]:
    """The servers at an address; if its name resolves to several machines, each of them."""
    host, _, port = address.rpartition(":")
    places = [address] if tls else [f"{_bracketed(one)}:{port}" for one in _hosts(host, int(port))]
    for place in places if len(places) > 1 else [address]:
        yield _look(place, host, token, tls, root)


def _look(address: str, host: str, token: str, tls: bool, root: Path | None) -> Endpoint:
    found = Endpoint(address=address, tls=tls, loopback=_is_loopback(address))
    place = host.strip("[]"), int(address.rpartition(":")[2])
    try:
        socket.create_connection(
            (address.rpartition(":")[0].strip("[]"), place[1]), PATIENCE
        ).close()
    except OSError as error:
        found.unreachable = (error.strerror or str(error)).lower()
        return found
    if tls:
        found.certificate = _certificate(*place, root)
        if found.certificate.wrong:
            return found
    with connect(address, token, tls_root=root, tls=tls) as client:
        found.health, found.unreachable = _health(client)
        if found.unreachable:
            found.http1 = not tls and _speaks_http1(address)
        else:
            _describe(client, found)
    return found


def _health(client: Client) -> tuple[str, str]:
    """Its health, and why it is unknown."""
    stub = health_pb2_grpc.HealthStub(client._channel)
    try:
        answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
    except grpc.RpcError as error:
        failed: Any = error
        return "", f"{failed.code().name.lower()}: {failed.details()}"
    return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status), ""


def _describe(client: Client, found: Endpoint) -> None:
    """Find out which processes answer there, and what they are."""
    processes, asked = dict[str, Process](), defaultdict[str, set[str]](set)
    try:
        for n in range(2 * THINGS):
            thing = f"doctor-{n % THINGS}"
            one = _described(client, thing)
            processes.setdefault(one.server, one)
            asked[thing].add(one.server)
    except CallError as error:
        found.refused = error.reason if error.reason != "UNIMPLEMENTED" else "an older version"
    found.processes, found.asked = [*processes.values()], asked


def _described(client: Client, thing: str) -> Process:
    """The process that answers a call about something, and how its clock goes beside ours."""

    def method(request: Any, metadata: Any, timeout: float) -> Any:
        headers = (*metadata, (ABOUT, thing))
        return client.admin.DescribeServer(request, metadata=headers, timeout=timeout)

    before = time.time()
    answer = client.call(method, admin_service_pb2.DescribeServerRequest(), PATIENCE)
    after = time.time()
    return Process(
        server=answer.server,
        name=answer.name,
        version=answer.version,
        leaving=answer.leaving,
        engines={one.name: one.value for one in answer.engines},
        newest_event=answer.newest_event,
        key=answer.key,
        log_key=answer.log_key,
        keeps_log=answer.keeps_log,
        open_files=answer.open_files,
        store={one.name: one.value for one in answer.store},
        news=answer.news,
        ahead=answer.now.ToNanoseconds() / 1e9 - (before + after) / 2,
        give=(after - before) / 2,
    )


def _certificate(host: str, port: int, root: Path | None) -> Certificate:
    """The certificate that is shown there, and why it is not trusted."""
    context = ssl.create_default_context(cafile=str(root) if root is not None else None)
    context.set_alpn_protocols(["h2"])
    try:
        with (
            socket.create_connection((host, port), PATIENCE) as plain,
            context.wrap_socket(plain, server_hostname=host) as secure,
        ):
            shown = secure.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        return Certificate(wrong=error.verify_message)
    except OSError as error:  # a fault of TLS is one
        return Certificate(wrong=getattr(error, "reason", "") or str(error))
    return Certificate(expires=ssl.cert_time_to_seconds(str(shown["notAfter"])))


def _speaks_http1(address: str) -> bool:
    """Whether the server there answers as HTTP/1 does."""
    host, _, port = address.rpartition(":")
    with (
        suppress(OSError),
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE) as line,
    ):
        line.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        return line.recv(7).startswith(b"HTTP/1.")
    return False


def _hosts(host: str, port: int) -> list[str]:
    """The addresses of a name; none if it has none."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return [*dict.fromkeys(str(one[4][0]) for one in found if one[0] == found[0][0])]


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_loopback(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
