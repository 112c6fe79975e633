"""Any request gets a status with a reason, never a trace, and no log changes."""

from __future__ import annotations

import json
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import grpc
import msgspec
import pytest
from kifu.v1 import catalog_service_pb2
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.decisions_pb2 import Act as ActMessage
from kifu.v1.values_pb2 import DeckPart, Label, Ref, Refs

from domain.record.decisions import Act
from domain.record.points import NOW
from service.api.calls.pages import Pages
from service.api.calls.tickets import Ticket, parsed
from service.client.client import CallError, Client, Opened
from service.identity import Identity, Keys
from tests.support.serving import Running

Seats = tuple[Client, ...]


@pytest.fixture(autouse=True)
def unchanged(organiser: Client, toy: Opened) -> Iterator[None]:
    """Nothing in this file may change the match, unless a test says so by its name."""
    before = list(organiser.events(toy.id))
    yield
    after = list(organiser.events(toy.id))
    assert after[: len(before)] == before
    assert organiser.verify(toy.id).verdict == 1


def refused(call: Callable[..., Any], *args: Any, **kwargs: Any) -> CallError:
    with pytest.raises(CallError) as caught:
        call(*args, **kwargs)
    error = caught.value
    assert error.reason
    assert "Traceback" not in error.text
    assert ".py" not in error.text
    return error


def kind(error: CallError) -> tuple[str, str]:
    return error.code, error.reason


def test_design(toy: Opened, organiser: Client) -> None:
    nobody, missing = organiser.with_token(""), ("UNAUTHENTICATED", "TOKEN_MISSING")
    assert kind(refused(nobody.position, toy.id)) == missing
    assert kind(refused(lambda: list(nobody.watch(toy.id)))) == missing
    forged, _ = Keys(b"k" * 32).issue(Identity("organiser", "me"), 1)
    for token in ("junk", forged, toy.official[:-3]):
        error = refused(organiser.with_token(token).position, toy.id)
        assert kind(error) == ("UNAUTHENTICATED", "TOKEN_INVALID")


def test_an_expired_token(toy: Opened, server: Running, organiser: Client) -> None:
    key = server.data.with_name(f"{server.data.name}-key")
    expired, _ = Keys.at(key).issue(Identity("seat", "s", toy.id, 0), -1)
    error = refused(organiser.with_token(expired).choose, toy.id, 1, Act("pass"))
    assert kind(error) == ("UNAUTHENTICATED", "TOKEN_EXPIRED")


def test_another_seats_decision(toy: Opened, seats: Seats) -> None:
    error = refused(seats[1].choose, toy.id, 1, Act("pass"))
    assert kind(error) == ("FAILED_PRECONDITION", "ILLEGAL_ACT")
    assert error.rules == ("toy:4-1", "toy:4")


def test_another_matchs_token(organiser: Client, toy: Opened) -> None:
    other = organiser.open_match("toy", ["C", "D"], ["ones", "tens"])
    for token in (other.official, other.public, *other.seats):
        client = organiser.with_token(token)
        for call in (client.position, client.match, client.verify, client.issue_tokens):
            assert refused(call, toy.id).code == "PERMISSION_DENIED"
        assert refused(lambda c=client: list(c.watch(toy.id))).code == "PERMISSION_DENIED"
        assert refused(client.choose, toy.id, 1, Act("pass")).code == "PERMISSION_DENIED"
        assert [match.id for match in client.list_matches()] == [other.id]


def test_roles(organiser: Client, toy: Opened) -> None:
    for token in (toy.official, toy.public):
        client = organiser.with_token(token)
        assert refused(client.choose, toy.id, 1, Act("pass")).code == "PERMISSION_DENIED"
        assert refused(client.interject, toy.id, Act("concede")).code == "PERMISSION_DENIED"
        error = refused(client.open_match, "toy", ["A", "B"], ["ones", "tens"])
        assert kind(error) == ("PERMISSION_DENIED", "ROLE_REQUIRED")
    assert refused(organiser.choose, toy.id, 1, Act("pass")).code == "PERMISSION_DENIED"


def test_unknown_ids(organiser: Client, toy: Opened, seats: Seats) -> None:
    for call in (organiser.position, organiser.match, organiser.verify, organiser.issue_tokens):
        assert kind(refused(call, "nosuch")) == ("NOT_FOUND", "MATCH_UNKNOWN")
    assert kind(refused(lambda: list(organiser.watch("nosuch")))) == ("NOT_FOUND", "MATCH_UNKNOWN")
    assert refused(organiser.position, "").code == "INVALID_ARGUMENT"
    error = refused(organiser.open_match, "chess", ["A", "B"], ["ones", "tens"])
    assert kind(error) == ("NOT_FOUND", "GAME_UNKNOWN")
    assert refused(organiser.manifest, "chess").code == "NOT_FOUND"
    assert refused(organiser.decision, toy.id, 99).code == "NOT_FOUND"
    error = refused(organiser.open_match, "toy", ["A", "B"], ["ones", "none"])
    assert error.code == "INVALID_ARGUMENT"


@pytest.mark.parametrize("n", [-1, 0, 2, 2**31 - 1, -(2**31)])
def test_a_decision_that_is_not_open(toy: Opened, seats: Seats, n: int) -> None:
    error = refused(seats[0].choose, toy.id, n, Act("pass"))
    assert kind(error) == ("ABORTED", "DECISION_STALE")
    assert error.metadata["current"] == "1"


@pytest.mark.parametrize(
    "act",
    [
        Act("deploy"), Act("play", 0), Act("play", -5), Act("play", 2**31 - 1), Act("pass", 3),
        Act("play", "seat/0"), Act("pass", 0, (("seat/0",),)), Act("pass", 0, ((),) * 9),
        Act("PASS"),
        Act("🂡" * 20), Act("pass", "x" * 80, effect="y" * 80),
    ],
)  # fmt: skip
def test_options_that_are_not_on_offer(toy: Opened, seats: Seats, act: Act) -> None:
    error = refused(seats[0].choose, toy.id, 1, act)
    assert error.code == "FAILED_PRECONDITION"
    assert error.rules
    assert not seats[0].why_not(toy.id, act).allowed


def test_picks_that_are_not_in_the_pool(toy: Opened, seats: Seats) -> None:
    decision = seats[0].position(toy.id).decision
    assert decision is not None
    offer = decision.offers[0]
    assert offer is not None
    card = offer.options[0].card
    for picks in [("seat/7",), (-1,), (card, card), ("seat/0", "seat/1"), ("seat/0",) * 300]:
        error = refused(seats[0].choose, toy.id, 1, Act("play", card, (picks,)))
        assert error.code == "FAILED_PRECONDITION"


def test_open_acts_with_nonsense(toy: Opened, seats: Seats) -> None:
    for act in [Act("reorder", "hand/1", ((1,),)), Act("reorder", "trash/0", ((5,),))]:
        assert refused(seats[0].interject, toy.id, act).rules == ("toy:8",)


def test_too_much_of_everything(organiser: Client, toy: Opened, seats: Seats) -> None:
    many = Act("play", 1, (tuple(range(500)),))
    assert refused(seats[0].choose, toy.id, 1, many).code == "INVALID_ARGUMENT"
    assert refused(seats[0].choose, toy.id, 1, Act("pass"), "r" * 65).code == "INVALID_ARGUMENT"
    assert refused(seats[0].choose, toy.id, 1, Act("k" * 81)).code == "INVALID_ARGUMENT"
    large = Act("pass", 0, (("x" * 300_000,),))
    assert kind(refused(seats[0].choose, toy.id, 1, large)) == (
        "RESOURCE_EXHAUSTED", "REQUEST_TOO_LARGE",
    )  # fmt: skip
    huge = Act("pass", 0, (("x" * 10_000_000,),))
    error = refused(seats[0].choose, toy.id, 1, huge)
    assert error.code == "RESOURCE_EXHAUSTED"
    assert refused(organiser.import_match, "; x\n" * 300_000).code == "RESOURCE_EXHAUSTED"
    open_match = organiser.open_match
    for wrong in [
        {"labels": {"a": "b" * 81}}, {"labels": {"": "b"}}, {"labels": {"a": "b\n"}},
        {"labels": {str(n): "" for n in range(17)}}, {"options": {"x": "y" * 81}},
        {"options": {str(n): 1 for n in range(17)}}, {"options": {"": 1}}, {"options": {"a": None}},
    ]:  # fmt: skip
        error = refused(open_match, "toy", ["A", "B"], ["ones", "tens"], **wrong)
        assert kind(error) == ("INVALID_ARGUMENT", "FIELD_INVALID")
        assert error.violations


def test_the_wrong_number_of_players(organiser: Client) -> None:
    for seats in ([], ["A"], ["A", "B", "C"]):
        error = refused(organiser.open_match, "toy", seats, ["ones"] * len(seats))
        assert error.rules == ("toy:1",)


@pytest.mark.parametrize("best_of", [-1, 2, 4])
def test_a_series_that_is_none(organiser: Client, best_of: int) -> None:
    error = refused(organiser.open_match, "toy", ["A", "B"], ["ones", "tens"], best_of=best_of)
    assert error.code == "FAILED_PRECONDITION"


def test_every_fault_of_a_deck_list_is_named(organiser: Client) -> None:
    bad = {"main": ["T01"] * 5 + ["nonsense"] * 2}
    error = refused(organiser.open_match, "toy", ["A", "B"], ["ones", bad])
    assert kind(error) == ("FAILED_PRECONDITION", "DECK_ILLEGAL")
    assert [(where, rule) for where, rule, _ in error.violations] == [
        ("decks/1/nonsense", "toy:2"),
        ("decks/1/T01", "toy:2-1"),
        ("decks/1", "toy:2"),
    ]
    real = organiser.decks("gundam")["ST01"]
    bad = {"main": [*real["main"][:-1], "no-such-card"], "resource": real["resource"]}
    error = refused(organiser.open_match, "gundam", ["A", "B"], [bad, bad])
    assert {where.partition("/")[2].partition("/")[0] for where, _, _ in error.violations} == {
        "0", "1",
    }  # fmt: skip
    assert all(rule and text for _, rule, text in error.violations)
    for wrong in (
        {"main": ["T01"] * 500},
        {"m" * 100: ["T01"]},
        {"main": ["x" * 100]},
        {"main": ["no row"]},
    ):
        error = refused(organiser.open_match, "toy", ["A", "B"], ["ones", wrong])
        assert error.code == "INVALID_ARGUMENT"
    parts = [DeckPart(part="main", cards=["T01"])] * 2
    request = pb.OpenMatchRequest(game="toy", seats=["A", "B"])
    request.decks.extend([pb.DeckChoice(parts=parts)] * 2)
    assert refused(organiser.call, organiser.matches.OpenMatch, request).code == "INVALID_ARGUMENT"


def test_malformed_requests(organiser: Client, toy: Opened, seats: Seats) -> None:
    matches = organiser.matches
    before_it = pb.GetPositionRequest(match_id=toy.id, at=pb.Point(seq=0))
    too_early = pb.GetPositionRequest(match_id=toy.id, at=pb.Point(time=-1))
    wrong = [
        (organiser, matches.ListMatches, pb.ListMatchesRequest(page_size=-1)),
        (organiser, matches.ListMatches, pb.ListMatchesRequest(page_token="junk")),
        (organiser, matches.ListEvents, pb.ListEventsRequest(match_id=toy.id, page_token="%%")),
        (organiser, matches.ListDecisions, pb.ListDecisionsRequest(match_id=toy.id, start=-1)),
        (organiser, matches.GetDecision, pb.GetDecisionRequest(match_id=toy.id, decision=-1)),
        (organiser, matches.GetPosition, before_it),
        (organiser, matches.GetPosition, too_early),
        (seats[0], matches.Choose, pb.ChooseRequest(match_id=toy.id, decision=1)),
        (seats[0], matches.Interject, pb.InterjectRequest(match_id=toy.id, act=ActMessage())),
        (seats[0], matches.ExplainRefusal, pb.ExplainRefusalRequest(match_id=toy.id)),
    ]  # fmt: skip
    for client, method, request in wrong:
        assert kind(refused(client.call, method, request)) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    watch = pb.WatchEventsRequest(match_id=toy.id, after_seq=-1)
    with pytest.raises(grpc.RpcError) as caught:
        list(matches.WatchEvents(watch, metadata=organiser._metadata))
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_a_page_token_of_another_list(organiser: Client, toy: Opened) -> None:
    request = pb.ListEventsRequest(match_id=toy.id, page_size=2)
    token = organiser.call(organiser.matches.ListEvents, request).next_page_token
    assert token
    other = pb.ListEventsRequest(match_id=toy.id, page_size=2, view=pb.View(public=True))
    other.page_token = token
    error = refused(organiser.call, organiser.matches.ListEvents, other)
    assert error.metadata["field"] == "page_token"
    wrong = pb.ListMatchesRequest(labels=[Label(name="a")], page_token=token)
    assert refused(organiser.call, organiser.matches.ListMatches, wrong).code == "INVALID_ARGUMENT"


@pytest.mark.parametrize("at", [-5, 0, 1, 2**63 - 1, 2**40])
def test_a_page_token_that_was_made_up(organiser: Client, toy: Opened, at: int) -> None:
    """As it was once made, without a signature, and with a signature of somebody else's."""
    scope = ("events", toy.id, -2, repr(NOW), repr(NOW))
    bare = msgspec.msgpack.encode((blake2b(msgspec.msgpack.encode(scope)).digest()[:6], at))
    for token in (
        urlsafe_b64encode(bare).decode().rstrip("="),
        Pages(b"k" * 32).token(scope, at),
        Pages(b"k" * 32).token(("cards", "toy", []), at),
        "AAAA", "%%%", "é", "=" * 500,
    ):  # fmt: skip
        for method, request in (
            (organiser.matches.ListEvents, pb.ListEventsRequest(match_id=toy.id)),
            (organiser.matches.ListDecisions, pb.ListDecisionsRequest(match_id=toy.id)),
            (organiser.matches.ListMatches, pb.ListMatchesRequest()),
            (organiser.catalog.ListCards, catalog_service_pb2.ListCardsRequest(game="toy")),
            (organiser.catalog.ListRules, catalog_service_pb2.ListRulesRequest(game="toy")),
        ):
            request.page_token = token
            error = refused(organiser.call, method, request)
            assert kind(error) == ("INVALID_ARGUMENT", "FIELD_INVALID")
            assert error.metadata["field"] == "page_token"


def test_errors_tell_little_of_a_request_and_fit_the_trailers(
    organiser: Client, toy: Opened, seats: Seats
) -> None:
    long, names, decks = "x" * 7000, ["A", "B"], ["ones", "tens"]
    strange = [f"no-{n}" for n in range(399)]
    text = json.dumps([{"do": "draw", "key": "x" * 150}] * 20)
    prints = [json.dumps({"id": f"X-{n}", **dict.fromkeys(["x" * 199], 1)}) for n in range(200)]
    for call in (
        lambda: seats[0].choose(toy.id, 1, Act("pass", 0, ((long,),))),
        lambda: seats[0].interject(toy.id, Act("declare", 1, ((text,),))),
        lambda: organiser.open_match(long, names, decks),
        lambda: organiser.open_match("toy", names, ["ones", long]),
        lambda: organiser.open_match("gundam", names, ["ST01", "ST03"], prints=prints),
        lambda: organiser.open_match("toy", names, ["ones", {"main": strange}]),
        lambda: organiser.open_match("toy", names, decks, mode=long[:79]),
        lambda: organiser.import_match(long),
        lambda: organiser.import_match(f'[Game "{long}"]\n\n'),
        lambda: organiser.position(long),
        lambda: organiser.cards(long),
        lambda: organiser.with_token(toy.official).rule(toy.id, "so", rules=(long[:80],)),
        lambda: organiser.position(toy.id, view=99),
    ):  # fmt: skip
        error = refused(lambda call=call: list(found) if (found := call()) else None)
        seen = [
            error.text,
            *error.metadata.values(),
            *(part for one in error.violations for part in one),
        ]
        assert max(map(len, seen)) <= 200
        assert error.reason != "INTERNAL"


def test_bytes_that_are_no_message(toy: Opened, organiser: Client) -> None:
    channel = organiser._channel
    for name in ("Choose", "GetPosition"):
        call = channel.unary_unary(f"/kifu.v1.MatchService/{name}")
        with pytest.raises(grpc.RpcError) as caught:
            call(b"\xff\xfe junk", metadata=organiser._metadata)
        assert kind(CallError(caught.value)) == ("INVALID_ARGUMENT", "MESSAGE_INVALID")
    with pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary("/kifu.v1.MatchService/Delete")(b"", metadata=organiser._metadata)
    assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_a_deadline_that_has_passed(organiser: Client, toy: Opened, seats: Seats) -> None:
    request = pb.ChooseRequest(match_id=toy.id, decision=1, act=ActMessage(kind="pass"))
    with pytest.raises(grpc.RpcError) as caught:
        seats[0].matches.Choose(request, metadata=seats[0]._metadata, timeout=-1)
    assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED


def test_two_clients_answer_one_decision_and_one_wins(toy: Opened, seats: Seats) -> None:
    outcomes: list[str] = []
    gate = threading.Barrier(8)

    def answer() -> None:
        gate.wait()
        try:
            seats[0].choose(toy.id, 1, Act("pass"))
            outcomes.append("OK")
        except CallError as error:
            outcomes.append(error.code + error.metadata["current"])

    threads = [threading.Thread(target=answer, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(outcomes) == ["ABORTED2"] * 7 + ["OK"]


def test_a_repeated_command_gets_the_first_answer_and_is_done_once(
    organiser: Client, toy: Opened, seats: Seats
) -> None:
    first = seats[0].choose(toy.id, 1, Act("pass"), "my-request")
    entries = organiser.match(toy.id).entries
    assert seats[0].choose(toy.id, 1, Act("pass"), "my-request") == first
    seats[1].choose(toy.id, 2, Act("pass"), "my-request")
    assert seats[0].choose(toy.id, 1, Act("pass"), "my-request") == first
    assert kind(refused(seats[0].choose, toy.id, 1, Act("pass"), "another")) == (
        "ABORTED", "DECISION_STALE",
    )  # fmt: skip
    assert organiser.match(toy.id).entries > entries


def test_a_request_id_is_not_reused_for_another_request(
    organiser: Client, toy: Opened, seats: Seats
) -> None:
    """By a seat, an official or an organiser; the first one stands, and nobody gets its answer."""
    official, reused = organiser.with_token(toy.official), ("ALREADY_EXISTS", "REQUEST_ID_REUSED")
    card = next(iter(seats[0].position(toy.id).zone("hand", 0)))
    seats[0].choose(toy.id, 1, Act("pass"), "mine")
    official.note(toy.id, "It rains.", request_id="mine")
    seats[1].choose(toy.id, 2, Act("pass"), "mine")
    names, decks = ["A", "B"], ["ones", "tens"]
    organiser.open_match("toy", names, decks, request_id="begin")
    fork = official.fork(toy.id, 2, request_id="begin")[0]
    entries = organiser.match(toy.id).entries
    for call in (
        lambda: seats[0].choose(toy.id, 1, Act("play", card), "mine"),
        lambda: seats[0].choose(toy.id, 3, Act("pass"), "mine"),
        lambda: seats[0].interject(toy.id, Act("concede"), "mine"),
        lambda: official.note(toy.id, "It pours.", request_id="mine"),
        lambda: official.rewind(toy.id, 1, "why not", request_id="mine"),
        lambda: organiser.open_match("toy", names, decks[::-1], request_id="begin"),
        lambda: official.fork(toy.id, 1, request_id="begin"),
    ):
        assert kind(refused(call)) == reused
    assert official.fork(toy.id, 2, request_id="begin")[0] == fork
    assert organiser.match(toy.id).entries == entries
    seats[0].choose(toy.id, 3, Act("pass"), "another")


@pytest.mark.parametrize("kept", ["t5", "a#b", "x#0123456789abcdeg", ""])
def test_tickets_of_earlier_versions_are_names_alone(kept: str) -> None:
    assert parsed(kept) == Ticket(kept)
    assert parsed(str(Ticket(kept, "0123456789abcdef"))) == Ticket(kept, "0123456789abcdef")
    assert Ticket(kept, "0123456789abcdef").repeats(kept) == bool(kept)


def test_a_repeated_opening_is_the_same_match(organiser: Client) -> None:
    names = ["A", "B"]
    first = organiser.open_match("toy", names, ["ones", "tens"], request_id="opening-1")
    repeated = organiser.open_match("toy", names, ["ones", "tens"], request_id="opening-1")
    other = organiser.open_match("toy", names, ["ones", "tens"], request_id="opening-2")
    assert repeated.id == first.id != other.id


def test_refs_that_hold_nothing(toy: Opened, seats: Seats) -> None:
    act = ActMessage(kind="play", card=Ref(), picks=[Refs(refs=[Ref()])])
    request = pb.ChooseRequest(match_id=toy.id, decision=1, act=act)
    assert refused(seats[0].call, seats[0].matches.Choose, request).rules
