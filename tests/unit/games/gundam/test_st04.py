"""What the texts of ST04 do, one card a test, on a table laid by hand (`bench`)."""

from __future__ import annotations

import pytest

from tests.unit.games.gundam.bench import ATHRUN, CHAR, GM, HEERO, KIRA, LEO, SANDROCK, Bench


@pytest.mark.parametrize(("pilot", "sent"), [(KIRA, True), (CHAR, False)])
def test_aile_strike_sends_home_for_a_pilot_of_four(b: Bench, pilot: str, sent: bool) -> None:
    unit, card, enemy = b.put(0, "ST04-001"), b.hand(pilot), b.put(1, SANDROCK, pilot=HEERO)
    other = b.put(1, "ST02-001")
    b.begin().play(card, "pair", (unit,))
    if sent:
        assert b.pool == {enemy}
        assert other not in b.pool
        b.choose(enemy)
    assert sorted(b.ids("hand/1")) == (sorted([SANDROCK, HEERO]) if sent else [])


def test_strike_gundam_draws_then_discards(b: Bench) -> None:
    card, other = b.hand("ST04-002"), b.hand(LEO)
    b.begin().play(card, "deploy")
    assert len(b.pool) == 2
    b.choose(other)
    assert (b.ids("hand/0"), b.ids("trash/0")) == ([GM], [LEO])


@pytest.mark.parametrize("pilot", ["", KIRA])
def test_aegis_shoots_high_units_with_five_ap(b: Bench, pilot: str) -> None:
    unit = b.put(0, "ST04-006", pilot=pilot)
    high, low = b.put(1, "ST02-001"), b.put(1, SANDROCK)
    b.begin().attack(unit)
    if not pilot:
        assert b.asked == "block"
        return
    b.do("resolve", unit, effect="ST04-006/attack")
    assert b.pool == {high}
    assert low not in b.pool
    assert b.choose(high).card(high).counters == {"damage": 3}


@pytest.mark.parametrize(
    ("pilot", "other", "drawn"), [(CHAR, True, 1), (CHAR, False, 0), ("", True, 0)]
)
def test_miguels_ginn_draws_with_a_link_unit(b: Bench, pilot: str, other: bool, drawn: int) -> None:
    unit, ginn = b.put(0, "ST02-001"), b.put(1, "ST04-009", orient="rested", pilot=pilot)
    if other:
        b.put(1, "ST04-006", pilot=ATHRUN)
    b.begin().attack(unit, ginn).finish()
    assert "ST04-009" in b.ids("trash/1")
    assert b.count("hand/1") == drawn


def test_kira_weakens_an_enemy_for_the_battle(b: Bench) -> None:
    unit, enemy = b.put(0, GM, pilot=KIRA), b.put(1, SANDROCK)
    b.begin().attack(unit).choose(enemy)
    assert b.ap(enemy) == 2
    b.finish()
    assert b.ap(enemy) == 4


@pytest.mark.parametrize(("unit", "linked"), [("ST04-006", True), (GM, False)])
def test_athrun_links_to_attack_active_units(b: Bench, unit: str, linked: bool) -> None:
    number, card = b.put(0, unit), b.hand(ATHRUN)
    low, high = b.put(1, SANDROCK), b.put(1, "ST02-001")
    b.begin().play(card, "pair", (number,))
    assert b.targets(number) == ({"seat/1", low} if linked else {"seat/1"})
    assert high not in b.targets(number)


@pytest.mark.parametrize(("way", "token"), [(1, "T-009"), (2, "T-010")])
def test_striker_pack_places_one_of_two(b: Bench, way: int, token: str) -> None:
    card = b.hand("ST04-012")
    b.begin().play(card, "command")
    assert b.asked == "mode"
    b.choose(way)
    assert b.ids("battle/0") == [token]
    assert b.has(b.t.pos.zone("battle", 0)[0], "blocker")


def test_striker_pack_places_no_second_one(b: Bench) -> None:
    b.put(0, "T-008")
    card = b.hand("ST04-012")
    b.begin().play(card, "command")
    assert b.ids("battle/0") == ["T-008"]
    assert b.ids("trash/0") == ["ST04-012"]


@pytest.mark.parametrize("there", [(), ("T-008",)])
def test_striker_packs_burst_places_aile_strike(b: Bench, there: tuple[str, ...]) -> None:
    unit = b.put(0, SANDROCK)
    for token in there:
        b.put(1, token)
    b.put(1, "ST04-012", zone="shield")
    b.begin().attack(unit).do("no-block").do("pass").do("pass")
    if not there:  # else it can't be activated, and goes to the Trash
        b.do("burst", b.offer.options[0].card)
    assert b.ids("battle/1") == ["T-008"]
    assert b.ids("trash/1") == ["ST04-012"]


def test_hawk_of_endymion_sends_home_a_weak_enemy(b: Bench) -> None:
    weak, strong, card = b.put(1, SANDROCK), b.put(1, "ST02-001"), b.hand("ST04-013")
    b.begin().play(card, "command")
    assert b.pool == {weak}
    assert strong not in b.pool
    assert b.choose(weak).ids("hand/1") == [SANDROCK]


def test_the_magic_bullet_gives_first_strike_to_a_low_friend(b: Bench) -> None:
    low, high, card = b.put(0, GM), b.put(0, SANDROCK), b.hand("ST04-014")
    b.begin().play(card, "command")
    assert b.pool == {low}
    assert high not in b.pool
    assert b.choose(low).has(low, "first-strike")


def test_archangel_readies_a_blocker_which_then_cant_attack(b: Bench) -> None:
    base = b.put(0, "ST04-015", zone="base")
    blocker, other = b.put(0, "ST04-004", orient="rested"), b.put(0, GM)
    b.begin().do("activate", base, tuple(b.t.pos.zone("resource", 0)[:2]))
    assert b.pool == {blocker}
    b.choose(blocker)
    assert b.card(blocker).orient == "active"
    assert b.targets(blocker) == set()
    assert b.targets(other) == {"seat/1"}


def test_vesalius_lifts_a_friend(b: Bench) -> None:
    base, unit = b.put(0, "ST04-016", zone="base"), b.put(0, GM)
    b.begin().do("activate", base)
    assert b.choose(unit).ap(unit) == 3
    assert all(option.kind != "activate" for option in b.offer.options)
