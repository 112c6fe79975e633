"""Somebody who plays a seat in a browser: he sees what the page offers, and clicks.

He knows no rules and no API: he chooses, from a seed, among the buttons that he can see. What he
may not choose is no button.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from replay_cli.playing.bots import SOMETHING

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: The buttons that can be seen: what they do, and what they say.
_SEEN = """() => {
  const page = document.getElementById("seat");
  const buttons = Array.from(document.querySelectorAll("#ask [data-do]"))
    .filter((one) => one.checkVisibility() && !one.closest("details"));
  return {
    state: document.body.dataset.state || "", decision: Number(page.dataset.decision || 0),
    shown: Number(page.dataset.shown || 0), sending: page.classList.contains("sending"),
    connection: page.dataset.connection || "", note: document.getElementById("note").textContent,
    buttons: buttons.map((one) => [one.dataset.do, one.textContent.trim()]),
    touch: Array.from(document.querySelectorAll("#board [data-touch]"))
      .filter((one) => one.checkVisibility()).length,
    leave: document.querySelectorAll('#ask [data-do="leave"]').length,
    grave: document.querySelectorAll("#ask .besides .grave").length,
  };
}"""
#: Waits until the page has answered a click, or has begun; the policy of pages forbids Playwright's
#: own way of waiting, which evaluates texts.
_CHANGED = """async ([shown, decision]) => {
  const there = () => {
    const page = document.getElementById("seat");
    return document.body.dataset.state && !page.classList.contains("sending") &&
      (Number(page.dataset.shown) > shown || Number(page.dataset.decision || 0) !== decision);
  };
  for (let n = 0; n < 2000 && !there(); n++) await new Promise((resolve) => setTimeout(resolve, 5));
  return there();
}"""
#: How likely a choice is that does nothing, beside one that does something.
IDLE = 0.15
#: How likely each kind of button is; any other is left alone.
WEIGHTS = {
    "confirm": 100.0, "close": 3.0, "rest": 1.0, "pick": 1.0, "back": 0.02, "value": 1.0,
    "number": 5.0, "text": 5.0, "shut": 1.0, "option": 1.0,
}  # fmt: skip


class Player:
    """A seat in a browser."""

    def __init__(self, page: Page, site: str, match: str, token: str, seed: str) -> None:
        self.page, self.address = page, f"{site}/seat/{match}"
        self.rng = Random(seed)
        if token:
            page.context.add_cookies([{"name": "kifu", "value": token, "url": site}])
        self.clicks = self.decided = 0

    def open(self) -> None:
        """Go to the page of the seat."""
        self.page.goto(self.address)
        assert self.page.evaluate(_CHANGED, [0, -1])

    def seen(self) -> Any:
        """The text of the page."""
        return self.page.evaluate(_SEEN)

    def click(self, at: int, seen: Any) -> None:
        """Click a button of those seen, and wait for what comes of it."""
        what, text = seen["buttons"][at]
        self.clicks += 1
        nth = sum(one == what for one, _ in seen["buttons"][:at])
        button = self.page.locator(f'#ask [data-do="{what}"]:visible:not(details *)').nth(nth)
        if what == "text":
            self.page.fill("#typed", SOMETHING if "only you" not in text else "")
        button.click()
        assert self.page.evaluate(_CHANGED, [seen["shown"], seen["decision"]]), seen

    def decide(self) -> int:
        """Answer the decision that is open; which it was."""
        seen = self.seen()
        n = int(seen["decision"])
        for _ in range(60):
            if seen["state"] != "mine" or seen["decision"] != n:
                self.decided += 1
                return n
            if seen["buttons"]:
                self.click(self._chosen(seen["buttons"]), seen)
            seen = self.seen()
        raise AssertionError(f"decision {n} does not end: {seen}")

    def _chosen(self, buttons: list[list[str]]) -> int:
        """Which button is next: what finishes an act sooner than what takes a step back."""
        some = [
            IDLE if what == "option" and not _does(text) else WEIGHTS.get(what, 0.0)
            for what, text in buttons
        ]
        return self.rng.choices(range(len(buttons)), some)[0]


def _does(text: str) -> bool:
    """Whether an option does something, judged by its words."""
    idle = ("pass", "end", "no", "declin", "does nothing", "lets it", "gives", "conceal", "swap")
    return not any(text.lower().startswith(word) for word in idle)


def concede(page: Page) -> None:
    """Give the game up."""
    page.locator(".besides > summary").click()
    page.locator('[data-do="openAct"]', has_text="concedes").click()
    page.locator("#sure-yes").click()


def play(players: list[Player], most: int = 2000) -> int:
    """Play until the match is over, or so many decisions; how many were made."""
    made = 0
    for _ in range(most * 200):
        for player in players:
            seen = player.seen()
            if seen["state"] == "over":
                return made
            if seen["state"] == "mine":
                player.decide()
                made += 1
                if made >= most:
                    return made
        players[0].page.wait_for_timeout(5)
    raise AssertionError("nobody is asked")
