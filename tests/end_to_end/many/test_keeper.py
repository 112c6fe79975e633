"""The server that keeps the log of heads is paused: another takes over, without contradiction."""

from __future__ import annotations

import os
import shutil
import signal
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import httpx
import pytest
from kifu.v1 import code_service_pb2 as pb

from domain.record.proof.anchors import tree
from service.anchors.ledger import Ledger
from service.client.client import CallError, Client, Opened
from service.store.postgres import terms
from service.store.records import Records
from tests.end_to_end.many.conftest import two_servers
from tests.support import postgres, serving
from tests.support.refusals import reason, refusal
from tests.support.serving import Running
from tests.support.waiting import until

pytestmark = pytest.mark.long


def test_a_keeper_that_stands_still_is_followed_by_another(
    postgres_server: postgres.Server, tmp_path: Path
) -> None:
    url = postgres_server.database()
    with ExitStack() as stack:
        servers = []
        for name in "ab":
            data = tmp_path / name / "m.kifu"
            data.parent.mkdir()
            for file in ("m.kifu-key", "m.kifu-log-key") if servers else ():
                shutil.copy(tmp_path / "a" / file, data.with_name(file))
            servers.append(serving.start(data, store=url, log_every=1))
            stack.callback(servers[-1].kill)
        clients = [stack.enter_context(one.client()) for one in servers]
        keeper = _keeper(clients)
        other = 1 - keeper
        _played(clients[keeper])
        os.kill(servers[keeper].process.pid, signal.SIGSTOP)
        try:
            begun, opened = time.monotonic(), _played(clients[other])
            _until_anchored(clients[other], opened)
            taken = time.monotonic() - begun
        finally:
            os.kill(servers[keeper].process.pid, signal.SIGCONT)
        print(f"taken over after {taken:.1f} s; the database waits for {terms.LAPSE} s")
        assert clients[other].describe().keeps_log
        for client in (clients[keeper], clients[other], clients[keeper]):
            _until_anchored(clients[other], _played(client))
        until(lambda: [one.describe().keeps_log for one in clients].count(True) == 1, 90)
    records = Records(url, reading=True)
    try:
        _consistent(records)
    finally:
        records.close()


def _keeper(clients: list[Client]) -> int:
    """Which of them keeps it up, as soon as one does."""
    until(lambda: any(one.describe().keeps_log for one in clients), 90)
    return [one.describe().keeps_log for one in clients].index(True)


def _played(client: Client) -> Opened:
    opened = client.open_match("toy", ["A", "B"], ["ones", "tens"], options={"turns": 2}, seed=1)
    seats = client.with_token(opened.seats[0]), client.with_token(opened.seats[1])
    serving.play(seats, opened, Random(1))
    return opened


def _until_anchored(client: Client, opened: Opened) -> None:
    """Its end is under a checkpoint."""
    last = len(list(client.events(opened.id)))

    def anchored() -> bool:
        with suppress(CallError):
            return client.inclusion(opened.id).parsed.count >= last
        return False

    until(anchored, 90)


def _consistent(records: Records) -> None:
    """Every checkpoint that was ever signed is one of the same log."""
    ledger = Ledger(records)
    ledger.load()
    newest = ledger.newest
    assert newest is not None
    signed = [*ledger.newest_first(1000)]
    assert [one.number for one in signed] == [*range(len(signed), 0, -1)]
    for one in signed:
        old, now = one.checkpoint, newest.checkpoint
        proof = ledger.consistency(old.size, newest)
        assert tree.consistent(old.size, old.root, now.size, now.root, proof)


# -- tokens, codes and keys of browsers are good at every server, and revoked at every server ------


Servers = tuple[Running, Running]


def test_a_token_that_one_server_revokes_is_refused_by_the_other(servers: Servers) -> None:
    a, b = servers
    with a.client() as host, b.client() as there:
        match = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"])
        seat = there.with_token(match.seats[0])
        assert seat.position(match.id).seq
        assert host.withdraw_tokens(match_id=match.id, seat=0) == 1
        until(lambda: refusal(seat.position, match.id) == "TOKEN_REVOKED")
        assert there.with_token(match.seats[1]).position(match.id).seq


def test_a_code_that_is_good_once_is_so_at_whichever_server(servers: Servers) -> None:
    a, b = servers
    with a.client() as host, a.client("") as here, b.client("") as there:
        match = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"]).id
        [(code, _)] = host.issue_codes(
            [pb.CodeHolder(role="seat", match_id=match, seat=1)], once=True
        )
        assert there.exchange_code(code).token
        assert reason(here.exchange_code, code) == "CODE_INVALID"
        assert reason(there.exchange_code, code) == "CODE_INVALID"


def test_the_organiser_is_let_in_once_by_whichever_server(servers: Servers) -> None:
    a, b = servers
    key = a.entrance.partition("#")[2]
    statuses = []
    for server in (b, a):
        with httpx.Client(base_url=server.web, headers={"accept": "text/html"}) as browser:
            origin = {"origin": server.web}
            statuses.append(browser.post("/in", data={"code": key}, headers=origin).status_code)
    assert statuses == [303, 401]


def test_all_tokens_of_organisers_are_revoked_everywhere(postgres_url: str, tmp_path: Path) -> None:
    with two_servers(postgres_url, tmp_path) as (a, b), a.client() as host, b.client() as there:
        fresh = host.revoke_tokens()
        until(lambda: refusal(there.list_matches) == "TOKEN_REVOKED")
        assert there.with_token(fresh).who_am_i().role == "organiser"
