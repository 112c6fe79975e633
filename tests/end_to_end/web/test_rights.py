"""Everybody at every address, as the parts of the site name them: who sees what, by one table.

Whoever may not see something gets the very bytes that he gets for what there is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from domain.record.schema.policy import Policy
from service.identity import Identity, Keys, Role
from tests.end_to_end.web import everybody
from tests.support import serving
from tests.support.marks import each

WORTHLESS = {"garbage", "foreign key", "expired", "revoked"}
FOREIGN = {"seat of another", "official of another", "public of another",
           "scorekeeper of another", "official of another event"}  # fmt: skip
RUNS = {"scorekeeper", "official", "official of the event", "organiser"}
SEATS = {"seat 0", "seat 1"}
WATCH = {"public", "public of the event"}
NOBODY, LATE = {"nobody"}, {"late public"}
INSIDE = RUNS | SEATS | WATCH
DESK, IN_MATCH = RUNS - {"scorekeeper"}, {"scorekeeper", "official"}
#: Who may read the list of player 1, who has seat 0, before lists are published.
LISTS = {"seat 0", "official of the event", "organiser"}
SIGNED_IN = INSIDE | LATE | FOREIGN
ALL = INSIDE | LATE | FOREIGN | WORTHLESS | NOBODY


class Row(NamedTuple):
    """Addresses, who gets an answer there, and what all others get.

    `asks`: whoever has no token is asked to sign in, also where the site is open. `well`: the
    status of an answer.
    """

    path: str
    served: set[str]
    served_if_closed: set[str]
    otherwise: int = 404
    asks: bool = False
    well: int = 200


#: The first row that fits an address counts. Nobody is asked to sign in (401) where something is
#: served to those who did.
ROWS = [
    Row(
        r"/static/|/in$|/(health|live|ready)z$|/themes/|/$|/overlay/table/1$|/api(/openapi.json|/kifu.v1.MatchService)?$",
        ALL,
        ALL,
    ),
    Row(r"/overlay$", ALL, ALL - NOBODY),
    Row(r"/overlay/remote$", SIGNED_IN, SIGNED_IN, asks=True),
    Row(r"/overlay/[^/]*$", ALL, ALL),  # the frame, which says nothing of any match
    Row(r"/cards/", ALL, ALL),  # the catalogue is for everybody
    Row(r"/play$", {"organiser"}, {"organiser"}, otherwise=403, asks=True),
    Row(r"/play/", set(), set()),  # whoever has the link of an invitation, which there is not
    Row(r"/images/", set(), set()),
    Row(r"/me$", SIGNED_IN, SIGNED_IN),
    Row(r"/api/kifu", set(), set(), 405),
    # an event that is not named is that of the token
    Row(r"/overlay/table/1/", INSIDE | NOBODY | FOREIGN - {"official of another event"}, INSIDE),
    Row(r".*/as/official/", RUNS, RUNS),
    Row(r".*/as/seat-0/", RUNS | {"seat 0"}, RUNS | {"seat 0"}),
    Row(r".*/as/seat-1/", RUNS | {"seat 1"}, RUNS | {"seat 1"}),
    Row(r".*/as/public/|/api/feeds/", INSIDE | NOBODY, INSIDE),
    Row(r"/m/[^/]*/called.json$", ALL - WORTHLESS, INSIDE),
    Row(r"/(m|overlay)/", ALL, INSIDE),
    Row(r"/table/", RUNS, RUNS, asks=True, well=400),  # it is dealt, and not entered
    Row(r"/seat/", SEATS | RUNS, SEATS | RUNS, asks=True),
    Row(r"/e/[^/]*/players/", LISTS, LISTS),
    Row(r"/e/", INSIDE | NOBODY | FOREIGN, INSIDE),
    Row(r"/hall$", SIGNED_IN, SIGNED_IN, asks=True),  # the events that are theirs
    Row(r"/hall/", RUNS - IN_MATCH, RUNS - IN_MATCH, asks=True),
    Row(r"/desk/[^/]*/back", DESK, DESK, asks=True, well=400),  # there is nothing to go back to
    Row(r"/desk/", DESK, DESK, asks=True),
]


class Site(NamedTuple):
    web: httpx.Client
    tokens: dict[str, str]
    match: str
    event: str
    closed: bool


@pytest.fixture(scope="module", params=each(2, [True, False]), ids=["closed", "open"])
def asked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A match of an event, a match beside it, and tokens of every kind."""
    data = tmp_path_factory.mktemp("rights") / "m.kifu"
    look = {"open": not request.param}
    with serving.running(data, http_port=0, look=look) as running, running.client() as host:
        event = everybody.event_of_two(host)
        [match] = [one for one in host.list_matches() if one.id.startswith(f"{event}.")]
        other = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"]).id
        keys = Keys.at(data.with_name(data.name + "-key"))
        tokens = everybody.tokens(keys, host, match.id, other, event)
        with httpx.Client(base_url=running.web, headers={"accept": "text/html"}) as web:
            yield Site(web, tokens, match.id, event, request.param)


def ask(site: Site, path: str, who: str, method: str = "GET", **more: str) -> tuple[int, bytes]:
    """The status, and the bytes of an answer that is no stream: head and body."""
    token = site.tokens[who]
    headers = {**more, **({"authorization": f"Bearer {token}"} if token else {})}
    with site.web.stream(method, path, headers=headers) as found:
        seen = {key: value for key, value in found.headers.items() if key != "date"}
        body = b"" if "event-stream" in seen.get("content-type", "") else found.read()
        return found.status_code, repr(sorted(seen.items())).encode() + body


def here(site: Site, path: str, match: str = "") -> str:
    event = site.event if not match else match.partition(".")[0]
    return path.replace("{match}", match or site.match).replace("{event}", event)


@pytest.mark.parametrize("share", each(2, [3, 1]))
def test_everybody_gets_what_is_his(asked: Site, share: int) -> None:
    """At each address one in so many of them, others at the next."""
    wrong: list[tuple[object, ...]] = []
    nowhere = "q" * len(asked.event) + asked.match.removeprefix(asked.event)
    addresses = everybody.addresses()
    if asked.closed:  # one for each part of the site, and each view
        views = {(one.template, *re.findall("/as/[^/]+", one.path)): one for one in addresses}
        addresses = [*views.values()]
    for at, address in enumerate(addresses):
        if "GET" not in address.methods:
            continue
        row = next((one for one in ROWS if re.match(one.path, address.path)), None)
        assert row is not None, f"who may ask for {address.template}? ROWS has nothing"
        if address.template.startswith("/m/") and re.search("/(card|photo)/", address.path):
            row = row._replace(well=404)  # the match has brought none
        served = row.served_if_closed if asked.closed else row.served
        for who in [*asked.tokens][at % share :: share]:
            path = here(asked, address.path)
            status, seen = ask(asked, path, who)
            signed_out = served and who in WORTHLESS | (
                NOBODY if asked.closed or row.asks else set()
            )
            expected = {row.well} if who in served else {401} if signed_out else {row.otherwise}
            if address.path in ("/me", "/play") and who == "nobody":
                expected = {303}
            # where events are public, whoever is no player of this one is asked for his code
            to_code = address.template == "/e/{event}/me" and not asked.closed
            to_code = to_code and who not in SEATS | WORTHLESS | LATE
            if to_code:
                expected = {303}
            if who in INSIDE | NOBODY | LATE and who not in served and served and not signed_out:
                expected |= {403}  # they know that there is the match
            if status not in expected:
                wrong.append((address.path, who, status, expected))
            public = status in (row.well, 401) and (who in INSIDE or not asked.closed)
            if public or to_code or status in (403, 405):  # he knows that there is one, or may
                continue
            nothing = ask(asked, here(asked, address.path, nowhere), who)
            same = nothing[1].replace(nowhere[: len(asked.event)].encode(), asked.event.encode())
            if (status, seen) != (nothing[0], same):
                wrong.append((address.path, who, seen, same))
    assert not wrong


def test_nobody_learns_which_matches_there_are_before_he_may_know_of_them(tmp_path: Path) -> None:
    data = tmp_path / "m.kifu"
    with serving.running(data, http_port=0) as running, running.client() as host:
        event = everybody.event_of_two(host, Policy(delay="game"))
        [match] = [one.id for one in host.list_matches(event=event)]
        late = Identity(Role.PUBLIC, "late", event=event, delay="game")
        token, _ = Keys.at(data.with_name(data.name + "-key")).issue(late, 1.0)
        nowhere = match.removesuffix("1") + "7"
        paths = [one.path for one in everybody.addresses() if "{match}" in one.path]
        for part in ("entries", "positions"):
            paths += [f"/api/feeds/{{match}}/{part}?as={as_}" for as_ in ("official", "seat-0")]
        with httpx.Client(base_url=running.web, headers={"accept": "text/html"}) as web:
            site = Site(web, {"nobody": "", "late": token}, match, event, False)
            for path in paths:
                if re.match(r"/overlay/[^/]*$", path):  # the frame
                    continue
                for who in site.tokens:
                    _, seen = ask(site, here(site, path), who)
                    _, nothing = ask(site, path.format(match=nowhere, event=event), who)
                    same = nothing.replace(nowhere.encode(), match.encode())  # where to come back
                    assert seen == same, (path, who)
            for view in ({"seat": 0}, {"seat": 9}, {"public": True}):
                there, nothing_ = (
                    web.post(
                        "/api/kifu.v1.MatchService/GetPosition",
                        json={"matchId": one, "view": view},
                        headers={"authorization": f"Bearer {token}"},
                    )
                    for one in (match, nowhere)
                )
                assert (there.status_code, there.content) == (400, nothing_.content), view
