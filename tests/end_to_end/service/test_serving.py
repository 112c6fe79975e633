"""The server as its operator sees it: TLS, metrics, logs, ports and files that can't be used."""

from __future__ import annotations

import json
import socket
import sqlite3
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from msgspec.structs import replace

from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import GameBegan
from domain.text.transcript.write import write
from service.client.client import CallError, connect
from service.settings import EXPOSED
from service.store.layout.compression import Compression
from service.store.layout.packing import pack, runs
from tests.support import certificates, serving
from tests.support.ports import free_port
from tests.toy import TOY


def damage(data: Path, match: str) -> None:
    """Put other bytes where the first entries are stored, behind the program's back."""
    with sqlite3.connect(data) as connection:
        sql = "UPDATE stored_events SET state=x'00ff' WHERE originator_id=?"
        connection.execute(sql, (match,))


def overwrite(data: Path, match: str, log: list[Entry]) -> None:
    """Put other entries where those of a match are stored, behind the program's back."""
    with sqlite3.connect(data) as connection:
        connection.execute("DELETE FROM stored_events WHERE originator_id=?", (match,))
        for run in runs(log):
            row = (match, *pack(match, run, Compression(), 0))
            connection.execute("INSERT INTO stored_events VALUES (?,?,?,?)", row)


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for this host, and its key."""
    return certificates.made(tmp_path)


def test_over_tls(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    cert, key = map(str, certificate)
    running = serving.start(tmp_path / "matches.kifu", tls_cert=cert, tls_key=key)
    with connect(running.address, running.token, tls_root=certificate[0]) as client:
        assert client.who_am_i().role == "organiser"
        opened = client.open_match("toy", ["A", "B"], ["ones", "tens"])
        client.with_token(opened.seats[0]).choose(opened.id, 1, Act("pass"))
    with running.client() as plain, pytest.raises(CallError) as caught:
        plain.who_am_i()
    assert caught.value.code == "UNAVAILABLE"
    assert running.stop() == 0


def test_metrics_over_http_and_logs_as_json(tmp_path: Path) -> None:
    port = free_port()
    running = serving.start(tmp_path / "matches.kifu", metrics_port=port)
    with running.client() as client:
        opened = client.open_match("toy", ["A", "B"], ["ones", "tens"])
        seat = client.with_token(opened.seats[0])
        seat.choose(opened.id, 1, Act("pass"))
        with pytest.raises(CallError):
            seat.choose(opened.id, 1, Act("pass"))
        seat.interject(opened.id, Act("concede"))
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        text = answer.read().decode()
    assert 'kifu_calls_total{code="OK",method="Choose"} 1.0' in text
    assert 'kifu_refusals_total{reason="DECISION_STALE"} 1.0' in text
    assert "kifu_live_matches 1.0" in text
    assert "kifu_commit_works_count" in text
    assert running.stop() == 0
    lines = (tmp_path / "server.log").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    events = ["serving", "match opened", "match ended", "stopping", "stopped"]
    assert [line["event"] for line in found] == events
    assert found[1]["match"] == opened.id
    assert all(line["time"].endswith("Z") for line in found)
    for token in (running.token, *opened.seats):
        assert not any(token in line for line in lines)


@pytest.mark.parametrize("wrong", ["port", "key", "database"])
def test_what_it_cant_use_it_says(tmp_path: Path, wrong: str) -> None:
    data, settings = tmp_path / "matches.kifu", {}
    holder = socket.socket()
    if wrong == "port":
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        settings["port"] = holder.getsockname()[1]
    elif wrong == "key":
        (tmp_path / "matches.kifu-key").write_text("junk")
    else:
        data.write_text("this is no database " * 100)
    says = {
        "port": "CantServe: can't listen on 127.0.0.1",
        "key": "read by others",
        "database": "no file of matches, or damaged",
    }[wrong]
    with holder, pytest.raises(RuntimeError, match=says):
        serving.start(data, **settings)


def test_a_damaged_entry_is_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data)
    with running.client() as client:
        bad, good = (client.open_match("toy", ["A", "B"], ["ones", "tens"]) for _ in range(2))
    running.stop()
    damage(data, bad.id)
    running = serving.start(data)
    with running.client() as client:
        for call in (client.position, client.verify, lambda match: list(client.watch(match))):
            with pytest.raises(CallError) as caught:
                call(bad.id)
            assert caught.value.code == "DATA_LOSS"
            assert f"match {bad.id}: entries 1 to " in caught.value.text
            assert "are damaged" in caught.value.text
        with pytest.raises(CallError) as caught:
            client.with_token(bad.seats[0]).choose(bad.id, 1, Act("pass"))
        assert caught.value.code == "DATA_LOSS"
        assert client.verify(good.id).verdict == 1
        client.with_token(good.seats[0]).choose(good.id, 1, Act("pass"))
    running.stop()


def test_an_altered_entry_is_found_by_verification(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data)
    with running.client() as client:
        opened = client.open_match("toy", ["A", "B"], ["ones", "tens"])
        seats = tuple(map(client.with_token, opened.seats))
        serving.play(seats, opened, Random(1))
        assert client.verify(opened.id).verdict == 1
        log = list(client.events(opened.id))
    running.stop()
    entry = next(e for e in log if isinstance(e.event, GameBegan))
    altered = replace(entry, cites=("toy:7",))
    overwrite(data, opened.id, [altered if e is entry else e for e in log])
    running = serving.start(data)
    with running.client() as client:
        found = client.verify(opened.id)
        assert (found.verdict, found.seq) == (3, entry.seq)
    running.stop()


def test_organisers_tokens_are_revoked_and_the_new_one_is_in_its_file(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data)
    with running.client() as client:
        opened = client.open_match("toy", ["A", "B"], ["ones", "tens"])
        watched = client.watch(opened.id, patience=0)
        next(watched)
        with pytest.raises(CallError) as caught:
            client.with_token(opened.official).revoke_tokens()
        assert caught.value.code == "PERMISSION_DENIED"
        token = client.revoke_tokens()
        seat = client.with_token(opened.seats[0])
        seat.choose(opened.id, 1, Act("pass"))
        for call in (client.who_am_i, lambda: list(watched)):
            with pytest.raises(CallError) as caught:
                call()
            assert (caught.value.code, caught.value.reason) == ("UNAUTHENTICATED", "TOKEN_REVOKED")
        assert (tmp_path / "matches.kifu-token").read_text().strip() == token
        assert client.with_token(token).who_am_i().role == "organiser"
    running.stop()
    repeated = serving.start(data)
    with repeated.client(token) as client:
        assert client.match(opened.id).id == opened.id
    with connect(repeated.address, running.token) as old, pytest.raises(CallError) as caught:
        old.who_am_i()
    assert caught.value.reason == "TOKEN_REVOKED"
    repeated.stop()


def test_who_serves_others_without_tls_is_warned(tmp_path: Path) -> None:
    running = serving.start(tmp_path / "matches.kifu", host="0.0.0.0")
    running.stop()
    lines = map(json.loads, (tmp_path / "server.log").read_text().splitlines())
    assert [line["event"] for line in lines if line["level"] == "warning"] == [EXPOSED]


def slowly(door: socket.socket, address: str) -> None:
    """Accept connections after half a second each, and forward them to an address."""
    host, _, port = address.rpartition(":")

    def lead(one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)

    with suppress(OSError):
        while True:
            inner, _ = door.accept()
            time.sleep(0.5)
            outer = socket.create_connection((host, int(port)))
            for pair in ((inner, outer), (outer, inner)):
                Thread(target=lead, args=pair, daemon=True).start()


def test_a_server_that_is_far_away_or_busy_is_waited_for(tmp_path: Path) -> None:
    running = serving.start(tmp_path / "matches.kifu")
    with socket.create_server(("127.0.0.1", 0)) as door:
        Thread(target=slowly, args=(door, running.address), daemon=True).start()
        with connect(f"127.0.0.1:{door.getsockname()[1]}", running.token) as client:
            assert client.who_am_i().role == "organiser"
    running.stop()


def test_a_transcript_may_be_as_long_as_a_request(tmp_path: Path) -> None:
    """Longer than any other request, and not longer than this one may be."""
    running = serving.start(tmp_path / "matches.kifu")
    with running.client() as client:
        opened = client.open_match("toy", ["A", "B"], ["ones", "tens"], options={"turns": 6})
        seats = tuple(map(client.with_token, opened.seats))
        serving.play(seats, opened, Random(1))
        text = write(list(client.events(opened.id)), TOY)
        repeated = client.import_match(text + "\n" * 500_000)
        assert client.verify(repeated.id).verdict == 1
        with pytest.raises(CallError) as caught:
            client.import_match(text + "\n" * 5_000_000)
        assert caught.value.code == "RESOURCE_EXHAUSTED"
    running.stop()
