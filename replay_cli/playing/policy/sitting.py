"""A player at a seat of a match on a server: a client like any other, with the seat's token."""

from __future__ import annotations

import logging
import time
from threading import Thread

from domain import games
from domain.record import events as ev
from domain.telling.narration import is_choice
from replay_cli.playing.policy.player import Budget, Player
from service.client.client import Client, connect
from service.client.connection import CallError

#: What a rival of people looks at, and the seconds it takes at least where it has a choice.
CAREFUL, THINKS = Budget(worlds=4), 0.4

log = logging.getLogger(__name__)


def sit(client: Client, match: str, player: Player, pace: float = 0.0) -> None:
    """Follow what the seat may see, and answer when it is asked, until the match is over.

    `pace`: seconds before an answer where there is a choice.
    """
    with client.join(match), client.playing() as table:
        for entry in client.watch(match):
            player.follow((entry,))
            event = entry.event
            if not isinstance(event, ev.OptionsOffered) or event.seat != player.seat:
                continue
            if event.offer.value is not None:
                time.sleep(pace if is_choice(event.offer.value) else 0.0)
                table.choose(match, event.n, player.choose(event.offer.value))


class Rival:
    """Takes seats of a server's matches against people, each in a thread (`Settings.rival`)."""

    def __init__(self, seed: int | str, budget: Budget = CAREFUL, pace: float = THINKS) -> None:
        self.address = ""  # of the server, once it is ready
        self.seed, self.budget, self.pace = seed, budget, pace

    def __call__(self, game: str, match: str, seat: int, token: str) -> None:
        """Take a seat, until the match is over or the server stops."""
        player = Player(games.rulebook(game), seat, f"{self.seed}/{match}", self.budget)
        Thread(target=self._play, args=(player, match, token), daemon=True).start()

    def _play(self, player: Player, match: str, token: str) -> None:
        try:
            with connect(self.address, token) as client:
                sit(client, match, player, self.pace)
        except CallError as error:
            log.warning("the rival left its seat of match %s: %s", match, error)
