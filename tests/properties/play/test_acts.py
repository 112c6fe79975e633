"""Offered acts can be done; all others are refused by an existing rule and leave no trace.

Acts are made up from the words of the game, the cards on the table and plain nonsense. Who sends
one gets a refusal or the news that his decision is over, never another kind of error.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from domain.engine import series
from domain.engine.match import Match, Refused, Stale
from domain.engine.rulebook import Refusal
from domain.games import names, rulebook
from domain.record.decisions import NUMBER, Act, Misfit, Offer, Option
from domain.record.entries import Entry
from domain.record.fitting.fit import default, fit, joint
from domain.record.schema.citations import texts
from domain.record.values import Ref
from tests.playouts import Setup, begin, complete, go_on, play, resume, take_turn
from tests.properties.play.test_lasting import exists
from tests.properties.strategies import examples, seeds, setups, unless_short

KINDS = [word.name for game in names() for word in rulebook(game).manifest.acts]
KINDS += ["peek", "unpair", "swap", "trigger", "look", "", "DEPLOY", "seat/0", "⚔" * 50]
NUMBERS = [0, -1, -7, 1_000_000, 2**63 - 1, -(2**63)]
WORDS = [
    "seat/0", "seat/1", "seat/-1", "seat/x", "hand/0", "hand/1", "deck/0", "trash/0", "trash/1",
    "shield/1", "trash/9", "trash", "/", "", "x" * 999, "\x00", "match", "removal/1",
]  # fmt: skip
EFFECTS = [
    "",
    "",
    "",
    *sorted(set().union(*(texts(rulebook(game).cards) for game in names()))),
    "nonsense",
    "/",
    "ST01-001/",
    "/repair",
]


@examples(6)
@given(setups(), seeds)
def test_an_act_that_is_not_on_offer_is_refused_by_a_rule_and_changes_nothing(
    setup: Setup, seed: int
) -> None:
    rng = Random(seed)

    def pester(match: Match, log: list[Entry]) -> None:
        before, decision = match.pos.encoded(), match.pos.decision
        assert decision is not None
        for _ in range(12):
            seat, act = rng.choice([0, 1, 0, 1, 2, -1, -2, 99]), nonsense(rng, match)
            n = rng.choice([decision.n] * 6 + [0, -1, decision.n + 1, decision.n - 1])
            if n == decision.n and on_offer(decision.offers.get(seat), act):
                continue
            refusal = attempt(match, seat, n, act, rng)
            assert refusal is None or all(exists(rule, setup.rules) for rule in refusal.rules), (
                refusal
            )
            assert refusal is None or (refusal.rules and refusal.text and refusal.fault.isupper())
            assert match.pos.encoded() == before, act
            assert match.collect() == [], act

    go_on(begin(setup), setup, [], pester)


@examples(6)
@given(setups())
def test_no_check_objects_to_what_is_on_offer(setup: Setup) -> None:
    """Those that an offer does not ask, since its cards were picked by them, included."""

    def ask(match: Match, log: list[Entry]) -> None:
        assert match.pos.decision is not None
        for seat, offer in match.pos.decision.offers.items():
            for option in offer.options if offer is not None else ():
                act = option.act()
                assert match.rules.refusal(match.table, seat, act) is None, act

    go_on(begin(setup), setup, [], ask)


def nonsense(rng: Random, match: Match) -> Act:
    """An act that nobody should send."""
    return Act(
        rng.choice(KINDS),
        _ref(rng, match),
        tuple(
            tuple(_ref(rng, match) for _ in range(rng.randrange(4)))
            for _ in range(rng.randrange(3))
        ),
        rng.choice(EFFECTS),
    )


def _ref(rng: Random, match: Match) -> Ref:
    if rng.random() < 0.7:
        return rng.choice([*match.pos.cards, *match.pos.departed, 0])
    return rng.choice(NUMBERS) if rng.random() < 0.5 else rng.choice(WORDS)


def on_offer(offer: Offer | None, act: Act) -> bool:
    """Whether the act happens to be legal."""
    if offer is None:
        return False
    try:
        fit(offer, act)
    except Misfit:
        return False
    return True


def attempt(match: Match, seat: int, n: int, act: Act, rng: Random) -> Refusal | None:
    """Try an act as an answer, sometimes as an interjection; None if the decision was another."""
    try:
        if rng.random() < 0.2 and not stands(match, seat, act):
            match.interject(seat, act.kind, match.pos.time + 5, act.card, sum(act.picks, ()))
        else:
            match.choose(seat, n, act, match.pos.time + 5)
    except Refused as refused:
        return refused.refusal
    except Stale as stale:
        decision = match.pos.decision
        if decision is not None and stale.current == decision.n != n:
            return None
    raise AssertionError(f"seat {seat} could do {act}")


def stands(match: Match, seat: int, act: Act) -> bool:
    """Whether it may be done beside any decision."""
    open_acts = {act.kind for act in match.rules.open_acts(match.pos, seat)}
    act = Act(act.kind, act.card, (sum(act.picks, ()),))
    return act.kind in open_acts and match.why_not(seat, act) is None


@examples(3)
@given(setups(), seeds)
def test_what_answers_a_decision_does_not_pass_as_an_interjection(setup: Setup, seed: int) -> None:
    rng = Random(seed)

    def slip_in(match: Match, log: list[Entry]) -> None:
        before, decision = match.pos.encoded(), match.pos.decision
        assert decision is not None
        for seat, offer in decision.offers.items():
            assert offer is not None
            act = complete(rng, offer, rng.choice(offer.options))
            with pytest.raises(Refused) as refused:
                match.interject(seat, act.kind, match.pos.time + 5, act.card, sum(act.picks, ()))
            assert all(exists(rule, setup.rules) for rule in refused.value.refusal.rules)
        assert match.pos.encoded() == before
        assert match.collect() == []

    play(setup, slip_in)


@examples(4)
@given(setups(), seeds)
def test_asking_why_not_beforehand_gives_the_refusal_that_would_follow(
    setup: Setup, seed: int
) -> None:
    rng = Random(seed)

    def ask(match: Match, log: list[Entry]) -> None:
        decision = match.pos.decision
        assert decision is not None
        for _ in range(4):
            seat, act = rng.randrange(2), nonsense(rng, match)
            asked = match.why_not(seat, act)
            if asked is not None:
                assert attempt(match, seat, decision.n, act, Random(0)) == asked

    play(setup, ask)


@examples(4)
@unless_short(Setup(1055239, ("XYZ", "FUSION"), 3, "shy", False), 5730)
@given(setups(), seeds)
def test_every_option_can_be_taken_with_its_least_its_most_and_any_picks(
    setup: Setup, seed: int
) -> None:
    rng = Random(seed)

    def take_all(match: Match, log: list[Entry]) -> None:
        decision = match.pos.decision
        assert decision is not None
        for seat, offer in decision.offers.items():
            assert offer is not None
            assert offer.options
            for option in offer.options:
                for act in ways(rng, offer, option):
                    assert match.why_not(seat, act) is None
                if rng.random() < 0.05:
                    act = rng.choice(ways(rng, offer, option))
                    other = resume(setup, log)
                    other.choose(seat, decision.n, act, other.pos.time + 5)
                    assert other.pos.decision is not None or other.pos.over

    play(setup, take_all)


def ways(rng: Random, offer: Offer, option: Option) -> list[Act]:
    """To take an option: by default, with the fewest and the most picks, from either end."""
    pools = [offer.pools[part.pool] if part.pool >= 0 else () for part in option.parts]
    fronts = tuple(default(offer, part) for part in option.parts)
    backs = tuple(
        pool[::-1][: part.high]
        if part.pool >= 0
        else (part.high,)
        if part.pool == NUMBER
        else front
        for part, pool, front in zip(option.parts, pools, fronts, strict=True)
    )
    found = ((),) if joint(option) else ((), fronts, backs)  # those have to go together
    acts = [option.act(picks) for picks in found]
    return [*acts, complete(rng, offer, option)]


@examples(6)
@unless_short(Setup(2849, ("FUSION", "YSYR"), 3, "keen", True), 21027)
@given(setups(best_of=(3,)), seeds)
def test_either_seat_may_concede_at_any_decision(setup: Setup, seed: int) -> None:
    """The game goes to the rival; the next of a series begins, and the match goes on to an end.

    While lists are made again between two games it is the next one that goes to the rival.
    """
    rng = Random(seed)

    def concede(match: Match, log: list[Entry]) -> None:
        if rng.random() < 0.05:
            for seat in (0, 1):
                other = resume(setup, log)
                score, game = list(other.pos.score), other.pos.game
                other.interject(seat, "concede", other.pos.time + 5)
                won = [n + (1 - seat == who) for who, n in enumerate(score)]
                assert other.pos.score == won
                lost = game + series.between(match.pos)
                begun = lost + (not other.pos.over and not series.between(other.pos))
                assert other.pos.game == begun
                assert other.pos.over or other.pos.decision
                if not other.pos.over:
                    take_turn(other, setup)

    play(setup, concede)
