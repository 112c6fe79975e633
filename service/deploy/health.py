"""Asks a service whether it serves: for containers, supervisors and people.

    python -P -m service.deploy.health [HOST:PORT]

Exit code 0: it does; 1: it does not, or can't be reached, which is said on standard error. It
needs no token. Where the service speaks TLS, KIFU_TLS_CA names a certificate to trust, and
KIFU_TLS_NAME the name in it, if that is not the host's.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

#: Where the service is unless it is said, and how long it may take to answer, in seconds.
ADDRESS, PATIENCE = "127.0.0.1:7777", 4.0


def fault(address: str, tls_root: str = "", tls_name: str = "") -> str:
    """Why a service does not serve; empty: it does."""
    with _channel(address, tls_root, tls_name) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        try:
            found = check(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
        except grpc.RpcError as error:
            call: Any = error
            return f"{address}: {call.code().name}: {call.details()}"
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(found.status)
    return "" if status == "SERVING" else f"{address}: {status}"


def _channel(address: str, tls_root: str, tls_name: str) -> grpc.Channel:
    if not tls_root:
        return grpc.insecure_channel(address)
    options = [("grpc.ssl_target_name_override", tls_name)] if tls_name else []
    trusted = grpc.ssl_channel_credentials(Path(tls_root).read_bytes())
    return grpc.secure_channel(address, trusted, options)


def main(arguments: list[str]) -> int:
    """Say what is wrong, if anything; the exit code."""
    address = arguments[0] if arguments else ADDRESS
    root, name = os.environ.get("KIFU_TLS_CA", ""), os.environ.get("KIFU_TLS_NAME", "")
    try:
        wrong = fault(address, root, name)
    except OSError as error:
        wrong = f"{root} can't be read: {error.strerror}"
    if wrong:
        print(wrong, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
