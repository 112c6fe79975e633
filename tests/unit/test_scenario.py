"""Scenario files: what can't be read says where, what does not hold says what happened instead."""

import re
from pathlib import Path

import pytest

import domain.scenario
from domain.scenario import BadScenario, load, run, witnesses

GUIDE = Path(domain.scenario.__file__).parent / "SCENARIOS.md"


def _run(text):
    return run(load("game gundam\n" + text))


def _failures(text):
    return [(f.line, f.expected, f.happened) for f in _run(text).failures]


def test_the_guide_shows_a_scenario_that_holds():
    example = re.search(r"```\n(scenario .*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert run(load(example[1])).failures == ()


def test_the_ordinary_board_is_there_where_nothing_is_said():
    assert _run("turn 5 A\nstep main\neach shield: 6\neach deck: 30\neach hand: none").passed


def test_cards_may_be_unknown():
    text = (
        "position\n    A hand: ????, GM, 2 ????\n    A battle: Gundam\n    B shield: 2 ????\n"
        "A hand: 3 ????, GM\nA: deploy ???? ! gcg:4-8-1\n"
        "A: attack Gundam -> player\nall: no block\nall: pass\nB trash: ????"
    )
    assert _run(text).failures == ()


# -- what can't be read ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("then what", 2, "'what' is no event; there are act.declared, "),
        ("when will it end", 2, "what is 'when will it end'?"),
        ("position\n    A pocket: 3", 3, "'pocket' is no zone; there are battle, base"),
        ("position\n    hand: 3", 3, "the zone hand is somebody's"),
        ("position\n    A hand: Zeong", 3, "no card is called 'Zeong'"),
        ("position\n    A hand: Gund", 3, "'Gund' may be any of ST01-001"),
        ("position\n    A hand: GM [shiny]", 3, "a card can't be laid 'shiny'"),
        ("position\n    A hand: GM [rested", 3, "a bracket is missing"),
        ("position\n    turn A", 3, "write `turn 5 A`"),
        ("position\n    step nowhere", 3, "there is no step 'nowhere'"),
        ("position\n    modifier GM ap", 3, "write `modifier GM ap +2 until turn`"),
        ("position\n    modifier GM ap +2 until turn", 3, "no card here is called 'GM'"),
        ("position\n    A battle has GM", 3, "what is 'A battle has GM' in a position?"),
        ("cards\n    [[card]]\n    id =", 4, "nvalid value"),
        ("cards\n    [[deck]]", 2, "only [[card]] tables"),
        ("decks\n    A: ST99\nopen", 3, "write `A: NAME` (ST01"),
        ("decks\n    A: ST01\nover", 4, "a line `open` comes first"),
        ("chance shuffle soon", 2, "chance is a kind and numbers"),
        ("A: fly GM -> player ! gcg:7-1", 2, "no card here is called"),
        ("Zeong is rested", 2, "no card here is called 'Zeong'"),
        ("A pocket: 3", 2, "'pocket' is no zone"),
    ],
)
def test_a_fault_names_its_line(text, line, says):
    with pytest.raises(BadScenario) as bad:
        _run(text)
    assert (bad.value.line, says in str(bad.value)) == (line, True), str(bad.value)


def test_bad_cards_are_named():
    with pytest.raises(BadScenario, match="X-1: a unit needs HP"):
        _run('cards\n    [[card]]\n    id = "X-1"\n    name = "X"\n    type = "unit"\n')


def test_a_game_must_be_said_and_exist():
    with pytest.raises(BadScenario, match="it says no game"):
        load("scenario nothing")
    with pytest.raises(BadScenario, match="no game is called 'chess'; there are gundam"):
        run(load("game chess"))


# -- what does not hold ----------------------------------------------------------------------------

BOARD = (
    "position\n    A battle: GM, Leo [rested]\n    B battle: Guncannon [rested]\n    A hand: Ginn\n"
)


@pytest.mark.parametrize(
    ("text", "happened"),
    [
        ("A hand: 2", "1 cards: Ginn"),
        ("A battle: 2 GM", "GM [active, ap 2, hp 2, lv 2], Leo"),
        ("A battle has GM [rested]", "GM [active"),
        ("A battle lacks Leo", "GM [active, ap 2, hp 2, lv 2], Leo [rested"),
        ("GM is ap 3, rested, blocker", "ap is 2; rested; blocker"),
        ("GM is not active", "not active"),
        ("asked B main", "A is asked main"),
        ("only offered A: end", "on offer: deploy Ginn; attack GM"),
        ("offered A: attack Leo", "on offer: "),
        ("not offered A: end", "on offer: "),
        ("picks A attack GM: player", "to pick from: player, Guncannon"),
        ("waiting: GM deploy", "none"),
        ("turn 6 B", "turn 5 A"),
        ("over", "not over"),
        ("winner A", "winner undecided"),
        ("attack GM -> player", "no attack"),
        ("B sees A hand: Ginn", "????"),
    ],
)
def test_a_failure_shows_both(text, happened):
    ((line, said, found),) = _failures(BOARD + text)
    assert (line, said) == (6, text)
    assert found.startswith(happened), found


def test_events_are_compared_with_those_of_their_kind():
    board = BOARD + "A: attack GM -> player\n"
    ((_, said, found),) = _failures(board + "then cards.turned Leo, rested  gcg:7-3-1")
    assert said == "then cards.turned Leo, rested  gcg:7-3-1"
    assert re.fullmatch(r"#\d+ cards.turned cards GM@\d+, orient rested  \[gcg:7-3-1\]", found)
    ((_, _, found),) = _failures(board + "never attack.declared GM")
    assert "attack.declared attacker GM" in found
    ((_, _, found),) = _failures(board + "exactly 2 attack.declared")
    assert found.startswith("1 times\n#")
    ((_, _, found),) = _failures(board + "then cards.turned GM\nand step.began")
    assert found.endswith("(at that moment)")
    ((_, _, found),) = _failures(board + "then attack.declared GM\nthen cards.turned GM")
    assert "cards.turned" not in found, "it came before"


def test_a_choice_that_fails_ends_the_run():
    ((line, said, found),) = _failures(BOARD + "A: attack Leo -> player\nA hand: 7")
    assert (line, said) == (6, "attack Leo -> player")
    assert found == "refused: it is rested [gcg:7-3-1]"
    ((_, _, found),) = _failures(BOARD + "A: dance")
    assert "is none of" in found


def test_a_refusal_must_come_and_name_the_rule():
    ((_, said, found),) = _failures(BOARD + "A: attack Leo -> player ! gcg:7-1")
    assert said == "attack Leo -> player is refused by gcg:7-1"
    assert found == "refused: it is rested [gcg:7-3-1]"
    ((_, _, found),) = _failures(BOARD + "A: attack GM -> player ! gcg:7-1")
    assert found == "it is done"


def test_nobody_is_asked_what_all_should_answer():
    ((_, _, found),) = _failures(BOARD + "all: no block")
    assert found == "nobody is asked that"


def test_a_list_that_is_refused_says_why():
    text = "decks\n    A: ST01\n    B main: 51 GM\n    B resource: 10 Resource\nopen"
    ((_, said, found),) = _failures(text)
    assert said == "the match opens"
    assert "[gcg:5-1-1 gcg:5-1-1-3]" in found


def test_chance_is_what_the_scenario_says():
    text = "decks\n    A: ST01\n    B: ST02\nchance chooser 1\nchance shuffle reversed\nopen\n"
    report = _run(text + "asked B turn-order")
    assert report.passed
    with pytest.raises(BadScenario, match="no order of 50 cards"):
        _run("decks\n    A: ST01\n    B: ST02\nchance shuffle 2 1 0\nopen")


def test_comments_and_indentation_are_free():
    text = "# a remark\ngame gundam  # which one\n      A hand: none   # nothing\n\n  over\n"
    assert [said.line for said in load(text).script] == [3, 5]


def test_witnesses_are_read_without_running():
    text = (
        "game toy\nA: end ! toy:1 toy:2\nthen cards.moved GM, toy:3\n"
        "never cards.moved toy:4\nover witness toy:5"
    )
    assert list(witnesses(load(text))) == [
        ("toy:1", 2), ("toy:2", 2), ("toy:3", 3), ("toy:5", 5),
    ]  # fmt: skip
