"""What the rules refuse is done only where a judge has ruled so, and the record says that."""

from __future__ import annotations

import pytest

from domain.engine.checks import invariants
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening, Refused
from domain.games.yugioh.effects import figures
from domain.games.yugioh.rulebook import RULEBOOK
from domain.officials import irregular, rulings
from domain.officials.corrections.correcting import correct
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.officials.irregular import Impossible
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import EffectTriggered, NotDone, StepBegan
from domain.record.interventions import Irregularity, Ruling
from domain.text.scenario import load
from domain.text.scenario.setting import lay
from replay_cli.playing.bots import seeded_dice

DECKS = tuple(Deck(name, RULEBOOK.decks[name]) for name in ("YSYR", "YSKR"))
JUDGE = Official("Ada", 1_000_000, "a text said so")
REFUSED = "ygo:battle.phase.3"


def in_turn_one() -> tuple[Match, list[Entry], int]:
    """A match in Main Phase 1 of the first turn, its log, and the player whose turn it is."""
    match = Match.open(RULEBOOK, Opening(("Ann", "Ben"), DECKS, 0), seeded_dice(1))
    decision = match.pos.decision
    assert decision is not None
    match.choose(decision.seats[0], decision.n, Act("first"), 1)
    while match.pos.step != "main1":
        decision = match.pos.decision
        assert decision is not None
        match.choose(decision.seats[0], decision.n, Act("pass"), match.pos.time + 1)
    return match, match.collect(), match.pos.turn_seat


@pytest.mark.rule("ygo:dispute.judge.1")
def test_a_ruling_is_the_only_way_past_a_refusal() -> None:
    match, log, seat = in_turn_one()
    decision = match.pos.decision
    assert decision is not None
    with pytest.raises(Refused) as caught:
        match.choose(seat, decision.n, Act("battle"), match.pos.time + 1)
    assert caught.value.refusal.rules[0] == REFUSED
    assert match.collect() == []
    rulings.rule(match, JUDGE, "this once", ("ygo:dispute.judge.1", REFUSED), decision=decision.n)
    irregular.play(match, JUDGE, decision.n, seat, Act("battle"))
    added = match.collect()
    found = [entry for entry in added if isinstance(entry.event, Ruling | Irregularity)]
    assert [type(entry.event) for entry in found] == [Ruling, Irregularity]
    assert found[0].cites[:2] == ("ygo:dispute.judge.1", REFUSED)
    assert isinstance(found[1].event, Irregularity)
    assert found[1].event.rule == REFUSED
    steps = [entry.event.path for entry in added if isinstance(entry.event, StepBegan)]
    assert steps == ["main1/to-battle"]
    assert verify(log + added, RULEBOOK).kind == EXACT


def test_what_was_ruled_holds_no_longer_than_the_play() -> None:
    match, _, seat = in_turn_one()
    decision = match.pos.decision
    assert decision is not None
    rulings.rule(match, JUDGE, "this once", ("ygo:dispute.judge.1", REFUSED), decision=decision.n)
    with pytest.raises(Refused):
        match.choose(seat, decision.n, Act("battle"), JUDGE.now + 1)


# -- cards on their way out ------------------------------------------------------------------------


def at(position: str) -> Match:
    """A match that goes on from a position."""
    scenario = load("scenario -\ngame yugioh\nposition\n" + position)
    match = Match(RULEBOOK, lay(RULEBOOK, scenario.setting, "-"), seeded_dice(1))
    match.driver.start()
    return match


def choose(match: Match, act: Act) -> None:
    """An act of whoever is asked."""
    decision = match.pos.decision
    assert decision is not None
    match.choose(decision.seats[0], decision.n, act, match.pos.time + 1)


def set_out(match: Match, seat: int, why: str) -> None:
    """A judge says that a player's monster is on its way to the Graveyard."""
    cards = tuple(match.pos.zones[f"monster/{seat}"])
    correct(match, JUDGE, [Fix("depart", cards, kind=why, place=f"grave/{seat}", subject=0)])


@pytest.mark.parametrize("why", ["battle", "destroyed", "host"])
@pytest.mark.parametrize("chained", [False, True])
def test_nothing_is_on_its_way_out_but_by_a_battle(why: str, chained: bool) -> None:
    match = at("    A hand: Dark Hole\n    B monster: Gemini Elf\n")
    if chained:
        (spell,) = match.pos.zones["hand/0"]
        choose(match, Act("activate", spell))
        assert [frame.kind for frame in match.pos.frames] == ["chain"]
    with pytest.raises(Impossible, match="is on its way out"):
        set_out(match, 1, why)


@pytest.mark.parametrize("why", ["battle", "destroyed"])
def test_what_a_judge_says_is_beaten_leaves_as_the_battle_ends(why: str) -> None:
    match = at("    step battle\n    A monster: Gemini Elf\n    B monster: Battle Ox\n")
    (elf,), (ox,) = match.pos.zones["monster/0"], match.pos.zones["monster/1"]
    choose(match, Act("attack", elf, ((ox,),)))
    while match.pos.step != "damage/7":
        choose(match, Act("pass"))
    assert match.pos.cards[ox].departing == "battle"
    if why == "destroyed":
        with pytest.raises(Impossible, match="no battle ends with that"):
            set_out(match, 0, why)
        return
    set_out(match, 0, why)
    while match.pos.step.startswith("damage"):
        choose(match, Act("pass"))
    assert [match.pos.zones[f"monster/{seat}"] for seat in (0, 1)] == [[], []]


def test_a_game_may_end_while_something_is_on_its_way_out() -> None:
    match = at("    step battle\n    A monster: Gemini Elf\n    B monster: Battle Ox\n")
    (elf,), (ox,) = match.pos.zones["monster/0"], match.pos.zones["monster/1"]
    choose(match, Act("attack", elf, ((ox,),)))
    while match.pos.step != "damage/7":
        choose(match, Act("pass"))
    rulings.penalise(match, JUDGE, 1, "match-loss")
    assert match.pos.over
    assert invariants.faults(match.pos, RULEBOOK, listed=False) == []


def test_what_a_judge_lets_come_by_no_condition_cites_no_text() -> None:
    match = at("    A hand: Gemini Elf\n")
    (elf,), decision = match.pos.zones["hand/0"], match.pos.decision
    assert decision is not None
    match.collect()
    irregular.play(match, JUDGE, decision.n, 0, Act("special", elf))
    cites = {cite for entry in match.collect() for cite in entry.cites}
    assert "ygo:special.condition.1" in cites
    assert not [cite for cite in cites if cite.startswith("card:")]


@pytest.mark.parametrize(
    ("act", "position", "gone"),
    [
        ("synchro", "    A monster: Junk Synchron\n    A extra: Junk Warrior\n", "monster/0"),
        ("summon", "    A hand: Blue-Eyes White Dragon\n    A monster: Sangan\n", "monster/0"),
        ("activate", "    A hand: Enemy Controller\n    A monster: Sangan\n", "monster/0"),
    ],
)
def test_a_card_that_a_play_names_twice_is_given_once(act: str, position: str, gone: str) -> None:
    match = at(position + "    B monster: Gemini Elf\n")
    (given,), decision = match.pos.zones[gone], match.pos.decision
    assert decision is not None
    card = next(n for zone in ("hand/0", "extra/0") for n in match.pos.zones.get(zone, ()))
    picks = {
        "synchro": ((given,), (given,)),
        "summon": ((given, given),),
        "activate": ((*match.pos.zones["monster/1"],), (given, given)),
    }
    text = "98045062/control" if act == "activate" else ""
    irregular.play(match, JUDGE, decision.n, 0, Act(act, card, picks[act], text))
    assert invariants.faults(match.pos, RULEBOOK, listed=False) == []
    assert match.pos.zones["grave/0"] == [match.pos.departed[given].now]


def test_a_link_whose_card_a_judge_shuffles_away_is_carried_out() -> None:
    match = at("    step battle\n    A monster: Gemini Elf\n    B hand: 2 Gagaga Gardna\n")
    (elf,), (gardna, _) = match.pos.zones["monster/0"], match.pos.zones["hand/1"]
    choose(match, Act("attack", elf, (("seat/1",),)))
    choose(match, Act("activate", gardna))
    choose(match, Act("pass"))
    correct(match, JUDGE, [Fix("shuffle", place="hand/1")])
    while match.pos.frames[-1].kind == "chain":
        choose(match, Act("pass"))
    undone = [e.event for e in match.collect() if isinstance(e.event, NotDone)]
    assert [(event.what, event.why) for event in undone] == [("deploy", "gone")]
    assert len(match.pos.zones["hand/1"]) == 2


def test_a_monster_is_not_made_of_itself() -> None:
    match = at("    A monster: Abyss Dweller\n    B monster: Gemini Elf\n")
    (monster,), decision = match.pos.zones["monster/0"], match.pos.decision
    assert decision is not None
    irregular.play(match, JUDGE, decision.n, 0, Act("xyz", monster, ((monster,), ())))
    asked = match.pos.decision
    assert asked is not None
    match.choose(0, asked.n, Act("place", monster), match.pos.time + 1)
    (now,) = match.pos.zones["limbo/0"]
    assert not match.pos.cards[now].attached
    assert invariants.faults(match.pos, RULEBOOK, listed=False) == []


def test_a_material_whose_host_a_judge_moves_away_is_a_monster_of_its_own() -> None:
    match = at("    A monster: Abyss Dweller [with material Sangan]\n    A hand: Dark Hole\n")
    (host,), (hole,) = match.pos.zones["monster/0"], match.pos.zones["hand/0"]
    correct(match, JUDGE, [Fix("move", (host,), place="extra/0")])
    (sangan,) = match.pos.zones["monster/0"]
    assert figures.is_monster(match.pos, sangan)
    choose(match, Act("activate", hole))
    for _ in range(2):
        choose(match, Act("pass"))
    triggered = [e.event for e in match.collect() if isinstance(e.event, EffectTriggered)]
    assert [event.effect for event in triggered] == ["26202165/search"]
