"""The state of a tournament at an entry: players, lists, officials, rounds, clocks, results, calls.

All of it follows from the record alone (`folding`); nothing is kept that does not. Times are
milliseconds since 1970. What may be done to it is in `acts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from domain.tournament.record import CUT, ELIMINATION, FINAL, SWISS, Deck, Format, Outcome


class Stage(StrEnum):
    """How far a round has come."""

    PAIRED = "paired"
    OPENED = "opened"
    STARTED = "started"
    ENDED = "ended"


class HandedIn(Struct, frozen=True):
    """A list as its player handed it in, with entry `seq`, and what is wrong with it."""

    seq: int
    player: int
    deck: Deck
    faults: tuple[str, ...]


class Pool(Struct, frozen=True):
    """The pool of a player, as entry `seq` has it, and who registered it."""

    player: int
    seq: int
    by: str
    cards: tuple[str, ...]


class Player(Struct):
    """Somebody who takes part, or has taken part until he dropped.

    `list` is the entry of the list that he handed in last (0: none), which may be `accepted`.
    `present`: he has checked in, `late` if that was after a round was opened; `identified`: his
    identity document was seen.
    """

    number: int
    name: str
    key: str = ""
    dropped: bool = False
    list: int = 0
    accepted: bool = False
    present: bool = False
    identified: bool = False
    late: bool = False


class Clock(Struct):
    """The clock of a table in a round: it showed `left` milliseconds at the time `since`.

    Where the round has no clock it runs, stands still and is called all the same, and `left` says
    nothing.
    """

    left: int
    since: int
    running: bool = True
    called: bool = False

    def at(self, now: int) -> int:
        """Its time at a given time; negative once it has run out."""
        return self.left - max(now - self.since, 0) if self.running else self.left


class Result(Struct, frozen=True):
    """The result of a table by entry `seq`; `outcome` is None if a result was withdrawn.

    `source` is the entry of the table's match that says so, 0: an official says it, or `both` of
    its players.
    """

    seq: int
    by: str
    outcome: Outcome | None
    source: int = 0
    why: str = ""
    both: bool = False


class Claim(Struct, frozen=True):
    """What a player says that the result of his table is."""

    player: int
    outcome: Outcome


class Seating(Struct):
    """A table of a round: its players (`second` is 0 for a bye), and its results.

    `claims` is what its players say of its result as long as there is none, one of each.
    """

    number: int
    first: int
    second: int
    results: list[Result] = []
    clock: Clock | None = None
    claims: list[Claim] = []

    @property
    def players(self) -> tuple[int, ...]:
        """Its players."""
        return (self.first, self.second) if self.second else (self.first,)

    @property
    def result(self) -> Result | None:
        """The result that counts, None if there is none."""
        last = self.results[-1] if self.results else None
        return last if last is not None and last.outcome is not None else None

    @property
    def outcome(self) -> Outcome | None:
        """Its result, as it stands; None: none yet."""
        return self.result.outcome if self.result is not None else None

    @property
    def disputed(self) -> bool:
        """Whether its players say different things of its result."""
        return len({one.outcome for one in self.claims}) > 1

    def claim(self, player: int) -> Outcome | None:
        """The result that a player claims; None: none."""
        return next((one.outcome for one in self.claims if one.player == player), None)


class Round(Struct):
    """A round: its tables by their numbers, and how far it has come.

    `stage` is one of `Stage`. `format` is what it was opened with, and so are `lists`: the entry of
    his list for each who plays. It `started` at a time (0: it has not).
    """

    number: int
    tables: dict[int, Seating]
    by: str
    seed: int
    stage: str = Stage.PAIRED
    seconds: int = 0
    format: Format | None = None
    lists: dict[int, int] = {}
    started: int = 0

    @property
    def missing(self) -> list[int]:
        """The tables that have no result, by number."""
        return [n for n, table in sorted(self.tables.items()) if table.result is None]

    @property
    def part(self) -> str:
        """The stage of the event that it belongs to, one of `record.STAGES`."""
        if self.by != ELIMINATION:
            return SWISS
        return FINAL if sum(table.second > 0 for table in self.tables.values()) == 1 else CUT

    def of(self, player: int) -> Seating | None:
        """The table of a player; None if he has none in this round."""
        return next((one for one in self.tables.values() if player in one.players), None)


class Call(Struct):
    """A call for a judge to a table of a round; times are 0 as long as that has not happened."""

    number: int
    round: int
    table: int
    player: int
    text: str
    by: str
    raised: int
    taken_by: str = ""
    taken: int = 0
    answered_by: str = ""
    answered: int = 0
    answer: str = ""
    seconds: int = 0


class Appeal(Struct):
    """An appeal to the head judge against how `call` was settled, or a match's ruling (`seq`)."""

    number: int
    round: int
    table: int
    player: int
    call: int
    seq: int
    text: str
    by: str
    raised: int
    answered_by: str = ""
    answered: int = 0
    overturned: bool = False
    answer: str = ""
    seconds: int = 0


class Penalty(Struct):
    """A penalty that entry `seq` recorded; `source` is the entry of `match`, where it has one.

    One that was given outside a match has it once it is carried over to one.
    """

    seq: int
    time: int
    by: str
    player: int
    kind: str
    note: str
    round: int = 0
    match: str = ""
    source: int = 0
    withdrawn: str = ""
    infraction: str = ""
    game_state: str = ""


class Note(Struct, frozen=True):
    """A note of an official, by entry `seq`."""

    seq: int
    time: int
    by: str
    text: str
    round: int = 0
    table: int = 0
    player: int = 0


class DeckCheck(Struct):
    """A deck to be checked, by the entry `seq` that drew it, or one that was checked undrawn.

    `round` was the latest then, `cut`: on passing to the elimination. It was checked by entry
    `checked` (0: not yet), and had a `fault`, if any.
    """

    seq: int
    player: int
    round: int = 0
    cut: bool = False
    checked: int = 0
    by: str = ""
    fault: str = ""


class State(Struct):
    """A tournament after entry `seq`. `seed` is that of its `pods`; `pools` are by player."""

    id: str = ""
    name: str = ""
    format: Format = Format("")
    at: int = 0
    seq: int = 0
    time: int = 0
    players: dict[int, Player] = {}
    lists: dict[int, HandedIn] = {}
    officials: dict[str, str] = {}
    rounds: list[Round] = []
    calls: dict[int, Call] = {}
    penalties: dict[int, Penalty] = {}
    notes: list[Note] = []
    published: bool = False
    ended: bool = False
    checks: list[DeckCheck] = []
    closed: bool = False
    barred: dict[str, str] = {}
    appeals: dict[int, Appeal] = {}
    pods: tuple[tuple[int, ...], ...] = ()
    seed: int = 0
    pools: dict[int, Pool] = {}
    pools_closed: bool = False

    @property
    def round(self) -> Round | None:
        """The latest round; None before the first is paired."""
        return self.rounds[-1] if self.rounds else None

    def deck(self, player: int, round_: Round | None = None) -> Deck | None:
        """The list of a player that is accepted, or the one that he has in a round."""
        one = self.players[player]
        seq = one.list if one.accepted else 0
        if round_ is not None and round_.stage != Stage.PAIRED:
            seq = round_.lists.get(player, 0)
        return self.lists[seq].deck if seq else None

    def pod(self, player: int) -> int:
        """The number of the pod that a player sits in; 0: in none."""
        return next((n for n, pod in enumerate(self.pods, 1) if player in pod), 0)

    def match(self, round_: int, table: int) -> str:
        """The id of the match of a table."""
        return match_id(self.id, round_, table)

    def matches(self, round_: Round) -> Iterator[tuple[str, Seating]]:
        """The matches that a round has, by id, with their tables: a bye has none."""
        for number, table in sorted(round_.tables.items()):
            if table.second and (round_.format or self.format).mode:
                yield self.match(round_.number, number), table


def match_id(tournament: str, round_: int, table: int) -> str:
    """The id of the match of a table: `abcd.r2.t14`."""
    return f"{tournament}.r{round_}.t{table}"


def place_of(match: str) -> tuple[str, int, int] | None:
    """The tournament, the round and the table of a match, by its id; None: it has none."""
    tournament, *rest = match.split(".")
    if not tournament or len(rest) != 2:
        return None
    (r, round_), (t, table) = ((part[:1], part[1:]) for part in rest)
    if (r, t) != ("r", "t") or not (_number(round_) and _number(table)):
        return None
    return tournament, int(round_), int(table)


def _number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and text[0] != "0" and len(text) <= 9
