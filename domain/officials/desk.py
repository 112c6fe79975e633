"""The judge's desk: what officials put into the record beside the game.

Rulings, penalties, notes, pauses, clocks, looks at hidden information. Each is an official's frame
(`frame`), appended to a live match standing at its open decision; each refuses with `Refused`
what makes no sense, and leaves no trace then. What changes a position is in `corrections`, plays
against the rules are in `irregular`, going back is in `rewind`, calling time in `clocks`.
"""

from __future__ import annotations

from domain.engine.match import Match
from domain.engine.rulebook import Refusal, Refused
from domain.engine.series import WHOLE_MATCH
from domain.officials.frame import Official, frame
from domain.record import events as ev
from domain.record.citations import known, texts
from domain.record.entries import Entry
from domain.record.events import EVERYONE, OFFICIALS, Sealed
from domain.record.interventions import ClockSet, Looked, Noted, Paused, Penalty, Ruling
from domain.record.policy import GAME_LOSS
from domain.record.position import seat_of

#: How long a text may be, in characters.
TEXT = 2000
#: How much a clock may show, in milliseconds.
WEEK = 7 * 86_400_000


def refused(text: str, rule: str, fault: str) -> Refused:
    """A refusal of something asked for at the desk."""
    return Refused(Refusal((rule, "house:official"), text, fault))


def going_on(match: Match, rule: str) -> None:
    """Make sure that the match is not over; raises `Refused`."""
    if match.pos.over:
        raise refused("the match is over", rule, "MATCH_OVER")


def seated(match: Match, seat: int, rule: str) -> None:
    """Make sure that there is such a seat; raises `Refused`."""
    if seat not in range(match.rules.manifest.seats):
        raise refused(f"there is no seat {seat}", rule, "NO_SUCH_SEAT")


def worded(text: str, rule: str) -> None:
    """Make sure that a text says something, and not too much; raises `Refused`."""
    if not text.strip():
        raise refused("say it in words", rule, "TEXT_MISSING")
    if len(text) > TEXT:
        raise refused(f"a text has at most {TEXT} characters", rule, "TEXT_TOO_LONG")


def cited(match: Match, cites: tuple[str, ...], rule: str) -> None:
    """Make sure that rules exist; raises `Refused`."""
    rules = match.rules
    sayings = texts(rules.known(match.pos.heading.prints))
    for cite in cites:
        if not known(cite, rules.rules, sayings, rules.readings):
            raise refused(f"there is no rule {cite!r}", rule, "RULE_UNKNOWN")


def happened(match: Match, about: int, rule: str) -> None:
    """Make sure that there is an entry of that number, on whatever line; raises `Refused`."""
    if not 0 <= about <= match.table.last:
        raise refused(f"there is no entry {about}", rule, "NO_SUCH_ENTRY")


# -- rulings, penalties, notes ---------------------------------------------------------------------


def rule(
    match: Match,
    by: Official,
    text: str,
    rules: tuple[str, ...] = (),
    about: int = 0,
    decision: int = 0,
    evidence: Entry | None = None,
) -> None:
    """Rule on an entry or a decision, or on nothing in particular (0); the rules applied are cited.

    `evidence` is the entry of a look at hidden information, where the event accepts that.
    """
    ruling = "house:ruling"
    going_on(match, ruling)
    worded(text, ruling)
    cited(match, rules, ruling)
    happened(match, about, ruling)
    if not 0 <= decision <= max(match.pos.decisions, match.table.floor):
        raise refused(f"there is no decision {decision}", ruling, "NO_SUCH_DECISION")
    if evidence is not None:
        if match.pos.heading.policy.replay_evidence != "rulings":
            raise refused("here no ruling rests on a replay", ruling, "NO_EVIDENCE")
        if not isinstance(evidence.event, Looked):
            raise refused(f"entry {evidence.seq} is no look", ruling, "NO_SUCH_LOOK")
    with frame(match, by, "ruling", about) as cites:
        seq = evidence.seq if evidence is not None else 0
        match.table.emit(Ruling(about, text, decision, seq), *rules, *cites)


def penalise(match: Match, by: Official, seat: int, kind: str, note: str = "") -> None:
    """Penalise a seat by the event's scheme; what the penalty leads to takes effect at once."""
    rule = "house:penalty"
    going_on(match, rule)
    seated(match, seat, rule)
    found = match.pos.heading.policy.penalty(kind)
    if found is None:
        names = ", ".join(known.name for known in match.pos.heading.policy.scheme)
        raise refused(f"there is no penalty {kind!r}; there are: {names}", rule, "NO_SUCH_PENALTY")
    if len(note) > TEXT:
        raise refused(f"a text has at most {TEXT} characters", rule, "TEXT_TOO_LONG")
    loss: dict[str, ev.Value] = {}
    if found.effect:
        why = "penalty" if found.effect == GAME_LOSS else WHOLE_MATCH
        loss = {"loses": seat, "loss": why}
    with frame(match, by, "penalty", **loss) as cites:
        match.table.emit(Penalty(seat, kind, note, found.effect), *cites)


def note(match: Match, by: Official, text: str, about: int = 0, public: bool = False) -> None:
    """Write something down, about an entry or nothing in particular, for all or for officials."""
    rule = "house:note"
    going_on(match, rule)
    worded(text, rule)
    happened(match, about, rule)
    with frame(match, by, "note", about) as cites:
        to = EVERYONE if public else OFFICIALS
        match.table.emit(Noted(about, Sealed(to, text)), *cites)


def look(match: Match, by: Official, view: str) -> None:
    """An official looks through somebody's eyes (`official`, `seat/0`); why is not for all."""
    rule = "house:look"
    going_on(match, rule)
    if match.pos.heading.policy.replay_evidence == "none":
        raise refused("this event does not record looks", rule, "NO_EVIDENCE")
    if view != "official":
        seated(match, seat_of(view), rule)
    why, plain = by.why, Official(by.who, by.now, "", by.ticket)
    with frame(match, plain, "look") as cites:
        match.table.emit(Looked(view, Sealed(OFFICIALS, why)), *cites)


# -- standing still, and time ----------------------------------------------------------------------


def pause(match: Match, by: Official) -> None:
    """Let the match stand still: no seat may act, no clock runs."""
    going_on(match, "house:pause")
    if match.pos.paused >= 0:
        raise refused("the match is standing still already", "house:pause", "PAUSED_ALREADY")
    with frame(match, by, "pause") as cites:
        match.table.emit(Paused(True, by.why), *cites)


def go_on(match: Match, by: Official) -> None:
    """Let a match that stands still go on."""
    going_on(match, "house:pause")
    if match.pos.paused < 0:
        raise refused("the match is not standing still", "house:pause", "NOT_PAUSED")
    with frame(match, by, "pause") as cites:
        match.table.emit(Paused(False, by.why), *cites)


def set_clock(
    match: Match, by: Official, clock: str, left: int | None = None, running: bool | None = None
) -> None:
    """Set a clock of the match (`round`, `seat/0`), start it or stop it.

    `left` is in milliseconds; what is None stays as it is.
    """
    rule, p = "house:clock", match.pos
    going_on(match, rule)
    if clock not in p.clocks:
        names = ", ".join(p.clocks) or "none"
        raise refused(f"there is no clock {clock!r}; there are: {names}", rule, "NO_SUCH_CLOCK")
    shows = max(p.left(clock, max(by.now, p.time)), 0) if left is None else left
    if not 0 <= shows <= WEEK:
        raise refused("a clock shows from nothing to a week", rule, "BAD_TIME")
    runs = p.clocks[clock].running if running is None else running
    with frame(match, by, "clock") as cites:
        match.table.emit(ClockSet(clock, shows, runs), *cites)


def extend(match: Match, by: Official, clock: str, ms: int) -> None:
    """Give more time on a clock, in milliseconds."""
    p = match.pos
    if clock in p.clocks and not 0 < ms <= WEEK:
        raise refused(
            "an extension is more than nothing, and at most a week", "house:clock", "BAD_TIME"
        )
    left = p.left(clock, max(by.now, p.time)) if clock in p.clocks else 0
    set_clock(match, by, clock, min(max(left, 0) + ms, WEEK))
