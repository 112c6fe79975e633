"""Heads of matches (`domain.record.proof.chain`) for people and programs, wherever one is shown."""

from __future__ import annotations

from domain.record.proof.chain import Head
from domain.words.phrases import phrase
from replay_cli.output import say


def head_line(head: Head) -> str:
    """A head as a line: what is written on the slip of a match, and since when it is chained."""
    text = phrase("head {seq}: {digits}", seq=head.seq, digits=head.short)
    if head.since:
        text = phrase("{text}, chained since entry {n}", text=text, n=head.since)
    return say(text)


def head_data(head: Head | None) -> dict[str, object] | None:
    """A head for programs."""
    if head is None:
        return None
    return {
        "seq": head.seq, "hash": head.hash.hex(), "since": head.since, "short": head.short,
    }  # fmt: skip
