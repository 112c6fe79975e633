"""Each field of each request, filled with what nobody means: a status with a reason, for any token.

Whoever may not send a request is told that, whatever is in it: nothing of it is looked at before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from domain.tournament.record import Format
from service.client.client import CallError
from service.keeping.check.store import Tally, check
from service.server import _FILES
from service.store.records import Records
from tests.support import serving
from tests.support.marks import only
from tests.support.serving import Running

#: What ends what the others need: tokens, and streams, which end by themselves only here.
LEFT_OUT = {"RevokeTokens", "WithdrawTokens", "Play"}
#: What a call ends with that its sender may not make.
REFUSED = {"PERMISSION_DENIED", "UNAUTHENTICATED", "NOT_FOUND"}
OURS = {"INTERNAL", "UNKNOWN", "DATA_LOSS", "UNIMPLEMENTED"}
NUMBERS = (-1, 2**31 - 1, -(2**31))
TEXTS = ("x" * 9000, "\x00\ud7ff", "🂡")


def methods() -> Iterator[MethodDescriptor]:
    for name, file in _FILES.items():
        yield from file.DESCRIPTOR.services_by_name[name].methods


def filled(message: Any, values: dict[str, Any], path: list[FieldDescriptor], value: Any) -> Any:
    """A message with the ids that it needs, and this value at the end of the path."""
    for field in message.DESCRIPTOR.fields:
        if field.name in values and not field.is_repeated:
            setattr(message, field.name, values[field.name])
    at = message
    for field in path[:-1]:
        at = getattr(at, field.name)
        at = at.add() if field.is_repeated else at
        at.SetInParent()
    last = path[-1]
    if last.message_type is not None:
        inner = getattr(at, last.name)
        (inner.add() if last.is_repeated else inner).SetInParent()
    elif last.is_repeated:
        getattr(at, last.name).extend([value, value])
    else:
        setattr(at, last.name, value)
    return message


def paths(message: Descriptor, before: tuple[FieldDescriptor, ...] = ()) -> Iterator[list[Any]]:
    """Each field of a message and of those within it, once in each."""
    for field in message.fields:
        yield [*before, field]
        if field.message_type is not None and len(before) < 5:
            yield from paths(field.message_type, (*before, field))


def odd(field: FieldDescriptor) -> tuple[Any, ...]:
    if field.message_type is not None:
        return (None,)
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            return TEXTS if field.type == FieldDescriptor.TYPE_STRING else (b"\xff",)
        case FieldDescriptor.CPPTYPE_BOOL:
            return (True,)
        case FieldDescriptor.CPPTYPE_INT64 | FieldDescriptor.CPPTYPE_UINT64:
            return (
                (-(2**63), 2**63 - 1)
                if field.cpp_type == FieldDescriptor.CPPTYPE_INT64
                else (2**64 - 1,)
            )
        case FieldDescriptor.CPPTYPE_UINT32:
            return (2**32 - 1,)
        case FieldDescriptor.CPPTYPE_ENUM:
            return (999,)
        case FieldDescriptor.CPPTYPE_DOUBLE | FieldDescriptor.CPPTYPE_FLOAT:
            return (float("nan"), float("-inf"))
    return NUMBERS


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for these requests alone; what they left in its store is in order."""
    data = tmp_path_factory.mktemp("fields") / "matches.kifu"
    with serving.running(data) as found:
        yield found
    with closing(Records(data, reading=True)) as records:
        assert [*check(records, Tally())] == []


def status(channel: grpc.Channel, token: str, method: MethodDescriptor, request: Any) -> str:
    path = f"/{method.containing_service.full_name}/{method.name}"
    response = GetMessageClass(method.output_type)
    metadata = (("authorization", f"Bearer {token}"),)
    kind = channel.unary_stream if method.server_streaming else channel.unary_unary
    call = kind(path, type(request).SerializeToString, response.FromString)
    try:
        if method.server_streaming:
            found = call(request, metadata=metadata, timeout=0.2)
            next(found, None)
            found.cancel()
        else:
            call(request, metadata=metadata, timeout=20)
    except grpc.RpcError as error:
        reason = CallError(error)
        assert reason.reason, (method.name, request)
        return reason.code
    return "OK"


def names_seat(request: Any) -> bool:
    """Whether it says for whom it is sent, which is what its sender may or may not do."""
    return bool(getattr(request, "seat", 0))


def requests(method: MethodDescriptor, ids: dict[str, Any]) -> Iterator[Any]:
    """Requests of a method: with what it needs and no more, then with one odd value each."""
    cls = GetMessageClass(method.input_type)
    bare = cls()
    for field in bare.DESCRIPTOR.fields:
        if field.name in ids and not field.is_repeated:
            setattr(bare, field.name, ids[field.name])
    yield bare
    for path in paths(method.input_type):
        if path[-1].name not in ids:
            yield from (filled(cls(), ids, path, value) for value in odd(path[-1]))


@pytest.mark.parametrize(
    "whose",
    only(["organiser"], ["organiser", "seat", "stranger", "official", "scorekeeper"]),
)  # fmt: skip
def test_every_field_of_every_request(alone: Running, whose: str) -> None:
    with alone.client() as host, grpc.insecure_channel(alone.address) as channel:
        mine, other = (host.open_match("toy", ["A", "B"], ["ones", "tens"]) for _ in range(2))
        tokens = {
            "organiser": alone.token, "official": mine.official, "seat": mine.seats[0],
            "scorekeeper": mine.scorekeeper, "stranger": other.seats[1],
        }  # fmt: skip
        event = host.open_tournament("Cup", Format("toy")).id
        ids = {"match_id": mine.id, "event_id": event, "game": "toy", "decision": 1}
        for method in methods():
            if method.name in LEFT_OUT:
                continue
            forbidden = ""
            for n, request in enumerate(requests(method, ids)):
                found = status(channel, tokens[whose], method, request)
                assert found not in OURS, (method.name, request)
                forbidden = forbidden or (found if not n and found in REFUSED else "")
                if forbidden and found != "RESOURCE_EXHAUSTED" and not names_seat(request):
                    assert found == forbidden, (method.name, request)
