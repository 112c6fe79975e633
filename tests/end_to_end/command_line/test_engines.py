"""A store that an older engine wrote, served by this one: read, and gone on with once adopted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import starmap
from pathlib import Path
from random import Random

import pytest

from domain.games import names, rulebook
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.interventions import EngineChanged
from service.client.client import CallError, Client
from tests import golden
from tests.golden import DIRECTORIES, endless, of_before
from tests.golden.write import saved
from tests.support import serving
from tests.support.marks import each
from tests.support.serving import Running, play
from tests.unit.cli.clis import run


@cache
def logs(directory: Path) -> Mapping[str, list[Entry]]:
    """The golden records of a directory, as an engine wrote them that never was."""
    return {name: of_before(log) for name, log in golden.logs(directory).items()}


@pytest.fixture(scope="module", params=each(3, DIRECTORIES), ids=lambda path: path.name)
def old(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture(scope="module")
def server(old: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("old") / "matches.kifu"
    saved(data, logs(old))
    with serving.running(data) as running:
        yield running


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[Client]:
    with server.client() as found:
        yield found


def test_everything_is_listed_and_read(client: Client, old: Path) -> None:
    listed = {match.id for match in client.list_matches(forks=True)}
    assert listed == set(logs(old))
    for name, log in logs(old).items():  # looks may be added, where the event says so
        assert list(client.events(name))[: len(log)] == log
        assert client.verify(name).verdict == (3 if endless(log) else 2)
        assert client.position(name).seq >= log[-1].seq


WAITING = [
    (path, match)
    for path in DIRECTORIES
    for name in names()
    if (match := f"{name[0]}aaaa") in logs(path)
]


@pytest.mark.parametrize(
    ("old", "match"),
    each(3, starmap(pytest.param, WAITING)),
    indirect=["old"],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_live_match_waits_until_it_is_adopted(
    client: Client, server: Running, old: Path, match: str
) -> None:
    tokens = client.issue_tokens(match)
    seats = tuple(map(client.with_token, tokens.seats))
    for call in (
        lambda: play(seats, tokens, Random(1), 1),
        lambda: seats[0].interject(match, Act("concede")),
        lambda: client.penalise(match, 0, "game-loss"),
    ):
        with pytest.raises(CallError) as refused:
            call()
        assert refused.value.reason == "ENGINE_OLDER"
    why = seats[0].why_not(match, Act("concede"))
    assert list(why.rules) == ["house:engine"]
    then = seats[0].why_not(match, Act("concede"), decision=1)
    assert (then.reason, list(then.rules)) == ("ENGINE_OLDER", ["house:hindsight", "house:engine"])
    client.note(match, "the program was renewed")
    where = ("--server", server.address, "--token", server.token, match)
    position = client.position(match)
    if not rulebook(position.heading.game).between_acts(position):
        assert "asked again" in run("desk", "adopt", *where, code=1).output
        rested = next(
            e.event.n
            for e in reversed(logs(old)[match])
            if isinstance(e.event, ev.DecisionOpened) and e.event.rest
        )
        client.rewind(match, rested, "to a point where nothing is half done")
    run("desk", "adopt", *where, "--why", "the round goes on")
    assert play(seats, tokens, Random(1), 12) == 12
    verdict = client.verify(match)
    assert verdict.verdict == 2
    assert "was reproduced" in verdict.reason
    changed = next(e for e in client.events(match) if isinstance(e.event, EngineChanged))
    assert f"played by {changed.event.engine}" in run("why", *where, changed.seq).output
    assert "!! engine.changed" in run("export", *where, "--format", "text").output
