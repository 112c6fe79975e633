"""The event vocabulary of a tournament: everything that can happen at one.

Like in the record of a match, an event says what changed; what that adds up to is in `state`, and
what may be done is decided by the aggregate. Nothing is deleted: a later event corrects
an earlier one. Tags are stored, so a tag is never reused, and new fields come last, with a default.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from domain.record.schema.policy import EndOfTime, Policy
from domain.record.values import Kept, Open, Value

#: The source of pairings: made by the Swiss system or as a bracket, or imported; a play-off is of
#: players who are level, and counts for nothing else.
SWISS, ELIMINATION, GIVEN, PLAY_OFF = "swiss", "elimination", "given", "play-off"
#: Stages of an event: its Swiss rounds, single elimination, the last match of that. A final that
#: has nothing of its own is played as the cut is.
CUT, FINAL = "cut", "final"
STAGES = (SWISS, CUT, FINAL)
#: How pools come about of which players build their decks: out of packs that are each player's
#: own, or passed on around a pod.
SEALED, DRAFT = "sealed", "draft"
WAYS = (SEALED, DRAFT)
#: Who chooses who goes first: who stood better.
SEED = "seed"
#: As many go on to single elimination as the chart says.
BY_CHART = -1
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
#: What became of a game that something went wrong in: it was put right, it can't be, it is played
#: on as it is. Empty: nothing was said of it.
REPAIRED, IRREPARABLE, ACCEPTED = "repaired", "irreparable", "accepted"
GAME_STATES = ("", REPAIRED, IRREPARABLE, ACCEPTED)


class Event(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base of the closed union of all events (`AnyEvent`)."""


class StageFormat(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a stage of an event (`SWISS`, `CUT`, `FINAL`) has of its own.

    `seconds`, `end` and `together` are as in a format and its policy. `first` says who chooses who
    goes first in the first game of a match: chance, or (`SEED`) who stood better in the Swiss
    rounds.
    """

    name: str
    best_of: int = 1
    seconds: int = 0
    end: EndOfTime = EndOfTime()
    together: str = ""
    first: str = ""


class Infraction(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a player may do wrong, the section that says so, and the usual penalty for it.

    Repeats raise it up to `most`, or (empty) up to the first penalty that ends an event for its
    player. `late`: it is for who comes late, and costs from so many seconds after the start of a
    round on that much, whatever the usual penalty.
    """

    name: str
    label: str = ""
    penalty: str = ""
    most: str = ""
    rule: str = ""
    late: tuple[tuple[int, str], ...] = ()


class Pools(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """How players build their decks from pools, if they do: `way` is one of `WAYS`, or empty.

    Pods have `pod` players (0: there are none); `within`: rounds are played within them. A pool has
    from `least` to `most` cards (0: any number). The main part of a deck has `deck` cards at least
    (0: as many as ever). Of `free`, parts of a deck and cards, everybody has as many as he likes.
    `changing`: who has a list that is accepted may hand in another between rounds.
    """

    way: str = ""
    pod: int = 0
    within: bool = False
    least: int = 0
    most: int = 0
    deck: int = 0
    free: tuple[str, ...] = ()
    changing: bool = False


class Format(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """The game and its format: all that its matches are opened with, and how they count.

    `mode` and `options` are as a match has them, `options` with the game's rules for decks too;
    `mode` empty: no match is recorded, and no list asked for; results are entered.
    `seconds` is how long a round lasts (0: no clock). `rounds` are the Swiss rounds that are
    planned (0: as many as the players need), `cut` how many go on to a single elimination (0:
    none, `BY_CHART`). `points` are for a win, a draw and a loss; `tiebreaks` the names of
    `standings`, in order. `rules` names the manual that all this is from, `stages` have settings of
    their own; `chart` says for up to so many players how many rounds there are, and how many go on;
    a win rate counts as `least_rate` at least ("0.33"; "" for a third). `infractions` are those
    that penalties are for; who drops `conceding` gives up the match that he is paired for. The
    penalty that is `reserved`, and graver ones, are the head judge's; who plays and who is an
    official are kept `apart`. `pools` says how decks are built from pools, if they are.
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
    rules: str = ""
    stages: tuple[StageFormat, ...] = ()
    chart: tuple[tuple[int, int, int], ...] = ()
    least_rate: str = ""
    infractions: tuple[Infraction, ...] = ()
    conceding: bool = False
    reserved: str = ""
    apart: bool = False
    pools: Pools = Pools()

    def infraction(self, name: str) -> Infraction | None:
        """The infraction of that name; None if there is none."""
        return next((one for one in self.infractions if one.name == name), None)


def at_stage(f: Format, name: str) -> Format:
    """The format of a stage: what that has of its own takes the place of the event's."""
    known = {one.name: one for one in f.stages}
    own = known.get(name) or (known.get(CUT) if name == FINAL else None)
    if own is None:
        return replace(f, stages=()) if f.stages else f
    policy = replace(f.policy, end=own.end, together=own.together)
    return replace(f, best_of=own.best_of, seconds=own.seconds, policy=policy, stages=(own,))


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

    @property
    def is_draw(self) -> bool:
        """Whether nobody has won, and nobody lost."""
        return not (self.winner or self.both_lost)


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
    """The result of a table. `seq` is the entry of its match that says so; 0: none does.

    `both`: no official says it, but both of its players.
    """

    round: Open[int]
    table: Open[int]
    outcome: Open[Outcome]
    seq: Open[int] = 0
    both: Open[bool] = False


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
    Else it was given here: for a list that was wrong, for coming late; what it costs is carried
    over (`PenaltyCarried`). `game_state`: one of `GAME_STATES`. Older entries lack the last two.
    """

    player: Kept[int]
    kind: Kept[str]
    note: Kept[str]
    round: Kept[int]
    match: Kept[str]
    seq: Kept[int]
    infraction: Kept[str | None] = None
    game_state: Kept[str | None] = None


class PenaltyWithdrawn(Event, frozen=True, tag=28):
    """A penalty (the entry that recorded it) was a mistake: an official says why."""

    entry: Kept[int]
    why: Kept[str]


class JudgeNoted(Event, frozen=True, tag=29):
    """A note of an official for officials, about a table, a player, or neither."""

    text: Kept[str]
    table: Kept[int]
    player: Kept[int]


class DecksDrawn(Event, frozen=True, tag=30):
    """The decks of these players are to be checked: drawn by a seed from so many (`of`).

    `cut`: from those who pass to the elimination.
    """

    players: Kept[tuple[int, ...]]
    of: Kept[int]
    cut: Kept[bool]
    seed: Kept[int]


class DeckChecked(Event, frozen=True, tag=31):
    """The deck of a player was checked against his list; `fault` is empty if they are the same."""

    player: Kept[int]
    fault: Kept[str]


class ListsClosed(Event, frozen=True, tag=32):
    """Players hand in no more lists themselves; or they may once more, as from the beginning."""

    closed: Open[bool]


class PenaltyCarried(Event, frozen=True, tag=33):
    """A penalty that entry `entry` gave was recorded in a match, by entry `seq` of that."""

    entry: Kept[int]
    match: Kept[str]
    seq: Kept[int]


class PlayerBarred(Event, frozen=True, tag=34):
    """Somebody (his name, or the organiser's key for him) may not take part; or may once more."""

    name: Kept[str]
    barred: Kept[bool]
    why: Kept[str]


class AppealRaised(Event, frozen=True, tag=35):
    """A player of a table appeals to the head judge against how a call was settled, or a ruling.

    `call` is that call (0: none), `seq` the entry of the ruling in the table's match.
    """

    appeal: Open[int]
    table: Kept[int]
    player: Kept[int]
    call: Kept[int]
    seq: Kept[int]
    text: Kept[str]


class AppealAnswered(Event, frozen=True, tag=36):
    """The head judge's answer: the ruling stands, or is `overturned`; seconds that were given."""

    appeal: Open[int]
    overturned: Kept[bool]
    text: Kept[str]
    seconds: Kept[int]


class ResultClaimed(Event, frozen=True, tag=37):
    """A player of a table says what its result is: it is that once the other says the same."""

    round: Open[int]
    table: Kept[int]
    player: Kept[int]
    outcome: Kept[Outcome]


class ClaimWithdrawn(Event, frozen=True, tag=38):
    """A player takes back what he said that the result of his table is."""

    round: Open[int]
    table: Kept[int]
    player: Kept[int]


class PlayerCheckedIn(Event, frozen=True, tag=39):
    """A player is here, or (not `present`) he is not after all; his identity document was seen."""

    player: Kept[int]
    present: Kept[bool]
    identified: Kept[bool]


class PodsDrawn(Event, frozen=True, tag=40):
    """The pods: their players in the order in which they sit, each with the next on his left.

    They were drawn by a seed (`pairing.pods`), with those that came later behind. Drawn again, they
    replace the pods before.
    """

    pods: Open[tuple[tuple[int, ...], ...]]
    seed: Open[int]


class PoolRegistered(Event, frozen=True, tag=41):
    """The cards of a player's pool, which takes the place of an earlier one."""

    player: Open[int]
    cards: Kept[tuple[str, ...]]


class PoolsClosed(Event, frozen=True, tag=42):
    """Players register no more pools themselves; or they may once more."""

    closed: Open[bool]


AnyEvent = (
    TournamentOpened | FormatChanged | PlayerEntered | PlayerCorrected | PlayerDropped
    | PlayerReinstated | ListHandedIn | ListAccepted | ListReopened | ListsPublished | OfficialNamed
    | RoundPaired | RoundOpened | RoundStarted | ClockPaused | ClockResumed | ClockExtended
    | TimeCalled | ResultReported | ResultCorrected | ResultWithdrawn | RoundEnded | TournamentEnded
    | CallRaised | CallTaken | CallAnswered | PlayerPenalised | PenaltyWithdrawn | JudgeNoted
    | DecksDrawn | DeckChecked | ListsClosed | PenaltyCarried
    | PlayerBarred | AppealRaised | AppealAnswered | ResultClaimed | ClaimWithdrawn
    | PlayerCheckedIn | PodsDrawn | PoolRegistered | PoolsClosed
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
