"""Evidence bundles: a viewer's copy of a record and all that proves it, as a file of text.

Each line is a JSON object: a header; the entries in order, encoded canonically, with what opens
them; parts that were disclosed beside them; and what others attach by name (`anchor`, …). The same
proof without entries stands as the last line of an exported record (`as_line`). AUDIT.md says it
byte by byte; `openings` proves what is read here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from domain.record.entries import Entry, decode
from domain.record.events import MatchOpened
from domain.record.proof.anchors.encoding import Malformed, base64, unbase64
from domain.record.proof.canonical import canonical
from domain.record.proof.chain import HASH, LAYOUT, SALT, Head, genesis
from domain.record.proof.openings import Disclosed, Proof, Unproven, discloses, follow, proven
from domain.record.views import OFFICIAL

#: The version of this form, in the header under this name.
MARK, VERSION = "kifu-proof", 1
#: What such files are called.
SUFFIX = ".kifu-proof"
#: The name of what a bundle has along: a proof that it is in the log, as text.
ANCHOR = "anchor"
#: The key of the line that holds a proof, after the entries of an exported record.
LINE = '{"' + MARK + '"'
_NO_END = "its last line does not end: something may be missing"


class BadBundle(ValueError):
    """A text that can't be read as a proof; `line` counts from 1, 0: no particular line."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.line = line


class Header(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The first line of a file: what is in it, of a match or else of an event of organisers."""

    mark: int = field(name=MARK)
    layout: int
    match: str = ""
    event: str = ""
    viewer: int
    since: int
    entries: int
    head: str

    @classmethod
    def of(cls, head: Head, viewer: int, **name: str) -> Header:
        """The header of a copy that leads to a head; `name` is `match` or `event`."""
        return cls(
            mark=VERSION, layout=LAYOUT, viewer=viewer, since=head.since, entries=head.seq,
            head=head.hash.hex(), **name,
        )  # fmt: skip

    @classmethod
    def read(cls, row: Mapping[str, Any], number: int = 1) -> Header:
        """The header that a line holds; raises `BadBundle`."""
        try:
            found = msgspec.convert(row, cls)
            hash_ = bytes.fromhex(found.head)
        except (msgspec.ValidationError, ValueError) as error:
            raise BadBundle(f"its header has another form: {error}", number) from error
        if (found.mark, found.layout) != (VERSION, LAYOUT):
            raise BadBundle("it is no proof of a form that is known here", number)
        if found.viewer < OFFICIAL or not 0 <= found.since <= found.entries:
            raise BadBundle("its header has other values", number)
        if (
            len(hash_) != HASH
            or hash_.hex() != found.head
            or bool(found.match) == bool(found.event)
        ):
            raise BadBundle("its head is no hash, or it is not of one thing", number)
        return found

    def row(self) -> dict[str, Any]:
        """The line that says it."""
        row: dict[str, Any] = msgspec.to_builtins(self)
        return row

    def to_head(self) -> Head:
        """The head to which the copy should lead."""
        return Head(self.entries, bytes.fromhex(self.head), self.since)


class Bundle(Struct):
    """The content of a file: a viewer's copy of a match from its first entry on, and its proof.

    The proof's head is the claim of the maker of the file; compare it with a head that you trust.
    `attached` has what else proves something, as JSON, by name.
    """

    entries: Sequence[Entry]
    viewer: int
    proof: Proof
    disclosed: Sequence[Disclosed] = ()
    attached: Mapping[str, Any] = field(default_factory=dict)


# -- checking ------------------------------------------------------------------------------------


def check(bundle: Bundle) -> list[Head]:
    """The heads after each entry, as the proof has it; raises `Unproven` where they don't fit.

    It holds together then: that it is the record which was written, only a head tells that came
    from elsewhere. O(entries).
    """
    entries, proof = bundle.entries, bundle.proof
    if proof.before.seq or not entries:
        raise Unproven(1, "it is missing")
    try:
        follow(proof, entries, bundle.viewer)
    except Unproven:
        raise
    except ValueError as error:  # a seat that does not exist
        raise Unproven(1, str(error)) from error
    for one in bundle.disclosed:
        at = one.seq - 1
        if not 0 <= at < len(entries):
            raise Unproven(one.seq, "a part of it is disclosed, and it is not there")
        if not discloses(one, entries[at], proof.openings[at], bundle.viewer):
            raise Unproven(one.seq, "the part that is disclosed is not the one that was sealed")
    return list(heads(bundle))


def heads(bundle: Bundle) -> Iterator[Head]:
    """The head after each entry; raises `Unproven`."""
    head = bundle.proof.before
    for entry, shown in zip(bundle.entries, bundle.proof.openings, strict=True):
        head = proven(head, (entry,), (shown,), bundle.viewer)
        yield head


# -- writing -------------------------------------------------------------------------------------


def lines(bundle: Bundle) -> Iterator[str]:
    """A bundle, line by line."""
    yield line(_header(bundle))
    for entry, opened in zip(bundle.entries, bundle.proof.openings, strict=True):
        row = {"entry": base64(canonical(entry))}
        yield line(row | {"opens": base64(opened)} if opened else row)
    for shown in bundle.disclosed:
        yield line({"disclosed": _shown(shown)})
    for name, value in bundle.attached.items():
        yield line({name: value})


def as_line(bundle: Bundle) -> str:
    """A bundle without its entries, for a file that has these in words of its own."""
    more = {
        "opens": [base64(opened) for opened in bundle.proof.openings],
        "disclosed": [_shown(shown) for shown in bundle.disclosed],
        "attached": dict(bundle.attached),
    }
    return line(_header(bundle) | more)


def _header(bundle: Bundle) -> dict[str, Any]:
    return Header.of(bundle.proof.head, bundle.viewer, match=bundle.proof.match).row()


def _shown(one: Disclosed) -> dict[str, Any]:
    texts = {"salt": base64(one.salt), "value": base64(one.value)}
    return {"seq": one.seq, "field": one.field, **texts}


def line(value: object) -> str:
    """A line of such a file."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


# -- reading -------------------------------------------------------------------------------------


def read(text: str) -> Bundle:
    """Read a bundle, unchecked; raises `BadBundle`."""
    rows = objects(text)
    header = Header.read(rows[0])
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
    return _bundle(header, entries, opened, disclosed, attached)


def objects(text: str) -> list[dict[str, Any]]:
    """The lines of a file of this form, of of any kind; raises `BadBundle`."""
    rows = [_row(line, number) for number, line in enumerate(_lines(text), 1)]
    if not rows:
        raise BadBundle("it is empty")
    return rows


def _lines(text: str) -> list[str]:
    """The lines of a text; LF ends each of them, and nothing else does. Raises `BadBundle`."""
    *lines, rest = text.split("\n")
    if rest:
        raise BadBundle(_NO_END, len(lines) + 1)
    return lines


def from_line(text: str, entries: Sequence[Entry], number: int = 0) -> Bundle:
    """Read a line of `as_line`, with the entries that it is of, unchecked; raises `BadBundle`."""
    if not text.endswith("\n"):
        raise BadBundle(_NO_END, number)
    match _row(text, number):
        case {
            "opens": list(opened), "disclosed": list(disclosed), "attached": dict(attached), **first
        }:  # fmt: skip
            header = Header.read(first, number)
            shown = [_disclosed(one, number) for one in disclosed]
            opens = [_bytes(one, number) for one in opened]
            return _bundle(header, entries, opens, shown, attached)
    raise BadBundle("it lacks what opens the entries", number)


def _bundle(
    header: Header, entries: Sequence[Entry], opened: Sequence[bytes],
    disclosed: Sequence[Disclosed], attached: Mapping[str, Any],
) -> Bundle:  # fmt: skip
    head = header.to_head()
    if not len(entries) == len(opened) == head.seq:
        raise BadBundle(f"it has {len(entries)} entries, and should have {head.seq}")
    first = entries[0].event if entries else None
    if not isinstance(first, MatchOpened) or not header.match or header.event:
        raise BadBundle("its first entry opens no match")
    proof = Proof(header.match, genesis(header.match, first, head.since), tuple(opened), head)
    return Bundle(entries, header.viewer, proof, disclosed, attached)


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


def _entry(text: str, number: int) -> Entry:
    data = _bytes(text, number)
    try:
        entry = decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadBundle(f"its entry can't be read: {error}", number) from error
    if canonical(entry) != data:
        raise BadBundle("its entry is not encoded canonically", number)
    return entry


def _bytes(text: object, number: int) -> bytes:
    try:
        return unbase64(text if isinstance(text, str) else "?")
    except Malformed as error:
        raise BadBundle(str(error), number) from error


def _disclosed(row: object, number: int) -> Disclosed:
    match row:
        case {"seq": int(seq), "field": int(field_), "salt": salt, "value": value, **more}:
            found = Disclosed(seq, field_, _bytes(salt, number), _bytes(value, number))
            if not more and len(found.salt) == SALT:
                return found
    raise BadBundle("its disclosure can't be read", number)
