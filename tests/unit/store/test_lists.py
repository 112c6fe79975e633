"""Lists: what is found by them, and files of earlier versions, which had indexes instead."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.record.events import MatchOpened, Origin
from service.credentials import tokens
from service.keeping import listed
from service.keeping.check.store import Tally, check
from service.store.derived import listing, searching
from service.store.derived.searching import Wanted, search
from service.store.records import Records, Work
from service.store.tables import lists
from tests.support import stores
from tests.unit.store.records import AT, toy_match


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with some of everything: one of the tokens is revoked, too."""
    path = stores.filled(tmp_path_factory.mktemp("lists") / "matches.kifu")
    with closing(Records(path)) as records:
        gone = tokens.lines(records, tokens.Filter())[-1].who.id
        records.write(Work("", (), tokens.marked([gone], AT + 9, "Ida")))
        fork = toy_match(labels={"a=b": "c", "round": "7"}).collect()
        opened = fork[0].event
        assert isinstance(opened, MatchOpened)
        fork[0] = replace(fork[0], event=replace(opened, origin=Origin(stores.OVER, 9)))
        records.write(Work("fork1", fork, listing.derive("fork1", fork)))
    return path


def test_a_search_looks_at_so_many_matches_and_says_where_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "MOST", 8)
    monkeypatch.setattr(lists, "PAGE", 4)
    with closing(Records(tmp_path / "matches.kifu")) as records:
        for at in range(40):
            labels = {"even": str(at % 2), "third": str(at % 3)} if at != 1 else {}
            match = toy_match(labels=labels).collect()
            opened = match[0].event
            assert isinstance(opened, MatchOpened)
            records.write(Work(f"m{at:02}", match, listing.derive(f"m{at:02}", match)))
        for wanted, right in (
            (Wanted({"even": "0"}), range(38, -1, -2)),
            (Wanted({"even": "0", "third": "1"}), range(34, 3, -6)),
            (Wanted({"even": "1", "third": "1"}, "toy", listing.LIVE), range(37, 6, -6)),
            (Wanted({"even": "2"}), ()),
        ):
            found, after, calls = list[str](), None, 0
            while not calls or after is not None:
                some, after = search(records, wanted, after, 3)
                found += [one.id for one in some]
                calls += 1
                assert len(some) <= 3
                assert calls < 20
            assert found == [f"m{at:02}" for at in right]


def test_what_stands_on_a_list_and_does_not_belong_there_is_not_found(tmp_path: Path) -> None:
    with closing(Records(tmp_path / "matches.kifu")) as records:
        match = toy_match(labels={"a": "b"}).collect()
        stray = [lists.added(listing.of_state(listing.ENDED), AT, "m"),
                 lists.added(listing.of_label("a", "c"), AT, "m"),
                 lists.added(listing.PLAYED, AT + 1, "nobody")]  # fmt: skip
        records.write(Work("m", match, [*listing.derive("m", match), *stray]))
        assert search(records, Wanted(state=listing.ENDED)).matches == []
        assert search(records, Wanted({"a": "c"})).matches == []
        assert [one.id for one in search(records).matches] == ["m"]


def rows(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.execute("SELECT * FROM lists").fetchall())


def test_what_is_missing_on_a_list_is_found_and_put_there(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "matches.kifu"
    path.write_bytes(whole.read_bytes())
    gone = [row for row in rows(path) if not row[0].startswith("matches")]
    assert {name.split()[0] for name, *_ in gone} == {"tokens", "codes", "events"}
    with closing(Records(path)) as records:
        records.write(Work("", (), [lists.removed(*row) for row in gone]))
        assert tokens.revoked(records) == []
        assert sorted(listed.missing(records)) == sorted(gone)
        found = [one for one in check(records, Tally(), quick=True) if "on the list" in one.why]
        assert len(found) == len(gone)
        listed.rebuild(records)
        assert not list(listed.missing(records))
        assert len(tokens.revoked(records)) == 1
    assert rows(path) == rows(whole)
