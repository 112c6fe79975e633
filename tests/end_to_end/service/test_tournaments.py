"""A round of four tables through servers that are killed while they open and start it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.record.decisions import Act
from domain.tournament.record import CONCEDED, Format, Outcome, Table
from domain.tournament.state import Penalty
from replay_cli.commands.keeping.verify import verify_command
from service.client.client import CallError, Client
from tests.support.serving import Running, running, start
from tests.support.waiting import until

TABLES = [Table(n, 2 * n - 1, 2 * n) for n in range(1, 5)]
OPEN, BEGIN = "service.live.matches.Matches.open", "domain.officials.beginning.begin"


def killed_in(data: Path, step: str) -> Running:
    """A server that kills itself when it does something for the third time."""
    return start(data, dies_in=[step, 3])


def entered(client: Client) -> str:
    """An event with eight players; its id."""
    event = client.open_tournament("Cup", Format("toy", mode="dealer", seconds=3000)).id
    for n in client.enter_players(event, [f"Player {n}" for n in range(1, 9)]):
        assert client.hand_in_list(event, n, ("ones", "tens")[n % 2]) == []
    assert client.accept_lists(event) == [*range(1, 9)]
    client.pair_round(event, TABLES)
    return event


def test_a_round_survives_its_server(tmp_path: Path) -> None:
    data = tmp_path / "m.kifu"
    server = killed_in(data, OPEN)
    event = entered(server.client())
    with pytest.raises(CallError):
        server.client().open_round(event, request_id="open")
    server.process.wait()
    ids = [f"{event}.r1.t{n}" for n in range(1, 5)]

    server = killed_in(data, BEGIN)
    client = server.client()
    opened = client.open_round(event, request_id="open")  # a repeat: it opens what is missing
    assert [one.match_id for one in opened.tables] == ids
    assert {one.state for one in opened.tables} <= {"opened", "nothing"}
    official = client.with_token(client.issue_tokens(ids[0]).official)
    with pytest.raises(CallError) as early:
        official.begin(ids[0])
    assert early.value.reason == "ROUND_NOT_STARTED"
    with pytest.raises(CallError):
        client.start_round(event, request_id="start")
    server.process.wait()

    with running(data) as server:
        client = server.client()
        until(lambda: not any(client.match(match).waits for match in ids))
        repeated = client.start_round(event, request_id="start")
        assert {one.state for one in repeated.tables} <= {"nothing", "carried"}
        assert [*client.end_round(event, preview=True).missing] == [1, 2, 3, 4]
        for match in ids[:3]:
            client.with_token(client.issue_tokens(match).seats[1]).interject(match, Act("concede"))
        client.report_result(event, 4, Outcome(0, 1, 0, 8))

        def outcomes() -> list[Outcome | None]:
            tables = client.get_tournament(event).rounds[0].tables
            return [table.outcome for table in tables.values()]

        won = [Outcome(1, 0, 0, n, CONCEDED) for n in (1, 3, 5)]
        until(lambda: outcomes() == [*won, Outcome(0, 1, 0, 8)])
        assert client.end_round(event).round == 1
        client.end_tournament(event)
        log = client.list_tournament_entries(event)
        assert [entry.seq for entry in log] == [*range(1, len(log) + 1)]
        stream = client.watch_tournament(event, len(log) - 1)
        assert next(stream) == log[-1]
        assert [row.points for row in client.get_standings(event).rows] == [3] * 4 + [0] * 4
        people = client.issue_event_tokens(event)
        assert client.with_token(people.public).get_tournament(event).ended
        assert len([*client.with_token(people.official).list_matches()]) == 4
        (listed,) = client.list_tournaments()
        assert (listed.event_id, listed.stage, listed.ended) == (event, "ended", True)

    found = CliRunner().invoke(verify_command, ["--offline", "--data", str(data)])
    assert found.exit_code == 0, found.output
    assert f"event {event}: exact" in found.output
    assert "4 matches and 1 event: 1 exact, 4 unverified" in found.output
    with closing(sqlite3.connect(data)) as file, file:
        file.execute("DELETE FROM tournament_entries WHERE originator_version=7")
    found = CliRunner().invoke(verify_command, ["--offline", "--data", str(data)])
    assert found.exit_code == 1
    assert "entry 7 is missing" in " ".join(found.output.split())


def test_a_penalty_survives_its_server_and_falls_once(tmp_path: Path) -> None:
    """It is killed after the penalty is recorded at the event, before it is in the match."""
    data = tmp_path / "m.kifu"
    server = start(data, dies_in=["domain.officials.rulings.penalise", 1])
    event = entered(server.client())
    server.client().open_round(event)
    server.client().start_round(event)
    given = ("game-loss", "a list that was wrong")
    with pytest.raises(CallError):
        server.client().penalise_player(event, 1, *given, request_id="p")
    server.process.wait()

    with running(data) as server:
        client = server.client()

        def penalty() -> Penalty:
            (found,) = client.get_tournament(event).penalties.values()
            return found

        until(lambda: penalty().match == f"{event}.r1.t1")
        assert client.penalise_player(event, 1, *given, request_id="p") == penalty().seq
        client.start_round(event)
        (table, *_) = client.get_tournament(event).rounds[0].tables.values()
        assert table.outcome is not None
        assert table.outcome.winner == 2
        kinds = [type(entry.event).__name__ for entry in client.list_tournament_entries(event)]
        assert (kinds.count("PlayerPenalised"), kinds.count("PenaltyCarried")) == (1, 1)
        drop = client.penalise_player(event, 3, "disqualification", "cheated")
        until(lambda: client.get_tournament(event).penalties[drop].match != "")
        assert client.get_tournament(event).players[3].dropped
    found = CliRunner().invoke(verify_command, ["--offline", "--data", str(data)])
    assert found.exit_code == 0, found.output
