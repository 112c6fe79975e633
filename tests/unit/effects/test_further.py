"""The words that games take up: what is counted, what must hold, what comes later; their page."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

import domain.effects
from domain.effects.amounts import count, counted
from domain.effects.conditions import holds
from domain.effects.constant import players
from domain.effects.constant.calculator import redirecting
from domain.effects.instructions.lasting import RETURN, REVERT, for_a_time
from domain.effects.instructions.ways import FURTHER
from domain.effects.language import words
from domain.effects.language.check import faults
from domain.effects.language.instruction import taken_up
from domain.effects.language.vocabulary import Amount, Clause, Condition, Cost, Effect, Group
from domain.effects.select import Running, Terms, members
from domain.engine.signals import Chance, Play
from domain.engine.table import Table
from domain.games.gundam.lists.cards import FIRST_WORDS as GUNDAM
from domain.games.kit.effects import later
from domain.record import events as ev
from domain.record.position import Position
from tests.support.clauses import SHARED, clause
from tests.toy import TOY
from tests.unit.effects.test_calculator import Plain

#: Those that are carried out in the same way in all games, and what a game makes of two of them.
CARRIED_OUT = {
    **{word: one.carry_out for word, one in SHARED.items()},
    "control": for_a_time(SHARED["control"].carry_out, REVERT),
    "move": for_a_time(SHARED["move"].carry_out, RETURN),
}
PART = Effect(kind="part", name="part", do=[clause("nothing")])


class Toy(Plain):
    """Five cards on the field, three of A's and two of B's, with a power; a hand each."""

    words = dict.fromkeys((*SHARED, "impossible", "already"), ("toy:4",))

    def place(self, zone: str, seat: int) -> str:
        called = {"player": "seat", "": "field"}
        return f"{called.get(zone, zone)}/{seat}"

    def lying(self, p: Position, place: str) -> list[int]:
        return p.zone(place)

    def effect(self, p: Position, ref: str) -> Effect:
        return PART

    def permits(self, *asked: object) -> bool:
        return True

    def settle(self, t: Table) -> Play:
        return
        yield

    def attribute(self, p: Position, number: int, key: str) -> object:
        return {"power": self.base.get(number, 0), "parity": ("even", "odd")[number % 2]}[key]


TERMS = cast(Terms, Toy({}, {n: n * 10 for n in range(1, 10)}))


def table() -> Table:
    t = Table(Position(), TOY.manifest)
    t.emit(ev.TurnBegan(1, 0))
    for seat, n in ((0, 3), (1, 2)):
        ids = [f"T{at:02}" for at in range(1, n + 1)]
        t.make(ids, f"field/{seat}", "deck", "toy:1")
    t.make(["T09"] * 2, "hand/0", "deck", "toy:1")
    t.counters("points", 7, "toy:1", dst="seat/1")
    t.game = cast(Any, SimpleNamespace(texts=SimpleNamespace(instructions=CARRIED_OUT)))
    return t


def run(this: int = 1, **more: Any) -> Running:
    made = Running(0, "T01/x", Effect(kind="triggered", name="x", on="y"), this, 0, 0)
    for name, value in more.items():
        setattr(made, name, value)
    return made


def carried_out(t: Table, running: Running, clause: Clause, numbers: list[int], *sent: Any) -> Any:
    """What comes of an instruction that is sent these answers of chance."""
    doing = CARRIED_OUT[clause.do](clause, t, TERMS, running, numbers)
    try:
        asked = next(doing)
        assert isinstance(asked, Chance)
        for one in sent:
            doing.send(one)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits for more")


# -- what is counted -------------------------------------------------------------------------------

OURS = Group(zone="field", whose="yours")


@pytest.mark.parametrize(
    ("amount", "ours", "theirs"),
    [
        (Amount(of=OURS), 3, 2),
        (Amount(of=OURS, figure="power"), 60, 90),
        (Amount(of=OURS, figure="power", take="most"), 30, 50),
        (Amount(of=OURS, figure="power", take="least", times=2, plus=1), 21, 81),
        (Amount(of=OURS, different="parity"), 2, 2),
        (Amount(of=Group(zone="trash", whose="yours"), figure="power", take="most"), 0, 0),
        (Amount(counter="points", whose="theirs"), 7, 0),
        (Amount(counter="points", whose="theirs", over=2), 3, 0),
        (Amount(counter="points", whose="theirs", over=2, up=True), 4, 0),
        (Amount(noted="hurt"), 4, 9),
        (Amount(done=True), 5, 1),
    ],
)
def test_each_player_counts_as_he_sees_the_cards(amount: Amount, ours: int, theirs: int) -> None:
    t = table()
    for seat, n in ((0, 4), (1, 9)):
        t.mark(f"seat/{seat}", "hurt", n, "toy:1")
    running = run(shares={0: 5, 1: 1})
    assert [counted(TERMS, t.pos, amount, running, seat) for seat in (0, 1)] == [ours, theirs]
    count(TERMS, t.pos, running, amount)
    stated = clause("draw", n=2, per=amount)
    assert [running.amount(stated, seat) for seat in (0, 1)] == [2 * ours, 2 * theirs]


@pytest.mark.parametrize(
    ("zone", "of_first", "of_fourth"),
    [("attacker", 1, 1), ("attacked", 4, 4), ("foe", 4, 1), ("bound", 4, 1), ("host", 4, 0),
     ("links", 0, 1), ("answered", 2, 2)],
)  # fmt: skip
def test_groups_of_a_fight_and_of_what_belongs_together(
    zone: str, of_first: int, of_fourth: int
) -> None:
    t = table()
    t.emit(ev.AttackDeclared(1, 4))
    carried_out(t, run(), clause("bind"), [4])
    t.emit(ev.CardsLinked((1,), 4, "tied"))
    t.declare("play", 2, 1, "toy:4")
    for this, found in ((1, of_first), (4, of_fourth)):
        cards = members(TERMS, t.pos, Group(zone=zone), run(this))
        assert cards == ([found] if found else [])


# -- what must hold --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "true"),
    [
        ({"during": ["main"]}, True),
        ({"during": ["mai"]}, False),
        ({"during": ["draw", "main/fight"]}, True),
        ({"rolled": [1, 6]}, False),
        ({"rolled": [2, 3]}, True),
        ({"amount": {"of": {"zone": "field"}}, "least": 5, "most": 5}, True),
        ({"amount": {"of": {"zone": "field"}}, "least": 6}, False),
        ({"amount": {"counter": "points", "whose": "theirs"}, "than": {"of": {"zone": "field"}}},
         True),
        ({"amount": {"of": {"zone": "field"}}, "than": {"of": {"zone": "field"}}}, False),
        ({"answers": {}}, True),
        ({"answers": {"kind": ["play"], "whose": "theirs", "match": {"parity": "even"}}}, True),
        ({"answers": {"kind": ["fight"]}}, False),
        ({"answers": {"whose": "yours"}}, False),
        ({"answers": {"match": {"parity": "odd"}}}, False),
        ({"answers": {"speed": ">=2", "targets": {"power": 30}}}, True),
        ({"answers": {"targets": {"power": 40}}}, False),
        ({"answers": {"does": ["draw", "nothing"], "texts": ["part"]}}, True),
        ({"answers": {"does": ["draw"]}}, False),
    ],
)  # fmt: skip
def test_conditions(found: dict[str, Any], true: bool) -> None:
    t = table()
    t.emit(ev.StepBegan("main/fight"))
    t.declare("play", 2, 1, "toy:4", effect="T02/x", targets=[3], speed=2)
    condition = msgspec.convert(found, Condition)
    assert holds(TERMS, t.pos, condition, run(rolled=(2,))) == true
    assert holds(TERMS, t.pos, replace(condition, unless=True), run(rolled=(2,))) != true


def test_nothing_is_answered_where_nothing_waits() -> None:
    condition = msgspec.convert({"answers": {}}, Condition)
    assert not holds(TERMS, table().pos, condition, run())


# -- what is done ----------------------------------------------------------------------------------


def test_a_roll_is_shown_to_everybody_and_asked_for() -> None:
    running = run()
    assert carried_out(table(), running, clause("roll", key="die", n=6), [], (4,)).whole
    assert holds(TERMS, table().pos, Condition(rolled=[5]), running)


def test_only_who_is_about_to_play_a_card_plays_one() -> None:
    t, wanted = table(), Condition(playing={"power": ">=20"})
    assert [holds(TERMS, t.pos, wanted, run(playing=card)) for card in (0, 1, 2)] == [
        False, False, True,
    ]  # fmt: skip


def _come(t: Table, when: str, back: list[int]) -> None:
    """Whatever is due now is done."""

    def bring(t: Table, number: int, was: Any, one: Any) -> Any:
        back.append(number)
        return
        yield

    def give(t: Table, cards: Any, seat: int, one: Any) -> Any:
        t.control(cards, seat, "toy:4")
        return
        yield

    for one in t.come_due(when, "toy:5"):
        assert [*later.carry_out(t, TERMS, one, bring, give, "toy:5")] == []


def test_what_lasts_until_a_later_turn_ends_then() -> None:
    t, player = table(), Group(zone="player", whose="theirs")
    stated = clause("forbid", key="play", to=player, until="turn", whose="theirs", nth=2)
    assert carried_out(t, run(), stated, []).whole
    for turn, seat, held in ((1, 0, True), (2, 1, True), (3, 0, True), (4, 1, False)):
        t.emit(ev.TurnBegan(turn, seat))
        t.expire("turn", "toy:5")
        _come(t, "turn", [])
        assert bool([*players.barring(TERMS, t.pos, 1, "play")]) == held
        assert not [*players.barring(TERMS, t.pos, 0, "play")]


def test_cards_go_for_a_time_and_come_back_to_who_had_them() -> None:
    t, back = table(), list[int]()
    carried_out(t, run(), clause("control", until="turn"), [4])
    assert t.pos.cards[4].controller == 0
    for number in (2, 3):
        carried_out(t, run(), clause("move", place="trash", until="turn"), [number])
    gone = [t.pos.latest(2), t.pos.latest(3)]
    t.move([gone[0]], "hand/0", "deck", "toy:4")  # it is no longer where it was sent
    _come(t, "turn", back)
    assert (t.pos.cards[4].controller, back) == (1, gone[1:])


@pytest.mark.parametrize(("first", "between"), [("turn", 1), ("battle", 0)])
def test_changes_of_control_for_a_time_end_in_layers(first: str, between: int) -> None:
    t = table()
    carried_out(t, run(), clause("control", until="turn"), [4])
    carried_out(t, run(seat=1), clause("control", until="battle"), [4])
    for when in (first, "battle" if first == "turn" else "turn"):
        _come(t, when, [])
        assert t.pos.cards[4].controller == (between if when == first else 1)


def test_control_for_good_ends_what_was_for_a_time() -> None:
    t = table()
    carried_out(t, run(), clause("control", until="turn"), [4])
    carried_out(t, run(seat=1), clause("control", until="battle"), [4])
    carried_out(t, run(), clause("control"), [4])
    carried_out(t, run(seat=1), clause("control", until="later"), [4])
    for when, controller in (("turn", 1), ("battle", 1), ("later", 0)):
        _come(t, when, [])
        assert t.pos.cards[4].controller == controller


def test_a_part_is_carried_out_later_with_what_was_chosen() -> None:
    t = table()
    carried_out(t, run(it=[3], x=8), clause("later", effect="part", until="turn"), [])
    (one,) = t.pos.scheduled.values()
    assert (one.effect, one.targets, one.x) == ("T01/part", (3,), 8)
    _come(t, "turn", [])
    assert not t.pos.scheduled
    assert not t.pos.pending


def test_a_text_says_where_cards_go_instead_but_not_its_own() -> None:
    t = table()
    cards = Group(zone="anywhere")
    stated = clause("redirect", key="trash", place="hand", to=cards, until="turn")
    t.modify(1, [], msgspec.convert(["trash", "redirect", "hand"], ev.Change), "constant", "toy:4",
             scope=stated.to)  # fmt: skip
    found = redirecting(TERMS, t.pos, 7, "trash")
    assert found is not None
    assert found.change.value == "hand"
    assert redirecting(TERMS, t.pos, 1, "trash") is None
    assert redirecting(TERMS, t.pos, 7, "deck") is None


def test_a_players_limit_is_what_texts_make_of_it() -> None:
    t = table()
    for n in (5, 9):
        stated = clause("modify", key="hand", by="set", n=n, until="turn",
                        to=Group(zone="player", whose="theirs"))  # fmt: skip
        carried_out(t, run(), stated, [])
    assert [players.limit(t.pos, seat, "hand", 6) for seat in (0, 1)] == [6, 9]


# -- what card data may say ------------------------------------------------------------------------

PAGE = (Path(domain.effects.__file__).with_name("language") / "FURTHER.md").read_text("utf-8")
ALL = replace(
    GUNDAM, speaks=words.NEWER | words.SINGLY, zones={*GUNDAM.zones, "player", "exile"},
    instructions={**GUNDAM.instructions, **SHARED},
    steps={"main", "attack/damage"},
    answered={"play"}, counters={"fuel", "life"}, noted={"hurt"}, chances={"die"},
)  # fmt: skip
PLAIN = Effect(kind="command", name="x", at=["main"])


def _wrong(effect: Effect, spoken: words.Words = ALL) -> list[str]:
    return [str(one) for one in faults(effect, spoken, ["x", "debt"])]


def test_the_page_tells_all_there_is_and_is_right() -> None:
    code = " ".join(re.findall(r"`([^`\n]+)`", PAGE))
    seen = {*taken_up(*FURTHER), *words.SINGLY, *words.NEWER - {"part"}}
    seen |= msgspec.structs.asdict(Amount()).keys()
    assert [word for word in seen if not re.search(rf"(?<![\w-]){word}(?![\w-])", code)] == []
    for text in re.findall(r"`(\{ do = .*? \})`", PAGE):
        stated = ALL.convert(tomllib.loads(f"c = {text}")["c"], Clause)
        kind: Any = "constant" if stated.do in ("redirect", "charge") else "command"
        at = ["main"] if kind == "command" else []
        assert _wrong(Effect(kind=kind, name="x", at=at, do=[stated])) == [], text
    for block in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL):
        for card in tomllib.loads(block)["card"]:
            for table_ in card["effect"]:
                assert _wrong(ALL.convert(table_, Effect)) == []


@pytest.mark.parametrize(
    ("clause", "fault"),
    [
        ({"do": "draw", "per": {"of": {}, "done": True}}, "an amount counts"),
        ({"do": "draw", "per": {"of": {}, "figure": "color"}}, "unknown number 'color'"),
        ({"do": "draw", "per": {"counter": "oil"}}, "unknown counter 'oil'"),
        ({"do": "draw", "per": {"noted": "luck"}}, "unknown note 'luck'"),
        ({"do": "draw", "per": {"done": True, "over": 0}}, "divided by 1 or more"),
        ({"do": "draw", "when": [{"during": ["dusk"]}]}, "unknown step 'dusk'"),
        ({"do": "draw", "when": [{"answers": {"kind": ["sing"]}}]}, "unknown act 'sing'"),
        ({"do": "draw", "when": [{"playing": {"wit": 1}}]}, "unknown attribute 'wit'"),
        ({"do": "charge", "key": "sing", "value": "fuel", "until": "turn"}, "unknown act 'sing'"),
        ({"do": "one-of", "value": ["n"], "options": [[], []]}, "as many different words"),
        ({"do": "one-of", "value": ["n", "n"], "options": [[], []]}, "as many different words"),
        ({"do": "roll", "key": "bones"}, "unknown chance 'bones'"),
        ({"do": "place", "key": "oil"}, "unknown counter 'oil'"),
        ({"do": "later", "effect": "nope", "until": "turn"}, "no effect 'nope'"),
        ({"do": "control", "to": {"zone": "it"}, "nth": 2}, "`whose` and `nth` say"),
        ({"do": "rest", "to": {"zone": "battle", "like": {"key": "wit", "of": {}}}}, "'wit'"),
        ({"do": "modify", "key": "ap", "until": "turn", "to": {"zone": "anywhere"}}, "anywhere"),
        ({"do": "rest", "to": {"zone": "battle", "most": "color"}}, "unknown number 'color'"),
        ({"do": "rest", "to": {"zone": "battle", "most": "ap", "least": "hp"}}, "exclude"),
    ],
)
def test_slips_are_named(clause: Mapping[str, Any], fault: str) -> None:
    (found,) = _wrong(replace(PLAIN, do=[ALL.convert(clause, Clause)]))
    assert fault in found


@pytest.mark.parametrize(
    ("effect", "part"),
    [
        (replace(PLAIN, do=[clause("draw", per=Amount(done=True))]), "per"),
        (replace(PLAIN, do=[clause("rest", to=Group(zone="foe"))]), "foe"),
        (replace(PLAIN, do=[clause("rest", to=Group(zone="battle", least="hp"))]), "most"),
        (replace(PLAIN, do=[clause("draw", key="its")]), "'its' is no player"),
        (replace(PLAIN, do=[clause("draw", when=[Condition(rolled=[1])])]), "rolled"),
        (Effect(kind="part", name="x", do=[clause("draw")]), "part"),
        (replace(PLAIN, limit="name", do=[clause("draw")]), "limit"),
        (replace(PLAIN, limit="moment", do=[clause("draw")]), "moment"),
        (
            replace(
                PLAIN, kind="activated", limit="turn", counts="activations", do=[clause("draw")]
            ),
            "counts",
        ),
        (replace(PLAIN, do=[clause("draw", when=[Condition(playing={"id": "X"})])]), "playing"),
        (replace(PLAIN, on="attack", do=[clause("draw")]), "`on` belongs to"),
        (replace(PLAIN, cost=[Cost(do="rest")], do=[clause("draw")]), "have a cost"),
    ],
)
def test_a_game_that_has_not_taken_them_up_refuses_them(effect: Effect, part: str) -> None:
    (found,) = _wrong(effect, GUNDAM)
    assert part in found
    assert _wrong(effect) == []
