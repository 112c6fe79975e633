"""The log as static files, which any web server can serve (`domain.record.proof.anchors.tiles`).

Each file is written whole or not at all, the checkpoint last: what it needs is there before it is.
A directory whose checkpoint does not fit this log is left unchanged and reported: a store that was
rolled back must not overwrite the evidence.
"""

from __future__ import annotations

import os
from pathlib import Path

from domain.record.proof.anchors import notes, tiles, tree
from domain.record.proof.anchors.checkpoints import Checkpoint, checkpoint
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.tiles import CHECKPOINT, ENTRIES, WIDTH, path
from service.anchors.ledger import Ledger, Signed


class OtherLog(Exception):
    """The directory has a checkpoint of something else than this log."""


def publish(ledger: Ledger, signed: Signed, directory: Path, *, entries: bool = True) -> int:
    """Write what a directory lacks of the log up to a checkpoint; how many files that were.

    `entries`: the leaves as well, not only hashes. Raises `OtherLog`, `OSError` and `StoreError`.
    """
    now, was = signed.checkpoint, _published(directory)
    before = was.size if was is not None else 0
    if was is not None and not _grown_to(ledger, was, now):
        raise OtherLog(
            f"{directory} has a checkpoint of {was.origin} over {before} leaves, which is not"
            f" what this log has ({now.origin}, {now.size}); nothing was written"
        )
    written = 0
    for level, number, width in tiles.needed(now.size, before):
        hashes = ledger.tree.tile(level, number)[:width]
        _replace(directory / path(level, number, width), b"".join(hashes))
        written += 1
        if not level and entries:
            leaves = ledger.entries(number * WIDTH, number * WIDTH + width)
            _replace(directory / path(ENTRIES, number, width), tiles.bundle(leaves))
            written += 1
    _replace(directory / CHECKPOINT, str(signed.note).encode())
    return written + 1


def _grown_to(ledger: Ledger, was: Checkpoint, now: Checkpoint) -> bool:
    """Whether the log had what was published; `now` is its newest checkpoint."""
    same = was.origin == now.origin and was.size <= now.size
    return same and tree.root(ledger.tree.subtrees, was.size) == was.root


def _published(directory: Path) -> Checkpoint | None:
    """The checkpoint of a directory, if it has one."""
    try:
        return checkpoint(notes.parse((directory / CHECKPOINT).read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (Malformed, UnicodeDecodeError) as error:
        raise OtherLog(f"{directory / CHECKPOINT} is no checkpoint: {error}") from error


def _replace(file: Path, data: bytes) -> None:
    """Write a file whole; who reads it sees all of it or what it was before."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f".{file.name}.new")
    half.write_bytes(data)
    os.replace(half, file)
