"""The steps by which a match ends once time is called, in lines for judges at any table.

A recorded match goes through them by itself (`domain.engine.timekeeping`); at a table without a
record the judge does.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.record.schema.manifest import Manifest
from domain.record.schema.policy import (
    BOTH_LOSE,
    LOTS,
    PLAY_ON,
    TURN_PLAYER,
    EndOfTime,
    Policy,
    Tiebreak,
)
from domain.telling.names import countdown
from domain.words.phrases import Phrase, joined, labelled, phrase

_LEVEL = {
    "": phrase("if that is level too, it is a draw"),
    BOTH_LOSE: phrase("if that is level too, both lose"),
    LOTS: phrase("if that is level too, a lot decides"),
    PLAY_ON: phrase("if that is level too, turn after turn is played until it is not"),
}


def steps(policy: Policy, manifest: Manifest, best_of: int) -> Iterator[Phrase]:
    """The steps in order, and at last the section of the manual that they are from."""
    end = policy.end
    if best_of > 1 and end.lead:
        yield phrase("who has won more games has won the match")
    if best_of > 1 and end.between:
        yield phrase("between two games, no further game begins")
    yield _turns(end)
    if end.ms:
        yield phrase("that takes {time} at most", time=countdown(end.ms))
    if end.finish:
        yield phrase("an attack or an effect that has begun is played to its end")
    yield from (_compared(Tiebreak.read(text), manifest) for text in end.tiebreaks)
    yield _LEVEL[end.level]
    if policy.together == TURN_PLAYER:
        yield phrase("if both lose a game at once, the turn player loses it")
    if end.rule:
        yield phrase("by {rule}", rule=end.rule)


def _turns(end: EndOfTime) -> Phrase:
    if not end.turns:
        return phrase("the turn is finished")
    if not end.fewer:
        return phrase("the turn is finished; then {n} more are played", n=end.turns)
    return phrase(
        "the turn is finished; then {n} more are played, {few} if it is that of who goes second",
        n=end.turns, few=end.turns - end.fewer,
    )  # fmt: skip


def _compared(tiebreak: Tiebreak, manifest: Manifest) -> Phrase:
    names = joined(" + ", [_name(name, manifest) for name in tiebreak.names])
    if tiebreak.last:
        text = "then who took the last card out of: {names}"
        if tiebreak.fewer:
            text = "then whose opponent took the last card out of: {names}"
        return phrase(text, names=names)
    text = "then who has fewer wins: {names}" if tiebreak.fewer else "then who has more: {names}"
    found = phrase(text, names=names)
    if not tiebreak.below:
        return found
    left_out = phrase("left out if each has {n} or more", n=tiebreak.below)
    return labelled(found, left_out)


def _name(name: str, manifest: Manifest) -> Phrase:
    place, _, kind = name.partition(":")
    zone = next((phrase(one.label) for one in manifest.zones if one.name == place), None)
    counters = {word.name: phrase(word.label) for word in manifest.counters}
    if zone is None:
        return counters[place]
    if kind:
        return phrase("{counters} in {zone}", counters=counters[kind], zone=zone)
    return zone
