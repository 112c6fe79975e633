"""Followers get one notice for each entry, as late as they may see it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from random import Random

import httpx

from domain.record.schema.policy import Policy
from service.client.client import Client, Opened
from tests.support import serving
from tests.support.events import Event, events
from tests.support.serving import Running, play


@contextmanager
def following(
    web: str, match: str, view: str = "", after: int | None = None, **headers: str
) -> Iterator[Queue[Event | None]]:
    """The notices of a follower of a match; None: the answer has ended."""
    results: Queue[Event | None] = Queue()
    ready = threading.Event()
    client = httpx.Client(base_url=web, headers=headers, timeout=30)

    def read() -> None:
        params = {} if after is None else {"after": after}
        try:
            with client.stream("GET", f"/m/{match}{view}/follow", params=params) as answer:
                assert answer.status_code == 200, answer.status_code
                ready.set()
                for event in events(answer):
                    results.put(event)
        except (httpx.HTTPError, OSError):
            pass
        finally:
            ready.set()
            results.put(None)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    assert ready.wait(10)
    yield results
    client.close()


def upto(results: Queue[Event | None], seq: int) -> list[int]:
    """The numbers in a follower's notices, until one of them is there."""
    found = list[int]()
    while not found or found[-1] < seq:
        event = results.get(timeout=30)
        assert event is not None, found
        if event.kind:
            assert event.kind == "entry"
            assert json.loads(event.data) == {"seq": int(event.id)}
            found.append(int(event.id))
    return found


def seats(host: Client, match: Opened) -> tuple[Client, ...]:
    return tuple(map(host.with_token, match.seats))


def test_followers_get_each_entry_once(site: Running, host: Client, opened: Opened) -> None:
    begun = host.match(opened.id).entries
    with (
        following(site.web, opened.id) as fresh,
        following(site.web, opened.id, after=begun) as after,
        following(site.web, opened.id, after=1, **{"last-event-id": str(begun)}) as resumed,
        following(site.web, opened.id, after=begun - 2) as behind,
    ):
        assert upto(fresh, begun) == upto(behind, begun) == [begun]
        for _ in range(3):
            play(seats(host, opened), opened, Random(1), 1)
            now = host.match(opened.id).entries
            assert upto(fresh, now) == upto(after, now) == upto(resumed, now) == upto(behind, now)
        play(seats(host, opened), opened, Random(1))
        end = host.match(opened.id).entries
        for results in (fresh, after, resumed, behind):
            found = [
                event
                for event in iter(lambda results=results: results.get(timeout=30), None)
                if event
            ]
            numbers = [int(event.id) for event in found]
            assert numbers == sorted(numbers)
            assert (found[-1].kind, found[-1].id) == ("ended", str(end))
    with following(site.web, opened.id, after=end) as results:
        assert results.get(timeout=30) == Event("ended", str(end), f'{{"seq":{end}}}')
        assert results.get(timeout=30) is None


def test_followers_get_entries_with_their_delay(site: Running, host: Client) -> None:
    match = host.open_match(
        "toy", ["A", "B"], ["ones", "tens"], options={"turns": 4},
        policy=Policy(delay="2 decisions"),
    )  # fmt: skip
    play(seats(host, match), match, Random(1), 3)
    bearer = {"authorization": f"Bearer {match.official}"}
    with (
        following(site.web, match.id) as late,
        following(site.web, match.id, "/as/official", **bearer) as live,
        httpx.Client(base_url=site.web) as web,
    ):
        root = f"/m/{match.id}"
        for _ in range(3):
            seen, now = web.get(f"{root}/now.json").json()["seq"], host.match(match.id).entries
            assert seen < now
            assert upto(late, seen)[-1] == seen
            assert upto(live, now)[-1] == now
            assert web.get(f"{root}/at/{seen}").status_code == 200
            assert web.get(f"{root}/at/{seen + 1}").status_code == 404
            play(seats(host, match), match, Random(1), 1)
        play(seats(host, match), match, Random(1))
        end = host.match(match.id).entries
        for results in (late, live):
            kinds = [
                one.kind
                for one in iter(lambda results=results: results.get(timeout=30), None)
                if one
            ]
            assert kinds[-1] == "ended"
        assert web.get(f"{root}/at/{end}").status_code == 200


def test_following_ends_when_the_token_is_worth_nothing(
    site: Running, host: Client, opened: Opened
) -> None:
    begun = host.match(opened.id).entries
    bearer = {"authorization": f"Bearer {opened.seats[0]}"}
    with (
        following(site.web, opened.id, "/as/seat-0", begun, **bearer) as results,
        following(site.web, opened.id, after=begun) as public,
    ):
        host.withdraw_tokens(match_id=opened.id, role="seat")
        assert results.get(timeout=30) is None
        assert public.empty()


def test_following_goes_on_after_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    with serving.running(data, http_port=0) as running, running.client() as host:
        match = host.open_match("toy", ["A", "B"], ["ones", "tens"])
        begun = host.match(match.id).entries
        with following(running.web, match.id) as results:
            assert upto(results, begun) == [begun]
            assert running.stop() == 0
            assert results.get(timeout=30) is None
        repeated = serving.start(data, http_port=0)
        running.process = repeated.process
        with repeated.client() as host, following(repeated.web, match.id, after=begun) as results:
            play(seats(host, match), match, Random(1), 1)
            assert upto(results, begun + 1)[0] > begun
