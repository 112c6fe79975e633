"""Best of three: the Side Deck between games, and who begins; that nobody sees it, for any game."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.engine import naming
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening, Refused
from domain.engine.naming import Inputs, Misstated
from domain.games.yugioh.rulebook import RULEBOOK
from domain.officials import clocks
from domain.officials.frame import Official
from domain.record.decisions import Act
from domain.record.entries import encode
from domain.record.position import UNKNOWN
from domain.record.values import EVERYONE
from domain.record.views import PUBLIC, redact
from domain.telling.board.state import State
from domain.telling.book import Book
from domain.text import notation
from domain.text.transcript.write import write
from replay_cli.playing.bots import seeded_dice

DECKS = tuple(Deck(name, RULEBOOK.decks[name]) for name in ("YSYR", "YSKR"))
IDS = {card.name: card.id for card in RULEBOOK.cards.values()}
BUG, KURIBOH = IDS["Man-Eater Bug"], IDS["Kuriboh"]
SWAP = "Kuriboh -> Man-Eater Bug; dark blade -> Solemn Judgment"


class Series:
    """A series of which the first game was conceded by the first player."""

    def __init__(self, mode: str = "dealer") -> None:
        rolls = ((0,),) if mode == "table" else ()
        opening = Opening(("Ann", "Ben"), DECKS, 0, best_of=3, mode=mode, rolls=rolls)
        self.match = Match.open(RULEBOOK, opening, seeded_dice(1))
        self.log = self.match.collect()
        self.choose("first")
        self.match.interject(0, "concede", 5)
        self.log += self.match.collect()

    def choose(self, text: str) -> None:
        match = self.match
        decision = match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        act = notation.parse(text, match.pos, RULEBOOK, seat, decision.offers[seat])
        match.choose(seat, decision.n, act, match.pos.time + 1)
        self.log += match.collect()

    def listed(self, seat: int) -> Counter[str]:
        parts = self.match.pos.heading.decks[seat][1]
        assert parts is not None
        return Counter(parts["main"])


def after(*answers: str, mode: str = "dealer") -> Series:
    series = Series(mode)
    for answer in answers:
        series.choose(answer)
    return series


@pytest.mark.rule("ygo:base.deck.4")
@pytest.mark.parametrize(
    ("text", "why", "rule"),
    [
        ("2 Kuriboh -> Man-Eater Bug", "2 Kuriboh is not played so often", "base.deck.4"),
        ("Kuriboh -> 2 Man-Eater Bug", "is no `2 CARD -> CARD`", "base.deck.4"),
        ("Kuriboh -> Dark Blade", "Dark Blade is not aside so often", "base.deck.4"),
        ("Kuriboh -> ", "is no `2 CARD -> CARD`", "base.deck.4"),
        ("Number 39: Utopia -> Man-Eater Bug", "not belong in an Extra Deck", "base.deck.3"),
        ("main: 40 40640057; side:", "from the cards of the one before", "base.deck.4"),
        ("?", "only at a real table", "base.deck.4"),
    ],
)
def test_a_list_that_is_none_is_refused(text: str, why: str, rule: str) -> None:
    series = Series()
    with pytest.raises(Refused, match=why) as refused:
        series.choose(f"side {text}")
    assert refused.value.refusal.rules[0] == f"ygo:{rule}"


JUDGE = Official("Jo", 9, "late")


def test_a_match_that_has_ended_stands_in_no_step() -> None:
    series = Series()
    clocks.call_time(series.match, JUDGE)
    clocks.decide(series.match, JUDGE)
    log = series.log + series.match.collect()
    assert "Side Deck" not in " ".join(State(Book.of(RULEBOOK), series.match.pos).where())
    resumed = Match.resume(RULEBOOK, log, seeded_dice(1))
    assert (resumed.pos, resumed.table.out) == (series.match.pos, [])


def test_no_text_is_declared_between_two_games() -> None:
    series = Series("table")
    t = series.match.table
    (card,) = t.make([KURIBOH], "grave/0", "setup", "ygo:base.zone.3", owner=0)
    t.show([card], EVERYONE, "reveal", "ygo:base.zone.3")
    refusal = series.match.why_not(0, Act("declare", card, (('[{"do": "draw"}]',),)))
    assert refusal is not None
    assert str(refusal.text) == "the game has ended, and the next has not begun"


def entries_and_text(series: Series, viewer: int) -> tuple[list[bytes], str]:
    seen = [redact(entry, viewer) for entry in series.log]
    return [encode(entry) for entry in seen], write(seen, RULEBOOK)


def test_nobody_else_can_tell_what_was_exchanged() -> None:
    one, other = after("side"), after(f"side {SWAP}")
    for viewer in (1, PUBLIC):
        assert entries_and_text(one, viewer) == entries_and_text(other, viewer)
    assert entries_and_text(one, 0) != entries_and_text(other, 0)


def test_nobody_else_learns_of_a_list_that_came_to_nothing_since_a_game_was_given_up() -> None:
    one, other = after("side"), after(f"side {SWAP}")
    for series in (one, other):
        series.match.interject(1, "concede", 9)
        series.log += series.match.collect()
        assert series.listed(0) == Counter(RULEBOOK.decks["YSYR"]["main"])
    for viewer in (1, PUBLIC):
        assert entries_and_text(one, viewer) == entries_and_text(other, viewer)


# -- real cards ------------------------------------------------------------------------------------


def name(series: Series, identity: str) -> None:
    """Say of the first card of the first seat's hand which it is, as far as lists go."""
    pos = series.match.pos
    card = pos.zone("hand", 0)[0]
    inputs = Inputs({card: identity})
    naming.listed(naming.named(pos, RULEBOOK, inputs), RULEBOOK, inputs, {})


def test_at_a_real_table_the_side_deck_may_stay_unstated() -> None:
    series = after("side ?", "side", mode="table")
    assert series.listed(0) == Counter({UNKNOWN: 46})
    sizes = [e.event.sizes for e in series.log if hasattr(e.event, "sizes")]
    assert sizes[0] == sizes[2]
    series.choose("first")
    name(series, BUG)
    name(series, KURIBOH)
    with pytest.raises(Misstated):
        name(series, IDS["Junk Synchron"])
    series.match.interject(1, "concede", 9)
    series.log += series.match.collect()
    with pytest.raises(Refused, match="give the whole list"):
        series.choose(f"side {SWAP}")
    series.choose("side ?")
    assert series.listed(0) == Counter({UNKNOWN: 46})


def test_at_a_real_table_a_stated_side_deck_binds() -> None:
    series = after(f"side {SWAP}", "side", "first", mode="table")
    name(series, BUG)
    with pytest.raises(Misstated):
        name(series, KURIBOH)
    assert verify(series.log, RULEBOOK).kind == EXACT


@pytest.mark.parametrize("picks", [(("", ""),), ((SWAP * 200,),), ((7,),)])
def test_an_answer_that_is_no_text_is_refused_by_the_rule_of_side_decks(
    picks: tuple[tuple[str | int, ...], ...],
) -> None:
    series = Series()
    decision = series.match.pos.decision
    assert decision is not None
    seat = decision.seats[0]
    with pytest.raises(Refused) as caught:
        series.match.choose(seat, decision.n, Act("side", 0, picks), series.match.pos.time + 1)
    assert caught.value.refusal.rules == ("ygo:base.deck.4", "house:side")
