"""How games are drawn: zones lie on a mat, and pages have a picture for each word of a look."""

from __future__ import annotations

from importlib.resources import files

import pytest

from domain.games import names, rulebook
from domain.record.schema.looks import COLUMNS, cells

STYLES = (files("service.web") / "board/static/cards.css").read_text("utf-8")


@pytest.mark.parametrize("game", names())
def test_zones_lie_on_the_mat(game: str) -> None:
    rules = rulebook(game)
    for rows, shared in ((rules.look.side, False), (rules.look.shared, True)):
        for line in rows:
            words = line.split()[1:]
            assert sum(int(word.partition("*")[2] or 1) for word in words) == COLUMNS, line
        placed, units = cells(rows)
        zones = [zone for zone in rules.manifest.zones if zone.row >= 0 and zone.shared == shared]
        assert set(placed) <= {zone.name for zone in zones}
        # what is not on the mat is only there in passing, and takes some of the front's room
        missing = [zone for zone in zones if zone.name not in placed]
        assert all(not zone.orients or zone.style == "passing" for zone in missing)
        taken = [
            (x, y)
            for cell in placed.values()
            for x in range(cell.x, cell.x + cell.wide)
            for y in range(cell.y, cell.y + cell.high)
        ]
        assert len(taken) == len(set(taken))
        assert units <= 20


@pytest.mark.parametrize("game", names())
def test_pages_have_a_picture_for_each_word(game: str) -> None:
    look = rulebook(game).look
    colour, pattern = look.back
    for name in {*look.frames.values(), colour}:
        assert f".frame-{name}," in STYLES
    for name in {*look.emblems.values(), *look.glyphs.values()}:
        assert f".is-{name} " in STYLES
    assert f".back-{pattern} " in STYLES
    assert set(look.emblems) <= {card.type for card in rulebook(game).cards.values()}
