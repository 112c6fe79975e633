"""`kifu export` and `kifu import` against a real server: the same text again, or nothing at all."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.record.decisions import Act
from service.client.client import CallError, Client, Opened
from tests.support import serving
from tests.support.serving import Running
from tests.unit.cli.clis import answer, run


@pytest.fixture
def played(organiser: Client, toy: Opened, seats: tuple[Client, ...]) -> Opened:
    """A toy match that is over."""
    serving.play(seats, toy, Random(4))
    return toy


class Kifu:
    """The program, with the organiser's token or another."""

    def __init__(self, server: Running, token: str = "") -> None:
        self.access = ("--server", server.address, "--token", token or server.token)

    def run(self, *args: object, code: int = 0) -> Any:
        return run(*args, *self.access, code=code)

    def answer(self, *args: object) -> Any:
        return answer(*args, *self.access)


@pytest.mark.parametrize("eyes", ["official", "public", "B"])
def test_what_is_imported_is_exported_as_it_was(
    server: Running, organiser: Client, played: Opened, tmp_path: Path, eyes: str
) -> None:
    kifu, text, repeated = Kifu(server), tmp_path / "match.txt", tmp_path / "again.txt"
    kifu.run("export", played.id, "--as", eyes, "-o", text)
    found = kifu.answer("import", text)
    kifu.run("export", found["id"], "--as", eyes, "-o", repeated)
    (seen, head), (copied, other) = (
        path.read_text("utf-8").removesuffix("\n").rsplit("\n", 1) for path in (text, repeated)
    )
    assert seen == copied
    assert re.fullmatch(r"; head \d+: (\d{5} ){5}\d{5}", head)
    last = other.split()[2].rstrip(":")  # it has a head of its own, chained when it was imported
    assert re.fullmatch(
        rf"; head {last}: (\d{{5}} ){{5}}\d{{5}}, chained since entry {last}", other
    )
    assert organiser.match(found["id"]).imported == "dealer"
    assert organiser.match(found["id"]).open_time == organiser.match(played.id).open_time
    assert organiser.match(played.id).imported == ""
    assert organiser.verify(found["id"]).verdict == 1, "exact"
    assert "imported" in kifu.run("list", "--text", found["id"]).stdout


def test_a_head_is_shown_below_a_board_and_a_verdict(
    server: Running, organiser: Client, played: Opened
) -> None:
    kifu, public = Kifu(server), organiser.with_token(played.public)
    last, middle = public.head(played.id), public.head(played.id, 21)
    assert last is not None
    assert middle is not None
    for eyes in ("public", "A", "official"):
        shown = kifu.run("show", played.id, "--seq", 21, "--as", eyes).stdout
        assert f"head 21: {middle.short}" in shown
        assert f"head {last.seq}: {last.short}" in kifu.run("show", played.id, "--as", eyes).stdout
    assert f"head {last.seq}: {last.short}" in kifu.run("verify", played.id).stdout
    (found,) = kifu.answer("verify", played.id)
    assert (found["head"]["hash"], found["chain"]) == (last.hash.hex(), "")


def _without_checkpoint(record: str) -> list[object]:
    """The lines of an exported record; its checkpoint is over other tests' matches as well."""
    *entries, proof = map(json.loads, record.splitlines())
    assert proof["attached"].pop("anchor")
    return [*entries, proof]


def test_a_record_is_written_as_entries_too(
    server: Running, played: Opened, tmp_path: Path
) -> None:
    kifu, path = Kifu(server), tmp_path / "match.jsonl"
    kifu.run("export", played.id, "-o", path)
    assert path.read_text("utf-8").startswith("{")
    data = kifu.run("export", played.id, "--format", "json", "--proof").stdout
    written = path.read_text("utf-8")
    assert _without_checkpoint(data) == _without_checkpoint(written)
    assert kifu.run("export", played.id).stdout.startswith('[Kifu "1"]')


def test_a_forged_transcript_is_refused_with_its_line_and_leaves_no_trace(
    server: Running, organiser: Client, played: Opened, tmp_path: Path
) -> None:
    kifu, path = Kifu(server), tmp_path / "match.txt"
    before = [match.id for match in organiser.list_matches()]
    text = kifu.run("export", played.id).stdout
    for forged in (
        text.replace('[Result "', '[Result "B 5'),
        text.replace("\n3 ", "\n4 ", 1),
        text.replace("T01", "T02"),
        text + "400 A pass\n",
        "",
        '[Game "toy"]\nhocus pocus\n',
    ):
        path.write_text(forged, "utf-8")
        data = kifu.run("import", path, code=1).stderr
        assert f"{path}: line " in data or "must be there" in data
    path.write_bytes(b"\xff\xfe\x00")
    assert "is no text" in kifu.run("import", path, code=1).stderr
    assert [match.id for match in organiser.list_matches()] == before


def test_importing_is_for_organisers(
    server: Running, played: Opened, seats: tuple[Client, ...], tmp_path: Path
) -> None:
    path = tmp_path / "match.txt"
    path.write_text(Kifu(server).run("export", played.id).stdout, "utf-8")
    for token in (played.official, played.seats[0], played.public):
        Kifu(server, token).run("import", path, code=4)


def test_a_match_that_is_not_over_goes_on_from_its_transcript(
    server: Running, organiser: Client, toy: Opened, seats: tuple[Client, ...]
) -> None:
    serving.play(seats, toy, Random(1), 3)
    text = Kifu(server).run("export", toy.id, "--as", "public").stdout
    opened = organiser.import_match(text, request_id=f"again {toy.id}")
    assert organiser.import_match(text, request_id=f"again {toy.id}").id == opened.id
    keeper = organiser.with_token(opened.scorekeeper)
    decision = keeper.position(opened.id).decision
    assert decision is not None
    assert decision.n == 4
    choice = keeper.choose(opened.id, 4, Act("pass"), seat=decision.seats[0])
    assert choice.next is not None


def test_what_is_no_transcript_is_named_with_its_line(organiser: Client) -> None:
    with pytest.raises(CallError) as refused:
        organiser.import_match("nothing of the kind")
    assert refused.value.reason == "TRANSCRIPT_REFUSED"
    assert refused.value.metadata["line"] == "1"


def test_a_transcript_files_its_match_under_no_more_than_a_request(
    server: Running, organiser: Client, toy: Opened
) -> None:
    text = Kifu(server).run("export", toy.id, "--as", "public").stdout
    endless = text.replace('[SeatA "Ann"]', f'[SeatA "{"n" * 81}"]')
    with pytest.raises(CallError) as refused:
        organiser.import_match(endless)
    assert refused.value.reason == "FIELD_INVALID"
