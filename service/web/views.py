"""Through whose eyes a page shows a match, as addresses say it: `public`, `seat-0`, `official`."""

from __future__ import annotations

import re

from kifu.v1 import match_service_pb2 as pb

from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.names import player
from domain.words.phrases import Phrase, phrase
from service.api.calls.errors import malformed
from service.identity import Identity, Role

ALL = "official"
EVERYBODY = "public"


def name_of(viewer: int) -> str:
    """The name of a viewer in addresses (`domain.record.views`)."""
    return ALL if viewer == OFFICIAL else EVERYBODY if viewer == PUBLIC else f"seat-{viewer}"


def viewer_of(name: str) -> int:
    """The viewer that an address names; raises `Fault`."""
    if name in (ALL, EVERYBODY):
        return OFFICIAL if name == ALL else PUBLIC
    found = re.fullmatch(r"seat-([0-9])", name)
    if found is None:
        raise malformed("view", "must be public, official, or a seat's: seat-0")
    return int(found[1])


def view_of(name: str) -> pb.View:
    """The view that an address names, as requests ask for it; raises `Fault`."""
    viewer = viewer_of(name)
    if viewer == OFFICIAL:
        return pb.View()
    return pb.View(public=True) if viewer == PUBLIC else pb.View(seat=viewer)


def label(viewer: int) -> Phrase:
    """The name of a viewer for people."""
    if viewer in (OFFICIAL, PUBLIC):
        return phrase("officials" if viewer == OFFICIAL else "the public")
    return player(viewer)


def open_to(who: Identity, seats: int) -> list[int]:
    """The viewers that somebody may be, his own first."""
    if who.viewer == OFFICIAL:
        return [OFFICIAL, *range(seats), PUBLIC]
    return [PUBLIC] if who.role == Role.PUBLIC else [who.seat, PUBLIC]
