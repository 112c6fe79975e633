"""The format of a piece of news: a topic for its subject, and a few bytes.

A topic is `match.ID`, `event.ID`, `credentials`, or a server's own `probe.ID`. In it an id has
letters, digits, `-`, `_`, `~` and `%XX` for every other byte: no dot, no space, and no wildcard
(`*`, `>`). The bytes are who tells it, up to which entry, and what trace that is a part of, if any:
`9f3c21ab 14 00-…-…-01`. Other messages are ignored.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from service.news.news import CREDENTIALS, EVENT, MATCH, Piece

#: What a server tells itself, to see whether anything gets through.
PROBE = "probe"
#: No entry has a number as high as this, and no topic is longer.
LAST, LONGEST = 2**31, 200
_TOPIC = re.compile(rf"({MATCH}|{EVENT}|{PROBE})\.((?:[\w~-]|%[0-9A-F]{{2}})+)", re.ASCII)
_MESSAGE = re.compile(
    rb"([0-9a-f]{8}) (0|[1-9][0-9]{0,9})(?: (00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}))?"
)


def topic(kind: str, id_: str) -> str:
    """The topic of a kind and id; raises `ValueError` if it can have none."""
    if kind == CREDENTIALS:
        return kind
    if len(id_) < LONGEST // 2 and id_.isascii() and id_.isalnum():  # as most ids are
        return f"{kind}.{id_}"
    found = f"{kind}.{quote(id_, safe='').replace('.', '%2E')}"
    if len(found) > LONGEST or not _TOPIC.fullmatch(found):
        raise ValueError(f"no topic: {found[:LONGEST]}")
    return found


def written(server: str, seq: int, trace: str = "") -> bytes:
    """The payload of a server for a topic."""
    return f"{server} {seq} {trace}".rstrip().encode()


def piece(name: str, data: bytes) -> tuple[str, Piece] | None:
    """The sender and the piece of news; None: it is malformed."""
    found = _MESSAGE.fullmatch(data)
    if found is None or int(found[2]) >= LAST or len(name) > LONGEST:
        return None
    server, seq, trace = found[1].decode(), int(found[2]), (found[3] or b"").decode()
    if name == CREDENTIALS:
        return server, Piece(CREDENTIALS, "", seq)
    known = _TOPIC.fullmatch(name)
    if known is None:
        return None
    try:
        return server, Piece(known[1], unquote(known[2], errors="strict"), seq, trace)
    except UnicodeDecodeError:
        return None
