"""What the chain costs: commands with it beside commands without, and the room that it takes up.

    python -m tests.benchmarks service_chain

All are served by the same program, one after the other: without the chain, nothing is hashed and no
row of it is written; with the log of heads, leaves are added and checkpoints signed. Processor time
of the server is compared, which other programs on the machine change less than the rate.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from domain import games
from service.store import chains
from service.store.derived import listing
from service.store.layout.repacking import compact
from service.store.layout.training import played
from service.store.records import Records, Work
from tests.benchmarks.service_commands import command_rate, play, stream
from tests.benchmarks.table import Found, Rounds, show

GAME = "gundam"
#: Matches at once, and those of which the room is measured.
AT_ONCE, KEPT = 16, 24
#: Commands a second, and the processor time of one in seconds.
Measured = tuple[float, float]
#: What is served, one after the other: the settings of the server.
SIDES = {"neither": {"unchained": True}, "chain": {"anchored": False}, "log": {}}


def commands(rounds: int) -> list[Found]:
    """The rate and processor time of commands with the chain, and with the log of heads as well.

    Each beside the same without it.
    """
    matches = [play(seed) for seed in range(25)]
    kept: dict[str, list[Measured]] = {side: [] for side in SIDES}
    for _ in range(rounds + 1):
        for side, settings in SIDES.items():
            kept[side].append(command_rate(matches, AT_ONCE, stream, [], **settings))
    return [
        *_compared("chain", "with the chain beside without", kept["neither"], kept["chain"][:-1]),
        *_compared("log", "with the log beside the chain alone", kept["chain"], kept["log"][:-1]),
    ]


def _compared(
    name: str, text: str, without: Sequence[Measured], with_: Sequence[Measured]
) -> Iterator[Found]:
    for at, what in enumerate(("rate", "CPU")):
        less, more = [one[at] for one in without], [one[at] for one in with_]
        if what == "CPU":
            found = f"{_micro(more)} µs a command, {_micro(less)} without"
            less, more = [1 / one for one in less], [1 / one for one in more]
        else:
            found = Rounds(less, more).figures("/s")
        text_ = f"commands on streams, {AT_ONCE} at once: {text} ({what})"
        yield Found(f"{name}, {what}", text_, Rounds(less, more).ratios, found, "0.9")


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
                    also = listing.derive(match, command, at=1_700_000_000_000 + seed)
                    records.write(Work(match, command, also, GAME))
                    entries += len(command)
            list(compact(records))
            whole = path.stat().st_size
            assert len([*chains.heads(records)]) == KEPT
            records.write(Work("", (), [("DROP TABLE chains", ())]))
            records.driver.vacuum()
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
