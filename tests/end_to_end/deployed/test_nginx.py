"""nginx in front of three servers: who asks for the same match reaches the same one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import grpc
import httpx
import pytest
from kifu.v1.code_service_pb2 import ExchangeCodeRequest

from service.client.client import CallError, connect
from service.credentials import spelling
from tests.support import serving
from tests.support.proxies import Proxy, in_front
from tests.support.serving import Running

pytestmark = pytest.mark.long
MATCHES = [f"match{n}" for n in range(120)]  # of which each has a tenth, wherever they listen


@contextmanager
def in_front_of_three(folder: Path) -> Iterator[tuple[Proxy, list[Running]]]:
    """Three servers that know nothing of one another, with the same key, behind nginx."""
    servers: list[Running] = []
    try:
        for n in range(3):
            if n:
                (folder / f"{n}.kifu-key").write_text((folder / "0.kifu-key").read_text())
                (folder / f"{n}.kifu-key").chmod(0o600)
            servers.append(serving.start(folder / f"{n}.kifu", http_port=0, proxies=["127.0.0.1"]))
        places = [(one.address, urlsplit(one.web).netloc) for one in servers]
        with in_front(folder / "nginx", places) as proxy:
            yield proxy, servers
    finally:
        for one in servers:
            one.process.kill()


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Proxy, list[Running]]]:
    with in_front_of_three(tmp_path_factory.mktemp("front")) as found:
        yield found


def ask_for_all(proxy: Proxy, token: str) -> None:
    """Call for each match, which none of the servers has."""
    with connect(proxy.address, token) as client:
        for match in MATCHES:
            with pytest.raises(CallError) as refused:
                client.match(match)
            assert refused.value.reason == "MATCH_UNKNOWN", "answered by one of them"


def reached(proxy: Proxy) -> dict[str, set[str]]:
    """By what requests were about: the servers that were asked, by the places in their list."""
    found = defaultdict[str, set[str]](set)
    for address, _, upstream, about in proxy.lines():
        named = about if about != "-" else address.split("/")[2] if address[1:3] == "m/" else ""
        found[named].add(upstream)
    return found


def test_a_match_has_its_server_by_grpc_and_by_http(front: tuple[Proxy, list[Running]]) -> None:
    proxy, servers = front
    for _ in range(3):
        ask_for_all(proxy, servers[0].token)
    with httpx.Client(base_url=proxy.web) as web:
        for match in MATCHES:
            assert web.get(f"/m/{match}").status_code == 404
            assert web.get(f"/desk/{match}").status_code in (401, 404)
    found = reached(proxy)
    ports = {one.address.rpartition(":")[2]: urlsplit(one.web).port for one in servers}
    shares = defaultdict[int, int](int)
    for match in MATCHES:
        calls = [one for one in found[match] if one.rpartition(":")[2] in ports]
        assert len(calls) == 1, "all calls about a match reach one server"
        assert len(found[match]) == 2, "and its pages one as well"
        shares[int(calls[0].rpartition(":")[2])] += 1
    assert len(shares) == 3
    assert min(shares.values()) >= len(MATCHES) // 10


def test_what_is_about_nothing_is_shared_among_all(front: tuple[Proxy, list[Running]]) -> None:
    proxy, servers = front
    before = len(proxy.lines())
    with connect(proxy.address, servers[0].token) as client:
        for _ in range(30):
            client.games()
    assert len({upstream for _, _, upstream, _ in proxy.lines()[before:]}) == 3


def test_codes_are_counted_by_who_tries_them(front: tuple[Proxy, list[Running]]) -> None:
    """The attempts of one address are no other's, though all come by the proxy."""
    _, servers = front
    with servers[2].client() as client:

        def reason(address: str) -> str:
            method = client.codes.ExchangeCode.with_call
            headers = (("x-forwarded-for", address),)
            with pytest.raises(grpc.RpcError) as refused:
                method(ExchangeCodeRequest(code=spelling.new()), metadata=headers)
            return CallError(refused.value).reason

        tried = [reason("203.0.113.7") for _ in range(12)]
        assert tried[0] != tried[-1] == "TOO_MANY_CODES"
        assert reason("203.0.113.8") == tried[0]


def test_a_server_that_dies_is_missed_by_nobody(tmp_path: Path) -> None:
    with in_front_of_three(tmp_path) as (proxy, servers):
        ask_for_all(proxy, servers[0].token)
        before = reached(proxy)
        servers[1].kill()
        ask_for_all(proxy, servers[0].token)
        lines = proxy.lines()[-len(MATCHES) :]
    gone = servers[1].address
    assert gone in set().union(*before.values())
    for _, _, upstream, about in lines:
        if gone not in before[about]:
            assert upstream in before[about], "who was elsewhere stays there"
        else:
            assert upstream.rpartition(", ")[2] != gone


def test_nobody_is_there(tmp_path: Path) -> None:
    """Clients of gRPC get it as a status, and that they may try again."""
    with (
        in_front(tmp_path, [("127.0.0.1:1", "127.0.0.1:1")] * 3) as proxy,
        connect(proxy.address, "") as client,
    ):
        with pytest.raises(CallError) as refused:
            client.games()
        assert (refused.value.code, refused.value.text) == ("UNAVAILABLE", "no server answered")
        assert httpx.get(f"{proxy.web}/m/x").status_code == 502
