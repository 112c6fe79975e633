"""The lines of a transcript: tags, then a row for each act, with comments between them.

Only the shape of lines is known here; names and words are resolved by `read`, at the position where
they stand. TRANSCRIPTS.md has the grammar; writing is strict, parsing lenient. Every error carries
the number of its line, counted from 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.record.position import seat_letter
from domain.words.phrases import phrase

SEATS = "ABCDEFGH"
#: Kinds of rows: a seat's answer, its act beside a decision, what stood before the first decision,
#: an official who speaks, an entry of his, a rewind.
ANSWER, ASIDE, OPEN, INTERVENTION, ENTRY, REWIND = "answer", "aside", "open", "!", "!!", "<<"


class BadTranscript(ValueError):
    """A transcript that can't be read, or that tells what can't have been; `line` says where."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(phrase("line {n}: {fault}", n=line, fault=text) if line else text)
        self.line, self.text = line, text


class Tag(Struct, frozen=True):
    """`[Name value]`; the value is JSON."""

    name: str
    value: Any
    line: int = 0


class Shown(Struct, frozen=True):
    """Cards that were turned up in a place, in order: `{B shield: Leo (ST02-007)}`."""

    place: str
    cards: tuple[str, ...]


class Roll(Struct, frozen=True):
    """How chance fell: `{chooser: 2 of 2}`; the numbers count from 0 here, from 1 in the text."""

    kind: str
    of: int
    result: tuple[int, ...]


class Row(Struct, frozen=True):
    """A row; what a kind has no use for is left at its default. Times are milliseconds.

    `left` is what a seat's clock showed afterwards. `gone`: on a line that was abandoned later.
    `facts` and `cites` are those of an official's rows.
    """

    kind: str
    n: int = 0
    seat: int = -1
    text: str = ""
    time: int | None = None
    taken: int | None = None
    left: int | None = None
    origin: str = ""
    shown: tuple[Shown, ...] = ()
    rolls: tuple[Roll, ...] = ()
    gone: bool = False
    facts: dict[str, Any] = {}
    cites: tuple[str, ...] = ()
    line: int = 0


class Note(Struct, frozen=True):
    """A comment: for people, and ignored when it is read."""

    text: str


Statement = Tag | Row | Note

# -- writing ---------------------------------------------------------------------------------------


def text(statements: list[Statement]) -> str:
    """A transcript as text, one statement a line; a blank line after the tags."""
    out, before = [], ""
    for statement in statements:
        if before == "Tag" and not isinstance(statement, Tag):
            out.append("")
        before = type(statement).__name__
        out.append(line_of(statement))
    return "\n".join([*out, ""])


def line_of(statement: Statement) -> str:
    """One statement as a line."""
    if isinstance(statement, Tag):
        return f"[{statement.name} {_json(statement.value)}]"
    if isinstance(statement, Note):
        return f"; {statement.text}"
    return " ".join(filter(None, ["~" if statement.gone else "", *_words(statement)]))


def _words(row: Row) -> Iterator[str]:
    if row.kind in (ANSWER, ASIDE, OPEN):
        yield f"{row.n}+" if row.kind == ASIDE else str(row.n) if row.n or row.kind == OPEN else ""
        yield seat_letter(row.seat) if row.seat >= 0 else ""
        yield from _stamps(row)
        yield escaped(row.text)
        yield from _braced(row)
        return
    yield row.kind
    yield from _stamps(row)
    yield row.text
    yield from (f"{key}={_json(value)}" for key, value in row.facts.items())
    if row.cites:
        yield f"<{' '.join(row.cites)}>"
    yield from _braced(row)


def _json(value: Any) -> str:
    """A value, with keys in order: in which one a map came is no part of the record."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _braced(row: Row) -> Iterator[str]:
    yield from (f"{{{place(s.place)}: {', '.join(s.cards)}}}" for s in row.shown)
    yield from (f"{{{roll.kind}: {_rolled(roll)} of {roll.of}}}" for roll in row.rolls)


def _stamps(row: Row) -> Iterator[str]:
    if row.time is not None:
        yield clock(row.time)
    if row.taken is not None:
        yield f"+{clock(row.taken)}"
    if row.left is not None:
        yield f"={clock(row.left)}"
    if row.origin:
        yield f"({row.origin})"


def _rolled(roll: Roll) -> str:
    return " ".join(str(number + 1) for number in roll.result)


def clock(ms: int) -> str:
    """A time: `62:03.250`, minutes and seconds."""
    minutes, rest = divmod(abs(ms), 60_000)
    return f"{'-' if ms < 0 else ''}{minutes}:{rest // 1000:02d}.{rest % 1000:03d}"


def place(name: str) -> str:
    """A place as a row names it: `hand/0` is `A hand`."""
    zone, _, seat = name.partition("/")
    return f"{seat_letter(int(seat))} {zone}" if seat else zone


def escaped(written: str) -> str:
    """An act on one line, with any texts in it."""
    return written.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


# -- reading ---------------------------------------------------------------------------------------

_TIME = r"-?(?:\d{1,9}:){0,2}\d{1,9}(?:\.\d{1,6})?"
_TAG = re.compile(r"\[\s*([A-Za-z]\w*)\s+(.*?)\s*\]")
_ACT = re.compile(r"(\d{1,9})?\s*([.+]?)\s*(?:([A-Ha-h])(?:\s*:|(?=\s|$)))?\s*(.*)")
_STAMP = re.compile(rf"([+=]?)({_TIME})(?:\s+|$)|\(([a-z]+)\)(?:\s+|$)")
_GROUP = re.compile(r"\s*\{\s*([^{}:]+?)\s*:\s*([^{}]*?)\s*\}$")
_ROLL = re.compile(r"((?:\d{1,9}\s+)*)of\s+(\d{1,9})")
_CITES = re.compile(r"\s*<([^<>]*)>$")
_FACT = re.compile(r"\s*([a-z_]+)\s*=\s*")


def statements(text: str) -> list[Tag | Row]:
    """The statements of a text, in order; raises `BadTranscript`.

    Comments and blank lines are left out.
    """
    found: list[Tag | Row] = []
    for n, raw in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        row = raw.strip()
        if row and not row.startswith((";", "#")):
            found.append(_tag(n, row) if row.startswith("[") else _row(n, row))
    return found


def _tag(n: int, row: str) -> Tag:
    found = _TAG.fullmatch(row)
    if found is None:
        raise BadTranscript(n, phrase('{row!r} is no tag such as [Game "NAME"]', row=row))
    try:
        return Tag(found[1], json.loads(found[2]), n)
    except ValueError:
        raise BadTranscript(n, phrase("{text!r} is no JSON value", text=found[2])) from None


def _row(n: int, row: str) -> Row:
    gone = row.startswith("~")
    row = row.removeprefix("~").lstrip()
    for kind in (ENTRY, INTERVENTION, REWIND):
        if row.startswith(kind):
            return _official(n, kind, row.removeprefix(kind).strip(), gone)
    found = _ACT.fullmatch(row)
    if found is None:
        raise BadTranscript(n, phrase("{row!r} is no row", row=row))
    number, mark, letter, rest = found.groups()
    rest, shown, rolls = groups(n, rest)
    rest, stamps = _stamped(rest)
    seat = SEATS.index(letter.upper()) if letter else -1
    kind = ASIDE if mark == "+" else OPEN if number == "0" and seat < 0 else ANSWER
    if kind != OPEN and (seat < 0 or not rest):
        raise BadTranscript(n, phrase("a seat's letter and an act are missing in {row!r}", row=row))
    if kind == OPEN and rest not in ("", "open"):
        raise BadTranscript(n, phrase("{row!r} is no row: the opening is `0 open`", row=row))
    return Row(
        kind, int(number or 0), seat, _unescaped(rest), shown=shown, rolls=rolls, gone=gone, line=n,
        **stamps,
    )  # fmt: skip


def _official(n: int, kind: str, rest: str, gone: bool) -> Row:
    rest, shown, rolls = groups(n, rest)
    cites = _CITES.search(rest)
    rest = rest[: cites.start()] if cites else rest
    rest, stamps = _stamped(rest)
    word = re.match(r"[a-z-]+(?:\.[a-z-]+)*(?=\s|$)", rest)
    written = word[0] if word else ""
    facts: dict[str, Any] = {}
    at = len(written)
    while found := _FACT.match(rest, at):
        try:
            facts[found[1]], at = json.JSONDecoder().raw_decode(rest, found.end())
        except ValueError:
            raise BadTranscript(
                n, phrase("{name}= is followed by no JSON value", name=found[1])
            ) from None
    if rest[at:].strip():
        raise BadTranscript(n, phrase("{text!r} is no NAME=VALUE", text=rest[at:].strip()))
    named = tuple(cites[1].split()) if cites else ()
    more = {"shown": shown, "rolls": rolls, **stamps}
    return Row(kind, text=written, facts=facts, cites=named, gone=gone, line=n, **more)


def _stamped(rest: str) -> tuple[str, dict[str, Any]]:
    """Times and the origin off the front of a text."""
    stamps: dict[str, Any] = {}
    while found := _STAMP.match(rest):
        mark, time, origin = found.groups()
        name = "origin" if origin else {"+": "taken", "=": "left", "": "time"}[mark]
        if name in stamps:
            break  # repeated: the rest is no act
        stamps[name] = origin or milliseconds(time)
        rest = rest[found.end() :]
    return rest.strip(), stamps


def milliseconds(written: str) -> int:
    """`1:02:03.25`, `2:03.25` or `3.25` in milliseconds."""
    total = 0.0
    for part in written.lstrip("-").split(":"):
        total = total * 60 + float(part)
    return round(total * 1000) * (-1 if written.startswith("-") else 1)


def groups(n: int, rest: str) -> tuple[str, tuple[Shown, ...], tuple[Roll, ...]]:
    """The groups in braces off the end of a text: cards that were turned up, how chance fell."""
    shown: list[Shown] = []
    rolls: list[Roll] = []
    while found := _GROUP.search(rest):
        name, written = found.groups()
        roll = _ROLL.fullmatch(written)
        if roll is not None:
            numbers = tuple(int(number) - 1 for number in roll[1].split())
            rolls.insert(0, Roll(name, int(roll[2]), numbers))
        elif not written:
            raise BadTranscript(n, phrase("nothing stands in {{{name}: }}", name=name))
        else:
            shown.insert(0, Shown(_place(n, name), _listed(written)))
        rest = rest[: found.start()]
    return rest, tuple(shown), tuple(rolls)


def _place(n: int, name: str) -> str:
    found = re.fullmatch(r"(?:([A-Ha-h])[ .])?\s*([a-z][a-z-]*)", name)
    if found is None:
        raise BadTranscript(n, phrase("{name!r} is no place such as `B trash`", name=name))
    return f"{found[2]}/{SEATS.index(found[1].upper())}" if found[1] else found[2]


def _listed(written: str) -> tuple[str, ...]:
    """Items between commas, those in quotes aside."""
    items = re.findall(r'(?:"[^"]*"|[^,"])+', written)
    return tuple(item.strip() for item in items if item.strip())


def _unescaped(written: str) -> str:
    plain = {"\\n": "\n", "\\r": "\r", "\\\\": "\\"}
    return re.sub(r"\\[nr\\]", lambda found: plain[found[0]], written)
