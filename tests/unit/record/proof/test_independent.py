"""The verifier that shares nothing with ours agrees with it on every golden record."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from domain.record.entries import TYPES, Entry
from domain.record.proof.bundle import check, lines
from domain.record.proof.chain import canonical
from domain.record.views import sealed_fields
from tests import independent_verifier as other
from tests.unit.record.proof.test_bundle import VIEWERS, bundled
from tests.unit.record.proof.test_chain import LOGS


def test_it_imports_nothing_of_ours_and_is_short() -> None:
    source = Path(other.__file__).read_text("utf-8")
    roots = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [one.name for one in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        )
    }  # fmt: skip
    assert not roots & {"domain", "service", "replay_cli", "tests", "kifu", "msgspec"}
    assert len(source.splitlines()) <= 330


def test_its_table_of_sealed_fields_is_ours() -> None:
    ours = {tag: [n for n, _ in sealed_fields(cls)] for tag, cls in TYPES.items()}
    assert {tag: fields for tag, fields in ours.items() if fields} == other.SEALED


@pytest.mark.parametrize("log", LOGS)
def test_it_finds_the_same_heads(log: list[Entry]) -> None:
    for viewer in VIEWERS:
        whole = bundled(viewer, log)
        found = other.verify("".join(lines(whole)))
        assert found == [head.hash for head in check(whole)]
        assert other.short(found[-1]) == whole.proof.head.short
    assert all(other.pack(other.unpack(canonical(entry))) == canonical(entry) for entry in log)
