"""Acts whose picks hang together, typed otherwise than they usually are: a few letters more."""

from __future__ import annotations

import pytest

from domain.engine.match import Match
from domain.games import rulebook
from domain.record.fitting.fit import fit
from domain.text.notation import parse
from domain.text.scenario import load
from domain.text.scenario.setting import lay
from replay_cli.drawing.book import Book
from replay_cli.scorekeeper.suggestions import suggest, sums
from replay_cli.scorekeeper.suggestions.habits import Habits

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
        ("sum sert ex goon", "summon Sertarius exile Goon-Gata pay 3 reserve place reserve"),
        ("sum sert pay 2 gen", "summon Sertarius exile none pay reserve, 2 Gen-Bor place reserve"),
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
        ("summon Sertarius pay 2 reserve, soul", ((), ("reserve/0", "reserve/0", "soul"))),
        ("summon Sertarius pay soul, ...", ((), ("reserve/0", "reserve/0", "soul"))),
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
