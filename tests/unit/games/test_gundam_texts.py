"""What the texts of real cards do, one card a test, on a table laid by hand.

Rule situations have scenarios of their own; here it is the data that is tested: the right targets,
amounts, conditions and durations. Cards written in half a line by `put` are real ones.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain.engine.driver import Driver
from domain.engine.table import Table
from domain.games.gundam.manifest import MANIFEST
from domain.games.gundam.processes import settle
from domain.games.gundam.rulebook import RULEBOOK
from domain.record.decisions import Act, Answer
from domain.record.events import DecisionMade, GameBegan, StepBegan, TurnBegan
from domain.record.fitting.fit import fit
from domain.record.position import Card, Position
from domain.record.values import Ref, Sealed

GM, GINN, LEO, DAGGER, SANDROCK = "ST01-005", "ST04-008", "ST02-007", "ST04-005", "ST02-004"
AMURO, SULETTA, HEERO, ZECHS = "ST01-010", "ST01-011", "ST02-010", "ST02-011"
FRONTAL, CHAR, KIRA, ATHRUN = "ST03-010", "ST03-011", "ST04-010", "ST04-011"


class Bench:
    """A table laid by hand in somebody's Main Phase, and answers given to it one by one."""

    def __init__(self) -> None:
        self.t = Table(Position(), MANIFEST)
        self.t.emit(GameBegan(1))
        for seat in (0, 1):
            self.put(seat, GM, zone="deck", n=6)
            self.put(seat, GM, zone="shield", n=3)
        self.resources(0, 8)
        self.resources(1, 8)

    def bring(self, card: dict[str, Any]) -> Bench:
        """From here on there is a card that no catalogue has."""
        self.t.pos.heading.prints = (json.dumps(card),)
        return self

    def put(self, seat: int, card: str, zone: str = "battle", n: int = 1, **more: Any) -> int:
        """Lay cards down as they were before this turn; the number of the last."""
        rider = more.pop("pilot", "")
        token = RULEBOOK.known(self.t.pos.heading.prints)[card].token
        numbers = self.t.make([card] * n, f"{zone}/{seat}", "setup", token=token, **more)
        if rider:
            (below,) = self.t.make([rider], f"hand/{seat}", "setup")
            self.t.move([below], f"battle/{seat}", "pair", host=numbers[-1], role="pilot")
        return numbers[-1]

    def resources(self, seat: int, n: int) -> None:
        self.put(seat, "R-001", zone="resource", n=n)

    def hurt(self, card: int, n: int) -> None:
        self.t.counters("damage", n, dst=card)

    def begin(self, turn_player: int = 0) -> Bench:
        self.t.emit(TurnBegan(1, turn_player))
        self.t.emit(StepBegan("main"))
        assert list(settle(self.t)) == []
        self.driver = Driver(RULEBOOK, self.t, lambda kind, of: tuple(range(of)))
        self.driver.start()
        return self

    def do(self, kind: str, card: Ref = 0, *picks: tuple[Ref, ...], effect: str = "") -> Bench:
        decision = self.t.pos.decision
        assert decision is not None
        (seat,) = decision.seats
        act = Act(kind, card, picks, effect)
        offer = decision.offers[seat]
        assert offer is not None
        answer: Answer = fit(offer, act)
        sealed = Sealed(1 << seat, answer)
        made = DecisionMade(decision.n, seat, sealed, 0, "seat", Sealed(1 << seat, ""))
        self.driver.take(self.t.input(made, by=seat))
        return self

    def choose(self, *picks: Ref) -> Bench:
        """Answer the open choice with these."""
        offer = self.offer
        option = offer.options[0]
        return self.do(option.kind, option.card, picks)

    def attack(self, card: int, target: Ref = "seat/1") -> Bench:
        return self.do("attack", card, (target,))

    def finish(self) -> Bench:
        """No block, no acts, to the end of the attack."""
        while self.t.pos.step.startswith("attack/"):
            self.do({"block": "no-block", "action": "pass", "burst": "decline"}[self.asked])
        return self

    @property
    def asked(self) -> str:
        return self.t.pos.decision.kind if self.t.pos.decision else ""

    @property
    def offer(self) -> Any:
        decision = self.t.pos.decision
        assert decision is not None
        return decision.offers[decision.seats[0]]

    @property
    def pool(self) -> set[Ref]:
        """What may be picked for the first part of what is on offer."""
        return set(self.offer.pools[self.offer.options[0].parts[0].pool])

    def card(self, number: int) -> Card:
        return self.t.pos.cards[number]

    def ap(self, number: int) -> int:
        return self.card(number).stat("ap")

    def has(self, number: int, keyword: str) -> bool:
        return bool(self.card(number).stats.get(keyword))

    def ids(self, place: str) -> list[str]:
        return [self.card(number).id for number in self.t.pos.zone(place)]

    def count(self, place: str) -> int:
        return len(self.t.pos.zone(place))

    def targets(self, attacker: int) -> set[Ref]:
        for option in self.offer.options:
            if option.kind == "attack" and option.card == attacker:
                return set(self.offer.pools[option.parts[0].pool])
        return set()

    def play(self, card: int, kind: str, *picks: tuple[Ref, ...]) -> Bench:
        cost = RULEBOOK.known(self.t.pos.heading.prints)[self.card(card).id].cost
        seat = self.card(card).owner
        active = [n for n in self.t.pos.zone("resource", seat) if self.card(n).orient == "active"]
        return self.do(kind, card, *picks, tuple(active[:cost]))

    def hand(self, card: str, seat: int = 0) -> int:
        return self.put(seat, card, zone="hand")


@pytest.fixture
def b() -> Bench:
    return Bench()


# -- ST01 ------------------------------------------------------------------------------------------


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


# -- ST02 ------------------------------------------------------------------------------------------


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


# -- ST03 ------------------------------------------------------------------------------------------


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


# -- ST04 ------------------------------------------------------------------------------------------


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
def test_miguels_ginn_draws_beside_a_link_unit(
    b: Bench, pilot: str, other: bool, drawn: int
) -> None:
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


def test_striker_pack_places_none_beside_another(b: Bench) -> None:
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


# -- what no card of these sets shows --------------------------------------------------------------


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
