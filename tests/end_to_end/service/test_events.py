"""Matches of an event, through the service: its policy, cards that no catalogue has."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from domain.engine.match import Deck
from domain.games import rulebook
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.interventions import TimeCalled
from domain.record.position import Position
from domain.record.schema.policy import Clocks, EndOfTime, Policy
from domain.record.values import Ref
from service import wire
from service.client.client import CallError, Client
from tests.support import serving
from tests.support.serving import play

POLICY = Policy(
    "Autumn Regional",
    clocks=Clocks(round=2_100_000, seat=600_000, increment=2_000, flag="game loss"),
    end=EndOfTime(3, 0, ("shield", "deck")),
    delay="2 decisions",
)
SEATS = ["Ann", "Ben"]


def test_the_policy_of_an_event_is_part_of_the_match(organiser: Client) -> None:
    opened = organiser.open_match("gundam", SEATS, ["ST01", "ST03"], policy=POLICY)
    assert wire.policy_of(organiser.match(opened.id).policy) == POLICY
    for token in (opened.official, *opened.seats):
        pos = organiser.with_token(token).position(opened.id)
        assert pos.heading.policy == POLICY
        assert pos.clocks["seat/1"].left == 600_000


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (Policy(end=EndOfTime(tiebreaks=("life",))), "life"),
        (Policy(clocks=Clocks(flag="shame")), "flag"),
        (Policy(delay="soon"), "delay"),
    ],
)
def test_a_policy_that_cant_be_meant_is_refused(
    organiser: Client, policy: Policy, says: str
) -> None:
    with pytest.raises(CallError, match=says) as refused:
        organiser.open_match("gundam", SEATS, ["ST01", "ST03"], policy=policy)
    assert refused.value.reason == "FIELD_INVALID"
    assert refused.value.metadata["field"] == "policy"


CARD = {"id": "E2E-001", "name": "Harbour Watch", "type": "unit", "color": "blue",
        "lv": 1, "cost": 1, "ap": 2, "hp": 3}  # fmt: skip


def deck(card: str) -> Deck:
    """A ready-made list with one of its cards in the place of most others of one color."""
    parts = rulebook("gundam").decks["ST01"]
    return Deck("Mine", {**parts, "main": [*parts["main"][:46], *[card] * 4]})


def test_cards_that_no_catalogue_has_are_brought_and_declared(organiser: Client) -> None:
    lists = [deck("E2E-001"), deck("E2E-001")]
    opened = organiser.open_match(
        "gundam", SEATS, lists, prints=[json.dumps(CARD)], policy=POLICY, seed=3
    )
    assert [json.loads(text) for text in organiser.match(opened.id).prints] == [CARD]
    seats = [organiser.with_token(token) for token in opened.seats]
    official, card = organiser.with_token(opened.official), 0
    while not card:
        pos = official.position(opened.id)
        assert pos.decision is not None
        seat = pos.decision.seats[0]
        offer = seats[seat].position(opened.id).decision.offers[seat]  # type: ignore[union-attr]
        assert offer is not None
        mine = [o for o in offer.options if o.kind == "deploy" and _is(pos, o.card)]
        option = mine[0] if mine else offer.options[-1]
        act = option.act()
        seats[seat].choose(opened.id, pos.decision.n, act)
        if mine:
            now = official.position(opened.id)
            card = next(n for n in now.zone("battle", seat) if _is(now, n))
    text = json.dumps([{"do": "draw", "n": 1}])
    hand = len(official.position(opened.id).zone("hand", seat))
    seats[seat].interject(opened.id, Act("declare", card, ((text,),)))
    assert len(official.position(opened.id).zone("hand", seat)) == hand + 1
    with pytest.raises(CallError) as refused:
        seats[1 - seat].interject(opened.id, Act("declare", card, ((text,),)))
    assert refused.value.rules == ("house:declared",)
    entries = organiser.match(opened.id).entries
    for n in (3_000_000_000, 2**63 - 1, -(10**7)):
        to = {"zone": "this"}
        vast = {"do": "modify", "key": "ap", "n": n, "until": "turn", "to": to}
        with pytest.raises(CallError, match="a number goes from") as refused:
            seats[seat].interject(opened.id, Act("declare", card, ((json.dumps([vast]),),)))
        assert refused.value.reason == "OUT_OF_BOUNDS"
        assert refused.value.rules == ("house:bounds", "house:declared")
    assert organiser.match(opened.id).entries == entries
    assert organiser.verify(opened.id).verdict == 1


def _is(pos: Position, number: Ref) -> bool:
    return isinstance(number, int) and pos.card(number).id == "E2E-001"


def test_time_is_called_and_the_game_decided_while_people_watch(organiser: Client) -> None:
    end = EndOfTime(0, 600_000, ("shield", "deck"))
    policy = Policy(clocks=Clocks(round=1_000, seat=600_000), end=end)
    opened = organiser.open_match("gundam", SEATS, ["ST01", "ST03"], policy=policy, seed=4)
    official = organiser.with_token(opened.official)
    seats = tuple(map(organiser.with_token, opened.seats))
    play(seats, opened, Random(3), 20)
    with pytest.raises(CallError) as refused:
        seats[0].call_time(opened.id)
    assert refused.value.reason == "ROLE_REQUIRED"
    with pytest.raises(CallError) as refused:
        official.flag_clock(opened.id, 0)
    assert refused.value.reason == "TIME_LEFT"
    with pytest.raises(CallError) as refused:
        official.decide_by_time(opened.id)
    assert refused.value.reason == "TIME_NOT_CALLED"
    official.extend(opened.id, "seat/0", 60_000)
    called = official.call_time(opened.id)
    pos = seats[1].position(opened.id)
    assert (pos.called, pos.extra) == (True, -1)
    assert pos.deadline > 0
    play(seats, opened, Random(4), 4)
    official.decide_by_time(opened.id)
    found = [e.event for e in seats[0].watch(opened.id, after=called.first_seq - 1)]
    assert [e.turns for e in found if isinstance(e, TimeCalled)] == [-1]
    assert any(isinstance(e, ev.SeatLost) and e.why == "time" for e in found)
    assert isinstance(found[-1], ev.MatchEnded)
    assert organiser.verify(opened.id).verdict == 1


def test_a_match_whose_minutes_are_over_ends_by_itself_and_takes_no_more(
    organiser: Client,
) -> None:
    policy = Policy(end=EndOfTime(0, 1, ("hand", "deck"), rule="trm:5.2"))
    opened = organiser.open_match("gundam", SEATS, ["ST01", "ST03"], policy=policy)
    official = organiser.with_token(opened.official)
    seats = tuple(map(organiser.with_token, opened.seats))
    decision = official.position(opened.id).decision
    assert decision is not None
    seat = decision.seats[0]
    offer = decision.offers[seat]
    assert offer is not None
    act = Act(offer.options[0].kind, offer.options[0].card)
    called = official.call_time(opened.id)
    found = [*seats[seat].watch(opened.id, after=called.first_seq - 1)]  # until it is over
    assert isinstance(found[-1].event, ev.MatchEnded)
    lost = next(e for e in found if isinstance(e.event, ev.SeatLost))
    assert {"trm:5.2", "policy:end.ms"} <= {*lost.cites}
    assert found[-1].time == found[0].time + 1
    for late in (
        lambda: seats[seat].choose(opened.id, decision.n, act),
        lambda: seats[seat].interject(opened.id, Act("concede")),
        lambda: official.decide_by_time(opened.id),
    ):
        with pytest.raises(CallError):
            late()
    assert organiser.verify(opened.id).verdict == 1


def test_what_is_brought_must_be_a_card_and_is_its_own_matchs(organiser: Client) -> None:
    lists = [deck("E2E-001"), deck("E2E-001")]
    prints = [json.dumps({**CARD, "ap": ap}) for ap in (1, 2)]
    for brought in prints:
        opened = organiser.open_match("gundam", SEATS, lists, prints=[brought])
        assert organiser.match(opened.id).prints == [brought]
    for vast in ({**CARD, "ap": 2**63 - 1}, {**CARD, "name": [1] * 2500}):
        with pytest.raises(CallError, match="the print of a card") as refused:
            organiser.open_match("gundam", SEATS, lists, prints=[json.dumps(vast)])
        assert refused.value.reason == "OUT_OF_BOUNDS"
    for wrong, says in [("{}", "a card without an id"), ("nonsense", "as JSON")]:
        with pytest.raises(CallError, match=says) as refused:
            organiser.open_match("gundam", SEATS, ["ST01", "ST03"], prints=[wrong])
        assert refused.value.reason == "BAD_PRINTS"
    (fault,) = organiser.check_deck("gundam", deck("E2E-001").parts)
    assert fault.card == "E2E-001"
    with pytest.raises(CallError, match="no card is numbered 'E2E-001'"):
        organiser.open_match("gundam", SEATS, [deck("E2E-001"), "ST03"])


def test_cards_of_a_match_are_known_after_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data)
    with running.client() as client:
        lists = [deck("E2E-001"), deck("E2E-001")]
        prints = [json.dumps(CARD)]
        opened = client.open_match("gundam", SEATS, lists, prints=prints, policy=POLICY, seed=8)
        other = [json.dumps({**CARD, "ap": 3})]
        client.open_match("gundam", SEATS, lists, prints=other, policy=POLICY, seed=8)
        seats = tuple(map(client.with_token, opened.seats))
        play(seats, opened, Random(1), 15)
    running.kill()
    running = serving.start(data)
    with running.client() as client:
        seats = tuple(map(client.with_token, opened.seats))
        assert play(seats, opened, Random(2), 15) == 15
        assert "E2E-001" not in {card.id for card in client.cards("gundam")}
        assert client.verify(opened.id).verdict == 1
    assert running.stop() == 0
