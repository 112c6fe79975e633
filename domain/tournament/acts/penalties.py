"""Penalties of players across rounds, what they are for, what they cost; notes of officials.

What a penalty costs is in the record of a match: of the one in which it was given, or of the one
that it falls on (`owed`), which the service carries it over to. Where no match is recorded, a match
that is lost is a result here.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.record.schema.policy import MATCH_LOSS, PenaltyKind
from domain.tournament import record as ev
from domain.tournament.acts import checks, results
from domain.tournament.acts.checks import PENALTY
from domain.tournament.state import Penalty, Round, Seating, Stage, State, place_of
from domain.tournament.tournament import Sender, Tournament


class Proposal(Struct, frozen=True):
    """The usual penalty for an infraction, and what it comes to after `earlier` ones like it."""

    usual: str
    kind: str
    earlier: Sequence[Penalty] = ()


def penalise(
    t: Tournament,
    by: Sender,
    player: int,
    kind: str,
    note: str = "",
    round_: int = 0,
    infraction: str = "",
    game_state: str = "",
    match: str = "",
    seq: int = 0,
) -> int:
    """Penalise a player by the policy's scheme; the entry that records it.

    What was recorded in a match (its entry `seq`) went by the match's own.
    """
    s = t.state
    found = checks.player(s, player, PENALTY)
    checks.worded(note, PENALTY, needed=not (match or infraction))
    scheme = s.format.policy
    if round_:
        scheme = (checks.round_of(s, round_, PENALTY).format or s.format).policy
    meant = scheme.penalty(kind)
    if not match and meant is None:
        names = ", ".join(known.name for known in scheme.scheme)
        text = "there is no penalty {kind!r}; there are: {names}"
        raise checks.refused(text, PENALTY, "NO_SUCH_PENALTY", kind=kind, names=names)
    if not match:
        allowed(s, by, player, kind, infraction, game_state, round_)
    given = ev.PlayerPenalised(player, kind, note, round_, match, seq, infraction, game_state)
    entry = t.emit(by, given).seq
    if not match and meant is not None and meant.effect == MATCH_LOSS and not s.format.mode:
        results.give_up(t, by, player, ev.RULED)
    if meant is not None and meant.drops and not found.dropped and not s.ended:
        t.emit(by, ev.PlayerDropped(player, meant.label or kind))
    return entry


def in_match(
    s: State, by: Sender, match: str, seat: int, kind: str, infraction: str, game_state: str
) -> None:
    """Make sure that somebody may give a penalty in a match; raises `Refused`."""
    round_, player = at_seat(s, match, seat) or (0, 0)
    allowed(s, by, player, kind, infraction, game_state, round_)


def at_seat(s: State, match: str, seat: int) -> tuple[int, int] | None:
    """The round of a match of the event, and the player of a seat there; None: it has none."""
    place = place_of(match)
    if place is None or place[0] != s.id or place[1] > len(s.rounds):
        return None
    table = s.rounds[place[1] - 1].tables.get(place[2])
    if table is None or not 0 <= seat < len(table.players):
        return None
    return place[1], table.players[seat]


def allowed(
    s: State, by: Sender, player: int, kind: str, infraction: str, game_state: str, round_: int
) -> None:
    """Make sure that somebody may give a penalty, and that what it is for makes sense."""
    gated(s, by, kind)
    if game_state not in ev.GAME_STATES:
        text = "a game is one of {names}"
        names = ", ".join(filter(None, ev.GAME_STATES))
        raise checks.refused(text, PENALTY, "BAD_GAME_STATE", names=names)
    if infraction and infraction_of(s, infraction).late:
        _late_once(s, player, kind, infraction, round_)


def _late_once(s: State, player: int, kind: str, infraction: str, round_: int) -> None:
    """Make sure that who is late has a table, and is given more than before for one arrival."""
    if round_:
        place = checks.round_of(s, round_, PENALTY).of(player)
        if place is None or not place.second:
            text = "player {name} plays nobody in round {n}: he comes late to nothing"
            name = s.players[player].name
            raise checks.refused(text, PENALTY, "NO_SUCH_TABLE", name=name, n=round_)
    order = [one.name for one in s.format.policy.scheme]
    for one in s.penalties.values():
        same = (one.player, one.infraction, one.round) == (player, infraction, round_)
        known = kind in order and one.kind in order and not one.withdrawn and round_
        if same and known and order.index(kind) <= order.index(one.kind):
            text = "for that {name} was given {kind} in round {n}: entry {entry}"
            values = {"name": s.players[player].name, "kind": one.kind, "n": round_}
            raise checks.refused(text, PENALTY, "SAME_PENALTY", entry=one.seq, **values)


def gated(s: State, by: Sender, kind: str) -> None:
    """Make sure that somebody may give a penalty: grave ones may be the head judge's."""
    order = [one.name for one in s.format.policy.scheme]
    if not s.format.reserved or kind not in order:
        return
    if order.index(kind) >= order.index(s.format.reserved):
        by_head_judge(s, by, PENALTY, "reserved")


def by_head_judge(s: State, by: Sender, rule: str, about: str) -> None:
    """Make sure that something is done by the head judge, or by who organises the event."""
    if by.organises or s.officials.get(by.name) == ev.HEAD_JUDGE:
        return
    named = [name for name, role in s.officials.items() if role == ev.HEAD_JUDGE]
    text = "that is the head judge's: {names}"
    if not named:
        text = "that is the head judge's, and nobody is named as one"
    raise checks.by_manual(s, text, rule, about, "HEAD_JUDGE_ONLY", names=", ".join(named))


def infraction_of(s: State, name: str) -> ev.Infraction:
    """The infraction of that name; raises `Refused`."""
    found = s.format.infraction(name)
    if found is None:
        names = ", ".join(one.name for one in s.format.infractions) or "-"
        text = "there is no infraction {name!r}; there are: {names}"
        raise checks.refused(text, PENALTY, "NO_SUCH_INFRACTION", name=name, names=names)
    return found


def proposed(s: State, player: int, infraction: str, now: int, round_: int = 0) -> Proposal:
    """The penalty for an infraction, of who comes late by the time since the start of a round.

    That is the one named, or (0) the latest. Each repeat is raised by one, compared with the
    gravest before it; that somebody is still not there repeats nothing. Raises `Refused`.
    """
    found = infraction_of(s, infraction)
    scheme = s.format.policy.scheme
    order = [kind.name for kind in scheme]
    earlier = [
        one
        for one in s.penalties.values()
        if (one.player, one.infraction) == (player, infraction) and not one.withdrawn
    ]
    meant = checks.round_of(s, round_, PENALTY) if found.late else None
    usual = _late(meant, found, now) if meant is not None else found.penalty
    least, most = order.index(usual), order.index(found.most or _last(scheme))
    repeats = [one for one in earlier if meant is None or one.round != meant.number]
    ranks = [order.index(one.kind) for one in repeats if one.kind in order]
    raised = max([least, *(rank + 1 for rank in ranks)])
    return Proposal(usual, order[max(min(raised, most), least)], earlier)


def _last(scheme: Sequence[PenaltyKind]) -> str:
    """The first penalty that ends an event for its player, or the gravest there is."""
    return next((kind.name for kind in scheme if kind.drops), scheme[-1].name)


def _late(round_: Round, found: ev.Infraction, now: int) -> str:
    checks.stage(round_, [Stage.STARTED], PENALTY)
    since = max(now - round_.started, 0) // 1000
    reached = [kind for seconds, kind in found.late if seconds <= since]
    return reached[-1] if reached else found.late[0][1]


def owed(s: State, round_: Round, table: Seating) -> list[Penalty]:
    """The penalties that fall on the match of a table, and are not carried over to it yet.

    Those are a game or a match that one of its players loses, given outside a match: they fall on
    the one that goes on, else on the next. One whose player came late to this very match falls on
    it even if it is over: so two who do not come both lose it.
    """
    format_ = round_.format or s.format
    if round_.stage != Stage.STARTED or not format_.mode or not table.second:
        return []
    found = []
    for one in s.penalties.values():
        kind = format_.policy.penalty(one.kind)
        standing = not (one.match or one.withdrawn) and one.player in table.players
        if kind is None or not kind.effect or not standing:
            continue
        whole = kind.effect == MATCH_LOSS or format_.best_of == 1
        if table.result is None or (whole and missed(s, one, round_)):
            found.append(one)
    return found


def missed(s: State, one: Penalty, round_: Round) -> bool:
    """Whether a penalty is for who came late to a round."""
    infraction = s.format.infraction(one.infraction)
    return one.round == round_.number and infraction is not None and bool(infraction.late)


def carried(t: Tournament, by: Sender, entry: int, match: str, seq: int) -> None:
    """Say that a penalty given outside a match was recorded in one."""
    t.emit(by, ev.PenaltyCarried(entry, match, seq))


def withdraw(t: Tournament, by: Sender, entry: int, why: str) -> None:
    """Say that a penalty was a mistake; `entry` is the one that recorded it."""
    found = t.state.penalties.get(entry)
    checks.worded(why, PENALTY)
    if found is None:
        raise checks.refused("entry {n} is no penalty", PENALTY, "NO_SUCH_PENALTY", n=entry)
    if found.withdrawn:
        raise checks.refused("it was withdrawn already", PENALTY, "PENALTY_WITHDRAWN")
    t.emit(by, ev.PenaltyWithdrawn(entry, why))


def note(t: Tournament, by: Sender, text: str, table: int = 0, player: int = 0) -> int:
    """Write something down for officials; the entry that has it."""
    s = t.state
    checks.worded(text, PENALTY)
    if player:
        checks.player(s, player, PENALTY)
    if table:
        checks.table(checks.round_of(s, 0, PENALTY), table, PENALTY)
    return t.emit(by, ev.JudgeNoted(text, table, player)).seq
