"""LAYOUT.md is enough to read a file: here nothing else of Kifu is used to do so."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec
import zstandard

from service.store.derived import listing
from service.store.history import History
from service.store.layout import training
from service.store.records import Records, Work
from tests.toy import TOY
from tests.unit.store.records import AT, toy_commands

MAGIC = b"\x28\xb5\x2f\xfd"


def read(path: Path, match: str) -> list[bytes]:
    """The entries of a match, each in its canonical encoding, by the steps of the page."""
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA application_id").fetchone() == (0x4B494655,)
        assert file.execute("PRAGMA user_version").fetchone() == (2,)
        dictionaries = {}
        for number, name, data in file.execute("SELECT * FROM dictionaries"):
            assert name.split(" ")[1] == sha256(data).hexdigest()
            dictionaries[number] = zstandard.ZstdCompressionDict(data)
        rows = file.execute(
            "SELECT * FROM stored_events WHERE originator_id=? ORDER BY originator_version",
            (match,),
        ).fetchall()
    found: list[bytes] = []
    for match_id, last, topic, state in rows:
        checked = f"{match_id}\n{last}\n{topic}\n".encode() + state[4:]
        assert state[:4] == crc32(checked).to_bytes(4, "big")
        unpacker = zstandard.ZstdDecompressor(dict_data=dictionaries.get(state[4]))
        entries = msgspec.msgpack.decode(unpacker.decompress(MAGIC + state[5:]))
        assert len(entries) == int(topic.split(" ")[0])
        assert last - len(entries) == len(found)
        above = [0, 0, 0]
        for entry in entries:
            above = [a + b for a, b in zip(above, entry[:3], strict=True)]
            found.append(msgspec.msgpack.encode([len(found) + 1, *above, *entry[3:]]))
    return found


def snapshots(path: Path, match: str) -> list[Any]:
    """The numbers and contents of a match's snapshots, by the steps of the page."""
    with closing(sqlite3.connect(path)) as file:
        dictionaries = dict(file.execute("SELECT id, data FROM dictionaries"))
        rows = file.execute("SELECT * FROM snapshots WHERE id=? ORDER BY seq", (match,)).fetchall()
    found, before = [], b""
    for match_id, seq, decisions, head, views in rows:
        if seq == head:
            data = zstandard.ZstdCompressionDict(dictionaries[views[4]])
        else:
            data = zstandard.ZstdCompressionDict(before, zstandard.DICT_TYPE_RAWCONTENT)
        unpacker = zstandard.ZstdDecompressor(dict_data=data)
        before = unpacker.decompress(MAGIC + views[5:])
        checked = f"{match_id}\n{seq}\n{decisions}\n{head}\n".encode() + before
        assert views[:4] == crc32(checked).to_bytes(4, "big")
        found.append((seq, msgspec.msgpack.decode(before)))
    return found


def test_a_stranger_reads_a_file_by_the_page(tmp_path: Path) -> None:
    path, commands = tmp_path / "matches.kifu", toy_commands(turns=40)
    log = [entry for command in commands for entry in command]
    records = Records(path)
    records.use_dictionary("toy", training.train(TOY, 20, 4096))
    for command in commands:
        records.write(Work("aaaaa", command, listing.derive("aaaaa", command, at=AT), "toy"))
    records.use_dictionary("toy", training.train(TOY, 25, 3000))
    records.write(Work("bbbbb", log, listing.derive("bbbbb", log), "toy"))
    records.write(Work("plain", log[:9]), Work("aaaaa", (), History(records).advance("aaaaa")))
    rows = records.row("SELECT count(*) FROM stored_events WHERE originator_id='aaaaa'")[0]
    assert rows == len(commands)
    records.close()
    encoded = [msgspec.msgpack.encode(entry) for entry in log]
    assert read(path, "aaaaa") == read(path, "bbbbb") == encoded
    assert read(path, "plain") == encoded[:9]
    kept = snapshots(path, "aaaaa")
    assert len(kept) > 1
    assert all(len(views) == 1 + 2 + 2 for _, views in kept)
