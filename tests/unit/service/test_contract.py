"""The contract keeps to what buf calls STANDARD, and says what every field means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

PROTO = Path(__file__).parents[3] / "proto"
SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PASCAL = re.compile(r"([A-Z][a-z0-9]*)+")


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> list[FileDescriptorProto]:
    out = tmp_path_factory.mktemp("proto") / "set"
    sources = [str(path.relative_to(PROTO)) for path in PROTO.glob("kifu/v1/*.proto")]
    includes = [f"-I{files('grpc_tools') / '_proto'}", f"-I{files('google.rpc') / '../..'}"]
    code = protoc.main(
        [
            "",
            f"-I{PROTO}",
            *includes,
            "--include_source_info",
            f"--descriptor_set_out={out}",
            *sources,
        ]
    )
    assert code == 0
    return list(FileDescriptorSet.FromString(out.read_bytes()).file)


def named(file: FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str, Any]]:
    """Everything in a file that has a name, with its path in the source info."""
    for at, message in enumerate(file.message_type):
        yield (4, at), message.name, message
        for n, field in enumerate(message.field):
            yield (4, at, 2, n), f"{message.name}.{field.name}", field
        for n, oneof in enumerate(message.oneof_decl):
            if not oneof.name.startswith("_"):
                yield (4, at, 8, n), f"{message.name}.{oneof.name}", oneof
    for at, enum in enumerate(file.enum_type):
        yield (5, at), enum.name, enum
        for n, value in enumerate(enum.value):
            yield (5, at, 2, n), value.name, value
    for at, service in enumerate(file.service):
        yield (6, at), service.name, service
        for n, method in enumerate(service.method):
            yield (6, at, 2, n), f"{service.name}.{method.name}", method


def test_everything_is_explained(contract: list[FileDescriptorProto]) -> None:
    for file in contract:
        places = file.source_code_info.location
        comments = {tuple(place.path): place.leading_comments.strip() for place in places}
        assert [name for path, name, _ in named(file) if not comments.get(path)] == []


def test_names_are_as_buf_wants_them(contract: list[FileDescriptorProto]) -> None:
    for file in contract:
        assert file.package == "kifu.v1"
        for _, name, what in named(file):
            last = name.rpartition(".")[2]
            kind = type(what).__name__
            if kind in ("FieldDescriptorProto", "OneofDescriptorProto"):
                assert SNAKE.fullmatch(last), name
            elif kind != "EnumValueDescriptorProto":
                assert PASCAL.fullmatch(last), name
        for enum in file.enum_type:
            prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum.name).upper()
            assert enum.value[0].name == f"{prefix}_UNSPECIFIED"
            assert all(value.name.startswith(f"{prefix}_") for value in enum.value)


def test_every_method_has_messages_of_its_own(contract: list[FileDescriptorProto]) -> None:
    used: list[str] = []
    for file in contract:
        for service in file.service:
            assert service.name.endswith("Service")
            for method in service.method:
                pair = (f".kifu.v1.{method.name}Request", f".kifu.v1.{method.name}Response")
                assert (method.input_type, method.output_type) == pair
                used += pair
    assert len(used) == len(set(used))
