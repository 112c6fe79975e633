"""Checks that could not be made, by what they need.

Each function is the `missing` of some checks (`replay_cli.doctor.findings`). Faults there are
reported by the check for just that: whether somebody answers, or a store does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from domain.words.phrases import Phrase, phrase
from replay_cli.doctor.findings import Unseen
from replay_cli.doctor.seen import Endpoint, Seen

Missing = Callable[[Seen], Iterator[Unseen]]
_SILENT = phrase("no server answers there")
_STORE = phrase("its store does not answer")
_REPLICA = phrase("it is a replica, at which nobody can listen")


def nothing(seen: Seen) -> Iterator[Unseen]:
    """The parts that are checked in any case."""
    yield from ()


def connected(seen: Seen) -> Iterator[Unseen]:
    """Addresses at which nobody answers, or somebody who speaks HTTP/1."""
    for one in seen.endpoints:
        if one.unreachable:
            yield Unseen(one.address, phrase("it speaks HTTP/1") if one.http1 else _SILENT)


def spoken(seen: Seen) -> Iterator[Unseen]:
    """Addresses at which it is not known what is spoken."""
    for one in seen.endpoints:
        if one.unreachable and not one.http1:
            yield Unseen(one.address, _SILENT)
    yield from _distrusted(seen.endpoints)


def called(seen: Seen) -> Iterator[Unseen]:
    """Addresses at which nothing can be called."""
    yield from connected(seen)
    yield from _distrusted(seen.endpoints)


def healthy(seen: Seen) -> Iterator[Unseen]:
    """Addresses whose health is not known, of pages as well."""
    yield from called(seen)
    for page in seen.pages:
        if page.unreachable:
            yield Unseen(page.address, _SILENT)


def shown(seen: Seen) -> Iterator[Unseen]:
    """Addresses that are to show a certificate and have not."""
    for one in seen.endpoints:
        if one.tls and one.certificate is None:
            yield Unseen(one.address, _SILENT)


def described(seen: Seen) -> Iterator[Unseen]:
    """Addresses whose servers have not described themselves, or not all of them."""
    yield from called(seen)
    for one in seen.endpoints:
        if one.refused:
            why = phrase("it does not say what it is ({why})", why=one.refused)
            yield Unseen(one.address, why)


def limited(seen: Seen) -> Iterator[Unseen]:
    """Servers that don't know their limits."""
    yield from described(seen)
    for one in seen.processes():
        if not one.open_files:
            yield Unseen(one.name, phrase("it does not know its limits"))


def leading(seen: Seen) -> Iterator[Unseen]:
    """Servers that can't know which of them keeps up the log: their store would say."""
    yield from described(seen)
    for one in seen.processes():
        if one.store.get("wrong"):
            yield Unseen(one.name, _STORE)


def facts(**wanted: Sequence[str]) -> Missing:
    """Stores of which some facts are not known: those that are wanted of a kind, or of `each`."""

    def missing(seen: Seen) -> Iterator[Unseen]:
        yield from described(seen)
        for where, known, wrong in _known(seen):
            names = (*wanted.get("each", ()), *wanted.get(known.get("kind", ""), ()))
            lacking = [name for name in names if not known.get(name)]
            if lacking or not known:
                yield Unseen(where, wrong or _nothing_of(lacking))

    return missing


def migrated(seen: Seen) -> Iterator[Unseen]:
    """Databases whose tables are not known."""
    for one in seen.stores:
        if one.facts.get("kind") == "postgresql" and one.wrong and not one.missing:
            yield Unseen(one.name, _STORE)


def listened(seen: Seen) -> Iterator[Unseen]:
    """Databases at which nobody could try whether NOTIFY is heard."""
    for one in seen.stores:
        if one.facts.get("kind") == "postgresql" and one.heard is None:
            replica = one.facts.get("recovery") == "yes"
            yield Unseen(one.name, _REPLICA if replica else _STORE)


def followed(seen: Seen) -> Iterator[Unseen]:
    """Pages of which no stream could be asked for."""
    for one in seen.pages:
        if one.unreachable:
            yield Unseen(one.address, _SILENT)
        elif one.first < 0 and not one.stream:
            why = phrase("it answers {status}", status=one.unfollowed) if one.unfollowed else None
            yield Unseen(one.address, why or phrase("no match is known that could be followed"))


def read(seen: Seen) -> Iterator[Unseen]:
    """The tests that the token for reading could not do."""
    if seen.reader is not None and seen.reader.untried:
        role = seen.reader.role or phrase("the reader's token")
        yield Unseen(role, phrase("no server answers ({why})", why=seen.reader.untried))


def _distrusted(endpoints: Sequence[Endpoint]) -> Iterator[Unseen]:
    for one in endpoints:
        if one.certificate is not None and one.certificate.wrong:
            yield Unseen(one.address, phrase("its certificate is not accepted"))


def _known(seen: Seen) -> Iterator[tuple[str, Mapping[str, str], Phrase | None]]:
    """The known facts of stores, by source, and why that may not be all."""
    for process in seen.processes():
        yield process.name, process.store, _STORE if process.store.get("wrong") else None
    for store in seen.stores:
        wrong = _STORE if store.wrong or store.facts.get("wrong") else None
        if store.missing:
            wrong = phrase("it lacks migrations")
        yield store.name, store.facts, wrong


def _nothing_of(names: Sequence[str]) -> Phrase:
    if not names:
        return phrase("it says nothing of its store")
    return phrase("nothing is known of {what}", what=", ".join(names))
