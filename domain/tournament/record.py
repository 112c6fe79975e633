"""The event vocabulary of a tournament: everything that can happen at one.

Like in the record of a match, an event says what changed; what that adds up to is in `state`, and
what may be done is decided by the aggregate. Nothing is deleted: a later event corrects
an earlier one. Tags are stored, so a tag is never reused, and new fields come last, with a default.
"""

from __future__ import annotations

from msgspec import Struct

from domain.record.schema.policy import Policy
from domain.record.values import Kept, Open, Value

#: The source of pairings: made by the Swiss system or as a bracket, or imported.
SWISS, ELIMINATION, GIVEN = "swiss", "elimination", "given"
#: How a result came about: played, conceded, an opponent who did not come, a bye, agreed on,
#: or ruled by an official.
PLAYED, CONCEDED, NO_SHOW, BYE, AGREED, RULED = (
    "played",
    "conceded",
    "no-show",
    "bye",
    "agreed",
    "ruled",
)
#: What an official of the tournament is: what he may do follows from it.
HEAD_JUDGE, JUDGE, SCOREKEEPER = "head judge", "judge", "scorekeeper"


class Event(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base of the closed union of all events (`AnyEvent`)."""


class Format(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """The game and its format: all that its matches are opened with, and how they count.

    `mode` and `options` are as a match has them, `options` with the game's rules for decks too;
    `mode` empty: no match is recorded, and no list asked for; results are entered.
    `seconds` is how long a round lasts (0: no clock). `rounds` are the Swiss rounds that are
    planned (0: as many as the players need), `cut` how many go on to a single elimination (0:
    none). `points` are for a win, a draw and a loss; `tiebreaks` the names of `standings`, in
    order.
    """

    game: str
    best_of: int = 1
    mode: str = "table"
    options: dict[str, Value] = {}
    policy: Policy = Policy()
    prints: tuple[str, ...] = ()
    seconds: int = 0
    rounds: int = 0
    cut: int = 0
    points: tuple[int, int, int] = (3, 1, 0)
    tiebreaks: tuple[str, ...] = ()
    chance: str = ""


class Deck(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """A list: its name and, part by part (`main`, `resource`), its card ids."""

    name: str
    parts: dict[str, tuple[str, ...]] = {}


class Table(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """The players of a table in a round, by number; `second` is 0 for a bye."""

    number: int
    first: int
    second: int


class Outcome(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """The result of a table: games won by its first and second player, games drawn, and the winner.

    `winner` is the number of a player, or 0 for a draw; where both have lost, `both_lost`.
    """

    first: int
    second: int
    drawn: int = 0
    winner: int = 0
    how: str = PLAYED
    both_lost: bool = False


# -- the tournament, and who is in it -------------------------------------------------------------


class TournamentOpened(Event, frozen=True, tag=1):
    """A record begins. `at` is milliseconds since 1970, as is the time of every entry."""

    id: Open[str]
    name: Open[str]
    format: Open[Format]
    at: Open[int]


class FormatChanged(Event, frozen=True, tag=2):
    """The format is another from here on, or the name; rounds that were opened keep theirs."""

    name: Open[str]
    format: Open[Format]
    why: Kept[str]


class PlayerEntered(Event, frozen=True, tag=3):
    """A player takes part, under a number that he keeps. `key` is the organiser's own for him."""

    player: Open[int]
    name: Open[str]
    key: Kept[str]


class PlayerCorrected(Event, frozen=True, tag=4):
    """A player is called something else."""

    player: Open[int]
    name: Open[str]
    key: Kept[str]


class PlayerDropped(Event, frozen=True, tag=5):
    """A player plays no further rounds; `why` may be empty."""

    player: Open[int]
    why: Kept[str]


class PlayerReinstated(Event, frozen=True, tag=6):
    """A player who had dropped plays on."""

    player: Open[int]
    why: Kept[str]


class ListHandedIn(Event, frozen=True, tag=7):
    """A player hands in a list, which takes the place of an earlier one.

    `faults` are those that it was found to have: with one it can't be accepted. The list is his and
    the officials' until lists are published.
    """

    player: Open[int]
    deck: Kept[Deck]
    faults: Kept[tuple[str, ...]]


class ListAccepted(Event, frozen=True, tag=8):
    """A player's list is fixed."""

    player: Open[int]


class ListReopened(Event, frozen=True, tag=9):
    """A list that was accepted may be handed in again, for a reason; those of old rounds stay."""

    player: Open[int]
    why: Kept[str]


class ListsPublished(Event, frozen=True, tag=10):
    """The lists that are accepted can be read by everybody."""


class OfficialNamed(Event, frozen=True, tag=11):
    """Somebody is an official of the tournament; role empty: no longer."""

    name: Open[str]
    role: Open[str]


# -- rounds ---------------------------------------------------------------------------------------


class RoundPaired(Event, frozen=True, tag=12):
    """The tables of a round (from 1), and how they were paired; pairing again replaces it.

    `seed` makes what was drawn repeatable.
    """

    round: Open[int]
    tables: Kept[tuple[Table, ...]]
    by: Open[str]
    seed: Kept[int]


class RoundOpened(Event, frozen=True, tag=13):
    """The matches of a round are opened, and wait; each under the id that its table has."""

    round: Open[int]


class RoundStarted(Event, frozen=True, tag=14):
    """The round is played from here on, for so many seconds (0: no clock runs)."""

    round: Open[int]
    seconds: Open[int]


class ClockPaused(Event, frozen=True, tag=15):
    """Clocks stand still: those of these tables, or (none named) of all."""

    round: Open[int]
    tables: Open[tuple[int, ...]]
    why: Kept[str]


class ClockResumed(Event, frozen=True, tag=16):
    """Clocks go on: those of these tables, or (none named) of all."""

    round: Open[int]
    tables: Open[tuple[int, ...]] = ()


class ClockExtended(Event, frozen=True, tag=17):
    """These tables, or (none named) all, have so many seconds more (less, if negative)."""

    round: Open[int]
    seconds: Open[int]
    tables: Open[tuple[int, ...]]
    why: Kept[str]


class TimeCalled(Event, frozen=True, tag=18):
    """Time is called for these tables, or (none named) for all."""

    round: Open[int]
    tables: Open[tuple[int, ...]] = ()


class ResultReported(Event, frozen=True, tag=19):
    """The result of a table. `seq` is the entry of its match that says so; 0: none does."""

    round: Open[int]
    table: Open[int]
    outcome: Open[Outcome]
    seq: Open[int] = 0


class ResultCorrected(Event, frozen=True, tag=20):
    """The result of a table is another one, also in a round that has ended; why.

    `seq` is the entry of its match that says so; 0: an official says it.
    """

    round: Open[int]
    table: Open[int]
    outcome: Open[Outcome]
    why: Kept[str]
    seq: Open[int] = 0


class ResultWithdrawn(Event, frozen=True, tag=21):
    """A table has no result any more: the end of its match was taken back, or it was a mistake."""

    round: Open[int]
    table: Open[int]
    why: Kept[str]
    seq: Open[int] = 0


class RoundEnded(Event, frozen=True, tag=22):
    """Every table of a round has its result, and the next may be paired."""

    round: Open[int]


class TournamentEnded(Event, frozen=True, tag=23):
    """It is over: the standings are final, until a result is corrected."""


# -- officials ------------------------------------------------------------------------------------


class CallRaised(Event, frozen=True, tag=24):
    """A judge is called to a table, by a player of it (`player`), or by its scorekeeper (0)."""

    call: Open[int]
    table: Kept[int]
    player: Kept[int]
    text: Kept[str]


class CallTaken(Event, frozen=True, tag=25):
    """An official goes there; again: another in his place."""

    call: Open[int]


class CallAnswered(Event, frozen=True, tag=26):
    """The call is settled; `text` says how, `seconds` were given to the table for it."""

    call: Open[int]
    text: Kept[str]
    seconds: Kept[int]


class PlayerPenalised(Event, frozen=True, tag=27):
    """A player is penalised by the policy's scheme.

    In a match: `match` and its entry `seq` (the record of the match has what follows from it).
    Else it is on this record only: a list that was wrong, somebody who came late.
    """

    player: Kept[int]
    kind: Kept[str]
    note: Kept[str]
    round: Kept[int]
    match: Kept[str]
    seq: Kept[int]


class PenaltyWithdrawn(Event, frozen=True, tag=28):
    """A penalty (the entry that recorded it) was a mistake: an official says why."""

    entry: Kept[int]
    why: Kept[str]


class JudgeNoted(Event, frozen=True, tag=29):
    """A note of an official for officials, about a table, a player, or neither."""

    text: Kept[str]
    table: Kept[int]
    player: Kept[int]


AnyEvent = (
    TournamentOpened | FormatChanged | PlayerEntered | PlayerCorrected | PlayerDropped
    | PlayerReinstated | ListHandedIn | ListAccepted | ListReopened | ListsPublished | OfficialNamed
    | RoundPaired | RoundOpened | RoundStarted | ClockPaused | ClockResumed | ClockExtended
    | TimeCalled | ResultReported | ResultCorrected | ResultWithdrawn | RoundEnded | TournamentEnded
    | CallRaised | CallTaken | CallAnswered | PlayerPenalised | PenaltyWithdrawn | JudgeNoted
)  # fmt: skip

#: Every event type, by its tag.
TYPES: dict[int, type[Event]] = {cls.__struct_config__.tag: cls for cls in AnyEvent.__args__}


class Entry(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """One line of the record: `seq` counts from 1 without gaps, `by` is who put it in.

    `ticket` names the command of the entry, for repeats of it; may be empty.
    """

    seq: int
    time: int
    by: str
    event: AnyEvent
    ticket: str
