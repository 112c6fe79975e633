"""Records for the tests of the service: matches of the toy game, played at random from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

from domain.engine.match import Deck, Match, Opening
from domain.record.entries import Entry, active
from domain.record.events import OptionsOffered
from domain.record.interventions import Rewound
from domain.record.values import BY_OFFICIAL
from service.dice import Dice
from service.live import upkeep
from service.store.derived import listing
from service.store.history import History
from service.store.layout import training
from service.store.layout.repacking import repack_statements
from service.store.records import Records, Statement, Work
from tests.toy import TOY

AT = 1_700_000_000_000
#: Rewinds, each from the decision that is open to another: within an abandoned stretch, to before
#: many snapshots, one right after another, to a decision that is answered again.
REWINDS = ((9, 6), (14, 11), (20, 3), (21, 21), (24, 23), (60, 26), (80, 70), (88, 66))


def snapshots(records: Records, match: str) -> list[Statement]:
    """What makes the snapshots of a match, as a server does it."""
    return upkeep.snapshots(History(records), match)


#: What servers do to a match by themselves, once it is over as well.
BY_SERVERS = (snapshots, repack_statements)


@contextmanager
def remembered(
    data: Path, match: str, commands: Sequence[list[Entry]], often: int
) -> Iterator[History]:
    """The history of a stored match; its snapshots are brought up to date once `often` commands."""
    records = Records(data)
    found = History(records)
    for at, command in enumerate(commands, 1):
        records.write(Work(match, command, listing.derive(match, command, at=AT)))
        if at % often == 0:
            records.write(Work(match, (), found.advance(match)))
    yield found
    records.close()


def toy_match(turns: int = 6, seed: int = 1, labels: dict[str, str] | None = None) -> Match:
    """A toy match at its first decision."""
    decks = tuple(Deck(name, TOY.decks[name]) for name in ("ones", "tens"))
    opening = Opening(("Ann", "Ben"), decks, AT, labels=labels or {}, options={"turns": turns})
    return Match.open(TOY, opening, Dice(seed))


def toy_commands(turns: int = 6, seed: int = 1, most: int = 100_000) -> list[list[Entry]]:
    """The entries of a toy match, command by command."""
    match, rng = toy_match(turns, seed), Random(seed)
    found = [match.collect()]
    while not match.pos.over and len(found) <= most:
        found.append(toy_command(match, rng, match.pos.time))
    return found


def toy_log(turns: int = 6, seed: int = 1) -> list[Entry]:
    """The entries of a toy match."""
    return [entry for command in toy_commands(turns, seed) for entry in command]


def undone_commands(
    turns: int, seed: int, rewinds: Sequence[tuple[int, int]], most: int = 100_000
) -> list[list[Entry]]:
    """The entries of a toy match, command by command, that was rewound now and then.

    `rewinds`: of each the decision that stood open, and the one that the game went back to.
    """
    match, rng = toy_match(turns, seed), Random(seed)
    found, due = [match.collect()], list(rewinds)
    while not match.pos.over and len(found) <= most:
        decision = match.pos.decision
        assert decision is not None
        if due and decision.n == due[0][0]:
            log = [entry for command in found for entry in command]
            found.append([rewound(log, due.pop(0)[1])])
            match = Match.resume(TOY, [*log, *found[-1]], Dice(seed, len(found)))
            continue
        found.append(toy_command(match, rng, found[-1][-1].time))
    return found


@cache
def dictionary() -> bytes:
    """One for the toy's entries."""
    return training.train(TOY, 20, 4096)


def toy_command(match: Match, rng: Random, since: int) -> list[Entry]:
    """Answer the open decision at random, some time after `since`; the entries."""
    decision = match.pos.decision
    assert decision is not None
    seat = decision.seats[0]
    offer = decision.offers[seat]
    assert offer is not None
    option = rng.choice(offer.options)
    now = since + rng.randrange(100, 9000)
    match.choose(seat, decision.n, option.act(), now, f"t{decision.n}")
    return match.collect()


def rewound(log: Sequence[Entry], n: int) -> Entry:
    """The entry that takes a match back to decision `n`, which stands on its active line."""
    to = max(
        entry.seq
        for entry in active(log)
        if isinstance(entry.event, OptionsOffered) and entry.event.n == n
    )
    last = log[-1]
    event = Rewound(to, "It was the other's turn.", "official")
    return Entry(last.seq + 1, last.time, last.moment + 1, 0, BY_OFFICIAL, ("house:rewind",), event)
