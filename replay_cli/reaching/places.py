"""Where matches are, as people write it: a server's address, a file, a database.

The options are in `connection`, the environment's names for them in `main`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from domain.words.phrases import phrase
from replay_cli.output import MISSING, BadValue, Failed

#: The default address of a server.
PORT = 7777
#: What files are called that `kifu export` and `kifu serve` write; ids of matches never end so.
SUFFIXES = (".jsonl", ".json", ".ndjson", ".txt", ".kifu", ".kifu-proof", ".toml")
#: Addresses as gRPC has them, which name how they are to be resolved.
_TARGET = re.compile(r"(dns|unix|unix-abstract|ipv4|ipv6):\S+")
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "[::]": "[::1]"}


def address(text: str) -> str:
    """HOST:PORT, HOST alone, or a target of gRPC's; raises `click.BadParameter`."""
    if _TARGET.fullmatch(text) and not re.fullmatch(r"[^:]+:[0-9]+", text):
        return text
    found = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+)(?::([0-9]{1,5}))?", text)
    port = int(found[2] or PORT) if found else 0
    if found is None or not 0 < port < 65536:
        raise BadValue(phrase("{text!r} is no address such as kifu.example.org:7777", text=text))
    return f"{found[1]}:{port}"


def named(text: str) -> str:
    """A text, or what is in the file that is named; raises `click.BadParameter`."""
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text("utf-8").strip()
    except OSError as error:
        raise BadValue(
            phrase("{text} can't be read: {strerror}", text=text[1:], strerror=error.strerror)
        ) from error
    except UnicodeDecodeError as error:
        raise BadValue(phrase("{text} is no text", text=text[1:])) from error


def listening(host: str, port: str) -> str:
    """How a server is reached from here that listens on this host and port; "" without a host."""
    if not host:
        return ""
    host = _ANYWHERE.get(host, host)
    return address(f"{f'[{host}]' if host.count(':') > 1 and host[0] != '[' else host}:{port}")


@contextmanager
def naming_address(where: str) -> Iterator[None]:
    """An error about an unreachable server names its address."""
    from service.client.connection import CallError  # which loads gRPC

    try:
        yield
    except CallError as error:
        if error.reason not in ("UNAVAILABLE", "DEADLINE_EXCEEDED"):
            raise
        hints = []
        if "handshake" in error.text.lower():
            hints = ["there it speaks TLS otherwise than here: --tls, --tls-ca FILE"]
        elif "address lookup" in error.text:
            hints = ["no host of that name is known"]
        late = error.reason == "DEADLINE_EXCEEDED"
        text = "does not answer in time" if late else "can't be reached"
        raise Failed(
            phrase("the server at {where} {text}", where=where, text=text), MISSING, hints
        ) from error


def check_file(data: Path, *, adds: bool) -> None:
    """Raises `Failed` where a file exists and has no matches in it, saying what it has."""
    try:
        with data.open("rb") as file:
            begin = file.read(2048)
    except OSError as error:
        raise Failed(
            phrase("{data} can't be read: {strerror}", data=data, strerror=error.strerror), MISSING
        ) from error
    if not begin and not adds:
        raise Failed(phrase("{data} is empty: there are no matches in it", data=data), MISSING)
    what = _kind(begin)
    if what:
        hints = [
            phrase(
                "`kifu replay`, `verify`, `audit`, `dispute` and `why-not` read it, as their MATCH;"
            ),
            phrase("`kifu import` records a transcript again"),
        ]
        raise Failed(
            phrase("{data} is {what}, and no file of matches", data=data, what=what), MISSING, hints
        )


def _kind(begin: bytes) -> str:
    """The other things that this may be the beginning of."""
    text = begin.decode("utf-8-sig", "ignore").lstrip()
    if text.startswith('{"kifu-proof"'):
        return phrase("a bundle that proves a match")
    if re.match(r'\{"seq": ?\d', text):
        return phrase("an exported record")
    return phrase("a transcript") if text.startswith("[Kifu") else ""


def is_path(match: str) -> bool:
    """Whether a name for a match is a file, or looks like one."""
    return "/" in match or "\\" in match or match.endswith(SUFFIXES) or Path(match).is_file()


def not_there(path: str | Path) -> Failed:
    """The error for a missing file."""
    return Failed(phrase("there is no file {path}", path=path), MISSING)
