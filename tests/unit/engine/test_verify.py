"""Verdicts on short logs; whole matches are in `properties/records/test_verifying`."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.checks.verify import DIVERGED, EXACT, UNVERIFIED, Verdict, verify
from domain.record import events as ev
from domain.record.decisions import Answer
from domain.record.entries import Entry
from domain.record.interventions import Rewound
from domain.record.values import BY_OFFICIAL, Sealed
from domain.record.views import PUBLIC, redact
from tests.toy import TOY
from tests.unit.engine.test_match import opened, played


@pytest.fixture
def log() -> list[Entry]:
    return played(opened(), 3)


def at(log: list[Entry], cls: type[ev.Event]) -> int:
    return next(at for at, entry in enumerate(log) if isinstance(entry.event, cls))


def test_an_untouched_log_is_exact(log: list[Entry]) -> None:
    found = verify(log, TOY)
    assert found == Verdict(EXACT, 0, found.reason, len(log), 4)
    assert found.reason


def test_a_finished_match_is_exact() -> None:
    assert verify(played(opened()), TOY).kind == EXACT


def test_an_empty_log_or_one_without_its_beginning_is_no_record(log: list[Entry]) -> None:
    assert verify([], TOY).kind == DIVERGED
    assert verify(log[1:], TOY).seq == 1


def test_a_missing_entry_is_named_by_its_place(log: list[Entry]) -> None:
    assert verify([*log[:9], *log[10:]], TOY).seq == 10


def test_a_record_that_breaks_off_in_a_command_says_where(log: list[Entry]) -> None:
    cut = at(log, ev.DecisionMade) + 2
    found = verify(log[:cut], TOY)
    assert (found.kind, found.seq) == (DIVERGED, cut + 1)


def test_another_version_or_no_rulebook_can_not_say_more_than_the_fold(log: list[Entry]) -> None:
    old = replace(log[0], event=replace(log[0].event, engine="0"))
    assert verify([old, *log[1:]], TOY).kind == UNVERIFIED
    assert verify(log, None).kind == UNVERIFIED


def test_a_wrong_digest_diverges_without_a_rulebook(log: list[Entry]) -> None:
    n = at(log, ev.DecisionOpened)
    wrong = replace(log[n], event=replace(log[n].event, digest=Sealed(0, b"12345678")))
    found = verify([*log[:n], wrong, *log[n + 1 :]], None)
    assert (found.kind, found.seq) == (DIVERGED, n + 1)


def test_an_answer_that_was_not_on_offer_diverges(log: list[Entry]) -> None:
    n = at(log, ev.DecisionMade)
    for answer in (Answer(99), Answer(-1), Answer(0, ((12345,),))):
        event = replace(log[n].event, answer=Sealed(0b01, answer))
        found = verify([*log[:n], replace(log[n], event=event), *log[n + 1 :]], TOY)
        assert (found.kind, found.seq) == (DIVERGED, n + 1), answer


def test_a_draw_that_is_no_order_diverges(log: list[Entry]) -> None:
    n = at(log, ev.ChanceDrawn)
    event = replace(log[n].event, result=Sealed(0, (0,) * 40))
    found = verify([*log[:n], replace(log[n], event=event), *log[n + 1 :]], TOY)
    assert (found.kind, found.seq) == (DIVERGED, n + 1)


def test_an_entry_about_a_card_that_is_not_there_diverges_where_it_stands(log: list[Entry]) -> None:
    n = at(log, ev.DecisionOpened)
    wrong = replace(log[n], event=ev.CardsTurned((9_999,), None, "spent"))
    found = verify([*log[:n], wrong, *log[n + 1 :]], None)
    assert (found.kind, found.seq) == (DIVERGED, n + 1)


def test_abandoned_lines_are_left_out(log: list[Entry]) -> None:
    back = log[at(log, ev.OptionsOffered)].seq
    rewound = Entry(len(log) + 1, 90, 0, 0, BY_OFFICIAL, (), Rewound(back, ""))
    found = verify([*log, rewound], TOY)
    assert (found.kind, found.decisions, found.entries) == (EXACT, 1, len(log) + 1)


def test_what_a_viewer_got_folds_but_proves_nothing(log: list[Entry]) -> None:
    seen = [redact(entry, PUBLIC) for entry in log]
    assert verify(seen, None).kind == UNVERIFIED


def test_a_digest_that_the_rules_did_not_emit_is_compared_all_the_same(log: list[Entry]) -> None:
    last = log[-1]
    opened_ = next(e.event for e in log if isinstance(e.event, ev.DecisionOpened))
    forged = replace(
        last, seq=last.seq + 1, moment=last.moment + 1, by=BY_OFFICIAL,
        event=replace(opened_, n=99, digest=Sealed(opened_.digest.to, "0" * 16)),
    )  # fmt: skip
    found = verify([*log, forged], TOY)
    assert (found.kind, found.seq) == (DIVERGED, forged.seq)
    assert found.reason == "the position is not the one that was recorded"
