"""Players enter, check in, are corrected, drop, come back; officials are named; formats change."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.rulebook import Rulebook
from domain.tournament import record as ev
from domain.tournament.acts import checks, pools, results
from domain.tournament.state import State
from domain.tournament.tournament import Sender, Tournament

#: What an official may be.
ROLES = (ev.HEAD_JUDGE, ev.JUDGE, ev.SCOREKEEPER)


def enter(t: Tournament, by: Sender, players: Sequence[tuple[str, str]]) -> list[int]:
    """Enter players by name and the organiser's key for them (may be empty); their numbers.

    All or none. Nobody is called like another, so that pairings can be read out.
    """
    s = t.state
    checks.going_on(s)
    if len(s.players) + len(players) > checks.PLAYERS:
        text = "an event has at most {n} players"
        raise checks.refused(text, checks.EVENT, "TOO_MANY_PLAYERS", n=checks.PLAYERS)
    taken = {one.name.casefold() for one in s.players.values()}
    keys = {one.key for one in s.players.values()}
    for name, key in players:
        _may_be_called(name, key, taken, keys)
        _may_play(s, name, key)
        taken.add(name.casefold())
        keys.add(key)
    first = max(s.players, default=0) + 1
    for number, (name, key) in enumerate(players, first):
        t.emit(by, ev.PlayerEntered(number, name, key))
    return [*range(first, first + len(players))]


def correct(t: Tournament, by: Sender, player: int, name: str, key: str) -> None:
    """Call a player something else; also once it is over."""
    s = t.state
    was = checks.player(s, player)
    others = [one for one in s.players.values() if one.number != player]
    _may_be_called(name, key, {one.name.casefold() for one in others}, {one.key for one in others})
    if (was.name, was.key) == (name, key):
        raise checks.refused("he is called that already", checks.EVENT, "SAME_PLAYER")
    _may_play(s, name, key)
    t.emit(by, ev.PlayerCorrected(player, name, key))


def drop(t: Tournament, by: Sender, player: int, why: str = "") -> None:
    """A player plays no further rounds.

    One that he sits in goes on, or (`Format.conceding`) he gives his match up.
    """
    s = t.state
    checks.going_on(s)
    found = checks.player(s, player)
    checks.worded(why, checks.EVENT, needed=False)
    if found.dropped:
        text = "player {name} has dropped already"
        raise checks.refused(text, checks.EVENT, "PLAYER_DROPPED", name=found.name)
    t.emit(by, ev.PlayerDropped(player, why))
    if s.format.conceding:
        results.give_up(t, by, player, ev.CONCEDED)


def check_in(
    t: Tournament, by: Sender, player: int, identified: bool = False, absent: bool = False
) -> None:
    """A player is here, also late, and maybe has shown who he is; or he is not here after all."""
    s = t.state
    checks.going_on(s)
    found = checks.player(s, player)
    present, seen = not absent, not absent and (identified or found.identified)
    if present:
        _may_play(s, found.name, found.key)
    if (found.present, found.identified) == (present, seen):
        text = "player {name} is checked in already"
        if not present:
            text = "player {name} is not checked in"
        raise checks.refused(text, checks.EVENT, "SAME_PLAYER", name=found.name)
    t.emit(by, ev.PlayerCheckedIn(player, present, seen))


def reinstate(t: Tournament, by: Sender, player: int, why: str = "") -> None:
    """A player who had dropped plays on, from the next round that is paired."""
    s = t.state
    checks.going_on(s)
    found = checks.player(s, player)
    checks.worded(why, checks.EVENT, needed=False)
    if not found.dropped:
        text = "player {name} has not dropped"
        raise checks.refused(text, checks.EVENT, "PLAYER_PLAYS", name=found.name)
    _may_play(s, found.name, found.key)
    t.emit(by, ev.PlayerReinstated(player, why))


def name_official(t: Tournament, by: Sender, name: str, role: str) -> None:
    """Somebody is an official, or (no role) no longer."""
    s = t.state
    checks.named(name)
    if role and role not in ROLES:
        text = "a role is one of {roles}, or empty"
        raise checks.refused(text, checks.EVENT, "BAD_ROLE", roles=", ".join(ROLES))
    if s.officials.get(name, "") == role:
        raise checks.refused("that is what {name} is already", checks.EVENT, "SAME_ROLE", name=name)
    playing = {one.name.casefold() for one in s.players.values() if not one.dropped}
    if role and s.format.apart and name.casefold() in playing:
        text = "player {name} plays in this event, and is no official of it"
        raise checks.by_manual(s, text, checks.EVENT, "barred", "OFFICIAL_PLAYS", name=name)
    t.emit(by, ev.OfficialNamed(name, role))


def bar(t: Tournament, by: Sender, name: str, why: str = "", lift: bool = False) -> None:
    """Somebody (his name, or the organiser's key for him) may not take part; or may once more.

    Who is in the event by then stays until he is dropped, but is not checked in any more.
    """
    s = t.state
    checks.named(name)
    checks.worded(why, checks.EVENT, needed=False)
    known = next((one for one in s.barred if one.casefold() == name.casefold()), "")
    if bool(known) != lift:
        text = "{name} is barred already"
        if lift:
            text = "{name} is not barred"
        raise checks.refused(text, checks.EVENT, "SAME_BAR", name=name)
    t.emit(by, ev.PlayerBarred(known or name, not lift, why))


def change_format(
    t: Tournament, by: Sender, name: str, format_: ev.Format, why: str, rules: Rulebook
) -> None:
    """Change the name or the format, for rounds that are still to be opened; the game stays.

    Lists that were handed in are looked at anew where decks are built otherwise.
    """
    s = t.state
    checks.going_on(s)
    checks.named(name)
    checks.formal(format_)
    checks.worded(why, checks.EVENT)
    if format_.game != s.format.game:
        raise checks.refused("the game of an event stays", checks.EVENT, "BAD_FORMAT")
    before = pools.options(s.format), s.format.pools
    t.emit(by, ev.FormatChanged(name, format_, why))
    if before != (pools.options(format_), format_.pools):
        pools.compare(t, by, s.players.values(), rules)


def is_barred(s: State, name: str, key: str) -> bool:
    """Whether somebody is barred, by his name or by the organiser's key for him."""
    barred = {one.casefold() for one in s.barred}
    return name.casefold() in barred or bool(key and key.casefold() in barred)


def _may_play(s: State, name: str, key: str) -> None:
    """Make sure that somebody is not barred, and no official where those do not play."""
    if is_barred(s, name, key):
        text = "player {name} is barred from this event"
        raise checks.by_manual(s, text, checks.EVENT, "barred", "PLAYER_BARRED", name=name)
    if s.format.apart and name.casefold() in {one.casefold() for one in s.officials}:
        text = "player {name} is named as an official of this event: officials do not play"
        raise checks.by_manual(s, text, checks.EVENT, "barred", "OFFICIAL_PLAYS", name=name)


def _may_be_called(name: str, key: str, taken: set[str], keys: set[str]) -> None:
    checks.named(name)
    if name.casefold() in taken:
        text = "there is a player {name} already: add what tells them apart"
        raise checks.refused(text, checks.EVENT, "NAME_TAKEN", name=name)
    if len(key) > checks.NAME or not key.isprintable():
        text = "a key has at most {n} printable characters"
        raise checks.refused(text, checks.EVENT, "BAD_NAME", n=checks.NAME)
    if key and key in keys:
        raise checks.refused("the key {key!r} is another's", checks.EVENT, "KEY_TAKEN", key=key)
