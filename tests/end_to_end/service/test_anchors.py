"""The log of a real server: killed at every step of a checkpoint, asked by strangers."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from domain.record.proof.anchors import findings, notes, policy, tree
from domain.record.proof.anchors.notes import Note
from service.client.client import CallError, Client
from tests.support import serving
from tests.support.anchored import archived, read_archive
from tests.support.serving import play
from tests.support.waiting import until

T = TypeVar("T")
LEDGER, FILES = "service.anchors.ledger.Ledger", "service.anchors.publishing"
#: Where the server is killed, in the order of a checkpoint: each the first time, and in mid-play.
STEPS = [
    *((f"{LEDGER}.{name}", n) for name in ("unanchored", "grow", "take") for n in (1, 3)),
    *((f"{FILES}._replace", n) for n in (1, 2, 3, 5, 6, 7)),
    *((f"{FILES}.os.replace", n) for n in (1, 3, 7)),
    *(("service.store.records.Records.commit", n) for n in (2, 3, 4, 5, 6)),
]
#: Those that are tried each time: what is signed is durable and not known yet, or half published.
QUICK = [(f"{LEDGER}.take", 3), (f"{FILES}._replace", 3)]


def play_on(client: Client, ticket: str, most: int = 4) -> None:
    """Open a match and play some of it; the server may be gone meanwhile."""
    with suppress(CallError):
        options = {"turns": 40}
        opened = client.open_match(
            "toy", ["A", "B"], ["ones", "tens"], options=options, request_id=ticket
        )
        seats = tuple(client.with_token(token) for token in opened.seats)
        for _ in range(most):
            play(seats, opened, Random(1), most=1)
            time.sleep(0.03)


def once_there(ask: Callable[[], T]) -> T:
    """The answer, once a checkpoint has it."""
    found = list[T]()

    def asked() -> list[T]:
        with suppress(CallError):
            found.append(ask())
        return found

    until(asked)
    return found[0]


def shown(directory: Path) -> list[Note]:
    """The checkpoint that a directory has, if any."""
    file = directory / "checkpoint"
    return [notes.parse(file.read_text())] if file.exists() else []


@pytest.mark.parametrize(
    ("step", "n"),
    [pytest.param(*step, marks=[] if step in QUICK else pytest.mark.long) for step in STEPS],
)
def test_killed_at_any_step_of_a_checkpoint_it_signs_nothing_else(
    tmp_path: Path, step: str, n: int
) -> None:
    data, directory = tmp_path / "m.kifu", tmp_path / "log"
    settings = {"log_dir": str(directory), "log_every": 0.02}
    found = list[Note]()
    running = serving.start(data, dies_in=[step, n], **settings)
    with running.client() as client:
        play_on(client, "first", most=60)  # until it is gone
        with suppress(CallError):
            found.append(client.checkpoint())
    assert running.process.wait(10) == -signal.SIGKILL
    found += shown(directory)
    with serving.running(data, **settings) as server, server.client() as client:
        play_on(client, "second")
        found.append(once_there(client.checkpoint))
        (key,) = client.log_keys().keys
        trusted = policy.parse(f"log {key.key}\nquorum none")
        ids = [match.id for match in client.list_matches()]
    log = read_archive(directory, trusted)
    assert {*ids} == {*log.matches}
    for note in (*found, *shown(directory)):
        judged = policy.judge(note, trusted)
        assert judged.good
        assert log.since(judged) is None
    assert archived(data, tmp_path / "copy").entries == log.entries


def test_anybody_may_ask_what_tells_nothing_of_a_match(server: serving.Running) -> None:
    with server.client() as organiser, server.client("") as anybody:
        opened = organiser.open_match("toy", ["Ann", "Ben"], ["ones", "tens"])
        ann = organiser.with_token(opened.seats[0])
        proof = once_there(lambda: ann.inclusion(opened.id))
        keys = anybody.log_keys()
        trusted = policy.parse(f"log {keys.keys[-1].key}\nquorum none")
        leaf, finding = findings.shown(proof, trusted)
        assert finding is None
        assert leaf is not None
        assert leaf.match == opened.id
        older = policy.judge(anybody.checkpoint(), trusted)
        hashes, note = anybody.consistency(older.checkpoint.size)
        assert findings.compare(older, policy.judge(note, trusted), hashes) is None
        assert older.checkpoint.root != tree.EMPTY
        with pytest.raises(CallError) as caught:
            anybody.inclusion(opened.id)
        assert caught.value.reason == "TOKEN_MISSING"
        with pytest.raises(CallError) as caught:
            anybody.consistency(1 << 40)
        assert caught.value.reason == "LOG_SMALLER"
        with pytest.raises(CallError) as caught:
            ann.inclusion("somebody-elses")
        assert caught.value.reason == "MATCH_FOREIGN"
