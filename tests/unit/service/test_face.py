"""The package `kifu`: its page is right, it reads any file, and it finds its own packages."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import kifu
import pytest
from kifu import PUBLIC, BadFile, Point, fold, read

from domain import games
from domain.record import views
from domain.record.proof import bundle
from domain.record.proof.openings import Proof
from domain.text.transcript.write import write
from replay_cli import record
from service.store import chains
from service.store.history import History
from service.store.records import Records, Work

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests/golden"
REWOUND = GOLDEN / "gundam-1.0/gcccc.jsonl"


def test_the_page_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "match.jsonl").symlink_to(REWOUND)
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(kifu, optionflags=doctest.ELLIPSIS)
    assert (failed, tried) == (0, 9)


def test_all_that_it_names_is_there() -> None:
    assert {*kifu.__all__} == {*kifu._FROM}
    assert {name: getattr(kifu, name).__doc__ for name in kifu.__all__ if name.islower()}
    with pytest.raises(AttributeError, match="connect, fold, read"):
        kifu.conect  # type: ignore[attr-defined]  # noqa: B018


def test_any_file_that_kifu_writes(tmp_path: Path) -> None:
    """The same record from a file of matches, as JSON, as a bundle with its proof, and as text."""
    store, alone = GOLDEN / "gundam-1.0/matches.kifu", tmp_path / "one.kifu"
    log = read(store, "gjjjj")
    assert log == read(store.with_name("gjjjj.jsonl"))
    records = Records(alone)
    try:
        records.write(Work("gjjjj", log))
        found = chains.proof(records, "gjjjj", views.OFFICIAL, 0, log[-1].seq)
    finally:
        records.close()
    assert read(alone) == log
    proof = Proof("gjjjj", found.before, tuple(found.openings), found.head, found.layout)
    whole = bundle.Bundle(log, views.OFFICIAL, proof)
    (tmp_path / "m.kifu-proof").write_text("".join(bundle.lines(whole)))
    (tmp_path / "m.jsonl").write_text("".join(record.write(log)) + bundle.as_line(whole))
    assert read(tmp_path / "m.kifu-proof") == read(tmp_path / "m.jsonl") == log
    played = read(GOLDEN / "gundam-1.0/matches.kifu", "gcccc")
    (tmp_path / "m.txt").write_text(write(played, games.rulebook("gundam")))
    repeated, first = fold(read(tmp_path / "m.txt")), fold(played)
    sizes = [{place: len(cards) for place, cards in pos.zones.items()} for pos in (repeated, first)]
    assert sizes[0] == sizes[1]
    assert (repeated.turn, repeated.step, repeated.decisions) == (
        first.turn,
        first.step,
        first.decisions,
    )


@pytest.mark.parametrize(
    ("name", "text", "match", "says"),
    [
        ("none.jsonl", None, "", "none.jsonl can't be read: No such file"),
        ("empty.jsonl", b"", "", "is empty"),
        ("odd.jsonl", b'{"seq": 1}\n', "", "line 1: entry 1: no event"),
        ("odd.txt", b"[Game nothing]\n", "", "odd.txt, line 1"),
        ("odd.bin", b"\xff\xfe\x00", "", "no exported record"),
        ("odd.kifu", b"SQLite format 3\0 and no more", "", "odd.kifu can't be"),
    ],
)
def test_a_file_that_is_none(
    tmp_path: Path, name: str, text: bytes | None, match: str, says: str
) -> None:
    if text is not None:
        (tmp_path / name).write_bytes(text)
    with pytest.raises(BadFile, match=says) as caught:
        read(tmp_path / name, match)
    assert caught.value.missing == (text is None)


def test_a_file_of_several_matches_asks_for_one() -> None:
    for match, says in (("", "has 8 matches"), ("other", "has no match other")):
        with pytest.raises(BadFile, match=says) as caught:
            read(GOLDEN / "gundam-1.0/matches.kifu", match)
        assert caught.value.hint.startswith("those that it has: gaaaa, gbbbb, gcccc")


def test_any_point_of_a_record() -> None:
    """What the service answers, at every entry, also of an abandoned line, for every viewer."""
    log, records = read(REWOUND), Records(REWOUND.with_name("matches.kifu"), reading=True)
    try:
        history = History(records)
        for point in [Point(seq=seq) for seq in range(1, len(log) + 1, 3)] + [
            Point(decision=5), Point(time=1000), Point(),
        ]:  # fmt: skip
            for viewer in (views.OFFICIAL, PUBLIC, 0, 1):
                there = history.position("gcccc", viewer, point)
                assert fold(log, point, viewer).encoded() == there.encoded()
    finally:
        records.close()
    assert fold(log, 60).encoded() == fold(log, Point(seq=60)).encoded()
    for wrong in (Point(seq=10**6), Point(decision=10**6)):
        with pytest.raises(LookupError, match="there is no"):
            fold(log, wrong)


def _python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_folder_with_packages_of_the_same_names(tmp_path: Path) -> None:
    """They do not stand in for Kifu's own; one that is imported already can't be helped."""
    for name in ("domain", "service", "replay_cli"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise AssertionError('taken')")
    used = f"from kifu import read; print(len(read({str(REWOUND)!r})))"
    assert _python(used, tmp_path).stdout == f"{len(read(REWOUND))}\n"
    (tmp_path / "service/__init__.py").write_text("")
    failed = _python(f"import service; {used}", tmp_path)
    assert "ImportError: kifu has a package `service` of its own" in failed.stderr
    assert str(tmp_path / "service/__init__.py") in failed.stderr
    light = _python("import service, kifu.v1.events_pb2, sys; print(len(sys.modules))", tmp_path)
    assert light.returncode == 0, "the messages need none of it"
