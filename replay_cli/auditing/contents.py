"""Claims about what the entries of a record contain: disclosed values, text, rules, chance, looks.

Whether the entries are those that were written is in `chaining` and `anchoring`, who acted in
`acting`, when in `timing`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from domain import games
from domain.engine.checks import chance
from domain.engine.checks.verify import EXACT, UNVERIFIED
from domain.record.entries import Entry, name_of
from domain.record.events import MatchOpened
from domain.record.proof.chain import FORGOTTEN, ORIGIN
from domain.record.proof.openings import Disclosed, Unproven, discloses
from domain.record.views import OFFICIAL
from domain.text.transcript.write import write
from domain.words.phrases import Phrase, joined, phrase
from replay_cli.auditing.claims import (
    PROVEN,
    UNPROVEN,
    WRONG,
    Claim,
    not_asked,
    proven,
    unproven,
    wrong,
)
from replay_cli.auditing.evidence import Evidence
from replay_cli.checking import verifying
from replay_cli.drawing.heads import head_line

_MORE = {ORIGIN: "origin", FORGOTTEN: "forgotten"}
#: How the line begins that exports end a transcript with.
_HEAD = "; head "
_VERDICTS = {chance.PROVEN: PROVEN, chance.UNPROVEN: UNPROVEN, chance.WRONG: WRONG}


def disclosed(evidence: Evidence) -> Iterator[Claim]:
    """Whether each disclosed value is the one that its entry commits to, and what it is."""
    bundle = evidence.bundle
    if bundle is None or not bundle.disclosed:
        return
    shown = list[Phrase]()
    for one in bundle.disclosed:
        at = one.seq - 1
        entry = evidence.entries[at] if 0 <= at < len(evidence.entries) else None
        try:
            right = entry is not None and discloses(
                one, entry, bundle.proof.openings[at], bundle.viewer
            )
        except (Unproven, IndexError):
            right = False
        if entry is None or not right:
            yield wrong("disclosed", phrase("it is not what its entry commits to"), one.seq)
            return
        shown.append(_shown(one, entry))
    yield proven("disclosed", joined("; ", shown))


def _shown(one: Disclosed, entry: Entry) -> Phrase:
    fields = type(entry.event).__struct_fields__
    name = _MORE.get(one.field) or fields[one.field]
    value = msgspec.msgpack.decode(one.value)
    text = json.dumps(value, ensure_ascii=False, default=bytes.hex)
    return phrase("entry {seq} ({event}), {field}: {value}", seq=one.seq,
                  event=name_of(entry.event), field=name, value=text)  # fmt: skip


def text(evidence: Evidence) -> Iterator[Claim]:
    """Whether the text is the one that the entries are written as."""
    opened = evidence.entries[0].event
    if evidence.transcript is None or not isinstance(opened, MatchOpened):
        return
    if opened.game not in games.every():
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


def replayed(evidence: Evidence) -> Iterator[Claim]:
    """Whether the engine agrees, and what is derived from the record with it."""
    verdict = verifying.check([*evidence.entries])
    if verdict.kind == EXACT:
        yield proven("engine", phrase("exact: {why}", why=verdict.reason))
    elif verdict.kind == UNVERIFIED and evidence.viewer != OFFICIAL:
        yield not_asked(
            "engine", phrase("a viewer's copy can't be replayed; it folds without errors")
        )
    elif verdict.kind == UNVERIFIED:
        yield unproven("engine", phrase("unverified: {why}", why=verdict.reason), verdict.seq)
    else:
        yield wrong("engine", phrase("diverged: {why}", why=verdict.reason), verdict.seq)
    if evidence.derived:
        yield wrong("derived", phrase("{faults}; `kifu store rebuild` rebuilds it",
                                      faults="; ".join(evidence.derived)))  # fmt: skip
    elif evidence.derived is not None:
        yield proven("derived", phrase("all are what the entries add up to"))


def chance_claims(evidence: Evidence) -> Iterator[Claim]:
    """The strongest claim about the chance of a record."""
    found = chance.audit(evidence.entries)
    if found.hidden:
        n = sum(claim.kind == chance.UNSEEN for claim in found.claims)
        why = phrase(
            "{known:,} of {all:,} draws follow from the seeds that were opened; the "
            "others are hidden in this copy", known=found.draws - n, all=found.draws,
        )  # fmt: skip
        yield not_asked("chance", why)
        return
    worst = [claim for claim in found.claims if claim.verdict == found.verdict]
    why = joined("; ", dict.fromkeys(claim.text for claim in worst))
    seq = min((claim.seq for claim in worst if claim.seq), default=0)
    proven = found.verdict == chance.PROVEN
    yield Claim("chance", _VERDICTS[found.verdict], why, 0 if proven else seq)


def looks(evidence: Evidence) -> Iterator[Claim]:
    """Whether its lines follow one another as they were chained; it says nothing of its end."""
    looks = evidence.looks
    if looks is None:
        return
    if looks.fault:
        yield wrong("looks", looks.fault)
        return
    why = phrase("the log of access is whole, with {n:,} lines about this match; only a head noted"
        " earlier shows that no line is missing at its end", n=looks.lines)  # fmt: skip
    yield proven("looks", why)
