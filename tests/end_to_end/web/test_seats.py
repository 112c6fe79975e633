"""The addresses of a seat's page: who may, what is asked, how acts are built, why not."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from domain import games
from domain.record.schema.policy import Policy
from replay_cli.playing.bots import SOMETHING
from service.client.client import Client, Opened
from tests.support.marks import each
from tests.support.serving import Running

PARTS = ("", "/choices")


class Seat:
    """A program that plays by the data of a seat's page."""

    def __init__(self, site: Running, match: str, token: str, seat: int | None = None) -> None:
        self.path, self.match = f"/seat/{match}", match
        self.query = {} if seat is None else {"seat": seat}
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(base_url=site.web, headers=headers)

    def get(self, part: str = "") -> httpx.Response:
        return self.http.get(self.path + part, params=self.query)

    def post(self, part: str, body: Any) -> httpx.Response:
        return self.http.post(self.path + part, params=self.query, json=body)

    def now(self) -> Any:
        found = self.get("/choices")
        assert found.status_code == 200, found.text
        return found.json()

    def fit(self, decision: int, option: int, picks: Any = (), closed: int = 0) -> httpx.Response:
        asking = {"decision": decision, "option": option, "picks": picks, "closed": closed}
        return self.post("/fit", asking)

    def built(self, now: Any, option: int, rng: Random) -> Any:
        """An act, any picks that are offered being taken."""
        answered = self.fit(now["decision"], option).json()
        for _ in range(200):
            if answered["done"]:
                return answered["act"]
            picks, at = answered["picks"], answered["at"]
            before = picks[:at]
            if answered["enough"] and (not answered["can"] or rng.random() < 0.5):
                answered = self.fit(now["decision"], option, picks, at + 1).json()
            elif answered["can"] and 'data-do="value"' not in answered["html"]:
                more = [*picks[at], rng.choice(answered["can"])]
                answered = self.fit(now["decision"], option, [*before, more], at).json()
            else:
                value = rng.choice(answered["can"]) if answered["can"] else SOMETHING
                answered = self.fit(now["decision"], option, [*before, [value]], at + 1).json()
        raise AssertionError(f"option {option} does not end: {answered}")

    def choose(self, now: Any, act: Any) -> httpx.Response:
        request = {"matchId": self.match, "decision": now["decision"], "act": act}
        return self.http.post("/api/kifu.v1.MatchService/Choose", json=request)


@pytest.fixture
def seats(site: Running, opened: Opened) -> list[Seat]:
    return [Seat(site, opened.id, token) for token in opened.seats]


def test_a_seat_sees_its_page_and_nobody_elses(
    site: Running, host: Client, opened: Opened, seats: list[Seat]
) -> None:
    other = host.open_match("toy", ["Cat", "Dan"], ["ones", "tens"], options={"turns": 6})
    for part in PARTS:
        assert seats[0].get(part).status_code == 200
        assert Seat(site, opened.id, opened.seats[0], 0).get(part).status_code == 200
        asked = {
            "of the other seat": (Seat(site, opened.id, opened.seats[0], 1), 403),
            "of no seat": (Seat(site, opened.id, opened.seats[0], 7), 403),
            "in another match": (Seat(site, opened.id, other.seats[0]), 404),
            "of no match": (Seat(site, "none", opened.seats[0]), 404),
            "by the public": (Seat(site, opened.id, opened.public), 403),
            "by nobody": (Seat(site, opened.id, ""), 401),
            "by no token": (Seat(site, opened.id, "x"), 401),
        }
        for case, (seat, status) in asked.items():
            assert seat.get(part).status_code == status, case


def test_nobody_learns_at_a_seat_or_a_desk_which_matches_there_are(
    site: Running, host: Client
) -> None:
    late = host.open_match("toy", ["A", "B"], ["ones", "tens"], policy=Policy(delay="300s"))
    for path in ("/seat/{}", "/seat/{}/choices", "/desk/{}", "/desk/{}/now", "/desk/{}/back/1"):
        there, nowhere = (httpx.get(site.web + path.format(one)) for one in (late.id, "q" * 5))
        assert (there.status_code, there.content) == (401, nowhere.content), path
        assert there.headers.get("content-length") == nowhere.headers.get("content-length")


def test_officials_look_on_at_a_dealt_match_and_are_offered_nothing(
    site: Running, opened: Opened
) -> None:
    official = Seat(site, opened.id, opened.official, 0)
    assert "only the seats act in a dealt match" in official.now()["html"]
    assert not official.now()["mine"]
    assert official.get().status_code == 200


def test_whoever_enters_a_real_table_names_the_seat(site: Running, host: Client) -> None:
    opened = host.open_match(
        "toy", ["Ann", "Ben"], ["ones", "tens"], options={"turns": 6}, mode="table"
    )
    asked = Seat(site, opened.id, opened.scorekeeper)
    now = asked.now()
    assert now["mine"], "without a seat it is the one to decide"
    assert not Seat(site, opened.id, opened.seats[0]).now()["mine"]
    assert "a scorekeeper enters your acts" in Seat(site, opened.id, opened.seats[0]).now()["html"]


def test_a_card_is_named_by_its_number_its_name_or_the_start_of_one(
    site: Running, host: Client
) -> None:
    decks = ["ST01", "ST02"]
    opened = host.open_match("gundam", ["Ann", "Ben"], decks, mode="table", rolls=[[0]])
    keeper = Seat(site, opened.id, opened.scorekeeper, 0)
    client = host.with_token(opened.scorekeeper)
    while not client.position(opened.id).zone("hand", 0):
        decision = client.position(opened.id).decision
        assert decision is not None
        offer = decision.offers[decision.seats[0]]
        client.choose(opened.id, decision.n, offer.options[-1].act(), seat=decision.seats[0])
    card = client.position(opened.id).zone("hand", 0)[0]

    def named(name: Any, seat: Seat = keeper) -> tuple[int, str]:
        response = seat.post("/named", {"number": card, "name": name})
        found = response.json()
        return response.status_code, found.get("card") or found["reason"]

    for text in ("ST01-005", "st01-005", "GM", " gm "):
        assert named(text) == (200, "ST01-005"), text
    assert named("guntan") == (200, "ST01-004"), "the list comes before other cards of the name"
    assert named("????") == (200, "????")
    assert named("Nobody") == (400, "CARD_UNKNOWN")
    assert named("Moebius") == named("ST04-004") == (400, "CARD_NOT_IN_LIST")
    assert named("g") == (400, "CARD_AMBIGUOUS")
    for empty in ("", " ", 7):
        assert named(empty) == (400, "FIELD_INVALID"), empty
    assert named("GM", Seat(site, opened.id, opened.seats[0]))[0] == 403
    text = keeper.post("/named", {"number": card, "name": "Nobody"}).json()["message"]
    assert text == "there is no card 'Nobody'"
    known = client.position(opened.id).cards
    assert not known[card].id, "nothing is recorded"


def test_an_open_act_is_built_like_any_other(site: Running, host: Client) -> None:
    opened = host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST02"], seed=3)
    both = [Seat(site, opened.id, token) for token in opened.seats]
    rng = Random(1)
    for _ in range(200):
        seat, now = next((one, now) for one in both if (now := one.now())["mine"])
        if 'data-ordering="yes"' in now["html"]:
            break
        option = rng.randrange(len(now["acts"]))
        act = seat.built(now, option, rng) if now["parts"][option] else now["acts"][option]
        assert seat.choose(now, act).status_code == 200
    at = int(now["html"].partition('data-ordering="yes"')[0].rpartition('data-open="')[2][0])
    asking = {
        "decision": now["decision"],
        "option": at,
        "interjects": True,
        "picks": [],
        "closed": 0,
    }
    answered = seat.post("/fit", asking).json()
    lying = answered["can"]
    while not answered["done"]:
        picks = [[*answered["picks"][0], answered["can"][-1]]]
        answered = seat.post("/fit", {**asking, "picks": picks}).json()
    assert sorted(answered["picks"][0]) == sorted(lying)
    request = {"matchId": opened.id, "act": answered["act"]}
    done = seat.http.post("/api/kifu.v1.MatchService/Interject", json=request)
    assert done.status_code == 200, done.text


def test_a_cookie_counts_for_what_a_page_of_ours_asks(site: Running, opened: Opened) -> None:
    with httpx.Client(base_url=site.web, cookies={"kifu": opened.seats[0]}) as http:
        asking = {"decision": 1, "option": 0, "picks": [], "closed": 0}
        path = f"/seat/{opened.id}/fit"
        assert http.post(path, json=asking).status_code == 401
        foreign = {"sec-fetch-site": "cross-site", "origin": "https://elsewhere.example"}
        assert http.post(path, json=asking, headers=foreign).status_code == 401
        own = {"sec-fetch-site": "same-origin"}
        assert http.post(path, json=asking, headers=own).status_code in (200, 409)


def test_what_is_no_question_is_refused(seats: list[Seat]) -> None:
    seat = next(one for one in seats if one.now()["mine"])
    n = seat.now()["decision"]
    wrong = [
        {"decision": n, "option": 99}, {"decision": n, "option": -1}, {"option": 0},
        {"decision": n, "closed": 3}, {"decision": n, "closed": -1},
        {"decision": n, "picks": [["nowhere"]]}, {"decision": n, "interjects": True, "option": 50},
        {"decision": n, "picks": [[1.5]]}, [], "x",
    ]  # fmt: skip
    for body in wrong:
        assert seat.post("/fit", body).status_code == 400, body
    stale = seat.fit(n + 1, 0)
    assert (stale.status_code, stale.json()["reason"]) == (409, "DECISION_STALE")
    assert seat.post("/why", {"act": {"kind": 7}}).status_code == 400
    large = seat.post("/fit", "x" * 40_000)
    assert (large.status_code, large.json()["reason"]) == (429, "REQUEST_TOO_LARGE")


@pytest.mark.parametrize("game", each(4, games.names()))
def test_acts_that_are_built_step_by_step_are_taken(site: Running, host: Client, game: str) -> None:
    decks = list(games.rulebook(game).decks)
    opened = host.open_match(game, ["Ann", "Ben"], [decks[0], decks[-1]], seed=3)
    both = [Seat(site, opened.id, token) for token in opened.seats]
    rng, last = Random(game), 0
    for _ in range(12):
        seat, now = next((one, now) for one in both if (now := one.now())["mine"])
        assert now["decision"] >= last
        last = now["decision"]
        option = rng.randrange(len(now["acts"]))
        act = seat.built(now, option, rng) if now["parts"][option] else now["acts"][option]
        answer = seat.choose(now, act)
        assert answer.status_code == 200, (act, answer.text)
    assert last > 1


def test_why_a_card_can_do_nothing_is_shown_with_its_rule(site: Running, host: Client) -> None:
    opened = host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST02"], seed=3)
    both = [Seat(site, opened.id, token) for token in opened.seats]
    for _ in range(20):
        seat, now = next((one, now) for one in both if (now := one.now())["mine"])
        if "main phase" in now["announced"]:
            break
        assert seat.choose(now, now["acts"][-1]).status_code == 200
    pos = host.with_token(opened.seats[both.index(seat)]).position(opened.id)
    dear = next(n for n in pos.zone("hand", both.index(seat)) if str(n) not in now["cards"])
    answered = seat.post("/why", {"card": dear}).json()
    assert answered["refused"]
    assert "gcg:" in answered["html"]
    other = both[1 - both.index(seat)]
    assert "not asked for anything" in other.post("/why", {"card": 1}).json()["html"]
    refused = seat.post("/why", {"act": {"kind": "deploy", "card": {"number": dear}}}).json()
    assert refused["refused"] == 1


def test_nothing_of_the_rival_is_in_a_seats_page(site: Running, host: Client) -> None:
    opened = host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST02"], seed=3)
    names = games.rulebook("gundam").cards
    both = [Seat(site, opened.id, token) for token in opened.seats]
    seat, now = next((one, now) for one in both if (now := one.now())["mine"])
    assert seat.choose(now, now["acts"][0]).status_code == 200
    pos = host.with_token(opened.official).position(opened.id)
    for at, token in enumerate(opened.seats):
        hidden = {names[pos.cards[n].id].name for n in pos.zone("hand", 1 - at)}
        hidden -= {names[pos.cards[n].id].name for n in pos.zone("hand", at)}
        page = Seat(site, opened.id, token)
        text = page.get().text + page.get("/choices").text
        assert hidden
        assert not [name for name in hidden if name in text]
