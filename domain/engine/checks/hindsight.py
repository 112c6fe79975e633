"""Why an act was not legal at an earlier decision, using only what the asker saw then.

For a viewer of the whole record, and for a seat that asks about its own acts, the rulebook answers
at the match resumed at that decision (`engine.match`); the live match is not touched. Anybody else
gets what follows from his own view of the table: the rulebook is asked about a position in which
everything that he may not see is missing. So the answer can't tell him more than he sees, and where
that does not settle it (`veil`), it says so (`UNSETTLED`).

Only the engine that recorded a decision can be asked (`versions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from domain.engine.checks import versions
from domain.engine.checks.veil import Unseen, veil
from domain.engine.match import Match
from domain.engine.naming import Inputs
from domain.engine.passes import implying
from domain.engine.rulebook import Refusal, Rulebook, refuse
from domain.engine.signals import Diverged
from domain.engine.table import Table
from domain.record.decisions import Act, Misfit, Offer
from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.fitting.fit import fit
from domain.record.interventions import EngineChanged
from domain.record.position import Position, seat_of
from domain.record.values import Ref
from domain.record.views import OFFICIAL
from domain.words.phrases import phrase

RULE = "house:hindsight"
NO_NAMES: Mapping[int, str] = {}
UNSETTLED = refuse(
    "what may be seen of the match does not say whether that could be done", RULE, fault="UNSETTLED"
)
DIVERGED = refuse(
    "the rulebook would not have come to this decision: it can't be asked about it",
    RULE, "house:engine", fault="DIVERGED",
)  # fmt: skip


def sees_all(viewer: int, seat: int) -> bool:
    """Whether a viewer may know all that a seat's acts rest on: `resumed` is for him."""
    return viewer in (OFFICIAL, seat)


def resumed(
    rules: Rulebook, line: Sequence[Entry], seat: int, act: Act, base: Position | None = None,
    names: Mapping[int, str] = NO_NAMES,
) -> Refusal | None:  # fmt: skip
    """Why a seat could not do this at the decision that a line of whole entries ends with.

    None if it could. `base` is a position at a resting point before that, which is used up, `line`
    what came after it. With `names`, if the unknown cards of a real table are these: how many of
    each a list has is counted over everything recorded, so they are for who sees all of it.
    O(entries of the line).
    """
    try:
        match = Match.resume(rules, line, _no_chance, base)
    except (Diverged, LookupError, ValueError):
        return DIVERGED
    try:
        if match.unfit is not None:
            return _not_asked(match.pos, rules)
        now = match.pos.time
        if not names or match.is_open_act(seat, act.kind):
            return match.why_not(seat, act, now)
        return implying.trial(match, 0, False, seat, act, now, Inputs(names)).refusal
    finally:
        match.close()


def as_seen(rules: Rulebook, pos: Position, viewer: int, seat: int, act: Act) -> Refusal | None:
    """Why a seat could not do this, by what a viewer sees of the position at the decision.

    None if it could; `UNSETTLED` where he can't know. The position is used up.
    """
    unfit = _not_asked(pos, rules)
    if unfit is not None:
        return unfit
    decision = pos.decision
    offer = decision.offers.get(seat) if decision is not None else None
    own = sees_all(viewer, seat)
    if not own and offer is not None and _fits(offer, act):
        return None
    if not own and not all(_in_sight(pos, ref) for ref in _named(act)):
        return UNSETTLED
    if not own:
        veil(pos, rules.manifest, seat)
    match = Match(rules, Table(pos, rules.manifest), _no_chance)
    try:
        found = _refusal(match, seat, act, offered=own or offer is not None)
        return found if found is None or found.rules else UNSETTLED  # by what asked, none can tell
    except (Unseen, LookupError, ValueError, TypeError, AttributeError):
        if own:
            raise
        return UNSETTLED  # it asks for what is not there to be seen
    finally:
        match.close()


def _refusal(match: Match, seat: int, act: Act, *, offered: bool) -> Refusal | None:
    """The answer of a match; without the offers only what is known to be forbidden."""
    now = match.pos.time
    if offered:
        return match.why_not(seat, act, now)
    found = match.halted(now) or match.rules.refusal(match.table, seat, act)
    if found is None and (misfit := match.rules.misfit(match.table, seat, act)) is not None:
        found = match.rules.refusal(match.table, seat, act, misfit)
    return found or UNSETTLED


def _fits(offer: Offer, act: Act) -> bool:
    try:
        fit(offer, act)
    except Misfit:
        return False
    return True


def _no_chance(kind: str, of: int) -> tuple[int, ...]:
    raise LookupError("questions leave nothing to chance")


def recorded_with(base: Position | None, line: Sequence[Entry]) -> Mapping[str, str]:
    """The digests of the rules and cards with which what a line ends with was recorded."""
    for entry in reversed(line):
        if isinstance(entry.event, MatchOpened | EngineChanged):
            return entry.event.digests
    return base.heading.digests if base is not None else {}


def unverified(recorded: Mapping[str, str], rules: Rulebook) -> str:
    """Why the rulebook may answer otherwise than it would have then; empty if it would not."""
    if rules.has_grown_from(recorded):
        return ""
    return phrase(
        "asked of {engine} with other rules or cards than those that it was recorded with",
        engine=rules.manifest.version,
    )


def _not_asked(pos: Position, rules: Rulebook) -> Refusal | None:
    """Why this engine can't be asked about what was recorded there; None if it can."""
    unfit = versions.unfit(pos, rules)
    if unfit is None:
        return None
    text = (
        "unverified: it was recorded by {recorded}, and this is {own}, which may see it otherwise"
    )
    return replace(unfit, rules=(RULE, *unfit.rules), sentence=text)


def _named(act: Act) -> Iterable[Ref]:
    """Everything that an act names."""
    return (ref for ref in (act.card, *chain.from_iterable(act.picks)) if ref)


def _in_sight(pos: Position, ref: Ref) -> bool:
    """Whether a viewer knows what is named: a place, or a card of which he sees which it is."""
    if not isinstance(ref, int):
        return ref in pos.zones or seat_of(ref) >= 0
    card = pos.cards.get(ref)
    return card is not None and bool(card.id)
