"""Sentences for what officials recorded; the narrator is in `telling`."""

from __future__ import annotations

from domain.officials.frame import KIND
from domain.record import events as ev
from domain.record.interventions import Irregularity, Looked, Noted, Penalty, Ruling
from domain.record.position import Position
from domain.record.values import Fact
from replay_cli.drawing.names import player


def opening(frame: ev.FrameOpened) -> str:
    """What is said where an official's frame begins; empty where its events say it all."""
    if frame.kind != KIND or frame.facts.get("what") != "correction":
        return ""
    return f"the position is corrected: {frame.facts.get('why')}{_by(frame.facts)}"


def ruling(p: Position, event: Ruling) -> str:
    """A ruling, and what it is about."""
    about = f" on entry {event.about}" if event.about else ""
    about += f" on decision {event.decision}" if event.decision else ""
    rests = f" (by the look of entry {event.evidence})" if event.evidence else ""
    return f"ruling{about}{rests}: {event.text}{_speaker(p)}"


def penalty(p: Position, event: Penalty) -> str:
    """A penalty, as the event's scheme calls it."""
    found = p.heading.policy.penalty(event.kind)
    label = found.label if found is not None and found.label else event.kind
    why = f": {event.note}" if event.note else ""
    return f"{label} for {player(event.seat)}{why}{_speaker(p)}"


def irregularity(p: Position, event: Irregularity) -> str:
    """What was done against a rule."""
    who = f" by {player(event.seat)}" if event.seat >= 0 else ""
    return f"irregularity{who} against {event.rule}: {event.note}{_speaker(p)}"


def note(p: Position, event: Noted) -> str:
    """A note; empty where it is not for the reader."""
    if event.text.value is None:
        return ""
    about = f" on entry {event.about}" if event.about else ""
    return f"note{about}: {event.text.value}{_speaker(p)}"


def look(p: Position, event: Looked) -> str:
    """That an official looked at what is hidden."""
    kind, _, seat = event.view.partition("/")
    eyes = f"through the eyes of {player(int(seat))}" if kind == "seat" else "at everything"
    return f"an official looked {eyes}{_speaker(p)}"


def _speaker(p: Position) -> str:
    """Who speaks in the open frame, if it is an official's."""
    frame = p.frames[-1] if p.frames else None
    return _by(frame.facts) if frame is not None and frame.kind == KIND else ""


def _by(facts: dict[str, Fact]) -> str:
    return f" ({facts['who']})" if facts.get("who") else ""
