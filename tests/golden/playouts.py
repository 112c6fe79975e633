"""Digests of seeded matches, by engine: whether a rulebook still does what its version did.

`python -m tests.golden.playouts` writes `playouts.json` again. That is right where the version of a
game's engine is a new one that nobody has recorded with yet; else its version changes first
(domain/record/FORMAT.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import fields

from domain.games import every, rulebook
from domain.record import events as ev
from domain.record.entries import Entry, name_of
from domain.record.values import Sealed
from tests.playouts import play, setup_of

FILE = Path(__file__).with_suffix(".json")
SEEDS = range(6)


def digest(log: Iterable[Entry]) -> str:
    """What a log says, however it is laid out: fields count that differ from their defaults.

    Without what is not of the rulebook's doing: data digests, and digests of positions.
    """
    found = blake2b(digest_size=12)
    for e in log:
        seen = (e.seq, e.time, e.moment, e.frame, e.by, e.cites, _fields(e.event))
        found.update(msgspec.json.encode(seen))
    return found.hexdigest()


def _fields(event: ev.Event) -> list[Any]:
    left_out = {"digests", "digest", "engine"}
    found = ((f, getattr(event, f.name)) for f in fields(event) if f.name not in left_out)
    return [name_of(type(event)), *([f.name, _plain(v)] for f, v in found if v != f.default)]


def _plain(value: Any) -> Any:
    if isinstance(value, Sealed):
        return [value.to, _plain(value.value)]
    if isinstance(value, msgspec.Struct):
        return [[f.name, _plain(v)] for f in fields(value)
                if (v := getattr(value, f.name)) != f.default]  # fmt: skip
    if isinstance(value, list | tuple):
        return [*map(_plain, value)]
    if isinstance(value, Mapping):
        return [[str(key), _plain(value[key])] for key in value]
    return value


def played(game: str, seeds: Iterable[int] = SEEDS) -> list[str]:
    """The digests of some matches of a game, with players who tidy up."""
    return [digest(play(setup_of(seed, restless=True, game=game))) for seed in seeds]


def kept() -> dict[str, list[str]]:
    """The digests that were written, by engine: of each seed in turn."""
    found: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return found


def main() -> None:
    """Write the digests of the engines at hand; those of others stay."""
    found = kept() if FILE.exists() else {}
    found |= {rulebook(game).manifest.version: played(game) for game in every()}
    FILE.write_text(json.dumps(dict(sorted(found.items())), indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
