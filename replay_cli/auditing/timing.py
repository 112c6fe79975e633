"""Whether times are plausible: they never run backward, and where the clock may have been stepped.

A recorder that finds its clock gone back writes the time that it had, so a step back shows as a
clock that stands still; a step ahead shows as a silence. Neither is a fault of the record, and both
are named: what rests on time (a flag, a limit) should be looked at there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.interventions import Paused, Rewound, TimeCalled
from domain.words.phrases import Phrase, joined, phrase
from replay_cli.auditing.claims import Claim, proven, unproven, wrong
from replay_cli.auditing.evidence import Evidence

#: Milliseconds of silence that are named, unless the match was paused.
SILENCE = 30 * 60_000
#: Seats' answers at one millisecond that are named: so quick nobody is, neither a program.
STILL = 25
#: Milliseconds by which two clocks may differ.
APART = 5 * 60_000


def claims(evidence: Evidence) -> Iterator[Claim]:
    """Whether times run forward, and with the calendar."""
    entries = evidence.entries
    back = next((b.seq for a, b in pairwise(entries) if b.time < a.time), 0)
    if back:
        yield wrong("times", phrase("time runs backward"), back)
        return
    odd = [*_silences(entries), *_still(entries), *_future(entries)]
    if odd:
        seq = odd[0][0]
        yield unproven("times", joined("; ", (why for _, why in odd)), seq)
        return
    why = phrase("they run forward, with no leap and no standstill; clocks are the recorder's")
    yield proven("times", why)


def _silences(entries: Sequence[Entry]) -> Iterator[tuple[int, Phrase]]:
    paused = ended = over = False
    for before, after in pairwise(entries):
        match before.event:
            case Paused(on=on):
                paused = on
            case ev.MatchEnded():
                over = True  # officials may speak days later
            case Rewound():
                over = False
            case ev.GameEnded() | TimeCalled():
                ended = True  # what follows waits for people
            case _:
                pass
        apart = after.time - before.time
        if apart >= SILENCE and not (paused or ended or over):
            yield (
                after.seq,
                phrase("{n} minutes pass before entry {seq}", n=apart // 60_000, seq=after.seq),
            )
        ended = ended and after.frame == before.frame and isinstance(after.event, ev.MatchEnded)


def _still(entries: Sequence[Entry]) -> Iterator[tuple[int, Phrase]]:
    first, n = 0, 0
    at = -1
    for entry in entries:
        if not (isinstance(entry.event, ev.DecisionMade) and entry.event.origin == "seat"):
            continue
        if entry.time != at:
            if n >= STILL:
                yield (
                    first,
                    phrase("{n} answers share one time from entry {seq} on", n=n, seq=first),
                )
            first, n, at = entry.seq, 0, entry.time
        n += 1
    if n >= STILL:
        yield first, phrase("{n} answers share one time from entry {seq} on", n=n, seq=first)


def _future(entries: Sequence[Entry]) -> Iterator[tuple[int, Phrase]]:
    opened = entries[0].event if entries else None
    if isinstance(opened, ev.MatchOpened):
        now = time.time_ns() // 1_000_000
        for entry in (entries[0], entries[-1]):
            if opened.at + entry.time > now + APART:
                yield entry.seq, phrase("entry {seq} lies in the future", seq=entry.seq)
                return
