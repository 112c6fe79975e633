"""The content of a dispute page as data: the JSON of `kifu dispute --json`, field by field.

Texts are as people read them, in the language of the command; times are milliseconds since the
match was opened, entries are numbers of the record. Fields are added at the end and never change
their meaning; if one has to, `FORMAT` gets another number (DISPUTE.md).
"""

from __future__ import annotations

from msgspec import Struct

from replay_cli.dispute.tables import ShownTable

FORMAT = "kifu-dispute/1"


class Rule(Struct, frozen=True):
    """A rule that is cited on the page, in our own words."""

    id: str
    gist: str


class Player(Struct, frozen=True):
    """A player: seat, name and deck."""

    seat: int
    letter: str
    name: str
    deck: str


class MatchFacts(Struct, frozen=True):
    """Which match it is. `opened` is a time of day (ISO 8601, UTC), `fork` the match it forks."""

    id: str
    game: str
    engine: str
    mode: str
    best_of: int
    opened: str
    players: tuple[Player, ...]
    labels: tuple[tuple[str, str], ...]
    fork: str


class Choice(Struct, frozen=True):
    """An option: what it would have done, how it is typed, whether it was taken."""

    n: int
    text: str
    typed: str
    taken: bool


class Answered(Struct, frozen=True):
    """A decision of one player, and its answer.

    `hidden`: the viewer may not know the options. `seq` is the entry of the answer, 0 if it is
    open; `took` its duration, in milliseconds. `origin` tells how it came: `seat`, `implied`,
    `auto`, `official`. `clocks` are what clocks showed as it was asked and as it was answered.
    """

    n: int
    seat: int
    player: str
    kind: str
    turn: int
    step: str
    opened: int
    time: int
    asked_by: tuple[str, ...]
    options: tuple[Choice, ...]
    hidden: bool
    taken: str
    seq: int
    took: int
    origin: str
    allowed_by: tuple[str, ...]
    clocks: tuple[tuple[str, str, str], ...]
    real: bool
    undone: int


class Board(Struct, frozen=True):
    """The table as one viewer saw it, at the entry that it says."""

    viewer: str
    caption: str
    table: ShownTable


class Because(Struct, frozen=True):
    """A cause: how, which entry, in words."""

    link: str
    seq: int
    text: str


class Happening(Struct, frozen=True):
    """A line of what followed. `causes` lead back to a line that stands there as well."""

    seq: int
    time: int
    turn: int
    step: str
    player: str
    text: str
    rules: tuple[str, ...]
    causes: tuple[Because, ...]
    asked_for: bool


class Asked(Struct, frozen=True):
    """An act that was asked about for this page, with the answer; `reason` for programs."""

    n: int
    player: str
    act: str
    allowed: bool
    reason: str
    text: str
    rules: tuple[str, ...]
    unverified: str


class NotOffered(Struct, frozen=True):
    """A kind of act that was not on offer with these cards, and why: the same of all of them."""

    act: str
    cards: str
    reason: str
    text: str
    rules: tuple[str, ...]


class Knowledge(Struct, frozen=True):
    """Cards of a place that not all may know, and who knew which they are."""

    place: str
    cards: str
    known_to: str


class Official(Struct, frozen=True):
    """An act of an official: `when` is `before`, `during` or `since` the decision."""

    seq: int
    time: int
    when: str
    who: str
    what: str
    text: str
    why: str
    rules: tuple[str, ...]
    here: bool


class Verified(Struct, frozen=True):
    """The verdict: `exact`, `unverified`, `diverged` (at entry `seq`), or `unknown`."""

    kind: str
    seq: int
    reason: str
    entries: int
    decisions: int


class Dispute(Struct, frozen=True):
    """A page. `viewer` is whom it is made for: `official`, `public`, or a player's letter.

    `entry` is the one that was asked about, 0: none was. `ends` says why what followed ends there.
    """

    format: str
    viewer: str
    made_for: str
    title: str
    entry: int
    match: MatchFacts
    decisions: tuple[Answered, ...]
    boards: tuple[Board, ...]
    followed: tuple[Happening, ...]
    ends: str
    after: Board
    asked: tuple[Asked, ...]
    knowledge: tuple[Knowledge, ...]
    officials: tuple[Official, ...]
    looks: tuple[Official, ...]
    verified: Verified
    proof: tuple[str, ...]
    rules: tuple[Rule, ...]
    not_offered: tuple[NotOffered, ...]
