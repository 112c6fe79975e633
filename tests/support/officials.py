"""Commands of officials that must be refused wherever a match stands.

A random official is in `replay_cli.playing.fuzz.officials`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domain.engine.match import Match, Stale
from domain.engine.rulebook import Refused
from domain.officials import clocks, irregular, results, rewind, rulings
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record.decisions import Act
from domain.record.entries import Entry


def nonsense(match: Match, log: list[Entry]) -> Iterator[Callable[[], object]]:
    """Commands that must be refused at any point of a match."""
    by = Official("judge", match.pos.time, "because")
    nobody = max(match.pos.cards) + 1000
    n = match.pos.decisions
    yield lambda: rulings.rule(match, by, "", ())
    yield lambda: rulings.rule(match, by, "so", ("gcg:999",))
    yield lambda: rulings.rule(match, by, "so", about=match.table.last + 1)
    yield lambda: rulings.rule(match, by, "so", decision=10_000)
    yield lambda: rulings.rule(match, by, "so", evidence=log[0])
    yield lambda: rulings.penalise(match, by, 2, "warning")
    yield lambda: rulings.penalise(match, by, 0, "a good talking-to")
    yield lambda: clocks.go_on(match, by)
    yield lambda: clocks.set_clock(match, by, "sundial", 5)
    yield lambda: rulings.look(match, by, "official")
    yield lambda: irregular.flag(match, by, "no:rule", "bad")
    yield lambda: irregular.play(match, by, n + 9, 0, Act("pass"))
    yield lambda: irregular.play(match, by, n, 0, Act("juggle"))
    for fixes in (
        [],
        [Fix("juggle")],
        [Fix("move", (nobody,), place="hand/0")],
        [Fix("move", (min(match.pos.cards),), place="attic/0")],
        [Fix("counters", kind="beans", n=1, dst="seat/0")],
        [Fix("draw", src="hand/0", n=500, place="trash/0")],
        [Fix("mark", subject="seat/0", kind="pretty", value=True)],
        [Fix("shuffle", place="hand/0"), Fix("end", ids=(999,))],
    ):
        yield lambda fixes=fixes: correcting.correct(match, by, fixes)  # type: ignore[misc]
    yield lambda: rewind.preview(log, 10_000, match.rules.manifest)
    if not match.pos.over:  # whose end can be taken back
        yield lambda: rewind.preview(log, n, match.rules.manifest)
    yield lambda: results.correct_result(match, by, 9, (0, 0), "so")
    yield lambda: results.correct_result(match, by, 0, (match.pos.heading.best_of, 1), "so")
    yield lambda: results.correct_result(match, by, 0, (1, 0), "")
    yield lambda: rewind.rewind(match.rules, log, 1, by, match.dice, "upside down")
    yield lambda: rewind.undo(match.rules, log, by, match.dice)
    yield lambda: rewind.fork(log, "m", 10_000)


def refusal_of(call: Callable[[], object]) -> str:
    """The reason why something was refused; empty if it was not."""
    try:
        call()
    except Refused as refused:
        return refused.refusal.fault if refused.refusal.rules else ""
    except Stale:
        return "STALE"
    return ""
