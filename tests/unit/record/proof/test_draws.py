"""Draws from seeds: the page's vectors, that all outcomes are equally likely, and who is bound."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from math import sqrt
from pathlib import Path

import pytest

import domain.record.proof
from domain.record.entries import TYPES, name_of
from domain.record.proof import draws
from tests.support.seeds import seed_of

PAGE = Path(domain.record.proof.__file__).parent / "CHANCE.md"
ID, OWN, SEEDS = "k7f3q", bytes(range(32)), (bytes(range(32, 64)), bytes(range(64, 96)))


def rows() -> dict[str, str]:
    """The vectors of the page."""
    _, _, section = PAGE.read_text("utf-8").partition("## To be tried with")
    return dict(re.findall(r"^\| (.+?) \| `(.+?)` \|$", section, re.MULTILINE))


def test_the_page_says_what_is_drawn() -> None:
    found = rows()
    service = draws.of_service(ID, OWN)
    key = draws.key(service, OWN, SEEDS)
    without = draws.key(service, OWN, (SEEDS[0], b""))
    hashes = [
        service,
        *(draws.of_seat(service, seat, SEEDS[seat]) for seat in (0, 1)),
        key,
        without,
    ]
    seen = [row for row in found.values() if re.fullmatch("[0-9a-f]{64}", row)]
    assert seen == [one.hex() for one in hashes]
    drawn = 0
    for name, result in found.items():
        if shown := re.match(r"draw (\d+)(?: of that)?, `(\w+)` of (\d+)", name):
            used = without if "of that" in name else key
            order = draws.draw(used, int(shown[1]), shown[2], int(shown[3]))
            assert " ".join(map(str, order)) == result
            drawn += 1
    assert drawn == 7


def _unlikely(found: Iterable[int], expected: float) -> float:
    """How far counts are from what is expected: chi-square, in standard deviations of its own."""
    counts = [*found]
    chi = sum((one - expected) ** 2 / expected for one in counts)
    return (chi - (len(counts) - 1)) / sqrt(2 * (len(counts) - 1))


@pytest.mark.parametrize("of", [2, 3, 6, 10, 52])
def test_all_outcomes_are_equally_likely(of: int) -> None:
    key, n = draws.key(b"c" * 32, seed_of(of), [seed_of("a"), seed_of("b")]), 400 * of
    found = Counter(draws.draw(key, at, "die", of)[0] for at in range(1, n + 1))
    assert set(found) == set(range(of))
    assert abs(_unlikely(found.values(), n / of)) < 4


def test_all_orders_are_equally_likely() -> None:
    key, n = draws.key(b"c" * 32, seed_of("orders"), [seed_of("a"), seed_of("b")]), 24 * 300
    found = Counter(draws.draw(key, at, "shuffle", 4) for at in range(1, n + 1))
    assert set(found) == set(permutations(range(4)))
    assert abs(_unlikely(found.values(), 300)) < 4


def test_every_card_is_equally_likely_in_every_place() -> None:
    key, n = draws.key(b"c" * 32, seed_of("deck"), [seed_of("a"), seed_of("b")]), 3000
    orders = [draws.draw(key, at, "order", 50) for at in range(1, n + 1)]
    assert all(sorted(order) == [*range(50)] for order in orders)
    for place in range(0, 50, 7):
        found = Counter(order[place] for order in orders)
        assert abs(_unlikely((found[card] for card in range(50)), n / 50)) < 4.5


def test_a_test_of_chance_would_tell_one_that_favours() -> None:
    key = draws.key(b"c" * 32, seed_of("naive"), [])
    found = Counter(draws.draw(key, at, "die", 7)[0] % 6 for at in range(1, 2401))
    assert _unlikely(found.values(), 400) > 4


def test_whoever_gives_another_seed_changes_every_draw() -> None:
    def order(own: object, *seats: object) -> tuple[int, ...]:
        return draws.draw(
            draws.key(b"c" * 32, seed_of(own), [seed_of(one) for one in seats]), 1, "shuffle", 50
        )

    found = {order(0, 1, 2), order(9, 1, 2), order(0, 9, 2), order(0, 1, 9), order(0, 2, 1)}
    assert len(found) == 5


def test_the_page_says_where_it_stands() -> None:
    page = PAGE.read_text("utf-8").partition("## Byte by byte")[0]
    seen = re.findall(r"^\| (\d+) \| `(.+?)` \| (.+) \|$", page, re.MULTILINE)
    assert {int(tag) for tag, _, _ in seen} == {1, 60, 71, 72, 73, 75}
    for tag, name, fields in seen:
        kind = TYPES[int(tag)]
        assert name_of(kind) == name
        for at, field in re.findall(r"(\d+) `(.+?)`", fields):
            assert kind.__struct_fields__[int(at)] == field


def test_one_seed_is_bound_to_one_place() -> None:
    seed, service = seed_of("same"), draws.of_service("one", seed_of("same"))
    bound = {
        service,
        draws.of_service("two", seed),
        draws.of_seat(service, 0, seed),
        draws.of_seat(service, 1, seed),
        draws.of_seat(draws.of_service("two", seed), 0, seed),
    }
    assert len(bound) == 5


def test_large_numbers_are_drawn_by_leaving_words_out() -> None:
    key, of = draws.key(b"c" * 32, OWN, SEEDS), (1 << 63) + 1
    found = [draws.draw(key, n, "die", of)[0] for n in range(1, 301)]
    assert all(0 <= one < of for one in found)
    low = sum(one < of // 2 for one in found)
    assert 110 < low < 190
