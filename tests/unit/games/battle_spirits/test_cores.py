"""Cores lie in places of the players and on cards on the Field, and nowhere else."""

from __future__ import annotations

from domain.games import rulebook
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.manifest import SOUL
from domain.record.events import NotDone
from domain.text.scenario import load
from domain.text.scenario.setting import lay

POSITION = "game battle_spirits\nposition\n    A hand: Mushakko\n    A field: Gen-Bor [core 1]\n"


def test_no_core_comes_onto_a_card_that_is_not_on_the_field() -> None:
    t = lay(rulebook("battle_spirits"), load(POSITION).setting, "cores")
    (held,), (there,) = t.pos.zone("hand", 0), t.pos.zone("field", 0)
    before = cores.totals(t.pos)
    assert cores.move(t, 1, cores.reserve(0), held, "bs:7-6-1-2-2", kind=SOUL) == 0
    assert isinstance(t.out[-1].event, NotDone)
    assert cores.count(t.pos, held) == 0
    assert cores.move(t, 1, cores.reserve(0), there, "bs:7-6-1-2-2", kind=SOUL) == 1
    assert cores.held(t.pos, there) == (1, 1)
    assert cores.totals(t.pos) == before
