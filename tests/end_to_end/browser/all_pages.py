"""Every page there is, with something on it, and whose session sees it.

A page that a part adds is missed by `test_all_pages` until it is here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from domain.games import names
from domain.tournament.record import Format, Table
from tests.end_to_end.browser.watching import open_match, play
from tests.support import browsers
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

#: Addresses that are no pages: data, parts of pages, files, and what is laid over a stream.
NO_PAGES = (
    "/api/", "/static/", "/images/", "/themes/", "/healthz", "/livez", "/readyz", "/m/{match}/",
    "/overlay/{match}", "/overlay/table/", "/play/{code}/on", "/seat/{match}/", "/table/{match}/",
    "/desk/{match}/now", "/desk/{match}/back/", "/e/{event}/follow", "/hall/{event}/follow",
    "/hall/{event}/now",
)  # fmt: skip
#: How many decisions of the matches are made: they are in the middle then.
DECISIONS = {"gundam": 90, "yugioh": 150, "battle_spirits": 60, "hollow_flux": 90}


class Shown(NamedTuple):
    """A page: what it is called, the template of its route, where it is, whose token sees it."""

    name: str
    template: str
    path: str
    token: str = ""


def made(site: Running) -> list[Shown]:
    """Every page of a site on which matches and an event are opened for that."""
    with site.client() as host:
        matches = {game: open_match(host, game) for game in names()}
        for game, opened in matches.items():
            play(host, opened, DECISIONS[game], game=game)
        event = _event(host)
        seated = host.issue_tokens(f"{event}.r1.t1")
        dealt = matches["gundam"]
        asked = host.position(dealt.id).decision
    headers = {"sec-fetch-site": "same-origin", "accept": "text/html"}
    with httpx.Client(base_url=site.web, headers=headers, cookies={"kifu": site.token}) as own:
        form = {"game": "gundam", "name": "Anna", "deck": "ST01"}
        invited = own.post("/play", data=form).headers["location"]
    seat = asked.seats[0] if asked is not None else 0
    return [
        *_for_all(dealt.id, event, invited),
        *(
            Shown(f"match-{game}", "/m/{match}", f"/m/{one.id}?at=300")
            for game, one in matches.items()
        ),
        *_for_those_of(dealt.id, dealt.seats[seat], dealt.official),
        Shown("table", "/table/{match}", f"/table/{event}.r1.t1", seated.official),
        Shown("my-event", "/e/{event}/me", f"/e/{event}/me", seated.seats[0]),
        *_for_organisers(dealt.id, event, site.token),
    ]


def _event(host: Any) -> str:
    """An event whose first round is played, with a call and a penalty."""
    event: str = host.open_tournament("Cup", Format("gundam", mode="table", seconds=3000)).id
    people = host.enter_players(event, ["Anna Lindqvist", "山田 太郎", "Cas", "Dot"])
    for player in people:
        host.hand_in_list(event, player, "ST01")
    host.accept_lists(event, people)
    host.pair_round(event, [Table(1, *people[:2]), Table(2, *people[2:])])
    host.open_round(event)
    host.start_round(event)
    host.raise_call(event, 2, "a question about something that is rather long to tell in a line")
    host.penalise_player(event, people[0], "warning", "late")
    return event


def _for_all(match: str, event: str, invited: str) -> list[Shown]:
    """Pages for who has no session."""
    return [
        Shown("home", "/", "/"),
        Shown("in", "/in", "/in"),
        Shown("fault", "/m/{match}", "/m/nothing"),
        Shown("why", "/m/{match}", f"/m/{match}?at=300&why=300"),
        Shown("event", "/e/{event}", f"/e/{event}"),
        Shown("event-screen", "/e/{event}", f"/e/{event}?screen=1"),
        Shown("results", "/e/{event}/results/{player:number}", f"/e/{event}/results/1"),
        Shown("friend", "/play/{code}", invited),
        Shown("card", "/cards/{game}/{card}", "/cards/gundam/ST01-001"),
        Shown("overlay", "/overlay", "/overlay"),
        Shown("api", "/api", "/api"),
        Shown("service", "/api/{service}", "/api/kifu.v1.MatchService"),
    ]


def _for_those_of(match: str, seat: str, official: str) -> list[Shown]:
    """Pages for people of a match."""
    return [
        Shown("seat", "/seat/{match}", f"/seat/{match}", seat),
        Shown("me", "/me", "/me", seat),
        Shown("match-official", "/m/{match}", f"/m/{match}?as=official", official),
        Shown("remote", "/overlay/remote", f"/overlay/remote?match={match}", official),
    ]


def _for_organisers(match: str, event: str, token: str) -> list[Shown]:
    """Pages for who runs the site, or an event."""
    hall = f"/hall/{event}"
    parts = ("players", "check-in", "standings", "officials", "penalties", "log")
    return [
        Shown("matches", "/", "/", token),
        Shown("play", "/play", "/play?game=gundam", token),
        Shown("halls", "/hall", "/hall", token),
        Shown("hall", "/hall/{event}", hall, token),
        Shown("hall-screen", "/hall/{event}", f"{hall}?screen=1", token),
        *(Shown(f"hall-{part}", "/hall/{event}/{part}", f"{hall}/{part}", token) for part in parts),
        Shown("list", "/hall/{event}/players/{player:number}", f"{hall}/players/1", token),
        Shown("open-list", "/e/{event}/players/{player:number}", f"/e/{event}/players/1", token),
        Shown("desk", "/desk/{match}", f"/desk/{match}", token),
        Shown("desk-table", "/desk/{match}", f"/desk/{event}.r1.t1", token),
    ]


def opened(browser: Browser, site: Running, shown: Shown, **options: Any) -> Page:
    """A page, once it has all that its scripts fetch at first."""
    page = browsers.page(browser, **options)
    if shown.token:
        cookie = {"name": "kifu", "value": shown.token, "url": site.web}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(site.web + shown.path)
    ready = {"/seat/{match}": "#ask h2", "/m/{match}": "#match[data-ready], h1:only-of-type"}
    ready["/overlay/remote"] = "#remote[data-ready]"
    if shown.template in ready:
        page.wait_for_selector(ready[shown.template], state="attached")
    return page
