"""Verdicts: a record as it was written is exact, an altered one diverges, and where.

What the rules derive is reproduced to the letter. Of what comes in from outside (answers, chance,
names) only its legality and its consequences can be judged, so a touched input shows there or at
one of its consequences.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from hypothesis import assume, example, given
from msgspec.structs import fields, replace

from domain.engine.checks.verify import DIVERGED, EXACT, UNVERIFIED, verify
from domain.record.entries import Entry, name_of
from domain.record.events import DecisionOpened, MatchOpened
from domain.record.values import Sealed
from tests.playouts import Setup, cuts, play
from tests.properties.strategies import PROFILE, examples, points, seeds, setups


@examples(6)
@given(setups(), points(4))
def test_an_untouched_record_is_exact_wherever_it_stands(setup: Setup, where: list[float]) -> None:
    log = play(setup)
    assert verify(log, setup.rules).kind == EXACT
    stops = cuts(log)
    for share in where:
        verdict = verify(log[: stops[int(share * len(stops))]], setup.rules)
        assert (verdict.kind, verdict.seq) == (EXACT, 0)


#: How often an entry of each type is altered.
TIMES = 1 if PROFILE == "ci" else 2


@examples(2)
@given(setups(best_of=(1,), restless=True), seeds)
def test_an_altered_entry_is_found(setup: Setup, seed: int) -> None:
    """One entry of each type, some of its fields altered in turn, in a record of half a match."""
    log, rng = play(setup), Random(seed)
    log = log[: next(cut for cut in cuts(log) if cut > len(log) // 2)]
    by_type: dict[str, list[int]] = {}
    for at, entry in enumerate(log[: cuts(log)[-2]]):
        if at:
            by_type.setdefault(name_of(entry.event), []).append(at)
    for places in by_type.values():
        at = rng.choice(places)
        for altered in rng.sample(every := alterations(log[at]), min(TIMES, len(every))):
            verdict = verify([*log[:at], altered, *log[at + 1 :]], setup.rules)
            if altered.input and verdict.kind == EXACT:
                assert harmless(log[at], altered), altered
                continue
            assert verdict.kind == DIVERGED, altered
            found = at + 1 + _numbered(log[at], altered)
            assert verdict.seq == found or (altered.input and verdict.seq > at), altered


def _numbered(entry: Entry, altered: Entry) -> bool:
    """Whether a decision got another number: it is the options, next, that have the right one."""
    was, now = entry.event, altered.event
    return isinstance(was, DecisionOpened) and isinstance(now, DecisionOpened) and was.n != now.n


@examples(4)
@given(setups(), seeds)
def test_a_dropped_doubled_or_swapped_entry_is_found(setup: Setup, seed: int) -> None:
    log, rng = play(setup), Random(seed)
    for _ in range(6):
        at = rng.randrange(len(log) - 1)
        one, two = log[at], log[at + 1]
        for broken in (
            [*log[:at], *log[at + 1 :]],
            [*log[:at], one, one, *log[at + 1 :]],
            [*log[:at], two, one, *log[at + 2 :]],
        ):
            verdict = verify(broken, setup.rules)
            assert (verdict.kind, verdict.seq) == (DIVERGED, first_gap(broken))


@examples(4)
@given(setups(), seeds)
def test_so_it_is_if_the_entries_are_numbered_anew(setup: Setup, seed: int) -> None:
    log, rng = play(setup), Random(seed)
    for _ in range(3):
        at = rng.randrange(1, len(log) - 1)
        one, two = log[at], log[at + 1]
        assume(one.event != two.event)
        for broken in (
            [*log[:at], *log[at + 1 :]],
            [*log[:at], one, one, *log[at + 1 :]],
            [*log[:at], two, one, *log[at + 2 :]],
        ):
            verdict = verify(renumbered(broken), setup.rules)
            assert verdict.kind == DIVERGED
            assert verdict.seq > at


@examples(2)
@given(setups())
def test_a_record_of_another_engine_is_unverified_and_reads_the_same(setup: Setup) -> None:
    log = play(setup)
    opened = log[0].event
    assert isinstance(opened, MatchOpened)
    others = [replace(opened, engine="gundam 0.9"), replace(opened, game="chess")]
    others += [replace(opened, digests=opened.digests | {key: "0"}) for key in opened.digests]
    for other in others:
        verdict = verify([replace(log[0], event=other), *log[1:]], setup.rules)
        assert (verdict.kind, verdict.entries) == (UNVERIFIED, len(log))
    assert verify(log, None).kind == UNVERIFIED


@examples(2)
@example(Setup(1722, ("bright", "windy"), 1, "keen", False), 2790779)
@given(setups(), seeds)
def test_an_altered_table_is_found_without_any_rulebook(setup: Setup, seed: int) -> None:
    """At the next decision at the latest: its digest is that of the position before it."""
    log, rng = play(setup), Random(seed)
    before = log[: cuts(log)[-1] - 1]
    moved = [at for at, e in enumerate(before) if name_of(e.event) == "cards.turned"]
    assume(moved)
    at = rng.choice(moved)
    altered = replace(log[at], event=replace(log[at].event, orient="upside down"))
    verdict = verify([*log[:at], altered, *log[at + 1 :]], None)
    assert verdict.kind == DIVERGED
    assert at < verdict.seq <= next(cut for cut in cuts(log) if cut > at + 1)


# -- altering --------------------------------------------------------------------------------------


def alterations(entry: Entry) -> list[Entry]:
    """The entry, with one field of it or of its event altered at a time."""
    event = entry.event
    envelopes = [
        replace(entry, **{name: other(getattr(entry, name))})
        for name in ("time", "moment", "frame", "by", "cites")
    ]
    events = [
        replace(entry, event=replace(event, **{field.name: changed}))
        for field in fields(type(event))
        if (changed := other(getattr(event, field.name))) is not None
    ]
    return [one for one in envelopes + events if one != entry]


def other(value: Any) -> Any:
    """Another value of the same shape; None if there is none."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}x"
        case bytes():
            return value[::-1]
        case tuple() if value and all(isinstance(one, int) for one in value):
            return value[::-1] if value != value[::-1] else (*value[:-1], value[-1] + 1)
        case tuple():
            return (*value[:-1], other(value[-1])) if value else None
        case dict():
            return dict(list(value.items())[:-1]) if value else None
        case Sealed(to=to, value=inner):
            changed = other(inner)
            return None if changed is None else Sealed(to, changed)
        case msgspec.Struct():
            for field in fields(type(value)):
                changed = other(getattr(value, field.name))
                if changed is not None:
                    return replace(value, **{field.name: changed})
    return None


def harmless(was: Entry, now: Entry) -> bool:
    """Whether no record could show the difference: names and tickets, or another legal choice."""
    if isinstance(was.event, MatchOpened) or name_of(was.event) == "deck.registered":
        return True
    tickets = [getattr(entry.event, "ticket", None) for entry in (was, now)]
    origins = [getattr(entry.event, "origin", None) for entry in (was, now)]
    return tickets[0] != tickets[1] or origins[0] != origins[1] or was.time != now.time


def first_gap(log: list[Entry]) -> int:
    """The first place at which the entry is not numbered as its place."""
    return next(at for at, entry in enumerate(log, 1) if entry.seq != at)


def renumbered(log: list[Entry]) -> list[Entry]:
    """The same entries without gaps in their numbers."""
    return [replace(entry, seq=at) for at, entry in enumerate(log, 1)]
