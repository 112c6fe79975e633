"""Verification: replays a record and compares, by its own digests and by the rulebook.

Three checks. The inputs: each must be one that could be given where it stands. The re-run: the
rulebook of the same version and data must emit the same entries. The fold: at every decision the
position's digest is recorded, so a changed fold or an altered entry shows at the next one; a re-run
that reproduces every entry has compared the digests as well. What came from outside and is legal
all the same (a player's name, another answer that leads to the same) is for hashes of the stored
bytes to protect. The first two are made in one go; only where something is wrong each looks for the
first fault by itself.

What another engine recorded can't be re-run, and is `unverified`, with both versions named. What
was recorded with fewer cards is re-run with those there are: reproduced, it is as good as any;
otherwise nothing follows, as the cards may have said something else.
Alterations that show without its rules are still found: an entry that does not fit the table, an
answer that was not offered, an impossible draw, a wrong digest among right ones. If all digests
differ, that version had another way to digest, and nothing follows. Of a match that was adopted by
this engine, what it recorded since is re-run.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.engine.driver import Driver
from domain.engine.naming import Inputs, named
from domain.engine.rulebook import Rulebook
from domain.engine.signals import Diverged
from domain.engine.table import Table
from domain.engine.timekeeping import too_late
from domain.record import events as ev
from domain.record.decisions import TEXTS, Act, Misfit, act_of
from domain.record.entries import Entry, active, prints_in
from domain.record.fitting.fit import fit
from domain.record.folding.digests import Digester
from domain.record.folding.fold import UNFOLDED, fold
from domain.record.interventions import EngineChanged, ResultCorrected, SeedsOpened, Unreadable
from domain.record.position import NOBODY, Position
from domain.record.values import BY_OFFICIAL, CHANCE, EVERYONE, Sealed
from domain.record.views import seen_by_all
from domain.words.phrases import joined, phrase

EXACT, UNVERIFIED, DIVERGED = "exact", "unverified", "diverged"


class Verdict(Struct, frozen=True):
    """The result of a verification: `exact`, `unverified` or `diverged` (first at entry `seq`)."""

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
        return found(DIVERGED, gap or 1, phrase("entries are missing or out of order"))
    unreadable = next((e.seq for e in line if type(e.event) is Unreadable), 0)
    if unreadable:
        why = phrase("an entry can't be read; ask where the record is kept")
        return found(UNVERIFIED, unreadable, why)
    own = _own_from(line, rules)
    if rules is not None and own == 0 and not _taken_digests(line) and _reproduced(line, rules):
        return found(EXACT, 0, _EXACT)
    wrong = _faults(line, rules, own)
    if wrong and _with_earlier_data(line[own:], rules):  # which may have said something else
        own = len(line)
        wrong = _faults(line, rules, own)
    if wrong:
        return found(DIVERGED, *min(wrong))
    if own == 0:
        return found(EXACT, 0, _EXACT)
    return found(UNVERIFIED, 0, _unverified(line, rules, own))


_EXACT = phrase("every position and every entry was reproduced")
#: Where a check found the first fault, and what it is.
Fault = tuple[int, str]


def _faults(line: Sequence[Entry], rules: Rulebook | None, own: int) -> list[Fault]:
    """What the checks of a line find that this engine recorded from `own` on."""
    checks = [_misplayed(line, rules, own)]
    if rules is not None and own < len(line):
        checks.append(_rerun(line, rules, own))
    if own or any(checks) or _taken_digests(line):  # else the re-run has compared every digest
        checks.append(_misfolded(line, rules))
    return [check for check in checks if check is not None]


def _with_earlier_data(own: Sequence[Entry], rules: Rulebook | None) -> bool:
    """Whether what this engine recorded was recorded with data that have grown since."""
    by = own[0].event if own else None
    return (
        rules is not None
        and isinstance(by, ev.MatchOpened | EngineChanged)
        and by.digests != dict(rules.digests)
    )


def _own_from(line: Sequence[Entry], rules: Rulebook | None) -> int:
    """From where on this engine recorded a line, with data it knows; its length: nowhere."""
    changes = (at for at in range(len(line) - 1, 0, -1) if type(line[at].event) is EngineChanged)
    at, opened = next(changes, 0), line[0].event
    assert isinstance(opened, ev.MatchOpened)
    by = line[at].event
    assert isinstance(by, ev.MatchOpened | EngineChanged)
    if rules is None or opened.game != rules.manifest.game:
        return len(line)
    if by.engine != rules.manifest.version or not rules.has_grown_from(by.digests):
        return len(line)
    try:
        rules.known(prints_in(line))
    except ValueError:  # here they are no cards
        return len(line)
    return at


def _unverified(line: Sequence[Entry], rules: Rulebook | None, own: int) -> str:
    """Why a record, or what was recorded before entry `own` of a line, can't be played again."""
    by = list(dict.fromkeys(
        e.event.engine for e in line[:own] if isinstance(e.event, ev.MatchOpened | EngineChanged)
    ))  # fmt: skip
    recorded = phrase("recorded by {names}", names=joined(phrase(", then "), by))
    if rules is None:
        return phrase("{recorded}, whose rules are not here", recorded=recorded)
    here = rules.manifest.version
    if own < len(line):
        since = phrase(
            "what {here} recorded from entry {seq} on was reproduced", here=here, seq=line[own].seq
        )
        return phrase(
            "{recorded} up to entry {seq}; {since}",
            recorded=recorded,
            seq=line[own - 1].seq,
            since=since,
        )
    if by[-1] == here:
        return phrase(
            "{recorded} with other rules or cards than those of {here} here",
            recorded=recorded,
            here=here,
        )
    return phrase("{recorded}, and this is {here}", recorded=recorded, here=here)


def _taken_digests(line: Sequence[Entry]) -> bool:
    """Whether there is a digest that a re-run takes as it is recorded: not the rules' own."""
    begun = False
    for entry in line:
        begun = begun or type(entry.event) is ev.StepBegan
        if type(entry.event) is ev.DecisionOpened and (entry.input or not begun):
            return True
    return False


def _misfolded(line: Sequence[Entry], rules: Rulebook | None) -> Fault | None:
    """The first entry that does not fit the table, or digest that is not the position's."""
    table, wrong = Digester(Position()), list[int]()
    engine, right = "", False  # who recorded what comes, and whether some digest of his is right
    own = rules.manifest.version if rules is not None else ""
    for entry in line:
        event = entry.event
        if isinstance(event, ev.MatchOpened | EngineChanged):
            if wrong and (right or engine == own):
                break
            engine, right, wrong = event.engine, False, []
        if type(event) is ev.DecisionOpened and event.digest.value is not None:
            same = event.digest.value == table.digest()
            right = right or same
            if not same:
                wrong.append(entry.seq)
        try:
            table.fold(entry)
        except (LookupError, ValueError) as error:
            return entry.seq, phrase("an entry does not fit the table: {error!r}", error=error)
    if wrong and (right or engine == own):
        return wrong[0], phrase("the position is not the one that was recorded")
    return None


#: The inputs that `_possible` and `_playable` check; others can't be checked.
_CHECKED = frozenset({ev.DecisionMade, ev.Interjected, ev.ChanceDrawn})


def _misplayed(line: Sequence[Entry], rules: Rulebook | None, own: int) -> Fault | None:
    """The first input that nobody could have given so: what the re-run takes as it is recorded."""
    p = Position()
    table = Table(p, rules.manifest) if rules is not None else None
    try:
        for at, entry in enumerate(line):
            by = rules if at >= own else None
            if why := _objection(p, entry, table, by):
                return entry.seq, why
            fold(p, entry)
    except Exception as error:  # what is no legal record may trip anything
        return entry.seq, phrase("an entry does not fit the table: {error!r}", error=error)
    return None


def _objection(p: Position, e: Entry, t: Table | None, rules: Rulebook | None) -> str:
    """Why an entry can't come next, apart from what the rules emit; empty if it may."""
    if type(e.event) in _CHECKED and e.input and p.seq:
        legal = _possible(p, e)
        if legal and t is not None and rules is not None:
            legal = _playable(t, e, rules)
        if not legal:
            return phrase("no seat could have done that")
    if (p.over or type(e.event) in _AFTER) and not _after_end(p, e):
        return phrase("nobody could have recorded that after the end, or before it")
    return ""


def _possible(p: Position, e: Entry) -> bool:
    """Whether an input is possible under any rules: an offered option, a possible outcome."""
    match e.event:
        case ev.DecisionMade(n=n, seat=seat, answer=answer, ms=ms, stated=stated):
            decision = p.decision
            if decision is None or (decision.n, e.time - decision.time) != (n, ms):
                return False
            renewed = stated.value.offer if stated.value is not None else None
            offer = renewed or decision.offers.get(seat)
            if offer is None or answer.value is None:
                return True  # somebody's own, in what another viewer got
            return fit(offer, act_of(offer, answer.value)) == answer.value
        case ev.ChanceDrawn(kind=kind, of=of, result=result):
            return e.time == p.time and (
                result.value is None or _possible_outcome(p, kind, of, result.value)
            )
        case _:
            return True


def _after_end(p: Position, e: Entry) -> bool:
    """Whether an entry may follow the end of a match: what officials say, and a result put right.

    A match that is played on was taken back to before its end first.
    """
    match e.event:
        case ev.FrameOpened() | ev.FrameClosed():
            return e.input
        case ResultCorrected(winner=winner, score=score, lost=lost):
            seats = range(len(p.heading.seats))
            known = winner in (NOBODY, *seats) and {*lost} <= {*seats} - {winner}
            return p.over and e.by == BY_OFFICIAL and known and len(score) == len(seats)
        case SeedsOpened():
            return p.over and e.by == CHANCE and not p.heading.opened
        case _:
            return e.input and type(e.event) in UNFOLDED and type(e.event) not in _PLAYED


#: Events that follow the end of a match, and nothing else.
_AFTER = frozenset({ResultCorrected, SeedsOpened})
#: Events of games that change no table.
_PLAYED = frozenset({ev.NotDone, ev.DamageDealt, ev.ChanceDrawn})


def _playable(t: Table, e: Entry, rules: Rulebook) -> bool:
    match e.event:
        case ev.DecisionMade() as made:
            return _answers(t, e, made, rules)
        case ev.Interjected(seat=seat, kind=kind, about=about, picks=picks, stated=stated):
            if e.by == BY_OFFICIAL:  # flagged, and carried out in spite of the rules
                return stated.value is not None and stated.value.offer is not None
            if t.pos.paused >= 0 or too_late(t.pos, e.time) is not None:
                return False
            act = Act(kind, about, (picks.value or (),))
            t = t.over(named(t.pos, rules, _inputs_of(stated)))
            stands = any(one.kind == kind for one in rules.open_acts(t.pos, seat))
            misfit = None if stands else Misfit("not offered")
            legal = e.by == seat and rules.refusal(t, seat, act, misfit) is None
            return legal and e.cites == t.manifest.cited(rules.cites(t, seat, act))
        case ev.ChanceDrawn(result=result):
            return result.value is not None
        case _:
            return True


def _answers(t: Table, e: Entry, made: ev.DecisionMade, rules: Rulebook) -> bool:
    """Whether an answer that is possible is legal, or flagged by an official."""
    decision, seat, answer = t.pos.decision, made.seat, made.answer
    renewed = made.stated.value.offer if made.stated.value is not None else None
    offer = renewed or (decision.offers.get(seat) if decision is not None else None)
    if decision is None or offer is None or answer.value is None:
        return False
    act = act_of(offer, answer.value)
    if answer.to != decision.readers(seat):
        return False
    if e.by == seat and (t.pos.paused >= 0 or too_late(t.pos, e.time) is not None):
        return False
    t = t.over(named(t.pos, rules, _inputs_of(made.stated)))
    seen = None if answer.to == EVERYONE else seen_by_all(t.pos, offer, answer.value)
    texts = any(part.pool in TEXTS for part in offer.options[answer.value.option].parts)
    objection = rules.refusal(t, seat, act) if renewed is not None or texts else None
    if e.by == BY_OFFICIAL:
        return made.act == seen and made.origin == "official"
    cites = t.manifest.cited(rules.cites(t, seat, act))
    legal = e.by == seat and objection is None and e.cites == cites
    return legal and made.act == seen


def _inputs_of(stated: Sealed[ev.Stated]) -> Inputs:
    return Inputs(dict(stated.value.names)) if stated.value is not None else Inputs()


def _possible_outcome(p: Position, kind: str, of: int, drawn: tuple[int, ...]) -> bool:
    """Whether an outcome of chance is possible: an order of that many, or one of the outcomes."""
    if kind == "shuffle" and p.heading.mode == "table":
        return not drawn
    if kind in ("shuffle", "order"):
        return sorted(drawn) == list(range(of))
    return len(drawn) == 1 and 0 <= drawn[0] < of


def _reproduced(line: Sequence[Entry], rules: Rulebook) -> bool:
    """Whether nothing is wrong with a line, found in one go; what is, is for the other checks."""
    opening = line[: _start(line, 0)]
    return _misplayed(opening, rules, 0) is None and _rerun(line, rules, 0, checked=True) is None


def _start(line: Sequence[Entry], own: int) -> int:
    """From where on the rules are run again."""
    starts = (at for at, e in enumerate(line, 1) if isinstance(e.event, ev.StepBegan))
    return min(own + 2, len(line)) if own else next(starts, len(line))


def _rerun(line: Sequence[Entry], rules: Rulebook, own: int, checked: bool = False) -> Fault | None:
    """The first entry that the rulebook would not have emitted, given the inputs before it.

    From where the match was opened, or was adopted by this engine (`own`). If `checked`, an
    input that nobody could have given is such an entry, too.
    """
    start, pos = _start(line, own), Position()
    table = Table(pos, rules.manifest, line[start:], line[-1].seq)
    if checked:
        table.objects = lambda entry: bool(_objection(pos, entry, table, rules))

    def no_dice(kind: str, of: int) -> tuple[int, ...]:
        raise Diverged(line[-1].seq, None, None)  # the record ends where chance is called for

    try:
        for entry in line[:start]:
            fold(pos, entry)
        table.now = pos.time
        Driver(rules, table, no_dice).start(anew=own > 0)
    except Diverged as diverged:
        return diverged.seq, "the rulebook would have gone on otherwise"
    except Exception as error:  # what is no legal record may trip anything
        return pos.seq, phrase("the rulebook can't go on: {error!r}", error=error)
    return (table.out[0].seq, "the record breaks off") if table.out else None
