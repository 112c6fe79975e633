"""The chain of an event, as AUDIT.md describes it, and the table that the page has."""

from __future__ import annotations

import hmac
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.record.proof.canonical import canonical
from domain.record.proof.openings import Unproven
from domain.record.views import OFFICIAL, PUBLIC
from domain.tournament import proof, views
from domain.tournament import record as ev
from domain.tournament.acts import calls, penalties, results, rounds
from domain.tournament.copy import Copy, check, lines, read
from domain.tournament.record import Entry, Table
from tests.support.tournaments import WON, by, opened, playing

PAGE = Path(proof.__file__).parents[1] / "record" / "proof" / "AUDIT.md"
BEGIN, END = "<!-- sealed fields of events -->\n", "<!-- until here -->"
BLANKS = {"tables": [], "faults": [], "deck": [""], "outcome": [0, 0]}
SECRET = bytes(range(32))


def log() -> list[Entry]:
    """The record of an event with all that is kept from somebody."""
    t = opened()
    rounds.pair(t, by(), [Table(1, 1, 3), Table(2, 2, 4)])  # it is paired again, and not opened
    playing(t, (1, 2), (3, 4), now=5)
    calls.raise_call(t, by(6, "T1", "tick"), 1, 2, "what now?")
    calls.take(t, by(7), 1)
    calls.answer(t, by(8), 1, "so", 30)
    penalties.penalise(t, by(9), 2, "warning", "slow", 1)
    penalties.withdraw(t, by(10), t.state.seq, "it was another")
    results.report(t, by(11), 1, 1, WON)
    return t.collect()


def table() -> dict[int, list[int]]:
    """The page's: by the tag of an event its fields, and 64 where it says so."""
    rows = PAGE.read_text().partition(BEGIN)[2].partition(END)[0].splitlines()[2:]
    found = dict[int, list[int]]()
    for row in rows:
        tag, _, fields = (cell.strip() for cell in row.strip("|").split("|"))
        found[int(tag)] = [int(one.split()[0]) for one in fields.split(", ")]
    return found


def test_the_page_names_what_is_kept_from_somebody() -> None:
    for tag, cls in ev.TYPES.items():
        names = cls.__struct_fields__
        fields = sorted(names.index(name) for name in views.SEALED.get(cls, {}))
        assert table().get(tag, []) == fields + [64] * issubclass(cls, views.UNSIGNED)


def test_a_hash_is_what_the_page_says() -> None:
    sealed, entries = table(), log()
    hash_ = sha256(b"\0" + canonical(["kifu-event", 1, "ev3t", 0])).digest()
    hashes = proof.links(proof.genesis("ev3t"), entries, SECRET)
    for entry, made in zip(entries, hashes, strict=True):
        seq, time, who, event, ticket = msgspec.msgpack.decode(canonical(entry))
        commitments, names = b"", type(entry.event).__struct_fields__
        kept = [n for n in sealed.get(event[0], []) if n >= 64 or n + 1 < len(event)]
        for number in [*kept, 65]:
            value: Any = {64: who, 65: ticket}.get(number)
            if number < 64:
                value = event[number + 1]
                blank = BLANKS.get(names[number], "" if isinstance(value, str) else 0)
                event[number + 1] = blank
            salt = hmac.digest(SECRET, seq.to_bytes(8) + number.to_bytes(1), "sha256")[:16]
            commitments += sha256(b"\1" + salt + canonical(value)).digest()
        who = "" if 64 in sealed.get(event[0], []) else who
        public = canonical([seq, time, who, event, ""])
        hash_ = sha256(b"\0" + hash_ + public + commitments).digest()
        assert hash_ == made


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC])
def test_a_pairing_is_the_publics_once_its_round_was_opened(viewer: int) -> None:
    entries = log()
    head = proof.links(proof.genesis("ev3t"), entries, SECRET)
    opens = [*proof.opened(entries, viewer, SECRET)]
    seen = proof.copies(entries, viewer)
    last = proof.heads("ev3t", 0, seen, opens, viewer)[-1]
    assert last.hash == head[-1]
    pairings = [bool(one.event.tables) for one in seen if isinstance(one.event, ev.RoundPaired)]
    assert pairings == [viewer == OFFICIAL, True]
    whole = Copy("ev3t", seen, last, opens, viewer)
    assert read("".join(lines(whole))) == whole
    assert check(whole)[-1] == last
    if viewer == PUBLIC:
        text = "".join(lines(whole))
        assert not any(word in text for word in ("what now", "slow", "tick"))
        with pytest.raises(Unproven, match="more than its viewer may know"):
            check(Copy("ev3t", entries, last, opens, viewer))


def test_a_record_that_was_not_chained_is_from_where_it_stands() -> None:
    entries = log()
    hashes = proof.links(proof.genesis("ev3t", 7), entries, SECRET)
    assert hashes != proof.links(proof.genesis("ev3t"), entries, SECRET)
    opens = [*proof.opened(entries, OFFICIAL, SECRET)]
    assert proof.heads("ev3t", 7, entries, opens, OFFICIAL)[-1].since == 7
