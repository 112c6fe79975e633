"""What a rewind undid, on the command line: shown as it was, and marked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import jwt
import pytest
from msgspec.structs import replace

from domain.officials.frame import Official
from domain.officials.rewind import fork, rewind
from domain.record import events as ev
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold_all
from domain.record.interventions import Rewound
from domain.record.views import PUBLIC
from domain.telling.causes import causes, describe
from domain.telling.narration import narrate
from domain.telling.record import Record
from replay_cli.commands.viewing.replay import Replay
from replay_cli.playing.playout import view
from replay_cli.reaching.hosting import hosted
from service.store.derived import listing
from service.store.records import Records, Work
from tests.playouts import Dice, Setup, begin, take_turn
from tests.unit.cli.clis import BOOK, RULES, answer, run

ID, FORK = "k7f3q", "frk22"
#: Of each rewind the decision that was open, and the one that the match went back to.
BACK = [(20, 12), (34, 30), (50, 8)]


@cache
def played() -> list[Entry]:
    """A match of bots that was rewound now and then, to its end."""
    setup, due = Setup(3), list(BACK)
    match, log = begin(setup), list[Entry]()
    while not match.pos.over:
        log += match.collect()
        decision = match.pos.decision
        assert decision is not None
        if due and decision.n == due[0][0]:
            official = Official("judge", log[-1].time + 10, "a block was missed")
            match = rewind(RULES, log, due.pop(0)[1], official, Dice(3, len(log)))
        else:
            take_turn(match, setup)
    assert not due
    return log + match.collect()


REWINDS = [entry.seq for entry in played() if isinstance(entry.event, Rewound)]


def test_every_entry_lies_where_it_was_written() -> None:
    log = played()
    held = Record(log)
    for seq in [*range(1, len(log), 83), *REWINDS, *(seq - 1 for seq in REWINDS), len(log)]:
        assert held.after(seq) == fold_all(active(log[:seq]))
        if seq not in REWINDS:
            assert bool(held.undone(seq)) == (log[seq - 1] not in active(log))
    assert held.line == active(log)


@pytest.mark.parametrize("viewer", [None, PUBLIC])
def test_decisions_are_listed_with_what_was_undone(viewer: int | None) -> None:
    log = played() if viewer is None else view(played(), viewer)
    held = Record(log)
    opened = [e.event.n for e in log if isinstance(e.event, ev.DecisionOpened)]
    made = [e.seq for e in log if isinstance(e.event, ev.DecisionMade)]
    assert sorted({one.n for one in held.decisions}) == opened
    assert sorted(one.made for one in held.decisions if one.made) == made
    for one in held.decisions:
        undone = held.undone(one.made or one.seq)
        assert one.abandoned == undone
    assert [one.n for one in held.decisions if one.abandoned and not one.made] == [20, 34, 50]
    twice = [one.abandoned for one in held.decisions if one.n == 12]
    assert len(twice) == 2  # answered before and after, and undone both times
    assert [one.abandoned for one in held.decisions if one.n == 8] == [REWINDS[2], 0]


def test_every_entry_has_words_and_causes_on_its_own_line() -> None:
    log = played()
    held = Record(log)
    for seq in [*range(1, len(log), 31), *REWINDS]:
        assert describe(held, BOOK, seq)
        chain = causes(held, BOOK, seq)
        there = active(log[:seq])
        assert all(cause.entry in there for cause in chain if cause.entry.seq not in REWINDS)
    assert "back to entry" in describe(held, BOOK, REWINDS[0])


async def test_replay_goes_through_what_was_undone_and_marks_it() -> None:
    app = Replay(played(), BOOK)
    async with app.run_test(size=(110, 50)) as pilot:
        for seq, marked in [(REWINDS[0] - 1, True), (REWINDS[1], True), (REWINDS[2], False)]:
            app.index = app.index_of(seq)
            await pilot.press("down", "up")
            assert app.entry.seq == seq
            assert app.position == fold_all(active(played()[:seq]))
            now = str(app.query_one("#now").render())
            assert now.startswith("undone by entry") == marked
        app.index = app.index_of(REWINDS[0] - 1)
        await pilot.press("left", "v", "w", "right", "q")
        assert app.record.undone(app.entry.seq) or app.entry.seq >= REWINDS[0]


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ...]]:
    """A server that has the match and a fork of it."""
    path = tmp_path_factory.mktemp("rewinds") / "matches.kifu"
    records = Records(path)
    first = played()[0]
    assert isinstance(first.event, ev.MatchOpened)
    early = [replace(first, event=replace(first.event, at=first.event.at - 1)), *played()[1:]]
    forked = fork(early, ID, 30)
    for match, log in ((ID, played()), (FORK, forked)):
        records.write(Work(match, log, listing.derive(match, log)))
    records.close()
    with hosted(path) as server:
        yield "--server", server.address, "--token", server.token


def test_commands_mark_what_was_undone(where: tuple[str, ...]) -> None:
    shown = run("list", "--forks", *where).stdout
    assert "UNOFFICIAL, fork of" in shown
    assert FORK not in run("list", *where).stdout
    assert "UNOFFICIAL" in run("show", FORK, *where).stdout
    assert "UNOFFICIAL" not in run("show", *where).stdout
    assert "undone: the match" in run("show", "--decision", "15", *where).stdout
    output = run("watch", *where).stdout.splitlines()
    back = next(at for at, line in enumerate(output) if "the game goes back to decision" in line)
    numbered = [line for line in output[:back] if line[:5].strip().isdecimal()]
    assert " undone " in numbered[-1]
    assert " undone " not in output[0] + output[-1]
    assert int(numbered[-1].split()[0]) < REWINDS[0]
    decisions = run("decisions", *where).stdout
    assert f"undone by {REWINDS[0]}" in decisions
    assert "undone while open" in decisions
    assert f"by entry {REWINDS[1]}" in run("decisions", "--decision", "32", *where).stdout
    assert {one["n"] for one in answer("decisions", *where) if one["abandoned"]} >= {13, 20, 34, 50}
    assert "goes back to decision 30" in run("watch", ID, *where).stdout
    watched = narrate(BOOK, fork(played(), ID, 30))
    assert any("UNOFFICIAL" in line.text for line in watched)
    assert f"{REWINDS[0]}" in run("why", str(REWINDS[0]), *where).stdout


def test_design_for_a_late_public(where: tuple[str, ...]) -> None:
    issued = answer("tokens", ID, "--delay", "game", *where)
    assert issued.keys() == {"id", "official", "seats", "public"}
    assert jwt.decode(issued["public"], options={"verify_signature": False})["delay"] == "game"
    assert answer("tokens", FORK, *where).keys() == {"id", "official"}
    printed = run("tokens", ID, "--delay", "none", *where).stdout
    assert [row.split()[0] for row in printed.splitlines()] == [
        "official", "player", "player", "public",
    ]  # fmt: skip
    assert "is no delay" in run("tokens", ID, "--delay", "soon", *where, code=1).stderr


def test_design_are_listed_and_revoked(where: tuple[str, ...]) -> None:
    answer("tokens", ID, *where)
    issued = answer("tokens", "issue", ID, *where)
    listed = answer("tokens", "list", ID, "--role", "seat", "--seat", "A", *where)["tokens"]
    mine = jwt.decode(issued["seats"][0], options={"verify_signature": False})["jti"]
    assert listed[0]["id"] == mine
    shown = run("tokens", "list", ID, *where).stdout
    assert mine in shown
    assert "seat A" in shown
    assert "revoked" not in shown
    assert run("tokens", "revoke", "--match", ID, "--seat", "A", *where, stdin="n", code=1)
    assert answer("tokens", "list", ID, "--seat", "A", *where)["tokens"] == listed
    printed = run("tokens", "revoke", "--match", ID, "--seat", "A", *where, stdin="y").output
    assert mine in printed
    assert f"These {len(listed)} will be revoked. Go on?" in printed
    assert answer("tokens", "list", ID, "--seat", "A", *where)["tokens"] == []
    past = run("tokens", "list", ID, "--past", "--seat", "A", *where).stdout
    assert past.count("revoked ") == len(listed)
    asked = ("show", ID, "--server", where[1], "--token", issued["seats"][0])
    assert "revoked" in run(*asked, code=4).stderr
    official = ("--server", where[1], "--token", issued["official"])
    other = jwt.decode(issued["public"], options={"verify_signature": False})["jti"]
    assert other in run("tokens", "list", *official).stdout  # those of his match
    assert "1 token is" in run("tokens", "revoke", other, *official).stdout
    none = run("tokens", "revoke", "2222222222", *official, code=3).stderr
    assert "nothing with the id 2222222222" in none
    own = ("tokens", "revoke", "--role", "official", "--yes", *official)
    assert "revoked" in run(*own).stdout  # all but the one in use
    assert answer("tokens", "list", "--role", "official", *official)["tokens"] != []
    for wrong in ((), ("a", "--match", ID), ("--match", ID, "--seat", "?")):
        assert run("tokens", "revoke", *wrong, *where, code=2)
