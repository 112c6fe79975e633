"""The environment: a dealt match that two agents play, and its record.

An agent is a seat. What it observes is folded from its own entries (`domain.record.views`), and
what it may do is on offer to it; the match itself refuses everything else. The record of an episode
is that of any dealt match: it folds, verifies and is exported like one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from domain import games
from domain.engine.match import Deck, Match, Opening
from domain.games.kit.game import Game
from domain.record.entries import Entry, encode
from domain.record.position import Position
from service.dice import Dice
from service.env.layout import Layout
from service.env.menu import ACTIONS, Menu
from service.env.observing import Observer
from service.keeping.adding import add, id_of
from service.store.records import Records

#: When matches are opened, and the milliseconds of a decision: fixed, so that a seed and the same
#: actions give the same record.
OPENED, PACE = 1_700_000_000_000, 1000
#: Actions after which an episode is cut off.
LIMIT = 20_000

Observation = dict[str, NDArray[Any]]


class MatchEnv(AECEnv):  # type: ignore[misc]  # it is not typed
    """A match of a game, two agents, one action at a time: `player_0` is seat A, `player_1` B.

    An observation is a dict of `observation`, an array of whole numbers whose sections `layout`
    names, and `action_mask`. The reward is 1 for the match, -1 for its loss, at the end.
    """

    metadata = {"name": "kifu_v1", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, game: str = "", decks: Sequence[str | Deck] = (), *, edition: str = "",
        best_of: int = 1, payments: bool = False, limit: int = LIMIT,
        keep: Path | str | None = None,
    ) -> None:  # fmt: skip
        """The newest edition of the first game there is, and its first two decks, if none are said.

        `payments`: what an act is paid with is chosen, too. `limit`: actions after which an episode
        is truncated. `keep`: a file of matches (`.kifu`) in which each episode that ends is saved.
        Raises `KeyError` for a game or deck that there is not.
        """
        super().__init__()
        game = games.chosen(game or games.names()[0], edition)
        self.rules: Game = games.rulebook(game)
        named = decks or [*self.rules.decks][: self.rules.manifest.seats]
        self.decks = tuple(
            deck if isinstance(deck, Deck) else Deck(deck, self.rules.decks[deck]) for deck in named
        )
        self.best_of, self.payments, self.limit = best_of, payments, limit
        self.keep = Path(keep) if keep is not None else None
        self.layout = Layout(self.rules, sum(_size(deck) for deck in self.decks))
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.manifest.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-(2**31), 2**31 - 1, (self.layout.size,), np.int32),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._rng = Random()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; with a seed, this one and those after it go the same way each time."""
        if seed is not None:
            self._rng = Random(seed)
        self.seed = self._rng.randrange(2**53)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        opening = Opening(tuple(self.agents), self.decks, OPENED, self.best_of,
                          labels={"seed": str(self.seed)})  # fmt: skip
        self._match = Match.open(self.rules, opening, Dice(self.seed))
        self._log, self._steps = list[Entry](), 0
        self._followed = [0 for _ in self.agents]
        self._observers = [Observer(self.layout, seat) for seat in self._seats.values()]
        self._menu: Menu | None = None
        self._go_on()

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent whose turn it is.

        Raises `IllegalAction`, and changes nothing then, for one that its mask rules out.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self._menu is not None
        assert action is not None, "an agent that goes on has an action"
        act = self._menu.take(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._steps += 1
        if act is not None:
            pos, seat = self._match.pos, self._seats[agent]
            assert pos.decision is not None
            self._match.choose(seat, pos.decision.n, act, pos.time + PACE)
            self._go_on()
        if self._steps >= self.limit and not self._match.pos.over:
            self.truncations = dict.fromkeys(self.agents, True)
            self._save()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What an agent sees, and which actions it has now."""
        seat = self._seats[agent]
        menu = self._menu if agent == self.agent_selection else None
        mask = bytearray(ACTIONS)
        if menu is not None:
            mask[: len(menu.lines)] = bytes(line is not None for line in menu.lines)
        return {
            "observation": self._observer(seat).observed(menu),
            "action_mask": np.frombuffer(mask, np.int8),
        }

    def view(self, agent: str) -> Position:
        """The position as an agent sees it."""
        return self._observer(self._seats[agent]).pos

    def _observer(self, seat: int) -> Observer:
        """The one of a seat, which has followed the match up to now."""
        found = self._observers[seat]
        found.follow(self._log[self._followed[seat] :])
        self._followed[seat] = len(self._log)
        return found

    @property
    def menu(self) -> Menu | None:
        """What each action of the agent whose turn it is means; None once the match is over."""
        return self._menu

    @property
    def record(self) -> list[Entry]:
        """The entries of the present episode, all of them: nothing that an agent may see."""
        return [*self._log]

    def save(self, path: Path | str) -> str:
        """Save the present episode as a match of a file of matches; its id.

        Raises `StoreError` if the file can't be written.
        """
        match = id_of(sha256(b"".join(map(encode, self._log))).hexdigest())
        with closing(Records(Path(path))) as records:
            add(records, match, self._log)
        return match

    def _go_on(self) -> None:
        """Take up what the match has recorded, and find out who is next."""
        self._log += self._match.collect()
        pos, decision = self._match.pos, self._match.pos.decision
        self._menu = None
        if pos.over:
            for agent, seat in self._seats.items():
                self.rewards[agent] = 0.0 if pos.winner < 0 else 1.0 if pos.winner == seat else -1.0
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            self._save()
            return
        assert decision is not None, "a match that is not over asks somebody"
        seat = decision.seats[0]
        self.agent_selection = self.possible_agents[seat]
        offer = self._observer(seat).offer
        assert offer is not None, "a seat sees what is on offer to it"
        self._menu = Menu(offer, payments=self.payments)

    def _save(self) -> None:
        if self.keep is not None:
            self.save(self.keep)


def _size(deck: Deck) -> int:
    return sum(len(cards) for cards in deck.parts.values())
