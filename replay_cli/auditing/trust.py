"""The trusted sources of an auditor: heads, keys and checkpoints from elsewhere than the file.

`anchoring` uses what is signed, `chaining` the heads. A log is a folder of static files
(`domain.record.proof.anchors.tiles`), of which the checkpoint is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from domain.record.proof.anchors import findings, notes, policy
from domain.record.proof.anchors.checkpoints import Checkpoint, checkpoint
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.findings import Archive
from domain.record.proof.anchors.notes import Note
from domain.record.proof.anchors.policy import Judged, Policy, Standing
from domain.record.proof.anchors.tiles import CHECKPOINT, BadTile
from domain.record.proof.chain import HASH
from domain.words.phrases import phrase
from replay_cli.output import REFUSED, USAGE, Failed

#: Digits of the short form of a head.
_SHORT = 30


class Trust(Struct, frozen=True):
    """Heads as hex or as short forms, who signs, checkpoints that hold, a log in hand whole."""

    heads: Sequence[str] = ()
    policy: Policy = Policy()
    checkpoints: Sequence[Judged] = ()
    archive: Archive | None = None


def head_of(text: str) -> str:
    """A head as somebody wrote it: 64 hex digits, or 30 digits; raises `ValueError`.

    What parts the digits does not matter, nor the number of its entry before it (`head 214: …`).
    """
    packed = re.sub(r"[\s.\-]", "", text.rpartition(":")[2]).lower()
    if re.fullmatch(rf"[0-9a-f]{{{2 * HASH}}}|[0-9]{{{_SHORT}}}", packed):
        return packed
    fault = "{text!r} is neither thirty digits nor {n} hex digits"
    raise ValueError(phrase(fault, text=text, n=2 * HASH))


def policy_of(keys: Iterable[str], file: Path | None) -> Policy:
    """The trusted logs: those of these keys, or of a policy; raises `Failed`."""
    try:
        if file is not None:
            return policy.parse(file.read_text("utf-8"))
        return Policy(tuple(map(notes.verifier_key, keys)))
    except (Malformed, UnicodeDecodeError) as error:
        raise Failed(
            phrase("the trusted keys can't be read: {error}", error=error), USAGE
        ) from error


def note_in(path: Path) -> Note:
    """The signed note in a file; raises `Failed`."""
    try:
        return notes.parse(path.read_text("utf-8"))
    except (OSError, Malformed, UnicodeDecodeError) as error:
        raise Failed(
            phrase("{path} is no checkpoint: {error}", path=path, error=error), REFUSED
        ) from error


def kept_in(path: Path) -> Checkpoint:
    """The checkpoint in a file, with any signer: it was kept by the auditor himself."""
    try:
        return checkpoint(note_in(path))
    except Malformed as error:
        raise Failed(
            phrase("{path} is no checkpoint: {error}", path=path, error=error), REFUSED
        ) from error


def checkpoint_in(path: Path, by: Policy) -> Judged:
    """The checkpoint in a file, which somebody who is believed signed; raises `Failed`."""
    try:
        judged = policy.judge(note_in(path), by)
    except Malformed as error:
        raise Failed(
            phrase("{path} is no checkpoint: {error}", path=path, error=error), REFUSED
        ) from error
    if judged.standing is not Standing.GOOD:
        raise Failed(
            phrase("{path} proves nothing: {doubts}", path=path, doubts=DOUBTS[judged.standing]),
            REFUSED,
        )
    return judged


def archive_in(folder: Path, by: Policy) -> Archive:
    """The log whose files are in a folder; raises `Failed`."""

    def fetch(path: str) -> bytes | None:
        file = folder / path
        return file.read_bytes() if file.is_file() else None

    try:
        return findings.archive(checkpoint_in(folder / CHECKPOINT, by), fetch)
    except (BadTile, OSError) as error:
        raise Failed(
            phrase(
                "the log in {folder} is not what was signed: {error}", folder=folder, error=error
            ),
            REFUSED,
        ) from error


#: Why a checkpoint does not hold.
DOUBTS = {
    Standing.UNKNOWN_KEY: "it is not signed by a log that you trust (--key)",
    Standing.FORGED: "it names a key that did not sign it",
    Standing.UNSEEN: "too few of the witnesses that you ask for have seen it",
}
