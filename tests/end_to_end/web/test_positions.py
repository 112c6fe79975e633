"""Positions that never change, at addresses of their own: access, caching, and what is missing."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from google.protobuf.json_format import Parse
from kifu.v1 import match_service_pb2 as pb

from domain.record.entries import Entry
from domain.record.events import DecisionOpened
from domain.record.interventions import Looked
from domain.record.schema.policy import Policy
from service.client.client import Client, Opened
from tests.support import serving
from tests.support.serving import Running, play


@pytest.fixture
def web(site: Running) -> Any:
    with httpx.Client(base_url=site.web) as client:
        yield client


@pytest.fixture
def begun(host: Client, opened: Opened) -> Opened:
    """A toy match in which a few decisions were made."""
    play(tuple(map(host.with_token, opened.seats)), opened, Random(1), 4)
    return opened


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def last(host: Client, match: str) -> int:
    return host.match(match).entries


KINDS = ("at/{n}", "at/{n}.json", "at/{n}.png", "lines/0-{n}", "lines/0-{n}.json",
         "marks/0-{n}.json", "entry/{n}", "entry/{n}.json", "decision/2", "decision/2.json",
         "now.json")  # fmt: skip


def test_addresses_tell_what_the_calls_tell(host: Client, begun: Opened, web: httpx.Client) -> None:
    n, root = last(host, begun.id), f"/m/{begun.id}"
    official = host.with_token(begun.official)
    for view, token in (("official", begun.official), ("seat-0", begun.seats[0])):
        found = web.get(f"{root}/as/{view}/at/{n}.json", headers=bearer(token))
        asker = host.with_token(token)
        request = pb.GetPositionRequest(match_id=begun.id, at=pb.Point(seq=n))
        assert Parse(found.text, pb.GetPositionResponse()) == asker.call(
            asker.matches.GetPosition, request
        )
    now = web.get(f"{root}/now.json").json()
    assert (now["seq"], now["state"], now["decision"]) == (n, "live", 5)
    marks = web.get(f"{root}/marks/0-{n}.json").json()["marks"]
    log = list(official.events(begun.id))
    opened = [entry.seq for entry in log if isinstance(entry.event, DecisionOpened)]
    assert [one["seq"] for one in marks if one["kind"] == "decision"] == opened
    decided = web.get(f"{root}/as/official/decision/2.json", headers=bearer(begun.official)).json()
    assert sum(option["taken"] for option in decided["seats"][0]["options"]) == 1
    hidden = web.get(f"{root}/decision/2.json").json()
    assert hidden["seats"][0]["options"] is None
    assert hidden["seats"][0]["answered"] == decided["seats"][0]["answered"]
    whole = web.get(f"{root}/lines/0-{n}.json").json()["lines"]
    parts = [web.get(f"{root}/lines/{at}-{at + 1}.json").json()["lines"] for at in range(n)]
    assert [line for part in parts for line in part] == whole
    reasons = web.get(f"{root}/entry/{n - 3}.json").json()
    assert reasons["causes"][0]["seq"] == n - 3
    assert all(cite["gist"] for cause in reasons["causes"] for cite in cause["cites"])


def test_what_is_public_may_be_kept_by_all_and_the_rest_by_its_owner(
    host: Client, begun: Opened, web: httpx.Client
) -> None:
    n = last(host, begun.id)
    for kind in KINDS:
        path = kind.format(n=n - 2)
        mine = web.get(f"/m/{begun.id}/as/seat-0/{path}", headers=bearer(begun.seats[0]))
        all_ = web.get(f"/m/{begun.id}/{path}")
        assert (mine.status_code, all_.status_code) == (200, 200), path
        if path == "now.json":
            assert mine.headers["cache-control"] == all_.headers["cache-control"] == "no-store"
            continue
        assert all_.headers["cache-control"].startswith("public, ")
        assert mine.headers["cache-control"].startswith("private, ")
        assert "cookie" in mine.headers["vary"]
        assert "cookie" not in all_.headers["vary"]
        assert ("immutable" in all_.headers["cache-control"]) == ("decision" not in path)


def test_an_unchanged_answer_is_not_resent(host: Client, begun: Opened, web: httpx.Client) -> None:
    for kind in KINDS[:-1]:
        path = f"/m/{begun.id}/{kind.format(n=last(host, begun.id) - 2)}"
        plain = web.get(path, headers={"accept-encoding": "identity"})
        packed = web.get(path, headers={"accept-encoding": "gzip;q=0.5, zstd;q=0"})
        assert plain.content == packed.content
        assert "content-encoding" not in plain.headers
        assert (packed.headers.get("content-encoding") == "gzip") == (
            len(plain.content) >= 512 and not kind.endswith(".png")
        )
        for found in (plain, packed):
            tag = found.headers["etag"]
            coded = {"accept-encoding": found.headers.get("content-encoding", "identity")}
            repeated = web.get(path, headers={"if-none-match": f'"x", {tag}', **coded})
            assert (repeated.status_code, repeated.content) == (304, b"")
            assert repeated.headers["etag"] == tag
        head = web.head(path, headers={"accept-encoding": "identity"})
        assert head.content == b""
        assert head.headers["content-length"] == str(len(plain.content))
        assert web.post(path).status_code == 405
        raw = web.build_request("GET", path, headers={"accept-encoding": "gzip"})
        answer = web.send(raw, stream=True)
        data = b"".join(answer.iter_raw())
        packed_ = answer.headers.get("content-encoding") == "gzip"
        assert (gzip.decompress(data) if packed_ else data) == plain.content


WRONG = (
    "at/0", "at/{next}", "at/007", "at/-1", "at/+1", "at/1.0", "at/٣", "at/1%0a", "at/%31%20",
    "at/99999999999999999999", "at/", "at/1.json.json", "at/1.html", "at/1e0", "at/0x1",
    "at/1.png.json", "at/01.png", "at/.png", "at/{next}.png",
    "lines/0-{next}", "lines/0-{next}.json", "lines/3-3", "lines/5-3", "lines/0-1025", "lines/-1-3",
    "lines/0", "lines/0-1-2", "marks/0-{next}.json", "marks/0-1", "marks/00-1.json",
    "entry/0", "entry/{next}", "decision/0", "decision/999", "decision/-1", "follow?after=x",
    "follow?after=-1", "as/seat-9/at/1", "as/seat-0/at/1", "as/official/at/1", "as/nobody/at/1",
    "as//at/1", "as/seat-٠/at/1", "as/official/now.json", "as/official/follow", "nothing",
)  # fmt: skip


def test_missing_things_give_the_same_bytes(host: Client, begun: Opened, web: httpx.Client) -> None:
    n = last(host, begun.id)
    other = web.get("/m/nosuch/at/1")
    assert other.status_code == 404
    for path in WRONG:
        found = web.get(f"/m/{begun.id}/{path.format(next=n + 1)}")
        assert (found.status_code, found.content) == (404, other.content), path
        kept = [pair for pair in found.headers.items() if pair[0] != "date"]
        assert kept == [pair for pair in other.headers.items() if pair[0] != "date"]
        assert found.headers["cache-control"] == "no-store"
    foreign = host.open_match("toy", ["C", "D"], ["ones", "tens"])
    for token in (foreign.seats[0], foreign.official, begun.seats[1]):
        found = web.get(f"/m/{begun.id}/as/seat-0/at/1", headers=bearer(token))
        assert (found.status_code, found.content) == (404, other.content)
    assert web.get(f"/m/{begun.id}/as/seat-0/at/1", headers=bearer("x")).status_code == 401


def test_an_address_of_everybody_is_as_late_as_everybody(host: Client, web: httpx.Client) -> None:
    late = host.open_match(
        "toy", ["A", "B"], ["ones", "tens"], options={"turns": 6},
        policy=Policy(delay="2 decisions"),
    )  # fmt: skip
    play(tuple(map(host.with_token, late.seats)), late, Random(1), 4)
    n, root = last(host, late.id), f"/m/{late.id}"
    seen = web.get(f"{root}/now.json").json()
    assert (seen["late"], seen["decision"]) == ("2 decisions", 3)
    assert seen["seq"] < n
    for token in ("", late.official, late.seats[0]):
        headers = bearer(token) if token else {}
        assert web.get(f"{root}/at/{seen['seq']}", headers=headers).status_code == 200
        for kind in KINDS[:7]:
            path = f"{root}/{kind.format(n=seen['seq'] + 1)}"
            assert web.get(path, headers=headers).status_code == 404
        assert web.get(f"{root}/decision/4", headers=headers).status_code == 404
    assert web.get(f"{root}/as/official/at/{n}", headers=bearer(late.official)).is_success
    granted = host.issue_tokens(late.id, public_delay="")
    assert web.get(f"{root}/as/public/at/{n}", headers=bearer(granted.public)).is_success
    assert web.get(f"{root}/at/{n}").status_code == 404
    play(tuple(map(host.with_token, late.seats)), late, Random(1), 1)
    assert web.get(f"{root}/at/{seen['seq'] + 1}").status_code == 200


def test_an_address_says_the_same_after_a_rewind(
    host: Client, begun: Opened, web: httpx.Client
) -> None:
    n, root, official = last(host, begun.id), f"/m/{begun.id}", host.with_token(begun.official)
    paths = [f"{root}/{kind.format(n=at)}" for kind in KINDS[:7] for at in range(1, n, 5)]
    before = [web.get(path).content for path in paths]
    official.rewind(begun.id, 2, "a mistake")
    assert before == [web.get(path).content for path in paths]
    after = last(host, begun.id)
    marks = web.get(f"{root}/marks/{n}-{after}.json").json()["marks"]
    (back,) = [one for one in marks if one["kind"] == "rewind"]
    assert n < back["seq"] <= after
    assert web.get(f"{root}/decision/4.json").json()["abandoned"] == back["seq"]


def looks(log: list[Entry]) -> int:
    return sum(isinstance(entry.event, Looked) for entry in log)


def test_pages_that_fetch_ahead_are_one_look(host: Client, web: httpx.Client) -> None:
    policy = Policy(replay_evidence="rulings")
    match = host.open_match(
        "toy", ["A", "B"], ["ones", "tens"], options={"turns": 6}, policy=policy
    )
    seats = tuple(map(host.with_token, match.seats))
    public, headers = host.with_token(match.public), bearer(match.official)
    before = last(host, match.id)
    for _ in range(3):
        play(seats, match, Random(1), 1)
        for kind in KINDS:
            path = f"/m/{match.id}/as/official/{kind.format(n=before)}"
            assert web.get(path.replace("decision/2", "decision/1"), headers=headers).is_success
            web.get(f"/m/{match.id}/as/official/at/999", headers=headers)
    assert looks(list(public.events(match.id))) == 1
    web.get(f"/m/{match.id}/as/seat-1/at/3", headers=headers)
    assert looks(list(public.events(match.id))) == 2


def test_a_closed_site_shows_nobody_anything(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    with (
        serving.running(data, http_port=0, look={"open": False}) as running,
        running.client() as host,
        httpx.Client(base_url=running.web) as web,
    ):
        match = host.open_match("toy", ["A", "B"], ["ones", "tens"])
        for path in ("at/1", "now.json", "follow", "as/public/at/1"):
            assert web.get(f"/m/{match.id}/{path}").status_code == 401
            assert web.get(f"/m/nosuch/{path}").status_code == 401
        found = web.get(f"/m/{match.id}/at/1", headers=bearer(match.public))
        assert found.headers["cache-control"].startswith("private, ")
        assert host.withdraw_tokens(match_id=match.id)
        assert web.get(f"/m/{match.id}/at/1", headers=bearer(match.public)).status_code == 401
