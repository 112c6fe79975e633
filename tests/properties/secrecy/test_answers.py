"""All readers see the same text of an answer, at a real table as at a dealt one."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import given

from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from domain.record.folding.fold import fold, fold_all
from domain.record.views import OFFICIAL, PUBLIC, answered, redact
from domain.telling.record import Record
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table, names_in
from service.store.derived import listing
from service.store.history import History
from service.store.records import Records, Work
from tests.playouts import Setup, acts, cuts, opening, play
from tests.properties.strategies import examples, setups

ID = "k7f3q"
LENGTH = 60  # decisions


def recorded(setup: Setup) -> tuple[list[Entry], dict[int, Act]]:
    """A dealt match entered at a real table, up to a decision; what was chosen, by decision."""
    dealt = play(setup)
    stops = cuts(dealt)[: LENGTH + 1]
    chosen = {e.event.n: act for e, act in acts(dealt) if isinstance(e.event, DecisionMade)}
    p = fold_all(dealt[: stops[0]])
    keeper = Scorekeeper(at_table(setup.rules, opening(setup), dealt[: stops[0]]))
    for start, stop in pairwise(stops):
        entries = dealt[start:stop]
        made, time = entries[0].event, entries[0].time
        assert isinstance(made, DecisionMade)
        seat, n = made.seat, made.n
        keeper.enter(
            lambda m, inputs, seat=seat, n=n, time=time: m.choose(
                seat, n, chosen[n], time, inputs=inputs
            ),
            entries,
            names_in(p, entries),
        )
        for entry in entries:
            fold(p, entry)
    return keeper.log, chosen


@examples(6)
@given(setups(restless=False))
def test_answers_at_a_real_table_are_read_as_they_were_given(setup: Setup) -> None:
    log, chosen = recorded(setup)
    with tempfile.TemporaryDirectory() as folder:
        records = Records(Path(folder) / "matches.kifu")
        records.write(Work(ID, log, listing.derive(ID, log)))
        for viewer in (OFFICIAL, 0, 1, PUBLIC):
            held = Record([redact(entry, viewer) for entry in log])
            shown = {one.n: one.act for one in held.decisions if one.made}
            listed = {
                one.n: side.act
                for one in History(records).decisions(ID, viewer, 1, 1000)
                for side in one.sides.values()
                if side.seq
            }
            assert shown == listed
            for n, act in shown.items():
                if viewer == OFFICIAL:
                    assert act == chosen[n]
                elif act is not None:  # a card that he couldn't tell apart is named by its place
                    assert (act.kind, len(act.picks)) == (chosen[n].kind, len(chosen[n].picks))
                    assert act.card == chosen[n].card or isinstance(act.card, str)
        records.close()


def test_an_answer_that_is_hidden_stays_hidden() -> None:
    made = next(e.event for e in recorded(Setup(3))[0] if isinstance(e.event, DecisionMade))
    entry = Entry(1, 0, 1, 0, made.seat, (), made)
    hidden = redact(entry, PUBLIC).event
    assert isinstance(hidden, DecisionMade)
    assert answered(hidden, None, whole=False) == (None, None)
