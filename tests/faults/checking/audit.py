"""What must be true when all faults are mended: of the store, of what was acknowledged and seen.

`audit` names everything that is wrong, a line each: commands that were acknowledged and are not in
the record, or twice; followers who saw other entries than the record's; records that have a gap, do
not fit their chain or do not verify; servers that say something else than the store; histories that
can't have happened in any order (`histories`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.engine.checks.verify import EXACT, verify
from domain.record.entries import Entry
from domain.record.events import MatchOpened
from service.api.calls import tickets
from service.client.client import CallError, Client
from service.store import chains
from service.store.records import ChainBroken, Records, StoreError
from tests.faults.checking.commands import Command, commands, hashed
from tests.faults.checking.histories import contradiction
from tests.faults.journal import UNSTATED, Call, Journal, Page, Took
from tests.toy import TOY

#: How many of the operations that fit nowhere are shown.
SHOWN = 6


class Seen(NamedTuple):
    """One match: its record by the store, and what the journal says of it."""

    id: str
    entries: Sequence[Entry]
    record: Sequence[Command]
    calls: Sequence[Call]
    pages: dict[tuple[str, str], list[Page]]


def audit(where: Any, servers: Sequence[Client], journal: Journal) -> Iterator[str]:
    """Everything that is wrong."""
    records = Records(where, reading=True)
    matches = dict[str, Sequence[Entry]]()
    try:
        for match in records.ids():
            yield from _faults(match, lambda match=match: _chained(records, match))
            yield from _faults(match, lambda match=match: _read(records, match, matches))
        everything = set(records.ids())
    finally:
        records.close()
    calls, lost = _by_match(matches, journal)
    yield from lost
    for match, entries in matches.items():
        pages = {key[1:]: found for key, found in journal.pages.items() if key[0] == match}
        seen = Seen(match, entries, commands(entries), calls.get(match, ()), pages)
        for check in (_sound, _acknowledged, _once, _ordered):
            yield from _faults(match, lambda check=check, seen=seen: check(seen))
        yield from _faults(match, lambda seen=seen: _followed(seen, servers))
        yield from _faults(match, lambda seen=seen: _served(seen, servers))
    yield from _faults("lists", lambda: _listed(everything, servers))


def _faults(match: str, check: Callable[[], Iterable[str]]) -> Iterator[str]:
    """What a check finds; that it can't be made is wrong, too."""
    try:
        for text in check():
            yield f"{match}: {text}"
    except (CallError, StoreError, AssertionError, LookupError) as error:
        yield f"{match}: can't be checked: {error!r}"


def _read(records: Records, match: str, into: dict[str, Sequence[Entry]]) -> Iterable[str]:
    into[match] = records.entries(match)
    return ()


def _by_match(
    matches: dict[str, Sequence[Entry]], journal: Journal
) -> tuple[dict[str, list[Call]], list[str]]:
    """Calls by their matches, those that opened one too; and matches that were lost."""
    opened = {_opened(entries): match for match, entries in matches.items()}
    found, lost = dict[str, list[Call]](), list[str]()
    for call in journal.calls:
        match = call.match or opened.get(call.name, "")
        if match in matches:
            found.setdefault(match, []).append(call)
        elif call.match or isinstance(call.outcome, Took):
            lost.append(f"no match of {call}")
    return found, lost


def _opened(entries: Sequence[Entry]) -> str:
    event = entries[0].event
    assert isinstance(event, MatchOpened)
    return tickets.parsed(event.ticket.value or "").name


def _chained(records: Records, match: str) -> Iterator[str]:
    try:
        if chains.check(records, match) is None:
            yield "it has no chain"
    except ChainBroken as error:
        yield str(error)


def _sound(seen: Seen) -> Iterator[str]:
    verdict = verify(list(seen.entries), TOY)
    if verdict.kind != EXACT:
        yield f"it verifies {verdict}"


def _acknowledged(seen: Seen) -> Iterator[str]:
    """What was acknowledged is in the record, as it was acknowledged."""
    there = {command.name: command for command in seen.record}
    for call in seen.calls:
        if not isinstance(call.outcome, Took):
            continue
        found = there.get(call.name) or there.get(hashed(call.name))
        if found is None:
            yield f"lost: {call}"
        elif call.outcome.last not in (UNSTATED, found.last) or call.outcome.first != found.first:
            yield f"acknowledged as {call.outcome}, recorded as {found}"


def _once(seen: Seen) -> Iterator[str]:
    """No request is in the record twice; the service's own in matches of events have no names."""
    names = Counter(command.name for command in seen.record)
    yield from (f"doubled: {name} {n} times" for name, n in names.items() if n > 1 and name)
    if seen.calls:
        yield from (f"a command without a name: {one}" for one in seen.record if not one.name)


def _ordered(seen: Seen) -> Iterator[str]:
    pages = [page for found in seen.pages.values() for page in found]
    found = contradiction(seen.calls, pages, seen.record)
    if found is not None:
        first = sorted(found.waiting, key=lambda op: op.answered)[:SHOWN]
        text = "".join(f"\n    {op}" for op in first)
        state = found.state._replace(done=frozenset(), undone=frozenset())
        yield f"no order explains what was seen after {found.taken} operations, at {state}:{text}"


def _followed(seen: Seen, servers: Sequence[Client]) -> Iterator[str]:
    """Every follower has seen the record's entries, from the first on, none twice or left out."""
    for (token, follower), pages in seen.pages.items():
        expected = shown(servers[0].with_token(token), seen.id)
        got = [entry for page in pages for entry in page.entries]
        firsts = [page.first for page in pages]
        follows = [1 + sum(len(page.entries) for page in pages[:at]) for at in range(len(pages))]
        if firsts != follows:
            yield f"follower {follower} was sent pages that begin with {firsts}, not {follows}"
        if got != expected[: len(got)]:
            at = next(n for n, one in enumerate(got) if expected[n : n + 1] != [one])
            yield f"follower {follower} saw another entry {at + 1}"
        if len(got) < len(expected):
            yield f"follower {follower} saw {len(got)} entries of {len(expected)}"


def _served(seen: Seen, servers: Sequence[Client]) -> Iterator[str]:
    """Every server shows what the store has."""
    for number, client in enumerate(servers):
        if (found := list(client.events(seen.id))) != list(seen.entries):
            yield f"server {number} shows {len(found)} entries of {len(seen.entries)}, or others"
        stands = client.match(seen.id)
        if (stands.entries, stands.decision) != (len(seen.entries), seen.record[-1].opens):
            yield f"server {number} says {stands.entries} entries, decision {stands.decision}"


def _listed(matches: set[str], servers: Sequence[Client]) -> Iterator[str]:
    """Every server lists what there is."""
    for number, client in enumerate(servers):
        listed = [match.id for match in client.list_matches()]
        if sorted(listed) != sorted(matches):
            yield f"server {number} lists {len(listed)} matches, and there are {len(matches)}"


def shown(client: Client, match: str) -> list[bytes]:
    """The entries of a match as somebody sees them, in the bytes that come."""
    from kifu.v1 import match_service_pb2 as pb

    request = pb.ListEventsRequest(match_id=match, page_size=1000)
    pages = client.pages(client.matches.ListEvents, request, "entries")
    return [one.SerializeToString(deterministic=True) for one in pages]
