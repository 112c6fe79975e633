"""Verification: does a record still say what it said, and would the rulebook play it again?

Three checks. The fold: at every decision the position's digest is recorded, so a changed fold or an
altered entry shows at the next one. The inputs: each must be one that could be given where it
stands. The re-run: the rulebook of the same version and data must emit the same entries. What came
from outside and is legal all the same (a player's name, another answer that leads to the same) is
for hashes of the stored bytes to protect. A record that this engine can't re-run (another version,
other card data) is `unverified` as to the rules, and reads the same all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain import events as ev
from domain.decisions import Act, Misfit, act_of, fit
from domain.events import Entry
from domain.fold import active, fold
from domain.naming import Told, spoken
from domain.officials.clocks import too_late
from domain.position import Position
from domain.rulebook import Driver, Rulebook
from domain.table import Diverged, Table
from domain.views import seen_by_all

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
    gap = next((at for at, e in enumerate(log, 1) if e.seq != at), 0)
    line = active(log)
    decisions = sum(type(e.event) is ev.DecisionOpened for e in line)

    def found(kind: str, seq: int, reason: str) -> Verdict:
        return Verdict(kind, seq, reason, len(log), decisions)

    if gap or not line or not isinstance(line[0].event, ev.MatchOpened):
        return found(DIVERGED, gap or 1, "entries are missing or out of order")
    untold = next((e.seq for e in line if type(e.event) is ev.Unreadable), 0)
    if untold:
        return found(UNVERIFIED, untold, "an entry could not be told; ask where the record is kept")
    same = rules is not None and _same_engine(line[0].event, rules)
    checks = [_misfolded(line)]
    if rules is not None and same:
        checks += [_misplayed(line, rules), _rerun(line, rules)]
    wrong = [check for check in checks if check is not None]
    if wrong:
        return found(DIVERGED, *min(wrong))
    if not same:
        reason = "recorded under another rulebook version or other card data"
        return found(UNVERIFIED, 0, reason)
    return found(EXACT, 0, "every position and every entry was reproduced")


#: Where a check found the first fault, and what it is.
Fault = tuple[int, str]


def _misfolded(line: Sequence[Entry]) -> Fault | None:
    """The first entry that does not fit the table, or digest that is not the position's."""
    p = Position()
    for entry in line:
        event = entry.event
        if type(event) is ev.DecisionOpened and event.digest.value not in (None, p.digest()):
            return entry.seq, "the position is not the one that was recorded"
        try:
            fold(p, entry)
        except (LookupError, ValueError) as error:
            return entry.seq, f"an entry does not fit the table: {error!r}"
    return None


def _misplayed(line: Sequence[Entry], rules: Rulebook) -> Fault | None:
    """The first input that nobody could have given so: what the re-run takes as it is recorded."""
    table = Table(Position(), rules.manifest)
    try:
        for entry in line:
            if entry.input and table.pos.seq and not _playable(table, entry, rules):
                return entry.seq, "no seat could have done that"
            fold(table.pos, entry)
    except Exception as error:  # what is no legal record may trip anything
        return entry.seq, f"an entry does not fit the table: {error!r}"
    return None


def _playable(t: Table, e: Entry, rules: Rulebook) -> bool:
    match e.event:
        case ev.DecisionMade() as made:
            return _answers(t, e, made, rules)
        case ev.Interjected(seat=seat, kind=kind, about=about, picks=picks, stated=stated):
            if e.by == ev.OFFICIAL:  # flagged, and carried out in spite of the rules
                return stated.value is not None and stated.value.offer is not None
            if t.pos.paused >= 0 or too_late(t.pos, e.time) is not None:
                return False
            act = Act(kind, about, (picks.value or (),))
            with spoken(t.pos, rules, _told(stated)):
                stands = any(one.kind == kind for one in rules.standing(t.pos, seat))
                misfit = None if stands else Misfit("not offered")
                legal = e.by == seat and rules.refusal(t, seat, act, misfit) is None
                return legal and e.cites == rules.cites(t, seat, act)
        case ev.ChanceDrawn(kind=kind, of=of, result=result):
            return e.time == t.pos.time and _fell(t, kind, of, result.value or ())
        case _:
            return True


def _answers(t: Table, e: Entry, made: ev.DecisionMade, rules: Rulebook) -> bool:
    """Whether an answer is one to the open decision: legal, or flagged by an official."""
    decision, seat, answer = t.pos.decision, made.seat, made.answer
    offer = decision.offers.get(seat) if decision is not None else None
    if decision is None or decision.n != made.n or offer is None or answer.value is None:
        return False
    renewed = made.stated.value.offer if made.stated.value is not None else None
    offer = renewed or offer
    act = act_of(offer, answer.value)
    fits = fit(offer, act) == answer.value and answer.to == decision.readers(seat)
    if not fits or made.ms != e.time - decision.time:
        return False
    if e.by == seat and (t.pos.paused >= 0 or too_late(t.pos, e.time) is not None):
        return False
    with spoken(t.pos, rules, _told(made.stated)):
        seen = None if answer.to == ev.EVERYONE else seen_by_all(t.pos, offer, answer.value)
        objection = rules.refusal(t, seat, act) if renewed is not None else None
        if e.by == ev.OFFICIAL:
            return made.act == seen and made.origin == "official"
        legal = e.by == seat and objection is None and e.cites == rules.cites(t, seat, act)
        return legal and made.act == seen


def _told(stated: ev.Sealed[ev.Stated]) -> Told:
    return Told(dict(stated.value.names)) if stated.value is not None else Told()


def _fell(t: Table, kind: str, of: int, drawn: tuple[int, ...]) -> bool:
    """Whether chance can have fallen so."""
    if kind == "shuffle" and t.pos.heading.mode == "table":
        return not drawn
    if kind in ("shuffle", "order"):
        return sorted(drawn) == list(range(of))
    return len(drawn) == 1 and 0 <= drawn[0] < of


def _same_engine(opened: ev.MatchOpened, rules: Rulebook) -> bool:
    same = opened.game == rules.manifest.game and opened.engine == rules.manifest.version
    if not same or opened.digests != dict(rules.digests):
        return False
    try:
        rules.known(opened.prints)
    except ValueError:  # here they are no cards
        return False
    return True


def _rerun(line: Sequence[Entry], rules: Rulebook) -> Fault | None:
    """The first entry that the rulebook would not have emitted, given the inputs before it."""
    starts = (at for at, e in enumerate(line, 1) if isinstance(e.event, ev.StepBegan))
    start = next(starts, len(line))
    pos = Position()
    table = Table(pos, rules.manifest, line[start:], line[-1].seq)

    def no_dice(kind: str, of: int) -> tuple[int, ...]:
        raise Diverged(line[-1].seq, None, None)  # the record ends where chance is called for

    try:
        for entry in line[:start]:
            fold(pos, entry)
        Driver(rules, table, no_dice).start()
    except Diverged as diverged:
        return diverged.seq, "the rulebook would have gone on otherwise"
    except Exception as error:  # what is no legal record may trip anything
        return pos.seq, f"the rulebook can't go on: {error!r}"
    return (table.out[0].seq, "the record breaks off") if table.out else None
