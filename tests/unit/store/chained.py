"""Chains for the tests of stores: what a match is written with, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.chain import Head, genesis
from service.store import chains
from service.store.derived import listing
from service.store.layout.chaining import Chain, Links
from service.store.records import Records, Work
from tests.unit.store.records import AT

ID = "aaaaa"


def keep(records: Records, commands: Sequence[Sequence[Entry]], match: str = ID) -> list[bytes]:
    """Write a match command by command; the hashes that were told."""
    found = []
    for command in commands:
        links = linked(records, Work(match, command, listing.derive(match, command, at=AT)))
        assert links[-1] == chains.head(records, match)
        found += [head.hash for head in links]
    return found


def linked(records: Records, work: Work) -> Links:
    """Write a work; how it was chained."""
    (found,) = records.write(work)
    assert found is not None
    return found


def chain_of(records: Records, match: str = ID) -> Chain:
    found = chains.find(records, match)
    assert found is not None
    return found


def begun(log: Sequence[Entry], match: str = ID, since: int = 0) -> Head:
    assert isinstance(log[0].event, MatchOpened)
    return genesis(match, log[0].event, since)
