"""The acts of officials, a row each: its fields, who may do it, its sentences.

A row is a structure (`RecordNote("hm", public=True)`). Its method of the service is
`kifu.v1.DeskService/<class>`, whose request has the same fields (`service.wire` makes sure). What
carries it out is in `carrying`. The client's method, the command, the form, the line of a scenario
and the fuzz's choice are made from it (`service.client.officials`, `domain.text.desk`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from msgspec import Struct

from domain.officials.corrections.fixes import Fix
from domain.officials.ways import AS_THEY_WERE
from domain.record.decisions import Act as Played
from domain.words.fields import Field, Kind
from domain.words.phrases import Phrase, phrase

Seen = Field(Kind.SEEN)
Why = Annotated[str, Field(Kind.TEXT, phrase("Why, for the record"), ("--why",))]
Reason = Annotated[str, Field(Kind.TEXT, phrase("Why, for the record"), ("--why",), needed=True)]
About = Annotated[
    int, Field(Kind.NUMBER, phrase("The entry that it is about"), ("--about",), "SEQ")
]
Seat = Annotated[int, Field(Kind.SEAT, phrase("The player"), word="WHO")]
Breaker = Annotated[int | None, Field(Kind.SEAT, phrase("The player who broke it"), ("--who",))]
Clock = Annotated[str, Field(Kind.CLOCK, phrase("The clock"), word="CLOCK")]
Rolls = Annotated[
    Sequence[Sequence[int]],
    Field(
        Kind.ROLLS,
        phrase("At a real table: how chance fell before the next decision, in order (A, 2, 1,0,2)"),
        ("--roll",), "A|B|N",
    ),
]  # fmt: skip


class OfficialAct(Struct, frozen=True, kw_only=True):
    """An act of an official. `request_id` names it, so that it may be repeated.

    `name` is how it is typed, `title` the heading of its form, `done` the confirmation once it is
    recorded, `example` what may be typed after its name and the match.
    """

    request_id: Annotated[str, Seen] = ""

    name: ClassVar[str]
    title: ClassVar[Phrase]
    done: ClassVar[Phrase]
    example: ClassVar[str] = ""
    #: The command: its group, and how it is called there, if not as it is named.
    group: ClassVar[str] = "desk"
    command: ClassVar[str] = ""
    #: Whether the scorekeeper of a real table may do it, too.
    scorekeepers: ClassVar[bool] = False
    #: Whether it may take long; goes on with a record that does not fit its chain; takes the match
    #: back; is read by what is hidden.
    long: ClassVar[bool] = False
    accepting: ClassVar[bool] = False
    goes_back: ClassVar[bool] = False
    looks: ClassVar[bool] = False
    #: The confirmation where no decision is open after it, if that is another.
    undecided: ClassVar[Phrase] = Phrase("")
    #: Whether a game or a match may end by it, so that it is asked whether it is meant.
    grave: ClassVar[bool] = False
    #: In which matches it makes sense: "waits", "live", "over", "table"; empty: in any.
    when: ClassVar[str] = ""


class BeginMatch(OfficialAct, frozen=True):
    """Have a match begin, which was opened to wait."""

    why: Why = ""
    rolls: Rolls = ()

    name = "begin"
    title = phrase("Begin the match")
    done = phrase("The match has begun.")
    undecided = phrase("The match goes on waiting: players have yet to open their seeds.")
    example = '--why "all are seated"'
    scorekeepers = True
    long = True
    when = "waits"


class RecordRuling(OfficialAct, frozen=True):
    """Record the ruling TEXT: on an entry, on a decision, or on nothing in particular."""

    text: Annotated[str, Field(Kind.TEXT, phrase("The ruling, in words"))]
    rules: Annotated[
        Sequence[str],
        Field(Kind.RULES, phrase("A rule that it applies, by its id"), ("-r", "--rule"), "RULE"),
    ] = ()
    about: About = 0
    decision: Annotated[
        int, Field(Kind.NUMBER, phrase("The decision that it is about"), ("--decision",), "N")
    ] = 0
    evidence: Annotated[
        int, Field(Kind.NUMBER, phrase("The look that it rests on"), ("--evidence",), "SEQ")
    ] = 0

    name = "rule"
    title = phrase("Ruling")
    done = phrase("The ruling was recorded.")
    example = '"A die decides who chooses." --rule RULE --decision 1'
    long = True


class RecordPenalty(OfficialAct, frozen=True):
    """Penalise player WHO (A, B) by KIND of the event's scheme (warning, game-loss).

    In a match of an event --infraction says what for, and KIND may be left out: as is usual for it,
    raised by repeats. If the match is over, a game or a match that is lost so makes another result
    of it.
    """

    seat: Seat
    kind: Annotated[str, Field(Kind.PENALTY, phrase("The penalty"))] = ""
    note: Annotated[str, Field(Kind.TEXT, phrase("What for, in words"), ("--note",))] = ""
    rolls: Rolls = ()
    result: Annotated[int, Seen] = 0
    infraction: Annotated[
        str, Field(Kind.NAME, phrase("What for: an infraction of its event"), ("--infraction",))
    ] = ""
    game_state: Annotated[
        str,
        Field(
            Kind.NAME,
            phrase("What became of the game: repaired, irreparable, accepted"),
            ("--game",),
            "STATE",
        ),
    ] = ""

    name = "penalise"
    grave = True
    title = phrase("Penalty")
    done = phrase("The penalty was recorded.")
    example = 'B slow-play --note "a minute over a mulligan"'


class CorrectResult(OfficialAct, frozen=True):
    """Correct the result of a match that is over: WINNER (A, B, draw), SCORE.

    The result before it is superseded, and stays readable: kifu desk result MATCH A 2-1 --note "…".
    """

    winner: Annotated[int, Field(Kind.WINNER, phrase("The winner"))]
    score: Annotated[Sequence[int], Field(Kind.SCORE, phrase("Games won (2-1)"))]
    note: Annotated[str, Field(Kind.TEXT, phrase("Why, for the record"), ("--note",), needed=True)]
    result: Annotated[int, Seen] = 0

    name = "result"
    grave = True
    title = phrase("Correct the result")
    done = phrase("The result was corrected.")
    example = 'A 2-1 --note "entered the wrong way round"'
    when = "over"


class RecordNote(OfficialAct, frozen=True):
    """Write TEXT down. For scorekeepers as well."""

    text: Annotated[str, Field(Kind.TEXT, phrase("The note"))]
    about: About = 0
    public: Annotated[
        bool,
        Field(Kind.YES, phrase("For everybody to read, not for officials only"), ("--public",)),
    ] = False

    name = "note"
    title = phrase("Note")
    done = phrase("The note was recorded.")
    example = '"A spilled a drink; sleeves were changed" --public'
    scorekeepers = True


class RecordShuffle(OfficialAct, frozen=True):
    """Write down how the real cards of player WHOSE (A, B) were shuffled. For scorekeepers too."""

    seat: Annotated[int, Field(Kind.SEAT, phrase("Whose cards"), word="WHOSE")]
    shuffler: Annotated[
        int,
        Field(
            Kind.PERSON,
            phrase("Who shuffled: A, B, official (default: their owner)"),
            ("--by",),
            needed=False,
        ),
    ]
    cutter: Annotated[
        int | None,
        Field(
            Kind.PERSON,
            phrase("Who cut: A, B, official, nobody (default: the opponent)"),
            ("--cut",),
        ),
    ] = None
    checked: Annotated[
        str, Field(Kind.TEXT, phrase("What was checked, in words"), ("--checked",))
    ] = ""

    name = "shuffle"
    title = phrase("Shuffle, as it was done")
    done = phrase("It was written down.")
    example = 'A --cut B --checked "six cards were counted"'
    scorekeepers = True
    when = "table"  # fmt: skip


class BringCards(OfficialAct, frozen=True):
    """Bring cards that no catalogue has, from FILE: all see them. For scorekeepers too.

    A file has [[card]] tables (TOML), or is a list of printed cards (CSV or JSON).
    """

    prints: Annotated[
        Sequence[str], Field(Kind.PRINT, phrase("A card, as JSON in the form of card data"),
                             word="FILE", needed=True),
    ]  # fmt: skip

    name = "prints"
    title = phrase("Bring a card that no catalogue has")
    done = phrase("The match has that card from now on.")
    example = "promo.toml"
    scorekeepers = True
    long = True


class PauseMatch(OfficialAct, frozen=True):
    """Let a match stand still: no player may act, no clock runs."""

    why: Why = ""

    name = "pause"
    title = phrase("Pause the match")
    done = phrase("The match is paused.")
    example = '--why "deck check"'
    when = "live"


class ResumeMatch(OfficialAct, frozen=True):
    """Let a match go on that stands still."""

    why: Why = ""

    name = "resume"
    title = phrase("Let the match go on")
    done = phrase("The match goes on.")
    when = "live"


class AdoptEngine(OfficialAct, frozen=True):
    """Let a match, which an older Kifu recorded, go on under this one.

    Its decision must be one that can be asked again. What was recorded stands as it is.
    """

    why: Why = ""

    name = "adopt"
    title = phrase("Go on under this engine")
    done = phrase("The match goes on under the present engine.")
    example = '--why "recorded by last year\'s Kifu"'


class AcceptRecord(OfficialAct, frozen=True):
    """Let a match go on, though its entries are not those that were chained.

    They were altered, cut or exchanged. That is recorded, for all to read, and it is chained again
    from here.
    """

    why: Why = ""

    name = "accept"
    title = phrase("Accept the record as it stands")
    done = phrase("The match goes on with the entries as they are.")
    example = '--why "the file was put back from a copy"'
    long = True
    accepting = True


class FlagIrregularity(OfficialAct, frozen=True):
    """Flag that RULE was broken, TEXT says how: it has happened, and stands."""

    rule: Annotated[str, Field(Kind.NAME, phrase("The rule that was broken"))]
    note: Annotated[str, Field(Kind.TEXT, phrase("What happened, in words"), word="TEXT")]
    seat: Breaker = None
    about: About = 0

    name = "flag"
    title = phrase("Irregularity: it happened, and stands")
    done = phrase("The irregularity was recorded.")
    example = 'RULE "drew two cards for one" --who B --about 1200'
    long = True


class RecordIrregularity(OfficialAct, frozen=True):
    """Record what player WHO did against the rules: ACT, as one types it. It is carried out.

    Cards may be named that are in no list: kifu desk play MATCH A "deploy Zaku II".
    """

    decision: Annotated[int, Seen]
    seat: Seat
    act: Annotated[Played, Field(Kind.ACT, phrase("The act, as one types it"))]
    note: Annotated[str, Field(Kind.TEXT, phrase("What happened, in words"), ("--note",))] = ""
    names: Annotated[Mapping[int, str], Seen] = {}
    rolls: Rolls = ()
    passes: Annotated[int, Seen] = 0
    ends: Annotated[bool, Seen] = False

    name = "play"
    title = phrase("Irregularity: an act that the rules refuse")
    done = phrase("The irregularity was recorded, and the game goes on from it.")
    example = 'B "attack ???? -> player" --note "it had been rested already"'
    long = True
    looks = True
    when = "live"


class CorrectPosition(OfficialAct, frozen=True):
    """Put the position of a match right, at the decision that is open."""

    decision: Annotated[int, Seen]
    fixes: Annotated[
        Sequence[Fix],
        Field(Kind.FIX, phrase("What is put right"), ("-f", "--fix"), needed=True),
    ]
    why: Reason
    rule: Annotated[
        str, Field(Kind.NAME, phrase("The rule that was broken, if one"), ("--rule",))
    ] = ""
    seat: Breaker = None
    rolls: Rolls = ()

    name = "correct"
    title = phrase("Put the position right")
    done = phrase("The position was put right.")
    example = "-f 'move 57 to trash/1' --why \"it was destroyed\" --rule RULE"
    scorekeepers = True
    long = True
    when = "live"


class RewindMatch(OfficialAct, frozen=True):
    """Go back to DECISION; what is undone stays readable. A match that is over is live again."""

    decision: Annotated[int, Field(Kind.NUMBER, phrase("The decision to go back to"), least=1)]
    why: Reason
    put_back: Annotated[
        str, Field(Kind.WAY, phrase("How revealed cards are put back"), ("--put-back",))
    ] = AS_THEY_WERE
    cards: Annotated[
        Mapping[int, str],
        Field(Kind.WAYS, phrase("One card that is put back otherwise"), ("--card",), "N=WAY"),
    ] = {}
    open_decision: Annotated[int, Seen] = 0
    result: Annotated[int, Seen] = 0

    name = "rewind"
    title = phrase("Back to a decision")
    done = phrase("The match went back.")
    goes_back = True


class UndoEntry(OfficialAct, frozen=True):
    """Take back your last entry at a real table. For scorekeepers."""

    why: Why = ""
    open_decision: Annotated[int, Seen] = 0

    name = "undo"
    title = phrase("Take back the last entry")
    done = phrase("Your last entry was taken back.")
    example = '--why "typed for the wrong table"'
    scorekeepers = True
    goes_back = True
    when = "table"


# -- time ------------------------------------------------------------------------------------------


class CallTime(OfficialAct, frozen=True):
    """The time of a match is over: what the event's policy says of that begins."""

    name = "call-time"
    grave = True
    title = phrase("Call time")
    done = phrase("Time was called.")
    group, command = "time", "call"
    when = "live"


class DecideByTime(OfficialAct, frozen=True):
    """End a match here and now, by the event's tie-breaks; time must have been called."""

    name = "decide"
    grave = True
    title = phrase("Decide by time")
    done = phrase("The match was ended.")
    group = "time"
    when = "live"


class FlagClock(OfficialAct, frozen=True):
    """The clock of player WHO (A, B) has run out: what the event's policy says of that follows."""

    seat: Seat
    rolls: Rolls = ()

    name = "run-out"
    grave = True
    title = phrase("A clock has run out")
    done = phrase("It was recorded that the clock has run out.")
    example = "B"
    group, command = "time", "flag"
    when = "live"


class ExtendTime(OfficialAct, frozen=True):
    """Give more time on CLOCK (A, B, round): minutes and seconds BY (`2:00`)."""

    clock: Clock
    ms: Annotated[int, Field(Kind.SPAN, phrase("How much (2:00)"), word="BY")]
    why: Why = ""

    name = "extend"
    title = phrase("Give time")
    done = phrase("The time was given.")
    example = 'round 4:00 --why "deck check"'
    group = "time"
    when = "live"


class SetClock(OfficialAct, frozen=True):
    """Set CLOCK (A, B, round), start it or stop it."""

    clock: Clock
    left: Annotated[
        int | None, Field(Kind.SPAN, phrase("What it shows from now on"), ("--to",), "M:SS")
    ] = None
    running: Annotated[
        bool | None, Field(Kind.RUNNING, phrase("Start it, or stop it"), ("--run/--stop",))
    ] = None
    why: Why = ""

    name = "set-clock"
    title = phrase("Set a clock")
    done = phrase("The clock was set.")
    example = 'A --to 12:30 --stop --why "it ran during a call"'
    group, command = "time", "set"
    when = "live"


#: All of them, by the name that is typed.
ACTS: Mapping[str, type[OfficialAct]] = {one.name: one for one in OfficialAct.__subclasses__()}
