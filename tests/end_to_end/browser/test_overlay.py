"""Overlays in a real browser: what they look like, what they announce, the tables they follow.

What they look like is compared with the pictures in `overlay`, made so small that another font or
another smoothing of letters makes no difference, but a panel that is gone or has moved does.
`KIFU_PICTURES=write` writes them again; look at them then.
"""

from __future__ import annotations

import io
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest
from kifu.v1 import code_service_pb2 as codes

from domain import games
from domain.record.decisions import Act
from domain.record.schema.policy import Clocks, Policy
from domain.tournament.record import Format, Table
from service.client.client import Client, Opened
from tests.end_to_end.browser import watching
from tests.support import browsers, waiting
from tests.support.serving import Running, play, start

pytestmark = pytest.mark.long

Image, ImageChops = pytest.importorskip("PIL.Image"), pytest.importorskip("PIL.ImageChops")

PICTURES = Path(__file__).parent / "overlay"
#: How small pictures are made to be compared, the share of their pixels that may differ, and by how
#: much one may, of 255: letters of another font stay below it, a clock that is gone does not.
COMPARED, SHARE, LEVELS = (96, 54), 0.0075, 90
SIZES = ((1920, 1080), (1280, 720))
#: What tells of itself in a page what was announced, whatever is reloaded.
HEARING = """
document.addEventListener("announced", (event) => {
  const before = sessionStorage.getItem("heard") || "";
  sessionStorage.setItem("heard", before + event.detail.dataset.seq + " ");
});
"""


class Stage(NamedTuple):
    """A site and a browser: `site` may be started again on the same ports."""

    data: Path
    running: list[Running]
    browser: Any

    @property
    def site(self) -> Running:
        return self.running[0]

    @property
    def host(self) -> Client:
        return self.site.client()

    def page(self, path: str, *, width: int = 1920, height: int = 1080, **more: Any) -> Any:
        """An overlay, which tells `heard` what it announces, and what goes wrong in `wrong`."""
        page = browsers.page(self.browser, width=width, height=height, **more)
        page.wrong = browsers.watched(page)
        page.add_init_script(HEARING)
        page.goto(self.site.web + path)
        return page

    def restart(self) -> None:
        """Kill the server and start it again where it was."""
        ports = [urlsplit(f"//{self.site.address}").port, urlsplit(self.site.web).port]
        self.site.kill()
        self.running[0] = start(self.data, port=ports[0], http_port=ports[1])


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    data = tmp_path_factory.mktemp("overlay") / "m.kifu"
    with browsers.chromium() as browser:
        found = Stage(data, [start(data, http_port=0)], browser)
        yield found
        assert found.site.stop() == 0


@pytest.fixture
def toy(stage: Stage) -> Opened:
    policy = Policy(clocks=Clocks(round=3_000_000))
    return stage.host.open_match(
        "toy", ["Ann", "Ben"], ["ones", "tens"], best_of=3, options={"turns": 6}, policy=policy
    )


@pytest.fixture(scope="module")
def duel(stage: Stage) -> Opened:
    """A seeded match of two bots in mid-game."""
    host = stage.host
    found = host.open_match(
        "gundam", ["Aurelia Lindqvist", "Ben"], ["ST01", "ST02"], best_of=3, seed=7,
        policy=Policy(clocks=Clocks(round=3_000_000)),
    )  # fmt: skip
    play(tuple(host.with_token(token) for token in found.seats), found, Random(5), 60)
    return found


def until(page: Any, script: str) -> None:
    """Wait until something is so in a page, whose policy lets no script of ours wait in it."""
    for _ in range(800):
        if page.evaluate(script):
            return
        page.wait_for_timeout(50)
    raise AssertionError(script)


def shown(page: Any, after: int = 0) -> int:
    """Wait until an overlay shows an entry after one; which."""
    until(page, f"Number(document.body.dataset.seq) > {after}")
    return int(page.evaluate("Number(document.body.dataset.seq)"))


def heard(page: Any) -> list[int]:
    return [*map(int, page.evaluate("sessionStorage.getItem('heard') || ''").split())]


def announced(page: Any, kind: str) -> str:
    """Wait until something of a kind is announced; its text."""
    page.wait_for_selector(f".announcement-{kind}")
    return str(page.inner_text(".announcement"))


# -- what they look like ---------------------------------------------------------------------------


def picture(page: Any) -> Any:
    """A page as it is laid over another picture, its clock set to fifty minutes."""
    page.evaluate("document.querySelectorAll('[data-left]').forEach((one) => {"
                  "one.dataset.left = 3000000; one.dataset.since = -1; })")  # fmt: skip
    page.wait_for_timeout(1800)
    found = page.screenshot(omit_background=True)
    return Image.open(io.BytesIO(found)).convert("RGBA")


def differing(one: Any, other: Any) -> float:
    """The share of the pixels that differ, laid over black or over white."""
    worst = 0
    one, other = (each.resize(COMPARED, Image.Resampling.BOX) for each in (one, other))
    for behind in ("black", "white"):
        ground = Image.new("RGBA", one.size, behind)
        pair = [Image.alpha_composite(ground, each).convert("RGB") for each in (one, other)]
        red, green, blue = ImageChops.difference(*pair).split()
        levels = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
        worst = max(worst, sum(levels[LEVELS:]))
    return worst / (one.width * one.height)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[1]}")
@pytest.mark.parametrize("theme", ["plain", "bold"])
def test_what_an_overlay_looks_like(
    stage: Stage, duel: Opened, theme: str, size: tuple[int, int]
) -> None:
    width, height = size
    show = "players,score,turn,clock,last,chain,announce,next"
    path = f"/overlay/{duel.id}?theme={theme}&show={show}"
    page = stage.page(path, width=width, height=height)
    shown(page)
    found = picture(page)
    assert found.size == size
    for box in page.evaluate(
        "[...document.querySelectorAll('.player, .last, .score, .turn, .clock')].map((one) =>"
        " { const box = one.getBoundingClientRect();"
        " return [box.left, box.top, box.right, box.bottom]; })"
    ):
        left, top, right, bottom = box
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        assert found.getpixel((int(left + right) // 2, int(bottom) - 8))[3] > 200
    corners = [(3, height // 2), (width // 2, height - 4 if theme == "bold" else 4)]
    assert [found.getpixel(spot)[3] for spot in corners] == [0, 0]
    clear = found.getchannel("A").histogram()[0] / (width * height)
    assert clear > 0.3
    small = found.resize((480, 270), Image.Resampling.BOX)
    kept = PICTURES / f"{theme}-{height}.png"
    if os.environ.get("KIFU_PICTURES") == "write":
        small.quantize(128).save(kept, optimize=True)
    assert differing(small, Image.open(kept).convert("RGBA")) < SHARE
    assert page.wrong == []
    page.context.close()


def test_each_element_is_shown_alone_and_where_it_is_put(stage: Stage, duel: Opened) -> None:
    inside = {
        "players": ".player .life", "score": ".score .games", "turn": ".turn .number",
        "clock": ".clock .timer", "last": ".last .line", "board": ".slot-board .board",
    }  # fmt: skip
    for name, selector in inside.items():
        page = stage.page(f"/overlay/{duel.id}?show={name}")
        page.wait_for_selector(selector)
        slots = page.evaluate("[...document.querySelectorAll('.slot')].map((s) => s.dataset.slot)")
        assert slots == (["player-0", "player-1"] if name == "players" else [name])
        page.context.close()
    page = stage.page(f"/overlay/{duel.id}?show=score,clock&at.score=50,25,50&at.clock=bottom-left")
    page.wait_for_selector(".score .games")
    box = page.eval_on_selector(".slot-score", "(one) => one.getBoundingClientRect().toJSON()")
    assert (box["left"], box["top"]) == (960, 270)
    clock = page.eval_on_selector(".slot-clock", "(one) => one.getBoundingClientRect().toJSON()")
    assert (clock["left"], clock["bottom"]) == (48, 1080 - 48)
    full = stage.page(f"/overlay/{duel.id}?show=score")
    full.wait_for_selector(".score .games")
    whole = full.eval_on_selector(".slot-score", "(one) => one.getBoundingClientRect().toJSON()")
    assert box["width"] == pytest.approx(whole["width"] / 2)
    for one in (page, full):
        one.context.close()


@pytest.mark.parametrize("theme", ["plain", "bold"])
def test_nothing_lies_on_anything_in_a_narrower_picture(
    stage: Stage, duel: Opened, theme: str
) -> None:
    page = stage.page(f"/overlay/{duel.id}?theme={theme}", width=1024, height=768)
    page.wait_for_selector(".score .games")
    page.wait_for_selector(".slot-player-1 .life")
    boxes = page.evaluate(
        """() => ["player-0", "score", "player-1"].map((name) => {
          const { left, right } = document.querySelector(`.slot-${name}`).getBoundingClientRect();
          return [left, right];
        }).flat()"""
    )
    assert [round(edge) for edge in boxes] == sorted(round(edge) for edge in boxes)
    assert 0 <= boxes[0] < boxes[-1] <= 1024
    page.context.close()


@pytest.mark.parametrize("game", games.names())
def test_the_figures_of_a_player_have_room(stage: Stage, game: str) -> None:
    decks = [*games.rulebook(game).decks]
    found = stage.host.open_match(game, ["Ann", "Ben"], [decks[0], decks[-1]], seed=7)
    for theme in ("plain", "bold"):
        page = stage.page(f"/overlay/{found.id}?theme={theme}&show=players")
        shown(page)
        page.wait_for_selector(".slot-player-1 .figure")
        boxes = page.evaluate(
            """() => [0, 1].map((seat) => {
              const box = (one) => one.getBoundingClientRect().toJSON();
              const player = document.querySelector(`.slot-player-${seat}`);
              const figures = [...player.querySelectorAll(".figure")].map(box);
              return [box(player), player.querySelector(".life"), figures].map(
                (one) => (one instanceof Element ? box(one) : one));
            })"""
        )
        for slot, life, figures in boxes:
            for one in figures:
                assert slot["left"] <= one["left"] < one["right"] <= slot["right"]
                if life is not None:
                    assert one["right"] <= life["left"] or life["right"] <= one["left"]
        page.context.close()


def test_faults_are_shown_on_request_only(stage: Stage, duel: Opened) -> None:
    for debug, found in (("", 0), ("&debug", 1)):
        page = stage.page(f"/overlay/{duel.id}?show=score,nothing{debug}")
        page.wait_for_selector(".score")
        assert page.locator(".faults li").count() == found
        page.context.close()


def test_clocks_tick_between_entries(stage: Stage, toy: Opened) -> None:
    page = stage.page(f"/overlay/{toy.id}?show=clock")
    page.wait_for_selector(".timer-round .value:not(:empty)")
    seq, begun, first = shown(page), time.monotonic(), page.inner_text(".timer .value")
    page.wait_for_timeout(2300)
    later, passed = page.inner_text(".timer .value"), time.monotonic() - begun
    assert shown(page) == seq

    def seconds(text: str) -> int:
        minutes, _, rest = text.partition(":")
        return int(minutes) * 60 + int(rest)

    assert 2 <= seconds(first) - seconds(later) <= passed + 1
    stage.host.with_token(toy.official).pause(toy.id)
    page.wait_for_selector(".paused")
    stands = page.inner_text(".timer .value")
    page.wait_for_timeout(1300)
    assert page.inner_text(".timer .value") == stands
    page.context.close()


# -- announcements ---------------------------------------------------------------------------------


def test_what_is_announced_is_seen_once_whatever_is_lost(stage: Stage, toy: Opened) -> None:
    official = stage.host.with_token(toy.official)
    official.penalise(toy.id, 0, "caution", "before the page was opened")
    page = stage.page(f"/overlay/{toy.id}")
    opened = shown(page)
    official.penalise(toy.id, 1, "warning", "slow")
    official.extend(toy.id, "round", 120_000, "for the ruling")
    assert announced(page, "penalty").split("\n")[0] == "Warning"
    assert "2:00" in announced(page, "extension")  # the other waited for its turn
    page.wait_for_selector(".announcement", state="detached", timeout=40_000)
    assert len(heard(page)) == 2
    page.reload()
    last = shown(page)
    page.wait_for_timeout(1500)
    assert page.locator(".announcement").count() == 0
    stage.restart()
    official = stage.host.with_token(toy.official)
    official.rule(toy.id, "It stands.")
    assert "It stands." in announced(page, "ruling")
    shown(page, last)
    page.reload()
    page.wait_for_timeout(2000)
    found = heard(page)
    assert len(found) == 3
    assert found == sorted(set(found))
    assert found[0] > opened
    page.context.close()


def test_what_was_abandoned_meanwhile_is_not_announced(stage: Stage, toy: Opened) -> None:
    official = stage.host.with_token(toy.official)
    stage.host.with_token(toy.seats[0]).choose(toy.id, 1, Act("pass"))
    page = stage.page(f"/overlay/{toy.id}")
    last, least = shown(page), [1 << 30]

    def hold(asked: Any) -> None:
        """Answer for nothing before the entry that takes the penalty back."""
        seq = int(urlsplit(asked.request.url).path.rpartition("/")[2])
        asked.abort() if seq < least[0] else asked.continue_()

    page.route("**/at/*", hold)
    official.penalise(toy.id, 1, "warning", "slow")
    official.rewind(toy.id, 1, "wrong")
    least[0] = stage.host.match(toy.id).entries
    assert "goes back" in announced(page, "rewind")
    last = shown(page, last)
    assert len(heard(page)) == 1
    page.wait_for_selector(".announcement", state="detached", timeout=40_000)
    stage.host.with_token(toy.seats[0]).choose(toy.id, 1, Act("pass"))
    official.penalise(toy.id, 1, "caution", "seen at once")
    announced(page, "penalty")
    official.penalise(toy.id, 0, "warning", "waits for its turn, and is gone by then")
    shown(page, last + 2)
    official.rewind(toy.id, 1, "wrong again")
    assert "goes back" in announced(page, "rewind")
    assert len(heard(page)) == 3
    page.context.close()


# -- tables, and how late --------------------------------------------------------------------------


def conceded(host: Client, event: str, round_: int) -> None:
    """Both matches of a round are won by their first seat."""
    for match in (f"{event}.r{round_}.t1", f"{event}.r{round_}.t2"):
        seats = host.issue_tokens(match).seats
        host.with_token(seats[1]).interject(match, Act("concede"))


@pytest.fixture
def alone(stage: Stage, tmp_path: Path) -> Iterator[Stage]:
    """A site where no other test has an event: a table is of the one that is going on."""
    found = Stage(tmp_path / "m.kifu", [start(tmp_path / "m.kifu", http_port=0)], stage.browser)
    yield found
    assert found.site.stop() == 0


def test_a_table_goes_on_with_the_next_round(alone: Stage) -> None:
    stage, host = alone, alone.host
    event = host.open_tournament("Cup", Format("toy", mode="dealer", seconds=3000)).id
    for n in host.enter_players(event, ["Ann", "Ben", "Cas", "Dot"]):
        host.hand_in_list(event, n, ("ones", "tens")[n % 2])
    host.accept_lists(event)
    host.pair_round(event, [Table(1, 1, 2), Table(2, 3, 4)])
    host.open_round(event)
    public = stage.page("/overlay/table/2")
    [(code, _)] = host.issue_codes([codes.CodeHolder(role="public", event_id=event, table=2)])
    own = stage.page(f"/overlay/table/2#{code}")
    pages = (public, own)
    for page in pages:
        page.wait_for_selector(".next")
        assert "Cas" in page.inner_text(".next")
        assert page.locator(".player").count() == 0
    host.start_round(event)
    for page in pages:
        page.wait_for_selector(f"body[data-shown='{event}.r1.t2'] .player.seat-0 >> text=Cas")
        assert page.locator(".next").count() == 0
    conceded(host, event, 1)
    for page in pages:
        page.wait_for_selector(".announcement-result >> text=Cas wins the match")
    waiting.until(lambda: not host.end_round(event, preview=True).missing)
    host.end_round(event)
    host.pair_round(event, [Table(1, 2, 4), Table(2, 1, 3)])
    host.open_round(event)
    for page in pages:
        page.wait_for_selector(".next >> text=Ann")
        assert page.locator(".player.seat-0 >> text=Cas").count() == 1
    host.start_round(event)
    for page in pages:
        page.wait_for_selector(f"body[data-shown='{event}.r2.t2'] .player.seat-0 >> text=Ann")
        page.context.close()


def test_a_stream_is_as_late_as_its_code(stage: Stage, toy: Opened) -> None:
    host = stage.host
    holder = codes.CodeHolder(role="public", match_id=toy.id, delay="3 decisions")
    [(code, _)] = host.issue_codes([holder])
    seats = [host.with_token(token) for token in toy.seats]
    for n in range(1, 6):
        seats[(n - 1) % 2].choose(toy.id, n, Act("pass"))
    asked: list[str] = []
    late = browsers.page(stage.browser)
    late.on("request", lambda request: asked.append(request.url))
    late.goto(f"{stage.site.web}/overlay/{toy.id}#{code}")
    at_once = stage.page(f"/overlay/{toy.id}")
    assert 0 < shown(late) < shown(at_once)
    odd = stage.page(f"/overlay/{toy.id}#%")
    assert shown(odd) == shown(at_once)  # what is no code keeps nothing from being shown
    odd.context.close()
    assert not any(code in address for address in asked)
    assert not any("token" in address for address in asked)
    late.reload()  # the code is not handed in again, the cookie is kept
    before = len([address for address in asked if address.endswith("/in")])
    assert 0 < shown(late) < shown(at_once)
    assert len([address for address in asked if address.endswith("/in")]) == before
    for page in (late, at_once):
        page.context.close()


@pytest.mark.parametrize("table", [False, True], ids=["match", "table"])
def test_a_stream_without_its_session_shows_nothing_new_and_says_so(
    stage: Stage, toy: Opened, table: bool
) -> None:
    """The public has seen more than it: it must not go on as one of the public."""
    host = stage.host
    if table:
        event = host.open_tournament("Cup", Format("toy", mode="dealer", seconds=3000)).id
        for n in host.enter_players(event, ["Ann", "Ben"]):
            host.hand_in_list(event, n, "ones")
        host.accept_lists(event)
        host.pair_round(event, [Table(1, 1, 2)])
        host.open_round(event)
        host.start_round(event)
        match = f"{event}.r1.t1"
        holder = codes.CodeHolder(role="public", event_id=event, delay="3 decisions")
        path, seats = f"/overlay/table/1?event={event}", host.issue_tokens(match).seats
    else:
        match, path, seats = toy.id, f"/overlay/{toy.id}", toy.seats
        holder = codes.CodeHolder(role="public", match_id=match, delay="3 decisions")
    [(code, issued)] = host.issue_codes([holder])
    players = [host.with_token(token) for token in seats]
    for n in range(1, 5):
        players[(n - 1) % 2].choose(match, n, Act("pass"))
    late, at_once = browsers.page(stage.browser), stage.page(path)
    errors = browsers.watched(late)
    late.goto(f"{stage.site.web}{path}#{code}")
    before = shown(late)
    assert 0 < before < shown(at_once)
    late.context.clear_cookies()
    players[0].choose(match, 5, Act("pass"))
    shown(late, before)
    assert shown(late) < shown(at_once)  # the code was handed in again
    before = shown(late)
    host.revoke_codes([issued.id])
    late.context.clear_cookies()
    players[1].choose(match, 6, Act("pass"))
    late.wait_for_selector("body[data-needs=code]", state="attached")
    late.reload()  # nor is it the public's again
    late.wait_for_selector("body[data-needs=code]", state="attached")
    assert late.locator(".player").count() == 0
    assert any("needs its code" in one for one in errors)
    late.context.close()
    at_once.context.close()


# -- replays on air --------------------------------------------------------------------------------


def test_a_remote_steps_its_overlays_and_no_others(stage: Stage, duel: Opened) -> None:
    host = stage.host
    [(code, _)] = host.issue_codes([codes.CodeHolder(role="public", match_id=duel.id)])
    remote = browsers.page(stage.browser, width=1280, height=1000)
    errors = browsers.watched(remote)
    remote.goto(f"{stage.site.web}/in?to=/overlay/remote?match={duel.id}#{code}")
    remote.click("main button")
    remote.goto(f"{stage.site.web}/overlay/remote?match={duel.id}")
    remote.wait_for_selector("#remote[data-ready]")
    page = stage.page(
        urlsplit(remote.inner_text("#address"))._replace(scheme="", netloc="").geturl()
    )
    other = stage.page(f"/overlay/{duel.id}?remote=anotherchannel")
    newest = shown(page)
    assert shown(other) == newest
    remote.click("[data-step=turn-back]")
    until(page, f"Number(document.body.dataset.seq) < {newest}")
    page.wait_for_selector(".banner-replay >> text=Replay")
    before = shown(page)
    remote.keyboard.press("ArrowRight")
    until(page, f"Number(document.body.dataset.seq) > {before}")
    remote.select_option("#turn", index=0)
    until(page, f"Number(document.body.dataset.seq) < {before}")
    first = shown(page)
    remote.select_option("#speed", "500")
    remote.click("#play")
    until(page, f"Number(document.body.dataset.seq) > {first}")
    remote.click("#live")
    until(page, f"Number(document.body.dataset.seq) === {newest}")
    page.wait_for_selector(".banner-replay", state="hidden")
    assert shown(other) == newest
    assert "Live" in remote.inner_text("#what")
    assert [*errors, *page.wrong] == []
    for one in (remote, page, other):
        one.context.close()


def test_an_overlay_of_an_entry_stays_there_and_its_card_has_its_text(stage: Stage) -> None:
    host = stage.host
    match = host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST02"], seed=7)
    play(tuple(host.with_token(token) for token in match.seats), match, Random(5), 60)
    page = stage.page(f"/overlay/{match.id}?at=40")
    until(page, "Number(document.body.dataset.seq) === 40")
    host.with_token(match.official).rule(match.id, "It stands.")
    page.wait_for_timeout(1500)
    assert shown(page) == 40
    assert page.locator(".announcement").count() == 0
    texts = []
    with httpx.Client(base_url=stage.site.web) as client:
        for seq in range(40, host.match(match.id).entries, 20):
            found = client.get(f"/overlay/{match.id}/at/{seq}").text
            texts += re.findall(r'<div class="texts">\s*<p><b>[^<]+</b> ([^<]+)', found)
    assert len({*texts}) > 1
    page.context.close()


#: The names and figures of cards in the front of a board: how many, and which are too small.
READ = """() => {
  const board = document.querySelector(".slot-board").shadowRoot;
  const size = (one) => Number.parseFloat(getComputedStyle(one).fontSize);
  const cards = board.querySelectorAll(".front .laid > .cards > .tile:not(.back, .down) > .face");
  const read = [...cards].flatMap((one) => [...one.querySelectorAll(".name, .figure b")]);
  return [read.length, read.filter((one) => size(one) < 8.5).map((one) => one.innerText)];
}"""


@pytest.mark.parametrize("game", games.names())
def test_a_board_can_be_read_on_six_tenths_of_a_screen(stage: Stage, game: str) -> None:
    """A stream that is shown 648 lines high."""
    match = watching.open_match(stage.host, game)
    watching.play(stage.host, match, 150, game=game)
    upto = stage.host.match(match.id).entries
    show, count = "players,score,clock,turn,banner,board", 0
    for theme in ("plain", "bold"):
        page = stage.page(f"/overlay/{match.id}?theme={theme}&show={show}", width=1152, height=648)
        for at in (upto // 2, upto * 3 // 4, upto):
            page.goto(f"{page.url.partition('&at=')[0]}&at={at}")
            page.wait_for_selector(".slot-board .front")
            read, small = page.evaluate(READ)
            assert small == []
            count += read
        page.context.close()
    assert count > 5


def test_the_page_of_settings_shows_what_it_makes(stage: Stage, duel: Opened) -> None:
    page = stage.page(f"/overlay?match={duel.id}", width=1600, height=1000)
    page.select_option("#theme", "bold")
    page.uncheck("[name=show][value=chain]")
    page.select_option("#at-clock", "bottom-right")
    page.fill("[name='size.clock']", "120")
    made = page.inner_text("#address")
    assert made == (
        f"{stage.site.web}/overlay/{duel.id}?theme=bold"
        "&show=players,score,turn,clock,last,announce,next,banner&at.clock=bottom-right,120"
    )
    frame = page.frame_locator("#frame")
    frame.locator(".theme-bold .slot-clock.at-bottom-right").wait_for(state="attached")
    frame.locator(".theme-bold .player .life").first.wait_for()
    assert frame.locator(".slot-clock.at-bottom-right").count() == 1
    assert page.wrong == []  # a table that no event has is one more line there
    page.check("[name=what][value=table]")
    assert page.inner_text("#address").startswith(f"{stage.site.web}/overlay/table/1?theme=bold")
    page.frames[1].wait_for_url("**/overlay/table/1?theme=bold*")
    page.context.close()
