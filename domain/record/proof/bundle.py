"""Evidence bundles: a viewer's copy of a record and all that proves it, as a file of text.

Each line is a JSON object: a header; the entries in order, encoded canonically, with what opens
them; parts that were disclosed beside them; and what others attach by name (`anchor`, …). The same
proof without entries goes as the last line of an exported record (`as_line`). AUDIT.md says it
byte by byte; `openings` proves what is read here.
"""

from __future__ import annotations

import binascii
import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from domain.record.entries import Entry, decode
from domain.record.events import MatchOpened
from domain.record.proof.chain import HASH, LAYOUT, SALT, Head, canonical, genesis
from domain.record.proof.openings import Disclosed, Unproven, discloses, proven

#: The version of this form, in the header under this name.
MARK, VERSION = "kifu-proof", 1
#: What such files are called.
SUFFIX = ".kifu-proof"
#: The key of the line that holds a proof, after the entries of an exported record.
LINE = '{"' + MARK + '"'


class BadBundle(ValueError):
    """What can't be read as a proof; `line` counts from 1, 0: not a line of its own."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.line = line


class Proof(Struct):
    """What proves a viewer's copy of a match: its head, what opens its entries, what was attached.

    `head` is what the maker of the file says; whoever checks it compares it with one that he
    trusts. `attached` has what others prove with, as JSON, by name.
    """

    match: str
    viewer: int
    head: Head
    openings: Sequence[bytes]
    disclosed: Sequence[Disclosed] = ()
    attached: Mapping[str, Any] = field(default_factory=dict)


# -- checking ------------------------------------------------------------------------------------


def check(entries: Sequence[Entry], proof: Proof) -> list[Head]:
    """The heads after each entry, as the proof has it; raises `Unproven` where they don't fit.

    It holds together then: that it is the record which was written, only a head tells that came
    from elsewhere. O(entries).
    """
    opened = entries[0].event if entries else None
    if not isinstance(opened, MatchOpened):
        raise Unproven(1, "no match is opened")
    head, heads = genesis(proof.match, opened, proof.head.since), list[Head]()
    if len(proof.openings) != len(entries):
        raise Unproven(len(entries), "it has more or fewer entries than what opens them")
    try:
        for entry, shown in zip(entries, proof.openings, strict=True):
            head = proven(head, (entry,), (shown,), proof.viewer)
            heads.append(head)
    except Unproven:
        raise
    except ValueError as error:  # a seat that there is none of
        raise Unproven(head.seq + 1, str(error)) from error
    if head != proof.head:
        raise Unproven(head.seq, "the entries lead to another head than the proof says")
    for one in proof.disclosed:
        at = one.seq - 1
        if not 0 <= at < len(entries):
            raise Unproven(one.seq, "a part of it is disclosed, and it is not there")
        if not discloses(one, entries[at], proof.openings[at], proof.viewer):
            raise Unproven(one.seq, "the part that is disclosed is not the one it was sealed with")
    return heads


# -- writing -------------------------------------------------------------------------------------


def lines(entries: Iterable[Entry], proof: Proof) -> Iterator[str]:
    """A bundle, line by line; `entries` are as the proof's viewer sees them."""
    yield _json(_header(proof))
    for entry, opened in zip(entries, proof.openings, strict=True):
        line = {"entry": _text(canonical(entry))}
        yield _json(line | {"opens": _text(opened)} if opened else line)
    for shown in proof.disclosed:
        yield _json({"disclosed": _shown(shown)})
    for name, value in proof.attached.items():
        yield _json({name: value})


def as_line(proof: Proof) -> str:
    """A proof alone, for a file that has the entries in words of its own."""
    more = {
        "opens": [_text(opened) for opened in proof.openings],
        "disclosed": [_shown(shown) for shown in proof.disclosed],
        "attached": dict(proof.attached),
    }
    return _json(_header(proof) | more)


def _header(proof: Proof) -> dict[str, Any]:
    return {
        MARK: VERSION,
        "layout": LAYOUT,
        "match": proof.match,
        "viewer": proof.viewer,
        "since": proof.head.since,
        "entries": proof.head.seq,
        "head": proof.head.hash.hex(),
    }


def _shown(one: Disclosed) -> dict[str, Any]:
    texts = {"salt": _text(one.salt), "value": _text(one.value)}
    return {"seq": one.seq, "field": one.field, **texts}


def _text(data: bytes) -> str:
    return b64encode(data).decode()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


# -- reading -------------------------------------------------------------------------------------


def read(text: str) -> tuple[list[Entry], Proof]:
    """The entries and the proof of a bundle; raises `BadBundle`."""
    rows = [_row(line, number) for number, line in enumerate(text.splitlines(), 1)]
    if not rows or not isinstance(rows[0], dict):
        raise BadBundle("it is empty")
    proof = _proof(rows[0], 1)
    entries, opened, disclosed = list[Entry](), list[bytes](), list[Disclosed]()
    attached: dict[str, Any] = {}
    for number, row in enumerate(rows[1:], 2):
        match row:
            case {"entry": str(entry), **more} if more.keys() <= {"opens"}:
                if disclosed or attached:
                    raise BadBundle("an entry stands after what proves them", number)
                entries.append(_entry(entry, number))
                opened.append(_bytes(more.get("opens", ""), number))
            case {"disclosed": dict(shown), **more} if not more:
                disclosed.append(_disclosed(shown, number))
            case _ if len(row) == 1 and not row.keys() & attached.keys():
                attached |= row
            case _:
                raise BadBundle("it is neither an entry nor one attachment", number)
    proof.openings, proof.disclosed, proof.attached = opened, disclosed, attached
    if len(entries) != proof.head.seq:
        raise BadBundle(f"it has {len(entries)} entries, and should have {proof.head.seq}")
    return entries, proof


def from_line(text: str, number: int = 0) -> Proof:
    """A proof that stands alone in a line; raises `BadBundle`."""
    row = _row(text, number)
    proof = _proof(row, number, {"opens", "disclosed", "attached"})
    match row:
        case {"opens": list(opened), "disclosed": list(disclosed), "attached": dict(attached)}:
            proof.openings = [_bytes(one, number) for one in opened]
            proof.disclosed = [_disclosed(one, number) for one in disclosed]
            proof.attached = attached
            return proof
    raise BadBundle("it lacks what opens the entries", number)


def _row(line: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line, object_pairs_hook=_once)
    except ValueError as error:
        raise BadBundle(str(error), number) from error
    if not isinstance(row, dict):
        raise BadBundle("it is no object", number)
    return row


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys all differ: else two readers might take it differently."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _proof(row: dict[str, Any], number: int, more: Iterable[str] = ()) -> Proof:
    wanted = {MARK, "layout", "match", "viewer", "since", "entries", "head", *more}
    if row.get(MARK) != VERSION or row.get("layout") != LAYOUT:
        raise BadBundle("it is no proof of a form that is known here", number)
    if row.keys() != wanted:
        raise BadBundle("its header has other fields", number)
    numbers = (row["viewer"], row["since"], row["entries"])
    if not all(type(n) is int for n in numbers) or type(row["match"]) is not str:
        raise BadBundle("its header has other values", number)
    viewer, since, count = numbers
    if viewer < -2 or not 0 <= since <= count:
        raise BadBundle("its header has other values", number)
    try:
        head = bytes.fromhex(row["head"])
    except (TypeError, ValueError) as error:
        raise BadBundle("its head is no hash", number) from error
    if len(head) != HASH or head.hex() != row["head"]:
        raise BadBundle("its head is no hash", number)
    return Proof(row["match"], viewer, Head(count, head, since), ())


def _entry(text: str, number: int) -> Entry:
    data = _bytes(text, number)
    try:
        entry = decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadBundle(f"its entry can't be told: {error}", number) from error
    if canonical(entry) != data:
        raise BadBundle("its entry is not encoded canonically", number)
    return entry


def _bytes(text: object, number: int) -> bytes:
    try:
        data = b64decode(text, validate=True) if isinstance(text, str) else None
    except (binascii.Error, ValueError) as error:
        raise BadBundle(f"it is no base64: {error}", number) from error
    if data is None or _text(data) != text:
        raise BadBundle("it is no base64", number)
    return data


def _disclosed(row: object, number: int) -> Disclosed:
    match row:
        case {"seq": int(seq), "field": int(field_), "salt": salt, "value": value, **more}:
            found = Disclosed(seq, field_, _bytes(salt, number), _bytes(value, number))
            if not more and len(found.salt) == SALT:
                return found
    raise BadBundle("what it discloses can't be told", number)
