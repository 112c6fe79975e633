"""The table's page on a phone, in a real browser: taps, and what is kept while nobody answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from domain.record import events as ev
from domain.record.entries import active
from service.client.client import Client, Opened
from tests.end_to_end.browser import watching
from tests.support import browsers, serving
from tests.support.photos import photo
from tests.support.serving import Running
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

#: How many taps are kept on the device; a phone, and a tablet that lies on its side.
KEPT = """JSON.parse(localStorage.getItem(
  `kifu-table/${document.getElementById('table').dataset.match}`) || '[]').length"""
PHONE, TABLET = {"width": 390, "height": 844}, {"width": 1024, "height": 768}
#: A card that no catalogue has.
WATCH = {
    "card_number": "PR-01", "name": "Harbour Watch", "card_type": "unit", "color": "blue",
    "level": "1", "cost": "1", "ap_raw": "2", "hp_raw": "2",
}  # fmt: skip


class Phone:
    """A scorekeeper's phone."""

    def __init__(self, browser: Browser, web: str, opened: Opened) -> None:
        self.page: Page = browsers.page(browser, **PHONE, has_touch=True)
        self.errors = browsers.watched(self.page)
        self.taps = 0
        cookie = {"name": "kifu", "value": opened.scorekeeper, "url": web}
        self.page.context.add_cookies([cookie])  # type: ignore[list-item]
        self.address = f"{web}/table/{opened.id}"
        self.page.goto(self.address)

    @property
    def seq(self) -> int:
        return int(self.page.get_attribute("#table", "data-seq") or 0)

    def tap(self, selector: str, text: str = "") -> None:
        """Tap something that has been there long enough to be read."""
        self.taps += 1
        found = self.page.locator(selector, has_text=text) if text else self.page.locator(selector)
        found.first.wait_for()
        self.page.wait_for_timeout(350)
        found.first.tap()

    def records(self, selector: str, text: str = "") -> None:
        """Tap something that is recorded at once."""
        before = self.seq
        self.tap(selector, text)
        self.page.wait_for_function(
            "before => Number(document.getElementById('table').dataset.seq) > before", arg=before
        )

    def end(self) -> None:
        """The turn ends, after what is passed before."""
        self.records("#dock [data-tap]", "end")

    def types(self, line: str) -> None:
        self.page.fill("#typed", line)
        self.taps += len(line) + 1

    @property
    def kept(self) -> int:
        """How many taps are kept on the device."""
        return int(self.page.evaluate(KEPT))

    def keeps(self, n: int) -> None:
        """Wait until so many are."""
        self.page.wait_for_function(f"(n) => ({KEPT}) === n", arg=n)


@pytest.fixture
def phone(browser: Browser, site: Running, host: Client) -> Iterator[tuple[Phone, Opened]]:
    opened = _opened(host)
    found = Phone(browser, site.web, opened)
    yield found, opened
    found.page.context.close()


def _opened(host: Client) -> Opened:
    return host.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", wait=True)


def _made(host: Client, match: str) -> list[tuple[int, str]]:
    """Who did what, what was inferred aside."""
    made = (one.event for one in active(list(host.events(match))))
    acts = (one for one in made if isinstance(one, ev.DecisionMade) and one.origin == "seat")
    return [(one.seat, one.act.kind if one.act is not None else "") for one in acts]


def begin(phone: Phone) -> None:
    phone.tap('[data-act="begin"]')
    question = phone.page.locator("[data-answer]", has_text="Ann")

    def asked() -> bool:  # a tap on what was drawn a moment ago is not taken
        phone.page.wait_for_timeout(400)
        if not question.count():
            phone.page.evaluate("document.querySelector('[data-act=begin]')?.click()")
        return question.count() > 0

    until(asked)
    phone.records("[data-answer]", "Ann")
    for text in ("first", "keep", "keep"):
        phone.records("#dock [data-tap]", text)


def deploy(phone: Phone, seat: int, name: str) -> None:
    phone.tap(f'[data-place="hand/{seat}"]')
    phone.tap(".sheet .chip", name)
    if phone.page.locator(".sheet [data-tap]", has_text="deploy").count():
        phone.records(".sheet [data-tap]", "deploy")


def test_a_match_begins_with_few_taps_and_an_attack_takes_two(
    phone: tuple[Phone, Opened], host: Client
) -> None:
    one, opened = phone
    begin(one)
    assert one.taps <= 8
    one.end()
    one.tap('[data-place="hand/1"]')
    one.tap(".sheet .chip", "Gaza D")
    one.records(".sheet [data-tap]", "deploy Gaza D")
    one.end()
    one.end()
    before = one.taps
    one.tap("#board [data-card] > [data-ref]", "Gaza D")
    one.records('#board [data-ref="seat/0"]')
    assert one.taps - before == 2
    assert (1, "attack") in _made(host, opened.id)
    one.records("#undo")
    assert (1, "attack") not in _made(host, opened.id)
    one.types("d zzzz")
    one.page.locator("#dock .why").wait_for()
    one.page.fill("#typed", "")
    assert one.errors == []


def test_what_is_tapped_while_nobody_answers_is_kept_and_sent_once(
    browser: Browser, tmp_path: Path
) -> None:
    data = tmp_path / "m.kifu"
    running = serving.start(data, http_port=0)
    with running.client() as host:
        opened = _opened(host)
    one = Phone(browser, running.web, opened)
    try:
        begin(one)
        with running.client() as host:
            before = _made(host, opened.id)
        one.page.locator('#table[data-away="ready"]').wait_for(state="attached")
        running.kill()
        one.page.reload()
        one.tap(".big[data-tap]", "end")
        one.page.locator('#table[data-link="offline"]').wait_for()
        for line in ("B: deploy gaza d", "B: deploy guntank", "B: end", "A: end"):
            one.page.fill("#typed", line)
            one.page.locator(".big", has_text=f"Keep: {line}").wait_for()
            one.tap(".big")
        assert one.kept == 5
        web, grpc = (int(text.rpartition(":")[2]) for text in (running.web, running.address))
        running = serving.start(data, http_port=web, port=grpc)
        one.page.reload()
        one.page.locator("#queue .refused", has_text="guntank").wait_for()
        one.keeps(1)
        with running.client() as host:
            made = _made(host, opened.id)[len(before) :]
        assert made == [(0, "end"), (1, "deploy"), (1, "end"), (0, "end")]
        one.tap("#queue .close")
        one.keeps(0)
    finally:
        one.page.context.close()
        running.kill()


def test_airplane_mode_loses_nothing_and_an_answer_that_was_lost_is_not_recorded_twice(
    phone: tuple[Phone, Opened], host: Client
) -> None:
    one, opened = phone
    begin(one)
    lost = []

    def lose(route: object) -> None:
        """The server records it, and its answer does not arrive."""
        lost.append(route.fetch())  # type: ignore[attr-defined]
        route.abort()  # type: ignore[attr-defined]

    one.page.route("**/tap?*", lose, times=1)
    one.records(".big[data-tap]", "end")
    assert len(lost) == 1
    one.page.context.set_offline(True)
    one.tap("#dock [data-tap]", "end")
    one.page.locator('#table[data-link="offline"]').wait_for()
    assert one.kept == 1
    one.page.context.set_offline(False)
    one.keeps(0)
    assert _made(host, opened.id)[-2:] == [(0, "end"), (1, "end")]


def test_everything_is_large_enough_for_a_thumb_and_nothing_scrolls_aside(
    phone: tuple[Phone, Opened],
) -> None:
    one, _ = phone
    begin(one)
    small = """[...document.querySelectorAll('button, a, input')].filter((one) => {
      const box = one.getBoundingClientRect();
      const small = box.width < 43.5 || box.height < 43.5;
      return box.width && small && !one.matches('.skip, li a.card');  // a link within a sentence
    }).map((one) => one.outerHTML)"""
    for scheme in ("dark", "light"):
        one.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert watching.faults(one.page) == []
    one.tap('[data-place="hand/0"]')
    one.page.locator(".sheet").wait_for()
    assert watching.faults(one.page) == []
    one.tap("[data-close]")
    for size in (PHONE, TABLET, {"width": 360, "height": 640}):
        one.page.set_viewport_size(size)  # type: ignore[arg-type]
        assert watching.wrong(one.page, small) == []
        width = one.page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"]
        for seat in (0, 1):
            side = one.page.locator(f"#board .side.seat-{seat}")
            assert side.bounding_box()["y"] < size["height"] * 0.75  # type: ignore[index]


def test_a_card_that_no_catalogue_has_is_brought_with_a_thumb(
    phone: tuple[Phone, Opened], host: Client
) -> None:
    thumb, _ = phone
    page = thumb.page
    begin(thumb)
    page.fill("#typed", "deploy harbour")
    page.locator("#parts [data-bring]").wait_for()
    page.locator("#parts [data-bring]").tap()
    form = page.locator("#bring form")
    form.wait_for()
    for name, text in {**WATCH, "card_type": "dragon"}.items():
        form.locator(f"[name={name}]").fill(text)
    form.locator("button.main").tap()
    page.locator("#bring [role=alert]", has_text="dragon").wait_for()
    assert form.locator("[name=name]").input_value() == "Harbour Watch", "nothing is typed twice"
    form.locator("[name=card_type]").fill("unit")
    form.locator("button.main").tap()
    page.locator("#bring .card-text", has_text="Harbour Watch").wait_for()
    before = thumb.seq
    page.locator("#bring [data-brings]").tap()
    page.wait_for_function(
        "before => Number(document.getElementById('table').dataset.seq) > before", arg=before
    )
    page.locator("#bring:not([open])").wait_for(state="attached")
    link = page.locator("#lines a.card", has_text="Harbour Watch").first
    link.wait_for()
    link.tap()
    page.locator("#card-over .card-text", has_text="Harbour Watch").wait_for()
    page.locator("#card-over .shut").tap()
    thumb.records("#dock .big[data-tap]", "deploy Harbour Watch")
    page.locator("#board [data-ref]", has_text="Harbour Watch").first.wait_for()
    assert not thumb.errors


def test_a_photo_of_a_brought_card_is_made_small_on_the_phone_and_shown_with_the_card(
    browser: Browser, tmp_path: Path
) -> None:
    look = {"card_photos": True}
    with serving.running(tmp_path / "m.kifu", http_port=0, look=look) as web, web.client() as own:
        thumb = Phone(browser, web.web, _opened(own))
        page = thumb.page
        begin(thumb)
        page.fill("#typed", "deploy harbour")
        page.locator("#parts [data-bring]").tap()
        form = page.locator("#bring form")
        for name, text in WATCH.items():
            form.locator(f"[name={name}]").fill(text)
        form.locator("button.main").tap()
        junk = {"name": "x.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"}
        page.set_input_files("#bring [data-photo]", junk)  # type: ignore[arg-type]
        page.locator("#bring [role=alert]").wait_for()
        camera = {"name": "x.jpg", "mimeType": "image/jpeg", "buffer": photo(1500, 2100)}
        page.set_input_files("#bring [data-photo]", camera)  # type: ignore[arg-type]
        page.locator("#bring canvas").wait_for()
        page.locator("#bring [data-retype]").tap()
        form.locator("button.main").tap()
        page.locator("#bring canvas").wait_for()
        page.locator("#bring [data-brings]").tap()
        page.locator("#bring:not([open])").wait_for(state="attached")
        page.locator("#lines a.card", has_text="Harbour Watch").first.tap()
        page.locator("#card-over img.photo").wait_for()
        page.wait_for_function(
            "() => document.querySelector('#card-over img').naturalHeight === 1000"
        )
        page.locator("#card-over .shut").tap()
        thumb.records("#dock .big[data-tap]", "deploy Harbour Watch")
        page.goto(f"{web.web}/m/{thumb.address.rpartition('/')[2]}")
        page.wait_for_function(
            "() => document.querySelector('.tile img.picture')?.naturalWidth > 0"
        )
        page.context.close()
        assert not thumb.errors


def test_several_cards_are_picked_one_after_the_other(
    browser: Browser, site: Running, host: Client
) -> None:
    opened = host.open_match(
        "hollow_flux", ["Ann", "Ben"], ["HX-A", "HX-B"], mode="table", rolls=[(0,)]
    )
    thumb = Phone(browser, site.web, opened)
    page = thumb.page
    thumb.records("#dock [data-tap]", "first")
    thumb.tap("#dock .several")
    picks = page.locator("#parts .picks [data-pick]")
    picks.first.wait_for()
    for n in (1, 2, 3):
        page.locator("#parts .picks [aria-pressed=false]").first.tap()
        page.wait_for_function(
            "n => document.querySelectorAll('#parts .picks [aria-pressed=true]').length === n",
            arg=n,
        )
    page.locator("#parts .picks [aria-pressed=true]").first.tap()
    page.wait_for_function(
        "() => document.querySelectorAll('#parts .picks [aria-pressed=true]').length === 2"
    )
    thumb.records("#parts .big[data-tap]")
    made = [e.event for e in host.events(opened.id) if isinstance(e.event, ev.DecisionMade)]
    assert len(made[-1].stated.value.names) == 2  # type: ignore[union-attr]
    assert not thumb.errors
    page.context.close()
