"""Test vectors of AUDIT.md: `python -m tests.unit.record.proof.vectors` writes them, and its table.

A verifier that a stranger writes must find every hash in them, accept the bundles and refuse those
that were changed. Bytes are in hex.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain.record import events as ev
from domain.record.decisions import Act, Answer, Offer, Option
from domain.record.entries import TYPES, Entry, name_of
from domain.record.interventions import Noted
from domain.record.proof import bundle, chain
from domain.record.proof.bundle import Bundle
from domain.record.proof.canonical import canonical
from domain.record.proof.chain import Head, chained, genesis
from domain.record.proof.openings import Disclosed, Proof, opened_parts, openings
from domain.record.values import BY_OFFICIAL, CHANCE, EVERYONE, OFFICIALS, RULES, Sealed
from domain.record.views import OFFICIAL, PUBLIC, SEALED, redact

HERE = Path(chain.__file__).parent
PAGE, FILE = HERE / "AUDIT.md", HERE / "vectors.json"
SECRET = bytes(range(32))
MATCH, SINCE = "q63ag", 2
VIEWERS = (OFFICIAL, PUBLIC, 0, 1)
_BEGIN, _END = "<!-- sealed fields -->\n", "<!-- until here -->\n"


def log() -> list[Entry]:
    """Entries of the sorts that are chained differently."""
    opened = ev.MatchOpened(
        game="lamps",
        engine="lamps 1.0",
        digests={"rules": "r", "cards": "c"},
        mode="dealer",
        best_of=1,
        seats=("Ann", "Bén"),
        labels={"round": "1", "event": "秋"},
        options={},
        at=1_700_000_000_000,
        ticket=Sealed(OFFICIALS, "t1#ab"),
    )
    offer = Offer((Option("play", 5), Option("pass")))
    stated = ev.Stated(((5, "L-01"), (6, "")), offer, "keeper")
    events: list[tuple[int, Any]] = [
        (CHANCE, opened),
        (RULES, ev.DeckRegistered(0, "demo", {"main": 50}, Sealed(1, {"main": ("L-01",) * 2}))),
        (CHANCE, ev.ChanceDrawn("shuffle", 3, Sealed(OFFICIALS, (2, 0, 1)))),
        (RULES, ev.CardsMoved(
            2, Sealed(EVERYONE, (-1, 300)), Sealed(1, (5, 6)), "deck/0", "hand/0", None, False, "",
            "drawn",
        )),
        (RULES, ev.DecisionOpened(1, (0, 1), "main", 0, True, Sealed(OFFICIALS, b"\1" * 8))),
        (RULES, ev.OptionsOffered(1, 0, Sealed(1, offer))),
        (0, ev.DecisionMade(
            1, 0, Sealed(1, Answer(0, ((5,),))), 1_500, "auto", Sealed(OFFICIALS, "t2"),
            Act("play", "hand/0"), Sealed(OFFICIALS, stated),
        )),
        (1, ev.DecisionMade(
            1, 1, Sealed(EVERYONE, Answer(1)), 0, "seat", Sealed(OFFICIALS), None,
            Sealed(OFFICIALS),
        )),
        (RULES, ev.Marked("seat/1", "count", -129)),
        (BY_OFFICIAL, Noted(0, Sealed(OFFICIALS, "late"))),
        (RULES, ev.MatchEnded(-1, (0, 0))),
    ]  # fmt: skip
    return [
        Entry(n, 70_000 * n, n, 0, by, ("house:x", "gcg:1-2-1")[: n % 3], event)
        for n, (by, event) in enumerate(events, 1)
    ]


def disclose(entry: Entry, field: int, secret: bytes) -> Disclosed:
    """One part of an entry that is known whole, opened; raises `KeyError` if it has none such."""
    (opened,) = openings([entry], secret, OFFICIAL)
    return {one.field: one for one in opened_parts(entry, opened, OFFICIAL)}[field]


def bundled(viewer: int) -> Bundle:
    """A viewer's bundle of these; to the public a hand is disclosed."""
    entries = log()
    before = _genesis(entries)
    proof = Proof(
        MATCH, before, tuple(openings(entries, SECRET, viewer)), chained(before, entries, SECRET)
    )
    shown = (disclose(entries[3], 2, SECRET),) if viewer == PUBLIC else ()
    return Bundle([redact(entry, viewer) for entry in entries], viewer, proof, shown)


def _genesis(entries: list[Entry]) -> Head:
    assert isinstance(entries[0].event, ev.MatchOpened)
    return genesis(MATCH, entries[0].event, SINCE)


def made() -> dict[str, Any]:
    """All vectors."""
    head, rows = _genesis(log()), list[dict[str, Any]]()
    before = head
    for entry in log():
        head = chained(head, [entry], SECRET)
        rows.append(_row(entry, head))
    texts = {str(viewer): "".join(bundle.lines(bundled(viewer))) for viewer in VIEWERS}
    return {
        "secret": SECRET.hex(),
        "encoded": [[one, canonical(one).hex()] for one in VALUES],
        "genesis": {"match": MATCH, "since": SINCE, "hash": before.hash.hex()},
        "entries": rows,
        "head": {"hash": head.hash.hex(), "short": head.short},
        "bundles": texts,
        "refused": list(changed(texts[str(PUBLIC)])),
    }


#: Values and their one encoding.
VALUES = [
    None, True, 0, 127, 128, 255, 256, 65_535, 65_536, 2**32, 2**63 - 1, -1, -32, -33, -128, -129,
    -32_769, -(2**31) - 1, -(2**63), "", "a" * 31, "é" * 16, "x" * 256, [], [1] * 15, [1] * 16, {},
    {"b": 1, "a": [2], "É": 3, "aa": None},
]  # fmt: skip


def _row(entry: Entry, head: Head) -> dict[str, Any]:
    parts = [
        {
            "field": part.field,
            "to": part.to,
            "salt": (salt := chain.salt(SECRET, entry.seq, part.field)).hex(),
            "value": canonical(part.value).hex(),
            "commitment": chain.commitment(salt, part.value).hex(),
        }
        for part in chain.parts(entry)
    ]
    copies = {str(viewer): canonical(redact(entry, viewer)).hex() for viewer in VIEWERS}
    leaf = chain.leaf(entry, SECRET).hex()
    return {"copies": copies, "parts": parts, "leaf": leaf, "hash": head.hash.hex()}


def changed(text: str) -> Iterator[list[str]]:
    """Bundles that must be refused, and what was done to each."""
    rows = text.splitlines(keepends=True)
    header, disclosed = rows[0], rows[-1]
    yield ["the last entry is cut", "".join([*rows[:-2], disclosed])]
    cut = header.replace('"entries":11', '"entries":10')
    yield ["the last entry is cut, and the header says so", "".join([cut, *rows[1:-2], disclosed])]
    yield ["two entries are exchanged", "".join([*rows[:4], rows[5], rows[4], *rows[6:]])]
    yield ["it is said to be of another match", text.replace(MATCH, "q63ah", 1)]
    yield ["it is said to be chained from the start", text.replace('"since":2', '"since":0', 1)]
    yield ["it is said to be a seat's", text.replace('"viewer":-1', '"viewer":0', 1)]
    other = json.loads(disclosed)
    other["disclosed"]["seq"] = 3
    yield ["what is disclosed is said to be of another entry", "".join([*rows[:-1], _line(other)])]
    data = json.loads(rows[10])
    data["entry"] = json.loads("".join(bundle.lines(bundled(OFFICIAL))).splitlines()[10])["entry"]
    yield ["it says what it does not open", "".join([*rows[:10], _line(data), *rows[11:]])]


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, separators=(",", ":")) + "\n"


def table() -> str:
    """The fields of events that may be kept from somebody, by tag, for the page."""
    rows = [
        f"| {tag} | `{name_of(cls)}` | {', '.join(f'{n} `{name}`' for n, name in fields)} |\n"
        for tag, cls in sorted(TYPES.items())
        if (fields := SEALED[cls])
    ]
    return "| tag | event | fields, counted from 0 after the tag |\n|---|---|---|\n" + "".join(rows)


def page(text: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = text.partition(_BEGIN)
    return before + _BEGIN + table() + _END + rest.partition(_END)[2]


def written() -> str:
    """The vectors as they lie in the file."""
    return json.dumps(made(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
