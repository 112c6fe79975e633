"""Evidence: the content of a file about a match, in any form, to judge claims by.

Forms are recognised by the content of a file, not by its name. A file of matches holds its own
chain (`service.store`), an exported record or a bundle what proves it; a transcript's bundle lies
beside it (`bundle_of`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from domain.record.entries import Entry
from domain.record.events import DeckRegistered
from domain.record.proof import bundle
from domain.record.proof.anchors import leaves
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.findings import Archive
from domain.record.proof.anchors.leaves import EVENT, Leaf
from domain.record.proof.anchors.policy import Policy, judge
from domain.record.proof.bundle import ANCHOR as ANCHOR
from domain.record.proof.bundle import BadBundle, Bundle
from domain.record.proof.chain import Head
from domain.record.views import OFFICIAL, PUBLIC
from domain.tournament import copy
from domain.tournament import proof as chain_of_events
from domain.tournament.copy import Copy
from domain.tournament.folding import fold
from domain.words.phrases import message_of, phrase
from replay_cli import record
from replay_cli.output import REFUSED, USAGE, Failed
from service.anchors import ledger
from service.anchors.ledger import Ledger
from service.live.results import Difference, absent, differences
from service.store import chains
from service.store.derived import checks
from service.store.history import History
from service.store.records import LAST, ChainBroken, NoSuchMatch, Records, StoreError
from service.store.tables import access, archived
from service.store.tables.archived import Archived
from service.store.tables.tournaments import NoSuchTournament, Tournaments, key_of

_DATABASE = b"SQLite format 3\0"


class FileLog:
    """The log of heads that a file of matches has: its checkpoint, and all its leaves."""

    def __init__(self, ledger: Ledger) -> None:
        """Raises `StoreError` if it can't be read."""
        newest = ledger.last()
        self.note = newest.note if newest is not None else None
        size = newest.checkpoint.size if newest is not None else 0
        self.leaves = ledger.entries(0, size)
        self._archive: Archive | None = None

    def archive(self, by: Policy) -> Archive | None:
        """The log by a policy, with any signer; None: none. Raises `BadTile`."""
        if self._archive is None and self.note is not None:
            self._archive = Archive(judge(self.note, by), self.leaves)
        return self._archive


class Looks(Struct, frozen=True):
    """The log of access in a file: what is wrong with it, and how many lines are of the match."""

    fault: str
    lines: int


class Evidence(Struct, frozen=True):
    """The evidence in a file about one match, or an event of organisers (`event`), unchecked.

    `damage` says why its entries can't be read, `broken` why they do not fit the chain of their
    file; `derived` what is derived from them and wrong, None: nothing is derived in such a file.
    `looks` is what the log of access in their file says of the match, None: it has no such log.
    `transcript` is the text that its entries should tell, of an event a table; `log` the log of
    heads in their file. `match` is its id in a file of matches, if its entries can be counted
    there; `archived` says that it was taken out of that. `alone`: it is the log itself, of no
    match. `unlike` are the results of the event that are not what the matches in the file say, and
    so many come from matches that are `absent` from it.
    """

    subject: str
    entries: Sequence[Entry]
    bundle: Bundle | None = None
    damage: str = ""
    broken: str = ""
    derived: Sequence[str] | None = None
    transcript: str | None = None
    log: FileLog | None = None
    looks: Looks | None = None
    match: str = ""
    archived: Archived | None = None
    alone: bool = False
    event: Copy | None = None
    unlike: Sequence[Difference] = ()
    absent: int = 0

    @property
    def proven(self) -> Bundle | Copy | None:
        """The proof of a match or of an event; None: none."""
        if self.event is not None:
            return self.event if self.event.opens is not None else None
        return self.bundle

    @property
    def key(self) -> str:
        """Its key in a log of heads."""
        if self.event is not None:
            return self.event.key
        return self.bundle.proof.match if self.bundle is not None else self.match

    @property
    def head(self) -> Head | None:
        """The head to which it says that it leads."""
        if self.event is not None:
            return self.event.head
        return self.bundle.proof.head if self.bundle is not None else None

    @property
    def count(self) -> int:
        """How many entries it has."""
        return len(self.event.entries if self.event is not None else self.entries)

    @property
    def viewer(self) -> int:
        """Whose copy it is; the official's, unless it lacks what he would see."""
        if self.event is not None:
            return self.event.viewer
        if self.bundle is not None:
            return self.bundle.viewer
        lists = (e.event for e in self.entries if isinstance(e.event, DeckRegistered))
        return PUBLIC if any(deck.cards.value is None for deck in lists) else OFFICIAL


def of_file(
    path: Path | str, match: str = "", proving: Path | None = None, known: Iterable[str] = (),
    *, log: bool = False,
) -> Iterator[Evidence]:  # fmt: skip
    """The evidence in a file, or in a database by its address, match by match.

    `proving` is the proof of what has none in it. `known` are matches that a store should have;
    `log`: what its log is worth is asked as well.
    Raises `Failed` if it holds no match, or not the one that is named.
    """
    if isinstance(path, str) or _is_database(path):
        yield from _of_store(path, match, known, log)
        return
    text, subject = record.text_of(path), str(path)
    if copy.is_copy(text):
        yield _of_copy(path, text)
        return
    proves = proving or bundle_of(path)
    if proves.is_file() and copy.is_copy(found_text := record.text_of(proves)):
        yield replace(_of_copy(proves, found_text), subject=subject, transcript=text)
        return
    if record.is_transcript(text):
        found = proving or bundle_of(path)
        transcript, proof = text, _proof_in(found) if found.is_file() else None
        entries = [*proof.entries] if proof is not None else record.read(path)
    else:
        (entries, proof), transcript = record.parsed(path, text), None
        if proving is not None and (proof := _proof_in(proving)).entries != entries:
            raise Failed(
                phrase(
                    "{proving} proves other entries than those in {path}",
                    proving=proving,
                    path=path,
                )
            )
    if match and (proof is None or proof.proof.match != match):
        raise Failed(phrase("in {path} there is no match {match}", path=path, match=match), USAGE)
    yield Evidence(subject, entries, proof, transcript=transcript if proof else None)


def _of_copy(path: Path, text: str) -> Evidence:
    """The evidence in an event's bundle; the matches are elsewhere."""
    try:
        found = copy.read(text)
        state = fold(found.entries)
    except (BadBundle, KeyError, IndexError, AttributeError) as error:
        raise Failed(
            phrase("{path} can't be read: {error}", path=path, error=error), REFUSED
        ) from error
    sourced = sum(
        table.result is not None and table.result.source > 0
        for one in state.rounds
        for table in one.tables.values()
    )
    return Evidence(str(path), (), event=found, absent=sourced)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_DATABASE)) == _DATABASE


def bundle_of(transcript: Path) -> Path:
    """Where the bundle lies that proves a transcript."""
    return transcript.with_name(transcript.name + bundle.SUFFIX)


def _proof_in(path: Path) -> Bundle:
    proof = record.parsed(path, record.text_of(path))[1]
    if proof is None:
        raise Failed(phrase("{path} proves nothing: it is no bundle", path=path), USAGE)
    return proof


def _of_store(
    path: Path | str, match: str, known: Iterable[str], whole: bool
) -> Iterator[Evidence]:
    with closing(Records(path, reading=True)) as records:
        ids = dict.fromkeys([*records.ids(), *chains.gone(records)])
        log, fault = _log_in(records)
        ids |= dict.fromkeys(leaf.match for leaf in _leaves_of(log) if leaf.match)
        ids |= dict.fromkeys(known)
        ids |= dict.fromkeys(one.key for one in archived.every(records))
        events = Tournaments(records)
        named = [*(event for _, event in events.opened()), *events.lost()]
        ids |= dict.fromkeys(map(key_of, named))
        if key_of(match) in ids:
            match = key_of(match)
        if match and match not in ids:
            raise Failed(
                phrase("in {path} there is no match and no event {match}", path=path, match=match),
                USAGE,
            )
        if fault:
            yield Evidence(phrase("the log of {path}", path=path), (), damage=fault)
        elif whole:
            yield Evidence(phrase("the log of {path}", path=path), (), log=log, alone=True)
        for one in [match] if match else ids:
            if one.startswith(EVENT):
                yield _of_event(records, one.removeprefix(EVENT), log)
            else:
                yield _of_match(records, one, log)


def _log_in(records: Records) -> tuple[FileLog | None, str]:
    """The log of a file, and what is wrong with it as a whole."""
    try:
        return FileLog(Ledger(records)), ledger.fault(records)
    except (StoreError, Malformed) as error:
        return None, message_of(error)


def _leaves_of(log: FileLog | None) -> Iterator[Leaf]:
    for leaf in log.leaves if log is not None else ():
        with suppress(Malformed):  # a later form
            yield leaves.parse(leaf)


def _of_match(records: Records, match: str, log: FileLog | None) -> Evidence:
    subject, broken, proof = phrase("match {id}", id=match), "", None
    try:
        with records.reading():
            entries = records.entries(match)
            row = archived.find(records, match)
            if row is not None and not entries:
                return Evidence(subject, (), log=log, match=match, archived=row)
            try:
                chains.check(records, match)
                own = chains.proof(records, match, OFFICIAL)
                along = {ANCHOR: row.anchor} if row is not None and row.anchor else {}
                proof = Bundle(entries, OFFICIAL, own, (), along)
            except (chains.Unchained, NoSuchMatch):
                proof = archived.proven(records, match)
            except ChainBroken as error:
                broken = error.why
            if not entries:
                gone = broken or phrase("the file has no entry of it")
                return Evidence(subject, (), damage=gone, match=match)
            derived = checks.faults(records, match)
            looks = _looks(records, match)
    except StoreError as error:
        return Evidence(subject, (), damage=message_of(error))
    return Evidence(
        subject, entries, proof, broken=broken, derived=derived, log=log, looks=looks, match=match
    )


def _of_event(records: Records, event: str, log: FileLog | None) -> Evidence:
    """The evidence in a file about an event of organisers."""
    subject = phrase("event {id}", id=event)
    row = archived.find(records, event)
    try:
        with records.reading():
            own = _copy(records, event, row)
            state = fold(own.entries)
            unlike, gone = [*differences(History(records), state)], absent(records, state)
    except NoSuchTournament:
        if row is not None:
            return Evidence(subject, (), log=log, match=subject, archived=row)
        return Evidence(subject, (), damage=phrase("the file has no entry of it"), match=subject)
    except StoreError as error:
        return Evidence(subject, (), damage=str(error).removeprefix(f"{subject}: "), match=subject)
    return Evidence(subject, (), log=log, match=subject, event=own, unlike=unlike, absent=gone)


def _copy(records: Records, event: str, row: Archived | None) -> Copy:
    """The copy of an event in a file; raises `NoSuchTournament`, `StoreError`."""
    along = {ANCHOR: row.anchor} if row is not None and row.anchor else {}
    public = archived.proven_event(records, event)
    if public is not None and row is not None:
        entries, opens = public
        return Copy(event, entries, row.head, opens, row.viewer, along)
    entries, tail = Tournaments(records).log(event)
    assert tail.chain is not None
    opens = [*chain_of_events.opened(entries, OFFICIAL, tail.chain.secret)]
    return Copy(event, entries, tail.head, opens, OFFICIAL, along)


def _looks(records: Records, match: str) -> Looks | None:
    fault = access.check(records) or access.check(records, log=match)
    return Looks(fault, len(access.lines(records, match=match, limit=LAST)))
