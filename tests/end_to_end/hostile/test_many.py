"""Two hundred matches at once, each with a stream, on one server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.match_service_pb2_grpc import MatchServiceStub
from kifu.v1.values_pb2 import Fact, Value

from domain.engine.checks.verify import verify
from service import wire
from service.client.client import opened as read_tokens
from tests.support import serving
from tests.toy import TOY

MATCHES = 200


async def play(stub: Any, organiser: str, at: int) -> str:
    rng = Random(at)

    def bearer(token: str) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {token}"),)

    request = pb.OpenMatchRequest(
        game="toy",
        seats=["A", "B"],
        decks=[pb.DeckChoice(name="ones"), pb.DeckChoice(name="tens")],
        options=[Fact(key="turns", value=Value(number=4))],
    )
    response = await stub.OpenMatch(request, metadata=bearer(organiser))
    match = read_tokens(response.match.id, response.tokens)

    async def follow() -> int:
        seen = 0
        watch = pb.WatchEventsRequest(match_id=match.id)
        async for message in stub.WatchEvents(watch, metadata=bearer(match.public)):
            for entry in message.entries:
                assert entry.seq == seen + 1
                seen = entry.seq
        return seen

    following = asyncio.create_task(follow())
    decision = None
    last = 0
    for n in range(1, 1000):
        seat = decision.seats[0] if decision is not None else 0
        token = bearer(match.seats[seat])
        offer = decision.offers.get(seat) if decision is not None else None
        if offer is None:
            found = await stub.GetDecision(pb.GetDecisionRequest(match_id=match.id), metadata=token)
            offer = wire.offer_of(found.decision.seats[0].offer)
        option = rng.choice(offer.options)
        act = wire.act(option.act())
        choice = await stub.Choose(
            pb.ChooseRequest(match_id=match.id, decision=n, act=act, with_offers=True),
            metadata=token,
        )
        last = choice.last_seq
        if not choice.HasField("next"):
            break
        decision = wire.decision_of(choice.next)
    assert await following == last
    return match.id


@pytest.mark.long
def test_two_hundred_matches_at_once(tmp_path: Path) -> None:
    running = serving.start(tmp_path / "matches.kifu", live=150)

    async def run() -> list[str]:
        async with grpc.aio.insecure_channel(running.address) as channel:
            stub = MatchServiceStub(channel)
            return await asyncio.gather(*(play(stub, running.token, at) for at in range(MATCHES)))

    ids = asyncio.run(run())
    assert len(set(ids)) == MATCHES
    with running.client() as client:
        for match in ids[::20]:
            assert verify(list(client.events(match)), TOY).kind == "exact"
        metrics = {
            (metric.name, *(label.value for label in metric.labels)): metric.value
            for metric in client.metrics()
        }
        assert metrics["kifu_live_matches",] <= 151
    assert running.stop() == 0
