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
        if rules.digests.get(name) != digest:
            text = f"the {name} at hand are not those that it was recorded under"
            raise BadTranscript(head.line("Digests"), text)


def cited(rows: Iterable[Row], rules: Rulebook, prints: tuple[str, ...]) -> None:
    """Make sure that the rules exist by which officials spoke."""
    texts = citations.texts(rules.known(prints))
    for row in rows:
        for cite in row.cites:
            if not citations.known(cite, rules.rules, texts, rules.readings):
                raise BadTranscript(row.line, f"there is no rule {cite!r}")


def same(said: Iterable[Tag | Row], again: Sequence[Statement]) -> None:
    """Make sure that all that is said is so; `BadTranscript` names the first line that isn't."""
    tags = {one.name.lower(): one for one in again if isinstance(one, Tag) and one.name != "Print"}
    rows = [one for one in again if isinstance(one, Row)]
    at = 1  # after the opening, which may be left out
    for one in said:
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


def _tag(said: Tag, found: Tag | None) -> None:
    if found is None:
        if said.value in ("", {}, []):
            return
        raise BadTranscript(said.line, f"{said.name} can't be told of this match")
    if isinstance(found.value, dict) and isinstance(said.value, dict):
        wrong = [key for key, value in said.value.items() if found.value.get(key) != value]
        if wrong and said.name.lower()[:4] not in ("list", "poli"):
            raise BadTranscript(said.line, f"{said.name}: {', '.join(wrong)} can't be so")
    elif _loose(said) != _loose(found):
        raise BadTranscript(said.line, f"{said.name} is {found.value!r}, not {said.value!r}")


def _loose(tag: Tag) -> Any:
    """A value without what does not matter: case, spaces, how a date is written."""
    if tag.name.lower() == "date":
        return ""
    return " ".join(str(tag.value).lower().split())


def _like(said: Row, found: Row) -> bool:
    return said.kind == found.kind and said.n in (0, found.n) and said.seat == found.seat


def _is(said: Row, found: Row) -> bool:
    return said.origin == found.origin and _like(said, found)


def _row(said: Row, found: Row) -> None:
    if not _like(said, found):
        raise BadTranscript(said.line, "it does not stand where it belongs")
    for name, sign in (("time", ""), ("taken", "+"), ("left", "=")):
        given, came = getattr(said, name), getattr(found, name)
        if given is not None and given != came and (given, said.kind) != (0, OPEN):
            shown = "nothing" if came is None else clock(came)
            raise BadTranscript(said.line, f"{sign}{clock(given)} can't be: it came to {shown}")
    if said.origin not in ("", "seat", found.origin):
        raise BadTranscript(said.line, f"({said.origin}) can't be told of it")
    if said.kind != ANSWER and said.kind != ASIDE and said.text not in ("", found.text):
        raise BadTranscript(said.line, f"{said.text!r} is not what it came to")
    if said.gone and not found.gone:
        raise BadTranscript(said.line, "it was not undone later")
    wrong = [key for key, value in said.facts.items() if found.facts.get(key) != value]
    if wrong:
        came = found.facts.get(wrong[0])
        raise BadTranscript(said.line, f"{wrong[0]}={said.facts[wrong[0]]!r}: it came to {came!r}")
    rolls = [roll for roll in said.rolls if roll not in found.rolls]
    if rolls:
        raise BadTranscript(said.line, f"chance was not called for: {rolls[0].kind}")
