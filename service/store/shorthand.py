"""Compression of stored entries, with a sample of the game's records as the dictionary.

An entry is some sixty bytes, most of which (rule ids, zones, words of the manifest) recur in every
record of the game. Each is deflated with a sample of such entries that lies in the same file, so a
record needs nothing else to be read. A new version of a rulebook gets a new sample; old samples
stay for the entries that were written with them.

A stored entry begins with the number of its sample, 0 if it is not deflated. Its sequence number is
left out, since the row has it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping

import msgspec

from domain.engine.match import Deck, Match, Opening, Refused
from domain.engine.rulebook import Rulebook
from domain.record.decisions import Act
from domain.record.entries import Entry, encode
from service.dice import Dice

TABLE = "CREATE TABLE IF NOT EXISTS samples (id INTEGER PRIMARY KEY, name TEXT UNIQUE, sample BLOB)"
#: How long a sample is at most: deflate looks back no further.
SAMPLE = 30_000
#: How many entries of a kind it has.
FEW = 3
#: Shorter entries are not worth the time.
SHORT = 28
#: No entry is longer than this.
LONGEST = 1 << 22
_ARRAY = b"\x97"  # how an encoded entry begins: an array of seven, the sequence number first
_MOST = 0x7F
_BITS = -15


class Shorthand:
    """Packs and unpacks stored entries. `ValueError` where they can't be unpacked."""

    def __init__(self, look: Callable[[], Mapping[int, bytes]] = dict) -> None:
        """`look` finds the samples of the file, by number."""
        self._look = look
        self._samples: dict[int, bytes] = {}
        self._primed: dict[str, tuple[bytes, zlib._Compress]] = {}

    def use(self, game: str, number: int) -> None:
        """Write entries of a game by this sample from now on."""
        self._primed[game] = bytes((number,)), _primed(self._sample(number))

    def pack(self, seq: int, state: bytes, game: str) -> bytes:
        """An encoded entry as it is stored."""
        rest = state[len(_head(seq)) :]
        known = self._primed.get(game)
        if known is not None and len(rest) >= SHORT:
            packer = known[1].copy()
            packed = packer.compress(rest) + packer.flush()
            if len(packed) < len(rest):
                return known[0] + packed
        return b"\0" + rest

    def unpack(self, seq: int, stored: bytes) -> bytes:
        """A stored entry as it was encoded."""
        number, rest = stored[0], stored[1:]
        if number:
            try:
                rest = zlib.decompressobj(_BITS, self._sample(number)).decompress(rest, LONGEST)
            except zlib.error as error:
                raise ValueError(str(error)) from error
        return _head(seq) + rest

    def _sample(self, number: int) -> bytes:
        if number not in self._samples:  # another process may have added it
            self._samples = dict(self._look())
        if number not in self._samples:
            raise ValueError(f"it is written by sample {number}, which is not there")
        return self._samples[number]


def _head(seq: int) -> bytes:
    return _ARRAY + _number(seq)


_number = msgspec.msgpack.Encoder().encode


def _primed(sample: bytes) -> zlib._Compress:
    return zlib.compressobj(6, zlib.DEFLATED, _BITS, 5, zlib.Z_DEFAULT_STRATEGY, sample)


def room(samples: Mapping[int, bytes]) -> int:
    """The number of the next sample; `ValueError` if there can't be another."""
    number = max(samples, default=0) + 1
    if number > _MOST:
        raise ValueError("no more samples fit into this file")
    return number


# -- samples -------------------------------------------------------------------------------------


def name_of(game: str, rules: Rulebook) -> str:
    """What a sample goes by: another version of the rulebook, another sample."""
    return f"{game} {rules.manifest.version}"


def sample_of(rules: Rulebook) -> bytes:
    """What records of a game look like: a few entries of each kind, of a match played at random.

    The most frequent kinds come last: what is near is cheap to name.
    """
    kinds: dict[tuple[type, tuple[str, ...]], list[bytes]] = {}
    for entry in _random_match(rules):
        state = encode(entry)[len(_head(entry.seq)) :]
        kinds.setdefault((type(entry.event), entry.cites), []).append(state)
    found = []
    for states in sorted(kinds.values(), key=len):
        found += states[:: max(1, len(states) // FEW)][:FEW]
    return b"".join(found)[-SAMPLE:]


def _random_match(rules: Rulebook, decisions: int = 200) -> list[Entry]:
    """As much of a match as the rulebook can be brought to play; its choices mean nothing."""
    lists = list(rules.decks.items())
    decks = (Deck(*lists[seat % len(lists)]) for seat in range(rules.manifest.seats))
    seats = tuple(f"seat {seat}" for seat in range(rules.manifest.seats))
    draw = Dice(0)
    match = Match.open(rules, Opening(seats, tuple(decks), 0), draw)
    for n in range(decisions):
        decision = match.pos.decision
        if decision is None:
            break
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        (at,) = draw("option", len(offer.options))
        option = offer.options[at]
        act = Act(option.kind, option.card, (), option.effect)
        try:
            match.choose(seat, decision.n, act, n * 3000, f"{n:08x}")
        except Refused:
            continue
    return match.collect()
