"""Two people play a whole match of each game in two browsers, not always straight on.

They sign in by codes, and have what a person has: buttons, cards, the board. Each leaves acts that
he began, touches what can do nothing, reloads, clicks twice; both click at once; the service is
killed in the middle. In the end the record verifies, and each has seen what the API tells his seat.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from kifu.v1 import code_service_pb2 as pb
from kifu.v1 import match_service_pb2 as match_pb

from domain import games
from domain.telling.book import Book
from domain.telling.narration import Line, narrate
from service.client.client import Client
from tests.end_to_end.browser.clicking import concede
from tests.end_to_end.browser.erratic import Erratic
from tests.end_to_end.browser.watching import until
from tests.support import browsers, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

#: Sizes of a laptop and of a phone.
SIZES = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})


#: How often somebody acts at the same time as the other one, and after how many decisions the
#: service is killed.
AT_ONCE, KILLED = 0.05, 25
#: After how many decisions somebody gives up: some games go on for hundreds. Gundam ends by play.
ENOUGH = dict.fromkeys(games.names(), 60) | {"gundam": 2000}


class Site:
    """A service, and two people with codes of their slips at a match of it."""

    def __init__(self, browser: Browser, data: Path, game: str, seed: int) -> None:
        self.data, self.game = data, game
        self.running = serving.start(data, http_port=0)
        decks = list(games.rulebook(game).decks)
        with self.running.client() as host:
            self.opened = host.open_match(game, ["Ann", "Ben"], [decks[0], decks[-1]], seed=seed)
            match = self.opened.id
            seats = [pb.CodeHolder(role="seat", match_id=match, seat=seat) for seat in (0, 1)]
            codes = [code for code, _ in host.issue_codes(seats)]
        self.players = [
            Erratic(browsers.page(browser, **size), self.running.web, match, code, f"{seed}/{seat}")
            for seat, (code, size) in enumerate(zip(codes, SIZES, strict=True))
        ]
        for player in self.players:
            player.open()

    def asked(self) -> list[Erratic]:
        """The seats that are to decide; none: the match is over."""
        for _ in range(2000):
            states = {player: player.seen()["state"] for player in self.players}
            asked = [player for player, state in states.items() if state == "mine"]
            if asked or "over" in states.values():
                return asked
            self.players[0].page.wait_for_timeout(10)
        raise AssertionError([player.seen() for player in self.players])

    def play(self, most: int = 2000) -> int:
        """Play so many decisions, or to the end; how many were made."""
        for made in range(most):
            asked = self.asked()
            if not asked:
                return made
            asked[0].rng.shuffle(asked)
            for other in self.players:
                if other is not asked[0] and other.rng.random() < AT_ONCE:
                    other.meanwhile()
            asked[0].settle()
            asked[0].decide()
        return most

    def give_up(self) -> None:
        """Have a seat that can concede do so, and both see the end."""
        while asked := self.asked():
            asked[0].settle()
            if asked[0].seen()["grave"]:
                concede(asked[0].page)
                asked[0].page.locator("#question", has_text="The match is over").wait_for()
            else:
                asked[0].decide()

    def kill(self) -> None:
        """Kill the service while somebody chooses, and start it again."""
        port = int(self.running.web.rpartition(":")[2])
        self.running.kill()
        for player in self.players:
            player.meanwhile()
        self.players[0].page.wait_for_timeout(100)
        self.running = serving.start(self.data, http_port=port)
        for player in self.players:
            player.recover()

    def leave(self) -> None:
        for player in self.players:
            player.page.context.close()
        self.running.stop()


@pytest.mark.parametrize("game", games.names())
def test_a_whole_match_in_two_browsers(browser: Browser, tmp_path: Path, game: str) -> None:
    whole(browser, tmp_path / "m.kifu", game, 1)


def whole(browser: Browser, data: Path, game: str, seed: int) -> Site:
    """Play a match of a game to its end, and look at all that came of it."""
    site = Site(browser, data, game, seed)
    try:
        assert site.play(KILLED) == KILLED
        site.kill()
        site.play(ENOUGH[game])
        site.give_up()
        with site.running.client() as host:
            checked(site, host)
    finally:
        site.leave()
    return site


def checked(site: Site, host: Client) -> None:
    """The record verifies, and every page showed what the API gives its viewer."""
    match = site.opened.id
    verified = host.with_token(site.opened.official).verify(match)
    assert verified.verdict == match_pb.VERDICT_EXACT, verified
    for player, token in zip(site.players, site.opened.seats, strict=True):
        player.page.locator("#question", has_text="The match is over").wait_for()
        player.settle()
        assert player.refused == []
        entries = list(host.with_token(token).events(match))
        compare(player, narrate(Book.of(games.rulebook(site.game)), entries))
        assert player.errors == []


def compare(player: Erratic, lines: list[Line]) -> None:
    """A seat was shown these lines all the time, and is shown them in the end."""
    page, texts = player.page, [str(line.text) for line in lines]
    assert player.lines <= {(line.seq, str(line.text)) for line in lines}
    last = page.locator("#lines .text").all_inner_texts()
    assert last
    assert last == [str(line.text) for line in reversed(lines) if not line.minor][: len(last)]
    page.locator("#ask a", has_text="See the whole match again").click()
    page.wait_for_selector("#match[data-ready]")
    numbers = [line.seq for line in lines]
    until(page, lambda shown: shown["lines"] == numbers)
    assert page.locator("#lines .line .text").all_inner_texts() == texts
