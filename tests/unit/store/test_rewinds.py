"""A match that was rewound reads like any other at every point of every line.

The match has all that is awkward: a rewind within the abandoned stretch of another, one to before
many snapshots, one that is followed by another at once, one to a decision that is answered again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.engine.checks.verify import verify
from domain.engine.match import Match
from domain.record.decisions import Act
from domain.record.entries import Entry, active, undone
from domain.record.events import DecisionMade, DecisionOpened
from domain.record.folding.fold import fold_all
from domain.record.interventions import Rewound
from domain.record.points import NoSuchPoint, Point
from domain.record.views import OFFICIAL, PUBLIC
from service.api.calls.errors import Fault
from service.api.calls.repeats import Repeated, Repeats
from service.api.calls.tickets import Ticket
from service.dice import Dice
from service.store import history
from service.store.derived import listing, rewinds
from service.store.history import History
from service.store.records import LAST, Records, Work
from tests.support.marks import each
from tests.toy import TOY
from tests.unit.store.records import AT, REWINDS, remembered, undone_commands

ID = "k7f3q"
VIEWERS = (OFFICIAL, PUBLIC, 0, 1)
COMMANDS = undone_commands(24, 5, REWINDS)
LOG = [entry for command in COMMANDS for entry in command]
OPENED = {e.event.n: e.seq for e in LOG if isinstance(e.event, DecisionOpened)}
ABANDONING = [(e.seq, e.event.to) for e in LOG if isinstance(e.event, Rewound)]


@pytest.fixture(scope="module", params=each(2, [40, 10_000]), ids=["snapshots", "none"])
def past(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[History]:
    path = tmp_path_factory.mktemp("rewinds") / "matches.kifu"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "EVERY", request.param)
        with remembered(path, ID, COMMANDS, often=7) as found:
            kept = found.records.row("SELECT count(*) FROM snapshots")[0]
            assert (kept > 8) == (request.param == 40)
            yield found


def line_of(n: int) -> list[Entry]:
    """The line that decision `n` lies on, as far as it was played."""
    undone = next((seq for seq, to in ABANDONING if to < OPENED[n] < seq), len(LOG) + 1)
    return active(LOG[: undone - 1])


def test_the_sample_match_has_the_rewinds_that_the_tests_need() -> None:
    assert len(ABANDONING) == len(REWINDS)
    assert list(OPENED) == list(range(1, len(OPENED) + 1))  # no number is given twice
    assert verify(LOG, TOY).kind == "exact"
    assert LOG[ABANDONING[2][1] - 1].seq < ABANDONING[0][1]  # back to before an earlier rewind


def test_abandoned_decisions_are_listed_with_what_became_of_them(past: History) -> None:
    found = past.decisions(ID, OFFICIAL, 1, 1000)
    assert [one.n for one in found] == list(OPENED)
    abandoned = {one.n for one in found if one.abandoned}
    standing = {e.event.n for e in active(LOG) if isinstance(e.event, DecisionOpened)}
    assert abandoned == OPENED.keys() - standing
    assert abandoned >= {7, 8, 9, 12, 13, 14}
    for one in found:
        line = line_of(one.n)
        made = [e for e in line if isinstance(e.event, DecisionMade) and e.event.n == one.n]
        (side,) = one.sides.values()
        assert side.seq == (made[0].seq if made else 0)
        before = fold_all(line[: [e.seq for e in line].index(one.seq)])
        assert (one.game, one.turn, one.step) == (before.game, before.turn, before.step)
        assert one.settled == bool(made)
        if one.abandoned:
            assert isinstance(LOG[one.abandoned - 1].event, Rewound)


def test_who_may_see_the_first_entries_only_reads_them_as_if_there_were_no_more(
    past: History, tmp_path: Path
) -> None:
    records = Records(tmp_path / "cut.kifu")
    for upto in range(30, len(LOG), 160):
        cut = f"cut{upto}"
        records.write(Work(cut, LOG[:upto], listing.derive(cut, LOG[:upto])))
        short = History(records)
        for viewer in (PUBLIC, 0):
            assert past.position(ID, viewer, upto=upto) == short.position(cut, viewer)
            found = past.decisions(ID, viewer, 1, 1000, upto)
            assert found == short.decisions(cut, viewer, 1, 1000)
        for point in (Point(decision=len(found) + 1), Point(seq=upto + 1)):
            with pytest.raises(NoSuchPoint) as beyond:
                past.position(ID, PUBLIC, point, upto)
            with pytest.raises(NoSuchPoint) as missing:
                short.position(cut, PUBLIC, point)
            assert str(beyond.value) == str(missing.value)
        assert past.position(ID, PUBLIC, Point(time=1 << 40), upto) == short.position(cut, PUBLIC)
        assert past.audit(ID, upto) == 0
    records.close()


def test_a_match_goes_on_from_wherever_it_stands(past: History) -> None:
    for at in range(2, len(COMMANDS), 9):
        log = [entry for command in COMMANDS[:at] for entry in command]
        base = past._snapshot(ID, OFFICIAL, past.line(ID, log[-1].seq))
        start = base.seq if base is not None else 0
        tail = past.records.entries(ID, start, log[-1].seq)
        matches = Match.resume(TOY, tail, Dice(1), base), Match.resume(TOY, log, Dice(1))
        for match in matches:
            assert match.pos == fold_all(active(log))
            assert match.collect() == []
        decision = matches[0].pos.decision
        assert decision is not None
        n, (seat,) = decision.n, decision.seats
        for match in matches:
            match.choose(seat, n, Act("pass"), log[-1].time + 5)
        added, later = (match.collect() for match in matches)
        assert added == later
        numbers = [e.event.n for e in log if isinstance(e.event, DecisionOpened)]
        opened = [e.event.n for e in added if isinstance(e.event, DecisionOpened)]
        assert opened in ([], [max(numbers) + 1])


def test_snapshots_are_true_on_the_line_that_they_lie_on(past: History) -> None:
    assert past.audit(ID) == 0
    kept = past.records.rows("SELECT seq, decisions FROM snapshots ORDER BY seq")
    with kept as rows:
        for seq, decisions in rows.fetchall():
            opened = [n for n, at in OPENED.items() if at <= seq]
            assert decisions == len(opened)


def test_a_repeat_does_not_get_an_undone_answer(past: History) -> None:
    """A repeat gets what the first one led to, or is told that a rewind undid it."""
    for entry in LOG:
        if not isinstance(entry.event, DecisionMade):
            continue
        assert entry.event.ticket.value is not None
        ticket = Ticket(entry.event.ticket.value, "0123456789abcdef")
        repeated = Repeats(past).before(ID, entry.event.seat, ticket)
        assert repeated is not None
        later = [one for one in LOG if _same(one, entry.event)][-1]
        if undone(ABANDONING, later.seq):
            with pytest.raises(Fault, match="undone by a rewind"):
                repeated()
        else:
            with pytest.raises(Repeated) as found:
                repeated()
            assert found.value.entries == next(one for one in COMMANDS if one[0] == later)


def _same(entry: Entry, made: DecisionMade) -> bool:
    """Whether an entry carries the ticket of an answer; on another line it may have come again."""
    event = entry.event
    here = isinstance(event, DecisionMade) and event.seat == made.seat
    return here and event.ticket == made.ticket


def test_a_name_that_was_not_used_is_known_for_new_without_looking(
    past: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    repeats, ticket, looks = Repeats(past), Ticket("never used", "0123456789abcdef"), list[str]()
    tagged = past.records.tagged

    def counted(match: str, tag: Any) -> Any:
        looks.append(match)
        return tagged(match, tag)

    monkeypatch.setattr(past.records, "tagged", counted)
    for seat, looking in ((0, True), (1, False), (1, True)):  # by now somebody is using it
        before = repeats.before(ID, seat, ticket)
        assert before is not None
        looks.clear()
        before()
        assert bool(looks) == looking
    assert repeats.before(ID, 0, Ticket()) is None


@pytest.mark.parametrize("known", [False, True])
def test_a_command_repeated_while_it_waits_is_done_once(tmp_path: Path, known: bool) -> None:
    """Meanwhile another command looks which names there are, or they are looked up again."""
    at = next(n for n, one in enumerate(COMMANDS) if isinstance(one[0].event, DecisionMade))
    made = COMMANDS[at][0].event
    assert isinstance(made, DecisionMade)
    ticket = Ticket(made.ticket.value or "", "0123456789abcdef")
    with remembered(tmp_path / "m.kifu", ID, COMMANDS[:at], 1) as past:
        repeats = Repeats(past)

        def asked(ticket: Ticket) -> Callable[[], None]:
            found = repeats.before(ID, made.seat, ticket)
            assert found is not None
            return found

        if known:
            asked(Ticket("one"))()
        first = asked(ticket)
        repeats.forget(ID)
        asked(Ticket("another"))()
        later = asked(ticket)
        first()
        past.records.write(Work(ID, COMMANDS[at], listing.derive(ID, COMMANDS[at], at=AT)))
        with pytest.raises(Repeated):
            later()


def test_the_line_worked_out_from_rewinds_alone() -> None:
    for last in range(1, len(LOG) + 1):
        numbers = [
            seq for first, end in rewinds.line(ABANDONING, last) for seq in range(first, end + 1)
        ]
        assert numbers == [entry.seq for entry in active(LOG[:last])]
    assert rewinds.line([]) == [(1, LAST)]
