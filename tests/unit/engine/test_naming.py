"""Cards of a real table: who names them, what is refused, what stays known, what is forgotten."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from domain.engine.match import Match, Refused
from domain.engine.naming import Inputs, Misstated, listed, remaining
from domain.engine.signals import NameRequired, RollRequired
from domain.engine.table import Table
from domain.record.decisions import Act
from domain.record.events import CardsOrdered, DecisionMade
from domain.record.values import OFFICIALS, Sealed
from domain.record.views import PUBLIC, redact
from domain.text.scenario import load
from domain.text.scenario.setting import lay
from replay_cli.playing.fuzz.tables import at_table, no_dice
from tests import playouts

SETUP = playouts.Setup(3, ("ST01", "ST02"))
GM, GUNTANK, NOT_LISTED = "ST01-005", "ST01-004", "ST03-001"


def laid(*position: str) -> Match:
    """A match at a real table that stands at a position; seat 0 plays ST01."""
    lines = "\n".join(f"    {line}" for line in position)
    scenario = load(f"scenario Real cards\ngame gundam\n\nposition\n{lines}\n\nA: end\n")
    match = Match(SETUP.rules, lay(SETUP.rules, scenario.setting, "real", "table"), no_dice)
    match.driver.start()
    list_ = {part: tuple(cards) for part, cards in SETUP.rules.decks["ST01"].items()}
    match.pos.heading.decks = {0: ("ST01", list_), 1: ("ST01", list_)}
    match.collect()
    return match


def deploy(match: Match, names: Mapping[int, str], card: int = 0) -> None:
    decision = match.pos.decision
    assert decision is not None
    inputs = Inputs(names, (), "Sam")
    card = card or match.pos.zone("hand/0")[0]
    match.choose(0, decision.n, Act("deploy", card), match.pos.time + 1, inputs=inputs)


# -- naming ----------------------------------------------------------------------------------------


def test_what_is_pretended_while_a_question_is_answered_is_seen_in_its_answer_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A check that breaks off, or looks at the table itself, finds every card there as it is."""
    match = laid("A hand: 2", "B shield: GM")
    card, (shield,) = match.pos.zone("hand/0")[0], match.pos.zone("shield/1")
    match.pos.cards[shield].id = GM  # which is known, but not to a seat
    before, seen = match.pos.encoded(), list[tuple[str, str]]()

    def breaks_off(t: Table, seat: int, act: Act) -> None:
        asked, live = t.pos.cards[act.card], match.pos.cards[act.card]
        seen.append((asked.id, live.id))
        assert match.pos.encoded() == before
        raise RuntimeError("in the midst of it")

    monkeypatch.setitem(match.rules.acts._checks, "deploy", (breaks_off,))
    for inputs, number in ((Inputs({card: GM}), card), (Inputs(), shield)):
        with pytest.raises(RuntimeError):
            match.rules.refusal(match.with_names(inputs), 0, Act("deploy", number))
        assert match.pos.encoded() == before
    assert seen == [(GM, ""), ("", GM)]


def test_a_card_is_named_with_the_act_that_shows_it() -> None:
    match = laid("A hand: 2")
    card = match.pos.zone("hand/0")[0]
    with pytest.raises(NameRequired) as unnamed:
        deploy(match, {})
    assert [(need.number, need.place) for need in unnamed.value.needs] == [(card, "hand/0")]
    deploy(match, {card: GM})
    (unit,) = match.pos.zone("battle/0")
    assert match.pos.cards[unit].id == GM
    made = match.collect()[0]
    assert isinstance(made.event, DecisionMade)
    assert made.event.stated.value is not None
    assert made.event.stated.value.names == ((card, GM),)
    assert made.event.stated.value.who == "Sam"
    public = redact(made, PUBLIC).event
    assert isinstance(public, DecisionMade)
    assert public.stated.value is None
    assert public.act == Act("deploy", "hand/0", made.event.act.picks if made.event.act else ())


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        ({0: "XX-999"}, "CARD_UNKNOWN"),
        ({0: NOT_LISTED}, "CARD_NOT_IN_LIST"),
        ({0: GM, 9_999: GM}, "NOT_ASKED"),
    ],
)
def test_what_cannot_be_is_refused(names: dict[int, str], fault: str) -> None:
    match = laid("A hand: 2", "A resource: 9")
    hand = match.pos.zone("hand/0")[0]
    with pytest.raises(Refused) as refused:
        deploy(match, {number or hand: card for number, card in names.items()})
    assert refused.value.refusal.fault == fault
    assert "house:named" in refused.value.refusal.rules


FLUX = playouts.Setup(3, ("HX-A", "HX-A"))
MEDIC, SAINT = "HX-08", "HX-12"  # listed in the guard deck only, in the main deck only


@pytest.mark.parametrize(
    ("place", "name", "fault"),
    [
        ("main/0", MEDIC, "CARD_NOT_IN_LIST"),
        ("main/0", SAINT, ""),
        ("guard/0", SAINT, "CARD_NOT_IN_LIST"),
        ("guard/0", MEDIC, ""),
    ],
)
def test_a_card_is_named_by_the_part_of_the_list_that_it_is_from(
    place: str, name: str, fault: str
) -> None:
    match = at_table(FLUX.rules, playouts.opening(FLUX), playouts.begin(FLUX).collect())
    card = match.pos.zone(place)[0]
    assert (name in remaining(match.pos, 0, card)) == (not fault)
    match.pos.cards[card].id = name
    inputs = Inputs({card: name})
    if not fault:
        listed(match.pos, match.rules, inputs, {})
        return
    with pytest.raises(Misstated) as refused:
        listed(match.pos, match.rules, inputs, {})
    assert refused.value.refusal.fault == fault


def test_what_part_a_card_is_from_is_known_until_parts_are_mixed() -> None:
    t = at_table(FLUX.rules, playouts.opening(FLUX), playouts.begin(FLUX).collect()).table
    p, parts = t.pos, t.pos.heading.parts
    (drawn,) = t.move(t.top("main/0"), "hand/0", "draw")
    assert parts[drawn] == "main"
    (guard,) = t.move(p.zone("guard/0")[:1], "main/0", "effect")
    assert parts[guard] == "guard"
    ahead = shuffled(t, "main/1")
    assert [parts[number] for number in ahead] == ["main"] * 30
    ahead = shuffled(t, "main/0")
    assert not parts.keys() & ahead
    assert remaining(p, 0, ahead[0]) == remaining(p, 0)
    assert parts[drawn] == "main"


def shuffled(t: Table, place: str) -> list[int]:
    """The cards of a place once they were shuffled; nobody saw in which order they lie."""
    n = len(t.pos.zone(place))
    t.emit(CardsOrdered(place, n, t.pos.next_card, Sealed(OFFICIALS, ()), "shuffle"))
    return t.pos.zone(place)


def test_a_known_card_has_no_other_name() -> None:
    match = laid("A hand: 2", "A battle: GM")
    with pytest.raises(Refused) as refused:
        deploy(match, {match.pos.zone("battle/0")[0]: GUNTANK})
    assert refused.value.refusal.fault == "CARD_KNOWN"


def test_nobody_names_cards_that_were_dealt() -> None:
    match = playouts.begin(SETUP)
    decision = match.pos.decision
    assert decision is not None
    with pytest.raises(Refused) as refused:
        match.choose(decision.seats[0], decision.n, Act("first"), 1, inputs=Inputs({1: GM}))
    assert refused.value.refusal.fault == "NOT_ASKED"


# -- chance ----------------------------------------------------------------------------------------


def test_outcomes_of_chance_must_be_entered_and_can_be() -> None:
    opening = replace(playouts.opening(SETUP), mode="table")
    with pytest.raises(RollRequired) as required:
        Match.open(SETUP.rules, opening, no_dice)
    assert (required.value.kind, required.value.of) == ("chooser", 2)
    for rolls, fault in ((((2,),), "BAD_ROLL"), (((1,), (0,)), "NOT_ASKED")):
        with pytest.raises(Misstated) as refused:
            Match.open(SETUP.rules, replace(opening, rolls=rolls), no_dice)
        assert refused.value.refusal.fault == fault
    match = Match.open(SETUP.rules, replace(opening, rolls=((1,),)), no_dice)
    assert match.pos.decision is not None
    assert match.pos.decision.seats == [1]


# -- what stays known ------------------------------------------------------------------------------


def known(t: Table, place: str) -> list[str]:
    return [t.pos.cards[number].id for number in t.pos.zone(place)]


def test_a_known_card_stays_known_while_it_can_be_followed() -> None:
    t = laid("A hand: 0", "A trash: GM").table
    (card,) = t.move(t.pos.zone("trash/0"), "hand/0", "effect", "house:position")
    assert t.pos.cards[card].id == GM
    (card,) = t.move([card], "deck/0", "effect", "house:position")  # the only one that could be
    assert t.pos.cards[card].id == GM
    (card,) = t.move(t.top("deck/0"), "hand/0", "draw", "house:position")
    assert t.pos.cards[card].id == GM


def test_a_card_that_leaves_the_hand_unseen_may_be_any_of_it() -> None:
    t = laid("A hand: 2", "A trash: GM").table
    (card,) = t.move(t.pos.zone("trash/0"), "hand/0", "effect", "house:position")
    t.move([t.pos.zone("hand/0")[0]], "deck/0", "effect", "house:position")
    assert known(t, "hand/0") == ["", ""]
    assert card in t.pos.zone("hand/0")
    assert known(t, "deck/0")[-1] == ""


def test_a_card_shown_to_all_leaves_the_rest_as_it_was() -> None:
    t = laid("A hand: 2", "A trash: GM, Guntank").table
    t.move(t.pos.zone("trash/0"), "hand/0", "effect", "house:position")
    t.show([t.pos.zone("hand/0")[-1]], -1, "reveal", "house:position")
    t.move([t.pos.zone("hand/0")[-1]], "deck/0", "effect", "house:position")
    assert known(t, "hand/0") == ["", "", GM]
    assert known(t, "deck/0")[-1] == GUNTANK
