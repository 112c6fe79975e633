"""The hall's head: that the clock of the server was set is shown there, in all of its parts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from domain.tournament.state import State
from domain.words.tables import Language
from service.web import answers
from service.web.hall import seen

VISITOR: Any = SimpleNamespace(who=SimpleNamespace(role="official", subject="Jo"))


@pytest.mark.parametrize(
    ("jumped", "text"),
    [(0, ""), (-60_000, "set back by 1:00"), (90_000, "set forward by 1:30")],
)
def test_a_clock_that_was_set_is_shown(jumped: int, text: str) -> None:
    site: Any = None  # which is asked for the words of a round's end alone
    looked = seen.Seen(State(name="Cup"), None, 0, VISITOR, jumped)
    shown = answers.rendered("hall/parts/head.html", Language(), **seen.data(site, looked))
    assert ("was set" in shown) == bool(text)
    assert text in shown
