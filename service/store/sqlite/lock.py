"""The lock that lets one process write a file, and tells the others which process that is.

It is a lock of the operating system on a file beside the data (`…-lock`), so it ends with its
process. The database itself is not locked this way: closing it anywhere in a process drops SQLite's
own locks. The lock file names its owner and the address of the server, or that it is starting:
other processes then need not wait for the file, but call the server.
"""

from __future__ import annotations

import atexit
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

#: How long to try for the lock, in seconds.
TRY = 0.3
_OWN = 0o600
#: How long each text of the lock file is, in bytes: most are shorter, and filled up with spaces.
_LENGTH = 256


class Holder(Struct, frozen=True):
    """The owner of a file: a process, since when (seconds since 1970), and its address.

    `starting`: it can't be called yet, and will say where.
    """

    pid: int
    since: float
    address: str = ""
    starting: bool = False

    @property
    def serves(self) -> bool:
        """Whether it keeps the file until it is told to stop."""
        return self.starting or bool(self.address)

    def __str__(self) -> str:
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(self.since))
        at = f" and answers at {self.address}" if self.address else ""
        at = " and is starting" if self.starting else at
        return f"process {self.pid} has held it since {since}{at}"


class LockTaken(Exception):
    """Another process holds the lock; the text says which."""


class FileLock:
    """The lock of this process on a file, from construction until `release`."""

    def __init__(self, data: Path, patience: float = TRY) -> None:
        """Raises `LockTaken`, or `OSError` if there can be no file beside the data.

        `patience`: how long to wait for a process that holds it, in seconds; one that serves it is
        not waited for.
        """
        self._path = lock_file(data)
        self._since = time.time()
        last = time.monotonic() + patience
        while (file := _take(self._path)) is None:
            time.sleep(0.02)  # after which its owner has written the lock file
            found = holder(data)
            if time.monotonic() > last or (found is not None and found.serves):
                raise LockTaken(str(found or "another process holds it"))
        self._file = file
        atexit.register(self.release)  # an interrupt while the data are opened leaves no lock file
        self.publish()

    def publish(self, address: str = "", *, starting: bool = False) -> None:
        """Write down where this process can be called; that it will be (`starting`), or is not."""
        self._write(msgspec.json.encode(Holder(os.getpid(), self._since, address, starting)))

    def release(self) -> None:
        """Let others have it."""
        atexit.unregister(self.release)
        self._write(b"")
        with suppress(OSError):
            self._path.unlink()
        os.close(self._file)

    def _write(self, text: bytes) -> None:
        """Write over what is there, at once: who reads meanwhile finds one text or the other."""
        os.lseek(self._file, 0, os.SEEK_SET)
        os.ftruncate(self._file, os.write(self._file, text.ljust(_LENGTH)))


def _take(path: Path) -> int | None:
    """A file, open and locked; None if another process has it or was about to let it go."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, _OWN)
    if _locked(file):
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), path.stat()):
                return file
    os.close(file)
    return None


def lock_file(data: Path) -> Path:
    """The path of the lock file of the data; the same through any links."""
    real = data.resolve()
    return real.with_name(real.name + "-lock")


def holder(data: Path) -> Holder | None:
    """The owner of a file, or the one that was killed; None if the lock file names none."""
    try:
        return msgspec.json.decode(lock_file(data).read_bytes(), type=Holder)
    except (OSError, msgspec.DecodeError):
        return None


def starting(data: Path) -> bool:
    """Whether a server is starting on a file: it holds it, and will say where it answers."""
    found = holder(data)
    return found is not None and found.starting and not _is_free(lock_file(data))


def _is_free(path: Path) -> bool:
    """Whether a lock file has no owner: its writer was killed."""
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return True
    try:
        return _locked(file)
    finally:
        os.close(file)


if sys.platform == "win32":
    import msvcrt

    #: Beyond what is written: on Windows nobody else can read what is locked.
    _BYTE = 1 << 20

    def _locked(file: int) -> bool:
        os.lseek(file, _BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
