"""The protocol as files: all there is, and a compiler takes them by themselves."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

from tests.unit.cli.clis import run

PROTO = Path(__file__).parents[3] / "proto"


def test_the_files_compile(tmp_path: Path) -> None:
    printed = run("proto", tmp_path / "out").output.split()
    found = sorted(str(path.relative_to(tmp_path / "out")) for path in map(Path, printed))
    ours = [str(path.relative_to(PROTO)) for path in PROTO.glob("kifu/v1/*.proto")]
    errors = ["google/rpc/error_details.proto", "google/rpc/status.proto"]
    assert found == sorted([*ours, *errors])
    includes = [f"-I{tmp_path}/out", f"-I{files('grpc_tools') / '_proto'}"]
    compiled = tmp_path / "set"
    assert protoc.main(["", *includes, f"--descriptor_set_out={compiled}", *found]) == 0
    services = {
        service.name
        for file in FileDescriptorSet.FromString(compiled.read_bytes()).file
        for service in file.service
    }
    assert {"MatchService", "CatalogService", "DeskService"} <= services


def test_a_place_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "kifu").write_text("")
    printed = run("proto", tmp_path, code=1).output
    assert f"kifu: {tmp_path}/kifu/v1/admin_service.proto can't be written" in printed
