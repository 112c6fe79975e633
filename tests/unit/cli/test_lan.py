"""`kifu serve --lan`: the address for phones, and a certificate that is made once."""

from __future__ import annotations

import datetime
import socket
import ssl
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509

from replay_cli.commands.running import network
from replay_cli.output import Failed
from service.deploy import lan
from tests.support import serving

NOW = datetime.datetime.now(datetime.UTC)


def test_the_addresses_of_this_machine_are_found_without_sending_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Probe(socket.socket):
        def connect(self, address: object) -> None:
            assert address == ("192.0.2.1", 9)

        def getsockname(self) -> tuple[str, int]:
            return ("10.1.2.3", 5)

    def known(*_: object) -> list[Any]:
        return [(0, 0, 0, "", (one, 0)) for one in ("127.0.1.1", "192.168.0.7", "10.1.2.3")]

    monkeypatch.setattr(lan.socket, "socket", Probe)
    monkeypatch.setattr(lan.socket, "getaddrinfo", known)
    assert lan.addresses() == ["10.1.2.3", "192.168.0.7"]


def test_a_certificate_is_made_once_and_anew_for_other_addresses(tmp_path: Path) -> None:
    data = tmp_path / "m.kifu"

    def made(hosts: list[str], days: float = 0) -> str:
        cert, key = lan.certificate(data, hosts, NOW + datetime.timedelta(days=days))
        assert not key.stat().st_mode & 0o077
        names = x509.load_pem_x509_certificate(cert.read_bytes()).extensions
        found = names.get_extension_for_class(x509.SubjectAlternativeName).value
        known = found.get_values_for_type(x509.IPAddress)
        assert {*map(ip_address, hosts)} <= {*known}
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(cert, key)
        return lan.fingerprint(cert)

    first = made(["10.1.2.3", "192.168.0.7"])
    assert made(["192.168.0.7"], days=80) == first
    assert made(["10.9.9.9"]) != first
    third = made(["10.9.9.9"])
    assert made(["10.9.9.9"], days=lan.DAYS - 1) != third
    third = made(["10.9.9.9"])
    data.with_name("m.kifu-lan-key.pem").chmod(0o644)
    assert made(["10.9.9.9"]) != third


def on_network(tmp_path: Path, **given: Any) -> network.Network:
    values = {"port": None, "cert": None, "key": None, "web": "", **given}
    return network.on_network(tmp_path / "m.kifu", **values)


def test_phones_are_led_to_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found: Callable[[], list[str]] = lambda: ["127.0.0.1", "192.168.0.7"]  # noqa: E731
    monkeypatch.setattr(network.lan, "addresses", found)
    made = on_network(tmp_path)
    assert (made.port, made.web) == (8080, "https://127.0.0.1:8080")
    made.show()
    shown = capsys.readouterr().out
    assert "Phones on this network open https://127.0.0.1:8080" in shown
    assert "https://192.168.0.7:8080" in shown
    assert lan.fingerprint(made.cert) in shown
    assert "█▀" in shown
    named = on_network(tmp_path, cert=made.cert, key=made.key, web="https://kifu.example/")
    assert (named.web, named.own) == ("https://kifu.example", False)
    pages = {"http_host": "127.0.0.1", "http_cert": str(made.cert), "http_key": str(made.key)}
    with serving.running(tmp_path / "s.kifu", http_port=0, **pages) as site:
        trusted = ssl.create_default_context(cafile=str(made.cert))
        assert httpx.get(f"{site.web}/livez", verify=trusted).text == "ok\n"
        with site.client() as client:  # gRPC needs no certificate here
            assert not [*client.list_matches()]


def test_without_a_network_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network.lan, "addresses", list)
    with pytest.raises(Failed, match="no address on a network"):
        on_network(tmp_path)
