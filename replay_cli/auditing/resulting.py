"""Whether an event's results agree with its matches, and a table's match with the event."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO

from domain.record.views import PUBLIC
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
    """Whether a table is the one that is exported of the proven entries.

    The public's copy has no keys of players, which are not compared then.
    """
    if evidence.event is None or evidence.transcript is None:
        return
    text, keyless = evidence.transcript, evidence.viewer == PUBLIC
    s, given = fold(evidence.event.entries), _lines(_without_keys(text) if keyless else text)
    tables, forms = (
        (exporting.results(s), exporting.players(s)),
        (exporting.as_csv, exporting.as_json),
    )
    written = [_lines(form(one)) for one in tables for form in forms]
    same = next((lines for lines in written if _begin(lines) == _begin(given)), None)
    if same is None:
        yield unproven("text", phrase("it is no table of results or players"))
    elif given == same and keyless:
        why = phrase("written again from the entries, it is the same, but for the keys of players,"
                     " which this copy has not")  # fmt: skip
        yield proven("text", why)
    elif given == same:
        yield proven("text", phrase("written again from the entries, it is the same"))
    else:
        both = zip(given, same, strict=False)
        shorter = min(len(given), len(same))
        line = next((n for n, (has, is_) in enumerate(both, 1) if has != is_), shorter + 1)
        yield wrong("text", phrase("line {line} is not what the entries say", line=line))


def _begin(lines: list[str]) -> list[str]:
    """The columns: the first line of CSV, the first key of JSON."""
    return lines[:1] if lines[:1] != ["["] else [line.partition(":")[0] for line in lines[:3]]


def _without_keys(text: str) -> str:
    """A table with its keys of players left blank; as it is if it can be none."""
    try:
        if text.startswith("["):
            return exporting.as_json([
                {name: "" if name in _KEYS else cell for name, cell in row.items()}
                for row in json.loads(text)
            ])  # fmt: skip
        heads, *rows = csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    except (ValueError, AttributeError, csv.Error):
        return text
    out = StringIO()
    blank = {at for at, name in enumerate(heads) if name in _KEYS}
    kept = ([("" if at in blank else cell) for at, cell in enumerate(row)] for row in rows)
    csv.writer(out).writerows([heads, *kept])
    return out.getvalue()


#: The columns that have what is for officials alone.
_KEYS = ("key", "key 1", "key 2")


def _lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").splitlines()


def _of(one: Difference) -> str:
    return phrase("table {table} of round {round}: {why}",
                  table=one.table, round=one.round, why=one.why)  # fmt: skip
