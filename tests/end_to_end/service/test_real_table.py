"""A real table through the real server: a dealt match is entered again, card by card."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.engine.signals import Need
from domain.games import rulebook
from domain.record.decisions import Act
from domain.record.events import DecisionMade, MatchOpened
from domain.record.position import decoded
from domain.record.views import PUBLIC, redact
from replay_cli.playing.fuzz.tables import names_in, rolls
from service.client.client import CallError, Client, Opened
from tests import playouts

SETUP = playouts.Setup(11, ("ST01", "ST02"))
RULES = rulebook("gundam")


@pytest.fixture
def real(organiser: Client) -> Opened:
    return organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST02"], mode="table", rolls=[[0]]
    )


@pytest.fixture
def keeper(organiser: Client, real: Opened) -> Client:
    return organiser.with_token(real.scorekeeper)


def refused(call: object, *args: object, **named: object) -> CallError:
    with pytest.raises(CallError) as error:
        call(*args, **named)  # type: ignore[operator]
    return error.value


def enter(keeper: Client, match: str, command: tuple[int, int, Act], name: object) -> int:
    """Enter an answer, naming what is asked for; how many tries it took."""
    n, seat, act = command
    names: dict[int, str] = {}
    for tries in range(1, 9):
        try:
            keeper.choose(match, n, act, f"entry {n}", seat=seat, names=names)
        except CallError as error:
            if error.reason != "CARD_UNNAMED":
                raise
            numbers = map(int, error.metadata["cards"].split(","))
            places = error.metadata["places"].split(",")
            for number, place in zip(numbers, places, strict=True):
                names[number] = name(Need(number, place))  # type: ignore[operator]
        else:
            return tries
    raise AssertionError("asked for names without an end")


def dealt() -> Iterator[tuple[tuple[int, int, Act], object, list[object]]]:
    """A dealt match: its answers, what a scorekeeper would see, and the entries that follow."""
    match = playouts.begin(SETUP)
    log = match.collect()
    yield (0, 0, Act("")), None, list(log)
    while not match.pos.over:
        decision, before = match.pos.decision, decoded(match.pos.encoded())
        assert decision is not None
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        act = playouts.answer(SETUP, decision.n, offer)
        match.choose(seat, decision.n, act, match.pos.time + 1)
        entries = match.collect()
        yield (decision.n, seat, act), names_in(before, entries), list(entries)


@pytest.mark.long
def test_a_whole_match_is_entered_and_the_public_sees_it_as_if_dealt(organiser: Client) -> None:
    played = list(dealt())
    opening = played[0][2]
    opened = organiser.open_match(
        "gundam",
        ["Ann", "Ben"],
        ["ST01", "ST02"],
        mode="table",
        rolls=rolls(opening),  # type: ignore[arg-type]
    )
    keeper = organiser.with_token(opened.scorekeeper)
    tries = [enter(keeper, opened.id, command, name) for command, name, _ in played[1:]]
    assert max(tries) > 1, "some cards had to be named"
    assert organiser.verify(opened.id).verdict == 1
    seen = list(organiser.with_token(opened.public).events(opened.id))
    log = [redact(entry, PUBLIC) for _, _, entries in played for entry in entries]  # type: ignore[arg-type]
    assert len(seen) == len(log)
    for one, other in zip(seen, log, strict=True):
        if isinstance(one.event, DecisionMade):
            one = replace(one, event=replace(one.event, ms=other.event.ms))  # type: ignore[union-attr]
        if not isinstance(one.event, MatchOpened):
            assert replace(one, time=0) == replace(other, time=0)


def test_only_who_keeps_the_score_enters(organiser: Client, real: Opened, keeper: Client) -> None:
    for token in (*real.seats, real.public):
        client = organiser.with_token(token)
        error = refused(client.choose, real.id, 1, Act("first"))
        assert (error.code, error.reason) == ("PERMISSION_DENIED", "ROLE_REQUIRED")
    assert refused(keeper.choose, real.id, 1, Act("first")).code == "PERMISSION_DENIED"
    assert refused(keeper.choose, real.id, 1, Act("first"), seat=7).code == "FAILED_PRECONDITION"
    assert keeper.choose(real.id, 1, Act("first"), seat=0).next is not None
    official = organiser.with_token(real.official)
    assert official.choose(real.id, 2, Act("keep"), seat=0).next is not None


def test_nobody_enters_for_the_seats_of_a_dealt_match(organiser: Client) -> None:
    opened = organiser.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST02"])
    official = organiser.with_token(opened.official)
    decision = official.position(opened.id).decision
    assert decision is not None
    error = refused(official.choose, opened.id, 1, Act("first"), seat=decision.seats[0])
    assert error.code == "PERMISSION_DENIED"
    assert not opened.scorekeeper


def test_missing_names_and_rolls_are_asked_for_and_change_nothing(
    organiser: Client, real: Opened, keeper: Client
) -> None:
    error = refused(organiser.open_match, "gundam", ["A", "B"], ["ST01", "ST02"], mode="table")
    assert (error.reason, error.metadata["of"]) == ("ROLL_REQUIRED", "2")
    for n, act in ((1, "first"), (2, "keep"), (3, "keep")):
        keeper.choose(real.id, n, Act(act), seat=0 if n < 3 else 1)
    p = keeper.position(real.id)
    card = p.zone("hand/0")[0]
    error = refused(keeper.choose, real.id, 4, Act("deploy", card), seat=0)
    assert (error.reason, error.metadata["cards"]) == ("CARD_UNNAMED", str(card))
    assert error.metadata["places"] == "hand/0"
    for name, reason in (("XX-1", "CARD_UNKNOWN"), ("ST01-001", "ILLEGAL_ACT")):
        error = refused(keeper.choose, real.id, 4, Act("deploy", card), seat=0, names={card: name})
        assert error.reason == reason
    assert keeper.position(real.id) == p


def test_a_repeated_entry_gets_its_first_answer(keeper: Client, real: Opened) -> None:
    keeper.choose(real.id, 1, Act("second"), seat=0)
    once = keeper.choose(real.id, 2, Act("keep"), "once", seat=1)
    assert keeper.choose(real.id, 2, Act("keep"), "once", seat=1) == once
