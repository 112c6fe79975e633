"""What texts may say that no card of the first four sets says."""

from __future__ import annotations

from tests.unit.games.gundam.bench import Bench


def test_the_same_constant_text_twice_adds_up(b: Bench) -> None:
    lift = {"do": "modify", "key": "ap", "n": 1, "to": {"zone": "this"}}
    texts = [{"kind": "constant", "name": name, "do": [lift]} for name in ("one", "two")]
    card = {"id": "X-1", "name": "X", "type": "unit", "ap": 1, "hp": 1, "effect": texts}
    number = b.bring(card).put(0, "X-1")
    assert b.begin().ap(number) == 3


def test_part_of_a_name_is_enough(b: Bench) -> None:
    card = {"id": "X-1", "name": "New Corsica Base", "type": "command"}
    b.bring(card).put(0, "X-1", zone="trash")
    base = b.hand("ST02-016")
    b.begin().play(base, "deploy")
    assert b.ids("battle/0") == ["T-004", "T-004"]


def test_text_without_clauses_is_declared(b: Bench) -> None:
    text = {"kind": "triggered", "name": "deploy", "on": "deploy"}
    card = {"id": "X-1", "name": "X", "type": "unit", "hp": 1, "effect": [text]}
    number = b.bring(card).hand("X-1")
    b.begin().play(number, "deploy")
    assert b.asked == "declare"
    b.choose('[{"do": "draw", "n": 2}]')
    assert b.count("hand/0") == 2
