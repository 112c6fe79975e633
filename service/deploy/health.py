"""Asks a service whether it serves: for containers, supervisors and people.

    python -P -m service.deploy.health [HOST:PORT | http://HOST:PORT] [ready | store | news]

It asks by gRPC, or where its pages or metrics are (`/healthz`, `/readyz`). Without a further word:
whether it is alive, which is what to start it again for; `ready`: whether it may be sent calls;
`store`, `news`: whether that part of it works. Exit code 0: it does; 1: it does not, or can't be
reached, which is reported on standard error. It needs no token. Where the service speaks TLS,
KIFU_TLS_CA names a certificate to trust, and KIFU_TLS_NAME the name in it, if that is not the
host's (by gRPC).
"""

from __future__ import annotations

import os
import ssl
import sys
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

#: The default address of the service, and how long it may take to answer, in seconds.
ADDRESS, PATIENCE = "127.0.0.1:7777", 4.0
#: The HTTP answers for a part that works, or that is not there and need not be.
WELL = ("ok", "not needed")


def fault(address: str, tls_root: str = "", tls_name: str = "", part: str = "") -> str:
    """Why a service does not serve, or a part of it does not work; empty: it does."""
    if "://" in address:
        return _fault_over_http(address, tls_root, part)
    with _channel(address, tls_root, tls_name) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        try:
            found = check(health_pb2.HealthCheckRequest(service=part), timeout=PATIENCE)
        except grpc.RpcError as error:
            call: Any = error
            return f"{address}: {call.code().name}: {call.details()}"
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(found.status)
    return "" if status == "SERVING" else f"{address}: {part and f'{part} '}{status}"


def _fault_over_http(address: str, tls_root: str, part: str) -> str:
    """The same, by what is answered over HTTP."""
    trusted = ssl.create_default_context(cafile=tls_root or None)
    path = f"{address}/{'readyz' if part else 'healthz'}"
    try:
        with urlopen(path, timeout=PATIENCE, context=trusted) as answer:
            body = answer.read()
    except HTTPError as error:
        if not part:
            return f"{address}: {error}"
        body = error.read()
    except (OSError, ValueError) as error:
        return f"{address}: {error}"
    states = dict(line.partition(": ")[::2] for line in body.decode(errors="replace").splitlines())
    state = states.get(part, "unknown") if part else "ok"
    return "" if state in WELL else f"{address}: {part} {state}"


def _channel(address: str, tls_root: str, tls_name: str) -> grpc.Channel:
    if not tls_root:
        return grpc.insecure_channel(address)
    options = [("grpc.ssl_target_name_override", tls_name)] if tls_name else []
    trusted = grpc.ssl_channel_credentials(Path(tls_root).read_bytes())
    return grpc.secure_channel(address, trusted, options)


def main(arguments: list[str]) -> int:
    """Say what is wrong, if anything; the exit code."""
    address, part = [*arguments, *(ADDRESS, "")[len(arguments) :]][:2]
    root, name = os.environ.get("KIFU_TLS_CA", ""), os.environ.get("KIFU_TLS_NAME", "")
    try:
        wrong = fault(address, root, name, part)
    except OSError as error:
        wrong = f"{root} can't be read: {error.strerror}"
    if wrong:
        print(wrong, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
