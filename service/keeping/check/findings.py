"""The findings of a check, and a guard that turns exceptions of damaged data into findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.words.phrases import phrase

#: What is wrong: the database itself, the entries of a record, its chain, what is derived, the log
#: of heads, other tables, what an event has as the result of a match.
FILE, ENTRIES, CHAIN, DERIVED, LOG, TABLES, RESULTS = (
    "file", "entries", "chain", "derived", "log", "tables", "results",
)  # fmt: skip


class Fault(Struct, frozen=True):
    """Something that is not as it was written: of which part (above), and why.

    `subject` is what it is of: `match k7f3q`, `event ev3t`, `tokens`.
    """

    subject: str
    part: str
    why: str


def guarded(subject: str, part: str, found: Iterable[Fault]) -> Iterator[Fault]:
    """The findings of a check; if it can't be carried out, that is one more finding.

    Damaged values may raise any exception in their readers.
    """
    try:
        yield from found
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if not str(error) else str(error)
        yield Fault(subject, part, phrase("it can't be read: {what}", what=what))
