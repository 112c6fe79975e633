"""Lists are handed in, checked, accepted, reopened and published.

A list is checked as it is handed in, by the game's rules for decks and the format's options; with a
fault it can't be accepted. One that is accepted is fixed: what a round was opened with it keeps,
and while its player sits in a round that goes on it is not reopened.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.rulebook import Rulebook
from domain.tournament import record as ev
from domain.tournament.acts import checks
from domain.tournament.acts.checks import LIST
from domain.tournament.state import Stage
from domain.tournament.tournament import Sender, Tournament


def hand_in(
    t: Tournament, by: Sender, player: int, deck: ev.Deck, rules: Rulebook
) -> tuple[str, ...]:
    """Hand in a list, also one with faults; what is wrong with it."""
    s = t.state
    checks.going_on(s, LIST)
    found = checks.player(s, player, LIST)
    if found.accepted:
        text = "the list of {name} is accepted: it is fixed until it is reopened"
        raise checks.refused(text, LIST, "LIST_FIXED", name=found.name)
    faults = rules.check_deck(deck.parts, s.format.prints, s.format.options)
    texts = tuple(str(fault.text) for fault in faults)
    t.emit(by, ev.ListHandedIn(player, deck, texts))
    return texts


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
    now = s.round
    if now is not None and now.stage in (Stage.OPENED, Stage.STARTED) and now.of(player):
        text = "player {name} sits in round {n}: his list is fixed until it has ended"
        raise checks.refused(text, LIST, "LISTS_FROZEN", name=found.name, n=now.number)
    t.emit(by, ev.ListReopened(player, why))


def publish(t: Tournament, by: Sender) -> None:
    """Let everybody read the lists that are accepted."""
    if t.state.published:
        raise checks.refused("the lists are published already", LIST, "LISTS_PUBLISHED")
    t.emit(by, ev.ListsPublished())
