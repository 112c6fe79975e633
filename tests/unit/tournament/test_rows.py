"""Each act at an event is a row: its method, its request and what carries it out agree."""

from __future__ import annotations

import pytest
from kifu.v1 import tournament_service_pb2 as pb

from domain.tournament.acts import carrying, rows
from domain.tournament.acts.rows import ROWS, EventAct
from domain.words.fields import parameters
from service.client.tournaments import Tournaments

SERVICE = pb.DESCRIPTOR.services_by_name["TournamentService"]
#: What the service has beside acts: what opens an event, and what is asked.
OTHERS = {
    "OpenTournament", "GetTournament", "GetTournamentProof", "ListTournaments",
    "ListTournamentEntries", "WatchTournament", "GetStandings",
}  # fmt: skip

#: What the client reads names or files for has a method of its own there.
_LISTS = (rows.EnterPlayers, rows.HandInList, rows.RegisterPool)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_row_has_its_request_and_its_method(row: type[EventAct]) -> None:
    request = SERVICE.methods_by_name[row.__name__].input_type
    assert {field.name for field in request.fields} == {"event_id", *row.__struct_fields__}
    documented = {found.__doc__ for found in vars(Tournaments).values() if callable(found)}
    assert row.__doc__ in documented or row in _LISTS


def test_every_method_is_a_row_or_asks_for_something() -> None:
    assert {one.name for one in SERVICE.methods} == {*ROWS} | OTHERS


def test_a_field_that_nothing_takes_is_named_as_it_is_loaded() -> None:
    def drop(t: object, by: object, player: int) -> None:
        """Have a player drop."""

    def take(t: object, by: object, call: int, how: str) -> None:
        """Take a call."""

    with pytest.raises(TypeError, match=r"DropPlayer out does not take \['why'\]"):
        parameters(rows.DropPlayer, drop, carrying._SENT)
    with pytest.raises(TypeError, match="TakeCall has no field 'how'"):
        parameters(rows.TakeCall, take, carrying._SENT)
