"""What the page on operating news says is so: its configurations run, and news go through them."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from replay_cli.commands.running.serve import serve_command
from service.hearing import opened
from service.news import choosing
from service.news.nats import Nats, address
from service.news.news import MATCH, OK, News, Piece
from service.settings import CantServe, Settings
from service.store.records import Records
from service.telemetry.shared import NewsMetrics
from tests.support.nats import answers, program
from tests.support.ports import free_ports
from tests.unit.news.carriers import Hearer

PAGE = (Path(__file__).parents[3] / "service/deploy/NEWS.md").read_text("utf-8")


def configuration(name: str) -> str:
    """A file of the page."""
    found = re.search(rf"```sh\n(# {re.escape(name)}.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@contextmanager
def started(
    folder: Path, name: str, ports: Mapping[str, int], secrets: Mapping[str, str]
) -> Iterator[None]:
    """A nats-server with a file of the page, at other ports and with a certificate at hand."""
    text = configuration(name)
    for port, other in ports.items():
        assert f"{port}" in text
        text = text.replace(f":{port}", f":{other}")
    text = text.replace("/etc/nats/ca.pem", str(folder / "cert.pem"))
    (folder / name).write_text(text.replace("/etc/nats", str(folder)))
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            [program(), "-c", folder / name], env={**os.environ, **secrets}, stderr=log
        )
    try:
        for _ in range(500):
            if answers(ports["4222"]):
                break
            assert process.poll() is None, (folder / f"{name}.log").read_text()
            subprocess.run(["sleep", "0.01"], check=True)
        yield
    finally:
        process.kill()
        process.wait()


def test_the_configurations_of_the_page_pass_news_on(tmp_path: Path) -> None:
    certificate = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    subprocess.run(
        [*certificate.split(), "-subj", "/CN=hub", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    hub, monitor, leaves, leaf = free_ports(4)
    secrets = {"KIFU_PASSWORD": "one", "FEED_PASSWORD": "two", "LEAF_PASSWORD": "three"}
    far = {**secrets, "HUB_URL": f"tls://leaf:three@127.0.0.1:{leaves}"}

    async def test() -> None:
        hearers = [
            Hearer(Nats(address(f"tls://{user}@127.0.0.1:{port}?ca={tmp_path}/cert.pem")))
            for user, port in (("kifu:one", hub), ("kifu:one", leaf), ("feed:two", hub))
        ]
        here, there, feed = hearers
        await here.start()
        await there.start()
        there.news.follow(MATCH, "abcd.r1.t1")
        await there.hears(Piece(MATCH, "abcd.r1.t1"))
        await here.is_heard_by(there, Piece(MATCH, "abcd.r1.t1", 14))
        await feed.news.start()  # it may hear, and not tell
        await feed.until(lambda: "permissions violation" in feed.news.state)
        await asyncio.gather(*(one.news.close() for one in hearers))

    with ExitStack() as stack:
        ports = {"4222": hub, "8222": monitor, "7422": leaves}
        stack.enter_context(started(tmp_path, "hub.conf", ports, secrets))
        stack.enter_context(started(tmp_path, "leaf.conf", {"4222": leaf}, far))
        asyncio.run(asyncio.wait_for(test(), 30))


@pytest.mark.parametrize(
    ("news", "why"),
    [
        ("listen", "PostgreSQL"),
        ("http://x", "nats://HOST:PORT"),
        ("nats://x?creds=/nowhere", "/nowhere is no file"),
    ],
)
def test_a_way_that_there_is_not_is_no_way_to_serve(tmp_path: Path, news: str, why: str) -> None:
    records = Records(tmp_path / "matches.kifu")
    settings = Settings(data=tmp_path / "matches.kifu", news=news)
    with pytest.raises(CantServe, match=why):
        opened(settings, records, NewsMetrics())
    records.close()


def test_one_server_is_alone_unless_news_are_configured() -> None:
    assert type(choosing.news("", "matches.kifu", alone=True)) is News
    found = choosing.news("nats://127.0.0.1:1", "matches.kifu", alone=True)
    assert found.state != OK
    assert choosing.news("", "matches.kifu", alone=False).state == OK
    assert choosing.news("", "postgresql://127.0.0.1:1/x", alone=False).state != OK


def test_the_command_line_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    options = ["--data", str(tmp_path / "x.kifu"), "--port", "0", "--news", "carrier pigeon"]
    found = CliRunner().invoke(serve_command, options)
    assert found.exit_code
    assert "nats://HOST:PORT" in str(found.exception)
