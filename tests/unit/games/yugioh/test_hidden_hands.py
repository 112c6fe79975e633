"""What the table learns of a hand, and what whoever records a real one can and can't know of it."""

from __future__ import annotations

import pytest

from domain.engine.match import Match, Refused
from domain.engine.signals import NameRequired
from domain.games.yugioh.rulebook import RULEBOOK
from domain.record.entries import Entry
from domain.record.events import CardsKnown, DecisionMade, FrameOpened, Stated
from domain.record.views import PUBLIC, redact
from domain.text.reading import read
from domain.text.scenario import load
from domain.text.scenario.setting import lay
from replay_cli.playing.fuzz.tables import no_dice, public
from tests.unit.games.yugioh.real_table import IDS, RealTable


def dealt(position: str, *acts: str) -> list[Entry]:
    """What all see of these acts, each done as soon as it may be; till then all pass."""
    scenario = load("scenario -\ngame yugioh\nposition\n" + position)
    match = Match(RULEBOOK, lay(RULEBOOK, scenario.setting, "-"), no_dice)
    match.driver.start()
    match.collect()
    left = [*acts]
    while left:
        decision = match.pos.decision
        assert decision is not None
        (seat,) = decision.seats
        offer = decision.offers[seat]
        assert offer is not None
        verb = left[0].partition(" ")[0]
        text = left.pop(0) if any(one.kind == verb for one in offer.options) else "pass"
        act, _ = read(text, match.pos, RULEBOOK, seat, offer)
        match.choose(seat, decision.n, act, match.pos.time + 1)
    return public(match.collect())


SHOWN = {
    "an effect out of the hand": (
        "    turn 2 A\n    step battle\n    A monster: Gemini Elf\n    B hand: {}\n",
        ("Kuriboh", "Sangan"),
        ("attack Gemini Elf -> player", "activate Kuriboh"),
    ),
    "Fusion Materials": (
        "    A hand: Polymerization, {}\n    A extra: Elemental HERO Flame Wingman\n",
        ("Elemental HERO Avian", "Elemental HERO Burstinatrix", "Sangan"),
        (
            "activate Polymerization", "choose Elemental HERO Flame Wingman",
            "make Elemental HERO Avian material-2 Elemental HERO Burstinatrix",
        ),
    ),
}  # fmt: skip


@pytest.mark.rule("reading:ygo/A28")
@pytest.mark.parametrize("case", SHOWN)
def test_nobody_learns_since_when_a_card_was_held(case: str) -> None:
    position, hand, acts = SHOWN[case]
    one, other = (", ".join(cards) for cards in (hand, hand[::-1]))
    seen = dealt(position.format(one), *acts)
    assert [e for e in seen if isinstance(e.event, CardsKnown) and e.event.why == "reveal"]
    assert seen == dealt(position.format(other), *acts)


@pytest.mark.rule("ygo:special.condition.1")
def test_a_summoned_monster_is_named_before_its_price_is_paid() -> None:
    position = "    A hand: The Tricky, Sangan\n"
    seen = dealt(position, "special The Tricky cost Sangan")
    frame, paid = (
        next(entry for entry in seen if isinstance(entry.event, kind))
        for kind in (FrameOpened, CardsKnown)
    )
    assert isinstance(frame.event, FrameOpened)
    assert frame.event.facts["card"] == IDS["The Tricky"]
    assert frame.seq < paid.seq


# -- what was known of a hand -------------------------------------------------------------------


def with_known(name: str, position: str) -> tuple[RealTable, int, int]:
    """A table where A holds two cards of which one is known; and the two."""
    table = RealTable(position)
    known, other = table.lying("hand/0")
    table.match.pos.cards[known].id = IDS[name]
    return table, known, other


@pytest.mark.rule("ygo:set.monster.1")
def test_a_card_that_is_set_unseen_may_be_the_one_that_was_known() -> None:
    table, known, other = with_known("Sangan", "    A hand: 2\n")
    table.choose("set-monster", other)
    stated = [e.event.stated.value for e in table.log if isinstance(e.event, DecisionMade)]
    assert stated[-1] is not None
    assert stated[-1].names == ((known, ""),)
    assert not table.match.pos.cards[known].id
    assert Match.resume(RULEBOOK, table.log, no_dice).pos == table.match.pos
    made = next(e for e in reversed(table.log) if isinstance(e.event, DecisionMade))
    found = [redact(made, viewer).event for viewer in (0, 1, PUBLIC)]
    names = [one.stated.value for one in found if isinstance(one, DecisionMade)]
    assert names == [Stated(((known, ""),)), None, None]


@pytest.mark.rule("ygo:set.monster.1")
def test_one_that_is_named_as_it_is_set_leaves_the_other_known() -> None:
    table, known, other = with_known("Sangan", "    A hand: 2\n")
    table.choose("set-monster", other, **{f"n{other}": "Kuriboh"})
    assert table.match.pos.cards[known].id == IDS["Sangan"]


@pytest.mark.rule("ygo:summon.normal.1")
def test_one_that_shows_as_it_is_played_leaves_the_other_known() -> None:
    table, known, other = with_known("Sangan", "    A hand: 2\n")
    table.choose("summon", other, **{f"n{other}": "Kuriboh"})
    assert table.match.pos.cards[known].id == IDS["Sangan"]


# -- what nobody needs to name ------------------------------------------------------------------


@pytest.mark.rule("ygo:flip.summon.1")
def test_whether_a_set_monster_may_not_be_summoned_comes_out_as_it_is_turned_up() -> None:
    """Gagaga Girl's player may Summon no other one of that name while she lies there."""
    position = "    A monster: {}, Kuriboh [down, defence]\n"
    for name, fits in (("Kuriboh", True), ("Gagaga Magician", False)):
        table = RealTable(position.format("Gagaga Magician"))
        (card,) = (n for n in table.lying("monster/0") if not table.match.pos.cards[n].up)
        table.match.pos.cards[card].id = ""
        with pytest.raises(NameRequired):
            table.choose("flip", card)
        table.match.pos.cards[card].id = ""
        if fits:
            table.choose("flip", card, **{f"n{card}": name})
            continue
        with pytest.raises(Refused) as refused:
            table.choose("flip", card, **{f"n{card}": name})
        assert refused.value.refusal.rules[0] == "ygo:golden.card.1"


@pytest.mark.rule("ygo:base.set.1")
@pytest.mark.parametrize("whose", ["yours", "theirs"])
def test_what_a_text_sets_of_a_whole_hand_is_named(whose: str) -> None:
    """A player is trusted with what he picks out himself; a text takes only what it may."""
    table = RealTable("    A monster: Gemini Elf\n    A hand: 1\n    B hand: 1\n")
    (elf,), match = table.lying("monster/0"), table.match
    group = f'{{"zone": "hand", "whose": "{whose}"}}'
    text = f'[{{"do": "set-down", "to": {group}}}]'
    with pytest.raises(NameRequired):
        match.interject(0, "declare", match.pos.time, elf, (text,))
