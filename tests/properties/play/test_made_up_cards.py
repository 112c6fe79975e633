"""Made-up cards break nothing; and what would break, the fuzz finds, and tells as a scenario.

Matches with such cards are in `replay_cli.playing.fuzz`; `kifu simulate --fuzz` runs many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, get_type_hints

import pytest
from msgspec import Struct

from domain import games
from domain.effects.constant.calculator import TEXTS
from domain.effects.language.reference import literals, stateable
from domain.effects.language.vocabulary import Choose, Condition, Effect, Group
from domain.effects.language.words import NEWER, SINGLY, Words
from domain.engine.checks.invariants import Watch, faults
from domain.engine.match import Match
from domain.games.gundam.effects.instructions import INSTRUCTIONS as GUNDAM
from domain.games.kit.game import Game
from domain.record.entries import Entry
from domain.record.events import CountersMoved, ModifierEnded
from domain.record.folding.fold import fold
from domain.record.position import Departure, Link, Modifier, Position, decoded
from domain.record.values import Change
from domain.text.scenario import load, run
from replay_cli.playing.fuzz.cards import stock
from replay_cli.playing.fuzz.many import Wanted, run_many
from replay_cli.playing.fuzz.match import KINDS, DealtMatch
from replay_cli.playing.fuzz.run import SHARED, cards_of
from replay_cli.playing.fuzz.texts import KINDS as TEXT_KINDS
from replay_cli.playing.fuzz.texts import Writer
from tests.playouts import RULES, Setup, begin, go_on, play
from tests.support.marks import each
from tests.support.processes import outputs

GAMES = pytest.mark.parametrize("game", games.newest())

#: How long each game is tried in the long tests.
DECISIONS = 4_000


def clean(game: str, seed: int, matches: int) -> int:
    """Nothing goes wrong in so many matches; how many decisions they had."""
    report = run_many(Wanted(game, seed, matches, 0, 1))
    found = "\n\n".join(
        report.scenarios[mark] or f"{mark}: {s}" for mark, s in report.failures.items()
    )
    assert not report.failures, found
    assert report.decisions
    return report.decisions


@GAMES
def test_made_up_cards_break_nothing(game: str) -> None:
    clean(game, 2, 1)


@pytest.mark.long
@GAMES
def test_made_up_cards_break_nothing_for_a_while(game: str) -> None:
    done, seed = 0, 1_000
    while done < DECISIONS:
        done, seed = done + clean(game, seed, SHARED), seed + SHARED


# -- what is made up -------------------------------------------------------------------------------


def stated(cls: type[Struct], words: Words) -> Iterator[tuple[str, object]]:
    """Field by field the words that the vocabulary lists for it, and how a field is given."""
    for field in stateable(cls, words):
        listed = literals(get_type_hints(cls)[field.name])
        yield from ((field.name, word) for word in listed if word != field.bare)
        yield field.name, ANY


ANY = "any"
#: The fields that any clause may have.
ALWAYS = {"join", "when", "may"}


def sayable(rules: Game) -> set[tuple[object, ...]]:
    """Every field that a text of a game may have, and every word of the vocabulary in it."""
    words, takes = rules.words, stock(rules).takes
    expected: set[tuple[object, ...]] = set()
    for cls in (Effect, Choose, Condition, Group):
        expected |= {(cls.__name__, *one) for one in stated(cls, words)}
    for do, fields in takes.items():
        cls = words.instructions[do]
        own = {*fields, *ALWAYS, *({"choose"} if "to" in fields else ())}
        expected |= {("Clause", *one) for one in stated(cls, words) if one[0] in own}
        expected |= {(do, name) for name in own - ALWAYS}
    expected |= {("lose", TEXTS, kind) for kind in words.losable}
    out = {("Effect", "cites", ANY)}
    out |= set() if words.provided else {("Effect", "provided", ANY)}
    out |= set() if words.timings else {("Effect", "at", ANY)}
    out |= set() if words.elsewhere else {("Effect", "zone", ANY)}
    out |= {("Clause", "by", "swap")} if len(words.figures) < 2 else set()
    if str not in words.keywords.values():  # a word that a card is given may be that of another
        out |= {("gain", "using"), ("Clause", "using", ANY)}
    unspoken = (NEWER | SINGLY) - set(words.speaks)
    out |= {one for one in expected if unspoken & ({one[1], one[2]} if len(one) > 2 else {one[1]})}
    if "moment" in unspoken:
        out.add(("Effect", "limit", "turn moment"))
    return expected - out


def made_use_of(kind: str, made: Any) -> Iterator[tuple[object, ...]]:
    """The parts of it that a made-up text has."""
    for name, value in made.items():
        yield kind, name, ANY
        if isinstance(value, str):
            yield kind, name, value
        if kind == "Clause":
            yield made["do"], name
        inner = {"do": "Clause", "choose": "Choose", "of": "Group", "to": "Group",
                 "about": "Group", "against": "Group", "count": "Group", "when": "Condition",
                 "provided": "Condition"}.get(name, "")  # fmt: skip
        several = value if isinstance(value, list) else [value]
        if name == "options":
            inner, several = "Clause", [clause for way in value for clause in way]
        for one in several if inner else ():
            if isinstance(one, dict):
                yield from made_use_of(inner, one)
    if made.get("key") == TEXTS:
        yield "lose", TEXTS, made.get("value")


#: So many texts of each kind are made up in the next test.
DRAFTS = 700


@pytest.mark.parametrize("game", each(4, games.names()))
def test_made_up_texts_use_every_word(game: str) -> None:
    """The generator makes everything that the checker allows: a new word at once."""
    rules = games.rulebook(game)
    words = rules.words
    unused = {
        *words.instructions, *words.zones, *words.attributes, *words.occurrences, *words.timings,
        *words.figures, *words.keywords, *words.acts, *words.durations, *words.costs,
    }  # fmt: skip
    writer, unsaid = Writer(stock(rules), Random(5)), sayable(rules)
    for n in range(DRAFTS):
        for kind in TEXT_KINDS:
            made = writer.effect(kind, f"{kind}-{n % 2 + 1}", ["command-1", "triggered-1"])
            unsaid -= set(made_use_of("Effect", made)) if made is not None else set()
            text = str(made)
            unused = {word for word in unused if f"'{word}'" not in text}
        if not unsaid | unused:
            return
    assert sorted(map(str, unsaid | unused)) == []


@GAMES
def test_decks_of_made_up_cards_are_legal(game: str) -> None:
    rules = games.rulebook(game)
    made = cards_of(game, 12)
    assert len(made.tables) > 10
    assert [rules.check_deck(deck.parts, made.prints) for deck in made.decks] == [[], []]


@pytest.mark.long
def test_another_process_with_other_hashes_makes_up_the_same() -> None:
    script = """if True:
        from hashlib import sha256
        from domain.record.folding.digests import digest
        from replay_cli.playing.fuzz.run import followed
        for game in ("gundam", "hollow_flux"):
            for seed in (3, 11):
                outcome, play = followed(game, seed, 20)
                told = (play.made.tables, outcome.decisions, outcome.kind, digest(play.match.pos))
                print(sha256(repr(told).encode()).hexdigest())
    """
    assert len(outputs(script)) == 1


@GAMES
@pytest.mark.parametrize("kind", each(2, dict.fromkeys(KINDS)), ids=lambda kind: kind.__name__)
def test_every_kind_of_match_is_played(game: str, kind: type[DealtMatch]) -> None:
    played = kind(games.rulebook(game), cards_of(game, 0), f"{game}/0")
    played.play(4)
    assert played.match.pos.decisions > 3
    assert played.log


# -- what is found ---------------------------------------------------------------------------------


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine in which every modified card recovers from damage that it has not taken."""
    done: Any = GUNDAM["modify"]

    def modify(c: Any, t: Any, terms: Any, run: Any, numbers: list[int]) -> Any:
        result = yield from done(c, t, terms, run, numbers)
        for number in numbers:
            t.emit(CountersMoved("damage", 1, number, ""), "gcg:4-5-1", run.text)
        return result

    monkeypatch.setitem(GUNDAM, "modify", modify)


@pytest.mark.long
@pytest.mark.usefixtures("broken")
def test_a_planted_defect_is_found_and_reduced_to_a_scenario() -> None:
    report = run_many(Wanted("gundam", 0, 24, 0, 1))
    mark = next(mark for mark in report.failures if "holds -n damage" in mark)
    text = report.scenarios[mark]
    assert len(text.splitlines()) < 45
    repeated = run(load(text))
    assert any("holds -1 damage" in failure.happened for failure in repeated.failures)


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


def _token(p: Position) -> None:
    p.cards[p.zone("trash", 0)[0] if p.zone("trash", 0) else p.zone("hand", 0)[0]].token = True


def _damaged(p: Position) -> None:
    p.cards[p.zone("hand", 0)[0]].counters["damage"] = 1


def _tied(p: Position) -> None:
    number, *_ = p.zone("hand", 0)
    p.links[number] = Link(p.zone("battle", 0)[0] if p.zone("battle", 0) else number, "pilot")


def _acted_on(p: Position) -> None:
    number = p.zone("deck", 0)[0]
    p.modifiers[99] = Modifier(0, [number], Change("ap", "add", 1), "turn", "", "")


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
    ("spoil", "expected"),
    [
        (_twice, "lies in 2 places"),
        (_gone, "seat 0 has 59 cards of 60"),
        (_unhosted, "which is gone"),
        (_negative, "holds -1 damage"),
        (_departing, "is on its way out"),
        (_linked, "belongs to 10000, and one of them is gone"),
        (_undeparted, "has a departure, and stays"),
        (_crowded, "7 units"),
        (_token, "Token"),
        (_damaged, "holds 1 damage"),
        (_tied, "one of them lies in hand/0"),
        (_acted_on, "acts on a hidden card"),
    ],
)
def test_impossible_positions_are_found(spoil: Callable[[Position], None], expected: str) -> None:
    p, _ = _at_main()
    assert faults(p, RULES) == []
    spoil(p)
    assert any(expected in fault for fault in faults(p, RULES)), faults(p, RULES)


def test_an_effect_that_outlives_its_turn_is_found() -> None:
    log = play(Setup(7))
    kept = [e for e in log if not isinstance(e.event, ModifierEnded) or e.event.why != "turn"]
    watch, p = Watch(RULES), Position()
    found: list[str] = []
    for entry in kept:
        fold(p, entry)
        watch.take([entry])
        found += watch.overstaying(p)
    assert any("is in force in turn" in fault for fault in found)


def test_a_viewer_whose_position_differs_is_found() -> None:
    p, log = _at_main()
    watch = Watch(RULES)
    watch.take(log)
    assert [watch.look(p) for _ in range(4)] == [[]] * 4
    number = p.zone("hand", 0)[0]
    p.cards[number].id, p.cards[number].up = "ST01-001", True
    p.zones["deck/1"].append(10_000)
    expected = "; ".join(fault for _ in range(4) for fault in watch.look(p))
    assert f"seat 0's eyes: card {number} is" in expected
    assert f"the public's eyes: card {number} in hand/0 is not seen" in expected
    assert "deck/1 has" in expected
