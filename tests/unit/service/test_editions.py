"""Which rulebook a request to open a match or an event means, of a game with several editions."""

from types import SimpleNamespace
from typing import cast

import pytest

from service.live.matches import Matches, UnknownGame

BOOKS = {"toy": "first", "toy@2.0": "second", "toy@10.1": "tenth", "other": "other"}
MATCHES = cast(Matches, SimpleNamespace(rulebooks=BOOKS))


@pytest.mark.parametrize(
    ("game", "edition", "found"),
    [
        ("toy", "", "tenth"),
        ("toy", "1.0", "first"),
        ("toy", "2.0", "second"),
        ("toy@1.0", "", "first"),
        ("toy@2.0", "", "second"),
        ("other", "", "other"),
        ("other", "1.0", "other"),
    ],
)
def test_the_newest_unless_one_is_named(game: str, edition: str, found: str) -> None:
    assert Matches.chosen(MATCHES, game, edition) == found


@pytest.mark.parametrize(
    ("game", "edition"), [("toy", "3.0"), ("toy@3.0", ""), ("whist", ""), ("", ""), ("toy@", "x")]
)
def test_what_there_is_not_is_unknown(game: str, edition: str) -> None:
    with pytest.raises(UnknownGame):
        Matches.chosen(MATCHES, game, edition)
