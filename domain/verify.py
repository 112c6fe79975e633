"""Verification: does a record still say what it said, and would the rulebook play it again?

Two checks. The fold: at every decision the position's digest is recorded, so a changed fold or an
altered entry shows at the next one. The re-run: the rulebook of the same version and data must
emit the same entries. A record that this engine can't re-run (another version, other card data) is
`unverified` as to the rules, and reads the same all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain import events as ev
from domain.events import Entry
from domain.fold import active, fold
from domain.position import Position
from domain.rulebook import Driver, Rulebook
from domain.table import Diverged, Table

EXACT, UNVERIFIED, DIVERGED = "exact", "unverified", "diverged"


class Verdict(Struct, frozen=True):
    """What a verification found: `exact`, `unverified` or `diverged` (first at entry `seq`)."""

    kind: str
    seq: int
    reason: str
    entries: int
    decisions: int


def verify(log: Sequence[Entry], rules: Rulebook | None) -> Verdict:
    """Check a whole log; `rules` is the rulebook of its game, if there is one. O(entries)."""
    gap = next((e.seq for at, e in enumerate(log, 1) if e.seq != at), 0)
    line = active(log)
    decisions = sum(type(e.event) is ev.DecisionOpened for e in line)

    def found(kind: str, seq: int, reason: str) -> Verdict:
        return Verdict(kind, seq, reason, len(log), decisions)

    if gap or not line or not isinstance(line[0].event, ev.MatchOpened):
        return found(DIVERGED, gap or 1, "entries are missing")
    try:
        wrong = _first_wrong_digest(line)
    except (KeyError, ValueError, IndexError) as error:
        return found(DIVERGED, _folds_until(line), f"an entry does not fit the table: {error!r}")
    if wrong:
        return found(DIVERGED, wrong, "the position is not the one that was recorded")
    opened = line[0].event
    if rules is None or not _same_engine(opened, rules):
        return found(UNVERIFIED, 0, "recorded under another rulebook version or other card data")
    try:
        _rerun(line, rules)
    except Diverged as diverged:
        return found(DIVERGED, diverged.seq, "the rulebook would have gone on otherwise")
    return found(EXACT, 0, "every position and every entry was reproduced")


def _first_wrong_digest(line: Sequence[Entry]) -> int:
    p = Position()
    for entry in line:
        event = entry.event
        if type(event) is ev.DecisionOpened and event.digest.value not in (None, p.digest()):
            return entry.seq
        fold(p, entry)
    return 0


def _folds_until(line: Sequence[Entry]) -> int:
    p = Position()
    for entry in line:
        try:
            fold(p, entry)
        except (KeyError, ValueError, IndexError):
            return entry.seq
    return line[-1].seq


def _same_engine(opened: ev.MatchOpened, rules: Rulebook) -> bool:
    same = opened.game == rules.manifest.game and opened.engine == rules.manifest.version
    return same and opened.digests == dict(rules.digests)


def _rerun(line: Sequence[Entry], rules: Rulebook) -> None:
    start = next(at for at, e in enumerate(line) if isinstance(e.event, ev.StepBegan)) + 1
    pos = Position()
    for entry in line[:start]:
        fold(pos, entry)
    table = Table(pos, rules.manifest, line[start:], line[-1].seq)

    def no_dice(kind: str, of: int) -> tuple[int, ...]:
        raise Diverged(line[-1].seq, None, None)  # the record ends where chance is called for

    Driver(rules, table, no_dice).start()
    if table.out:
        raise Diverged(table.out[0].seq, None, table.out[0])
