"""Engines: which one wrote a record, and whether this one may go on with it.

A record names the engine that wrote it: its rulebook's version (`NAME 1.1`). Every change of what
a rulebook does is a new version. What another version recorded can be read for ever, since reading
runs no rules; going on with it is something else. An official may have a newer engine adopt a match
from a resting point (`officials.adoption`), and until then only what needs no rules can be added.
"""

from __future__ import annotations

import re

from domain.engine.rulebook import Refusal, Rulebook, refuse
from domain.record.position import Position

RULE = "house:engine"
OLDER, NEWER = "ENGINE_OLDER", "ENGINE_NEWER"
_VERSION = re.compile(r"(.*) (\d+(?:\.\d+)*)")


def version(engine: str) -> tuple[str, tuple[int, ...]]:
    """The name and the number of an engine; one that is not so written has no number."""
    found = _VERSION.fullmatch(engine)
    return (found[1], tuple(map(int, found[2].split(".")))) if found else (engine, ())


def older(recorded: str, own: str) -> bool:
    """Whether an engine is an earlier version of another, so that this may take its place."""
    (name, was), (ours, now) = version(recorded), version(own)
    return name == ours and () < was < now


def unfit(p: Position, rules: Rulebook) -> Refusal | None:
    """Why this engine may not go on with a match as it stands; None if it may."""
    recorded, own = p.heading.engine, rules.manifest.version
    if recorded == own:
        return None
    if older(recorded, own):
        text = "it was recorded by {recorded}, and this is {own}: an official may adopt it"
        return refuse(text, RULE, fault=OLDER, recorded=recorded, own=own)
    text = (
        "it was recorded by {recorded}, which this program ({own}) does not know: it can be read,"
        " not gone on with"
    )
    return refuse(text, RULE, fault=NEWER, recorded=recorded, own=own)
