"""Events of organisers against somebody who has the file: whatever he writes again is found.

He makes the hashes of the rows and the chain with its secret again, as whoever has the file can;
the log of heads that was signed over before he can't.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.record.proof.anchors import checkpoints, notes
from domain.record.proof.anchors.policy import Policy, Standing, judge
from domain.record.proof.bundle import BadBundle
from domain.record.proof.openings import Unproven
from domain.record.views import OFFICIAL, PUBLIC
from domain.tournament import copy, proof, views
from domain.tournament import record as ev
from domain.tournament.copy import Copy
from domain.tournament.folding import fold
from domain.tournament.record import Entry, Outcome
from domain.tournament.state import State
from service.keeping.check.store import Tally, check
from service.store.records import Records, StoreError
from service.store.tables.tournaments import BEFORE, NoSuchTournament, Tournaments, linked
from tests.support import stores
from tests.support.marks import each
from tests.support.stores import EVENT, OVER
from tests.unit.cli.clis import answer, run

KEY = f"event {EVENT}"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stores.filled(tmp_path_factory.mktemp("store") / "matches.kifu")


@pytest.fixture(scope="module")
def log(whole: Path) -> list[Entry]:
    with closing(Records(whole, reading=True)) as records:
        return Tournaments(records).log(EVENT)[0]


@pytest.fixture
def store(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "matches.kifu"))


def _renumbered(entries: list[Entry]) -> list[Entry]:
    return [replace(one, seq=n) for n, one in enumerate(entries, 1)]


def _changed(kind: type[Any], **fields: Any) -> Callable[[list[Entry], Random], list[Entry]]:
    def change(entries: list[Entry], rng: Random) -> list[Entry]:
        at = rng.choice([n for n, one in enumerate(entries) if isinstance(one.event, kind)])
        old = entries[at].event
        new = {k: v(getattr(old, k)) if callable(v) else v for k, v in fields.items()}
        return [*entries[:at], replace(entries[at], event=replace(old, **new)), *entries[at + 1 :]]

    return change


def _turned(o: Outcome) -> Outcome:
    other = 3 - o.winner if o.winner in (1, 2) else 1
    return replace(o, first=o.second, second=o.first, winner=other)


def _swapped(tables: tuple[ev.Table, ...]) -> tuple[ev.Table, ...]:
    first = tables[0]
    return (replace(first, first=first.second, second=first.first), *tables[1:])


def _later(entries: list[Entry], rng: Random) -> list[Entry]:
    return [*entries[:-1], replace(entries[-1], time=entries[-1].time + 1)]


def _left_out(entries: list[Entry], rng: Random) -> list[Entry]:
    at = rng.randrange(1, len(entries))
    return _renumbered(entries[:at] + entries[at + 1 :])


def _put_in(entries: list[Entry], rng: Random) -> list[Entry]:
    at = rng.randrange(1, len(entries))
    more = replace(entries[at - 1], event=ev.JudgeNoted("he asked for it", 0, 0))
    return _renumbered([*entries[:at], more, *entries[at:]])


#: What he makes of the entries.
FORGERIES: dict[str, Callable[[list[Entry], Random], list[Entry]]] = {
    "a result turned round": _changed(ev.ResultReported, outcome=_turned),
    "a result from elsewhere": _changed(ev.ResultReported, seq=lambda seq: seq + 1),
    "a pairing": _changed(ev.RoundPaired, tables=_swapped),
    "a player renamed": _changed(ev.PlayerEntered, name=lambda name: name + "x"),
    "a list exchanged": _changed(ev.ListHandedIn, deck=ev.Deck("other", {"main": ("B",)})),
    "its name": _changed(ev.TournamentOpened, name="Open"),
    "its end cut off": lambda entries, rng: entries[: rng.randrange(1, len(entries))],
    "an entry left out": _left_out,
    "an entry put in": _put_in,
    "another time": _later,
    "another hand": lambda entries, rng: [*entries[:-1], replace(entries[-1], by="Eve")],
}  # fmt: skip


def forge(path: Path, entries: list[Entry], rehash: bool = True, rechain: bool = True) -> None:
    """Write these entries in the place of those that there are."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("DELETE FROM tournament_entries WHERE originator_id=?", (EVENT,))
        before = BEFORE
        for one in entries:
            data = msgspec.msgpack.encode(one)
            before = linked(before, data) if rehash else before
            tag = str(type(one.event).__struct_config__.tag)
            row = (EVENT, one.seq, tag, before + data)
            file.execute("INSERT INTO tournament_entries VALUES (?,?,?,?)", row)
        if rechain:
            (secret,) = file.execute("SELECT secret FROM chains WHERE id=?", (KEY,)).fetchone()
            hashes = proof.links(proof.genesis(EVENT), entries, secret)
            values = (len(hashes), hashes[-1], KEY)
            file.execute("UPDATE chains SET seq=?, hash=? WHERE id=?", values)
        file.commit()


def faults(path: Path) -> list[str]:
    with closing(Records(path, reading=True)) as records:
        found = [*check(records, Tally(), quick=True)]
    return [f"{one.subject}: {one.why}" for one in found]


@pytest.mark.parametrize("what", each(3, FORGERIES))
@pytest.mark.parametrize("rechain", each(2, [True, False]))
def test_what_is_written_anew_is_found(
    store: Path, log: list[Entry], what: str, rechain: bool
) -> None:
    for seed in range(2):
        forged = FORGERIES[what]([*log], Random(f"{what} {seed}"))
        assert forged != log
        forge(store, forged, rechain=rechain)
        assert any(one.startswith(KEY) for one in faults(store)), (what, seed)
        with closing(Records(store, reading=True)) as records, pytest.raises(StoreError):
            Tournaments(records).log(EVENT)
    run("audit", str(store), EVENT, code=1)
    run("verify", str(store), code=1)


@pytest.mark.parametrize("tables", [("chains",), ("tournament_entries",),
                                    ("tournament_entries", "chains", "lists")])  # fmt: skip
def test_what_is_removed_is_found(store: Path, tables: tuple[str, ...]) -> None:
    with closing(sqlite3.connect(store)) as file:
        for table in tables:
            column = "originator_id" if table == "tournament_entries" else "id"
            file.execute(f"DELETE FROM {table} WHERE {column} IN (?,?)", (EVENT, KEY))
        file.commit()
    assert any(one.startswith(KEY) for one in faults(store))
    for command in (("audit", str(store), EVENT), ("verify", str(store))):
        assert KEY in run(*command, code=1).stdout
    gone = pytest.raises((StoreError, NoSuchTournament))
    with closing(Records(store, reading=True)) as records, gone:
        Tournaments(records).log(EVENT)


def test_a_log_that_he_forges_too_is_found_by_one_that_somebody_kept(
    store: Path, log: list[Entry], tmp_path: Path
) -> None:
    files = tmp_path / "log"
    run("audit", "tiles", "--data", str(store), "-o", str(files))
    key = run("audit", "key", "--data", str(store)).stdout.split()[-1]
    assert run("audit", str(store), EVENT, "--log", str(files), "--key", key, code=0)
    forge(store, FORGERIES["a result turned round"]([*log], Random(1)))
    with closing(sqlite3.connect(store)) as file:
        for table in ("leaves", "checkpoints", "tiles", "log_keys", "cosignatures"):
            file.execute(f"DELETE FROM {table}")
        file.commit()
    answered = run("audit", str(store), EVENT, "--log", str(files), "--key", key, "--json", code=1)
    (report,) = msgspec.json.decode(answered.stdout)
    wrong = [claim["name"] for claim in report["claims"] if claim["verdict"] == "wrong"]
    assert "complete" in wrong


def test_an_untouched_event_is_proven(whole: Path) -> None:
    assert faults(whole) == []
    key = run("audit", "key", "--data", str(whole)).stdout.split()[-1]
    (report,) = answer("audit", str(whole), EVENT, "--key", key)
    claims = {claim["name"]: claim["verdict"] for claim in report["claims"]}
    assert claims == dict.fromkeys(["unchanged", "original", "complete", "results"], "proven")


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC])
def test_an_export_proves_itself_and_every_change_of_it_is_found(
    store: Path, tmp_path: Path, viewer: int
) -> None:
    file, public = tmp_path / "cup.kifu-proof", ["--public"] if viewer == PUBLIC else []
    run("event", "export", "proof", "-o", str(file), "-d", str(store), "-e", EVENT, *public)
    key = run("audit", "key", "--data", str(store)).stdout.split()[-1]
    (report,) = answer("audit", str(file), "--key", key)
    claims = {claim["name"]: claim["verdict"] for claim in report["claims"]}
    assert claims == dict.fromkeys(["unchanged", "original", "complete", "results"], "proven")
    repeated = ("event", "export", "proof", "-o", str(file), "-d", str(store), "-e", EVENT)
    run(*repeated, *public)  # the same once more
    run(*repeated, *([] if public else ["--public"]), code=1)  # no other takes its place
    run("event", "export", "results", *repeated[3:], code=1)
    text, rng = file.read_text(), Random(viewer)
    whole = copy.read(text)
    assert "".join(copy.lines(whole)) == text
    assert whole.viewer == viewer
    hidden = [one.event for one in whole.entries if isinstance(one.event, ev.ListHandedIn)]
    assert all(bool(one.deck.parts) == (viewer == OFFICIAL) for one in hidden)
    lines = text.splitlines(keepends=True)
    for _ in range(60):
        at = rng.randrange(len(text) - len(lines[-1]))  # an anchor has signatures of others too
        letter = rng.choice("AZaz09")
        if text[at] == letter or text[at:].startswith("\n"):
            continue
        with pytest.raises((Unproven, BadBundle, ValueError)):
            _believed(text[:at] + letter + text[at + 1 :], key)
    for some in (lines[:-2], lines[:-1], [*lines[:3], *lines[4:]], [*lines, lines[-1]]):
        with pytest.raises((Unproven, BadBundle, ValueError)):
            _believed("".join(some), key)


def _believed(text: str, key: str) -> None:
    """Raises unless a copy leads to its head, and that to what the log has signed."""
    found = copy.read(text)
    hashes = {head.seq: head.hash for head in copy.check(found)}
    shown = checkpoints.parse(str(found.attached.get("anchor", "")))
    good = judge(shown.note, Policy((notes.verifier_key(key),))).standing is Standing.GOOD
    if not (good and shown.leads and shown.parsed.match == found.key):
        raise ValueError("it is not in the log")
    if (
        hashes.get(shown.parsed.count) != shown.parsed.head.hash
        or shown.parsed.head.since != found.head.since
    ):
        raise ValueError("it is not what the log has")


@pytest.mark.parametrize("name", ["results.csv", "results.json", "players.csv"])
def test_a_table_is_what_the_proven_record_says(store: Path, tmp_path: Path, name: str) -> None:
    file, at = tmp_path / name, ("-d", str(store), "-e", EVENT)
    proves = tmp_path / "cup.kifu-proof"
    run("event", "export", name.partition(".")[0], "-o", str(file), *at)
    run("event", "export", "proof", "-o", str(proves), *at)
    key = run("audit", "key", "--data", str(store)).stdout.split()[-1]
    asked = ("audit", str(file), "--proof", str(proves), "--key", key)
    (report,) = answer(*asked)
    claims = {claim["name"]: claim["verdict"] for claim in report["claims"]}
    assert claims["text"] == "proven"
    text = file.read_bytes()
    for at_ in range(len(text) // 2, len(text), 7):
        if text[at_ : at_ + 1].isalnum():
            file.write_bytes(text[:at_] + b"~" + text[at_ + 1 :])
            assert "is not what the entries say" in run(*asked, code=1).stdout
    file.write_bytes(text[: len(text) * 2 // 3])
    assert "is not what the entries say" in run(*asked, code=1).stdout


@pytest.mark.parametrize("name", ["results.csv", "results.json", "players.csv", "players.json"])
def test_the_public_s_copy_proves_a_table_but_for_keys(
    store: Path, log: list[Entry], tmp_path: Path, name: str
) -> None:
    key, *_ = (one.event.key for one in log if isinstance(one.event, ev.PlayerEntered))
    file, at = tmp_path / name, ("-d", str(store), "-e", EVENT)
    proves = tmp_path / "cup.kifu-proof"
    run("event", "export", name.partition(".")[0], "-o", str(file), *at)
    run("event", "export", "proof", "--public", "-o", str(proves), *at)
    text = file.read_text("utf-8")
    assert key in text
    for given, verdict in (
        (text, "proven"),
        (text.replace(key, "other"), "proven"),
        (text.replace("Player 1", "Player 7"), "wrong"),
        (text[: len(text) * 2 // 3], "wrong"),
    ):
        file.write_text(given, "utf-8")
        code = 1 if verdict == "wrong" else 3
        answered = run("audit", str(file), "--proof", str(proves), "--json", code=code).stdout
        (report,) = msgspec.json.decode(answered)
        (found,) = (claim for claim in report["claims"] if claim["name"] == "text")
        assert found["verdict"] == verdict, given
        assert verdict == "wrong" or "but for the keys" in found["why"]


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC])
def test_either_copy_leads_to_one_head_and_no_other_does(log: list[Entry], viewer: int) -> None:
    secret = bytes(range(32))
    hashes = proof.links(proof.genesis(EVENT), log, secret)
    entries, opens = proof.copies(log, viewer), [*proof.opened(log, viewer, secret)]
    heads = proof.heads(EVENT, 0, entries, opens, viewer)
    assert [head.hash for head in heads] == hashes
    whole = Copy(EVENT, entries, heads[-1], opens, viewer)
    assert copy.check(whole) == heads
    rng = Random(viewer)
    for forgery in FORGERIES.values():
        for _ in range(4):
            try:
                forged = forgery([*entries], rng)
            except AttributeError:
                continue
            some = (opens * 2)[: len(forged)]
            if forged == entries:
                continue
            with pytest.raises(Unproven):
                copy.check(replace(whole, entries=forged, opens=some))


def test_what_is_hidden_from_the_public_is_what_is_committed_to(log: list[Entry]) -> None:
    state: State = fold(log)
    for entry in log:
        seen = replace(views.redact(entry, state, views.PUBLIC), ticket="")
        shown = isinstance(entry.event, ev.RoundPaired) and seen.event == entry.event
        assert shown or seen == proof.public(entry)
        values = [part.value for part in proof.parts(entry)]
        names = views.SEALED.get(type(entry.event), {})
        assert len(values) == len(names) + isinstance(entry.event, views.UNSIGNED) + 1


@pytest.mark.parametrize("one", [OVER, EVENT])
def test_less_was_archived_than_the_log_has(store: Path, one: str) -> None:
    key = KEY if one == EVENT else one
    with closing(sqlite3.connect(store)) as file:
        row = "SELECT ?, ?, 0, -2, 5, since, hash, '' FROM chains WHERE id=?"
        kind = "event" if one == EVENT else "match"
        file.execute(f"INSERT INTO archived {row}", (one, kind, key))
        for table in ("stored_events", "tournament_entries"):
            file.execute(f"DELETE FROM {table} WHERE originator_id=?", (one,))
        file.execute("UPDATE chains SET seq=5 WHERE id=?", (key,))
        file.commit()
    assert any("the log has more of it" in fault for fault in faults(store))
    assert "cut after entry 5" in run("audit", str(store), one, code=1).stdout


def test_an_audit_finds_a_log_whose_checkpoints_are_gone(store: Path) -> None:
    with closing(sqlite3.connect(store)) as file:
        file.execute("DELETE FROM checkpoints")
        file.commit()
    assert "not those that it last signed" in run("audit", str(store), code=1).stdout


def test_no_other_event_is_restored_than_was_archived(
    store: Path, log: list[Entry], tmp_path: Path
) -> None:
    cup, forged = tmp_path / "cup.kifu", tmp_path / "forged.kifu"
    run("event", "archive", EVENT, str(cup), "-d", str(store), "--remove", "-y")
    shutil.copy(cup, forged)
    forge(forged, FORGERIES["a result turned round"]([*log], Random(1)))
    with closing(sqlite3.connect(forged)) as file:
        head = "(SELECT hash FROM chains WHERE id=?)"
        file.execute(f"UPDATE archived SET anchor='', head={head} WHERE id=?", (KEY, EVENT))
        file.commit()
    answered = run("event", "restore", str(forged), "-d", str(store), code=3).output
    assert f"the store has another event {EVENT}" in answered
    run("event", "restore", str(cup), "-d", str(store))
    assert faults(store) == []
