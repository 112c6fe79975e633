"""Going back: what is undone, what was seen, how it is put back; undoing an entry; forks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.engine.naming import Inputs, remaining
from domain.engine.rulebook import Refused
from domain.engine.signals import NameRequired
from domain.officials import clocks, irregular, rewind, rulings
from domain.officials.corrections.correcting import Fix, correct
from domain.officials.frame import Official
from domain.officials.ways import AS_THEY_WERE, RANDOM, SHUFFLE, WAYS
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold_all
from domain.record.interventions import Irregularity, Ruling
from domain.record.position import decoded
from domain.record.schema.policy import Clocks, Policy
from domain.record.values import TABLE
from domain.record.views import PUBLIC, position
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table, names_in, no_dice
from tests.playouts import Dice, Setup, answer, begin, opening, play, resume, take_turn

SETUP = Setup(5)
JUDGE = Official("Ada", 10**6, "because")


def fault(call: Callable[..., object], *args: object) -> str:
    with pytest.raises(Refused) as caught:
        call(*args)
    return caught.value.refusal.fault


def drawn() -> tuple[Match, list[Entry], int, int]:
    """A match in which a seat has just drawn for its turn; an earlier decision; the seat."""
    match = begin(SETUP)
    log = match.collect()
    while match.pos.turn < 5:
        take_turn(match, SETUP)
        log += match.collect()
    seat = match.pos.turn_seat
    turn = next(e.seq for e in reversed(log) if isinstance(e.event, ev.TurnBegan))
    opened = (e for e in log if isinstance(e.event, ev.DecisionOpened) and e.seq < turn)
    at_rest = [e.event.n for e in opened if e.event.rest]  # type: ignore[union-attr]
    return match, log, at_rest[-1], seat


def back(log: list[Entry], n: int, put_back: str) -> Match:
    match = resume(SETUP, log)
    repeated = rewind.rewind(match.rules, log, n, JUDGE, match.dice, put_back)
    log += repeated.collect()
    assert repeated.pos == fold_all(active(log))
    assert verify(log, SETUP.rules).kind == EXACT
    return repeated


def test_the_preview_says_what_is_undone_and_what_was_seen() -> None:
    match, log, n, seat = drawn()
    found = rewind.preview(log, n, match.rules.manifest)
    assert [one.n for one in found.decisions] == list(range(n, match.pos.decisions + 1))
    assert all(one.acts for one in found.decisions[:-1])
    assert found.rest
    (one,) = [one for one in found.seen if one.place == f"deck/{seat}"]
    then = fold_all(log[: found.to])
    assert one.card == then.zone("deck", seat)[-1]
    assert one.id == then.cards[one.card].id
    assert (one.to, one.went) == (1 << seat, f"hand/{seat}")
    assert found.entries == len(log) - found.to


def test_what_lay_face_up_among_cards_that_are_shuffled_does_so_still() -> None:
    """Hollow Flux: who may play from the guard deck plays what lies face up there."""
    setup = Setup(3, ("HX-A", "HX-B"))
    log = play(setup)
    line = active(log)
    for event in [entry.event for entry in line if isinstance(entry.event, ev.DecisionOpened)]:
        found = rewind.preview(log, event.n, setup.rules.manifest)
        turned = {one.card: SHUFFLE for one in found.seen if one.place == "guard/1"}
        then = fold_all(line[: found.to])
        up = sorted(then.cards[n].id for n in then.zone("guard", 1) if then.cards[n].up)
        if found.rest and turned and up:
            break
    else:
        raise AssertionError("no card of it was turned up")
    now = rewind.rewind(setup.rules, log, found.n, JUDGE, Dice(3), turned).pos
    assert sorted(now.cards[n].id for n in now.zone("guard", 1) if now.cards[n].up) == up


def test_what_is_not_gone_back_to() -> None:
    match, log, n, _ = drawn()
    manifest, rules = match.rules.manifest, match.rules
    assert fault(rewind.preview, log, match.pos.decisions, manifest) == "NOTHING_TO_UNDO"
    assert fault(rewind.preview, log, 10_000, manifest) == "NO_SUCH_DECISION"
    assert fault(rewind.rewind, rules, log, n, JUDGE, no_dice, {1: RANDOM}) == "BAD_PUT_BACK"
    assert fault(rewind.rewind, rules, log, n, JUDGE, no_dice, "neatly") == "BAD_PUT_BACK"
    assert fault(rewind.rewind, rules, log, n, replace(JUDGE, why=""), no_dice) == "TEXT_MISSING"
    back(log, n, RANDOM)
    assert fault(rewind.preview, log, n + 1, manifest) == "NO_SUCH_DECISION"


def test_rulings_and_notes_at_a_decision_stay() -> None:
    match, log, _, _ = drawn()
    n = match.pos.decisions
    rulings.rule(match, JUDGE, "so it is")
    take_turn(match, SETUP)
    log += match.collect()
    back(log, n, AS_THEY_WERE)
    assert any(isinstance(entry.event, Ruling) for entry in active(log))


def test_time_does_not_go_back() -> None:
    timed = replace(opening(SETUP), policy=Policy(clocks=Clocks(3_600_000, 600_000)))
    match = Match.open(SETUP.rules, timed, Dice(5))
    for _ in range(9):
        take_turn(match, SETUP)
    clocks.pause(match, JUDGE)
    log = match.collect()
    repeated = rewind.rewind(match.rules, log, 4, replace(JUDGE, now=2_000_000), match.dice)
    for clock in match.pos.clocks:
        assert repeated.pos.left(clock, 2_000_000) == match.pos.left(clock, 2_000_000)
    assert repeated.pos.paused == 2_000_000


# -- forks -----------------------------------------------------------------------------------------


def test_a_fork_is_the_match_up_to_a_decision_even_of_an_abandoned_line() -> None:
    match, log, n, _ = drawn()
    gone = match.pos.decisions
    back(log, n, RANDOM)
    forked = rewind.fork(log, "origin", gone)
    assert resume(SETUP, forked).pos.decisions == gone
    opened = forked[0].event
    assert isinstance(opened, ev.MatchOpened)
    assert opened.origin == ev.Origin("origin", forked[-1].seq)
    assert fault(rewind.fork, forked, "again", n) == "FORKED_ALREADY"
    assert fault(rewind.fork, log, "origin", 10_000) == "NO_SUCH_DECISION"


# -- at a real table -------------------------------------------------------------------------------


def entered(decisions: int) -> Scorekeeper:
    """A match of bots as Sam has entered it at a real table."""
    dealt = begin(SETUP)
    keeper = Scorekeeper(at_table(SETUP.rules, opening(SETUP), opened := dealt.collect()))
    for _ in range(decisions):
        p, decision = decoded(dealt.pos.encoded()), dealt.pos.decision
        assert decision is not None
        seat, n = decision.seats[0], decision.n
        offer = decision.offers[seat]
        assert offer is not None
        act = answer(SETUP, n, offer)
        take_turn(dealt, SETUP)
        opened = dealt.collect()

        def enter(m: Match, inputs: Inputs, seat: int = seat, n: int = n, act: Act = act) -> None:
            m.choose(seat, n, act, m.pos.time + 1, inputs=inputs)

        keeper.enter(enter, opened, names_in(p, opened))
    return keeper


def test_a_scorekeeper_takes_back_what_he_entered_last() -> None:
    keeper, earlier = entered(20), entered(18)
    sam = Official("Sam", 10**6)
    for _ in range(2):
        match = rewind.undo(SETUP.rules, keeper.log, sam, no_dice)
        keeper.log += match.collect()
        assert match.pos == fold_all(active(keeper.log))
    assert match.pos.decision == earlier.match.pos.decision
    assert match.pos.cards == earlier.match.pos.cards
    assert {entry.by for entry in keeper.log[-3:]} == {TABLE}
    assert verify(keeper.log, SETUP.rules).kind == EXACT
    assert fault(rewind.undo, SETUP.rules, keeper.log, JUDGE, no_dice) == "NOTHING_TO_UNDO"
    rulings.note(match, JUDGE, "enough")
    keeper.log += match.collect()
    assert fault(rewind.undo, SETUP.rules, keeper.log, sam, no_dice) == "NOTHING_TO_UNDO"
    assert fault(rewind.undo, SETUP.rules, drawn()[1], sam, no_dice) == "NOT_A_TABLE"


@pytest.mark.parametrize("put_back", WAYS)
def test_a_real_table_goes_back_too(put_back: str) -> None:
    keeper = entered(24)
    log = keeper.log
    at_rest = [e.event.n for e in log if isinstance(e.event, ev.DecisionOpened) and e.event.rest]
    n = next(n for n in reversed(at_rest) if _seen(log, n))
    match = rewind.rewind(SETUP.rules, log, n, JUDGE, no_dice, put_back)
    log += match.collect()
    assert match.pos == fold_all(active(log))
    assert verify(log, SETUP.rules).kind == EXACT


def _seen(log: list[Entry], n: int) -> bool:
    try:
        return bool(rewind.preview(log, n, SETUP.rules.manifest).seen)
    except Refused:
        return False


def test_a_card_that_is_in_no_list_can_be_recorded() -> None:
    keeper = entered(0)
    while not _main(keeper.match):
        keeper = entered(keeper.match.pos.decisions + 1)
    match, log = keeper.match, keeper.log
    seat, n = match.pos.turn_seat, match.pos.decisions
    (card, *_), inputs = match.pos.zone("hand", seat), Inputs({})
    foreign = next(
        id_ for id_, c in SETUP.rules.cards.items() if id_.startswith("ST04") and c.type == "unit"
    )
    inputs = Inputs({card: foreign}, (), "Sam")
    act = Act("deploy", card, ((),))
    with pytest.raises(Refused):
        match.choose(seat, n, act, 10**6, inputs=inputs)
    match = resume(SETUP, log)
    irregular.play(match, JUDGE, n, seat, act, inputs=inputs)
    log += match.collect()
    assert foreign in {match.pos.cards[number].id for number in match.pos.zone("battle", seat)}
    assert any(isinstance(entry.event, Irregularity) for entry in log)
    assert verify(log, SETUP.rules).kind == EXACT


def _main(match: Match) -> bool:
    return match.pos.decision is not None and match.pos.decision.kind == "main"


def at_rest(most: int) -> tuple[Match, list[Entry]]:
    """A match entered as above, taken back to a decision at rest; and its log."""
    keeper = entered(most)
    match, log = keeper.match, keeper.log
    while match.pos.decision is None or not match.pos.decision.rest:
        match = rewind.undo(SETUP.rules, log, Official("Sam", 10**6), no_dice)
        log += match.collect()
    return match, log


def test_a_card_named_wrongly_is_named_anew() -> None:
    match, log = at_rest(24)
    card = next(
        n for n, c in match.pos.cards.items() if c.place.startswith("battle") and not c.token
    )
    other = next(
        name
        for name in remaining(match.pos, match.pos.cards[card].owner)
        if SETUP.rules.cards[name].type == "unit" and name != match.pos.cards[card].id
    )
    correct(match, JUDGE, [Fix("name", (card,), (other,))])
    log += match.collect()
    assert position(active(log), PUBLIC).cards[card].id == other
    assert verify(log, SETUP.rules).kind == EXACT


def test_a_card_is_named_along_with_what_is_put_right() -> None:
    match, log = at_rest(24)
    card = match.pos.zone("hand", 0)[0]
    with pytest.raises(NameRequired):
        correct(match, JUDGE, [Fix("move", (card,), place="trash/0")])
    bad = Fix("move", (card,), ("ST03-001",), place="trash/0")
    assert fault(correct, match, JUDGE, [bad]) == "CARD_NOT_IN_LIST"
    name = next(iter(remaining(match.pos, 0)))
    correct(match, JUDGE, [Fix("move", (card,), (name,), place="trash/0")])
    log += match.collect()
    assert match.pos.cards[match.pos.zone("trash", 0)[-1]].id == name
    assert match.pos == fold_all(active(log))
    assert verify(log, SETUP.rules).kind == EXACT
