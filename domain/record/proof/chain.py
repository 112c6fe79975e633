"""The chain: every entry hashed over the one before it, so that a head stands for all before it.

    h_i = SHA-256(0x00 ‖ h_{i-1} ‖ e_i)

`e_i` is the entry as the public may see it, and a salted commitment for each value that is kept
from somebody: all viewers' copies of a record lead to one head, each opening what its owner may
know. So the fields that `views.redact` blanks are the parts that are committed to here.

AUDIT.md says all of this byte by byte, for those who write a verifier of their own. Who keeps a
match's secret and its head is the concern of `service.store`; what a viewer is given to prove his
copy with is in `openings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.proof.canonical import canonical
from domain.record.values import EVERYONE, OFFICIALS, Sealed
from domain.record.views import AUTO, OFFICIAL, SEALED, forgotten

#: How entries are encoded and chained; bound by the first hash.
LAYOUT = 1
#: The first byte of what is hashed, so that no hash of one sort can stand for one of another.
LINK, COMMITMENT = b"\x00", b"\x01"
#: Bytes of a match's secret, of the salts made from it, and of a hash.
SECRET, SALT, HASH = 32, 16, 32
#: The numbers of the parts of an answer that are not fields of it (`parts`).
ORIGIN, FORGOTTEN = 64, 65


class Part(Struct, frozen=True, gc=False):
    """A value of an entry that is kept from somebody: a field by its number, or one of those above.

    `to` is who may know it, like `Sealed.to`.
    """

    field: int
    to: int
    value: object

    def open_to(self, viewer: int) -> bool:
        """Whether a viewer (`views`) may know it."""
        if viewer == OFFICIAL or self.to == EVERYONE:
            return True
        return viewer >= 0 and bool(self.to & 1 << viewer)


#: How entries are hashed: what one keeps from somebody, and what is left of it for all.
Form = Callable[[Any], tuple[list[Part], Any]]


class Head(Struct, frozen=True):
    """How far a match is chained: the number of an entry, and its hash.

    `since` is how many entries were there when the chain began, 0 for a match that was chained as
    it was written: what had been changed before that, no chain can tell.
    """

    seq: int
    hash: bytes
    since: int = 0

    @property
    def short(self) -> str:
        """Thirty digits that stand for the hash, to be written by hand: six groups of five."""
        return short(self.hash)


def short(hash_: bytes) -> str:
    """A hash as thirty digits: the remainder of its number by ten to the thirtieth, in fives."""
    digits = f"{int.from_bytes(hash_) % 10**30:030}"
    return " ".join(digits[at : at + 5] for at in range(0, 30, 5))


def genesis(match: str, opened: ev.MatchOpened, since: int = 0) -> Head:
    """The hash before the first entry: it binds what the record is of, and since when."""
    binding = ("kifu", LAYOUT, match, opened.game, opened.engine, opened.digests, since)
    return Head(0, sha256(LINK + canonical(binding)).digest(), since)


def chained(head: Head, entries: Iterable[Entry], secret: bytes) -> Head:
    """The head after entries that follow it; raises `ValueError` if they don't.

    `entries` are as the official sees them. O(entries), some microseconds each.
    """
    found = links(head, entries, secret)
    return Head(head.seq + len(found), found[-1] if found else head.hash, head.since)


def links(
    head: Head, entries: Iterable[Any], secret: bytes, form: Form | None = None
) -> list[bytes]:
    """The hash after each of the entries that follow a head; see `chained`.

    They are of a match, or else of a `form` of their own.
    """
    seq, hash_, found = head.seq, head.hash, list[bytes]()
    for entry in entries:
        seq += 1
        if entry.seq != seq:
            raise ValueError(f"entry {entry.seq} stands where {seq} should")
        hash_ = sha256(b"%b%b%b" % (LINK, hash_, leaf(entry, secret, form))).digest()
        found.append(hash_)
    return found


def leaf(entry: Any, secret: bytes, form: Form | None = None) -> bytes:
    """`e_i` of an entry that is known whole: its public form, then its commitments."""
    sealed, public = (form or split)(entry)
    if not sealed:
        return canonical(public)
    made, begun = [canonical(public)], _keyed(secret)
    for part in sealed:
        salt_ = _salt(begun, entry.seq, part.field)
        made.append(sha256(COMMITMENT + salt_ + canonical(part.value)).digest())
    return b"".join(made)


def split(entry: Entry) -> tuple[list[Part], Entry]:
    """The hidden parts of an entry, and the entry as everybody may see it."""
    event = entry.event
    found: list[Part] = []
    hidden: dict[str, Any] = {}
    for number, name in SEALED[type(event)]:
        sealed = getattr(event, name)
        if sealed is not None and sealed.to != EVERYONE:
            found.append(Part(number, sealed.to, sealed.value))
            hidden[name] = Sealed(sealed.to)
    if isinstance(event, ev.DecisionMade):
        own = 1 << event.seat if event.seat >= 0 else OFFICIALS
        found.append(Part(ORIGIN, own, event.origin))
        found.append(Part(FORGOTTEN, own, forgotten(event.stated).value))
        if event.origin == AUTO:
            hidden["origin"] = "seat"
    return found, replace(entry, event=replace(event, **hidden)) if hidden else entry


def parts(entry: Entry) -> list[Part]:
    """The hidden parts of an entry, in the order in which it is committed to.

    Fields come first, by their numbers. Of an answer its seat alone knows in addition whether an
    auto-pass gave it (`ORIGIN`), and which cards of its hand nobody can name any more
    (`FORGOTTEN`). Taken from a viewer's entry, the parts that are not open to him have no value.
    """
    return split(entry)[0]


def salt(secret: bytes, seq: int, field: int) -> bytes:
    """The salt of a part, by HMAC: nobody without the match's secret can tell it from chance."""
    return _salt(_keyed(secret), seq, field)


def _salt(begun: tuple[Any, Any], seq: int, field: int) -> bytes:
    inner, outer = begun[0].copy(), begun[1].copy()
    inner.update((seq << 8 | field).to_bytes(9))
    outer.update(inner.digest())
    found: bytes = outer.digest()
    return found[:SALT]


@lru_cache(maxsize=1024)
def _keyed(secret: bytes) -> tuple[Any, Any]:
    """Both hashes of HMAC-SHA256 (RFC 2104), begun with a key: that takes longer than the rest."""
    block = secret.ljust(64, b"\0")
    inner, outer = (sha256(bytes(byte ^ pad for byte in block)) for pad in (0x36, 0x5C))
    return inner, outer


def commitment(salt_: bytes, value: object) -> bytes:
    """The commitment to a part; without its salt it reveals nothing."""
    return sha256(COMMITMENT + salt_ + canonical(value)).digest()
