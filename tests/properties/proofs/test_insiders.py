"""Manipulation of the database is found by it, or by a checkpoint that somebody kept.

Nothing that is asked of it meanwhile writes to it: what was done can't be made good by looking.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.properties.proofs import insiders
from tests.support.databases import Place, emptied

#: Attacks that are tried on each kind of database; all of them where there is time.
SOME = pytest.param(4, id="some")
ALL = pytest.param(None, id="all", marks=pytest.mark.long)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    yield from emptied(request, tmp_path)


@pytest.mark.parametrize("most", [SOME, ALL])
def test_what_is_done_to_a_database_is_found(place: Place, most: int | None) -> None:
    kept = insiders.played(place)
    assert not any(insiders.found(place, kept).values())
    copy = insiders.copied(place)
    attacks = [*insiders.attacks(copy)]
    if most is not None:
        some = Random(most).sample(attacks, most // (2 if place.shared else 1))
        attacks = [*some, *(one for one in attacks if "accepted" in one.name)]
    missed = []
    for attack in attacks:
        attack.carry_out(place)
        before = insiders.copied(place)
        seen = insiders.found(place, kept)
        silent = {name for name, shown in seen.items() if not shown} - attack.blind
        if silent:
            missed.append((attack.name, silent))
        assert insiders.copied(place) == before, attack.name
        insiders.restored(place, copy)
    assert not missed, missed
