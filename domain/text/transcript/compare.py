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
from domain.words.phrases import joined, phrase


def kept(head: Tags, rules: Rulebook) -> None:
    """Make sure that a text is of this version, and of the rules and cards that are at hand."""
    if str(head.get("Kifu", VERSION)) != VERSION:
        raise BadTranscript(
            head.line("Kifu"),
            phrase("only transcripts of version {version} can be read", version=VERSION),
        )
    engine = head.get("Engine", rules.manifest.version)
    if engine != rules.manifest.version:
        text = phrase(
            "it was recorded under {engine!r}, and {version!r} is at hand",
            engine=engine,
            version=rules.manifest.version,
        )
        raise BadTranscript(head.line("Engine"), text)
    for name, digest in head.get("Digests", {}).items():
        if digest not in (rules.digests.get(name), *rules.earlier.get(name, ())):
            text = phrase("the {name} at hand are not those that it was recorded under", name=name)
            raise BadTranscript(head.line("Digests"), text)


def cited(rows: Iterable[Row], rules: Rulebook, prints: tuple[str, ...]) -> None:
    """Make sure that the rules exist by which officials spoke."""
    texts = citations.texts(rules.known(prints))
    for row in rows:
        for cite in row.cites:
            if not citations.known(cite, rules.rules, texts):
                raise BadTranscript(row.line, phrase("there is no rule {cite!r}", cite=cite))


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
            raise BadTranscript(one.line, phrase("it was over by then"))
        _row(one, rows[at])
        at += 1


def _tag(written: Tag, found: Tag | None) -> None:
    if found is None:
        if written.value in ("", {}, []):
            return
        raise BadTranscript(
            written.line, phrase("{name} is not known of this match", name=written.name)
        )
    if isinstance(found.value, dict) and isinstance(written.value, dict):
        wrong = [key for key, value in written.value.items() if found.value.get(key) != value]
        if wrong and written.name.lower()[:4] not in ("list", "poli"):
            raise BadTranscript(
                written.line,
                phrase("{name}: {names} can't be so", name=written.name, names=joined(", ", wrong)),
            )
    elif _loose(written) != _loose(found):
        raise BadTranscript(
            written.line,
            phrase(
                "{name} is {value!r}, not {written!r}",
                name=written.name,
                value=found.value,
                written=written.value,
            ),
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
        raise BadTranscript(written.line, phrase("it does not stand where it belongs"))
    for name, sign in (("time", ""), ("taken", "+"), ("left", "=")):
        given, came = getattr(written, name), getattr(found, name)
        if given is not None and given != came and (given, written.kind) != (0, OPEN):
            shown = phrase("nothing") if came is None else clock(came)
            raise BadTranscript(
                written.line,
                phrase(
                    "{sign}{time} can't be: it came to {shown}",
                    sign=sign,
                    time=clock(given),
                    shown=shown,
                ),
            )
    if written.origin not in ("", "seat", found.origin):
        raise BadTranscript(
            written.line, phrase("({origin}) is not known of it", origin=written.origin)
        )
    if written.kind != ANSWER and written.kind != ASIDE and written.text not in ("", found.text):
        raise BadTranscript(
            written.line, phrase("{text!r} is not what it came to", text=written.text)
        )
    if written.gone and not found.gone:
        raise BadTranscript(written.line, phrase("it was not undone later"))
    wrong = [key for key, value in written.facts.items() if found.facts.get(key) != value]
    if wrong:
        came = found.facts.get(wrong[0])
        raise BadTranscript(
            written.line,
            phrase(
                "{name}={value!r}: it came to {came!r}",
                name=wrong[0],
                value=written.facts[wrong[0]],
                came=came,
            ),
        )
    rolls = [roll for roll in written.rolls if roll not in found.rolls]
    if rolls:
        raise BadTranscript(
            written.line, phrase("chance was not called for: {kind}", kind=rolls[0].kind)
        )
