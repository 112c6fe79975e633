"""The log of access: who saw hidden information, of which match and in whose view.

A line is written for what officials and organisers see that is no entry of the match itself
(`Looked`): of matches that are over or record no looks, copies, previews. The lines are chained:
each hash covers the one before it, so that no line can be altered, left out or put in without all
later hashes changing. With a noted head (`Head`) anybody can check whether the log still leads
there. Lines are derived from nothing; `service.api.looks` decides what is written.

A file has one log, which has no name. Where several servers add lines, each match has a log of its
own, by its id, so that none of them waits for another (`log_of`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256

import msgspec
from msgspec import Struct

from domain.words.phrases import phrase
from service.store.records import Records, Statement
from service.store.statements import insert, marks
from service.store.tables import lists
from service.store.tables.lists import END, Row

_INSERT = insert("access", "log, n, line, hash")
#: The list of the logs of matches, by the time of their first line.
LOGS = "access"
#: What the first line's hash covers in the place of a hash.
BEFORE = bytes(32)


#: Where the log without a name stands before all others, and where a line stands: log and number.
_FIRST = (END, "")
Place = tuple[int, str, int]


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


def log_of(records: Records, match: str) -> str:
    """The log that has the lines of a match."""
    return match if records.shared else ""


def head(records: Records, log: str = "") -> Head:
    """The last line's number and hash, as they are kept."""
    row = records.row("SELECT n, hash FROM access WHERE log=? ORDER BY n DESC LIMIT 1", log)
    if row is None:
        return Head()
    return Head(row["n"], row["hash"] if isinstance(row["hash"], bytes) else BEFORE)


def appended(before: Head, line: Line, log: str = "") -> tuple[Head, list[Statement]]:
    """The head after a line, and what saves it: there is a `Conflict` if another was before it."""
    now = Head(line.n, linked(before.hash, line))
    found = [(_INSERT, (log, line.n, _encode(line), now.hash))]
    if log and line.n == 1:
        found.append(lists.added(LOGS, line.time, log))
    return now, found


def lines(records: Records, before: int = 0, match: str = "", limit: int = 100) -> list[Kept]:
    """Lines, the newest first, those below number `before` (0: all), of a match or of all.

    Where each match has a log of its own (`several`) one is to be named: its lines may be in that,
    and in the one that a file had before it was copied. Damaged ones are left out: `check` finds
    them.
    """
    return _lines(records, ("", match), before, match, limit)


def lines_of_all(
    records: Records, place: Place | None = None, limit: int = 100
) -> list[tuple[Place, Kept]]:
    """Lines of all logs with their places, those that follow a place.

    Log after log, the one first whose first line is the newest, and of each the newest line first.
    """
    at, name, before = place or (*_FIRST, 0)
    found: list[tuple[Place, Kept]] = []
    for key in _walk(records, (at, name)):
        some = _lines(records, (key[1],), before, "", limit - len(found))
        found += (((*key, kept.line.n), kept) for kept in some)
        before = 0
        if len(found) == limit:
            break
    return found


def _lines(
    records: Records, logs: Sequence[str], before: int, match: str, limit: int
) -> list[Kept]:
    found: list[Kept] = []
    sql = f"SELECT line, hash FROM access WHERE log IN ({marks(len(logs))}) AND n<?"
    with records.rows(f"{sql} ORDER BY n DESC", *logs, before or END) as rows:
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


def logs(records: Records) -> list[str]:
    """The names of all logs there are. O(lines) of a file, where it is."""
    if not records.shared:
        with records.rows("SELECT DISTINCT log FROM access") as rows:
            return [row["log"] for row in rows] or [""]
    return [log for _, log in _walk(records, _FIRST)]


def several(records: Records) -> bool:
    """Whether matches have logs of their own."""
    if records.shared:
        return True
    return records.row("SELECT 1 FROM access WHERE log<>'' LIMIT 1") is not None


def _walk(records: Records, begin: lists.Key) -> Iterator[lists.Key]:
    """The logs of matches on their list, from one on; before all others the one without a name."""
    if begin == _FIRST:
        yield begin
    for page in lists.every(records, LOGS, begin):
        yield from page


def check(records: Records, noted: Head | None = None, log: str = "") -> str:
    """The fault of a log; empty if its lines lead from the first to the last.

    And through a head that was `noted` earlier, if one is given. O(lines).
    """
    if noted is not None and not (noted.n or noted.hash == BEFORE):
        return phrase("there is no line {n}", n=noted.n)
    last, right = Head(), noted is None or noted.n == 0
    for n, data, kept in _rows(records, log):
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


def check_all(records: Records) -> str:
    """The fault of any of the logs; empty: all are complete. O(lines)."""
    for log in logs(records):
        if fault := check(records, log=log):
            return phrase("of match {match}: {fault}", match=log, fault=fault) if log else fault
    return ""


def _rows(records: Records, log: str) -> Iterator[tuple[int, bytes, bytes]]:
    """The rows as they are; what is no bytes comes as none."""
    with records.rows("SELECT n, line, hash FROM access WHERE log=? ORDER BY n", log) as rows:
        for row in rows:
            data = [value if isinstance(value, bytes) else b"" for value in (row[1], row[2])]
            yield row["n"], data[0], data[1]


def listed(records: Records) -> Iterator[Row]:
    """Where the logs of matches should stand on lists. O(lines)."""
    with records.rows("SELECT log, line FROM access WHERE n=1 AND log<>''") as found:
        for row in found:
            with suppress(msgspec.MsgspecError):
                yield LOGS, _decode(row["line"]).time, row["log"]


def _readable(n: int, data: bytes) -> bool:
    """Whether a line is one in its canonical form, of that number."""
    try:
        line = _decode(data)
    except msgspec.MsgspecError:
        return False
    return line.n == n and _encode(line) == data
