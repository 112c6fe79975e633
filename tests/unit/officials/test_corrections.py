"""Corrections and irregularities: what is put right, what stands, and what can't be done."""

from __future__ import annotations

import pytest

from domain.engine.checks.invariants import viewers
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match, Stale
from domain.engine.rulebook import Refused
from domain.officials import irregular
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.interventions import Irregularity
from domain.record.values import RULES
from domain.record.views import PUBLIC, position
from tests.playouts import Setup, begin, resume, setup_of, take_turn

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


def main(setup: Setup = PLAIN) -> tuple[Match, list[Entry], int]:
    match, log = at("main", setup)
    return match, log, match.pos.turn_seat


def refusal(match: Match, *fixes: Fix) -> str:
    before = match.pos.encoded()
    with pytest.raises(Refused) as caught:
        correcting.correct(match, JUDGE, fixes)
    assert match.pos.encoded() == before
    assert match.collect() == []
    return caught.value.refusal.text


def test_a_forgotten_draw_is_made_up_for() -> None:
    match, log, seat = main()
    hand, n = len(match.pos.zone("hand", seat)), match.pos.decisions
    draw = Fix("draw", n=2, src=f"deck/{seat}", place=f"hand/{seat}")
    correcting.correct(match, JUDGE, [draw], "gcg:6-3-1", seat)
    assert len(match.pos.zone("hand", seat)) == hand + 2
    assert match.pos.decision is not None
    assert (match.pos.decision.n, match.pos.decision.kind) == (n + 1, "main")
    added = match.collect()
    flag = Irregularity("gcg:6-3-1", "because", seat)
    assert flag in [entry.event for entry in added]
    assert verify([*log, *added], match.rules).kind == EXACT


def test_the_rules_do_what_is_due_afterwards() -> None:
    """A Unit with as much damage as HP is destroyed, by the rules and not by the official."""
    match, _, _ = main()
    unit = next(n for s in (0, 1) for n in match.pos.zone("battle", s))
    hp = match.pos.cards[unit].stat("hp")
    correcting.correct(match, JUDGE, [Fix("counters", kind="damage", n=hp, dst=unit)])
    assert not match.pos.present(unit)
    gone = [e for e in match.collect() if isinstance(e.event, ev.CardsMoved)]
    assert (gone[0].by, gone[0].event.why) == (RULES, "destroyed")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("setup", "place", "figure"), [(PLAIN, "battle/{}", "ap"), (FLUX, "battlefield", "power")]
)
def test_a_figure_is_set_to_a_number_and_changed_from_there(
    setup: Setup, place: str, figure: str
) -> None:
    match, log, _ = main(setup)
    lying = [n for seat in (0, 1) for n in match.pos.zone(place.format(seat))]
    card = next(n for n in lying if match.pos.cards[n].stat(figure))
    fixes = [
        Fix("modify", cards=(card,), kind=figure, value=2),
        Fix("modify", cards=(card,), kind=figure, value=7, op="set"),
        Fix("modify", cards=(card,), kind=figure, value=1),
    ]
    correcting.correct(match, JUDGE, fixes)
    assert match.pos.cards[card].stats[figure] == 8
    assert verify([*log, *match.collect()], match.rules).kind == EXACT
    for value in ("many", True, None):
        fix = Fix("modify", cards=(card,), kind=figure, value=value, op="set")
        assert "a number" in refusal(match, fix)


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


def test_one_bad_fix_refuses_them_all() -> None:
    match, _, seat = main()
    good = Fix("shuffle", place="deck/0")
    card, hidden = (
        match.pos.zone("battle", 0) or match.pos.zone("battle", 1),
        match.pos.zone("hand", seat),
    )
    for bad, text in [
        (Fix("conjure"), "no such verb"),
        (Fix("move", (9999,), place="hand/0"), "no card @9999"),
        (Fix("move", (card[0],), place="hand/9"), "no place 'hand/9'"),
        (Fix("move", (card[0], card[0]), place="hand/0"), "twice"),
        (Fix("move", (card[0],)), "needs place"),
        (Fix("counters", kind="beans", n=1, dst="seat/0"), "no counters 'beans'"),
        (Fix("counters", kind="damage", n=99, src=card[0]), "not so many"),
        (Fix("mark", subject="seat/0", kind="pretty"), "no mark 'pretty'"),
        (Fix("turn", (hidden[0],), orient="rested"), "is hidden"),
        (Fix("name", (hidden[0],), ("ST01-001",)), "it is known"),
        (Fix("order", (1, 2), place="deck/0"), "no card @1"),
        (Fix("end", ids=(99,)), "no such lasting effect"),
        (Fix("draw", n=99, src="deck/0", place="hand/0"), "there are only"),
    ]:
        assert text in refusal(match, good, bad), bad


def test_within_an_effect_nothing_is_corrected() -> None:
    match, _ = at("target", Setup(7, ("ST01", "ST04")), rest=False)
    assert "in the middle of something" in refusal(match, Fix("shuffle", place="deck/0"))


# -- what was done against the rules ---------------------------------------------------------------


def test_a_card_that_was_too_dear_stands() -> None:
    match, log, seat = main()
    hand = [n for n in match.pos.zone("hand", seat) if _dear(match, n)]
    decision = match.pos.decision
    assert decision is not None
    act = Act("deploy", hand[0], ((),))
    broken = match.why_not(seat, act)
    assert broken is not None
    irregular.play(match, JUDGE, decision.n, seat, act)
    added = match.collect()
    flagged = [e.event for e in added if isinstance(e.event, Irregularity)]
    assert flagged == [Irregularity(broken.rules[0], broken.text, seat)]
    made = next(e.event for e in added if isinstance(e.event, ev.DecisionMade))
    assert (made.origin, made.n) == ("official", decision.n)
    opened = (e.event for e in added if isinstance(e.event, ev.FrameOpened))
    name = next(event.facts["card"] for event in opened if event.kind == "play")
    assert name in {match.pos.cards[n].id for n in match.pos.zone("battle", seat)}
    assert verify([*log, *added], match.rules).kind == EXACT
    assert position([*log, *added], PUBLIC).decision is not None


def _dear(match: Match, card: int) -> bool:
    facts = match.rules.cards[match.pos.cards[card].id]
    return bool(facts.type == "unit") and facts.lv > len(
        match.pos.zone("resource", match.pos.turn_seat)
    )


@pytest.mark.parametrize(("setup", "kind"), [(PLAIN, "deploy"), (FLUX, "play")])
def test_a_play_out_of_turn_leaves_the_decision_open(setup: Setup, kind: str) -> None:
    match, log, seat = main(setup)
    other, decision = 1 - seat, match.pos.decision
    assert decision is not None
    for card in list(match.pos.zone("hand", other)):
        act = Act(kind, card, ((), ()) if kind == "play" else ((),))
        try:
            irregular.play(match, JUDGE, decision.n, other, act)
        except irregular.Impossible:
            match = resume(setup, log)
            continue
        break
    added = match.collect()
    aside = next(e.event for e in added if isinstance(e.event, ev.Interjected))
    assert (aside.seat, aside.kind) == (other, kind)
    assert match.pos.decision is not None
    assert match.pos.decision.n > decision.n
    assert verify([*log, *added], setup.rules).kind == EXACT


def test_what_is_legal_is_chosen_and_what_is_nonsense_refused() -> None:
    match, log, seat = main()
    n = match.pos.decisions
    for act, fault in [
        (Act("end"), "LEGAL_ACT"),
        (Act("juggle"), "UNKNOWN_ACT"),
        (Act("deploy", 9999, ((),)), "IRREGULARITY_IMPOSSIBLE"),
        (Act("block", 9999), "IRREGULARITY_IMPOSSIBLE"),
    ]:
        with pytest.raises(Refused) as caught:
            irregular.play(match, JUDGE, n, seat, act)
        assert caught.value.refusal.fault == fault
        match = resume(PLAIN, log)
    with pytest.raises(Stale):
        irregular.play(match, JUDGE, n - 1, seat, Act("end"))


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


def test_a_flag_names_the_rule_and_the_entry() -> None:
    match, _, _ = main()
    irregular.flag(match, JUDGE, "gcg:6-3-1", "drew two", 1, about=40)
    opened, flag, _ = match.collect()
    assert isinstance(opened.event, ev.FrameOpened)
    assert opened.event.cause == 40
    assert flag.cites[0] == "gcg:6-3-1"
