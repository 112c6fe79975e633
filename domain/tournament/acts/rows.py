"""The acts at an event, a row each: its fields, who may do it, which matches it concerns.

A row is a structure, as those of officials at a match are (`domain.officials.acts`). Its method of
the service is `kifu.v1.TournamentService/<class>`, whose request has the same fields
(`service.wire` makes sure); what carries it out is in `carrying`. The client's method is made from
it (`service.client.tournaments`), and what a form of the hall says is read by it
(`service.web.hall.acts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from msgspec import Struct

from domain.tournament.record import Deck, Format, Outcome, Table
from domain.words.fields import Field, Kind
from domain.words.phrases import phrase

Seen = Field(Kind.SEEN)
#: Why, in one line; words that may have several; a name.
Why = Annotated[str, Field(Kind.TEXT, phrase("Why, for the record"), ("--why",))]
Words = Annotated[str, Field(Kind.WORDS, word="TEXT")]
Name = Annotated[str, Field(Kind.WORDS)]
Number = Annotated[int, Field(Kind.NUMBER, least=1)]
Seconds = Annotated[int, Field(Kind.SECONDS, phrase("Minutes (5, 1:30)"), word="BY")]
Player = Annotated[int, Field(Kind.PLAYER, word="WHO")]
SomePlayer = Annotated[int, Field(Kind.PLAYER, phrase("The player"), ("--player",))]
#: Of these tables; none named: of all of the round. The round; 0: the latest.
Tables = Annotated[
    Sequence[int],
    Field(Kind.TABLES, phrase("Only these tables (default: all)"), ("--tables",), "N,N"),
]
Round = Annotated[int, Field(Kind.ROUND, phrase("Which round (default: the last)"), ("--round",))]
Preview = Annotated[bool, Seen]

#: Who may do something: the organisers; officials as well; scorekeepers as well; the players of the
#: table; officials and the player whom it is about; a player alone.
ORGANISERS, OFFICIALS, ENTERING, SEATED = "organisers", "officials", "entering", "seated"
HIMSELF, PLAYERS = "himself", "players"
#: What is carried over to the matches of a round.
OPEN, BEGIN, CLOCK, RESULT, LOSS, STOP = "open", "begin", "clock", "result", "loss", "stop"


class EventAct(Struct, frozen=True, kw_only=True):
    """An act at an event. `request_id` names it, so that it may be repeated."""

    request_id: Annotated[str, Seen] = ""

    who: ClassVar[str] = OFFICIALS
    carries: ClassVar[str] = ""


class ChangeFormat(EventAct, frozen=True):
    """Change the name or the format, for rounds that are still to be opened."""

    name: Name
    format: Annotated[Format, Seen]
    why: Why


class EnterPlayers(EventAct, frozen=True):
    """Enter players by name and the organiser's key for them, all or none."""

    players: Annotated[Sequence[tuple[str, str]], Seen]


class CorrectPlayer(EventAct, frozen=True):
    """Call a player something else."""

    player: Player
    name: Name
    key: Name = ""


class DropPlayer(EventAct, frozen=True):
    """Have a player play no further rounds."""

    player: Player
    why: Why = ""

    who = HIMSELF


class ReinstatePlayer(EventAct, frozen=True):
    """Have a player who had dropped play on."""

    player: Player
    why: Why = ""


class BarPlayer(EventAct, frozen=True):
    """Bar somebody from the event, by his name or your key for him; or let him in once more."""

    name: Name
    why: Why = ""
    lift: Annotated[bool, Field(Kind.YES, phrase("He is barred no longer"), ("--lift",))] = False


class CheckIn(EventAct, frozen=True):
    """Check a player in, or (`absent`) take that back; `identified`: his document was seen."""

    player: Player
    identified: Annotated[
        bool, Field(Kind.YES, phrase("His identity document was seen"), ("--id",))
    ] = False
    absent: Annotated[bool, Field(Kind.YES, phrase("He is not here after all"), ("--absent",))] = (
        False
    )

    who = ENTERING


class HandInList(EventAct, frozen=True):
    """Hand in a player's list, also one with faults."""

    player: Player
    deck: Annotated[Deck, Seen]


class AcceptLists(EventAct, frozen=True):
    """Accept lists (none named: all without a fault); whose were accepted."""

    players: Annotated[Sequence[int], Field(Kind.PLAYERS, word="WHO")] = ()


class ReopenList(EventAct, frozen=True):
    """Let a list that was accepted be handed in again."""

    player: Player
    why: Why


class PublishLists(EventAct, frozen=True):
    """Let everybody read the lists that are accepted."""


class CloseLists(EventAct, frozen=True):
    """Let players hand in no more lists themselves, or (`open`) let them once more."""

    open: Annotated[bool, Field(Kind.YES, phrase("Let them, from now on"), ("--open",))] = False


class DrawPods(EventAct, frozen=True):
    """Draw the pods of all who play, or (`add`) seat those in them who sit in none."""

    add: Annotated[bool, Field(Kind.YES, phrase("Seat only who sits in none yet"), ("--add",))] = (
        False
    )
    seed: Annotated[int, Seen] = 0


class RegisterPool(EventAct, frozen=True):
    """Register the cards of a player's pool; how many there are."""

    player: Player
    pool: Annotated[Deck, Seen]


class ClosePools(EventAct, frozen=True):
    """Let players register no more pools themselves, or (`open`) let them once more."""

    open: Annotated[bool, Field(Kind.YES, phrase("Let them, from now on"), ("--open",))] = False


class NameOfficial(EventAct, frozen=True):
    """Name somebody an official, or (role empty) no longer (organisers only)."""

    name: Name
    role: Name

    who = ORGANISERS


class PairRound(EventAct, frozen=True):
    """Pair the next round: by these tables, or else by the service."""

    tables: Annotated[Sequence[Table], Seen] = ()
    by: Name = ""
    seed: Annotated[int, Seen] = 0


class OpenRound(EventAct, frozen=True):
    """Open a round and its matches, or what is missing of them."""

    round: Round = 0

    carries = OPEN


class StartRound(EventAct, frozen=True):
    """Start a round that is open."""

    round: Round = 0

    carries = BEGIN


class PauseClock(EventAct, frozen=True):
    """Let the clocks of these tables (none named: of all) stand still."""

    tables: Tables = ()
    why: Why = ""
    round: Round = 0

    carries = CLOCK


class ResumeClock(EventAct, frozen=True):
    """Let clocks go on."""

    tables: Tables = ()
    round: Round = 0

    carries = CLOCK


class ExtendClock(EventAct, frozen=True):
    """Give tables more time, or take some."""

    seconds: Seconds
    tables: Tables = ()
    why: Why = ""
    round: Round = 0

    carries = CLOCK


class CallRoundTime(EventAct, frozen=True):
    """Call time for tables that are not done."""

    tables: Tables = ()
    round: Round = 0

    carries = CLOCK


class EndRound(EventAct, frozen=True):
    """End a round, or (`preview`) tell what is in the way."""

    round: Round = 0
    preview: Preview = False

    carries = STOP


class EndTournament(EventAct, frozen=True):
    """End an event, or (`preview`) tell what is in the way."""

    preview: Preview = False

    carries = STOP


class ReportResult(EventAct, frozen=True):
    """Report the result of a table that has none."""

    table: Number
    outcome: Annotated[Outcome, Seen]
    round: Round = 0

    who = ENTERING


class CorrectTableResult(EventAct, frozen=True):
    """Correct the result of a table."""

    table: Number
    outcome: Annotated[Outcome, Seen]
    why: Why
    round: Round = 0


class WithdrawResult(EventAct, frozen=True):
    """Withdraw the result of a table, which has none then."""

    table: Number
    why: Why
    round: Round = 0

    carries = RESULT


class ClaimResult(EventAct, frozen=True):
    """Say, as a player, what the result of his table is: it is that once the other says the same.

    If they say different things, a judge is called to the table.
    """

    outcome: Annotated[Outcome, Seen]
    round: Round = 0
    player: Annotated[int, Seen] = 0

    who = PLAYERS


class WithdrawClaim(EventAct, frozen=True):
    """Take back, as a player, what he said that the result of his table is."""

    round: Round = 0
    player: Annotated[int, Seen] = 0

    who = PLAYERS


class RaiseCall(EventAct, frozen=True):
    """Call a judge to a table; the number of the call."""

    table: Number
    text: Words = ""
    player: SomePlayer = 0

    who = SEATED


class TakeCall(EventAct, frozen=True):
    """Take a call: go there."""

    call: Number


class AnswerCall(EventAct, frozen=True):
    """Settle a call, and give the table so many seconds for it."""

    call: Number
    text: Words = ""
    seconds: Annotated[
        int, Field(Kind.SECONDS, phrase("Minutes for the table (3, 1:30)"), ("--give",))
    ] = 0

    carries = CLOCK


class RaiseAppeal(EventAct, frozen=True):
    """Appeal to the head judge, against how a call was settled or a ruling; its number."""

    text: Words = ""
    call: Annotated[
        int, Field(Kind.NUMBER, phrase("Against how this call was settled"), ("--call",), least=1)
    ] = 0
    table: Annotated[
        int, Field(Kind.NUMBER, phrase("Against a ruling in the match of a table"), ("--table",))
    ] = 0
    seq: Annotated[
        int, Field(Kind.NUMBER, phrase("The entry that has the ruling"), ("--ruling",), "SEQ")
    ] = 0
    player: SomePlayer = 0

    who = SEATED


class AnswerAppeal(EventAct, frozen=True):
    """Answer an appeal, and give the table so many seconds for it (the head judge)."""

    appeal: Number
    text: Words = ""
    overturned: Annotated[
        bool, Field(Kind.YES, phrase("The ruling does not stand"), ("--overturn",))
    ] = False
    seconds: Annotated[
        int, Field(Kind.SECONDS, phrase("Minutes for the table (3, 1:30)"), ("--give",))
    ] = 0

    carries = CLOCK


class PenalisePlayer(EventAct, frozen=True):
    """Penalise a player outside his matches; the entry that has it."""

    player: Player
    kind: Name
    note: Words = ""
    round: Annotated[int, Field(Kind.NUMBER)] = 0
    infraction: Annotated[str, Field(Kind.NAME)] = ""
    game_state: Annotated[str, Field(Kind.NAME)] = ""

    carries = LOSS


class WithdrawPenalty(EventAct, frozen=True):
    """Withdraw a penalty that was a mistake."""

    entry: Number
    why: Why


class NoteAsJudge(EventAct, frozen=True):
    """Write something down for officials."""

    text: Words
    table: Annotated[int, Field(Kind.NUMBER, phrase("About a table"), ("--table",), least=1)] = 0
    player: SomePlayer = 0


class DrawDecks(EventAct, frozen=True):
    """Draw decks to be checked: so many, or as many as are missing to the share of all decks."""

    number: Annotated[int, Field(Kind.NUMBER, phrase("How many, whatever the share"), ("-n",))] = 0
    percent: Annotated[
        int, Field(Kind.NUMBER, phrase("The share of all decks (default: 10)"), ("--percent",))
    ] = 0
    cut: Annotated[
        bool, Field(Kind.YES, phrase("Of those who pass to the elimination"), ("--cut",))
    ] = False
    seed: Annotated[int, Seen] = 0


class ReportDeckCheck(EventAct, frozen=True):
    """Say how the deck of a player was: as its list (no fault), or what was wrong with it.

    With an infraction he is penalised for the fault by `kind`, as if both were done by themselves.
    """

    player: Player
    fault: Words = ""
    infraction: Annotated[str, Field(Kind.NAME)] = ""
    kind: Annotated[str, Field(Kind.NAME)] = ""

    carries = LOSS


#: All of them, by their methods.
ROWS: Mapping[str, type[EventAct]] = {one.__name__: one for one in EventAct.__subclasses__()}
