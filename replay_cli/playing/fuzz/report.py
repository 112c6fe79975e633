"""Prints the report of `kifu simulate --fuzz`: totals, and each kind of failure with a scenario."""

from __future__ import annotations

import msgspec

from domain.telling.names import count
from domain.words.phrases import phrase
from replay_cli.output import Failed, as_json, console
from replay_cli.playing.fuzz.many import Report, Wanted, run_many


def simulated(wanted: Wanted, *, as_data: bool) -> None:
    """Run matches with made-up cards and report; raises `Failed` if any went wrong."""
    report = run_many(wanted)
    if as_data:
        as_json(msgspec.to_builtins(report))
    else:
        print_report(report)
    if report.failures:
        wrong = sum(map(len, report.failures.values()))
        raise Failed(
            phrase(
                "{wrong} of {count} went wrong",
                wrong=wrong,
                count=count(report.matches, "{n} match", "{n} matches"),
            )
        )


def print_report(report: Report) -> None:
    """The report, for people; the scenarios as they would be committed."""
    out = console()
    rate = report.decisions / (report.seconds or 1)
    out.print(
        f"{report.game}: {report.matches} matches with {report.cards} made-up cards,"
        f" {report.decisions} decisions, {report.entries} entries in {report.seconds} s"
        f" ({rate:.0f} decisions a second)"
    )
    out.print(", ".join(f"{n} {kind}" for kind, n in sorted(report.kinds.items())))
    for mark, seeds in sorted(report.failures.items(), key=lambda pair: -len(pair[1])):
        out.print()
        out.print(f"{len(seeds)} × {mark}", markup=False, highlight=False)
        command = f"kifu simulate --fuzz --game {report.game} -n 1 --seed {seeds[0]}"
        out.print(f"again: {command}", markup=False, highlight=False, soft_wrap=True)
        text = report.scenarios.get(mark, "")
        out.print(text or "no scenario shows it", markup=False, highlight=False, soft_wrap=True)
