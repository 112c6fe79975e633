"""Made-up cards break nothing; and what would break, the fuzz finds, and tells as a scenario.

Matches with such cards are in `replay_cli.playing.fuzz`; `kifu simulate --fuzz` runs many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain import games
from domain.effects.language.words import INSTRUCTIONS
from domain.engine.invariants import Watch, faults
from domain.engine.match import Match
from domain.games.gundam.instructions import INSTRUCTIONS as GUNDAM
from domain.record.entries import Entry
from domain.record.events import CountersMoved, ModifierEnded
from domain.record.folding.fold import fold
from domain.record.position import Departure, Link, Position, decoded
from domain.text.scenario import load, run
from replay_cli.playing.fuzz.many import Wanted, many
from replay_cli.playing.fuzz.match import KINDS
from replay_cli.playing.fuzz.run import fuzz, made_for
from tests.playouts import RULES, Setup, begin, go_on, play
from tests.support.processes import outputs

GAMES = pytest.mark.parametrize("game", games.names())

#: How long each game is tried: in the ordinary tests, in the long ones (seconds).
BRIEFLY, LONG = 4, 30


def clean(game: str, seconds: float, seed: int) -> None:
    """Nothing goes wrong for so long."""
    report = many(Wanted(game, seed, 0, seconds, 1))
    assert report.decisions > 50 * seconds, "it has hardly begun"
    told = "\n\n".join(
        report.scenarios[mark] or f"{mark}: {s}" for mark, s in report.failures.items()
    )
    assert not report.failures, told


@GAMES
def test_made_up_cards_break_nothing(game: str) -> None:
    clean(game, BRIEFLY, 0)


@pytest.mark.long
@GAMES
def test_made_up_cards_break_nothing_for_a_while(game: str) -> None:
    clean(game, LONG, 1_000)


# -- what is made up -------------------------------------------------------------------------------


@GAMES
def test_every_word_of_a_game_is_made_use_of(game: str) -> None:
    rules = games.rulebook(game)
    texts = str([made_for(game, seed).tables for seed in range(0, 240, 6)])
    words = rules.words
    said = (*INSTRUCTIONS, *words.instructions, *words.zones, *words.attributes, *words.occurrences,
            *words.timings, *words.figures, *words.keywords, *words.acts, *words.durations,
            *words.costs)  # fmt: skip
    unsaid = {word for word in said if f"'{word}'" not in texts} - {*words.lacking}
    assert unsaid == set()


@GAMES
def test_decks_of_made_up_cards_are_legal(game: str) -> None:
    rules = games.rulebook(game)
    made = made_for(game, 12)
    assert len(made.tables) > 10
    assert [rules.check_deck(deck.parts, made.prints) for deck in made.decks] == [[], []]


def test_another_process_with_other_hashes_makes_up_the_same() -> None:
    script = """if True:
        from hashlib import sha256
        from replay_cli.playing.fuzz.run import followed
        for game in ("gundam", "hollow_flux"):
            for seed in (3, 11):
                outcome, play = followed(game, seed, 20)
                told = (play.made.tables, outcome.decisions, outcome.kind, play.match.pos.digest())
                print(sha256(repr(told).encode()).hexdigest())
    """
    assert len(outputs(script)) == 1


@GAMES
def test_every_kind_of_match_is_played(game: str) -> None:
    kinds = {fuzz(game, seed, 4).kind for seed in range(48)}
    assert kinds == {kind.__name__.lower() for kind in KINDS}


# -- what is found ---------------------------------------------------------------------------------


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine in which whatever is modified recovers from damage that it has not taken."""
    done: Any = GUNDAM["modify"]

    def modify(t: Any, terms: Any, run: Any, c: Any, numbers: list[int]) -> Any:
        result = yield from done(t, terms, run, c, numbers)
        for number in numbers:
            t.emit(CountersMoved("damage", 1, number, ""), "gcg:4-5-1", run.text)
        return result

    monkeypatch.setitem(GUNDAM, "modify", modify)


@pytest.mark.usefixtures("broken")
def test_what_is_broken_is_found_and_told_as_a_scenario() -> None:
    report = many(Wanted("gundam", 0, 40, 0, 1))
    mark = next(mark for mark in report.failures if "holds -n damage" in mark)
    text = report.scenarios[mark]
    assert len(text.splitlines()) < 45
    again = run(load(text))
    assert any("holds -1 damage" in failure.happened for failure in again.failures)


def _twice(p: Position) -> None:
    number = p.zone("hand", 0)[0]
    p.zones["trash/1"] = [*p.zone("trash", 1), number]


def _gone(p: Position) -> None:
    del p.cards[p.zones["hand/0"].pop()]


def _unhosted(p: Position) -> None:
    p.cards[p.zone("hand", 0)[0]].host = 10_000


def _negative(p: Position) -> None:
    p.cards[p.zone("hand", 0)[0]].counters["damage"] = -1


def _departing(p: Position) -> None:
    p.cards[p.zone("hand", 0)[0]].departing = "destroyed"


def _linked(p: Position) -> None:
    p.links[p.zone("hand", 0)[0]] = Link(10_000, "pilot")


def _undeparted(p: Position) -> None:
    p.departures[p.zone("hand", 0)[0]] = Departure("destroyed", 0, "trash/0", "trash/0", 1, 0)


def _crowded(p: Position) -> None:
    for number in p.zones["deck/0"][:7]:
        p.zones["deck/0"].remove(number)
        p.zones["battle/0"].append(number)
        p.cards[number].place = "battle/0"


def _at_main() -> tuple[Position, list[Entry]]:
    """A position in a main phase of an ordinary match, and the record that leads to it."""
    found: list[tuple[bytes, list[Entry]]] = []

    def look(match: Match, log: list[Entry]) -> None:
        if match.pos.turn == 6 and match.pos.step == "main" and match.pos.zone("hand", 0):
            found.append((match.pos.encoded(), list(log)))

    go_on(begin(setup := Setup(7)), setup, [], look)
    data, log = found[0]
    return decoded(data), log


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_twice, "lies in 2 places"),
        (_gone, "seat 0 has 59 cards of 60"),
        (_unhosted, "which is gone"),
        (_negative, "holds -1 damage"),
        (_departing, "is on its way out"),
        (_linked, "belongs to 10000, and one of them is gone"),
        (_undeparted, "has a departure, and stays"),
        (_crowded, "7 units"),
    ],
)
def test_tables_that_there_can_not_be_are_told(
    spoil: Callable[[Position], None], said: str
) -> None:
    p, _ = _at_main()
    assert faults(p, RULES) == []
    spoil(p)
    assert any(said in fault for fault in faults(p, RULES)), faults(p, RULES)


def test_an_effect_that_outlives_its_turn_is_told() -> None:
    log = play(Setup(7))
    kept = [e for e in log if not isinstance(e.event, ModifierEnded) or e.event.why != "turn"]
    watch, p = Watch(RULES), Position()
    told: list[str] = []
    for entry in kept:
        fold(p, entry)
        watch.take([entry])
        told += watch.overstaying(p)
    assert any("is in force in turn" in fault for fault in told)


def test_eyes_that_see_another_table_are_told() -> None:
    p, log = _at_main()
    watch = Watch(RULES)
    watch.take(log)
    assert [watch.look(p) for _ in range(4)] == [[]] * 4
    number = p.zone("hand", 0)[0]
    p.cards[number].id, p.cards[number].up = "ST01-001", True
    p.zones["deck/1"].append(10_000)
    said = "; ".join(fault for _ in range(4) for fault in watch.look(p))
    assert f"seat 0's eyes: card {number} is" in said
    assert f"the public's eyes: card {number} in hand/0 is not seen" in said
    assert "deck/1 has" in said
