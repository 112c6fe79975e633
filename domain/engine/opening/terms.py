"""The terms of a match, and their checks: seats, lists, mode, policy, the source of chance.

The match itself is in `match`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.engine import timekeeping
from domain.engine.rulebook import IMPORTED, DeckFault, Refused, Rulebook, refuse
from domain.record.proof import draws
from domain.record.schema import bounds
from domain.record.schema.policy import Policy
from domain.record.values import Value
from domain.words.phrases import joined, message_of, phrase

MODES = ("dealer", "table")
#: For what a match may wait to begin (`MatchOpened.waits`): an official's word, or the seeds of all
#: seats; nothing.
OFFICIAL, SEEDS = "official", "seeds"
WAITS = ("", OFFICIAL, SEEDS)


class Deck(Struct, frozen=True):
    """A list that a seat plays: a name and, part by part (`main`, `resource`), its card ids."""

    name: str
    parts: Mapping[str, Sequence[str]]


class Opening(Struct, frozen=True):
    """The settings with which a match is opened. `at` is milliseconds since 1970.

    `mode` is `dealer` or `table`; `prints` are cards outside the catalogue, as JSON; `rolls` say
    how chance fell at a real table before the first decision, in order. `chance` says where it
    comes from (`proof.draws.SOURCES`), with the service's `commitment` for match `id` where that is
    from seeds of all; `waits` for what the match waits to begin.
    """

    seats: tuple[str, ...]
    decks: tuple[Deck, ...]
    at: int
    best_of: int = 1
    mode: str = "dealer"
    labels: Mapping[str, str] = {}
    options: Mapping[str, Value] = {}
    ticket: str = ""
    policy: Policy = Policy()
    prints: tuple[str, ...] = ()
    rolls: tuple[tuple[int, ...], ...] = ()
    chance: str = ""
    commitment: bytes = b""
    waits: str = ""
    id: str = ""


class BadDeck(Exception):
    """Lists that may not be played: every fault of every seat."""

    def __init__(self, faults: Mapping[int, Sequence[DeckFault]]) -> None:
        super().__init__(joined("; ", (f.text for some in faults.values() for f in some)))
        self.faults = faults


def settled(opening: Opening, rules: Rulebook) -> Opening:
    """An opening that can be, with what the game settles; raises `BadDeck` or `Refused`."""
    _formal(opening, rules)
    _from_where_chance_comes(opening)
    for fault in timekeeping.faults(opening.policy, rules.manifest):
        raise Refused(refuse(fault, "house:policy", fault="BAD_POLICY"))
    bounded(opening.prints)
    admitted(rules, opening.prints)
    try:
        usual = rules.settle(opening.options)
    except ValueError as error:
        raise Refused(refuse(message_of(error), "house:open", fault="BAD_FORMAT")) from error
    faults = {
        seat: found
        for seat, deck in enumerate(opening.decks)
        if (found := rules.check_deck(deck.parts, opening.prints, opening.options))
    }
    if faults:
        raise BadDeck(faults)
    return replace(opening, policy=usual) if opening.policy == Policy() else opening


def bounded(prints: tuple[str, ...]) -> None:
    """Make sure that the cards which a match brings have some proportion; raises `Refused`."""
    if wrong := bounds.prints(prints):
        text = phrase("the print of a card: {faults}", faults=joined("; ", wrong))
        raise Refused(refuse(text, "house:bounds", "house:prints", fault="OUT_OF_BOUNDS"))


def admitted(rules: Rulebook, prints: tuple[str, ...]) -> None:
    """Make sure that a game can use the cards which a match brings; raises `Refused`."""
    try:
        rules.admit(prints)
    except ValueError as error:
        raise Refused(refuse(message_of(error), "house:prints", fault="BAD_PRINTS")) from error


def _formal(opening: Opening, rules: Rulebook) -> None:
    if opening.best_of < 1 or opening.best_of % 2 == 0:
        text = "a series is best of an odd number of games, not {n}"
        raise Refused(refuse(text, "house:series", fault="BAD_FORMAT", n=opening.best_of))
    if opening.mode not in MODES:
        text = "a match is one of {modes}, not {mode!r}"
        values = {"modes": ", ".join(MODES), "mode": opening.mode}
        raise Refused(refuse(text, "house:open", fault="BAD_FORMAT", **values))
    seats = rules.manifest.seats
    if len(opening.seats) != seats:
        raise Refused(rules.wrong_seats(len(opening.seats)))
    if len(opening.decks) != seats:
        text = "each of {seats} players needs a deck: name {seats} of them, not {n}"
        cites, n = rules.wrong_seats(len(opening.decks)).rules, len(opening.decks)
        raise Refused(refuse(text, *cites, fault="DECKS_MISSING", seats=seats, n=n))
    if opening.waits not in WAITS or (opening.waits == SEEDS and opening.chance != draws.SHARED):
        text = "a match can't wait for {waits!r}"
        raise Refused(refuse(text, "house:begin", fault="BAD_FORMAT", waits=opening.waits))


def _from_where_chance_comes(opening: Opening) -> None:
    """Make sure that it is on the record, and can be so; raises `Refused`.

    Chance is the table's at a real table, and there alone. A commitment goes with shared seeds,
    which have to be there before anything is drawn: such a match waits. A match that is recorded
    again says where its chance came from first.
    """
    rule, chance = "house:chance", opening.chance
    if chance in draws.SOURCES and IMPORTED in opening.options and not opening.commitment:
        return
    at_table = opening.mode == "table"
    if chance and (chance not in draws.SOURCES or (chance == draws.TABLE) != at_table):
        text = "at such a table chance can't come from {chance!r}"
        raise Refused(refuse(text, rule, fault="BAD_CHANCE", chance=chance))
    shared = chance == draws.SHARED
    whole = bool(opening.id and opening.waits) and len(opening.commitment) == draws.HASH
    if shared != bool(opening.commitment) or (shared and not whole):
        text = "seeds that are shared need a commitment, the match's id, and that it waits for them"
        raise Refused(refuse(text, rule, fault="BAD_CHANCE"))
