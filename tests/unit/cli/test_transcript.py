"""The transcript: readable lines with rules, for whoever reads."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise

import pytest
from msgspec.structs import replace

from domain.games import rulebook
from domain.officials.clocks import go_on, pause
from domain.officials.frame import Official
from domain.officials.rewind import rewind
from domain.officials.rulings import penalise, rule
from domain.record import events as ev
from domain.record import values
from domain.record.entries import AnyEvent, Entry
from domain.record.interventions import Irregularity, Penalty, Rewound, Ruling
from domain.record.values import BY_OFFICIAL, Sealed
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.book import Book
from domain.telling.narration import Line, Narrator, is_choice, narrate
from replay_cli.drawing.lines import Columns
from replay_cli.playing.playout import view
from tests.playouts import Dice, Setup, begin, play, setup_of, take_turn
from tests.toy import TOY
from tests.unit.cli.clis import BOOK, RULES, log

STEPS = {word.name: word.label for word in RULES.manifest.steps}


def lines_of(seed: int, viewer: int = OFFICIAL, *, quiet: bool = True) -> list[Line]:
    return narrate(BOOK, view(log(seed), viewer), quiet=quiet)


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC, 0, 1])
def test_every_line_says_something_and_names_a_rule(viewer: int) -> None:
    for seed in range(4):
        for line in lines_of(seed, viewer, quiet=False):
            assert line.text.strip() == line.text != ""
            assert "{" not in line.text
            assert "…" not in line.text
            assert line.cites or line.minor or "chance" in line.text, line


def test_rules_that_are_cited_exist() -> None:
    cites = {cite for line in lines_of(1) for cite in line.cites if cite.startswith("gcg:")}
    assert cites <= RULES.rules.keys()


def test_a_play_is_one_line_with_its_payment() -> None:
    texts = [line.text for line in lines_of(2)]
    assert any(re.match(r"deploys .+ \(ST0\d-\d+\), \d resources? rested", text) for text in texts)
    assert any(re.match(r"pairs .+ \(ST0\d-\d+\) with .+, AP \d", text) for text in texts)
    assert any(re.match(r"attacks player [AB] with ", text) for text in texts)
    assert any("deals" in text and "damage to" in text for text in texts)
    assert any(text.endswith("wins the match, 1–0") or "0–1" in text for text in texts)


def test_the_public_reads_the_same_plays_without_the_hands() -> None:
    def plays(lines: list[Line]) -> list[str]:
        return [line.text for line in lines if re.match(r"(deploys|attacks|pairs) ", line.text)]

    for seed in range(3):
        assert len(plays(lines_of(seed, PUBLIC))) == len(plays(lines_of(seed)))
        drawn = [
            line.text for line in lines_of(seed, PUBLIC) if line.text.endswith("to Hand (drawn)")
        ]
        assert drawn
        assert all(re.match(r"(a card|\d cards) to Hand", text) for text in drawn)


def test_an_act_that_was_the_only_option_is_passed_over() -> None:
    assert len(lines_of(1)) < len(lines_of(1, quiet=False))
    assert "no block" in {line.text for line in lines_of(1, quiet=False)}


def test_lines_come_as_soon_as_a_decision_is_open() -> None:
    narrator, thought = Narrator(BOOK), 0
    for entry in log(3):
        narrator.feed(entry)
        if isinstance(entry.event, ev.OptionsOffered) and is_choice(entry.event.offer.value):
            assert narrator.close() == [], "nothing is held back while somebody thinks"
            thought += 1
    assert thought


def test_acts_of_officials_are_narrated() -> None:
    entries = log(1)[:60]
    last = entries[-1]
    found: list[AnyEvent] = [
        Irregularity("gcg:6-3-1", "drew two cards"),
        Ruling(last.seq, "the second card goes back"),
        Penalty(0, "warning", "drew two cards"),
        Rewound(40, "as before the draw"),
    ]
    more = [
        Entry(last.seq + n, last.time, last.moment + n, 0, BY_OFFICIAL, ("policy:1",), event)
        for n, event in enumerate(found, 1)
    ]
    texts = [line.text for line in narrate(BOOK, [*entries, *more])]
    assert "irregularity against gcg:6-3-1: drew two cards" in texts
    assert any(text.startswith("ruling on") for text in texts)
    assert "Warning for player A: drew two cards" in texts
    assert "the game goes back to entry 40; what followed is undone: as before the draw" in texts


def test_acts_of_an_official_are_one_line() -> None:
    setup = Setup(3)
    match, narrator = begin(setup), Narrator(BOOK)
    while match.pos.turn < 2:
        take_turn(match, setup)
    log = match.collect()
    for entry in log:
        narrator.feed(entry)
    judge = Official("judge", log[-1].time)
    for speak, text in (
        (partial(rule, match, judge, "so it is"), "ruling: so it is (judge)"),
        (partial(penalise, match, judge, 0, "warning"), "Warning for player A (judge)"),
        (partial(pause, match, judge), "the match is paused"),
        (partial(go_on, match, judge), "the match goes on"),
    ):
        speak()
        found = match.collect()
        log += found
        lines = [line for entry in found for line in narrator.feed(entry)]
        assert [(line.text, line.kind) for line in lines] == [(text, "note")]
    match = rewind(RULES, log, 3, replace(judge, why="wrong"), Dice(1, 1))
    (line,) = [line for entry in match.collect() for line in narrator.feed(entry)]
    assert line.text.startswith("the game goes back to decision 3")


def test_any_game_is_narrated_from_its_manifest() -> None:
    from replay_cli.playing.playout import play

    lines = narrate(Book.of(TOY), play(TOY, ("ones", "tens"), 1))
    texts = [line.text for line in lines]
    assert any(text.startswith("Play Card") for text in texts), texts
    assert texts[-1].startswith(("player", "the match is a draw"))


def test_a_kept_secret_is_not_guessed_at() -> None:
    hidden = Entry(
        1, 0, 1, 0, values.RULES, (),
        ev.CardsMoved(2, Sealed(1), Sealed(1), "deck/0", "hand/0", None, False, "", "draw"),
    )  # fmt: skip
    (line,) = narrate(BOOK, [hidden])
    assert line.text == "2 cards to Hand (drawn)"


@pytest.mark.parametrize("width", [72, 100, 140])
def test_lines_fit_their_columns(width: int) -> None:
    columns = Columns(width, STEPS)
    for line in lines_of(2):
        for row in columns.render(line).plain.split("\n"):
            assert len(row) <= width


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("width", [72, 80, 100])
def test_long_citations_stay_in_their_column(width: int, timed: bool) -> None:
    rules = rulebook("yugioh")
    steps = {word.name: word.label for word in rules.manifest.steps}
    columns = Columns(width, steps, timed=timed)
    for link, cite in enumerate(rules.rules):
        text = "activates Mystical Space Typhoon, on Swords of Revealing Light"
        line = Line(1, 0, 5, link % 2, "main1", text, (cite, "ygo:chain.build.1"), link=link % 5)
        rows = columns.render(line).plain.split("\n")
        assert all(len(row) <= width for row in rows)
        assert not any(row.startswith(("ygo:", "reading:", "card:")) for row in rows)
        assert cite in rows[0] or f"{cite[:10]}" in rows[0]


def test_columns_leave_out_what_has_not_changed() -> None:
    columns = Columns(100, STEPS)
    first = Line(1, 0, 5, 0, "main", "deploys GM", ("gcg:6-5-2-1-1", "gcg:2-9-1"))
    second = Line(2, 0, 5, 0, "main", "attacks player B with GM", ("gcg:7-3-1",))
    third = Line(3, 0, 5, 1, "attack/block", "no block", ("gcg:7-4-4",))
    rows = [columns.render(line).plain for line in (first, second, third)]
    assert rows[0].split() == ["T5", "A", "main", "deploys", "GM", "gcg:6-5-2-1-1", "gcg:2-9-1"]
    assert rows[1].split()[0] == "attacks"
    assert rows[2].split() == ["B", "block", "no", "block", "gcg:7-4-4"]
    assert len({row.index("gcg:") for row in rows}) == 1


def test_a_series_is_narrated_game_by_game() -> None:
    lines = narrate(BOOK, log(5, best_of=3))
    texts = [line.text for line in lines]
    assert "game 1 begins" in texts
    assert "game 2 begins" in texts
    assert rulebook("gundam").manifest.title in texts[0]


def test_links_of_a_chain_are_numbered_and_go_in_under_one_another() -> None:
    rules = rulebook("yugioh")
    columns = Columns(100, {word.name: word.label for word in rules.manifest.steps})
    highest = last = 0
    for seed in (3,):
        for line in narrate(Book.of(rules), play(setup_of(seed, game="yugioh"))):
            assert line.link <= last + 1
            last = line.link or last
            highest = max(highest, line.link)
            if line.link:
                assert f"{'  ' * (line.link - 1)}[{line.link}] " in columns.render(line).plain
    assert highest > 1


def test_an_effect_without_result_is_reported_once_with_its_reason() -> None:
    game, lines_of = "battle_spirits", 0
    rules = rulebook(game)
    for seed in range(1, 4):
        entries = play(setup_of(seed, game=game))
        lapses = [
            (one, ended) for one, ended in pairwise(entries)
            if isinstance(one.event, ev.NotDone) and one.event.what == "trigger"
            and isinstance(ended.event, ev.ActEnded)
        ]  # fmt: skip
        lines = narrate(Book.of(rules), entries)
        for one, ended in lapses:
            assert isinstance(one.event, ev.NotDone)
            why = rules.manifest.label("reasons", one.event.why)
            (line,) = [line for line in lines if line.seq == ended.seq]
            assert f" effect void ({why})" in line.text
            lines_of += 1
        found = sum(line.text.count("not done: trigger") for line in lines)
        tried = [
            e for e in entries if isinstance(e.event, ev.NotDone) and e.event.what == "trigger"
        ]
        assert found + len(lapses) == len(tried)
    assert lines_of
