"""The log of access: who has seen, of which match and through whose eyes, what is hidden in it.

A line is written for what officials and organisers see that is no entry of the match itself
(`Looked`): of matches that are over or record no looks, copies, previews. The lines are chained:
each hash covers the one before it, so that no line can be altered, left out or put in without all
later hashes changing. Whoever has noted a head (`Head`) can tell whether the log still leads there.
Lines are in a table of the file of matches and derived from nothing; `service.api.looks` decides
what is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import msgspec
from msgspec import Struct

from domain.words.phrases import phrase
from service.store.records import Recorder, Records, Statement

Recorder.tables.append(
    "CREATE TABLE IF NOT EXISTS access (n INTEGER PRIMARY KEY, line BLOB, hash BLOB)"
)
#: What the first line's hash covers in the place of a hash.
BEFORE = bytes(32)


class Line(Struct, array_like=True, frozen=True):
    """A read of what is hidden: number `n` from 1, at `time` (milliseconds since 1970).

    `what` was read (`position`, `entries`, `fork`), through whose eyes (`view`: `official`,
    `seat/0`), when the match had `seq` entries.
    """

    n: int
    time: int
    who: str
    role: str
    match: str
    what: str
    view: str
    seq: int
    why: str = ""


class Head(Struct, frozen=True):
    """How far a log goes, and the hash of its last line."""

    n: int = 0
    hash: bytes = BEFORE


class Kept(Struct, frozen=True):
    """A line as it is kept, and its hash."""

    line: Line
    hash: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Line, strict=True).decode


def linked(before: bytes, line: Line) -> bytes:
    """The hash of a line that follows a hash: SHA-256(0x00 ‖ before ‖ the line as MessagePack)."""
    return sha256(b"\0" + before + _encode(line)).digest()


def head(records: Records) -> Head:
    """The last line's number and hash, as they are kept."""
    if not records.has_table("access"):
        return Head()
    row = records.row("SELECT n, hash FROM access ORDER BY n DESC LIMIT 1")
    if row is None:
        return Head()
    return Head(row["n"], row["hash"] if isinstance(row["hash"], bytes) else BEFORE)


def appended(before: Head, line: Line) -> tuple[Head, Statement]:
    """The head after a line, and what saves it."""
    now = Head(line.n, linked(before.hash, line))
    return now, ("INSERT INTO access VALUES (?,?,?)", (line.n, _encode(line), now.hash))


def lines(records: Records, before: int = 0, match: str = "", limit: int = 100) -> list[Kept]:
    """Lines, the newest first, those below number `before` (0: all), of a match or of all.

    Damaged ones are left out: `check` finds them.
    """
    found: list[Kept] = []
    if not records.has_table("access"):
        return found
    sql = "SELECT line, hash FROM access WHERE n<? ORDER BY n DESC"
    with records.rows(sql, before or 1 << 62) as rows:
        for row in rows:
            try:
                kept = Kept(_decode(row["line"]), bytes(row["hash"]))
            except (msgspec.MsgspecError, TypeError, ValueError):
                continue
            if match in ("", kept.line.match):
                found.append(kept)
            if len(found) == limit:
                break
    return found


def check(records: Records, noted: Head | None = None) -> str:
    """What is wrong with the log; empty if its lines lead from the first to the last.

    And through a head that was `noted` earlier, if one is given. O(lines).
    """
    if noted is not None and not (noted.n or noted.hash == BEFORE):
        return phrase("there is no line {n}", n=noted.n)
    last, right = Head(), noted is None or noted.n == 0
    for n, data, kept in _rows(records):
        if n != last.n + 1:
            return phrase("line {n} is missing", n=last.n + 1)
        now = Head(n, sha256(b"\0" + last.hash + data).digest())
        if now.hash != kept or not _readable(n, data):
            return phrase("line {n} is not what was written", n=n)
        if noted is not None and noted.n == n:
            if noted.hash != now.hash:
                return phrase("the log does not lead to the head that was noted at line {n}", n=n)
            right = True
        last = now
    if not right and noted is not None:
        return phrase("the log ends at line {last}, and went on to {n}", last=last.n, n=noted.n)
    return ""


def _rows(records: Records) -> Iterator[tuple[int, bytes, bytes]]:
    """The rows as they are; what is no bytes comes as none."""
    if not records.has_table("access"):
        return
    with records.rows("SELECT n, line, hash FROM access ORDER BY n") as rows:
        for row in rows:
            data = [value if isinstance(value, bytes) else b"" for value in (row[1], row[2])]
            yield row["n"], data[0], data[1]


def _readable(n: int, data: bytes) -> bool:
    """Whether a line is one in its canonical form, of that number."""
    try:
        line = _decode(data)
    except msgspec.MsgspecError:
        return False
    return line.n == n and _encode(line) == data
