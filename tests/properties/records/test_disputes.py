"""A page can be made of any decision of any record, for anybody, and every question is answered.

The matches are entered at real tables, with officials who correct, go back and rule at random.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import assume, given

from domain.engine.checks import hindsight
from domain.games import names
from domain.record.decisions import Act
from replay_cli import record
from replay_cli.dispute.gather import Wanted, gather
from replay_cli.dispute.page import render
from replay_cli.reaching.source import File
from tests.playouts import Setup
from tests.properties.people.test_real_tables import kept
from tests.properties.strategies import examples, seeds, setups, unless_short
from tests.unit.cli.test_dispute import checked

EYES = ("official", "A", "B", "public")


@examples(5)
@given(setups(), seeds)
def test_a_page_of_any_decision(setup: Setup, seed: int) -> None:
    assume(setup.rules.manifest.game in names())
    log, rng = kept(setup, seed).log, Random(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        path.write_text("".join(record.write(log)), "utf-8")
        files = {eyes: File(path, eyes) for eyes in EYES}
        decisions = [one.n for one in files["official"].record.decisions]
        for n in rng.sample(decisions, min(4, len(decisions))):
            for file in files.values():
                page = gather(file, Wanted(n, choices=rng.choice([1, 5])))
                assert page.decisions
                assert page.verified.kind == "exact"
                checked(render(page))
        for entry in rng.sample(range(30, len(log) + 1), 3):
            page = gather(files[rng.choice(EYES)], Wanted(entry=entry))
            checked(render(page))


@unless_short(Setup(37373, ("ST01", "ST01"), 3, "keen", True), 1759)
@examples(5)
@given(setups(), seeds)
def test_questions_about_real_tables_are_answered_as_at_the_time(setup: Setup, seed: int) -> None:
    keeper, rng = kept(setup, seed), Random(seed)
    match = keeper.match
    assume(not match.pos.over and match.pos.decision is not None)
    kinds = [word.name for word in setup.rules.manifest.acts]
    for _ in range(60):
        seat, act = rng.randrange(2), Act(rng.choice(kinds), rng.randrange(1, match.pos.next_card))
        then = match.why_not(seat, act, match.pos.time)
        assert hindsight.resumed(setup.rules, keeper.log, seat, act) == then
