"""What the texts of ST03 do, one card a test, on a table laid by hand (`bench`)."""

from __future__ import annotations

import pytest

from tests.unit.games.gundam.bench import CHAR, DAGGER, FRONTAL, GM, LEO, SANDROCK, SULETTA, Bench


@pytest.mark.parametrize("pilot", ["", FRONTAL])
def test_sinanju_cant_be_blocked_while_paired(b: Bench, pilot: str) -> None:
    unit = b.put(0, "ST03-001", pilot=pilot)
    b.put(1, "ST01-008")
    b.begin().attack(unit)
    assert [o.kind for o in b.offer.options].count("block") == (0 if pilot else 1)


@pytest.mark.parametrize("zone", ["shield", "base"])
def test_sinanju_shoots_when_it_destroys_a_shield_or_base(b: Bench, zone: str) -> None:
    unit, enemy = b.put(0, "ST03-001"), b.put(1, SANDROCK)
    if zone == "base":
        b.put(1, "EXB-001", zone="base")
    b.begin().attack(unit).do("no-block").do("pass").do("pass")
    assert b.pool == {enemy}
    assert b.choose(enemy).card(enemy).counters == {"damage": 2}


def test_support_two(b: Bench) -> None:
    unit, friend = b.put(0, "ST03-002"), b.put(0, GM)
    b.begin().do("support", unit, (friend,))
    assert b.ap(friend) == 4


@pytest.mark.parametrize("take", [True, False])
def test_chars_zaku_looks_for_a_zeon_unit(b: Bench, take: bool) -> None:
    unit = b.put(0, SANDROCK)
    zaku = b.put(1, "ST03-006", orient="rested")
    for card in ("ST03-003", FRONTAL, LEO):
        b.put(1, card, zone="deck")
    b.begin().attack(unit, zaku).do("no-block").do("pass").do("pass")
    (found,) = b.pool
    assert b.card(int(found)).id == "ST03-003"
    b.choose(*((found,) if take else ()))
    assert b.ids("hand/1") == (["ST03-003"] if take else [])
    rest = {FRONTAL, LEO} | (set() if take else {"ST03-003"})
    assert set(b.ids("deck/1")[: len(rest)]) == rest


def test_zaku_gains_two_for_the_turn_on_each_attack(b: Bench) -> None:
    unit = b.put(0, "ST03-008")
    b.begin().attack(unit)
    assert b.ap(unit) == 3
    b.finish()
    assert b.ap(unit) == 3


def test_gouf_brings_a_rested_zaku(b: Bench) -> None:
    card = b.hand("ST03-009")
    b.begin().play(card, "deploy")
    token = b.t.pos.zone("battle", 0)[-1]
    assert (b.card(token).id, b.card(token).orient) == ("T-007", "rested")


@pytest.mark.parametrize("take", [True, False])
def test_full_frontal_may_deploy_a_zeon_unit(b: Bench, take: bool) -> None:
    unit, card = b.put(0, GM), b.hand(FRONTAL)
    fits = {b.hand("ST03-002"), b.hand("ST03-008")}
    b.hand("ST03-001")
    b.hand(SANDROCK)
    b.hand(CHAR)
    b.begin().play(card, "pair", (unit,))
    assert b.pool == fits
    b.choose(*(sorted(fits, key=str)[:1] if take else ()))
    assert b.count("battle/0") == (2 if take else 1)
    rested = [n for n in b.t.pos.zone("resource", 0) if b.card(n).orient == "rested"]
    assert len(rested) == 1


@pytest.mark.parametrize(("unit", "linked"), [("ST03-006", True), ("ST03-008", False)])
def test_char_lifts_his_unit_and_flies_it_if_linked(b: Bench, unit: str, linked: bool) -> None:
    number = b.put(0, "ST03-006" if linked else GM, pilot=CHAR)
    b.begin()
    before = b.ap(number)
    b.attack(number)
    assert b.ap(number) == before + 1
    assert b.has(number, "high-maneuver") == linked


def test_indignation_lifts_a_friend_in_an_action_step(b: Bench) -> None:
    unit, enemy, card = b.put(0, GM), b.put(1, GM), b.hand("ST03-012", seat=1)
    b.begin().attack(unit).do("no-block").play(card, "command")
    assert b.pool == {enemy}
    assert b.choose(enemy).ap(enemy) == 4


def test_close_combat_deals_two(b: Bench) -> None:
    enemy, card = b.put(1, GM), b.hand("ST03-013")
    b.begin().play(card, "command").choose(enemy)
    assert b.ids("trash/1") == [GM]


@pytest.mark.parametrize(("attacker", "hurt"), [(GM, False), (DAGGER, True)])
def test_the_blue_giant_guards_from_weak_units(b: Bench, attacker: str, hurt: bool) -> None:
    unit = b.put(0, attacker)
    prey, card = b.put(1, SANDROCK, orient="rested"), b.hand("ST03-014", seat=1)
    b.begin().attack(unit, prey).do("no-block").play(card, "command").choose(prey).finish()
    assert (not b.t.pos.present(prey)) == hurt
    if not hurt:
        assert not b.card(prey).counters


def test_rewloola_shoots_after_taking_the_shield(b: Bench) -> None:
    five, six = b.put(1, "ST03-001"), b.put(1, "ST03-001", pilot=SULETTA)
    card = b.hand("ST03-015")
    b.begin().play(card, "deploy")
    assert b.pool == {five}
    assert six not in b.pool
    assert b.count("hand/0") == 1
    assert b.choose(five).card(five).counters == {"damage": 1}


def test_falmel_brings_chars_zaku_rested(b: Bench) -> None:
    card = b.hand("ST03-016")
    b.begin().play(card, "deploy")
    token = b.t.pos.zone("battle", 0)[-1]
    assert (b.card(token).id, b.card(token).orient) == ("T-006", "rested")
