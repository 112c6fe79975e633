"""Matches through the real server, as their people meet them."""

from __future__ import annotations

import threading
from random import Random

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

from domain.engine.checks.verify import verify
from domain.games import rulebook
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DeckRegistered
from domain.record.folding.fold import fold_all
from domain.record.points import Point
from domain.record.views import OFFICIAL, PUBLIC, position
from service.client.client import CallError, Client, Opened
from tests.support.serving import Running, play
from tests.toy import TOY

Seats = tuple[Client, ...]


def test_a_whole_match_of_the_real_game(organiser: Client) -> None:
    decks = ["ST01", "ST03"]
    opened = organiser.open_match("gundam", ["Ann", "Ben"], decks, seed=11, labels={"round": "1"})
    made = play(tuple(map(organiser.with_token, opened.seats)), opened, Random(1))
    found = organiser.match(opened.id)
    assert found.state == 2
    assert list(found.score) in ([1, 0], [0, 1], [0, 0])
    log = list(organiser.events(opened.id))
    assert len(log) == found.entries
    assert verify(log, rulebook("gundam")).kind == "exact"
    assert organiser.verify(opened.id).verdict == 1
    assert sum(1 for _ in organiser.decisions(opened.id)) >= made
    for seat, token in enumerate(opened.seats):
        mine = organiser.with_token(token)
        for n in (1, made // 2, made):
            at = mine.position(opened.id, Point(decision=n))
            assert at == position(log[: at.seq], seat)


def test_every_viewer_gets_his_own_entries(organiser: Client, toy: Opened, seats: Seats) -> None:
    play(seats, toy, Random(2))
    log = list(organiser.events(toy.id))
    people = {OFFICIAL: toy.official, PUBLIC: toy.public, 0: toy.seats[0], 1: toy.seats[1]}
    for viewer, token in people.items():
        client = organiser.with_token(token)
        mine = list(client.events(toy.id))
        assert fold_all(mine) == position(log, viewer) == client.position(toy.id)
        assert list(organiser.events(toy.id, view=viewer)) == mine
        assert [(e.seq, e.time, e.frame, e.cites) for e in mine] == [
            (e.seq, e.time, e.frame, e.cites) for e in log
        ]


def test_a_view_can_only_narrow(organiser: Client, toy: Opened, seats: Seats) -> None:
    public = organiser.with_token(toy.public)
    for client, view in [(seats[0], 1), (seats[1], 0), (public, 0)]:
        with pytest.raises(CallError) as caught:
            client.position(toy.id, view=view)
        assert (caught.value.code, caught.value.reason) == ("PERMISSION_DENIED", "ROLE_REQUIRED")
    assert seats[0].position(toy.id, view=PUBLIC) == public.position(toy.id)
    with pytest.raises(CallError) as caught:
        organiser.position(toy.id, view=7)
    assert caught.value.code == "INVALID_ARGUMENT"


def test_points_and_pages(organiser: Client, toy: Opened, seats: Seats) -> None:
    play(seats, toy, Random(3))
    log = list(organiser.events(toy.id))
    decisions = list(organiser.decisions(toy.id, offers=True))
    fourth = decisions[3]
    from_fourth = list(organiser.events(toy.id, Point(decision=4), Point(seq=fourth.seq + 6)))
    assert from_fourth == log[fourth.seq - 1 : fourth.seq + 6]
    at = log[len(log) // 2].time
    assert list(organiser.events(toy.id, Point(time=at))) == [e for e in log if e.time >= at]
    one = organiser.decision(toy.id, 4).decision
    assert one == fourth
    assert one.seats[0].act.kind in [option.kind for option in one.seats[0].offer.options]
    hidden = seats[1 - one.seats[0].seat].decision(toy.id, 4).decision.seats[0]
    assert not hidden.HasField("offer")
    assert not hidden.HasField("act")
    assert not hidden.HasField("options")
    assert hidden.ms == one.seats[0].ms


def test_listing_by_label_state_and_page(organiser: Client) -> None:
    ids = [
        organiser.open_match(
            "toy", ["A", "B"], ["ones", "tens"], labels={"event": "listing", "table": str(at)}
        ).id
        for at in range(5)
    ]
    found = list(organiser.list_matches({"event": "listing"}))
    assert [match.id for match in found] == ids[::-1]
    assert [m.id for m in organiser.list_matches({"event": "listing", "table": "3"})] == [ids[3]]
    assert list(organiser.list_matches({"event": "listing"}, state="ended")) == []
    request_page = organiser.matches.ListMatches
    from kifu.v1.match_service_pb2 import ListMatchesRequest
    from kifu.v1.values_pb2 import Label

    request = ListMatchesRequest(labels=[Label(name="event", value="listing")], page_size=2)
    pages = []
    while True:
        response = organiser.call(request_page, request)
        pages.append([match.id for match in response.matches])
        if not response.next_page_token:
            break
        request.page_token = response.next_page_token
    assert pages == [ids[4:2:-1], ids[2:0:-1], ids[:1]]


def test_conceding_and_the_end(organiser: Client, toy: Opened, seats: Seats) -> None:
    assert [act.kind for act in seats[0].decision(toy.id).open_acts] == ["concede"]
    done = seats[1].interject(toy.id, Act("concede"), "give-up")
    assert done.next is None
    repeated = seats[1].interject(toy.id, Act("concede"), "give-up")
    assert repeated == done
    found = organiser.match(toy.id)
    assert (found.state, found.winner, found.decision) == (2, 0, 0)
    with pytest.raises(CallError) as caught:
        seats[0].interject(toy.id, Act("concede"))
    assert caught.value.rules == ("toy:6",)


def test_why_not(organiser: Client, toy: Opened, seats: Seats) -> None:
    me = seats[0].position(toy.id)
    decision = me.decision
    assert decision is not None
    assert seats[0].why_not(toy.id, Act("pass")).allowed
    found = seats[1].why_not(toy.id, Act("pass"))
    assert (found.allowed, found.reason, list(found.rules)) == (
        False, "ILLEGAL_ACT", ["toy:4-1", "toy:4"],
    )  # fmt: skip


def test_why_not_at_a_past_decision(organiser: Client, toy: Opened, seats: Seats) -> None:
    play(seats, toy, Random(3))
    public, log = organiser.with_token(toy.public), list(organiser.events(toy.id))
    asked = organiser.decision(toy.id, 4).decision.seats[0].seat
    mine, other = seats[asked], seats[1 - asked]
    assert mine.why_not(toy.id, Act("pass"), decision=4).allowed
    late = other.why_not(toy.id, Act("pass"), decision=4)
    assert (late.reason, list(late.rules)) == ("ILLEGAL_ACT", ["toy:4-1", "toy:4"])
    assert organiser.why_not(toy.id, Act("pass"), 1 - asked, decision=4) == late
    assert public.why_not(toy.id, Act("pass"), 1 - asked, decision=4) == late
    assert public.why_not(toy.id, Act("pass"), asked, decision=4).reason == "UNSETTLED"
    assert organiser.why_not(toy.id, Act("pass"), asked, decision=4, view=PUBLIC) == (
        public.why_not(toy.id, Act("pass"), asked, decision=4)
    )
    hand = mine.position(toy.id, Point(decision=4)).zone("hand", asked)
    for n in (*hand, 999):
        found = other.why_not(toy.id, Act("play", n), asked, decision=4)
        assert (found.reason, found.unverified) == ("UNSETTLED", "")
    for client, args, code in (
        (public, {"decision": 4}, "INVALID_ARGUMENT"),
        (public, {"decision": 4, "seat": 7}, "INVALID_ARGUMENT"),
        (public, {"decision": 999, "seat": 0}, "NOT_FOUND"),
        (public, {"decision": -1, "seat": 0}, "INVALID_ARGUMENT"),
        (public, {"decision": 4, "seat": 0, "view": 0}, "PERMISSION_DENIED"),
    ):
        with pytest.raises(CallError) as caught:
            client.why_not(toy.id, Act("pass"), **args)
        assert caught.value.code == code
    assert list(organiser.events(toy.id)) == log


# -- streams -------------------------------------------------------------------------------------


def test_a_stream_goes_on_from_every_entry_without_gap_or_repeat(
    organiser: Client, toy: Opened, seats: Seats
) -> None:
    got: dict[int, list[Entry]] = {}

    def follow(after: int) -> None:
        got[after] = list(organiser.with_token(toy.seats[0]).watch(toy.id, after))

    threads = [threading.Thread(target=follow, args=(0,), daemon=True) for _ in range(1)]
    for thread in threads:
        thread.start()
    play(seats, toy, Random(4), most=4)
    late = threading.Thread(target=follow, args=(10,), daemon=True)
    late.start()
    play(seats, toy, Random(5))
    for thread in (*threads, late):
        thread.join(10)
    log = list(seats[0].events(toy.id))
    assert got[0] == log
    assert got[10] == log[10:]
    for after in range(0, len(log) + 1, 3):
        follow(after)
        assert got[after] == log[after:]
    follow(len(log) + 50)
    assert got[len(log) + 50] == []


def test_many_watch_one_match_and_a_slow_one_misses_nothing(
    organiser: Client, toy: Opened, seats: Seats
) -> None:
    people = [toy.official, toy.public, *toy.seats] * 5
    got: list[list[Entry]] = [[] for _ in people]

    def follow(at: int) -> None:
        for entry in organiser.with_token(people[at]).watch(toy.id):
            got[at].append(entry)

    threads = [
        threading.Thread(target=follow, args=(at,), daemon=True) for at in range(len(people))
    ]
    for thread in threads:
        thread.start()
    slow = organiser.with_token(toy.official).watch(toy.id)
    first = next(slow)
    play(seats, toy, Random(6))
    for thread in threads:
        thread.join(20)
    log = list(organiser.events(toy.id))
    assert [first, *slow] == log
    for at, token in enumerate(people):
        assert got[at] == list(organiser.with_token(token).events(toy.id))


# -- the service ---------------------------------------------------------------------------------


def test_health_and_reflection(server: Running) -> None:
    with grpc.insecure_channel(server.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        for name in ("", "kifu.v1.MatchService"):
            answer = stub.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        names = ProtoReflectionDescriptorDatabase(channel).get_services()
        assert {"kifu.v1.MatchService", "kifu.v1.CatalogService"} <= set(names)


def test_the_catalogue_needs_no_token(server: Running) -> None:
    with server.client("") as anybody:
        assert {game.name for game in anybody.games()} >= {"toy", "gundam"}
        assert anybody.manifest("toy") == TOY.manifest
        assert anybody.manifest("gundam") == rulebook("gundam").manifest
        assert {card.id for card in anybody.cards("gundam")} == set(rulebook("gundam").cards)
        assert [card.name for card in anybody.cards("toy", ["T02", "T01"])] == ["Card 2", "Card 1"]
        assert anybody.decks("toy") == TOY.decks
        assert [rule.id for rule in anybody.rules("toy", prefix="toy:4")] == ["toy:4", "toy:4-1"]
        for rows in (["T01"] * 40, ["40 T01"], ["1 T01", "T01", "38 T01"]):
            faults = anybody.check_deck("toy", {"main": rows})
            assert [(fault.rule, fault.card) for fault in faults] == [("toy:2-1", "T01")]
        for rows in (["400 T01"], ["100 T01"] * 5, ["4 T01 T02"]):
            with pytest.raises(CallError) as caught:
                anybody.check_deck("toy", {"main": rows})
            assert caught.value.code == "INVALID_ARGUMENT"


def test_a_list_may_be_written_in_rows(organiser: Client) -> None:
    rows = {"main": [f"2 T{n:02}" for n in range(1, 21)]}
    opened = organiser.open_match("toy", ["Ann", "Ben"], [rows, "ones"])
    lists = [
        entry.event.cards.value
        for entry in organiser.with_token(opened.official).events(opened.id)
        if isinstance(entry.event, DeckRegistered)
    ]
    assert lists[0] == lists[1]


def test_metrics_are_for_the_organiser(organiser: Client, seats: Seats, toy: Opened) -> None:
    seats[0].choose(toy.id, 1, Act("pass"))
    metrics = {
        (metric.name, tuple(label.value for label in metric.labels)): metric.value
        for metric in organiser.metrics()
    }
    assert metrics["kifu_calls_total", ("Choose", "OK")] >= 1
    assert metrics["kifu_live_matches", ()] >= 1
    with pytest.raises(CallError) as caught:
        seats[0].metrics()
    assert caught.value.code == "PERMISSION_DENIED"
