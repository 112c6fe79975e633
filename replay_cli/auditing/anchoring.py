"""Claims from checkpoints: the record is complete, and there was no other version of it.

A head of the match is a leaf of a log whose root is signed (`domain.record.proof.anchors`). The way
to one leaf comes in a bundle; a log in hand whole says all that was ever anchored of a match, and
an older checkpoint whether it is the log that there was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from domain.record.events import MatchOpened
from domain.record.proof import bundle
from domain.record.proof.anchors import checkpoints, findings, policy
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.findings import Archive, Finding, Found
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.anchors.policy import Judged
from domain.record.proof.anchors.tiles import BadTile
from domain.record.proof.chain import Head, genesis
from domain.words.phrases import phrase
from replay_cli.auditing.claims import Claim, proven, unproven, wrong
from replay_cli.auditing.evidence import ANCHOR as ANCHOR
from replay_cli.auditing.evidence import Evidence
from replay_cli.auditing.trust import Trust
from service.store import leaves

#: What is no proof for, and none against.
_OPEN = {Found.UNKNOWN_KEY, Found.UNSEEN, Found.UNANCHORED, Found.OTHER_LOG}


class Anchored:
    """The statements of signed leaves about a match, and faults of their signers."""

    def __init__(self, evidence: Evidence, trust: Trust) -> None:
        self.leaves: Sequence[Leaf] = ()
        self.count = evidence.count
        self.archive: Archive | None = None
        self.claim: Claim | None = None  # why nothing follows from them
        self.doubt: Finding | None = None  # why nothing follows for the record, only against it
        self.where = ""
        whole, match = evidence.proven, evidence.key
        try:
            if trust.archive is not None and match:
                self._read_log(trust.archive, match, trust.checkpoints)
            elif (archive := _own_log(evidence, trust)) is not None:
                self._read_log(archive, match, trust.checkpoints)
                self.doubt = findings.doubted(archive.judged)
            elif evidence.log is not None and trust.checkpoints:
                self.claim = _found(_wiped(trust.checkpoints))
            elif whole is not None and ANCHOR in whole.attached:
                self._read_anchor(str(whole.attached[ANCHOR]), match, trust)
            else:
                why = phrase("no checkpoint shows how far the record went")
                self.claim = unproven("complete", why)
        except (Malformed, BadTile) as error:
            why = phrase("its anchor is damaged: {why}", why=str(error))
            self.claim = wrong("complete", why)

    @property
    def heads(self) -> Sequence[Head]:
        """The heads for which a signature stands; those that a record goes up to.

        Of later ones `claims` speaks: the record may be cut.
        """
        if self.claim is not None or self.doubt is not None:
            return ()
        return [leaf.head for leaf in self.leaves if leaf.count <= self.count]

    def _read_anchor(self, text: str, match: str, trust: Trust) -> None:
        """A contradiction to the record is believed with any signature: they came together."""
        proof = checkpoints.parse(text)
        leaf, (_, self.doubt) = proof.parsed, findings.shown(proof, trust.policy)
        if self.doubt is not None and self.doubt.found is Found.NOT_SHOWN:
            self.claim = _found(self.doubt)
            return
        if leaf.match != match:
            why = phrase("its anchor is of match {match}", match=leaf.match)
            self.claim = wrong("complete", why)
            return
        judged = policy.judge(proof.note, trust.policy)
        for older in trust.checkpoints if self.doubt is None else ():
            finding = findings.compare(older, judged)
            if finding is not None and finding.found is not Found.NOT_SHOWN:
                self.claim = _found(finding)
        self.leaves = (leaf,)
        self.where = phrase(
            "the checkpoint of {name} at {size:,}",
            name=judged.checkpoint.origin, size=judged.checkpoint.size,
        )  # fmt: skip

    def _read_log(self, archive: Archive, match: str, older: Iterable[Judged]) -> None:
        for checkpoint in older:
            if (finding := archive.since(checkpoint)) is not None:
                self.claim = _found(finding)
                return
        self.archive, self.leaves = archive, archive.of(match)
        self.where = phrase(
            "the log {name} of {size:,} leaves",
            name=archive.checkpoint.origin, size=archive.size,
        )  # fmt: skip


def _own_log(evidence: Evidence, trust: Trust) -> Archive | None:
    """The log in the file itself. What it says against a record is believed without its key."""
    return evidence.log.archive(trust.policy) if evidence.log is not None else None


def _wiped(kept: Sequence[Judged]) -> Finding:
    """The finding that a file has no log, although checkpoints of it exist."""
    notes = tuple(str(one.note) for one in kept)
    return Finding(Found.SHORT, notes, sizes=(max(one.checkpoint.size for one in kept), 0))


def claims(evidence: Evidence, found: Sequence[Head], anchored: Anchored) -> Iterator[Claim]:
    """Whether the record goes as far as a checkpoint says, with that content."""
    if anchored.claim is not None:
        yield anchored.claim
        return
    if not found:
        yield _without_chain(anchored)
        return
    hashes = {head.seq: head.hash for head in found}

    def whose() -> str:
        archive = anchored.archive
        if archive is None or evidence.event is not None:
            return ""
        return findings.owner(archive, len(found), _as_match(evidence))

    finding = findings.against(anchored.leaves, len(found), hashes, whose)
    if finding is not None:
        yield _found(finding)
        return
    if anchored.doubt is not None:
        yield _found(anchored.doubt)
        return
    newest = max(leaf.count for leaf in anchored.leaves)
    if newest < len(found):
        why = phrase(
            "all there up to entry {seq}, as {where} has it; what follows was recorded after that",
            seq=newest, where=anchored.where,
        )  # fmt: skip
        yield unproven("complete", why, newest + 1)
        return
    why = phrase("all {n:,} entries that {where} has; only a later checkpoint shows whether more "
        "were recorded", n=newest, where=anchored.where)  # fmt: skip
    yield proven("complete", why)


def _without_chain(anchored: Anchored) -> Claim:
    """The log's finding about a record without a chain, or with a wrong one."""
    newest = max((leaf.count for leaf in anchored.leaves), default=0)
    if newest > anchored.count:
        return wrong("complete", leaves.cut(anchored.count, newest))
    if newest:
        why = phrase("the log has entry {n} of it, and nothing here leads there", n=newest)
        return wrong("complete", why)
    return unproven("complete", phrase("without its chain it can't be checked"))


def of_log(anchored: Anchored) -> Claim:
    """Whether a log has all that somebody's checkpoints cover."""
    if anchored.claim is not None:
        return anchored.claim
    if anchored.doubt is not None:
        return _found(anchored.doubt)
    return proven("complete", phrase("{where} has all that it had", where=anchored.where))


def _as_match(evidence: Evidence) -> Callable[[str, set[int]], Mapping[int, bytes]]:
    """Finds the hashes of the record if it is taken for that of another match."""
    whole = evidence.bundle
    assert whole is not None

    def hashes(match: str, counts: set[int]) -> Mapping[int, bytes]:
        opened = whole.entries[0].event
        assert isinstance(opened, MatchOpened)
        before = genesis(match, opened, whole.proof.since)
        taken = replace(whole, proof=replace(whole.proof, match=match, before=before))
        return {head.seq: head.hash for head in bundle.heads(taken)}

    return hashes


def _found(finding: Finding) -> Claim:
    """A finding, for people."""
    why = _WORDS[finding.found]
    if finding.found is Found.EXCHANGED:
        why = phrase("it is the record of match {match}", match=finding.match)
    elif finding.found is Found.SHORT:
        why = phrase("the log lacks what it had: it was rolled back to {has:,} leaves, from {n:,} "
                     "by your checkpoint", has=finding.sizes[1], n=finding.sizes[0])  # fmt: skip
    elif finding.found is Found.CUT:
        has, wanted = finding.sizes[1], finding.sizes[0]
        why = leaves.cut(has, wanted)
    elif finding.leaf is not None:
        why = phrase(
            "entry {seq} or one before it is not what was anchored", seq=finding.leaf.count
        )
    if finding.found in _OPEN:
        return unproven("complete", why)
    return wrong("complete", why)


_WORDS = {
    Found.UNKNOWN_KEY: phrase("it has a checkpoint; give the key of the log to check it (--key)"),
    Found.FORGED: phrase("the checkpoint names a key that did not sign it"),
    Found.UNSEEN: phrase("too few of the witnesses that you ask for have seen the checkpoint"),
    Found.OTHER_LOG: phrase("the checkpoints are of different logs"),
    Found.REPLACED: phrase(
        "the log is not the one that your checkpoint is of, and lacks what that had"
    ),
    Found.NOT_SHOWN: phrase("the proof does not lead to the checkpoint"),
    Found.FORKED: phrase("the log signed two things that can't both be true"),
    Found.SHORT: phrase("the log lacks what it had"),
    Found.DAMAGED: phrase("the files of the log are not what was signed"),
    Found.UNANCHORED: phrase("the log says nothing of this match"),
    Found.CUT: phrase("its end is missing"),
    Found.ALTERED: phrase("it is not what was anchored"),
    Found.EXCHANGED: phrase("it is the record of another match"),
}
