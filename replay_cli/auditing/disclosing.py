"""What a bundle discloses beside its copy, in words: the values are those that were sealed then."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from domain.record.entries import Entry, name_of
from domain.record.proof.chain import FORGOTTEN, ORIGIN
from domain.record.proof.openings import Disclosed, Unproven, discloses
from domain.words.phrases import Phrase, joined, phrase
from replay_cli.auditing.claims import Claim, proven, wrong
from replay_cli.auditing.evidence import Evidence

_MORE = {ORIGIN: "origin", FORGOTTEN: "forgotten"}


def claims(evidence: Evidence) -> Iterator[Claim]:
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
