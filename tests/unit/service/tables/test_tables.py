"""Tables of records: they add up to the record, say no more than a viewer knows, are written."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from kifu import tables

from domain import games
from domain.record import events as ev
from domain.record.decisions import act_of
from domain.record.entries import Entry, active, name_of
from domain.record.folding.fold import fold_all
from domain.record.views import OFFICIAL, PUBLIC, redact
from replay_cli.playing.playout import play
from service.client.files import BadFile, read
from service.keeping.adding import add
from service.store.records import Records
from tests.unit.cli.clis import log, run
from tests.unit.cli.test_rewinds import played

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "service/tables/TABLES.md").read_text("utf-8")


def record(game: str, seed: int = 4) -> list[Entry]:
    rules = games.rulebook(game)
    return play(rules, [*rules.decks][:2], seed)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "matches.kifu"
    with closing(Records(path)) as records:
        for n in (3, 4):
            add(records, f"match{n}", log(n))
    return path


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC, 0])
@pytest.mark.parametrize("game", games.newest())
def test_moves_of_cards_add_up_to_the_zones(game: str, viewer: int) -> None:
    """Also where a viewer knows neither the cards nor their numbers."""
    entries = record(game)
    line = [redact(entry, viewer) for entry in entries]
    pos = fold_all(line)
    held = Counter[str]()
    for row in tables.of(entries, viewer=viewer)["cards"].to_pylist():
        if row["event"] != "cards.known":
            held[row["dst"]] += row["dst"] is not None
            held[row["src"]] -= row["src"] is not None
    for place, numbers in pos.zones.items():
        laid = sum(bool(card.host) and card.place == place for card in pos.cards.values())
        assert held[place] == len(numbers) + laid, place


@pytest.mark.parametrize("game", games.newest())
def test_decisions_are_those_of_the_record(game: str) -> None:
    entries, offers, acts = record(game), {}, {}
    for entry in entries:
        match entry.event:
            case ev.OptionsOffered(n=n, seat=seat, offer=offer):
                offers[n, seat] = offer.value
            case ev.DecisionMade(n=n, seat=seat, answer=answer):
                acts[n, seat] = act_of(offers[n, seat], answer.value)
    rows = tables.of(entries)["decisions"].to_pylist()
    assert len(rows) == len(offers)
    for row in rows:
        key = row["n"], row["seat"]
        assert [one["act"] for one in row["options"]] == [o.kind for o in offers[key].options]
        act = acts[key]
        assert (row["act"], row["effect"] or "") == (act.kind, act.effect)
        assert (row["number"] or row["place"] or 0) in (act.card, row["number"])
        assert row["picks"] == [[*map(str, picks)] for picks in act.picks]
        assert row["options"][row["option"]]["act"] == row["act"]


def test_a_match_and_its_lists() -> None:
    found = tables.of(log(3), "m3")
    (row,) = found["matches"].to_pylist()
    pos = fold_all(log(3))
    assert (row["match"], row["winner"], row["score"]) == ("m3", pos.winner, pos.score)
    assert (row["over"], row["viewer"], row["game"]) == (True, "official", "gundam")
    assert row["decisions"] == pos.decisions == found["decisions"].num_rows
    assert row["entries"] == len(log(3)) == found["events"].num_rows
    assert row["duration"] == timedelta(milliseconds=log(3)[-1].time)
    sizes = Counter[tuple[int, str]]()
    for deck in found["decks"].to_pylist():
        sizes[deck["seat"], deck["part"]] += deck["n"]
    assert sizes == {(0, "main"): 50, (0, "resource"): 10, (1, "main"): 50, (1, "resource"): 10}


def test_events_have_their_fields_by_name() -> None:
    rows = tables.of(log(3))["events"].to_pylist()
    assert [row["event"] for row in rows] == [name_of(entry.event) for entry in log(3)]
    opened = json.loads(rows[0]["fields"])
    assert opened["seats"] == ["Bot ST01", "Bot ST03"]
    moved = next(row for row in rows if row["event"] == "cards.moved")
    entry = log(3)[moved["seq"] - 1]
    assert isinstance(entry.event, ev.CardsMoved)
    assert json.loads(moved["fields"])["src"] == entry.event.src
    assert json.loads(moved["fields"])["was"] == [*(entry.event.was.value or ())]
    assert moved["rules"] == [*entry.cites]


def test_what_a_rewind_undid_is_marked() -> None:
    found = tables.of(played())
    standing = {entry.seq for entry in active(played())}
    for row in found["events"].to_pylist():
        assert row["abandoned"] == (row["seq"] not in standing and row["event"] != "rewound")
    line = [row for row in found["decisions"].to_pylist() if not row["abandoned"]]
    (match,) = found["matches"].to_pylist()
    assert match["rewinds"] == 3
    assert match["decisions"] == len(line) < found["decisions"].num_rows
    for row in line:  # as it stood then, on the line that it lies on
        pos = fold_all(e for e in active(played()) if e.seq < row["seq"])
        assert (row["turn"], row["step"]) == (pos.turn, pos.step)


def test_nobody_reads_more_than_he_may_see() -> None:
    whole, public = tables.of(log(3)), tables.of(log(3), viewer=PUBLIC)
    assert public["matches"].column("viewer").to_pylist() == ["public"]
    assert set(public["decks"].column("card").to_pylist()) == {None}
    drawn = [
        [row["card"] for row in found["cards"].to_pylist() if row["dst"] == "hand/0"]
        for found in (whole, public)
    ]
    assert len(drawn[0]) == len(drawn[1])
    assert None not in drawn[0]
    assert None in drawn[1]
    seen = [redact(entry, PUBLIC) for entry in log(3)]
    assert tables.of(seen)["events"].equals(public["events"])


@pytest.mark.parametrize("path", sorted((ROOT / "tests/golden").glob("*/*.jsonl")), ids=str)
def test_records_of_released_versions_become_tables(path: Path) -> None:
    """Of real tables, too, with illegal plays, corrections and rewinds."""
    entries = read(path)
    for viewer in (OFFICIAL, PUBLIC, 1):
        found = tables.of(entries, viewer=viewer)
        assert found["events"].num_rows == len(entries)
        opened = Counter(e.event.n for e in entries if isinstance(e.event, ev.DecisionOpened))
        assert set(found["decisions"].column("n").to_pylist()) == set(opened)


def test_schemas_are_versioned_and_every_column_is_on_the_page() -> None:
    found = tables.of(log(3))
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    for name, schema in tables.SCHEMAS.items():
        assert found[name].schema.equals(schema, check_metadata=True)
        assert schema.metadata == {b"kifu_table": name.encode(), b"kifu_version": b"1"}
        (section,) = (one for one in sections if one.startswith(f"`{name}`"))
        listed = re.findall(r"^\| `(\w+)`", section, re.MULTILINE)
        assert listed == schema.names


def test_all_matches_of_a_store_are_read(store: Path) -> None:
    found = tables.read(store)
    assert found["matches"].column("match").to_pylist() == ["match3", "match4"]
    assert found["events"].num_rows == len(log(3)) + len(log(4))
    assert tables.read(store, "match4")["matches"].num_rows == 1
    with pytest.raises(BadFile):
        tables.read(store, "match5")


def test_a_match_is_a_row_group(store: Path, tmp_path: Path) -> None:
    kept = tables.read(store)
    found = ((match, entries, OFFICIAL) for match, entries in tables.matches(store))
    assert tables.write(tmp_path / "out", found) == 2
    for name, table in kept.items():
        file = pq.ParquetFile(tmp_path / "out" / f"{name}.parquet")
        assert file.num_row_groups == (1 if name in ("matches", "decks") else 2)
        assert file.read().equals(table)
    assert file.read_row_group(1).column("match").unique().to_pylist() == ["match4"]


def test_nothing_is_replaced_by_half_of_it(store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    tables.write(folder, [("match3", log(3), OFFICIAL)])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def broken() -> Iterator[tuple[str, list[Entry], int]]:
        yield "match4", log(4), OFFICIAL
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        tables.write(folder, broken())
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


# -- the command -----------------------------------------------------------------------------------


def test_the_command_writes_one_match_or_all(store: Path, tmp_path: Path) -> None:
    args = ("export", "-d", store, "--format", "parquet", "-o", tmp_path / "out")
    assert "matches in them: 2" in run(*args, "--all").stderr
    every = pq.read_table(tmp_path / "out/matches.parquet")
    assert sorted(every.column("match").to_pylist()) == ["match3", "match4"]
    run(*args, "match3", "--as", "public")
    one = pq.read_table(tmp_path / "out/matches.parquet")
    assert one.column("match").to_pylist() == ["match3"]
    assert one.column("viewer").to_pylist() == ["public"]
    assert set(pq.read_table(tmp_path / "out/decks.parquet").column("card").to_pylist()) == {None}


@pytest.mark.parametrize(
    "args",
    [
        ("--format", "parquet"),
        ("--format", "parquet", "-o", "out", "--proof"),
        ("--all",),
        ("match3", "--all", "--format", "parquet", "-o", "out"),
    ],
)
def test_wrong_usage_of_it(store: Path, args: tuple[str, ...]) -> None:
    run("export", "-d", store, *args, code=2)


def test_it_says_what_to_install(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for name in ("arrow", "schemas"):
        monkeypatch.delitem(sys.modules, f"service.tables.{name}", raising=False)
    args = ("export", "-d", store, "--format", "parquet", "-o", tmp_path / "out")
    assert "pip install 'kifu[tables]'" in run(*args, code=3).stderr
