"""`kifu serve --lan`: the address for phones, its certificate, and the QR code for the wall.

gRPC stays on this machine, so that the commands of the organiser need no certificate.
"""

from __future__ import annotations

import datetime
import socket
from pathlib import Path

import click
from msgspec import Struct

from domain.words.phrases import phrase
from replay_cli.output import MISSING, Failed, say
from service.deploy import lan

#: The port of the pages, if none is named.
PORT = 8080


class Network(Struct, frozen=True):
    """Where phones find the pages: `web`, and by the other addresses of this machine, too."""

    port: int
    web: str
    others: tuple[str, ...]
    cert: Path
    key: Path
    own: bool = True

    def show(self) -> None:
        """Print the addresses, what to know of the certificate, and the code for the wall."""
        import segno  # which few commands need

        click.echo(say(phrase("Phones on this network open {web}", web=self.web)))
        for one in self.others:
            other = say(phrase("or, if that is not their network, {web}", web=one))
            click.echo(f"  {other}")
        if self.own:
            asks = phrase(
                "Its certificate is signed by itself: browsers ask once, and show as its hash"
            )
            yours = phrase(
                "One that they trust is for a name of yours: --tls-cert, --tls-key, --web."
            )
            click.echo(f"{say(asks)}\n  SHA-256 {lan.fingerprint(self.cert)}\n{say(yours)}")
        segno.make(self.web, error="m", micro=False).terminal(compact=True, border=2)


def on_network(
    data: Path, port: int | None, cert: Path | None, key: Path | None, web: str
) -> Network:
    """How phones reach this machine; a certificate is made if none is named. Raises `Failed`."""
    found = lan.addresses()
    if not found:
        hint = "join a network, or open a hotspot; kifu serve --http 8080 serves this machine"
        raise Failed("this machine has no address on a network", MISSING, [hint])
    number = PORT if port is None else port or _free()
    own = cert is None or key is None
    if cert is None or key is None:
        try:
            cert, key = lan.certificate(data, found, datetime.datetime.now(datetime.UTC))
        except OSError as error:
            text = phrase(
                "the certificate can't be written beside {data}: {strerror}",
                data=data,
                strerror=error.strerror,
            )
            raise Failed(text) from None
    first, *others = (f"https://{one}:{number}" for one in found)
    return Network(number, web.rstrip("/") or first, tuple(others), cert, key, own)


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])
