"""Cards that no catalogue has are brought to a match that runs, and are played like others."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.engine.naming import Inputs
from domain.engine.rulebook import Refused
from domain.officials import bringing, clocks, rewind
from domain.officials.frame import Official
from domain.record.decisions import Act
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold_all
from domain.record.interventions import CardsBrought
from domain.record.values import TABLE
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.telling.book import Book
from domain.telling.narration.narrator import Narrator
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from replay_cli.playing.fuzz.tables import at_table, no_dice
from tests.golden.write import PRINTS
from tests.playouts import Setup, begin, opening

SETUP = Setup(3, ("ST01", "ST02"))
FIGURES = PRINTS["gundam"]
PROMO = json.dumps(FIGURES)
OTHER = json.dumps({**FIGURES, "id": "PR-02", "name": "Quay Guard"})
JUDGE = Official("Ada", 10**6, "because")


def on_turn() -> tuple[Match, list[Entry]]:
    """A match at a real table, at the first decision that may deploy a card of a hand."""
    dealt = begin(SETUP).collect()
    match = at_table(SETUP.rules, opening(SETUP), dealt)
    log = match.collect()
    while not match.pos.turn or match.pos.decision is None or match.pos.decision.kind != "main":
        assert match.pos.decision is not None
        seat = match.pos.decision.seats[0]
        offer = match.pos.decision.offers[seat]
        assert offer is not None
        usual = next(o.kind for o in offer.options if o.kind in ("first", "keep", "pass"))
        enter(match, log, seat, Act(usual))
    return match, log


def enter(
    match: Match, log: list[Entry], seat: int, act: Act, names: dict[int, str] | None = None
) -> None:
    assert match.pos.decision is not None
    inputs = Inputs(names or {}, (), "Sam")
    match.choose(seat, match.pos.decision.n, act, match.pos.time + 1, inputs=inputs)
    log += match.collect()


def bring(match: Match, log: list[Entry], *prints: str) -> None:
    bringing.bring(match, Official("Sam", match.pos.time + 1, voice=TABLE), prints)
    log += match.collect()


def deploy(match: Match, log: list[Entry], card: str = "PR-01") -> int:
    """The player on turn deploys one of its unseen cards, named so; the card."""
    seat = match.pos.turn_seat
    number = match.pos.zone("hand", seat)[0]
    enter(match, log, seat, Act("deploy", number), {number: card})
    return number


def pass_turn(match: Match, log: list[Entry]) -> None:
    enter(match, log, match.pos.turn_seat, Act("end"))


def sound(log: Sequence[Entry]) -> Match:
    """The match that a record stands at, which is the same by all ways."""
    assert verify(log, SETUP.rules).kind == EXACT
    found = Match.resume(SETUP.rules, log, no_dice)
    assert found.pos == fold_all(active(log))
    return found


def fault(match: Match, *prints: str) -> str:
    before = match.pos.encoded()
    with pytest.raises(Refused) as caught:
        bringing.bring(match, JUDGE, prints)
    assert match.pos.encoded() == before
    assert not match.collect()
    return caught.value.refusal.fault


def test_a_card_that_is_brought_is_played_though_no_list_has_it() -> None:
    match, log = on_turn()
    with pytest.raises(Refused) as caught:
        deploy(match, log)
    assert caught.value.refusal.fault == "CARD_UNKNOWN"
    n = match.pos.decisions
    bring(match, log, PROMO)
    assert match.pos.decisions == n  # nothing is asked anew
    deploy(match, log)
    (played,) = [c for c in match.pos.cards.values() if c.id == "PR-01"]
    assert (played.stats["ap"], played.stats["hp"]) == (2, 2)
    sound(log)


def test_all_viewers_know_what_it_is() -> None:
    match, log = on_turn()
    bring(match, log, PROMO)
    deploy(match, log)
    for viewer in (PUBLIC, 0, 1, OFFICIAL):
        narrator = Narrator(Book.of(SETUP.rules))
        lines = [line.text for e in log for line in narrator.feed(redact(e, viewer))]
        narrator.flush()
        assert any("no catalogue" in text and "Harbour Watch" in text for text in lines)
        assert narrator.book.name("PR-01") == "Harbour Watch"


def test_a_match_that_goes_back_keeps_it() -> None:
    match, log = on_turn()
    n = match.pos.decisions
    pass_turn(match, log)
    bring(match, log, PROMO)
    for back in (
        rewind.undo(SETUP.rules, log, Official("Sam", match.pos.time + 1, voice=TABLE), no_dice),
        rewind.rewind(SETUP.rules, log, n, JUDGE, no_dice),
    ):
        line = [*log, *back.collect()]
        assert back.pos.heading.prints == (PROMO,)
        assert sum(isinstance(e.event, CardsBrought) for e in active(line)) == 1
        deploy(back, line)
        assert any(card.id == "PR-01" for card in sound(line).pos.cards.values())


def test_a_fork_from_before_it_has_not_got_it() -> None:
    match, log = on_turn()
    n = match.pos.decisions
    pass_turn(match, log)
    bring(match, log, PROMO)
    fork = rewind.fork(log, "m", n, "")
    assert not fold_all(active(fork)).heading.prints
    assert match.pos.decision is not None
    enter(match, log, match.pos.decision.seats[0], Act("pass"))
    assert fold_all(active(rewind.fork(log, "m", match.pos.decisions, ""))).heading.prints


def test_an_export_is_read_with_it() -> None:
    match, log = on_turn()
    bring(match, log, PROMO)
    deploy(match, log)
    bring(match, log, OTHER)
    copy = read(write(log, SETUP.rules), {"gundam": SETUP.rules}.__getitem__)
    assert [e.event for e in copy if isinstance(e.event, CardsBrought)] == [
        CardsBrought((PROMO,)), CardsBrought((OTHER,)),
    ]  # fmt: skip
    assert fold_all(active(copy)).heading.later == 2


def test_it_is_brought_once_and_takes_no_other_cards_place() -> None:
    match, log = on_turn()
    bring(match, log, PROMO)
    own = json.dumps({**FIGURES, "id": "ST01-005"})
    assert fault(match, PROMO) == fault(match, own) == "CARD_KNOWN"
    assert fault(match, OTHER, OTHER) == "BAD_PRINTS"
    bring(match, log, OTHER)
    assert sound(log).pos.heading.prints == (PROMO, OTHER)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"ap": 10**12}, "OUT_OF_BOUNDS"),
        ({"ap": -1}, "BAD_PRINTS"),
        ({"ap": "two"}, "BAD_PRINTS"),
        ({"ap": 1.5}, "BAD_PRINTS"),
        ({"name": "x" * 5000}, "OUT_OF_BOUNDS"),
        ({"name": "  "}, "BAD_PRINTS"),
        ({"name": "a\x00b"}, "OUT_OF_BOUNDS"),
        ({"id": "a/b c"}, "BAD_PRINTS"),
        ({"id": ["PR-03"]}, "BAD_PRINTS"),
        ({"id": None}, "BAD_PRINTS"),
        ({"type": "god"}, "BAD_PRINTS"),
        ({"traits": ["t"] * 9000}, "OUT_OF_BOUNDS"),
        ({"effect": [{"kind": "activated", "name": "x", "do": "win"}]}, "BAD_PRINTS"),
    ],
)
def test_what_is_no_card_is_refused(changed: dict[str, object], says: str) -> None:
    match, _ = on_turn()
    assert fault(match, json.dumps({**FIGURES, **changed})) == says


def test_what_is_no_table_is_refused() -> None:
    match, _ = on_turn()
    for text in ("", "{", "[1]", "null", '"PR-01"', "[" * 100_000, "{}"):
        assert fault(match, text) in ("BAD_PRINTS", "OUT_OF_BOUNDS")
    assert fault(match) == "BAD_PRINTS"
    many = [json.dumps({**FIGURES, "id": f"PR-{n}"}) for n in range(401)]
    assert fault(match, *many) == "OUT_OF_BOUNDS"


def test_it_is_brought_while_the_match_stands_still_and_not_after_its_end() -> None:
    match, log = on_turn()
    clocks.pause(match, JUDGE)
    bring(match, log, PROMO)
    clocks.go_on(match, JUDGE)
    match.interject(0, "concede", match.pos.time + 1)
    log += match.collect()
    assert match.pos.over
    assert fault(match, OTHER) == "MATCH_OVER"
    sound(log)


def test_other_records_of_a_hand_and_deck_are_played_as_before() -> None:
    """A list still counts for the cards that it names."""
    match, log = on_turn()
    bring(match, log, PROMO)
    with pytest.raises(Refused) as caught:
        deploy(match, log, "ST03-005")
    assert caught.value.refusal.fault == "CARD_NOT_IN_LIST"
