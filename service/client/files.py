"""Reads what Kifu has written, without a server: its files, and the position they fold to.

A record is the list of its entries. It comes from a file of matches (`matches.kifu`), an exported
record (a line of JSON for each entry, in the words of the contract), a bundle with its proof, or a
transcript, which is played again. Nothing is written, and no rules are needed but for transcripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

from google.protobuf.json_format import ParseError
from kifu.v1 import events_pb2

from domain.record import events as ev
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold_all
from domain.record.points import Point
from domain.record.proof import bundle
from domain.record.proof.bundle import Bundle
from domain.record.proof.openings import Unproven
from domain.record.views import OFFICIAL, redact
from domain.words.phrases import phrase
from service import wire
from service.client import from_json
from service.client.seen import SeenPosition, at_hand
from service.store.sqlite.file import SQLITE

T = TypeVar("T")


class BadFile(ValueError):
    """A file can't be read, or is not what it says. `missing`: there is no readable file."""

    def __init__(self, text: str, hint: str = "", *, missing: bool = False) -> None:
        super().__init__(text)
        self.text, self.hint, self.missing = text, hint, missing


def read(path: Path | str, match: str = "") -> list[Entry]:
    """The entries of a file that Kifu wrote, the abandoned ones included.

    `match` is the id of one, where the file has several. Raises `BadFile`, which names the line
    that is wrong, the entry that is not what its proof says, or the matches that there are.
    """
    path = Path(path)
    if is_store(path):
        return _stored(path, match)
    text = text_of(path)
    if is_transcript(text):
        return _played(path, text)
    entries, proof = parsed(path, text)
    if proof is not None:
        try:
            bundle.check(proof)
        except Unproven as error:
            hint = f"`kifu audit {path}` reports what of it is proven"
            raise BadFile(f"{path} is not what its proof says: {error}", hint) from error
    return entries


def fold(
    entries: Iterable[Entry], until: int | Point | None = None, viewer: int = OFFICIAL
) -> SeenPosition:
    """The position that entries add up to: at their end, or at a point of them.

    `until` is the number of the last entry that counts, or a `Point`: while a decision was open, or
    at a time in milliseconds since the match was opened. What a rewind undid counts no more, unless
    the point lies before the rewind. `viewer`: as a seat (0, 1) or the public (-1) may see it;
    else as the entries have it. Raises `LookupError` if there is no such point.
    """
    log = list(entries)
    last = _last(log, Point(seq=until) if isinstance(until, int) else until or Point())
    line = active(entry for entry in log if entry.seq <= last)
    seen = line if viewer == OFFICIAL else (redact(entry, viewer) for entry in line)
    return SeenPosition.of(fold_all(seen), at_hand)


def _last(log: Sequence[Entry], point: Point) -> int:
    """The last entry of a point; raises `LookupError`."""
    end = log[-1].seq if log else 0
    if point.seq is not None:
        if not 0 <= point.seq <= end:
            raise LookupError(f"there is no entry {point.seq}: the last one is {end}")
        return point.seq
    if point.time is not None:
        return max((entry.seq for entry in log if entry.time <= point.time), default=0)
    if point.decision is None:
        return end
    for at, entry in enumerate(log, 1):
        if isinstance(entry.event, ev.DecisionOpened) and entry.event.n == point.decision:
            offered = takewhile(lambda e: isinstance(e.event, ev.OptionsOffered), log[at:])
            return max((one.seq for one in offered), default=entry.seq)
    raise LookupError(f"there is no decision {point.decision}")


# -- files of matches ----------------------------------------------------------------------------


def is_store(path: Path) -> bool:
    """Whether a file is one of matches, by its first bytes."""

    def beginning() -> bytes:
        with path.open("rb") as file:
            return file.read(len(SQLITE))

    return _reading(path, beginning) == SQLITE


def _stored(path: Path, match: str) -> list[Entry]:
    from service.store.records import Records, StoreError  # which loads what writes them

    try:
        records = Records(path, reading=True)
        try:
            ids = records.ids()
            if not match and len(ids) == 1:
                (match,) = ids
            if match not in ids:
                what = f"has no match {match}" if match else f"has {len(ids)} matches"
                raise BadFile(f"{path} {what}", f"those that it has: {', '.join(sorted(ids))}")
            return records.entries(match)
        finally:
            records.close()
    except StoreError as error:
        raise BadFile(str(error)) from error


# -- texts ---------------------------------------------------------------------------------------


def parsed(path: Path, text: str) -> tuple[list[Entry], Bundle | None]:
    """The entries in the text of a file, and the bundle that they make with a proof, unchecked.

    Raises `BadFile` with the line that is wrong.
    """
    try:
        if text.startswith(bundle.LINE):
            found = bundle.read(text)
            return [*found.entries], found
        return _parsed(path, text)
    except bundle.BadBundle as error:
        raise BadFile(f"{path}: {error}") from error


def text_of(path: Path) -> str:
    """The content of a file; raises `BadFile` if it is no text."""
    try:
        return _reading(path, lambda: path.read_text("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is no exported record") from error


def _reading(path: Path, read: Callable[[], T]) -> T:
    try:
        return read()
    except OSError as error:
        raise BadFile(f"{path} can't be read: {error.strerror}", missing=True) from error


def is_transcript(text: str) -> bool:
    """Whether a text tells a match for people."""
    return text.lstrip().startswith("[")


def _parsed(path: Path, text: str) -> tuple[list[Entry], Bundle | None]:
    found, lines = list[Entry](), text.splitlines(keepends=True)
    proof = lines.pop() if lines and lines[-1].startswith(bundle.LINE) else ""
    for number, line in enumerate(lines, 1):
        try:
            found.append(wire.entry_of(from_json.read(line, events_pb2.Entry)))
        except (ParseError, ValueError) as error:
            raise BadFile(f"{path}, line {number}: {error}") from error
    if not found:
        raise BadFile(f"{path} is empty")
    return found, bundle.from_line(proof, found, len(lines) + 1) if proof else None


def _played(path: Path, text: str) -> list[Entry]:
    from domain import games
    from domain.text.transcript import read as transcript  # which plays it
    from domain.text.transcript.lines import BadTranscript

    try:
        return transcript.read(text, games.rulebook)
    except BadTranscript as error:
        raise BadFile(phrase("{path}, {error}", path=path, error=error)) from error
