"""A store with something in every table, made without a server.

An event that is over with its two matches; a match with rewinds and snapshots that is over; one
that is being played, with what seats left and the service's seed; one that was archived; the log of
heads with full tiles and a cosignature; tokens, codes, and who has looked.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from domain.engine.match import Deck, Match, Opening
from domain.engine.passes.autopass import AutoPass
from domain.record.interventions import ResultCorrected
from domain.record.proof import draws
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.anchors.notes import COSIGNATURE, fresh
from domain.record.values import BY_OFFICIAL
from domain.tournament.acts import results, rounds
from domain.tournament.tournament import Tournament
from service.anchors.assembly import key_of
from service.anchors.ledger import Ledger
from service.credentials import codes, tokens
from service.credentials.codes import Code
from service.credentials.holders import Holder
from service.credentials.tokens import Issued
from service.identity import Identity, Role
from service.keeping import archives, retention
from service.store import chains, history
from service.store.derived import listing
from service.store.history import History
from service.store.records import Records, Work
from service.store.tables import access, auto_passes, card_photos, seeds
from service.store.tables.tournaments import Tournaments
from tests.support.photos import photo
from tests.support.tournaments import WON, by, opened, playing
from tests.toy import TOY
from tests.unit.store.records import AT, REWINDS, toy_commands, undone_commands

#: The event and its matches; a match that is over; one that is being played.
EVENT, TABLES = "ev3t", ("ev3t.r1.t1", "ev3t.r1.t2")
OVER, LIVE = "k7f3q", "m2x9p"
#: One that was archived, and is no longer there.
GONE = "g4ne7"
MATCHES = (*TABLES, OVER, LIVE)
NOW = AT + 86_400_000


def ended_event() -> Tournament:
    """The event, played and over."""
    t = playing(opened(), (1, 2), (3, 4), now=AT)
    for table, winner in ((1, 1), (2, 3)):
        results.report(t, by(AT + 1), 1, table, replace(WON, winner=winner))
    rounds.end(t, by(AT + 2))
    rounds.finish(t, by(AT + 3))
    return t


def filled(path: Path) -> Path:
    """Make such a store."""
    with closing(Records(path)) as records, patch.object(history, "EVERY", 40):
        records.use_dictionary("gundam")  # of any game: the toy has none
        records.row_mapper.in_use["toy"] = records.row_mapper.in_use["gundam"]
        first = toy_commands(6, 3)
        corrected = ResultCorrected(1, (0, 1), "misread")
        last = replace(first[-1][-1], seq=first[-1][-1].seq + 1, by=BY_OFFICIAL, event=corrected)
        for match, commands in (
            (TABLES[0], [*first, [last]]),
            (TABLES[1], toy_commands(6, 4)),
            (GONE, toy_commands(2, 1)),
            (OVER, undone_commands(24, 5, REWINDS)),
        ):
            for command in commands:
                also = listing.derive(match, command, 7, AT)
                records.write(Work(match, command, also, "toy"))
            records.write(Work(match, (), History(records).advance(match)))
        _play_on(records)
        t = ended_event()
        statements, _ = Tournaments(records).saved(EVENT, t.collect())
        records.write(Work("", (), statements))
        _credentials(records)
        _log(records)
        gone = path.with_name("gone.kifu")
        archives.archive(records, gone, [GONE])
        retention.take_out(records, gone)
        gone.unlink()
    return path


def _play_on(records: Records) -> None:
    """A match that is going on, by seeds of the service and the seats."""
    secret = bytes(range(32))
    opening = Opening(
        ("Ann", "Ben"), tuple(Deck(name, TOY.decks[name]) for name in ("ones", "tens")), AT,
        id=LIVE, chance=draws.SHARED, commitment=draws.of_service(LIVE, secret),
        waits="seeds", labels={"table": "7"},
    )  # fmt: skip
    entries = Match.open(TOY, opening, draws.Shared(secret, 0)).collect()
    also = [
        *listing.derive(LIVE, entries), seeds.saved(LIVE, secret),
        *auto_passes.changed(LIVE, {}, {0: AutoPass(turn=True, steps=("main",))}),
        card_photos.saved(LIVE, "PR-01", card_photos.checked(photo())),
    ]  # fmt: skip
    records.write(Work(LIVE, entries, also, "toy"))


def _credentials(records: Records) -> None:
    who = Identity(Role.SEAT, "Ann", OVER, 0, AT // 1000 + 90_000, "", "", "abcdefghjk")
    more = Identity(Role.PUBLIC, "hall", "", -1, AT // 1000 + 90_000, "30s", EVENT, "bcdefghjkm")
    code = Code("cdefghjkmn", bytes(range(16)), Holder(Role.SEAT, event=EVENT, player=2), AT,
                AT // 1000 + 90_000, "Ida", once=True)  # fmt: skip
    head, lines = access.Head(), []
    for n in range(1, 4):
        line = access.Line(n, AT + n, "Ida", "official", OVER, "position", "official", 9, "why")
        head, statement = access.appended(head, line)
        lines += statement
    statements = [
        *tokens.saved(Issued(who, AT, "Ida", code=code.id)),
        *tokens.saved(Issued(more, AT, "Ida")),
        *codes.saved(code), codes.counted(code, AT + 5), *lines,
    ]  # fmt: skip
    records.write(Work("", (), statements))


def _log(records: Records) -> None:
    """Leaves over every entry of two matches, and over the ends of the others."""
    ledger = Ledger(records, key_of(records, "example.org/log"))
    ledger.load()
    for match in MATCHES:
        entries = records.entries(match)
        heads = chains.heads_of(records, match, entries)
        some = heads[:200] if match in TABLES else heads[-1:]
        for at in range(0, len(some), 150):
            grown = ledger.grow([Leaf(match, one) for one in some[at : at + 150]])
            records.write(Work("", (), grown.statements))
            ledger.take(grown)
    ends = [Leaf(match, head) for match, head in chains.heads(records)]
    grown = ledger.grow([one for one in ends if one.match in (*TABLES, f"event {EVENT}")])
    records.write(Work("", (), grown.statements))
    ledger.take(grown)
    newest = grown.newest
    witness = fresh("example.org/witness", b"w" * 32, COSIGNATURE)
    signed = witness.sign(newest.note.text, AT // 1000)
    records.write(Work("", (), ledger.cosigned(newest.number, [signed])))


def tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables of a file, in their order."""
    import sqlite3

    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        return {
            name: sorted(connection.execute(f"SELECT * FROM {name}"), key=msgspec.msgpack.encode)
            for (name,) in names.fetchall()
        }
