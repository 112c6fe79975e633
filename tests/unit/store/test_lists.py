"""Lists: what is found by them, and files of earlier versions, which had indexes instead."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.record.events import MatchOpened, Origin
from service.credentials import codes, tokens
from service.keeping import listed
from service.keeping.check.store import Tally, check
from service.store.derived import checks, listing, searching
from service.store.derived.searching import Wanted, search
from service.store.layout.repacking import to_repack
from service.store.records import Records, Work
from service.store.tables import access, lists
from service.store.tables.tournaments import Tournaments
from tests.support import stores
from tests.unit.store.records import AT, toy_match

#: What makes of a file one of the version before there were lists.
EARLIER = """
CREATE TABLE labels (name TEXT, value TEXT, opened INTEGER, id TEXT,
                     PRIMARY KEY (name, value, opened, id)) WITHOUT ROWID;
CREATE TABLE forks (id TEXT PRIMARY KEY, origin TEXT) WITHOUT ROWID;
CREATE TABLE unpacked (id TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO labels SELECT substr(list, 15, instr(list, '=') - 15),
    substr(list, instr(list, '=') + 1), at, id FROM lists WHERE list LIKE 'matches label %';
INSERT INTO forks SELECT id, 'another' FROM matches
    WHERE id NOT IN (SELECT id FROM lists WHERE list='matches played');
INSERT INTO unpacked SELECT id FROM lists WHERE list='matches unpacked';
CREATE INDEX matches_by_time ON matches (opened, id);
CREATE INDEX matches_by_state ON matches (ended, opened, id);
CREATE INDEX matches_by_game ON matches (game, opened, id);
DROP TABLE lists;
CREATE TABLE t (n INTEGER PRIMARY KEY, id TEXT UNIQUE, match TEXT, event TEXT, role TEXT,
    seat INTEGER, subject TEXT, delay TEXT, issued INTEGER, expires INTEGER, issuer TEXT,
    code TEXT, revoked INTEGER DEFAULT 0, revoker TEXT DEFAULT '');
INSERT INTO t SELECT NULL, * FROM tokens ORDER BY issued, id;
DROP TABLE tokens;
ALTER TABLE t RENAME TO tokens;
CREATE INDEX tokens_by_match ON tokens (match);
CREATE INDEX tokens_by_code ON tokens (code) WHERE code<>'';
CREATE TABLE t (n INTEGER PRIMARY KEY, id TEXT UNIQUE, hash BLOB UNIQUE, role TEXT, match TEXT,
    event TEXT, seat INTEGER, player INTEGER, at INTEGER, name TEXT, delay TEXT, issued INTEGER,
    expires INTEGER, issuer TEXT, exchanges INTEGER DEFAULT 0, last INTEGER DEFAULT 0,
    revoked INTEGER DEFAULT 0, revoker TEXT DEFAULT '');
INSERT INTO t SELECT NULL, * FROM codes ORDER BY issued, id;
DROP TABLE codes;
ALTER TABLE t RENAME TO codes;
CREATE TABLE t (n INTEGER PRIMARY KEY, line BLOB, hash BLOB);
INSERT INTO t SELECT n, line, hash FROM access;
DROP TABLE access;
ALTER TABLE t RENAME TO access;
"""


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


def listings(records: Records) -> Iterator[Any]:
    """What is found in a store in all ways."""
    for wanted in (
        Wanted(), Wanted(game="toy"), Wanted(state=listing.ENDED), Wanted(state=listing.LIVE),
        Wanted(state=listing.WAITING), Wanted({"table": "7"}), Wanted({"table": "8"}),
        Wanted(event=stores.EVENT, game="toy"), Wanted(game="none"),
    ):  # fmt: skip
        yield search(records, wanted)
    yield codes.lines(records, codes.Filter())
    for chosen in (
        tokens.Filter(), tokens.Filter(match=stores.OVER), tokens.Filter(event=stores.EVENT),
        tokens.Filter(code=codes.lines(records, codes.Filter())[0].id),
    ):  # fmt: skip
        yield tokens.lines(records, chosen)
        yield tokens.revoked(records, chosen)
    yield tokens.revoked(records)
    yield codes.lines(records, codes.Filter(event=stores.EVENT))
    yield codes.by_hash(records, bytes(range(16)))
    yield codes.by_hash(records, bytes(16))
    yield Tournaments(records).opened()
    yield access.lines(records, match=stores.OVER)
    yield access.head(records), access.check(records), access.check_all(records)


def rows(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.execute("SELECT * FROM lists").fetchall())


def test_a_file_of_an_earlier_version_reads_the_same_and_is_filled(
    whole: Path, tmp_path: Path
) -> None:
    with closing(Records(whole, reading=True)) as records:
        wanted, waiting = list(listings(records)), sorted(to_repack(records))
    assert all(wanted[:6])
    earlier = tmp_path / "earlier.kifu"
    earlier.write_bytes(whole.read_bytes())
    with closing(sqlite3.connect(earlier)) as connection:
        connection.executescript(EARLIER)
    with closing(Records(earlier, reading=True)) as records:
        assert list(listings(records)) == wanted
        assert all(checks.faults(records, match) == [] for match in stores.MATCHES)
    for _ in range(2):
        with closing(Records(earlier)) as records:
            assert list(listings(records)) == wanted
            assert sorted(to_repack(records)) == waiting
            assert all(checks.faults(records, match) == [] for match in stores.MATCHES)
        assert rows(earlier) == rows(whole)


def test_what_an_earlier_version_has_added_since_is_listed(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "matches.kifu"
    path.write_bytes(whole.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("SELECT * FROM lists").fetchall()
        connection.executescript(EARLIER)
        connection.execute("CREATE TABLE lists (list TEXT, at INTEGER, id TEXT,"
                           " PRIMARY KEY (list, at, id)) WITHOUT ROWID")  # fmt: skip
        connection.executemany("INSERT INTO lists VALUES (?,?,?)", kept)
        connection.execute("DELETE FROM labels")
        connection.execute("UPDATE matches SET ended=1 WHERE id=?", (stores.LIVE,))
        connection.execute("UPDATE tokens SET revoked=5, revoker='Ada'")
        connection.commit()
    with closing(Records(path)) as records:
        assert stores.LIVE in [one.id for one in search(records, Wanted(state=1)).matches]
        assert len(search(records, Wanted({"table": "7"})).matches) == 1
        assert len({*tokens.revoked(records)}) == len(tokens.lines(records, tokens.Filter())) > 1


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
