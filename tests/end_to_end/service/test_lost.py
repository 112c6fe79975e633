"""A store that was lost is not begun again in silence: what lies beside it tells of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from service.store.schema import KEPT
from service.store.sqlite.file import sidecars
from tests.support import serving
from tests.support.databases import InPostgres
from tests.support.marks import each
from tests.support.serving import open_toy


def _gone(data: Path) -> None:
    for path in (data, *sidecars(data)):
        path.unlink(missing_ok=True)


def _truncated(data: Path) -> None:
    _gone(data)
    data.touch()


def _without_what_was_on_its_way(data: Path) -> None:
    for path in sidecars(data):
        path.unlink()


LOSSES = (_gone, _truncated, _without_what_was_on_its_way)


@pytest.mark.parametrize("lose", each(3, LOSSES))
def test_a_lost_store_is_reported(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    data = tmp_path / "matches.kifu"
    running = serving.start(data)
    with running.client() as organiser:
        opened = open_toy(organiser)
    running.kill()
    kept = tmp_path / "kept"
    shutil.copytree(tmp_path, kept)
    lose(data)
    with pytest.raises(RuntimeError, match=r"CantServe: .*matches\.kifu is empty.*--anew"):
        serving.start(data)
    for path in (data, *sidecars(data)):  # and it is put back
        path.unlink(missing_ok=True)
        if (kept / path.name).exists():
            shutil.copy(kept / path.name, path)
    with serving.running(data) as running, running.client() as organiser:
        assert organiser.match(opened.id).id == opened.id
    _gone(data)
    with serving.running(data, anew=True) as running, running.client() as organiser:
        assert list(organiser.list_matches()) == []
        token = running.token
    with serving.running(data) as running, running.client() as organiser:  # it is no other now
        assert running.token == token
        open_toy(organiser)


def test_one_in_which_nothing_was_played_yet_is_not_lost(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    for _ in range(2):
        serving.start(data).kill()
    with serving.running(data) as running, running.client() as organiser:
        assert list(organiser.list_matches()) == []


def test_so_is_a_database_that_has_nothing_any_more(tmp_path: Path, postgres_url: str) -> None:
    data = tmp_path / "keys.kifu"
    with serving.running(data, store=postgres_url) as running, running.client() as organiser:
        open_toy(organiser)
    place = InPostgres(postgres_url)
    for table in KEPT:
        place.change(f"DELETE FROM {table.name}")
    place.close()
    with pytest.raises(RuntimeError, match=r"CantServe: .* is empty.*keys\.kifu-token.*--anew"):
        serving.start(data, store=postgres_url)
    with serving.running(data, store=postgres_url, anew=True) as running:
        assert running.token
