"""Random matches, from a seed: the raw material of the property tests and of the benchmarks.

Everything here is a function of a `Setup` and of where the match stands: what chance says depends
on the seed and on how often it was asked, what a bot does on the seed and the decision's number.
So a match that was resumed from its log goes on as the live one would have.

`python -m tests.playouts 1000 --jobs 2` plays matches to their end and checks them on the way; what
is checked of a table is in `domain.engine.checks.invariants`, what must be true of records in
`properties/`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from random import Random
from typing import NamedTuple

from domain.engine.checks.invariants import faults
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening
from domain.games import FIRST, chosen, editions, key_of, names, rulebook
from domain.games.kit.game import Game
from domain.record.decisions import TEXT, TEXTS, Act, Offer, Option, act_of, joint
from domain.record.entries import Entry, active, encode
from domain.record.events import DecisionMade, DecisionOpened, OptionsOffered
from domain.record.fitting.fit import completed
from domain.record.folding.fold import fold_all
from domain.record.position import Position
from domain.record.schema.citations import without_edition
from domain.record.values import CHANCE, Ref

#: Every pair of ready-made decks that can meet, game by game.
PAIRS = {
    game: tuple(product(rulebook(game).decks, repeat=rulebook(game).manifest.seats))
    for game in (*names(), "lamps")
}
RULES, FLUX = rulebook("gundam"), rulebook("hollow_flux")
DECKS = tuple(RULES.decks)
#: Stands for two decks of any cards of Gundam, which are drawn anew for each seed.
DRAWN = ("drawn", "drawn")
#: What bots say that a text does which is theirs to declare.
DECLARED = '[{"do": "draw"}]'
#: Steps between games: the table still lies as the last one has ended.
BETWEEN = ("setup", "side")
AT = 1_700_000_000_000
#: No game of two bots has that many decisions: one that has does not end.
ENDLESS = 5_000


class Setup(NamedTuple):
    """A match of two bots, of the game that has these decks.

    `keen` ones like to do things, `aimless` ones pick any option, `shy` ones hardly ever attack, so
    that somebody runs out of cards.

    `restless` players tidy their hands and trashes now and then, and seldom one concedes. It is
    played by the first edition of the game's book, or by the `newest`, as `DRAWN` always is.
    """

    seed: int
    decks: tuple[str, str] = ("ST01", "ST03")
    best_of: int = 1
    bot: str = "keen"
    restless: bool = False
    newest: bool = False

    @property
    def rules(self) -> Game:
        """The rulebook of its game."""
        if self.decks == DRAWN:
            return rulebook(chosen("gundam"))
        game = next(game for game, pairs in PAIRS.items() if self.decks in pairs)
        return rulebook(key_of(game, editions(game)[-1] if self.newest else FIRST))


class Dice:
    """Chance from a seed; `drawn` is how often it was asked before."""

    def __init__(self, seed: int, drawn: int = 0) -> None:
        self.seed, self.drawn = seed, drawn

    def __call__(self, kind: str, of: int) -> tuple[int, ...]:
        self.drawn += 1
        rng = _rng(self.seed, self.drawn, 1)
        whole = kind in ("shuffle", "order")
        return tuple(rng.sample(range(of), of)) if whole else (rng.randrange(of),)


def _rng(seed: int, n: int, use: int) -> Random:
    return Random((seed * 1_000_003 + n) * 7 + use)


# -- bots ------------------------------------------------------------------------------------------

#: How much keener a bot is on an act than on doing nothing.
LIKES: dict[str, dict[str, float]] = {
    "keen": {
        "deploy": 8, "pair": 8, "command": 4, "activate": 4, "attack": 6, "support": 2, "block": 2,
        "burst": 4, "yes": 3, "play": 6, "defend": 2, "place": 4, "reveal": 3,
        "synchro": 9, "xyz": 9, "special": 9,
    },
    "shy": {"attack": 0.03, "activate": 0.5, "support": 0.5},
    "aimless": {},
}  # fmt: skip


def answer(setup: Setup, n: int, offer: Offer) -> Act:
    """What the bot of a match answers at decision `n`."""
    rng, likes = _rng(setup.seed, n, 2), LIKES[setup.bot]
    weights = [likes.get(option.kind, 1) for option in offer.options]
    return complete(rng, offer, rng.choices(offer.options, weights)[0])


def complete(rng: Random, offer: Offer, option: Option) -> Act:
    """An act that takes this option, with any picks that it allows."""
    if joint(option):
        texts = {at: (DECLARED,) for at, part in enumerate(option.parts) if part.pool == TEXT}
        return option.act(completed(offer, option, texts, rng))
    picks: list[tuple[Ref, ...]] = []
    for part in option.parts:
        if part.pool in TEXTS:
            picks.append((DECLARED if part.pool == TEXT else "",))
        elif part.pool < 0:
            picks.append((rng.randint(part.low, part.high),))
        else:
            pool = offer.pools[part.pool]
            picks.append(tuple(rng.sample(pool, rng.randint(part.low, min(part.high, len(pool))))))
    return option.act(tuple(picks))


# -- matches ---------------------------------------------------------------------------------------


def opening(setup: Setup) -> Opening:
    """What the match is opened with."""
    decks = tuple(map(partial(_deck, setup), (0, 1)))
    return Opening(("Ann", "Ben"), decks, AT, setup.best_of)


def _deck(setup: Setup, seat: int) -> Deck:
    if setup.decks != DRAWN:
        return Deck(setup.decks[seat], setup.rules.decks[setup.decks[seat]])
    found = setup.rules.random_deck(Random(f"{setup.seed}/{seat}"))
    assert found is not None
    return Deck(*found)


def begin(setup: Setup) -> Match:
    """The match at its first decision."""
    return Match.open(setup.rules, opening(setup), Dice(setup.seed))


def resume(setup: Setup, log: list[Entry], base: Position | None = None, drawn: int = 0) -> Match:
    """The match that a log stands at; `drawn` is how often chance was asked before `log` begins."""
    return Match.resume(setup.rules, log, Dice(setup.seed, drawn + chances(log)), base)


def taken_up(setup: Setup, match: Match, log: list[Entry]) -> Match:
    """Add to a log what its match recorded; the match resumed from that, which stands there too."""
    log += match.collect()
    assert match.pos == fold_all(active(log))
    repeated = resume(setup, log)
    assert (repeated.pos, repeated.table.out) == (match.pos, [])
    return repeated


def chances(log: Iterable[Entry]) -> int:
    """How often chance was asked in these entries."""
    return sum(entry.by == CHANCE for entry in log)


def take_turn(match: Match, setup: Setup) -> None:
    """Let the bots do what they do at the open decision."""
    decision = match.pos.decision
    assert decision is not None
    if setup.restless:
        _fidget(match, setup, decision.n)
        if match.pos.decision is None or match.pos.decision.n != decision.n:
            return
    seat = decision.seats[0]
    offer = decision.offers[seat]
    assert offer is not None
    now = match.pos.time + 1 + _rng(setup.seed, decision.n, 4).randrange(9_000)
    match.choose(seat, decision.n, answer(setup, decision.n, offer), now)


def _fidget(match: Match, setup: Setup, n: int) -> None:
    rng = _rng(setup.seed, n, 3)
    seat, what = rng.randrange(2), rng.random()
    acts = [
        a for a in match.rules.open_acts(match.pos, seat) if a.kind in ("reorder", "extra-draw")
    ]
    if what < 0.1 and acts:
        act = rng.choice(acts)
        cards = match.pos.zone(str(act.card)) if act.kind == "reorder" else []
        picks = tuple(rng.sample(cards, len(cards)))
        match.interject(seat, act.kind, match.pos.time + 1, act.card, picks)
    elif what > 0.999:
        match.interject(seat, "concede", match.pos.time + 1)


Hook = Callable[[Match, list[Entry]], None]


def go_on(match: Match, setup: Setup, log: list[Entry], hook: Hook | None = None) -> list[Entry]:
    """Play to the end; `hook` sees the match and its log at each open decision. Returns the log."""
    log += match.collect()
    while not match.pos.over:
        assert match.pos.decision is not None, "a match that is not over waits for somebody"
        assert match.pos.decision.n < ENDLESS * setup.best_of, "a match of bots ends some time"
        if hook is not None:
            hook(match, log)
        take_turn(match, setup)
        log += match.collect()
    return log


def play(setup: Setup, hook: Hook | None = None) -> list[Entry]:
    """Play a match from its opening to its end; its log."""
    return go_on(begin(setup), setup, [], hook)


def cuts(log: list[Entry]) -> list[int]:
    """How many entries of a log lead up to each of its decisions, options included."""
    return [at + 1 for at, entry in enumerate(log) if isinstance(entry.event, OptionsOffered)]


def acts(log: Iterable[Entry]) -> Iterator[tuple[Entry, Act]]:
    """The answers in a log, each as an act."""
    offer = None
    for entry in log:
        match entry.event:
            case OptionsOffered(offer=sealed):
                offer = sealed.value
            case DecisionMade(answer=answer) if answer.value is not None and offer is not None:
                yield entry, act_of(offer, answer.value)


# -- many of them ----------------------------------------------------------------------------------


class Tally(NamedTuple):
    """What became of a match."""

    decisions: int
    entries: int
    bytes: int
    turns: int
    why: str


def checked(setup: Setup, tables: bool = True) -> Tally:
    """Play a match and check its tables and its record; raises `AssertionError`."""

    def check(match: Match, log: list[Entry]) -> None:
        if tables:
            wrong = faults(match.pos, setup.rules) if match.pos.step not in BETWEEN else []
            assert not wrong, f"{setup}, decision {match.pos.decisions}: {wrong}"

    match = begin(setup)
    log = go_on(match, setup, [], check)
    verdict = verify(log, setup.rules)
    assert verdict.kind == EXACT, f"{setup}: {verdict}"
    p = match.pos
    return Tally(
        sum(isinstance(entry.event, DecisionOpened) for entry in log),
        len(log), sum(len(encode(entry)) for entry in log), p.turn, p.why,
    )  # fmt: skip


def setup_of(seed: int, restless: bool = False, game: str = "gundam") -> Setup:
    """A setup that goes through decks, bots and series as the seed counts up."""
    pairs = PAIRS[without_edition(game)]
    bot = ("keen", "aimless", "keen", "keen", "shy", "aimless", "keen")[seed % 7]
    of = 3 if seed % 5 == 4 else 1
    return Setup(seed, pairs[seed % len(pairs)], of, bot, restless, game not in PAIRS)


def main(args: list[str]) -> int:
    """Play many matches and report."""
    parser = argparse.ArgumentParser(prog="tests.playouts", description=__doc__.split("\n")[0])
    parser.add_argument("matches", type=int, nargs="?", default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--game", choices=tuple(PAIRS), default="gundam")
    parser.add_argument("--restless", action="store_true", help="with interjections")
    parser.add_argument("--drawn", action="store_true", help="with decks of any cards of Gundam")
    wanted = parser.parse_args(args)
    seeds = range(wanted.seed, wanted.seed + wanted.matches)
    setups = map(partial(setup_of, restless=wanted.restless, game=wanted.game), seeds)
    if wanted.drawn:
        setups = (setup._replace(decks=DRAWN) for setup in setups)
    began = time.perf_counter()
    with ProcessPoolExecutor(wanted.jobs) as pool:
        tallies = list(pool.map(checked, setups, chunksize=5))
    took = time.perf_counter() - began
    n = len(tallies)
    decisions, entries = sum(t.decisions for t in tallies), sum(t.entries for t in tallies)
    print(f"{n} matches played, checked and verified in {took:.1f} s")
    print(f"{decisions} decisions, {entries} entries, {decisions / took:.0f} decisions/s")
    print(f"a match: {decisions / n:.0f} decisions, {entries / n:.0f} entries,",
          f"{sum(t.bytes for t in tallies) / n / 1000:.1f} kB")  # fmt: skip
    for why, times in Counter(t.why for t in tallies).most_common():
        print(f"  last game ended by {why}: {times}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
