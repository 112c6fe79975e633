"""The fold of a tournament's record: each event's change of the `state`.

Like the fold of a match it decides nothing and knows no rules. A record that was written by a
`Tournament` folds to what it was then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.tournament import record as ev
from domain.tournament.state import (
    Appeal,
    Call,
    Claim,
    Clock,
    DeckCheck,
    HandedIn,
    Note,
    Penalty,
    Player,
    Pool,
    Result,
    Round,
    Seating,
    Stage,
    State,
)


def fold(log: Iterable[ev.Entry]) -> State:
    """The state that a record leads to."""
    state = State()
    for entry in log:
        apply(state, entry)
    return state


def apply(s: State, entry: ev.Entry) -> None:
    """The changes by an entry."""
    s.seq, s.time = entry.seq, entry.time
    event = entry.event
    match event:
        case ev.TournamentOpened():
            s.id, s.name, s.format, s.at = event.id, event.name, event.format, event.at
        case ev.FormatChanged():
            s.name, s.format = event.name, event.format
        case ev.OfficialNamed(name, role):
            s.officials.pop(name, None)
            if role:
                s.officials[name] = role
        case ev.TournamentEnded():
            s.ended = True
        case ev.PenaltyWithdrawn(seq, why):
            if seq:  # of which a copy for others says nothing
                s.penalties[seq].withdrawn = why
        case ev.PlayerPenalised() as p:
            s.penalties[entry.seq] = Penalty(
                entry.seq, entry.time, entry.by, p.player, p.kind, p.note, p.round, p.match, p.seq,
                infraction=p.infraction or "", game_state=p.game_state or "",
            )  # fmt: skip
        case ev.PenaltyCarried(seq, match, source):
            if seq:
                s.penalties[seq].match, s.penalties[seq].source = match, source
        case ev.JudgeNoted(text, table, player):
            number = s.round.number if s.round is not None else 0
            s.notes.append(Note(entry.seq, entry.time, entry.by, text, number, table, player))
        case ev.PlayerBarred(name, barred, why):
            s.barred.pop(name, None)
            if barred:
                s.barred[name] = why
        case ev.AppealRaised() | ev.AppealAnswered():
            _appeal(s, entry)
        case ev.CallRaised() | ev.CallTaken() | ev.CallAnswered():
            _call(s, entry)
        case ev.DecksDrawn() | ev.DeckChecked():
            _check(s, entry)
        case _:
            _player(s, entry)
            _round(s, entry)


def _player(s: State, entry: ev.Entry) -> None:
    """The changes by an entry to players and lists."""
    match entry.event:
        case ev.PlayerEntered(number, name, key):
            s.players[number] = Player(number, name, key)
        case ev.PlayerCorrected(number, name, key):
            s.players[number].name, s.players[number].key = name, key
        case ev.PlayerDropped(number):
            s.players[number].dropped = True
        case ev.PlayerReinstated(number):
            s.players[number].dropped = False
        case ev.ListHandedIn(number, deck, faults):
            s.players[number].list = entry.seq
            s.lists[entry.seq] = HandedIn(entry.seq, number, deck, faults)
        case ev.ListAccepted(number) | ev.ListReopened(number):
            s.players[number].accepted = isinstance(entry.event, ev.ListAccepted)
        case ev.PlayerCheckedIn(number, present, identified):
            if number:  # of which a copy for others says nothing
                one, opened = s.players[number], any(r.stage != Stage.PAIRED for r in s.rounds)
                one.late = present and (one.late if one.present else opened)
                one.present, one.identified = present, identified
        case ev.ListsPublished():
            s.published = True
        case ev.ListsClosed(closed):
            s.closed = closed
        case ev.PodsDrawn(pods, seed):
            s.pods, s.seed = pods, seed
        case ev.PoolRegistered(number, cards):
            s.pools[number] = Pool(number, entry.seq, entry.by, cards)
        case ev.PoolsClosed(closed):
            s.pools_closed = closed


def _round(s: State, entry: ev.Entry) -> None:
    """The changes by an entry to a round and its tables."""
    match entry.event:
        case ev.RoundPaired(number, tables, by, seed):
            del s.rounds[number - 1 :]
            seatings = {one.number: Seating(one.number, one.first, one.second) for one in tables}
            s.rounds.append(Round(number, seatings, by, seed))
        case ev.RoundOpened(number):
            one = s.rounds[number - 1]
            one.stage, one.format = Stage.OPENED, ev.at_stage(s.format, one.part)
            seated = [s.players[n] for table in one.tables.values() for n in table.players]
            one.lists = {player.number: player.list for player in seated if player.accepted}
        case ev.RoundStarted(number, seconds):
            one = s.rounds[number - 1]
            one.stage, one.seconds, one.started = Stage.STARTED, seconds, entry.time
            for table in one.tables.values():
                table.clock = Clock(seconds * 1000, entry.time) if table.second else None
        case ev.RoundEnded(number):
            s.rounds[number - 1].stage = Stage.ENDED
        case ev.ResultReported() | ev.ResultCorrected() | ev.ResultWithdrawn():
            _result(s, entry)
        case ev.ResultClaimed() | ev.ClaimWithdrawn():
            _claim(s, entry.event)
        case ev.ClockPaused() | ev.ClockResumed() | ev.ClockExtended() | ev.TimeCalled():
            _clock(s, entry)


def _result(s: State, entry: ev.Entry) -> None:
    event = entry.event
    assert isinstance(event, ev.ResultReported | ev.ResultCorrected | ev.ResultWithdrawn)
    outcome = None if isinstance(event, ev.ResultWithdrawn) else event.outcome
    why = "" if isinstance(event, ev.ResultReported) else event.why
    both = isinstance(event, ev.ResultReported) and event.both
    result = Result(entry.seq, entry.by, outcome, event.seq, why, both)
    table = s.rounds[event.round - 1].tables[event.table]
    table.results.append(result)
    table.claims = []


def _claim(s: State, event: ev.ResultClaimed | ev.ClaimWithdrawn) -> None:
    if not event.table:  # of which a copy for others says nothing
        return
    table = s.rounds[event.round - 1].tables[event.table]
    table.claims = [one for one in table.claims if one.player != event.player]
    if isinstance(event, ev.ResultClaimed):
        table.claims.append(Claim(event.player, event.outcome))


def _clock(s: State, entry: ev.Entry) -> None:
    event, now = entry.event, entry.time
    assert isinstance(event, ev.ClockPaused | ev.ClockResumed | ev.ClockExtended | ev.TimeCalled)
    for table, clock in clocks(s.rounds[event.round - 1], event.tables):
        match event:
            case ev.ClockPaused():
                clock.left, clock.since, clock.running = clock.at(now), now, False
            case ev.ClockResumed():
                clock.left, clock.since, clock.running = clock.at(now), now, True
            case ev.ClockExtended(seconds=seconds):
                clock.left += seconds * 1000
            case _:
                clock.called = clock.called or table.result is None


def clocks(round_: Round, tables: Iterable[int] = ()) -> Iterator[tuple[Seating, Clock]]:
    """The clocks of these tables, or (none named) of all that have one."""
    for number in [*tables] or sorted(round_.tables):
        table = round_.tables[number]
        if table.clock is not None:
            yield table, table.clock


def _check(s: State, entry: ev.Entry) -> None:
    number = s.round.number if s.round is not None else 0
    match entry.event:
        case ev.DecksDrawn(players, _, cut):
            s.checks += [DeckCheck(entry.seq, one, number, cut) for one in players]
        case ev.DeckChecked(player, fault):
            waiting = (one for one in s.checks if one.player == player and not one.checked)
            found = next(waiting, None)
            if found is None:
                found = DeckCheck(entry.seq, player, number)
                s.checks.append(found)
            found.checked, found.by, found.fault = entry.seq, entry.by, fault


def _appeal(s: State, entry: ev.Entry) -> None:
    match entry.event:
        case ev.AppealRaised(number, table, player, call, seq, text):
            last = s.round.number if s.round is not None else 0
            s.appeals[number] = Appeal(
                number, last, table, player, call, seq, text, entry.by, entry.time
            )
        case ev.AppealAnswered(number, overturned, text, seconds):
            one = s.appeals[number]
            one.answered_by, one.answered, one.overturned = entry.by, entry.time, overturned
            one.answer, one.seconds = text, seconds


def _call(s: State, entry: ev.Entry) -> None:
    match entry.event:
        case ev.CallRaised(number, table, player, text):
            last = s.round.number if s.round is not None else 0
            s.calls[number] = Call(number, last, table, player, text, entry.by, entry.time)
        case ev.CallTaken(number):
            s.calls[number].taken_by, s.calls[number].taken = entry.by, entry.time
        case ev.CallAnswered(number, text, seconds):
            call = s.calls[number]
            call.answered_by, call.answered = entry.by, entry.time
            call.answer, call.seconds = text, seconds
