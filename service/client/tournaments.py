"""The client's calls for tournaments (see `client`), which people call events.

Each has the name of its method. A tournament and its entries come as the domain's own structures
(`wire`), so they can be folded and asked; what was done comes as the messages of the contract, with
`recorded`, the entries that it added, and `tables`, the outcome for the matches of a round.
`request_id` names a call, so that it may be repeated (one is made up).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar

from kifu.v1 import tournament_service_pb2 as pb
from kifu.v1.identity_service_pb2 import IssueTokensRequest
from kifu.v1.match_service_pb2 import TokenGrant
from msgspec import Struct
from msgspec.structs import replace

from domain.record.proof.bundle import ANCHOR
from domain.tournament.acts import rows
from domain.tournament.acts.rows import EventAct
from domain.tournament.copy import Copy, decoded
from domain.tournament.record import Deck, Entry, Format
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


P = ParamSpec("P")
R = TypeVar("R")


def _doing(
    act: Callable[P, EventAct], answer: Callable[[Any], R]
) -> Callable[Concatenate[Tournaments, str, P], R]:
    """The method that has an act carried out at an event; `answer` reads what it returns.

    It takes the event and the fields of the act.
    """

    def method(self: Tournaments, event: str, /, *args: P.args, **fields: P.kwargs) -> R:
        return answer(self.do(event, act(*args, **fields)))

    return update_wrapper(method, act, ("__doc__", "__name__"), ())  # for `help`


def _whole(_: type[R]) -> Callable[[Any], R]:
    return lambda found: found


class Tournaments(Connection):
    """Calls for tournaments: a method for each act of `domain.tournament.acts.rows`, and queries.

    `round` is the number of one, 0 that of the latest.
    """

    def do(self, event: str, act: EventAct) -> Any:
        """Have an act carried out at an event; the response of its method."""
        named = replace(act, request_id=act.request_id or uuid.uuid4().hex)
        method = getattr(self.tournaments, type(act).__name__)
        return self.call(method, wire.event_request(event, named), timeout=LONG)

    change_format = _doing(rows.ChangeFormat, _whole(pb.ChangeFormatResponse))
    name_official = _doing(rows.NameOfficial, _whole(pb.NameOfficialResponse))
    end_tournament = _doing(rows.EndTournament, _whole(pb.EndTournamentResponse))
    correct_player = _doing(rows.CorrectPlayer, _whole(pb.CorrectPlayerResponse))
    drop_player = _doing(rows.DropPlayer, _whole(pb.DropPlayerResponse))
    check_in = _doing(rows.CheckIn, _whole(pb.CheckInResponse))
    reinstate_player = _doing(rows.ReinstatePlayer, _whole(pb.ReinstatePlayerResponse))
    accept_lists = _doing(rows.AcceptLists, lambda found: [int(one) for one in found.players])
    reopen_list = _doing(rows.ReopenList, _whole(pb.ReopenListResponse))
    close_lists = _doing(rows.CloseLists, _whole(pb.CloseListsResponse))
    publish_lists = _doing(rows.PublishLists, _whole(pb.PublishListsResponse))
    draw_pods = _doing(rows.DrawPods, _whole(pb.DrawPodsResponse))
    close_pools = _doing(rows.ClosePools, _whole(pb.ClosePoolsResponse))
    pair_round = _doing(rows.PairRound, _whole(pb.PairRoundResponse))
    open_round = _doing(rows.OpenRound, _whole(pb.OpenRoundResponse))
    start_round = _doing(rows.StartRound, _whole(pb.StartRoundResponse))
    pause_clock = _doing(rows.PauseClock, _whole(pb.PauseClockResponse))
    resume_clock = _doing(rows.ResumeClock, _whole(pb.ResumeClockResponse))
    extend_clock = _doing(rows.ExtendClock, _whole(pb.ExtendClockResponse))
    call_round_time = _doing(rows.CallRoundTime, _whole(pb.CallRoundTimeResponse))
    end_round = _doing(rows.EndRound, _whole(pb.EndRoundResponse))
    report_result = _doing(rows.ReportResult, _whole(pb.ReportResultResponse))
    correct_table_result = _doing(rows.CorrectTableResult, _whole(pb.CorrectTableResultResponse))
    withdraw_result = _doing(rows.WithdrawResult, _whole(pb.WithdrawResultResponse))
    claim_result = _doing(rows.ClaimResult, _whole(pb.ClaimResultResponse))
    withdraw_claim = _doing(rows.WithdrawClaim, _whole(pb.WithdrawClaimResponse))
    raise_call = _doing(rows.RaiseCall, lambda found: int(found.call))
    take_call = _doing(rows.TakeCall, _whole(pb.TakeCallResponse))
    answer_call = _doing(rows.AnswerCall, _whole(pb.AnswerCallResponse))
    bar_player = _doing(rows.BarPlayer, _whole(pb.BarPlayerResponse))
    raise_appeal = _doing(rows.RaiseAppeal, lambda found: int(found.appeal))
    answer_appeal = _doing(rows.AnswerAppeal, _whole(pb.AnswerAppealResponse))
    penalise_player = _doing(rows.PenalisePlayer, lambda found: int(found.entry))
    withdraw_penalty = _doing(rows.WithdrawPenalty, _whole(pb.WithdrawPenaltyResponse))
    draw_decks = _doing(rows.DrawDecks, lambda found: [int(one) for one in found.players])
    report_deck_check = _doing(rows.ReportDeckCheck, _whole(pb.ReportDeckCheckResponse))
    note_as_judge = _doing(rows.NoteAsJudge, _whole(pb.NoteAsJudgeResponse))

    def enter_players(
        self, event: str, players: Iterable[str] | Mapping[str, str], request_id: str = ""
    ) -> list[int]:
        """Enter players by name, or by name and the organiser's key; their numbers, in order."""
        keys = players if isinstance(players, Mapping) else dict.fromkeys(players, "")
        act = rows.EnterPlayers([*keys.items()], request_id=request_id)
        return [*self.do(event, act).players]

    def hand_in_list(
        self, event: str, player: int, deck: DeckLike, request_id: str = ""
    ) -> list[str]:
        """Hand in a list; what is wrong with it."""
        act = rows.HandInList(player, _listed(deck), request_id=request_id)
        return [*self.do(event, act).faults]

    def register_pool(
        self, event: str, player: int, pool: DeckLike, request_id: str = ""
    ) -> pb.RegisterPoolResponse:
        """Register the pool of a player, its cards in whatever parts."""
        act = rows.RegisterPool(player, _listed(pool), request_id=request_id)
        found: pb.RegisterPoolResponse = self.do(event, act)
        return found

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

    def clock_jumped(self, event: str) -> int:
        """By how much its server's clock was set since the round was started, in milliseconds."""
        request = pb.GetTournamentRequest(event_id=event)
        return int(self.call(self.tournaments.GetTournament, request).clock_jumped)

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

    def get_standings(self, event: str) -> pb.GetStandingsResponse:
        """All players, in order."""
        request = pb.GetStandingsRequest(event_id=event)
        found: pb.GetStandingsResponse = self.call(self.tournaments.GetStandings, request)
        return found


def _listed(deck: DeckLike) -> Deck:
    given = convert.deck(deck)
    return Deck(given.name, {part.part: tuple(part.cards) for part in given.parts})


def _opened(event: str, grants: Iterable[TokenGrant]) -> OpenedTournament:
    tokens = {grant.role: grant.token for grant in grants}
    return OpenedTournament(event, tokens["official"], tokens["scorekeeper"], tokens["public"])
