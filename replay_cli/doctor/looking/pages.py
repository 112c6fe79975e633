"""Looking at pages: their health, and whether a stream of events comes through at once."""

from __future__ import annotations

import ssl
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from replay_cli.doctor.seen import Pages

#: What says that a server behind an address is not well, and nothing of streams.
_GATEWAY = (502, 503, 504)
#: How long an answer, and the first of a stream, may take, in seconds.
PATIENCE, LONGEST = 5.0, 10.0


def look(web: str, match: str = "", token: str = "", root: Path | None = None) -> Pages:
    """The server at an address of pages; `match`: one that may be followed."""
    found = Pages(address=web)
    trusted = ssl.create_default_context(cafile=str(root) if root is not None else None)
    web = web.rstrip("/")
    try:
        found.health = _health(web, trusted)
        if match:
            _follow(found, f"{web}/m/{match}/follow?after=0", token, trusted)
    except (OSError, HTTPException, ValueError) as error:
        found.unreachable = str(getattr(error, "reason", "") or error)
    return found


def _health(web: str, trusted: ssl.SSLContext) -> int:
    """The status that health answers with; an older version knows one address less."""
    status = 0
    for path in ("readyz", "healthz"):
        try:
            with urlopen(f"{web}/{path}", timeout=PATIENCE, context=trusted) as answer:
                return int(answer.status)
        except HTTPError as error:
            status = error.code
            if status != 404:
                break
    return status


def _follow(found: Pages, address: str, token: str, trusted: ssl.SSLContext) -> None:
    """See how soon the first of a stream comes."""
    headers = {"accept": "text/event-stream"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    begun = time.monotonic()
    try:
        with urlopen(Request(address, headers=headers), timeout=LONGEST, context=trusted) as answer:
            came: Any = answer.read1(1)
    except HTTPError as error:
        which = "unfollowed" if error.code in _GATEWAY else "stream"
        setattr(found, which, f"HTTP {error.code}")
        return
    except TimeoutError:
        found.stream = f"nothing came for {LONGEST:.0f} s"
        return
    found.first = time.monotonic() - begun
    if not came:
        found.stream = "it ended at once"
