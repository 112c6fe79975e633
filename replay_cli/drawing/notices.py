"""What is said of a match as a whole, wherever it is shown: where chance comes from, that it waits.

A match whose chance could be foretold, or that has not begun, is never shown without a word of it.
"""

from __future__ import annotations

from domain.engine.opening import seeding, terms
from domain.record.interventions import SeedsOpened, ShuffleWitnessed
from domain.record.position import NOBODY
from domain.record.proof import draws
from domain.record.values import BY_OFFICIAL
from domain.words.phrases import Phrase, labelled, phrase
from replay_cli.drawing.names import player

SEEDED = phrase("SEEDED: chance comes from a seed in clear; who knows it can foretell every draw")


def chance(source: str) -> Phrase | None:
    """Where chance comes from, as far as that is to be said beforehand."""
    if source == draws.SEED:
        return SEEDED
    if source == draws.SHARED:
        return phrase("chance comes from seeds of the service and of the seats, opened at the end")
    return None


def waiting(waits: str) -> Phrase:
    """For what a match waits to begin."""
    if waits == terms.SEEDS:
        return phrase("it begins once the seeds of all seats are there")
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
    """Who shuffled whose cards, who cut, and what was checked."""
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
    """That the seeds are opened, or that there is none of the service's."""
    if not event.service:
        return phrase("the service has lost its seed: chance can't be checked")
    return phrase("all seeds are opened: every draw can be derived from them")


def _person(who: int) -> Phrase:
    return phrase("an official") if who == BY_OFFICIAL else phrase("{player}", player=player(who))
