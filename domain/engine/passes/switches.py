"""The switch of a seat: at which decisions it is asked though it may pass.

It is set once and lasts; like an auto-pass it is no entry (`autopass`, which holds it). When it
answers is in `paced`.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from msgspec import Struct

from domain.record.schema.manifest import Manifest
from domain.words.phrases import Phrase, phrase

#: When it is asked: where it could do something else; only at the kinds of decisions it marked.
ABLE, MARKED = "able", "marked"
#: How long a pass takes, in milliseconds: each doubling of the time between these as likely.
LEAST, MOST = 700, 4200


class Switch(Struct, array_like=True, frozen=True):
    """When a seat is asked, the kinds of decisions that it marked, and what its delays come from.

    It answers decisions that are opened after number `since`: those that were open when it was set
    are for the seat.
    """

    asks: str
    marked: tuple[str, ...] = ()
    secret: int = 0
    since: int = 0


def faults(switch: Switch, manifest: Manifest, mode: str) -> Iterator[Phrase]:
    """The faults of a switch in this game."""
    if switch.asks not in (ABLE, MARKED):
        yield phrase("a seat is asked always, where it is able, or at what it marked")
    if mode == "table":
        yield phrase("a seat at a real table has no switch")
    known = markable(manifest)
    for kind in switch.marked:
        if kind not in known:
            yield phrase("there is no decision {kind!r} that may be passed", kind=kind)


def markable(manifest: Manifest) -> list[str]:
    """The kinds of decisions that may be passed, in the order of the manifest."""
    passes = frozenset(manifest.passes)
    kinds = [word.name for word in manifest.decisions]
    return [kind for kind in kinds if passes.intersection(manifest.answers.get(kind, ()))]


def delay(secret: int, n: int) -> int:
    """How long the pass of decision `n` takes, in milliseconds."""
    drawn = sha256(f"pass {secret} {n}".encode()).digest()[:8]
    share = int.from_bytes(drawn) / 2**64
    return int(LEAST * (MOST / LEAST) ** share)
