"""Lists are handed in, checked, accepted, reopened and published.

A list is checked as it is handed in, by the game's rules for decks and the format's options; with a
fault it can't be accepted. One that is accepted is fixed: what a round was opened with it keeps,
and while its player sits in a round that goes on it is not reopened. Players may hand theirs in
until that is closed. Where decks are built from pools (`pools`) a list may be `changing` between
rounds: another without a fault takes its place, and is accepted as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.rulebook import Rulebook
from domain.tournament import record as ev
from domain.tournament.acts import checks, pools
from domain.tournament.acts.checks import LIST
from domain.tournament.state import Player, Stage, State
from domain.tournament.tournament import Sender, Tournament
from domain.words.phrases import joined


def hand_in(
    t: Tournament,
    by: Sender,
    player: int,
    deck: ev.Deck,
    rules: Rulebook,
    own: bool = False,
) -> tuple[str, ...]:
    """Hand in a list, also one with faults; what is wrong with it.

    `own`: it is the player who does, which he may until an official takes lists in alone (`close`).
    """
    s = t.state
    checks.going_on(s, LIST)
    if own and s.closed:
        text = "lists are handed in no more: an official can take one in"
        raise checks.refused(text, LIST, "LISTS_CLOSED")
    found = checks.player(s, player, LIST)
    texts = pools.faults(s, player, deck, rules)
    if found.accepted:
        _may_change(s, found, texts)
    t.emit(by, ev.ListHandedIn(player, deck, texts))
    return texts


def _may_change(s: State, found: Player, faults: Sequence[str]) -> None:
    """Make sure that a list may take the place of one that is accepted, as accepted at once."""
    if not s.format.pools.changing:
        text = "the list of {name} is accepted: it is fixed until it is reopened"
        raise checks.refused(text, LIST, "LIST_FIXED", name=found.name)
    _not_seated(s, found)
    if faults:
        text = "the list of {name} stays as it is, since there are faults in this one: {faults}"
        named = joined("; ", faults[: checks.FEW])
        raise checks.refused(text, LIST, "LIST_FAULTY", name=found.name, faults=named)


def open_to(s: State, found: Player) -> bool:
    """Whether a player may hand in a list himself now."""
    changing = s.format.pools.changing and not _seated(s, found)
    return not (s.closed or s.ended) and (changing or not found.accepted)


def _seated(s: State, found: Player) -> bool:
    """Whether a player sits in a round that goes on."""
    now = s.round
    going_on = now is not None and now.stage in (Stage.OPENED, Stage.STARTED)
    return going_on and now is not None and now.of(found.number) is not None


def _not_seated(s: State, found: Player) -> None:
    if _seated(s, found) and s.round is not None:
        text = "player {name} sits in round {n}: his list is fixed until it has ended"
        raise checks.refused(text, LIST, "LISTS_FROZEN", name=found.name, n=s.round.number)


def accept(t: Tournament, by: Sender, players: Sequence[int] = ()) -> list[int]:
    """Accept the lists of these players, all or none; none named: all that have no fault.

    Whose lists were accepted.
    """
    s = t.state
    checks.going_on(s, LIST)
    if not players:
        waiting = [p for p in s.players.values() if p.list and not p.accepted]
        players = [p.number for p in waiting if not s.lists[p.list].faults]
        if not players:
            raise checks.refused("there is no list to be accepted", LIST, "LIST_MISSING")
    found = [checks.player(s, number, LIST) for number in dict.fromkeys(players)]
    none = [one.number for one in found if not one.list]
    fixed = [one.number for one in found if one.accepted]
    faulty = [one.number for one in found if one.list and s.lists[one.list].faults]
    if none:
        text = "no list was handed in by {names}"
        raise checks.refused_for(text, LIST, "LIST_MISSING", checks.names(s, none))
    if fixed:
        text = "accepted already: the list of {names}"
        raise checks.refused_for(text, LIST, "LIST_FIXED", checks.names(s, fixed))
    if faulty:
        text = "there are faults in the list of {names}"
        raise checks.refused_for(text, LIST, "LIST_FAULTY", checks.names(s, faulty))
    for one in found:
        t.emit(by, ev.ListAccepted(one.number))
    return [one.number for one in found]


def reopen(t: Tournament, by: Sender, player: int, why: str) -> None:
    """Let a list that was accepted be handed in again."""
    s = t.state
    checks.going_on(s, LIST)
    found = checks.player(s, player, LIST)
    checks.worded(why, LIST)
    if not found.accepted:
        text = "no list of {name} is accepted"
        raise checks.refused(text, LIST, "LIST_NOT_ACCEPTED", name=found.name)
    _not_seated(s, found)
    t.emit(by, ev.ListReopened(player, why))


def close(t: Tournament, by: Sender, open_: bool = False) -> None:
    """Let players hand in no more lists themselves, or let them once more."""
    s = t.state
    checks.going_on(s, LIST)
    if s.closed is not open_:
        text = "players may hand in lists" if open_ else "lists are handed in no more"
        raise checks.refused(text, LIST, "LISTS_OPEN" if open_ else "LISTS_CLOSED")
    t.emit(by, ev.ListsClosed(not open_))


def publish(t: Tournament, by: Sender) -> None:
    """Let everybody read the lists that are accepted."""
    if t.state.published:
        raise checks.refused("the lists are published already", LIST, "LISTS_PUBLISHED")
    t.emit(by, ev.ListsPublished())
