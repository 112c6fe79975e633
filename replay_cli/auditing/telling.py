"""Whether a transcript tells what its proven entries say: it is written again and compared."""

from __future__ import annotations

from collections.abc import Iterator

from domain import games
from domain.record.events import MatchOpened
from domain.text.transcript.write import write
from domain.words.phrases import phrase
from replay_cli.auditing.claims import Claim, proven, unproven, wrong
from replay_cli.auditing.evidence import Evidence
from replay_cli.drawing.heads import head_line

#: How the line begins that exports end a transcript with.
_HEAD = "; head "


def claims(evidence: Evidence) -> Iterator[Claim]:
    """Whether the text is the one that the entries are written as."""
    opened = evidence.entries[0].event
    if evidence.transcript is None or not isinstance(opened, MatchOpened):
        return
    if opened.game not in games.names():
        yield unproven("text", phrase("the game is not here whose words it is written in"))
        return
    right = write(evidence.entries, games.rulebook(opened.game)).split("\n")
    given = evidence.transcript.split("\n")
    if given[-2:-1] and given[-2].startswith(_HEAD) and evidence.bundle is not None:
        right.insert(-1, f"; {head_line(evidence.bundle.proof.head)}")
    if given == right:
        yield proven("text", phrase("written again from the entries, it is the same"))
        return
    line = next((n for n, both in enumerate(zip(given, right, strict=False), 1)
                 if both[0] != both[1]), min(len(given), len(right)) + 1)  # fmt: skip
    yield wrong("text", phrase("line {line} is not what the entries say", line=line))
