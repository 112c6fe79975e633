"""A text that somebody has tampered with is refused with its line, or its record really says so."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games import rulebook
from domain.record.entries import Entry
from domain.record.position import UNKNOWN
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.text.transcript import lines
from domain.text.transcript.commands import shown, sources
from domain.text.transcript.implied import IMPLIED
from domain.text.transcript.lines import BadTranscript, Row
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from tests.playouts import Setup, play
from tests.properties.strategies import examples, seeds

SETUPS = tuple(
    Setup(seed, decks) for decks in (("ST01", "ST03"), ("ST02", "ST04"), ("HX-A", "HX-B"))
    for seed in (1, 4)
)  # fmt: skip
STAMPS = re.compile(r"^(\d+\+? [AB]) \S+ \S+ ", re.MULTILINE)
NUMBER = re.compile(r".* \(|\)$")
GROUP = re.compile(r" \{(?:([AB]) )?([a-z-]+): ([^{}(]+) \(([\w-]+)\)")

#: Alters a row; the same again where there is nothing to alter.
Forge = Callable[[Random, str, Setup], str]


@cache
def exported(setup: Setup, viewer: int) -> str:
    return write([redact(entry, viewer) for entry in play(setup)], setup.rules)


def other(seat: str) -> str:
    return "BA"["AB".index(seat)]


def name(rng: Random, row: str, setup: Setup) -> str:
    """Another card's name in the act."""
    names = sorted((card.name for card in setup.rules.cards.values()), key=len, reverse=True)
    act = row.partition(" {")[0]
    found = next((one for one in names if one in act), None)
    return row.replace(found, rng.choice(names), 1) if found else row


def verb(rng: Random, row: str, setup: Setup) -> str:
    """Another verb."""
    verbs = sorted((w.name.replace("-", " ") for w in setup.rules.manifest.acts), key=len)
    found = next((one for one in reversed(verbs) if f" {one}" in row), None)
    return row.replace(f" {found}", f" {rng.choice(verbs)}", 1) if found else row


def zone(rng: Random, row: str, setup: Setup) -> str:
    """Another zone in a group."""
    to = rng.choice(setup.rules.manifest.zones).name
    return GROUP.sub(lambda g: g[0].replace(f"{g[2]}:", f"{to}:", 1), row, count=1)


def card(rng: Random, row: str, setup: Setup) -> str:
    """Another card in a group, by its name, its number or both."""
    id_, known = rng.choice(list(setup.rules.cards.items()))
    by_name, by_number = rng.choice([(True, False), (False, True), (True, True)])
    return GROUP.sub(
        lambda g: g[0].replace(g[3], known.name if by_name else g[3]).replace(
            f"({g[4]})", f"({id_ if by_number else g[4]})"),
        row, count=1,
    )  # fmt: skip


MORE = (
    " / none",
    " please",
    " -> player",
    ", GM",
    " with GM",
    " {A hand: ????}",
    " {coin: 1 of 2}",
)
FORGED: dict[str, Forge] = {
    "dropped": lambda rng, row, setup: "",
    "doubled": lambda rng, row, setup: f"{row}\n{row}",
    "another seat": lambda rng, row, setup: re.sub(r"(?<=\d )[AB] ", lambda m: f"{other(m[0][0])} ",
                                                   row, count=1),
    "another number": lambda rng, row, setup: re.sub(
        r"^\d+", lambda m: str(int(m[0]) + rng.choice((-2, -1, 1, 2))), row),
    "no number": lambda rng, row, setup: re.sub(r"^\d+ (?!open)", "", row),
    "another name": name,
    "another verb": verb,
    "something more": lambda rng, row, setup: row + rng.choice(MORE),
    "a group's seat": lambda rng, row, setup: GROUP.sub(
        lambda g: g[0].replace(f"{{{g[1]} ", f"{{{other(g[1])} ") if g[1] else g[0], row, count=1),
    "a group's zone": zone,
    "a group's card": card,
    "no group": lambda rng, row, setup: re.sub(r" \{[^{}]*\}", "", row, count=1),
    "a group twice": lambda rng, row, setup: re.sub(r"( \{[^{}]*\})", r"\1\1", row, count=1),
}  # fmt: skip


def rows(text: str) -> list[Row]:
    return [one for one in lines.statements(text) if isinstance(one, Row)]


def cards(row: Row) -> set[str]:
    return {card for group in row.shown for card in group.cards}


def turned_up(log: list[Entry]) -> set[tuple[str, str]]:
    """Where each card was turned up, or out of what, with its number."""
    came = sources(log)
    return {(at, card) for n, place, card in shown(log) for at in (place, came[n])}


def says(written: Row, row: Row) -> bool:
    """Whether a row of the record says what a row of a text did, and maybe more."""
    return (
        (written.kind, written.seat, written.text) == (row.kind, row.seat, row.text)
        and written.n in (0, row.n)
        and cards(written) <= cards(row)
        and set(written.rolls) <= set(row.rolls)
    )


def outcome(text: str) -> tuple[list[Entry], int]:
    """The record of a text, or the line for which it is refused."""
    try:
        return read(text, rulebook), 0
    except BadTranscript as bad:
        return [], bad.line or 10**6


@pytest.mark.parametrize("forged", FORGED)
@examples(3)
@given(st.sampled_from(SETUPS), st.sampled_from((OFFICIAL, PUBLIC, 0, 1)), st.booleans(), seeds)
def test_what_a_text_says_is_so_or_refused(
    forged: str, setup: Setup, viewer: int, stamped: bool, seed: int
) -> None:
    rng = Random(seed)
    text = exported(setup, viewer)
    body = (text if stamped else STAMPS.sub(r"\1 ", text)).split("\n")
    plain = "group" not in forged
    at = rng.choice(
        [n for n, row in enumerate(body) if row[:1].isdigit() and (plain or "{" in row)]
    )
    body[at : at + 1] = FORGED[forged](rng, body[at], setup).split("\n")
    text = "\n".join(body)
    log, line = outcome(text)
    if line:
        assert line <= len(body)
        return
    rewritten = iter(rows(write([redact(entry, viewer) for entry in log], setup.rules)))
    up = turned_up(log)
    for written in rows(text):
        row = next(row for row in rewritten if row.origin != IMPLIED or says(written, row))
        assert says(written, row)
        named = [(group.place, card) for group in written.shown for card in group.cards]
        assert {(at, NUMBER.sub("", card)) for at, card in named if card != UNKNOWN} <= up
