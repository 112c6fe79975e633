"""Chance from the seeds of all, through the real server: joined, killed, opened, audited."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from domain.engine.checks.chance import PROVEN, UNPROVEN, audit
from domain.engine.checks.verify import verify
from domain.record.entries import Entry
from domain.record.interventions import MatchBegan, SeedCommitted, SeedGiven, SeedsOpened
from domain.record.proof import draws
from domain.record.views import OFFICIAL, PUBLIC, position
from service.client.client import Client, Opened
from service.store.records import Records
from service.store.tables import seeds
from tests.support.refusals import reason
from tests.support.seeds import seed_of
from tests.support.serving import Running, play, start
from tests.toy import TOY

PEOPLE = ("toy", ["Ann", "Ben"], ["ones", "tens"])


def opened(organiser: Client, **more: object) -> Opened:
    return organiser.open_match(*PEOPLE, chance="shared", **more)  # type: ignore[arg-type]


def seated(organiser: Client, match: Opened) -> tuple[Client, ...]:
    return tuple(map(organiser.with_token, match.seats))


def joined(organiser: Client, match: Opened) -> tuple[Client, ...]:
    """Both seats, once the match has begun."""
    clients = seated(organiser, match)
    for one in [client.join(match.id) for client in clients]:
        assert one.wait(20)
    return clients


def only(log: list[Entry], *kinds: type) -> list[Entry]:
    return [e for e in log if isinstance(e.event, kinds)]


def test_clients_share_chance_by_themselves_and_everything_is_derived(organiser: Client) -> None:
    match = opened(organiser)
    found = organiser.match(match.id)
    assert (found.state, found.waits, found.chance) == (3, "seeds", "shared")
    clients = seated(organiser, match)
    parts = [client.join(match.id) for client in clients]
    assert all(part.wait(20) for part in parts)
    play(clients, match, Random(3))
    log = list(organiser.events(match.id))
    (end,) = only(log, SeedsOpened)
    assert end == log[-1]
    assert end.event.seats == tuple(part.seed for part in parts)  # type: ignore[union-attr]
    for seat, part in enumerate(parts):
        assert audit(log, (seat, part.seed)).verdict == PROVEN
    assert verify(log, TOY).kind == "exact"
    assert organiser.verify(match.id).verdict == 1
    for viewer, client in {PUBLIC: organiser, 0: clients[0], OFFICIAL: organiser}.items():
        view = None if viewer == 0 else viewer
        if viewer != OFFICIAL:
            assert client.position(match.id, view=view) == position(log, viewer)
    assert list(organiser.with_token(match.public).watch(match.id))[-1].event == end.event


def test_no_seed_is_revealed_before_the_end(organiser: Client) -> None:
    match = opened(organiser)
    ann, ben = joined(organiser, match)
    log = list(organiser.events(match.id))
    own = {e.event.seat: e.event.seed.value for e in only(log, SeedGiven)}  # type: ignore[union-attr]
    for seat, client in enumerate((ann, ben)):
        found = repr([*client.events(match.id)]) + repr(client.position(match.id).heading)
        assert repr(own[seat]) in found
        assert repr(own[1 - seat]) not in found
    fork, token = organiser.fork(match.id, 1)
    assert not only([*organiser.with_token(token).events(fork)], SeedsOpened)
    play((ann, ben), match, Random(8))
    assert audit([*organiser.events(match.id)]).verdict == PROVEN
    forked = audit([*organiser.events(fork)])
    assert {claim.kind for claim in forked.claims} == {"fork"}


def test_seats_that_give_nothing_are_named_by_the_official_who_begins(organiser: Client) -> None:
    match = opened(organiser)
    judge, (ann, ben) = organiser.with_token(match.official), seated(organiser, match)
    part = ann.join(match.id)
    assert not part.wait(0.3)
    judge.begin(match.id, "Ben has another client")
    assert part.wait(20)
    assert reason(ben.commit_seed, match.id, b"x" * 32) == "MATCH_BEGUN"
    assert ben.join(match.id).wait(20)  # there is nothing left to give
    play((ann, ben), match, Random(4))
    log = list(organiser.events(match.id))
    assert [e.event.without for e in only(log, MatchBegan)] == [((1, "silent"),)]  # type: ignore[union-attr]
    found = audit(log)
    assert found.verdict == UNPROVEN
    assert found.derived == found.draws > 0


def test_hostile_and_clumsy_seats(organiser: Client) -> None:
    match = opened(organiser)
    ann, ben = seated(organiser, match)
    service = organiser.position(match.id).heading.commitment
    mine = draws.of_seat(service, 0, seed_of("ann"))
    assert ann.commit_seed(match.id, mine) > 0
    assert ann.commit_seed(match.id, mine) == 0
    assert reason(ann.commit_seed, match.id, b"short") == "BAD_SEED"
    assert reason(ann.give_seed, match.id, seed_of("ann")) == "SEED_EARLY"
    assert ben.commit_seed(match.id, mine) > 0  # a copy of hers
    assert ann.give_seed(match.id, seed_of("ann")) > 0
    assert reason(ben.give_seed, match.id, seed_of("ann")) == "BAD_SEED"
    assert reason(ben.commit_seed, match.id, b"y" * 32) == "SEED_LATE"
    assert reason(organiser.give_seed, match.id, seed_of("ann")) == "ROLE_REQUIRED"
    organiser.with_token(match.official).begin(match.id)
    log = list(organiser.events(match.id))
    assert [e.event.without for e in only(log, MatchBegan)] == [((1, "misfit"),)]  # type: ignore[union-attr]
    system = organiser.open_match(*PEOPLE)
    assert (
        reason(organiser.with_token(system.seats[0]).commit_seed, system.id, mine) == "NOT_SHARED"
    )


@pytest.mark.parametrize(
    "steps",
    [range(5), *(pytest.param((step,), marks=pytest.mark.long) for step in range(5))],
    ids=str,
)
def test_a_server_that_is_killed_goes_on_with_the_seeds_it_had(
    tmp_path: Path, steps: Sequence[int]
) -> None:
    data = tmp_path / "kifu.db"
    server = start(data)
    match = opened(server.client())
    service = server.client().position(match.id).heading.commitment

    def restarted(running: Running, at: int) -> Running:
        if at not in steps:
            return running
        running.kill()
        return start(data)

    for at, seat in enumerate((0, 1)):
        server = restarted(server, at)
        client = server.client(match.seats[seat])
        client.commit_seed(match.id, draws.of_seat(service, seat, seed_of(seat)))
    for at, seat in enumerate((1, 0), 2):
        server = restarted(server, at)
        server.client(match.seats[seat]).give_seed(match.id, seed_of(seat))
    server = restarted(server, 4)
    organiser = server.client()
    clients = tuple(server.client(token) for token in match.seats)
    play(clients, match, Random(5))
    log = list(organiser.events(match.id))
    assert audit(log).verdict == PROVEN
    assert len(only(log, SeedCommitted, SeedGiven)) == 4
    server.kill()
    records = Records(data)
    assert seeds.find(records, match.id) is None
    records.close()


def test_a_service_that_has_lost_its_seed_says_so_at_the_end(tmp_path: Path) -> None:
    data = tmp_path / "kifu.db"
    server = start(data)
    match = opened(server.client())
    joined(server.client(), match)
    server.kill()
    with closing(sqlite3.connect(data)) as file:
        file.execute("UPDATE seeds SET seed=?", (b"z" * 32,))
        file.commit()
    server = start(data)
    organiser = server.client()
    play(seated(organiser, match), match, Random(6))
    log = list(organiser.events(match.id))
    assert [e.event.service for e in only(log, SeedsOpened)] == [b""]  # type: ignore[union-attr]
    assert {claim.kind for claim in audit(log).claims} == {"lost"}
    server.kill()


def test_both_seats_at_once_in_many_matches(organiser: Client) -> None:
    matches = [opened(organiser) for _ in range(6)]
    parts = []

    def join(match: Opened, seat: int) -> None:
        parts.append(organiser.with_token(match.seats[seat]).join(match.id))

    threads = [Thread(target=join, args=(match, seat)) for match in matches for seat in (1, 0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(part.wait(20) for part in parts)
    for match in matches:
        assert organiser.match(match.id).state == 1


def test_a_match_of_an_event_takes_seeds_while_it_waits_for_its_round(organiser: Client) -> None:
    match = opened(organiser, wait=True)
    parts = [client.join(match.id) for client in seated(organiser, match)]
    assert not parts[0].wait(0.5)
    assert organiser.match(match.id).waits == "official"
    assert organiser.with_token(match.official).begin(match.id).decision == 1
    assert all(part.wait(20) for part in parts)
    (began,) = only([*organiser.events(match.id)], MatchBegan)
    assert began.event.without == ()  # type: ignore[union-attr]
