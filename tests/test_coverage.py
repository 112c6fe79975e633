"""Every rule is witnessed, and the report finds what it is there to find."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from domain.games import every, rulebook
from domain.record.schema.citations import READING, Rule
from domain.telling.book import Book
from replay_cli.checking.coverage import Source, cover, lines, report
from tests.support.games import is_whole

TESTS = Path(__file__).parent


#: The games whose book is witnessed as a whole; one that is being written is not yet.
WHOLE = tuple(game for game in (*every(), "lamps") if is_whole(game))


@pytest.mark.parametrize("game", WHOLE)
def test_every_rule_is_witnessed(game):
    rules = rulebook(game)
    found = report(rules, TESTS)
    assert found.complete, "\n".join(lines(found, rules))
    assert len(found.excepted) < 30


@pytest.mark.parametrize("game", WHOLE)
def test_whatever_tells_what_a_rule_says_tells_readings_too(game):
    rules = rulebook(game)
    book = Book.of(rules)
    readings = [rule for rule in rules.rules.values() if rule.id.startswith("reading:")]
    assert all(rule.kind == READING and book.gist(rule.id) == rule.gist for rule in readings)
    assert all(rule.gist.endswith(".") for rule in readings)


# -- a book of four rules --------------------------------------------------------------------------

BOOK = SimpleNamespace(
    manifest=SimpleNamespace(game="toy", name="toy", prefix="toy", edition="", numbers=None),
    rules={
        id_: Rule(id_, kind, f"The gist of {id_}.", "")
        for id_, kind in {
            "toy:1": "info",
            "toy:2": "limit",
            "toy:2-1": "limit",
            "toy:3": "x",
            "reading:toy/1": READING,
        }.items()
    },
)


def _scenario(*rows):
    return Source("a.scenario", "\n".join(["game toy", *rows]))


def test_what_an_expectation_names_is_witnessed_there():
    scenario = _scenario(
        "A: end ! toy:2", "then cards.moved GM toy:2-1 reading:toy/1", "over witness toy:3"
    )
    found = cover(BOOK, [scenario])
    assert found.complete
    assert found.witnesses["toy:2"] == ("a.scenario:2",)
    assert found.witnesses["toy:2-1"] == ("a.scenario:3",)
    assert found.witnesses["toy:3"] == ("a.scenario:4",)


def test_what_must_not_happen_witnesses_nothing():
    found = cover(BOOK, [_scenario("never cards.moved toy:2", "exactly 0 cards.moved toy:2-1")])
    assert found.missing == ("toy:2", "toy:2-1", "toy:3", "reading:toy/1")


def test_a_marked_test_is_a_witness():
    marked = Source("test_x.py", 'import pytest\n\n@pytest.mark.rule("toy:2",\n "toy:9")\n')
    found = cover(BOOK, [], [marked])
    assert found.witnesses["toy:2"] == ("test_x.py:3",)
    assert found.unknown == (("toy:9", "test_x.py:3"),)


def test_a_reading_is_cited_where_the_code_or_a_scenario_names_it():
    wanted = [_scenario("over witness toy:2 toy:2-1 toy:3")]
    assert cover(BOOK, wanted).missing == ("reading:toy/1",)
    assert cover(BOOK, wanted, [], [Source("rules.py", '"""So (reading:toy/1)."""')]).complete
    assert cover(BOOK, [*wanted, _scenario("scenario So (reading:toy/1)")]).complete
    assert cover(BOOK, [*wanted, _scenario("scenario So (reading:toy/2)")]).unknown


def test_ids_that_do_not_exist_are_found_wherever_they_stand():
    code = Source("rules.py", 'x = "toy:2"\ny = ("toy:4-1", "reading:toy/2")')
    found = cover(BOOK, [_scenario("A: end ! toy:7")], [], [code], Source("out", "toy:8\tno\n"))
    assert sorted(found.unknown) == [
        ("reading:toy/2", "rules.py:2"), ("toy:4-1", "rules.py:2"), ("toy:7", "a.scenario:2"),
        ("toy:8", "out"),
    ]  # fmt: skip
    assert not found.complete


def test_an_exception_needs_a_reason_and_a_use():
    excepted = Source("out", "# why\ntoy:2\tdice\ntoy:1\tno row of its own\n")
    found = cover(BOOK, [_scenario("over witness toy:2")], exceptions=excepted)
    assert found.idle == ("toy:2", "toy:1")
    assert found.missing == ("toy:2-1", "toy:3", "reading:toy/1")
    with pytest.raises(ValueError, match="toy:3 is excepted without a reason"):
        cover(BOOK, [], exceptions=Source("out", "toy:3\n"))


def test_the_report_is_for_people():
    rules = rulebook("gundam")
    shown = "\n".join(lines(report(rules, TESTS), rules, whole=True))
    assert "scenarios/gundam/last_card.scenario:9" in shown
    assert "0 without a witness" in shown
