"""Notices about a match as a whole: the source of chance, a waiting match, a pause, a fork.

A match whose chance is predictable, or that has not begun, is always shown with a notice of it. A
command that would end a match shows these notices first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.engine import series, timekeeping
from domain.engine.opening import seeding, terms
from domain.record.interventions import SeedsOpened, ShuffleWitnessed
from domain.record.position import NOBODY, Position
from domain.record.proof import draws
from domain.record.schema.manifest import Manifest
from domain.record.schema.policy import BOTH_LOSE, LOTS
from domain.record.values import BY_OFFICIAL
from domain.telling.names import countdown, player
from domain.words.phrases import Phrase, labelled, phrase

#: The labels of a match of an event.
EVENT = {"event", "round", "table"}
SEEDED = phrase("SEEDED: chance comes from a known seed, which predicts every draw")


def chance(source: str) -> Phrase | None:
    """The source of chance, as it can be stated in advance."""
    if source == draws.SEED:
        return SEEDED
    if source == draws.SHARED:
        return phrase("chance comes from seeds of the service and of the seats, opened at the end")
    return None


def waiting(waits: str, labels: Mapping[str, str]) -> Phrase:
    """For what a match with these labels waits to begin; one of an event for its round."""
    if waits == terms.SEEDS:
        return phrase("it begins once the seeds of all seats are there")
    if EVENT.issubset(labels):
        return phrase("it begins once round {n} has started", n=labels["round"])
    return phrase("it begins when an official says so")


def without(seat: int, how: str) -> Phrase:
    """A seat that has no part in chance, and how so."""
    who = player(seat)
    if how == seeding.WITHHELD:
        return phrase("{player} did not open the seed that chance was to come from", player=who)
    if how == seeding.MISFIT:
        return phrase("{player} sent another seed than the one committed to", player=who)
    return phrase("{player} gave no seed to chance", player=who)


def shuffled(event: ShuffleWitnessed) -> Phrase:
    """The notice of who shuffled whose cards, who cut, and what was checked."""
    facts = {
        "whose": player(event.seat),
        "who": _person(event.shuffler),
        "other": _person(event.cutter),
    }
    text = phrase("{who} shuffled the cards of {whose}", **facts)
    if event.cutter != NOBODY:
        text = phrase("{who} shuffled the cards of {whose}, {other} cut", **facts)
    return labelled(text, event.checked) if event.checked else text


def opened(event: SeedsOpened) -> Phrase:
    """The notice that the seeds are published, or that the service's is missing."""
    if not event.service:
        return phrase("the service has lost its seed: chance can't be checked")
    return phrase("all seeds are opened: every draw can be derived from them")


# -- how a match would end -------------------------------------------------------------------------


def won(winner: int, score: Sequence[int]) -> Phrase:
    """A result: `player A won, 2–1`."""
    games = "–".join(map(str, score))
    if winner < 0:
        return phrase("a draw, {score}", score=games)
    return phrase("{player} won, {score}", player=player(winner), score=games)


def lost(p: Position, seats: Sequence[int], *, whole: bool = False) -> Phrase:
    """The consequence for a match when seats lose the current game, or the `whole` match."""
    score, best_of = [*p.score], p.heading.best_of
    winner = p.rival(seats[0]) if len(seats) == 1 else NOBODY
    if winner != NOBODY:
        score[winner] += 1
    game = p.game + series.between(p)  # between two games the next is lost
    over = whole or p.called or max(score) > best_of // 2 or game >= best_of
    result = phrase("{player} loses the game", player=player(seats[0]))
    if winner == NOBODY:
        result = phrase("nobody wins the game")
    if not over:
        games = "–".join(map(str, score))
        return phrase(
            "{result}; then it is {score}, and another follows", result=result, score=games
        )
    return phrase("{result}, and the match is over: {won}", result=result,
                  won=won(winner, score) if whole else _by_games(p, score))  # fmt: skip


def time_called(p: Position) -> Phrase:
    """The consequence of calling time, by the event's policy."""
    end, turns = p.heading.policy.end, max(timekeeping.extra_turns(p), 0)
    if timekeeping.ends_at_once(p):
        return phrase("the match ends at once: {won}", won=_by_games(p, p.score))
    if not p.turn and not turns and not end.ms:
        return phrase(
            "no turn has begun, and none will: the match ends without one, by the tie-breaks"
        )
    if turns == 1:
        return phrase("one turn more is played after this one; then the match ends")
    if turns:
        return phrase("{n} turns more are played after this one; then the match ends", n=turns)
    if end.ms:
        text = "{time} more are played; then the match ends, by the tie-breaks"
        return phrase(text, time=countdown(end.ms))
    return phrase("this turn is the last; then the match ends, by the tie-breaks")


def decided(p: Position, manifest: Manifest) -> Phrase:
    """The result of deciding a match by time now."""
    if series.between(p):  # there is no game to be decided
        return _by_games(p, p.score)
    losers, _ = timekeeping.behind(p, manifest)
    return lost(p, losers)


#: What a match comes to that time leaves level, where that is no draw.
_LEFT_LEVEL = {BOTH_LOSE: phrase("both lose it"), LOTS: phrase("a lot decides it")}


def _by_games(p: Position, score: Sequence[int]) -> Phrase:
    """The result by games won; of one that is level what the policy says, once time is called."""
    ahead = _ahead(p, score)
    left = _LEFT_LEVEL.get(p.heading.policy.end.level) if ahead == NOBODY and p.called else None
    return left or won(ahead, score)


def _ahead(p: Position, score: Sequence[int]) -> int:
    """The seat that has won more games."""
    return next((seat for seat, n in enumerate(score) if n > score[p.rival(seat)]), NOBODY)


def _person(who: int) -> Phrase:
    return phrase("an official") if who == BY_OFFICIAL else phrase("{player}", player=player(who))


def fork(origin: str) -> Phrase:
    """The notice that a match is a fork, which was not played."""
    return phrase("This was not played: it is a fork of match {id}.", id=origin)
