"""Verifies records in this process: one that is at hand, or every match of a store file.

Matches are shared among processes, each with a connection of its own that only reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

from msgspec import Struct

from domain import games
from domain.engine.checks import chance
from domain.engine.checks.verify import DIVERGED, EXACT, UNVERIFIED, Verdict, verify
from domain.engine.rulebook import Rulebook
from domain.record import events as ev
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold_all
from domain.record.proof import bundle
from domain.record.proof.chain import Head
from domain.record.proof.openings import Unproven
from domain.tournament.folding import fold
from domain.words.phrases import message_of, phrase
from replay_cli.checking.workers import workers
from service.anchors.ledger import fault
from service.store import chains
from service.store.derived import checks
from service.store.records import ChainBroken, Records, StoreError
from service.store.tables import archived
from service.store.tables.tournaments import NoSuchTournament, Tournaments

#: Matches that a process is handed at a time.
LOT = 4


class Result(Struct, frozen=True):
    """The subject of a verification, and the outcome."""

    subject: str
    verdict: Verdict
    derived: Sequence[str] = ()  # what is derived from the record and wrong
    head: Head | None = None  # to which its entries lead
    chain: str = ""  # what is wrong where they do not
    chance: tuple[str, str] = ("", "")  # what is proven of it, and why


def check(log: list[Entry]) -> Verdict:
    """Verify a record at hand; one viewer's part of a record can only be folded."""
    opened = log[0].event
    game = opened.game if isinstance(opened, ev.MatchOpened) else ""
    rules = _rulebook(game)
    if any(isinstance(e.event, ev.DeckRegistered) and e.event.cards.value is None for e in log):
        line = active(log)
        fold_all(line)
        decisions = sum(isinstance(e.event, ev.DecisionOpened) for e in line)
        reason = phrase(
            "this is one viewer's copy of a record; it folds, but can't be verified further"
        )
        return Verdict(UNVERIFIED, 0, reason, len(log), decisions)
    return verify(log, rules)


def chance_of(log: list[Entry]) -> tuple[str, str]:
    """The verdict on the chance of a record, and why; empty if the record names no source."""
    found = chance.audit(log)
    return (found.verdict, found.text) if found.source else ("", "")


def _rulebook(game: str) -> Rulebook | None:
    try:
        return games.rulebook(game)
    except KeyError:
        return None


def check_events(path: Path) -> Iterator[Result]:
    """Whether the records of events in a file are those that were written, and can be folded."""
    with closing(Records(path, reading=True)) as records:
        store = Tournaments(records)
        for event in [*(id_ for _, id_ in store.opened()), *store.lost()]:
            subject = phrase("event {id}", id=event)
            try:
                log, _ = store.log(event)
                fold(log)
            except NoSuchTournament:
                yield Result(subject, Verdict(DIVERGED, 0, phrase("it has no entries"), 0, 0))
            except StoreError as error:
                yield Result(subject, Verdict(DIVERGED, 0, message_of(error), 0, 0))
            else:
                text = phrase("each entry is bound to those before it, and they fold")
                yield Result(subject, Verdict(EXACT, 0, text, len(log), 0))


def check_log(path: Path) -> Iterator[Result]:
    """The fault of the log of heads in a file: then it may lack leaves of matches."""
    with closing(Records(path, reading=True)) as records:
        if why := fault(records):
            yield Result(phrase("the log"), Verdict(DIVERGED, 0, why, 0, 0))


# -- a file of matches -----------------------------------------------------------------------------


def matches(path: Path) -> list[str]:
    """The matches of a store file, those among them that it has lost; raises `StoreError`."""
    with closing(Records(path, reading=True)) as records:
        return [*records.ids(), *chains.gone(records)]


def check_all(path: Path, wanted: Sequence[str], jobs: int = 1) -> Iterator[Result]:
    """Verify these matches of a file, in order, in so many processes.

    Raises `StoreError` if it can't be opened; a match that can't be read has diverged.
    """
    if jobs == 1 or len(wanted) < 2:
        with closing(Records(path, reading=True)) as records:
            for match in wanted:
                yield _checked(records, match)
        return
    with workers(min(jobs, len(wanted))) as pool:
        lot = min(LOT, -(-len(wanted) // jobs))
        yield from pool.map(_check_one, [str(path)] * len(wanted), wanted, chunksize=lot)


def _check_one(path: str, match: str) -> Result:
    return _checked(_opened(path), match)


@cache
def _opened(path: str) -> Records:
    """The file, as it is read by one of several processes until that ends."""
    return Records(Path(path), reading=True)


def _checked(records: Records, match: str) -> Result:
    subject, head, chain = phrase("match {match}", match=match), None, ""
    try:
        head = chains.check(records, match)
        if head is None and (public := archived.proven(records, match)) is not None:
            head = bundle.check(public)[-1]
    except ChainBroken as error:
        chain = error.why
    except Unproven as error:
        chain = message_of(error)
    except StoreError:
        pass  # which is reported below
    try:
        log = records.entries(match)
        if not log:
            none = Verdict(DIVERGED, 0, phrase("it has no entries"), 0, 0)
            return Result(subject, none, (), head, chain)
        wrong = checks.faults(records, match)
        return Result(subject, check(log), wrong, head, chain, chance_of(log))
    except StoreError as error:
        return Result(subject, Verdict(DIVERGED, 0, message_of(error), 0, 0), (), head, chain)
