"""Every match of a store file is verified, by however many processes."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from replay_cli.checking.verifying import check_all, matches
from service.store import chains
from service.store.derived import listing
from service.store.records import Records, Work
from tests.support.marks import each
from tests.unit.cli.clis import log, run
from tests.unit.store.records import AT

MATCHES = 60


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More matches than a list shows."""
    path = tmp_path_factory.mktemp("archive") / "matches.kifu"
    entries = log(5)[:40]
    with closing(Records(path)) as records:
        for at in range(MATCHES):
            match = f"m{at:03}"
            records.write(Work(match, entries, listing.derive(match, entries, at=AT)))
    return path


@pytest.fixture
def damaged(archive: Path, tmp_path: Path) -> Path:
    """A copy, to be damaged."""
    return Path(shutil.copy(archive, tmp_path / "matches.kifu"))


@pytest.mark.parametrize("jobs", each(2, [2, 1]))
def test_every_match_of_a_file_is_verified_in_order(archive: Path, jobs: int) -> None:
    wanted = matches(archive)
    assert len(wanted) == MATCHES
    found = list(check_all(archive, wanted, jobs))
    assert [result.subject for result in found] == [f"match {match}" for match in wanted]
    assert {result.verdict.entries for result in found} == {40}
    printed = run("verify", "--offline", "-d", archive, "--jobs", jobs, code=1).stdout
    assert f"{MATCHES} matches: {MATCHES} diverged" in printed  # they break off in a command


def test_an_unreadable_match_is_listed_with_the_others(damaged: Path) -> None:
    with closing(sqlite3.connect(damaged)) as connection:
        connection.execute("UPDATE stored_events SET state=x'00ff' WHERE originator_id='m007'")
        connection.commit()
    found = run("verify", "--offline", "-d", damaged, "-j", 2, "--json", code=1).stdout
    data = {one["subject"]: one["reason"] for one in json.loads(found)}
    assert len(data) == MATCHES
    assert "are damaged" in data["match m007"]
    assert "breaks off" in data["match m008"]


def test_entries_that_differ_from_the_chained_ones_are_reported(damaged: Path) -> None:
    with closing(Records(damaged)) as records:
        head = chains.head(records, "m003")
        assert head is not None
        records.write(
            Work("", (), [("UPDATE chains SET hash=zeroblob(32) WHERE id='m004'", ())]),
            Work("", (), [("DELETE FROM stored_events WHERE originator_id='m005'", ())]),
        )
    found = run("verify", "--offline", "-d", damaged, "--json", code=1).stdout
    data = {one["subject"]: one for one in json.loads(found)}
    assert data["match m003"]["chain"] == ""
    assert data["match m003"]["head"]["short"] == head.short
    assert "do not lead to the head" in data["match m004"]["chain"]
    assert "has 0 of them, 40 were chained" in data["match m005"]["chain"]
    printed = run("verify", "--offline", "-d", damaged, "m004", code=1).stdout
    assert "nothing is proven of it" in " ".join(printed.split())
    printed = run("verify", "--offline", "-d", damaged, "m003", code=1).stdout
    assert f"head 40: {head.short}" in printed


def test_a_match_that_is_not_there(archive: Path) -> None:
    found = run("verify", "--offline", "-d", archive, "nosuch", code=3).stderr
    assert "there is no match nosuch" in found
