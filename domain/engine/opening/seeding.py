"""Seeds for chance: seats commit to theirs, then open them to the service; at the end all are open.

Only once every seat has committed does one open its seed, so that nobody chooses his by another's.
A seed that does not fit what its seat committed to is refused. Then the match begins: by itself, or
when an official says so (`beginning`, `officials.beginning`), who need not wait for those that give
none: they are named where the match begins. How draws are derived from the seeds is in
`record.proof.draws`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.engine.opening import beginning, terms
from domain.engine.rulebook import Refused, refuse
from domain.record.interventions import SeedCommitted, SeedGiven, SeedsOpened
from domain.record.position import Heading, seat_letter
from domain.record.proof import draws
from domain.record.values import CHANCE, Sealed
from domain.words.phrases import joined

if TYPE_CHECKING:
    from domain.engine.match import Match

RULE = "house:chance"
#: How a seat has no part in chance: it committed to nothing, did not open what it had committed to,
#: or sent another seed than that.
SILENT, WITHHELD, MISFIT = "silent", "withheld", "misfit"


def commit(match: Match, seat: int, commitment: bytes, now: int) -> None:
    """A seat is bound to its seed from here on; the same again changes nothing. Raises `Refused`.

    Until all have committed it may take another: nobody has shown anything by then.
    """
    heading = _sharing(match, seat)
    if len(commitment) != draws.HASH:
        raise _refused("a commitment has {n} bytes", "BAD_SEED", n=draws.HASH)
    bound = heading.commitments.get(seat)
    if bound == commitment:
        return
    if bound == b"":
        raise _refused("an official has the match begin without a seed of this seat", "SEED_LATE")
    if not uncommitted(heading):
        raise _refused("all seats have committed to their seeds by now", "SEED_LATE")
    t = match.table
    t.now = max(now, t.pos.time)
    t.emit(SeedCommitted(seat, commitment), RULE, by=seat)


def give(match: Match, seat: int, seed: bytes, now: int) -> None:
    """A seat opens its seed to the service; the match begins if that was all it waited for.

    The same again changes nothing. Raises `Refused`, also for a seed that is not the one.
    """
    heading = _sharing(match, seat, given=seed)
    if heading.seeds.get(seat) == seed:
        return
    bound = heading.commitments.get(seat, b"")
    if not bound:
        raise _refused("this seat has committed to no seed", "SEED_UNCOMMITTED")
    if missing := uncommitted(heading):
        who = joined(", ", map(seat_letter, missing))
        raise _refused("others have yet to commit to their seeds: {who}", "SEED_EARLY", who=who)
    if len(seed) != draws.SIZE or draws.of_seat(heading.commitment, seat, seed) != bound:
        match.misfits |= {seat}
        raise _refused("this is not the seed that the seat committed to", "BAD_SEED")
    t = match.table
    t.now = max(now, t.pos.time)
    t.emit(SeedGiven(seat, Sealed(1 << seat, seed)), RULE, by=seat)
    if heading.waits == terms.SEEDS and not ungiven(heading):
        beginning.begin(t, without(match), beginning.RULE, RULE)
        match.driver.begin()


def uncommitted(heading: Heading) -> list[int]:
    """The seats that have not committed to a seed, and are still waited for."""
    return [seat for seat in range(len(heading.seats)) if seat not in heading.commitments]


def ungiven(heading: Heading) -> list[int]:
    """The seats that have not opened the seed that they committed to."""
    bound = (seat for seat, bound in heading.commitments.items() if bound)
    return [seat for seat in bound if seat not in heading.seeds]


def without(match: Match) -> tuple[tuple[int, str], ...]:
    """The seats that have no part in chance, were the match to begin now, and how so."""
    heading = match.pos.heading
    if heading.chance != draws.SHARED:
        return ()
    missing = [seat for seat in range(len(heading.seats)) if seat not in heading.seeds]
    return tuple((seat, _how(match, seat)) for seat in missing)


def _how(match: Match, seat: int) -> str:
    if not match.pos.heading.commitments.get(seat):
        return SILENT
    return MISFIT if seat in match.misfits else WITHHELD


def open_all(match: Match) -> None:
    """Once the match is over, all seeds are opened: nobody has to be believed about chance.

    Nothing if they are opened already. A service that has lost its own opens none.
    """
    dice, heading = match.dice, match.pos.heading
    if not match.pos.over or heading.opened or not isinstance(dice, draws.Shared | draws.Lost):
        return
    own = dice.seed if isinstance(dice, draws.Shared) else b""
    seats = tuple(heading.seeds.get(seat, b"") for seat in range(len(heading.seats)))
    match.table.emit(SeedsOpened(own, seats), RULE, by=CHANCE)


def _sharing(match: Match, seat: int, given: bytes = b"") -> Heading:
    """The heading of a match that seeds are given to; raises `Refused`."""
    heading = match.pos.heading
    if heading.chance != draws.SHARED or not heading.commitment:
        raise _refused("in this match chance does not come from seeds of its seats", "NOT_SHARED")
    if seat not in range(len(heading.seats)):
        raise _refused("there is no seat {seat}", "NO_SUCH_SEAT", seat=seat)
    repeated = bool(given) and heading.seeds.get(seat) == given
    if not heading.waits and not repeated:
        raise _refused("the match has begun already", "MATCH_BEGUN")
    match.fit()
    return heading


def _refused(text: str, fault: str, **values: object) -> Refused:
    return Refused(refuse(text, RULE, fault=fault, **values))
