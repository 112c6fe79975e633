"""Tokens: issue them, check them, and say what their holders may do and see.

A token is signed with the service's key, expires, and names a role: the organiser of everything, or
an official, a scorekeeper, a seat or the public of one match; all but a seat also of an event, with
all of its matches. The public's may carry a `delay`.
Nothing in a request widens what its token allows. The key, and a first token for the organiser, are
made on first start, readable by their owner only.

Each token has an id, by which it can be revoked; which ones were issued and revoked is kept by
`service.credentials`.
Organisers' tokens last long and open everything, so all of them can be revoked at once: they carry
a generation, kept in the key's file, and only the present one is valid.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterable
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path

import jwt
from msgspec import Struct
from msgspec.structs import replace

from domain.record.views import OFFICIAL, PUBLIC
from domain.words.phrases import phrase


class Role(StrEnum):
    """The role that a token gives; all but the organiser's are for a match or an event."""

    ORGANISER = "organiser"
    OFFICIAL = "official"
    SCOREKEEPER = "scorekeeper"
    SEAT = "seat"
    PUBLIC = "public"


#: Verified tokens that are remembered.
REMEMBERED = 4096
#: Letters of ids that people type: none that are read for another.
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID = 10
_ISSUER = "kifu"
_DAY = 86_400


class BadToken(Exception):
    """A token that proves nothing.

    `reason` is `TOKEN_MISSING`, `_INVALID`, `_EXPIRED` or `_REVOKED`.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class BadKey(Exception):
    """The key file can't be used."""


class Identity(Struct, frozen=True):
    """The identity of a caller. `match` is empty for an organiser, `seat` is -1 unless he has one.

    `delay` is how late he sees his match, as `service.store.delay` reads it. `event` is the
    tournament that he is somebody of, with all its matches, whose ids begin with its own; `match`
    is empty then. `id` is that of his token, which is no secret. `player` is the number of one of
    the event's public who is a player there: he hands in his list, and sees no matches by it.
    """

    role: str  # one of `Role`
    subject: str
    match: str = ""
    seat: int = -1
    expires: int = 0  # seconds since 1970
    delay: str = ""
    event: str = ""
    id: str = ""
    player: int = 0

    @property
    def viewer(self) -> int:
        """Through whose eyes he sees his matches (`domain.record.views`)."""
        if self.role == Role.SEAT:
            return self.seat
        return PUBLIC if self.role == Role.PUBLIC else OFFICIAL

    def may_see(self, match: str) -> bool:
        """Whether a match is any of his business."""
        if self.role == Role.ORGANISER or (self.match and self.match == match):
            return True
        return bool(self.event) and not self.player and match.startswith(f"{self.event}.")


def new_id() -> str:
    """An id for a token or a code."""
    return "".join(secrets.choice(LETTERS) for _ in range(_ID))


class Keys:
    """Signs tokens and checks them."""

    def __init__(self, secret: bytes, generation: int = 0, path: Path | None = None) -> None:
        """`generation` is that of organisers' tokens; both are kept in the file at `path`."""
        self._secret, self._generation, self._path = secret, generation, path
        self._known: dict[str, Identity] = {}
        self._revoked = set[str]()  # ids of tokens
        self._only: set[str] | None = None  # the ids that are good, if not all others are

    def of(self, purpose: str) -> bytes:
        """A key for some other purpose, which tells nothing about this one."""
        return blake2b(purpose.encode(), key=self._secret[:64], digest_size=32).digest()

    @property
    def fingerprint(self) -> str:
        """Tells this key from others, and nothing else of it."""
        return self.of("fingerprint")[:8].hex()

    @classmethod
    def once(cls) -> Keys:
        """A key that nobody keeps."""
        return cls(secrets.token_bytes(32))

    @classmethod
    def at(cls, path: Path) -> Keys:
        """The key in a file, created if missing; raises `BadKey`."""
        if not path.exists():
            try:
                write_private(path, secrets.token_hex(32))
            except OSError as error:
                raise BadKey(
                    phrase(
                        "{path} can't be written: {strerror}", path=path, strerror=error.strerror
                    )
                ) from error
        if not is_private(path):
            raise BadKey(
                phrase("{path} can be read by others; make it yours alone (chmod 600)", path=path)
            )
        try:
            line, *more = path.read_text().split()
            secret, generation = bytes.fromhex(line), int(more[0]) if more else 0
        except (OSError, ValueError) as error:
            raise BadKey(phrase("{path} is not a key: {error}", path=path, error=error)) from error
        if len(secret) < 32:
            raise BadKey(phrase("{path} is not a key: too short", path=path))
        return cls(secret, generation, path)

    def revoke_organisers(self) -> None:
        """Revoke all tokens of organisers that were issued so far, permanently.

        Where the key is given to be read only, as it is to servers that share it, it is their ids
        by which they are revoked.
        """
        if self._path is not None:
            new = self._path.with_name(f"{self._path.name}-new")
            try:
                new.unlink(missing_ok=True)
                write_private(new, f"{self._secret.hex()}\n{self._generation + 1}")
                new.replace(self._path)
            except OSError:
                return
        self._generation += 1
        self._known.clear()

    def revoke(self, ids: Iterable[str]) -> int:
        """Revoke the tokens with these ids; returns how many were valid until now.

        It is forgotten with this object.
        """
        before = len(self._revoked)
        self._revoked.update(filter(None, ids))
        return len(self._revoked) - before

    def distrust(self) -> None:
        """Revoke all tokens that were issued so far."""
        self._only = set()

    def issue(self, identity: Identity, days: float, id_: str = "") -> tuple[str, Identity]:
        """A token that lasts so many days, and the identity as it will be read from it.

        It gets an id that nobody else has: this one, or any.
        """
        now, new = int(time.time()), id_ or new_id()
        lasting = replace(identity, expires=now + int(days * _DAY), id=new)
        if self._only is not None:
            self._only.add(new)
        claims = {
            "iss": _ISSUER,
            "jti": lasting.id,
            "sub": lasting.subject,
            "role": lasting.role,
            "match": lasting.match,
            "seat": lasting.seat,
            "iat": now,
            "exp": lasting.expires,
        }
        if lasting.delay:
            claims["delay"] = lasting.delay
        if lasting.event:
            claims["event"] = lasting.event
        if lasting.player:
            claims["player"] = lasting.player
        if lasting.role == Role.ORGANISER and self._generation:
            claims["generation"] = self._generation
        return jwt.encode(claims, self._secret, algorithm="HS256"), lasting

    def check(self, token: str) -> Identity:
        """Whose token it is; raises `BadToken`."""
        known = self._known.get(token)
        if known is None:
            known = self._read(token)
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[token] = known
        if known.id in self._revoked or (self._only is not None and known.id not in self._only):
            raise BadToken("TOKEN_REVOKED", "The token was revoked; ask for a new one.")
        if known.expires <= time.time():
            raise BadToken("TOKEN_EXPIRED", "The token has expired.")
        return known

    def _read(self, token: str) -> Identity:
        try:
            claims = jwt.decode(
                token,
                self._secret,
                algorithms=["HS256"],
                issuer=_ISSUER,
                # A clock that was set back since a token was issued takes nothing from it.
                options={"require": ["exp", "iss", "jti", "sub"], "verify_iat": False},
            )
        except jwt.ExpiredSignatureError:
            raise BadToken("TOKEN_EXPIRED", "The token has expired.") from None
        except jwt.InvalidTokenError:
            raise BadToken("TOKEN_INVALID", "The token was not issued here.") from None
        if claims["role"] == Role.ORGANISER and claims.get("generation", 0) != self._generation:
            raise BadToken("TOKEN_REVOKED", "The token was revoked; there is a newer one.")
        return Identity(
            claims["role"],
            claims["sub"],
            claims["match"],
            claims["seat"],
            int(claims["exp"]),
            claims.get("delay", ""),
            claims.get("event", ""),
            id=claims["jti"],
            player=claims.get("player", 0),
        )


def of_match(
    match: str, seats: int, *, table: bool = False, fork: bool = False, delay: str = ""
) -> list[Identity]:
    """All identities for tokens of a match; for a fork only the officials'.

    `table`: it is entered by a scorekeeper. `delay` is the public's.
    """
    official = Identity(Role.OFFICIAL, f"official of {match}", match)
    if fork:
        return [official]
    keeper = [Identity(Role.SCOREKEEPER, f"scorekeeper of {match}", match)] if table else []
    return [
        official,
        *keeper,
        *(Identity(Role.SEAT, f"seat {seat} of {match}", match, seat) for seat in range(seats)),
        Identity(Role.PUBLIC, f"public of {match}", match, delay=delay),
    ]


def of_event(event: str, delay: str = "") -> list[Identity]:
    """Everybody that tokens of an event are made for; `delay` is the public's, of its matches."""
    return [
        Identity(Role.OFFICIAL, f"official of {event}", event=event),
        Identity(Role.SCOREKEEPER, f"scorekeeper of {event}", event=event),
        Identity(Role.PUBLIC, f"public of {event}", event=event, delay=delay),
    ]


def kept_organiser_token(keys: Keys, path: Path, days: float) -> str:
    """The organiser's token in its file; empty unless it is good for so many days, and private."""
    try:
        if not is_private(path):
            return ""
        token = path.read_text().strip()
        who = keys.check(token)
    except (OSError, UnicodeDecodeError, BadToken):
        return ""
    lasts = who.expires - time.time() > days * _DAY
    return token if who.role == Role.ORGANISER and lasts else ""


def keep_organiser_token(token: str, path: Path) -> None:
    """Write a token into a file that only its owner can read; raises `BadKey`."""
    try:
        path.unlink(missing_ok=True)
        write_private(path, token)
    except OSError as error:
        raise BadKey(
            phrase("{path} can't be written: {strerror}", path=path, strerror=error.strerror)
        ) from error


def is_private(path: Path) -> bool:
    """Whether nobody else can read a file; raises `OSError`.

    One that the system has given us to read (a secret of a container, which is root's) may be read
    by our group.
    """
    if os.name != "posix":
        return True
    found = path.stat()
    given = found.st_uid == 0 != os.geteuid()
    return not found.st_mode & (0o037 if given else 0o077)


def write_private(path: Path, text: str) -> None:
    """Write a new file that only its owner can read; raises `OSError` if there is one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text + "\n")
