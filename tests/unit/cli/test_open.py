"""`kifu open`, and the files that matches are opened with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from domain.engine.match import Deck
from domain.record.position import Heading, Position
from domain.record.schema.listing import ListForm, ListHeading
from domain.record.schema.policy import EndOfTime, Policy
from domain.telling import notices
from domain.telling.book import CardFacts
from replay_cli.output import Failed
from replay_cli.reaching import hosting
from replay_cli.typed import lists
from tests.unit.cli.clis import BOOK, RULES, answer, run

UNIT = """
[[card]]
id = "CLI-001"
name = "Harbour Watch"
type = "unit"
color = "blue"
lv = 1
cost = 1
ap = 2
hp = 3
"""
EVENT = """
event = "Autumn Regional"
clocks = { round = 35, seat = 20 }
end = { turns = 3, tiebreaks = ["shield", "deck"] }
"""


def deck_file(folder: Path, card: str = "CLI-001") -> Path:
    counts = {card: 4}
    for other in RULES.decks["ST01"]["main"][:46]:
        counts[other] = counts.get(other, 0) + 1
    rows = "\n".join(f'"{card}" = {n}' for card, n in counts.items())
    path = folder / "mine.toml"
    path.write_text(f'name = "Mine"\n[main]\n{rows}\n[resource]\n"R-001" = 10\n{UNIT}')
    return path


def test_a_deck_is_a_ready_made_one_or_a_file(tmp_path: Path) -> None:
    assert lists.deck("ST01", BOOK) == lists.Listed("ST01")
    found = lists.deck(str(deck_file(tmp_path)), BOOK)
    assert isinstance(found.deck, Deck)
    assert found.name == "Mine"
    assert {part: len(cards) for part, cards in found.deck.parts.items()} == {
        "main": 50, "resource": 10,
    }  # fmt: skip
    assert [json.loads(text)["id"] for text in found.prints] == ["CLI-001"]
    assert BOOK.further(found.prints).name("CLI-001") == "Harbour Watch"


NUMBERED = structs.replace(
    BOOK,
    cards={"0012": CardFacts("0012", "Twelve", "unit")},
    forms=(ListForm(".lst", 4, (ListHeading("#main", "main"),)),),
)


def test_a_deck_may_be_a_file_of_another_program(tmp_path: Path) -> None:
    path, more, back = tmp_path / "mine.lst", tmp_path / "more.toml", tmp_path / "back.lst"
    more.write_text(UNIT.replace("CLI-001", "0013"))
    path.write_text("#main\n12\n13\n13\n")
    ((found,), brought) = lists.opened_with([str(path)], NUMBERED, [more])
    assert found == lists.Listed(Deck("mine", {"main": ["0012", "0013", "0013"]}))
    assert [json.loads(text)["id"] for text in brought] == ["0013"]
    assert isinstance(found.deck, Deck)
    lists.write(back, "mine", found.deck.parts, NUMBERED)
    assert back.read_text().endswith(path.read_text())
    with pytest.raises(Failed, match=r"mine\.lst: line 3: no card is numbered 13"):
        lists.opened_with([str(path)], NUMBERED)


def test_a_deck_is_written_as_rows_that_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    run("cards", "--deck", "ST01", "--write", path)
    found = lists.deck(str(path), BOOK).deck
    assert found == Deck("ST01", {part: [*ids] for part, ids in RULES.decks["ST01"].items()})
    assert "14" in run("cards", "--deck", path, "unit").output
    run("cards", "--write", path, code=2)
    run("cards", "--deck", "ST01", "--write", tmp_path / "no" / "where.toml", code=3)


WRONG = [
    "[main",
    "main = 4",
    "[main]\na = 0",
    '[main]\na = "4"',
    "main = [4]",
    'main = ["0 X-01"]',
    'main = ["4 X-01, 3 X-02"]',
    "card = 3",
    "card = [{ a = inf }]",
]


@pytest.mark.parametrize("text", WRONG)
def test_a_file_that_is_no_list_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(Failed, match=r"bad\.toml"):
        lists.deck(str(path), BOOK)


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ...]]:
    """A server, as options name it."""
    with hosting.hosted(tmp_path_factory.mktemp("open") / "m.kifu") as serving:
        yield ("-s", serving.address, "-t", serving.token)


def test_open_hands_out_tokens_and_the_record_says_what_was_settled(
    tmp_path: Path, where: tuple[str, ...]
) -> None:
    event, more = tmp_path / "event.toml", tmp_path / "more.toml"
    event.write_text(EVENT)
    more.write_text(UNIT.replace("CLI-001", "CLI-002"))
    opened = answer(
        "open", "--tokens", "--seats", "Ann,Ben", "--deck", deck_file(tmp_path), "--deck", "ST03",
        "--settings", event, "--prints", more, "--label", "round=1", "--chance", "system", *where,
    )  # fmt: skip
    assert set(opened) == {"id", "official", "seats", "public"}
    shown = run("show", opened["id"], *where).output
    assert "round 35:00" in shown
    assert "Ann · Mine 20:00" in shown
    (found,) = answer("list", "--label", "round=1", *where)
    assert found["id"] == opened["id"]


PRINTED = """\
card_number,name,card_type,color,level,cost,ap_raw,hp_raw,effect
ZZ01-001,Harbour Watch,UNIT,Blue,3,2,2,4,【Deploy】Draw 2.
ZZ01-002,Quay Song,COMMAND,Blue,2,1,,,【Main】Draw 1. Sing 3 songs.
"""


def test_printed_cards_are_compiled_once_somebody_accepts_what_they_do(
    tmp_path: Path, where: tuple[str, ...]
) -> None:
    printed = tmp_path / "next_week.csv"
    printed.write_text(PRINTED, "utf-8")
    wanted = ("open", "--deck", "ST01", "--deck", "ST03", "--prints", printed, *where)
    asked = run(*wanted, stdin="n\n", code=1).output
    assert "When this card is deployed: draw 2." in asked
    assert "not understood from “sing 3 songs.” on" in asked
    run(*wanted, code=1)  # nobody can be asked
    match = answer(*wanted, "--yes", "--chance", "system")["id"]
    record = run("export", match, *where).output
    assert "Harbour Watch" in record
    assert "Draw 2" not in record


def test_options_that_a_match_cant_be_opened_with_are_named(
    tmp_path: Path, where: tuple[str, ...]
) -> None:
    event = tmp_path / "event.toml"
    event.write_text("clocks = 3")
    pair = ("--deck", "ST01", "--deck", "ST03", *where)
    run("open", "--deck", "ST01", *where, code=2)
    run("open", "--deck", "ST01", "--deck", "nope", *where, code=3)
    run("open", "--settings", event, *pair, code=1)
    run("open", "--label", "round", *pair, code=2)


def test_at_a_real_table_outcomes_of_chance_are_given(where: tuple[str, ...]) -> None:
    pair = ("--mode", "table", "--deck", "ST01", "--deck", "ST03", *where)
    assert "--roll" in run("open", *pair, code=1).output
    run("open", "--roll", "?", *pair, code=2)
    assert "scorekeeper" in answer("open", "--tokens", "--roll", "B", *pair)
    assert [*answer("open", "--roll", "B", *pair)] == ["id"], "tokens are printed on request"


def test_an_event_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text(EVENT)
    assert lists.policy(path).end == EndOfTime(3, 0, ("shield", "deck"))


def test_officials_keep_the_time_of_a_match(tmp_path: Path, where: tuple[str, ...]) -> None:
    event = tmp_path / "event.toml"
    event.write_text(EVENT)
    pair = ("--deck", "ST01", "--deck", "ST03", "--settings", event, "--chance", "system")
    match = answer("open", *pair, *where)["id"]
    assert "player A's clock shows 21:" in run("time", "extend", match, "A", "1:30", *where).output
    assert (
        "player B's clock shows 5:00"
        in run("time", "set", match, "B", "--to", "5:00", *where).output
    )
    run("time", "flag", match, "A", *where, code=1)
    run("time", "flag", match, "public", *where, code=2)
    run("time", "decide", match, *where, code=1)
    asked = run("time", "call", match, *where, stdin="n\n").output
    assert "3 turns more are played after this one; then the match ends. Go on?" in asked
    called = run("time", "call", match, *where, stdin="y\n").output
    assert "3 turns left after this one" in called
    assert answer("time", "set", match, "round", "--stop", *where)["first_seq"]
    asked = run("time", "decide", match, *where, stdin="n\n").output
    assert "nobody wins the game, and the match is over: a draw, 0–0" in asked
    lost = run("desk", "penalise", match, "A", "game-loss", *where, stdin="n\n").output
    assert "player A loses the game, and the match is over: player B won, 0–1" in lost
    assert "a draw" in run("time", "decide", match, *where, "--yes").output


@pytest.mark.parametrize(
    ("turn", "end", "says"),
    [
        (0, EndOfTime(), "no turn has begun, and none will"),
        (3, EndOfTime(), "this turn is the last"),
        (0, EndOfTime(1), "one turn more"),
        (3, EndOfTime(0, 90_000), "1:30 more are played"),
    ],
)
def test_what_follows_from_calling_time_is_confirmed_first(
    turn: int, end: EndOfTime, says: str
) -> None:
    p = Position(turn=turn, heading=Heading(policy=Policy(end=end)))
    assert says in notices.time_called(p)


@pytest.mark.parametrize(
    ("best_of", "score", "game", "seats", "whole", "says"),
    [
        (3, [0, 0], 1, [0], False, "player A loses the game; then it is 0–1, and another follows"),
        (3, [0, 1], 2, [0], False, "loses the game, and the match is over: player B won, 0–2"),
        (3, [1, 1], 3, [0, 1], False, "nobody wins the game, and the match is over: a draw, 1–1"),
        (3, [1, 0], 2, [0], True, "loses the game, and the match is over: player B won, 1–1"),
    ],
)  # fmt: skip
def test_the_cost_of_a_lost_game_is_shown_first(
    best_of: int, score: list[int], game: int, seats: list[int], whole: bool, says: str
) -> None:
    p = Position(score=score, game=game, heading=Heading(seats=("Ann", "Ben"), best_of=best_of))
    assert says in notices.lost(p, seats, whole=whole)


def test_a_screen_for_the_keyboard_needs_a_terminal(tmp_path: Path) -> None:
    """And nothing is opened for one that is not there."""
    decks = ("--deck", "ST01", "--deck", "ST03")
    with hosting.hosted(tmp_path / "m.kifu") as serving:
        where = ("-s", serving.address, "-t", serving.token)
        match = answer("open", *decks, *where)["id"]
        new = ("record", "--new", "gundam", *decks)
        for command in (("replay", match), ("record", match), new):
            assert "it needs a terminal" in run(*command, *where, code=2).stderr
        assert [one["id"] for one in answer("list", *where)] == [match]


def test_who_writes_names_the_match_unless_one_is_live(tmp_path: Path) -> None:
    pair = ("--deck", "ST01", "--deck", "ST03", "--chance", "system")
    with hosting.hosted(tmp_path / "m.kifu") as serving:
        where = ("-s", serving.address, "-t", serving.token)
        assert "there are no matches" in run("desk", "note", "x", *where, code=3).output
        first = answer("open", *pair, "--label", "table=1", *where)["id"]
        answer("desk", "note", "x", *where)
        second = answer("open", *pair, "--seats", "Ann,Ben", *where)["id"]
        for command in (
            ("desk", "note", "x"), ("time", "call"), ("auto-pass", "--withdraw"), ("record",),
            ("desk", "rewind", 1, "--why", "x"), ("desk", "undo"), ("tokens", "issue"),
        ):  # fmt: skip
            asked = run(*command, *where, code=2).output
            assert "several matches may be meant: name one" in asked, command
            assert f"{first}  player A – player B  (table 1)" in asked
            assert f"{second}  Ann – Ben" in asked
        unasked = run("desk", "penalise", first, "A", "match-loss", *where, code=1).output
        assert "nobody can be asked here: --yes says that it is meant" in unasked
        run("desk", "penalise", first, "A", "match-loss", "--yes", *where)
        assert "several" not in run("desk", "note", "x", *where).output
        run("desk", "penalise", "A", "match-loss", "--yes", *where)
        assert "several" in run("desk", "note", "x", *where, code=2).output


def test_a_deck_may_be_a_list_as_it_was_pasted(tmp_path: Path) -> None:
    path, bad = tmp_path / "mine.txt", tmp_path / "bad.txt"
    path.write_text("Mine\n4x ST01-001_p1\nST01-004 x3\n10 Resource")
    found = lists.deck(str(path), BOOK)
    main = ["ST01-001"] * 4 + ["ST01-004"] * 3
    assert found == lists.Listed(Deck("mine", {"main": main, "resource": ["R-001"] * 10}))
    bad.write_text("4 ST01-001\n4 Guntnk")
    with pytest.raises(Failed, match=r"bad\.txt: line 2: no card is called 'Guntnk'; did you mean"):
        lists.deck(str(bad), BOOK)
