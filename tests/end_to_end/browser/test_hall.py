"""The hall and the desk in browsers: rounds are run, a judge goes back, two organisers at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from msgspec.structs import replace

from domain.record.schema.policy import EndOfTime, Policy
from domain.record.views import PUBLIC
from domain.tournament.record import Format, Infraction
from service.client.client import Client
from service.web.visitors import COOKIE
from tests.end_to_end.browser.watching import faults, stray
from tests.end_to_end.web.test_phones import players, seated
from tests.support import browsers
from tests.support.rounds import event, play, started
from tests.support.serving import Running
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

pytestmark = pytest.mark.long

FORMAT = Format(
    "toy", mode="dealer", seconds=3000, rounds=2, options={"turns": 12},
    policy=Policy(end=EndOfTime(turns=2)),
)  # fmt: skip
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def opens(browser: Browser, site: Running) -> Iterator[Callable[..., Page]]:
    """Opens a page as the holder of a token; nothing may go wrong in it."""
    seen: list[tuple[Page, list[str]]] = []

    def opened(path: str, token: str = "", **how: Any) -> Page:
        page = browsers.page(browser, **how)
        cookie: Any = {"name": COOKIE, "value": token or site.token, "url": site.web}
        page.context.add_cookies([cookie])
        seen.append((page, browsers.watched(page)))
        page.goto(site.web + path)
        page.wait_for_selector("html[data-ready]")
        return page

    yield opened
    for page, errors in seen:
        wrong = [one for one in errors if "Failed to load resource" not in one]
        page.context.close()
        assert wrong == []


def announced(page: Page, text: str) -> None:
    """Wait until the page says what became of a command."""
    page.locator("#outcome", has_text=text).wait_for()


def agree(page: Page, text: str) -> None:
    """Agree to what is asked, which must say this."""
    dialog = page.locator("#confirm[open]")
    dialog.locator("#confirm-text", has_text=text).wait_for()
    dialog.locator("[value=yes]").click()


def row(page: Page, table: int) -> Locator:
    return page.locator(f"#rows tr[data-number='{table}']")


@contextmanager
def dialog(page: Page, name: str) -> Iterator[Locator]:
    """A dialog that is open, and closes by what is done in it."""
    found = page.locator(f"#dialog-{name}[open]")
    found.wait_for()
    yield found
    found.wait_for(state="hidden")


def both_lost(host: Client, event: str) -> bool:
    outcome = host.get_tournament(event).rounds[0].tables[1].outcome
    return outcome is not None and outcome.both_lost


def seconds(text: str) -> int:
    minutes, rest = text.strip().split(":")
    return int(minutes) * 60 + int(rest)


def result(page: Page, table: int, text: str) -> None:
    """Type a result."""
    row(page, table).locator("[data-open=result]").click()
    with dialog(page, "result") as form:
        form.get_by_role("button", name=text, exact=True).click()
        form.locator("[type=submit]").click()


def test_what_has_not_begun_is_named_with_the_way_to_have_it_begin(
    host: Client, opens: Callable[..., Page]
) -> None:
    found = started(host, 2, Format("gundam", mode="table", seconds=3000))
    page = opens(f"/hall/{found.id}")
    page.locator("[data-act=start]").click()
    announced(page, "Table 1, 2: not begun; who won the roll is missing.")
    assert "has begun" not in page.locator("#outcome").inner_text()
    desk = opens(f"/desk/{found.match(1)}")
    desk.locator("summary", has_text="Begin the match").click()
    form = desk.locator("form[data-act=begin]")
    form.locator("[type=submit]").click()
    announced(desk, "At a real table: how chance fell before the next decision")
    form.locator("[name=rolls]:focus").fill("A")
    form.locator("[type=submit]").click()
    announced(desk, "The match has begun.")


def test_a_round_is_run_from_pairing_to_standings(host: Client, opens: Callable[..., Page]) -> None:
    found = event(host, 4, FORMAT)
    page = opens(f"/hall/{found.id}")
    page.locator("[data-act=open]").click()
    agree(page, "4 tables wait for it to start.")
    announced(page, "Round 1 is open.")
    page.locator("[data-act=start]").click()
    agree(page, "Round 1 starts: 50:00 on the clock.")
    page.locator("#rows .state.live").nth(3).wait_for()

    row(page, 2).locator("[name=pick]").check()
    page.locator("#whom", has_text="Tables 2").wait_for()
    page.locator(".clocks [name=minutes]").fill("10")
    page.locator(".clocks [type=submit]").click()
    announced(page, "Table 2: 10:00 more.")
    page.locator("tr[data-number='2'] .time", has_text="59:").wait_for()
    assert seconds(row(page, 1).locator(".time").inner_text()) <= 3000

    play(host, found.match(3), 4)  # seen without a click
    page.locator("tr[data-number='3'] .state", has_text=re.compile("turn [2-9]")).wait_for()

    page.locator(".clocks [data-act=time]").click()
    agree(page, "Time is called for table 2 of round 1: 2 turns more.")
    announced(page, "Table 2: time is called.")
    row(page, 2).locator("small", has_text="time called").wait_for()

    page.locator("[data-act=end]").click()  # no results yet: refused, with its rule
    announced(page, "house:event")
    for table, text in ((1, "1-0"), (2, "0-1"), (3, "1-0 no-show"), (4, "0-1")):
        result(page, table, text)
        row(page, table).locator(".result strong", has_text=text).wait_for()
    row(page, 4).locator("[data-open=correct]").click()
    with dialog(page, "correct") as form:
        form.get_by_role("button", name="1-0", exact=True).click()
        form.locator("[name=why]").fill("the wrong way round")
        form.locator("[type=submit]").first.click()
        agree(page, "The result of table 4 is 0-1; it will be superseded by: 1-0.")
    row(page, 4).locator("small", has_text="corrected").wait_for()
    page.locator("[data-act=end]").click()
    agree(page, "Round 1 ends with the results of 4 tables.")
    announced(page, "Round 1 has ended.")

    page.get_by_role("link", name="Standings").click()
    rows = page.locator(".standings tbody tr")
    rows.nth(7).wait_for()
    points = {
        one.locator("th").inner_text(): one.locator("strong").inner_text() for one in rows.all()
    }
    winners = {"Player 1", "Player 4", "Player 5", "Player 7"}
    assert {name for name, points in points.items() if points == "3"} == winners


def test_a_call_is_heard_taken_and_settled(host: Client, opens: Callable[..., Page]) -> None:
    found = started(host, 4, FORMAT)
    page = opens(f"/hall/{found.id}", found.opened.official, **PHONE)
    host.raise_call(found.id, 3, "a trigger was missed")
    call = page.locator(".call", has_text="a trigger was missed")
    call.get_by_role("button", name="Take").click()
    announced(page, "The call is yours.")
    page.locator(".call.taken", has_text="is there, for").wait_for()
    call.get_by_role("button", name="Settle").click()
    with dialog(page, "answer") as form:
        form.get_by_role("button", name="3 minutes").click()
        form.locator("textarea").fill("it resolves now")
        form.locator("[type=submit]").click()
    call.wait_for(state="detached")
    (one,) = host.get_tournament(found.id).calls.values()
    assert (one.answer, one.seconds) == ("it resolves now", 180)


def test_a_judge_goes_back_and_penalises(host: Client, opens: Callable[..., Page]) -> None:
    found = started(host, 1, FORMAT)
    match = found.match(1)
    play(host, match, 6)
    page = opens(f"/desk/{match}", found.opened.official)
    page.locator("#lines [data-back='3']").click()
    page.locator("#back[open] .undone li").nth(4).wait_for()
    page.locator("#back [name=why]").fill("an illegal play")
    page.locator("#back [type=submit]").click()
    agree(page, "Back to decision 3. Everything since is undone.")
    announced(page, "The match went back to decision 3.")
    page.locator("#head", has_text="decision 3 is open").wait_for()
    page.locator(".line.undone").first.wait_for()
    open_ = host.position(match, view=PUBLIC).decision
    assert open_ is not None
    assert open_.n == 3

    page.locator("summary", has_text="Penalty").click()
    form = page.locator("form[data-act=penalise]")
    form.locator("[name=kind]").select_option("game-loss")
    form.locator("[name=seat]").select_option("B")
    form.locator("[type=submit]").click()
    agree(page, "player B loses the game, and the match is over: player A won, 1–0")
    announced(page, "The penalty was recorded.")
    page.locator("#head strong", has_text="over").wait_for()
    page.locator("#calls", has_text="Game Loss").wait_for()
    assert host.position(match, view=PUBLIC).winner == 0


def test_a_desk_proposes_what_is_usual_at_its_event(
    host: Client, opens: Callable[..., Page]
) -> None:
    slow = Infraction("slow-play", "Slow play", "warning", "game-loss", "trm:7.4")
    found = started(host, 1, replace(FORMAT, infractions=(slow,)))
    page, other = (opens(f"/desk/{found.match(1)}", found.opened.official) for _ in range(2))

    def give(of: Page) -> None:
        if not of.locator("form[data-act=penalise]").is_visible():
            of.locator("summary", has_text="Penalty").click()
        form = of.locator("form[data-act=penalise]")
        form.locator("[name=seat]").select_option("B")
        form.locator("[name=infraction]").select_option("slow-play")
        form.locator("[name=game_state]").select_option("accepted")
        form.locator("[type=submit]").click()

    give(page)
    agree(page, "Slow play (trm:7.4): usually warning. Warning for Player 2.")
    announced(page, "The penalty was recorded.")
    for one in (page, other):
        one.locator("#calls", has_text="Warning (Slow play)").wait_for()
    give(other)
    other.locator("#confirm[open] #confirm-text", has_text="Before: warning, round 1").wait_for()
    give_up = other.locator("#confirm[open] [value='']")
    give_up.click()
    assert len(host.get_tournament(found.id).penalties) == 1
    give(page)
    agree(page, "player B loses the game, and the match is over")
    page.locator("#head strong", has_text="over").wait_for()


def test_who_is_late_and_who_is_barred(host: Client, opens: Callable[..., Page]) -> None:
    late = Infraction("late", "Not there", "warning", late=((0, "warning"), (3, "game-loss")))
    found = started(host, 2, replace(FORMAT, infractions=(late,)))
    host.check_in(found.id, 1)
    page = opens(f"/hall/{found.id}/penalties", found.opened.official)
    page.locator("ol.costs li.reached", has_text="Game Loss").wait_for()  # while it is looked at
    page.locator("[data-act=late][data-player='2']").click()
    agree(page, "Not there: usually game-loss. Game Loss for Player 2: it falls on the match at")
    announced(page, "Game Loss for Player 2.")
    page.locator("#part td", has_text="Game Loss (Not there)").first.wait_for()
    page.locator("[data-act=late][data-player='2']").click()
    agree(page, "Game Loss for Player 2")
    announced(page, "was given game-loss in round 1")
    page.locator("form[data-act=late] select").select_option(label="Table 1 · Player 1")
    page.locator("form[data-act=late] [type=submit]").click()
    agree(page, "Game Loss for Player 1")
    announced(page, "Game Loss for Player 1.")
    until(lambda: both_lost(host, found.id))

    page.goto(page.url.replace("/penalties", "/players"))
    page.wait_for_selector("html[data-ready]")
    page.locator("tr", has_text="Player 1").locator("[data-open=bar]").click()
    with dialog(page, "bar") as form:
        form.locator("[name=why]").fill("suspended")
        form.locator("[type=submit]").click()
        agree(page, "Player 1 is checked in: he plays on until he is dropped.")
    announced(page, "Player 1 is barred.")
    page.locator("tr", has_text="Player 1").locator("small", has_text="barred").wait_for()
    page.locator("[data-act=unbar]").click()
    announced(page, "Player 1 is barred no longer.")


def test_a_fault_in_a_deck_is_penalised_in_one_step(
    host: Client, opens: Callable[..., Page]
) -> None:
    unlike = Infraction("deck-and-list", "A deck unlike its list", "game-loss", rule="trm:7.4")
    found = event(host, 2, replace(FORMAT, infractions=(unlike,)))
    host.draw_decks(found.id, 4)
    page = opens(f"/hall/{found.id}/players", found.opened.official)
    page.locator("[data-open=checked][data-player='2']").click()
    with dialog(page, "checked") as form:
        form.locator("[name=fault]").fill("41 cards")
        form.locator("[type=submit]").click()
        agree(page, "Game Loss for Player 2: it falls on the match at table 1.")
    announced(page, "is written down. Game Loss for Player 2.")
    page.locator("tr", has_text="41 cards").first.wait_for()
    page.locator("[data-open=checked][data-player='3']").click()
    with dialog(page, "checked") as form:
        form.locator("[name=fault]").fill("a sleeve is torn")
        form.locator("[name=infraction]").select_option("")
        form.locator("[type=submit]").click()
    page.locator("tr", has_text="a sleeve is torn").first.wait_for()
    (given,) = host.get_tournament(found.id).penalties.values()
    assert (given.player, given.kind, given.note) == (2, "game-loss", "41 cards")


def test_an_appeal_is_offered_as_a_ruling_falls_and_stays_while_it_is_written(
    host: Client, site: Running, opens: Callable[..., Page]
) -> None:
    found = seated(host)
    with players(site, host, found, 1) as (ann,):
        page = opens(f"/e/{found}/me", ann.cookies["kifu"], **PHONE)
    assert not page.get_by_text("Appeal to the head judge").count()
    host.answer_call(found, host.raise_call(found, 7, "whose turn?"), "Ben's")
    page.locator("summary", has_text="Appeal to the head judge").click()
    form = page.locator("form[action$='/me/appeal']")
    form.locator("[name=text]").fill("it is mine")
    host.raise_call(found, 7, "another thing")
    page.locator("#event", has_text="A judge is called.").wait_for()
    assert form.locator("[name=text]").input_value() == "it is mine"
    form.locator("button").click()
    page.locator("#asking", has_text="the head judge has yet to answer").wait_for()
    host.answer_appeal(found, 1, "it is", True)
    page.locator("#asking", has_text="the ruling does not stand: it is").wait_for()


def test_the_board_of_a_desk_is_laid_out_as_elsewhere(
    host: Client, opens: Callable[..., Page]
) -> None:
    found = started(host, 2, FORMAT)
    play(host, found.match(1), 4)
    page = opens(f"/desk/{found.match(1)}")
    assert page.locator("#board .clocks").count()
    assert stray(page) == []


def test_a_position_is_put_right_by_clicks(host: Client, opens: Callable[..., Page]) -> None:
    opened = host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST02"])
    play(host, opened.id, 4)
    page = opens(f"/desk/{opened.id}?as=official")
    page.locator("summary", has_text="Put the position right").click()
    page.locator("#verb").select_option("move … to PLACE")
    tile = page.locator("[data-place='hand/0'] [data-card]").first
    card = int(tile.get_attribute("data-card") or 0)
    tile.click()
    page.locator("#place").select_option("deck/0")
    form = page.locator("form[data-act=correct]")
    assert form.locator("#fixes").input_value() == f"move {card} to deck/0"
    form.locator("[name=why]").fill("drew two")
    form.locator("[type=submit]").click()
    agree(page, "The position is put right, for all to see")
    announced(page, "The position was put right.")
    assert card not in host.position(opened.id).zones["hand/0"]


def test_last_acts_and_followers_are_seen_as_they_come(
    host: Client, opens: Callable[..., Page], site: Running
) -> None:
    found = started(host, 2, FORMAT)
    page = opens(f"/hall/{found.id}")
    following = iter(host.watch(found.match(2)))  # as long as there is this one
    next(following)
    play(host, found.match(1), 3)
    lines = httpx.get(
        f"{site.web}/m/{found.match(1)}/lines/0-{host.match(found.match(1)).entries}.json"
    )
    done = [one["text"] for one in lines.json()["lines"] if one["kind"] == "act"]
    row(page, 1).locator(".did", has_text=done[-1]).wait_for()
    row(page, 2).locator(".follow", has_text="1 follows").wait_for()
    row(page, 1).locator(".stream", has_text="live").wait_for()


def test_lists_are_taken_in_by_hand(host: Client, opens: Callable[..., Page]) -> None:
    found = host.open_tournament("Cup", FORMAT)
    host.enter_players(found.id, {"Ann": "", "Ben": ""})
    page = opens(f"/hall/{found.id}/players", **PHONE)
    page.get_by_role("link", name="List Ann").click()
    page.wait_for_url("**/players/1")
    page.wait_for_selector("html[data-ready]")
    form = page.locator("form[data-act=hand-in]")
    form.locator("textarea").fill("[deck]\n60 nosuch")
    host.enter_players(found.id, {"Cem": ""})  # what goes on meanwhile takes nothing away
    form.locator("[type=submit]").click()
    announced(page, "Ann has handed in a list.")
    page.locator(".faults li").first.wait_for()
    form.locator("select").select_option("ones")
    form.locator("[type=submit]").click()
    agree(page, "The list that Ann has handed in is replaced.")
    accept = page.get_by_role("button", name="Accept this list")
    accept.wait_for()
    answers: list[Route] = []  # the page is asked for after the act, and when its entry is heard of
    page.route("**/players/1?only=1*", lambda route: answers.append(route))
    accept.click()
    announced(page, "The lists are accepted.")
    while len(answers) < 2:
        page.wait_for_timeout(20)
    answers.pop().continue_()
    form = page.locator("form[data-act=reopen]")
    form.locator("[name=why]").fill("a card too many")
    with page.expect_response("**/players/1?only=1*"):
        answers.pop().continue_()  # a late answer does not take away what was typed
    page.unroute_all()
    form.locator("[type=submit]").click()
    agree(page, "The list of Ann is accepted no more, until it is again.")
    accept.wait_for()
    assert not host.get_tournament(found.id).players[1].accepted


def test_an_official_is_named_gets_a_code_and_is_one_no_more(
    host: Client, opens: Callable[..., Page]
) -> None:
    found = host.open_tournament("Cup", FORMAT)
    page = opens(f"/hall/{found.id}/officials")
    page.locator("form[data-act=name] [name=name]").fill("Eva Eder")
    page.locator("form[data-act=name] [type=submit]").click()
    announced(page, "Eva Eder is judge.")
    page.get_by_role("button", name="Issue a code Eva Eder").click()
    agree(page, "Earlier codes of Eva Eder will be revoked.")
    page.locator("#outcome", has_text=re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}")).wait_for()
    page.get_by_role("button", name="No longer Eva Eder").click()
    agree(page, "Eva Eder is no official of the event any more")
    page.locator("#part", has_text="Nobody is named as an official.").wait_for()


def test_a_judge_tries_what_else_could_have_happened(
    host: Client, opens: Callable[..., Page]
) -> None:
    found = started(host, 1, FORMAT)
    match = found.match(1)
    play(host, match, 4)
    page = opens(f"/desk/{match}", found.opened.official)
    page.locator("summary", has_text="Fork").click()
    form = page.locator("form[data-act=fork]")
    form.locator("[name=decision]").fill("2")
    form.locator("[type=submit]").click()
    agree(page, "This opens an unofficial copy at decision 2.")
    announced(page, "A fork stands at decision 2.")
    page.locator("#forks li").wait_for()
    token = page.locator("#outcome p", has_text="official · ").inner_text().partition(" · ")[2]
    (fork,) = host.list_matches(fork_of=match)
    own = opens(f"/desk/{fork.id}", token)
    own.locator("#head", has_text="decision 2 is open").wait_for()
    own.get_by_role("link", name="Play on").click()
    own.locator("body.seat").wait_for()


def test_of_two_organisers_the_second_is_warned(host: Client, opens: Callable[..., Page]) -> None:
    found = started(host, 4, FORMAT)
    first, second = opens(f"/hall/{found.id}"), opens(f"/hall/{found.id}")
    result_is(second, first)
    second.route("**/now?*", lambda route: route.abort())  # it does not hear of what follows
    second.route("**/follow?*", lambda route: route.abort())
    first.locator(".clocks [type=submit]").click()
    announced(first, "All tables of round 1: 5:00 more.")
    second.locator(".clocks [type=submit]").click()
    agree(second, "round 1 has 5:00 more (organiser)")
    announced(second, "All tables of round 1: 5:00 more.")
    clock = host.get_tournament(found.id).rounds[0].tables[1].clock
    assert clock is not None
    assert clock.left > 3_590_000


def result_is(second: Page, first: Page) -> None:
    """Both type a result of a table: the second is refused, and sees what the first has typed."""
    row(second, 1).locator("[data-open=result]").click()
    result(first, 1, "1-0")
    typed = row(second, 1).locator(".result strong", has_text="1-0")
    typed.wait_for()
    form = second.locator("#dialog-result[open]")
    form.get_by_role("button", name="0-1", exact=True).click()
    form.locator("[type=submit]").click()
    announced(second, "Somebody was quicker")
    form.wait_for(state="hidden")
    assert typed.is_visible()


def test_a_yes_agrees_to_one_thing(host: Client, opens: Callable[..., Page]) -> None:
    found = started(host, 2, FORMAT)
    page = opens(f"/hall/{found.id}")
    before = len(host.list_tournament_entries(found.id))
    page.locator(".clocks [name=minutes]").fill("-5")
    page.evaluate("""() => {
      for (const one of ["[data-act=time]", ".clocks [type=submit]"])
        document.querySelector(one).click();
    }""")
    asked, confirm = [], page.locator("#confirm[open]")
    for answer in ("Go on", "Cancel"):
        confirm.wait_for()
        asked.append(confirm.locator("#confirm-text").inner_text())
        confirm.get_by_role("button", name=answer).click()
        page.locator("#confirm[open]", has_text=asked[-1]).wait_for(state="hidden")
    assert asked[0] != asked[1]
    page.locator("#outcome .good").wait_for()
    assert len(host.list_tournament_entries(found.id)) == before + 1


def test_what_was_not_sent_is_sent_once(host: Client, opens: Callable[..., Page]) -> None:
    found = started(host, 2, FORMAT)
    page = opens(f"/hall/{found.id}")
    path = "**/kifu.v1.TournamentService/ExtendClock"

    def lost(route: Any) -> None:
        route.fetch()  # it arrives, and the answer is lost
        route.abort()

    page.route(path, lost)
    page.locator(".clocks [type=submit]").dblclick()
    announced(page, "sent again it is carried out once")
    page.unroute(path)
    page.locator("#outcome button").click()
    announced(page, "All tables of round 1: 5:00 more.")
    clock = host.get_tournament(found.id).rounds[0].tables[1].clock
    assert clock is not None
    assert 3_290_000 < clock.left <= 3_300_000


def test_pages_are_for_everybody(host: Client, opens: Callable[..., Page]) -> None:
    found = started(host, 8, FORMAT)
    play(host, found.match(1), 5)
    host.raise_call(found.id, 2, "a question about something that is rather long to tell in a line")
    host.penalise_player(found.id, 1, "warning", "late")
    hall, desk = f"/hall/{found.id}", f"/desk/{found.match(1)}"
    parts = ["", "/players", "/players/1", "/officials", "/standings", "/penalties", "/log"]
    parts += ["?screen=1"]
    paths = [*(f"{hall}{part}" for part in parts), desk, f"{desk}?as=official", f"/e/{found.id}"]
    for path in paths:
        for how in ({}, PHONE):
            page = opens(path, **how)
            wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert page.evaluate(wide) <= 0, (path, how)
            assert faults(page) == [], (path, how)
            page.context.close()
    page = opens(hall)
    for button in ("[data-open=result]", "[data-open=answer]", "[data-open=call]"):
        page.locator(button).first.click()
        assert faults(page) == []
        page.keyboard.press("Escape")


def test_a_long_name_makes_no_page_wide(browser: Browser, site: Running, host: Client) -> None:
    labels = {"event": "E" * 60}
    made = host.open_match("toy", ["W" * 80, "Ben"], ["ones", "tens"], labels=labels)
    for path, token in (("m", made.official), ("desk", made.official), ("seat", made.seats[0])):
        page = browsers.page(browser, width=320, height=568)
        cookie: Any = {"name": COOKIE, "value": token, "url": site.web}
        page.context.add_cookies([cookie])
        page.goto(f"{site.web}/{path}/{made.id}")
        page.get_by_text("W" * 80).first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        page.context.close()


def test_a_long_name_makes_no_list_of_an_event_wide(
    host: Client, opens: Callable[..., Page]
) -> None:
    found = host.open_tournament("E" * 60, FORMAT)
    host.enter_players(found.id, dict.fromkeys(["W" * 64, "Ann", "Ben"], ""))
    host.pair_round(found.id)
    for part in ("", "/players", "/standings", "/log"):
        page = opens(f"/hall/{found.id}{part}")
        page.get_by_text("W" * 64).first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280, part


def test_hundreds_of_tables_stay_usable(host: Client, opens: Callable[..., Page]) -> None:
    found = event(host, 200, Format("toy", mode="", seconds=3000))
    host.open_round(found.id)
    host.start_round(found.id)
    page = opens(f"/hall/{found.id}")
    page.locator("#find").fill("Player 399")
    assert page.locator("#rows tr:visible").count() == 1
    page.locator("#find").fill("77")
    row(page, 77).locator("[data-open=result]").click()
    with dialog(page, "result") as form:
        form.locator("[name=result]").fill("0-1")
        form.locator("[type=submit]").click()
    row(page, 77).locator(".result strong", has_text="0-1").wait_for()
    with page.expect_response("**/now?*") as renewed:
        host.extend_clock(found.id, 60, [5])
    assert len(renewed.value.body()) < 10_000  # a row, and what is on top
