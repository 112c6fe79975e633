"""A match that was rewound, its fork and its late public, through the real server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from kifu.v1.match_service_pb2 import MATCH_STATE_LIVE, VERDICT_EXACT
from msgspec.structs import replace

from domain.record.decisions import Act
from domain.record.entries import Entry, active
from domain.record.events import DecisionMade, DecisionOpened, MatchOpened, Origin
from domain.record.folding.fold import fold_all
from domain.record.interventions import Rewound
from domain.record.points import Point
from domain.record.schema.policy import Policy
from domain.record.views import PUBLIC, position
from service.client.client import CallError, Client
from service.store.derived import listing
from service.store.records import Records, Work
from tests.support import serving
from tests.support.serving import Running, play, seats_of
from tests.support.waiting import until
from tests.unit.store.test_rewinds import COMMANDS

ID, FORK, SHORT = "k7f3q", "frk22", "shrt2"
#: Up to the last command before the fifth rewind, and to that rewind.
ENDS = [at for at, command in enumerate(COMMANDS) if isinstance(command[0].event, Rewound)]
LOG = [entry for command in COMMANDS[: ENDS[5]] for entry in command]
REWOUND = [entry for command in COMMANDS[: ENDS[4] + 1] for entry in command]


def forked(log: list[Entry]) -> list[Entry]:
    opened = log[0].event
    assert isinstance(opened, MatchOpened)
    return [replace(log[0], event=replace(opened, origin=Origin(ID, len(log)))), *log[1:]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with these matches, as if they had been played there."""
    path = tmp_path_factory.mktemp("rewound") / "matches.kifu"
    records = Records(path)
    for match, log in ((ID, LOG), (SHORT, REWOUND), (FORK, forked(REWOUND[:-1]))):
        records.write(Work(match, log, listing.derive(match, log)))
    records.close()
    return path


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Running]:
    with serving.running(data) as found:
        yield found


@pytest.fixture(scope="module")
def organiser(server: Running) -> Iterator[Client]:
    with server.client() as client:
        yield client


def highest(log: list[Entry]) -> int:
    return max(e.event.n for e in log if isinstance(e.event, DecisionOpened))


def refusal(error: pytest.ExceptionInfo[CallError]) -> tuple[str, str]:
    return error.value.code, error.value.reason


def test_it_is_read_on_every_line(organiser: Client) -> None:
    found = organiser.match(ID)
    assert (found.rewinds, found.entries, found.unofficial) == (5, len(LOG), False)
    decisions = list(organiser.decisions(ID))
    assert [one.n for one in decisions] == list(range(1, highest(LOG) + 1))
    standing = [one.n for one in decisions if not one.abandoned]
    assert [one.n for one in organiser.decisions(ID, active=True)] == standing
    assert 5 < len(standing) < len(decisions) - 5
    for one in decisions[::6]:
        pos = organiser.position(ID, Point(decision=one.n))
        assert pos == fold_all(active(LOG[: one.seq + 1]))
        single = organiser.decision(ID, one.n)
        assert single.decision.abandoned == one.abandoned
        assert not (one.abandoned and single.open_acts)
    assert list(organiser.events(ID)) == LOG
    assert organiser.verify(ID).verdict == VERDICT_EXACT


def test_an_answer_that_was_undone_is_not_taken_for_the_new_one(organiser: Client) -> None:
    tokens = organiser.issue_tokens(SHORT)
    (decision,) = [organiser.position(SHORT).decision]
    assert decision is not None
    (seat,) = decision.seats
    mine = organiser.with_token(tokens.seats[seat])
    undone = [e.event for e in REWOUND if isinstance(e.event, DecisionMade)]
    assert any((made.n, made.ticket.value) == (decision.n, f"t{decision.n}") for made in undone)
    for _ in range(2):
        with pytest.raises(CallError) as caught:
            mine.choose(SHORT, decision.n, Act("pass"), f"t{decision.n}")
        assert refusal(caught) == ("ABORTED", "DECISION_STALE")
        assert organiser.match(SHORT).entries == len(REWOUND)
    first = mine.choose(SHORT, decision.n, Act("pass"), "anew")
    assert first.first_seq == len(REWOUND) + 1
    assert mine.choose(SHORT, decision.n, Act("pass"), "anew") == first
    following = organiser.position(SHORT).decision
    assert following is not None
    assert following.n == highest(REWOUND) + 1


def test_a_fork_is_no_part_of_the_record(organiser: Client) -> None:
    assert FORK not in [one.id for one in organiser.list_matches()]
    listed = {one.id: one for one in organiser.list_matches(forks=True)}
    assert listed.keys() == {ID, FORK, SHORT}
    fork = listed[FORK]
    assert (fork.unofficial, fork.fork.match, fork.fork.seq) == (True, ID, len(REWOUND) - 1)
    assert organiser.position(FORK).heading.fork == ID
    tokens = organiser.issue_tokens(FORK)
    assert tokens.official
    assert not any((tokens.seats, tokens.public, tokens.scorekeeper))
    judge = organiser.with_token(tokens.official)
    assert [one.id for one in judge.list_matches()] == [FORK]
    judge.interject(FORK, Act("concede"), seat=0)
    fork = organiser.match(FORK)
    assert (fork.state, fork.winner, list(fork.score)) == (2, -1, [])


def test_design_for_who_sees_late(organiser: Client) -> None:
    late = organiser.with_token(organiser.issue_tokens(ID, "3 Decisions").public)
    assert late.who_am_i().delay == "3 decisions"
    assert organiser.who_am_i().delay == ""
    n = highest(LOG) - 3
    pos = late.position(ID)
    assert pos.decisions == n
    assert pos == position(active(LOG[: pos.seq]), PUBLIC)
    assert late.match(ID).entries == pos.seq < len(LOG)
    assert [one.n for one in late.decisions(ID)] == list(range(1, n + 1))
    for point in (Point(decision=n + 1), Point(seq=pos.seq + 1), Point(seq=9999)):
        with pytest.raises(CallError) as caught:
            late.position(ID, point)
        assert refusal(caught) == ("NOT_FOUND", "POINT_UNKNOWN")
        assert (str(point.decision or point.seq)) in caught.value.text
    with pytest.raises(CallError) as caught:
        late.verify(ID)
    assert refusal(caught) == ("FAILED_PRECONDITION", "RECORD_DELAYED")
    with pytest.raises(CallError) as caught:
        organiser.issue_tokens(ID, "next week")
    assert refusal(caught) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    nothing = organiser.with_token(organiser.issue_tokens(ID, "game").public)
    with pytest.raises(CallError) as caught:
        next(nothing.watch(ID))
    assert refusal(caught) == ("FAILED_PRECONDITION", "RECORD_DELAYED")
    assert list(nothing.list_matches()) == []


def test_it_goes_on_and_is_followed_over_a_restart(tmp_path: Path) -> None:
    copy = tmp_path / "matches.kifu"
    records = Records(copy)
    records.write(Work(ID, REWOUND, listing.derive(ID, REWOUND)))
    records.close()
    running = serving.start(copy)
    boss = running.client()
    tokens, public = boss.issue_tokens(ID), boss.issue_tokens(ID, "4 decisions").public
    late, early = running.client(public), running.client(tokens.public)
    before, back = late.position(ID), early.position(ID)
    got: list[list[Entry]] = [[], []]
    threads = [
        threading.Thread(target=lambda: got[0].extend(late.watch(ID, before.seq))),
        threading.Thread(target=lambda: got[1].extend(entry for entry, _ in early.follow(ID))),
    ]
    for thread in threads:
        thread.start()
    until(lambda: {one.name: one.value for one in boss.metrics()}["kifu_streams"] == 2)
    play(seats_of(boss, tokens), tokens, Random(4), most=8)
    shown = late.position(ID)
    assert before.decisions < shown.decisions == highest(list(boss.events(ID))) - 4
    running.kill()
    running = serving.start(copy, port=int(running.address.rpartition(":")[2]))
    boss, repeated = running.client(), running.client(public)
    assert repeated.position(ID) == shown
    assert repeated.match(ID).state == MATCH_STATE_LIVE
    play(seats_of(boss, tokens), tokens, Random(5))
    for thread in threads:
        thread.join(20)
    log = list(boss.events(ID, view=PUBLIC))
    assert got == [log[before.seq :], log[back.seq :]]  # where the last rewind went back to
    assert repeated.position(ID) == fold_all(active(log))
    assert repeated.verify(ID).verdict == VERDICT_EXACT
    assert running.stop() == 0


def test_a_real_table_has_a_scorekeeper_and_its_event_says_how_late_the_public_sees(
    organiser: Client,
) -> None:
    decks = ["ones", "tens"]
    with pytest.raises(CallError) as caught:
        organiser.open_match("toy", ["A", "B"], decks, policy=Policy(delay="a while"))
    assert refusal(caught) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    dealt = organiser.open_match("toy", ["A", "B"], decks)
    assert not dealt.scorekeeper
    late = Policy(delay="2 decisions")
    table = organiser.open_match("toy", ["A", "B"], decks, mode="table", policy=late)
    keeper, public = map(organiser.with_token, (table.scorekeeper, table.public))
    assert keeper.who_am_i().role == "scorekeeper"
    assert keeper.position(table.id) == organiser.position(table.id)
    assert (keeper.who_am_i().delay, public.who_am_i().delay) == ("", "2 decisions")
    with pytest.raises(CallError) as caught:
        public.match(table.id)
    assert refusal(caught) == ("FAILED_PRECONDITION", "RECORD_DELAYED")
    with pytest.raises(CallError) as caught:
        keeper.position(dealt.id)
    assert refusal(caught) == ("PERMISSION_DENIED", "MATCH_FOREIGN")
    with pytest.raises(CallError) as caught:
        keeper.issue_tokens(table.id)
    assert refusal(caught) == ("PERMISSION_DENIED", "ROLE_REQUIRED")
    at_once = organiser.with_token(organiser.issue_tokens(table.id, "").public)
    assert at_once.match(table.id).entries > 0


def test_watchers_follow_a_match_that_is_rewound_as_it_is_played(
    server: Running, organiser: Client
) -> None:
    table = organiser.open_match("toy", ["A", "B"], ["ones", "tens"], options={"turns": 14})
    match, rng = table.id, Random(6)
    judge = organiser.with_token(table.official)
    public = organiser.issue_tokens(match, "2 decisions").public
    live, late = server.client(table.public), server.client(public)
    seen: list[tuple[int, bytes]] = []
    behind: list[Entry] = []
    play(seats_of(organiser, table), table, rng, most=4)

    def follow() -> None:
        seen.extend((entry.seq, pos.encoded()) for entry, pos in live.follow(match))

    threads = [
        threading.Thread(target=follow),
        threading.Thread(target=lambda: behind.extend(late.watch(match))),
    ]
    for thread in threads:
        thread.start()
    for _ in range(4):
        play(seats_of(organiser, table), table, rng, most=5)
        standing = [one.n for one in judge.decisions(match, active=True)]
        judge.rewind(match, rng.choice(standing[-5:-1]), "a card was missed")
        assert judge.verify(match).verdict == VERDICT_EXACT
    play(seats_of(organiser, table), table, rng)
    for thread in threads:
        thread.join(20)
    log = list(organiser.events(match, view=PUBLIC))
    assert sum(isinstance(entry.event, Rewound) for entry in log) == 4
    assert behind == log
    assert len(seen) > 50
    for seq, found in seen:
        assert found == fold_all(active(log[:seq])).encoded()
    live.close()
    late.close()
