"""`kifu stats`: what matches of stores, archives and files add up to."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from tests.unit.cli.clis import answer, log, run

FIRST = ("--edition", "1.0")


def played(tmp_path: Path) -> tuple[Path, Path]:
    """The same three matches as a store and as files."""
    store, folder = tmp_path / "played.kifu", tmp_path / "played"
    for kept in (store, folder):
        run("simulate", "-n", 3, "--seed", 3, "--decks", "ST01,ST03", "-o", kept, *FIRST)
    return store, folder


def test_a_store_and_files_have_the_same_figures(tmp_path: Path) -> None:
    store, folder = played(tmp_path)
    for by in ("summary", "decks", "against", "cards"):
        found = answer("stats", store, "--by", by)
        assert found == answer("stats", folder, "--by", by)
        assert found["gundam"]["matches"] == 3
    assert answer("stats", folder / "gundam-3.jsonl")["gundam"]["matches"] == 1
    assert answer("stats", store, store)["gundam"]["matches"] == 3


def test_the_public_gets_no_figures_of_hidden_cards(tmp_path: Path) -> None:
    store, _ = played(tmp_path)
    whole = answer("stats", store, "--by", "cards", "--as", "official")["gundam"]
    public = answer("stats", store, "--by", "cards")["gundam"]
    assert {row["kind"] for row in whole["rows"]} == {"listed", "opening", "drawn", "played"}
    assert {row["kind"] for row in public["rows"]} == {"drawn", "played"}
    assert whole["turns"] == public["turns"]


def test_tables_for_people_and_spreadsheets(tmp_path: Path) -> None:
    store, _ = played(tmp_path)
    text = run("stats", store).stdout
    assert "3 matches; 3 games" in text
    assert "first player" in text
    assert "no shield left" in text
    assert "Guntank" in run("stats", store, "--by", "cards").stdout
    (first, *_) = csv.DictReader(io.StringIO(run("stats", store, "--by", "decks", "--csv").stdout))
    assert first["game"] == "gundam"
    assert float(first["low"]) <= float(first["rate"]) <= float(first["high"])


def test_matches_are_selected(tmp_path: Path) -> None:
    store, _ = played(tmp_path)
    assert answer("stats", store, "--edition", "1.9") == {}
    assert answer("stats", store, "--format", "bo3") == {}
    assert answer("stats", store, "--since", "2023-01-01")["gundam"]["matches"] == 3
    assert answer("stats", store, "--until", "2023-01-01") == {}
    assert "no matches" in run("stats", store, "--label", "round=9").stdout
    assert "NAME=VALUE" in run("stats", store, "--label", "round", code=2).stderr


def test_what_is_not_over_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    from replay_cli import record

    path.write_text("".join(record.write(log(3)[:-5])))
    assert answer("stats", path) == {}
    assert "there is no file" in run("stats", tmp_path / "none", code=3).stderr
    assert "either" in run("stats", path, "--csv", "--json", code=2).stderr
