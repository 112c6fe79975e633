"""Which text of a card an act means."""

from __future__ import annotations

import pytest

from domain.effects.language.vocabulary import Effect
from domain.games.kit.effects.texts import meant
from domain.record.decisions import Act

TEXTS = [
    ("T01/a", Effect(kind="triggered", name="a", on="attack")),
    ("T01/b", Effect(kind="activated", name="b", at=["main"])),
    ("T01/c", Effect(kind="activated", name="c", at=["action"])),
]


@pytest.mark.parametrize(
    ("card", "text", "rather", "found"),
    [
        (7, "", "main", "T01/b"),
        (7, "", "action", "T01/c"),  # rather one for now
        (7, "", "never", "T01/b"),  # else the first
        (7, "T01/b", "action", "T01/b"),  # unless it is named
        (7, "T01/a", "main", ""),  # which is of another kind
        ("hand/0", "", "main", ""),
    ],
)
def test_the_text_that_an_act_means(card: int | str, text: str, rather: str, found: str) -> None:
    act = Act("activate", card, (), text)
    run = meant(TEXTS, "activated", act, 1, lambda effect: rather in effect.at)
    assert (run.ref if run is not None else "") == found
    assert run is None or (run.this, run.seat, run.effect) == (card, 1, dict(TEXTS)[found])
