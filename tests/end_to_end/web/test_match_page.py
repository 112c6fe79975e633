"""The page of a match as it is answered: who gets which, its links, its lines, its notices."""

from __future__ import annotations

import gzip
import html
import re
from pathlib import Path
from random import Random

import httpx
import pytest

from domain.record.schema.policy import Policy
from service.client.client import Client, Opened
from tests.support import serving
from tests.support.serving import Running, play


@pytest.fixture
def played(host: Client, opened: Opened) -> Opened:
    play(tuple(map(host.with_token, opened.seats)), opened, Random(1), 6)
    return opened


def ask(site: Running, path: str, token: str = "", **headers: str) -> httpx.Response:
    if token:
        headers["cookie"] = f"kifu={token}"
    return httpx.get(site.web + path, headers={"accept": "text/html", **headers})


def page(site: Running, path: str, token: str = "") -> str:
    found = ask(site, path, token)
    assert found.status_code == 200, found.text
    return found.text


def links(text: str) -> dict[str, str]:
    found = re.findall(r'class="step" data-step="([a-z-]+)"(?: href="([^"]+)")?', text)
    return {name: html.unescape(href) for name, href in found}


def test_every_entry_has_an_address_of_its_own(site: Running, host: Client, played: Opened) -> None:
    last = host.match(played.id).entries
    root = f"/m/{played.id}"
    newest = page(site, root)
    assert f'data-at="{last}" data-upto="{last}"' in newest
    assert links(newest)["on"] == links(newest)["entry-on"] == links(newest)["last"] == ""
    board = httpx.get(f"{site.web}{root}/at/3").text
    assert board in page(site, f"{root}?at=3")
    steps = links(page(site, f"{root}?at=3"))
    assert (steps["entry-back"], steps["entry-on"]) == (f"{root}?at=2", f"{root}?at=4")
    seen, path = [], f"{root}?at=1"
    while path:  # every decision, one after the other, to the newest entry
        seen.append(int(path.rpartition("=")[2]))
        path = links(page(site, path))["on"]
    decisions = [one.seq for one in host.decisions(played.id)]
    assert len(seen) >= len(decisions)
    assert seen == sorted(set(seen))
    assert seen[-1] == last
    for wrong in (0, last + 1, "x", "01", "9" * 30, ""):
        assert ask(site, f"{root}?at={wrong}").status_code == (200 if wrong == "" else 404)


def test_the_public_page_may_be_kept_for_a_second(site: Running, played: Opened) -> None:
    found = ask(site, f"/m/{played.id}")
    assert found.headers["cache-control"] == "public, max-age=1"
    assert "cookie" in found.headers["vary"]
    signed = ask(site, f"/m/{played.id}", played.seats[0])
    assert signed.headers["cache-control"] == "no-store"
    assert len(gzip.compress(found.content)) < 100_000


def test_views_are_offered_to_those_who_may_have_them(
    site: Running, host: Client, played: Opened
) -> None:
    root, other = f"/m/{played.id}", host.open_match("toy", ["Cleo", "Dan"], ["ones", "tens"])
    assert "?as=" not in page(site, root)
    assert "as=" not in page(site, root, other.seats[0]).partition("<main")[0]
    own = page(site, root, played.seats[1])
    assert "as=seat-1" in own
    assert "as=seat-0" not in own
    shown = page(site, f"{root}?as=seat-1", played.seats[1])
    assert f'data-base="{root}/as/seat-1"' in shown
    assert links(shown)["back"].endswith("&as=seat-1")
    everything = page(site, root, played.official)
    assert all(f"as={view}" in everything for view in ("official", "seat-0", "seat-1"))
    assert ask(site, f"{root}?as=seat-0").status_code in (401, 403, 404)
    assert ask(site, f"{root}?as=seat-0", played.seats[1]).status_code in (403, 404)
    assert ask(site, f"{root}?as=nobody").status_code == 404
    gone = ask(site, "/m/nothing")
    assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")


@pytest.mark.long
def test_lines_of_a_long_match_are_shown_around_the_entry(site: Running, host: Client) -> None:
    opened = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], options={"turns": 90})
    play(tuple(map(host.with_token, opened.seats)), opened, Random(2))
    text, seen = page(site, f"/m/{opened.id}"), list[int]()
    assert "The match is over" in text
    while True:
        shown = [int(n) for n in re.findall(r'class="line [^"]*" data-seq="(\d+)"', text)]
        assert shown
        seen = sorted({*shown, *seen})
        more = re.search(r'id="earlier"><a href="([^"]+)"', text)
        if more is None:
            break
        text = page(site, html.unescape(more[1]))
    some = httpx.get(f"{site.web}/m/{opened.id}/lines/0-1000.json").json()["lines"]
    assert {one["seq"] for one in some} == {seq for seq in seen if seq <= some[-1]["seq"]}
    assert len(seen) > 150


def test_what_was_undone_says_so(site: Running, host: Client, played: Opened) -> None:
    at = host.match(played.id).entries
    host.with_token(played.official).rewind(played.id, 2, "asked for a do-over")
    root = f"/m/{played.id}"
    undone = page(site, f"{root}?at={at}")
    assert "This was undone: entry" in undone
    assert re.search(r'class="line [^"]*undone', undone)
    assert "asked for a do-over" in undone
    now = page(site, root)
    assert 'id="undone" hidden' in now


def test_notes_on_a_match_as_a_whole(site: Running, host: Client) -> None:
    late = host.open_match(
        "toy", ["Ann", "Ben"], ["ones", "tens"], policy=Policy(delay="2 decisions")
    )
    assert ask(site, f"/m/{late.id}").status_code == 404  # nothing is released yet
    play(tuple(map(host.with_token, late.seats)), late, Random(1), 4)
    text = page(site, f"/m/{late.id}")
    assert "You see this match late, by 2 decisions." in text
    at = re.search(r'data-upto="(\d+)"', text)
    assert at
    assert int(at[1]) < host.match(late.id).entries
    assert ask(site, f"/m/{late.id}?at={host.match(late.id).entries}").status_code == 404
    waits = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], wait=True)
    assert "it begins when an official says so" in page(site, f"/m/{waits.id}")


def test_a_fork_is_shown_to_its_officials_alone(
    site: Running, host: Client, played: Opened
) -> None:
    fork, token = host.fork(played.id, 2)
    assert ask(site, f"/m/{fork}").status_code == 404
    assert ask(site, f"/m/{fork}", played.seats[0]).status_code == 404
    moved = ask(site, f"/m/{fork}", token)
    assert moved.headers["location"] == f"/m/{fork}?as=official"
    assert "This was not played" in page(site, moved.headers["location"], token)


#: What previews of links say in other languages: what that is called, where a match is played.
LINKED = (
    ("ja", "ja_JP", "テーブル7"),
    ("zh-Hans", "zh_CN", "第 7 桌"),
    ("zh-Hant", "zh_TW", "第 7 桌"),
)


def test_a_link_is_shown_with_players_and_a_board(tmp_path: Path) -> None:
    look = {"web": "https://kifu.example"}
    with serving.running(tmp_path / "m.kifu", http_port=0, look=look) as site:
        with site.client() as host:
            opened = serving.open_toy(host, labels={"event": "Cup", "table": "7"})
            serving.play(serving.seats_of(host, opened), opened, Random(1), 4)
            at = host.match(opened.id).entries
        page = httpx.get(f"{site.web}/m/{opened.id}").text
        assert '<meta property="og:title" content="Ann – Ben">' in page
        picture = f"/m/{opened.id}/at/{at}.png"
        assert f'<meta property="og:image" content="https://kifu.example{picture}">' in page
        found = httpx.get(f"{site.web}{picture}")
        assert found.headers["content-type"] == "image/png"
        for tag, locale, table in LINKED:
            there = httpx.get(f"{site.web}/m/{opened.id}?lang={tag}").text
            assert f'<meta property="og:locale" content="{locale}">' in there
            assert f'<meta property="og:description" content="Cup · {table}">' in there
            assert f'content="https://kifu.example{picture}?lang={tag}">' in there
            assert f'content="https://kifu.example/m/{opened.id}?lang={tag}">' in there
            of_its_own = httpx.get(f"{site.web}{picture}?lang={tag}")
            assert (of_its_own.status_code, "vary" in of_its_own.headers) == (200, True)
            assert "accept-language" not in of_its_own.headers["vary"]
        own = httpx.get(
            f"{site.web}/m/{opened.id}?as=seat-0",
            headers={"authorization": f"Bearer {opened.seats[0]}"},
        )
        assert "og:image" not in own.text  # nobody else could fetch it
