"""Somebody who plays a seat in a browser as people do: not always straight on.

He clicks what can be clicked, on the sheet and on the board (`clicking`), and now and then does
something else: he begins an act and leaves it, touches what can do nothing, reloads the page,
clicks twice, takes picks back, has the seat pass for a while. He knows the page and no game; a seed
says what he does. What the service refused him, and the lines that he saw, are noted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.end_to_end.browser.clicking import Player
from tests.support import browsers

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response

#: Counts what the page has asked and not yet read; streams never end and are left out.
_COUNTED = """(() => {
  const counted = (owner, name) => {
    const done = owner[name];
    owner[name] = async function (...what) {
      window.underWay += 1;
      try { return await done.apply(this, what); }
      finally { setTimeout(() => { window.underWay -= 1; }, 0); }
    };
  };
  window.underWay = 0;
  counted(window, "fetch");
  counted(Response.prototype, "json");
  counted(Response.prototype, "text");
})()"""
#: Waits until the page has nothing under way.
_SETTLED = """async () => {
  const busy = () => window.underWay || !document.body.dataset.state ||
    document.getElementById("seat").classList.contains("sending");
  for (let n = 0, calm = 0; n < 4000 && calm < 3; n++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    calm = busy() ? 0 : calm + 1;
  }
  return !busy();
}"""
#: The lines of what happened last, the newest first.
_LINES = """() => Array.from(document.querySelectorAll("#lines .line"), (one) =>
  [Number(one.dataset.seq), one.querySelector(".text").textContent])"""
#: Marks the faces of cards that can be seen and do nothing at the moment; how many.
_IDLE = """() => {
  for (const one of document.querySelectorAll("[data-idle]")) one.removeAttribute("data-idle");
  const idle = Array.from(document.querySelectorAll("#board [data-card] > .face"))
    .filter((one) => one.checkVisibility() && !one.closest("[data-touch], details"));
  for (const one of idle) one.dataset.idle = "yes";
  return idle.length;
}"""
#: Touches one of those that are meant, whichever a number between 0 and 1 says.
_TOUCHED = """([what, where]) => {
  const all = Array.from(document.querySelectorAll(what)).filter((one) => one.checkVisibility());
  if (all.length) all[Math.floor(where * all.length)].click();
}"""
_HANDS = '#ask [data-do="%s"]:visible:not(details *)'
#: How often he does something beside the straight way, and how often a card instead of a button.
ODD, ON_BOARD = 0.12, 0.3


class Erratic(Player):
    """A seat in a browser, with ways of its own."""

    def __init__(self, page: Page, site: str, match: str, code: str, seed: str) -> None:
        super().__init__(page, site, match, "", seed)
        self.site, self.code = site, code
        self.errors = browsers.watched(page)
        self.refused: list[tuple[str, str]] = []
        self.lines: set[tuple[int, str]] = set()
        self.did: dict[str, int] = {}
        page.add_init_script(_COUNTED)
        page.on("response", self._answered)

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.refused.append(
                (f"{response.status} {response.url}", str(response.request.post_data))
            )

    def open(self) -> None:
        """Sign in by the code of his slip, which leads to his seat."""
        self.page.goto(f"{self.site}/in#{self.code}")
        self.page.click("#entrance button")
        self.page.wait_for_url(self.address)
        self.settle()

    def settle(self) -> None:
        """Wait for all that the page has asked."""
        assert self.page.evaluate(_SETTLED), self.seen()
        self.lines |= {(int(seq), text) for seq, text in self.page.evaluate(_LINES)}

    def click(self, at: int, seen: Any) -> None:
        """Answer a step of the decision, or do something beside it first."""
        ways = self._ways(seen)
        if ways and self.rng.random() < ODD:
            way = self.rng.choice(ways)
            self.note(way.__name__)
            way()
        elif seen["touch"] and self.rng.random() < ON_BOARD and seen["buttons"][at][0] in (
            "option", "pick",
        ):  # fmt: skip
            self.touch()
        else:
            super().click(at, seen)
        self.settle()

    def meanwhile(self) -> None:
        """Touch something without waiting for what comes of it, while the other one acts."""
        what = '#ask [data-do="option"]' if self.seen()["state"] == "mine" else "#board .face"
        self.note("meanwhile")
        self.page.evaluate(_TOUCHED, [what, self.rng.random()])

    def recover(self) -> None:
        """Wait for the service that was gone; what the browser itself says of that is no error."""
        for _ in range(2000):
            if self.page.evaluate("document.getElementById('seat').dataset.connection") == "live":
                break
            self.page.wait_for_timeout(10)
        else:
            raise AssertionError("it was not found again")
        self.settle()
        self.errors[:] = [one for one in self.errors if "net::ERR_" not in one]

    def note(self, way: str) -> None:
        """Count what was done."""
        self.did[way] = self.did.get(way, 0) + 1

    # -- what can be done beside the straight way --------------------------------------------------

    def _ways(self, seen: Any) -> list[Callable[[], None]]:
        kinds = {what for what, _ in seen["buttons"]}
        ways: list[Callable[[], None]] = [self.touch_idle, self.reload]
        ways += [self.leave] if seen["leave"] else []
        ways += [self.keep_on] if seen["grave"] else []
        ways += [self.abandon, self.escape] if "cancel" in kinds else []
        ways += [self.take_back] if kinds & {"unpick", "again", "up", "back"} else []
        ways += [self.twice] if kinds & {"option", "pick", "rest", "confirm"} else []
        return ways

    def touch(self) -> None:
        """Touch a card or place of the board that can do something."""
        self._one_of("#board [data-touch]:visible").click()

    def touch_idle(self) -> None:
        """Touch a card that can do nothing, and read why."""
        if self.page.evaluate(_IDLE):
            self._one_of("[data-idle]").dispatch_event("click")  # some lie under others
            self.settle()
            if (shut := self.page.locator('#ask [data-do="shut"]')).count():
                assert self.page.locator("#ask .objections").count()
                shut.click()

    def reload(self) -> None:
        """Load the page again, even in the middle of an act."""
        self.page.reload()

    def keep_on(self) -> None:
        """Be about to give up, and think better of it."""
        self.page.locator(".besides > summary").click()
        self.page.locator('.besides [data-do="openAct"].grave').first.click()
        self.page.locator("#sure button[value=no]").click()
        self.page.locator(".besides > summary").click()

    def leave(self) -> None:
        """Have the seat pass for a while."""
        self.page.locator(".besides > summary").click()
        self.page.locator('[data-do="leave"]').click()

    def abandon(self) -> None:
        """Begin no more of an act that was begun."""
        self._one_of(_HANDS % "cancel").click()

    def escape(self) -> None:
        """Take a step back by a key."""
        self.page.keyboard.press("Escape")

    def take_back(self) -> None:
        """Take a pick back, choose a part again, move a card."""
        kinds = ("unpick", "again", "up", "back")
        self._one_of(", ".join(_HANDS % kind for kind in kinds)).click()

    def twice(self) -> None:
        """Click twice on something, as fast as can be."""
        kinds = ("option", "pick", "rest", "confirm")
        self._one_of(", ".join(_HANDS % kind for kind in kinds)).dblclick()

    def _one_of(self, selector: str) -> Any:
        found = self.page.locator(selector)
        return found.nth(self.rng.randrange(found.count()))
