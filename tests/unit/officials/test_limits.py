"""What officials record and put right leaves a table that the game can go on from."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domain.engine.checks import invariants
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening
from domain.engine.rulebook import Refused, go
from domain.engine.signals import Ask, Play
from domain.engine.table import Table
from domain.games import rulebook
from domain.officials import irregular
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record.decisions import Act, Offer, Option
from domain.record.events import CardsControlled, CardsMoved, DecisionOpened, OptionsOffered
from domain.record.folding.digests import digest
from domain.record.interventions import Irregularity
from domain.record.values import OFFICIALS, Ref, Sealed
from domain.text.scenario import load, run
from tests.playouts import Dice
from tests.toy import Toy

JUDGE = Official("Ada", 10**6, "because")


class Laid:
    """A match at the end of a scenario, its cards by name."""

    def __init__(self, game: str, *lines: str) -> None:
        report = run(load("\n".join([f"game {game}", *lines])))
        assert report.passed, report.failures
        self.log = list(report.entries)
        self.rules = rulebook(game)
        self.match = Match.resume(self.rules, self.log, Dice(0))

    def __getitem__(self, name: str) -> int:
        """The card of a name: of several the first."""
        cards = self.match.pos.cards
        return next(n for n, c in cards.items() if c.id and self.rules.cards[c.id].name == name)

    def play(self, kind: str, *picks: tuple[Ref, ...], card: str = "") -> None:
        """Record a play against the rules at the open decision."""
        decision = self.match.pos.decision
        assert decision is not None
        act = Act(kind, self[card] if card else 0, picks)
        irregular.play(self.match, JUDGE, decision.n, decision.seats[0], act)

    def correct(self, *fixes: Fix) -> None:
        correcting.correct(self.match, JUDGE, fixes)

    def goes_on(self) -> bool:
        """Whether what was added is sound and belongs to the record."""
        self.log += self.match.collect()
        assert invariants.faults(self.match.pos, self.rules, listed=False) == []
        return verify(self.log, self.rules).kind == EXACT


def gundam(*lines: str) -> Laid:
    return Laid("gundam", "position", *(f"    {line}" for line in lines))


# -- plays against the rules -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "card", "host", "says"),
    [
        ("deploy", "Amuro Ray", "", "only a Unit or Base is deployed, from anywhere but the field"),
        ("deploy", "GM", "", "only a Unit or Base is deployed"),
        ("deploy", "Suletta Mercury", "", "only a Unit or Base is deployed"),
        ("pair", "Suletta Mercury", "GM", "only a Pilot is paired"),
        ("pair", "Gundam", "GM", "only a Pilot is paired"),
        ("pair", "Amuro Ray", "Ginn", "a Pilot lies beneath a Unit that has none"),
        ("pair", "Amuro Ray", "White Base", "a Pilot lies beneath a Unit that has none"),
        ("command", "GM", "", "only a Command is used"),
    ],
)
def test_what_no_area_can_hold_is_not_recorded(kind: str, card: str, host: str, says: str) -> None:
    laid = gundam(
        "A hand: Amuro Ray, Gundam",
        "A battle: GM, Ginn [with pilot Suletta Mercury]",
        "A base: White Base",
    )
    picks = ((laid[host],), ()) if host else ((),)
    with pytest.raises(Refused, match=says):
        laid.play(kind, *picks, card=card)


@pytest.mark.parametrize("zone", ["hand", "trash", "removal"])
def test_a_unit_from_anywhere_but_the_field_stands(zone: str) -> None:
    """Room is made for it as for one that comes by the rules (10-4-2)."""
    laid = gundam(f"A {zone}: Gundam", "A battle: 6 GM", "A resource: none")
    laid.play("deploy", (), card="Gundam")
    decision = laid.match.pos.decision
    assert decision is not None
    assert decision.kind == "excess"
    laid.match.choose(0, decision.n, Act("trash", 0, ((laid["GM"],),)), 10**6 + 1)
    assert len(laid.match.pos.zone("battle", 0)) == 6
    assert laid.goes_on()
    assert any(isinstance(entry.event, Irregularity) for entry in laid.log)


def test_room_is_made_even_against_the_rules() -> None:
    laid = gundam("A hand: Leo", "A battle: 6 GM", "B battle: Gundam")
    decision = laid.match.pos.decision
    assert decision is not None
    resources = tuple(laid.match.pos.zone("resource", 0)[:2])
    laid.match.choose(0, decision.n, Act("deploy", laid["Leo"], (resources,)), 10)
    laid.match.collect()
    with pytest.raises(irregular.Impossible, match="seat 0 has 7 units"):
        laid.play("trash", (laid["Gundam"],))


class Both(Toy):
    """Both players say what they do before either is done."""

    def main(self, t: Table) -> Play:
        t.asked.offers = {seat: Offer((Option("play", 0), Option("pass"))) for seat in (0, 1)}
        sealed = Sealed(OFFICIALS, digest(t.pos))
        t.emit(DecisionOpened(t.pos.decisions + 1, (0, 1), "main", 0, False, sealed), "toy:4")
        for seat, offer in t.asked.offers.items():
            t.emit(OptionsOffered(t.pos.decisions, seat, Sealed(1 << seat, offer)), "toy:4")
        acts = yield Ask()
        if any(act.card for act in acts.values()):
            raise KeyError("what can't be carried out")
        go(t, "draw", "toy:4")


def test_what_is_carried_out_only_with_the_last_answer_is_recorded_as_the_last() -> None:
    """Else it would be another seat's legal answer that can't be carried out."""
    both = Both()
    match = Match.open(
        both, Opening(("Ann", "Ben"), (Deck("ones", both.decks["ones"]),) * 2, 0), Dice(1)
    )
    n = match.pos.decisions
    with pytest.raises(Refused) as caught:
        irregular.play(match, JUDGE, n, 0, Act("play", 7))
    assert caught.value.refusal.fault == "IRREGULARITY_IMPOSSIBLE"
    assert match.pos.decision is not None
    match.choose(1, n, Act("pass"), 10)
    with pytest.raises(irregular.Impossible, match="can't carry that out"):
        irregular.play(match, JUDGE, n, 0, Act("play", 7))


# -- corrections -----------------------------------------------------------------------------------


def test_control_corrected_lays_the_unit_with_its_pilot_where_it_belongs() -> None:
    laid = gundam("B battle: GM [rested, damage 1, with pilot Amuro Ray]", "A battle: none")
    unit, pilot = laid["GM"], laid["Amuro Ray"]
    for seat in (0, 1):
        laid.correct(Fix("control", (unit,), seat=seat))
        assert laid.match.pos.zone("battle", seat) == [unit]
        assert laid.match.pos.zone("battle", 1 - seat) == []
        for card in (unit, pilot):
            assert laid.match.pos.cards[card].controller == seat
            assert laid.match.pos.cards[card].owner == 1
        card = laid.match.pos.cards[unit]
        assert (card.attached, card.orient, card.counters) == ((pilot,), "rested", {"damage": 1})
        events = [entry.event for entry in laid.match.table.out]
        assert CardsControlled((unit, pilot), seat) in events
        assert any(isinstance(e, CardsMoved) and e.kept for e in events)
        assert laid.goes_on()


@pytest.mark.parametrize(
    ("game", "lines", "card", "rule"),
    [
        ("gundam", ["B battle: GM [with pilot Amuro Ray]"], "Amuro Ray", "reading:gcg/23"),
        ("gundam", ["B trash: GM"], "GM", "reading:gcg/23"),
        (
            "hollow_flux",
            ["B battlefield: Gate Watcher [with set Leaden Chain]"],
            "Leaden Chain",
            "hf:field.set.1",
        ),
        ("hollow_flux", ["B battlefield: Drowned Chapel"], "Drowned Chapel", "hf:field.set.1"),
    ],
)
def test_impossible_control_is_refused_with_the_rule(
    game: str, lines: list[str], card: str, rule: str
) -> None:
    laid = Laid(game, "position", *(f"    {line}" for line in lines))
    before = laid.match.pos.encoded()
    with pytest.raises(Refused) as caught:
        laid.correct(Fix("control", (laid[card],), seat=0))
    assert caught.value.refusal.rules[0] == rule
    assert laid.match.pos.encoded() == before


@pytest.mark.parametrize(
    ("fix", "says"),
    [
        (lambda laid: Fix("control", (laid["Gundam"],), seat=0), "seat 0 has 7 units"),
        (lambda laid: Fix("control", (laid["Corsica Base"],), seat=0), "seat 0 has 2 bases"),
        (lambda laid: Fix("move", (laid["Amuro Ray"],), place="base/1"), "seat 1 has 2 bases"),
        (lambda laid: Fix("remove", (laid["Gundam"],)), "is no unit and stands alone"),
    ],
    ids=["no room", "a second Base", "no Base", "without its Pilot"],
)
def test_a_correction_leaves_no_table_that_there_cannot_be(
    fix: Callable[[Laid], Fix], says: str
) -> None:
    laid = gundam(
        "A battle: 6 GM",
        "A base: White Base",
        "B battle: Gundam [with pilot Suletta Mercury]",
        "B base: Corsica Base",
        "B hand: Amuro Ray",
    )
    with pytest.raises(irregular.Impossible, match=says):
        laid.correct(fix(laid))


def test_what_is_nowhere_is_not_picked() -> None:
    laid = Laid(
        "gundam", "position", "    A hand: Strike Gundam, GM, Ginn", "A: deploy Strike Gundam"
    )
    with pytest.raises(Refused, match="there is no card @0") as refused:
        laid.play("discard", (0,))
    assert refused.value.refusal.fault == "IRREGULARITY_IMPOSSIBLE"
    assert laid.match.collect() == []


@pytest.mark.parametrize("attackers", ["Gale Runner", "Gale Runner [asleep]"])
def test_what_is_neither_card_nor_seat_is_not_attacked(attackers: str) -> None:
    """Whether or not something could attack: the marker pays, and is no target."""
    laid = Laid(
        "hollow_flux", "position", f"    A battlefield: {attackers}", "    counters A: marker 1"
    )
    with pytest.raises(Refused, match="'marker'") as refused:
        laid.play("attack", ("marker",), card="Gale Runner")
    assert refused.value.refusal.fault == "IRREGULARITY_IMPOSSIBLE"


def test_damage_taken_from_elsewhere_sets_no_card_aside_where_it_does_not_lie() -> None:
    """reading:hf/A10 is about guard cards; what else was picked for damage stays where it is."""
    laid = Laid(
        "hollow_flux",
        "position",
        "    A battlefield: Gale Runner",
        "    A guard: 3 Tide Medic",
        "    B guard: Banishing Rite, Iron Mantle",
        "    B hand: Rally Chant",
        "A: attack Gale Runner -> player",
        "all: pass",
        "B: no defence",
    )
    laid.match.collect()
    laid.play("hurt", (laid["Banishing Rite"], laid["Rally Chant"]))
    decision = laid.match.pos.decision
    assert decision is not None
    assert decision.kind == "trigger"
    reveal = decision.offers[1].options[0]  # type: ignore[union-attr]
    now = laid.match.pos.time + 1
    laid.match.choose(1, decision.n, Act("reveal", reveal.card, (), reveal.effect), now)
    assert laid.goes_on()
