"""Tampering, by trial: every forgery is noticed by `verify` and `audit`, by ours and another's.

`pytest -m long -s tests/properties/proofs` tries half of all there are (`SHARES`), and prints how
many that were; a small share of them is tried always.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from domain.record.entries import Entry
from domain.record.proof.bundle import check, lines, read
from domain.record.proof.canonical import canonical
from domain.record.proof.openings import Unproven
from domain.record.views import OFFICIAL, PUBLIC
from replay_cli.auditing.trust import Trust, archive_in
from service.identity import BadToken, Identity, Keys, Role
from tests import independent_verifier as other
from tests.properties.proofs import entries, files
from tests.properties.proofs.tally import Tally
from tests.unit.cli.test_audit_anchors import BELIEVED, laid
from tests.unit.record.proof.anchors.test_findings import judged
from tests.unit.record.proof.test_bundle import VIEWERS, bundled
from tests.unit.record.proof.test_chain import LOGS, altered
from tests.unit.record.proof.vectors import log as short_log

SHARES = [0.03, pytest.param(0.5, marks=pytest.mark.long)]
#: Of what is done to whole files, which takes a third of a second each time.
FEWER = [0.01, pytest.param(0.1, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def tally() -> Iterator[Tally]:
    """The last lines of the output."""
    found = Tally()
    yield found
    print(f"\n{found}")


def all_noticed(tally: Tally) -> None:
    assert tally.tried
    assert not tally.missed, tally.missed[:3]


# -- what a stranger is given ----------------------------------------------------------------------


@pytest.mark.parametrize("share", SHARES)
def test_every_bit_of_an_entry(share: float, tally: Tally) -> None:
    rng = Random(1)
    for entry in entries.one_of_each_type():
        for viewer in VIEWERS:
            right = entries.link(entry, viewer)
            assert entries.ours(right)
            assert entries.theirs(right)
            for kind, forged in (
                *(("a bit of an entry", right._replace(entry=data))
                  for data in entries.flipped(right.entry)),
                *(("a bit of what opens an entry", right._replace(opened=data))
                  for data in entries.flipped(right.opened)),
            ):  # fmt: skip
                if rng.random() < share:
                    seen = {"ours": not entries.ours(forged), "theirs": not entries.theirs(forged)}
                    tally.add(kind, forged, **seen)
    all_noticed(tally)


@pytest.mark.parametrize("share", SHARES)
def test_every_field_of_an_entry(share: float, tally: Tally) -> None:
    rng = Random(2)
    for parameter in LOGS:
        for entry in parameter.values[0]:  # type: ignore[union-attr]
            if rng.random() > share / 4:
                continue
            assert isinstance(entry, Entry)
            for viewer in (OFFICIAL, PUBLIC, 0):
                right = entries.link(entry, viewer)
                for changed in altered(entries.seen(entry, viewer)):
                    forged = right._replace(entry=canonical(changed))
                    seen = {"ours": not entries.ours(forged), "theirs": not entries.theirs(forged)}
                    tally.add("a field of an entry", changed, **seen)
    all_noticed(tally)


@pytest.mark.parametrize("share", SHARES)
def test_whole_bundles(share: float, tally: Tally) -> None:
    rng = Random(3)
    for viewer in VIEWERS:
        whole = bundled(viewer, short_log())
        another = bundled(viewer, LOGS[0].values[0])  # type: ignore[arg-type]
        for kind, text in entries.bundles(whole, another, rng, share):
            tally.add(kind, text, **entries.noticed(text))
    all_noticed(tally)


@pytest.mark.parametrize("share", SHARES)
def test_bundles_with_every_hash_made_right(share: float, tally: Tally) -> None:
    """The owner of an official's bundle can do that: only a head from elsewhere shows it."""
    rng, log = Random(4), LOGS[0].values[0]
    assert isinstance(log, list)
    for viewer in (OFFICIAL, PUBLIC):
        whole = bundled(viewer, log[:60])
        trusted = whole.proof.head.hash
        for at, entry in enumerate(whole.entries):
            for changed in altered(entry):
                if rng.random() > share:
                    continue
                copy = [*whole.entries[:at], changed, *whole.entries[at + 1 :]]
                try:
                    forged = entries.recomputed(copy, whole)
                    heads = check(read("".join(lines(forged))))
                except (ValueError, AssertionError):
                    heads = []
                ours = trusted not in [head.hash for head in heads]
                tally.add("a field, and all hashes made right", changed, ours=ours,
                          theirs=_refused(lambda f=forged: "".join(lines(f)), trusted.hex()))  # type: ignore[misc]  # fmt: skip
    all_noticed(tally)


def _refused(text: object, head: str) -> bool:
    try:
        other.verify(text(), [head])  # type: ignore[operator]
    except (other.Refused, Unproven, *other.FORM):
        return True
    return False


# -- files of matches ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file in which nothing is wrong."""
    path = tmp_path_factory.mktemp("forged") / "matches.kifu"
    files.written(path)
    assert files.checked(path) == {"verify": False, "audit": False}
    return path


def tried(file: Path, forge: files.Forgery, trust: Trust | None = None) -> dict[str, bool] | None:
    """The check that notices a forgery; None: there was nothing to forge."""
    copy = files.copied(file, "copy.kifu")
    try:
        if forge(copy) == 0:
            return None
        return files.checked(copy, trust)
    finally:
        for path in copy.parent.glob("copy.kifu*"):
            path.unlink()


@pytest.mark.parametrize("share", FEWER)
def test_entries_of_a_file(share: float, file: Path, tally: Tally) -> None:
    rng = Random(5)
    for match in files.MATCHES:
        log = files.logs(files.GOLDEN)[match]
        for kind, changed in [
            *(("a field of an entry in a file", one) for _, one in files.fields(log)),
            *(files.named(log)),
        ]:
            if rng.random() < share:
                seen = tried(file, files.with_entries(match, changed))
                tally.add(kind, (match,), **(seen or {}))
    all_noticed(tally)


@pytest.mark.parametrize("times", [1, pytest.param(15, marks=pytest.mark.long)])
def test_rows_bits_and_lists_of_a_file(times: int, file: Path, tally: Tally) -> None:
    rng = Random(6)
    for n in range(times):
        match, another = rng.sample(files.MATCHES, 2)
        for kind, forge in (*files.rows(match, rng, another), *files.bits(rng)):
            if (seen := tried(file, forge)) is not None:
                tally.add(kind, (n, match), **seen)
    for kind, forge in files.derived(file):
        if (seen := tried(file, forge)) is not None:
            tally.add("something kept beside the entries", kind, **seen)
    all_noticed(tally)


@pytest.mark.parametrize("share", FEWER)
def test_a_file_whose_chain_was_made_anew(share: float, file: Path, tally: Tally) -> None:
    """With the secret that is in it all can be made right but what was noted elsewhere."""
    rng, heads = Random(7), files.heads(file)
    log = files.logs(files.GOLDEN)[files.FIRST]
    for _, changed in files.named(log):
        if rng.random() < max(share, 0.1):
            trust = Trust((heads[files.FIRST],))
            forge = files.with_entries(files.FIRST, changed, anew=True)
            seen = _of_first(file, forge, trust)
            tally.add("a file rebuilt, digests and chain made right", changed[0], older=seen)
    all_noticed(tally)


def _of_first(file: Path, forge: files.Forgery, trust: Trust) -> bool:
    copy = files.copied(file, "copy.kifu")
    forge(copy)
    try:
        return files.audited(copy, files.FIRST, trust)
    finally:
        for path in copy.parent.glob("copy.kifu*"):
            path.unlink()


@pytest.mark.long
def test_a_file_that_was_rolled_back(tmp_path: Path, tally: Tally) -> None:
    """To each state that it had been in, alone and together with its log."""
    path = tmp_path / "matches.kifu"
    files.written(path)
    leaves, heads = files.leaves(path), files.heads(path)
    older = judged(leaves)
    laid(tmp_path / "log", leaves)
    whole = archive_in(tmp_path / "log", BELIEVED)
    for at in range(1, 12):
        backup = tmp_path / f"backup{at}.kifu"
        files.written(backup, last=at, like=path)
        now = files.leaves(backup)
        laid(tmp_path / f"log{at}", now)
        rolled = archive_in(tmp_path / f"log{at}", BELIEVED)
        for match in files.MATCHES:
            for kind, trust in (
                ("a file rolled back, by a head", Trust((heads[match],))),
                ("a file rolled back, by its log", Trust((), BELIEVED, (), whole)),
                ("a file and its log rolled back, by a checkpoint",
                 Trust((), BELIEVED, [older], rolled)),
            ):  # fmt: skip
                tally.add(kind, (at, match), older=files.audited(backup, match, trust))
    all_noticed(tally)


# -- tokens ----------------------------------------------------------------------------------------


def test_design(tally: Tally) -> None:
    """Each character of a token changed: it is refused, or says byte by byte the same."""
    keys = Keys(bytes(range(32)))
    token, identity = keys.issue(Identity(Role.SEAT, "seat 0 of m", "m", 0), 1)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."
    rng = Random(8)
    for at, was in enumerate(token):
        for new in rng.sample(alphabet, 4):
            if new == was:
                continue
            forged = token[:at] + new + token[at + 1 :]
            try:
                noticed = keys.check(forged) == identity and _same_bytes(token, forged)
                if noticed:
                    continue
            except BadToken:
                noticed = True
            tally.add("a character of a token", forged, service=noticed)
    all_noticed(tally)


def _same_bytes(one: str, two: str) -> bool:
    return [_bytes(part) for part in one.split(".")] == [_bytes(part) for part in two.split(".")]


def _bytes(part: str) -> bytes:
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))
