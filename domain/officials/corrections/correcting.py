"""Corrections: an official changes a position by the table's own verbs, and says why.

A correction is a list of `fixes`, whose verbs are in `verbs`. It is rehearsed on a copy of the
position first, so that one bad fix refuses them all and nothing has changed then. Afterwards the
rulebook does what is due (`Rulebook.amend`) and asks the open decision again, which it can where
that was opened at rest. What no table can hold is refused then, too (`irregular.sound`). A card may
be named along with what is done to it, at a real table, where nobody has named it yet. One that is
in no list may be named where that is the rule that was broken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from domain.engine import naming
from domain.engine.match import Match, Stale
from domain.engine.naming import Inputs
from domain.engine.rulebook import Refused
from domain.engine.signals import Chance, NameRequired, Play
from domain.engine.table import Table
from domain.officials import checks
from domain.officials.corrections.fixes import Fix, named
from domain.officials.corrections.verbs import carry_out, faults
from domain.officials.frame import Official, frame
from domain.officials.irregular import at_rest, carried_out, sound
from domain.record.interventions import Irregularity
from domain.record.position import decoded
from domain.words.phrases import phrase

RULE = "house:correction"
#: How many fixes a correction may have.
MOST = 100


def correct(
    match: Match,
    by: Official,
    fixes: Sequence[Fix],
    rule: str = "",
    seat: int = -1,
    decision: int | None = None,
) -> None:
    """Put a position right, and go on from it. `rule` is the rule that was broken, by `seat`.

    `decision` is the one that is to be open (0: none). Raises `Stale` if another is, `Refused`
    (`BAD_CORRECTION`, `NOT_AT_REST` and others), `NameRequired` where a card must be named, and
    `Impossible` where the rulebook can't go on from the position, or no table can be so.
    """
    current = match.pos.decision.n if match.pos.decision is not None else 0
    if decision not in (None, current):
        raise Stale(current)
    checks.going_on(match, RULE)
    match.playable()
    checks.worded(by.why, RULE)
    if rule:
        checks.cited(match, (rule,), RULE)
    if seat >= 0:
        checks.seated(match, seat, RULE)
    if not 0 < len(fixes) <= MOST:
        raise _bad_correction(phrase("a correction has from 1 to {most} fixes", most=MOST))
    at_rest(match, RULE)
    _rehearse(match, fixes, listed=rule != naming.RULE)
    with (
        carried_out("the rulebook can't go on from that position"),
        sound(match),
        frame(match, by, "correction", anew=True) as cites,
    ):
        if rule:
            cited = match.rules.manifest.in_full((rule,))
            match.table.emit(Irregularity(rule, by.why, seat), *cited, *cites)
        for fix in fixes:
            run_play(carry_out(match.rules, match.table, fix, cites), match.driver.chance)


def run_play(play: Play, chance: Callable[[Chance], tuple[int, ...]]) -> None:
    """Run a generator of the table's verbs to its end; it may ask for chance, and nothing else."""
    try:
        wants = next(play)
        while True:
            assert isinstance(wants, Chance)
            wants = play.send(chance(wants))
    except StopIteration:
        return


def _rehearse(match: Match, fixes: Sequence[Fix], *, listed: bool) -> None:
    """Do it all on a copy; raises `Refused`. `listed`: no card may be named that is in no list."""
    real = match.pos.heading.mode == "table"
    known = match.rules.known(match.pos.heading.prints)
    scratch = Table(decoded(match.pos.encoded()), match.rules.manifest)
    for number, fix in enumerate(fixes, 1):
        try:
            for fault in faults(match.rules, scratch, fix, known):
                raise _bad_correction(
                    phrase(
                        "fix {number} ({verb}): {fault}", number=number, verb=fix.verb, fault=fault
                    )
                )
            work = carry_out(match.rules, scratch, fix, ())
            inputs = Inputs(dict(named(fix)) if listed else {})
            had = naming.counted(scratch.pos, inputs)
            run_play(work, lambda wants: () if real else tuple(range(wants.of)))
            naming.listed(scratch.pos, match.rules, inputs, had)
        except NameRequired:
            raise
        except Refused as refused:
            refusal = refused.refusal
            rules = dict.fromkeys((*refusal.rules, RULE, "house:official"))
            raise Refused(replace(refusal, rules=tuple(rules))) from None
        except (LookupError, ValueError, TypeError) as error:
            raise _bad_correction(
                phrase("fix {number} ({verb}) can't be done", number=number, verb=fix.verb)
            ) from error


def _bad_correction(text: str) -> Refused:
    return checks.refused(text, RULE, "BAD_CORRECTION")
