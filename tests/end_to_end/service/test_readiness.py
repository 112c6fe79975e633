"""A server whose database is gone is alive, not ready, and ready again by itself."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Thread

import httpx
import pytest

from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.points import Point
from service.api.calls.faults import GONE
from service.client.connection import CallError
from service.deploy import health
from tests.support import nats, postgres, serving
from tests.support.refusals import reason, refusal
from tests.support.waiting import until


@pytest.mark.long
def test_what_is_in_memory_can_be_read_while_the_database_is_gone(
    tmp_path: Path, postgres_server: postgres.Server, postgres_url: str
) -> None:
    with (
        serving.running(tmp_path / "m.kifu", store=postgres_url, http_port=0) as running,
        running.client() as host,
    ):
        toy, other = (host.open_match("toy", ["A", "B"], ["ones", "tens"]) for _ in range(2))
        seats = [host.with_token(token) for token in toy.seats]
        last = seats[0].position(toy.id).seq
        shown = seats[0].position(toy.id, Point(seq=last))
        page = httpx.get(f"{running.web}/m/{toy.id}/at/{last}")
        postgres_server.kill()
        try:
            assert seats[0].position(toy.id, Point(seq=last)) == shown
            assert httpx.get(str(page.url)).content == page.content
            for nobody_asked in (
                lambda: seats[1].position(toy.id, Point(seq=last)),
                lambda: seats[0].position(toy.id, Point(seq=last - 1)),
                lambda: seats[0].position(toy.id),  # by now it may be another
                lambda: host.match(other.id),
                lambda: seats[0].choose(toy.id, 1, Act("pass")),
            ):
                assert reason(nobody_asked) == "STORE_GONE"
        finally:
            postgres_server.start()
        until(lambda: refusal(seats[0].choose, toy.id, 1, Act("pass"), "once") is None)
        assert seats[0].position(toy.id).seq > last


@pytest.mark.long
def test_a_database_that_is_gone_and_comes_back(
    tmp_path: Path, postgres_server: postgres.Server, postgres_url: str
) -> None:
    with serving.running(tmp_path / "m.kifu", store=postgres_url, http_port=0) as running:

        def ready(expected: str) -> None:
            seen = f"ready: {expected}"
            until(lambda: httpx.get(f"{running.web}/readyz").text.splitlines()[0] == seen)

        ready("ok")
        assert health.fault(running.address, part="store") == ""
        postgres_server.kill()
        try:
            ready("failing")
            assert httpx.get(f"{running.web}/readyz").status_code == 503
            assert httpx.get(f"{running.web}/healthz").status_code == 200
            assert health.fault(running.address) == "", "to start it anew would mend nothing"
            for part in ("store", "ready", "kifu.v1.MatchService"):
                found = health.fault(running.address, part=part)
                assert found == f"{running.address}: {part} NOT_SERVING"
        finally:
            postgres_server.start()
        ready("ok")


@pytest.mark.long
def test_a_database_that_can_only_be_read_for_a_while(tmp_path: Path, postgres_url: str) -> None:
    with (
        serving.running(tmp_path / "m.kifu", store=postgres_url, http_port=0) as running,
        running.client() as host,
    ):
        toy = host.open_match("toy", ["A", "B"], ["ones", "tens"])
        seat = host.with_token(toy.seats[0])
        with postgres.read_only(postgres_url):
            until(lambda: httpx.get(f"{running.web}/readyz").status_code == 503)
            with pytest.raises(CallError) as found:
                seat.choose(toy.id, 1, Act("pass"))
            assert (found.value.reason, found.value.after) == ("STORE_GONE", GONE)
            assert seat.match(toy.id).id == toy.id  # which only the store knows
        until(lambda: httpx.get(f"{running.web}/readyz").status_code == 200)
        assert refusal(seat.choose, toy.id, 1, Act("pass"), "once") is None


# -- two servers of one PostgreSQL: who follows on one sees what is played on the other ------------


def test_followers_on_another_server_get_all_while_nats_is_killed(
    postgres_url: str, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        carrier = stack.enter_context(nats.running(tmp_path))
        here, there = (
            stack.enter_context(
                serving.running(tmp_path / "kifu", store=postgres_url, news=carrier.url)
            )
            for _ in range(2)
        )
        organiser, follower = (stack.enter_context(one.client()) for one in (here, there))
        opened = organiser.open_match("toy", ["A", "B"], ["ones", "tens"], options={"turns": 8})
        followed = list[Entry]()
        following = Thread(target=lambda: followed.extend(follower.watch(opened.id)), daemon=True)
        following.start()
        seats = organiser.with_token(opened.seats[0]), follower.with_token(opened.seats[1])
        rng = Random(1)
        for _ in range(2):
            serving.play(seats, opened, rng, 3)
            carrier.kill()
            serving.play(seats, opened, rng, 3)
            carrier.start()
        serving.play(seats, opened, rng)
        following.join(30)
        assert followed == list(organiser.watch(opened.id))
        assert len(followed) > 50
