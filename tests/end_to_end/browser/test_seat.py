"""Seats in browsers: what a page does with each thing that people do, whatever happens in between.

Whole matches are played in `test_whole_matches`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from domain import games
from domain.record.decisions import Act
from domain.tournament.record import Format
from domain.tournament.record import Table as Pairing
from service.client.client import Client, Opened
from tests.end_to_end.browser import watching
from tests.end_to_end.browser.clicking import Player, concede, play
from tests.end_to_end.browser.watching import stray
from tests.support import browsers, serving
from tests.support.serving import Running
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

#: Widths and heights of a laptop and of a phone.
LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


class Table:
    """Two seats of a match, each in a browser of its own."""

    def __init__(self, browser: Browser, site: Running, opened: Opened, seed: str = "") -> None:
        self.opened = opened
        self.pages: list[Page] = []
        self.errors = list[list[str]]()
        self.players = list[Player]()
        for seat, (token, size) in enumerate(zip(opened.seats, (LAPTOP, PHONE), strict=True)):
            page = browsers.page(browser, **size)
            self.pages.append(page)
            self.errors.append(browsers.watched(page))
            self.players.append(Player(page, site.web, opened.id, token, f"{seed}/{seat}"))

    def sit(self) -> None:
        for player in self.players:
            player.open()

    def deciding(self) -> Player:
        """The seats that are to decide."""
        for _ in range(400):
            for player in self.players:
                if player.seen()["state"] == "mine":
                    return player
            self.pages[0].wait_for_timeout(10)
        raise AssertionError("nobody is asked")

    def is_up_to_date(self, host: Client) -> None:
        """Wait until both pages show what is asked by now."""
        last = host.match(self.opened.id).entries
        for page in self.pages:
            page.locator(f'#seat[data-seq="{last}"]').wait_for()

    def leave(self) -> None:
        for page in self.pages:
            page.context.close()


def opened(host: Client, game: str, seed: int, **more: Any) -> Opened:
    decks = list(games.rulebook(game).decks)
    return host.open_match(game, ["Ann", "Ben"], [decks[0], decks[-1]], seed=seed, **more)


@pytest.fixture
def table(browser: Browser, site: Running, host: Client) -> Iterator[Table]:
    """A match of Gundam in which player A is about to act in a main phase."""
    found = Table(browser, site, opened(host, "gundam", 1))
    advance(host, found.opened, 60)
    found.sit()
    yield found
    found.leave()


def advance(host: Client, match: Opened, most: int) -> None:
    """Play on by chance, until somebody may deploy or attack."""
    clients = [host.with_token(token) for token in match.seats]
    rng = Random(4)
    for _ in range(most):
        decision = clients[0].position(match.id).decision
        assert decision is not None
        seat = decision.seats[0]
        offer = clients[seat].position(match.id).decision.offers[seat]  # type: ignore[union-attr]
        assert offer is not None
        dear = [one for one in offer.options if one.kind == "deploy" and one.parts[0].low > 1]
        if dear and offer.options.index(dear[0]) == 0 and decision.n > 12:
            return
        option = rng.choice(offer.options)
        clients[seat].choose(match.id, decision.n, option.act())


def building(player: Player) -> str:
    """Begin to deploy a card that is paid for, by clicking on it on the board; its number."""
    page = player.page
    card = page.locator('#ask [data-do="option"]', has_text="deploys").first.get_attribute(
        "data-card"
    )
    page.locator(f'#board [data-card="{card}"] > .face').click()
    page.locator('#ask [data-do="confirm"]').wait_for()  # the usual payment is filled in
    page.locator('#ask [data-do="again"]').last.click()
    page.locator('#ask [data-do="pick"]').first.wait_for()
    return str(card)


def test_cards_on_the_board_are_picked_and_only_what_can_be_completed(table: Table) -> None:
    player = table.deciding()
    page = player.page
    card = building(player)
    assert "pay with: 0 of" in page.inner_text("#asks")
    marked = page.locator("#board .may-pick")
    assert marked.count() > page.locator('#ask [data-do="pick"]').count(), "some are alike"
    marked.first.click()
    page.locator("#asks", has_text="1 of").wait_for()
    assert page.locator("#board .is-picked").count() == 1
    page.keyboard.press("Escape")
    page.locator("#asks", has_text="0 of").wait_for()
    page.locator('#ask [data-do="rest"]').click()
    page.locator('#ask [data-do="confirm"]').wait_for()
    assert page.evaluate("document.activeElement.dataset.do") == "confirm"
    page.keyboard.press("Enter")
    page.locator("#lines .line", has_text="deploys").first.wait_for()
    # It has a new number where it lies, once the board is drawn again.
    page.locator(f'#board [data-card="{card}"]').wait_for(state="detached")


def test_a_cards_text_is_a_hover_a_tap_or_a_key_away(table: Table) -> None:
    page = table.deciding().page
    over = page.locator("#card-over")
    name = page.locator('#board .side.near [data-place^="hand"] [data-card] .name .text').first
    card = name.inner_text()
    name.hover()
    over.get_by_role("heading", name=card).wait_for()
    page.mouse.move(1, 1)
    over.wait_for(state="hidden")
    link = page.locator("#ask a.about").first
    link.click()
    over.locator(".figures").wait_for()
    assert page.evaluate("document.activeElement.id") == "card-over"
    page.keyboard.press("Escape")
    over.wait_for(state="hidden")
    page.locator("#ask [data-do=option]").first.focus()
    page.keyboard.press("i")
    over.locator(".figures").wait_for()
    over.get_by_role("button", name="Close").click()
    over.wait_for(state="hidden")


def test_digits_and_enter_choose(table: Table) -> None:
    page = table.deciding().page
    page.locator("#board").focus()
    page.keyboard.press("1")
    page.locator('#ask [data-do="confirm"]').wait_for()
    page.locator("#board").focus()
    page.keyboard.press("Enter")
    page.locator("#lines .line", has_text="deploys").first.wait_for()


def test_an_act_that_was_begun_survives_a_reload(table: Table) -> None:
    player = table.deciding()
    building(player)
    player.page.locator('#ask [data-do="pick"]').first.click()
    player.page.locator("#asks", has_text="1 of").wait_for()
    player.page.reload()
    player.page.locator("#asks", has_text="1 of").wait_for()
    player.page.locator('#ask [data-do="cancel"]').click()
    player.page.locator('#ask [data-do="option"]').first.wait_for()
    player.page.reload()
    player.page.locator('#ask [data-do="option"]').first.wait_for()


def test_the_board_of_a_seat_is_laid_out_as_elsewhere(table: Table) -> None:
    player = table.deciding()
    player.page.locator("#board .board").wait_for()
    elsewhere = "where", "clocks", "entry", "decision"
    assert stray(player.page, *elsewhere) == []


def test_why_not_is_shown_with_the_rule(table: Table, host: Client) -> None:
    player = table.deciding()
    seat = table.players.index(player)
    pos = host.with_token(table.opened.seats[seat]).position(table.opened.id)
    offer = pos.decision.offers[seat]  # type: ignore[union-attr]
    able = {option.card for option in offer.options}  # type: ignore[union-attr]
    idle = next(n for n in pos.zone("hand", seat) if n not in able)
    player.page.locator(f'#board [data-card="{idle}"] > .face').first.click()
    objection = player.page.locator(".objections dd").first
    objection.wait_for()
    assert "gcg:" in objection.inner_text()
    assert player.page.locator(".objections dd").count() <= 2, "what nobody meant is not named"
    player.page.keyboard.press("Escape")
    player.page.locator('#ask [data-do="option"]').first.wait_for()


def test_why_not_comes_too_late_to_hide_what_is_asked_by_then(table: Table) -> None:
    player = table.deciding()
    page = player.page
    held = list[Any]()
    page.route("**/why?*", lambda route: held.append(route))
    page.locator("#board .zone .face:not([data-touch])").first.dispatch_event("click")
    until(lambda: page.wait_for_timeout(5) or held)
    page.locator('#ask [data-do="option"]', has_text="ends the main phase").click()
    page.locator("#question", has_text="action").first.wait_for()
    with page.expect_response("**/why?*") as answered:
        held[0].continue_()
    answered.value.finished()
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 0))")
    assert page.locator("#ask .objections").count() == 0
    assert "action" in page.inner_text("#question")


def test_what_is_refused_shows_its_rule_and_loses_nothing(table: Table, host: Client) -> None:
    player = table.deciding()
    page = player.page
    building(player)
    page.locator('#ask [data-do="rest"]').click()
    page.locator('#ask [data-do="confirm"]').wait_for()
    official = host.with_token(table.opened.official)
    held, hold = list[Any](), True
    page.route("**/seat/*/choices*", lambda one: held.append(one) if hold else one.continue_())
    official.pause(table.opened.id, "a question")
    page.locator('#ask [data-do="confirm"]').click()
    page.locator("#note.bad", has_text="standing still").wait_for()
    page.locator('#ask [data-do="shut"]').wait_for()
    official.resume(table.opened.id)
    hold = False  # until now it has not heard of what came
    for route in held:
        route.continue_()
    page.locator('#ask [data-do="shut"]').click()
    page.locator('#ask [data-do="confirm"]').click()
    page.locator("#lines .line", has_text="deploys").first.wait_for()


def test_somebody_was_faster(table: Table, host: Client) -> None:
    player = table.deciding()
    seat, page = table.players.index(player), player.page
    page.route("**/follow?*", lambda route: route.abort())
    page.reload()
    page.locator('#ask [data-do="option"]').first.wait_for()
    client = host.with_token(table.opened.seats[seat])
    n = client.position(table.opened.id).decision.n  # type: ignore[union-attr]
    client.choose(table.opened.id, n, Act("end"))
    page.locator('#ask [data-do="option"]', has_text="deploys").first.click()
    page.locator("#note", has_text="faster").wait_for()
    page.locator(f'#seat:not([data-decision="{n}"])').wait_for()


def test_a_double_click_sends_one_command(table: Table) -> None:
    player = table.deciding()
    sent = list[str]()
    player.page.on("request", lambda one: sent.append(one.url) if "Choose" in one.url else None)
    player.page.locator('#ask [data-do="option"]', has_text="ends the main phase").dblclick()
    player.page.locator("#question", has_text="action").first.wait_for()
    assert len(sent) == 1


def test_what_was_sent_before_the_connection_broke_is_done_once(table: Table, host: Client) -> None:
    player = table.deciding()
    page = player.page
    before = host.with_token(table.opened.official).position(table.opened.id).decisions
    dropped = iter([True, True, False])

    def lose(route: Any) -> None:
        """The answer of the first command is lost on the way, the second does not arrive."""
        if next(dropped, False):
            if not sent:
                route.fetch()
            sent.append(route.request.post_data_json["requestId"])
            route.abort()
        else:
            sent.append(route.request.post_data_json["requestId"])
            route.continue_()

    sent = list[str]()
    page.route("**/*MatchService/Choose", lose)
    page.locator('#ask [data-do="option"]', has_text="ends the main phase").click()
    page.locator("#note", has_text="sent again").wait_for()
    page.locator("#note").wait_for(state="hidden")
    assert len(sent) == 3
    assert len(set(sent)) == 1
    assert host.with_token(table.opened.official).position(table.opened.id).decisions == before + 1


def test_whoever_was_away_for_long_has_the_last_lines(
    browser: Browser, site: Running, host: Client
) -> None:
    """More entries than lines are fetched of at once; what he sees is what he saw had he stayed."""
    match, rng = opened(host, "gundam", 1), Random(1)
    clients = tuple(host.with_token(token) for token in match.seats)
    serving.play(clients, match, rng, 20)
    table = Table(browser, site, match)
    away, stayed = table.pages
    table.sit()
    before = last = host.match(match.id).entries
    away.route("**/choices*", lambda route: route.abort())
    while last <= before + 1100 and serving.play(clients, match, rng, 30):
        last = host.match(match.id).entries
        stayed.locator(f'#seat[data-seq="{last}"]').wait_for()
    away.unroute("**/choices*")
    for seat, page in enumerate(table.pages):
        found = httpx.get(
            f"{site.web}/m/{match.id}/as/seat-{seat}/lines/{last - 1000}-{last}.json",
            headers={"authorization": f"Bearer {match.seats[seat]}"},
        ).json()["lines"]
        wanted = [str(one["seq"]) for one in found if not one.get("minor")][:-13:-1]
        page.locator(f'#lines > li[data-seq="{wanted[0]}"]').wait_for(state="attached")
        shown = page.eval_on_selector_all("#lines > li", "all => all.map(one => one.dataset.seq)")
        assert shown == wanted
    assert last > before + 1100
    table.leave()


def test_a_seat_passes_until_its_auto_pass_ends(table: Table) -> None:
    player = table.deciding()
    page = player.page
    page.locator(".besides > summary").click()
    page.locator("#until-turn").uncheck()
    page.locator("#until-rival").uncheck()
    page.locator('[data-do="leave"]').click()
    page.locator(".left", has_text="passes").wait_for()
    page.locator('[data-do="withdraw"]').click()
    page.locator(".left").wait_for(state="detached")


def test_a_seat_is_asked_only_where_it_wants_to_be(table: Table) -> None:
    player = table.deciding()
    for page in table.pages:
        page.locator(".switch > summary").click()
        page.locator("[name=asks][value=marked]").check()
        page.locator(".switch .windows").wait_for()
        assert page.evaluate("document.activeElement.value") == "marked", "focus stays"
    player.page.locator('#ask [data-do="option"]', has_text="ends the main phase").click()
    player.page.locator("#question", has_text="action step").wait_for()
    (other,) = (page for page in table.pages if page is not player.page)
    other.locator("#question", has_text="You decide: main phase").wait_for()
    player.page.reload()
    assert player.page.locator("[name=asks][value=marked]").is_checked()


def test_conceding_is_asked_twice(table: Table) -> None:
    player = table.deciding()
    page = player.page
    page.locator(".besides > summary").click()
    page.locator('[data-do="openAct"]', has_text="concedes").click()
    page.locator("#sure button[value=no]").click()
    page.locator(".besides[open]").wait_for()
    page.locator(".besides > summary").click()
    concede(page)
    for one in table.pages:
        one.locator("#question", has_text="The match is over").wait_for()
        assert not one.locator("#head .stand").inner_text().rstrip().endswith(":")


#: The sides of a board that lie, in part, out of sight or below the sheet; folded or not.
COVERED = """() => {
  const sheet = document.getElementById("sheet").getBoundingClientRect();
  const below = sheet.left > 0 ? innerHeight : sheet.top;
  return [...document.querySelectorAll("#board .side")]
    .map((one) => one.getBoundingClientRect())
    .filter(({ top, bottom }) => top < 0 || bottom > below + 1)
    .map(({ top, bottom }) => [top, bottom, below]);
}"""


def test_the_sheet_covers_neither_side_of_the_board(table: Table) -> None:
    player = table.deciding()
    before = player.page.viewport_size
    for width, height in ((390, 844), (360, 740), (768, 1024), (1024, 768), (1920, 1080)):
        player.page.set_viewport_size({"width": width, "height": height})
        player.page.evaluate("scrollTo(0, 0)")
        assert watching.wrong(player.page, COVERED) == []
        fold = player.page.locator("#fold")
        if fold.is_visible():
            fold.click()
            assert watching.wrong(player.page, COVERED) == []
            fold.click()
    player.page.set_viewport_size(before)


def test_on_a_phone_nothing_is_too_small_or_too_wide(table: Table) -> None:
    page = table.pages[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = page.evaluate(
        """() => Array.from(document.querySelectorAll("button, summary, .top a, .besides label"))
          .filter((one) => one.checkVisibility() && !one.closest("#board"))
          .filter((one) => one.getBoundingClientRect().height < 43.5)
          .map((one) => one.outerHTML)"""
    )
    assert small == []


@pytest.mark.parametrize("seat", [0, 1])
def test_no_serious_fault_of_accessibility(table: Table, seat: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    player = table.deciding()
    for page in {player.page, table.pages[seat]}:
        assert serious(Axe().run(page).response) == []
    building(player)
    assert serious(Axe().run(player.page).response) == []


def serious(found: Any) -> list[Any]:
    """The findings of axe-core that are serious or worse."""
    return [
        (one["id"], [node["html"] for node in one["nodes"]][:3])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def test_chance_comes_from_seeds_of_both_browsers(
    browser: Browser, site: Running, host: Client
) -> None:
    match = host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST02"], chance="shared")
    table = Table(browser, site, match)
    for player in table.players:
        player.page.goto(player.address)
    table.deciding()
    position = host.with_token(match.official).position(match.id)
    for seat, page in enumerate(table.pages):
        page.locator("#note").wait_for(state="hidden")
        seed = page.evaluate(f"localStorage.getItem('kifu-seed/{match.id}/{seat}')")
        assert bytes.fromhex(seed) == position.heading.seeds[seat]
    assert table.errors == [[], []]
    table.leave()


def in_a_main_phase(host: Client) -> tuple[Opened, Client]:
    """A real table at which player A is about to act, and its scorekeeper."""
    match = host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST02"], mode="table", rolls=[[0]])
    client = host.with_token(match.scorekeeper)
    for _ in range(40):
        decision = client.position(match.id).decision
        assert decision is not None
        if decision.kind == "main" and decision.seats == [0] and decision.n > 12:
            break
        offer = decision.offers[decision.seats[0]]
        assert offer is not None
        act = offer.options[-1].act()
        client.choose(match.id, decision.n, act, seat=decision.seats[0])
    return match, client


def keeping(browser: Browser, site: Running, match: Opened) -> Page:
    """The page of a scorekeeper of seat A."""
    keeper = Player(browsers.page(browser), site.web, match.id, match.scorekeeper, "1")
    keeper.address += "?seat=0"
    keeper.open()
    return keeper.page


def test_whoever_enters_a_real_table_says_which_card_it_was(
    browser: Browser, site: Running, host: Client
) -> None:
    match, client = in_a_main_phase(host)
    page = keeping(browser, site, match)
    assert page.locator("#cards option").count() > 10
    page.locator('#ask [data-do="option"]', has_text="does something with").click()
    page.fill("#sure-input", "ST01-005")
    page.locator("#sure-yes").click()
    page.locator('#ask [data-do="option"]', has_text="deploys GM").click()
    page.locator('#ask [data-do="confirm"]').click()
    page.locator("#lines .line", has_text="deploys GM").first.wait_for()
    assert [one.id for one in client.position(match.id).cards.values()].count("ST01-005") == 1
    assert client.position(match.id).zone("battle", 0)
    page.locator(".besides > summary").click()
    page.locator('[data-do="undo"]').click()
    page.locator("#sure-yes").click()
    page.locator('#board [data-place="battle/0"] [data-card]').wait_for(state="detached")
    assert not client.position(match.id).zone("battle", 0)
    page.context.close()


def test_a_name_that_no_card_has_is_refused_at_the_field_and_left_behind(
    browser: Browser, site: Running, host: Client
) -> None:
    match, client = in_a_main_phase(host)
    page = keeping(browser, site, match)
    unnamed = page.locator('#ask [data-do="option"]', has_text="does something with")
    unnamed.click()
    for wrong, why in (
        ("Nobody", "no card 'Nobody'"),
        ("Moebius", "0 times in the list"),
        ("g", "may be"),
    ):
        page.fill("#sure-input", wrong)
        page.locator("#sure-yes").click()
        page.locator("#sure #sure-fault", has_text=why).wait_for()
        assert page.locator("#sure-input").is_visible(), "it is asked on"
    page.locator("#sure button[value=no]").click()
    page.locator("#sure").wait_for(state="hidden")
    unnamed.click()
    page.fill("#sure-input", "gm")
    page.locator("#sure-input").press("Enter")
    page.locator('#ask [data-do="option"]', has_text="deploys GM").wait_for()
    page.reload()  # what was named and not used is left behind as well
    unnamed.click()
    page.fill("#sure-input", "Moebius")
    page.locator("#sure-yes").click()
    page.locator("#sure-fault", has_text="Moebius").wait_for()
    page.locator("#sure-input").press("Escape")
    page.locator("#sure").wait_for(state="hidden")
    before = client.position(match.id)
    open_ = page.get_attribute("#seat", "data-decision")
    page.locator('#ask [data-do="option"]', has_text="ends").click()
    page.locator(f'#seat:not([data-decision="{open_}"])').wait_for()
    now = client.position(match.id)
    assert now.decisions > before.decisions, "it is recorded"
    assert {n: one.id for n, one in now.cards.items() if n in before.cards} == {
        n: one.id for n, one in before.cards.items()
    }, "and no name with it"
    page.context.close()


def test_a_judge_is_called_to_the_table(browser: Browser, site: Running, host: Client) -> None:
    event = host.open_tournament("Cup", Format("gundam", mode="dealer", seconds=3000)).id
    for n in host.enter_players(event, ["Ann", "Ben"]):
        host.hand_in_list(event, n, ("ST01", "ST02")[n % 2])
    host.accept_lists(event)
    host.pair_round(event, [Pairing(1, 1, 2)])
    host.open_round(event)
    host.start_round(event)
    match = f"{event}.r1.t1"
    player = Player(browsers.page(browser), site.web, match, host.issue_tokens(match).seats[0], "1")
    player.open()
    page = player.page
    page.locator(".besides > summary").click()
    page.locator('[data-do="judge"]').click()
    page.fill("#sure-input", "a card is torn")
    page.locator("#sure-yes").click()
    page.locator("#note.good").wait_for()
    (call,) = host.get_tournament(event).calls.values()
    assert call.text == "a card is torn"
    page.context.close()


def test_after_a_game_the_next_is_played(browser: Browser, site: Running, host: Client) -> None:
    table = Table(browser, site, opened(host, "gundam", 1, best_of=3))
    table.sit()
    play(table.players, 5)
    table.is_up_to_date(host)
    page = table.pages[0]
    assert "Game 1" in page.inner_text("#head")
    concede(page)
    page.locator("#head", has_text="Game 2").wait_for()
    assert page.inner_text("#head .seat-1 .score") == "1"
    assert play(table.players, 3) == 3
    table.leave()


def test_an_act_that_was_not_begun_is_not_reported_as_lost(
    browser: Browser, site: Running, host: Client
) -> None:
    match = opened(host, "hollow_flux", 3)
    clients = [host.with_token(token) for token in match.seats]
    while True:
        decision = host.position(match.id).decision
        assert decision is not None
        seat = decision.seats[0]
        offer = clients[seat].position(match.id).decision.offers[seat]  # type: ignore[union-attr]
        assert offer is not None
        if len(offer.options) == 1 and offer.options[0].parts:
            break
        clients[seat].choose(match.id, decision.n, offer.options[0].act())
    found = Table(browser, site, match)
    found.sit()
    page = found.pages[seat]
    page.locator("#asks").wait_for()
    clients[seat].choose(match.id, decision.n, offer.options[0].act())
    page.locator(f'#seat:not([data-decision="{decision.n}"])').wait_for()
    assert not page.locator("#note").is_visible()
    found.leave()


def test_a_text_is_written_where_one_is_asked(
    browser: Browser, site: Running, host: Client
) -> None:
    table = Table(browser, site, opened(host, "yugioh", 1, best_of=3))
    table.sit()
    play(table.players, 3)
    table.is_up_to_date(host)
    concede(table.pages[0])
    for page in table.pages:  # one after the other may make his list again
        page.locator("#typed").fill("no list")
        page.locator('[data-do="text"]').click()
        page.locator('[data-do="confirm"]').click()
        page.locator(".objections, #note.bad").first.wait_for()
        page.locator('[data-do="shut"]').click()
        page.locator('[data-do="back"]').click()
        page.locator("#typed").fill("")
        page.locator('[data-do="text"]').click()
        page.locator("#question", has_text="as it is").or_(page.locator(".picks")).first.wait_for()
        page.locator('[data-do="confirm"]').click()
    table.pages[0].locator("#head", has_text="Game 2").wait_for()
    table.leave()


def test_what_is_put_in_order_is_moved_by_its_buttons(
    browser: Browser, site: Running, host: Client
) -> None:
    table = Table(browser, site, opened(host, "gundam", 1))
    clients, rng = [host.with_token(token) for token in table.opened.seats], Random(5)
    seat = -1
    while seat < 0:
        pos = clients[0].position(table.opened.id)
        assert pos.decision is not None
        seat = next((one for one in (0, 1) if len(pos.zone("trash", one)) > 2), -1)
        if seat < 0:
            whose = pos.decision.seats[0]
            offer = clients[whose].position(table.opened.id).decision.offers[whose]  # type: ignore[union-attr]
            assert offer is not None
            act = rng.choice(offer.options).act()
            clients[whose].choose(table.opened.id, pos.decision.n, act)
    page = table.pages[seat]
    table.players[seat].open()
    page.locator(".besides > summary").click()
    page.locator('[data-do="openAct"][data-ordering="yes"]').first.click()
    page.locator('#ask [data-do="rest"]').click()
    page.locator('#ask [data-do="confirm"]').wait_for()
    before = page.locator(".picks > li > span:not(.number)").all_inner_texts()
    page.locator('#ask [data-do="up"]').last.click()
    swapped = [*before[:-2], before[-1], before[-2]]
    page.locator(".picks > li").last.filter(has_text=swapped[-1]).wait_for()
    assert page.locator(".picks > li > span:not(.number)").all_inner_texts() == swapped
    page.locator('#ask [data-do="confirm"]').click()
    page.locator("#lines .line", has_text="tidies").first.wait_for()
    table.leave()


def test_a_killed_service_loses_nothing(browser: Browser, tmp_path: Path) -> None:
    data = tmp_path / "m.kifu"
    first = serving.start(data, http_port=0)
    port = int(first.web.rpartition(":")[2])
    with first.client() as client:
        table = Table(browser, first, opened(client, "gundam", 1), "kill")
    table.sit()
    play(table.players, 20)
    while not (player := table.deciding()).page.locator('#ask [data-do="option"]').count():
        player.decide()
    n = player.seen()["decision"]
    first.kill()
    player.page.locator('#ask [data-do="option"]').first.click()
    player.page.locator("#note.bad, #note", has_text="again").first.wait_for()
    second = serving.start(data, http_port=port)
    try:
        until(lambda: int(player.seen()["decision"]) > n)  # the page sends it again by itself
        play(table.players, 10)
        assert all(one.seen()["decision"] > n for one in table.players)
    finally:
        second.stop()
        table.leave()
