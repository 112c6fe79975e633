"""Compares a transcript with the one written from its import, statement by statement.

What the text leaves out (a time, a tag, an implied pass) is not compared; what it says must match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from domain.engine.rulebook import Rulebook
from domain.record.schema import citations
from domain.text.transcript.implied import IMPLIED
from domain.text.transcript.lines import (
    ANSWER,
    ASIDE,
    OPEN,
    BadTranscript,
    Row,
    Statement,
    Tag,
    clock,
)
from domain.text.transcript.tags import VERSION, Tags


def kept(head: Tags, rules: Rulebook) -> None:
    """Make sure that a text is of this version, and of the rules and cards that are at hand."""
    if str(head.get("Kifu", VERSION)) != VERSION:
        raise BadTranscript(head.line("Kifu"), f"only transcripts of version {VERSION} can be read")
    engine = head.get("Engine", rules.manifest.version)
    if engine != rules.manifest.version:
        text = f"it was recorded under {engine!r}, and {rules.manifest.version!r} is at hand"
        raise BadTranscript(head.line("Engine"), text)
    for name, digest in head.get("Digests", {}).items():
        if digest not in (rules.digests.get(name), *rules.earlier.get(name, ())):
            text = f"the {name} at hand are not those that it was recorded under"
            raise BadTranscript(head.line("Digests"), text)


def cited(rows: Iterable[Row], rules: Rulebook, prints: tuple[str, ...]) -> None:
    """Make sure that the rules exist by which officials spoke."""
    texts = citations.texts(rules.known(prints))
    for row in rows:
        for cite in row.cites:
            if not citations.known(cite, rules.rules, texts):
                raise BadTranscript(row.line, f"there is no rule {cite!r}")


def same(written: Iterable[Tag | Row], rewritten: Sequence[Statement]) -> None:
    """Make sure that all statements are true; `BadTranscript` names the first line that isn't."""
    tags = {
        one.name.lower(): one for one in rewritten if isinstance(one, Tag) and one.name != "Print"
    }
    rows = [one for one in rewritten if isinstance(one, Row)]
    at = 1  # after the opening, which may be left out
    for one in written:
        if isinstance(one, Tag):
            if one.name.lower() != "print":
                _tag(one, tags.get(one.name.lower()))
            continue
        if one.kind == OPEN:
            _row(one, rows[0])
            continue
        while at < len(rows) and rows[at].origin == IMPLIED and not _is(one, rows[at]):
            at += 1
        if at == len(rows):
            raise BadTranscript(one.line, "it was over by then")
        _row(one, rows[at])
        at += 1


def _tag(written: Tag, found: Tag | None) -> None:
    if found is None:
        if written.value in ("", {}, []):
            return
        raise BadTranscript(written.line, f"{written.name} is not known of this match")
    if isinstance(found.value, dict) and isinstance(written.value, dict):
        wrong = [key for key, value in written.value.items() if found.value.get(key) != value]
        if wrong and written.name.lower()[:4] not in ("list", "poli"):
            raise BadTranscript(written.line, f"{written.name}: {', '.join(wrong)} can't be so")
    elif _loose(written) != _loose(found):
        raise BadTranscript(
            written.line, f"{written.name} is {found.value!r}, not {written.value!r}"
        )


def _loose(tag: Tag) -> Any:
    """A value without what does not matter: case, spaces, how a date is written."""
    if tag.name.lower() == "date":
        return ""
    return " ".join(str(tag.value).lower().split())


def _like(written: Row, found: Row) -> bool:
    return written.kind == found.kind and written.n in (0, found.n) and written.seat == found.seat


def _is(written: Row, found: Row) -> bool:
    return written.origin == found.origin and _like(written, found)


def _row(written: Row, found: Row) -> None:
    if not _like(written, found):
        raise BadTranscript(written.line, "it does not stand where it belongs")
    for name, sign in (("time", ""), ("taken", "+"), ("left", "=")):
        given, came = getattr(written, name), getattr(found, name)
        if given is not None and given != came and (given, written.kind) != (0, OPEN):
            shown = "nothing" if came is None else clock(came)
            raise BadTranscript(written.line, f"{sign}{clock(given)} can't be: it came to {shown}")
    if written.origin not in ("", "seat", found.origin):
        raise BadTranscript(written.line, f"({written.origin}) is not known of it")
    if written.kind != ANSWER and written.kind != ASIDE and written.text not in ("", found.text):
        raise BadTranscript(written.line, f"{written.text!r} is not what it came to")
    if written.gone and not found.gone:
        raise BadTranscript(written.line, "it was not undone later")
    wrong = [key for key, value in written.facts.items() if found.facts.get(key) != value]
    if wrong:
        came = found.facts.get(wrong[0])
        raise BadTranscript(
            written.line, f"{wrong[0]}={written.facts[wrong[0]]!r}: it came to {came!r}"
        )
    rolls = [roll for roll in written.rolls if roll not in found.rolls]
    if rolls:
        raise BadTranscript(written.line, f"chance was not called for: {rolls[0].kind}")
