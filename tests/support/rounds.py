"""Events in a running server: players with lists, a round that is played, everybody's tokens."""

from __future__ import annotations

from typing import NamedTuple

from domain.record.views import PUBLIC
from domain.tournament.record import Format, Table
from service.client.client import Client, Opened
from service.client.tournaments import OpenedTournament

DECKS = {"toy": ("ones", "tens"), "gundam": ("ST01", "ST02")}


class Event(NamedTuple):
    """An event whose first round is being played, and its people's tokens."""

    id: str
    opened: OpenedTournament

    def match(self, table: int) -> str:
        """The match of a table of the first round."""
        return f"{self.id}.r1.t{table}"


def event(client: Client, tables: int = 4, form: Format | None = None, name: str = "Cup") -> Event:
    """An event in its first round, with player 1 against 2 at table 1, and so on."""
    form = form or Format("toy", mode="dealer", seconds=3000, rounds=2)
    opened = client.open_tournament(name, form)
    people = [f"Player {n}" for n in range(1, 2 * tables + 1)]
    for n in client.enter_players(opened.id, dict.fromkeys(people, "")):
        client.hand_in_list(opened.id, n, DECKS[form.game][n % 2])
    client.accept_lists(opened.id)
    client.pair_round(opened.id, [Table(n, 2 * n - 1, 2 * n) for n in range(1, tables + 1)])
    return Event(opened.id, opened)


def started(client: Client, tables: int = 4, form: Format | None = None) -> Event:
    """The same, with the round being played."""
    found = event(client, tables, form)
    client.open_round(found.id)
    client.start_round(found.id)
    return found


def people(client: Client, found: Event, table: int = 1) -> dict[str, str]:
    """Tokens of all but organisers, of the event and of one of its matches, by what they are."""
    match: Opened = client.issue_tokens(found.match(table))
    return {
        "official": found.opened.official,
        "scorekeeper": found.opened.scorekeeper,
        "public": found.opened.public,
        "official of a match": match.official,
        "seat": match.seats[0],
        "public of a match": match.public,
    }


def play(client: Client, match: str, decisions: int) -> None:
    """The seats of a match make decisions, each the first there is."""
    seats = [client.with_token(token) for token in client.issue_tokens(match).seats]
    for _ in range(decisions):
        open_ = client.position(match, view=PUBLIC).decision
        assert open_ is not None
        seat = open_.seats[0]
        seen = seats[seat].position(match).decision
        assert seen is not None
        offer = seen.offers[seat]
        assert offer is not None
        seats[seat].choose(match, open_.n, offer.options[0].act())
