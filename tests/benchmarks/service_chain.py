"""What the chain costs: commands with it beside commands without, and the room that it takes up.

    python -m tests.benchmarks service_chain

Both are served by the same program, one after the other: without it, nothing is hashed and no row
of a chain is written. Processor time of the server is compared, which other programs on the machine
change less than the rate.
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

from domain import games
from service.store import chains
from service.store.derived import listing
from service.store.layout.compaction import compact
from service.store.layout.training import played
from service.store.records import Records, Work
from tests.benchmarks.service_commands import command_rate, play, stream
from tests.benchmarks.table import Found, Rounds, show

GAME = "gundam"
#: Matches at once, and those of which the room is measured.
AT_ONCE, KEPT = 16, 24


def commands(rounds: int) -> list[Found]:
    """The rate and the processor time of commands, with the chain beside without it."""
    matches = [play(seed) for seed in range(25)]
    plain, chained = list[tuple[float, float]](), list[tuple[float, float]]()
    plain.append(command_rate(matches, AT_ONCE, stream, [], unchained=True))
    for _ in range(rounds):
        chained.append(command_rate(matches, AT_ONCE, stream, []))
        plain.append(command_rate(matches, AT_ONCE, stream, [], unchained=True))
    found = []
    for at, what in enumerate(("rate", "CPU")):
        without, with_ = [one[at] for one in plain], [one[at] for one in chained]
        if what == "CPU":
            told = f"{_micro(with_)} µs a command, {_micro(without)} without"
            without, with_ = [1 / one for one in without], [1 / one for one in with_]
        else:
            told = Rounds(without, with_).told("/s")
        text = f"commands on streams, {AT_ONCE} at once: with the chain beside without ({what})"
        found.append(Found(f"chain, {what}", text, Rounds(without, with_).ratios, told, "0.9"))
    return found


def _micro(seconds: list[float]) -> str:
    return f"{min(seconds) * 1e6:.0f}–{max(seconds) * 1e6:.0f}"


def room() -> Found:
    """Bytes an entry that the chains take up in a file, and those of all the rest."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "matches.kifu"
        with closing(Records(path)) as records:
            records.use_dictionary(GAME)
            entries = 0
            for seed in range(KEPT):
                match = f"m{seed:04}"
                for command in played(games.rulebook(GAME), seed):
                    also = listing.derive(match, command)
                    records.write(Work(match, command, also, GAME))
                    entries += len(command)
            list(compact(records))
            whole = path.stat().st_size
            assert len([*chains.heads(records)]) == KEPT
            records.write(Work("", (), [("DROP TABLE chains", ())]))
            records.vacuum()
            rest = path.stat().st_size
    each = (whole - rest) / entries
    figures = f"{each:.1f} B an entry, of {whole / entries:.1f}"
    return Found(
        "chain, room", "what chains take up at rest, an entry", (each,), figures, "40", True
    )


def main(rounds: int = 2) -> list[Found]:
    found = [*commands(rounds), room()]
    for one in found:
        show(one.text, {"ratio": str(one), "figures": one.figures})
    return found


if __name__ == "__main__":
    main()
