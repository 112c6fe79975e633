"""Tables of other programs (CSV), read by the heads of their columns.

A file may come from any spreadsheet: UTF-8 with a mark or without, UTF-16, separated by commas,
semicolons, tabs or bars, quoted or not, with empty lines and columns that nobody needs. All that is
wrong with it is named at once, each fault with its line and its column (`BadTable`).
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from msgspec import Struct

from domain.words.phrases import joined, labelled, phrase
from replay_cli.output import MISSING, REFUSED, Failed

#: With what a formula begins in a spreadsheet, and what keeps a text that does from being one.
FORMULA = ("=", "+", "-", "@")
APOSTROPHE = "'"
#: What may stand between the cells of a row.
SEPARATORS = ",;\t|"
#: How many faults are named; how much of a cell is shown; how many rows a file may have.
NAMED, SHOWN, MOST = 20, 40, 20_000
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


class Column(Struct, frozen=True):
    """A column: its name here, and what else may head it. Case, spaces and dots don't matter.

    Its cells are read as one line each, unless they are kept as they are (`raw`). Where nothing
    else is it, it is what a head with such an `ending` names.
    """

    name: str
    also: tuple[str, ...] = ()
    needed: bool = False
    raw: bool = False
    ending: tuple[str, ...] = ()


class Row(Struct, frozen=True):
    """A row: the line that it begins on, and its cells by the names of their columns."""

    line: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """The cell's text; empty if it is empty, or the table has no such column."""
        return self.cells.get(column, "")


class Read(Struct, frozen=True):
    """A table: its rows, the columns it has, and the heads of those that are not looked at."""

    rows: tuple[Row, ...]
    columns: frozenset[str] = frozenset()
    ignored: tuple[str, ...] = ()


class Faults:
    """The faults of a file, collected, so that all are reported at once."""

    def __init__(self, path: Path) -> None:
        self.path, self.texts = path, list[str]()

    def add(self, text: str, line: int = 0, column: str = "") -> None:
        """Something is wrong with the file, or with what stands on this line, in this column."""
        at = [phrase("line {n}", n=line)] * bool(line)
        at += [phrase("column {name}", name=column)] * bool(column)
        self.texts.append(labelled(joined(", ", at), text) if at else text)

    def check(self) -> None:
        """Raises `Failed` if anything is wrong."""
        if not self.texts:
            return
        more = len(self.texts) - NAMED
        texts = self.texts[:NAMED] + [phrase("and {n} more", n=more)] * (more > 0)
        if len(texts) == 1:
            raise Failed(phrase("{path}: {texts}", path=self.path, texts=texts[0]), REFUSED)
        raise Failed(phrase("{path} can't be taken:", path=self.path), REFUSED, texts)


def read(path: Path, columns: Sequence[Column]) -> Read:
    """The rows of a file; raises `Failed`. Empty ones are left out."""
    faults = Faults(path)
    text = _text(path, faults)
    faults.check()
    lines, skipped, separator = _separated(text, columns)
    rows = _rows(lines, separator, skipped, faults)
    _, first = next(rows, (0, []))
    heads = [*map(_on_one_line, first)]
    at, ignored = _places(heads, columns)
    raw = {column.name for column in columns if column.raw}
    for column in columns:
        if column.needed and column.name not in at:
            faults.add(missing(column.name, columns), skipped + 1)
    faults.check()
    found = []
    for line, cells in rows:
        if any(cell.strip() for cell in cells[len(heads) :]):
            text = phrase("{n} cells, and {columns} columns", n=len(cells), columns=len(heads))
            faults.add(text, line)
        found.append(
            Row(line, {
                name: cells[place] if name in raw else _on_one_line(cells[place])
                for name, place in at.items()
                if place < len(cells)
            })
        )  # fmt: skip
    if len(found) > MOST:
        faults.add(phrase("{n} rows, and {most} is the most there may be", n=len(found), most=MOST))
    faults.check()
    return Read(tuple(found), frozenset(at), ignored)


def _text(path: Path, faults: Faults) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Failed(
            phrase("{path} can't be read: {strerror}", path=path, strerror=error.strerror), MISSING
        ) from error
    encoding = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and b"\0" in data[:4]:  # UTF-16 without its mark
        encoding = "utf-16-be" if data[:1] == b"\0" else "utf-16-le"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        text = phrase("this is neither UTF-8 nor UTF-16: save it as CSV in UTF-8")
        faults.add(text, line)
        return ""


def _separated(text: str, columns: Sequence[Column]) -> tuple[list[str], int, str]:
    """The lines of a table, how many were skipped before its heads, and what separates its cells.

    A first line `sep=;` says so itself; else it is what finds most of the columns. Before the heads
    there may be empty lines and comments (`# …`).
    """
    lines = [*StringIO(text, newline="")]
    skipped = 0
    while skipped < len(lines):
        line = lines[skipped].strip(" \r\n\ufeff")
        if line and not line.startswith("# "):
            break
        skipped += 1
    first = lines[skipped].strip() if skipped < len(lines) else ""
    if first.lower().startswith("sep=") and len(first) == len("sep=;"):
        return lines[skipped + 1 :], skipped + 1, first[-1]

    def known(separator: str) -> int:
        heads = next(csv.reader([first], delimiter=separator), [])
        return len(_places(heads, columns)[0])

    return lines[skipped:], skipped, max(SEPARATORS, key=known)


def _rows(
    lines: list[str], separator: str, skipped: int, faults: Faults
) -> Iterator[tuple[int, list[str]]]:
    """The rows that say something, each with the line that it begins on."""
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    begins = skipped + 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield begins, cells
            begins = skipped + reader.line_num + 1
    except csv.Error as error:
        text = phrase("a cell that begins here is not quoted well ({error})", error=error)
        faults.add(text, begins)


def _on_one_line(cell: str) -> str:
    """A cell without line breaks, and the apostrophe that keeps it from being a formula."""
    cell = " ".join(cell.split())
    text = cell.removeprefix(APOSTROPHE)
    return text if text.startswith(FORMULA) else cell


def _places(
    heads: Sequence[str], columns: Sequence[Column]
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Where each column stands, and the heads that are none; of two alike the first comes first."""
    at: dict[str, int] = {}
    ignored: dict[int, str] = {}
    for place, head in enumerate(heads):
        for column in columns:
            if column.name not in at and _bare(head) in map(_bare, (column.name, *column.also)):
                at[column.name] = place
                break
        else:
            ignored |= {place: head} if head else {}
    for column in columns:
        ending = tuple(map(_bare, column.ending))
        meant = [place for place, head in ignored.items() if _bare(head).endswith(ending)]
        if column.name not in at and ending and len(meant) == 1:
            at[column.name] = meant[0]
            del ignored[meant[0]]
    return at, tuple(ignored.values())


def _bare(head: str) -> str:
    return "".join(letter for letter in head.casefold() if letter.isalnum())


def missing(name: str, columns: Sequence[Column]) -> str:
    """The fault of a column that a table needs and lacks."""
    known = joined(", ", [column.name for column in columns])
    return phrase("no column is headed {name!r} (columns: {known})", name=name, known=known)


def shown(cell: str) -> str:
    """A cell as faults show it."""
    return repr(cell if len(cell) <= SHOWN else f"{cell[: SHOWN - 1]}…")
