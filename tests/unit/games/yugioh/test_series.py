"""Best of three: the Side Deck between games, and who begins; that nobody sees it, for any game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from domain.engine import naming
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening, Refused
from domain.engine.naming import Inputs, Misstated
from domain.games.yugioh.choices.activate import show
from domain.games.yugioh.rulebook import RULEBOOK
from domain.officials import clocks, irregular, rulings
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record.decisions import Act
from domain.record.entries import Entry, encode
from domain.record.events import DecisionMade
from domain.record.position import UNKNOWN
from domain.record.values import EVERYONE
from domain.record.views import PUBLIC, redact
from domain.telling import notices
from domain.telling.board.state import State
from domain.telling.book import Book
from domain.text import notation
from domain.text.transcript.read import read
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
def test_cards_change_places_with_those_aside() -> None:
    series = after(f"side {SWAP}", "side")
    before = Counter(RULEBOOK.decks["YSYR"]["main"])
    gone = Counter([KURIBOH, IDS["Dark Blade"]])
    assert series.listed(0) == before - gone + Counter([BUG, IDS["Solemn Judgment"]])
    assert series.listed(1) == Counter(RULEBOOK.decks["YSKR"]["main"])
    owned = Counter(c.id for c in series.match.pos.cards.values() if c.owner == 0)
    assert owned == series.listed(0) + Counter(RULEBOOK.decks["YSYR"]["extra"])


@pytest.mark.rule("ygo:base.deck.4")
@pytest.mark.parametrize(
    ("text", "why", "rule"),
    [
        ("2 Kuriboh -> Man-Eater Bug", "2 Kuriboh is not played so often", "base.deck.4"),
        ("Kuriboh -> 2 Man-Eater Bug", "is no `2 CARD -> CARD`", "base.deck.4"),
        ("Kuriboh -> Dark Blade", "Dark Blade is not aside so often", "base.deck.4"),
        ("Kuriboh -> ", "is no `2 CARD -> CARD`", "base.deck.4"),
        ("Number 39: Utopia -> Man-Eater Bug", "not belong in an Extra Deck", "base.deck.3"),
        ("main: 40 40640057; side:", "out of the cards of the one before", "base.deck.4"),
        ("?", "only at a real table", "base.deck.4"),
    ],
)
def test_a_list_that_is_none_is_refused(text: str, why: str, rule: str) -> None:
    series = Series()
    with pytest.raises(Refused, match=why) as refused:
        series.choose(f"side {text}")
    assert refused.value.refusal.rules[0] == f"ygo:{rule}"


def test_who_lost_chooses_who_begins() -> None:
    series = after("side", "side")
    decision = series.match.pos.decision
    assert decision is not None
    assert (decision.kind, decision.seats) == ("turn-order", [0])
    assert "house:loser" in cited(series.log)


JUDGE = Official("Jo", 9, "late")


def conceded(match: Match) -> None:
    match.interject(1, "concede", 9)


def penalised(match: Match) -> None:
    rulings.penalise(match, JUDGE, 1, "game-loss")


@pytest.mark.parametrize("answers", [(), ("side",)])
@pytest.mark.parametrize("lost", [conceded, penalised])
def test_who_gives_up_between_two_games_loses_the_next(
    lost: Callable[[Match], None], answers: tuple[str, ...]
) -> None:
    series = after(*answers)
    lost(series.match)
    series.log += series.match.collect()
    pos, decision = series.match.pos, series.match.pos.decision
    assert (pos.game, pos.score, pos.over) == (2, [1, 1], False)
    assert decision is not None
    assert (decision.kind, decision.seats) == ("side", [0])
    series.choose("side")
    series.choose("side")
    assert (pos.game, series.match.pos.decision.seats) == (3, [1])  # type: ignore[union-attr]
    assert verify(series.log, RULEBOOK).kind == EXACT
    text = write(series.log, RULEBOOK)
    assert write(read(text, lambda name: RULEBOOK), RULEBOOK) == text


def test_who_gives_up_once_more_between_two_games_has_lost_the_match() -> None:
    series = Series()
    series.match.interject(0, "concede", 9)
    series.log += series.match.collect()
    pos = series.match.pos
    assert (pos.game, pos.score, pos.over, pos.winner) == (2, [0, 2], True, 1)
    assert verify(series.log, RULEBOOK).kind == EXACT


def test_a_match_that_time_ends_between_two_games_has_no_further_game() -> None:
    series = Series()
    clocks.call_time(series.match, JUDGE)
    assert str(notices.decided(series.match.pos, RULEBOOK.manifest)) == "player B won, 0–1"
    clocks.decide(series.match, JUDGE)
    series.log += series.match.collect()
    pos = series.match.pos
    assert (pos.game, pos.score, pos.over, pos.winner) == (1, [0, 1], True, 1)
    assert verify(series.log, RULEBOOK).kind == EXACT


def test_who_loses_the_match_between_two_games_has_lost_it_at_any_score() -> None:
    series = Series()
    rulings.penalise(series.match, JUDGE, 1, "match-loss")
    pos = series.match.pos
    assert (pos.game, pos.score, pos.over, pos.winner) == (2, [1, 1], True, 0)


def test_a_match_that_has_ended_stands_in_no_step() -> None:
    series = Series()
    clocks.call_time(series.match, JUDGE)
    clocks.decide(series.match, JUDGE)
    log = series.log + series.match.collect()
    assert "Side Deck" not in " ".join(State(Book.of(RULEBOOK), series.match.pos).where())
    resumed = Match.resume(RULEBOOK, log, seeded_dice(1))
    assert (resumed.pos, resumed.table.out) == (series.match.pos, [])


def fallen() -> Match:
    """A match whose first game is over since its first player has no life points left."""
    opening = Opening(("Ann", "Ben"), DECKS, 0, best_of=3)
    match = Match.open(RULEBOOK, opening, seeded_dice(1))
    decision = match.pos.decision
    assert decision is not None
    match.choose(decision.seats[0], decision.n, Act("first"), 1)
    correcting.correct(match, JUDGE, [Fix("counters", kind="life", n=8000, src="seat/0")])
    assert (match.pos.score, match.pos.step) == ([0, 1], "side")
    return match


def test_a_player_at_zero_life_loses_once_whatever_an_official_changes() -> None:
    match = fallen()
    correcting.correct(match, JUDGE, [Fix("shuffle", place="deck/0")])
    pos, decision = match.pos, match.pos.decision
    assert (pos.game, pos.score, pos.over) == (1, [0, 1], False)
    assert decision is not None
    assert (decision.kind, decision.seats) == ("side", [0])
    correcting.correct(match, JUDGE, [Fix("counters", kind="life", n=8000, src="seat/1")])
    assert (pos.game, pos.score, [*pos.lost]) == (1, [0, 1], [0])
    assert verify(match.collect(), RULEBOOK).kind == EXACT


@pytest.mark.parametrize("kind", ["draw", "end", "consent"])
def test_nothing_but_a_list_is_played_against_the_rules_between_two_games(kind: str) -> None:
    match = fallen()
    decision, before = match.pos.decision, match.pos.encoded()
    assert decision is not None
    with pytest.raises(Refused):
        irregular.play(match, JUDGE, decision.n, 0, Act(kind))
    assert match.pos.encoded() == before


def test_no_text_is_declared_between_two_games() -> None:
    series = Series("table")
    t = series.match.table
    (card,) = t.make([KURIBOH], "grave/0", "setup", "ygo:base.zone.3", owner=0)
    t.show([card], EVERYONE, "reveal", "ygo:base.zone.3")
    refusal = series.match.why_not(0, Act("declare", card, (('[{"do": "draw"}]',),)))
    assert refusal is not None
    assert str(refusal.text) == "the game has ended, and the next has not begun"


def offered(match: Match, seat: int) -> bool:
    """Whether a seat may let its opponent give up."""
    return Act("consent") in RULEBOOK.open_acts(match.pos, seat)


@pytest.mark.rule("ygo:base.loss.3")
def test_an_offer_to_give_up_is_over_with_its_game_and_may_be_made_for_the_next() -> None:
    opening = Opening(("Ann", "Ben"), DECKS, 0, best_of=3, options={"surrender": "consent"})
    match = Match.open(RULEBOOK, opening, seeded_dice(1))
    decision = match.pos.decision
    assert decision is not None
    match.choose(decision.seats[0], decision.n, Act("first"), 1)
    match.interject(1, "concede", 2)
    assert offered(match, 0)
    penalised(match)
    assert (match.pos.score, match.pos.step, offered(match, 0)) == ([1, 0], "side", False)
    match.interject(0, "concede", 10)
    assert (match.pos.score, offered(match, 0), offered(match, 1)) == ([1, 0], False, True)
    match.interject(1, "consent", 11)
    assert (match.pos.game, match.pos.score, match.pos.step) == (2, [1, 1], "side")
    assert verify(match.collect(), RULEBOOK).kind == EXACT


def cited(log: list[Entry]) -> set[str]:
    return {cite for entry in log for cite in entry.cites}


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
        conceded(series.match)
        series.log += series.match.collect()
        assert series.listed(0) == Counter(RULEBOOK.decks["YSYR"]["main"])
    for viewer in (1, PUBLIC):
        assert entries_and_text(one, viewer) == entries_and_text(other, viewer)


def test_it_is_resumed_verified_and_read_back() -> None:
    series = after(f"side {SWAP}", "side", "second")
    assert verify(series.log, RULEBOOK).kind == EXACT
    for n in range(len(series.log) // 2, len(series.log)):
        if isinstance(series.log[n].event, DecisionMade):
            resumed = Match.resume(RULEBOOK, series.log[: n + 1], seeded_dice(1))
            assert resumed.pos.encoded()
    text = write(series.log, RULEBOOK)
    repeated = read(text, lambda name: RULEBOOK)
    assert write(repeated, RULEBOOK) == text


# -- formats ---------------------------------------------------------------------------------------


@pytest.mark.rule("ygo:base.setup.4", "ygo:base.life.1")
@pytest.mark.parametrize(
    ("options", "life", "hand"),
    [({}, 8000, 6), ({"format": "2014"}, 8000, 5), ({"life": 4000}, 4000, 6)],
)
def test_the_format_says_life_points_and_who_draws(
    options: dict[str, str | int], life: int, hand: int
) -> None:
    opening = Opening(("Ann", "Ben"), DECKS, 0, options=options)
    match = Match.open(RULEBOOK, opening, seeded_dice(1))
    decision = match.pos.decision
    assert decision is not None
    match.choose(decision.seats[0], decision.n, Act("first"), 1)
    assert match.pos.counters("seat/1", "life") == life
    assert len(match.pos.zone("hand", match.pos.turn_seat)) == hand


@pytest.mark.rule("ygo:base.zone.3")
@pytest.mark.parametrize(("options", "left"), [({}, 0), ({"fields": "each"}, 1)])
def test_the_format_says_how_many_field_spells_lie_face_up(
    options: dict[str, str], left: int
) -> None:
    opening = Opening(("Ann", "Ben"), DECKS, 0, options=options)
    t = Match.open(RULEBOOK, opening, seeded_dice(1)).table
    umi = IDS["Umi"]
    t.make([umi], "field/1", "setup", "ygo:base.zone.3", owner=1)
    (card,) = t.make([umi], "hand/0", "setup", "ygo:base.zone.3", owner=0)
    show(t, 0, card)
    assert len(t.pos.zone("field", 1)) == left
    assert len(t.pos.zone("field", 0)) == 1


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
