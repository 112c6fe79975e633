"""What the texts of ST01 do, one card a test, on a table laid by hand (`bench`)."""

from __future__ import annotations

import pytest

from domain.games.gundam.rulebook import RULEBOOK
from tests.unit.games.gundam.bench import (
    AMURO,
    ATHRUN,
    CHAR,
    FRONTAL,
    GM,
    HEERO,
    KIRA,
    SANDROCK,
    SULETTA,
    ZECHS,
    Bench,
)


def test_gundam_lifts_all_units_in_its_turn_while_paired(b: Bench) -> None:
    gundam, gm, enemy = b.put(0, "ST01-001", pilot=SULETTA), b.put(0, GM), b.put(1, GM)
    b.begin()
    assert (b.ap(gundam), b.ap(gm), b.ap(enemy)) == (3 + 1 + 1, 3, 2)
    assert b.card(gundam).stat("repair") == 2


@pytest.mark.parametrize(("pilot", "turn"), [("", 0), (SULETTA, 1)])
def test_gundam_alone_or_in_the_other_turn_lifts_none(b: Bench, pilot: str, turn: int) -> None:
    b.put(0, "ST01-001", pilot=pilot)
    gm = b.put(0, GM)
    assert b.begin(turn).ap(gm) == 2


@pytest.mark.parametrize(("pilot", "drawn"), [(AMURO, 1), (SULETTA, 0), ("ST01-012", 1)])
def test_gundam_ma_form_draws_for_a_white_base_pilot(b: Bench, pilot: str, drawn: int) -> None:
    unit, card = b.put(0, "ST01-002"), b.hand(pilot)
    b.begin().play(card, "pair", (unit,))
    if b.asked == "order":
        b.do("resolve", unit, effect="ST01-002/paired")
    assert b.count("hand/0") == drawn


def test_guntank_rests_a_weak_enemy(b: Bench) -> None:
    weak, strong = b.put(1, GM), b.put(1, SANDROCK)
    hurt, own = b.put(1, "ST01-003"), b.put(0, GM)
    b.hurt(hurt, 2)
    card = b.hand("ST01-004")
    b.begin().play(card, "deploy")
    assert b.pool == {weak, hurt}
    assert {strong, own}.isdisjoint(b.pool)
    assert b.choose(hurt).card(hurt).orient == "rested"


def test_aerial_weakens_a_low_enemy_until_the_turn_ends(b: Bench) -> None:
    low, high = b.put(1, SANDROCK), b.put(1, "ST02-001")
    unit, card = b.put(0, "ST01-006"), b.hand(ATHRUN)
    b.begin().play(card, "pair", (unit,))
    assert b.pool == {low}
    assert high not in b.pool
    assert b.choose(low).ap(low) == 1
    b.do("end").do("pass").do("pass")
    assert b.ap(low) == 4


def test_zowort_attacks_no_player(b: Bench) -> None:
    zowort, rested = b.put(0, "ST01-009"), b.put(1, GM, orient="rested")
    assert b.begin().targets(zowort) == {rested}
    assert b.has(zowort, "blocker")


def test_amuro_rests_an_enemy_when_paired(b: Bench) -> None:
    unit, card = b.put(0, GM), b.hand(AMURO)
    five, tall = b.put(1, SANDROCK), b.put(1, "ST02-001", pilot=HEERO)
    b.begin().play(card, "pair", (unit,))
    assert b.pool == {five}
    assert tall not in b.pool
    assert b.choose(five).card(five).orient == "rested"


@pytest.mark.parametrize("pilot", [AMURO, SULETTA, HEERO, ZECHS, FRONTAL, CHAR, KIRA, ATHRUN])
def test_a_pilots_burst_takes_it_to_hand(b: Bench, pilot: str) -> None:
    unit = b.put(0, SANDROCK)
    b.put(1, pilot, zone="shield")
    b.begin().attack(unit).do("no-block").do("pass").do("pass")
    assert b.asked == "burst"
    b.do("burst", b.offer.options[0].card)
    assert b.ids("hand/1") == [pilot]
    assert b.count("trash/1") == 0


def test_suletta_readies_a_resource_once_a_turn(b: Bench) -> None:
    unit = b.put(0, "ST02-006", pilot=SULETTA)
    spent = b.put(0, "R-001", zone="resource", orient="rested")
    b.begin().attack(unit)
    assert len(b.pool) == 9
    assert b.choose(spent).card(spent).orient == "active"
    b.finish()
    active = [n for n in b.t.pos.zone("resource", 0) if b.card(n).orient == "active"]
    b.do("activate", unit, tuple(active[:4])).attack(unit)
    assert b.asked == "block"


def test_thoroughly_damaged_hits_a_rested_enemy(b: Bench) -> None:
    rested, active = b.put(1, SANDROCK, orient="rested"), b.put(1, SANDROCK)
    card = b.hand("ST01-012")
    b.begin().play(card, "command")
    assert b.pool == {rested}
    assert active not in b.pool
    assert b.choose(rested).card(rested).counters == {"damage": 1}


def test_kais_resolve_recovers_a_friend(b: Bench) -> None:
    unit = b.put(0, "ST02-001")
    b.hurt(unit, 4)
    card = b.hand("ST01-013")
    b.begin().play(card, "command")
    assert b.pool == {unit}
    assert b.choose(unit).card(unit).counters["damage"] == 1


def test_unforeseen_incident_weakens_an_enemy(b: Bench) -> None:
    enemy, card = b.put(1, "ST02-001"), b.hand("ST01-014")
    b.begin().play(card, "command").choose(enemy)
    assert b.ap(enemy) == 1
    assert b.ids("trash/0") == ["ST01-014"]


@pytest.mark.parametrize(
    ("units", "token", "figures"),
    [(0, "T-001", (3, 3)), (1, "T-002", (2, 2)), (2, "T-003", (1, 1)), (4, "T-003", (1, 1))],
)
def test_white_base_places_one_token(
    b: Bench, units: int, token: str, figures: tuple[int, int]
) -> None:
    base = b.put(0, "ST01-015", zone="base")
    if units:
        b.put(0, GM, n=units)
    b.put(1, GM)
    b.begin()
    paid = tuple(b.t.pos.zone("resource", 0)[:2])
    b.do("activate", base, paid)
    assert b.ids("battle/0") == [GM] * units + [token]
    new = b.t.pos.zone("battle", 0)[-1]
    assert (b.ap(new), b.card(new).stat("hp")) == figures
    assert all(option.kind != "activate" for option in b.offer.options)


@pytest.mark.parametrize(
    "base", [card.id for card in RULEBOOK.cards.values() if card.type == "base" and card.color]
)
def test_a_base_takes_the_top_shield_to_hand(b: Bench, base: str) -> None:
    b.put(0, SANDROCK, zone="shield")
    b.put(1, GM)  # one base's text goes on to a target, and would be void without
    card = b.hand(base)
    b.begin().play(card, "deploy")
    assert b.ids("base/0") == [base]
    assert b.ids("hand/0") == [SANDROCK]
    assert b.count("shield/0") == 3


@pytest.mark.parametrize(
    "base", [card.id for card in RULEBOOK.cards.values() if card.type == "base" and card.color]
)
def test_a_bases_burst_deploys_it(b: Bench, base: str) -> None:
    unit = b.put(0, SANDROCK)
    b.put(1, base, zone="shield")
    b.begin().attack(unit).do("no-block").do("pass").do("pass")
    b.do("burst", b.offer.options[0].card)
    assert b.ids("base/1") == [base]
    assert b.count("hand/1") == 1
    assert b.count("battle/1") == 0


def test_earth_house_lifts_the_link_units_of_the_moment(b: Bench) -> None:
    base = b.put(0, "ST01-016", zone="base")
    linked, paired = b.put(0, "ST01-001", pilot=AMURO), b.put(0, GM, pilot=SULETTA)
    theirs = b.put(1, "ST02-001", pilot=HEERO)
    b.begin()
    before = [b.ap(n) for n in (linked, paired, theirs)]
    b.do("activate", base)
    assert [b.ap(n) for n in (linked, paired, theirs)] == [before[0] + 1, *before[1:]]
    assert b.card(base).orient == "rested"
