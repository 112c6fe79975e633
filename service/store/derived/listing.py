"""The listing: a row for each match, and the lists on which it stands.

By those matches are found by label, state, game and event (`searching`). Rows are derived from the
entries that open, rewind and end a match or correct its result, and written in the same
transaction; a damaged row is bypassed. A match whose end was taken back is live again. Results that
were reported and stand no more are kept. Entries are in `records`, rebuilding is in `checks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from domain.record.entries import TYPES, Entry
from domain.record.events import MatchEnded, MatchOpened
from domain.record.interventions import MatchBegan, ResultCorrected, Rewound, TimeCalled
from domain.record.schema.citations import without_edition
from domain.words.phrases import phrase
from service.store.derived import rewinds
from service.store.records import LAST, NoSuchMatch, Records, Statement, StoreError
from service.store.statements import replacing, upsert
from service.store.tables import archived, lists

#: States of a match, as the column `ended` has them: it is being played, is over, waits to begin.
LIVE, ENDED, WAITING = 0, 1, 2


class Outcome(Struct, array_like=True, frozen=True):
    """How a match ended."""

    winner: int = -1
    score: tuple[int, ...] = ()


class Listed(Struct, frozen=True):
    """A match as the listing knows it. `seed` is set where chance was made repeatable.

    `entries`: how many it has, of which so many are `rewinds`, and how many of its results are
    `superseded`; 0 where they were not counted.
    """

    id: str
    heading: MatchOpened
    state: int
    outcome: Outcome
    seed: int | None
    entries: int = 0
    rewinds: int = 0
    superseded: int = 0

    @property
    def ended(self) -> bool:
        """Whether it is over."""
        return self.state == ENDED


_heading = msgspec.msgpack.Decoder(MatchOpened).decode
_outcome = msgspec.msgpack.Decoder(Outcome).decode
_encode = msgspec.msgpack.Encoder().encode


def derive(
    match: str, entries: Sequence[Entry], seed: int | None = None, at: int | None = None
) -> list[Statement]:
    """The changes of the listing by entries that are about to be saved.

    The match was opened `at` a time (milliseconds since 1970): by them, where none is given.
    """
    found: list[Statement] = []
    for entry in entries:
        event = entry.event
        if type(event) is MatchOpened:
            at = event.at
            found += _opened(match, event, seed)
        elif type(event) in _CHANGING:
            assert at is not None, "who adds to a match knows when it was opened"
            found += _changed(match, entry, at)
    return found


def _opened(match: str, heading: MatchOpened, seed: int | None) -> list[Statement]:
    state = WAITING if heading.waits else LIVE
    row = (match, heading.at, heading.game, state, _encode(heading), _encode(Outcome()), seed)
    names = [*names_of(match, heading), of_state(state)]
    return [(_SAVE, row), *(lists.added(name, heading.at, match) for name in names)]


def _changed(match: str, entry: Entry, at: int) -> list[Statement]:
    """The changes by an entry that begins a match, ends it, or takes its end back."""
    event, found = entry.event, list[Statement]()
    if isinstance(event, MatchBegan):
        return [(f"UPDATE matches SET ended={LIVE} WHERE id=?", (match,)), *_moved(match, at, LIVE)]
    if isinstance(event, TimeCalled):
        return [lists.added(TIMED, at, match)] if event.ms else []
    if isinstance(event, Rewound):
        found.append(rewinds.insertion(match, entry.seq, event))
    found.append((_SUPERSEDE, (entry.seq, match)))
    if isinstance(event, MatchEnded | ResultCorrected):
        found.append((_SET_OUTCOME, (_encode(Outcome(event.winner, event.score)), match)))
        found += [lists.added(UNPACKED, at, match), lists.removed(TIMED, at, match)]
        return [*found, *_moved(match, at, ENDED)]
    found.append((_TAKE_BACK, (_encode(Outcome()), match)))
    found += [lists.removed(UNPACKED, at, match), lists.added(TIMED, at, match)]
    return [*found, *_moved(match, at, LIVE)]


def _moved(match: str, at: int, state: int) -> list[Statement]:
    """A match is in a state from now on, and in no other."""
    others = sorted(STATES - {of_state(state)})
    gone = [lists.removed(other, at, match) for other in others]
    return [*gone, lists.added(of_state(state), at, match)]


def names_of(match: str, heading: MatchOpened) -> list[str]:
    """The lists on which a match stands as long as it is there."""
    event, dot, _ = match.partition(".")
    return [
        ALL,
        *([PLAYED] if heading.origin is None else []),
        *map(of_game, dict.fromkeys((heading.game, without_edition(heading.game)))),
        *([of_event(event)] if dot else []),
        *(of_label(name, value) for name, value in heading.labels.items()),
    ]


#: Lists: of all matches, of those that are no forks, of those that are over and to be repacked
#: (`repacking`), of those that minutes may end (`live.minutes`).
ALL, PLAYED, UNPACKED = "matches", "matches played", "matches unpacked"
TIMED = "matches timed"
#: Those on which a match may stand, or not, for no reason that its entries give.
PENDING = frozenset((UNPACKED, TIMED))


def of_state(state: int) -> str:
    """The list of the matches in a state."""
    return f"matches state {state}"


#: All of those.
STATES = {of_state(state) for state in (LIVE, ENDED, WAITING)}


def of_game(game: str) -> str:
    """The list of the matches of a game; by its name alone, in any edition of its book."""
    return f"matches game {game}"


def of_event(event: str) -> str:
    """The list of the matches of a tournament, whose ids begin with its own and a dot."""
    return f"matches event {event}"


def of_label(name: str, value: str) -> str:
    """The list of the matches with a label."""
    return f"matches label {name}={value}"


_SAVE = upsert("matches", "id", "id, opened, game, ended, heading, outcome, seed")
#: The result that stands is superseded, if there is one, and another is set.
_SUPERSEDE = (
    "INSERT INTO superseded (id, seq, outcome) SELECT id, ?, outcome FROM matches"
    f" WHERE id=? AND ended={ENDED} {replacing('id, seq', 'id, seq, outcome')}"
)
_SET_OUTCOME = f"UPDATE matches SET ended={ENDED}, outcome=? WHERE id=?"
_TAKE_BACK = f"UPDATE matches SET ended={LIVE}, outcome=? WHERE id=? AND ended={ENDED}"


def as_of_today(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row of `matches` as it would be written now: headings may have grown since."""
    match, opened, game, state, heading, *rest = row
    with suppress(msgspec.DecodeError, ValueError, TypeError):  # damaged: it differs
        heading = _encode(_heading(heading))
    return (match, opened, game, state, heading, *rest)


def rows_of(records: Records, match: str) -> list[Statement]:
    """The rows of the listing for a match, from its entries; raises `NoSuchMatch`."""
    return derive(match, _sources(records, match), _seed(records, match))


def _sources(records: Records, match: str) -> list[Entry]:
    """The entries that the listing is derived from, in order."""
    first = records.entries(match, 0, 1)
    if not first:
        raise archived.missing(records, match)
    if type(first[0].event) is not MatchOpened:
        raise StoreError(phrase("match {match}: entry 1 opens no match", match=match))
    tags = (*((_BEGAN,) if first[0].event.waits else ()), _ENDED, _CORRECTED)
    others = [entry for tag in tags for entry in records.tagged(match, tag)]
    others += rewinds.from_entries(records, match)
    return [*first, *sorted(others, key=lambda entry: entry.seq)]


def _seed(records: Records, match: str) -> int | None:
    """The seed of a match, which is in no entry, if it can be read."""
    try:
        row = records.row("SELECT seed FROM matches WHERE id=?", match)
    except StoreError:
        return None
    return row["seed"] if row is not None and type(row["seed"]) is int else None


def _from_entries(records: Records, match: str) -> Listed:
    """A match as its entries tell it; O(entries), reading few."""
    opened, *others = (entry.event for entry in _sources(records, match))
    assert isinstance(opened, MatchOpened)
    last = others[-1] if others else opened
    seed = _seed(records, match)
    if isinstance(last, MatchEnded | ResultCorrected):  # a rewind takes an end back
        return Listed(match, opened, ENDED, Outcome(last.winner, last.score), seed)
    waits = bool(opened.waits) and not any(isinstance(e, MatchBegan) for e in others)
    return Listed(match, opened, WAITING if waits else LIVE, Outcome(), seed)


_COLUMNS = (
    "SELECT m.id, CAST(m.heading AS BLOB) AS heading, m.ended, CAST(m.outcome AS BLOB) AS outcome,"
    " m.seed FROM matches m"
)
#: Of some matches.
ROWS = f"{_COLUMNS} WHERE m.id IN ({{}})"


def find(records: Records, match: str) -> Listed:
    """One match; raises `NoSuchMatch`."""
    with records.reading():  # it may be opened just now
        row = records.row(f"{_COLUMNS} WHERE m.id=?", match)
        found = listed(row) if row is not None else None
        if found is None:
            found = _from_entries(records, match)
            records.report_damage(match, "listing")
        return found


def superseded(records: Records, match: str, until: int = LAST) -> list[tuple[int, Outcome]]:
    """The results of a match that stand no more, by the entry that superseded each."""
    sql = "SELECT seq, CAST(outcome AS BLOB) AS outcome FROM superseded WHERE id=? AND seq<=?"
    with records.rows(f"{sql} ORDER BY seq", match, until) as rows:
        kept = rows.fetchall()
    try:
        return [(row["seq"], _outcome(row["outcome"])) for row in kept]
    except (msgspec.DecodeError, ValueError, TypeError):
        records.report_damage(match, "listing")
        return []


def instead(records: Records, match: str) -> Listed | None:
    """A match whose row is damaged; None if its entries can't be read either."""
    records.report_damage(match, "listing")
    try:
        return _from_entries(records, match)
    except (StoreError, NoSuchMatch):
        return None


def listed(row: Any) -> Listed | None:
    """A match as its row has it; None if that is damaged."""
    try:
        heading, outcome = _heading(row["heading"]), _outcome(row["outcome"])
    except (msgspec.DecodeError, ValueError, TypeError):  # also words that are none
        return None
    state, seed = row["ended"], row["seed"]
    whole = state in (LIVE, ENDED, WAITING) and isinstance(seed, int | None)
    return Listed(row["id"], heading, state, outcome, seed) if whole else None


_CHANGING = frozenset((MatchBegan, Rewound, MatchEnded, ResultCorrected, TimeCalled))
_BEGAN, _ENDED, _CORRECTED = (
    next(tag for tag, cls in TYPES.items() if cls is wanted)
    for wanted in (MatchBegan, MatchEnded, ResultCorrected)
)
