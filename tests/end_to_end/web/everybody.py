"""Every address there is, as the parts of the site say, and tokens of every kind.

An address that a part adds is here by itself, once `EXAMPLES` can fill in what its template has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from unittest.mock import MagicMock

from starlette.routing import BaseRoute, Mount, Route

from domain.record.schema.policy import Policy
from domain.tournament.record import Format, Table
from service.client.client import Client
from service.identity import Identity, Keys, Role
from service.web import app
from service.web.assets import digest

#: What stands for a part of a template, or for the end of one; `{match}` and `{event}` are filled
#: in by tests.
EXAMPLES = {
    "/at/{address}": ("/at/3", "/at/3.json", "/at/3.png"),
    "/lines/{address}": ("/lines/0-3", "/lines/0-3.json"),
    "/marks/{address}": ("/marks/0-3.json",),
    "/entry/{address}": ("/entry/2", "/entry/2.json"),
    "/decision/{address}": ("/decision/1", "/decision/1.json"),
    "/card/{address}": ("/card/PR-01",),
    "/photo/{address}": ("/photo/PR-01",),
    "/photo/{card}": ("/photo/PR-01",),
    "/as/{view}": ("/as/public", "/as/seat-0", "/as/seat-1", "/as/official"),
    "/table/{table:number}": ("/table/1",),
    "/{seq:number}": ("/3",),
    "/{n:number}": ("/1",),
    "/{after:number}-{upto:number}": ("/0-3",),
    "/themes/{name}": ("/themes/plain",),
    "/me/{act}": ("/me/drop", "/me/call"),
    "/players/{player:number}": ("/players/1",),
    "/results/{player:number}": ("/results/1",),
    "/hall/{event}/{part}": ("/hall/{event}/standings", "/hall/{event}/officials"),
    "/play/{code}": ("/play/nobody",),
    "/cards/{game}/{card}": ("/cards/gundam/ST01-001",),
    "/images/{game}/{card}": ("/images/gundam/ST01-001",),
    "/{service}/{method}": ("/kifu.v1.MatchService/GetMatch",),
    "/api/{service}": ("/api/kifu.v1.MatchService",),
    "/static/{digest}/{name:path}": (f"/static/{digest()}/layout/base.css",),
}
#: What templates may still have then.
LEFT = {"{match}", "{event}"}


class Address(NamedTuple):
    """An address, by which methods it is asked for, and the template of its route."""

    template: str
    path: str
    methods: frozenset[str]


def addresses() -> list[Address]:
    """Every address, with an example for each part of it."""
    found = []
    for template, methods in _templates():
        for path in _filled(template):
            unknown = {*re.findall(r"\{[^}]*\}", path)} - LEFT
            assert not unknown, f"EXAMPLES has nothing for {unknown} of {template}"
            found.append(Address(template, path, methods))
    return found


def _templates() -> Iterator[tuple[str, frozenset[str]]]:
    def below(routes: list[BaseRoute], prefix: str) -> Iterator[tuple[str, frozenset[str]]]:
        for route in routes:
            if isinstance(route, Mount):
                yield from below(route.routes, prefix + route.path)
            else:
                assert isinstance(route, Route)
                yield prefix + route.path, frozenset(route.methods or {"GET"})

    yield from below(app.routes(MagicMock()), "")


def _filled(template: str) -> list[str]:
    found = [template]
    for key, values in EXAMPLES.items():
        found = [
            path.replace(key, value)
            for path in found
            for value in (values if key in path else (key,))
        ]
    return found


def tokens(keys: Keys, host: Client, match: str, other: str, event: str) -> dict[str, str]:
    """Tokens of every kind: of a match (of an event), of another, and invalid ones."""

    def issued(role: Role, days: float = 1.0, **more: object) -> str:
        return keys.issue(Identity(role, "somebody", **more), days)[0]  # type: ignore[arg-type]

    own = {"match": match}
    gone = host.open_match("toy", ["X", "Y"], ["ones", "tens"]).official
    host.withdraw_tokens([keys.check(gone).id])
    return {
        "nobody": "",
        "garbage": "a.b.c",
        "foreign key": Keys.once().issue(Identity(Role.ORGANISER, "x"), 1.0)[0],
        "expired": issued(Role.ORGANISER, -1.0),
        "revoked": gone,
        "seat of another": issued(Role.SEAT, match=other, seat=0),
        "official of another": issued(Role.OFFICIAL, match=other),
        "public of another": issued(Role.PUBLIC, match=other),
        "scorekeeper of another": issued(Role.SCOREKEEPER, match=other),
        "official of another event": issued(Role.OFFICIAL, event="zzzzz"),
        "public": issued(Role.PUBLIC, **own),
        "late public": issued(Role.PUBLIC, delay="3600s", **own),
        "seat 0": issued(Role.SEAT, seat=0, **own),
        "seat 1": issued(Role.SEAT, seat=1, **own),
        "scorekeeper": issued(Role.SCOREKEEPER, **own),
        "official": issued(Role.OFFICIAL, **own),
        "public of the event": issued(Role.PUBLIC, event=event),
        "official of the event": issued(Role.OFFICIAL, event=event),
        "organiser": issued(Role.ORGANISER),
    }


def event_of_two(host: Client, policy: Policy | None = None) -> str:
    """An event with one match, which has begun."""
    settled = Format("toy", mode="dealer", policy=policy or Policy())
    event = host.open_tournament("Cup", settled).id
    people = host.enter_players(event, ["Ann", "Ben"])
    for player, deck in zip(people, ("ones", "tens"), strict=True):
        host.hand_in_list(event, player, deck)
    host.accept_lists(event, people)
    host.pair_round(event, [Table(1, *people)])
    host.open_round(event)
    host.start_round(event)
    return event
