"""Checks of stores: whether they answer, are durable, and have space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domain.words.phrases import Phrase, phrase
from replay_cli.doctor.findings import MEND, WRONG, Problem
from replay_cli.doctor.seen import Seen

#: A store that takes longer than this to answer, in milliseconds, makes people wait.
SLOW = 20.0
#: Megabytes that should be free where a file lies: a busy day's; and that have to be.
ROOM, LEAST = 2048, 256
#: File systems on which several machines can't be kept apart, so that a file may be spoilt.
NETWORKED = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "fuse.sshfs",
             "vboxsf", "virtiofs", "fuse.glusterfs", "fuse.s3fs")  # fmt: skip
#: File systems that are gone when the machine is started again.
PASSING = ("tmpfs", "ramfs", "overlay")
#: Settings of PostgreSQL without which what was acknowledged may be lost; what each of them is for.
DURABLE = {
    "fsync": (
        WRONG,
        phrase("fsync is off: when the machine fails, the database may be ruined."),
        phrase("In postgresql.conf: fsync = on, then reload."),
    ),
    "full_page_writes": (
        WRONG,
        phrase("full_page_writes is off: when the machine fails, the database may be ruined."),
        phrase("In postgresql.conf: full_page_writes = on, then reload."),
    ),
    "synchronous_commit": (
        WRONG,
        phrase("synchronous_commit is off: the last commands that were acknowledged may be lost."),
        phrase("Set it to on, where it was set: in postgresql.conf, of the database, of its user."),
    ),
    "data_checksums": (
        MEND,
        phrase("data_checksums are off: what the disk spoils of the database is noticed late."),
        phrase("Once, while the database is stopped: pg_checksums --enable."),
    ),
}


def reached(seen: Seen) -> Iterator[Problem]:
    """Whether stores can be read."""
    remedy = phrase(
        "Check that the database runs, that the address is right, and that its user "
        "may log in. Servers recover by themselves once it answers."
    )
    for store in seen.stores:
        if store.wrong:
            yield Problem(WRONG, store.name, phrase("{why}.", why=store.wrong.rstrip(".")), remedy)
    for where, facts in seen.described():
        if wrong := facts.get("wrong", ""):
            text = phrase("Its store does not answer: {why}.", why=wrong.rstrip("."))
            yield Problem(WRONG, where, text, remedy)


def writable(seen: Seen) -> Iterator[Problem]:
    """Whether servers may write to their stores."""
    for where, facts in seen.described():
        if facts.get("writable") == "no":
            text = phrase("It can only be read.")
            remedy = phrase(
                "The server's log says why: rights of the file or the user, or another process."
            )
            yield Problem(WRONG, where, text, remedy)
        if facts.get("recovery") == "yes":
            text = phrase("Its database is a replica, to which nothing can be written.")
            remedy = phrase("Name the primary in --store (target_session_attrs=read-write).")
            yield Problem(WRONG, where, text, remedy)


def migrated(seen: Seen) -> Iterator[Problem]:
    """Whether a database has the tables that this version needs."""
    for store in seen.stores:
        if store.missing:
            which = ", ".join(store.missing)
            text = phrase("It lacks the migrations {which}.", which=which)
            remedy = phrase("Run `kifu store migrate` with its address; servers may run meanwhile.")
            yield Problem(WRONG, store.name, text, remedy)


def durable(seen: Seen) -> Iterator[Problem]:
    """Whether acknowledged writes of a database survive a failure of its machine."""
    for where, facts in seen.described():
        for name, (level, text, remedy) in DURABLE.items():
            if facts.get(name) == "off":
                yield Problem(level, where, text, remedy)


def quick(seen: Seen) -> Iterator[Problem]:
    """Whether stores answer quickly enough."""
    for where, facts in seen.described():
        took = float(facts.get("latency_ms", "0"))
        if took > SLOW:
            text = phrase("Its store takes {ms} ms to answer.", ms=f"{took:.0f}")
            remedy = phrase(
                "Bring servers and database together; look at the load of the database."
            )
            yield Problem(MEND, where, text, remedy)


def places(seen: Seen) -> Iterator[Problem]:
    """Whether a file of matches lies where it is safe."""
    for where, facts in seen.described():
        kind = facts.get("filesystem", "")
        if kind in NETWORKED:
            text = phrase(
                "The file is on a network file system ({kind}), where it may be corrupted.",
                kind=kind,
            )
            remedy = phrase("Put it on a disk of the server, or use PostgreSQL.")
            yield Problem(WRONG, where, text, remedy)
        elif kind in PASSING:
            text = phrase(
                "The file is on a file system that is lost at a restart ({kind}).", kind=kind
            )
            remedy = phrase("Put it on a disk; in a container, on a volume.")
            yield Problem(MEND, where, text, remedy)
        yield from _room(where, facts)
        mode = int(facts.get("mode", "0"), 8)
        if mode & 0o077:
            text = phrase("The file can be read by others on the machine.")
            remedy = phrase("chmod 600, and the files next to it as well.")
            yield Problem(MEND, where, text, remedy)


def _room(where: str, facts: Mapping[str, str]) -> Iterator[Problem]:
    free = int(facts.get("free_mb", str(ROOM)))
    if free < ROOM:
        text = phrase("The file system of the store has {n} MB left.", n=free)
        remedy: Phrase = phrase("Make room, or move the file.")
        yield Problem(WRONG if free < LEAST else MEND, where, text, remedy)


def heard(seen: Seen) -> Iterator[Problem]:
    """Whether LISTEN works: through a pooler that shares connections it does not."""
    for store in seen.stores:
        if store.heard is False:
            text = phrase(
                "What one connection says (NOTIFY) no other hears: a pooler is in between that"
                " shares connections by transactions, as PgBouncer does."
            )
            remedy = phrase(
                "Let news go by NATS (--news nats://…), or past the pooler to the database itself."
            )
            yield Problem(MEND, store.name, text, remedy)
