"""What the texts of ST02 do, one card a test, on a table laid by hand (`bench`)."""

from __future__ import annotations

import pytest

from domain.games.gundam.rulebook import RULEBOOK
from tests.unit.games.gundam.bench import GM, HEERO, LEO, SANDROCK, SULETTA, ZECHS, Bench


def test_wing_gundam_attacks_low_active_units(b: Bench) -> None:
    wing = b.put(0, "ST02-001")
    low, high = b.put(1, SANDROCK), b.put(1, "ST02-001")
    lying = b.put(1, "ST02-001", orient="rested")
    assert b.begin().targets(wing) == {"seat/1", low, lying}
    assert high not in b.targets(wing)
    assert b.card(wing).stat("breach") == 5


def test_bird_mode_places_an_ex_resource(b: Bench) -> None:
    card = b.hand("ST02-002")
    b.begin().play(card, "deploy")
    assert b.ids("resource/0").count("EXR-001") == 1


@pytest.mark.parametrize("pilot", ["", HEERO])
def test_heavyarms_sweeps_low_units_while_paired(b: Bench, pilot: str) -> None:
    unit = b.put(0, "ST02-003", pilot=pilot)
    prey, low, high = b.put(1, GM, orient="rested"), b.put(1, "ST01-003"), b.put(1, SANDROCK)
    b.begin().attack(unit, prey).finish()
    assert b.count("trash/1") == 1
    assert b.card(low).counters.get("damage", 0) == (1 if pilot else 0)
    assert not b.card(high).counters


def test_tallgeese_readies_itself_for_four(b: Bench) -> None:
    unit = b.put(0, "ST02-006", orient="rested")
    b.begin().do("activate", unit, tuple(b.t.pos.zone("resource", 0)[:4]))
    assert b.card(unit).orient == "active"
    assert all(option.kind != "activate" for option in b.offer.options)


@pytest.mark.parametrize(("unit", "bonus"), [("ST02-001", 1), (SANDROCK, 0)])
def test_heero_adds_one_while_linked(b: Bench, unit: str, bonus: int) -> None:
    number = b.put(0, unit, pilot=HEERO)
    print_ = RULEBOOK.cards[unit]
    b.begin()
    assert b.ap(number) == print_.ap + 2 + bonus
    assert b.card(number).stat("hp") == print_.hp + 1 + bonus


@pytest.mark.parametrize(("unit", "drawn"), [("ST02-006", 1), ("ST02-007", 1), (SANDROCK, 0)])
def test_zechs_draws_for_a_kill_while_linked(b: Bench, unit: str, drawn: int) -> None:
    number, prey = b.put(0, unit, pilot=ZECHS), b.put(1, GM, orient="rested")
    b.begin().attack(number, prey).finish()
    assert b.count("hand/0") == drawn


def test_simultaneous_fire_gives_breach(b: Bench) -> None:
    unit, wing, card = b.put(0, GM), b.put(0, "ST02-001"), b.hand("ST02-012")
    b.begin().play(card, "command")
    assert b.pool == {unit, wing}
    b.choose(wing)
    assert b.card(wing).stat("breach") == 8
    b.do("end").do("pass").do("pass")
    assert b.card(wing).stat("breach") == 5


@pytest.mark.parametrize(("attacker", "left"), [(SANDROCK, 3), ("ST02-001", 2)])
def test_peaceful_timbre_guards_the_shields_from_low_units(
    b: Bench, attacker: str, left: int
) -> None:
    unit, card = b.put(0, attacker), b.hand("ST02-013", seat=1)
    b.begin().attack(unit).do("no-block").play(card, "command")
    b.finish()
    assert b.count("shield/1") == left


def test_peaceful_timbre_guards_the_base_and_ends_with_the_battle(b: Bench) -> None:
    one, two, card = b.put(0, SANDROCK), b.put(0, SANDROCK), b.hand("ST02-013", seat=1)
    base = b.put(1, "ST02-015", zone="base")
    b.begin().attack(one).do("no-block").play(card, "command").finish()
    assert not b.card(base).counters
    b.attack(two).finish()
    assert b.card(base).counters == {"damage": 4}


def test_siege_ploy_rests_a_unit_with_five_hp_or_less(b: Bench) -> None:
    five, six, card = b.put(1, "ST02-001"), b.put(1, "ST02-001", pilot=SULETTA), b.hand("ST02-014")
    b.begin().play(card, "command")
    assert b.pool == {five}
    assert six not in b.pool


@pytest.mark.parametrize(
    ("command", "seen"), [("ST01-014", "ap"), ("ST02-014", "orient"), ("ST03-013", "damage")]
)
def test_a_commands_burst_carries_out_its_main(b: Bench, command: str, seen: str) -> None:
    unit, other = b.put(0, SANDROCK), b.put(0, "ST01-003")
    b.put(1, command, zone="shield")
    b.begin().attack(unit).do("no-block").do("pass").do("pass")
    b.do("burst", b.offer.options[0].card)
    assert b.pool == {unit, other}
    b.choose(other)
    found = {
        "ap": b.ap(other) == 0,
        "orient": b.card(other).orient == "rested",
        "damage": b.card(other).counters == {"damage": 2},
    }
    assert found[seen]
    assert b.ids("trash/1") == [command]


def test_saint_gabriel_sorts_the_top_two(b: Bench) -> None:
    b.put(0, SANDROCK, zone="deck")
    b.put(0, LEO, zone="deck")
    card = b.hand("ST02-015")
    b.begin().play(card, "deploy")
    sandrock, leo = b.t.pos.zone("deck", 0)[-2:]
    assert b.pool == {sandrock, leo}
    b.choose(sandrock)
    deck = b.ids("deck/0")
    assert (deck[0], deck[-1], len(deck)) == (LEO, SANDROCK, 8)


def test_saint_gabriel_with_one_card_left_keeps_it(b: Bench) -> None:
    b.t.move(b.t.top("deck/0", 5), "trash/0", "setup")
    card = b.hand("ST02-015")
    b.begin().play(card, "deploy")
    if b.asked == "target":
        b.choose(*b.pool)
    assert b.count("deck/0") == 1


@pytest.mark.parametrize(("trash", "tokens"), [(GM, ["T-005"]), ("ST02-016", ["T-004", "T-004"])])
def test_corsica_base_places_tokens_in_its_turn(b: Bench, trash: str, tokens: list[str]) -> None:
    b.put(0, trash, zone="trash")
    b.put(1, "ST02-016", zone="trash")
    card = b.hand("ST02-016")
    b.begin().play(card, "deploy")
    assert b.ids("battle/0") == tokens
