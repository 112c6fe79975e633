"""Which logs and witnesses are trusted: c2sp.org/tlog-policy.

    log LOG-KEY
    witness club CLUB-KEY https://witness.club.example
    witness league LEAGUE-KEY
    group both all club league
    quorum both

A checkpoint holds if one of the logs signed it and the witnesses of the quorum saw it. Keys are
public ones (`notes.VerifierKey`), a log's by the name that its checkpoints have. `judge` evaluates
a checkpoint by a policy, and accuses nobody of a signature by an unknown key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct

from domain.record.proof.anchors import notes
from domain.record.proof.anchors.checkpoints import Checkpoint, checkpoint
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.notes import COSIGNATURE, ED25519, BadSignature, VerifierKey

#: The quorum that asks for nobody.
NONE = "none"


class Witness(Struct, frozen=True):
    """Somebody who signs checkpoints that follow from those which he saw before."""

    name: str
    key: VerifierKey
    url: str = ""


class Group(Struct, frozen=True):
    """Some of these have to have seen a checkpoint."""

    least: int
    members: tuple[str, ...]


class Policy(Struct, frozen=True):
    """Which logs there are, who watches them, and who of them must have seen a checkpoint."""

    logs: tuple[VerifierKey, ...] = ()
    witnesses: Mapping[str, Witness] = {}
    groups: Mapping[str, Group] = {}
    quorum: str = NONE

    def enough(self, seen: Mapping[str, int], name: str | None = None) -> bool:
        """Whether these witnesses are the quorum, or the group of a name."""
        name = self.quorum if name is None else name
        group = self.groups.get(name)
        if group is None:
            return name == NONE or name in seen
        return sum(self.enough(seen, member) for member in group.members) >= group.least


class Standing(StrEnum):
    """The trust in a checkpoint."""

    GOOD = "good"
    UNKNOWN_KEY = "unknown key"  # no log that is believed signed it
    FORGED = "forged"  # it names the key of one that did not
    UNSEEN = "unseen"  # too few witnesses saw it


class Judged(Struct, frozen=True):
    """The trust in a checkpoint: by whom, and when each witness saw it (seconds since 1970)."""

    standing: Standing
    checkpoint: Checkpoint
    note: notes.Note
    keys: tuple[VerifierKey, ...] = ()
    seen: Mapping[str, int] = {}

    @property
    def good(self) -> bool:
        """Whether it holds."""
        return self.standing == Standing.GOOD


def judge(note: notes.Note, policy: Policy) -> Judged:
    """Evaluate a checkpoint by a policy; raises `Malformed` if it is none."""
    found = checkpoint(note)
    try:
        keys = tuple(key for key in policy.logs if key.name == found.origin and key.of(note))
        by_witness = {name: one.key.of(note) for name, one in policy.witnesses.items()}
    except BadSignature:
        return Judged(Standing.FORGED, found, note)
    seen = {name: signature.time for name, signature in by_witness.items() if signature}
    standing = Standing.GOOD if policy.enough(seen) else Standing.UNSEEN
    return Judged(standing if keys else Standing.UNKNOWN_KEY, found, note, keys, seen)


def parse(text: str) -> Policy:
    """The policy that is written like this; raises `Malformed`, which names the line."""
    read = _Reader()
    for at, line in enumerate(text.split("\n"), 1):
        words = line.replace("\t", " ").split(" ")
        if words := [word for word in words if word]:
            try:
                read.line(*words)
            except (Malformed, TypeError, ValueError) as error:
                why = error if isinstance(error, Malformed) else "not of the form of its kind"
                raise Malformed(f"line {at}: {why}") from error
    if read.quorum is None:
        raise Malformed("a policy says what its quorum is")
    return Policy(tuple(read.logs), read.witnesses, read.groups, read.quorum)


class _Reader:
    """Reads a policy line by line; a line of too few or too many words is a `TypeError`."""

    def __init__(self) -> None:
        self.logs: list[VerifierKey] = []
        self.witnesses: dict[str, Witness] = {}
        self.groups: dict[str, Group] = {}
        self.quorum: str | None = None
        self._free = set[str]()  # names that are in no group yet

    def line(self, kind: str, *words: str) -> None:
        """Take a line up."""
        if kind.startswith("#"):
            return
        kinds: dict[str, Callable[..., None]] = {
            "log": self._log,
            "witness": self._witness,
            "group": self._group,
            "quorum": self._quorum,
        }
        if kind not in kinds:
            raise Malformed("a policy has logs, witnesses, groups and a quorum")
        kinds[kind](*words)

    def _log(self, key: str, url: str = "") -> None:
        read = notes.verifier_key(key)
        if read.type != ED25519 or read.public in (one.public for one in self.logs):
            raise Malformed("not the key of a log, or that of one for the second time")
        self.logs.append(read)

    def _witness(self, name: str, key: str, url: str = "") -> None:
        read = notes.verifier_key(key)
        known = (one.key.public for one in self.witnesses.values())
        if read.type != COSIGNATURE or read.public in known:
            raise Malformed("not the key of a witness, or that of one for the second time")
        self._name(name)
        self.witnesses[name] = Witness(name, read, url)

    def _group(self, name: str, least: str, *members: str) -> None:
        if not members or len(set(members)) < len(members) or not self._free.issuperset(members):
            raise Malformed("a group has members, each named above and in one group only")
        count = {"any": 1, "all": len(members)}.get(least) or int(least)
        if not 1 <= count <= len(members):
            raise Malformed("a group asks for one of its members at least, and for all at most")
        self._free.difference_update(members)
        self._name(name)
        self.groups[name] = Group(count, members)

    def _name(self, name: str) -> None:
        if name == NONE or name in self.witnesses or name in self.groups:
            raise Malformed("a name that is taken")
        self._free.add(name)

    def _quorum(self, name: str) -> None:
        known = name == NONE or name in self.witnesses or name in self.groups
        if self.quorum is not None or not known:
            raise Malformed("a policy has one quorum, which is named above")
        self.quorum = name
