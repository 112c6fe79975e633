"""Carries acts at a tournament over to the matches of its round.

Matches are opened, begin, are paused, get another time, are lost by a penalty that was given
outside them: the differences between the round's `State` and a match. So it may be repeated at any
time: after a crash in between, after the start of the service, for a match that began later.
Nothing is carried to a match that is over. One that fails is named, and keeps no other from it. The
way back is in `following`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import copy
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from domain.engine import timekeeping
from domain.engine.match import BadDeck, Match, Opening, Refused
from domain.engine.opening import seeding, terms
from domain.engine.rulebook import Rulebook
from domain.engine.signals import RollRequired
from domain.officials import beginning, clocks, rulings
from domain.officials.frame import Official
from domain.record.proof import draws
from domain.record.schema.policy import MATCH_LOSS, Policy
from domain.record.values import Value
from domain.tournament import progress
from domain.tournament.acts import penalties, pools
from domain.tournament.record import SEED, Format
from domain.tournament.state import Clock, Penalty, Round, Seating, Stage, State
from domain.words.phrases import Phrase, phrase
from service.live import results
from service.live.matches import Command, Matches, UnknownGame
from service.live.rolls import Rolls
from service.live.tournaments import Tournaments
from service.store.derived import listing
from service.store.derived.listing import Listed
from service.store.records import ChainBroken, Conflict, NoSuchMatch, Records, StoreError
from service.telemetry.logs import log_event

#: How far the clocks of a table and of its match may be apart, in milliseconds.
TOLERANCE = 500
#: Does something for the match of a table, and returns the outcome.
Act = Callable[[str, Seating], Awaitable[str]]
OPENED, BEGUN, READY, WAITING = "opened", "begun", "ready", "waiting"
CARRIED, NOTHING, FAILED = "carried", "nothing", "failed"


class Report(Struct, frozen=True):
    """The outcome for the match of a table."""

    table: int
    match: str
    state: str
    reason: str = ""
    text: Phrase | str = ""


class Carrying:
    """Carries rounds over to their matches. To be used within one loop."""

    def __init__(self, tournaments: Tournaments, matches: Matches) -> None:
        self._tournaments, self._matches = tournaments, matches
        self._records = matches.records
        self.carried = Counter[str]()  # the matches to which something is carried at the moment

    async def open(self, id_: str, number: int) -> list[Report]:
        """Open the matches of a round that are not there yet."""
        state, round_ = await self._round(id_, number)

        async def one(match: str, table: Seating) -> str:
            if await self._matches.lanes.run(self._records.last, match, unlimited=True):
                return NOTHING
            rules = self._matches.rulebook(state.format.game)
            opening = opening_of(state, round_, table, rules, self._matches.clock())
            try:
                await self._matches.open(match, state.format.game, opening, None)
            except Conflict:  # somebody else was quicker
                return NOTHING
            return OPENED

        return await self._each(state, round_, (), one)

    async def begin(
        self, id_: str, number: int, who: str, tables: Sequence[int] = (), *, patient: bool = False
    ) -> list[Report]:
        """Have dealt matches begin that wait; the others that have begun show their tables' clocks.

        `patient`: not those that wait for a seed which a seat has bound itself to.
        """

        async def one(match: str, table: Seating) -> str:
            state = await self._begin(match, table, who, patient)
            return CARRIED if await self._penalise(id_, number, match, table, who) else state

        return await self._timed(id_, number, tables, one)

    async def clocks(self, id_: str, number: int, tables: Sequence[int], who: str) -> list[Report]:
        """Let the matches of these tables, or of all, show what their tables' clocks do."""

        async def one(match: str, table: Seating) -> str:
            return await self._set_clock(match, table, who)

        return await self._timed(id_, number, tables, one)

    async def penalties(self, id_: str, player: int, who: str) -> list[Report]:
        """Let the match that goes on of a player be lost by what he was penalised with, if one."""
        state = await self._tournaments.state(id_)
        place = state.round.of(player) if state.round is not None else None
        if state.round is None or place is None:
            return []
        number = state.round.number

        async def one(match: str, table: Seating) -> str:
            lost = await self._penalise(id_, number, match, table, who)
            return CARRIED if lost else NOTHING

        return await self._each(state, state.round, [place.number], one)

    async def stop(self, id_: str, who: str) -> list[Report]:
        """Let the matches stand still that go on at tables of the latest round, if that has ended.

        Their results were entered. A match that was taken back has none, and is played on.
        """
        state = await self._tournaments.state(id_)
        last = state.round
        if last is None or last.stage != Stage.ENDED:
            return []
        done = [n for n, table in last.tables.items() if table.result is not None]

        async def one(match: str, table: Seating) -> str:
            found = await self._matches.lanes.run(_listed, self._records, match, unlimited=True)
            if found is None or found.ended:
                return NOTHING
            return CARRIED if await self._command(match, partial(_stop, who)) else NOTHING

        return await self._each(state, last, done, one) if done else []

    async def take_up(self, id_: str, who: str) -> None:
        """Carry over what may be missing: the latest round, up to its present state."""
        state = await self._tournaments.state(id_)
        last = state.round
        if last is not None and last.stage == Stage.ENDED:
            await self.stop(id_, who)
        if state.ended or last is None or last.stage not in (Stage.OPENED, Stage.STARTED):
            return
        number, stage = last.number, last.stage
        reports = await self.open(id_, number)
        if stage == Stage.STARTED:
            reports += await self.begin(id_, number, who, patient=True)
        for report in reports:
            if report.state == FAILED:
                text = str(report.text)
                log_event(logging.WARNING, "match not carried", match=report.match, text=text)

    async def _round(self, id_: str, number: int) -> tuple[State, Round]:
        state = await self._tournaments.state(id_)
        return state, state.rounds[number - 1]

    async def _timed(self, id_: str, number: int, tables: Sequence[int], one: Act) -> list[Report]:
        """Do something for the matches of these tables, and again if their clocks are others then.

        Another server may have carried the command over before this one did.
        """
        reports = dict[int, Report]()
        state, round_ = await self._round(id_, number)
        while True:
            meant = _clocks(round_, tables)
            for new in await self._each(state, round_, tables, one):
                before = reports.get(new.table)
                if before is None or before.state in (NOTHING, FAILED) or new.state == FAILED:
                    reports[new.table] = new
            state, round_ = await self._round(id_, number)
            if _clocks(round_, tables) == meant:
                return [*reports.values()]

    async def _each(
        self,
        state: State,
        round_: Round,
        tables: Sequence[int],
        one: Act,
    ) -> list[Report]:
        """Do something for the matches of these tables (none named: of all) of a round."""

        async def report(match: str, table: Seating) -> Report:
            try:
                return Report(table.number, match, await one(match, table))
            except (Refused, BadDeck, UnknownGame, StoreError, ChainBroken) as error:
                return Report(table.number, match, FAILED, *_why(error))

        wanted = [(m, table) for m, table in state.matches(round_) if _in(table, tables)]
        return await asyncio.gather(*(report(match, table) for match, table in wanted))

    async def _begin(self, match: str, table: Seating, who: str, patient: bool) -> str:
        waits, mode, seeds = await self._matches.query(match, _waiting)
        if not waits:
            return await self._set_clock(match, table, who)
        if mode == "table":
            return READY
        if seeds and patient:
            return WAITING
        await self._command(match, lambda m, now: _begin(m, Official(who, now)), True)
        waits, _, _ = await self._matches.query(match, _waiting)
        if waits:
            return WAITING
        await self._set_clock(match, table, who)
        return BEGUN

    async def _penalise(self, id_: str, number: int, match: str, table: Seating, who: str) -> int:
        """Record the penalties that fall on a match, each once; how many entries that added.

        A match at a real table that waits is begun for it where it is over by that; chance falls
        then as nobody has seen it.
        """
        state, round_ = await self._round(id_, number)
        found = penalties.owed(state, round_, round_.tables[table.number])
        due = {one.seq: (one, penalties.missed(state, one, round_)) for one in found}
        if not due:
            return 0
        done, rolls = set[int](), Rolls()

        def before() -> None:
            done.update(results.given_of(self._records, match).values())

        def command(m: Match, now: int) -> None:
            left = {seq: one for seq, one in due.items() if seq not in done}
            _lose(m, table, left, Official(who, now), rolls)

        while True:
            try:
                return await self._command(match, command, True, before)
            except RollRequired:  # and is rolled by now
                continue

    async def _set_clock(self, match: str, table: Seating, who: str) -> str:
        def command(m: Match, now: int) -> None:
            set_clock(m, table, self._matches.clock(), Official(who, now))

        return CARRIED if await self._command(match, command) else NOTHING

    async def _command(
        self,
        match: str,
        command: Command,
        in_thread: bool = False,
        before: Callable[[], None] | None = None,
    ) -> int:
        """Carry a command out; how many entries it added."""
        self.carried[match] += 1
        try:
            return len(await self._matches.command(match, command, before, in_thread=in_thread))
        finally:
            self.carried -= Counter([match])


def opening_of(state: State, round_: Round, table: Seating, rules: Rulebook, now: int) -> Opening:
    """The request that opens the match of a table: it waits for its round."""
    format_ = round_.format or state.format
    decks = [state.deck(player, round_) for player in table.players]
    source = draws.TABLE if format_.mode == "table" else format_.chance or draws.SYSTEM
    policy = format_.policy
    if policy == Policy():
        policy = rules.settle(format_.options)
    if format_.seconds:
        policy = replace(policy, clocks=replace(policy.clocks, round=format_.seconds * 1000))
    labels = {"event": state.name, "round": str(round_.number), "table": str(table.number)}
    return Opening(
        seats=tuple(state.players[player].name for player in table.players),
        decks=tuple(terms.Deck(deck.name, deck.parts) for deck in decks if deck is not None),
        at=now,
        best_of=format_.best_of,
        mode=format_.mode,
        labels=labels,
        options={**pools.options(format_), **_chooser(state, format_, table)},
        policy=replace(policy, event=policy.event or state.name),
        prints=format_.prints,
        chance=source,
        waits=terms.OFFICIAL,
    )


def _chooser(state: State, format_: Format, table: Seating) -> Mapping[str, Value]:
    """Who chooses who goes first in the first game, where that is who stood better."""
    if not any(one.first == SEED for one in format_.stages):
        return {}
    order = [one.player for one in progress.standing(state)]
    better = min(table.players, key=order.index)
    return {"first": f"seat {table.players.index(better)}"}


def set_clock(m: Match, table: Seating, at: int, by: Official) -> None:
    """Let a match that has begun show what the clock of its table shows `at` a time since 1970."""
    clock, p = table.clock, m.pos
    if clock is None or p.over or p.heading.waits:
        return
    if clock.running and p.paused >= 0:
        clocks.go_on(m, by)
    if not clock.running and p.paused < 0:
        clocks.pause(m, by)
    if clock.called and not p.called:
        clocks.call_time(m, by)
    if timekeeping.ROUND in p.clocks and not p.called:
        left = max(clock.at(at), 0)
        if abs(max(p.left(timekeeping.ROUND, max(by.now, p.time)), 0) - left) > TOLERANCE:
            clocks.set_clock(m, by, timekeeping.ROUND, left)


def _listed(records: Records, match: str) -> Listed | None:
    try:
        return listing.find(records, match)
    except NoSuchMatch:
        return None


def _stop(who: str, m: Match, now: int) -> None:
    """Let a match stand still that goes on though its round is over."""
    if not (m.pos.over or m.pos.heading.waits or m.pos.paused >= 0):
        clocks.pause(m, Official(who, now, "its round has ended"))


def _lose(
    m: Match, table: Seating, due: Mapping[int, tuple[Penalty, bool]], by: Official, rolls: Rolls
) -> None:
    """Record penalties in a match, as far as they concern it.

    Once it is over nothing is lost in it, but by who missed it (`due` says of each).
    """
    effects = {seq: m.pos.heading.policy.penalty(one.kind) for seq, (one, _) in due.items()}
    whole = {seq for seq, one in effects.items() if one is not None and one.effect == MATCH_LOSS}
    single = m.pos.heading.best_of == 1
    if due and m.pos.heading.waits:
        if m.pos.heading.chance == draws.SHARED or not (whole or single):
            return  # it begins when they sit down
        rolls.used(0, by, partial(beginning.begin, m))
    for seq, (one, missed) in due.items():
        if m.pos.over and not (missed and (single or seq in whole)):
            continue
        side, note = table.players.index(one.player), one.note or one.infraction
        lost = partial(rulings.penalise, m, seat=side, kind=one.kind, note=note, given=seq)
        rolls.used(seq, by, lost)


def _waiting(m: Match) -> tuple[bool, str, bool]:
    """Whether a match waits to begin, its mode, and whether a seat has yet to open its seed."""
    heading = m.pos.heading
    seeds = heading.chance == draws.SHARED and bool(seeding.ungiven(heading))
    return bool(heading.waits), heading.mode, seeds


def _begin(m: Match, by: Official) -> None:
    if m.pos.heading.waits and not m.pos.over:
        beginning.begin(m, by)


def _in(table: Seating, tables: Sequence[int]) -> bool:
    return not tables or table.number in tables


def _clocks(round_: Round, tables: Sequence[int]) -> list[Clock | None]:
    """The clocks of these tables as they are by now: a round goes on changing."""
    return [copy(table.clock) for table in round_.tables.values() if _in(table, tables)]


def _why(error: Exception) -> tuple[str, Phrase | str]:
    """The reason of a failure, and what people read of it."""
    match error:
        case Refused():
            return error.refusal.fault, error.refusal.text
        case BadDeck():
            first = next(iter(error.faults.values()))[0].text
            return "DECK_ILLEGAL", phrase("a list can't be played: {fault}", fault=first)
        case UnknownGame():
            return "UNKNOWN_GAME", phrase("there is no such game")
    return "STORE_FAILED", phrase("its record can't be read or written")
