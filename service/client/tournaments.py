"""The client's calls for tournaments (see `client`), which people call events.

Each has the name of its method. A tournament and its entries come as the domain's own structures
(`wire`), so they can be folded and asked; what was done comes as the messages of the contract, with
`recorded`, the entries that it added, and `tables`, the outcome for the matches of a round.
`request_id` names a call, so that it may be repeated (one is made up).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kifu.v1 import tournament_service_pb2 as pb
from kifu.v1.identity_service_pb2 import IssueTokensRequest
from kifu.v1.match_service_pb2 import TokenGrant
from msgspec import Struct

from domain.record.proof.bundle import ANCHOR
from domain.tournament.copy import Copy, decoded
from domain.tournament.record import Entry, Format, Outcome, Table
from domain.tournament.state import State
from service import wire
from service.client import convert
from service.client.connection import Connection
from service.client.convert import DeckLike

#: What concerns all the matches of a round may take so long, in seconds.
LONG = 120.0


class OpenedTournament(Struct, frozen=True):
    """A tournament that was opened, and the tokens of its people, for all its matches as well."""

    id: str
    official: str
    scorekeeper: str
    public: str


class Tournaments(Connection):
    """Calls for tournaments. `number` is a round's, 0 that of the latest."""

    def _do(self, method: str, event: str, request_id: str, **fields: Any) -> Any:
        """Call a method whose request has these fields."""
        name = request_id or uuid.uuid4().hex
        request = getattr(pb, f"{method}Request")(event_id=event, request_id=name, **fields)
        return self.call(getattr(self.tournaments, method), request, timeout=LONG)

    # -- the tournament --------------------------------------------------------------------------

    def open_tournament(self, name: str, format_: Format, request_id: str = "") -> OpenedTournament:
        """Open a tournament (organisers only)."""
        request = pb.OpenTournamentRequest(
            name=name, format=wire.format_(format_), request_id=request_id or uuid.uuid4().hex
        )
        response = self.call(self.tournaments.OpenTournament, request)
        return _opened(response.event_id, response.tokens)

    def issue_event_tokens(self, event: str, public_delay: str | None = None) -> OpenedTournament:
        """New tokens for the people of a tournament (organisers only)."""
        request = IssueTokensRequest(event_id=event, public_delay=public_delay)
        return _opened(event, self.call(self.identity.IssueTokens, request).tokens)

    def get_tournament(self, event: str, *, with_lists: bool = False) -> State:
        """A tournament as it stands; `with_lists`: with the cards that one may read."""
        return self.get_tournament_and_time(event, with_lists=with_lists)[0]

    def get_tournament_and_time(self, event: str, *, with_lists: bool = False) -> tuple[State, int]:
        """The same, with what the service's clock shows (milliseconds since 1970)."""
        request = pb.GetTournamentRequest(event_id=event, with_lists=with_lists)
        response = self.call(self.tournaments.GetTournament, request)
        return wire.tournament_of(response.event), response.now

    def differing(self, event: str) -> list[pb.TableDiffers]:
        """The tables of a tournament whose results are not what their matches say."""
        request = pb.GetTournamentRequest(event_id=event, with_differing=True)
        return [*self.call(self.tournaments.GetTournament, request).differing]

    def tournament_proof(self, event: str, *, public: bool = False) -> Copy:
        """The record of a tournament with what proves it; `public`: what anybody may be given."""
        entries, opens, until = list[Entry](), list[bytes](), 0
        while True:
            request = pb.GetTournamentProofRequest(
                event_id=event, after_seq=len(entries), until_seq=until, public=public
            )
            found = self.call(self.tournaments.GetTournamentProof, request, timeout=LONG)
            entries += map(decoded, found.entries)
            opens += found.openings
            until = found.head.seq
            if len(entries) >= until:
                along = {ANCHOR: found.anchor} if found.anchor else {}
                head = wire.head_of(found.head)
                return Copy(event, entries, head, opens, found.viewer, along)

    def list_tournaments(self) -> Iterator[pb.TournamentSummary]:
        """All tournaments that one may see, the newest first."""
        request = pb.ListTournamentsRequest(page_size=200)
        return self.pages(self.tournaments.ListTournaments, request, "events")

    def list_tournament_entries(self, event: str, after: int = 0) -> list[Entry]:
        """The record of a tournament, from after an entry on."""
        request = pb.ListTournamentEntriesRequest(event_id=event, after=after, page_size=1000)
        found = self.pages(self.tournaments.ListTournamentEntries, request, "entries")
        return [*map(wire.tournament_entry_of, found)]

    def watch_tournament(self, event: str, after: int = 0) -> Iterator[Entry]:
        """The same, and what is added, for as long as it is read."""
        request = pb.WatchTournamentRequest(event_id=event, after=after)
        for response in self.stream(self.tournaments.WatchTournament, request):
            yield from map(wire.tournament_entry_of, response.entries)

    def change_format(
        self, event: str, name: str, format_: Format, why: str, request_id: str = ""
    ) -> pb.ChangeFormatResponse:
        """Change the name or the format, for rounds that are still to be opened."""
        fields = {"name": name, "format": wire.format_(format_), "why": why}
        found: pb.ChangeFormatResponse = self._do("ChangeFormat", event, request_id, **fields)
        return found

    def name_official(
        self, event: str, name: str, role: str, request_id: str = ""
    ) -> pb.NameOfficialResponse:
        """Say that somebody is an official, or (role empty) no longer (organisers only)."""
        found: pb.NameOfficialResponse = self._do(
            "NameOfficial", event, request_id, name=name, role=role
        )
        return found

    def end_tournament(
        self, event: str, *, preview: bool = False, request_id: str = ""
    ) -> pb.EndTournamentResponse:
        """End a tournament, or say what is in the way."""
        found: pb.EndTournamentResponse = self._do(
            "EndTournament", event, request_id, preview=preview
        )
        return found

    # -- players and lists -----------------------------------------------------------------------

    def enter_players(
        self,
        event: str,
        players: Iterable[str] | Mapping[str, str],
        request_id: str = "",
    ) -> list[int]:
        """Enter players by name, or by name and the organiser's key; their numbers, in order."""
        keys = players if isinstance(players, Mapping) else dict.fromkeys(players, "")
        people = [pb.NewPlayer(name=name, key=key) for name, key in keys.items()]
        return [*self._do("EnterPlayers", event, request_id, players=people).players]

    def correct_player(
        self, event: str, player: int, name: str, key: str = "", request_id: str = ""
    ) -> pb.CorrectPlayerResponse:
        """Call a player something else."""
        found: pb.CorrectPlayerResponse = self._do(
            "CorrectPlayer", event, request_id, player=player, name=name, key=key
        )
        return found

    def drop_player(
        self, event: str, player: int, why: str = "", request_id: str = ""
    ) -> pb.DropPlayerResponse:
        """Have a player play no further rounds."""
        found: pb.DropPlayerResponse = self._do(
            "DropPlayer", event, request_id, player=player, why=why
        )
        return found

    def reinstate_player(
        self, event: str, player: int, why: str = "", request_id: str = ""
    ) -> pb.ReinstatePlayerResponse:
        """Have a player who had dropped play on."""
        found: pb.ReinstatePlayerResponse = self._do(
            "ReinstatePlayer", event, request_id, player=player, why=why
        )
        return found

    def hand_in_list(
        self, event: str, player: int, deck: DeckLike, request_id: str = ""
    ) -> list[str]:
        """Hand in a list; what is wrong with it."""
        fields = {"player": player, "deck": convert.deck(deck)}
        return [*self._do("HandInList", event, request_id, **fields).faults]

    def accept_lists(
        self, event: str, players: Sequence[int] = (), request_id: str = ""
    ) -> list[int]:
        """Accept lists (none named: all without a fault); whose were accepted."""
        return [*self._do("AcceptLists", event, request_id, players=players).players]

    def reopen_list(
        self, event: str, player: int, why: str, request_id: str = ""
    ) -> pb.ReopenListResponse:
        """Let a list that was accepted be handed in anew."""
        found: pb.ReopenListResponse = self._do(
            "ReopenList", event, request_id, player=player, why=why
        )
        return found

    def publish_lists(self, event: str, request_id: str = "") -> pb.PublishListsResponse:
        """Let everybody read the lists that are accepted."""
        found: pb.PublishListsResponse = self._do("PublishLists", event, request_id)
        return found

    # -- rounds ----------------------------------------------------------------------------------

    def pair_round(
        self,
        event: str,
        tables: Sequence[Table] = (),
        by: str = "",
        seed: int = 0,
        request_id: str = "",
    ) -> pb.PairRoundResponse:
        """Say who plays whom in the next round; without tables the service pairs it."""
        pairings = [*map(wire.pairing, tables)]
        found: pb.PairRoundResponse = self._do(
            "PairRound", event, request_id, tables=pairings, by=by, seed=seed
        )
        return found

    def open_round(self, event: str, number: int = 0, request_id: str = "") -> pb.OpenRoundResponse:
        """Open a round and its matches, or what is missing of them."""
        found: pb.OpenRoundResponse = self._do("OpenRound", event, request_id, round=number)
        return found

    def start_round(
        self, event: str, number: int = 0, request_id: str = ""
    ) -> pb.StartRoundResponse:
        """Start a round that is open."""
        found: pb.StartRoundResponse = self._do("StartRound", event, request_id, round=number)
        return found

    def pause_clock(
        self,
        event: str,
        tables: Sequence[int] = (),
        why: str = "",
        *,
        number: int = 0,
        request_id: str = "",
    ) -> pb.PauseClockResponse:
        """Let the clocks of these tables (none named: of all) stand still."""
        found: pb.PauseClockResponse = self._do(
            "PauseClock", event, request_id, round=number, tables=tables, why=why
        )
        return found

    def resume_clock(
        self, event: str, tables: Sequence[int] = (), *, number: int = 0, request_id: str = ""
    ) -> pb.ResumeClockResponse:
        """Let clocks go on."""
        found: pb.ResumeClockResponse = self._do(
            "ResumeClock", event, request_id, round=number, tables=tables
        )
        return found

    def extend_clock(
        self,
        event: str,
        seconds: int,
        tables: Sequence[int] = (),
        why: str = "",
        *,
        number: int = 0,
        request_id: str = "",
    ) -> pb.ExtendClockResponse:
        """Give tables more time, or take some."""
        found: pb.ExtendClockResponse = self._do(
            "ExtendClock", event, request_id, round=number, seconds=seconds, tables=tables, why=why
        )
        return found

    def call_round_time(
        self, event: str, tables: Sequence[int] = (), *, number: int = 0, request_id: str = ""
    ) -> pb.CallRoundTimeResponse:
        """Call time for tables that are not done."""
        found: pb.CallRoundTimeResponse = self._do(
            "CallRoundTime", event, request_id, round=number, tables=tables
        )
        return found

    def end_round(
        self, event: str, number: int = 0, *, preview: bool = False, request_id: str = ""
    ) -> pb.EndRoundResponse:
        """End a round, or say what is in the way."""
        found: pb.EndRoundResponse = self._do(
            "EndRound", event, request_id, round=number, preview=preview
        )
        return found

    # -- results ---------------------------------------------------------------------------------

    def report_result(
        self, event: str, table: int, outcome: Outcome, *, number: int = 0, request_id: str = ""
    ) -> pb.ReportResultResponse:
        """Report the result of a table that has none."""
        found: pb.ReportResultResponse = self._do(
            "ReportResult", event, request_id, round=number, table=table,
            outcome=wire.outcome(outcome),
        )  # fmt: skip
        return found

    def correct_table_result(
        self,
        event: str,
        table: int,
        outcome: Outcome,
        why: str,
        *,
        number: int = 0,
        request_id: str = "",
    ) -> pb.CorrectTableResultResponse:
        """Say that something else came of a table."""
        found: pb.CorrectTableResultResponse = self._do(
            "CorrectTableResult", event, request_id, round=number, table=table, why=why,
            outcome=wire.outcome(outcome),
        )  # fmt: skip
        return found

    def withdraw_result(
        self, event: str, table: int, why: str, *, number: int = 0, request_id: str = ""
    ) -> pb.WithdrawResultResponse:
        """Say that a table has no result after all."""
        found: pb.WithdrawResultResponse = self._do(
            "WithdrawResult", event, request_id, round=number, table=table, why=why
        )
        return found

    def get_standings(self, event: str) -> pb.GetStandingsResponse:
        """All players, in order."""
        request = pb.GetStandingsRequest(event_id=event)
        found: pb.GetStandingsResponse = self.call(self.tournaments.GetStandings, request)
        return found

    # -- officials -------------------------------------------------------------------------------

    def raise_call(
        self, event: str, table: int, text: str = "", *, player: int = 0, request_id: str = ""
    ) -> int:
        """Call a judge to a table; the number of the call."""
        fields = {"table": table, "text": text, "player": player}
        return int(self._do("RaiseCall", event, request_id, **fields).call)

    def take_call(self, event: str, call: int, request_id: str = "") -> pb.TakeCallResponse:
        """Say that one goes there."""
        found: pb.TakeCallResponse = self._do("TakeCall", event, request_id, call=call)
        return found

    def answer_call(
        self, event: str, call: int, text: str = "", seconds: int = 0, request_id: str = ""
    ) -> pb.AnswerCallResponse:
        """Settle a call, and give the table so many seconds for it."""
        found: pb.AnswerCallResponse = self._do(
            "AnswerCall", event, request_id, call=call, text=text, seconds=seconds
        )
        return found

    def penalise_player(
        self,
        event: str,
        player: int,
        kind: str,
        note: str,
        *,
        number: int = 0,
        request_id: str = "",
    ) -> int:
        """Penalise a player beside his matches; the entry that has it."""
        fields = {"player": player, "kind": kind, "note": note, "round": number}
        return int(self._do("PenalisePlayer", event, request_id, **fields).entry)

    def withdraw_penalty(
        self, event: str, entry: int, why: str, request_id: str = ""
    ) -> pb.WithdrawPenaltyResponse:
        """Say that a penalty was a mistake."""
        found: pb.WithdrawPenaltyResponse = self._do(
            "WithdrawPenalty", event, request_id, entry=entry, why=why
        )
        return found

    def note_as_judge(
        self, event: str, text: str, *, table: int = 0, player: int = 0, request_id: str = ""
    ) -> pb.NoteAsJudgeResponse:
        """Write something down for officials."""
        found: pb.NoteAsJudgeResponse = self._do(
            "NoteAsJudge", event, request_id, text=text, table=table, player=player
        )
        return found


def _opened(event: str, grants: Iterable[TokenGrant]) -> OpenedTournament:
    tokens = {grant.role: grant.token for grant in grants}
    return OpenedTournament(event, tokens["official"], tokens["scorekeeper"], tokens["public"])
