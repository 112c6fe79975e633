"""Keeping evidence that is there already: no export takes the place of another one's.

What somebody has exported may be the only copy that tells of what was altered since. So a file that
proves something is written again only with what proves all of that as well: the same copy, or the
same match as it has gone on since.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from domain.record.entries import Entry
from domain.record.proof import bundle
from domain.record.proof.bundle import BadBundle, Bundle
from domain.tournament import copy
from domain.tournament.copy import Copy
from domain.words.phrases import phrase
from replay_cli import record
from replay_cli.auditing.evidence import ANCHOR, bundle_of
from replay_cli.output import REFUSED, Failed


def require_kept(path: Path, proof: Bundle | Copy | None) -> None:
    """Raises `Failed` if to write an export there would lose what another one proves."""
    was = _proof_in(path)
    if was is not None and (proof is None or not _covers(proof, was)):
        raise _refused(path)


def require_kept_bundle(path: Path, entries: Sequence[Entry], proof: Bundle | None) -> None:
    """The same for a transcript, and for what lies beside it: that proves no other text."""
    require_kept(path, None)
    if proof is not None:
        require_kept(bundle_of(path), proof)
    elif (was := _proof_in(bundle_of(path))) is not None and [*was.entries] != [*entries]:
        raise _refused(bundle_of(path))


def _covers(new: Bundle | Copy, was: Bundle | Copy) -> bool:
    """Whether all that was proven is proven by what is to be written."""
    if isinstance(new, Copy) or isinstance(was, Copy):
        return isinstance(new, Copy) and isinstance(was, Copy) and _leads_on(new, was)
    n = len(was.entries)
    return (
        (new.proof.match, new.viewer) == (was.proof.match, was.viewer)
        and [*new.entries[:n]] == [*was.entries]
        and new.proof.openings[:n] == was.proof.openings
        and (len(new.entries) > n or new.proof.head == was.proof.head)
        and all(one in new.disclosed for one in was.disclosed)
        and (ANCHOR in new.attached or ANCHOR not in was.attached)
    )


def _leads_on(new: Copy, was: Copy) -> bool:
    """Whether a copy of an event is that of the same, as it has gone on since."""
    same = (new.event, new.viewer) == (was.event, was.viewer)
    if not same or (ANCHOR in was.attached and ANCHOR not in new.attached):
        return False
    return was.head in copy.check(new)


def _proof_in(path: Path) -> Bundle | Copy | None:
    """The proof in a file, if it has a readable one."""
    if not path.is_file():
        return None
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None  # it is something else
    if bundle.LINE not in text or record.is_transcript(text):
        return None
    try:
        return copy.read(text) if copy.is_copy(text) else record.parsed(path, text)[1]
    except (Failed, BadBundle) as error:
        raise _refused(path) from error


def _refused(path: Path) -> Failed:
    why = phrase("{path} has evidence of another export, which is not written over", path=path)
    return Failed(why, REFUSED, [phrase("name another file, or put that one elsewhere")])
