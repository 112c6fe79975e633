"""The servicer of matches: commands. Queries are in `reading`, streams in `watching`.

It checks the request and the sender's rights and hands the command to `live`. What may
be given of a seed for chance, and when, is for `domain.engine.opening.seeding`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from grpc import StatusCode
from kifu.v1 import match_service_pb2 as pb

from domain.engine.match import Deck, Match
from domain.engine.naming import NOTHING, Inputs
from domain.engine.opening import seeding
from domain.engine.passes import implying
from domain.engine.passes.autopass import AutoPass
from domain.engine.rulebook import Rulebook
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import Decision
from domain.record.views import AUTO, OFFICIAL, redact
from domain.text.transcript.read import read
from domain.words.phrases import phrase
from service import identity, wire
from service.api.answers import explained
from service.api.calls.errors import Fault, forbidden, malformed, organisers_only
from service.api.calls.pages import Pages
from service.api.calls.repeats import Repeated, Repeats
from service.api.calls.requests import (
    ASKS,
    CARDS,
    act_of,
    auto_pass_of,
    few,
    imported,
    lists_of,
    opening_of,
    short,
    switch_of,
    ticket_of,
)
from service.api.calls.tickets import Ticket
from service.api.reading import LABELS, own
from service.api.summaries import summary
from service.api.watching.streams import Watching
from service.credentials.issuing import Tokens
from service.identity import LETTERS, Identity, Role
from service.live.matches import Command, Matches
from service.live.pacing import Held, hold_back
from service.store.derived import listing
from service.store.derived.listing import Listed
from service.store.records import Conflict
from service.telemetry.logs import log_event

#: How long match ids are.
_ID = 5


class MatchServicer(Watching):
    """Answers `kifu.v1.MatchService`: its commands, and what `Watching` answers."""

    def __init__(self, matches: Matches, tokens: Tokens, marks: Pages) -> None:
        super().__init__(matches, marks)
        self._tokens = tokens
        self._repeats = Repeats(self._history)
        matches.memory.on_reload.append(self._repeats.forget)

    # -- commands --------------------------------------------------------------------------------

    async def open_match(self, request: pb.OpenMatchRequest, who: Identity) -> pb.OpenMatchResponse:
        organisers_only(who)
        rules = self._matches.chosen(request.game, request.edition)
        game = rules.manifest.game
        opening = opening_of(request, rules, self._matches.clock())
        seed = request.seed if request.HasField("seed") else None
        ticket = ticket_of(request)

        async def save(match: str) -> None:
            await self._matches.open(match, game, opening, seed)
            log_event(logging.INFO, "match opened", match=match, game=game)

        return pb.OpenMatchResponse(**await self.save_new(who, ticket.name, ticket, save))

    async def import_match(
        self, request: pb.ImportMatchRequest, who: Identity
    ) -> pb.ImportMatchResponse:
        organisers_only(who)
        text, ticket = request.transcript, ticket_of(request)
        if not text:
            raise malformed("transcript", "must be there")

        def lists(rules: Rulebook) -> dict[int, Deck]:
            return lists_of(request.decks, rules)

        books = self._matches.rulebooks
        named = str(ticket)
        entries = await self._matches.lanes.run_alone(read, text, books.__getitem__, lists, named)
        opened = entries[0].event
        assert isinstance(opened, ev.MatchOpened)
        imported(opened)

        async def save(match: str) -> None:
            await self._matches.save(match, opened.game, entries)
            log_event(logging.INFO, "match imported", match=match, game=opened.game)

        return pb.ImportMatchResponse(**await self.save_new(who, ticket.name, ticket, save))

    async def save_new(
        self, who: Identity, name: str, ticket: Ticket, save: Callable[[str], Awaitable[None]]
    ) -> dict[str, Any]:
        """Save a match under a new id; the match, and the tokens of its people.

        The id follows from the `name` of the command, so that a repeat of it finds the match. Who
        may do this opens all the matches of a round at once, and is not refused for that.
        """
        in_thread = partial(self._in_thread, unlimited=True)
        for attempt in range(8):
            match = new_id(who, name, attempt)
            try:
                await save(match)
            except Conflict:
                if not await in_thread(self._repeats.opened, match, ticket):
                    continue  # an id that happened to be taken
            listed = await in_thread(listing.find, self._records, match)
            tokens = await self.grants(listed, by=who.subject)
            match_message = await in_thread(summary, self._history, listed)
            await self.add_head(match_message)
            return {"match": match_message, "tokens": tokens}
        raise Fault(StatusCode.UNAVAILABLE, "NO_FREE_ID", "No free match id was found; try again.")

    async def choose(self, request: pb.ChooseRequest, who: Identity) -> pb.ChooseResponse:
        seat, match = _seat(who, request), request.match_id
        act, ticket, n = act_of(request), ticket_of(request), request.decision
        inputs, origin = inputs_of(request, who), "implied" if request.implied else "seat"
        passes, ends = passes_of(request, who), request.ends

        def command(m: Match, now: int) -> None:
            _may_enter(who, m)
            hold_back(m, seat, n, act, now)
            implying.after_passes(
                m, passes, n, now, inputs,
                lambda n: m.choose(seat, n, act, now, str(ticket), origin, inputs), ends,
            )  # fmt: skip

        long = act.kind == "declare" or bool(passes or inputs.names)  # each is another try
        entries = await self._run_command(match, seat, ticket, command, long)
        entries = entries[_implied(entries) :]
        outcome = await self._outcome(match, entries, who, request)
        return pb.ChooseResponse(**outcome)

    async def interject(self, request: pb.InterjectRequest, who: Identity) -> pb.InterjectResponse:
        seat, match = _seat(who, request), request.match_id
        act, ticket, inputs = act_of(request), ticket_of(request), inputs_of(request, who)
        picks = act.picks[0] if act.picks else ()

        def command(m: Match, now: int) -> None:
            _may_enter(who, m)
            m.interject(seat, act.kind, now, act.card, picks, str(ticket), inputs)

        entries = await self._run_command(match, seat, ticket, command, bool(inputs.names))
        return pb.InterjectResponse(**await self._outcome(match, entries, who, request))

    async def foresee_passes(
        self, request: pb.ForeseePassesRequest, who: Identity
    ) -> pb.ForeseePassesResponse:
        own(who, request.match_id)
        if who.viewer != OFFICIAL:
            raise forbidden("a scorekeeper or an official")
        await self.looks.record(who, request, OFFICIAL)
        n, found = await self._matches.foresee(request.match_id, request.ends)
        entries = [wire.entry_or_unreadable(entry) for entry in found.entries]
        return pb.ForeseePassesResponse(decision=n, entries=entries, cut=found.cut)

    async def set_auto_pass(
        self, request: pb.SetAutoPassRequest, who: Identity
    ) -> pb.SetAutoPassResponse:
        if request.HasField("pass_switch"):
            return await self._set_switch(request, who)
        seat, match = _seat(who, request), request.match_id
        left, ticket, n = auto_pass_of(request), ticket_of(request), request.decision
        inputs, kept = inputs_of(request, who), list[AutoPass | None]()

        def command(m: Match, now: int) -> None:
            _may_enter(who, m)
            m.set_auto_pass(seat, n, left, now, str(ticket), inputs)
            kept.append(m.auto_passes.get(seat))

        entries = await self._run_command(match, seat, ticket, command, True)
        found = kept[-1] if kept else await self._left(match, seat)  # as it was saved at last
        outcome = await self._outcome(match, entries, who, request)
        return pb.SetAutoPassResponse(auto_pass=_auto_pass(found), **outcome)

    async def _set_switch(
        self, request: pb.SetAutoPassRequest, who: Identity
    ) -> pb.SetAutoPassResponse:
        seat, switch, kept = _seat(who, request), switch_of(request), list[AutoPass | None]()

        def command(m: Match, now: int) -> None:
            _may_enter(who, m)
            m.set_switch(seat, switch)
            kept.append(m.auto_passes.get(seat))

        await self._matches.command(request.match_id, command)
        left = kept[-1]
        return pb.SetAutoPassResponse(auto_pass=_auto_pass(left), pass_switch=_switch(left))

    async def withdraw_auto_pass(
        self, request: pb.WithdrawAutoPassRequest, who: Identity
    ) -> pb.WithdrawAutoPassResponse:
        seat, gone = _seat(who, request), list[AutoPass | None]()

        def command(m: Match, now: int) -> None:
            _may_enter(who, m)
            gone.append(m.auto_passes.get(seat))
            m.withdraw_auto_pass(seat)

        await self._matches.command(request.match_id, command)
        return pb.WithdrawAutoPassResponse(withdrawn=_auto_pass(gone[-1]))

    async def get_auto_pass(
        self, request: pb.GetAutoPassRequest, who: Identity
    ) -> pb.GetAutoPassResponse:
        found = await self._left(request.match_id, _seat(who, request))
        return pb.GetAutoPassResponse(auto_pass=_auto_pass(found), pass_switch=_switch(found))

    async def _left(self, match: str, seat: int) -> AutoPass | None:
        found: AutoPass | None = await self._matches.query(match, lambda m: m.auto_passes.get(seat))
        return found

    async def _outcome(
        self, match: str, entries: Sequence[Entry], who: Identity, request: Any
    ) -> dict[str, Any]:
        """A command's answer, with the head after what it added."""
        found = _outcome(entries, who.viewer, request.with_offers)
        if entries:
            head = await self._matches.heads.at(match, entries[-1].seq)
            found["head"] = wire.head(head) if head is not None else None
        return found

    async def play(self, request: pb.PlayRequest, who: Identity) -> pb.PlayResponse:
        """One command of a stream (`commands`)."""
        kind = request.WhichOneof("command")
        if kind is None:
            raise malformed("command", "is missing")
        answer = await getattr(self, kind)(getattr(request, kind), who)
        return pb.PlayResponse(id=request.id, **{kind: answer})

    async def commit_seed(
        self, request: pb.CommitSeedRequest, who: Identity
    ) -> pb.CommitSeedResponse:
        seat = _own_seat(who, request.match_id)

        def command(m: Match, now: int) -> None:
            seeding.commit(m, seat, request.commitment, now)

        entries = await self._matches.command(request.match_id, command)
        return pb.CommitSeedResponse(seq=_first(entries))

    async def give_seed(self, request: pb.GiveSeedRequest, who: Identity) -> pb.GiveSeedResponse:
        seat = _own_seat(who, request.match_id)

        def command(m: Match, now: int) -> None:
            seeding.give(m, seat, request.seed, now)

        entries = await self._matches.command(request.match_id, command, in_thread=True)
        return pb.GiveSeedResponse(seq=_first(entries))

    async def _run_command(
        self, match: str, seat: int, ticket: Ticket, command: Command, long: bool
    ) -> Sequence[Entry]:
        """Carry out a seat's command; the entries that it added, now or when it was sent first.

        `long`: it may take long, as many answers are given in it or much is tried.
        """
        before = self._repeats.before(match, seat, ticket)
        while True:
            try:
                return await self._matches.command(match, command, before, in_thread=long)
            except Repeated as repeated:
                return repeated.entries
            except Held as held:
                await asyncio.sleep(held.seconds)

    async def explain_refusal(
        self, request: pb.ExplainRefusalRequest, who: Identity
    ) -> pb.ExplainRefusalResponse:
        act, clock = act_of(request), self._matches.clock
        if request.decision:
            return await self.explain_past(
                request, who, _asked_about(who, request), act, names_of(request)
            )
        seat = _seat(who, request)
        passes = passes_of(request, who)
        if who.viewer == OFFICIAL:
            return await self._tried(request, who, seat, passes)
        refusal = await self._matches.query(
            request.match_id,
            lambda m: m.why_not(seat, act, clock() - m.pos.heading.at),
            in_thread=True,
        )
        return explained(refusal)

    async def _tried(
        self, request: pb.ExplainRefusalRequest, who: Identity, seat: int, passes: int
    ) -> pb.ExplainRefusalResponse:
        """The result of trying an act with its names, after implied passes.

        It is asked with every line that is typed at a real table, and reveals no more than its
        sender has typed.
        """
        ends, clock = request.ends, self._matches.clock
        act, inputs = act_of(request), inputs_of(request, who)

        def ask(m: Match) -> implying.Trial:
            now = clock() - m.pos.heading.at
            if m.pos.heading.mode == "table" and not m.is_open_act(seat, act.kind):
                return implying.trial(m, passes, ends, seat, act, now, inputs)
            return implying.Trial(m.why_not(seat, act, now), None)

        found = await self._matches.resumed(request.match_id, ask)
        message = explained(found.refusal)
        if found.offer is not None:
            message.offer.CopyFrom(wire.offer(found.offer))
        return message

    async def grants(
        self, listed: Listed, public_delay: str | None = None, *, by: str
    ) -> list[pb.TokenGrant]:
        """New tokens for the people of a match, issued by somebody.

        Those of the public have the given delay, or that of the event's policy.
        """
        heading = listed.heading
        late = heading.policy.delay if public_delay is None else public_delay
        people = identity.of_match(
            listed.id,
            len(heading.seats),
            table=heading.mode == "table",
            fork=heading.origin is not None,
            delay=late,
        )
        return [granted(token, who) for token, who in await self._tokens.issue(people, by)]


# -- who may do what -----------------------------------------------------------------------------


def _seat(who: Identity, request: Any) -> int:
    """Whose act it is: the seat's whose token this is, or the one that somebody enters for."""
    own(who, request.match_id)
    if who.role == Role.SEAT:
        if request.HasField("seat") and request.seat != who.seat:
            raise forbidden("the seat itself")
        return who.seat
    if who.role == Role.PUBLIC or not request.HasField("seat"):
        raise forbidden("a seat of the match, or a scorekeeper who enters for one")
    return int(request.seat)


def _own_seat(who: Identity, match: str) -> int:
    """The seat whose token this is, of a match."""
    own(who, match)
    if who.role != Role.SEAT:
        raise forbidden("a seat of the match")
    return who.seat


def _asked_about(who: Identity, request: Any) -> int:
    """Whose acts a question about a past decision is about: those of a seat, or of one's own."""
    own(who, request.match_id)
    if not request.HasField("seat") and who.role != Role.SEAT:
        raise malformed("seat", "must be named")
    return int(request.seat) if request.HasField("seat") else who.seat


def passes_of(request: Any, who: Identity) -> int:
    """How many decisions are let pass before an act, of whichever seat."""
    passes: int = request.passes
    if passes and who.role == Role.SEAT:
        raise forbidden("a scorekeeper or an official")
    if not 0 <= passes <= implying.MOST:
        raise malformed("passes", phrase("must be at most {most}", most=implying.MOST))
    return passes


def _may_enter(who: Identity, m: Match) -> None:
    """A dealt match is played by its seats, a real one entered, a fork played on by officials."""
    heading = m.pos.heading
    entered = heading.mode == "table" or bool(heading.fork)
    if entered == (who.role == Role.SEAT):
        raise forbidden("a scorekeeper or an official" if entered else "a seat of the match")
    if heading.fork and who.role == Role.SCOREKEEPER:
        raise forbidden("an official")


def rolls_of(request: Any) -> tuple[tuple[int, ...], ...]:
    """The rolls of a request that enters a real table."""
    if len(request.rolls) > LABELS:
        raise malformed("rolls", phrase("must be at most {labels}", labels=LABELS))
    return tuple(tuple(roll.outcome[:CARDS]) for roll in request.rolls)


def names_of(request: Any) -> dict[int, str]:
    """The cards that a request names, by their numbers."""
    few(request, "names", CARDS)
    return {one.number: short(one.card, "names") for one in request.names}


def inputs_of(request: Any, who: Identity) -> Inputs:
    """The names and rolls of a request that enters a real table."""
    names = names_of(request)
    rolls = rolls_of(request) if hasattr(request, "rolls") else ()
    if who.role == Role.SEAT and not names and not rolls:
        return NOTHING
    return Inputs(names, rolls, who.subject)


# -- requests ------------------------------------------------------------------------------------


def new_id(who: Identity, ticket: str, attempt: int, letters: int = _ID) -> str:
    """A new id; always the same for the same request of the same sender."""
    if not ticket:
        return "".join(secrets.choice(LETTERS) for _ in range(letters))
    number = int.from_bytes(sha256(f"{who.subject}\n{attempt}\n{ticket}".encode()).digest()[:8])
    found = ""
    for _ in range(letters):
        number, at = divmod(number, len(LETTERS))
        found += LETTERS[at]
    return found


# -- answers -------------------------------------------------------------------------------------


def granted(token: str, who: Identity) -> pb.TokenGrant:
    """A token, and what it is for."""
    found = pb.TokenGrant(role=who.role, token=token, delay=who.delay)
    found.expire_time.FromSeconds(who.expires)
    if who.seat >= 0:
        found.seat = who.seat
    return found


def _auto_pass(left: AutoPass | None) -> pb.AutoPass | None:
    """An auto-pass as a message."""
    if left is None or left.ended:
        return None
    return pb.AutoPass(until_turn_ends=left.turn, until_rival_acts=left.rival, steps=left.steps)


def _switch(left: AutoPass | None) -> pb.PassSwitch | None:
    """The switch of a seat as a message; its secret stays here."""
    switch = left.switch if left is not None else None
    if switch is None:
        return None
    asks: Any = ASKS.index(switch.asks)
    return pb.PassSwitch(asks=asks, marked=switch.marked, since=switch.since)


def _first(entries: Sequence[Entry]) -> int:
    return entries[0].seq if entries else 0


def _implied(entries: Sequence[Entry]) -> int:
    """How many entries come before an answer: those of the passes that it implies."""
    last = 0
    for at, entry in enumerate(entries):
        if type(entry.event) is ev.DecisionMade and entry.event.origin != AUTO:
            last = at
    return last


def _outcome(entries: Sequence[Entry], viewer: int, with_offers: bool) -> dict[str, Any]:
    """A command's answer, from the entries that it added, as its sender sees them."""
    if not entries:
        return {}
    found: dict[str, Any] = {"first_seq": entries[0].seq, "last_seq": entries[-1].seq}
    decision: Decision | None = None
    for entry in entries:
        event = entry.event
        if type(event) is ev.DecisionOpened:
            decision = Decision(
                event.n, list(event.seats), event.kind, event.about, entry.seq, entry.time, {}
            )
        elif type(event) is ev.OptionsOffered and decision is not None and with_offers:
            offer = redact(entry, viewer).event.offer  # type: ignore[union-attr]
            decision.offers[event.seat], decision.audience = offer.value, offer.to
        elif type(event) is ev.DecisionMade and decision is not None:  # by an auto-pass
            decision.seats.remove(event.seat)
            decision.offers.pop(event.seat, None)
            decision = decision if decision.seats else None
        elif type(event) in (ev.GameEnded, ev.MatchEnded):
            decision = None
    if decision is not None:
        found["next"] = wire.clamped(wire.decision, decision)
    return found
