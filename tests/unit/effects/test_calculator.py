"""The calculator: what modifiers come to, what is silenced, what never comes to rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.effects.constant.calculator import CONSTANT, LAYERS, TEXTS, factor, numbers, numeric
from domain.effects.constant.silence import silenced
from domain.effects.constant.texts import Figures, derive
from domain.effects.language.check import clause_faults
from domain.effects.language.instruction import Instruction
from domain.effects.language.vocabulary import Clause, Condition, Effect, Group
from domain.effects.language.words import Words
from domain.effects.select import Running
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.position import Position
from domain.record.values import Change
from tests.support.clauses import SHARED, clause
from tests.toy import TOY

ADD, DOUBLE, HALVE = (
    Change("atk", "add", 500),
    Change("atk", "multiply", 2),
    Change("atk", "multiply", "1/2"),
)
BECOMES, SWAP = Change("atk", "set", 1000), Change("atk", "swap", "def")
ORIGINAL = Change("atk", "original set", 3000)
PRINTED = {"atk": 1800, "def": 400, "first": True}


@pytest.mark.parametrize(
    ("changes", "atk", "def_"),
    [
        ([], 1800, 400),
        ([ADD, ADD], 2800, 400),
        ([ADD, DOUBLE], 4600, 400),  # what came before is doubled too
        ([DOUBLE, ADD], 4100, 400),
        ([ADD, HALVE], 1150, 400),
        ([ADD, BECOMES], 1000, 400),  # the later one wins
        ([BECOMES, ADD], 1500, 400),
        ([BECOMES, Change("atk", "set", 200)], 200, 400),
        ([SWAP], 400, 1800),
        ([ADD, SWAP], 400, 2300),
        ([SWAP, ADD], 900, 1800),
        ([SWAP, SWAP], 1800, 400),
        ([ADD, ORIGINAL], 3500, 400),  # the original value is what is added to, whenever it changed
        ([ORIGINAL, ADD], 3500, 400),
        ([ADD, Change("atk", "original swap", "def")], 900, 1800),
        ([ORIGINAL, Change("atk", "original multiply", "1/2"), ADD], 2000, 400),
        ([ORIGINAL, Change("atk", "original set", 0)], 0, 400),
        ([Change("atk", "last set", 1), Change("atk", "late add", 9), ADD], 1, 400),
        ([Change("atk", "late add", 9), DOUBLE], 3609, 400),
        ([Change("atk", "add", -5000)], -3200, 400),  # how that reads is the game's
    ],
)
def test_numbers_in_force(changes: list[Change], atk: int, def_: int) -> None:
    found = numbers(PRINTED, changes)
    assert (found["atk"], found["def"], found["first"]) == (atk, def_, True)


def test_what_a_card_has_not_counts_as_nothing() -> None:
    assert numbers({}, [ADD]) == {"atk": 500}
    assert numbers({}, [DOUBLE]) == {"atk": 0}
    assert numbers({"def": 3}, [SWAP]) == {"atk": 3, "def": 0}


def test_a_lost_keyword_may_be_gained_later() -> None:
    lose, gain = Change("first", "lose"), Change("first", "set")
    assert numbers({"first": True}, [lose]) == {}
    assert numbers({"first": True}, [gain, lose]) == {}
    assert numbers({}, [lose, gain]) == {"first": True}
    assert (
        numbers({"breach": 3}, [Change("breach", "lose"), Change("breach", "add", 1)])["breach"]
        == 1
    )


def test_halves_are_rounded_as_the_game_says() -> None:
    assert numbers({"atk": 5}, [HALVE]) == {"atk": 2}
    assert numbers({"atk": 5}, [HALVE], "up") == {"atk": 3}
    assert numbers({"atk": 3}, [Change("atk", "multiply", "2/3")]) == {"atk": 2}


@pytest.mark.parametrize("value", [None, True, "twice", "1/0", ""])
def test_nothing_is_multiplied_by_what_is_no_number(value: Any) -> None:
    with pytest.raises(ValueError, match=r"multiplied by|Invalid literal"):
        factor(value)


changes = st.builds(
    Change,
    st.sampled_from(["atk", "def"]),
    st.builds(
        lambda layer, verb: f"{layer} {verb}".strip(),
        st.sampled_from(LAYERS), st.sampled_from(["add", "set", "lose"]),
    ),
    st.integers(-9, 9),
)  # fmt: skip


@given(st.lists(changes, max_size=8), st.integers(-9, 9))
def test_the_last_to_set_a_value_is_the_last_word_on_it(some: list[Change], n: int) -> None:
    assert numbers(PRINTED, [*some, Change("atk", "last set", n)])["atk"] == n


@given(st.permutations([ADD, Change("atk", "add", -300), Change("def", "add", 7), ADD]))
def test_the_order_of_additions_does_not_matter(some: list[Change]) -> None:
    assert numbers(PRINTED, some) == {"atk": 2500, "def": 407, "first": True}


# -- what card data says ---------------------------------------------------------------------------

WORDS = Words(
    zones=(), attributes={}, values={}, occurrences=(), timings=(), figures=("atk", "def"),
    keywords={}, losable=("constant", "triggered"), acts=(), durations=("turn",),
    instructions=SHARED,
)  # fmt: skip
LASTING = Effect(kind="triggered", name="x", on="y")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (clause("modify", key="atk", n=-2), Change("atk", "add", -2)),
        (clause("modify", key="atk", n=7, by="set"), Change("atk", "set", 7)),
        (clause("modify", key="atk", n=2, by="multiply"), Change("atk", "multiply", 2)),
        (
            clause("modify", key="atk", value="1/2", by="multiply", layer="original"),
            Change("atk", "original multiply", "1/2"),
        ),
        (clause("modify", key="atk", value="def", by="swap"), Change("atk", "swap", "def")),
        (clause("lose", key=TEXTS), Change(TEXTS, "lose", True)),
        (clause("lose", key=TEXTS, value="triggered"), Change(TEXTS, "lose", "triggered")),
        (clause("lose", key=TEXTS, effect="deploy"), Change(TEXTS, "lose", "/deploy")),
    ],
)
def test_a_clause_says_what_is_done_to_a_figure(written: Instruction, meant: Change) -> None:
    assert written.change(Running(0, "T01/x", LASTING, 1, 0, 0)) == meant
    lasting = replace(written, until="turn")
    assert [*clause_faults(lasting, LASTING, WORDS, (), ())] == []


@pytest.mark.parametrize(
    "found",
    [
        {"by": "swap"}, {"by": "swap", "value": "atk"}, {"by": "swap", "value": "hp"},
        {"by": "multiply", "value": "half"}, {"by": "multiply", "n": -1}, {"value": 3},
    ],
)  # fmt: skip
def test_a_clause_that_means_nothing_is_refused(found: Mapping[str, Any]) -> None:
    stated = clause("modify", key="atk", until="turn", **found)
    assert len([*clause_faults(stated, LASTING, WORDS, (), ())]) == 1


# -- texts that silence and lean on each other -----------------------------------------------------


class Plain(Figures):
    """A game of cards with a power and constant texts, in the order in which they lie."""

    constant_cites = ("toy:4",)
    figure_cites: Mapping[str, str] = {"power": "toy:4"}

    def __init__(self, texts: Mapping[int, list[Clause]], base: Mapping[int, int]) -> None:
        self.base = base
        self.texts = {
            number: [(f"T{number:02}/x", Effect(kind="constant", name="x", do=clauses))]
            for number, clauses in texts.items()
        }

    def attribute(self, p: Position, number: int, key: str) -> object:
        return p.cards[number].stats.get(key, number if key == "id" else self.base[number])

    def place(self, zone: str, seat: int) -> str:
        return "field/0"

    def lying(self, p: Position, place: str) -> list[int]:
        return p.zone(place)

    def effects(self, p: Position, number: int) -> list[tuple[str, Effect]]:
        return self.texts.get(number, [])

    def workplaces(self, p: Position) -> Any:
        return iter(p.zone("field/0"))

    def figures(self, p: Position) -> Any:
        for number in p.zone("field/0"):
            acting = [one.change for one in numeric(self, p, number)]
            yield number, dict(numbers({"power": self.base[number]}, acting))


RAISED = Condition(this={"power": ">=11"})


def on(number: int) -> Group:
    return Group(match={"id": number})


def silences(number: int) -> Clause:
    return clause("lose", key=TEXTS, to=on(number))


def raises(number: int, n: int = 10) -> Clause:
    return clause("modify", key="power", n=n, to=on(number))


def settled(texts: Mapping[int, list[Clause]], cards: int = 4) -> tuple[Table, list[int]]:
    """The table, and what is derived, once these texts of cards 1, 2 … have come to rest."""
    game = Plain(texts, dict.fromkeys(range(1, cards + 1), 1))
    t = Table(Position(), TOY.manifest)
    t.make([f"T{n:02}" for n in range(1, cards + 1)], "field/0", "deck", "toy:1")
    derive(t, game)
    before = len(t.out)
    derive(t, game)
    assert len(t.out) == before, "what has come to rest stays so"
    return t, [t.pos.cards[n].stat("power") for n in range(1, cards + 1)]


def test_a_silenced_text_contributes_nothing() -> None:
    assert settled({1: [raises(3)]})[1] == [1, 1, 11, 1]
    t, power = settled({1: [raises(3)], 2: [silences(1)]})
    assert power == [1, 1, 1, 1]
    assert [m.source for m in t.pos.modifiers.values()] == [2]
    assert silenced(Plain({}, {}), t.pos, 1, "T01/x", "constant")
    assert not silenced(Plain({}, {}), t.pos, 3, "T03/x", "constant")


def test_who_silences_the_silencer_gives_the_text_back() -> None:
    assert settled({1: [raises(4)], 2: [silences(1)], 3: [silences(2)]})[1] == [1, 1, 1, 11]


def test_of_two_that_silence_each_other_the_first_stays() -> None:
    texts = {1: [silences(2), raises(3)], 2: [silences(1), raises(4)]}
    assert settled(texts)[1] == [1, 1, 11, 1]
    game, t = Plain(texts, dict.fromkeys(range(1, 5), 1)), Table(Position(), TOY.manifest)
    t.make(["T01", "T02", "T03", "T04"], "field/0", "deck", "toy:1")
    t.order("field/0", [2, 1, 3, 4], "play", "toy:1")  # 2 lies first, so it is looked at first
    derive(t, game)
    assert [t.pos.cards[n].stat("power") for n in (3, 4)] == [1, 11]


def test_a_later_silencer_wins_over_what_does_not_silence_it() -> None:
    texts: dict[int, list[Clause]] = {1: [raises(3)]}
    game = Plain(texts, dict.fromkeys(range(1, 5), 1))
    t = Table(Position(), TOY.manifest)
    t.make(["T01", "T02", "T03", "T04"], "field/0", "deck", "toy:1")
    derive(t, game)
    game.texts = Plain({**texts, 2: [silences(1)]}, {}).texts
    derive(t, game)
    assert t.pos.cards[3].stat("power") == 1


def test_a_long_row_of_texts_that_lean_on_each_other_settles() -> None:
    """Each is in force once the one before has raised its card: far more than a few rounds."""
    n = 12
    texts = {
        at: [clause("modify", key="power", n=10, to=Group(match={"id": at + 1}),
                    when=[RAISED] if at > 1 else [])]
        for at in range(1, n)
    }  # fmt: skip
    t, power = settled(dict(reversed(texts.items())), n)
    assert power == [1, *[11] * (n - 1)]
    assert t.pos.paused < 0


@pytest.mark.parametrize(
    ("texts", "stopped"),
    [
        ({1: [silences(2)], 2: [silences(3)], 3: [silences(1)]}, {1, 2, 3}),
        ({1: [clause("modify", key="power", n=9, to=Group(match={"power": "<=5"}))]}, {1}),
    ],
)
def test_an_endless_effect_is_stopped_and_recorded(
    texts: Mapping[int, list[Clause]], stopped: set[int]
) -> None:
    t, power = settled({**texts, 4: [raises(4, 1)]})
    assert power[:3] == [1, 1, 1]
    found = [e for e in t.out if isinstance(e.event, ev.NotDone)]
    assert {e.event.ref for e in found} == stopped  # type: ignore[attr-defined]
    assert all(e.cites == ("house:endless", f"card:T{e.event.ref:02}/x") for e in found)  # type: ignore[attr-defined]
    assert t.pos.paused >= 0
    assert power[3] == 2 or 4 in stopped


def test_what_was_stopped_stays_so_until_its_card_leaves() -> None:
    """Not for the turn: what ends with a turn is looked at until nothing ends any more."""
    texts = {1: [silences(2)], 2: [silences(3)], 3: [silences(1)]}
    game = Plain(texts, dict.fromkeys(texts, 1))
    t = Table(Position(), TOY.manifest)
    t.make(["T01", "T02", "T03"], "field/0", "deck", "toy:1")
    derive(t, game)
    game.texts.pop(3)
    assert not t.expire("turn", "toy:5")
    derive(t, game)
    assert not [m for m in t.pos.modifiers.values() if m.until == CONSTANT]
    t.move([1], "field/1", "deck", "toy:1")
    assert {m.source for m in t.pos.modifiers.values()} == {2, 3}
