"""The environment for learners, beside a match that is played without one.

    python -m tests.benchmarks.environment

The same acts are carried out by `Match.choose` alone, by `MatchEnv.step`, and by `step` with an
observation before each: answered decisions a second of the processor, game by game.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

import numpy as np
from kifu.env import MatchEnv

from domain.engine.match import Match, Opening
from domain.games import names
from domain.record.decisions import Act, act_of
from domain.record.entries import Entry
from domain.record.events import DecisionMade, OptionsOffered
from service.dice import Dice
from service.env.environment import OPENED, PACE
from tests.benchmarks.table import Found, bracketed, show

EPISODES = 6


def actions(env: MatchEnv, seed: int) -> list[int]:
    """The actions of an episode at random."""
    rng, found = Random(seed), list[int]()
    env.reset(seed=seed)
    while env.menu is not None:
        mask = env.observe(env.agent_selection)["action_mask"]
        found.append(rng.choice(np.flatnonzero(mask).tolist()))
        env.step(found[-1])
    return found


def acts(log: Sequence[Entry]) -> list[tuple[int, int, Act]]:
    """The seat, decision and act of each answer."""
    offers, found = {}, []
    for entry in log:
        event = entry.event
        if isinstance(event, OptionsOffered):
            offers[event.n, event.seat] = event.offer.value
        elif isinstance(event, DecisionMade):
            offer, answer = offers[event.n, event.seat], event.answer.value
            assert offer is not None
            assert answer is not None
            found.append((event.seat, event.n, act_of(offer, answer)))
    return found


def bare(env: MatchEnv, seed: int, answers: list[tuple[int, int, Act]]) -> float:
    """Seconds of the match alone, its entries collected."""
    env.reset(seed=seed)
    opening = Opening(tuple(env.possible_agents), env.decks, OPENED)
    match, log = Match.open(env.rules, opening, Dice(env.seed)), list[Entry]()
    start = time.process_time()
    for seat, n, act in answers:
        match.choose(seat, n, act, match.pos.time + PACE)
        log += match.collect()
    assert match.pos.over
    return time.process_time() - start


def stepped(env: MatchEnv, seed: int, chosen: list[int], seeing: bool) -> float:
    """Seconds of the environment's episode."""
    env.reset(seed=seed)
    start = time.process_time()
    for action in chosen:
        if seeing:
            env.last()
        env.step(action)
    assert env.menu is None
    return time.process_time() - start


def measured(game: str, rounds: int) -> list[Found]:
    """Both ratios of a game."""
    env, chosen, answers = MatchEnv(game), [], []
    for seed in range(EPISODES):
        chosen.append(actions(env, seed))
        answers.append(acts(env.record))
    n = sum(map(len, answers))

    def alone() -> float:
        return n / sum(bare(env, seed, one) for seed, one in enumerate(answers))

    found = []
    for what, seeing in (("steps", False), ("steps and observations", True)):

        def work(seeing: bool = seeing) -> float:
            return n / sum(stepped(env, seed, one, seeing) for seed, one in enumerate(chosen))

        rates = bracketed(alone, work, rounds)
        found.append(
            Found(
                f"environment, {game}, {what}",
                f"{what} of the environment in {game}: answered decisions a second of CPU, beside"
                " those of `Match.choose` alone", rates.ratios, rates.figures("decisions/s"), "0.8",
            )
        )  # fmt: skip
    return found


def main(rounds: int = 3) -> list[Found]:
    found = [one for game in names() for one in measured(game, rounds)]
    for one in found:
        show(one.text, {"ratio": str(one), "figures": one.figures})
    return found


if __name__ == "__main__":
    main()
