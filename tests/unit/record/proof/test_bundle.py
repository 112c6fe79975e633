"""Evidence bundles: written, read back, and refused where they say something else."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.bundle import (
    BadBundle,
    Bundle,
    as_line,
    check,
    from_line,
    lines,
    read,
)
from domain.record.proof.chain import chained, genesis
from domain.record.proof.openings import Proof, Unproven, openings
from domain.record.views import OFFICIAL, PUBLIC, redact
from tests import independent_verifier as verifier
from tests.golden import DIRECTORIES, logs
from tests.unit.record.proof.vectors import disclose

SECRET = bytes(range(32))
LOG = next(iter(logs(DIRECTORIES[0]).values()))
VIEWERS = (OFFICIAL, PUBLIC, 0, 1)


def bundled(viewer: int, log: list[Entry] = LOG, since: int = 0) -> Bundle:
    """A viewer's copy of a record, and its proof."""
    assert isinstance(log[0].event, MatchOpened)
    before = genesis("m", log[0].event, since)
    shown = tuple(openings(log, SECRET, viewer))
    copy = [redact(entry, viewer) for entry in log]
    return Bundle(copy, viewer, Proof("m", before, shown, chained(before, log, SECRET)))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_bundle_is_read_as_it_was_written(viewer: int) -> None:
    whole = bundled(viewer)
    whole.disclosed = [disclose(LOG[1], 3, SECRET)]
    whole.attached = {"anchor": {"any": 1}}
    found = read("".join(lines(whole)))
    assert found == whole
    assert [head.seq for head in check(found)] == [entry.seq for entry in LOG]
    assert check(found)[-1] == whole.proof.head
    assert from_line(as_line(whole), whole.entries) == whole


def test_a_proof_is_of_its_match_its_viewer_and_its_beginning() -> None:
    whole = bundled(0)
    check(whole)
    proof = whole.proof
    for other in (
        {"match": "n"}, {"layout": 2}, {"head": replace(proof.head, since=3)},
        {"head": replace(proof.head, hash=bytes(32))}, {"openings": proof.openings[:-1]},
        {"before": replace(proof.before, hash=bytes(32))},
    ):  # fmt: skip
        with pytest.raises(Unproven):
            check(replace(whole, proof=replace(proof, **other)))
    for viewer in (1, OFFICIAL, PUBLIC, 7):
        with pytest.raises(Unproven):
            check(replace(whole, viewer=viewer))
    with pytest.raises(Unproven):
        check(replace(whole, entries=whole.entries[:-1]))
    cut = replace(proof, openings=proof.openings[:-1])
    with pytest.raises(Unproven):
        check(replace(whole, entries=whole.entries[:-1], proof=cut))


def test_only_what_was_sealed_is_disclosed() -> None:
    whole = bundled(PUBLIC)
    right = disclose(LOG[1], 3, SECRET)
    check(replace(whole, disclosed=[right]))
    for one in (
        replace(right, value=right.value[:-1] + b"\x07"), replace(right, salt=bytes(16)),
        replace(right, seq=2 if right.seq != 2 else 3), replace(right, field=1),
        replace(right, seq=0), replace(right, seq=len(LOG) + 1),
    ):  # fmt: skip
        with pytest.raises(Unproven):
            check(replace(whole, disclosed=[one]))


def _changed(line: int, change: Callable[[dict[str, Any]], Any]) -> str:
    """The public's bundle with one line of it changed."""
    rows = "".join(lines(bundled(PUBLIC))).splitlines()
    rows[line] = json.dumps(change(json.loads(rows[line])))
    return "\n".join([*rows, ""])


def _recoded(row: dict[str, Any]) -> dict[str, Any]:
    """The same entry, with a number longer than it has to be."""
    data = b64decode(row["entry"])
    assert data[:2] == b"\x97\x01"
    return row | {"entry": b64encode(b"\x97\xcc\x01" + data[2:]).decode()}


@pytest.mark.parametrize(
    ("line", "change"),
    [
        (0, lambda row: row | {"kifu-proof": 2}),
        (0, lambda row: row | {"layout": 2}),
        (0, lambda row: row | {"more": 1}),
        (0, lambda row: row | {"entries": 1}),
        (0, lambda row: row | {"since": -1}),
        (0, lambda row: row | {"viewer": -3}),
        (0, lambda row: row | {"head": row["head"].upper()}),
        (0, lambda row: row | {"head": "00"}),
        (0, lambda row: [row]),
        (1, lambda row: row | {"opens": "****"}),
        (1, lambda row: row | {"opens": "QQ"}),
        (1, lambda row: row | {"entry": "QUE="}),
        (1, lambda row: row | {"other": 1}),
        (1, _recoded),
        (2, lambda row: {}),
        (2, lambda row: {"disclosed": {"seq": 1}}),
    ],
)
def test_what_is_no_bundle_is_refused_with_its_line(
    line: int, change: Callable[[dict[str, Any]], Any]
) -> None:
    with pytest.raises(BadBundle) as error:
        read(_changed(line, change))
    assert error.value.line in (0, line + 1)


def test_a_key_that_stands_twice_is_refused() -> None:
    text = "".join(lines(bundled(PUBLIC)))
    with pytest.raises(BadBundle, match="twice"):
        read(text.replace('{"kifu-proof":1', '{"kifu-proof":1,"since":0', 1))
    with pytest.raises(BadBundle):
        read("")


def test_a_last_line_without_its_end_is_refused() -> None:
    whole = bundled(PUBLIC)
    text, line = "".join(lines(whole)), as_line(whole)
    for broken in (text[:-1], text[: text.rindex("\n", 0, -1)], f"{text}x"):
        with pytest.raises(BadBundle, match="does not end"):
            read(broken)
        with pytest.raises(verifier.Refused, match="does not end"):
            verifier.verify(broken)
    with pytest.raises(BadBundle, match="does not end"):
        from_line(line[:-1], whole.entries)
