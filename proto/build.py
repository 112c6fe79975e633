"""Compiles `proto/kifu/v1/*.proto` whenever the project is built or installed, editable or not.

The generated modules (`kifu.v1.*_pb2`) lie beside their sources and are not committed: the `.proto`
files are the contract, and the compiler that pip fetches for the build always fits the runtime.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProtoHook(BuildHookInterface[Any]):
    """Runs protoc before anything is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate messages, stubs and their types."""
        from google import rpc
        from grpc_tools import _proto as bundled
        from grpc_tools import protoc

        root = Path(self.root) / "proto"
        sources = sorted(str(path.relative_to(root)) for path in root.glob("kifu/v1/*.proto"))
        out = [f"--{kind}_out={root}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
        common = Path(next(iter(rpc.__path__))).parents[1]  # where google/rpc/status.proto lies
        includes = [f"-I{root}", f"-I{next(iter(bundled.__path__))}", f"-I{common}"]
        if protoc.main(["protoc", *includes, *out, *sources]):
            raise RuntimeError("protoc could not compile the contract")
