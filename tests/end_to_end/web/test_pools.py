"""Pools and pods on the pages of an event: registered by phone, by an official; who reads what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from kifu.v1 import code_service_pb2 as pb

from domain.tournament.record import SEALED, Format, Pools
from service.client.client import Client
from service.client.connection import CallError
from tests.end_to_end.web.test_signing import post
from tests.support.serving import Running
from tests.support.web import Web

POOLS = Pools(SEALED, 4, least=5, most=60, deck=5, free=("resource",), changing=True)
POOL, DECK = "3 ST01-001\n4 ST01-005", "1 ST01-001\n4 ST01-005"


@pytest.fixture
def event(host: Client) -> str:
    """A sealed event of two players."""
    found = host.open_tournament("Sealed", Format("gundam", mode="dealer", pools=POOLS)).id
    host.enter_players(found, ["Ann", "Ben"])
    return found


@pytest.fixture
def phones(site: Running, host: Client, event: str) -> Iterator[list[httpx.Client]]:
    """A browser of each player, signed in."""
    holders = [pb.CodeHolder(role="seat", event_id=event, player=one) for one in (1, 2)]
    found = []
    for code, _ in host.issue_codes(holders):
        one = httpx.Client(base_url=site.web, headers={"accept": "text/html"})
        assert post(one, code=code, to=f"/e/{event}/me").status_code == 303
        found.append(one)
    yield found
    for one in found:
        one.close()


def test_a_player_registers_his_pool_and_builds_his_deck_from_it(
    host: Client, event: str, phones: list[httpx.Client]
) -> None:
    ann, page = phones[0], f"/e/{event}/me"
    assert "Your pool is missing." in ann.get(page).text
    assert "no pool is registered" in post(ann, f"{page}/check", cards=DECK).text
    assert "a pool has 5 to 60 cards, not 3" in post(ann, f"{page}/check", pool="3 ST01-001").text
    small = post(ann, page, pool="3 ST01-001")
    assert small.status_code == 400
    assert all(text in small.text for text in ("not 3", "3 ST01-001"))
    assert post(ann, page, pool="4 Zzzz").status_code == 400
    assert "no faults" in post(ann, f"{page}/check", pool=POOL).text
    assert post(ann, page, pool=POOL).headers["location"] == page
    assert "Your pool is registered: 7 cards." in ann.get(page).text
    more = "4 ST01-001\n3 ST01-005"
    assert (
        "4 copies of Gundam (ST01-001); 3 in the pool"
        in post(ann, f"{page}/check", cards=more).text
    )
    assert "no faults" in post(ann, f"{page}/check", cards=DECK).text
    assert post(ann, page, cards=more).status_code == 303  # with its fault, which is said
    assert "It has faults" in ann.get(page).text
    assert post(ann, page, cards=DECK).status_code == 303
    host.close_pools(event)
    assert "Pools are registered no more" in ann.get(page).text
    assert post(ann, page, pool=POOL).status_code == 400
    host.accept_lists(event)
    assert "You may change it until the next round is opened." in ann.get(page).text
    assert post(ann, page, cards=more).status_code == 400
    assert post(ann, page, cards="2 ST01-001\n4 ST01-005").status_code == 303
    assert host.get_tournament(event).players[1].accepted


@pytest.mark.parametrize(
    "text", ["1000000 ST01-001", "9999 ST01-001\n" * 400, "400 ST01-001\n" * 9]
)
def test_a_pool_beyond_measure_is_refused(
    host: Client, event: str, phones: list[httpx.Client], text: str
) -> None:
    page = f"/e/{event}/me"
    assert post(phones[0], f"{page}/check", pool=text).status_code == 200
    assert post(phones[0], page, pool=text).status_code == 400
    for cards in (["1000000 ST01-001"], ["ST01-001"] * 401, ["100 ST01-001"] * 5):
        with pytest.raises(CallError):
            host.register_pool(event, 1, {"main": cards})
    assert host.get_tournament(event).pools == {}


def test_nobody_reads_or_registers_the_pool_of_another_until_they_are_published(
    site: Running, host: Client, event: str, phones: list[httpx.Client]
) -> None:
    ann, ben = phones
    post(ann, f"/e/{event}/me", pool=POOL)

    def read_by(client: Client) -> Any:
        return client.get_tournament(event, with_lists=True).pools[1].cards

    with site.client(ben.cookies["kifu"]) as other, site.client(ann.cookies["kifu"]) as own:
        assert read_by(other) == ()
        assert len(read_by(own)) == 7
        with pytest.raises(CallError):
            other.register_pool(event, 1, {"main": ["7 ST01-001"]})
        with pytest.raises(CallError):
            other.draw_pods(event)
        kept = [one.event for one in other.list_tournament_entries(event)][-1]
        assert (kept.player, kept.cards) == (1, ())  # type: ignore[union-attr]
        assert "ST01-001" not in ben.get(f"/e/{event}/me").text.replace('="4 ST01-001"', "")
        assert host.get_tournament(event).pools[1].cards == ()  # was not asked for
        host.publish_lists(event)
        assert len(read_by(other)) == 7


def test_the_hall_draws_pods_and_registers_pools(
    site: Running, host: Client, event: str, phones: list[httpx.Client]
) -> None:
    hall = Web(site, site.token)
    assert "Without a pool:" in hall.page(f"/hall/{event}/players")
    assert hall.carry_out(f"/hall/{event}", act="pods").status_code == 200
    both = hall.page(f"/e/{event}")
    assert "Pod 1" in both
    assert "pod 1, seat 2" in hall.page(f"/e/{event}?screen=1")
    assert "On your left: Ben." in phones[0].get(f"/e/{event}/me").text
    host.enter_players(event, ["Late"])
    assert hall.carry_out(f"/hall/{event}", act="pods-late").status_code == 200
    assert len(host.get_tournament(event).pods[0]) == 3
    assert hall.carry_out(f"/hall/{event}", act="pool", player="1", cards=POOL).status_code == 200
    assert '<span class="n">3</span> Gundam' in hall.page(f"/hall/{event}/players/1")
    hall.prepare(f"/hall/{event}", 400, act="pool", player="1", cards="1 x")
    assert hall.carry_out(f"/hall/{event}", act="pool", player="1", cards="1 R-001").is_error
    for act in ("close-pools", "open-pools"):
        assert hall.carry_out(f"/hall/{event}", act=act).status_code == 200
    assert "3 players" in hall.page(f"/hall/{event}/players")
    hall.client.close()
