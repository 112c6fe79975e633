"""Sentences about the entries of officials; the narrator is in `narration`."""

from __future__ import annotations

from domain.officials.frame import KIND
from domain.record import events as ev
from domain.record.interventions import Irregularity, Looked, Noted, Penalty, Ruling
from domain.record.position import Position
from domain.record.values import Fact
from domain.telling.names import player
from domain.words.phrases import Phrase, joined, labelled, phrase


def opening(frame: ev.FrameOpened) -> str:
    """The first sentence of an official's frame; empty if its events are enough."""
    if frame.kind != KIND or frame.facts.get("what") != "correction":
        return ""
    return _by(frame.facts, phrase("the position is corrected: {why}", why=frame.facts.get("why")))


def ruling(p: Position, event: Ruling) -> str:
    """A ruling, and what it is about."""
    about = [phrase("ruling"), *_about(event.about)]
    if event.decision:
        about.append(phrase("on decision {n}", n=event.decision))
    if event.evidence:
        about.append(phrase("(by the look of entry {n})", n=event.evidence))
    return _attributed(p, labelled(joined(" ", about), event.text))


def penalty(p: Position, event: Penalty) -> str:
    """A penalty, as the event's scheme calls it."""
    found = p.heading.policy.penalty(event.kind)
    label = found.label if found is not None and found.label else event.kind
    text = phrase("{penalty} for {player}", penalty=label, player=player(event.seat))
    return _attributed(p, labelled(text, event.note) if event.note else text)


def irregularity(p: Position, event: Irregularity) -> str:
    """An act against a rule."""
    text = phrase("irregularity against {rule}", rule=event.rule)
    if event.seat >= 0:
        who = player(event.seat)
        text = phrase("irregularity by {player} against {rule}", player=who, rule=event.rule)
    return _attributed(p, labelled(text, event.note))


def note(p: Position, event: Noted) -> str:
    """A note; empty where it is not for the reader."""
    if event.text.value is None:
        return ""
    about = joined(" ", [phrase("note"), *_about(event.about)])
    return _attributed(p, labelled(about, event.text.value))


def look(p: Position, event: Looked) -> str:
    """The notice that an official looked at hidden cards."""
    kind, _, seat = event.view.partition("/")
    if kind == "seat":
        who = player(int(seat))
        return _attributed(p, phrase("an official looked through the eyes of {player}", player=who))
    return _attributed(p, phrase("an official looked at everything"))


def _about(entry: int) -> list[Phrase]:
    return [phrase("on entry {n}", n=entry)] if entry else []


def _attributed(p: Position, text: Phrase) -> Phrase:
    """With who speaks in the open frame, if it is an official's."""
    frame = p.frames[-1] if p.frames else None
    return _by(frame.facts, text) if frame is not None and frame.kind == KIND else text


def _by(facts: dict[str, Fact], text: Phrase) -> Phrase:
    return phrase("{text} ({who})", text=text, who=facts["who"]) if facts.get("who") else text
