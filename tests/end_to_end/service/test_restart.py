"""Kill -9 at any moment loses nothing that was acknowledged; a polite stop loses no stream."""

from __future__ import annotations

import contextlib
import stat
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from domain.engine.checks.verify import verify
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import ChanceDrawn
from domain.record.interventions import Rewound
from service.client.client import CallError, Client, Opened
from service.store.sqlite.lock import holder
from tests.support import serving
from tests.support.marks import each, only
from tests.support.serving import Running, open_toy, play, seats_of
from tests.support.waiting import until
from tests.toy import TOY


def test_killed_in_mid_play_it_goes_on_with_everything_it_acknowledged(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data)
    with running.client() as client:
        opened = [open_toy(client, turns=400, request_id=f"m{at}") for at in range(6)]
    for life in range(3):
        acknowledged: dict[str, int] = {}

        def keep_playing(
            match: Opened,
            running: Running = running,
            life: int = life,
            acknowledged: dict[str, int] = acknowledged,
        ) -> None:
            with running.client() as client, contextlib.suppress(CallError):
                rng, seats = Random(life), seats_of(client, match)
                while True:
                    decision = seats[0].position(match.id).decision
                    assert decision is not None
                    me = seats[decision.seats[0]]
                    offer = me.position(match.id).decision.offers[decision.seats[0]]  # type: ignore[union-attr]
                    assert offer is not None
                    act = rng.choice(offer.options).act()
                    done = me.choose(match.id, decision.n, act, f"t{decision.n}")
                    acknowledged[match.id] = done.last_seq

        with ThreadPoolExecutor(6) as pool:
            futures = [pool.submit(keep_playing, match) for match in opened]
            until(lambda: len(acknowledged) == len(opened))  # noqa: B023
            running.kill()
            for future in futures:
                future.result(20)
        running = serving.start(data)
        with running.client() as client:
            for match in opened:
                log = list(client.events(match.id))
                assert len(log) >= acknowledged.get(match.id, 1)
                assert verify(log, TOY).kind == "exact"
                decision = client.position(match.id).decision
                assert decision is not None
                assert client.match(match.id).decision == decision.n
    with running.client() as client:
        repeated = [open_toy(client, turns=400, request_id=f"m{at}") for at in range(6)]
        assert [match.id for match in repeated] == [match.id for match in opened]
        assert play(seats_of(client, opened[0]), opened[0], Random(9), most=20) == 20
    assert running.stop() == 0


#: What is done to a match, one commit each.
STEPS: list[Callable[[Client, Opened], object]] = [
    *(lambda c, m, n=n: seats_of(c, m)[n % 2].choose(m.id, n + 1, Act("pass"), f"t{n}")  # type: ignore[misc]
      for n in range(3)),
    lambda c, m: c.rewind(m.id, 2, "a mistake", request_id="back"),
    lambda c, m: c.note(m.id, "so it was", request_id="note"),
    lambda c, m: c.fork(m.id, 1, request_id="fork"),
    lambda c, m: seats_of(c, m)[0].interject(m.id, Act("concede"), "enough"),
    lambda c, m: c.correct_result(m.id, 0, (1, 0), "mixed up", request_id="result"),
    lambda c, m: c.rewind(m.id, 2, "a slip at the end", request_id="on"),
]  # fmt: skip


@pytest.mark.parametrize("dies", only([3], range(1, 12)))
def test_killed_between_a_commit_and_its_answer(tmp_path: Path, dies: int) -> None:
    """A repeated request is not carried out twice, and nothing is lost."""
    logs: list[object] = []
    for life in (0, dies):
        data = tmp_path / f"{life}.kifu"
        running = serving.start(data, dies=life)
        client, opened, deaths = running.client(), None, 0
        for step in (open_seeded, *STEPS):
            try:
                found = step(client, opened)  # type: ignore[arg-type]
            except CallError:
                deaths, running = deaths + 1, serving.start(data)
                client = running.client()
                found = step(client, opened)  # type: ignore[arg-type]
            opened = opened or found  # type: ignore[assignment]
        assert opened is not None
        log = list(client.events(opened.id))
        assert (deaths, verify(log, TOY).kind) == (bool(life), "exact")
        logs.append([(type(e.event), e.frame, e.by, e.cites) for e in log])
        assert running.stop() == 0
    assert logs[0] == logs[1]


def open_seeded(client: Client, _: Opened | None) -> Opened:
    return open_toy(client, turns=12, seed=3, request_id="open")


@pytest.mark.parametrize("times", each(2, (20, 150)))
def test_a_caller_who_hangs_up_destroys_nothing(organiser: Client, times: int) -> None:
    opened, rng = open_toy(organiser, turns=10_000), Random(times)
    seats, acknowledged = seats_of(organiser, opened), 0
    play(seats, opened, rng, most=12)
    for _ in range(times):
        hasty = Client(organiser._channel, opened.official, timeout=rng.uniform(0.0005, 0.03))
        here = organiser.match(opened.id).decision
        with contextlib.suppress(CallError):  # too late, or what it means was undone before
            acknowledged = hasty.rewind(opened.id, here - rng.randrange(1, 4), "oh").last_seq
        with contextlib.suppress(CallError):  # it was carried out just now
            play(seats, opened, rng, most=4)
        assert organiser.match(opened.id).entries >= acknowledged
    log = list(organiser.events(opened.id))
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    assert verify(log, TOY).kind == "exact"
    assert any(isinstance(entry.event, Rewound) for entry in log)
    assert play(seats, opened, rng, most=4) == 4


def test_repeats_find_their_first_answer_after_a_restart(tmp_path: Path) -> None:
    running = serving.start(tmp_path / "matches.kifu")
    with running.client() as client:
        opened = open_toy(client, request_id="open")
        seats = seats_of(client, opened)
        first = seats[0].choose(opened.id, 1, Act("pass"), "one")
        gave_up = seats[1].interject(opened.id, Act("concede"), "two")
    running.kill()
    running = serving.start(tmp_path / "matches.kifu")
    with running.client() as client:
        seats = seats_of(client, opened)
        assert open_toy(client, request_id="open").id == opened.id
        assert seats[0].choose(opened.id, 1, Act("pass"), "one") == first
        assert seats[1].interject(opened.id, Act("concede"), "two") == gave_up
        assert client.match(opened.id).entries == gave_up.last_seq
    running.stop()


@pytest.mark.long
def test_a_seeded_match_has_the_same_luck_after_a_restart(tmp_path: Path) -> None:
    logs: list[list[Entry]] = []
    for restart in (False, True):
        data = tmp_path / f"{restart}.kifu"
        running = serving.start(data, live=1)
        client = running.client()
        opened = open_toy(client, turns=60, seed=42)
        play(seats_of(client, opened), opened, Random(1), most=30)
        if restart:
            running.kill()
            running = serving.start(data, forked=False)  # with hashes of its own
            client = running.client()
        play(seats_of(client, opened), opened, Random(2))
        logs.append(list(client.events(opened.id)))
        assert verify(logs[-1], TOY).kind == "exact"
        running.stop()
    assert len(logs[0]) > 300
    luck = [[e.event for e in log if isinstance(e.event, ChanceDrawn)] for log in logs]
    assert len(luck[0]) > 1
    assert luck[0] == luck[1]


def test_a_polite_stop_drains_streams_and_leaves_a_clean_file(tmp_path: Path) -> None:
    running = serving.start(tmp_path / "matches.kifu", grace=30)
    client = running.client()
    opened = open_toy(client)
    streams = [client.watch(opened.id, patience=0) for _ in range(8)]
    for stream in streams:
        next(stream)
    started = time.monotonic()
    code = running.stop()
    assert time.monotonic() - started < 20
    assert code == 0
    for stream in streams:
        with pytest.raises(CallError) as caught:
            list(stream)
        assert caught.value.code == "UNAVAILABLE"


def test_sidecar_files_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data)
    kept = [path for path in tmp_path.iterdir() if path.name.startswith("matches.kifu")]
    ends = ("", "-key", "-token", "-log-key", "-lock", "-wal", "-shm")
    assert {path.name for path in kept} == {f"matches.kifu{end}" for end in ends}
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}
    running.stop()


def test_a_second_server_on_a_file_says_who_has_it_and_harms_nothing(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data, announce=True)
    with pytest.raises(RuntimeError, match=f"process {running.process.pid} has held it since"):
        serving.start(data)
    with running.client() as client:  # the token is still its own
        opened = open_toy(client)
        seats_of(client, opened)[0].choose(opened.id, 1, Act("pass"))
    assert (tmp_path / "matches.kifu-token").read_text().strip() == running.token
    assert str(holder(data)).endswith(f"answers at {running.address}")
    running.stop()
    assert holder(data) is None


def test_of_servers_that_start_at_once_one_serves(tmp_path: Path) -> None:
    def start(_: int) -> Running | RuntimeError:
        try:
            return serving.start(tmp_path / "matches.kifu")
        except RuntimeError as error:
            return error

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(start, range(3)))
    (running,) = (one for one in found if isinstance(one, Running))
    with running.client((tmp_path / "matches.kifu-token").read_text().strip()) as client:
        open_toy(client)
    assert running.stop() == 0


def test_idle_matches_leave_memory_and_come_back(tmp_path: Path) -> None:
    running = serving.start(tmp_path / "matches.kifu", live=5, idle=0.2)
    with running.client() as client:
        opened = [open_toy(client, turns=6) for _ in range(9)]
        for turn in range(3):
            for match in opened:
                play(seats_of(client, match), match, Random(turn), most=2)
        metrics = {metric.name: metric.value for metric in client.metrics()}
        assert metrics["kifu_live_matches"] <= 6
        until(lambda: not {one.name: one.value for one in client.metrics()}["kifu_live_matches"])
        for match in opened:
            play(seats_of(client, match), match, Random(1))
            assert verify(list(client.events(match.id)), TOY).kind == "exact"
    running.stop()
