"""A client of the service for Python programs: the command line, tests, an organiser's scripts.

    from kifu import connect

    with connect("127.0.0.1:7777", organiser_token) as kifu:
        opened = kifu.open_match(game, ["Ann", "Ben"], [deck, other], labels={"round": "1"})
        ann = kifu.with_token(opened.seats[0])
        decision = ann.position(opened.id).decision
        ann.choose(opened.id, decision.n, Act("pass"))

Positions, entries and offers come as the domain's own structures (`wire`), so they can be folded,
verified and asked; the rest as the messages of the contract. Every error is a `CallError`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import grpc
from kifu.v1 import identity_service_pb2, match_service_pb2
from msgspec import Struct

from domain.engine.passes.autopass import AutoPass
from domain.engine.passes.switches import Switch
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.folding.fold import fold
from domain.record.interventions import Rewound
from domain.record.points import NOW, Point
from domain.record.proof.chain import Head
from domain.record.proof.openings import Proof
from domain.record.schema.policy import Policy
from domain.record.values import Value
from service import wire
from service.client import convert
from service.client.anchors import Anchors
from service.client.connection import CallError as CallError
from service.client.convert import NO_NAMES, DeckLike, Rolls
from service.client.credentials import Credentials
from service.client.officials import Officials
from service.client.playing import CommandResult as CommandResult
from service.client.playing import Commands, Playing
from service.client.positions import Positions
from service.client.seeds import Joined, Seeds
from service.client.seen import SeenPosition
from service.client.tournaments import Tournaments

#: What may take a while is waited for so long, in seconds.
LONG = 120.0


#: The methods of the commands that a stream takes as well.
_METHODS = {
    "choose": "Choose",
    "interject": "Interject",
    "set_auto_pass": "SetAutoPass",
    "withdraw_auto_pass": "WithdrawAutoPass",
}


class Opened(Struct, frozen=True):
    """A match that was opened, and the tokens of its people; empty where there is no such token."""

    id: str
    official: str
    seats: tuple[str, ...]
    public: str
    scorekeeper: str = ""


class Client(Commands, Officials, Seeds, Positions, Anchors, Credentials, Tournaments):
    """One channel, one token; `with_token` gives another one for the same channel."""

    def open_match(
        self,
        game: str,
        seats: Sequence[str],
        decks: Sequence[DeckLike],
        *,
        best_of: int = 1,
        labels: Mapping[str, str] | None = None,
        options: Mapping[str, Value] | None = None,
        seed: int | None = None,
        mode: str = "dealer",
        policy: Policy | None = None,
        prints: Sequence[str] = (),
        rolls: Rolls = (),
        wait: bool = False,
        chance: str = "",
        edition: str = "",
        request_id: str = "",
    ) -> Opened:
        """Open a match (organisers only); `wait`: until an official has it begin.

        `edition` is that of the game's book, the newest if it is none.

        `chance`: "shared" where it is to come from seeds of the seats as well (`join`).

        `mode` is `dealer` or `table`, `policy` that of the event, `prints` cards outside the
        catalogue as JSON; `rolls` say how chance fell at a real table before the first decision.
        """
        request = match_service_pb2.OpenMatchRequest(
            game=game,
            seats=seats,
            decks=[convert.deck(deck) for deck in decks],
            best_of=best_of,
            labels=convert.labels(labels),
            options=convert.options(options),
            seed=seed,
            mode=mode,
            policy=wire.policy(policy) if policy is not None else None,
            prints=prints,
            rolls=convert.rolls(rolls),
            wait=wait,
            chance=chance,
            edition=edition,
            request_id=request_id or uuid.uuid4().hex,
        )
        response = self.call(self.matches.OpenMatch, request)
        return opened(response.match.id, response.tokens)

    def import_match(
        self, transcript: str, decks: Mapping[int, DeckLike] | None = None, request_id: str = ""
    ) -> Opened:
        """Record a match again from its transcript (organisers only); may take a while.

        `decks` are those of seats of which the text has only the name.
        """
        seats = range(max(decks or {0: ""}) + 1)
        request = match_service_pb2.ImportMatchRequest(
            transcript=transcript,
            decks=[convert.deck((decks or {}).get(seat, "")) for seat in seats],
            request_id=request_id or uuid.uuid4().hex,
        )
        response = self.call(self.matches.ImportMatch, request, timeout=LONG)
        return opened(response.match.id, response.tokens)

    def issue_tokens(self, match: str, public_delay: str | None = None) -> Opened:
        """New tokens for the people of a match (organisers only).

        The public's sees it late: "300s", "5 decisions", "game"; None: as the event's policy says.
        """
        request = identity_service_pb2.IssueTokensRequest(match_id=match, public_delay=public_delay)
        return opened(match, self.call(self.identity.IssueTokens, request).tokens)

    def send(self, kind: str, request: Any) -> Any:
        """Send a command (`choose`, `interject`, …) by a call of its own."""
        return self.call(getattr(self.matches, _METHODS[kind]), request)

    def playing(self) -> Playing:
        """A stream for many commands: a context manager with `choose` and `interject`."""
        return Playing(self.matches.Play, self._metadata, self._timeout)

    def join(self, match: str) -> Joined:
        """Take one's seat: give its part to chance in the background, if the match waits for that.

        `wait()` on what is returned waits for the match to begin.
        """
        seat = int(self.who_am_i().seat)
        return Joined(self, match, seat, lambda: self.watch(match))

    def foresee(self, match: str, ends: bool = False) -> tuple[int, list[Entry], bool]:
        """Where passes lead at a real table: the open decision, entries, whether they were cut.

        With `ends`, ends of this turn count as passes.
        """
        request = match_service_pb2.ForeseePassesRequest(match_id=match, ends=ends)
        found = self.call(self.matches.ForeseePasses, request)
        return found.decision, [wire.entry_of(entry) for entry in found.entries], found.cut

    def auto_pass(self, match: str, seat: int | None = None) -> AutoPass | None:
        """The auto-pass of one's own seat, or of the `seat` that one enters for."""
        request = match_service_pb2.GetAutoPassRequest(match_id=match, seat=seat)
        return convert.auto_pass(self.call(self.matches.GetAutoPass, request), "auto_pass")

    def switch(self, match: str, seat: int | None = None) -> Switch | None:
        """When a seat is asked, as `auto_pass`; None: always."""
        request = match_service_pb2.GetAutoPassRequest(match_id=match, seat=seat)
        return convert.switch(self.call(self.matches.GetAutoPass, request))

    def why_not(
        self,
        match: str,
        act: Act,
        seat: int | None = None,
        *,
        decision: int = 0,
        view: int | None = None,
        why: str = "",
        names: Mapping[int, str] = NO_NAMES,
        passes: int = 0,
        ends: bool = False,
    ) -> match_service_pb2.ExplainRefusalResponse:
        """Why one's seat, or the one that one enters for, may not do this now.

        About a past `decision` anybody may ask, of any seat; the answer uses only what he, or
        `view`, saw then; `why` is an official's reason to look. At a real table, if the cards
        are what `names` says, after so many `passes` (`ends`: ends of this turn among them).
        """
        request = match_service_pb2.ExplainRefusalRequest(
            match_id=match,
            act=convert.act(act),
            seat=seat,
            decision=decision,
            view=convert.view(view, why),
            names=convert.names(names),
            passes=passes,
            ends=ends,
        )
        found: match_service_pb2.ExplainRefusalResponse
        found = self.call(self.matches.ExplainRefusal, request)
        return found

    def match(self, match: str) -> match_service_pb2.Match:
        """The facts about a match without its table."""
        request = match_service_pb2.GetMatchRequest(match_id=match)
        found: match_service_pb2.Match = self.call(self.matches.GetMatch, request).match
        return found

    def list_matches(
        self,
        labels: Mapping[str, str] | None = None,
        *,
        state: str = "",
        game: str = "",
        forks: bool = False,
        event: str = "",
        progress: bool = False,
        fork_of: str = "",
    ) -> Iterator[match_service_pb2.Match]:
        """Matches, the newest first; `forks`: those as well; `event`: only those of a tournament.

        `state`: "live", "ended", "waiting" or any. `progress`: with how far each is. `fork_of`:
        only forks of a match, for its officials and organisers.
        """
        request = match_service_pb2.ListMatchesRequest(
            labels=convert.labels(labels),
            game=game,
            state=_STATES[state],
            with_forks=forks,
            event_id=event,
            with_progress=progress,
            fork_of=fork_of,
        )
        yield from self.pages(self.matches.ListMatches, request, "matches")

    def decisions(
        self,
        match: str,
        start: int = 1,
        *,
        view: int | None = None,
        offers: bool = False,
        active: bool = False,
        why: str = "",
    ) -> Iterator[match_service_pb2.DecisionRecord]:
        """The decisions of a match from number `start` on; `offers`: with the options.

        `active`: only those that no rewind undid.
        """
        request = match_service_pb2.ListDecisionsRequest(
            match_id=match,
            start=start,
            view=convert.view(view, why),
            with_offers=offers,
            active=active,
        )
        yield from self.pages(self.matches.ListDecisions, request, "decisions")

    def decision(
        self, match: str, n: int = 0, view: int | None = None, why: str = ""
    ) -> match_service_pb2.GetDecisionResponse:
        """One decision with its options; 0: the open one."""
        request = match_service_pb2.GetDecisionRequest(
            match_id=match, decision=n, view=convert.view(view, why)
        )
        found: match_service_pb2.GetDecisionResponse
        found = self.call(self.matches.GetDecision, request)
        return found

    def events(
        self,
        match: str,
        start: Point = NOW,
        end: Point = NOW,
        view: int | None = None,
        why: str = "",
    ) -> Iterator[Entry]:
        """The entries of a match, from one point to another; `why` an official looks at them."""
        request = match_service_pb2.ListEventsRequest(
            match_id=match,
            start=convert.point(start),
            end=convert.point(end),
            view=convert.view(view, why),
            page_size=1000,
        )
        yield from map(wire.entry_of, self.pages(self.matches.ListEvents, request, "entries"))

    def watch(
        self,
        match: str,
        after: int = 0,
        view: int | None = None,
        patience: float = 30.0,
        *,
        stay: bool = False,
        on_head: Callable[[Head], None] | None = None,
        why: str = "",
    ) -> Generator[Entry, None, match_service_pb2.Match | None]:
        """The entries after number `after`, and those to come, until the match ends; how it stands.

        `stay`: and on, for what officials add after the end. A client that does not stay learns of
        it by asking again for entries after its last one. A broken connection is taken up again
        where it broke, for so many seconds. `on_head` is called with the head after the entries of
        each message, once they were handed out.
        """
        ended: match_service_pb2.Match | None = None

        def request() -> match_service_pb2.WatchEventsRequest:
            return match_service_pb2.WatchEventsRequest(
                match_id=match,
                after_seq=after,
                view=convert.view(view, why),
                stay=stay,
                with_heads=on_head is not None,
            )

        for message in self.lasting(self.matches.WatchEvents, request, patience):
            for found in message.entries:
                yield wire.entry_of(found)
                after = found.seq
            if on_head is not None and message.HasField("head"):
                on_head(wire.head_of(message.head))
            if message.HasField("ended"):
                ended = message.ended
        return ended

    def head(self, match: str, seq: int = 0) -> Head | None:
        """The head of a match after an entry, 0: its last one; None if it is not chained."""
        if not seq:
            found = self.match(match)
            return wire.head_of(found.head) if found.HasField("head") else None
        try:
            return self.proof(match, seq, seq).before
        except CallError as error:
            if error.reason in ("RECORD_UNCHAINED", "CHAIN_BROKEN"):
                return None
            raise

    def proof(
        self, match: str, after: int = 0, until: int = 0, view: int | None = None, why: str = ""
    ) -> Proof:
        """The proof of the entries after a number, up to another (0: the end), for the caller."""
        shown, before, done = list[bytes](), None, after
        while True:
            request = match_service_pb2.GetProofRequest(
                match_id=match, after_seq=done, until_seq=until, view=convert.view(view, why)
            )
            found = self.call(self.matches.GetProof, request, timeout=LONG)
            before = before or wire.head_of(found.before)
            shown += found.openings
            done, until = found.head.seq, found.last_seq  # what is added meanwhile is not asked for
            if done >= until:
                return Proof(match, before, tuple(shown), wire.head_of(found.head), found.layout)

    def follow(
        self, match: str, view: int | None = None, *, stay: bool = False
    ) -> Iterator[tuple[Entry, SeenPosition]]:
        """The entries from now on, each with the position after it, until the match ends.

        `stay` as in `watch`. A rewind is followed: the position after it is the one that the game
        went back to. It is the same object each time, changed, but for a rewind.
        """
        pos = self.position(match, view=view)
        for entry in self.watch(match, pos.seq, view, stay=stay):
            if isinstance(entry.event, Rewound):
                pos = self.position(match, Point(seq=entry.seq), view)
            else:
                fold(pos, entry)
            yield entry, pos

    def verify(self, match: str) -> match_service_pb2.VerifyMatchResponse:
        """Have a match's record verified; may take a while."""
        request = match_service_pb2.VerifyMatchRequest(match_id=match)
        found: match_service_pb2.VerifyMatchResponse
        found = self.call(self.matches.VerifyMatch, request, timeout=LONG)
        return found


def connect(
    target: str,
    token: str = "",
    *,
    tls_root: Path | None = None,
    tls: bool = False,
    language: str = "",
) -> Client:
    """A client of the service at `host:port`; `tls_root` is a certificate to trust.

    Texts for people are in `language`, if the service has it, else in English.
    """
    options = [
        ("grpc.max_receive_message_length", 64 * 1024 * 1024),
        # A restarted service is found again soon. The *least* backoff is left alone: it is also how
        # long a server may take to answer a connection, which far or busy ones need.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1000),
        ("grpc.use_local_subchannel_pool", 1),
        # A server that is gone without a word is found out while something is waited for. Servers
        # take a ping every 20 seconds (`service.server`).
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
    ]
    if not tls and tls_root is None:
        return Client(grpc.insecure_channel(target, options), token, language=language)
    root = tls_root.read_bytes() if tls_root is not None else None
    channel = grpc.secure_channel(target, grpc.ssl_channel_credentials(root), options)
    return Client(channel, token, language=language)


def opened(match: str, tokens: Sequence[match_service_pb2.TokenGrant]) -> Opened:
    """The tokens of a match's people, by what they are for."""
    by_role = {grant.role: grant.token for grant in tokens}
    seats = sorted((grant.seat, grant.token) for grant in tokens if grant.role == "seat")
    one = {role: by_role.get(role, "") for role in ("official", "public", "scorekeeper")}
    return Opened(match, seats=tuple(token for _, token in seats), **one)


_STATES = {
    "": match_service_pb2.MATCH_STATE_UNSPECIFIED,
    "live": match_service_pb2.MATCH_STATE_LIVE,
    "ended": match_service_pb2.MATCH_STATE_ENDED,
    "waiting": match_service_pb2.MATCH_STATE_WAITING,
}
