"""A file is checked, backed up, copied and archived while a server has it, and goes on without."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from service.store.derived import listing
from service.store.records import Records, Work
from tests.unit.cli.clis import answer, log, run, serving


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a whole match in it."""
    path = tmp_path_factory.mktemp("kept") / "kept.kifu"
    with closing(Records(path)) as records:
        records.write(Work("aaaaa", log(3), listing.derive("aaaaa", log(3))))
    return path


@pytest.mark.long
def test_a_served_file_is_kept_for_years(data: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(data, tmp_path / "matches.kifu"))
    backup, copy, cup = (tmp_path / f"{name}.kifu" for name in ("backup", "copy", "cup"))
    with serving("-d", path, "-p", 0, cwd=tmp_path) as served:
        (match,) = (one["id"] for one in answer("list", "-d", str(path)))
        assert answer("store", "check", str(path))["faults"] == []
        assert answer("store", "backup", str(path), str(backup))["matches"] == 1
        assert answer("store", "copy", str(path), str(copy))["copied"] == 1
        assert answer("event", "archive", match, str(cup), "-d", str(path))["matches"] == 1
        out = ("event", "archive", match, str(cup), "-d", str(path), "--remove", "-y")
        assert served["address"] in run(*out, code=3).output  # who has the file
    shown = run("show", match, "-d", str(path)).stdout
    for one in (backup, copy, cup):
        assert answer("store", "check", str(one))["faults"] == []
        assert run("show", match, "-d", str(one)).stdout == shown
    assert answer(*out)["removed"] == 1
    printed = run("show", match, "-d", str(path), code=3).output
    assert f"match {match} was archived on" in printed
    assert answer("event", "restore", str(cup), "-d", str(path))["restored"] == 1
    assert run("show", match, "-d", str(path)).stdout == shown
    assert "exact" in run("verify", match, "-d", str(path)).stdout
