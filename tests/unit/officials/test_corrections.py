"""Corrections and irregularities of all games; what comes of each is in `games/GAME/tables`."""

from __future__ import annotations

import pytest

from domain.engine.checks.invariants import viewers
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening
from domain.engine.rulebook import Refused, go
from domain.engine.signals import Ask, Play
from domain.engine.table import Table
from domain.officials import irregular
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.decisions import Act, Offer, Option
from domain.record.entries import Entry
from domain.record.events import DecisionOpened, OptionsOffered
from domain.record.folding.digests import digest
from domain.record.values import OFFICIALS, Sealed
from domain.record.views import position
from tests.playouts import Dice, Setup, begin, resume, setup_of, take_turn
from tests.toy import Toy

JUDGE = Official("Ada", 10**6, "because")
FLUX = Setup(2, ("HX-A", "HX-B"))


def at(kind: str, setup: Setup, rest: bool = True) -> tuple[Match, list[Entry]]:
    """A match at an open decision of a kind, some turns in, and its log."""
    match = begin(setup)
    while True:
        take_turn(match, setup)
        decision = match.pos.decision
        assert decision is not None
        if match.pos.turn > 5 and decision.kind == kind and decision.rest is rest:
            return match, match.collect()


def under_way(game: str) -> tuple[Match, list[Entry]]:
    """A match of a game at a decision that can be asked again, some turns in, and its log."""
    setup = setup_of(3, game=game)
    match = begin(setup)
    while match.pos.turn < 5 or match.pos.decision is None or not match.pos.decision.rest:
        take_turn(match, setup)
    return match, match.collect()


PLAIN = Setup(5)


def refusal(match: Match, *fixes: Fix) -> str:
    before = match.pos.encoded()
    with pytest.raises(Refused) as caught:
        correcting.correct(match, JUDGE, fixes)
    assert match.pos.encoded() == before
    assert match.collect() == []
    return caught.value.refusal.text


@pytest.mark.parametrize(("game", "places"), [
    ("gundam", ("hand/1", "shield/0", "deck/0")), ("yugioh", ("hand/1", "extra/0", "deck/0")),
    ("battle_spirits", ("hand/1", "deck/0")), ("hollow_flux", ("hand/1", "guard/1", "main/0")),
])  # fmt: skip
def test_cards_that_are_shuffled_are_seen_by_whom_they_were(
    game: str, places: tuple[str, ...]
) -> None:
    setup = setup_of(3, game=game)
    match, log = under_way(game)
    for place in places:
        before = [position(log, viewer) for viewer in viewers(setup.rules.manifest)]
        correcting.correct(match, JUDGE, [Fix("shuffle", place=place)])
        log += match.collect()
        for viewer, was in zip(viewers(setup.rules.manifest), before, strict=True):
            seen = position(log, viewer)
            assert [bool(n) for n in seen.zone(place)] == [bool(n) for n in was.zone(place)]
            known = [
                sorted((p.cards[n].id, p.cards[n].up) for n in p.zone(place) if n)
                for p in (seen, was)
            ]
            assert known[0] == known[1]
    assert resume(setup, log).pos == match.pos
    assert verify(log, setup.rules).kind == EXACT


@pytest.mark.parametrize("game", ["gundam", "yugioh", "battle_spirits", "hollow_flux"])
def test_cards_that_all_see_are_not_shuffled(game: str) -> None:
    """What lies there would be lost to all eyes, and nobody could follow the record any more."""
    match, _ = under_way(game)
    manifest = match.rules.manifest
    places = [place for place in manifest.places() if manifest.zone(place).faces == "all"]
    assert any(match.pos.zone(place) for place in places)
    for place in places:
        assert "can't be mixed" in refusal(match, Fix("shuffle", place=place)), place


def test_anothers_card_put_in_order_with_ones_own_goes_to_its_owner() -> None:
    match, _ = at("arrange", FLUX, rest=False)
    decision = match.pos.decision
    assert decision is not None
    (seat,) = decision.seats
    theirs = f"main/{1 - seat}"
    picks = (tuple(match.pos.zone(theirs)[-2:]),)
    irregular.play(match, JUDGE, decision.n, seat, Act("order", picks=picks))
    moves = [e.event for e in match.collect() if isinstance(e.event, ev.CardsMoved)]
    assert {event.dst for event in moves if event.src == theirs} == {theirs}


# -- what was done against the rules ---------------------------------------------------------------


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
