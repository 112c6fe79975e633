"""Signed notes and the keys that sign them: c2sp.org/signed-note, with Ed25519.

    text, ending in a line feed

    — name base64(key id, signature)

A key of type `ED25519` signs the text; one of type `COSIGNATURE` (c2sp.org/tlog-cosignature), a
witness's, signs it together with the time at which it saw it. Keys are written as other programs
write them: `name+id+base64(type, public key)`, and `PRIVATE+KEY+name+id+base64(type, seed)`.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from domain.record.proof.anchors.encoding import Malformed, base64, unbase64

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

#: The types of keys: who signs a text, and who signs that and when he saw it.
ED25519, COSIGNATURE = 0x01, 0x04
#: Bytes of a key, of a key's id, of a cosignature's time.
KEY, ID, TIME = 32, 4, 8
#: What a note has at most: signatures, and characters.
MOST_SIGNATURES, MOST_CHARACTERS = 100, 1 << 20
_NAME = re.compile(r"[^\s+\x00-\x20\x7f]+")
_SIGNATURE = re.compile("— ([^ ]+) ([^ ]+)")
_PRIVATE = "PRIVATE+KEY+"


class BadSignature(ValueError):
    """A signature under a known key's name that is not that key's."""


class Signature(Struct, frozen=True):
    """A line below a note: who signed, by his key's name and id, and what his key made of it."""

    name: str
    id: bytes
    data: bytes

    def __str__(self) -> str:
        return f"— {self.name} {base64(self.id + self.data)}\n"

    @property
    def time(self) -> int:
        """When a cosignature was made, in seconds since 1970."""
        return int.from_bytes(self.data[:TIME])


class Note(Struct, frozen=True):
    """A text and its signatures, which are not checked yet."""

    text: str
    signatures: tuple[Signature, ...] = ()

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(map(str, self.signatures))}"


class VerifierKey(Struct, frozen=True):
    """A public key, by which signatures are recognised and verified."""

    name: str
    public: bytes
    type: int = ED25519

    @property
    def id(self) -> bytes:
        """The four bytes by which signatures name it."""
        return sha256(self.name.encode() + b"\n" + self._typed()).digest()[:ID]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64(self._typed())}"

    def _typed(self) -> bytes:
        return bytes([self.type]) + self.public

    def of(self, note: Note) -> Signature | None:
        """The signature of this key below a note; None if it has none. Raises `BadSignature`."""
        found = None
        for signature in note.signatures:
            if (signature.name, signature.id) != (self.name, self.id):
                continue
            if not self._made(signature.data, note.text):
                raise BadSignature(f"{self.name} did not sign this")
            found = signature if found is None else max(found, signature, key=lambda one: one.time)
        return found

    def _made(self, data: bytes, text: str) -> bool:
        from cryptography.exceptions import InvalidSignature  # which takes long to load
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        message = text.encode()
        if self.type == COSIGNATURE:
            time, data = int.from_bytes(data[:TIME]), data[TIME:]
            if time >= 1 << 63:
                return False
            message = cosigned(text, time)
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(data, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class SigningKey(Struct, frozen=True):
    """A private key, of which nobody but its owner may know the seed."""

    name: str
    seed: bytes
    type: int = ED25519

    @property
    def verifier(self) -> VerifierKey:
        """The public key that goes with it."""
        return VerifierKey(self.name, self._private.public_key().public_bytes_raw(), self.type)

    @property
    def text(self) -> str:
        """The key as it is kept in a file; no `str` of it, so that none gets into a log."""
        typed = base64(bytes([self.type]) + self.seed)
        return f"{_PRIVATE}{self.name}+{self.verifier.id.hex()}+{typed}"

    def __repr__(self) -> str:
        return f"SigningKey({self.name!r})"

    def sign(self, text: str, time: int = 0) -> Signature:
        """The signature of a text; a cosignature, at that time in seconds since 1970."""
        message, before = text.encode(), b""
        if self.type == COSIGNATURE:
            message, before = cosigned(text, time), time.to_bytes(TIME)
        return Signature(self.name, self.verifier.id, before + self._private.sign(message))

    @property
    def _private(self) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.seed)


def cosigned(text: str, time: int) -> bytes:
    """The text that a witness signs for a note at a time."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def fresh(name: str, seed: bytes, kind: int = ED25519) -> SigningKey:
    """A new key from 32 random bytes; raises `Malformed` for a name that none can have."""
    if not _NAME.fullmatch(name):
        raise Malformed("the name of a key is not empty and has neither spaces nor +")
    return SigningKey(name, seed, kind)


def verifier_key(text: str) -> VerifierKey:
    """The public key that is written like this; raises `Malformed`."""
    name, id_, typed = _parts(text)
    key = VerifierKey(name, typed[1:], typed[0])
    if key.id.hex() != id_:
        raise Malformed("the id of this key is that of another one")
    return key


def signing_key(text: str) -> SigningKey:
    """The private key that is written like this; raises `Malformed`, which tells nothing of it."""
    if not text.startswith(_PRIVATE):
        raise Malformed("no private key")
    name, id_, typed = _parts(text.removeprefix(_PRIVATE))
    key = SigningKey(name, typed[1:], typed[0])
    if key.verifier.id.hex() != id_:
        raise Malformed("the id of this key is that of another one")
    return key


def _parts(text: str) -> tuple[str, str, bytes]:
    name, id_, typed = (*text.split("+", 2), "", "")[:3]
    if not _NAME.fullmatch(name) or not re.fullmatch("[0-9a-f]{8}", id_):
        raise Malformed("no key: it should be name+id+base64")
    data = unbase64(typed)
    if len(data) != 1 + KEY or data[0] not in (ED25519, COSIGNATURE):
        raise Malformed("a key that is not Ed25519")
    return name, id_, data


def parse(text: str) -> Note:
    """The note that is written like this; raises `Malformed`."""
    if len(text) > MOST_CHARACTERS or re.search("[\x00-\x09\x0b-\x1f]", text):
        raise Malformed("too long for a note, or with characters that none has")
    signed, blank, below = text.rpartition("\n\n")
    if not blank or not below:
        raise Malformed("no note: nobody signed it")
    return Note(signed + "\n", signatures(below))


def signatures(text: str) -> tuple[Signature, ...]:
    """The lines below a note; raises `Malformed`."""
    *lines, end = text.split("\n")
    if end or len(lines) > MOST_SIGNATURES:
        raise Malformed("too many signatures, or none that ends with its line")
    return tuple(map(_signature, lines))


def _signature(line: str) -> Signature:
    found = _SIGNATURE.fullmatch(line)
    if not found or not _NAME.fullmatch(found[1]):
        raise Malformed("no signature: it should be — name base64")
    data = unbase64(found[2])
    if len(data) <= ID:
        raise Malformed("a signature that is too short")
    return Signature(found[1], data[:ID], data[ID:])
