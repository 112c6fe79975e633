"""The page on tables: its commands and its programs run as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.unit.cli.clis import run

PAGE = (Path(__file__).parents[4] / "service/tables/TABLES.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in ("pyarrow", "duckdb", "polars"):
        pytest.importorskip(package, reason=f"{package} is not installed: the page can't be run")
    monkeypatch.chdir(tmp_path)
    for block in blocks("console"):
        for line in block.splitlines():
            run(*shlex.split(line.removeprefix("$ kifu ")))
    names: dict[str, object] = {}
    programs = blocks("python")
    assert len(programs) == 3
    for program in programs:
        exec(compile(program, "TABLES.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "ST01" in printed
    assert "could attack" in printed
    assert "b'kifu_version': b'1'" in printed
    assert (tmp_path / "public/cards.parquet").exists()
