"""Disclosure: each viewer proves his copy, and learns nothing from what proves it.

Twins are two matches that a viewer can't tell apart. Their bundles differ for him in salts,
commitments and hashes alone, and of those he can't tell whose they are: tried by statistics, with
secrets at random. What is opened to him later is the value that was sealed, or is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.bundle import Bundle, check, lines, read
from domain.record.proof.canonical import canonical
from domain.record.proof.chain import (
    HASH,
    SALT,
    SECRET,
    Part,
    chained,
    commitment,
    genesis,
    parts,
    salt,
)
from domain.record.proof.openings import Proof, Unproven, openings
from domain.record.views import OFFICIAL, PUBLIC, redact
from tests import independent_verifier as other
from tests.playouts import PAIRS, Setup, play
from tests.properties.secrecy.twins import permuted, swapped_in_hand
from tests.support.marks import each
from tests.unit.record.proof.vectors import disclose

GAMES = [pytest.param(pairs, id=game) for game, pairs in PAIRS.items()]
VIEWERS = (OFFICIAL, PUBLIC, 0, 1)
#: Secrets that are tried at random, and how far from one half a share may be: five deviations.
TRIES = 400
FAR = 5 * 0.5 / TRIES**0.5


def bundled(log: Sequence[Entry], viewer: int, secret: bytes) -> Bundle:
    assert isinstance(log[0].event, MatchOpened)
    before = genesis("m", log[0].event)
    shown = tuple(openings(log, secret, viewer))
    copy = [redact(entry, viewer) for entry in log]
    return Bundle(copy, viewer, Proof("m", before, shown, chained(before, log, secret)))


def played(pairs: Sequence[tuple[str, str]], rng: Random) -> tuple[Setup, list[Entry]]:
    setup = Setup(rng.randrange(1000), rng.choice(pairs), restless=rng.random() < 0.3)
    return setup, play(setup)


@pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("pairs", each(4, GAMES))
def test_every_viewer_proves_a_random_match(pairs: Sequence[tuple[str, str]], times: int) -> None:
    rng = Random(11)
    for _ in range(times):
        _, log = played(pairs, rng)
        secret = rng.randbytes(SECRET)
        texts = ["".join(lines(bundled(log, viewer, secret))) for viewer in VIEWERS]
        found = [check(read(text)) for text in texts]
        assert found == [found[0]] * len(VIEWERS)
        assert all(other.verify(text)[-1] == found[0][-1].hash for text in texts)


@pytest.mark.parametrize("times", [1, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("pairs", each(4, GAMES[:4]))
def test_bundles_of_twins_differ_in_salts_and_hashes_alone(
    pairs: Sequence[tuple[str, str]], times: int
) -> None:
    rng, differing = Random(12), 0
    for _ in range(times):
        setup, log = played(pairs, rng)
        for viewer in (PUBLIC, 0, 1):
            twin = permuted(setup, log, viewer, rng)
            for a_twin in filter(None, (twin, swapped_in_hand(setup, log, viewer, rng))):
                upto = min(a_twin.same, len(a_twin.log))  # an answer may not be possible in it
                both = log[:upto], a_twin.log[:upto]
                first, second = (
                    _masked(bundled(one, viewer, rng.randbytes(SECRET))) for one in both
                )
                assert first == second
                differing += both[0] != both[1]
    assert differing


def _masked(whole: Bundle) -> str:
    """A bundle with each salt, commitment and hash replaced by how long it is."""
    text = "".join(lines(replace(whole, proof=replace(whole.proof, openings=tuple(
        b"" if not opened else len(opened).to_bytes(2) for opened in whole.proof.openings
    )))))  # fmt: skip
    return re.sub('"head":"[0-9a-f]+"', "", text)


def _sealed(log: Sequence[Entry], twin: Sequence[Entry]) -> list[tuple[int, Part, Part]]:
    """The parts in which two records differ: the entry, and the part of each."""
    return [
        (one.seq, here, there)
        for one, two in zip(log, twin, strict=True)
        for here, there in zip(parts(one), parts(two), strict=True)
        if here.value != there.value
    ]


def test_nobody_tells_from_commitments_what_is_sealed() -> None:
    """Each bit of them is set as often for either twin, and for either value of a field."""
    rng = Random(13)
    found = list[tuple[int, Part, Part]]()
    while not found:
        setup, log = played(PAIRS["gundam"], rng)
        twin = permuted(setup, log, PUBLIC, rng)
        found = _sealed(log[: twin.same], twin.log[: twin.same])
    for seq, here, there in rng.sample(found, min(3, len(found))):
        counts = [[0] * 8 * HASH, [0] * 8 * HASH]
        seen = set[bytes]()
        for count, part in zip(counts, (here, there), strict=True):
            for _ in range(TRIES):
                made = commitment(salt(rng.randbytes(SECRET), seq, part.field), part.value)
                seen.add(made)
                number = int.from_bytes(made)
                for bit in range(8 * HASH):
                    count[bit] += number >> bit & 1
        assert len(seen) == 2 * TRIES
        for one, two in zip(*counts, strict=True):
            assert abs(one / TRIES - 0.5) < FAR
            assert abs(one - two) / TRIES < 1.5 * FAR


def test_equal_values_are_not_seen_to_be_equal() -> None:
    """Within one match: of entries that keep the same from somebody, and of parts of one."""
    rng = Random(14)
    _, log = played(PAIRS["gundam"], rng)
    for viewer in (PUBLIC, 0):
        shown = b"".join(openings(log, rng.randbytes(SECRET), viewer))
        made = [
            (commitment_, canonical(part.value))
            for entry, opened in zip(log, openings(log, bytes(SECRET), viewer), strict=True)
            for part, commitment_ in _given(entry, opened, viewer)
        ]
        assert len({one for one, _ in made}) == len(made)
        assert len({value for _, value in made}) < len(made) / 2
        assert shown


def _given(entry: Entry, opened: bytes, viewer: int) -> list[tuple[Part, bytes]]:
    """The parts that a viewer has only commitments of."""
    found, at = [], 0
    for part in parts(entry):
        size = SALT if part.open_to(viewer) else HASH
        if size == HASH:
            found.append((part, opened[at : at + size]))
        at += size
    return found


@pytest.mark.long
def test_a_hand_that_is_shown_later_is_the_one_that_was_held() -> None:
    rng = Random(15)
    _, log = played(PAIRS["gundam"], rng)
    secret = rng.randbytes(SECRET)
    whole = bundled(log, PUBLIC, secret)
    kept = [(entry, part) for entry in log for part in parts(entry) if part.value is not None]
    for entry, part in rng.sample(kept, 40):
        right = disclose(entry, part.field, secret)
        text = "".join(lines(replace(whole, disclosed=[right])))
        assert check(read(text))
        assert other.verify(text)
        another = next(p for _, p in rng.sample(kept, len(kept)) if p.value != part.value)
        wrong = replace(right, value=canonical(another.value))
        for forged in (wrong, replace(wrong, salt=rng.randbytes(SALT))):
            text = "".join(lines(replace(whole, disclosed=[forged])))
            with pytest.raises(Unproven):
                check(read(text))
            with pytest.raises(other.Refused):
                other.verify(text)
