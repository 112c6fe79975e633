"""The table's page by its addresses: what is tapped is recorded, once, as it was read."""

from __future__ import annotations

import json
import re
import uuid
from html import unescape
from typing import Any

import httpx
import pytest

from domain.record import events as ev
from domain.record.entries import active
from domain.record.interventions import Irregularity, ShuffleWitnessed
from service.client.client import Client, Opened
from tests.support.serving import Running


class Phone:
    """A scorekeeper's page, without a browser."""

    def __init__(self, site: Running, match: str, token: str) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(base_url=f"{site.web}/table/{match}", headers=headers)
        self.seq = 0

    def now(self) -> Any:
        return self._taken(self.http.get("/now"))

    def line(self, **asked: Any) -> str:
        """What something means, as it is drawn."""
        found = self.http.post("/line", json=asked)
        assert found.status_code == 200, found.text
        return str(found.json()["html"])

    def post(self, **tap: Any) -> httpx.Response:
        return self.http.post("/tap", json={"id": uuid.uuid4().hex, "seq": self.seq, **tap})

    def tap(self, line: str = "", text: str = "", **more: Any) -> Any:
        return self._taken(self.post(line=line, text=text, **more))

    def _taken(self, found: httpx.Response) -> Any:
        assert found.status_code == 200, found.text
        self.seq = found.json()["seq"]
        return found.json()


def texts(html: str) -> list[str]:
    """The acts that may be tapped."""
    return [unescape(text) for text in re.findall(r'data-text="([^"]*)"', html)]


@pytest.fixture
def opened(host: Client) -> Opened:
    return host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", rolls=[(0,)])


@pytest.fixture
def phone(site: Running, opened: Opened) -> Phone:
    found = Phone(site, opened.id, opened.scorekeeper)
    for line in ("first", "A: keep", "B: keep"):
        found.now()
        assert not {"refused", "asked"} & found.tap(line).keys()
    return found


def answers(host: Client, match: str) -> list[tuple[int, str, str]]:
    made = (one.event for one in active(list(host.events(match))))
    return [(one.seat, one.origin, one.ticket.value or "") for one in made
            if isinstance(one, ev.DecisionMade)]  # fmt: skip


def test_the_big_button_is_what_enter_does_and_passes_are_inferred(
    phone: Phone, host: Client, opened: Opened
) -> None:
    [end] = texts(phone.now()["html"]["dock"])
    assert end == "end"
    now = phone.tap("A: end", end)
    assert "Take back" not in now["undo"]
    assert now["undo"] == "A ends the main phase"
    assert "2 passes, then end" in texts(now["html"]["dock"]), "Ben's own end, two passes ahead"
    phone.tap("B: end", "2 passes, then end")
    assert [origin for *_, origin, _ in answers(host, opened.id)][-3:] == ["implied"] * 2 + ["seat"]


def test_an_unseen_card_is_named_by_the_tap_that_plays_it(
    phone: Phone, host: Client, opened: Opened
) -> None:
    phone.tap("A: end")
    hand = phone.line(place="hand/1")
    named = re.search(r'data-named="([^"]+)" data-number="(\d+)">Gaza', hand)
    assert named, hand
    meant = phone.line(card=int(named[2]), named=named[1])
    [deploy] = texts(meant)
    assert deploy.endswith("deploy Gaza D (Sleeves)")
    phone.tap("B: deploy gaza", deploy)
    assert "Gaza D" in phone.now()["html"]["board"]
    phone.tap("B: end")
    phone.tap("A: end")
    further = [text for text in texts(phone.line(place="hand/1")) if "deploy" in text]
    assert len(further) > 1, "units are deployed, as has been seen"


def test_a_tap_is_recorded_once_however_often_it_is_sent(
    phone: Phone, host: Client, opened: Opened
) -> None:
    before = len(answers(host, opened.id))

    def made() -> list[int]:
        found = answers(host, opened.id)[before:]
        return [seat for seat, origin, _ in found if origin == "seat"]

    ids, seq = [uuid.uuid4().hex for _ in range(3)], phone.seq
    for at, line in ((0, "A: end"), (0, "A: end"), (1, "B: end"), (0, "A: end")):
        found = phone.post(id=ids[at], seq=seq, line=line, text="end")
        assert found.status_code == 200, found.text
        assert "refused" not in found.json()
    assert made() == [0, 1]
    phone.now()
    for _ in range(2):
        assert phone.post(id=ids[2], act="undo").status_code == 200
    assert made() == [0]


def test_what_the_rules_refuse_is_recorded_on_an_officials_word_only(
    site: Running, phone: Phone, host: Client, opened: Opened
) -> None:
    found = phone.tap("A: deploy guntank")
    assert "gcg:2-8-1" in found["refused"]
    assert "data-anyway" not in found["refused"]
    official = Phone(site, opened.id, opened.official)
    official.now()
    assert "data-anyway" in official.tap("A: deploy guntank")["refused"]
    assert "refused" not in official.tap("A: deploy guntank", anyway=True)
    flags = [one.event for one in host.events(opened.id) if isinstance(one.event, Irregularity)]
    assert [one.rule for one in flags] == ["gcg:2-8-1"]


def test_a_line_means_what_it_means_in_the_terminal(phone: Phone) -> None:
    assert "gcg:2-8-1" in phone.line(typed="d gunt")
    assert "no &#39;xyzzy&#39; here" in phone.line(typed="xyzzy")
    assert texts(phone.line(typed="e"))[0] == "end"
    assert "loses the game" in phone.tap("B: concede")["unsure"]
    assert phone.tap("B: concede", sure=True)["over"]


def test_a_card_that_must_be_named_is_asked_for(phone: Phone) -> None:
    phone.tap("A: end")
    asked = phone.tap("B: deploy ????")["asked"]
    assert "B&#39;s Hand: which card?" in asked
    assert "nobody noted it" in asked
    number = int(re.search(r'data-naming="(\d+)"', asked)[1])  # type: ignore[index]
    found = phone.line(naming=number, typed="gaz")
    card = re.search(r'data-answer="([^"]*)">Gaza', found)
    assert card, found
    names = json.loads(unescape(card[1]))["names"]
    assert "Gaza D" in phone.tap("B: deploy ????", names=names)["html"]["board"]


def test_a_match_that_waits_is_begun_here(site: Running, host: Client) -> None:
    opened = host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", wait=True)
    phone = Phone(site, opened.id, opened.scorekeeper)
    assert 'data-act="begin"' in phone.now()["html"]["dock"]
    assert "who won the roll" in phone.tap(act="begin")["asked"]
    found = phone.tap(act="begin", rolls=[[1]])
    assert "first" in texts(found["html"]["dock"])


def test_only_who_keeps_the_score_comes_here(site: Running, host: Client, opened: Opened) -> None:
    for token, status in (
        (opened.scorekeeper, 200), (opened.official, 200), (site.token, 200),
        (opened.seats[0], 403), (opened.public, 403), ("", 401),
    ):  # fmt: skip
        phone = Phone(site, opened.id, token)
        page = httpx.get(f"{site.web}/table/{opened.id}", headers=phone.http.headers)
        for found in (page, phone.http.get("/now"), phone.post(line="first")):
            assert found.status_code == status, (token, found.text)


def test_what_is_no_tap_is_refused(site: Running, opened: Opened) -> None:
    phone = Phone(site, opened.id, opened.scorekeeper)
    for body in (
        {"id": "x"}, {"id": "0" * 8, "act": "nuke"}, {"id": "0" * 8, "more": 1}, [], "x",
        {"id": "0" * 8, "names": {"x": "y"}}, {"id": "0" * 65},
    ):  # fmt: skip
        assert phone.http.post("/tap", json=body).status_code == 400, body
    assert phone.http.post("/line", json={"typed": 7}).status_code == 400
    for path, name in (("/line", "typed"), ("/tap", "line")):
        many = {name: "a " * 500, **({"id": "0" * 8} if path == "/tap" else {})}
        assert phone.http.post(path, json=many).status_code == 400
    assert phone.http.post("/tap", content=b"x" * 20_000).status_code == 429
    with httpx.Client(base_url=site.web, cookies={"kifu": opened.scorekeeper}) as http:
        tap = {"id": uuid.uuid4().hex, "line": "first"}
        assert http.post(f"/table/{opened.id}/tap", json=tap).status_code == 401
        foreign = {"sec-fetch-site": "cross-site", "origin": "https://elsewhere.example"}
        assert http.post(f"/table/{opened.id}/tap", json=tap, headers=foreign).status_code == 401


def test_undo_takes_back_what_it_names(phone: Phone, host: Client, opened: Opened) -> None:
    phone.tap("A: end")
    before = len(answers(host, opened.id))
    assert phone.tap("B: end")["undo"] == "B ends the main phase"
    now = phone.tap(act="undo")
    assert [(seat, origin) for seat, origin, _ in answers(host, opened.id)[before:]] == [
        (1, "implied"), (0, "implied"),
    ]  # fmt: skip
    assert now["undo"] == "A passes"


def test_what_is_no_act_of_a_player_is_written_down_too(
    phone: Phone, host: Client, opened: Opened
) -> None:
    assert phone.tap(act="shuffle", seat=1)["told"] == "It was written down."
    assert any(isinstance(one.event, ShuffleWitnessed) for one in host.events(opened.id))
    assert "no judge can be called" in phone.tap(act="judge")["refused"]
    assert "refused" in phone.tap(act="time"), "that is for officials"


def test_a_card_may_be_given_another_name(phone: Phone) -> None:
    phone.tap("A: end")
    board = phone.tap("B: deploy gaza")["html"]["board"]
    tile = re.search(r'data-ref="(\d+)"><span class="name">Gaza', board)
    assert tile
    assert 'data-fill="B: Gaza D (Sleeves) = "' in phone.line(card=int(tile[1]))
    assert "Geara Zulu" in phone.tap("B: gaza d = geara zulu")["html"]["board"]


def test_another_devices_taps_are_seen_and_a_late_tap_is_understood_anew(
    site: Running, phone: Phone, host: Client, opened: Opened
) -> None:
    other = Phone(site, opened.id, opened.official)
    other.now()
    seq = phone.seq
    phone.tap("A: end", "end")
    found = other.post(seq=seq, line="A: end", text="end").json()
    assert "refused" in found, "the turn has ended already"
    assert found["seq"] == phone.seq
    assert "the match has gone on" in _plain(other.post(seq=seq, act="undo").json()["refused"])


def _plain(html: str) -> str:
    return unescape(re.sub("<[^>]+>", "", html)).casefold()


# -- a card that no catalogue has ------------------------------------------------------------------

WATCH = {"card_number": "PR-01", "name": "Harbour Watch", "card_type": "unit", "color": "blue",
         "level": "1", "cost": "1", "ap_raw": "2", "hp_raw": "2"}  # fmt: skip


def typed(phone: Phone, done: bool = True, **fields: str) -> str:
    """The form of a card, or the card as it is understood."""
    found = phone.http.post("/card", json={"fields": fields, "done": done})
    assert found.status_code == 200, found.text
    return str(found.json()["html"])


def understood(html: str) -> str:
    [card] = re.findall(r'data-brings="([^"]*)"', html)
    return unescape(card)


def test_a_card_that_no_catalogue_has_is_brought_and_played(
    phone: Phone, host: Client, opened: Opened, site: Running
) -> None:
    assert 'name="card_number"' in typed(phone, done=False)
    assert "data-bring" in phone.line(typed="deploy harbour")
    card = understood(typed(phone, **WATCH))
    brought = phone.tap(card, act="prints")
    assert brought["told"] == "The match has that card from now on."
    assert "Harbour Watch</a>" in brought["html"]["lines"]
    assert texts(phone.line(typed="deploy harbour"))[0].endswith("deploy Harbour Watch")
    phone.tap("A: deploy harbour watch")
    assert "Harbour Watch" in phone.now()["html"]["board"]
    page = phone.http.get(f"{site.web}/m/{opened.id}/card/PR-01?part=1")
    assert page.status_code == 200
    assert "<h2>Harbour Watch</h2>" in page.text
    assert "<html" in phone.http.get(f"{site.web}/m/{opened.id}/card/PR-01").text
    for missing in ("PR-02", "ST01-001", "../x", "%00"):
        assert phone.http.get(f"{site.web}/m/{opened.id}/card/{missing}").status_code == 404
    assert host.verify(opened.id).verdict == 1
    assert [json.loads(one)["name"] for one in host.match(opened.id).prints] == ["Harbour Watch"]
    lines = phone.http.get(f"{site.web}/m/{opened.id}/lines/0-{phone.seq}").text
    assert f'<a class="card" href="/m/{opened.id}/card/PR-01">Harbour Watch</a>' in lines


def test_a_text_is_read_and_shown_before_it_is_brought(phone: Phone) -> None:
    read = typed(phone, **WATCH, effect="<Blocker>")
    assert '"blocker":true' in understood(read)
    unread = typed(phone, **WATCH, effect="Wiggle thrice.")
    assert "declared as it comes up" in unread
    assert "Wiggle" not in understood(unread)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"card_number": ""}, "is missing"),
        ({"card_number": "<b>"}, "no card number"),
        ({"ap_raw": "10" * 50}, "ap"),
        ({"name": "x" * 4000}, "200 characters"),
        ({"card_type": "dragon"}, "no type"),
        ({"card_number": "ST01-005"}, "already"),
    ],
)
def test_what_is_wrong_with_a_typed_card_is_named(
    phone: Phone, wrong: dict[str, str], says: str
) -> None:
    html = typed(phone, **{**WATCH, **wrong})
    assert "data-brings" not in html
    assert says.lower() in unescape(html).lower()
    assert "<b>" not in html.replace("<b>Card", "")


def test_a_card_is_brought_once_and_by_nobody_who_only_plays(
    phone: Phone, host: Client, opened: Opened, site: Running
) -> None:
    card = understood(typed(phone, **WATCH))
    assert phone.tap(card, act="prints", id="ab" * 16).get("told")
    assert "refused" not in phone.tap(card, act="prints", id="ab" * 16), "a repeat is no second one"
    assert "already" in phone.tap(card, act="prints")["refused"]
    assert "already" in unescape(typed(phone, **WATCH))
    player = Phone(site, opened.id, opened.seats[0])
    other = card.replace("PR-01", "PR-02")
    assert player.post(act="prints", line=other).status_code == 403
    assert player.http.post("/card", json={"fields": WATCH}).status_code == 403
    for text in ("", "{}", "[" * 500, '{"id": "PR-03"}', "nothing"):
        assert phone.tap(text, act="prints")["refused"]
    assert phone.post(act="prints", line="x" * 20_000).status_code == 429
    assert len(host.match(opened.id).prints) == 1


def test_a_card_stays_when_what_followed_is_taken_back(
    phone: Phone, host: Client, opened: Opened
) -> None:
    phone.tap("A: end")
    phone.tap(understood(typed(phone, **WATCH)), act="prints")
    phone.now()
    phone.tap(act="undo")
    phone.tap("A: deploy harbour watch")
    assert "Harbour Watch" in phone.now()["html"]["board"]
    assert host.verify(opened.id).verdict == 1


@pytest.mark.parametrize(
    ("game", "decks", "card"),
    [
        ("yugioh", ("XYZ", "FUSION"), {
            "id": "PR-01", "name": "Harbour Watch", "type": "monster", "kind": "effect",
            "stars": "4", "attribute": "water", "race": "aqua", "atk": "1500", "def": "1200"}),
        ("battle_spirits", ("RSD01", "RSD02"), {
            "id": "PR-01", "name": "Harbour Watch", "type": "spirit", "colors": "blue",
            "cost": "2", "symbols": "blue 1", "levels": "1 2000, 3 4000", "icons": "A"}),
        ("hollow_flux", ("HX-A", "HX-B"), {
            "id": "PR-01", "name": "Harbour Watch", "type": "character", "power": "3000"}),
    ],
)  # fmt: skip
def test_figures_are_typed_in_every_game(
    site: Running, host: Client, game: str, decks: tuple[str, str], card: dict[str, str]
) -> None:
    opened = host.open_match(game, ["Ann", "Ben"], [*decks], mode="table", wait=True)
    phone = Phone(site, opened.id, opened.scorekeeper)
    phone.now()
    assert phone.tap(understood(typed(phone, **card)), act="prints").get("told")
    assert "data-brings" not in typed(phone, **{**card, "id": "PR-02", "type": "god"})
    assert [json.loads(one)["name"] for one in host.match(opened.id).prints] == ["Harbour Watch"]
