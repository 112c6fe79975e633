"""Checks of every scenario's record, independent of its lines.

It verifies exactly, its words are declared, every event cites a rule and every citation exists, and
folding and resuming both give the live position. Invariants of the table are in
`engine.checks.invariants`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.engine.rulebook import Dice, Refusal
from domain.record.entries import Entry, active
from domain.record.events import OptionsOffered
from domain.record.folding.fold import fold_all
from domain.record.schema.citations import known, texts
from domain.record.schema.wording import faults
from domain.text.notation import what_follows
from domain.text.scenario.patterns import Story
from domain.text.scenario.reference import parts

#: The message of an exception.
CRASHED = "it crashed: "
#: What should hold, and what is so instead.
Unsound = tuple[str, str]


def unsound(match: Match, story: Story, refused: Sequence[Refusal], dice: Dice) -> list[Unsound]:
    """Everything that does not hold of a record; a check that crashes is one of them."""
    checks: tuple[Callable[[], Iterator[Unsound]], ...] = (
        lambda: _same(match, story.entries, dice),
        lambda: _worded(match, story),
        lambda: _typed(match, story),
        lambda: _cited(match, story, refused),
    )
    wrong: list[Unsound] = []
    for check in checks:
        try:
            wrong += check()
        except Exception as error:
            wrong.append(("the record can be checked", crash(error)))
    return wrong


def _same(match: Match, log: Sequence[Entry], dice: Dice) -> Iterator[Unsound]:
    live = match.pos.encoded()
    if fold_all(active(log)).encoded() != live:
        yield "the fold of the record is the live position", "they differ"
    resumed = Match.resume(match.rules, log, dice)
    if resumed.pos.encoded() != live or resumed.table.out:
        yield "resuming comes to the live position", "it does not"
    verdict = verify(log, match.rules)
    if verdict.kind != EXACT:
        yield "the record verifies exactly", f"{verdict.kind}: {verdict.reason}"


def _worded(match: Match, story: Story) -> Iterator[Unsound]:
    for entry in story.entries:
        for fault in faults(match.rules.manifest, entry):
            yield "all words are declared", f"{story.words(entry)}: {fault}"


def _typed(match: Match, story: Story) -> Iterator[Unsound]:
    """An act's picks can be typed by name, or are all that follows the verb."""
    for entry in story.entries:
        offer = entry.event.offer.value if isinstance(entry.event, OptionsOffered) else None
        for option in offer.options if offer is not None else ():
            named = {re.sub(r"-\d+$", "", part.name) for part in option.parts}
            alone = len(named) == 1 and what_follows(option.kind, match.rules) == "picks"
            unknown = named - set(parts(story.rules, option.kind))
            if unknown and not alone:
                yield "a verb tells its parts", f"{option.kind}: {', '.join(sorted(unknown))}"


def _cited(match: Match, story: Story, refused: Sequence[Refusal]) -> Iterator[Unsound]:
    rules, of_cards = match.rules, texts(story.known)
    for entry in story.entries:
        if all(cite.startswith("card:") for cite in entry.cites):
            yield "every event cites a rule", story.words(entry)
        for cite in entry.cites:
            if not known(cite, rules.rules, of_cards):
                yield "all citations exist", f"{cite} in {story.words(entry)}"
    for refusal in refused:
        for rule in refusal.rules:
            if not known(rule, rules.rules, of_cards):
                yield "all citations exist", f"{rule} in {refusal.text}"


def crash(error: BaseException) -> str:
    """An exception that nobody should see: what it is, and where in the code it arose."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" ({trace.tb_frame.f_code.co_name}, line {trace.tb_lineno})" if trace else ""
    return f"{CRASHED}{type(error).__name__}: {error}{where}"
