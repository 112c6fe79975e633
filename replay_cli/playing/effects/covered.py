"""Runs `coverage` over many cards in several processes, and prints what it found."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain import games
from domain.words.phrases import phrase
from replay_cli.checking.workers import workers
from replay_cli.output import REFUSED, Failed, as_json, console, progress_bar, table
from replay_cli.playing.effects.coverage import TRIES, Coverage, Report

#: Cards that are handed to a process at a time: what comes to something is learnt anew for each.
BATCH = 64


def cover_many(
    game: str, cards: Sequence[str], seed: int, jobs: int, *, tries: int = TRIES, quiet: bool = True
) -> Report:
    """What was seen of the effects of these cards."""
    report = Report(game)
    batches = [cards[n : n + BATCH] for n in range(0, len(cards), BATCH)]
    with progress_bar(quiet=quiet) as bar, workers(jobs) as pool:
        task = bar.add_task("carrying out", total=len(batches))
        for some in [pool.submit(_cover, game, batch, seed, tries) for batch in batches]:
            found = some.result()
            report.effects |= found.effects
            report.faults |= found.faults
            report.positions += found.positions
            report.decisions += found.decisions
            report.seconds |= found.seconds
            bar.advance(task)
    return report


def _cover(game: str, cards: Sequence[str], seed: int, tries: int) -> Report:
    coverage = Coverage(game, seed)
    for card in cards:
        coverage.cover(card, tries)
    return coverage.report


def carried_out(game: str, seed: int, jobs: int, *, as_data: bool) -> None:
    """Try every effect of every card and report; `Failed` if one was not seen, or went wrong."""
    rules = games.rulebook(game)
    known = rules.cards
    if not rules.situations:
        raise Failed(phrase("{game} has no situations to try cards in", game=game), REFUSED)
    cards = sorted(called for called, card in known.items() if card.effects)
    report = cover_many(game, cards, seed, jobs, quiet=as_data)
    if as_data:
        as_json(msgspec.to_builtins(report))
    else:
        _print(report)
    if report.missing or report.faults:
        raise Failed(
            phrase(
                "{n} of {n2} effects were not seen wholly, {n3} faults",
                n=len(report.missing),
                n2=len(report.effects),
                n3=len(report.faults),
            )
        )


def _print(report: Report) -> None:
    out = console()
    out.print(
        f"{report.game}: {len(report.effects)} effects, {report.positions} positions,"
        f" {report.decisions} decisions"
    )
    shown = table("set", "effects", "tries", "seconds", right=("effects", "tries", "seconds"))
    of_set: dict[str, list[str]] = {}
    for ref in report.effects:
        of_set.setdefault(ref.partition("-")[0], []).append(ref)
    for name, refs in of_set.items():
        tries = sum(report.effects[ref].tries for ref in refs)
        seconds = sum(report.seconds[card] for card in {ref.partition("/")[0] for ref in refs})
        shown.add_row(name, str(len(refs)), str(tries), f"{seconds:.0f}")
    out.print(shown)
    if report.missing:
        shown = table("effect", "tries", "never seen", right=("tries",))
        for ref, lacking in report.missing.items():
            shown.add_row(ref, str(report.effects[ref].tries), ", ".join(lacking))
        out.print(shown)
    for fault, position in report.faults.items():
        out.print(f"\n{fault}\n{position}", markup=False, highlight=False, soft_wrap=True)
