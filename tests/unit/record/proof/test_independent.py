"""The verifier that shares nothing with ours agrees with it on every golden record."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from domain.record.entries import TYPES, Entry
from domain.record.proof.bundle import BadBundle, check, lines, read
from domain.record.proof.canonical import canonical
from domain.record.proof.openings import Unproven
from domain.record.views import SEALED
from tests import independent_verifier as other
from tests.support.marks import each
from tests.unit.record.proof import vectors
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
    assert len(source.splitlines()) <= 380


def test_its_table_of_sealed_fields_is_ours() -> None:
    ours = {tag: [n for n, _ in SEALED[cls]] for tag, cls in TYPES.items()}
    assert {tag: fields for tag, fields in ours.items() if fields} == other.SEALED


@pytest.mark.parametrize("log", each(4, LOGS))
def test_it_finds_the_same_heads(log: list[Entry]) -> None:
    for viewer in VIEWERS:
        whole = bundled(viewer, log)
        found = other.verify("".join(lines(whole)))
        assert found == [head.hash for head in check(whole)]
        assert other.short(found[-1]) == whole.proof.head.short
    assert all(other.pack(other.unpack(canonical(entry))) == canonical(entry) for entry in log)


# -- the page and its vectors ----------------------------------------------------------------------


def test_the_page_and_the_vectors_are_those_of_the_code() -> None:
    assert vectors.page(vectors.PAGE.read_text("utf-8")) == vectors.PAGE.read_text("utf-8")
    assert vectors.written() == vectors.FILE.read_text("utf-8")


def test_both_verifiers_find_what_the_vectors_say() -> None:
    found = json.loads(vectors.FILE.read_text("utf-8"))
    for value, data in found["encoded"]:
        assert other.pack(value).hex() == canonical(value).hex() == data
        assert other.unpack(bytes.fromhex(data)) == value
    hashes = [row["hash"] for row in found["entries"]]
    for text in found["bundles"].values():
        assert [head.hex() for head in other.verify(text)] == hashes
        assert [head.hash.hex() for head in check(read(text))] == hashes
    head = found["head"]
    for form in head.values():
        other.verify(found["bundles"]["-1"], [form])
    assert head["hash"] == hashes[-1]
    for why, text in found["refused"]:
        assert not accepted_by_other(text), why
        assert not accepted_by_ours(text), why


def test_each_part_of_a_vector_is_what_the_page_says() -> None:
    found = json.loads(vectors.FILE.read_text("utf-8"))
    for row in found["entries"]:
        entry = other.unpack(bytes.fromhex(row["copies"]["-2"]))
        public = bytes.fromhex(row["copies"]["-1"])
        assert other.pack(other.public(entry)) == public
        parts = other.parts_of(entry)
        assert [(n, to) for n, to, _ in parts] == [(p["field"], p["to"]) for p in row["parts"]]
        made = b"".join(
            other.sha256(b"\1", bytes.fromhex(p["salt"]), other.pack(value))
            for (_, _, value), p in zip(parts, row["parts"], strict=True)
        )
        assert (public + made).hex() == row["leaf"]


def accepted_by_other(text: str) -> bool:
    """Whether the independent verifier takes a bundle."""
    try:
        other.verify(text)
    except (other.Refused, *other.FORM):
        return False
    return True


def accepted_by_ours(text: str) -> bool:
    """Whether ours does."""
    try:
        check(read(text))
    except (BadBundle, Unproven):
        return False
    return True
