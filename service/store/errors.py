"""Errors of stores, for all databases."""

from __future__ import annotations


class StoreError(Exception):
    """The store can't be read or written, or does not hold what it should."""


class Locked(StoreError):
    """Another program is writing to the file, for longer than we waited."""


class Unwritable(StoreError):
    """The store can be read, but not written: another process holds it, or it is read-only."""


class Gone(StoreError):
    """The database does not answer, or not in time; what is in memory can still be read.

    Or it could be written, and can only be read now (a primary that was demoted).

    It is not known whether the write succeeded; the writer finds out by its ticket.
    """


class Full(StoreError):
    """There is no room left where the store is; nothing was saved, and reading goes on."""


class Unstorable(StoreError):
    """The values can't be stored in a database; nothing was saved.

    A text with a NUL or half a character in it, a number of more than 64 bits.
    """


class NoSuchMatch(LookupError):
    """There is no match of that id."""


class Conflict(Exception):
    """These entries do not follow the last one of their match; nothing was saved.

    Somebody else has written their numbers already, or what should come before is not there.
    """
