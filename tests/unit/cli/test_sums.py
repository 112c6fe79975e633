"""Acts whose picks hang together, typed otherwise than they usually are: a few letters more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain.engine.match import Match
from domain.games import rulebook
from domain.record.decisions import Act, Offer
from domain.record.fitting.fit import completed, feasible, fit
from domain.record.values import Ref
from domain.scorekeeping.suggestions import suggest, sums
from domain.scorekeeping.suggestions.habits import Habits
from domain.telling.book import Book
from domain.text.notation import parse, write
from domain.text.scenario import load
from domain.text.scenario.setting import lay
from replay_cli.playing.fuzz.tables import public
from tests.playouts import Setup, answer, begin, opening
from tests.support.scorekeepers import Typist, desk

RULES = rulebook("battle_spirits")
BOARD = """scenario Payments
game battle_spirits

position
    A hand: Goon-Gata, Sertarius, Utmost Depth: The Windfang Crag
    A field: Gen-Bor [core 3], Mushakko [core 2], The Floating Stone Realm
    A trash: Goon-Gata, Gen-Bor
    counters A reserve: core 6

A: end phase
"""


def table() -> suggest.Table:
    match = Match(RULES, lay(RULES, load(BOARD).setting, "Payments"), lambda kind, of: (0,))
    match.driver.start()
    decision = match.pos.decision
    assert decision is not None
    book = Book.of(RULES)
    return suggest.Table(book, match.pos, 0, decision.offers[0], Habits(book))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sum goon", "summon Goon-Gata pay reserve place reserve"),
        ("sum goon soul", "summon Goon-Gata pay soul place reserve"),
        ("sum goon place soul", "summon Goon-Gata pay reserve place soul"),
        ("sum goon place 3", "summon Goon-Gata pay reserve place 3 reserve"),
        ("sum goon pay gen place mush", "summon Goon-Gata pay Gen-Bor place Mushakko"),
        ("sum sert ex goon", "summon Sertarius pay 3 reserve place reserve exile Goon-Gata"),
        ("sum sert pay 2 gen", "summon Sertarius pay reserve, 2 Gen-Bor place reserve exile none"),
        ("dep utm", "deploy Utmost Depth: The Windfang Crag pay reserve place none"),
        ("dep utm 2", "deploy Utmost Depth: The Windfang Crag pay reserve place 2 reserve"),
        ("place gen 2", "place cores Gen-Bor cores 2 reserve"),
        ("place gen soul", "place cores Gen-Bor cores soul"),
        ("place gen 2 res soul", "place cores Gen-Bor cores 2 reserve, soul"),
        ("move gen mush 2", "move cores Gen-Bor -> Mushakko cores 2 Gen-Bor"),
    ],
)
def test_the_usual_way_takes_the_card_and_any_other_a_few_letters_more(
    typed: str, meant: str
) -> None:
    t = table()
    assert t.offer is not None
    (best, *_) = suggest.suggestions(t, typed, suggest.offered(t), sums.otherwise(t, typed))
    assert best.text == meant
    assert best.sure
    assert fit(t.offer, best.command.act).picks == best.command.act.picks
    assert fit(t.offer, parse(best.text, t.pos, RULES, 0, t.offer)) == fit(
        t.offer, best.command.act
    )


@pytest.mark.parametrize("typed", ["sum goon 99", "sum goon place 9 soul", "xyz 3", "end phase 2"])
def test_what_can_not_be_is_not_suggested(typed: str) -> None:
    t = table()
    assert t.offer is not None
    for row in sums.otherwise(t, typed):
        assert fit(t.offer, row.command.act)


@pytest.mark.parametrize(
    ("text", "picks"),
    [
        ("summon Sertarius pay 2 reserve, soul", (("reserve/0", "reserve/0", "soul"),)),
        ("summon Sertarius pay soul, ...", (("reserve/0", "reserve/0", "soul"),)),
        ("summon Sertarius exile Goon-Gata, ... pay soul, ...", (None, None)),
    ],
)
def test_so_many_of_one_place_and_the_rest_as_it_comes(
    text: str, picks: tuple[tuple[str, ...] | None, ...]
) -> None:
    t = table()
    assert t.offer is not None
    act = parse(text, t.pos, RULES, 0, t.offer)
    assert fit(t.offer, act).picks == act.picks
    for wanted, picked in zip(picks, act.picks, strict=False):
        assert wanted is None or sorted(wanted) == sorted(map(str, picked))


def test_so_it_is_with_a_card_that_nobody_has_named() -> None:
    """What is said of its payment is put to the offer once it has a name."""
    setup = Setup(4, ("RSD01", "RSD02"))
    match = begin(setup)
    dealt = match.collect()
    typist = Typist(desk(setup.rules, opening(setup), dealt), Book.of(setup.rules))
    played = set[str]()
    while len(played) < 2:
        decision = match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        way = next(_otherwise(match, offer, played), None)
        act = way[0] if way else answer(setup, decision.n, offer)
        text = way[1] if way else write(act, match.pos, match.rules, seat, offer)
        before = match.pos
        names = {n: card.id for n, card in before.cards.items()}
        match.choose(seat, decision.n, act, before.time + 1)
        dealt += match.collect()
        if way is None:
            typist.enter(act, text, names.__getitem__)
            continue
        played.add(act.kind)
        typist.line(text, act, names.__getitem__)
    assert public(list(typist.desk.log)) == public(dealt)


def _otherwise(match: Match, offer: Offer, played: set[str]) -> Iterator[tuple[Act, str]]:
    """Plays in which the Soul Core is paid or placed with, and how they are typed."""
    for option in offer.options:
        for at, part in enumerate(option.parts):
            least: dict[int, tuple[Ref, ...]] = {at: ("soul",)}
            if option.kind in played or part.name not in ("pay", "place") or not option.card:
                continue
            if feasible(offer, option, None, least):
                picks = completed(offer, option, None, least=least)
                name = RULES.cards[match.pos.card(int(option.card)).id].name
                act = option.act(picks)
                text = option.effect.rpartition("/")[2]
                yield act, f"{option.kind} {name} {text} {part.name} soul"
