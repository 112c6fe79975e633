"""How well the policy plays, and how far the chances of an analysis can be relied on.

    python -m tests.benchmarks.policy strength GAME [MATCHES] [WORLDS]
    python -m tests.benchmarks.policy chances GAME [MATCHES] [WORLDS]

`strength`: matches with one deck against options taken at random and against rules of thumb, with
Wilson's interval. `chances`: at one decision of each match that was played by the policy, the
chance by what its seat knew, held against how the match ended; beside the guess by the tally `life`
alone, which is fitted to the very matches (it could not be better).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from math import exp
from random import Random

from domain import games
from domain.engine.match import Deck, Match, Opening
from domain.games.kit.game import Game
from domain.record.entries import Entry
from domain.record.views import redact
from domain.telling.record import Record
from replay_cli.analysis.chances import estimate, share
from replay_cli.analysis.running import work_on
from replay_cli.playing.bots import Bot, seeded_dice
from replay_cli.playing.playout import ENDLESS, OPENED
from replay_cli.playing.policy.player import Budget, Player
from tests.support.duels import Chooser, Uniform, duel

#: The seed of the first match: none that a test or the weights were tried with.
HELD_BACK = 10_000


def strength(game: str, matches: int, worlds: int) -> None:
    """Print how many matches the policy wins against chance, and against rules of thumb."""
    rules = games.rulebook(game)
    decks = [*rules.decks]
    for name in ("chance", "rules of thumb"):
        won, began = 0, time.process_time()
        for n in range(HELD_BACK, HELD_BACK + matches):
            seat = n % 2
            other: Chooser = (
                Uniform(rules, 1 - seat, n)
                if name == "chance"
                else Bot(rules.manifest, 1 - seat, n)
            )
            player = Player(rules, seat, n, Budget(worlds))
            won += duel(rules, decks[n // 2 % len(decks)], n, player, other).winner == seat
        found, took = share(won, matches), (time.process_time() - began) / matches
        print(
            f"{game} against {name}: {won} of {matches},"
            f" {100 * found.value:.0f} % ({100 * found.low:.0f}-{100 * found.high:.0f});"
            f" {took:.2f} s a match",
            flush=True,
        )


def chances(game: str, matches: int, worlds: int) -> None:
    """Print a reliability table, and Brier's scores of the analysis and of the trivial guess."""
    rules, rng = games.rulebook(game), Random(game)
    found: list[tuple[float, float, float]] = []
    began, seconds = time.process_time(), 0.0
    for n in range(HELD_BACK, HELD_BACK + matches):
        record = Record(_played(rules, n))
        work, questions = work_on(record, game, everything=False, worlds=worlds, seed=n)
        asked = rng.choice(questions[len(questions) // 8 :])
        pos = record.position(asked.count)
        began = time.process_time()
        finding = estimate(
            rules, record.line, asked, dict(work.lists), worlds, n, everything=False
        )  # fmt: skip
        seconds += time.process_time() - began
        winner = record.position(len(record.line)).winner
        if finding.chance is None or winner < 0:
            continue
        life = next(one for one in rules.tallies if one.name == "life")
        lead = life.value(pos, asked.seat) - life.value(pos, 1 - asked.seat)
        found.append((finding.chance.value, float(lead), float(winner == asked.seat)))
    _reliability(game, found)
    trivial = _fitted([(lead, won) for _, lead, won in found])
    brier = sum((chance - won) ** 2 for chance, _, won in found) / len(found)
    print(
        f"{game}: Brier {brier:.3f} of {len(found)}, by life alone {trivial:.3f};"
        f" {seconds / matches:.2f} s a decision with {worlds} worlds an act",
        flush=True,
    )


def _played(rules: Game, seed: int) -> list[Entry]:
    """The record of a match of two that look ahead."""
    names = [*rules.decks]
    decks = tuple(Deck(one, rules.decks[one]) for one in Random(seed).choices(names, k=2))
    players = [Player(rules, seat, seed) for seat in range(2)]
    match = Match.open(rules, Opening(("one", "other"), decks, OPENED), seeded_dice(seed))
    log: list[Entry] = []
    for _ in range(ENDLESS):
        added = match.collect()
        log += added
        for player in players:
            player.follow(redact(entry, player.seat) for entry in added)
        decision = match.pos.decision
        if decision is None:
            break
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        match.choose(seat, decision.n, players[seat].choose(offer), match.pos.time + 1000)
    return log


def _reliability(game: str, found: Sequence[tuple[float, float, float]]) -> None:
    for low in range(0, 100, 20):
        some = [one for one in found if low <= 100 * one[0] < low + 20 + (low == 80)]
        if some:
            mean, won = sum(one[0] for one in some) / len(some), sum(one[2] for one in some)
            real = share(won, len(some))
            print(
                f"{game}: said {100 * mean:.0f} %, won {100 * real.value:.0f} %"
                f" ({100 * real.low:.0f}-{100 * real.high:.0f}) of {len(some)}",
                flush=True,
            )


def _fitted(found: Sequence[tuple[float, float]]) -> float:
    """Brier's score of the best guess by a lead alone: a logistic curve, its slope searched."""
    wide = max((abs(lead) for lead, _ in found), default=1.0) or 1.0
    return min(
        sum((1 / (1 + exp(-slope * lead / wide)) - won) ** 2 for lead, won in found) / len(found)
        for slope in (n / 4 for n in range(41))
    )


if __name__ == "__main__":
    what, game, *numbers = sys.argv[1:]
    n, worlds, *_ = [*map(int, numbers), *((100, 1) if not numbers else (16,))]
    {"strength": strength, "chances": chances}[what](games.chosen(game), n, worlds)
