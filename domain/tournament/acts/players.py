"""Players enter, are corrected, drop and come back; officials are named; the format is changed."""

from __future__ import annotations

from collections.abc import Sequence

from domain.tournament import record as ev
from domain.tournament.acts import checks
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
    t.emit(by, ev.PlayerCorrected(player, name, key))


def drop(t: Tournament, by: Sender, player: int, why: str = "") -> None:
    """A player plays no further rounds. One that he sits in goes on."""
    s = t.state
    checks.going_on(s)
    found = checks.player(s, player)
    checks.worded(why, checks.EVENT, needed=False)
    if found.dropped:
        text = "player {name} has dropped already"
        raise checks.refused(text, checks.EVENT, "PLAYER_DROPPED", name=found.name)
    t.emit(by, ev.PlayerDropped(player, why))


def reinstate(t: Tournament, by: Sender, player: int, why: str = "") -> None:
    """A player who had dropped plays on, from the next round that is paired."""
    s = t.state
    checks.going_on(s)
    found = checks.player(s, player)
    checks.worded(why, checks.EVENT, needed=False)
    if not found.dropped:
        text = "player {name} has not dropped"
        raise checks.refused(text, checks.EVENT, "PLAYER_PLAYS", name=found.name)
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
    t.emit(by, ev.OfficialNamed(name, role))


def change_format(t: Tournament, by: Sender, name: str, format_: ev.Format, why: str) -> None:
    """Change the name or the format, for rounds that are still to be opened; the game stays."""
    s = t.state
    checks.going_on(s)
    checks.named(name)
    checks.formal(format_)
    checks.worded(why, checks.EVENT)
    if format_.game != s.format.game:
        raise checks.refused("the game of an event stays", checks.EVENT, "BAD_FORMAT")
    t.emit(by, ev.FormatChanged(name, format_, why))


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
