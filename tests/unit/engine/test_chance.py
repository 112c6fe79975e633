"""What an auditor finds of the chance of a record, whoever has cheated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.checks import chance
from domain.engine.checks.chance import PROVEN, UNPROVEN, WRONG, Audit, audit
from domain.engine.match import Match
from domain.engine.opening import seeding
from domain.officials import beginning, rewind
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.interventions import MatchBegan, SeedCommitted, SeedGiven, SeedsOpened
from domain.record.proof import draws
from domain.record.values import Sealed
from domain.record.views import PUBLIC, redact
from tests.playouts import Dice, opening, take_turn
from tests.support.seeds import ID, OWN, SERVICE, SETUP, begun, bound, finished, seed_of, waiting

BY = Official("Judge Joy", 9_000, "on with it")
LOG = finished(begun())
Change = Callable[[list[Entry]], list[Entry]]


def kinds(found: Audit, verdict: str = "") -> set[str]:
    return {claim.kind for claim in found.claims if verdict in ("", claim.verdict)}


def changed(cls: type, **fields: Any) -> Change:
    """A record in which the first event of a type says something else."""

    def change(log: list[Entry]) -> list[Entry]:
        at = next(at for at, e in enumerate(log) if isinstance(e.event, cls))
        log[at] = replace(log[at], event=replace(log[at].event, **fields))
        return log

    return change


def without(cls: type) -> Change:
    return lambda log: [e for e in log if not isinstance(e.event, cls)]


def test_all_draws_of_a_whole_match_are_derived() -> None:
    found = audit(LOG)
    assert found.verdict == PROVEN
    assert kinds(found) == {"derived"}
    assert found.draws == found.derived > 3
    for seat in (0, 1):
        assert audit(LOG, (seat, seed_of(seat))).verdict == PROVEN
        assert kinds(audit(LOG, (seat, seed_of("mine"))), WRONG) == {"unbound"}


def test_a_series_with_what_was_undone_is_derived_too() -> None:
    match = begun(best_of=3)
    log = match.collect()
    for _ in range(16):
        take_turn(match, SETUP)
        log += match.collect()
    rests = [e.event.n for e in log if isinstance(e.event, ev.DecisionOpened) and e.event.rest]
    before = sum(isinstance(e.event, ev.ChanceDrawn) for e in log)
    by = replace(BY, now=match.pos.time)
    back = rewind.rewind(SETUP.rules, log, rests[0], by, match.dice, "shuffle")
    assert any(isinstance(e.event, ev.ChanceDrawn) for e in back.table.out)
    found = audit(log + finished(back))
    assert found.verdict == PROVEN
    assert found.derived == found.draws > before + 3


def test_a_copy_says_what_it_does_not_show() -> None:
    found = audit([redact(e, PUBLIC) for e in LOG])
    assert found.verdict == UNPROVEN
    assert kinds(found) == {"unseen"}
    assert 0 < found.derived < found.draws


OTHER = (seed_of("other"), seed_of(1))
FRAUDS: dict[str, tuple[Change, set[str]]] = {
    "a service that picks its seed last": (
        changed(SeedsOpened, service=seed_of("handy")), {"unbound"},
    ),
    "a seat that opens another seed": (changed(SeedsOpened, seats=OTHER), {"unbound"}),
    "a seat's seed left out": (changed(SeedsOpened, seats=(b"", seed_of(1))), {"unbound"}),
    "seats left out": (changed(SeedsOpened, seats=()), {"unbound"}),
    "a service that does not open": (without(SeedsOpened), {"unopened"}),
    "another match's opening": (changed(ev.MatchOpened, id="other"), {"unbound"}),
    "a commitment exchanged": (changed(ev.MatchOpened, commitment=b"x" * 32), {"unbound"}),
    "a seat's commitment exchanged": (changed(SeedCommitted, commitment=bound(1)), {"unbound"}),
    "a seed that was given and is hidden": (
        without(SeedGiven), {"unbound", "unnamed"},
    ),
    "another draw": (
        changed(ev.ChanceDrawn, result=Sealed(0, tuple(range(50)))), {"differs"},
    ),
    "a draw taken out": (
        lambda log: [e for e in log if e is not next(
            one for one in log if isinstance(one.event, ev.ChanceDrawn))], {"differs"},
    ),
    "seeds opened early": (
        lambda log: [*log[:200], *(e for e in log if isinstance(e.event, SeedsOpened))], {"early"},
    ),
    "drawn before it began": (without(MatchBegan), {"order", "unbound"}),
}  # fmt: skip


@pytest.mark.parametrize("fraud", FRAUDS)
def test_a_fraud_is_found(fraud: str) -> None:
    change, wanted = FRAUDS[fraud]
    found = audit(change(list(LOG)))
    assert found.verdict == WRONG
    assert kinds(found, WRONG) & wanted


def test_who_is_bound_after_a_seed_was_shown_is_found() -> None:
    log = list(LOG)
    at = [n for n, e in enumerate(log) if isinstance(e.event, SeedCommitted | SeedGiven)]
    first, second = at[1], at[2]
    log[first], log[second] = (
        replace(log[second], seq=log[first].seq), replace(log[first], seq=log[second].seq),
    )  # fmt: skip
    assert "order" in kinds(audit(log), WRONG)


def test_who_gave_nothing_is_named_and_the_draws_are_derived_from_the_others() -> None:
    match = waiting()
    seeding.commit(match, 0, bound(0), 10)
    beginning.begin(match, BY)
    seeding.give(match, 0, seed_of(0), 20)
    found = audit(finished(match))
    assert [(c.kind, c.seat, c.verdict) for c in found.claims[:1]] == [("silent", 1, UNPROVEN)]
    assert kinds(found, PROVEN) == {"derived"}
    assert found.verdict == UNPROVEN


def test_a_service_that_lost_its_seed_says_so() -> None:
    match = begun()
    lost = Match.resume(SETUP.rules, match.collect(), draws.Lost(Dice(3)))
    log = [*LOG[: lost.pos.seq], *finished(lost)]
    assert isinstance(log[-1].event, SeedsOpened)
    assert log[-1].event.service == b""
    found = audit(log)
    assert found.verdict == UNPROVEN
    assert kinds(found) == {"lost"}


def test_a_match_that_goes_on_is_not_proven_yet() -> None:
    found = audit(LOG[:300])
    assert (found.verdict, kinds(found)) == (UNPROVEN, {"unfinished"})
    assert audit(waiting().collect()).verdict == UNPROVEN


def test_what_is_drawn_after_the_seeds_were_opened_is_not_from_them() -> None:
    later = replace(next(e for e in LOG if isinstance(e.event, ev.ChanceDrawn)), seq=len(LOG) + 1)
    assert kinds(audit([*LOG, later])) == {"late"}


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"chance": "seed"}, "seed"),
        ({"chance": "system"}, "system"),
        ({"chance": "table", "mode": "table"}, "table"),
        ({}, "unsaid"),
        ({"mode": "table"}, "table"),
        ({"chance": "shared", "options": {"imported": "dealer"}}, "again"),
        ({"chance": "system", "origin": ev.Origin(ID, 9)}, "fork"),
    ],
)
def test_other_chance_is_called_by_its_name(fields: dict[str, Any], kind: str) -> None:
    log = Match.open(SETUP.rules, opening(SETUP), Dice(1)).collect()
    log[0] = replace(log[0], event=replace(log[0].event, **fields))
    found = audit(log)
    assert (found.verdict, kinds(found)) == (UNPROVEN, {kind})
    assert all(claim.text for claim in found.claims)


def test_what_is_no_record() -> None:
    assert audit([]).verdict == chance.UNPROVEN
    assert audit(LOG[1:]).verdict == UNPROVEN
    assert draws.of_service(ID, OWN) == SERVICE
