"""The changes of a position, at each entry or some, add up to the viewer's position."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from kifu.v1 import positions_pb2 as pb

from domain.games import rulebook
from domain.record.folding.changes import Compared, apply
from domain.record.folding.fold import fold
from domain.record.position import Position
from domain.record.schema import tallies
from domain.record.views import OFFICIAL, PUBLIC, redact
from service import changes
from tests.playouts import Setup, play
from tests.properties.strategies import examples, setups


@examples(6)
@given(setups(), st.sampled_from((OFFICIAL, PUBLIC, 0, 1)), st.integers(1, 9))
def test_changes_make_the_position(setup: Setup, viewer: int, every: int) -> None:
    """As bytes, and nobody counts otherwise than those who see all."""
    pos, whole, mine = Position(), Position(), Position()
    compared, log = Compared(mine), play(setup)
    declared = rulebook(log[0].event.game).tallies  # type: ignore[union-attr]
    for entry in log:
        fold(pos, redact(entry, viewer))
        fold(whole, entry)
        if entry.seq % every and entry is not log[-1]:
            continue
        sent = changes.message(compared.changes(pos)).SerializeToString()
        apply(mine, changes.of(pb.PositionChanges.FromString(sent)))
        assert mine.encoded() == pos.encoded()
        assert tallies.values(declared, mine) == tallies.values(declared, whole)
