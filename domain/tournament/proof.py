"""The proof of a tournament's record: a chain like that of a match (`domain.record.proof`).

Every entry is hashed over the one before it: as it is where all is kept from somebody that ever is
(`views.sealed`), and a salted commitment for each of those values. So the officials' copy and the
public's lead to one head, which is a leaf of the log of heads. AUDIT.md says it byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from msgspec.structs import replace

from domain.record.proof import chain, openings
from domain.record.proof.canonical import canonical
from domain.record.proof.chain import LAYOUT, LINK, Head, Part
from domain.record.proof.openings import Unproven
from domain.record.values import EVERYONE, OFFICIALS
from domain.record.views import OFFICIAL, PUBLIC
from domain.tournament import record as ev
from domain.tournament import views
from domain.tournament.folding import fold
from domain.tournament.record import Entry

#: The numbers of the parts that are no fields of the event: who put it in, the command's name.
BY, TICKET = 64, 65


def genesis(tournament: str, since: int = 0) -> Head:
    """The hash before the first entry: it binds what the record is of, and since when."""
    binding = ("kifu-event", LAYOUT, tournament, since)
    return Head(0, sha256(LINK + canonical(binding)).digest(), since)


def parts(entry: Entry) -> list[Part]:
    """The hidden parts of an entry, in the order in which it is committed to.

    Who plays whom is everybody's where it is there: it is not until its round is opened.
    """
    event = entry.event
    shown = isinstance(event, ev.RoundPaired) and bool(event.tables)
    to = EVERYONE if shown else OFFICIALS
    kept = ((number, getattr(event, name)) for number, name in views.KEPT[type(event)])
    found = [Part(number, to, value) for number, value in kept if value is not None]
    if isinstance(event, views.UNSIGNED):
        found.append(Part(BY, OFFICIALS, entry.by))
    found.append(Part(TICKET, OFFICIALS, entry.ticket))
    return found


def public(entry: Entry) -> Entry:
    """The public form of an entry, which is hashed."""
    return replace(views.sealed(entry), ticket="")


def split(entry: Entry) -> tuple[list[Part], Entry]:
    """How entries of tournaments are hashed (`chain.Form`)."""
    return parts(entry), public(entry)


def links(head: Head, entries: Iterable[Entry], secret: bytes) -> list[bytes]:
    """The hash after each of the entries that follow a head; raises `ValueError` if they don't."""
    return chain.links(head, entries, secret, split)


def copies(log: Sequence[Entry], viewer: int) -> list[Entry]:
    """The entries of a whole record as the official or the public may have them for good."""
    if viewer == OFFICIAL:
        return [*log]
    state = fold(log)
    return [replace(views.redact(one, state, views.PUBLIC), ticket="") for one in log]


def opened(log: Sequence[Entry], viewer: int, secret: bytes) -> Iterator[bytes]:
    """The openings of each of the viewer's `copies` of a whole record."""
    for entry, copy in zip(log, copies(log, viewer), strict=True):
        both = zip(parts(entry), parts(copy), strict=True)
        seen = (replace(own, to=kept.to) for own, kept in both)
        yield b"".join(openings.shown(entry.seq, part, secret, viewer) for part in seen)


def heads(
    tournament: str, since: int, entries: Sequence[Entry], opens: Sequence[bytes], viewer: int
) -> list[Head]:
    """The heads after each entry of a copy, by what opens it; raises `Unproven`."""
    if viewer not in (OFFICIAL, PUBLIC) or len(entries) != len(opens):
        raise Unproven(1, "there are not as many openings as entries")
    found, head = list[Head](), genesis(tournament, since)
    for entry, shown in zip(entries, opens, strict=True):
        if viewer == PUBLIC and _says_more(entry):
            raise Unproven(entry.seq, "it says more than its viewer may know")
        head = openings.link(head, entry, shown, viewer, split)
        found.append(head)
    return found


def _says_more(copy: Entry) -> bool:
    """Whether a public copy has something that no opening shows."""
    shown = public(copy)
    if isinstance(copy.event, ev.RoundPaired) and copy.event.tables:
        shown = replace(shown, event=copy.event)
    return shown != copy
