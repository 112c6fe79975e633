"""While the database is gone, what never changes is answered again to who is what he was."""

from __future__ import annotations

import pytest
from kifu.v1 import match_service_pb2 as pb

from service.api.recall import Recall
from service.identity import Identity, Role
from service.store.errors import Gone

ANN = Identity(Role.SEAT, "ann", "m", 0, expires=1, id="t1")
ASKED = pb.GetPositionRequest(match_id="m")


async def gone() -> pb.GetPositionResponse:
    raise Gone("away")


def answer(seq: int) -> pb.GetPositionResponse:
    found = pb.GetPositionResponse()
    found.position.seq = seq
    return found


async def asked(
    recall: Recall, seq: int, who: Identity = ANN, request: pb.GetPositionRequest = ASKED
) -> int:
    """The answer to a request; 0: the database is gone."""

    async def read() -> pb.GetPositionResponse:
        return answer(seq)

    return (await recall.of(who, request, read if seq else gone)).position.seq


async def test_the_last_answer_is_repeated_to_those_who_may_have_it() -> None:
    recall = Recall()
    with pytest.raises(Gone):
        await asked(recall, 0)
    assert [await asked(recall, seq) for seq in (3, 5, 0, 0)] == [3, 5, 5, 5]
    repeated = Identity(Role.SEAT, "ann at her phone", "m", 0, expires=2, id="t2")
    assert await asked(recall, 0, repeated) == 5
    for other in (
        Identity(Role.SEAT, "ben", "m", 1),
        Identity(Role.PUBLIC, "ann", "m"),
        Identity(Role.SEAT, "ann", "n", 0),
        Identity(Role.PUBLIC, "ann", "m", delay="60s"),
    ):
        with pytest.raises(Gone):
            await asked(recall, 0, other)
    for request in (
        pb.GetPositionRequest(match_id="n"),
        pb.GetPositionRequest(match_id="m", at=pb.Point(seq=1)),
    ):
        with pytest.raises(Gone):
            await asked(recall, 0, request=request)


async def test_no_more_is_kept_than_there_is_room_for() -> None:
    recall = Recall(5 * answer(1000).ByteSize())
    requests = [pb.GetPositionRequest(match_id=f"m{n}") for n in range(20)]
    for request in requests:
        for _ in range(3):
            await asked(recall, 1000, request=request)
    for request in requests[:-5]:
        with pytest.raises(Gone):
            await asked(recall, 0, request=request)
    assert [await asked(recall, 0, request=one) for one in requests[-5:]] == [1000] * 5
