"""Whether an event's results are what its matches say, and a table of it what its record says."""

from __future__ import annotations

from collections.abc import Iterator

from domain.tournament.folding import fold
from domain.words.phrases import phrase
from replay_cli.auditing.claims import Claim, proven, unproven, wrong
from replay_cli.auditing.evidence import Evidence
from replay_cli.tournament import exporting
from service.live.results import Difference


def claims(evidence: Evidence) -> Iterator[Claim]:
    """Whether each result that comes from a match is in its record, as the file has both."""
    false = next((one for one in evidence.unlike if one.wrong), None)
    if false is not None:
        yield wrong("results", _of(false))
    elif evidence.absent:
        why = phrase("{n:,} of them come from matches that are not here", n=evidence.absent)
        yield unproven("results", why)
    elif evidence.unlike:
        why = phrase("those that come from matches are what these say; an official has it otherwise"
                     " of {first}", first=_of(evidence.unlike[0]))  # fmt: skip
        yield proven("results", why)
    else:
        yield proven("results", phrase("those that come from matches are what these say"))


def table(evidence: Evidence) -> Iterator[Claim]:
    """Whether a table is the one that is exported of the proven entries."""
    if evidence.event is None or evidence.transcript is None:
        return
    s, given = fold(evidence.event.entries), _lines(evidence.transcript)
    tables, forms = (
        (exporting.results(s), exporting.players(s)),
        (exporting.as_csv, exporting.as_json),
    )
    written = [_lines(form(one)) for one in tables for form in forms]
    same = next((lines for lines in written if _begin(lines) == _begin(given)), None)
    if same is None:
        yield unproven("text", phrase("it is no table of results or players"))
    elif given == same:
        yield proven("text", phrase("written again from the entries, it is the same"))
    else:
        both = zip(given, same, strict=False)
        shorter = min(len(given), len(same))
        line = next((n for n, (has, is_) in enumerate(both, 1) if has != is_), shorter + 1)
        yield wrong("text", phrase("line {line} is not what the entries say", line=line))


def _begin(lines: list[str]) -> list[str]:
    """What the columns are: the first line of CSV, the first key of JSON."""
    return lines[:1] if lines[:1] != ["["] else [line.partition(":")[0] for line in lines[:3]]


def _lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").splitlines()


def _of(one: Difference) -> str:
    return phrase("table {table} of round {round}: {why}",
                  table=one.table, round=one.round, why=one.why)  # fmt: skip
