"""`kifu audit checkpoint`, `inclusion`, `tiles`, `key`, as people use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain.record.proof.anchors import checkpoints, findings, notes, policy
from tests.support import serving
from tests.support.anchored import read_archive
from tests.unit.cli.clis import run


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file in which a match was played, with its log."""
    path = tmp_path_factory.mktemp("anchors") / "m.kifu"
    with serving.running(path, log_name="log.example/cup") as server, server.client() as client:
        opened = client.open_match("toy", ["Ann", "Ben"], ["ones", "tens"])
        ann = client.with_token(opened.seats[0])
        decision = ann.position(opened.id).decision
        assert decision is not None
        offer = decision.offers[decision.seats[0]]
        assert offer is not None
        client.with_token(opened.seats[decision.seats[0]]).choose(
            opened.id, decision.n, offer.options[0].act()
        )
    return path


def test_what_is_given_to_others_is_believed_by_the_key_alone(data: Path, tmp_path: Path) -> None:
    keys = run("audit", "key", "-d", data).output.split()
    trusted = policy.parse(f"log {keys[-1]}\nquorum none")
    printed = run("audit", "checkpoint", "-d", data).output
    judged = policy.judge(notes.parse(printed), trusted)
    assert judged.good
    assert judged.checkpoint.origin == "log.example/cup"
    file = tmp_path / "m.tlog-proof"
    answered = json.loads(run("audit", "inclusion", "-d", data, "-o", file, "--json").output)
    leaf, finding = findings.shown(checkpoints.parse(file.read_text()), trusted)
    assert finding is None
    assert leaf is not None
    assert (leaf.match, leaf.count, leaf.head.hash.hex()) == (
        answered["match"], answered["count"], answered["head"])  # fmt: skip
    assert run("audit", "tiles", "-d", data, "-o", tmp_path / "log").output.startswith("3 files")
    assert read_archive(tmp_path / "log", trusted).of(leaf.match)[-1] == leaf
    assert json.loads(run("audit", "checkpoint", "-d", data, "--json").output)["note"] == printed
    run("audit", "inclusion", "-d", data, "--count", 0, code=2)
    run("audit", "inclusion", "-d", data, "nobody", code=3)


@pytest.mark.parametrize(("what", "code"), [("checkpoint", 3), ("inclusion", 3), ("tiles", 1)])
def test_a_place_that_can_not_be_written_is_named(
    data: Path, tmp_path: Path, what: str, code: int
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    failed = run("audit", what, "-d", data, "-o", taken / "below", code=code).stderr
    assert f"{taken}/below can't be written" in failed


def test_keys_are_changed_while_no_server_has_the_file(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "m.kifu"
    for end in ("", "-log-key"):
        (tmp_path / f"m.kifu{end}").write_bytes(data.with_name(f"m.kifu{end}").read_bytes())
    (tmp_path / "m.kifu-log-key").chmod(0o600)
    before = run("audit", "checkpoint", "-d", copy).output
    answered = json.loads(run("audit", "key", "rotate", "-d", copy, "--json").output)
    assert answered["old"] != answered["new"]
    after = notes.parse(run("audit", "checkpoint", "-d", copy).output)
    assert after.text == notes.parse(before).text
    assert all(notes.verifier_key(answered[key]).of(after) for key in ("old", "new"))
    assert run("audit", "key", "-d", copy).output.split() == [answered["old"], answered["new"]]
    listed = json.loads(run("audit", "key", "-d", copy, "--json").output)
    assert [key["endorsed"] for key in listed["keys"]] == [False, True]
    other = run("audit", "key", "rotate", "-d", copy, "--name", "log.example/b").output
    assert "log.example/b+" in other
    run("audit", "key", "rotate", "-d", copy, "--name", "two words", code=3)
    with serving.running(copy, announce=True):
        assert "can't be written" in run("audit", "key", "rotate", "-d", copy, code=3).output
        run("audit", "tiles", "-d", copy, "-o", tmp_path / "log")
    run("audit", "tiles", "-d", data, "-o", tmp_path / "log", code=1)


def test_a_file_that_was_never_served_has_no_log(tmp_path: Path) -> None:
    from service.store.records import Records

    Records(tmp_path / "m.kifu").close()
    assert "no checkpoint" in run(
        "audit", "tiles", "-d", tmp_path / "m.kifu", "-o", tmp_path / "log", code=3
    ).output  # fmt: skip
    assert not (tmp_path / "log").exists()
