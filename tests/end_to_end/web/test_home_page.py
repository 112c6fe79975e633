"""The home page: which matches and events it tells whom of, and how they are found."""

from __future__ import annotations

import re
from pathlib import Path

import httpx

from domain.record.schema.policy import Policy
from domain.tournament.record import Format
from service.client.client import Client, Opened
from tests.support.serving import Running, running


def opened(client: Client, name: str, **more: object) -> Opened:
    table = {"event": "Cup", "round": "3", "table": "7"}
    return client.open_match(
        "toy", [name, "Ben"], ["ones", "tens"], options={"turns": 6}, labels=table, **more
    )  # type: ignore[arg-type]


def page(site: Running, path: str = "/", token: str = "") -> str:
    headers = {"accept": "text/html"} | ({"authorization": f"Bearer {token}"} if token else {})
    found = httpx.get(site.web + path, headers=headers)
    assert found.status_code == 200, found.text
    assert found.headers["cache-control"] == "no-store"
    return found.text


def listed(text: str) -> list[str]:
    return re.findall(r'class="players" href="/m/([^"]+)"', text)


def test_there_is_nothing_yet(tmp_path: Path) -> None:
    with running(tmp_path / "m.kifu", http_port=0) as site:
        assert "There are no matches yet." in page(site)


def test_matches_are_listed_with_the_delay_of_their_policies(site: Running, host: Client) -> None:
    at_once = opened(host, "Ann")
    later = opened(host, "Zoe", policy=Policy(delay="300s"))
    behind = opened(host, "Cleo", policy=Policy(delay="2 decisions"))
    for one in (at_once, behind):
        seats = [host.with_token(token) for token in one.seats]
        for _ in range(4):
            decision = host.position(one.id).decision
            assert decision is not None
            seat = decision.seats[0]
            seen = seats[seat].position(one.id).decision
            assert seen is not None
            offer = seen.offers[seat]
            assert offer is not None
            seats[seat].choose(one.id, decision.n, offer.options[0].act())
    public = page(site)
    assert at_once.id in listed(public)
    assert f"/m/{later.id}" not in public
    assert "Zoe" not in public
    assert listed(page(site, "/?q=zoe")) == []
    assert later.id in listed(page(site, token=site.token))
    found = re.search(rf'href="/m/{behind.id}".*?</li>', public, re.S)
    now = re.search(rf'href="/m/{behind.id}".*?</li>', page(site, token=site.token), re.S)
    assert found
    assert now
    assert found[0] != now[0]
    fork, _ = host.fork(at_once.id, 2)
    assert f"/m/{fork}" not in page(site)
    assert httpx.get(f"{site.web}/m/{fork}").status_code == 404


def test_matches_are_found(site: Running, host: Client) -> None:
    one, other = opened(host, "Noor"), opened(host, "Priya", wait=True)
    assert listed(page(site, "/?q=noor+cup")) == [one.id]
    assert listed(page(site, "/?q=noor&game=gundam")) == []
    assert other.id in listed(page(site, "/?state=waiting"))
    assert other.id not in listed(page(site, "/?state=live"))
    assert "it begins once round 3 has started" in page(site, "/?q=priya")
    assert "No match fits." in page(site, "/?q=nobody+has+this+name")
    assert httpx.get(site.web + "/?page=x").status_code == 400


def test_there_are_pages(site: Running, host: Client) -> None:
    made = [opened(host, f"Page {n} <i>&", wait=True).id for n in range(61)]
    for token in ("", site.token):
        first = page(site, "/?q=page", token)
        assert "Page 60 &lt;i&gt;&amp;" in first
        more = re.search(r'rel="next" href="([^"]+)"', first)
        assert more
        rest = page(site, more[1].replace("&amp;", "&"), token)
        assert sorted(listed(first) + listed(rest)) == sorted(made)
        assert len(listed(first)) == 60
        assert 'rel="next"' not in rest


def test_where_a_page_ends_says_nothing_of_what_is_not_released(tmp_path: Path) -> None:
    with running(tmp_path / "m.kifu", http_port=0) as site, site.client() as client:
        shown = [opened(client, "Old", wait=True).id]
        secret = opened(client, "Zoe", policy=Policy(delay="300s")).id
        shown += [opened(client, f"New {n}", wait=True).id for n in range(60)]
        first = page(site)
        assert f"/m/{secret}" not in first
        more = re.search(r'rel="next" href="([^"]+)"', first)
        assert more
        assert listed(page(site, more[1].replace("&amp;", "&"))) == shown[:1]


def test_what_is_ones_own_is_linked(site: Running, host: Client) -> None:
    one = opened(host, "Seated")
    event = host.open_tournament("Spring Cup", Format("toy", mode="dealer"))
    assert f'href="/seat/{one.id}"' in page(site, token=one.seats[0])
    assert f'href="/desk/{one.id}"' in page(site, token=one.official)
    assert f'href="/hall/{event.id}"' in page(site, token=site.token)
    public = page(site)
    assert "Spring Cup" in public
    assert "/hall/" not in public


def test_a_closed_site_shows_a_form_alone(tmp_path: Path) -> None:
    with running(tmp_path / "m.kifu", http_port=0, look={"open": False}) as site:
        with site.client() as client:
            one, other = opened(client, "Ann"), opened(client, "Zoe")
            client.open_tournament("Spring Cup", Format("toy", mode="dealer"))
        shut = page(site)
        assert 'name="code"' in shut
        assert "Ann" not in shut
        assert "Cup" not in shut
        seen = page(site, token=one.seats[0])
        assert listed(seen) == [one.id]
        assert f"/m/{other.id}" not in seen
        assert len(listed(page(site, token=site.token))) == 2
        found = httpx.get(site.web, headers={"cookie": "kifu=nothing", "accept": "text/html"})
        assert "Your session is over" in found.text
