"""Two servers of one PostgreSQL: who follows on one sees what is played on the other."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Thread

from domain.record.entries import Entry
from tests.support import nats, serving


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
