"""A match that is over, and is not: how the listing follows corrections and ends taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.officials import results, rewind, rulings
from domain.officials.frame import Official
from domain.record.entries import Entry, active
from domain.record.events import DecisionOpened
from domain.record.folding.fold import fold_all
from domain.record.interventions import ResultCorrected, Rewound
from domain.record.points import Point
from domain.record.views import OFFICIAL, PUBLIC, position
from service.dice import Dice
from service.store import delay, history
from service.store.delay import Delay, Released
from service.store.derived import checks, listing
from service.store.derived.listing import Outcome
from service.store.derived.searching import Wanted, search
from service.store.history import History
from service.store.layout import repacking
from service.store.records import Records, Work
from tests.support.marks import each
from tests.toy import TOY
from tests.unit.store.records import AT, toy_command, toy_match

ID, LATE = "k7f3q", 10**7


def judge(match: Match) -> Official:
    return Official("Ada", match.pos.time + 1, "because")


def played() -> Iterator[list[Entry]]:
    """The entries of a match, command by command, whose end was no end, twice."""
    match, rng, log = toy_match(turns=8), Random(1), list[Entry]()
    for end in range(3):
        while True:
            entries = match.collect()
            log += entries
            yield entries
            if match.pos.over:
                break
            log += (entries := toy_command(match, rng, match.pos.time))
            yield entries
        winner = (match.pos.winner + 2) % 3 - 1
        results.correct_result(match, judge(match), winner, match.pos.score, "mixed up")
        log += (entries := match.collect())
        yield entries
        rulings.note(match, judge(match), "told them", public=True)
        log += (entries := match.collect())
        yield entries
        if end < 2:
            opened = [e.event.n for e in active(log) if isinstance(e.event, DecisionOpened)]
            match = rewind.rewind(TOY, log, opened[-6], judge(match), Dice(1, len(log)))


COMMANDS = [command for command in played() if command]
LOG = [entry for command in COMMANDS for entry in command]
BACK = [entry.seq for entry in LOG if isinstance(entry.event, Rewound)]


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Records]:
    monkeypatch.setattr(history, "EVERY", 20)
    found = Records(tmp_path / "matches.kifu")
    yield found
    found.close()


def save(records: Records, command: list[Entry]) -> None:
    records.write(Work(ID, command, listing.derive(ID, command, at=AT), "toy"))


def superseded(log: list[Entry]) -> list[tuple[int, Outcome]]:
    """The results that stand no more, by the folds of all lines that there were."""
    found, before = [], fold_all([])
    for at, entry in enumerate(log, 1):
        now = fold_all(active(log[:at]))
        if before.over and isinstance(entry.event, Rewound | ResultCorrected):
            found.append((entry.seq, Outcome(before.winner, tuple(before.score))))
        before = now
    return found


def test_what_is_played_here() -> None:
    assert len(BACK) == 2
    assert verify(LOG, TOY).kind == EXACT
    assert len(superseded(LOG)) == 5


@pytest.mark.parametrize("often", each(2, [1, 0]))
def test_the_listing_says_how_it_stands_after_each_command(records: Records, often: int) -> None:
    """Whether or not it was repacked, and snapshots were made, as soon as that was due."""
    past, log, whole = History(records), list[Entry](), superseded(LOG)
    for at, command in enumerate(COMMANDS, 1):
        save(records, command)
        log += command
        p = fold_all(active(log))
        if often and at % often == 0:
            records.write(Work(ID, (), past.advance(ID)))
            records.write(Work(ID, (), repacking.repack_statements(records, ID)))
        for listed in (
            listing.find(records, ID),
            *search(records, Wanted(state=int(p.over))).matches,
        ):
            assert listed.ended == p.over
            assert listed.outcome == (Outcome(p.winner, tuple(p.score)) if p.over else Outcome())
        assert listing._from_entries(records, ID) == listing.find(records, ID)
        assert listing.superseded(records, ID) == [one for one in whole if one[0] <= len(log)]
        assert search(records, Wanted(state=int(not p.over))).matches == []
        assert not (repacking.to_repack(records) and not p.over)
        assert checks.faults(records, ID) == []
    assert records.entries(ID) == LOG
    for seq in range(3, len(LOG), 7):
        for viewer in (OFFICIAL, PUBLIC, 1):
            assert past.position(ID, viewer, Point(seq=seq)) == position(active(LOG[:seq]), viewer)


def test_what_is_known_of_earlier_results_only_up_to_an_entry(records: Records) -> None:
    for command in COMMANDS:
        save(records, command)
    whole = superseded(LOG)
    for seq in range(len(LOG) + 1):
        assert listing.superseded(records, ID, seq) == [one for one in whole if one[0] <= seq]


def test_damaged_results_are_found_and_made_anew(records: Records) -> None:
    for command in COMMANDS:
        save(records, command)
    spoilt: list[tuple[str, tuple[object, ...]]] = [
        ("UPDATE superseded SET outcome=x'c1'", ()),
        ("DELETE FROM superseded WHERE seq=?", (BACK[0],)),
        ("UPDATE matches SET ended=0", ()),
        ("INSERT INTO superseded VALUES (?, 2, x'9200c0')", (ID,)),
    ]
    for sql in spoilt:
        records.write(Work("", (), [sql]))  # type: ignore[list-item]
        listing.superseded(records, ID)
        assert checks.faults(records, ID)
        for statements in checks.rebuild_statements(records, ID):
            records.write(Work(ID, (), statements))
        assert checks.faults(records, ID) == []
        assert listing.superseded(records, ID) == superseded(LOG)


@pytest.mark.parametrize("late", [Delay(decisions=3), Delay(game=True)], ids=str)
def test_what_was_let_out_at_an_end_stays_so_if_it_is_taken_back(
    records: Records, late: Delay
) -> None:
    log, known = list[Entry](), 0
    for command in COMMANDS:
        save(records, command)
        log += command
        found = delay.released(History(records), listing.find(records, ID), late, LATE)
        assert known <= found.upto <= len(log)
        if fold_all(active(log)).over:
            assert found == Released(len(log), True)
        if isinstance(command[0].event, Rewound):
            assert found.upto == command[0].seq
        known = found.upto
