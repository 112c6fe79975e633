"""Rulings, penalties, notes, shuffles and looks at hidden information.

Each is an official's frame (`frame`), appended to a live match standing at its open decision, or to
one that is over: then a penalty that costs a game or the match supersedes its result (`results`).
What makes no sense is refused (`checks`) and leaves no trace. Time is in `clocks`, changes of a
position are in `corrections`, plays against the rules in `irregular`, going back is in `rewind`.
"""

from __future__ import annotations

from domain.engine.match import Match
from domain.engine.series import PENALISED, WHOLE_MATCH
from domain.officials import checks, results
from domain.officials.frame import Official, frame
from domain.record.entries import Entry
from domain.record.interventions import Looked, Noted, Penalty, Ruling, ShuffleWitnessed
from domain.record.position import NOBODY, seat_of
from domain.record.schema.policy import GAME_LOSS
from domain.record.values import BY_OFFICIAL, EVERYONE, OFFICIALS, Sealed, Value
from domain.words.phrases import phrase

#: The fact of a penalty's frame that says which entry of the event's record gave it.
GIVEN = "given"
#: Those that say what it is for, and what became of the game, in the words of the event.
INFRACTION, GAME_STATE = "infraction", "game_state"


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
    checks.worded(text, ruling)
    checks.cited(match, rules, ruling)
    checks.happened(match, about, ruling)
    if not 0 <= decision <= max(match.pos.decisions, match.table.asked.last):
        raise checks.refused(
            phrase("there is no decision {decision}", decision=decision), ruling, "NO_SUCH_DECISION"
        )
    if evidence is not None:
        if match.pos.heading.policy.replay_evidence != "rulings":
            raise checks.refused("here no ruling rests on a replay", ruling, "NO_EVIDENCE")
        if not isinstance(evidence.event, Looked):
            raise checks.refused(
                phrase("entry {seq} is no look", seq=evidence.seq), ruling, "NO_SUCH_LOOK"
            )
    with frame(match, by, "ruling", about) as cites:
        seq = evidence.seq if evidence is not None else 0
        in_full = match.rules.manifest.in_full
        match.table.emit(Ruling(about, text, decision, seq), *in_full(rules), *cites)


def penalise(
    match: Match,
    by: Official,
    seat: int,
    kind: str,
    note: str = "",
    result: int = 0,
    given: int = 0,
    infraction: str = "",
    game_state: str = "",
) -> None:
    """Penalise a seat by the event's scheme; what the penalty leads to takes effect at once.

    Of a match that is over it supersedes the result (`results.after_penalty`), which is the one of
    entry `result`, if that is named. `given` is the entry of the event's record that gave it, if it
    was given outside a match. What for (an `infraction` of its event) and what became of the game
    are facts of the frame, in the event's words.
    """
    rule = "house:penalty"
    if result:
        results.stands(match.pos, result)
    checks.seated(match, seat, rule)
    found = match.pos.heading.policy.penalty(kind)
    if found is None:
        names = ", ".join(known.name for known in match.pos.heading.policy.scheme)
        raise checks.refused(
            phrase("there is no penalty {kind!r}; there are: {names}", kind=kind, names=names),
            rule,
            "NO_SUCH_PENALTY",
        )
    if len(note) > checks.TEXT:
        raise checks.refused(
            phrase("a text has at most {text} characters", text=checks.TEXT), rule, "TEXT_TOO_LONG"
        )
    note = note or infraction
    facts: dict[str, Value] = {INFRACTION: infraction, GAME_STATE: game_state, GIVEN: given}
    loss = {name: value for name, value in facts.items() if value}
    over = match.pos.over
    if found.effect and not over:
        why = PENALISED if found.effect == GAME_LOSS else WHOLE_MATCH
        loss |= {"loses": seat, "loss": why}
    with frame(match, by, "penalty", **loss) as cites:
        match.table.emit(Penalty(seat, kind, note, found.effect), *cites)
        if found.effect and over:
            results.penalised(match, seat, found.effect, note, *cites)


def note(match: Match, by: Official, text: str, about: int = 0, public: bool = False) -> None:
    """Write something down, about an entry or nothing in particular, for all or for officials."""
    rule = "house:note"
    checks.worded(text, rule)
    checks.happened(match, about, rule)
    with frame(match, by, "note", about) as cites:
        to = EVERYONE if public else OFFICIALS
        match.table.emit(Noted(about, Sealed(to, text)), *cites)


def witness_shuffle(
    match: Match, by: Official, seat: int, shuffler: int, cutter: int = NOBODY, checked: str = ""
) -> None:
    """Record that the cards of a seat were shuffled, and how; raises `Refused`.

    Who shuffled and cut are seats, or `BY_OFFICIAL`; a cutter of `NOBODY`: nobody cut. Nothing
    proves how cards lie that a hand has mixed: what everybody at the table saw can be recorded.
    """
    rule = "house:shuffle"
    checks.going_on(match, rule)
    if match.pos.heading.mode != "table":
        raise checks.refused("at a dealt table no hand shuffles", rule, "NOT_A_TABLE")
    checks.seated(match, seat, rule)
    for who in (shuffler, cutter):
        if who not in (BY_OFFICIAL, NOBODY) or who == shuffler == NOBODY:
            checks.seated(match, who, rule)
    if checked:
        checks.worded(checked, rule)
    with frame(match, by, "shuffle") as cites:
        match.table.emit(ShuffleWitnessed(seat, shuffler, cutter, checked), *cites)


def look(match: Match, by: Official, view: str) -> None:
    """An official looks through somebody's eyes (`official`, `seat/0`); why is not for all."""
    rule = "house:look"
    checks.going_on(match, rule)
    if match.pos.heading.policy.replay_evidence == "none":
        raise checks.refused("this event does not record looks", rule, "NO_EVIDENCE")
    if view != "official":
        checks.seated(match, seat_of(view), rule)
    why, plain = by.why, Official(by.who, by.now, "", by.ticket)
    with frame(match, plain, "look") as cites:
        match.table.emit(Looked(view, Sealed(OFFICIALS, why)), *cites)
