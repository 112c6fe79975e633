"""The consequences of officials' acts, in sentences to confirm before the act is done.

Each sentence is about the match as everybody sees it; it is empty where nothing ends by the act, or
where it will be refused. The outcome of such an act is in `notices`; acts at an event are in
`tournament_consequences`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.officials import acts, results
from domain.officials.acts import OfficialAct
from domain.record.position import Position
from domain.record.schema.manifest import Manifest
from domain.record.schema.policy import MATCH_LOSS
from domain.telling import notices
from domain.words.phrases import Phrase, phrase

#: That nothing is to be asked.
NOTHING = phrase("")


def act(match: str, act: OfficialAct, p: Position, manifest: Manifest) -> Phrase:
    """The effect of an official's act, if something may end by it."""
    match act:
        case acts.RecordPenalty(seat=seat, kind=kind):
            return penalty(match, p, seat, kind)
        case acts.CorrectResult(winner=winner, score=score):
            return correction(match, p, winner, score)
        case acts.FlagClock(seat=seat):
            return flag(match, p, seat)
        case acts.CallTime():
            return time_called(match, p)
        case acts.DecideByTime():
            return decided(match, p, manifest)
    return NOTHING


def result_entry(p: Position) -> int:
    """The entry with the result that stands; 0 where the match is live."""
    return p.results[-1].seq if p.over else 0


def correction(match: str, p: Position, winner: int, score: Sequence[int]) -> Phrase:
    """The effect of correcting a result."""
    if not p.over:
        return NOTHING
    return phrase(
        "The result of match {match} is {was}; it will be superseded by: {then}."
        " All who see the match see both.",
        match=match,
        was=notices.won(p.winner, p.score),
        then=notices.won(winner, score),
    )


def penalty(match: str, p: Position, seat: int, kind: str) -> Phrase:
    """The effect of a penalty on a match."""
    found = p.heading.policy.penalty(kind)
    if found is None or not found.effect:
        return NOTHING
    if not p.over:
        return loss(match, p, seat, found.effect)
    then, was = results.after_penalty(p, seat, found.effect), notices.won(p.winner, p.score)
    if (then.winner, [*then.score]) == (p.winner, p.score):
        return phrase("Match {match} is over, and its result stays: {was}.", match=match, was=was)
    return phrase(
        "Match {match} is over: {was}. By the penalty that will be superseded by: {then}."
        " All who see the match see both.",
        match=match,
        was=was,
        then=notices.won(then.winner, then.score),
    )


def loss(match: str, p: Position, seat: int, effect: str) -> Phrase:
    """The effect of a lost game, or match, in one that is live."""
    if p.heading.waits:
        return NOTHING
    then = notices.lost(p, [seat], whole=effect == MATCH_LOSS)
    return phrase("Match {match}: {then}.", match=match, then=then)


def flag(match: str, p: Position, seat: int) -> Phrase:
    """The effect of a clock that has run out."""
    effect = p.heading.policy.clocks.flag
    return loss(match, p, seat, effect) if effect and not p.over else NOTHING


def time_called(match: str, p: Position) -> Phrase:
    """The effect of calling time."""
    if p.over or p.called or p.heading.waits:
        return NOTHING
    then = notices.time_called(p)
    return phrase("The time of match {match} is over: {then}.", match=match, then=then)


def decided(match: str, p: Position, manifest: Manifest) -> Phrase:
    """The result of deciding by time."""
    if p.over or not p.called:
        return NOTHING
    return phrase("Match {match} ends now: {then}.", match=match, then=notices.decided(p, manifest))


def revival(p: Position) -> Phrase:
    """The effect of a rewind on a match that is over."""
    if not p.over:
        return NOTHING
    return phrase(
        "The match is over: {was}. It will be live again, and that result superseded.",
        was=notices.won(p.winner, p.score),
    )


#: What is asked before a match goes back.
GO_BACK = phrase("Everything since is undone.")
#: That officials' looks at what is hidden are recorded: beside the record, and in it.
LOGGED = phrase("your access is recorded in the access log")
ENTERED = phrase("your access is recorded in the match, visible to everybody")


def look(*, entry: bool) -> Phrase:
    """The notice that a look at hidden cards is recorded, and where."""
    return ENTERED if entry else LOGGED
