"""What a benchmark finds: ratios to a bound that is measured in the same run, and their spread.

A machine is never alone: so the bound is measured before, between and after what is compared with
it (`bracketed`), and each round's ratio is to the mean of the two bounds around it. What has no
bound of its own is compared with a fixed piece of Python work (`yard`).
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from rich.console import Console
from rich.table import Table


class Found(Struct, frozen=True):
    """A figure of the table: `name` in the baseline, a line about it, the ratio of each round.

    `figures` are absolute, for people; `less`: less is better.
    """

    name: str
    text: str
    ratios: tuple[float, ...]
    figures: str = ""
    aim: str = ""
    less: bool = False

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the greatest ratio."""
        return min(self.ratios), max(self.ratios)

    def __str__(self) -> str:
        low, high = self.spread
        median = f"{self.median:.3g}"
        return median if low == high else f"{median} ({low:.3g}–{high:.3g})"


class Rounds(Struct, frozen=True):
    """Rates of a bound and of what is compared with it, in the order in which they were found."""

    bounds: Sequence[float]
    rates: Sequence[float]

    @property
    def ratios(self) -> tuple[float, ...]:
        """Each rate beside the mean of the bounds before and after it."""
        around = zip(self.bounds, self.bounds[1:], strict=False)
        return tuple(
            rate / ((before + after) / 2)
            for rate, (before, after) in zip(self.rates, around, strict=True)
        )

    def figures(self, unit: str) -> str:
        """Both, for people."""
        return f"{_range(self.rates)} {unit}, bound {_range(self.bounds)}"


def bracketed(bound: Callable[[], float], work: Callable[[], float], times: int = 3) -> Rounds:
    """Measure a rate so often, and its bound before, between and after."""
    bounds, rates = [bound()], list[float]()
    for _ in range(times):
        rates.append(work())
        bounds.append(bound())
    return Rounds(bounds, rates)


def yard(times: int = 60) -> float:
    """How often in a second of the processor a fixed piece of Python work is done."""
    start = time.process_time()
    for _ in range(times):
        _piece()
    return times / (time.process_time() - start)


def cpu(pid: int) -> float:
    """Processor seconds of a process, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _piece() -> int:
    """Some millisecond of what Python programs do: calls, attributes, tuples, tables, texts."""
    seen: dict[str, tuple[int, ...]] = {}
    found = _Counter()
    for n in range(1500):
        key = f"{n % 97}/{n % 7}"
        seen[key] = (*seen.get(key, ())[-3:], n)
        found.add(len(seen[key]) + n % 5)
    return found.total


class _Counter:
    def __init__(self) -> None:
        self.total = 0

    def add(self, n: int) -> None:
        self.total += n


def _range(values: Sequence[float]) -> str:
    low, high = (f"{value:,.0f}" for value in (min(values), max(values)))
    return low if low == high else f"{low}–{high}"


def show(title: str, figures: Mapping[str, str]) -> None:
    """Print a small table: what was measured, and what it came to."""
    table = Table(title=title, show_header=False, title_justify="left")
    for what, value in figures.items():
        table.add_row(what, value)
    Console().print(table)


def summary(found: Sequence[Found], baseline: Mapping[str, Sequence[float]]) -> None:
    """Print all figures, as rows for FIGURES.md; beside those of a baseline, if there is one."""
    more = ["before", "change"] if baseline else []
    heads = ["what", "ratio (spread)", "aim", "figures", *more]
    print(f"\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for one in found:
        row = f"| {one.text} | {one} | {one.aim} | {one.figures} |"
        if baseline:
            row += f" {' | '.join(changed(one, baseline.get(one.name, ())))} |"
        print(row)


def changed(now: Found, before: Sequence[float]) -> tuple[str, str]:
    """What a figure was, and how it changed: nothing is said where the spreads overlap."""
    if not before:
        return "", "new"
    was = statistics.median(before)
    change = f"{(now.median / was - 1) * 100:+.0f} %"
    low, high = now.spread
    if low <= max(before) and high >= min(before):
        return f"{was:.3g}", f"{change}, within the spread"
    better = (now.median > was) != now.less
    return f"{was:.3g}", f"{change}, {'better' if better else 'WORSE'}"
