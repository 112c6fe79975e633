"""A whole match analysed: its decisions shared among processes, what was found kept beside it.

The file has a line for what was asked and one a decision, in the order in which they were done, so
that an analysis that was broken off goes on where it was. It is no part of the record and can be
thrown away at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from domain import games
from domain.record import events as ev
from domain.record.entries import decode, encode
from domain.record.points import Point
from domain.telling.narration import is_choice
from domain.telling.record import Record
from replay_cli.analysis.chances import Finding, Question, estimate
from replay_cli.checking.workers import workers
from replay_cli.output import writing


class Terms(Struct, frozen=True):
    """What is asked: of which record and game, from what, how many worlds, by which engine."""

    record: str
    game: str
    engine: str
    everything: bool
    worlds: int
    seed: int


class Work(Struct, frozen=True):
    """A match to be analysed: its active line, encoded, and the terms."""

    terms: Terms
    line: Sequence[bytes]
    lists: Mapping[int, Mapping[str, Sequence[str]]]


def work_on(
    record: Record, game: str, *, everything: bool, worlds: int, seed: int
) -> tuple[Work, list[Question]]:
    """What there is to do for a match: its decisions of which the options are in the record."""
    line = [*map(encode, record.line)]
    digest = sha256(b"".join(line)).hexdigest()
    engine = games.rulebook(game).manifest.version
    terms = Terms(digest, game, engine, everything, worlds, seed)
    lists = (one.event for one in record.line if isinstance(one.event, ev.DeckRegistered))
    decks = {one.seat: one.cards.value for one in lists}
    known = {seat: parts for seat, parts in decks.items() if parts}
    questions = [
        Question(one.n, one.seat, one.turn, _count(record, one.n), one.offer, one.act)
        for one in record.decisions
        if not one.abandoned and one.made and one.act is not None
        if one.offer is not None and is_choice(one.offer)
    ]
    return Work(terms, line, known), questions


def _count(record: Record, n: int) -> int:
    """How many entries lead to a decision, its options among them."""
    return record.index(record.find(Point(decision=n)))


def found(work: Work, questions: Sequence[Question], kept: Path, jobs: int) -> Iterator[Finding]:
    """What is found of each decision, as it is; what was kept comes first."""
    before = _kept(kept, work.terms)
    yield from before.values()
    left = [one for one in questions if one.n not in before]
    with writing(kept), kept.open("w", encoding="utf-8") as file:
        file.writelines(f"{_line(one)}\n" for one in (work.terms, *before.values()))
        file.flush()
        with workers(jobs) as pool:
            pending = [pool.submit(_estimated, work, one) for one in left]
            for future in as_completed(pending):
                finding = future.result()
                file.write(f"{_line(finding)}\n")
                file.flush()
                yield finding


def _estimated(work: Work, asked: Question) -> Finding:
    terms = work.terms
    line = [decode(one) for one in work.line]
    return estimate(
        games.rulebook(terms.game), line, asked, dict(work.lists), terms.worlds, terms.seed,
        everything=terms.everything,
    )  # fmt: skip


def _line(one: Struct) -> str:
    return msgspec.json.encode(one).decode()


def _kept(path: Path, terms: Terms) -> dict[int, Finding]:
    """What was found before by the same terms; nothing if they were others."""
    if not path.is_file():
        return {}
    first, *lines = path.read_text("utf-8").splitlines() or [""]
    if first != _line(terms):
        return {}
    done = {}
    for line in lines:
        with suppress(msgspec.DecodeError):  # broken off while it was written
            finding = msgspec.json.decode(line, type=Finding)
            done[finding.n] = finding
    return done
