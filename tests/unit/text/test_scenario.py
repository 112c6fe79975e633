"""Scenario files: what can't be read says where, what does not hold says what happened instead."""

import re
import sys
from pathlib import Path

import pytest

import domain.text.scenario
from domain.engine.match import Match
from domain.games import names, newest, rulebook
from domain.record.events import StepBegan
from domain.text.scenario import BadScenario, load, run, witnesses
from domain.text.scenario.checks import CHECKS
from domain.text.scenario.patterns import expected
from domain.text.scenario.reference import HEADING, reference

GUIDE = Path(domain.text.scenario.__file__).parent / "SCENARIOS.md"


def _run(text):
    return run(load("game gundam\n" + text))


def _failures(text):
    return [(f.line, f.expected, f.happened) for f in _run(text).failures]


EXAMPLES = re.findall(r"```\n(scenario .*?)```", GUIDE.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.splitlines()[0])
def test_the_guide_shows_scenarios_that_hold(example):
    assert run(load(example)).failures == ()


def test_the_guide_shows_one_of_each_game():
    assert sorted(load(example).game for example in EXAMPLES) == sorted(names())


def test_the_ordinary_board_is_the_default():
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
        ("position\n    A pocket: 3", 3, "'pocket' is no zone; there are battle, base"),
        ("position\n    hand: 3", 3, "the zone hand is somebody's"),
        ("position\n    A hand: Zeong", 3, "no card is called 'Zeong'"),
        ("position\n    A hand: Gund", 3, "'Gund' may be any of ST01-001"),
        ("position\n    A hand: GM [shiny]", 3, "a card can't be laid 'shiny'"),
        ("position\n    A hand: GM [rested", 3, "a bracket is missing"),
        ("position\n    A hand: 69610924", 3, "69610924 are too many cards"),
        ('position\n    A hand: "69610924"', 3, "no card is called '69610924'"),
        ("position\n    turn A", 3, "write `turn 5 A`"),
        ("position\n    step nowhere", 3, "there is no step 'nowhere'"),
        ("position\n    modifier GM ap", 3, "write `modifier GM ap +2 until turn`"),
        ("position\n    modifier GM ap +2 until turn", 3, "no card here is called 'GM'"),
        ("position\n    A battle has GM", 3, "what is 'A battle has GM' in a position?"),
        ("cards\n    [[card]]\n    id =", 4, "nvalid value"),
        ("cards\n    [[deck]]", 2, "only [[card]] tables"),
        ("decks\n    A: ST99\nopen", 3, "write `A: NAME` (ST01"),
        ("decks\n    A: ST01\nover", 4, "a line `open` comes first"),
        ("position\n    mode dream", 3, "write `mode dealer` or `mode table`"),
        ("decks\n    best of two\nopen", 3, "write `best of 3`"),
    ],
)
def test_a_fault_names_its_line(text, line, says):
    with pytest.raises(BadScenario) as bad:
        _run(text)
    assert (bad.value.line, says in str(bad.value)) == (line, True), str(bad.value)


def test_bad_cards_are_named_each_with_its_line():
    card = '    [[card]]\n    id = "X-{n}"\n    name = "X"\n    type = "unit"\n'
    text = '    [[card.effect]]\n    kind = "triggered"\n    name = "first"\n    on = "deplyo"\n'
    with pytest.raises(BadScenario) as bad:
        _run("cards\n" + card.format(n=1) + "    hp = 1\n" + text + card.format(n=2))
    assert str(bad.value).startswith("line 10: X-1: first: unknown occurrence 'deplyo'")
    assert "line 13: X-2: a unit needs HP" in str(bad.value)


def test_a_game_must_be_named_and_exist():
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
    ((line, seen, found),) = _failures(BOARD + text)
    assert (line, seen) == (6, text)
    assert found.startswith(happened), found


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("never cards.moved sheild", "did you mean 'shield'?"),
        ("never cards.moved GM, hnad -> trash", "did you mean 'hand'?"),
        ("then attack.declared Guncanon -> A", "did you mean 'Guncannon'?"),
        ("never damage.dealt kind=efect", "did you mean 'effect'?"),
        ("never turn.began GM", "nothing in turn.began is ever 'GM'"),
        ("never turn.began from=A", "turn.began has no 'from'; it has n, seat"),
        ("never decision.opened A -> B", "no `->` is in it"),
        ("exactly 0 effect.triggered deplyo", "did you mean 'deploy'?"),
        ("never marked usd", "did you mean 'used'?"),
        ("never stats.set GM, app", "nothing in stats.set is ever 'app'"),
        ("never modifier.began GM, blokcer", "did you mean 'blocker'?"),
        ("never seat.lost gcg:9-9-9", "no rule is called 'gcg:9-9-9'"),
        ("over witness gcg:9-9-9", "no rule is called 'gcg:9-9-9'"),
        ("A: attack Leo -> player ! gcg:9-9-9", "no rule is called 'gcg:9-9-9'"),
        ("not offered A: atack GM", "'atack' is not one of the acts; did you mean 'attack'?"),
        ("not offered A: attack Guncanon", "did you mean 'Guncannon'?"),
        ("not offered A: activate GM deplyo", "no card is called 'GM deplyo'"),
        ("picks A attack GM: Guncanon", "did you mean 'Guncannon'?"),
        ("GM is not lnked", "did you mean 'linked'?"),
        ("GM is not with pilot Amro Ray", "did you mean 'Amuro Ray'?"),
        ("Guncanon is rested", "no card is called 'Guncanon'; did you mean 'Guncannon'?"),
        ("A battle lacks Guncanon", "did you mean 'Guncannon'?"),
        ("A battle lacks GM [restd]", "did you mean 'rested'?"),
        ("A pocket: 3", "'pocket' is not one of the zones"),
        ("asked B blokc", "did you mean 'block'?"),
        ("waiting: GM destryoed", "did you mean 'destroyed'?"),
        ("step mian", "did you mean 'main'?"),
        ("why dekc", "did you mean 'deck'?"),
        ("counters B: lief 3", "'lief' is not one of the counters"),
        ("chance shufle 1 0", "did you mean 'shuffle'?"),
        ("never frame.opened atack", "did you mean 'attack'?"),
        ("never act.declared comand", "did you mean 'command'?"),
        ("never penalty wraning", "did you mean 'warning'?"),
        ("never irregularity rule=gcg:9-9-9", "is ever 'gcg:9-9-9'"),
        ("GM is not color bleu", "did you mean 'blue'?"),
        ("A battle lacks GM [ap two]", "no card is ever 'ap two'"),
        ("not offered C: attack GM", "there is no player C, only A and B"),
        ("C trash lacks GM", "there is no player C"),
        ("C sees never cards.moved", "there is no player C"),
        ("never cards.moved C hand -> trash", "is ever 'C hand'"),
        ("then cards.mvoed GM", "did you mean 'cards.moved'?"),
        ("then what", "'what' is no event; there are act.declared, "),
        ("when will it end", "what is 'when will it end'?"),
        ("chance shuffle soon", "chance is a kind and numbers"),
    ],
)
def test_what_exists_nowhere_is_a_slip_and_the_rest_goes_on(line, says):
    ((_, seen, found), later) = _failures(f"{BOARD}{line}\nA hand: 7")
    assert line.startswith(seen)
    assert says in found
    assert later == (7, "A hand: 7", "1 cards: Ginn")


def test_amounts_are_no_cards():
    board = BOARD + "A: attack GM -> player\n"
    assert not _failures(board + "never decision.opened GM\nthen decision.opened n=2")


def test_a_failure_does_not_drag_the_next_lines_along():
    board = BOARD + "A: attack GM -> player\n"
    script = "then attack.declared Leo\nand cards.turned GM\nthen attack.declared GM\nover"
    assert [line for line, _, _ in _failures(board + script)] == [7, 10]


def test_a_card_that_is_gone_fails_its_line_alone():
    found = _failures(BOARD + "Zaku II is rested\nB.Guncannon is active")
    assert [(line, text[:20]) for line, _, text in found] == [
        (6, "no card here is call"),
        (7, "active: Guncannon [r"),
    ]


def test_a_crash_fails_its_line(monkeypatch):
    def broken(*_):
        raise KeyError(7)

    monkeypatch.setitem(CHECKS, "over", broken)
    monkeypatch.setitem(CHECKS, "state", broken)
    found = _failures(BOARD + "over\nA hand: 7")
    assert [line for line, _, _ in found] == [6, 7]
    assert "it crashed: KeyError: 7 (broken, line " in found[0][2]


class Unending(Match):
    """A match in which a choice is carried out for ever."""

    def choose(self, *_, **__):
        while True:
            self.table.emit(StepBegan("main"), "gcg:7-5-1")


def test_what_does_not_end_fails_its_line_and_ends_the_run():
    text = f"game gundam\n{BOARD}A: pass\nA hand: 7\nover"
    (failure,) = run(load(text), matches=Unending).failures
    assert failure.line == 6
    assert failure.happened == "it does not end: one choice has brought about 20000 entries"


def test_a_position_from_which_play_does_not_end_says_so(monkeypatch):
    monkeypatch.setattr(sys.modules["domain.text.scenario.run"], "MOST_ENTRIES", 2)
    (failure,) = _run(BOARD + "over").failures
    assert (failure.line, failure.expected) == (1, "play begins")


SHIELDS = "    B shield: GM, Ginn, GM\n"


@pytest.mark.parametrize(
    "line",
    [
        "B.shield.Ginn is rested, not new",
        "B.shield#2 is owner B, type unit",
        "A battle: GM#1, battle.Leo",
        "B battle has B.Guncannon",
        "picks A attack GM: battle.Guncannon, player B",
        "counters A: none",
    ],
)
def test_statements(line):
    assert not _failures(f"{BOARD}{SHIELDS}{line}")


def test_what_play_begins_with_belongs_to_the_lines_before_the_first_choice():
    begins, act = "then decision.opened A, main\n", "A: attack GM -> player\n"
    assert not _failures(f"{BOARD}{begins}{act}never decision.opened A, main\n")
    assert not _failures(f"{BOARD}{act}exactly 1 decision.opened\n")
    assert _failures(f"{BOARD}{act}{begins}")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("@ desk promise", "officials do not 'promise'"),
        ("@ desk penalise C warning", "'C' is no player; there are A and B"),
        ("@ desk correct -f 'show {Zaku II}'", "no card here is called 'Zaku II'"),
        ("@ desk rule '' --rule gcg:1", "refused: say it in words [house:ruling house:official]"),
        ("@ desk accept", "nothing that a scenario can show"),
        ("@ desk extend round 2:00", "refused: there is no clock 'round'"),
        ("@ desk result A 2- --note x", "'2-' is no score such as 2-1"),
        ("@ desk pause ! gcg:7-4-1", "it is done"),
        ("A: attack GM -> player {B shield: GM}", "in a dealt match"),
        ("@ desk pause\nB: no block", "the match is standing still"),
    ],
)
def test_what_an_official_or_a_choice_can_not_do_fails_its_line(line, says):
    (failure,) = _failures(f"{BOARD}{line}\n")
    assert says in failure[2]


@pytest.mark.parametrize("mode", ["dealer", "table"])
def test_a_correction_that_is_refused_is_all_that_fails(mode):
    board = f"position\n    mode {mode}\n    B battle: Zaku II [with pilot Char Aznable]\n"
    line = "@ desk correct -f 'move {Zaku II} to trash/1' --rule gcg:6-5-1 --who B\n"
    (failure,) = _failures(f"{board}{line}")
    assert "stands alone in the battle area" in failure[2]
    assert not _failures(f"{board}{line.strip()} ! house:irregularity\nA: end\n")


def test_what_an_official_brings_about_can_be_expected_as_it_is_shown():
    line = "@ desk note 'a drink was spilled' --public\n"
    shown = "\n".join(expected(rulebook("gundam"), _run(f"{BOARD}{line}").entries))
    assert "then noted" in shown
    assert "match.opened" not in shown


def test_a_series_at_a_real_table_begins_with_the_given_lists():
    text = "decks\n    best of 3\n    mode table\n    A: ST01\n    B: ST03\n"
    assert not _failures(f"{text}open {{chooser: 2 of 2}}\nasked B turn-order\nB: concede\ngame 2")
    (chance,) = _failures(f"{text}chance chooser 1\nopen {{chooser: 2 of 2}}")
    assert "the act states it" in chance[2]
    with pytest.raises(BadScenario, match="play begins at a later step: say how chance fell"):
        _run("position\n    mode table\n    step setup\n")
    lists = "decks\n    A: ST02\n    B: ST03\nposition\n    mode table\n    A hand: 2\n"
    (refused,) = _failures(f"{lists}A: deploy Zaku I")
    assert "0 times in the list" in refused[2]


def test_what_happened_can_be_expected_as_it_is_shown():
    board = BOARD + "A: attack GM -> player\n"
    lines = "\n".join(expected(rulebook("gundam"), _run(board).entries))
    assert "attack.declared GM -> player B" in lines
    since = lines[lines.index("    then cards.turned") :]
    assert _run(f"{board}{since}\n").passed


def test_events_are_compared_with_those_of_their_kind():
    board = BOARD + "A: attack GM -> player\n"
    ((_, seen, found),) = _failures(board + "then cards.turned Leo, rested  gcg:7-3-1")
    assert seen == "then cards.turned Leo, rested  gcg:7-3-1"
    assert re.fullmatch(r"#\d+ cards.turned GM, rested  \[gcg:7-3-1\]", found)
    ((_, _, found),) = _failures(board + "never attack.declared GM")
    assert "attack.declared GM -> player B" in found
    ((_, _, found),) = _failures(board + "exactly 2 attack.declared")
    assert found.startswith("1 times\n#")
    ((_, _, found),) = _failures(board + "then cards.turned GM\nand step.began")
    assert found.endswith("(at that moment)")
    ((_, _, found),) = _failures(board + "then attack.declared GM\nthen cards.turned GM")
    assert "cards.turned" not in found, "it came before"


def test_a_choice_that_fails_ends_the_run():
    ((line, seen, found),) = _failures(BOARD + "A: attack Leo -> player\nA hand: 7")
    assert (line, seen) == (6, "attack Leo -> player")
    assert found == "refused: it is rested [gcg:7-3-1]"
    ((_, _, found),) = _failures(BOARD + "A: dance")
    assert "is not one of" in found


def test_a_refusal_must_come_and_name_the_rule():
    ((_, seen, found),) = _failures(BOARD + "A: attack Leo -> player ! gcg:7-1")
    assert seen == "attack Leo -> player is refused by gcg:7-1"
    assert found == "refused: it is rested [gcg:7-3-1]"
    ((_, _, found),) = _failures(BOARD + "A: attack GM -> player ! gcg:7-1")
    assert found == "it is done"


def test_nobody_is_asked_what_all_should_answer():
    ((_, _, found),) = _failures(BOARD + "all: no block")
    assert found == "nobody is asked that"


def test_a_list_that_is_refused_says_why():
    text = "decks\n    A: ST01\n    B main: 51 GM\n    B resource: 10 Resource\nopen"
    ((_, seen, found),) = _failures(text)
    assert seen == "the match opens"
    assert "[gcg:5-1-1 gcg:5-1-1-3]" in found


def test_chance_is_what_the_scenario_says():
    text = "decks\n    A: ST01\n    B: ST02\nchance chooser 1\nchance shuffle reversed\nopen\n"
    report = _run(text + "asked B turn-order")
    assert report.passed
    with pytest.raises(BadScenario, match="no order of 50 cards"):
        _run("decks\n    A: ST01\n    B: ST02\nchance shuffle 2 1 0\nopen")


def test_comments_and_indentation_are_free():
    text = "# a remark\ngame gundam  # which one\n      A hand: none   # nothing\n\n  over\n"
    assert [seen.line for seen in load(text).script] == [3, 5]


def test_witnesses_are_read_without_running():
    text = (
        "game toy\nA: end ! toy:1 toy:2\nthen cards.moved GM, toy:3\n"
        "never cards.moved toy:4\nover witness toy:5"
    )
    assert list(witnesses(load(text))) == [
        ("toy:1", 2), ("toy:2", 2), ("toy:3", 3), ("toy:5", 5),
    ]  # fmt: skip


def test_the_guide_lists_all_words():
    """`kifu scenario --words` prints this section again."""
    _, heading, section = GUIDE.read_text("utf-8").partition(HEADING)
    text, there = reference(map(rulebook, newest())), heading + section
    assert there.strip() == text.strip(), "put what `kifu scenario --words` prints there"


RELAY = """game hollow_flux
cards
    [[card]]
    id = "X-1"
    name = "Relay"
    type = "character"
    power = 1000
    cost = 1
    [[card.effect]]
    kind = "activated"
    name = "signal"
    do = [{ do = "draw" }]
    [[card.effect]]
    kind = "activated"
    name = "noise"
    do = [{ do = "draw" }]
position
    A battlefield: 2 Relay, Lantern Duelist, Lantern Squire
    B battlefield: Lantern Duelist [asleep]
"""


@pytest.mark.parametrize(
    "line",
    [
        "A: activate Relay#1 signal",
        "offered A: activate Relay#2 noise; attack Lantern Squire -> B.Lantern Duelist",
        "A: attack Lantern Duelist -> player",
        "not offered A: activate Relay#1 signal -> B.Lantern Duelist",
    ],
)
def test_names_that_begin_alike_and_effects_behind_a_number_are_read(line):
    assert run(load(RELAY + line)).failures == ()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("A battel: GM", "did you mean 'battle'?"),
        ("C hand: GM", "there is no player C"),
        ("A battle: Guncanon", "did you mean 'Guncannon'?"),
        ("A battle: GM [restd]", "did you mean 'rested'?"),
        ("A battle: GM [with pilto Amuro Ray]", "did you mean 'pilot'?"),
        ("turn 6 C", "write `turn 5 A`"),
        ("best of three", "write `best of 3`"),
        ("mark A: frist", "did you mean 'first'?"),
        ("counters A: damge 1", "did you mean 'damage'?"),
        ("modifier GM app +2 until turn", "did you mean 'ap'?"),
        ("modifier GM ap +2 until tunr", "did you mean 'turn'?"),
        ("modifier GM forbid atack until turn", "did you mean 'attack'?"),
        ("attack player -> GM", "'player' is no card"),
    ],
)
def test_a_slip_in_a_position_names_its_line(line, says):
    text = f"game gundam\nposition\n    A battle: GM\n    {line}\n"
    with pytest.raises(BadScenario, match=r"^line 4: ") as bad:
        run(load(text))
    assert says in str(bad.value)


@pytest.mark.parametrize("block", ["position", "decks"])
def test_an_option_that_a_game_does_not_have_is_a_slip(block):
    rest = "" if block == "position" else "\nopen\n"
    with pytest.raises(BadScenario, match=r"^line 3: there is no option 'form'"):
        run(load(f"game yugioh\n{block}\n    option form 2013\n{rest}"))


def test_all_slips_of_a_position_are_listed_with_their_lines():
    lines = ("A battel: GM", "A hand: Gundum", "B battle: GM [restd], Zaku", "stpe main")
    with pytest.raises(BadScenario) as bad:
        run(load("\n    ".join(["game gundam\nposition", "A battle: GM", *lines])))
    text = str(bad.value).split("\n")
    assert [row.partition(":")[0] for row in text] == [f"line {n}" for n in (4, 5, 6, 6, 7)]


def test_lines_that_lean_on_others_with_slips_are_not_blamed():
    with pytest.raises(BadScenario) as bad:
        run(load("game gundam\nposition\n    A battel: GM\n    mark GM: first"))
    assert str(bad.value).startswith("line 3: ")
    assert "line 4" not in str(bad.value)


def test_a_choice_with_a_slip_in_its_witness_is_made_all_the_same():
    ((line, _, found),) = _failures(
        BOARD + "A: attack GM -> player witness gcg:9-9-9\nasked B block"
    )
    assert line == 6
    assert "no rule" in found
