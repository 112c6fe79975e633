"""`kifu simulate`: many matches of bots in this process, checked, and a report.

A match that raises, does not end or loses a card fails the command; the report names its seed, with
which it can be played again; `-o` keeps the records: in a store, which this process writes, or in
files, which those that play write. With `--fuzz` the cards are made up, and
everything that must hold is looked at after each moment (`fuzz`). With `--cards` each effect of
each card is carried out in generated positions (`replay_cli.playing.effects.coverage`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, contextmanager
from itertools import count, islice, product
from pathlib import Path
from random import Random
from typing import Any

import click
from msgspec import Struct, structs

from domain import games
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck
from domain.engine.rulebook import Rulebook
from domain.games.kit import game as kit
from domain.record import events as ev
from domain.record.entries import Entry, encode
from domain.record.position import Position
from domain.telling import names
from domain.telling.book import Book
from domain.words.phrases import joined, phrase
from replay_cli import record
from replay_cli.checking.workers import workers
from replay_cli.output import (
    REFUSED,
    Failed,
    FilePath,
    Misused,
    as_json,
    console,
    json_option,
    progress_bar,
    say,
    table,
    writing,
)
from replay_cli.playing.effects.covered import carried_out
from replay_cli.playing.fuzz.many import Wanted
from replay_cli.playing.fuzz.report import simulated
from replay_cli.playing.playout import Playout
from replay_cli.reaching import completing, stores
from replay_cli.reaching.source import STORE
from replay_cli.typed import lists
from replay_cli.typed.games import chosen
from service.keeping.adding import add, id_of
from service.store.records import Records

#: What stands for decks that are drawn.
RANDOM = "random"


class Game(Struct, frozen=True):
    """A match to be played."""

    game: str
    decks: tuple[str, ...]
    seed: int
    best_of: int
    checked: bool
    lists: tuple[Deck, ...]
    folder: Path | None = None  # where its record is kept as a file
    handed: bool = False  # its record is handed back


class Outcome(Struct):
    """The outcome. `fault` is empty where nothing was wrong."""

    decks: tuple[str, ...]
    seed: int
    winner: int = -1
    first: int = -1
    why: str = ""
    turns: int = 0
    decisions: int = 0
    entries: int = 0
    bytes: int = 0
    seconds: float = 0.0
    fault: str = ""
    match: str = ""  # the id of its record in a store
    log: Sequence[Entry] = ()  # its entries, where they are handed back


@click.command("simulate")
@click.option("-n", "--matches", type=click.IntRange(1), help="How many matches (100).")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="The first match's seed; the others count on.",
)
@click.option(
    "--decks",
    metavar="X,Y,…",
    default="",
    help="Decks by name or file; every pair of them is played (default: all ready-made ones)."
    " `random`: decks of any cards, drawn anew for each match.",
)
@completing.game_option
@completing.edition_option
@click.option("--best-of", type=click.Choice(["1", "3"]), default="1", show_default=True)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of processes.",
)
@click.option("--check", is_flag=True, help="Verify every record as well (slower).")
@click.option(
    "-o",
    "--output",
    "--keep",
    "kept",
    metavar="FILE",
    type=FilePath(),
    help="Keep each record: as a match of FILE, if that is called NAME.kifu, else in a folder of"
    " that name, as GAME-SEED.jsonl.",
)
@click.option(
    "--fuzz",
    is_flag=True,
    help="Play with generated cards, and look for violated invariants.",
)
@click.option(
    "--cards",
    is_flag=True,
    help="Carry out every effect of every card, and list those never seen.",
)
@click.option("--seconds", type=click.FloatRange(0), default=0.0, help="With --fuzz: how long.")
@json_option
def simulate_command(
    matches: int | None, seed: int, decks: str, game: str, edition: str, best_of: str,
    jobs: int, check: bool, kept: Path | None, fuzz: bool, cards: bool, seconds: float,
    as_data: bool,
) -> None:  # fmt: skip
    """Play many matches of bots, and report results, lengths and rates."""
    game = chosen(game, edition)
    if fuzz:
        if kept is not None:
            raise Misused("-o is for the matches of real cards, not for --fuzz")
        n = matches or (0 if seconds else 100)
        simulated(Wanted(game, seed, n, seconds, jobs), as_data=as_data)
        return
    if cards:
        if fuzz or kept is not None or decks:
            raise Misused("--cards goes with --game, --edition, --seed, --jobs alone")
        carried_out(game, seed, jobs, as_data=as_data)
        return
    wanted = [*islice(_games(game, decks, seed, int(best_of), check), matches or 100)]
    began = time.perf_counter()
    with _keeping(kept) as (asked, keep):
        wanted = [structs.replace(one, **asked) for one in wanted]
        outcomes = [keep(one) for one in _played(wanted, jobs, quiet=as_data)]
    took = time.perf_counter() - began
    outcomes.sort(key=lambda outcome: outcome.seed)
    report = summary(outcomes, took)
    if as_data:
        as_json(report)
    else:
        _print(outcomes, report)
    wrong = [outcome for outcome in outcomes if outcome.fault]
    if wrong:
        first = wrong[0]
        raise Failed(
            phrase(
                "{n} of {n2} matches went wrong; the first: seed {seed}, {decks}: {fault}",
                n=len(wrong),
                n2=len(outcomes),
                seed=first.seed,
                decks=joined(" – ", first.decks),
                fault=first.fault,
            )
        )


def _games(game: str, decks: str, seed: int, best_of: int, check: bool) -> Iterator[Game]:
    """Endless: every pair of decks in turn, each match with the next seed."""
    rules = games.rulebook(game)
    if decks == RANDOM:
        for n in count(seed):
            drawn = tuple(_drawn(rules, n, seat) for seat in range(rules.manifest.seats))
            yield Game(game, tuple(deck.name for deck in drawn), n, best_of, check, drawn)
    lists_ = (
        [_deck(rules, wanted) for wanted in decks.split(",")]
        if decks
        else [Deck(name, parts) for name, parts in rules.decks.items()]
    )
    pairs = list(product(lists_, repeat=rules.manifest.seats))
    if len(lists_) == rules.manifest.seats:
        pairs = [tuple(lists_), tuple(reversed(lists_))]
    while True:
        for pair in pairs:
            yield Game(game, tuple(deck.name for deck in pair), seed, best_of, check, pair)
            seed += 1


def _drawn(rules: kit.Game, seed: int, seat: int) -> Deck:
    """A deck at random, by the seed of its match."""
    found = rules.random_deck(Random(f"{seed}/{seat}/deck"))
    if found is None:
        raise Failed(
            phrase("no decks of {title} are drawn at random", title=rules.manifest.title), REFUSED
        )
    name, parts = found
    if faults := rules.check_deck(parts):
        raise Failed(phrase("seed {seed}: {text}", seed=seed, text=faults[0].text), REFUSED)
    return Deck(name, parts)


def _deck(rules: Rulebook, wanted: str) -> Deck:
    found = lists.deck(wanted, Book.of(rules))
    if found.prints:
        raise Failed(
            phrase("{wanted}: bots play with the cards of the catalogue", wanted=wanted), REFUSED
        )
    return found.deck if isinstance(found.deck, Deck) else Deck(wanted, rules.decks[wanted])


def _played(wanted: Sequence[Game], jobs: int, *, quiet: bool) -> Iterator[Outcome]:
    """Play them all, with a bar that moves on a terminal."""
    with progress_bar(quiet=quiet) as bar:
        task = bar.add_task(say(phrase("playing")), total=len(wanted))
        found = map(play, wanted) if jobs == 1 else _pooled(wanted, jobs)
        for outcome in found:
            bar.advance(task)
            yield outcome


def _pooled(wanted: Sequence[Game], jobs: int) -> Iterator[Outcome]:
    """Share the matches among processes, handing out a few at a time."""
    left = iter(wanted)
    with workers(jobs) as pool:
        pending: set[Future[Outcome]] = {pool.submit(play, g) for g in islice(left, jobs * 4)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {pool.submit(play, g) for g in islice(left, len(done))}
            yield from (future.result() for future in done)


def play(game: Game) -> Outcome:
    """Play a match to its end and check it; never raises."""
    rules = games.rulebook(game.game)
    outcome = Outcome(game.decks, game.seed)
    began = time.perf_counter()
    log: list[Entry] = []
    try:
        playout = Playout(rules, game.lists, game.seed, best_of=game.best_of)
        counted_cards = CardCount()
        for entries in playout:
            counted_cards.take(playout.match.pos, entries)
            log += entries
        outcome.seconds = time.perf_counter() - began
        _fill(outcome, playout.match.pos, log)
        if game.checked:
            _verify(log, rules)
    except Exception as error:
        outcome.fault = f"{type(error).__name__}: {error}"
    if game.folder is not None:
        text = "".join(record.write(log))
        (game.folder / f"{game.game}-{game.seed}.jsonl").write_text(text, "utf-8")
    if game.handed and log:
        about = (rules.manifest.version, game.game, game.lists, game.seed, game.best_of)
        outcome.match = id_of(repr(about))
        outcome.log = log
    return outcome


@contextmanager
def _keeping(kept: Path | None) -> Iterator[tuple[dict[str, Any], Callable[[Outcome], Outcome]]]:
    """What is asked of matches that are kept there, and what takes up each outcome."""
    if kept is None:
        yield {}, lambda outcome: outcome
    elif kept.suffix == STORE:
        with closing(stores.held(str(kept), made=True)) as records:
            yield {"handed": True}, lambda outcome: _stored(records, outcome)
    else:
        with writing(kept):
            kept.mkdir(parents=True, exist_ok=True)
        yield {"folder": kept}, lambda outcome: outcome


def _stored(records: Records, outcome: Outcome) -> Outcome:
    """Keep the record of a match, and let go of it."""
    if outcome.log:
        add(records, outcome.match, outcome.log)
        outcome.log = ()
    return outcome


class Lost(Exception):
    """A card is missing, or there is one too many."""


class CardCount:
    """Counts the cards: what was laid down must be there, and nothing that nobody registered."""

    def __init__(self) -> None:
        self._made: Counter[int] = Counter()

    def take(self, pos: Position, entries: Sequence[Entry]) -> None:
        """Take new entries; raises `Lost` if cards are missing when a turn begins or all ends."""
        turned = False
        for entry in entries:
            event = entry.event
            if isinstance(event, ev.GameBegan):
                self._made.clear()
            elif isinstance(event, ev.CardsMade) and not event.token:
                self._made[event.owner] += event.n
            elif isinstance(event, ev.CardsRemoved):
                gone = [pos.departed[n] for n in event.cards if n in pos.departed]
                self._made.subtract(card.owner for card in gone if not card.token)
            turned = turned or isinstance(event, ev.TurnBegan | ev.MatchEnded)
        if turned:
            self._count(pos)

    def _count(self, pos: Position) -> None:
        for seat, (_, parts) in pos.heading.decks.items():
            here = Counter(c.id for c in pos.cards.values() if c.owner == seat and not c.token)
            listed = Counter(card for cards in (parts or {}).values() for card in cards)
            if extra := here - listed:
                raise Lost(
                    f"turn {pos.turn}: seat {seat} has cards nobody registered: {dict(extra)}"
                )
            if here.total() != self._made[seat]:
                text = f"seat {seat} has {here.total()} cards of {self._made[seat]}"
                raise Lost(f"turn {pos.turn}: {text}; not there: {dict(listed - here)}")


class Unlike(Exception):
    """A record that can't be verified."""


def _verify(log: list[Entry], rules: Rulebook) -> None:
    verdict = verify(log, rules)
    if verdict.kind != EXACT:
        raise Unlike(f"{verdict.kind} at entry {verdict.seq}: {verdict.reason}")


def _fill(outcome: Outcome, pos: Position, log: list[Entry]) -> None:
    turns = [entry.event for entry in log if isinstance(entry.event, ev.TurnBegan)]
    outcome.winner, outcome.why = pos.winner, pos.why
    outcome.first = turns[0].seat if turns else -1
    outcome.turns = len(turns)
    outcome.decisions = pos.decisions
    outcome.entries = len(log)
    outcome.bytes = sum(len(encode(entry)) for entry in log)


# -- the report ------------------------------------------------------------------------------------


def summary(outcomes: Sequence[Outcome], took: float) -> dict[str, object]:
    """The figures of many matches."""
    n = len(outcomes)
    good = [outcome for outcome in outcomes if not outcome.fault]
    playing = sum(outcome.seconds for outcome in good) or 1e-9
    decisions = sum(outcome.decisions for outcome in good)
    entries = sum(outcome.entries for outcome in good)
    turns = sorted(outcome.turns for outcome in good) or [0]
    each = len(good) or 1
    return {
        "matches": n,
        "faults": [
            {"seed": o.seed, "decks": o.decks, "fault": o.fault} for o in outcomes if o.fault
        ],
        "seconds": round(took, 2),
        "first_player_won": sum(o.winner == o.first for o in good),
        "drawn": sum(o.winner < 0 for o in good),
        "endings": dict(Counter(o.why for o in good).most_common()),
        "turns": {"least": turns[0], "median": turns[len(turns) // 2], "most": turns[-1]},
        "decisions_per_match": round(decisions / each, 1),
        "entries_per_match": round(entries / each, 1),
        "bytes_per_match": round(sum(o.bytes for o in good) / each),
        "decisions_per_second": round(decisions / playing),
        "entries_per_second": round(entries / playing),
        "wins": _wins(good),
    }


def _wins(outcomes: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    """How each deck did against the others; matches with itself aside."""
    found: dict[str, dict[str, int]] = {}
    for outcome in outcomes:
        for seat, deck in enumerate(outcome.decks):
            row = found.setdefault(deck, {"played": 0, "won": 0})
            if len(set(outcome.decks)) > 1:
                row["played"] += 1
                row["won"] += outcome.winner == seat
    return dict(sorted(found.items()))


def _print(outcomes: Sequence[Outcome], report: dict[str, object]) -> None:
    out = console()
    good = [outcome for outcome in outcomes if not outcome.fault]
    if good:
        shown = table("deck", "played", "won", "", right=("played", "won", ""))
        for deck, row in _wins(good).items():
            rate = f"{100 * row['won'] / row['played']:.0f} %" if row["played"] else ""
            shown.add_row(deck, str(row["played"]), str(row["won"]), rate)
        out.print(shown)
        out.print()
    lines = table("", "")
    for label, text in _lines(good, report):
        lines.add_row(label, text)
    out.print(lines)


def _lines(good: Sequence[Outcome], report: dict[str, object]) -> Iterator[tuple[str, str]]:
    turns, endings = report["turns"], report["endings"]
    assert isinstance(turns, dict)
    assert isinstance(endings, dict)
    each = len(good) or 1
    took = phrase("{n} in {seconds} s", n=report["matches"], seconds=report["seconds"])
    yield phrase("matches"), took
    yield phrase("went wrong"), str(len(report["faults"]))  # type: ignore[arg-type]
    first = 100 * int(str(report["first_player_won"])) / each
    yield phrase("first player won"), f"{first:.0f} %"
    ways = [
        phrase("{why} {matches}", why=why, matches=names.matches(n)) for why, n in endings.items()
    ]
    yield phrase("ended by"), joined(", ", ways)
    yield phrase("turns"), phrase("{least} to {most}, median {median}", **turns)
    size = int(str(report["bytes_per_match"])) / 1000
    yield (
        phrase("a match"),
        phrase("{decisions} decisions, {entries} entries, {size:.1f} kB", size=size,
               decisions=report["decisions_per_match"], entries=report["entries_per_match"]),
    )  # fmt: skip
    yield (
        phrase("a second"),
        phrase("{decisions} decisions, {entries} entries",
               decisions=report["decisions_per_second"], entries=report["entries_per_second"]),
    )  # fmt: skip
