"""`kifu analyse`: chances with intervals, the losses that are more than luck, and going on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain import games
from domain.record.decisions import Act, Offer, Option
from domain.record.entries import Entry
from domain.record.views import PUBLIC, redact
from domain.telling.record import Record
from replay_cli import record as files
from replay_cli.analysis.chances import Question, _found, estimate, share
from replay_cli.analysis.running import found, work_on
from replay_cli.playing.playout import play
from tests.unit.cli.clis import answer, run

GAME = "hollow_flux"
SEED = 4


@pytest.fixture(scope="module")
def log() -> list[Entry]:
    rules = games.rulebook(GAME)
    return play(rules, [*rules.decks][:2], SEED)


@pytest.fixture(scope="module")
def ended(log: list[Entry], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The last decisions of a match are analysed quickest: the record is whole all the same."""
    path = tmp_path_factory.mktemp("analyse") / "match.jsonl"
    path.write_text("".join(files.write(log)), "utf-8")
    return path


def test_a_share_has_wilsons_interval() -> None:
    half, none = share(8, 16), share(0, 16)
    assert (round(half.low, 3), half.value, round(half.high, 3)) == (0.28, 0.5, 0.72)
    assert none.low == none.value == 0.0
    assert round(none.high, 3) == 0.194


def _asked() -> Question:
    option = Option("pass")
    return Question(1, 0, 1, 0, Offer((option,)), option.act())


def test_the_better_act_is_measured_by_worlds_that_did_not_pick_it() -> None:
    taken, lucky = Act("pass"), Act("attack")
    played = [[0.0] * 8, [1.0] * 4 + [0.0] * 4]
    found = _found(_asked(), [taken, lucky], played, 8)
    assert found.better is None, "it won where it was picked, and nowhere else"
    better = _found(_asked(), [taken, lucky], [[0.0] * 8, [1.0] * 8], 8)
    assert better.better == lucky
    assert better.sure


def _late(log: list[Entry], n: int) -> list[Question]:
    """The last choices of a match."""
    _, questions = work_on(Record(log), GAME, everything=False, worlds=8, seed=1)
    return questions[-n:]


@pytest.mark.parametrize("everything", [False, True])
def test_the_winner_is_ahead_in_the_end(log: list[Entry], everything: bool) -> None:
    rules, record = games.rulebook(GAME), Record(log)
    winner = record.position(len(record.line)).winner
    chances = {
        one.seat: found.chance.value
        for one in _late(log, 12)
        if (found := estimate(rules, record.line, one, {}, 8, 1, everything=everything)).chance
    }
    assert chances.get(winner, 1.0) > 0.5
    assert chances.get(1 - winner, 0.0) < 0.5


def test_a_player_is_judged_by_what_he_saw(log: list[Entry]) -> None:
    """With the entries of that seat alone everything comes out as with the whole record."""
    rules, record = games.rulebook(GAME), Record(log)
    lists = dict(work_on(record, GAME, everything=False, worlds=4, seed=1)[0].lists)
    for asked in _late(log, 4):
        own = [redact(entry, asked.seat) for entry in record.line]
        by_all, by_own = (
            estimate(rules, line, asked, dict(lists), 4, 1, everything=False)
            for line in (record.line, own)
        )
        assert by_all == by_own


def test_it_goes_on_where_it_was_broken_off(log: list[Entry], tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    work, questions = work_on(Record(log), GAME, everything=False, worlds=4, seed=1)
    some = questions[-3:]
    first = {one.n: one for one in found(work, some, kept, 1)}
    lines = kept.read_text("utf-8").splitlines()
    kept.write_text("\n".join([*lines[:-1], lines[-1][:20]]), "utf-8")
    mark = json.loads(lines[1])
    mark["worlds"] = 77
    kept.write_text("\n".join([lines[0], json.dumps(mark), *lines[2:3], lines[-1][:20]]), "utf-8")
    second = {one.n: one for one in found(work, some, kept, 1)}
    assert second.keys() == first.keys()
    assert second[mark["n"]].worlds == 77, "what was kept is not done anew"
    others = {n: one for n, one in second.items() if n != mark["n"]}
    assert others == {n: one for n, one in first.items() if n != mark["n"]}
    other, _ = work_on(Record(log), GAME, everything=False, worlds=5, seed=1)
    assert {one.worlds for one in found(other, some, kept, 1)} <= {0, 5}


def test_who_gets_no_analysis(log: list[Entry], tmp_path: Path) -> None:
    live, public = tmp_path / "live.jsonl", tmp_path / "public.jsonl"
    live.write_text("".join(files.write(log[:300])), "utf-8")
    public.write_text("".join(files.write(redact(e, PUBLIC) for e in log)), "utf-8")
    seat = tmp_path / "seat.jsonl"
    seat.write_text("".join(files.write(redact(e, 0) for e in log)), "utf-8")
    assert "once it has ended" in run("analyse", live, code=1).stderr
    assert "the public saw no options" in run("analyse", public, code=4).stderr
    assert "only officials see everything" in run("analyse", seat, "--everything", code=4).stderr


@pytest.mark.long
def test_the_command_reports_and_keeps(ended: Path) -> None:
    report = answer("analyse", ended, "--budget", 4, "-j", 2)
    assert report["terms"]["worlds"] == 4
    seats = {one["seat"] for one in report["decisions"]}
    assert seats == {0, 1}
    for one in report["decisions"]:
        if one["chance"] is not None:
            low, value, high = (one["chance"][key] for key in ("low", "value", "high"))
            assert 0 <= low <= value <= high <= 1
    assert ended.with_name("match-analysis.jsonl").exists()
    shown = run("analyse", ended, "--budget", 4).stdout
    assert "By what each player knew" in shown
