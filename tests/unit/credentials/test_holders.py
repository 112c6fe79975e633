"""What a code of an event gives, round by round: the match at hand, or when there will be one."""

from __future__ import annotations

from typing import Any

import pytest

from domain.record.schema.policy import Policy
from domain.tournament.record import HEAD_JUDGE, SCOREKEEPER, Format, Outcome
from domain.tournament.state import Player, Result, Round, Seating, Stage, State
from domain.words.phrases import message_of
from service.credentials.holders import Holder, NoPlace, Place, fault_of, in_event, in_match
from service.identity import Identity

ANN, BEN, CAT, DAN, EVE = 1, 2, 3, 4, 5


def event(*stages: Stage, **more: Any) -> State:
    """Five players, and rounds that have come so far; Cat has a bye, Eve came late."""
    people = {n: Player(n, name) for n, name in enumerate(["Ann", "Ben", "Cat", "Dan", "Eve"], 1)}
    form = Format("toy", policy=Policy(delay="300s"))
    odd = {1: (DAN, BEN), 2: (ANN, 0), 3: (CAT, 0)}
    even = {1: (ANN, BEN), 2: (CAT, DAN)}
    rounds = []
    for n, stage in enumerate(stages, 1):
        tables = {at: Seating(at, *two) for at, two in (odd if n % 2 else even).items()}
        rounds.append(Round(n, tables, "swiss", 0, stage))
    return State("evnt", "Cup", form, players=people, rounds=rounds, **more)


def player(number: int) -> Holder:
    return Holder("seat", event="evnt", player=number)


def table(number: int, role: str = "scorekeeper", delay: str = "") -> Holder:
    return Holder(role, event="evnt", table=number, delay=delay)


def why(holder: Holder, state: State) -> tuple[str, int]:
    with pytest.raises(NoPlace) as caught:
        in_event(holder, state)
    assert str(message_of(caught.value))
    return caught.value.reason, caught.value.round


def test_a_players_code_follows_him_to_his_seat() -> None:
    state = event(Stage.ENDED, Stage.OPENED)
    seat = Identity("seat", "seat 1 of evnt.r2.t1", "evnt.r2.t1", 1)
    assert in_event(player(BEN), state) == Place(seat, "Ben", 2, 1)
    assert in_event(player(CAT), state).who.seat == 0
    state = event(Stage.STARTED)
    assert in_event(player(DAN), state) == Place(
        Identity("seat", "seat 0 of evnt.r1.t1", "evnt.r1.t1", 0), "Dan", 1, 1
    )


def test_between_rounds_there_is_no_match_yet() -> None:
    for state, n in (
        (event(), 1), (event(Stage.PAIRED), 1), (event(Stage.ENDED), 2),
        (event(Stage.ENDED, Stage.PAIRED), 2), (event(Stage.ENDED, Stage.ENDED), 3),
    ):  # fmt: skip
        assert why(player(BEN), state) == ("NO_MATCH_YET", n)
        assert why(table(1), state) == ("NO_MATCH_YET", n)
    assert why(player(CAT), event(Stage.STARTED)) == ("NO_MATCH_YET", 2)  # a bye
    assert why(player(EVE), event(Stage.STARTED)) == ("NO_MATCH_YET", 2)  # not in it
    assert why(table(2), event(Stage.STARTED)) == ("NO_MATCH_YET", 2)
    assert why(table(9), event(Stage.STARTED)) == ("NO_MATCH_YET", 2)
    state = event(Stage.STARTED)
    state.format = Format("toy", mode="")
    assert why(player(BEN), state) == ("NO_MATCH_YET", 2)  # nothing is recorded of its matches


def test_after_the_match_and_after_a_drop() -> None:
    state = event(Stage.STARTED)
    state.rounds[0].tables[1].results = [Result(1, "o", Outcome(2, 0))]
    assert why(player(BEN), state) == ("MATCH_OVER", 2)
    assert why(table(1), state) == ("MATCH_OVER", 2)
    with pytest.raises(NoPlace, match=r"^The result of table 1 was entered; "):
        in_event(player(BEN), state)  # and his match may go on
    state.rounds[0].tables[1].results = [Result(1, "m", Outcome(2, 0), source=9)]
    with pytest.raises(NoPlace, match=r"^The match is over; "):
        in_event(player(BEN), state)
    assert in_event(table(1, "public"), state).who.role == "public"
    state.rounds[0].tables[1].results.append(Result(2, "o", None))  # it was withdrawn
    assert in_event(player(BEN), state).table == 1
    state.players[BEN].dropped = True
    assert in_event(player(BEN), state).table == 1  # he plays this round to its end
    state.rounds[0].tables[1].results = [Result(1, "o", Outcome(2, 0))]
    assert why(player(BEN), state) == ("PLAYER_DROPPED", 0)
    state.rounds[0].stage = Stage.ENDED
    assert why(player(BEN), state) == ("PLAYER_DROPPED", 0)
    assert why(player(ANN), event(Stage.STARTED, ended=True)) == ("EVENT_OVER", 0)


def test_tables_officials_and_the_public() -> None:
    state = event(Stage.ENDED, Stage.STARTED, officials={"Jo": HEAD_JUDGE, "Kim": SCOREKEEPER})
    assert in_event(table(2), state).who == Identity(
        "scorekeeper", "scorekeeper of evnt.r2.t2", "evnt.r2.t2"
    )
    late = in_event(table(2, "public"), state).who
    assert (late.match, late.delay) == ("evnt.r2.t2", "300s")
    assert in_event(table(2, "public", "game"), state).who.delay == "game"
    whole = in_event(Holder("public", event="evnt", delay="5 decisions"), state).who
    assert (whole.event, whole.match, whole.delay) == ("evnt", "", "5 decisions")
    jo = in_event(Holder("official", event="evnt", name="Jo"), state).who
    assert (jo.role, jo.subject, jo.event) == ("official", "Jo", "evnt")
    assert in_event(Holder("official", event="evnt", name="Kim"), state).who.role == "scorekeeper"
    assert in_event(Holder("official", event="evnt"), state).who.subject == "official of evnt"
    assert why(Holder("official", event="evnt", name="Max"), state) == ("NOT_OFFICIAL", 0)


def test_only_the_publics_sees_late() -> None:
    assert in_match(Holder("public", "m"), "m", delay="game").delay == "game"
    assert in_match(Holder("seat", "m", seat=0), "m", 0, "game").delay == ""


@pytest.mark.parametrize(
    ("holder", "fault"),
    [
        (Holder("organiser", "m"), "role"), (Holder("", "m"), "role"),
        (Holder("seat"), "match_id"), (Holder("official", "m", "e"), "match_id"),
        (Holder("seat", "m"), "seat"), (Holder("official", "m", seat=0), "seat"),
        (Holder("seat", event="e", seat=0), "seat"), (Holder("seat", event="e"), "player"),
        (Holder("seat", "m", seat=0, player=1), "player"),
        (Holder("official", event="e", player=1), "player"),
        (Holder("seat", "m", seat=0, player=-1), "player"),
        (Holder("public", "m", seat=-2), "seat"),
        (Holder("seat", "m", seat=0, table=1), "table"),
        (Holder("official", event="e", table=1), "table"),
        (Holder("public", "m", table=1), "table"), (Holder("public", event="e", table=-1), "table"),
        (Holder("scorekeeper", "m", delay="game"), "delay"), (Holder("seat", "m", seat=0), ""),
        (Holder("seat", event="e", player=7), ""), (Holder("scorekeeper", event="e"), ""),
        (Holder("public", event="e", table=2, delay="game"), ""),
    ],
)  # fmt: skip
def test_whom_a_code_can_be_for(holder: Holder, fault: str) -> None:
    assert fault_of(holder) == fault
