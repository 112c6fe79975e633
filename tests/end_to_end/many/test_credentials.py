"""Tokens, codes and keys of browsers are good at every server, and revoked at every server."""

from __future__ import annotations

from pathlib import Path

import httpx
from kifu.v1 import code_service_pb2 as pb

from tests.end_to_end.many.conftest import two_servers
from tests.support.refusals import reason, refusal
from tests.support.serving import Running
from tests.support.waiting import until

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
