"""The leaves: a line of text for each thing that is known of a record when it is anchored.

    kifu-anchor/1
    match 01JD3Z
    count 214
    head VE9sQtZ9y0mcJ3TYfFHMWLgR9PTf9nhZPwQ4Q8LXq1w=
    since 0

`count` is how many entries the match had, `head` the hash of its chain at the last of them,
`since` how many were there when the chain began (`chain.Head`). A match has many leaves as it goes
on; the newest counts, and the older ones stay true. Each leaf has one form: UTF-8, LF after every
line, numbers without leading zeros, standard base64 with its padding (`encoding`).

The record of an event of organisers has leaves with other words in the first two lines,
`kifu-event/1` and `event ID`. In the code and in stores its id has `event ` before it (`EVENT`),
which no match's can have.
"""

from __future__ import annotations

import re

from msgspec import Struct

from domain.record.proof.anchors.encoding import Malformed, base64, number, unbase64
from domain.record.proof.chain import HASH, Head

#: The first line of a leaf, of a match and of an event.
FORM, OF_EVENT = "kifu-anchor/1", "kifu-event/1"
#: What stands before the id of an event where matches are named by theirs.
EVENT = "event "
_LINES = re.compile(
    rf"({FORM}\nmatch |{OF_EVENT}\n{EVENT})([^\x00-\x20\x7f]+)\n"
    r"count (\d+)\nhead (\S+)\nsince (\d+)\n"
)


class Leaf(Struct, frozen=True):
    """A head of a match, or of an event (`match` begins with `EVENT` then)."""

    match: str
    head: Head

    @property
    def count(self) -> int:
        """How many entries the match had."""
        return self.head.seq

    @property
    def possible(self) -> bool:
        """Whether the match has an id that a leaf can have."""
        try:
            return bool(self.encoded())
        except ValueError:  # or one that is no Unicode
            return False

    def encoded(self) -> bytes:
        """The leaf as it is hashed; raises `Malformed` if no leaf can have its match's id."""
        head, id_ = self.head, str(self.match)
        lead = f"{OF_EVENT}\n" if id_.startswith(EVENT) else f"{FORM}\nmatch "
        text = f"{lead}{id_}\ncount {head.seq}\nhead {base64(head.hash)}\nsince {head.since}\n"
        if not _LINES.fullmatch(text):
            raise Malformed("a record whose id has spaces can't be anchored")
        return text.encode()


def parse(data: bytes) -> Leaf:
    """The leaf of which these are the bytes; raises `Malformed`."""
    try:
        found = _LINES.fullmatch(data.decode())
    except UnicodeDecodeError as error:
        raise Malformed("a leaf that is no text") from error
    if not found:
        raise Malformed("a leaf of another form")
    lead, id_, count, head, since = found.groups()
    match = f"{EVENT}{id_}" if lead.startswith(OF_EVENT) else id_
    hash_ = unbase64(head)
    if len(hash_) != HASH:
        raise Malformed("a head of another length")
    return Leaf(match, Head(number(count), hash_, number(since)))
