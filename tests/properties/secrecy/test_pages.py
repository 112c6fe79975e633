"""A dispute page tells its reader nothing that he may not know: twins give him the same bytes."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.games import names
from domain.record.entries import Entry, encode
from domain.record.views import PUBLIC, redact
from replay_cli import record
from replay_cli.dispute.gather import Wanted, gather
from replay_cli.dispute.page import render
from replay_cli.reaching import source
from replay_cli.reaching.source import File
from tests.playouts import Setup, cuts, play
from tests.properties.secrecy.twins import Case, noticed, twins
from tests.properties.strategies import examples, seeds, setups

EYES = {0: "A", 1: "B", PUBLIC: "public"}


def made(log: list[Entry], viewer: int, wanted: Wanted) -> str:
    """The page that a viewer gets from an official's file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        path.write_text("".join(record.write(log)), "utf-8")
        return render(gather(File(path, EYES[viewer]), wanted))


def distinguished(case: Case) -> object:
    """The pages of two matches at some decision, if the viewer can tell them apart; else None."""
    _, log, twin, viewer, seed = case
    at = [cut for cut in cuts(log) if cut <= twin.same and cut <= len(twin.log)]
    if not at:
        return None
    end = at[-1]
    n = Random(seed).randrange(len(at)) + 1
    wanted = Wanted(n=n, acts=("A: pass", "B: pass"), choices=3)
    both = [made(one[:end], viewer, wanted) for one in (log, twin.log)]
    return both if both[0] != both[1] else None


@examples(2)
@given(setups(best_of=(1,)), st.sampled_from([0, 1, PUBLIC]), seeds)
def test_twins_give_the_same_page(setup: Setup, viewer: int, seed: int) -> None:
    assume(setup.rules.manifest.game in names())
    log = play(setup)
    for twin in twins(setup, log, viewer, seed):
        assert distinguished(Case(setup, log, twin, viewer, seed)) is None


@pytest.mark.long
def test_a_page_of_everything_for_everybody_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "redact", lambda entry, viewer: entry)
    assert noticed(distinguished, (0, PUBLIC))


@examples(2)
@given(setups(), st.sampled_from([0, 1]))
def test_the_publics_view_can_be_made_from_a_seats(setup: Setup, seat: int) -> None:
    """As a page shows a player the table as the public saw it."""
    for entry in play(setup):
        assert encode(redact(redact(entry, seat), PUBLIC)) == encode(redact(entry, PUBLIC))
