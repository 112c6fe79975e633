"""What the next games need, played at random: a toy with cores, wait states, links, side decks."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import games
from domain.engine.checks.invariants import Watch
from domain.engine.checks.verify import DIVERGED, EXACT, verify
from domain.engine.match import Deck, Match, Opening, Refused
from domain.engine.rulebook import Dice as Chances
from domain.engine.rulebook import Rulebook
from domain.games.kit.lists import side
from domain.record import events as ev
from domain.record.decisions import SECRET, Act, Answer, Offer, Option
from domain.record.entries import Entry, active, encode
from domain.record.folding.digests import digest
from domain.record.folding.fold import fold, fold_all
from domain.record.position import Position
from domain.record.schema.citations import known, texts
from domain.record.schema.wording import faults
from domain.record.values import CHANCE, Sealed
from domain.record.values import RULES as BY_RULES
from domain.record.views import OFFICIAL, PUBLIC, position, redact
from domain.telling.book import Book
from domain.telling.narration.narrator import Narrator
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from replay_cli.drawing.board import draw
from replay_cli.playing.effects.coverage import Coverage
from replay_cli.playing.effects.covered import cover_many
from service import wire
from tests.cores import GAME
from tests.playouts import Dice, Setup, chances, complete, play
from tests.properties.strategies import examples, setups

SEEDS = st.integers(0, 2**20)
VIEWERS = (0, 1, PUBLIC, OFFICIAL)


def opened(seed: int, dice: Chances | None = None) -> Match:
    decks = tuple(Deck(name, GAME.decks[name]) for name in ("ones", "twos"))
    return Match.open(GAME, Opening(("Ann", "Ben"), decks, 0, best_of=3), dice or Dice(seed))


def exchanged(match: Match, seat: int, rng: Random) -> str:
    """The list of a seat with one card of either part for the other, now and then."""
    parts = match.pos.heading.decks[seat][1]
    assert parts is not None
    main, aside = [*parts["main"]], [*parts["side"]]
    if rng.random() < 0.3:
        return ""
    at, by = rng.randrange(len(main)), rng.randrange(len(aside))
    main[at], aside[by] = aside[by], main[at]
    return side.written({"main": main, "side": aside})


def choose(match: Match, rng: Random, act: Act | None = None) -> list[Entry]:
    decision = match.pos.decision
    assert decision is not None
    seat = decision.seats[0]
    offer = decision.offers[seat]
    assert isinstance(offer, Offer)
    if act is None and any(part.pool == SECRET for part in offer.options[0].parts):
        act = Act(side.KIND, 0, ((exchanged(match, seat, rng),),))
    act = act or complete(rng, offer, _one(rng, offer))
    match.choose(seat, decision.n, act, match.pos.time + rng.randrange(900))
    return match.collect()


def _one(rng: Random, offer: Offer) -> Option:
    kind = rng.choice(sorted({option.kind for option in offer.options}))
    return rng.choice([option for option in offer.options if option.kind == kind])


def played(seed: int) -> list[Entry]:
    match, rng = opened(seed), Random(seed)
    log = match.collect()
    while not match.pos.over:
        log += choose(match, rng)
    return log


@examples(8)
@given(SEEDS)
def test_every_table_is_sound_and_is_what_its_log_says(seed: int) -> None:
    match, rng, watch = opened(seed), Random(seed), Watch(GAME)
    log = match.collect()
    watch.take(log)
    while not match.pos.over:
        repeated = Match.resume(GAME, log, Dice(seed, chances(log)))
        assert (repeated.pos, repeated.table.out) == (match.pos, [])
        assert digest(fold_all(active(log))) == digest(match.pos)
        assert watch.look(match.pos) == []
        new = choose(match, rng)
        watch.take(new)
        log += new
    assert [fault for entry in log for fault in faults(GAME.manifest, entry)] == []
    assert verify(log, GAME).kind == EXACT


def test_everything_of_the_kind_comes_up() -> None:
    logs = [played(seed) for seed in range(12)]
    found = {type(entry.event) for log in logs for entry in log}
    assert found >= {ev.CardsLinked, ev.CardsAttached, ev.CardsControlled, ev.DepartureBegan,
                     ev.EffectScheduled, ev.ScheduleEnded}  # fmt: skip
    kept = [e.event for log in logs for e in log
            if isinstance(e.event, ev.CardsMoved) and e.event.kept]  # fmt: skip
    assert any(one.src != one.dst for one in kept)


def test_events_are_narrated() -> None:
    found = []
    for seed in range(8):
        narrator, rows = Narrator(Book.of(GAME), quiet=False), []
        for entry in played(seed):
            rows += narrator.feed(entry)
        found += [row.text for row in rows]
    for part in ("later (Next draw): Draw of", ": Draw is due", "belongs to", "(Equip)"):
        assert any(part in text for text in found), part


def test_the_board_says_where_a_card_goes_and_what_it_belongs_to() -> None:
    boards = []
    for seed in range(6):
        p = Position()
        for entry in played(seed):
            if isinstance(entry.event, ev.DecisionOpened) and (
                p.departures or p.links or p.scheduled
            ):
                boards.append(draw(Book.of(GAME), p, near=0, width=140).plain)
            fold(p, entry)
    drawn = " ".join(" ".join(boards).split())
    for part in (
        "on its way out (Destroyed by player B, to A's Trash)", "Equip of Card",
        "player A: Draw, later (Next draw)",
    ):  # fmt: skip
        assert part in drawn


def _swapped(seed: int) -> Chances:
    """The same chance, but that the second deck's undermost two cards lie the other way round."""
    dice, shuffles = Dice(seed), iter((0, 1))

    def fall(kind: str, of: int) -> tuple[int, ...]:
        drawn = dice(kind, of)
        return (drawn[1], drawn[0], *drawn[2:]) if next(shuffles, 0) else drawn

    return fall


def _first_game(seed: int, dice: Chances) -> list[Entry]:
    """A match until three cards are left in that deck, or its first game is over."""
    match, rng = opened(seed, dice), Random(seed)
    log = match.collect()
    while match.pos.game == 1 and len(match.pos.zone("deck", 1)) > 3:
        log += choose(match, rng)
    return log


@examples(6)
@given(SEEDS)
def test_cards_that_nobody_saw_make_no_difference(seed: int) -> None:
    """The undermost two of the rival's deck lie the other way round: the others see the same."""
    hands = [_first_game(seed, Dice(seed)), _first_game(seed, _swapped(seed))]
    assert hands[0] != hands[1]
    for viewer in (0, PUBLIC):
        seen = [[encode(redact(entry, viewer)) for entry in log] for log in hands]
        assert seen[0] == seen[1]


@examples(4)
@given(SEEDS)
def test_everybody_reads_it(seed: int) -> None:
    log = played(seed)
    for viewer in VIEWERS:
        seen = [redact(entry, viewer) for entry in log]
        assert [wire.entry_of(wire.entry(entry)) for entry in seen] == seen
        p = position(log, viewer)
        assert wire.table_of(wire.table(p)) == p
        narrator = Narrator(Book.of(GAME), quiet=False)
        for entry in seen:
            narrator.feed(entry)
        text = write(seen, GAME)
        if viewer == OFFICIAL:
            repeated = read(text, lambda name: GAME)
            assert write(repeated, GAME) == text


@examples(6)
@given(SEEDS)
def test_nobody_can_tell_whether_a_rival_exchanged_cards(seed: int) -> None:
    """Two matches that differ in what the second seat handed in look the same to the others."""

    def until_game_two(text: str) -> list[Entry]:
        match, rng = opened(seed), Random(seed)
        log = match.collect()
        while match.pos.decision is None or match.pos.decision.kind != side.KIND:
            log += choose(match, rng)
        for act in ("", text):
            log += choose(match, rng, Act(side.KIND, 0, ((act,),)))
        return log

    parts = GAME.decks["twos"]
    swapped = {"main": [*parts["main"][:-1], parts["side"][0]],
               "side": [parts["main"][-1], *parts["side"][1:]]}  # fmt: skip
    one, other = until_game_two(""), until_game_two(side.written(swapped))
    assert one != other
    for viewer in (0, PUBLIC):
        seen = [[encode(redact(entry, viewer)) for entry in log] for log in (one, other)]
        assert seen[0] == seen[1]
        assert write([redact(e, viewer) for e in one], GAME) == write(
            [redact(e, viewer) for e in other], GAME
        )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tea", "no `PART"),
        ("main: 2 3 4", "no `2 CARD`"),
        ("T01 -> ", "no `2 CARD -> CARD`"),
        ("T16 -> T17", "T16 is not played so often"),
        ("2 T01 -> T16", "2 T01 is not played so often"),
        ("?", "only at a real table"),
        ("main: 15 T01; side: 3 T02", "from the cards of the one before"),
        ("main: {main}, {side}; side:", "as many cards"),
    ],
)
def test_a_list_that_is_none_is_refused(text: str, why: str) -> None:
    match, rng = opened(3), Random(3)
    while match.pos.decision is None or match.pos.decision.kind != side.KIND:
        choose(match, rng)
    cards = {part: ", ".join(found) for part, found in GAME.decks["ones"].items()}
    before = match.pos.encoded()
    with pytest.raises(Refused, match=why):
        choose(match, rng, Act(side.KIND, 0, ((text.format(**cards),),)))
    assert match.pos.encoded() == before


def test_a_list_that_was_handed_in_is_played_with() -> None:
    match, rng = opened(3), Random(3)
    while match.pos.decision is None or match.pos.decision.kind != side.KIND:
        choose(match, rng)
    text = exchanged(match, 0, Random(5))
    choose(match, rng, Act(side.KIND, 0, ((text,),)))
    choose(match, rng, Act(side.KIND, 0, (("",),)))
    handed = side.read(text, {}, {})
    owned = Counter(card.id for card in match.pos.cards.values() if card.owner == 0)
    assert owned == Counter(handed["main"])
    assert owned != Counter(GAME.decks["ones"]["main"])


def test_a_list_that_nobody_could_hand_in_is_found() -> None:
    """The answer and the list are altered together, so that the one leads to the other."""
    log = played(3)
    at = next(k for k, e in enumerate(log) if isinstance(e.event, ev.DecisionMade)
              and e.event.answer.to == 1 and e.event.act == Act(side.KIND, 0, ((),)))  # fmt: skip
    later = next(k for k, e in enumerate(log) if k > at and isinstance(e.event, ev.DeckRegistered))
    made, handed = log[at].event, log[later].event
    assert isinstance(made, ev.DecisionMade)
    assert isinstance(handed, ev.DeckRegistered)
    other = {"main": ("T20",) * 15, "side": ("T20",) * 3}
    answer = Sealed(1, Answer(0, ((side.written(other),),)))
    log[at] = replace(log[at], event=replace(made, answer=answer))
    log[later] = replace(log[later], event=replace(handed, cards=Sealed(1, other)))
    verdict = verify(log, GAME)
    assert (verdict.kind, verdict.seq) == (DIVERGED, log[at].seq)


def test_cores_that_went_with_a_card_are_missed() -> None:
    """Shows that the check works: a log in which cores were left on a card that is gone."""
    log = played(2)
    at = next(k for k, e in enumerate(log) if isinstance(e.event, ev.CountersMoved)
              and isinstance(e.event.src, int) and e.event.kind == "core")  # fmt: skip
    watch = Watch(GAME)
    leaky = [*log[:at], *log[at + 1 : at + 2]]
    watch.take(leaky)
    assert any("core are held of" in fault for fault in watch.leaked(fold_all(leaky)))
    assert verify([*log[:at], *log[at + 1 :]], GAME).kind == DIVERGED


# -- every citation names a rule that exists, every word is declared, every refusal names its rul --


def exists(cite: str, rules: Rulebook) -> bool:
    """Whether a citation names something in that book."""
    return known(cite, rules.rules, texts(rules.cards))


@examples(8)
@given(setups())
def test_everything_cited_exists(setup: Setup) -> None:
    cites = {cite for entry in play(setup) for cite in entry.cites}
    assert not [cite for cite in cites if not exists(cite, setup.rules)]


@examples(8)
@given(setups())
def test_every_entry_that_a_rule_mandates_names_it(setup: Setup) -> None:
    for entry in play(setup):
        assert entry.cites or entry.by not in (BY_RULES, CHANCE, 0, 1), entry


@examples(8)
@given(setups())
def test_every_word_is_declared(setup: Setup) -> None:
    assert not {fault for entry in play(setup) for fault in faults(setup.rules.manifest, entry)}


# -- every effect of every card can be carried out, refused where it must be, and leaves no fault --


#: Games whose cards are all tried.
GAMES = ("gundam@1.9",)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_effect_of_every_card_is_carried_out(game: str) -> None:
    known = games.rulebook(game).cards
    cards = sorted(called for called, card in known.items() if card.effects)
    report = cover_many(game, cards, seed=0, jobs=2)
    assert report.missing == {}
    assert report.faults == {}


def test_what_is_never_seen_is_listed() -> None:
    coverage = Coverage("gundam@1.9")
    coverage.cover("ST01-004", tries=0)
    assert coverage.report.missing == {"ST01-004/deploy": ["used", "done", "answered"]}
    coverage.cover("ST01-004")
    assert not coverage.report.missing
    assert not coverage.report.faults


@pytest.mark.parametrize("card", ["ST01-012", "ST02-013", "GD04-035", "GD05-124"])
def test_what_a_text_waits_for_is_brought_about(card: str) -> None:
    """A Command with a Pilot, one for a battle, a text that is given, a replacement."""
    coverage = Coverage("gundam@1.9", 3)
    coverage.cover(card)
    assert coverage.report.missing == {}
    assert coverage.report.faults == {}


def test_the_same_seed_tries_the_same() -> None:
    reports = []
    for _ in range(2):
        coverage = Coverage("gundam@1.9", 3)
        coverage.cover("ST04-010")
        reports.append(replace(coverage.report, seconds={}))
    assert reports[0] == reports[1]
